/* MIR text: what is printed reads back the same; what is wrong is said with line and column; the verifier. */
#include "unit.h"

#include "mir/mir.h"

static const char loop[] = "---\n"
			   "name:            f\n"
			   "kernel:          true\n"
			   "isSSA:           true\n"
			   "registers:\n"
			   "  - { id: 0, class: int32regs }\n"
			   "  - { id: 1, class: int32regs }\n"
			   "  - { id: 2, class: int32regs }\n"
			   "  - { id: 3, class: int1regs }\n"
			   "  - { id: 4, class: float32regs }\n"
			   "stack:\n"
			   "  - { id: 0, name: x, type: default, offset: 0, size: 16, alignment: 4 }\n"
			   "body:             |\n"
			   "  bb.0.entry:\n"
			   "    successors: %bb.1(0x80000000)\n"
			   "\n"
			   "    %0:int32regs = LD_param_u32 &f_param_0, 0 :: (invariant load (s32), addrspace 101)\n"
			   "\n"
			   "  bb.1.loop:\n"
			   "    successors: %bb.1(0x7c000000), %bb.2(0x04000000)\n"
			   "\n"
			   "    %1:int32regs = PHI %0, %bb.0, %2, %bb.1\n"
			   "    %2:int32regs = nsw ADDs32ri %1, -1\n"
			   "    %3:int1regs = SETP_eq_s32ri %2, 0\n"
			   "    CBranchOther killed %3, %bb.1\n"
			   "    GOTO_uni %bb.2\n"
			   "\n"
			   "  bb.2:\n"
			   "    %4:float32regs = MOVf32i float 0f3F800000\n"
			   "    ST_local_f32 %stack.0, 4, %4 :: (volatile store (s32), align 8, addrspace 5)\n"
			   "    Return\n"
			   "...\n";

static MirModule *read(Session *s, const char *text)
{
	struct IrModule *ir;
	session_init(s, 0);
	return mir_parse(s, str_of(text), &ir);
}

static void show(const Session *s)
{
	for (u32 i = 0; i < s->diags.list.n; i++)
		printf("# %u:%u: %.*s\n", s->diags.list.p[i].at.line, s->diags.list.p[i].at.col,
		       STR_ARG(s->diags.list.p[i].message));
}

static Str printed(Arena *a, MirModule *m)
{
	Text t;
	text_init(&t, a);
	for (u32 i = 0; i < m->func.n; i++)
		mir_print_func(&t, m->func.p[i], NULL);
	return text_str(&t);
}

TEST(mir_text, what_is_printed_reads_back)
{
	Session    s, s2;
	MirModule *m = read(&s, loop);
	show(&s);
	EXPECT(m != NULL);
	if (!m)
		return;
	Str once = printed(a, m);
	EXPECT_STR(once, loop);
	Text errors;
	text_init(&errors, a);
	EXPECT(mir_verify(m->func.p[0], &errors));
	EXPECT_STR(text_str(&errors), "");
	MirModule *again = read(&s2, arena_str(a, once).p);
	EXPECT(again != NULL);
	if (again) {
		EXPECT_STREQ(printed(a, again), once);
		EXPECT_EQ(mir_inst(again->func.p[0], (MirInstId){1})->origin, 17);
	}
	session_free(&s);
	session_free(&s2);
}

static u32 errors_in(const char *text, SrcRange *first)
{
	Session s;
	read(&s, text);
	u32 n = s.diags.errors;
	if (n)
		*first = s.diags.list.p[0].at;
	session_free(&s);
	return n;
}

TEST(mir_text, errors_have_a_place)
{
	static const struct {
		const char *text;
		u32         errors, line, col;
	} cases[] = {
		{"---\nname: f\nbody: |\n  bb.0:\n    FROB\n    GROB %1\n...\n", 2, 5, 5},
		{"---\nname: f\nbody: |\n  bb.0:\n    GOTO %bb.7\n...\n", 1, 5, 15},
		{"---\nname: f\nbody: |\n  bb.0:\n    %0:frob = MOVu32i 1\n...\n", 1, 5, 8},
		{"---\nname: f\nbody: |\n    Return\n...\n", 1, 4, 5},
		{"---\nname: f\nbody: |\n  bb.0:\n    %0 = MOVu32i 1\n...\n", 1, 5, 1},
		{"---\nname: f\nbody: |\n  bb.0:\n    %0:int32regs = MOVu32i 1 2\n...\n", 1, 5, 30},
		{"---\nname: f\nbody: |\n  bb.0:\n  bb.0:\n...\n", 1, 5, 8},
		{"nonsense\n", 1, 1, 1},
		{"---\n", 1, 2, 1},
		{"", 0, 0, 0},
	};
	for (u32 i = 0; i < PS_COUNT(cases); i++) {
		SrcRange at = {0};
		u32      n = errors_in(cases[i].text, &at);
		EXPECT_EQ(n, cases[i].errors);
		EXPECT_EQ(at.line, cases[i].line);
		EXPECT_EQ(at.col, cases[i].col);
	}
}

static bool verifies(Arena *a, const char *body, const char *complaint)
{
	Session s;
	Text    t, errors;
	text_init(&t, a);
	text_init(&errors, a);
	text_s(&t, "---\nname: f\nisSSA: true\nbody: |\n");
	text_s(&t, body);
	text_s(&t, "...\n");
	text_c(&t, 0);
	MirModule *m = read(&s, t.p);
	show(&s);
	bool ok = m && mir_verify(m->func.p[0], &errors);
	text_c(&errors, 0);
	if (complaint && !strstr(errors.p, complaint))
		printf("# got: %s\n", errors.p);
	EXPECT(!complaint || strstr(errors.p, complaint));
	session_free(&s);
	return ok;
}

TEST(mir_text, the_verifier_finds)
{
	EXPECT(verifies(a, "  bb.0:\n    %0:int32regs = MOVu32i 1\n    Return\n", NULL));
	EXPECT(!verifies(a, "  bb.0:\n    %0:int32regs = MOVu32i 1\n    %0:int32regs = MOVu32i 2\n    Return\n",
	                 "is defined 2 times"));
	EXPECT(!verifies(a, "  bb.0:\n    %0:int32regs = MOVu32r %1\n    %1:int32regs = MOVu32i 2\n    Return\n",
	                 "in front of its definition"));
	EXPECT(!verifies(
		a, "  bb.0:\n    %0:float32regs = MOVf32i float 0f00000000\n    %1:int64regs = ADDs64ri %0, 1\n    Return\n",
		"register of class float32regs"));
	EXPECT(!verifies(a, "  bb.0:\n    Return\n    %0:int32regs = MOVu32i 1\n", "behind a terminator"));
	EXPECT(!verifies(a, "  bb.0:\n    GOTO_uni %bb.1\n  bb.1:\n    Return\n", "not among its successors"));
	EXPECT(!verifies(a, "  bb.0:\n    successors: %bb.1\n    GOTO_uni %bb.0\n  bb.1:\n    Return\n",
	                 "does not branch to its successor"));
	EXPECT(!verifies(a, "  bb.0:\n    %0:int32regs = ADDs32rr %0\n    Return\n", "operands instead of"));
	EXPECT(!verifies(a,
	                 "  bb.0:\n    successors: %bb.1\n    %0:int32regs = MOVu32i 1\n  bb.1:\n"
	                 "    %1:int32regs = PHI %0, %bb.1\n    Return\n",
	                 "no predecessor"));
}

UNIT_MAIN
