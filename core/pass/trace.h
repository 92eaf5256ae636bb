/* trace.h: the one record of a compilation. The command line, the WASM module and the page read it. */
#ifndef PS_TRACE_H
#define PS_TRACE_H

#include "base/map.h"
#include "pass/pass.h"

typedef struct TraceEntry {
	const Pass *pass;     /* NULL: the input as it was read */
	Str         function; /* empty: the module outside its functions */
	PassLevel   level;    /* of the text */
	bool        changed;
	f64         ms;
	u32         insts;
	bool        has_pressure;
	Pressure    pressure;
	u32         text; /* index into texts after this pass */
} TraceEntry;

typedef struct TraceText {
	Str    text;
	VecU32 lines; /* origin per line */
} TraceText;

typedef struct Remark {
	u64         order; /* as of diagnostics: diag_order */
	const Pass *pass;
	Str         function;
	u32         line;
	RemarkKind  kind;
	Str         message;
	Str         value; /* registers that the remark is about: "%12", or "%12 %20" */
	Fate        fate;
} Remark;

struct Trace {
	Arena *arena;
	Vec(TraceEntry) entries;
	Vec(TraceText) texts;
	Vec(Remark) remarks;
	Map  by_hash;    /* of text and lines, to the index in texts */
	u64  bytes;      /* of texts kept */
	bool texts_full; /* the cap was reached: later texts are left out, and the JSON says so */
};

enum { TRACE_TEXT_CAP = 256u << 20 }; /* bytes */

void trace_init(Trace *t, Arena *arena);
/* The index of the text, stored once where an equal one is there already. */
u32 trace_text(Trace *t, Str text, const VecU32 *lines);
/* The contract's --trace JSON. ptx may be empty; `functions` is that list as JSON. */
void trace_json(const Trace *t, Session *s, Str ptx, const VecU32 *ptx_lines, Str functions, Text *out);
/* The list of "diagnostics" in it. */
void diagnostics_json(const Diags *d, Text *out);

#endif
