/* parse_token.c: helpers of all parts of the parser: taking tokens, reporting errors, positions, numbers. */
#include "ir/parse.h"
#include "ir/text.h"

static void lexical_error(Parser *p)
{
	if (*p->t.p == '"' || *p->t.p == 'c' || (p->t.end > p->t.p + 1 && memchr(p->t.p, '"', (size_t)(p->t.end - p->t.p))))
		PARSE_ERROR0(p, irp_token_range(p), IR_UNTERMINATED);
	else if ((u8)*p->t.p < 0x20 || (u8)*p->t.p >= 0x7F)
		PARSE_ERROR(p, irp_token_range(p), IR_BAD_CHARACTER, STR_ARG(arena_fmt(p->arena, "0x%02X", (u32)(u8)*p->t.p)));
	else {
		char  c = *p->t.p;
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_BAD_CHARACTER, STR_ARG(arena_fmt(p->arena, "'%c'", c)));
		if (c == '/')
			d->hint = STR("a comment begins with ';'");
	}
}

void irp_next(Parser *p)
{
	if (p->panic)
		return;
	p->last_end = p->lexer.at;
	p->last_line = p->lexer.line;
	ir_lex(&p->lexer, &p->t);
	if (p->t.kind == T_BAD && !p->skipping)
		lexical_error(p);
}

void irp_first(Parser *p)
{
	irp_next(p);
	p->last_line = 0;
}

static const char *line_start(const Parser *p, const char *at)
{
	if (at >= p->lexer.line_start)
		return p->lexer.line_start;
	while (at > p->lexer.start && at[-1] != '\n')
		at--;
	return at;
}

SrcRange irp_range_of(const Parser *p, Spot at)
{
	const char *stop = at.p;
	while (stop < at.end && *stop != '\n')
		stop++;
	u32 col = (u32)(at.p - line_start(p, at.p)) + 1;
	return (SrcRange){at.line, col, at.line, col + PS_MAX((u32)(stop - at.p), 1u)};
}

SrcRange irp_token_range(const Parser *p) { return irp_range_of(p, spot(p)); }

/* Where something is missing: behind the last token where the next one is on another line. */
SrcRange irp_here(const Parser *p)
{
	if (p->t.line == p->last_line || !p->last_line)
		return irp_token_range(p);
	return src_at(p->last_line, (u32)(p->last_end - line_start(p, p->last_end)) + 1);
}

void irp_rewind(Parser *p, const char *start)
{
	Lexer *l = &p->lexer;
	if (p->t.p == start)
		return;
	l->at = p->t.p;
	l->line = p->t.line;
	while (l->line_start > l->start && (l->line_start > l->at || l->line_start[-1] != '\n'))
		l->line_start--;
}

SrcRange irp_range_from(const Parser *p, const Spot *from)
{
	SrcRange r = irp_range_of(p, *from);
	if (p->last_line == from->line && p->last_end > from->p)
		r.end_col = r.col + (u32)(p->last_end - from->p);
	return r;
}

Diag *irp_panic(Parser *p, Diag *d)
{
	p->panic = true;
	p->t.kind = T_PANIC;
	p->t.id = W_NO_WORD;
	return d;
}

Str   irp_token_str(Parser *p) { return p->t.escaped ? ir_lex_unescape(p->arena, p->t.text) : p->t.text; }
StrId irp_token_strid(Parser *p) { return strtab_add(&p->s->strs, irp_token_str(p)); }

Str irp_type_text(Parser *p, IrType t)
{
	Text text;
	text_init(&text, p->arena);
	ir_print_type(&text, p->m, t);
	if (text.n > 120) {
		text.n = 117;
		text_s(&text, "...");
	}
	return text_str(&text);
}

bool irp_enter(Parser *p)
{
	if (p->panic)
		return false;
	if (p->depth == LIMIT_NESTING) {
		PARSE_ERROR(p, irp_token_range(p), IR_TOO_DEEP, "this", (u32)LIMIT_NESTING);
		return false;
	}
	p->depth++;
	return true;
}

u32 irp_num_get(const NumTable *t, u64 n)
{
	return n < t->dense.n ? t->dense.p[n] : t->rest.live ? (u32)map_or(&t->rest, n, 0) : 0;
}

void irp_num_set(Parser *p, NumTable *t, u64 n, u32 value)
{
	if (n < t->dense.n + 4096u) {
		if (n >= t->dense.n)
			vec_extend(p->arena, &t->dense, (u32)n + 1 - t->dense.n);
		/* What came early, out of order, is in the map: the first word on a number stays. */
		t->dense.p[n] = value;
		return;
	}
	if (!t->rest.arena)
		map_init(&t->rest, p->arena);
	if (n + 2 > n) /* the two largest keys are the map's own */
		map_set(&t->rest, n, value);
}

bool irp_u64(Parser *p, const char *what, u64 *out)
{
	if (!at(p, T_INT) || p->t.negative || p->t.huge) {
		irp_expected(p, what);
		return false;
	}
	*out = p->t.num;
	irp_next(p);
	return true;
}

bool irp_u32(Parser *p, u32 max, const char *what, u32 *out)
{
	u64  v;
	Spot from = spot(p);
	if (!irp_u64(p, what, &v))
		return false;
	if (v > max) {
		PARSE_ERROR(p, irp_range_from(p, &from), IR_NUMBER_RANGE, what, (unsigned long long)max, (int)(from.end - from.p),
		            from.p);
		return false;
	}
	*out = (u32)v;
	return true;
}

bool irp_string(Parser *p, StrId *out)
{
	*out = (StrId){0};
	if (!at(p, T_STRING)) {
		irp_expected(p, "a string");
		return false;
	}
	*out = irp_token_strid(p);
	irp_next(p);
	return true;
}

u8 irp_align_value(Parser *p)
{
	u64  v = 0;
	Spot from = spot(p);
	bool paren = accept(p, '(');
	if (!irp_u64(p, "an alignment", &v))
		return 0;
	if (paren)
		irp_expect(p, ')', "')'");
	if (!p->panic && ((v & (v - 1)) != 0 || v > (u64)1 << 32 || v == 0)) {
		PARSE_ERROR0(p, irp_range_from(p, &from), IR_BAD_ALIGN);
		return 0;
	}
	return (u8)(u64_log2(v) + 1);
}
