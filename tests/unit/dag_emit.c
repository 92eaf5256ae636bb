/* The emitter: scheduled nodes become machine instructions. Names of tests begin with the behaviours they cover. */
#include "dag/emit.h"
#include "unit.h"

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

/* ---- dispatch ---- */

/* EMIT-02, ST-125: the bits of the special-opcode constant. */
TEST(dispatch, EMIT_02_ST_125_the_bits_of_the_special_opcode_constant)
{
	static const u8 set[] = {0x0F, 0x10, 0x11, 0x12, 0x18, 0x2B};
	for (u32 op = 0; op < 0x40; op++) {
		bool want = false;
		for (u32 i = 0; i < sizeof set; i++)
			want |= set[i] == op;
		EXPECT_EQ(emit_is_special(op), want);
	}
}

/* EMIT-50: opcodes of records and of nodes are numbered apart. */
TEST(dispatch, EMIT_50_ST_126_ST_133_opcodes_of_records_and_of_nodes_are_numbered_apart)
{
	EXPECT_EQ(EMIT_COPY, 1);
	EXPECT_EQ(EMIT_REG_SEQUENCE, 2);
	EXPECT_EQ(DAG_CopyFromReg, 0x14);
	EXPECT_EQ(DAG_CopyToReg, 0x0E);
	EXPECT_EQ(DAG_TokenFactor, 0x13);
	EXPECT_EQ(DAG_LIFETIME, 0x1C);
	EXPECT_EQ(DAG_PSEUDO_PROBE, 0x2B);
}

/* EMIT-01, EMIT-03, EMIT-15: instructions by the generic path, none for a TokenFactor. */
TEST(dispatch, EMIT_01_EMIT_03_EMIT_15_ST_129_instructions_by_the_generic_path_none_for_a_token_factor)
{
	Rig r;
	rig_open(&r);
	r.f.dag.order = 1;
	DagVal first = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 7)}, 1);
	r.f.dag.order = 2;
	DagVal b = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 8)}, 1);
	DagVal chains[] = {dag_res(first.n, 1), dag_res(b.n, 1)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	EXPECT_EQ(count(&r, 0), 2);
	EXPECT_EQ(count(&r, desc(&r, "mov.b32")), 2);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 0), 1)->imm, 7);
	rig_close(&r);
}

/* EMIT-05, EMIT-06: a dead node leaves unless forced; one with a consumer stays. */
TEST(dispatch, EMIT_05_EMIT_06_a_dead_node_leaves_unless_forced_one_with_a_consumer_stays)
{
	Rig r;
	rig_open(&r);
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "mov.b32")};
	DagVal  k = constant(&r, 3);
	DagVal  dead = dag_node_like(&r.f.dag, &like, (DagVt[]){VT_I32}, 1, &k, 1);
	EXPECT(!emit_node(r.e, dead.n));
	EXPECT_EQ(count(&r, 0), 0);
	r.e->force = true;
	EXPECT(emit_node(r.e, dead.n));
	EXPECT_EQ(count(&r, 0), 1);
	r.e->force = false;
	DagVal used = inst(&r, "mov.b32", 1, false, &k, 1);
	inst(&r, "not.b32", 1, false, &used, 1);
	EXPECT(emit_node(r.e, used.n));
	EXPECT_EQ(count(&r, 0), 2);
	rig_close(&r);
}

