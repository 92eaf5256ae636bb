/* lex.c: splits the text into tokens.
 *
 * Each character has a class in one table, which decides the kind of token; words are looked up in a hash table made from words.def
 * when the reader starts. A token refers to the input; nothing is copied. Linear in the input. */
#include "ir/lex.h"

/* ---- words ---- */

enum { WORD_SLOT_BITS = 11, WORD_SLOTS = 1 << WORD_SLOT_BITS, WORD_ROWS = 480 };

static u64 eight_bytes(const char *text)
{
	const u8 *p = (const u8 *)text;
	return (u64)p[0] | (u64)p[1] << 8 | (u64)p[2] << 16 | (u64)p[3] << 24 | (u64)p[4] << 32 | (u64)p[5] << 40 |
	       (u64)p[6] << 48 | (u64)p[7] << 56; /* one load */
}

/* The last eight characters as a number, which identifies a word of at most eight characters. */
static u64 tail_of(Str s)
{
	u64 tail = 0;
	if (s.n >= 8)
		return eight_bytes(s.p + s.n - 8);
	for (u32 i = s.n; i--;)
		tail = tail << 8 | (u8)s.p[i];
	return tail;
}

static u32 word_slot(u64 tail) { return (u32)(tail * 0x9E3779B97F4A7C15u >> (64 - WORD_SLOT_BITS)); }

static bool is_word(const Word *w, Str s, u64 tail)
{
	return w->tail == tail && w->text.n == s.n && (s.n <= 8 || memcmp(w->text.p, s.p, s.n - 8) == 0);
}

static const Word *find_word(const Words *w, Str s, u64 tail)
{
	for (u32 at = word_slot(tail);; at = (at + 1) & (WORD_SLOTS - 1)) {
		u32 row = w->slot[at];
		if (!row)
			return NULL;
		if (is_word(&w->row[row], s, tail))
			return &w->row[row];
	}
}

static Word *word_row(Words *w, const char *text)
{
	Str s = str_of(text);
	u64 tail = tail_of(s);
	u32 at = word_slot(tail);
	for (; w->slot[at]; at = (at + 1) & (WORD_SLOTS - 1))
		if (is_word(&w->row[w->slot[at]], s, tail))
			return &w->row[w->slot[at]];
	w->slot[at] = (u16)w->n;
	w->row[w->n].text = s;
	w->row[w->n].tail = tail;
	return &w->row[w->n++];
}

const Word *ir_word_find(const Words *w, Str s) { return find_word(w, s, tail_of(s)); }

void ir_words_init(Arena *arena, Words *w)
{
	*w = (Words){.row = arena_array(arena, Word, WORD_ROWS), .n = 1, .slot = arena_array(arena, u16, WORD_SLOTS)};
#define IR_WORD(id, text)         word_row(w, text)->word = W_##id;
#define IR_TYPE_WORD(text, id)    word_row(w, text)->type = IR_TY_##id;
#define IR_FLAG_WORD(text, flag_) word_row(w, text)->flag = IRF_##flag_;
#define IR_CC_WORD(text, number)  word_row(w, text)->cc = number + 1;
#define IR_CC_OTHER(text, number) word_row(w, text)->cc = number + 1;
#include "ir/words.def"
#define IR_ATTR(id, text, form, places, since, code) word_row(w, text)->attr = IRA_##id;
#include "ir/attrs.def"
	for (u32 i = 1; i < IR_OP_COUNT; i++)
		word_row(w, ir_op_info[i].name)->op = (u8)i;
	for (u32 i = 0; i < IRRMW_COUNT; i++)
		word_row(w, ir_rmw_name[i])->rmw = (u8)(i + 1);
	for (u32 i = 0; i <= IRP_TRUE; i++)
		word_row(w, ir_pred_name[i])->fpred = (u8)(i + 1);
	for (u32 i = IRP_I_EQ; i < IRP_COUNT; i++)
		word_row(w, ir_pred_name[i])->ipred = (u8)(i + 1);
	for (u32 i = 0; i < IRL_COUNT; i++)
		word_row(w, ir_linkage_name[i])->linkage = (u8)(i + 1);
	for (u32 i = 1; i < IRO_COUNT; i++)
		word_row(w, ir_ordering_name[i])->ordering = (u8)i;
}

