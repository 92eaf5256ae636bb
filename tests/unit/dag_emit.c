/* InstrEmitter: a graph of selected nodes goes in, machine instructions come out. */
#include "dag/emit.h"
#include "unit.h"

#include <setjmp.h>

typedef struct Rig {
	Session   s;
	Arena     a;
	DagModule mod;
	DagFunc   f;
	PassCx    cx;
	Emitter  *e;
} Rig;

static u32 desc(Rig *r, const char *text)
{
	IsaParseError e;
	if (strcmp(text, "COPY") == 0)
		return ISA_COPY;
	return isa_intern_mnemonic(&r->s, str_of(text), &e);
}

static void rig_open(Rig *r)
{
	memset(r, 0, sizeof *r);
	session_init(&r->s, 0);
	target_set_cpu(&r->s.target, STR("sm_90"), false);
	r->s.target.is64 = true;
	arena_init(&r->a, &r->s.budget);
	desc(r, "mov.b32"); /* there is a table of instructions */
	r->cx = (PassCx){.s = &r->s, .scratch = &r->a};
	r->mod = (DagModule){.cx = &r->cx, .s = &r->s, .m = ir_module_new(&r->s)};
	r->mod.mir = mir_module_new(&r->s, r->mod.m, &r->a);
	r->f = (DagFunc){
		.mod = &r->mod, .cx = &r->cx, .s = &r->s, .m = r->mod.m, .mirm = r->mod.mir, .arena = &r->a, .ptr = VT_I64};
	arena_init(&r->f.scratch, &r->s.budget);
	r->f.mir = mir_func_new(r->mod.mir, strtab_add(&r->s.strs, STR("f")), 0);
	r->f.mir_block = mir_block_new(r->f.mir, (StrId){0}, ~0u);
	dag_init(&r->f.dag, &r->f, &r->a);
	r->f.dag.s = &r->s;
	r->f.dag.m = r->mod.m;
	dag_reset(&r->f.dag);
	r->e = r->f.emitter = emit_new(&r->f, &r->a);
}

static void rig_close(Rig *r)
{
	arena_free(&r->f.scratch);
	arena_free(&r->a);
	session_free(&r->s);
}

/* A machine node of i32s: results, a glue result where wanted. */
static DagVal inst(Rig *r, const char *text, u32 results, bool glue, const DagVal *ops, u32 n)
{
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(r, text), .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[4];
	for (u32 i = 0; i < results; i++)
		vts[i] = VT_I32;
	vts[results] = glue ? VT_GLUE : VT_CHAIN;
	return dag_node_like(&r->f.dag, &like, vts, results + 1, ops, n);
}

static DagVal constant(Rig *r, u64 v) { return dag_tconst(&r->f.dag, VT_I32, v); }

