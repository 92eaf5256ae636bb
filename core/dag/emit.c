/* emit.c: InstrEmitter: scheduled nodes become machine instructions.
 *
 * One dispatcher by the node's opcode: copies to and from registers, labels, inline assembly and the like
 * have handlers of their own, everything else is a machine instruction. A node goes through these phases
 * (Emitter.phase counts them):
 *
 *	1 dead nodes leave      5 hooks (5' CopyFromReg)   9 unused implicit results are marked dead
 *	2 the glue's root       6 implicit registers       10 memory records
 *	3 dispatch              7 copies made              11 results recorded
 *	4 the instruction       8 implicit uses            12 dead copies  13 glue walk  14 deletion
 *
 * The last three run once for the block. */
#include "dag/emit.h"

static bool stub_inst(Emitter *e, MirInstId i)
{
	(void)e, (void)i;
	return false;
}
static bool stub_record(Emitter *e, const EmitResultRecord *r)
{
	(void)e, (void)r;
	return false;
}
const EmitHooks emit_default_hooks = {stub_inst, stub_inst, stub_inst, stub_record, stub_record};

Emitter *emit_new(DagFunc *f, Arena *a)
{
	Emitter *e = arena_new(a, Emitter);
	e->f = f;
	e->hooks = &emit_target_hooks;
	map_init(&e->vreg, a);
	map_init(&e->inst, a);
	map_init(&e->result, a);
	map_init(&e->queued, a);
	e->inserted = bitset_new(a, ISA_OP_COUNT);
	u32                 n;
	const EmitInserter *row = emit_inserters(&n);
	for (u32 i = 0; i < n; i++)
		bitset_add(e->inserted, row[i].op);
	return e;
}

/* Room for what that many nodes leave behind, so that growing leaves nothing of it unused. */
static void emit_reserve(Emitter *e, u32 nodes)
{
	map_reserve(&e->vreg, nodes);
	map_reserve(&e->inst, nodes);
	map_reserve(&e->result, nodes);
	vec_reserve(e->f->arena, &e->records, nodes);
}

void emit_reset(Emitter *e)
{
	map_clear(&e->vreg);
	map_clear(&e->inst);
	map_clear(&e->result);
	map_clear(&e->queued);
	e->records.n = e->n_dead = e->dead_more.n = e->used_regs.n = 0;
	e->cascade = 0;
}

static u32 reg_of(Emitter *e, DagVal v)
{
	u64 *r = map_get(&e->vreg, emit_key(v));
	if (!r)
		ICE(e->f->s, "node %u (%s) is used before it is emitted", v.n, dag_op_info[dag_op(&e->f->dag, v)].name);
	return (u32)*r;
}

static void phase(Emitter *e, u32 n)
{
	e->phase[n]++;
	e->steps++;
}

u32 emit_common_registers(const EmitClass *a, const EmitClass *b)
{
	u32 n = 0;
	for (u32 i = 0; i < a->bytes && i < b->bytes; i++)
		for (u32 bits = a->table[i] & b->table[i]; bits; bits &= bits - 1)
			n++;
	return n;
}

/* ---- properties ---- */

bool emit_has_property(const Dag *d, u32 node, u64 mask, u32 operand)
{
	const DagNode *n = dag_at(d, node);
	if (operand >= dag_n_ops(n) && operand)
		return false;
	/* The node's own set: kept in k[1] of instructions and copies. */
	if (n->opcode != DAG_MACHINE && n->opcode != DAG_CopyFromReg)
		return false;
	return (n->k[1] & mask) != 0;
}

static bool is_skipped(Emitter *e, const DagNode *n, u32 site)
{
	if ((n->props & DP_TIED) || !(n->props & DP_GLUE) || (site == 0 && (n->props & DP_DEBUG_VALUE)))
		return false;
	if (!emit_has_property(&e->f->dag, n->id, EMIT_IMPLICIT_GLUE, 1))
		return false;
	e->skipped_at[site]++;
	/* The value is where the instruction before it has put it. */
	DagVal v = dag_operand(&e->f->dag, n, 1);
	u64   *at = map_get(&e->vreg, emit_key(v));
	if (at || dag_op(&e->f->dag, v) == DAG_Register)
		map_set(&e->vreg, emit_key(dag_res(n->id, 0)), at ? *at : dag_of(&e->f->dag, v)->k[0]);
	return true;
}

