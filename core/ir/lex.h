/* lex.h: textual IR as tokens. */
#ifndef PS_IR_LEX_H
#define PS_IR_LEX_H

#include "ir/ir.h"

typedef enum TokKind {
	T_EOF,
	T_PANIC,     /* after an error, until the parser resynchronises: no rule takes it */
	T_BAD,       /* a character that starts no token, an unterminated string */
	T_WORD,      /* keyword, type, opcode, …: `word` is its row, or NULL */
	T_LABEL,     /* word, string or number directly before a ':' */
	T_LOCAL,     /* %name */
	T_LOCAL_NUM, /* %7 */
	T_GLOBAL,
	T_GLOBAL_NUM,
	T_COMDAT,    /* $name */
	T_MD_NAME,   /* !name */
	T_BANG,      /* ! before a string, a number, a brace */
	T_GROUP,     /* #7 */
	T_HASH_WORD, /* #dbg_value */
	T_SUMMARY,   /* ^7 */
	T_INT,       /* number: `num`, `negative`; `huge` where it exceeds 64 bits */
	T_FP,        /* 1.5e3 */
	T_HEX_FP,    /* 0x…, 0xH…, … */
	T_STRING,    /* "…": `text` is what is between the quotes */
	T_CSTRING,   /* c"…" */
	T_ELLIPSIS,
	/* punctuation has its character's code */
} TokKind;

typedef enum IrWord {
	W_NO_WORD,
#define IR_WORD(id, text) W_##id,
#include "ir/words.def"
	W_COUNT
} IrWord;

/* All meanings of a word; the grammar rule that reads it uses the column it expects. */
typedef struct Word {
	Str text;
	u64 tail;         /* the last eight characters, to compare with */
	u8  word;         /* IrWord */
	u8  op;           /* IrOp */
	u8  attr;         /* IrAttrKind */
	u8  rmw;          /* IrRmw + 1 */
	u8  ipred, fpred; /* IrPred + 1 */
	u8  linkage;      /* IrLinkage + 1 */
	u8  ordering;     /* IrOrdering */
	u8  type;         /* IR_TY_* */
	u16 cc;           /* + 1 */
	u32 flag;         /* IRF_* */
} Word;

typedef struct Words {
	Word *row; /* [0]: what is no word of the table */
	u32   n;
	u16  *slot; /* by hash: the row */
} Words;

void        ir_words_init(Arena *arena, Words *w);
const Word *ir_word_find(const Words *w, Str s); /* NULL: none */

/* The instruction or attribute whose name is nearest; NULL: none is near. */
const char *ir_word_nearest(const Words *w, Str s, bool attributes);

/* A position in the text as line and column, which only diagnostics need. */
typedef struct Spot {
	const char *p, *end;
	u32         line;
} Spot;

/* Only the fields of the token's kind are set: the others keep the values of earlier tokens. */
typedef struct Token {
	const char *p, *end; /* the whole token */
	u32         line;
	u8          kind; /* TokKind or a character */
	u8          id;   /* IrWord of a word; W_NO_WORD of any other token */
	bool        negative, huge, escaped;
	Str         text; /* name, string, word: without sigil and quotes; escapes still in it */
	const Word *word; /* NULL where the token is no word of the table */
	u64         num;
} Token;
_Static_assert(T_ELLIPSIS < '!', "kinds of tokens and characters are distinct");

static inline Spot token_spot(const Token *t) { return (Spot){t->p, t->end, t->line}; }

typedef struct Lexer {
	const char  *start, *at, *end;
	u32          line;
	const char  *line_start;
	const Words *words;
} Lexer;

/* The arena is for a copy of a text that does not end in a newline. */
void ir_lexer_init(Lexer *l, Arena *arena, const Words *words, Str text);
void ir_lex(Lexer *l, Token *t);
/* Byte escapes \xx and \\ undone. */
Str ir_lex_unescape(Arena *arena, Str s);

#endif