static DagVal copy_to(Rig *r, DagVal chain, MirReg reg, DagVal v)
{
	DagNode like = {.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  ops[] = {chain, dag_reg(&r->f.dag, VT_I32, reg), v};
	return dag_node_like(&r->f.dag, &like, (DagVt[]){VT_CHAIN}, 1, ops, 3);
}

static DagVal from_phys(Rig *r, DagVal chain) { return dag_copy_from(&r->f.dag, chain, mir_phys(MIR_PHYS_SP), VT_I32); }

static void run(Rig *r, DagVal root)
{
	VecU32 order = {0};
	r->f.dag.root = root;
	dag_schedule(&r->f, &order);
	dag_emit(&r->f, &order);
}

static u32 count(Rig *r, u32 of)
{
	u32 n = 0;
	mir_each_inst(r->f.mir, r->f.mir_block, i)
		n += of == 0 || mir_inst(r->f.mir, i)->desc == of;
	return n;
}

static MirInstId nth(Rig *r, u32 k)
{
	mir_each_inst(r->f.mir, r->f.mir_block, i)
		if (k-- == 0)
			return i;
	return (MirInstId){0};
}

/* The block's instructions, one a line. */
static Str listing(Rig *r)
{
	Text *t = arena_new(&r->a, Text);
	text_init(t, &r->a);
	mir_each_inst(r->f.mir, r->f.mir_block, i) {
		mir_print_inst(t, r->f.mir, i);
		text_c(t, '\n');
	}
	return text_str(t);
}

static u32 times(Str s, const char *part)
{
	u32 n = (u32)strlen(part), found = 0;
	for (u32 i = 0; i + n <= s.n; i++)
		found += memcmp(s.p + i, part, n) == 0;
	return found;
}

/* These nodes and no others, in this order. */
static void emit_list(Rig *r, const DagVal *v, u32 n)
{
	VecU32 order = {0};
	for (u32 i = 0; i < n; i++)
		vec_push(&r->a, &order, v[i].n);
	dag_emit(&r->f, &order);
}

static u32 phase_count(Rig *r, const char *text)
{
	Text t;
	text_init(&t, &r->a);
	dag_emit_report(&r->f, &t, STR("f"));
	text_c(&t, 0);
	const char *at = strstr(t.p, text);
	EXPECT(at != NULL);
	return at ? (u32)atoi(at + strlen(text) + 2) : 0;
}

/* ---- dispatch ---- */

TEST(dispatch, EMIT_01_EMIT_03_EMIT_42_each_special_node_has_its_handler)
{
	Rig r;
	rig_open(&r);
	Dag    *d = &r.f.dag;
	DagNode side = {.props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  c = d->entry, all[11], operand[2];
	DagVt   chain[] = {VT_CHAIN}, both[] = {VT_I32, VT_CHAIN};
	MirReg  x = mir_reg_new(r.f.mir, MIR_B32), y = mir_reg_new(r.f.mir, MIR_B32);
	u32     n = 0;
	all[n++] = d->entry;
	operand[1] = constant(&r, 5);
#define SPECIAL(op, aux_, vts, n_vts)                               \
	operand[0] = c;                                             \
	side.opcode = op;                                           \
	side.aux = aux_;                                            \
	all[n++] = dag_node_like(d, &side, vts, n_vts, operand, 2); \
	c = dag_res(all[n - 1].n, n_vts - 1)
	SPECIAL(DAG_EH_LABEL, 0, chain, 1);
	SPECIAL(DAG_LIFETIME, 0, chain, 1);
	SPECIAL(DAG_LIFETIME, 1, chain, 1);
	SPECIAL(DAG_PSEUDO_PROBE, 0, chain, 1);
	operand[1] = dag_text(d, strtab_add(&r.s.strs, STR("nop;")));
	SPECIAL(DAG_INLINEASM, 0, both, 2);
#undef SPECIAL
	DagNode undef = {.opcode = DAG_IMPLICIT_DEF};
	all[n++] = dag_copy_from(d, c, x, VT_I32);
	all[n++] = dag_node_like(d, &undef, (DagVt[]){VT_I32}, 1, NULL, 0);
	DagVal sum = inst(&r, "add.s32", 1, false, all + n - 2, 2), out = copy_to(&r, dag_res(sum.n, 1), y, sum);
	all[n++] = sum;
	all[n++] = out;
	all[n++] = dag_tokens(d, (DagVal[]){out, c}, 2);
	d->root = all[n - 1];
	emit_list(&r, all, n);
	static const u32 want[] = {
		ISA_EH_LABEL, ISA_LIFETIME_START, ISA_LIFETIME_END, ISA_PSEUDO_PROBE, ISA_INLINEASM, ISA_IMPLICIT_DEF, 0};
	EXPECT_EQ(count(&r, 0), PS_COUNT(want)); /* nothing for EntryToken, CopyFromReg, CopyToReg, TokenFactor here */
	for (u32 k = 0; k + 1 < PS_COUNT(want); k++)
		EXPECT_EQ(mir_inst(r.f.mir, nth(&r, k))->desc, want[k]);
	MirInstId add = nth(&r, PS_COUNT(want) - 1);
	EXPECT_EQ(mir_inst(r.f.mir, add)->desc, desc(&r, "add.s32"));
	EXPECT_EQ(mir_op(r.f.mir, add, 0)->ref, y.i);
	EXPECT_EQ(mir_op(r.f.mir, add, 1)->ref, x.i);
	rig_close(&r);
}

TEST(dispatch, EMIT_48_parts_of_registers_have_forms_of_their_own)
{
	static const struct {
		DagOp op;
		u32   desc, operands;
	} row[] = {{DAG_INSERT_SUBREG, ISA_INSERT_SUBREG, 3},
	           {DAG_SUBREG_TO_REG, ISA_SUBREG_TO_REG, 3},
	           {DAG_COPY_TO_REGCLASS, ISA_COPY_TO_REGCLASS, 2},
	           {DAG_EXTRACT_SUBREG, ISA_EXTRACT_SUBREG, 2}};
	for (u32 k = 0; k < PS_COUNT(row); k++) {
		Rig r;
		rig_open(&r);
		Dag   *d = &r.f.dag;
		DagVal x = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1),
		       y = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 2)}, 1);
		DagVal ops[] = {x, y, constant(&r, 7)}, two[] = {x, constant(&r, 7)};
		DagVal part = dag_node_n(d, row[k].op, (DagVt[]){VT_I32}, 1, row[k].operands == 3 ? ops : two, row[k].operands);
		MirReg to = mir_reg_new(r.f.mir, MIR_B32);
		run(&r, dag_tokens(d, (DagVal[]){copy_to(&r, d->entry, to, part), dag_res(y.n, 1)}, 2));
		EXPECT_EQ(count(&r, row[k].desc), 1);
		EXPECT_EQ(count(&r, 0), 3);
		MirInstId i = mir_def_inst(r.f.mir, to);
		EXPECT_EQ(mir_inst(r.f.mir, i)->desc, row[k].desc);
		EXPECT_EQ(mir_inst(r.f.mir, i)->n_ops, 1 + row[k].operands);
		for (u32 n = 0; n + 1 < row[k].operands; n++) /* the registers, in order */
			EXPECT_EQ(mir_op(r.f.mir, mir_def_inst(r.f.mir, mir_op_reg(mir_op(r.f.mir, i, 1 + n))), 1)->imm, n + 1);
		EXPECT_EQ(mir_op(r.f.mir, i, row[k].operands)->imm, 7);
		rig_close(&r);
	}
}

