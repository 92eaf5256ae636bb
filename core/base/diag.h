/* diag.h: what is told to the user: errors, warnings, notes, remarks; each with a code and a place.
 *
 * A diagnostic never ends the work by itself: the reporter goes on (the parser at the next
 * instruction), and whoever drives the work looks at diags_errors(). Codes, texts and hints are rows
 * of diagnostics.def; the text of a row is a format of base/fmt.h. */
#ifndef PS_DIAG_H
#define PS_DIAG_H

#include "base/text.h"
#include "base/vec.h"

typedef enum Severity { SEV_NOTE, SEV_WARNING, SEV_ERROR } Severity;

typedef enum DiagCode {
#define DIAG(id, severity, format, hint) DIAG_##id,
#include "base/diagnostics.def"
	DIAG_COUNT
} DiagCode;

/* 1-based lines and columns; columns count bytes; [start, end) in columns. All 0: no place. */
typedef struct SrcRange {
	u32 line, col, end_line, end_col;
} SrcRange;

static inline SrcRange src_at(u32 line, u32 col) { return (SrcRange){line, col, line, col + 1}; }

typedef struct Diag {
	DiagCode code;
	Severity severity;
	SrcRange at;
	Str      message;
	Str      hint; /* empty: none */
} Diag;

typedef struct Diags {
	Arena *arena;
	Vec(Diag) list; /* in the order of reporting */
	u32 errors;
	u32 max_errors; /* 20; further errors are counted, not kept */
} Diags;

void diags_init(Diags *d, Arena *arena);
void diags_clear(Diags *d);
/* Reports row `code`. The returned pointer (never NULL) lets the caller add a hint of its own; it
 * is good until the next report. */
Diag              *diag_report(Diags *d, DiagCode code, SrcRange at, ...) PS_COLD;
void               diag_hint(Diags *d, Diag *diag, const char *fmt, ...) PS_PRINTF(3, 4) PS_COLD;
static inline bool diags_full(const Diags *d) { return d->errors >= d->max_errors; }

Str diag_code_name(Arena *a, DiagCode code); /* the id of the row, in lower case with dashes */
/* Places that name a line alone get the columns of what stands on it. */
void        diags_locate(Diags *d, Str source);
const char *severity_name(Severity s);
/* clang's form: FILE:LINE:COL: error: TEXT, the line, a caret with its range, then the hint. */
void diag_print(Text *out, const Diag *d, Str file, Str source);

#endif
