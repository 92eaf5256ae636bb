/* Machine passes on MIR text: what goes in, what comes out. */
#include "unit.h"

#include "api/command.h"
#include "mir/pressure.h"
#include "mirpass/mir_rows.h"
#include "pass/manager.h"
#include "pass/pass.h"
#include "pass/trace.h"
#include "session.h"

extern const Pass mirpass_phi_node_elimination, mirpass_register_coalescer, mirpass_dead_mi_elimination, mirpass_prologepilog,
	mirpass_nvptx_prolog_epilog, mirpass_nvptx_peephole, mirpass_machineir_peepholes, mirpass_nvptx_proxy_reg_erasure,
	mirpass_post_ra_pseudos, mirpass_two_address_instruction, mirpass_machine_cse, mirpass_machine_cp, mirpass_opt_phis,
	mirpass_branch_folder, mirpass_basr;

typedef struct Run {
	Session    s;
	MirModule *m;
	Text       body;
	bool       changed;
} Run;

static u32 count(const Run *r, const char *word)
{
	u32 n = 0;
	for (const char *p = r->body.p; (p = strstr(p, word)) != NULL; p++)
		n++;
	return n;
}

/* Reads the body of a function in SSA form, unless `head` says noPhis, runs the passes, verifies, prints. */
static void run_on(Run *r, Arena *a, const char *head, const char *body, const Pass *const *passes)
{
	Text t, errors;
	text_init(&t, a);
	text_init(&errors, a);
	text_init(&r->body, a);
	text_f(&t, "---\nname: f\n%s%sbody: |\n%s...\n", strstr(head, "noPhis") ? "" : "isSSA: true\n", head, body);
	text_c(&t, 0);
	struct IrModule *ir;
	session_init(&r->s, 0);
	r->m = mir_parse(&r->s, str_of(t.p), &ir);
	for (u32 i = 0; i < r->s.diags.list.n; i++)
		printf("# %u: %.*s\n", r->s.diags.list.p[i].at.line, STR_ARG(r->s.diags.list.p[i].message));
	EXPECT(r->m != NULL);
	if (!r->m)
		return;
	r->changed = false;
	Manager manager;
	manager_init(&manager, &r->s, NULL);
	manager.at = PASS_MIR;
	for (; *passes; passes++) {
		Arena scratch;
		arena_init(&scratch, &r->s.budget);
		PassCx cx = {
			.s = &r->s, .scratch = &scratch, .ir = ir, .mir = r->m, .func = 1, .pass = *passes, .manager = &manager};
		u64  before = mir_hash(r->m->func.p[0]);
		bool changed = (*passes)->run(&cx);
		EXPECT_EQ(changed, mir_hash(r->m->func.p[0]) != before);
		r->changed |= changed;
		if (changed)
			pass_invalidate(&cx, (*passes)->keeps);
		EXPECT(mir_verify(r->m->func.p[0], &errors));
		arena_free(&scratch);
	}
	manager_free(&manager);
	EXPECT_STR(text_str(&errors), "");
	mir_print_func(&r->body, r->m->func.p[0], NULL);
	text_c(&r->body, 0);
}

#define RUN_ON(r, head, body, ...) run_on(r, a, head, body, (const Pass *const[]){__VA_ARGS__, NULL})

#define HAS(r, text)                                                             \
	do {                                                                     \
		if (!strstr((r)->body.p, text)) {                                \
			printf("# not found: %s\n# in:\n%s", text, (r)->body.p); \
			EXPECT(!"text found");                                   \
		}                                                                \
	} while (0)

/* x and y change places each time round: one copy may go, a cycle needs one of its own. */
static const char swap[] = "  bb.0:\n"
			   "    successors: %bb.1\n"
			   "    %0:int32regs = MOVu32i 1\n"
			   "    %1:int32regs = MOVu32i 2\n"
			   "    %9:int32regs = MOVu32i 0\n"
			   "  bb.1:\n"
			   "    successors: %bb.1, %bb.2\n"
			   "    %2:int32regs = PHI %0, %bb.0, %3, %bb.1\n"
			   "    %3:int32regs = PHI %1, %bb.0, %2, %bb.1\n"
			   "    %4:int32regs = PHI %9, %bb.0, %5, %bb.1\n"
			   "    %5:int32regs = ADDs32ri %4, 1\n"
			   "    %6:int1regs = SETP_lt_s32ri %5, 10\n"
			   "    CBranch %6, %bb.1\n"
			   "  bb.2:\n"
			   "    ST_global_u32 %2, 0, %3\n"
			   "    Return\n";