/* A pair of loads: results, operands in the order of the node's, memory, and the order of the schedule. */
TEST(dispatch, EMIT_15_an_instruction_has_its_results_operands_and_memory_in_schedule_order)
{
	Rig r;
	rig_open(&r);
	Dag    *d = &r.f.dag;
	DagMem  mem = {.mem = {.size = 8, .space = 1, .align_log2 = 3, .flags = MMF_LOAD}, .vt = VT_I32};
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "ld.global.v2.u32"), .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[] = {VT_I32, VT_I32, VT_CHAIN};
	DagVal  p = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B64), VT_I64), chain = d->entry;
	like.mem = dag_mem_new(d, mem);
	for (u32 k = 0; k < 2; k++) {
		d->order = k + 1;
		chain = dag_res(dag_node_like(d, &like, vts, 3, (DagVal[]){p, constant(&r, 8 * k), chain}, 3).n, 2);
	}
	run(&r, chain);
	EXPECT_EQ(count(&r, 0), 2);
	for (u32 k = 0; k < 2; k++) {
		MirInstId i = nth(&r, k);
		EXPECT_EQ(mir_inst(r.f.mir, i)->desc, like.desc);
		EXPECT_EQ(mir_inst(r.f.mir, i)->n_defs, 2);
		EXPECT_EQ(mir_inst(r.f.mir, i)->n_ops, 4);
		EXPECT(mir_op(r.f.mir, i, 0)->ref != mir_op(r.f.mir, i, 1)->ref);
		EXPECT_EQ(mir_op(r.f.mir, i, 2)->ref, 1); /* the address */
		EXPECT_EQ(mir_op(r.f.mir, i, 3)->imm, 8 * k);
	}
	EXPECT_EQ(times(listing(&r), ":: (load"), 2);
	rig_close(&r);
}

/* ---- nodes that nothing needs ---- */

TEST(dead, EMIT_05_a_node_that_nothing_reads_leaves_unless_it_does_something)
{
	for (u32 effect = 0; effect < 2; effect++) {
		Rig r;
		rig_open(&r);
		DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "mov.b32"), .props = effect ? DP_SIDE_EFFECT : 0};
		DagVal  k = constant(&r, 3), v = dag_node_like(&r.f.dag, &like, (DagVt[]){VT_I32}, 1, &k, 1);
		emit_list(&r, &v, 1);
		EXPECT_EQ(count(&r, 0), effect);
		rig_close(&r);
	}
}

TEST(dead, EMIT_06_a_node_with_one_reader_is_emitted)
{
	Rig r;
	rig_open(&r);
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "mov.b32")};
	DagVal  k = constant(&r, 3), list[2];
	list[0] = dag_node_like(&r.f.dag, &like, (DagVt[]){VT_I32}, 1, &k, 1);
	list[1] = inst(&r, "not.b32", 1, false, list, 1);
	jmp_buf out;
	r.s.out = &out;
	bool refused = setjmp(out) != 0;
	if (!refused)
		emit_list(&r, list, 2);
	EXPECT(!refused);
	EXPECT_EQ(count(&r, like.desc), 1);
	rig_close(&r);
}

/* Copies of a physical register: unread, read, and read by a copy that nothing reads, glued or not. */
TEST(dead, EMIT_31_EMIT_32_EMIT_35_EMIT_49_unread_copies_go_those_that_are_read_stay)
{
	Rig r;
	rig_open(&r);
	Dag   *d = &r.f.dag;
	DagVal v = from_phys(&r, d->entry), w = from_phys(&r, dag_res(v.n, 1)), not = inst(&r, "not.b32", 1, false, &w, 1);
	run(&r, dag_tokens(d, (DagVal[]){dag_res(v.n, 1), dag_res(not .n, 1)}, 2));
	EXPECT_EQ(count(&r, 0), 2);
	EXPECT_EQ(count(&r, ISA_COPY), 1);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 1), 1)->ref, mir_op(r.f.mir, nth(&r, 0), 0)->ref);
	rig_close(&r);
	for (u32 read = 0; read < 2; read++) {
		rig_open(&r);
		DagNode like = {.opcode = DAG_CopyFromReg};
		DagVal  from[] = {d->entry, dag_reg(d, VT_I32, mir_phys(MIR_PHYS_SP))};
		DagVal  first = dag_node_like(d, &like, (DagVt[]){VT_I32, VT_CHAIN, VT_GLUE}, 3, from, 2);
		DagVal  copy = inst(&r, "COPY", 1, false, (DagVal[]){first, dag_res(first.n, 2)}, 2);
		DagVal  other = inst(&r, "not.b32", 1, false, (DagVal[]){read ? copy : constant(&r, 1)}, 1);
		run(&r, dag_tokens(d, (DagVal[]){dag_res(copy.n, 1), dag_res(other.n, 1)}, 2));
		EXPECT_EQ(count(&r, ISA_COPY), read ? 2 : 0);
		rig_close(&r);
	}
}