const char *ir_word_nearest(const Words *w, Str s, bool attributes)
{
	u32         best = s.n > 4 ? 3 : 2;
	const char *found = NULL;
	for (u32 i = 1; i < w->n; i++) {
		if (!(attributes ? w->row[i].attr : w->row[i].op))
			continue;
		u32 d = str_distance(s, w->row[i].text);
		if (d < best) {
			best = d;
			found = w->row[i].text.p;
		}
	}
	return found;
}

/* ---- characters ---- */

enum { C_WORD = 1, C_DIGIT = 2, C_SPACE = 4, C_HEX = 8, C_MARK = 16 };

/* Classes of the ASCII characters; everything above is none. Word: [-a-zA-Z$._0-9]; mark: what makes something else
 * of the word before it. */
static const u8 classes[256] = {
	[' '] = C_SPACE, ['\t'] = C_SPACE, ['\r'] = C_SPACE, [':'] = C_MARK, ['"'] = C_MARK, ['-'] = C_WORD, ['$'] = C_WORD,
	['.'] = C_WORD,  ['_'] = C_WORD,   ['0'] = 11,       ['1'] = 11,     ['2'] = 11,     ['3'] = 11,     ['4'] = 11,
	['5'] = 11,      ['6'] = 11,       ['7'] = 11,       ['8'] = 11,     ['9'] = 11,     ['a'] = 9,      ['b'] = 9,
	['c'] = 9,       ['d'] = 9,        ['e'] = 9,        ['f'] = 9,      ['A'] = 9,      ['B'] = 9,      ['C'] = 9,
	['D'] = 9,       ['E'] = 9,        ['F'] = 9,        ['g'] = 1,      ['h'] = 1,      ['i'] = 1,      ['j'] = 1,
	['k'] = 1,       ['l'] = 1,        ['m'] = 1,        ['n'] = 1,      ['o'] = 1,      ['p'] = 1,      ['q'] = 1,
	['r'] = 1,       ['s'] = 1,        ['t'] = 1,        ['u'] = 1,      ['v'] = 1,      ['w'] = 1,      ['x'] = 1,
	['y'] = 1,       ['z'] = 1,        ['G'] = 1,        ['H'] = 1,      ['I'] = 1,      ['J'] = 1,      ['K'] = 1,
	['L'] = 1,       ['M'] = 1,        ['N'] = 1,        ['O'] = 1,      ['P'] = 1,      ['Q'] = 1,      ['R'] = 1,
	['S'] = 1,       ['T'] = 1,        ['U'] = 1,        ['V'] = 1,      ['W'] = 1,      ['X'] = 1,      ['Y'] = 1,
	['Z'] = 1,
};

/* What a token that starts with a character may be. */
enum { S_OTHER, S_WORD, S_NUMBER, S_PUNCTUATION, S_LOCAL, S_GLOBAL, S_BANG, S_HASH, S_GAP };

#define W S_WORD
#define N S_NUMBER
#define P S_PUNCTUATION
static const u8 starts[256] = {
	['\t'] = S_GAP,
	S_GAP,
	['\r'] = S_GAP,
	[' '] = S_GAP,
	[';'] = S_GAP,
	['%'] = S_LOCAL,
	['@'] = S_GLOBAL,
	['!'] = S_BANG,
	['#'] = S_HASH,
	['_'] = W,
	['+'] = N,
	['-'] = N,
	['0'] = N,
	N,
	N,
	N,
	N,
	N,
	N,
	N,
	N,
	N,
	['A'] = W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	['a'] = W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	W,
	['('] = P,
	P,
	['['] = P,
	[']'] = P,
	['{'] = P,
	P,
	P,
	['<'] = P,
	P,
	P,
	[','] = P,
	['*'] = P,
	[':'] = P,
};
#undef W
#undef N
#undef P