TEST(phi_node_elimination, parallel_copies)
{
	Run r;
	RUN_ON(&r, "", swap, &mirpass_phi_node_elimination);
	EXPECT_EQ(count(&r, "PHI"), 0);
	EXPECT_EQ(count(&r, "COPY"), 9); /* three heads, three in each predecessor */
	session_free(&r.s);
}

/* A pointer that is advanced before what it pointed to is loaded; `reader` comes between the two. */
static const char *walk(Arena *a, const char *reader)
{
	return arena_fmt(a,
	                 "  bb.0:\n    successors: %%bb.1\n    %%0:int64regs = MOVu64i 64\n"
	                 "  bb.1:\n    successors: %%bb.1, %%bb.2\n    %%1:int64regs = PHI %%0, %%bb.0, %%2, %%bb.1\n"
	                 "    %%2:int64regs = ADDs64ri %%1, 8\n%s    %%3:int32regs = LD_global_u32 %%1, 0\n"
	                 "    %%4:int1regs = SETP_lt_s32ri %%3, 10\n    CBranch %%4, %%bb.1\n"
	                 "  bb.2:\n    Return\n",
	                 reader)
	        .p;
}

/* The step goes behind the last reader of the old pointer, so both share a register; not past a reader of the new one. */
TEST(phi_node_elimination, the_step_of_a_loop_s_variable_comes_last)
{
	for (u32 blocked = 0; blocked < 2; blocked++) {
		Run r;
		RUN_ON(&r, "", walk(a, blocked ? "    ST_global_u64 %2, 0, %2\n" : ""), &mirpass_phi_node_elimination,
		       &mirpass_register_coalescer);
		EXPECT_EQ(count(&r, "COPY"), blocked);
		const char *load = strstr(r.body.p, "LD_global"), *step = strstr(r.body.p, "ADDs64");
		EXPECT(load && step && (step < load) == (blocked != 0));
		session_free(&r.s);
	}
}

/* The value of `reg` when the swap loop has run n times, by executing the copies and adds that are left. */
typedef struct Machine {
	u32 value[64];
} Machine;

static void step(const MirFunc *f, MirInstId i, Machine *m)
{
	const MirOp *o = mir_ops(f, i);
	Str          name = mir_desc(f, i)->mnemonic;
	if (mir_inst(f, i)->desc == ISA_COPY)
		m->value[o[0].ref] = m->value[o[1].ref];
	else if (str_starts(name, "mov"))
		m->value[o[0].ref] = (u32)o[1].imm;
	else if (str_starts(name, "add"))
		m->value[o[0].ref] = m->value[o[1].ref] + (u32)o[2].imm;
	else if (str_starts(name, "setp"))
		m->value[o[0].ref] = m->value[o[1].ref] < (u32)o[2].imm;
}

/* Runs block 1 again and again until its branch is not taken, then says what block 2 stores. */
static void execute(const MirFunc *f, u32 *base, u32 *stored)
{
	Machine    m = {{0}};
	MirBlockId b0 = {f->first_block}, b1 = {mir_block(f, b0)->next}, b2 = {mir_block(f, b1)->next};
	mir_each_inst(f, b0, i)
		step(f, i, &m);
	for (bool again = true; again;)
		mir_each_inst(f, b1, i) {
			step(f, i, &m);
			if (mir_is(f, i, IF_TERMINATOR))
				again = m.value[mir_op(f, i, 0)->ref] != 0;
		}
	mir_each_inst(f, b2, i) {
		step(f, i, &m);
		if (!mir_is(f, i, IF_STORE))
			continue;
		*base = m.value[mir_op(f, i, 0)->ref];
		*stored = m.value[mir_op(f, i, 2)->ref];
	}
}

TEST(register_coalescer, swap_stays_right)
{
	Run r;
	u32 x = 0, y = 0;
	RUN_ON(&r, "", swap, &mirpass_phi_node_elimination);
	execute(r.m->func.p[0], &x, &y);
	EXPECT_EQ(x, 2);
	EXPECT_EQ(y, 1);
	session_free(&r.s);
	RUN_ON(&r, "", swap, &mirpass_phi_node_elimination, &mirpass_register_coalescer);
	execute(r.m->func.p[0], &x, &y);
	EXPECT_EQ(x, 2);
	EXPECT_EQ(y, 1);
	EXPECT(count(&r, "COPY") <= 3);
	session_free(&r.s);
}

