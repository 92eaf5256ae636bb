/* diag.h: what is reported to the user: errors, warnings, notes; each with a code, a place and an order.
 *
 * Reporting a diagnostic does not end the work: the parser goes on at the next instruction, and whoever drives
 * the work looks at `errors`. Codes, texts and hints are rows of diagnostics.def; the text of a row is a format
 * of base/fmt.h.
 *
 * Work on several functions may be done in any order, but is reported in one. Each diagnostic carries an order
 * key, diag_order(step, function): the pass manager sets `order` before each pass over each function, and
 * diags_settle sorts by it. A compilation ends at the first step that reports an error; what later steps reported
 * meanwhile about functions that were ahead is dropped. So the list is the same whether all functions go through
 * a step before the next step starts, or each function goes through all steps before the next function starts. */
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
	u64      order; /* Diags.order when it was reported */
	DiagCode code;
	Severity severity;
	SrcRange at;
	Str      message;
	Str      hint; /* empty: none */
} Diag;

typedef struct Diags {
	Arena *arena;
	Vec(Diag) list; /* in the order of reporting; by `order` after diags_settle */
	u32 kept;       /* the first of the list, which diags_clear leaves */
	u32 errors;     /* of the earliest step that has reported any */
	u32 max_errors; /* 20; further errors are counted, not kept */
	u64 order;      /* of what is reported next; 0 before the first step */
	u64 failed;     /* order of the first of the errors counted */
} Diags;

/* Steps count from 1; the function is a position in the module, 0 for what is not about a function. */
static inline u64 diag_order(u32 step, u32 function) { return (u64)step << 32 | function; }
static inline u32 diag_step(u64 order) { return (u32)(order >> 32); }

void diags_init(Diags *d, Arena *arena);
/* What has been reported so far, of the options, say, is not undone with what is reported from now on. */
void diags_keep(Diags *d);
/* Undoes what was reported since diags_keep, for an attempt that is repeated in another way. */
void diags_clear(Diags *d);
/* Reports row `code`. The returned pointer (never NULL) lets the caller add a hint of its own; it
 * is good until the next report. */
Diag              *diag_report(Diags *d, DiagCode code, SrcRange at, ...) PS_COLD;
void               diag_hint(Diags *d, Diag *diag, const char *fmt, ...) PS_PRINTF(3, 4) PS_COLD;
static inline bool diags_full(const Diags *d)
{
	return d->errors >= d->max_errors && diag_step(d->failed) <= diag_step(d->order);
}

/* Sorts the list by order key, stably, and drops what steps behind the first failed one have reported. */
void diags_settle(Diags *d);
/* Does step `step` run: has no earlier step reported an error? */
static inline bool diags_reach(const Diags *d, u32 step) { return !d->errors || step <= diag_step(d->failed); }

Str diag_code_name(Arena *a, DiagCode code); /* the id of the row, in lower case with dashes */
/* Places that name a line alone get the columns of what stands on it. */
void        diags_locate(Diags *d, Str source);
const char *severity_name(Severity s);
/* clang's form: FILE:LINE:COL: error: TEXT, the line, a caret with its range, then the hint. */
void diag_print(Text *out, const Diag *d, Str file, Str source);

#endif