/* EMIT-42, EMIT-48: labels, lifetimes, probes, parts of registers have forms of their own. */
TEST(dispatch, EMIT_42_EMIT_48_ST_127_ST_128_ST_131_ST_132_labels_asm_lifetimes_probes_and_parts_of_registers)
{
	Rig r;
	rig_open(&r);
	Dag    *d = &r.f.dag;
	DagNode label = {.opcode = DAG_EH_LABEL, .props = DP_SIDE_EFFECT | DP_NO_CSE}, life = label, probe = label;
	life.opcode = DAG_LIFETIME;
	probe.opcode = DAG_PSEUDO_PROBE;
	DagVal c = dag_node_like(d, &label, (DagVt[]){VT_CHAIN}, 1, (DagVal[]){d->entry, constant(&r, 1)}, 2);
	c = dag_node_like(d, &life, (DagVt[]){VT_CHAIN}, 1, (DagVal[]){c, constant(&r, 0)}, 2);
	c = dag_node_like(d, &probe, (DagVt[]){VT_CHAIN}, 1, (DagVal[]){c, constant(&r, 0)}, 2);
	DagNode inline_ = {.opcode = DAG_INLINEASM, .k = {1}, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  text = dag_text(d, strtab_add(&r.s.strs, STR("nop;")));
	c = dag_res(dag_node_like(d, &inline_, (DagVt[]){VT_I32, VT_CHAIN}, 2, (DagVal[]){c, text}, 2).n, 1);
	DagVal x = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1);
	DagVal part = dag_node_n(d, DAG_COPY_TO_REGCLASS, (DagVt[]){VT_I32}, 1, (DagVal[]){x, constant(&r, 2)}, 2);
	DagVal chains[] = {c, copy_to(&r, d->entry, mir_reg_new(r.f.mir, MIR_B32), part)};
	run(&r, dag_tokens(d, chains, 2));
	EXPECT_EQ(count(&r, ISA_EH_LABEL), 1);
	EXPECT_EQ(count(&r, ISA_LIFETIME_START), 1);
	EXPECT_EQ(count(&r, ISA_PSEUDO_PROBE), 1);
	EXPECT_EQ(count(&r, ISA_COPY_TO_REGCLASS), 1);
	EXPECT_EQ(count(&r, ISA_INLINEASM), 1);
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

/* EMIT-46: links carry a tag in three bits. */
TEST(glue, EMIT_46_ST_155_links_carry_a_tag_in_three_bits)
{
	EXPECT_EQ(DAG_TAG_MASK, 0xFFFFFFFFFFFFFFF8u);
	EXPECT_EQ(dag_link_node(dag_link(77, DAG_TAG_GLUE)), 77);
	EXPECT_EQ(dag_link_tag(dag_link(77, DAG_TAG_GLUE)), DAG_TAG_GLUE);
}

/* EMIT-45: glue that goes in a circle is an internal error, not a hang. */
TEST(glue, EMIT_45_glue_that_goes_in_a_circle_is_an_internal_error)
{
	Rig r;
	rig_open(&r);
	DagVal first = inst(&r, "mov.b32", 1, true, (DagVal[]){constant(&r, 1)}, 1);
	dag_at(&r.f.dag, first.n)->link = dag_link(first.n, DAG_TAG_GLUE);
	jmp_buf out;
	r.s.out = &out;
	bool caught = false;
	if (setjmp(out) == 0)
		emit_node(r.e, first.n);
	else
		caught = true;
	EXPECT(caught);
	EXPECT(r.s.failure.n != 0);
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

/* EMIT-09, EMIT-10: from a virtual register nothing, and back into it nothing. */
TEST(copies, EMIT_09_EMIT_10_ST_130_from_a_virtual_register_nothing_and_back_nothing)
{
	Rig r;
	rig_open(&r);
	MirReg x = mir_reg_new(r.f.mir, MIR_B32);
	DagVal v = dag_copy_from(&r.f.dag, r.f.dag.entry, x, VT_I32);
	run(&r, copy_to(&r, dag_res(v.n, 1), x, v));
	EXPECT_EQ(count(&r, 0), 0);
	EXPECT_EQ(map_or(&r.e->vreg, emit_key(v), 0), x.i);
	rig_close(&r);
}

static DagVal from_phys(Rig *r, DagVal chain) { return dag_copy_from(&r->f.dag, chain, mir_phys(MIR_PHYS_SP), VT_I32); }

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

/* EMIT-12: with several users it gets a register of the type's class. */
TEST(copies, EMIT_12_with_several_users_it_gets_a_register_of_the_types_class)
{
	Rig r;
	rig_open(&r);
	DagVal v = from_phys(&r, r.f.dag.entry);
	DagVal first = inst(&r, "not.b32", 1, false, &v, 1), b = inst(&r, "neg.s32", 1, false, &v, 1);
	DagVal chains[] = {dag_res(first.n, 1), dag_res(b.n, 1)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	EXPECT_EQ(count(&r, ISA_COPY), 1);
	MirReg reg = {mir_op(r.f.mir, nth(&r, 0), 0)->ref};
	EXPECT_EQ(mir_class(r.f.mir, reg), MIR_B32);
	EXPECT_EQ(mir_vreg(r.f.mir, reg)->n_uses, 2);
	rig_close(&r);
}

/* EMIT-13: a register that cannot be copied is used as it is. */
TEST(copies, EMIT_13_a_register_that_cannot_be_copied_is_used)
{
	Rig r;
	rig_open(&r);
	static const u8 all[] = {0xFF};
	EmitClass       costly = {all, 1, 8, true};
	r.e->phys = &costly;
	DagVal v = from_phys(&r, r.f.dag.entry);
	DagVal first = inst(&r, "not.b32", 1, false, &v, 1);
	run(&r, dag_res(first.n, 1));
	EXPECT_EQ(count(&r, ISA_COPY), 0);
	EXPECT_EQ(mir_op(r.f.mir, nth(&r, 0), 1)->ref, mir_phys(MIR_PHYS_SP).i);
	rig_close(&r);
}

/* EMIT-14, EMIT-21: classes as bit vectors, and when an intersection is too small. */
TEST(copies, EMIT_14_EMIT_21_ST_153_ST_157_classes_as_bit_vectors_and_when_an_intersection_is_too_small)
{
	static const u8 first[] = {0x0F, 0x01}, b[] = {0x07, 0x00}, c[] = {0x0F};
	EmitClass       ca = {first, 2, 5, false}, cb = {b, 2, 3, false}, cc = {c, 1, 4, false};
	EXPECT(emit_class_contains(&ca, 3));
	EXPECT(emit_class_contains(&ca, 8));
	EXPECT(!emit_class_contains(&ca, 4));
	EXPECT(!emit_class_contains(&ca, 16));
	EXPECT(!emit_class_contains(&cc, 8));
	EXPECT_EQ(emit_common_registers(&ca, &cb), 3);
	EXPECT(emit_common_registers(&ca, &cb) < EMIT_MIN_CLASS);
	EXPECT_EQ(emit_common_registers(&ca, &cc), 4);
	EXPECT(!(emit_common_registers(&ca, &cc) < EMIT_MIN_CLASS));
}

/* ---- dead copies ---- */

/* EMIT-31, EMIT-32, EMIT-49: an unread copy goes before any pass; one that is read stays. */
TEST(dead, EMIT_31_EMIT_32_EMIT_49_an_unread_copy_goes_before_any_pass_one_that_is_read_stays)
{
	Rig r;
	rig_open(&r);
	DagVal v = from_phys(&r, r.f.dag.entry), w = from_phys(&r, dag_res(v.n, 1));
	DagVal first = inst(&r, "not.b32", 1, false, &w, 1);
	DagVal chains[] = {dag_res(v.n, 1), dag_res(first.n, 1)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	EXPECT_EQ(count(&r, ISA_COPY), 1);
	EXPECT_EQ(count(&r, desc(&r, "not.b32")), 1);
	rig_close(&r);
}

/* EMIT-34: physical registers that copies move are not dead behind them, whatever a flag said. */
TEST(dead, EMIT_34_kill_flags_of_copied_physical_registers_go)
{
	Rig r;
	rig_open(&r);
	DagVal v = from_phys(&r, r.f.dag.entry), x = inst(&r, "not.b32", 1, false, &v, 1);
	VecU32 order = {0};
	r.f.dag.root = copy_to(&r, dag_res(x.n, 1), mir_phys(MIR_PHYS_SPL), x);
	dag_schedule(&r.f, &order);
	emit_reset(r.e);
	for (u32 i = 0; i < order.n; i++)
		emit_node(r.e, order.p[i]);
	MirInstId late = mir_build(r.f.mir, r.f.mir_block, (MirInstId){0}, desc(&r, "not.b32"));
	mir_add_def(r.f.mir, late, mir_reg_new(r.f.mir, MIR_B32));
	mir_add_reg(r.f.mir, late, mir_phys(MIR_PHYS_SPL), MOF_KILL);
	mir_op(r.f.mir, nth(&r, 0), 1)->flags |= MOF_KILL; /* COPY $vrframe */
	MirOp *other = mir_op(r.f.mir, nth(&r, 1), 1);
	other->flags |= MOF_KILL; /* a virtual one stays as it is */
	emit_finish(r.e);
	EXPECT(!(mir_op(r.f.mir, nth(&r, 0), 1)->flags & MOF_KILL));
	EXPECT(!(mir_op(r.f.mir, late, 1)->flags & MOF_KILL));
	EXPECT(mir_op(r.f.mir, nth(&r, 1), 1)->flags & MOF_KILL);
	rig_close(&r);
}

static bool yes(Emitter *e, const EmitResultRecord *x)
{
	(void)e, (void)x;
	return true;
}
static bool no_inst(Emitter *e, MirInstId i)
{
	(void)e, (void)i;
	return false;
}

/* EMIT-49: a copy for other blocks goes only when the target says that it may. */
TEST(dead, EMIT_49_ST_145_a_copy_for_other_blocks_goes_only_when_the_target_says_so)
{
	for (u32 say = 0; say < 2; say++) {
		Rig r;
		rig_open(&r);
		EmitHooks hooks = {no_inst, no_inst, no_inst, yes, yes};
		if (say)
			r.e->hooks = &hooks;
		MirReg x = mir_reg_new(r.f.mir, MIR_B32), y = mir_reg_new(r.f.mir, MIR_B32);
		DagVal v = dag_copy_from(&r.f.dag, r.f.dag.entry, x, VT_I32);
		run(&r, copy_to(&r, dag_res(v.n, 1), y, v));
		EXPECT_EQ(count(&r, ISA_COPY), say ? 0 : 1);
		rig_close(&r);
	}
}

/* EMIT-35: a copy that only fed a copy that went goes as well, where the two are glued. */
TEST(dead, EMIT_35_a_glued_predecessor_whose_last_use_vanished_goes)
{
	for (u32 glued = 0; glued < 2; glued++) {
		Rig r;
		rig_open(&r);
		Dag      *d = &r.f.dag;
		EmitHooks hooks = {no_inst, no_inst, no_inst, yes, yes};
		r.e->hooks = &hooks;
		MirReg    y = mir_reg_new(r.f.mir, MIR_B32);
		MirInstId before = mir_build(r.f.mir, r.f.mir_block, (MirInstId){0}, ISA_IMPLICIT_DEF);
		mir_add_def(r.f.mir, before, y); /* y is taken: the value needs a register of its own */
		DagNode like = {.opcode = DAG_CopyFromReg};
		DagVal  from[] = {d->entry, dag_reg(d, VT_I32, mir_phys(MIR_PHYS_SP))};
		DagVal  v = dag_node_like(d, &like, (DagVt[]){VT_I32, VT_CHAIN, VT_GLUE}, 3, from, 2);
		DagNode to = {.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE};
		DagVal  ops[] = {dag_res(v.n, 1), dag_reg(d, VT_I32, y), v, dag_res(v.n, 2)};
		DagVal  c = dag_node_like(d, &to, (DagVt[]){VT_CHAIN}, 1, ops, glued ? 4 : 3);
		if (glued)
			dag_at(d, c.n)->link = dag_link(v.n, DAG_TAG_GLUE);
		run(&r, c);
		EXPECT_EQ(count(&r, ISA_COPY), glued ? 0 : 1);
		rig_close(&r);
	}
}

/* EMIT-33, EMIT-36: folded copies wait for the end, also the ninth. */
TEST(dead, EMIT_33_EMIT_36_ST_158_ST_175_folded_copies_wait_for_the_end_also_the_ninth)
{
	Rig r;
	rig_open(&r);
	DagVal chain = r.f.dag.entry, root[9];
	for (u32 i = 0; i < 9; i++) {
		DagVal v = from_phys(&r, chain);
		chain = dag_res(v.n, 1);
		root[i] = dag_res(inst(&r, "not.b32", 1, false, &v, 1).n, 1);
	}
	VecU32 order = {0};
	r.f.dag.root = dag_tokens(&r.f.dag, root, 9);
	dag_schedule(&r.f, &order);
	emit_reset(r.e);
	for (u32 i = 0; i < order.n; i++)
		emit_node(r.e, order.p[i]);
	EXPECT_EQ(count(&r, ISA_COPY), 9);
	for (u32 i = 0; i < r.e->records.n; i++)
		r.e->records.p[i].flags |= EMIT_FOLDED;
	emit_finish(r.e);
	EXPECT_EQ(count(&r, ISA_COPY), 0);
	EXPECT_EQ(r.e->dead_more.cap >= 1, 1);
	EXPECT_EQ(r.e->phase[14], 1);
	rig_close(&r);
}

/* EMIT-38: parameters that are copied one after the other are seen as a cascade; PTX has no such registers. */
TEST(cascade, EMIT_38_ST_160_copies_of_consecutive_parameters_are_a_cascade)
{
	for (u32 form = 0; form < 4; form++) { /* words, double words, a gap, another class */
		Rig r;
		rig_open(&r);
		Dag   *d = &r.f.dag;
		DagVt  vt = form == 1 ? VT_I64 : form == 3 ? VT_F32 : VT_I32;
		DagVal chain = d->entry, last = {0};
		u32    node[6];
		for (u32 i = 0; i < 6; i++) {
			last = dag_copy_from(d, chain, emit_param(i + 1 + (form == 2 && i >= 4)), vt);
			chain = dag_res(last.n, 1);
			node[i] = last.n;
		}
		EXPECT_EQ(emit_find_cascade(r.e, node, 6), form == 2 ? 4 : form == 3 ? 0 : 6);
		r.e->hooks = &emit_target_hooks;
		inst(&r, vt == VT_I64 ? "not.b64" : "not.b32", 1, false, &last, 1);
		run(&r, dag_tokens(d, (DagVal[]){chain, dag_res(d->n_nodes - 1, 1)}, 2));
		EXPECT_EQ(count(&r, ISA_COPY), 1); /* the one that is read */
		Text t;
		text_init(&t, &r.a);
		EXPECT(!mir_verify(r.f.mir, &t)); /* an internal notion */
		rig_close(&r);
	}
}

/* ---- hooks, properties, records ---- */

static char asked[8];
static u32  n_asked;
static bool hook_a(Emitter *e, MirInstId i)
{
	(void)e, (void)i;
	asked[n_asked++] = 'a';
	return false;
}
static bool hook_b(Emitter *e, MirInstId i)
{
	(void)e, (void)i;
	asked[n_asked++] = 'b';
	return false;
}
static bool hook_c(Emitter *e, MirInstId i)
{
	(void)e, (void)i;
	asked[n_asked++] = 'c';
	return false;
}

/* EMIT-16, EMIT-17: the three hooks are asked in order; the stubs say no. */
TEST(hooks, EMIT_16_EMIT_17_ST_144_the_three_hooks_are_asked_in_order_the_stubs_say_no)
{
	Rig r;
	rig_open(&r);
	EXPECT(!emit_default_hooks.custom_inserter(r.e, (MirInstId){0}));
	EXPECT(!emit_default_hooks.expand_pseudo(r.e, (MirInstId){0}));
	EXPECT(!emit_default_hooks.insert_subreg(r.e, (MirInstId){0}));
	EmitHooks hooks = {hook_a, hook_b, hook_c, yes, yes};
	r.e->hooks = &hooks;
	n_asked = 0;
	emit_node(r.e, inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1).n);
	EXPECT_STR(((Str){asked, n_asked}), "abc");
	rig_close(&r);
}

static void expand(const char *cpu, const char *before, u32 results, u32 n_ops, u32 want, const char *after)
{
	Rig r;
	rig_open(&r);
	target_set_cpu(&r.s.target, str_of(cpu), false);
	r.e->hooks = &emit_target_hooks;
	Dag   *d = &r.f.dag;
	DagVal ops[8];
	u32    id = desc(&r, before);
	EXPECT(id != 0);
	for (u32 k = 0; k < n_ops; k++) {
		const IsaOperand *o = &isa_desc(&r.s, id)->operand[results + k];
		DagVt             vt = o->rc == RC_PRED ? VT_I1 : o->rc == RC_B16 ? VT_I16 : o->rc == RC_B64 ? VT_I64 : VT_I32;
		ops[k] = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, dag_class_of(vt)), vt);
	}
	DagNode like = {.opcode = DAG_MACHINE, .desc = id, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[] = {VT_I32, VT_CHAIN};
	DagVal  v = dag_node_like(d, &like, vts + !results, 1 + results, ops, n_ops);
	for (u32 k = 0; k < n_ops; k++)
		emit_node(r.e, ops[k].n);
	emit_node(r.e, v.n);
	EXPECT_EQ(count(&r, 0), want);
	EXPECT_EQ(count(&r, desc(&r, after)), 1);
	rig_close(&r);
}

/* EMIT-16, ST-161: the target's inserters: old warp instructions, surface stores of bytes. */
TEST(hooks, EMIT_16_ST_161_custom_inserters_expand_the_pseudos_that_a_target_lacks)
{
	u32 n;
	emit_inserters(&n);
	EXPECT(n >= 15 && n <= 20);
	expand("sm_90", "shfl.down.b32", 1, 3, 2, "shfl.sync.down.b32");
	expand("sm_90", "vote.ballot.b32", 1, 1, 2, "vote.sync.ballot.b32");
	expand("sm_90", "sust.p.1d.b16.trap", 0, 3, 2, "sust.p.1d.b32.trap");
	expand("sm_90", "sust.p.1d.b32.trap", 0, 3, 1, "sust.p.1d.b32.trap");
	expand("sm_50", "shfl.down.b32", 1, 3, 1, "shfl.down.b32");
	expand("sm_50", "sust.p.1d.b16.trap", 0, 3, 1, "sust.p.1d.b16.trap");
}

/* EMIT-19: a divergent value gets the general class, and so does a uniform one; the record says which it is. */
TEST(hooks, EMIT_19_the_class_query_knows_of_divergence)
{
	Rig r;
	rig_open(&r);
	EXPECT_EQ(emit_class_for(VT_I32, true), MIR_B32);
	EXPECT_EQ(emit_class_for(VT_I32, false), emit_class_for(VT_I32, true));
	Dag   *d = &r.f.dag;
	DagVal uniform = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1),
	       other = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 2)}, 1);
	dag_at(d, other.n)->props |= DP_DIVERGENT;
	DagVal after[] = {inst(&r, "not.b32", 1, false, &uniform, 1), inst(&r, "not.b32", 1, false, &other, 1)};
	DagVal chains[] = {dag_res(after[0].n, 1), dag_res(after[1].n, 1)};
	run(&r, dag_tokens(d, chains, 2));
	for (u32 i = 0; i < r.e->records.n; i++) {
		const EmitResultRecord *x = &r.e->records.p[i];
		bool                    want = x->node == other.n || x->node == after[1].n;
		EXPECT_EQ((x->flags & EMIT_DIVERGENT) != 0, want);
		EXPECT_EQ(x->rc, MIR_B32);
	}
	EXPECT_EQ(r.e->records.n, 4);
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