/* The old number ends where the new one begins. */
TEST(register_coalescer, STOCK_19_ranges_that_touch_are_joined)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    successors: %bb.1\n    %0:int32regs = MOVu32i 0\n"
	       "  bb.1:\n    successors: %bb.1, %bb.2\n"
	       "    %1:int32regs = PHI %0, %bb.0, %2, %bb.1\n"
	       "    %2:int32regs = ADDs32ri %1, 1\n"
	       "    %3:int1regs = SETP_lt_s32ri %2, 10\n"
	       "    CBranch %3, %bb.1\n"
	       "  bb.2:\n    ST_global_u32 %2, 0, %2\n    Return\n",
	       &mirpass_phi_node_elimination, &mirpass_register_coalescer);
	EXPECT_EQ(count(&r, "COPY"), 0);
	session_free(&r.s);
}

/* The old value is still read after the new one is made: of the copies of the phi, that one stays. */
TEST(register_coalescer, STOCK_10_only_copies_that_do_not_interfere_are_joined)
{
	Run               r;
	u32               x = 0, y = 0;
	static const char body[] = "  bb.0:\n    successors: %bb.1\n    %0:int32regs = MOVu32i 0\n"
				   "  bb.1:\n    successors: %bb.1, %bb.2\n"
				   "    %1:int32regs = PHI %0, %bb.0, %2, %bb.1\n"
				   "    %2:int32regs = ADDs32ri %1, 1\n"
				   "    %3:int1regs = SETP_lt_s32ri %2, 10\n"
				   "    CBranch %3, %bb.1\n"
				   "  bb.2:\n    ST_global_u32 %1, 0, %2\n    Return\n";
	RUN_ON(&r, "", body, &mirpass_phi_node_elimination);
	EXPECT_EQ(count(&r, "COPY"), 3);
	session_free(&r.s);
	RUN_ON(&r, "", body, &mirpass_phi_node_elimination, &mirpass_register_coalescer);
	execute(r.m->func.p[0], &x, &y);
	EXPECT_EQ(x, 9);
	EXPECT_EQ(y, 10);
	EXPECT_EQ(count(&r, "COPY"), 1);
	session_free(&r.s);
}

TEST(dead_mi_elimination, STOCK_07_chains_go_and_effects_stay)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n"
	       "    %0:int64regs = MOVu64i 64\n"
	       "    %1:int32regs = LD_global_u32 %0, 0 :: (load (s32), addrspace 1)\n"
	       "    %2:int32regs = ADDs32ri %1, 1\n"
	       "    %3:int32regs = LD_volatile_global_u32 %0, 0 :: (volatile load (s32), addrspace 1)\n"
	       "    Return\n",
	       &mirpass_dead_mi_elimination);
	EXPECT_EQ(count(&r, "ADD"), 0);
	EXPECT_EQ(count(&r, "LD_global"), 0);
	EXPECT_EQ(count(&r, "LD_volatile"), 1);
	EXPECT_EQ(count(&r, "MOV"), 1);
	session_free(&r.s);
}

TEST(prologepilog, places_objects)
{
	Run r;
	RUN_ON(&r,
	       "stack:\n  - { id: 0, size: 1, alignment: 1 }\n  - { id: 1, size: 8, alignment: 8 }\n"
	       "  - { id: 2, size: 4, alignment: 4, dead: true }\n  - { id: 3, size: 3, alignment: 1 }\n",
	       "  bb.0:\n"
	       "    %0:int64regs = FRAME_ADDR %stack.1\n"
	       "    %1:int32regs = LD_local_u32 %stack.3, 4 :: (load (s32), addrspace 5)\n"
	       "    ST_u32 %0, 0, %1 :: (store (s32))\n"
	       "    Return\n",
	       &mirpass_prologepilog, &mirpass_nvptx_prolog_epilog);
	HAS(&r, "stackSize:       24");
	HAS(&r, "maxAlignment:    8");
	HAS(&r, "$vrframe, 8");
	HAS(&r, "$vrframelocal, 20");
	HAS(&r, "&__local_depot0");
	EXPECT_EQ(count(&r, "%stack"), 0);
	session_free(&r.s);
}

