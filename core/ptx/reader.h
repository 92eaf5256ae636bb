/* reader.h: declarations that the files of the PTX reader share: tokens (lex.c), constant expressions (expr.c),
 * declarations (parse.c), bodies (body.c), instructions (insn.c). */
#ifndef PS_PTX_READER_H
#define PS_PTX_READER_H

#include "base/map.h"
#include "ptx/ptx.h"

typedef enum TokKind {
	T_EOF,
	T_WORD, /* name, or mnemonic with its modifiers: add.s32, %tid.x, $L__BB0_2 */
	T_DOT,  /* one dotted word: .global, .b32 */
	T_INT,
	T_FLOAT,
	T_STRING, /* quotes included */
	T_PUNCT,  /* one character, or << >> <= >= == != && || */
	T_BAD,
} TokKind;

typedef struct Tok {
	TokKind kind;
	Str     text;
	u32     line, col;
	char    c, c2; /* of punctuation */
} Tok;

/* What a name stands for inside a body. */
typedef enum BindKind { BIND_NONE, BIND_REG, BIND_RANGE, BIND_VAR } BindKind;

typedef struct Binding {
	u8  kind;
	u32 value; /* register number; index of the range's PtxRegDecl; index of the variable */
} Binding;

typedef struct BindUndo {
	u32     name;
	Binding old;
} BindUndo;

typedef struct Scope {
	u32 id, parent; /* ids of scopes; the function's own is 1 */
	u32 undo;       /* where its entries in the undo list begin */
	u32 line, col;
} Scope;

/* A label that was named as an operand; resolved at the end of the function. */
typedef struct LabelUse {
	u32      operand; /* index in PtxFunc.operands */
	u32      scope;
	u32      name;
	SrcRange at;
} LabelUse;

typedef struct SymbolUse {
	u32      name;
	SrcRange at;
} SymbolUse;

enum { READER_MAX_OPERANDS = 160, READER_MAX_SCOPES = 64, READER_MAX_REGS = 1 << 24 };

/* An operand as it was written, before it is known what is expected. */
typedef struct Written {
	PtxOperand o;
	u32        name;  /* StrId of a word; 0: o is complete */
	u16        shape; /* IOF_OPEN, CLOSE, PIPE, ADDR_OPEN, ADDR_CLOSE */
	bool       is_offset;
	bool       is_decimal; /* a float without 0f or 0d */
	SrcRange   at;
} Written;

typedef struct Reader {
	Session    *s;
	PtxModule  *m;
	PtxFunc    *f;
	const char *p, *end, *line_start;
	u32         line;
	Tok         t;              /* the token at hand */
	Tok         before;         /* the one before it */
	u32         errors_at_line; /* one syntax error for each line is enough */

	/* inside a body */
	Vec(Binding) bind; /* by StrId */
	Vec(BindUndo) undo;
	Vec(Scope) scopes;   /* open ones, the function's first */
	VecU32 scope_parent; /* by scope id */
	Vec(LabelUse) label_uses;
	Map     labels; /* scope << 32 | name → label */
	Written written[READER_MAX_OPERANDS];
	u32     n_written;

	Vec(SymbolUse) symbol_uses;
	Map globals; /* StrId of what the module declares */
	Map funcs;   /* name → index in the module's functions of its first declaration, or of its body */
} Reader;

/* ---- lex.c */
void               ptx_lex_next(Reader *r);
SrcRange           ptx_lex_range(const Tok *t);
static inline bool tok_is(const Reader *r, char c) { return r->t.kind == T_PUNCT && r->t.c == c && !r->t.c2; }
static inline bool tok_dot(const Reader *r, const char *word) { return r->t.kind == T_DOT && str_is(r->t.text, word); }
bool               ptx_lex_take(Reader *r, char c);
/* Reports where it is not there. */
bool ptx_lex_expect(Reader *r, char c, const char *where);
bool ptx_lex_take_dot(Reader *r, const char *word);
/* The rest of the line from the token at hand, comments and blanks cut off; goes to the next line. */
Str  ptx_lex_rest_of_line(Reader *r);
void ptx_reader_unexpected(Reader *r, const char *wanted);
/* Behind the next `;`, or before a `}` or the end. */
void  ptx_reader_resync(Reader *r);
StrId ptx_reader_name(Reader *r, Str s);

/* ---- expr.c */
typedef struct ConstValue {
	u64  bits;
	bool is_unsigned;
	bool is_float; /* bits of a double, or of a float where is_f32 */
	bool is_f32;
	bool is_decimal; /* a double written in decimal: takes the type of its place */
} ConstValue;
/* Reports and returns false where there is none. */
bool ptx_const_expr(Reader *r, ConstValue *v);
bool ptx_const_expr_in_range(Reader *r, ConstValue *v);
bool ptx_const_starts(const Reader *r);
u32  ptx_f64_to_f32_bits(u64 bits);

/* ---- parse.c */
/* `.align 4 .b8 name[16]` behind the space's word, up to `,` `;` or `)`. */
bool ptx_parse_var(Reader *r, PtxVar *v, bool is_param);
bool ptx_parse_declarator(Reader *r, PtxVar *v, bool is_param); /* the rest behind the type: name, extents, initialiser */
bool ptx_parse_params(Reader *r, PtxVars *vars);
u32  ptx_parse_u32(Reader *r, const char *what);
u64  ptx_parse_extent(Reader *r);
/* `.b32`: the type token; 0 with the text in *odd where it is only a width; reports otherwise. */
bool ptx_parse_type(Reader *r, u8 *type, StrId *odd);

/* ---- body.c */
void     ptx_parse_body(Reader *r);
void     ptx_declare_regs(Reader *r, bool statement);
Binding *ptx_bind_of(Reader *r, u32 name);
void     ptx_bind_set(Reader *r, u32 name, Binding b);
u32      ptx_scope_now(const Reader *r);

/* ---- insn.c */
void ptx_parse_insn(Reader *r);
/* A register by name; 0 where there is none. */
u32  ptx_reg_by_name(Reader *r, StrId name);
void ptx_label_use(Reader *r, u32 name, SrcRange at);

#endif
