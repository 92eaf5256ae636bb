/* inline_ptx.c: the statement of an inline assembly becomes a function of PTX.
 *
 *   "add.s32 $0, $1, $2;" with row 7, row 9, 5  ─▶  .func inline_ptx() {
 *                                                   .reg .b32 inline_ptx_a0, inline_ptx_a1;
 *                                                   add.s32 inline_ptx_a0, inline_ptx_a1, 5; }
 *
 * IR and machine code both bring their operands here. */
#include "simt/inline_ptx.h"

void simt_asm_init(SimtAsm *a, Arena *arena)
{
	a->arena = arena;
	a->n = 0;
	text_init(&a->regs, arena);
}

static void operand(SimtAsm *a, Str spelt, i32 row)
{
	if (a->n < SIMT_ASM_OPERANDS) {
		a->spelt[a->n] = spelt;
		a->row[a->n] = row;
	}
	a->n++;
}

void simt_asm_reg(SimtAsm *a, const char *type, i32 row)
{
	Str name = arena_fmt(a->arena, "inline_ptx_a%u", a->n);
	text_f(&a->regs, ".reg .%s %.*s;\n", type, STR_ARG(name));
	operand(a, name, row);
}

void simt_asm_int(SimtAsm *a, i64 value) { operand(a, arena_fmt(a->arena, "%lld", (long long)value), -1); }

void simt_asm_float(SimtAsm *a, u32 width, u64 bits)
{
	const char *fmt = width == 64 ? "0d%016llX" : width == 32 ? "0f%08llX" : "0x%04llX";
	operand(a, arena_fmt(a->arena, fmt, (unsigned long long)bits), -1);
}

static u32 number(Str t, u32 *at)
{
	u32 n = 0;
	while (*at < t.n && t.p[*at] >= '0' && t.p[*at] <= '9')
		n = n * 10 + (u32)(t.p[(*at)++] - '0');
	return n;
}

/* ${N}, ${N:m} and ${:uid}; returns where it ends. */
static u32 braced(Text *t, const SimtAsm *a, Str template, u32 at, u32 uid)
{
	u32 start = at, n = number(template, &at);
	if (at > start && n < a->n)
		text_add(t, a->spelt[n]);
	else if (at + 4 <= template.n && memcmp(template.p + at, ":uid", 4) == 0)
		text_u(t, uid);
	while (at < template.n && template.p[at] != '}')
		at++;
	return at + 1;
}

/* $(a$|b$): NVPTX is the first alternative. */
static void expand(Text *t, const SimtAsm *a, Str template, u32 uid)
{
	bool skip = false;
	for (u32 at = 0; at < template.n;) {
		char c = template.p[at++];
		bool escape = c == '$' && at < template.n;
		if (escape && memchr("(|)", template.p[at], 3)) {
			skip = template.p[at++] == '|';
		} else if (skip) {
			at += escape;
		} else if (escape && template.p[at] == '{') {
			at = braced(t, a, template, at + 1, uid);
		} else if (escape && template.p[at] >= '0' && template.p[at] <= '9') {
			u32 n = number(template, &at);
			if (n < a->n)
				text_add(t, a->spelt[n]);
		} else {
			text_c(t, escape ? template.p[at++] : c);
		}
	}
}

bool simt_asm_emit(Session *s, SimtProgram *p, SimtEmit *e, const SimtAsm *a, Str template, u32 uid)
{
	if (a->n > SIMT_ASM_OPERANDS)
		return false;
	Text t;
	text_init(&t, a->arena);
	text_s(&t, ".version 8.7\n.target sm_100a\n.address_size 64\n.func inline_ptx()\n{\n");
	text_add(&t, text_str(&a->regs));
	expand(&t, a, template, uid);
	text_s(&t, "\n}\n");
	return simt_inline_ptx(s, p, e, text_str(&t), a->row, a->n);
}