/* Nothing beyond the schedule itself needs it, and it does nothing. */
static bool is_dead(const Dag *d, const DagNode *n)
{
	return n->use_count == 0 && !(n->props & DP_SIDE_EFFECT) && n->id != d->root.n;
}

/* ---- operands ---- */

static i64 signed_value(const DagNode *n)
{
	u32 w = vt_bits(n->vt[0]);
	if (w == 1)
		return (i64)(n->k[0] & 1) * -1;
	return w >= 64 ? (i64)n->k[0] : (i64)(n->k[0] << (64 - w)) >> (64 - w);
}

static void add_operand(Emitter *e, MirInstId i, DagVal v)
{
	DagFunc       *f = e->f;
	const DagNode *n = dag_of(&f->dag, v);
	MirFunc       *m = f->mir;
	switch ((DagOp)n->opcode) {
	case DAG_TargetConstant: mir_add_imm(m, i, signed_value(n)); return;
	case DAG_TargetConstantFP:
		mir_add_fpimm(m, i,
		              n->vt[0] == VT_F64   ? MIR_FP64
		              : n->vt[0] == VT_F32 ? MIR_FP32
		              : n->vt[0] == VT_F16 ? MIR_FP16
		                                   : MIR_FP_BF16,
		              n->k[0]);
		return;
	case DAG_TargetGlobalAddress: mir_add_global(m, i, ir_global(f->m, (IrRef){(u32)n->k[0]})->name, (i64)n->k[1]); return;
	case DAG_TargetExternalSymbol: mir_add_symbol(m, i, (StrId){(u32)n->k[0]}, (i64)n->k[1]); return;
	case DAG_TargetFrameIndex: mir_add_frame(m, i, (u32)n->k[0], (i64)n->k[1]); return;
	case DAG_TargetProto: mir_add_proto(m, i, (u32)n->k[0]); return;
	case DAG_TargetJumpTable: mir_add_jump_table(m, i, (u32)n->k[0]); return;
	case DAG_TargetText: mir_add_text(m, i, (StrId){(u32)n->k[0]}); return;
	case DAG_BasicBlock: mir_add_block(m, i, (MirBlockId){(u32)n->k[0]}); return;
	case DAG_Register: mir_add_use(m, i, (MirReg){(u32)n->k[0]}); return;
	default: mir_add_use(m, i, (MirReg){reg_of(e, v)}); return;
	}
}

static u16 inst_flags(u16 ir)
{
	static const struct {
		u16 ir, mir;
	} of[] = {{IRF_NNAN, MIF_NNAN},         {IRF_NINF, MIF_NINF},   {IRF_NSZ, MIF_NSZ},           {IRF_ARCP, MIF_ARCP},
	          {IRF_CONTRACT, MIF_CONTRACT}, {IRF_AFN, MIF_AFN},     {IRF_REASSOC, MIF_REASSOC},   {IRF_NUW, MIF_NUW},
	          {IRF_NSW, MIF_NSW},           {IRF_EXACT, MIF_EXACT}, {IRF_DISJOINT, MIF_DISJOINT}, {IRF_NNEG, MIF_NNEG}};
	u16 r = 0;
	for (u32 i = 0; i < PS_COUNT(of); i++)
		if (ir & of[i].ir)
			r |= of[i].mir;
	return r;
}

/* ---- results ---- */

static void record(Emitter *e, u32 node, u32 inst, i32 src, i32 dst, MirClass rc, u32 flags)
{
	phase(e, 11);
	vec_push(e->f->arena, &e->records,
	         ((EmitResultRecord){
			 .producer = (u64)inst << 3, .src_vreg = src, .dst_vreg = dst, .rc = rc, .node = node, .flags = flags}));
}

MirClass emit_class_for(DagVt legal, bool divergent)
{
	(void)divergent;
	return dag_class_of(legal);
}