TEST(dead, EMIT_34_kill_flags_of_copied_physical_registers_go)
{
	Rig r;
	rig_open(&r);
	MirReg    other = mir_reg_new(r.f.mir, MIR_B32);
	MirReg    reg[] = {mir_phys(MIR_PHYS_SP), mir_phys(MIR_PHYS_SPL), other};
	MirInstId killer[3];
	for (u32 k = 0; k < 3; k++) {
		killer[k] = mir_build(r.f.mir, r.f.mir_block, (MirInstId){0}, desc(&r, "not.b32"));
		mir_add_def(r.f.mir, killer[k], mir_reg_new(r.f.mir, MIR_B32));
		mir_add_reg(r.f.mir, killer[k], reg[k], MOF_KILL);
	}
	DagVal v = from_phys(&r, r.f.dag.entry), x = inst(&r, "not.b32", 1, false, &v, 1);
	run(&r, copy_to(&r, dag_res(x.n, 1), mir_phys(MIR_PHYS_SPL), x)); /* out of one, into another */
	for (u32 k = 0; k < 3; k++)
		EXPECT_EQ((mir_op(r.f.mir, killer[k], 1)->flags & MOF_KILL) != 0, k == 2);
	rig_close(&r);
}

/* ---- glue ---- */

/* EMIT-04: glued nodes stand next to each other, in order, whatever the source says. */
TEST(glue, EMIT_04_glued_nodes_stand_next_to_each_other_in_order)
{
	Rig r;
	rig_open(&r);
	Dag *d = &r.f.dag;
	d->order = 1;
	DagVal first = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 1)}, 1);
	d->order = 5;
	DagVal other = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 99)}, 1);
	d->order = 9;
	DagVal b = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 2), dag_res(first.n, 1)}, 2);
	DagVal c = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 3), dag_res(b.n, 1)}, 2);
	DagVal chains[] = {dag_res(other.n, 1), dag_res(c.n, 1)};
	run(&r, dag_tokens(d, chains, 2));
	u32 at[100] = {0};
	for (u32 k = 0; k < 4; k++)
		at[mir_op(r.f.mir, nth(&r, k), 1)->imm] = k;
	EXPECT_EQ(at[2], at[1] + 1);
	EXPECT_EQ(at[3], at[2] + 1);
	rig_close(&r);
}

TEST(glue, EMIT_45_glue_that_goes_in_a_circle_is_an_internal_error)
{
	Rig r;
	rig_open(&r);
	Dag   *d = &r.f.dag;
	DagVal x = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 1)}, 1);
	DagVal y = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 2), dag_res(x.n, 1)}, 2);
	DagVal z = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 3), dag_res(y.n, 1)}, 2);
	DagVal sum = inst(&r, "add.s32", 1, false, (DagVal[]){y, z}, 2);
	dag_set_operand(d, y.n, 1, dag_res(z.n, 1));
	jmp_buf out;
	r.s.out = &out;
	bool caught = setjmp(out) != 0;
	if (!caught)
		run(&r, dag_res(sum.n, 1));
	EXPECT(caught);
	EXPECT_EQ(times(r.s.failure, "glue is cyclic"), 1); /* and no later complaint */
	rig_close(&r);
}

/* ---- copies ---- */

/* EMIT-07, EMIT-20: the value is made in the register that wants it; a second register gets a COPY. */
TEST(copies, EMIT_07_EMIT_20_the_value_is_made_in_the_register_that_wants_it)
{
	Rig r;
	rig_open(&r);
	MirReg x = mir_reg_new(r.f.mir, MIR_B32), y = mir_reg_new(r.f.mir, MIR_B32);
	DagVal first = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1);
	DagVal chains[] = {copy_to(&r, dag_res(first.n, 1), x, first), copy_to(&r, dag_res(first.n, 1), y, first)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	EXPECT_EQ(count(&r, 0), 2);
	EXPECT_EQ(count(&r, ISA_COPY), 1);
	u32 def = mir_op(r.f.mir, nth(&r, 0), 0)->ref;
	EXPECT(def == x.i || def == y.i);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 1), 1)->ref, def);
	rig_close(&r);
}