TEST(nvptx_peephole, cvta_round_trips)
{
	Run r;
	RUN_ON(&r, "stack:\n  - { id: 0, size: 4, alignment: 4 }\n",
	       "  bb.0:\n"
	       "    %0:int64regs = MOVu64i 64\n"
	       "    %1:int64regs = CVTA_global_u64 %0\n"
	       "    %2:int64regs = CVTA_to_global_u64 %1\n"
	       "    ST_global_u32 %2, 0, 7 :: (store (s32), addrspace 1)\n"
	       "    %3:int64regs = FRAME_ADDR %stack.0\n"
	       "    %4:int64regs = CVTA_to_local_u64 %3\n"
	       "    ST_local_u32 %4, 0, 7 :: (store (s32), addrspace 5)\n"
	       "    %5:int64regs = CVTA_to_shared_u64 %0\n"
	       "    ST_shared_u32 %5, 0, 7 :: (store (s32), addrspace 3)\n"
	       "    Return\n",
	       &mirpass_nvptx_peephole, &mirpass_machineir_peepholes);
	EXPECT_EQ(count(&r, "CVTA"), 1); /* that of unknown origin */
	HAS(&r, "ST_global_u32 %0, 0, 7");
	HAS(&r, "ST_local_u32 %stack.0, 0, 7");
	session_free(&r.s);
}

TEST(nvptx_proxy_reg_erasure, chains_collapse)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    %0:int32regs = MOVu32i 1\n    %1:int32regs = ProxyReg %0\n    %2:int32regs = ProxyReg %1\n"
	       "    ST_global_u32 64, 0, %2 :: (store (s32), addrspace 1)\n    Return\n",
	       &mirpass_nvptx_proxy_reg_erasure);
	EXPECT_EQ(count(&r, "ProxyReg"), 0);
	HAS(&r, "64, 0, %0");
	session_free(&r.s);
}

/* llc's moves: unsigned integers, the type of a float, bits across classes. */
TEST(post_ra_pseudos, STOCK_14_a_copy_of_each_class_becomes_the_move_of_that_class)
{
	static const struct {
		const char *from, *to, *move;
	} rows[] = {
		{"int1regs", "int1regs", "MOVpredr"},      {"int16regs", "int16regs", "MOVb16r"},
		{"int32regs", "int32regs", "MOVb32r"},     {"int64regs", "int64regs", "MOVb64r"},
		{"float32regs", "float32regs", "MOVb32r"}, {"float64regs", "float64regs", "MOVb64r"},
		{"int128regs", "int128regs", "MOVb128r"},  {"int32regs", "float32regs", "MOVb32r"},
		{"float32regs", "int32regs", "MOVb32r"},   {"int64regs", "float64regs", "MOVb64r"},
		{"float64regs", "int64regs", "MOVb64r"},
	};
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		Run  r;
		Text body, moved;
		text_init(&body, a);
		text_init(&moved, a);
		text_f(&body, "  bb.0:\n    %%0:%s = IMPLICIT_DEF\n    %%1:%s = COPY %%0\n    Return\n", rows[k].from,
		       rows[k].to);
		text_f(&moved, "%%1:%s = %s %%0", rows[k].to, rows[k].move);
		text_c(&body, 0);
		text_c(&moved, 0);
		RUN_ON(&r, "", body.p, &mirpass_post_ra_pseudos);
		EXPECT_EQ(count(&r, "COPY"), 0);
		HAS(&r, moved.p);
		session_free(&r.s);
	}
}

/* An operand that is tied to the result gets the result's register, by a copy; one that is not keeps its own. */
TEST(two_address_instruction, STOCK_09_a_tied_operand_is_copied)
{
	static const char *const tied[] = {"(tied-def 0)", ""};
	for (u32 k = 0; k < 2; k++) {
		Run  r;
		Text body;
		text_init(&body, a);
		text_f(&body,
		       "  bb.0:\n    %%0:int32regs = MOVu32i 1\n    %%1:int32regs = INLINEASM \"add.s32 $0, $1, 1;\", %%0%s\n"
		       "    ST_global_u32 64, 0, %%1\n    ST_global_u32 64, 4, %%0\n    Return\n",
		       tied[k]);
		text_c(&body, 0);
		RUN_ON(&r, "", body.p, &mirpass_two_address_instruction);
		EXPECT_EQ(count(&r, "COPY"), k == 0);
		HAS(&r, k ? "%0" : "%1:int32regs = COPY %0");
		HAS(&r, k ? "1;\", %0" : "1;\", %1");
		session_free(&r.s);
	}
}