/* A register that a CopyToReg wants the value in anyway. */
static MirReg wanted_register(Emitter *e, DagVal v, MirClass rc)
{
	Dag *d = &e->f->dag;
	dag_each_use(d, v.n, u) {
		const DagUse *x = dag_use(d, u);
		e->steps++;
		if (x->val.r != v.r)
			continue;
		const DagNode *user = dag_at(d, x->user);
		if (user->opcode != DAG_CopyToReg || user->aux == DAG_COPY_CSSA || !dag_same(dag_operand(d, user, 2), v))
			continue;
		MirReg r = {(u32)dag_of(d, dag_operand(d, user, 1))->k[0]};
		if (mir_is_virt(r) && mir_class(e->f->mir, r) == rc && !mir_def_inst(e->f->mir, r).i)
			return r;
	}
	return (MirReg){0};
}

/* The first `most` of the node's values; returns how many results were gone through. */
static u32 define_results(Emitter *e, MirInstId inst, const DagNode *n, u32 most)
{
	Dag *d = &e->f->dag;
	u32  results = dag_n_results(n), recorded = 0, r = 0;
	bool divergent = (n->props & DP_DIVERGENT) != 0;
	for (; r < results && recorded < most; r++) {
		DagVt vt = dag_result_vt(d, n, r);
		if (!vt_is_value(vt))
			continue;
		MirClass rc = emit_class_for(vt, divergent);
		MirReg   reg = wanted_register(e, dag_res(n->id, r), rc);
		u32      flags = (divergent ? (u32)EMIT_DIVERGENT : 0u) | (reg.i ? (u32)EMIT_EXPORTED : 0u);
		if (!reg.i)
			reg = mir_reg_new(e->f->mir, rc);
		mir_add_reg(e->f->mir, inst, reg, MOF_DEF | (dag_has_uses(d, dag_res(n->id, r)) ? 0u : (u32)MOF_DEAD));
		map_set(&e->vreg, emit_key(dag_res(n->id, r)), reg.i);
		record(e, n->id, inst.i, EMIT_NO_REG, (i32)reg.i, rc, flags);
		recorded++;
	}
	map_set(&e->result, n->id, recorded);
	return r;
}

/* ---- implicit registers ---- */

u32 emit_implicit_defs(const IsaDesc *d, MirReg *out, u32 cap)
{
	if (!(d->flags & IF_CARRY_OUT) || !cap)
		return 0;
	out[0] = mir_phys(MIR_PHYS_CC);
	return 1;
}

static bool is_used_reg(const Emitter *e, MirReg r)
{
	for (u32 i = 0; i < e->used_regs.n; i++)
		if (e->used_regs.p[i] == r.i)
			return true;
	return false;
}

static void add_used_reg(Emitter *e, u32 r)
{
	if (mir_is_phys((MirReg){r}) && !is_used_reg(e, (MirReg){r}))
		vec_push(e->f->arena, &e->used_regs, r);
}

/* What the nodes glued behind this one read of physical registers. */
static void collect_used_regs(Emitter *e, const DagNode *n)
{
	Dag *d = &e->f->dag;
	u32  steps = 0;
	e->used_regs.n = 0;
	for (u32 g = dag_glue_user(d, n); g && steps++ < d->n_nodes; g = dag_glue_user(d, dag_at(d, g))) {
		const DagNode *x = dag_at(d, g);
		e->steps++;
		if (x->opcode == DAG_MACHINE && (isa_desc(e->f->s, x->desc)->flags & IF_CARRY_IN))
			add_used_reg(e, mir_phys(MIR_PHYS_CC).i);
		for (u32 k = 0; k < dag_n_ops(x); k++)
			if (dag_op(d, dag_operand(d, x, k)) == DAG_Register)
				add_used_reg(e, (u32)dag_of(d, dag_operand(d, x, k))->k[0]);
		/* A redefinition: what comes behind reads that. */
		if (x->opcode == DAG_MACHINE && (isa_desc(e->f->s, x->desc)->flags & IF_CARRY_OUT))
			return;
	}
}