/* EMIT-08: CopyToReg of an IMPLICIT_DEF defines the register itself. */
TEST(copies, EMIT_08_copytoreg_of_an_implicit_def_defines_the_register_itself)
{
	Rig r;
	rig_open(&r);
	MirReg  x = mir_reg_new(r.f.mir, MIR_B32), y = mir_reg_new(r.f.mir, MIR_B32);
	DagNode like = {.opcode = DAG_IMPLICIT_DEF};
	DagVal  u = dag_node_like(&r.f.dag, &like, (DagVt[]){VT_I32}, 1, NULL, 0);
	DagVal  chains[] = {copy_to(&r, r.f.dag.entry, x, u), copy_to(&r, r.f.dag.entry, y, u)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	EXPECT_EQ(count(&r, ISA_COPY), 0);
	EXPECT_EQ(count(&r, ISA_IMPLICIT_DEF), 2);
	EXPECT(mir_def_inst(r.f.mir, x).i != 0 && mir_def_inst(r.f.mir, y).i != 0);
	rig_close(&r);
}

/* EMIT-11: out of a physical register straight into the one that is wanted. */
TEST(copies, EMIT_11_out_of_a_physical_register_straight_into_the_one_that_is_wanted)
{
	Rig r;
	rig_open(&r);
	MirReg x = mir_reg_new(r.f.mir, MIR_B32);
	DagVal v = from_phys(&r, r.f.dag.entry);
	run(&r, copy_to(&r, dag_res(v.n, 1), x, v));
	EXPECT_EQ(count(&r, ISA_COPY), 1);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 0), 0)->ref, x.i);
	rig_close(&r);
}

TEST(copies, EMIT_09_EMIT_10_from_a_virtual_register_nothing_and_back_nothing)
{
	Rig r;
	rig_open(&r);
	MirReg x = mir_reg_new(r.f.mir, MIR_B32), y = mir_reg_new(r.f.mir, MIR_B32);
	DagVal v = dag_copy_from(&r.f.dag, r.f.dag.entry, x, VT_I32), n = inst(&r, "not.b32", 1, false, &v, 1);
	DagVal back = copy_to(&r, dag_res(v.n, 1), x, v);
	run(&r, dag_tokens(&r.f.dag, (DagVal[]){back, copy_to(&r, dag_res(n.n, 1), y, n)}, 2));
	EXPECT_EQ(count(&r, 0), 1);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 0), 1)->ref, x.i); /* the reader names the register itself */
	rig_close(&r);
}

/* As wide as the type, of its file, for all that read it. */
TEST(copies, EMIT_12_with_several_users_it_gets_a_register_that_all_of_them_take)
{
	static const struct {
		DagVt       vt;
		MirClass    rc;
		const char *user[2];
	} row[] = {{VT_I32, MIR_B32, {"not.b32", "neg.s32"}},
	           {VT_I64, MIR_B64, {"not.b64", "neg.s64"}},
	           {VT_F32, MIR_F32, {"neg.f32", "abs.f32"}}};
	for (u32 k = 0; k < PS_COUNT(row); k++) {
		Rig r;
		rig_open(&r);
		Dag    *d = &r.f.dag;
		DagVal  v = dag_copy_from(d, d->entry, mir_phys(MIR_PHYS_SP), row[k].vt), chains[2];
		DagNode like = {.opcode = DAG_MACHINE, .props = DP_SIDE_EFFECT | DP_NO_CSE};
		for (u32 u = 0; u < 2; u++) {
			like.desc = desc(&r, row[k].user[u]);
			chains[u] = dag_res(dag_node_like(d, &like, (DagVt[]){row[k].vt, VT_CHAIN}, 2, &v, 1).n, 1);
		}
		run(&r, dag_tokens(d, chains, 2));
		EXPECT_EQ(count(&r, ISA_COPY), 1);
		MirReg reg = mir_op_reg(mir_op(r.f.mir, nth(&r, 0), 0));
		EXPECT_EQ(mir_class(r.f.mir, reg), row[k].rc);
		EXPECT_EQ(mir_vreg(r.f.mir, reg)->n_uses, 2);
		rig_close(&r);
	}
}