/* Behind allocation: what reads the copy before its source is written again reads the source, what reads it later does not. */
TEST(machine_cp, STOCK_08_a_copy_is_forwarded_until_its_source_is_written)
{
	Run r;
	RUN_ON(&r, "noPhis: true\n",
	       "  bb.0:\n    %0:int32regs = MOVu32i 1\n    %1:int32regs = MOVu32r %0\n"
	       "    ST_global_u32 64, 0, %1\n    %0:int32regs = MOVu32i 2\n    ST_global_u32 64, 4, %1\n"
	       "    ST_global_u32 64, 8, %0\n    Return\n",
	       &mirpass_machine_cp);
	HAS(&r, "64, 0, %0");
	HAS(&r, "64, 4, %1");
	HAS(&r, "64, 8, %0");
	EXPECT_EQ(count(&r, "MOVu32r"), 1);
	session_free(&r.s);
}

TEST(machine_cse, commuted_and_dominated)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    successors: %bb.1, %bb.2\n"
	       "    %0:int32regs = LD_param_u32 &f_param_0, 0\n    %1:int32regs = LD_param_u32 &f_param_1, 0\n"
	       "    %2:int32regs = ADDs32rr %0, %1\n    %3:int32regs = ADDs32rr %1, %0\n"
	       "    %4:int32regs = SUBs32rr %0, %1\n    %5:int32regs = SUBs32rr %1, %0\n"
	       "    %6:int1regs = SETP_lt_s32rr %0, %1\n    CBranch %6, %bb.2\n"
	       "  bb.1:\n    successors: %bb.2\n    %7:int32regs = ADDs32rr %0, %1\n    %10:int32regs = XORb32rr %0, %1\n"
	       "    ST_global_u32 64, 0, %7 :: (store (s32), addrspace 1)\n    ST_global_u32 64, 4, %10 :: (store (s32), "
	       "addrspace 1)\n"
	       "  bb.2:\n    %11:int32regs = XORb32rr %0, %1\n    ST_global_u32 64, 0, %2 :: (store (s32), addrspace 1)\n"
	       "    ST_global_u32 64, 4, %3 :: (store (s32), addrspace 1)\n    ST_global_u32 %4, 8, %5 :: (store (s32), "
	       "addrspace 1)\n"
	       "    ST_global_u32 64, 4, %11 :: (store (s32), addrspace 1)\n    Return\n",
	       &mirpass_machine_cse);
	EXPECT_EQ(count(&r, "ADD"), 1);
	EXPECT_EQ(count(&r, "SUB"), 2); /* not commutative */
	EXPECT_EQ(count(&r, "XOR"), 2); /* neither block dominates the other */
	EXPECT_EQ(count(&r, "LD_param"), 2);
	session_free(&r.s);
}

/* What reads a value that was computed twice is equal only once the first has taken the second's place. */
TEST(machine_cse, equal_by_equal_operands)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    successors: %bb.1\n"
	       "    %0:int32regs = LD_param_u32 &f_param_0, 0\n    %1:int32regs = LD_param_u32 &f_param_1, 0\n"
	       "    %2:int32regs = ADDs32rr %0, %1\n    %3:int32regs = XORb32rr %2, %1\n    %4:int32regs = SUBs32rr %3, %2\n"
	       "    ST_global_u32 64, 0, %4 :: (store (s32), addrspace 1)\n"
	       "  bb.1:\n    %5:int32regs = ADDs32rr %1, %0\n    %6:int32regs = XORb32rr %1, %5\n    %7:int32regs = SUBs32rr %6, "
	       "%5\n"
	       "    %8:int32regs = SUBs32rr %5, %6\n    ST_global_u32 64, 0, %7 :: (store (s32), addrspace 1)\n"
	       "    ST_global_u32 64, 4, %8 :: (store (s32), addrspace 1)\n    Return\n",
	       &mirpass_machine_cse);
	EXPECT_EQ(count(&r, "ADD"), 1);
	EXPECT_EQ(count(&r, "XOR"), 1);
	EXPECT_EQ(count(&r, "SUB"), 2);
	session_free(&r.s);
}