/* EMIT-24: what glued CopyFromReg and register operands read counts as used. */
TEST(implicit, EMIT_24_physical_registers_of_the_glue_chain_are_used)
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
		else if (form == 1)
			root = dag_res(inst(&r, "not.b32", 1, false, (DagVal[]){cc, dag_res(low.n, 1)}, 2).n, 1);
		else
			root = dag_res(inst(&r, "not.b32", 1, false, (DagVal[]){low, dag_res(low.n, 1)}, 2).n, 1);
		run(&r, root);
		EXPECT_EQ(r.e->used_regs.n, form < 2);
		if (form < 2)
			EXPECT_EQ(r.e->used_regs.p[0], mir_phys(MIR_PHYS_CC).i);
		EXPECT_EQ((carry_of(&r, 0)->flags & MOF_DEAD) != 0, form == 2);
		rig_close(&r);
	}
}

/* EMIT-25, EMIT-26, EMIT-27: bit 36 skips a glued node that is not tied, at either site; convergence does not. */
TEST(hooks, EMIT_25_EMIT_26_EMIT_27_ST_134_ST_143_bit_36_skips_a_glued_node_that_is_not_tied)
{
	Rig r;
	rig_open(&r);
	Dag *d = &r.f.dag;
	for (u32 mask = 0; mask < 16; mask++) {
		DagVal   x = inst(&r, "not.b32", 1, true,
		                  (DagVal[]){d->entry, dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B32), VT_I32)}, 2);
		DagNode *n = dag_at(d, x.n);
		emit_node(r.e, dag_operand(d, n, 1).n);
		n->k[1] = mask & 1 ? EMIT_IMPLICIT_GLUE : 0;
		n->props |= (mask & 2 ? (u32)DP_GLUE : 0) | (mask & 4 ? (u32)DP_TIED : 0) | (mask & 8 ? (u32)DP_DEBUG_VALUE : 0) |
		            DP_CONVERGENT;
		u32 before = r.e->skipped_at[0], insts = count(&r, 0);
		emit_node(r.e, x.n);
		bool skip = (mask & 1) && (mask & 2) && !(mask & 4) && !(mask & 8);
		EXPECT_EQ(r.e->skipped_at[0] - before, skip);
		EXPECT_EQ(count(&r, 0) - insts, !skip);
	}
	DagVal   p = from_phys(&r, d->entry);
	DagNode *n = dag_at(d, p.n);
	n->k[1] = EMIT_IMPLICIT_GLUE;
	n->props |= DP_GLUE | DP_DEBUG_VALUE; /* this site does not look at bit 17 */
	inst(&r, "not.b32", 1, false, &p, 1);
	emit_node(r.e, p.n);
	EXPECT_EQ(r.e->skipped_at[1], 1);
	rig_close(&r);
}