/* Four texels and whether they are resident: one instruction, each result in a register of its own. */
TEST(results, EMIT_40_each_result_of_a_node_is_defined_once)
{
	Rig r;
	rig_open(&r);
	Dag    *d = &r.f.dag;
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "ld.global.v4.u32"), .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[] = {VT_I32, VT_I32, VT_I32, VT_I32, VT_CHAIN};
	DagVal  p = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B64), VT_I64);
	DagVal  v = dag_node_like(d, &like, vts, 5, (DagVal[]){p, constant(&r, 0), d->entry}, 3), chains[4];
	for (u32 k = 0; k < 4; k++) {
		d->order = k + 1;
		chains[k] = dag_res(inst(&r, "not.b32", 1, false, (DagVal[]){dag_res(v.n, 3 - k)}, 1).n, 1);
	}
	run(&r, dag_tokens(d, chains, 4));
	EXPECT_EQ(mir_inst(r.f.mir, nth(&r, 0))->n_defs, 4);
	for (u32 k = 0; k < 4; k++) {
		u32 ref = mir_op(r.f.mir, nth(&r, 0), k)->ref;
		EXPECT_EQ(mir_op(r.f.mir, nth(&r, 4 - k), 1)->ref, ref);
		EXPECT_EQ(mir_vreg(r.f.mir, (MirReg){ref})->n_uses, 1);
		EXPECT(mir_def_inst(r.f.mir, (MirReg){ref}).i == nth(&r, 0).i);
	}
	rig_close(&r);
}

/* Ten times the nodes take ten times the memory, also where one value has all the readers; what takes the square of the
 * time does not end. */
TEST(results, EMIT_44_work_grows_with_the_nodes)
{
	u64 used[3];
	u32 size[] = {1000, 10000, 100000};
	for (u32 s = 0; s < 3; s++) {
		Rig r;
		rig_open(&r);
		Dag   *d = &r.f.dag;
		VecU32 order = {0};
		DagVal v = constant(&r, 1), chain = d->entry, first = from_phys(&r, chain);
		vec_push(&r.a, &order, first.n);
		for (u32 i = 1; i < size[s]; i++) {
			if (i % 4 == 3) { /* copies, half of them of no use to anybody */
				DagVal c = from_phys(&r, chain);
				chain = dag_res(c.n, 1);
				vec_push(&r.a, &order, c.n);
				if (i % 8 == 7)
					v = c;
				continue;
			}
			v = inst(&r, "add.s32", 1, false, (DagVal[]){v, first}, 2);
			vec_push(&r.a, &order, v.n);
		}
		used[s] = r.a.used;
		dag_emit(&r.f, &order);
		used[s] = r.a.used - used[s];
		EXPECT_EQ(count(&r, 0), size[s] - size[s] / 8);
		rig_close(&r);
	}
	for (u32 s = 1; s < 3; s++)
		EXPECT(used[s] < 14 * used[s - 1]);
}

/* One block in which each phase has a count of its own. */
TEST(phases, EMIT_43_the_report_counts_fourteen_phases)
{
	Rig r;
	rig_open(&r);
	Dag      *d = &r.f.dag;
	MirInstId killer = mir_build(r.f.mir, r.f.mir_block, (MirInstId){0}, desc(&r, "not.b32"));
	mir_add_def(r.f.mir, killer, mir_reg_new(r.f.mir, MIR_B32));
	mir_add_reg(r.f.mir, killer, mir_phys(MIR_PHYS_SP), MOF_KILL);
	DagVal  list[16], v = from_phys(&r, d->entry), k2[] = {constant(&r, 1), constant(&r, 2)};
	u32     n = 0;
	DagNode load = {.opcode = DAG_MACHINE, .desc = desc(&r, "ld.global.v2.u32"), .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagNode lost = {.opcode = DAG_MACHINE, .desc = desc(&r, "mov.b32")};
	load.mem = dag_mem_new(d, (DagMem){.mem = {.size = 8, .flags = MMF_LOAD}, .vt = VT_I32});
	DagVal p = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B64), VT_I64);
	list[n++] = dag_node_like(d, &lost, (DagVt[]){VT_I32}, 1, k2, 1);
	list[n++] = p;
	list[n++] = v;
	list[n++] = dag_node_like(d, &load, (DagVt[]){VT_I32, VT_I32, VT_CHAIN}, 3, (DagVal[]){p, k2[0], d->entry}, 3);
	list[n++] = inst(&r, "COPY", 1, false, (DagVal[]){v}, 1); /* nothing reads it, and then nothing reads v */
	DagVal low = inst(&r, "add.cc.s32", 1, true, k2, 2);
	DagVal high = inst(&r, "addc.cc.s32", 1, true, (DagVal[]){k2[0], k2[1], dag_res(low.n, 1)}, 3);
	list[n++] = low;
	list[n++] = high;
	list[n++] = inst(&r, "shfl.down.b32", 1, false, (DagVal[]){high, k2[0], k2[1]}, 3);
	list[n++] = inst(&r, "not.b32", 1, false, (DagVal[]){dag_res(list[3].n, 1)}, 1);
	d->root = list[n - 1];
	emit_list(&r, list, n);
	EXPECT_EQ(phase_count(&r, "1 nodes that nothing needs, left out"), 1);
	EXPECT_EQ(phase_count(&r, "2 nodes that follow the node whose glue they take"), 1);
	EXPECT_EQ(phase_count(&r, "3 nodes given to their handlers"), 8);
	EXPECT_EQ(phase_count(&r, "4 instructions of the generic path"), 6);
	EXPECT_EQ(phase_count(&r, "5 instructions that the target lacks, expanded"), 1);
	EXPECT_EQ(phase_count(&r, "6 instructions with implicit registers"), 2);
	EXPECT_EQ(phase_count(&r, "7 copies into and out of registers"), 1);
	EXPECT_EQ(phase_count(&r, "8 implicit registers read"), 1);
	EXPECT_EQ(phase_count(&r, "9 implicit definitions that nothing reads, marked"), 1);
	EXPECT_EQ(phase_count(&r, "10 memory records"), 1);
	EXPECT_EQ(phase_count(&r, "11 results given a register"), 9);
	EXPECT_EQ(phase_count(&r, "12 copies that nothing reads, erased"), 1);
	EXPECT_EQ(phase_count(&r, "13 copies that only erased ones read, erased"), 1);
	EXPECT_EQ(phase_count(&r, "14 kill flags of copied physical registers, cleared"), 1);
	rig_close(&r);
}