TEST(machine_cse, memory_and_convergence_stay)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    %0:int64regs = LD_param_u64 &f_param_0, 0\n"
	       "    %1:int32regs = LD_global_u32 %0, 0 :: (load (s32), addrspace 1)\n"
	       "    ST_global_u32 %0, 4, %1 :: (store (s32), addrspace 1)\n"
	       "    %2:int32regs = LD_global_u32 %0, 0 :: (load (s32), addrspace 1)\n"
	       "    %3:int32regs = LD_global_nc_u32 %0, 8 :: (invariant load (s32), addrspace 1)\n"
	       "    %4:int32regs = LD_global_nc_u32 %0, 8 :: (invariant load (s32), addrspace 1)\n"
	       "    ST_global_u32 %0, 12, %2 :: (store (s32), addrspace 1)\n"
	       "    ST_global_u32 %0, 12, %3 :: (store (s32), addrspace 1)\n"
	       "    ST_global_u32 %0, 12, %4 :: (store (s32), addrspace 1)\n    Return\n",
	       &mirpass_machine_cse);
	EXPECT_EQ(count(&r, "LD_global_u32"), 2);
	EXPECT_EQ(count(&r, "LD_global_nc"), 1);
	session_free(&r.s);
}

TEST(machine_cp, ssa_copies_go)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    %0:int32regs = MOVu32i 1\n    %1:int32regs = COPY %0\n    %2:float32regs = COPY %1\n"
	       "    ST_global_u32 64, 0, %1 :: (store (s32), addrspace 1)\n    ST_global_f32 64, 4, %2 :: (store (s32), "
	       "addrspace 1)\n"
	       "    Return\n",
	       &mirpass_machine_cp);
	EXPECT_EQ(count(&r, "COPY"), 0); /* registers of integers and of floats are alike in PTX */
	HAS(&r, "%0:int32regs = MOVu32i 1");
	session_free(&r.s);
}

TEST(opt_phis, STOCK_02_single_values_and_dead_cycles)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    successors: %bb.1\n    %0:int32regs = MOVu32i 1\n    %1:int32regs = MOVu32i 2\n"
	       "    %9:int1regs = SETP_lt_s32ri %0, 10\n"
	       "  bb.1:\n    successors: %bb.1, %bb.2\n"
	       "    %2:int32regs = PHI %0, %bb.0, %2, %bb.1\n"
	       "    %3:int32regs = PHI %0, %bb.0, %4, %bb.1\n"
	       "    %4:int32regs = PHI %1, %bb.0, %3, %bb.1\n"
	       "    CBranch %9, %bb.1\n"
	       "  bb.2:\n    ST_global_u32 64, 0, %2 :: (store (s32), addrspace 1)\n    Return\n",
	       &mirpass_opt_phis);
	EXPECT_EQ(count(&r, "PHI"), 0);
	HAS(&r, "64, 0, %0");
	session_free(&r.s);
}

TEST(branch_folder, detours_go)
{
	Run r;
	RUN_ON(&r, "",
	       "  bb.0:\n    successors: %bb.1, %bb.2\n    %0:int32regs = MOVu32i 1\n    %9:int1regs = SETP_lt_s32ri %0, 10\n"
	       "    CBranch %9, %bb.2\n    GOTO_uni %bb.1\n"
	       "  bb.1:\n    successors: %bb.3\n    GOTO_uni %bb.3\n"
	       "  bb.2:\n    successors: %bb.3\n    ST_global_u32 64, 0, %0 :: (store (s32), addrspace 1)\n    GOTO_uni %bb.3\n"
	       "  bb.3:\n    successors: %bb.4\n    GOTO_uni %bb.4\n"
	       "  bb.4:\n    Return\n"
	       "  bb.5:\n    Return\n",
	       &mirpass_phi_node_elimination, &mirpass_branch_folder);
	EXPECT_EQ(count(&r, "  bb."), 3);

	EXPECT_EQ(count(&r, "GOTO"), 0); /* the branch is turned round */
	EXPECT_EQ(count(&r, "CBranchOther"), 1);
	EXPECT_EQ(count(&r, "Return"), 1);
	session_free(&r.s);
}

/* A pass that breaks the code: it defines the result of the first instruction again. */
static bool define_twice(PassCx *cx)
{
	MirFunc  *f = cx->mir->func.p[cx->func - 1];
	MirInstId first = {mir_block(f, (MirBlockId){f->first_block})->first};
	mir_clone(f, first, (MirBlockId){f->first_block}, first);
	return true;
}

static const Pass breaker = {.id = "breaker", .title = "Breaker", .summary = "", .level = PASS_MIR, .run = define_twice};