static bool is(char c, u32 mask) { return (classes[(u8)c] & mask) != 0; }
static bool is_digit(char c) { return (u8)(c - '0') <= 9; }

/* The text ends in a newline, or is copied with a NUL appended, and both end a token: the loops that scan a token need no
 * check for the end of the text. */
void ir_lexer_init(Lexer *l, Arena *arena, const Words *words, Str text)
{
	if (!text.n || text.p[text.n - 1] != '\n')
		text = arena_str(arena, text);
	*l = (Lexer){.start = text.p, .at = text.p, .end = text.p + text.n, .line = 1, .line_start = text.p, .words = words};
	if (text.n >= 3 && memcmp(text.p, "\xEF\xBB\xBF", 3) == 0)
		l->at += 3;
}

/* Skips spaces, eight at a time where there are many (the padding before a comment). */
static const char *skip_spaces(const char *p, const char *end)
{
	while (end - p >= 8 && eight_bytes(p) == 0x2020202020202020)
		p += 8;
	while (is(*p, C_SPACE))
		p++;
	return p;
}

/* Skips spaces, newlines and comments. */
static const char *skip_gap(Lexer *l, const char *p)
{
	for (;;) {
		p = skip_spaces(p, l->end);
		if (*p == ';') {
			p = memchr(p, '\n', (size_t)(l->end - p));
			if (!p)
				return l->end;
		}
		if (*p != '\n')
			return p;
		l->line++;
		l->line_start = ++p;
		if (p == l->end)
			return p;
	}
}

/* "…" from the opening quote; false where the closing one is missing. */
static bool quoted(Lexer *l, Token *t)
{
	const char *p = l->at + 1;
	const char *close = memchr(p, '"', (size_t)(l->end - p));
	const char *line_start = l->line_start;
	if (!close) {
		const char *nl = memchr(p, '\n', (size_t)(l->end - p));
		l->at = nl ? nl : l->end;
		t->kind = T_BAD;
		return false;
	}
	t->text = (Str){p, (u32)(close - p)};
	const char *slash = memchr(p, '\\', t->text.n);
	t->escaped = slash != NULL;
	for (const char *nl = p; (nl = memchr(nl, '\n', (size_t)(close - nl))) != NULL;) {
		l->line++;
		l->line_start = ++nl;
	}
	l->at = close + 1;
	if (l->line_start > p && l->at < l->end && is(*l->at, C_WORD)) {
		/* The closing quote is missing: the string ended at the opening quote of the next one. */
		l->line = t->line;
		l->line_start = line_start;
		l->at = memchr(p, '\n', (size_t)(l->end - p));
		t->kind = T_BAD;
		return false;
	}
	return true;
}

/* The token ends at `p`. */
static void ends(Lexer *l, Token *t, const char *p, u32 kind)
{
	t->kind = (u8)kind;
	t->end = l->at = p;
}

static void ends_text(Lexer *l, Token *t, const char *p, const char *from, u32 kind)
{
	t->text = (Str){from, (u32)(p - from)};
	t->escaped = false;
	ends(l, t, p, kind);
}

static inline const char *word_end(const char *p)
{
	for (;; p += 4) {
		if (!is(p[0], C_WORD))
			return p;
		if (!is(p[1], C_WORD))
			return p + 1;
		if (!is(p[2], C_WORD))
			return p + 2;
		if (!is(p[3], C_WORD))
			return p + 3;
	}
}