/* EMIT-28: each mask of the property table is one bit. */
TEST(hooks, EMIT_28_ST_135_ST_136_ST_137_ST_138_ST_139_ST_140_ST_141_ST_142_each_mask_of_the_property_table_is_one_bit)
{
	Rig r;
	rig_open(&r);
	static const u64 masks[] = {EMIT_IS_CALL,   EMIT_IS_RESERVED, EMIT_IS_IMPLICIT,  EMIT_IS_SIMPLE,
	                            EMIT_IS_SUBREG, EMIT_ALLOCATABLE, EMIT_IMPLICIT_GLUE};
	static const u64 want[] = {0x80, 0x200, 0x80000, 0x100000, 0x400000, 0x40000000, 0x1000000000};
	DagVal           k2[] = {constant(&r, 1), constant(&r, 2)};
	DagVal           x = inst(&r, "add.s32", 1, false, k2, 2);
	for (u32 i = 0; i < 7; i++) {
		EXPECT_EQ(masks[i], want[i]);
		dag_at(&r.f.dag, x.n)->k[1] = masks[i];
		for (u32 k = 0; k < 7; k++)
			EXPECT_EQ(emit_has_property(&r.f.dag, x.n, masks[k], 1), i == k);
	}
	rig_close(&r);
}

/* EMIT-30, EMIT-51, EMIT-52: formats. */
TEST(records, EMIT_30_EMIT_51_EMIT_52_ST_146_ST_152_ST_154_ST_156_formats)
{
	EXPECT_EQ(sizeof(EmitResultRecord), 40);
	EXPECT_EQ(emit_phys_number(emit_phys(5)), 5);
	EXPECT(emit_is_phys(emit_phys(5)));
	EXPECT(!emit_is_phys(EMIT_NO_REG));
	EXPECT(!emit_is_phys(5));
	EXPECT_EQ(emit_phys_index(emit_phys(5)), 80);
	EXPECT_EQ(offsetof(DagNode, opcode), 0x44);
	EXPECT_EQ(offsetof(DagNode, ref_count), 0x78);
	DagNode n = {.n_ops = 3u << 24 | 0xABCDEF};
	EXPECT_EQ(dag_n_ops(&n), 0xABCDEF);
	EXPECT_EQ(dag_n_results(&n), 3);
}

