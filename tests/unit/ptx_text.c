/* PTX text: read, printed, read again; names and scopes; constant expressions; errors; mutated text. */
#include "unit.h"

#include "ptx/ptx.h"

static const char sample[] =
	".version 8.5\n.target sm_90, debug\n.address_size 64\n"
	".file 1 \"a.cu\"\n"
	".extern .func (.param .b32 r) ext(.param .b64 a, .param .align 8 .b8 b[16]) .noreturn;\n"
	".visible .global .align 4 .u32 table[2][3] = {{1, 2, 3}, {4, 0xFFFFFFFF, -6}};\n"
	".global .align 8 .u64 ptrs[3] = {generic(table)+4, ext, 0};\n"
	".global .align 1 .u8 bytes[4] = {0xFF(table), 0xFF00(table), 1, 2};\n"
	".const .f32 one = 1.0;\n"
	".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = linear };\n"
	".extern .shared .align 16 .b8 dyn[];\n"
	".weak .global .attribute(.managed) .align 4 .u32 m;\n"
	".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u32 n)\n"
	".maxntid 128, 1, 1\n.minnctapersm 2\n.pragma \"nounroll\";\n"
	"{\n"
	"  .reg .pred %p<4>; .reg .b32 %r<10>, x; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .v4 .f32 %v; .reg .b16 %rs<4>;\n"
	"  .local .align 16 .b8 depot[64];\n"
	"  .loc 1 3 0\n"
	"  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1; ld.param.u32 %r1, [n];\n"
	"  mov.u32 %r2, %tid.x; /* a comment */ setp.ge.u32 %p1, %r2, %r1;\n"
	"@!%p1 bra L1;\n"
	"  ld.global.v4.f32 %v, [%rd1+16]; mov.f32 %f1, %v.y;\n"
	"  { .reg .b32 x; mov.u32 x, 5; L1: add.u32 x, x, 1; bra L1; }\n"
	"L1:\n"
	"  mov.b32 {%rs1, _}, %r1; mov.b32 %r3, {%rs1, %rs2};\n"
	"  ts: .branchtargets L1, L2;\n"
	"  brx.idx %r2, ts;\n"
	"L2:\n"
	"  { .param .b64 a0; .param .align 8 .b8 b0[16]; .param .b32 r0; st.param.b64 [a0+0], %rd1;\n"
	"    proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]);\n"
	"    call.uni (r0), ext, (a0, b0); mov.u64 %rd2, ext; call (r0), %rd2, (a0, b0), proto; ld.param.b32 %r4, [r0]; }\n"
	"  shfl.sync.bfly.b32 %r5|%p2, %r4, 1, 31, -1; lop3.b32 %r6, %r1, %r2, %r3, 0x96;\n"
	"  ret;\n}\n";

static Session *new_session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 256u << 20);
	return s;
}

static Str print(Arena *a, const PtxModule *m)
{
	Text t;
	text_init(&t, a);
	ptx_print(&t, m, &(PtxPrintOptions){0});
	return text_str(&t);
}

static PtxModule *parse(Session *s, const char *text) { return ptx_parse(s, &s->arena, str_of(text)); }

/* A module around statements. */
static PtxModule *parse_body_of(Session *s, Arena *a, const char *statements)
{
	return ptx_parse(s, &s->arena,
	                 arena_fmt(a, ".version 8.5\n.target sm_90\n.func f()\n{\n.reg .b32 %%r<9>; .reg .pred %%p<3>;\n%s\n}\n",
	                           statements));
}

static bool has_line(Str text, const char *line)
{
	u32 n = (u32)strlen(line);
	for (u32 i = 0; i + n <= text.n; i++)
		if (memcmp(text.p + i, line, n) == 0)
			return true;
	return false;
}