/* ---- implicit registers ---- */

/* EMIT-22: results beyond the instruction's own are copies of what it defines implicitly. */
TEST(implicit, EMIT_22_a_used_implicit_definition_is_copied_to_a_register)
{
	for (u32 used = 0; used < 2; used++) {
		Rig r;
		rig_open(&r);
		DagVal k2[] = {constant(&r, 1), constant(&r, 2)};
		DagVal x = inst(&r, "add.cc.s32", 2, false, k2, 2);
		DagVal y = inst(&r, "not.b32", 1, false, used ? (DagVal[]){dag_res(x.n, 1)} : (DagVal[]){x}, 1);
		DagVal chains[] = {dag_res(x.n, 2), dag_res(y.n, 1)};
		run(&r, dag_tokens(&r.f.dag, chains, 2));
		EXPECT_EQ(count(&r, ISA_COPY), used);
		EXPECT_EQ(mir_inst(r.f.mir, nth(&r, 0))->n_defs, 1);
		if (used) {
			EXPECT_EQ(mir_op(r.f.mir, nth(&r, 1), 1)->ref, mir_phys(MIR_PHYS_CC).i);
			EXPECT_EQ(mir_op(r.f.mir, nth(&r, 2), 1)->ref, mir_op(r.f.mir, nth(&r, 1), 0)->ref);
		}
		rig_close(&r);
	}
}

static const MirOp *carry_of(Rig *r, u32 k)
{
	MirInstId i = nth(r, k);
	for (u32 n = 0; n < mir_inst(r->f.mir, i)->n_ops; n++)
		if (mir_op(r->f.mir, i, n)->ref == mir_phys(MIR_PHYS_CC).i && mir_op_is_def(mir_op(r->f.mir, i, n)))
			return mir_op(r->f.mir, i, n);
	return NULL;
}

/* EMIT-23: of low word and high word, only the carry that nothing takes is dead. */
TEST(implicit, EMIT_23_only_unused_implicit_definitions_are_dead)
{
	Rig r;
	rig_open(&r);
	Dag   *d = &r.f.dag;
	DagVal low = inst(&r, "add.cc.s32", 1, true, (DagVal[]){constant(&r, 1), constant(&r, 2)}, 2);
	DagVal high = inst(&r, "addc.cc.s32", 1, true, (DagVal[]){constant(&r, 3), constant(&r, 4), dag_res(low.n, 1)}, 3);
	DagVal sum = inst(&r, "add.s32", 1, false, (DagVal[]){low, high}, 2);
	run(&r, dag_res(sum.n, 1));
	(void)d;
	const MirOp *l = carry_of(&r, 0), *h = carry_of(&r, 1);
	EXPECT(l && (l->flags & MOF_IMPLICIT) && !(l->flags & MOF_DEAD));
	EXPECT(h && (h->flags & MOF_IMPLICIT) && (h->flags & MOF_DEAD));
	EXPECT(!carry_of(&r, 2));
	rig_close(&r);
}

