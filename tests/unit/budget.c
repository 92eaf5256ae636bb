/* Budgets of register files: limits and targets by knobs, directives and generations, and who has set them. */
#include "unit.h"

#include "ir/text.h"
#include "mir/budget.h"
#include "session.h"

typedef struct Row {
	const char *knobs;
	const char *attrs;       /* of the kernel */
	const char *annotations; /* rows of !nvvm.annotations behind the function, in its node */
	u32         sm, limit, target;
	const char *limit_by, *target_by;
} Row;

#define KNOB_TARGET "nv-remat-default-max-reg and its adjustment"

static const Row rows[] = {
	{"", "", "", 90, 255, 70, "Hopper", KNOB_TARGET},
	{"nv-remat-default-max-reg=40", "", "", 90, 255, 40, "Hopper", KNOB_TARGET},
	{"nv-remat-default-max-reg=40 reg-target-adjust=-10", "", "", 90, 255, 30, "Hopper", KNOB_TARGET},
	{"maxreg=32", "", "", 90, 32, 32, "-maxreg=32", "-maxreg=32"},
	{"maxreg=128", "", "", 90, 128, 128, "-maxreg=128", "-maxreg=128"},
	{"maxreg=128 reg-target-adjust=-8", "", "", 90, 128, 120, "-maxreg=128", "-maxreg=128"},
	{"maxreg=128 reg-target-adjust=10", "", "", 90, 128, 128, "-maxreg=128", "-maxreg=128"},
	{"maxreg=1 reg-target-adjust=-8", "", "", 90, 1, 1, "-maxreg=1", "-maxreg=1"},
	/* threads of a block: 1,024 of them are 32 warps, for 65,536 registers of an SM */
	{"", "\"nvvm.maxntid\"=\"1024\"", "", 90, 64, 64, ".maxntid 1024, 1, 1 on Hopper", ".maxntid 1024, 1, 1 on Hopper"},
	{"", "\"nvvm.maxntid\"=\"32,32\"", "", 90, 64, 64, ".maxntid 32, 32, 1 on Hopper", ".maxntid 32, 32, 1 on Hopper"},
	{"", "", "\"maxntidx\", i32 512, !\"maxntidy\", i32 2", 90, 64, 64, ".maxntid 512, 2, 1 on Hopper",
         ".maxntid 512, 2, 1 on Hopper"},
	{"", "\"nvvm.reqntid\"=\"16,16,4\"", "", 90, 64, 64, ".reqntid 16, 16, 4 on Hopper", ".reqntid 16, 16, 4 on Hopper"},
	{"", "\"nvvm.maxntid\"=\"128\"", "", 90, 255, 70, "Hopper", KNOB_TARGET},
	{"", "\"nvvm.maxntid\"=\"128\" \"nvvm.minctasm\"=\"8\"", "", 90, 64, 64,
         ".maxntid 128, 1, 1 and .minnctapersm 8 on Hopper", ".maxntid 128, 1, 1 and .minnctapersm 8 on Hopper"},
	{"", "\"nvvm.maxntid\"=\"128\" \"nvvm.minctasm\"=\"4\"", "", 90, 128, 70,
         ".maxntid 128, 1, 1 and .minnctapersm 4 on Hopper", KNOB_TARGET},
	{"", "\"nvvm.maxntid\"=\"100\"", "\"minctasm\", i32 8", 90, 64, 64, ".maxntid 100, 1, 1 and .minnctapersm 8 on Hopper",
         ".maxntid 100, 1, 1 and .minnctapersm 8 on Hopper"},
	/* blocks of an SM say nothing where their threads are not known; more warps than an SM holds are as many as it holds */
	{"", "\"nvvm.minctasm\"=\"8\"", "", 90, 255, 70, "Hopper", KNOB_TARGET},
	{"", "\"nvvm.maxntid\"=\"1024\" \"nvvm.minctasm\"=\"9\"", "", 90, 32, 32,
         ".maxntid 1024, 1, 1 and .minnctapersm 9 on Hopper", ".maxntid 1024, 1, 1 and .minnctapersm 9 on Hopper"},
	{"", "\"nvvm.maxntid\"=\"4294967295,4294967295,4294967295\"", "", 90, 32, 32,
         ".maxntid 4294967295, 4294967295, 4294967295 on Hopper", ".maxntid 4294967295, 4294967295, 4294967295 on Hopper"},
	/* generations differ in the warps of an SM: 32 of Turing */
	{"", "\"nvvm.maxntid\"=\"1024\" \"nvvm.minctasm\"=\"2\"", "", 80, 32, 32,
         ".maxntid 1024, 1, 1 and .minnctapersm 2 on Ampere GA100", ".maxntid 1024, 1, 1 and .minnctapersm 2 on Ampere GA100"},
	{"", "\"nvvm.maxntid\"=\"1024\" \"nvvm.minctasm\"=\"2\"", "", 75, 64, 64,
         ".maxntid 1024, 1, 1 and .minnctapersm 2 on Turing", ".maxntid 1024, 1, 1 and .minnctapersm 2 on Turing"},
	/* .maxnreg; the least counts, and -maxreg before all */
	{"", "\"nvvm.maxnreg\"=\"48\"", "", 90, 48, 48, ".maxnreg 48", ".maxnreg 48"},
	{"", "\"nvvm.maxnreg\"=\"96\" \"nvvm.maxntid\"=\"1024\"", "", 90, 64, 64, ".maxntid 1024, 1, 1 on Hopper",
         ".maxntid 1024, 1, 1 on Hopper"},
	{"", "", "\"maxnreg\", i32 100", 90, 100, 70, ".maxnreg 100", KNOB_TARGET},
	{"maxreg=80", "\"nvvm.maxnreg\"=\"48\" \"nvvm.maxntid\"=\"1024\"", "", 90, 80, 80, "-maxreg=80", "-maxreg=80"},
};