/* Results beyond the instruction's own are registers that it defines implicitly: a copy of each that is used. */
static void copy_implicit(Emitter *e, const DagNode *n, u32 from, const MirReg *phys, u32 n_phys)
{
	DagFunc *f = e->f;
	for (u32 r = from, k = 0; r < dag_n_results(n) && k < n_phys; r++) {
		DagVt vt = dag_result_vt(&f->dag, n, r);
		if (!vt_is_value(vt))
			continue;
		MirReg src = phys[k++];
		if (!dag_has_uses(&f->dag, dag_res(n->id, r)))
			continue;
		add_used_reg(e, src.i);
		MirReg    dst = mir_reg_new(f->mir, emit_class_for(vt, (n->props & DP_DIVERGENT) != 0));
		MirInstId i = mir_build(f->mir, f->mir_block, f->before, ISA_COPY);
		mir_add_def(f->mir, i, dst);
		mir_add_use(f->mir, i, src);
		mir_inst(f->mir, i)->origin = n->origin;
		map_set(&e->vreg, emit_key(dag_res(n->id, r)), dst.i);
		record(e, n->id, i.i, emit_phys(src.i & 0x7FFFFFFF), (i32)dst.i, mir_class(f->mir, dst), 0);
	}
}

static void implicit_registers(Emitter *e, const DagNode *n, MirInstId i, u32 results)
{
	const IsaDesc *desc = isa_desc(e->f->s, n->desc);
	MirReg         def[4];
	u32            n_defs = emit_implicit_defs(desc, def, PS_COUNT(def));
	phase(e, 6);
	if (n_defs) {
		collect_used_regs(e, n);
		copy_implicit(e, n, results, def, n_defs);
	}
	phase(e, 8);
	if (desc->flags & IF_CARRY_IN)
		mir_add_reg(e->f->mir, i, mir_phys(MIR_PHYS_CC), MOF_IMPLICIT);
	phase(e, 9);
	for (u32 k = 0; k < n_defs; k++)
		mir_add_reg(e->f->mir, i, def[k], (u32)MOF_IMPLICIT | MOF_DEF | (is_used_reg(e, def[k]) ? 0u : (u32)MOF_DEAD));
}

/* ---- handlers ---- */

static void copy_to_reg(Emitter *e, const DagNode *n)
{
	DagFunc       *f = e->f;
	Dag           *d = &f->dag;
	MirReg         dst = {(u32)dag_of(d, dag_operand(d, n, 1))->k[0]};
	DagVal         v = dag_operand(d, n, 2);
	const DagNode *src = dag_of(d, v);
	phase(e, 7);
	if (mir_is_virt(dst) &&
	    (src->opcode == DAG_IMPLICIT_DEF || (src->opcode == DAG_MACHINE && src->desc == ISA_IMPLICIT_DEF))) {
		if (mir_def_inst(f->mir, dst).i)
			return; /* the IMPLICIT_DEF itself already names it */
		MirInstId i = mir_build(f->mir, f->mir_block, f->before, ISA_IMPLICIT_DEF);
		mir_add_def(f->mir, i, dst);
		return;
	}
	MirReg from = src->opcode == DAG_Register ? (MirReg){(u32)src->k[0]} : (MirReg){reg_of(e, v)};
	if (from.i == dst.i)
		return;
	MirInstId i = mir_build(f->mir, f->mir_block, f->before, n->aux == DAG_COPY_CSSA ? (u32)ISA_CSSA_COPY : (u32)ISA_COPY);
	mir_add_def(f->mir, i, dst);
	mir_add_use(f->mir, i, from);
	mir_inst(f->mir, i)->origin = n->origin;
	map_set(&e->inst, n->id, i.i);
	record(e, n->id, i.i, (i32)from.i, (i32)dst.i, mir_is_virt(dst) ? mir_class(f->mir, dst) : MIR_NO_CLASS, EMIT_EXPORTED);
}