/* What glued CopyFromReg and register operands read is no dead definition. */
TEST(implicit, EMIT_24_physical_registers_that_the_glue_chain_reads_are_not_dead)
{
	for (u32 form = 0; form < 3; form++) {
		Rig r;
		rig_open(&r);
		Dag    *d = &r.f.dag;
		DagVal  low = inst(&r, "add.cc.s32", 1, true, (DagVal[]){constant(&r, 1), constant(&r, 2)}, 2);
		DagVal  cc = dag_reg(d, VT_I32, mir_phys(MIR_PHYS_CC)), root;
		DagNode like = {.opcode = DAG_CopyFromReg, .props = DP_SIDE_EFFECT};
		if (form == 0)
			root = dag_res(dag_node_like(d, &like, (DagVt[]){VT_I32, VT_CHAIN}, 2,
			                             (DagVal[]){d->entry, cc, dag_res(low.n, 1)}, 3)
			                       .n,
			               1);
		else
			root = dag_res(inst(&r, "not.b32", 1, false, (DagVal[]){form == 1 ? cc : low, dag_res(low.n, 1)}, 2).n,
			               1);
		run(&r, root);
		EXPECT_EQ((carry_of(&r, 0)->flags & MOF_DEAD) != 0, form == 2);
		rig_close(&r);
	}
}

/* A barrier is convergent and nothing reads it; glue does not make it go either. */
TEST(implicit, EMIT_27_a_convergent_node_is_emitted)
{
	for (u32 glued = 0; glued < 2; glued++) {
		Rig r;
		rig_open(&r);
		DagVal  x = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 1)}, 1);
		DagNode bar = {
			.opcode = DAG_MACHINE, .desc = desc(&r, "bar.sync"), .props = DP_SIDE_EFFECT | DP_NO_CSE | DP_CONVERGENT};
		bar.k[0] = bar.k[1] = ~(u64)0; /* payload of the node that it was selected from */
		DagVal b = dag_node_like(&r.f.dag, &bar, (DagVt[]){VT_CHAIN}, 1,
		                         (DagVal[]){constant(&r, 0), r.f.dag.entry, dag_res(x.n, 1)}, glued ? 3 : 2);
		run(&r, dag_tokens(&r.f.dag, (DagVal[]){b, inst(&r, "not.b32", 1, false, &x, 1)}, 1));
		EXPECT_EQ(count(&r, bar.desc), 1);
		rig_close(&r);
	}
}

static void expand(const char *cpu, const char *before, u32 results, u32 want, const char *after)
{
	Rig r;
	rig_open(&r);
	target_set_cpu(&r.s.target, str_of(cpu), false);
	Dag   *d = &r.f.dag;
	DagVal all[9];
	u32    id = desc(&r, before);
	EXPECT(id != 0);
	u32 n_ops = isa_desc(&r.s, id)->n_operands - results;
	for (u32 k = 0; k < n_ops; k++) {
		const IsaOperand *o = &isa_desc(&r.s, id)->operand[results + k];
		DagVt             vt = o->rc == RC_PRED ? VT_I1 : o->rc == RC_B16 ? VT_I16 : o->rc == RC_B64 ? VT_I64 : VT_I32;
		all[k] = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, dag_class_of(vt)), vt);
	}
	DagNode like = {.opcode = DAG_MACHINE, .desc = id, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[] = {VT_I32, VT_CHAIN};
	all[n_ops] = dag_node_like(d, &like, vts + !results, 1 + results, all, n_ops);
	emit_list(&r, all, n_ops + 1);
	EXPECT_EQ(count(&r, 0), want);
	EXPECT_EQ(count(&r, desc(&r, after)), 1);
	rig_close(&r);
}

TEST(target, EMIT_16_EMIT_17_custom_inserters_expand_the_pseudos_that_a_target_lacks)
{
	static const char *const shfl[] = {"up", "down", "bfly", "idx"}, *const vote[] = {"all", "any", "uni"};
	static const char *const surface[] = {"1d", "2d", "3d", "a1d", "a2d"};
	for (u32 old = 0; old < 2; old++) {
		const char *cpu = old ? "sm_50" : "sm_90", *sync = old ? "" : ".sync";
		for (u32 k = 0; k < PS_COUNT(shfl); k++)
			expand(cpu, arena_fmt(a, "shfl.%s.b32", shfl[k]).p, 1, old ? 1 : 2,
			       arena_fmt(a, "shfl%s.%s.b32", sync, shfl[k]).p);
		for (u32 k = 0; k < PS_COUNT(vote); k++)
			expand(cpu, arena_fmt(a, "vote.%s.pred", vote[k]).p, 1, old ? 1 : 2,
			       arena_fmt(a, "vote%s.%s.pred", sync, vote[k]).p);
		expand(cpu, "vote.ballot.b32", 1, old ? 1 : 2, arena_fmt(a, "vote%s.ballot.b32", sync).p);
		for (u32 k = 0; k < PS_COUNT(surface); k++)
			for (u32 bits = 8; bits <= 32; bits *= 2) {
				expand(cpu, arena_fmt(a, "sust.p.%s.b%u.trap", surface[k], bits).p, 0, old || bits == 32 ? 1 : 2,
				       arena_fmt(a, "sust.p.%s.b%u.trap", surface[k], old ? bits : 32).p);
			}
	}
}

UNIT_MAIN