/* EMIT-40: each result of a node is recorded once. */
TEST(records, EMIT_40_each_result_of_a_node_is_recorded_once)
{
	Rig r;
	rig_open(&r);
	Dag    *d = &r.f.dag;
	DagNode like = {.opcode = DAG_MACHINE, .desc = desc(&r, "ld.global.v4.u32"), .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVt   vts[] = {VT_I32, VT_I32, VT_I32, VT_I32, VT_CHAIN};
	DagVal  p = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B64), VT_I64);
	DagVal  v = dag_node_like(d, &like, vts, 5, (DagVal[]){p, constant(&r, 0), d->entry}, 3);
	run(&r, dag_res(v.n, 4));
	EXPECT_EQ(r.e->records.n, 4);
	EXPECT_EQ(map_or(&r.e->result, v.n, 0), 4);
	EXPECT_EQ(mir_inst(r.f.mir, nth(&r, 0))->n_defs, 4);
	rig_close(&r);
}

/* ST-176: what may be a dead copy: bit 20 of the descriptor's flags, or a tied node. */
TEST(records, ST_176_the_gate_of_dead_copies)
{
	for (u32 tied = 0; tied < 2; tied++)
		for (u32 bit = 0; bit < 64; bit++)
			EXPECT_EQ(emit_is_candidate(tied ? DP_TIED : 0, (u64)1 << bit), tied || bit == 20);
	Rig r;
	rig_open(&r);
	EXPECT_EQ(emit_ts_flags(isa_desc(&r.s, ISA_COPY)), EMIT_IS_SIMPLE);
	EXPECT_EQ(emit_ts_flags(isa_desc(&r.s, desc(&r, "not.b32"))), 0);
	rig_close(&r);
}

