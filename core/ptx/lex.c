/* lex.c: splits PTX text into tokens; linear. */
#include "ptx/reader.h"

enum { C_WORD = 1, C_DIGIT = 2, C_BLANK = 4 };

static const u8 char_class[256] = {
	['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1,  ['h'] = 1,  ['i'] = 1,  ['j'] = 1,
	['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1,  ['r'] = 1,  ['s'] = 1,  ['t'] = 1,
	['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1, ['A'] = 1,  ['B'] = 1,  ['C'] = 1,  ['D'] = 1,
	['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1,  ['L'] = 1,  ['M'] = 1,  ['N'] = 1,
	['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1,  ['V'] = 1,  ['W'] = 1,  ['X'] = 1,
	['Y'] = 1, ['Z'] = 1, ['_'] = 1, ['$'] = 1, ['%'] = 1, ['0'] = 3, ['1'] = 3,  ['2'] = 3,  ['3'] = 3,  ['4'] = 3,
	['5'] = 3, ['6'] = 3, ['7'] = 3, ['8'] = 3, ['9'] = 3, [' '] = 4, ['\t'] = 4, ['\r'] = 4, ['\f'] = 4, ['\v'] = 4,
};

static bool is_word(char c) { return char_class[(u8)c] & C_WORD; }
static bool is_digit(char c) { return char_class[(u8)c] & C_DIGIT; }

static char peek(const Reader *r, u32 k) { return r->p + k < r->end ? r->p[k] : 0; }

static void newline(Reader *r)
{
	r->line++;
	r->line_start = ++r->p;
}

static void skip_block_comment(Reader *r)
{
	r->p += 2;
	while (r->p < r->end && !(peek(r, 0) == '*' && peek(r, 1) == '/'))
		if (*r->p == '\n')
			newline(r);
		else
			r->p++;
	r->p += PS_MIN((size_t)2, (size_t)(r->end - r->p));
}

static void skip_line(Reader *r)
{
	while (r->p < r->end && *r->p != '\n')
		r->p++;
}

static void skip_blank(Reader *r)
{
	for (; r->p < r->end;) {
		if (*r->p == '\n')
			newline(r);
		else if (char_class[(u8)*r->p] & C_BLANK)
			r->p++;
		else if (*r->p == '/' && peek(r, 1) == '/')
			skip_line(r);
		else if (*r->p == '/' && peek(r, 1) == '*')
			skip_block_comment(r);
		else if (*r->p == '#' && r->p == r->line_start)
			skip_line(r); /* # 1 "file": what a preprocessor left */
		else
			return;
	}
}

static void take_words(Reader *r)
{
	while (is_word(peek(r, 0)))
		r->p++;
}

/* name, then any number of .part and ::part */
static void lex_word(Reader *r)
{
	for (;;) {
		take_words(r);
		if (peek(r, 0) == '.' && is_word(peek(r, 1)))
			r->p += 2;
		else if (peek(r, 0) == ':' && peek(r, 1) == ':' && is_word(peek(r, 2)))
			r->p += 3;
		else
			return;
	}
}

static void lex_dot(Reader *r)
{
	r->p++;
	take_words(r);
	while (peek(r, 0) == ':' && peek(r, 1) == ':' && is_word(peek(r, 2))) {
		r->p += 2;
		take_words(r);
	}
}

static TokKind lex_number(Reader *r)
{
	const char *start = r->p;
	char        second = (char)(peek(r, 1) | 0x20);
	if (peek(r, 0) == '0' && (second == 'f' || second == 'd')) {
		take_words(r);
		return T_FLOAT;
	}
	if (peek(r, 0) == '0' && (second == 'x' || second == 'b')) {
		take_words(r);
		return T_INT;
	}
	while (is_digit(peek(r, 0)))
		r->p++;
	bool is_float = false;
	if (peek(r, 0) == '.' && !(is_word(peek(r, 1)) && !is_digit(peek(r, 1)) && (peek(r, 1) | 0x20) != 'e')) {
		is_float = true;
		r->p++;
		while (is_digit(peek(r, 0)))
			r->p++;
	}
	if ((peek(r, 0) | 0x20) == 'e') {
		u32 sign = peek(r, 1) == '+' || peek(r, 1) == '-';
		if (is_digit(peek(r, 1 + sign))) {
			is_float = true;
			r->p += 1 + sign;
			while (is_digit(peek(r, 0)))
				r->p++;
		}
	}
	if (!is_float && (peek(r, 0) | 0x20) == 'u')
		r->p++;
	if (is_word(peek(r, 0)) && start != r->p) { /* 12abc: all of it is wrong */
		take_words(r);
		return T_BAD;
	}
	return is_float ? T_FLOAT : T_INT;
}

static TokKind lex_string(Reader *r)
{
	r->p++;
	while (r->p < r->end && *r->p != '"' && *r->p != '\n')
		r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
	if (peek(r, 0) != '"')
		return T_BAD;
	r->p++;
	return T_STRING;
}

static bool is_pair(char a, char b)
{
	switch (a) {
	case '<':
	case '>': return b == a || b == '=';
	case '=':
	case '!': return b == '=';
	case '&':
	case '|': return b == a;
	default: return false;
	}
}

void ptx_lex_next(Reader *r)
{
	r->before = r->t;
	skip_blank(r);
	Tok t = {.line = r->line, .col = (u32)(r->p - r->line_start) + 1};
	t.text.p = r->p;
	char c = peek(r, 0);
	if (r->p >= r->end) {
		t.kind = T_EOF;
	} else if (is_digit(c)) {
		t.kind = lex_number(r);
	} else if (is_word(c) && (c != '%' || is_word(peek(r, 1)))) {
		t.kind = T_WORD;
		lex_word(r);
	} else if (c == '.' && is_word(peek(r, 1))) {
		t.kind = T_DOT;
		lex_dot(r);
	} else if (c == '"') {
		t.kind = lex_string(r);
	} else {
		t.kind = (u8)c >= 0x20 && (u8)c < 0x7f ? T_PUNCT : T_BAD;
		t.c = c;
		if (is_pair(c, peek(r, 1)))
			t.c2 = *++r->p;
		r->p++;
	}
	t.text.n = (u32)(r->p - t.text.p);
	r->t = t;
}

SrcRange ptx_lex_range(const Tok *t) { return (SrcRange){t->line, t->col, t->line, t->col + PS_MAX(t->text.n, 1u)}; }

bool ptx_lex_take(Reader *r, char c)
{
	if (!tok_is(r, c))
		return false;
	ptx_lex_next(r);
	return true;
}

bool ptx_lex_take_dot(Reader *r, const char *word)
{
	if (!tok_dot(r, word))
		return false;
	ptx_lex_next(r);
	return true;
}

Str ptx_lex_rest_of_line(Reader *r)
{
	Str s = {r->t.text.p, 0};
	if (r->t.line != r->before.line || r->t.kind == T_EOF) /* nothing left on this line */
		return (Str){s.p, 0};
	const char *end = r->t.text.p;
	while (end < r->end && *end != '\n' && !(*end == '/' && end + 1 < r->end && end[1] == '/'))
		end++;
	s.n = (u32)(end - s.p);
	while (s.n && char_class[(u8)s.p[s.n - 1]] & C_BLANK)
		s.n--;
	r->p = end;
	skip_line(r);
	ptx_lex_next(r);
	return s;
}

void ptx_reader_unexpected(Reader *r, const char *wanted)
{
	if (r->errors_at_line == r->t.line)
		return;
	r->errors_at_line = r->t.line;
	if (r->t.kind == T_EOF)
		diag_report(&r->s->diags, DIAG_PTX_END, ptx_lex_range(&r->t), wanted);
	else
		diag_report(&r->s->diags, DIAG_PTX_EXPECTED, ptx_lex_range(&r->t), wanted, (int)PS_MIN(r->t.text.n, 60u),
		            r->t.text.p);
}

bool ptx_lex_expect(Reader *r, char c, const char *where)
{
	if (ptx_lex_take(r, c))
		return true;
	char wanted[64] = "'?' ";
	wanted[1] = c;
	size_t n = strlen(where);
	memcpy(wanted + 4, where, PS_MIN(n, sizeof wanted - 5));
	ptx_reader_unexpected(r, wanted);
	return false;
}

void ptx_reader_resync(Reader *r)
{
	/* a brace inside a line closes a vector, not a scope */
	while (r->t.kind != T_EOF && !tok_is(r, ';') && !(tok_is(r, '}') && r->before.line != r->t.line))
		ptx_lex_next(r);
	ptx_lex_take(r, ';');
}

StrId ptx_reader_name(Reader *r, Str s) { return strtab_add(&r->s->strs, s); }