TEST(ptx, a_module_comes_back)
{
	Session   *s = new_session(a);
	PtxModule *m = parse(s, sample);
	EXPECT_EQ(s->diags.errors, 0);
	for (u32 i = 0; i < s->diags.list.n; i++)
		EXPECT_STREQ(s->diags.list.p[i].message, STR(""));
	Str once = print(a, m);
	Str twice = print(a, ptx_parse(s, &s->arena, once));
	EXPECT_EQ(s->diags.errors, 0);
	EXPECT_STREQ(twice, once);
	EXPECT(has_line(once, "\tld.global.v4.f32 \t{%v.x, %v.y, %v.z, %v.w}, [%rd1+16];\n"));
	EXPECT(has_line(once, "\tst.param.b64 \t[a0+0], %rd1;\n"));
	EXPECT(has_line(once, "\tcall (r0), \n\t%rd2, \n\t(\n\ta0, \n\tb0\n\t)\n\t, proto;\n"));
	EXPECT(has_line(once, ".visible .global .align 4 .u32 table[2][3] = {{1, 2, 3}, {4, 4294967295, -6}};\n"));
	EXPECT(has_line(once, ".global .align 8 .u64 ptrs[3] = {generic(table)+4, ext, 0};\n"));
	EXPECT(has_line(once, ".const .f32 one = 0f3F800000;\n"));
	EXPECT(has_line(once, "\tlop3.b32 \t%r6, %r1, %r2, %r3, 0x96;\n"));
	session_free(s);
}

TEST(ptx, names_have_scopes)
{
	Session   *s = new_session(a);
	PtxModule *m = parse(s, sample);
	PtxFunc   *f = ptx_find_func(m, strtab_find(&s->strs, STR("k")));
	EXPECT(f && f->is_entry && f->has_body);
	EXPECT_EQ(f->params.n, 2);
	/* the two labels L1 are two labels; each branch goes to the one of its scope */
	u32 branches[2] = {0}, n = 0;
	for (u32 i = 0; i < f->body.n; i++)
		if (f->body.p[i].kind == PS_INSN && isa_op(s, f->body.p[i].desc) == ISA_bra && n < 2)
			branches[n++] = f->operands.p[f->body.p[i].operand].id;
	EXPECT_EQ(n, 2);
	EXPECT(branches[0] != branches[1]);
	EXPECT(f->labels.p[branches[0]].stmt > f->labels.p[branches[1]].stmt);
	EXPECT_EQ(f->body.p[f->labels.p[branches[1]].stmt].kind, PS_LABEL);
	/* and so are the two registers x */
	u32 xs = 0;
	for (u32 i = 0; i < f->regs.n; i++)
		xs += str_is(strtab_get(&s->strs, f->regs.p[i].name), "x");
	EXPECT_EQ(xs, 2);
	session_free(s);
}

TEST(ptx, lines_are_kept)
{
	Session   *s = new_session(a);
	PtxModule *m = parse_body_of(s, a, "add.u32 %r1, %r2, %r3;\n\n  @%p1 ret;");
	PtxFunc   *f = m->funcs.p[0];
	EXPECT_EQ(f->body.p[2].line, 6);
	EXPECT_EQ(f->body.p[3].line, 8);
	EXPECT_EQ(f->body.p[3].guard, 1);
	session_free(s);
}

TEST(ptx, constant_expressions)
{
	static const struct {
		const char *text;
		i64         value;
	} row[] = {
		{"1 + 2 * 3", 7},
		{"(1 + 2) * 3", 9},
		{"-5 / 2", -2},
		{"-5 % 3", -2},
		{"1 << 4 | 3", 19},
		{"~0", -1},
		{"!5", 0},
		{"7 > 3 ? 10 : 20", 10},
		{"0b101", 5},
		{"017", 15},
		{"0x10", 16},
		{"8 - 4 - 2", 2},
		{"1 == 1 && 2 != 2", 0},
		{"-16 >> 2", -4},
		{"(.u64)(0 - 16) >> 60", 15},
		{"5 / 0", 0},
		{"6 & 3 ^ 1", 3},
		{"-(-3)", 3},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Session   *s = new_session(a);
		PtxModule *m = parse_body_of(s, a, arena_fmt(a, "mov.u32 %%r1, %s;", row[i].text).p);
		EXPECT_EQ(s->diags.errors, 0);
		EXPECT_EQ(m->funcs.p[0]->operands.p[1].bits, row[i].value);
		session_free(s);
	}
}