/* EMIT-41: four texels and the predicate of one fetch: nothing between them, and no copy for the predicate. */
TEST(records, EMIT_41_a_fetch_with_a_predicate_is_one_bundle_without_a_copy)
{
	Rig r;
	rig_open(&r);
	Dag   *d = &r.f.dag;
	PtxOpc o = isa_desc(&r.s, desc(&r, "tex.2d.v4.f32.f32"))->opc;
	o.slot[SLOT_form] = 1; /* |p */
	u32    fetch = isa_intern(&r.s, o);
	DagVt  vts[] = {VT_F32, VT_F32, VT_F32, VT_F32, VT_I1, VT_CHAIN, VT_GLUE};
	DagVal x = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_F32), VT_F32),
	       h = dag_copy_from(d, d->entry, mir_reg_new(r.f.mir, MIR_B64), VT_I64);
	DagNode like = {.opcode = DAG_MACHINE, .desc = fetch, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  t = dag_node_like(d, &like, vts, 7, (DagVal[]){h, h, x, x, d->entry}, 5);
	d->order = 7;
	DagVal  other = inst(&r, "mov.b32", 1, false, (DagVal[]){constant(&r, 1)}, 1);
	DagNode out = {
		.opcode = DAG_MACHINE, .desc = desc(&r, "mov.pred"), .k = {0, EMIT_IMPLICIT_GLUE}, .props = DP_NO_CSE | DP_GLUE};
	DagVal p = dag_node_like(d, &out, (DagVt[]){VT_I1}, 1, (DagVal[]){dag_res(t.n, 5), dag_res(t.n, 4), dag_res(t.n, 6)}, 3);
	dag_at(d, p.n)->link = dag_link(t.n, DAG_TAG_GLUE);
	DagVal use = inst(&r, "not.pred", 1, false, &p, 1);
	run(&r, dag_tokens(d, (DagVal[]){dag_res(other.n, 1), dag_res(use.n, 1), dag_res(t.n, 5)}, 3));
	EXPECT_EQ(count(&r, fetch), 1);
	EXPECT_EQ(count(&r, desc(&r, "mov.pred")), 0);
	EXPECT_EQ(count(&r, ISA_COPY), 0);
	EXPECT_EQ(r.e->skipped_at[0], 1);
	for (u32 k = 0; k < count(&r, 0); k++) {
		if (mir_inst(r.f.mir, nth(&r, k))->desc == fetch)
			EXPECT_EQ(mir_inst(r.f.mir, nth(&r, k))->n_defs, 5);
		if (mir_inst(r.f.mir, nth(&r, k))->desc == desc(&r, "not.pred"))
			EXPECT_EQ(mir_op(r.f.mir, nth(&r, k), 1)->ref, (u32)*map_get(&r.e->vreg, emit_key(dag_res(t.n, 4))));
	}
	rig_close(&r);
}