static void set_knobs(Session *s, const char *knobs)
{
	while (*knobs) {
		const char *eq = strchr(knobs, '='), *end = eq + strcspn(eq, " ");
		EXPECT_EQ(knob_set(&s->knobs, &s->arena, knob_find((Str){knobs, (u32)(eq - knobs)}),
		                   (Str){eq + 1, (u32)(end - eq - 1)}),
		          KNOB_OK);
		knobs = *end ? end + 1 : end;
	}
}

/* The machine function @f of a module with a kernel @f. */
static MirFunc *kernel(Session *s, Arena *a, const Row *row, bool is_kernel)
{
	Text t;
	text_init(&t, a);
	text_f(&t, "define %svoid @f() %s {\n  ret void\n}\n", is_kernel ? "ptx_kernel " : "", row->attrs);
	if (*row->annotations)
		text_f(&t, "!nvvm.annotations = !{!0}\n!0 = !{ptr @f, !%s}\n", row->annotations);
	text_c(&t, 0);
	IrModule *ir = ir_parse(s, str_of(t.p));
	EXPECT(ir != NULL);
	MirModule *m = mir_module_new(s, ir, a);
	MirFunc   *f = mir_func_new(m, strtab_add(&s->strs, STR("f")), ir_index(ir_find_global(ir, STR("f"))));
	f->is_kernel = is_kernel;
	return f;
}

TEST(budget, limits_and_targets_and_who_has_set_them)
{
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		const Row *row = &rows[k];
		Session    s;
		jmp_buf    out;
		u32        failures = (u32)unit_failures;
		unit_session(&s, &out);
		s.target.sm = row->sm;
		set_knobs(&s, row->knobs);
		MirFunc  *f = kernel(&s, &s.arena, row, true);
		RegBudget b = mir_budget(f, FILE_R);
		EXPECT_EQ(b.limit, row->limit);
		EXPECT_EQ(b.target, row->target);
		EXPECT_STR(mir_budget_source(f, b.limit_by, &s.arena), row->limit_by);
		EXPECT_STR(mir_budget_source(f, b.target_by, &s.arena), row->target_by);
		if ((u32)unit_failures != failures)
			printf("# %s | %s | %s\n", row->knobs, row->attrs, row->annotations);
		mir_func_free(f);
		session_free(&s);
	}
}

/* Directives are a kernel's; another function has what -maxreg says, or the hardware. */
TEST(budget, device_functions_have_no_directives)
{
	static const Row row = {.attrs = "\"nvvm.maxntid\"=\"1024\" \"nvvm.maxnreg\"=\"48\"", .annotations = ""};
	Session          s;
	jmp_buf          out;
	unit_session(&s, &out);
	MirFunc *f = kernel(&s, &s.arena, &row, false);
	EXPECT_EQ(mir_budget(f, FILE_R).limit, 255);
	EXPECT_EQ(mir_budget(f, FILE_R).target, 70);
	mir_func_free(f);
	session_free(&s);
}

/* Registers have one file, predicates the other: -maxreg is no limit for these. */
TEST(budget, predicates)
{
	static const Row row = {.attrs = "", .annotations = ""};
	Session          s;
	jmp_buf          out;
	unit_session(&s, &out);
	set_knobs(&s, "maxreg=3 pred-target-adjust=-2");
	MirFunc *f = kernel(&s, &s.arena, &row, true);
	EXPECT_EQ(mir_budget(f, FILE_P).limit, 7);
	EXPECT_EQ(mir_budget(f, FILE_P).target, 5);
	mir_func_free(f);
	session_free(&s);
}

/* The least budget is that of the instruction which reads or writes most at once. */
TEST(budget, the_least_that_can_be_met)
{
	static const Row row = {.attrs = "", .annotations = ""};
	static const u8  reads[] = {MIR_B64, MIR_B32, MIR_B32, MIR_PRED}, writes[] = {MIR_B64, MIR_B64, MIR_B16};
	Session          s;
	jmp_buf          out;
	MirInstId        at, one, two;
	unit_session(&s, &out);
	MirFunc   *f = kernel(&s, &s.arena, &row, true);
	MirBlockId b = mir_block_new(f, (StrId){0}, ~0u);
	EXPECT_EQ(mir_budget_least(f, FILE_R, &at), 0);
	EXPECT_EQ(at.i, 0);
	one = mir_build(f, b, (MirInstId){0}, ISA_INLINEASM);
	for (u32 k = 0; k < PS_COUNT(reads); k++) {
		MirReg r = mir_reg_new(f, (MirClass)reads[k]);
		mir_add_use(f, one, r);
		mir_add_use(f, one, r); /* each register counts once */
	}
	EXPECT_EQ(mir_budget_least(f, FILE_R, &at), 4);
	EXPECT_EQ(at.i, one.i);
	EXPECT_EQ(mir_budget_least(f, FILE_P, &at), 1);
	two = mir_build(f, b, (MirInstId){0}, ISA_INLINEASM);
	for (u32 k = 0; k < PS_COUNT(writes); k++)
		mir_add_def(f, two, mir_reg_new(f, (MirClass)writes[k]));
	EXPECT_EQ(mir_budget_least(f, FILE_R, &at), 5);
	EXPECT_EQ(at.i, two.i);
	mir_func_free(f);
	session_free(&s);
}

UNIT_MAIN
