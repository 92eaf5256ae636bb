/* parse.h: the MIR reader's own header. parse.c reads documents and the heads of functions, parse_inst.c words,
 * operands and instructions. mr_: the MIR reader. */
#ifndef PS_MIR_PARSE_H
#define PS_MIR_PARSE_H

#include "base/map.h"
#include "ir/ir.h"
#include "mir/mir.h"

typedef struct MirTableEntry {
	u32 table, block, line;
} MirTableEntry;

typedef struct MirReader {
	Session   *s;
	Str        text;
	u32        at, line, line_start;
	MirModule *m;
	MirFunc   *f;
	IrFunc    *irf;
	Arena      scratch;
	Map        block;    /* bb number → MirBlockId */
	Map        reg_name; /* StrId → register */
	Map        ir_value; /* StrId → IrRef of the function's arguments and instructions */
	bool       bad;      /* this line was given up */
	u32        errors;
	/* jump tables name blocks that come later */
	Vec(MirTableEntry) table;
} MirReader;

static inline char mr_peek(const MirReader *r) { return r->at < r->text.n ? r->text.p[r->at] : 0; }
static inline bool mr_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Words. mr_blanks stays on the line, mr_space goes on to the next ones; mr_eat, mr_eat_word and mr_want skip blanks
 * first. An error is reported once per line: MirReader.bad says that the rest of it means nothing. */
void     mr_next_char(MirReader *r);
SrcRange mr_here(const MirReader *r);
void     mr_expected(MirReader *r, const char *what);
void     mr_unknown(MirReader *r, const char *what, Str name);
void     mr_blanks(MirReader *r);
void     mr_space(MirReader *r);
void     mr_skip_line(MirReader *r);
bool     mr_eat(MirReader *r, char c);
void     mr_want(MirReader *r, char c);
Str      mr_word(MirReader *r);
bool     mr_eat_word(MirReader *r, const char *w);
u64      mr_number(MirReader *r);
u64      mr_hex(MirReader *r);
Str      mr_quoted(MirReader *r);
Str      mr_name(MirReader *r);
StrId    mr_intern(MirReader *r, Str s);
/* %3, bb.3, and %bb.1 %stack.0 %jump-table.0 %proto.0 (false: something else). */
MirReg     mr_reg_number(MirReader *r, u64 n);
MirBlockId mr_block_number(MirReader *r, u64 n);
bool       mr_percent_operand(MirReader *r, MirOp *o);
bool       mr_line_ends(MirReader *r); /* blanks, then the end or a comment */
void       mr_instruction(MirReader *r, MirBlockId b);

#endif