/* The digits at `p` into t->num; where they end. */
static const char *digits(Token *t, const char *p)
{
	const char *from = p;
	u64         v = 0;
	for (; is_digit(*p); p++)
		v = v * 10 + (u64)(*p - '0');
	t->huge = false;
	if (p - from > 19) { /* they may not fit: counted again with care */
		v = 0;
		for (; from < p; from++) {
			u64 d = (u64)(*from - '0');
			t->huge |= v > (UINT64_MAX - d) / 10;
			v = v * 10 + d;
		}
	}
	t->num = v;
	return p;
}

/* %name, @name, $name, %"name", %7 */
static PS_NOINLINE void sigil(Lexer *l, Token *t, u32 named, u32 numbered)
{
	const char *p = t->p + 1;
	if (numbered && is_digit(*p)) {
		p = digits(t, p);
		if (!is(*p, C_WORD)) {
			ends(l, t, p, numbered);
			return;
		}
	}
	if (*p == '"' && p == t->p + 1) {
		l->at = p;
		if (quoted(l, t))
			t->kind = (u8)named;
		t->end = l->at;
		return;
	}
	p = word_end(p);
	ends_text(l, t, p, t->p + 1, p > t->p + 1 ? named : (u32)T_BAD);
}

static void hex_fp(Lexer *l, Token *t)
{
	const char *p = t->p + 2;
	if ((*p >= 'H' && *p <= 'M') || *p == 'R')
		p++;
	const char *first = p;
	while (is(*p, C_HEX))
		p++;
	ends_text(l, t, p, t->p + 2, p > first ? T_HEX_FP : T_BAD);
}

/* Behind the integer digits, at the point: a fraction, and perhaps an exponent. */
static void fraction(Lexer *l, Token *t, const char *p)
{
	do
		p++;
	while (is_digit(*p));
	if (*p == 'e' || *p == 'E') {
		const char *q = p + 1;
		if (*q == '+' || *q == '-')
			q++;
		if (is_digit(*q)) {
			while (is_digit(*q))
				q++;
			p = q;
		}
	}
	ends_text(l, t, p, t->p, T_FP);
}

/* Do the word characters at `p` end in a ':'? */
static bool label_follows(const char *p) { return *word_end(p) == ':'; }

/* A label that is no plain number, and its ':'. */
static void label(Lexer *l, Token *t)
{
	const char *p = word_end(t->p);
	ends_text(l, t, p, t->p, T_LABEL);
	t->negative = true;
	t->end = l->at = p + 1;
}

static PS_NOINLINE void number_or_label(Lexer *l, Token *t)
{
	const char *p = t->p;
	t->negative = *p == '-';
	if (is_digit(*p)) {
		p = digits(t, p);
		if (*p == ':') {
			ends_text(l, t, p, t->p, T_LABEL);
			t->end = l->at = p + 1;
			return;
		}
		if (is(*p, C_WORD) && label_follows(p)) {
			label(l, t);
			return;
		}
		if (*p == 'x' && *t->p == '0' && p == t->p + 1) {
			hex_fp(l, t);
			return;
		}
	} else {
		if (t->negative && label_follows(p)) {
			label(l, t);
			return;
		}
		if (is(p[1], C_WORD) && !is_digit(p[1])) { /* -inf, +nan */
			p = word_end(p + 1);
			ends_text(l, t, p, t->p, T_WORD);
			t->word = NULL;
			return;
		}
		p = digits(t, p + 1);
	}
	if (*p == '.')
		fraction(l, t, p);
	else
		ends_text(l, t, p, t->p, T_INT);
}

static PS_NOINLINE void word(Lexer *l, Token *t)
{
	const char *p = t->p;
	u32 class;
	while ((class = classes[(u8)*p]) & C_WORD)
		p++;
	if (class & C_MARK) {
		if (*p == ':') {
			label(l, t);
			return;
		}
		if (p == t->p + 1 && *t->p == 'c') {
			l->at = p;
			if (quoted(l, t))
				t->kind = T_CSTRING;
			t->end = l->at;
			return;
		}
	}
	ends_text(l, t, p, t->p, T_WORD);
	u32 n = t->text.n;
	u64 tail = n < 8 && l->end - t->p >= 8 ? eight_bytes(t->p) & (((u64)1 << 8 * n) - 1) : tail_of(t->text);
	t->word = find_word(l->words, t->text, tail);
	t->id = t->word ? t->word->word : (u8)W_NO_WORD;
}