TEST(ptx, an_error_is_told_and_the_rest_is_read)
{
	Session   *s = new_session(a);
	PtxModule *m = parse_body_of(s, a, "add.u32 %r1, %r2;\nfrob;\nmov.u32 %r1, %r77;\nadd.u32 %r1, %r2, %r3;\nbra nowhere;");
	EXPECT_EQ(s->diags.errors, 4);
	EXPECT_EQ(s->diags.list.p[0].at.line, 6);
	EXPECT_EQ(s->diags.list.p[1].at.line, 7);
	EXPECT_EQ(s->diags.list.p[2].at.line, 8);
	EXPECT_EQ(s->diags.list.p[2].at.col, 14);
	EXPECT_EQ(s->diags.list.p[3].at.line, 10);
	EXPECT_EQ(m->funcs.p[0]->body.n, 2 + 3); /* what was wrong in itself is not there */
	session_free(s);
}

TEST(ptx, origins_follow_the_lines)
{
	Session   *s = new_session(a);
	PtxModule *m = parse_body_of(s, a, "add.u32 %r1, %r2, %r3;\nret;");
	PtxFunc   *f = m->funcs.p[0];
	f->body.p[2].origin = 41;
	f->body.p[3].origin = 42;
	VecU32 origins = {0};
	Text   t;
	text_init(&t, a);
	ptx_print(&t, m, &(PtxPrintOptions){.origins = &origins});
	EXPECT_EQ(origins.n, t.lines);
	u32 line = 0, at = 0;
	for (; at < t.n && memcmp(t.p + at, "\tadd.u32", 8) != 0; at++)
		line += t.p[at] == '\n';
	EXPECT_EQ(origins.p[line], 41);
	EXPECT_EQ(origins.p[line + 1], 42);
	session_free(s);
}

/* Text with pieces cut out, doubled and overwritten: an error or a module that comes back, never a crash. */
TEST(ptx, mutated_text_is_survived)
{
	static const char *const piece[] = {"{", "}", "[",    "]",    "(",  ")",  ",",  ";", "%r1",     "@",
	                                    "!", "|", "0f3F", ".reg", "::", "\"", "/*", "<", "generic("};
	u64                      seed = 0x9E3779B97F4A7C15u;
	u32                      good = 0;
	for (u32 round = 0; round < 1500; round++) {
		u32  n = sizeof sample - 1;
		char text[sizeof sample + 64];
		memcpy(text, sample, n);
		for (u32 k = 0; k < 1 + round % 4; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			u32 at = (u32)(seed >> 33) % (n - 40), what = (u32)(seed >> 20) % 4;
			if (what == 0) {
				u32 cut = (u32)(seed >> 24) % 30;
				memmove(text + at, text + at + cut, n - at - cut);
				n -= cut;
			} else if (what == 1) {
				const char *p = piece[(seed >> 24) % PS_COUNT(piece)];
				memcpy(text + at, p, strlen(p));
			} else if (what == 2) {
				memmove(text + at, text + (seed >> 24) % (n - 40), 20);
			} else {
				text[at] = (char)(seed >> 24);
			}
		}
		Session   *s = new_session(a);
		PtxModule *m = ptx_parse(s, &s->arena, (Str){text, n});
		Str        once = print(a, m);
		if (!s->diags.errors) {
			good++;
			EXPECT_STREQ(print(a, ptx_parse(s, &s->arena, once)), once);
			EXPECT_EQ(s->diags.errors, 0);
		}
		session_free(s);
	}
	EXPECT(good > 5); /* the generator makes some valid text too */
}

UNIT_MAIN