/* EMIT-44, ST-163: ten times the nodes cost ten times the steps. */
TEST(records, EMIT_44_ST_163_work_grows_with_the_nodes)
{
	u64 steps[3], entries[3];
	u32 size[] = {1000, 10000, 100000};
	for (u32 s = 0; s < 3; s++) {
		Rig r;
		rig_open(&r);
		Dag   *d = &r.f.dag;
		VecU32 order = {0};
		DagVal v = constant(&r, 1), chain = d->entry;
		for (u32 i = 0; i < size[s]; i++) {
			if (i % 4 == 3) { /* copies, half of them of no use to anybody */
				DagVal c = from_phys(&r, chain);
				chain = dag_res(c.n, 1);
				vec_push(&r.a, &order, c.n);
				if (i % 8 == 7)
					v = c;
				continue;
			}
			v = inst(&r, "not.b32", 1, false, &v, 1);
			vec_push(&r.a, &order, v.n);
		}
		dag_emit(&r.f, &order);
		steps[s] = r.e->steps;
		entries[s] = r.e->records.n;
		EXPECT_EQ(r.e->inst.live, size[s] - 1); /* nothing reads the last */
		rig_close(&r);
	}
	for (u32 s = 1; s < 3; s++) {
		EXPECT(entries[s] >= 9 * entries[s - 1] && entries[s] <= 11 * entries[s - 1]);
		EXPECT(steps[s] >= 9 * steps[s - 1] && steps[s] <= 11 * steps[s - 1]);
	}
}

/* EMIT-43: the phases are entered. */
TEST(records, EMIT_43_ST_159_the_phases_are_entered)
{
	Rig r;
	rig_open(&r);
	DagVal v = from_phys(&r, r.f.dag.entry);
	DagVal first = inst(&r, "not.b32", 1, false, &v, 1);
	DagVal chains[] = {copy_to(&r, dag_res(first.n, 1), mir_reg_new(r.f.mir, MIR_B32), v),
	                   copy_to(&r, dag_res(first.n, 1), mir_reg_new(r.f.mir, MIR_B32), v)};
	run(&r, dag_tokens(&r.f.dag, chains, 2));
	for (u32 p = 1; p <= EMIT_PHASES; p++)
		if (p != 10)
			EXPECT(r.e->phase[p] != 0);
	rig_close(&r);
}

UNIT_MAIN