static void copy_from_reg(Emitter *e, const DagNode *n)
{
	DagFunc *f = e->f;
	Dag     *d = &f->dag;
	MirReg   src = {(u32)dag_of(d, dag_operand(d, n, 1))->k[0]};
	DagVal   v = dag_res(n->id, 0);
	phase(e, 5);
	if (mir_is_virt(src)) {
		map_set(&e->vreg, emit_key(v), src.i);
		return;
	}
	if (is_skipped(e, n, 1))
		return;
	if (e->phys && e->phys->costly && emit_class_contains(e->phys, src.i & ~MIR_PHYS_BIT)) {
		map_set(&e->vreg, emit_key(v), src.i);
		return;
	}
	bool     divergent = (n->props & DP_DIVERGENT) != 0;
	MirClass rc = emit_class_for(dag_vt(d, v), divergent);
	MirReg   dst = wanted_register(e, v, rc);
	u32      flags = (dst.i ? (u32)EMIT_EXPORTED : 0u) | (divergent ? (u32)EMIT_DIVERGENT : 0u);
	if (!dst.i)
		dst = mir_reg_new(f->mir, rc);
	MirInstId i = mir_build(f->mir, f->mir_block, f->before, ISA_COPY);
	mir_add_def(f->mir, i, dst);
	mir_add_use(f->mir, i, src);
	mir_inst(f->mir, i)->origin = n->origin;
	map_set(&e->vreg, emit_key(v), dst.i);
	map_set(&e->inst, n->id, i.i);
	record(e, n->id, i.i, emit_phys(src.i & 0x7FFFFFFF), (i32)dst.i, rc, flags);
}

static MirInstId special(Emitter *e, const DagNode *n, u32 desc, u32 first, u32 last)
{
	DagFunc  *f = e->f;
	MirInstId i = mir_build(f->mir, f->mir_block, f->before, desc);
	mir_inst(f->mir, i)->origin = n->origin;
	define_results(e, i, n, ~0u);
	for (u32 k = first; k < last; k++) {
		DagVal v = dag_operand(&f->dag, n, k);
		u32    kind = vt_kind(dag_vt(&f->dag, v));
		if (kind != VTK_CHAIN && kind != VTK_GLUE)
			add_operand(e, i, v);
	}
	map_set(&e->inst, n->id, i.i);
	return i;
}

static void inline_asm(Emitter *e, const DagNode *n)
{
	DagFunc  *f = e->f;
	MirInstId i = special(e, n, ISA_INLINEASM, 1, dag_n_ops(n));
	MirInst  *x = mir_inst(f->mir, i);
	x->extra = n->aux;
	x->flags |= MIF_NO_DUP;
	if (n->k[0])
		x->flags |= MIF_SIDE_EFFECT;
	/* Inputs that share an output's register: a list of 1 + the output's number behind k[1]. */
	for (u32 in = 0; n->k[1] && in + 2 < dag_n_ops(n); in++) {
		u32 tie = f->dag.vts.p[n->k[1] + in];
		if (tie)
			mir_op_tie(f->mir, i, tie - 1, x->n_defs + 1u + in);
	}
}

static void subregister(Emitter *e, const DagNode *n)
{
	static const u32 desc[] = {ISA_INSERT_SUBREG, ISA_SUBREG_TO_REG, ISA_COPY_TO_REGCLASS, ISA_EXTRACT_SUBREG};
	special(e, n, desc[n->opcode - DAG_INSERT_SUBREG], 0, dag_n_ops(n));
	e->hooks->insert_subreg(e, (MirInstId){(u32)*map_get(&e->inst, n->id)});
}

/* ---- the generic path ---- */

static void call_flags(const DagNode *n, MirInst *x)
{
	if (n->props & DP_CALL)
		x->flags |= MIF_SIDE_EFFECT | MIF_NO_DUP;
	if (n->props & DP_CONVERGENT)
		x->flags |= MIF_NO_DUP;
}

static void machine(Emitter *e, const DagNode *n)
{
	DagFunc *f = e->f;
	Dag     *d = &f->dag;
	phase(e, 4);
	if (is_skipped(e, n, 0))
		return;
	MirInstId      i = mir_build(f->mir, f->mir_block, f->before, n->desc);
	const IsaDesc *desc = isa_desc(f->s, n->desc);
	u32            results = define_results(e, i, n, desc->flags & (IF_VARIADIC | IF_GENERIC | IF_CALL) ? ~0u : desc->n_defs);
	for (u32 k = 0; k < dag_n_ops(n); k++) {
		DagVal v = dag_operand(d, n, k);
		u32    kind = vt_kind(dag_vt(d, v));
		if (kind != VTK_CHAIN && kind != VTK_GLUE)
			add_operand(e, i, v);
	}
	MirInst *x = mir_inst(f->mir, i);
	x->origin = n->origin;
	x->flags |= inst_flags(n->flags);
	call_flags(n, x);
	if (n->mem) {
		phase(e, 10);
		mir_add_mem(f->mir, i, dag_mem(d, n)->mem);
	}
	map_set(&e->inst, n->id, i.i);
	phase(e, 5);
	if (!e->hooks->custom_inserter(e, i) && !e->hooks->expand_pseudo(e, i))
		e->hooks->insert_subreg(e, i);
	implicit_registers(e, n, i, results);
}