static PS_NOINLINE void bang(Lexer *l, Token *t)
{
	const char *p = t->p + 1;
	bool        escaped = false;
	if (!(is(*p, C_WORD) || *p == '\\') || is_digit(*p)) {
		ends(l, t, p, T_BANG);
		return;
	}
	while (is(*p, C_WORD) || *p == '\\') {
		escaped |= *p == '\\';
		p++;
	}
	ends_text(l, t, p, t->p + 1, T_MD_NAME);
	t->escaped = escaped;
}

static PS_NOINLINE void hash_sign(Lexer *l, Token *t)
{
	const char *p = t->p + 1;
	if (is_digit(*p)) {
		p = digits(t, p);
		ends(l, t, p, T_GROUP);
		return;
	}
	p = word_end(p);
	ends_text(l, t, p, t->p + 1, p > t->p + 1 ? (u32)T_HASH_WORD : '#');
}

static void string(Lexer *l, Token *t)
{
	l->at = t->p;
	if (quoted(l, t)) {
		t->kind = T_STRING;
		if (l->at < l->end && *l->at == ':') {
			l->at++;
			t->kind = T_LABEL;
			t->negative = true;
		}
	}
	t->end = l->at;
}

/* A comment in C's form, which LLVM prints since 22; NULL: it is not closed. */
static const char *behind_comment(Lexer *l, const char *p)
{
	u32         line = l->line;
	const char *start = l->line_start;
	for (p += 2; p + 1 < l->end; p++) {
		if (p[0] == '*' && p[1] == '/') {
			l->line = line;
			l->line_start = start;
			return p + 2;
		}
		if (*p == '\n') {
			line++;
			start = p + 1;
		}
	}
	return NULL;
}

static inline void token_at(Lexer *l, Token *t, const char *p);

/* At the '/' of a comment: the token behind it, and behind those that follow it. */
static void behind_comments(Lexer *l, Token *t)
{
	const char *p = t->p;
	while (l->end - p > 1 && p[0] == '/' && p[1] == '*') {
		const char *end = behind_comment(l, p);
		if (!end) {
			ends(l, t, p + 1, T_BAD);
			return;
		}
		p = end < l->end ? skip_gap(l, end) : end;
	}
	if (p < l->end) {
		token_at(l, t, p);
		return;
	}
	t->p = p;
	t->line = l->line;
	ends(l, t, p, T_EOF);
}

static PS_NOINLINE void other(Lexer *l, Token *t)
{
	const char *p = t->p;
	if (p == l->end) {
		ends(l, t, p, T_EOF);
		return;
	}
	switch (*p) {
	case '$':
		if (label_follows(p))
			label(l, t);
		else
			sigil(l, t, T_COMDAT, 0);
		return;
	case '^': sigil(l, t, T_BAD, T_SUMMARY); return;
	case '"': string(l, t); return;
	case '.':
		if (p[1] == '.' && p[2] == '.')
			ends(l, t, p + 3, T_ELLIPSIS);
		else
			word(l, t);
		return;
	case '/':
		if (l->end - p > 1 && p[1] == '*') {
			behind_comments(l, t);
			return;
		}
		ends(l, t, p + 1, T_BAD);
		return;
	default: ends(l, t, p + 1, T_BAD);
	}
}

/* ---- tokens ---- */

/* Fast path for the most frequent tokens; returns false for all others, which the functions above read. Every path ends in a
 * tail call, so the compiler emits no stack frame. */