static u32 begun;

static void *count_begin(PassCx *cx)
{
	begun++;
	return rows_begin(cx);
}

TEST(rows, BASR_06_the_index_is_built_once_for_all_functions)
{
	static const char body[] = "  bb.0:\n"
				   "    %0:int64regs = LD_param_u64 &f_param_0, 0\n"
				   "    %1:int64regs = LD_param_u64 &f_param_1, 0\n"
				   "    %2:int64regs = MUL_lo_s64ri %1, 4\n"
				   "    %3:int64regs = ADDs64rr %0, %2\n"
				   "    %4:int32regs = LD_global_u32 %3, 0 :: (load (s32), addrspace 1)\n"
				   "    ST_global_u32 %0, 0, %4 :: (store (s32), addrspace 1)\n"
				   "    Return\n";
	Session           s;
	struct IrModule  *ir;
	Manager           m;
	Trace             trace;
	Text              t, dump;
	Pass              pass = mirpass_basr;
	session_init(&s, 0);
	text_init(&t, a);
	text_init(&dump, &s.arena);
	for (u32 k = 0; k < 3; k++)
		text_f(&t, "---\nname: f%u\nisSSA: true\nbody: |\n%s...\n", k, body);
	s.knobs.value[KNOB_enable_basr] = 1;
	pass.begin = count_begin;
	begun = 0;
	manager_init(&m, &s, &dump);
	command_set_levels(&m);
	trace_init(&trace, &s.arena);
	m.trace = &trace;
	m.cx.mir = mir_parse(&s, text_str(&t), &ir);
	m.scheduled = true;
	vec_push(&s.arena, &m.schedule.steps, ((Step){.pass = &pass}));
	EXPECT(m.cx.mir != NULL);
	manager_run(&m);
	EXPECT_EQ(begun, 1);
	for (u32 k = 0; k < 3; k++) {
		text_init(&t, a);
		mir_print_func(&t, m.cx.mir->func.p[k], NULL);
		text_c(&t, 0);
		EXPECT(strstr(t.p, "BASE_SLICE_OFFSET") != NULL);
	}
	session_free(&s);
}

TEST(manager, PIPE_18_verification_stops_behind_the_pass_that_broke_the_code_and_names_it)
{
	for (u32 verify = 0; verify <= 1; verify++) {
		Session          s;
		jmp_buf          out;
		struct IrModule *ir;
		Manager          m;
		Trace            trace;
		Text             dump;
		bool             stopped = false;
		unit_session(&s, &out);
		MirModule *mir = mir_parse(&s, arena_fmt(a, "---\nname: f\nisSSA: true\nbody: |\n%s...\n", swap), &ir);
		text_init(&dump, &s.arena);
		manager_init(&m, &s, &dump);
		command_set_levels(&m);
		trace_init(&trace, &s.arena);
		m.trace = &trace;
		m.cx.mir = mir;
		m.options.verify = verify;
		m.scheduled = true;
		const Pass *passes[] = {&mirpass_dead_mi_elimination, &breaker, &mirpass_machine_cp};
		for (u32 i = 0; i < PS_COUNT(passes); i++)
			vec_push(&s.arena, &m.schedule.steps, ((Step){.pass = passes[i], .index = i}));
		if (setjmp(out) == 0)
			manager_run(&m);
		else
			stopped = true;
		EXPECT_EQ(stopped, verify == 1);
		EXPECT_STR(str_of(verify ? s.pass : ""), verify ? "breaker" : "");
		EXPECT(!verify || strstr(s.failure.p, "broken machine code after breaker on f") != NULL);
		session_free(&s);
	}
}

/* Pressure by hand: three values live at once in the loop, two predicates never. */
TEST(pressure, counts_what_is_live)
{
	Run      r;
	Pressure p;
	Manager  manager;
	RUN_ON(&r, "", swap, &mirpass_dead_mi_elimination);
	manager_init(&manager, &r.s, NULL);
	mir_max_pressure(&(PassCx){.s = &r.s, .scratch = a, .mir = r.m, .func = 1, .manager = &manager}, &p);
	EXPECT_EQ(p.column[PRESSURE_r32], 3);
	EXPECT_EQ(p.column[PRESSURE_pred], 1);
	EXPECT_EQ(p.column[PRESSURE_f32], 0);
	manager_free(&manager);
	session_free(&r.s);
}

UNIT_MAIN
