/* The floats in registers: by what computes with them, through copies, and nothing where instructions disagree. */
#include "unit.h"

#include "ptx/ptx.h"
#include "ptx/reg_types.h"

static PtxModule *module_around(Session *s, Arena *a, const char *statements)
{
	session_init(s, 256u << 20);
	return ptx_parse(
		s, &s->arena,
		arena_fmt(
			a,
			".version 8.6\n.target sm_100\n.visible .entry k(.param .b32 n)\n{\n.reg .b16 %%h<20>; .reg .b32 %%r<20>;"
			".reg .b64 %%d<20>; .reg .pred %%p<3>;\n%s\nret;\n}\n",
			statements));
}

/* A letter for each register of the range from 1 on: h f16, B bfloat16, f f32, d f64, - not a float. */
static Str types_of(Arena *a, const char *range, u32 n, const char *statements)
{
	static const char letter[] = {
		[TOK_type_none] = '-', [TOK_type_f16] = 'h', [TOK_type_bf16] = 'B', [TOK_type_f32] = 'f', [TOK_type_f64] = 'd'};
	Session       *s = arena_new(a, Session);
	PtxModule     *m = module_around(s, a, statements);
	const PtxFunc *f = m->funcs.p[0];
	Text           t;
	EXPECT_EQ(s->diags.errors, 0);
	const u8 *type = ptx_reg_types(s, f, &s->arena);
	text_init(&t, a);
	for (u32 i = 0; i < f->regs.n; i++)
		for (u32 k = 1; k <= n && str_is(strtab_get(&s->strs, f->regs.p[i].name), range); k++)
			text_c(&t, letter[type[f->regs.p[i].first + k]]);
	session_free(s);
	return text_str(&t);
}

TEST(ptx_reg_types, what_computes_names_the_type)
{
	EXPECT_STREQ(types_of(a, "%r", 5,
	                      "ld.global.b32 %r1, [%d1]; add.rn.f32 %r3, %r1, %r2; st.global.b32 [%d1], %r3; add.s32 %r4, %r4, "
	                      "1; ld.global.b32 %r5, [%d1];"),
	             STR("fff--"));
	EXPECT_STREQ(types_of(a, "%h", 5,
	                      "fma.rn.f16 %h1, %h1, %h1, %h1; fma.rn.bf16 %h2, %h2, %h2, %h2; cvt.f32.f16 %r1, %h3; cvt.u32.u16 "
	                      "%r2, %h4;"),
	             STR("hBh--"));
	EXPECT_STREQ(types_of(a, "%d", 3, "cvt.f64.f32 %d1, %r1; mul.rn.f64 %d2, %d1, %d2;"), STR("dd-"));
}

TEST(ptx_reg_types, a_register_of_lanes_has_their_type)
{
	EXPECT_STREQ(types_of(a, "%r", 2, "fma.rn.f16x2 %r1, %r1, %r1, %r1; fma.rn.bf16x2 %r2, %r2, %r2, %r2;"), STR("hB"));
	EXPECT_STREQ(types_of(a, "%d", 1, "fma.rn.f32x2 %d1, %d1, %d1, %d1;"), STR("f"));
	EXPECT_STREQ(types_of(a, "%r", 1, "mov.b32 {%h1, %h2}, %r1; add.rn.f16 %h3, %h2, %h2;"), STR("h"));
	EXPECT_STREQ(types_of(a, "%d", 1, "add.rn.f32 %r1, %r1, %r2; mov.b64 %d1, {%r1, %r2};"), STR("f"));
}

TEST(ptx_reg_types, copies_pass_it_on_in_both_directions)
{
	/* a loop's value: 1 is loaded, 2 is the phi's register, 3 its next value; the chain stands against the order of the text */
	EXPECT_STREQ(
		types_of(a, "%r", 4,
	                 "mov.b32 %r4, %r3; mov.b32 %r3, %r2; mov.b32 %r2, %r1; ld.global.b32 %r1, [%d1]; neg.f32 %r5, %r4;"),
		STR("ffff"));
	EXPECT_STREQ(types_of(a, "%r", 3, "add.rn.f32 %r1, %r1, %r1; selp.b32 %r2, %r1, %r3, %p1;"), STR("fff"));
	EXPECT_STREQ(types_of(a, "%r", 4, "add.rn.f32 %r1, %r1, %r1; shfl.sync.bfly.b32 %r2|%p1, %r1, %r3, %r4, -1;"),
	             STR("ff--"));
	EXPECT_STREQ(types_of(a, "%r", 2, "mov.b32 %r1, 0f3F800000; mov.b32 %r2, 1065353216;"), STR("f-"));
}

TEST(ptx_reg_types, integers_and_contradictions_have_none)
{
	EXPECT_STREQ(types_of(a, "%r", 1, "add.rn.f32 %r2, %r1, %r1; add.s32 %r3, %r1, 1;"), STR("-"));
	/* bits of a float as an integer: each register is what computes with it */
	EXPECT_STREQ(types_of(a, "%r", 3, "add.rn.f32 %r1, %r1, %r1; mov.b32 %r2, %r1; shr.s32 %r2, %r2, 1; mov.b32 %r3, %r2;"),
	             STR("f--"));
	EXPECT_STREQ(types_of(a, "%r", 3, "add.rn.f32 %r1, %r1, %r1; add.s32 %r2, %r2, 1; selp.b32 %r3, %r1, %r2, %p1;"),
	             STR("f--"));
	/* and, or, xor of bits say nothing: fabs is one */
	EXPECT_STREQ(types_of(a, "%r", 2, "and.b32 %r1, %r2, 0x7FFFFFFF; add.rn.f32 %r1, %r1, %r1;"), STR("f-"));
}

TEST(ptx_reg_types, integer_types_of_copies_and_accesses_are_not_meant)
{
	EXPECT_STREQ(types_of(a, "%h", 2, "ld.global.u16 %h1, [%d1]; mov.u16 %h2, %h1; fma.rn.f16 %h1, %h1, %h1, %h1;"),
	             STR("hh"));
	EXPECT_STREQ(types_of(a, "%r", 2, "atom.global.add.u32 %r1, [%d1], %r2; add.rn.f32 %r2, %r1, %r1;"), STR("--"));
	EXPECT_STREQ(types_of(a, "%r", 2, "atom.global.add.f32 %r1, [%d1], %r2;"), STR("ff"));
}

UNIT_MAIN
