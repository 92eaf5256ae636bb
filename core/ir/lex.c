#include "ir/lex.h"

/* ---- words ---- */

static u32 word_hash_step(u32 h, char c) { return (h ^ (u8)c) * 16777619u; }

static u32 word_hash(Str s)
{
	u32 h = 0;
	for (u32 i = 0; i < s.n; i++)
		h = word_hash_step(h, s.p[i]);
	return h;
}

static const Word *find_hashed(const Words *w, Str s, u32 hash)
{
	for (u32 at = (hash ^ hash >> 15) & w->mask;; at = (at + 1) & w->mask) {
		u32 row = w->slot[at];
		if (!row)
			return NULL;
		if (str_eq(w->row[row - 1].text, s))
			return &w->row[row - 1];
	}
}

const Word *ir_word_find(const Words *w, Str s) { return find_hashed(w, s, word_hash(s)); }

enum { WORD_SLOTS = 2048, WORD_ROWS = 480 };

static Word *word_row(Words *w, const char *text)
{
	Str s = str_of(text);
	u32 hash = word_hash(s), at = (hash ^ hash >> 15) & w->mask;
	for (; w->slot[at]; at = (at + 1) & w->mask)
		if (str_eq(w->row[w->slot[at] - 1].text, s))
			return &w->row[w->slot[at] - 1];
	w->slot[at] = (u16)++w->n;
	w->row[w->n - 1].text = s;
	return &w->row[w->n - 1];
}