/* Walks up the glue to where it begins; a circle is a broken graph. */
static u32 glue_root(Emitter *e, u32 node)
{
	Dag *d = &e->f->dag;
	u32  steps = 0;
	while (dag_link_tag(dag_at(d, node)->link) == DAG_TAG_GLUE) {
		node = dag_link_node(dag_at(d, node)->link);
		e->steps++;
		if (++steps > d->n_nodes)
			ICE(e->f->s, "glue goes in a circle");
	}
	return node;
}

bool emit_node(Emitter *e, u32 node)
{
	Dag           *d = &e->f->dag;
	const DagNode *n = dag_at(d, node);
	phase(e, 1);
	if (!e->force && is_dead(d, n))
		return false;
	phase(e, 2);
	if (n->link)
		glue_root(e, node);
	phase(e, 3);
	switch (n->opcode) {
	case DAG_CopyToReg: copy_to_reg(e, n); return true;
	case DAG_TokenFactor:
	case DAG_EntryToken:
	case DAG_MERGE_VALUES: return true;
	case DAG_CopyFromReg: copy_from_reg(e, n); return true;
	case DAG_EH_LABEL: special(e, n, ISA_EH_LABEL, 1, dag_n_ops(n)); return true;
	case DAG_INLINEASM: inline_asm(e, n); return true;
	case DAG_LIFETIME: special(e, n, n->aux ? ISA_LIFETIME_END : ISA_LIFETIME_START, 1, dag_n_ops(n)); return true;
	case DAG_PSEUDO_PROBE: special(e, n, ISA_PSEUDO_PROBE, 1, dag_n_ops(n)); return true;
	case DAG_INSERT_SUBREG:
	case DAG_SUBREG_TO_REG:
	case DAG_COPY_TO_REGCLASS:
	case DAG_EXTRACT_SUBREG: subregister(e, n); return true;
	case DAG_IMPLICIT_DEF: special(e, n, ISA_IMPLICIT_DEF, 0, 0); return true;
	case DAG_MACHINE: machine(e, n); return true;
	default:
		if (emit_is_special(n->opcode))
			return true; /* a meta node */
		ICE(e->f->s, "%s was not selected", dag_op_info[n->opcode].name);
	}
}

/* ---- parameters one after the other ---- */

static const u8 every_param[EMIT_PARAMS / 8] = {
	0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};
const EmitClass emit_int32_regs = {every_param, sizeof every_param, EMIT_PARAMS - 1, false};
const EmitClass emit_int64_regs = {every_param, sizeof every_param, EMIT_PARAMS - 1, false};

u32 emit_find_cascade(Emitter *e, const u32 *node, u32 n)
{
	const Dag *d = &e->f->dag;
	u32        before = 0, k = 0;
	for (; k < n; k++) {
		const DagNode *x = dag_at(d, node[k]);
		e->steps++;
		if (x->opcode != DAG_CopyFromReg)
			break;
		u32              reg = (u32)dag_of(d, dag_operand(d, x, 1))->k[0] & ~MIR_PHYS_BIT;
		MirClass         rc = dag_class_of(x->vt[0]);
		const EmitClass *of = rc == MIR_B32 ? &emit_int32_regs : rc == MIR_B64 ? &emit_int64_regs : NULL;
		if (!of || reg < EMIT_FIRST_PARAM || !emit_class_contains(of, reg - EMIT_FIRST_PARAM) || (k && reg != before + 1))
			break;
		before = reg;
	}
	return k > 1 ? k : 0;
}

void dag_emit(DagFunc *f, const VecU32 *order)
{
	emit_reset(f->emitter);
	emit_reserve(f->emitter, order->n);
	f->emitter->cascade = emit_find_cascade(f->emitter, order->p, order->n);
	for (u32 i = 0; i < order->n; i++)
		emit_node(f->emitter, order->p[i]);
	emit_finish(f->emitter);
}