static inline bool plain_word(Lexer *l, Token *t, const char *p)
{
	const char *from = p;
	p = word_end(p);
	u32 n = (u32)(p - from);
	if (is(*p, C_MARK) || n >= 8 || l->end - from < 8)
		return false;
	u64         tail = eight_bytes(from) & (((u64)1 << 8 * n) - 1);
	const Words words = *l->words;
	u32         at = word_slot(tail), row;
	while ((row = words.slot[at]) != 0 && words.row[row].tail != tail)
		at = (at + 1) & (WORD_SLOTS - 1);
	ends_text(l, t, p, from, T_WORD);
	t->word = row ? &words.row[row] : NULL;
	t->id = words.row[row].word;
	return true;
}

static inline bool plain_name(Lexer *l, Token *t, const char *p, u32 named, u32 numbered)
{
	const char *from = p;
	if (!is_digit(*p)) {
		p = word_end(p);
		ends_text(l, t, p, from, named);
		return p > from;
	}
	u64 v = 0;
	do
		v = v * 10 + (u64)(*p++ - '0');
	while (is_digit(*p));
	t->num = v;
	ends(l, t, p, numbered);
	return !is(*p, C_WORD) && p - from < 10;
}

static inline bool plain_number(Lexer *l, Token *t, const char *p)
{
	u64 v = 0;
	for (; is_digit(*p); p++)
		v = v * 10 + (u64)(*p - '0');
	t->num = v;
	t->negative = t->huge = false;
	ends_text(l, t, p, t->p, T_INT);
	return !is(*p, C_WORD | C_MARK) && p - t->p < 10 && p > t->p;
}

static inline void token_at(Lexer *l, Token *t, const char *p)
{
	u32 start = starts[(u8)*p];
	t->p = p;
	t->line = l->line;
	t->id = W_NO_WORD;
	if (start == S_PUNCTUATION) {
		ends(l, t, p + 1, (u8)*p);
	} else if (start == S_WORD) {
		if (!plain_word(l, t, p))
			word(l, t);
	} else if (start == S_LOCAL) {
		if (!plain_name(l, t, p + 1, T_LOCAL, T_LOCAL_NUM))
			sigil(l, t, T_LOCAL, T_LOCAL_NUM);
	} else if (start == S_NUMBER) {
		if (!plain_number(l, t, p))
			number_or_label(l, t);
	} else {
		switch (start) {
		case S_GLOBAL: sigil(l, t, T_GLOBAL, T_GLOBAL_NUM); return;
		case S_BANG: bang(l, t); return;
		case S_HASH: hash_sign(l, t); return;
		default: other(l, t); return;
		}
	}
}

static PS_NOINLINE void behind_gap(Lexer *l, Token *t, const char *p)
{
	if (p < l->end && (p = skip_gap(l, p)) < l->end) {
		token_at(l, t, p);
		return;
	}
	t->p = p;
	t->line = l->line;
	t->id = W_NO_WORD;
	ends(l, t, p, T_EOF);
}

void ir_lex(Lexer *l, Token *t)
{
	const char *p = l->at;
	if (p == l->end) {
		behind_gap(l, t, p);
		return;
	}
	p += *p == ' '; /* the commonest gap */
	if (starts[(u8)*p] == S_GAP)
		behind_gap(l, t, p);
	else
		token_at(l, t, p);
}

static u32 hex_digit(char c) { return c <= '9' ? (u32)(c - '0') : (u32)((c | 0x20) - 'a' + 10); }

Str ir_lex_unescape(Arena *arena, Str s)
{
	char *out = arena_alloc(arena, s.n + 1, 1);
	u32   n = 0;
	for (u32 i = 0; i < s.n; i++) {
		out[n] = s.p[i];
		if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] == '\\') {
			i++;
		} else if (s.p[i] == '\\' && i + 2 < s.n && is(s.p[i + 1], C_HEX) && is(s.p[i + 2], C_HEX)) {
			out[n] = (char)(u8)(hex_digit(s.p[i + 1]) << 4 | hex_digit(s.p[i + 2]));
			i += 2;
		}
		n++;
	}
	return (Str){out, n};
}