void ir_words_init(Arena *arena, Words *w)
{
	*w = (Words){.row = arena_array(arena, Word, WORD_ROWS), .slot = arena_array(arena, u16, WORD_SLOTS),
	             .mask = WORD_SLOTS - 1};
#define IR_WORD(id, text)            word_row(w, text)->word = W_##id;
#define IR_TYPE_WORD(text, id)       word_row(w, text)->type = IR_TY_##id;
#define IR_FLAG_WORD(text, flag_)    word_row(w, text)->flag = IRF_##flag_;
#define IR_CC_WORD(text, number)     word_row(w, text)->cc = number + 1;
#include "ir/words.def"
#define IR_ATTR(id, text, form, places, since) word_row(w, text)->attr = IRA_##id;
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

/* Insertions, deletions, replacements and swaps of neighbours from a to b; 99 where either is long. */
static u32 distance(Str a, Str b)
{
	enum { MAX = 40 };
	u8 row[3][MAX + 1];
	if (a.n > MAX || b.n > MAX)
		return 99;
	for (u32 j = 0; j <= b.n; j++)
		row[0][j] = (u8)j;
	for (u32 i = 1; i <= a.n; i++) {
		u8 *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
		now[0] = (u8)i;
		for (u32 j = 1; j <= b.n; j++) {
			u32 best = last[j - 1] + (a.p[i - 1] != b.p[j - 1] ? 1u : 0u);
			best = PS_MIN(best, last[j] + 1u);
			best = PS_MIN(best, now[j - 1] + 1u);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				best = PS_MIN(best, before[j - 2] + 1u);
			now[j] = (u8)best;
		}
	}
	return row[a.n % 3][b.n];
}

const char *ir_word_nearest(const Words *w, Str s, bool attributes)
{
	u32         best = s.n > 4 ? 3 : 2;
	const char *found = NULL;
	for (u32 i = 0; i < w->n; i++) {
		if (!(attributes ? w->row[i].attr : w->row[i].op))
			continue;
		u32 d = distance(s, w->row[i].text);
		if (d < best) {
			best = d;
			found = w->row[i].text.p;
		}
	}
	return found;
}

/* ---- characters ---- */

enum { C_WORD = 1, C_DIGIT = 2, C_SPACE = 4, C_HEX = 8 };

/* Classes of the ASCII characters; everything above is none. Word: [-a-zA-Z$._0-9]. */
static const u8 classes[256] = {
	[' '] = C_SPACE, ['\t'] = C_SPACE, ['\r'] = C_SPACE,
	['-'] = C_WORD, ['$'] = C_WORD, ['.'] = C_WORD, ['_'] = C_WORD,
	['0'] = 11, ['1'] = 11, ['2'] = 11, ['3'] = 11, ['4'] = 11, ['5'] = 11, ['6'] = 11, ['7'] = 11, ['8'] = 11,
	['9'] = 11, ['a'] = 9, ['b'] = 9, ['c'] = 9, ['d'] = 9, ['e'] = 9, ['f'] = 9, ['A'] = 9, ['B'] = 9, ['C'] = 9,
	['D'] = 9, ['E'] = 9, ['F'] = 9, ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1,
	['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1,
	['x'] = 1, ['y'] = 1, ['z'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1,
	['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1,
	['X'] = 1, ['Y'] = 1, ['Z'] = 1,
};

static bool is(char c, u32 mask) { return (classes[(u8)c] & mask) != 0; }

void ir_lexer_init(Lexer *l, const Words *words, Str text)
{
	*l = (Lexer){.start = text.p, .at = text.p, .end = text.p + text.n, .line = 1, .line_start = text.p, .words = words};
	if (text.n >= 3 && memcmp(text.p, "\xEF\xBB\xBF", 3) == 0)
		l->at += 3;
}

static void skip_space(Lexer *l)
{
	const char *p = l->at, *end = l->end;
	for (; p < end; p++) {
		if (is(*p, C_SPACE))
			continue;
		if (*p == ';') {
			const char *nl = memchr(p, '\n', (size_t)(end - p));
			p = nl ? nl : end;
			if (p == end)
				break;
		}
		if (*p != '\n')
			break;
		l->line++;
		l->line_start = p + 1;
	}
	l->at = p;
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
		/* It ran on to the opening quote of the next string. */
		l->line = t->line;
		l->line_start = line_start;
		l->at = memchr(p, '\n', (size_t)(l->end - p));
		t->kind = T_BAD;
		return false;
	}
	return true;
}

static void number(Lexer *l, Token *t)
{
	const char *p = l->at;
	u64         v = 0;
	for (; p < l->end && is(*p, C_DIGIT); p++) {
		u64 d = (u64)(*p - '0');
		if (v > (UINT64_MAX - d) / 10)
			t->huge = true;
		v = v * 10 + d;
	}
	t->num = v;
	l->at = p;
}

/* %name, @name, $name, %"name", %7 */
static void sigil(Lexer *l, Token *t, u32 named, u32 numbered)
{
	const char *p = ++l->at;
	if (p < l->end && *p == '"') {
		if (quoted(l, t))
			t->kind = named;
		return;
	}
	if (numbered && p < l->end && is(*p, C_DIGIT)) {
		number(l, t);
		if (l->at == l->end || !is(*l->at, C_WORD)) {
			t->kind = numbered;
			return;
		}
	}
	for (p = t->p + 1; p < l->end && is(*p, C_WORD);)
		p++;
	l->at = p;
	t->text = (Str){t->p + 1, (u32)(p - t->p - 1)};
	t->kind = t->text.n ? named : T_BAD;
}

static void hex_fp(Lexer *l, Token *t)
{
	const char *p = l->at + 2;
	if (p < l->end && ((*p >= 'H' && *p <= 'M') || *p == 'R'))
		p++;
	const char *digits = p;
	while (p < l->end && is(*p, C_HEX))
		p++;
	t->kind = p > digits ? T_HEX_FP : T_BAD;
	t->text = (Str){l->at + 2, (u32)(p - l->at - 2)};
	l->at = p;
}

/* Behind the integer digits: a fraction and an exponent? */
static void fraction(Lexer *l, Token *t)
{
	const char *p = l->at + 1;
	while (p < l->end && is(*p, C_DIGIT))
		p++;
	if (p < l->end && (*p == 'e' || *p == 'E')) {
		const char *q = p + 1;
		if (q < l->end && (*q == '+' || *q == '-'))
			q++;
		if (q < l->end && is(*q, C_DIGIT)) {
			while (q < l->end && is(*q, C_DIGIT))
				q++;
			p = q;
		}
	}
	l->at = p;
	t->kind = T_FP;
	t->text = (Str){t->p, (u32)(p - t->p)};
}

static bool label_follows(const char *p, const char *end)
{
	while (p < end && is(*p, C_WORD))
		p++;
	return p < end && *p == ':';
}

static void number_or_label(Lexer *l, Token *t)
{
	if (label_follows(l->at, l->end)) {
		const char *p = l->at;
		if (is(*p, C_DIGIT))
			number(l, t);
		bool whole = l->at < l->end && *l->at == ':' && l->at > p;
		while (*p != ':')
			p++;
		t->text = (Str){t->p, (u32)(p - t->p)};
		t->kind = T_LABEL;
		t->negative = !whole; /* no plain number */
		l->at = p + 1;
		return;
	}
	if (*l->at == '0' && l->at + 1 < l->end && l->at[1] == 'x') {
		hex_fp(l, t);
		return;
	}
	if (*l->at == '-' || *l->at == '+') {
		t->negative = *l->at == '-';
		l->at++;
	}
	number(l, t);
	t->kind = T_INT;
	t->text = (Str){t->p, (u32)(l->at - t->p)};
	if (l->at < l->end && *l->at == '.')
		fraction(l, t);
}

static void word(Lexer *l, Token *t)
{
	const char *p = l->at;
	u32         hash = 0;
	for (; p < l->end && is(*p, C_WORD); p++)
		hash = word_hash_step(hash, *p);
	t->text = (Str){t->p, (u32)(p - t->p)};
	l->at = p;
	if (p < l->end && *p == ':') {
		l->at = p + 1;
		t->kind = T_LABEL;
		t->negative = true;
		return;
	}
	if (t->text.n == 1 && *t->p == 'c' && p < l->end && *p == '"') {
		if (quoted(l, t))
			t->kind = T_CSTRING;
		return;
	}
	t->kind = T_WORD;
	/* iN is the commonest word of all and has no row. */
	t->word = *t->p == 'i' && t->text.n > 1 && is(t->p[1], C_DIGIT) ? NULL : find_hashed(l->words, t->text, hash);
}

static void bang(Lexer *l, Token *t)
{
	const char *p = ++l->at;
	t->kind = T_BANG;
	if (p == l->end || !(is(*p, C_WORD) || *p == '\\') || is(*p, C_DIGIT))
		return;
	while (p < l->end && (is(*p, C_WORD) || *p == '\\'))
		p++;
	t->text = (Str){l->at, (u32)(p - l->at)};
	t->escaped = memchr(l->at, '\\', t->text.n) != NULL;
	t->kind = T_MD_NAME;
	l->at = p;
}

static void hash_sign(Lexer *l, Token *t)
{
	const char *p = ++l->at;
	if (p < l->end && is(*p, C_DIGIT)) {
		number(l, t);
		t->kind = T_GROUP;
		return;
	}
	while (p < l->end && is(*p, C_WORD))
		p++;
	t->text = (Str){l->at, (u32)(p - l->at)};
	t->kind = t->text.n ? T_HASH_WORD : '#';
	l->at = p;
}

void ir_lex(Lexer *l, Token *t)
{
	skip_space(l);
	*t = (Token){.p = l->at, .line = l->line};
	if (l->at == l->end) {
		t->end = l->at;
		return;
	}
	char c = *l->at;
	switch (c) {
	case '%': sigil(l, t, T_LOCAL, T_LOCAL_NUM); break;
	case '@': sigil(l, t, T_GLOBAL, T_GLOBAL_NUM); break;
	case '$':
		if (label_follows(l->at, l->end))
			word(l, t);
		else
			sigil(l, t, T_COMDAT, 0);
		break;
	case '!': bang(l, t); break;
	case '#': hash_sign(l, t); break;
	case '^': sigil(l, t, T_BAD, T_SUMMARY); break;
	case '"':
		if (quoted(l, t)) {
			t->kind = T_STRING;
			if (l->at < l->end && *l->at == ':') {
				l->at++;
				t->kind = T_LABEL;
				t->negative = true;
			}
		}
		break;
	case '(': case ')': case '[': case ']': case '{': case '}': case '<': case '>': case ',': case '=': case '*':
	case '|': case ':':
		t->kind = (u8)c;
		l->at++;
		break;
	case '+': number_or_label(l, t); break;
	case '-':
	case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
		number_or_label(l, t);
		break;
	default:
		if (c == '.' && l->end - l->at >= 3 && l->at[1] == '.' && l->at[2] == '.') {
			t->kind = T_ELLIPSIS;
			l->at += 3;
		} else if (is(c, C_WORD)) {
			word(l, t);
		} else {
			t->kind = T_BAD;
			l->at++;
		}
	}
	t->end = l->at;
}

static u32 hex_digit(char c)
{
	return c <= '9' ? (u32)(c - '0') : (u32)((c | 0x20) - 'a' + 10);
}

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
