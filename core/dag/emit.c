/* emit.c: InstrEmitter: appends the scheduled nodes of a block to the machine block as instructions.
 *
 *	t1: i32 = ADDs32ri t0, 1              %3:int32regs = ADDs32ri %2, 1
 *	CopyToReg %7, t1            ─▶        %7:int32regs = COPY %3    (or ADDs32ri defines %7 itself)
 *
 * Needs nodes in an order in which operands come first and glued nodes are adjacent (dag/schedule.c). Copies to and from
 * registers, inline assembly, labels and register parts have handlers; every other node is an instruction with its results, its
 * operands in their order, its memory record and its implicit registers. A value that a CopyToReg takes is defined in that
 * register if the class fits and nothing else defines it. At the end copies that nothing reads are erased, and then those that
 * only erased copies read. Register classes do not depend on divergence: PTX registers belong to a thread. Linear in nodes,
 * operands and uses. */
#include "dag/emit.h"

#include "base/bitset.h"

_Static_assert(MIR_PHYS_COUNT <= 32, "Emitter.copied and .needed have a bit for each");

Emitter *emit_new(DagFunc *f, Arena *a)
{
	Emitter *e = arena_new(a, Emitter);
	e->f = f;
	e->inserted = bitset_new(a, ISA_OP_COUNT);
	emit_list_inserters(e->inserted);
	return e;
}

static void reset(Emitter *e, u32 scheduled)
{
	Arena *a = e->f->arena;
	e->first_reg.n = e->reg.n = e->copies.n = e->placed.n = e->copied = 0;
	vec_extend(a, &e->first_reg, e->f->dag.n_nodes);
	vec_reserve(a, &e->reg, scheduled + 1);
	vec_push(a, &e->reg, 0);
	memset(e->phase, 0, sizeof e->phase);
}

/* ---- registers of results ---- */

static MirReg reg_of(const Emitter *e, DagVal v)
{
	u32 first = e->first_reg.p[v.n], r = first ? e->reg.p[first + v.r] : 0;
	if (!r)
		ICE(e->f->s, "node %u (%s) is used before it is emitted", v.n, dag_op_info[dag_op(&e->f->dag, v)].name);
	return (MirReg){r};
}

static void set_reg(Emitter *e, DagVal v, MirReg r)
{
	u32 *first = &e->first_reg.p[v.n];
	if (!*first) {
		*first = e->reg.n;
		vec_extend(e->f->arena, &e->reg, dag_n_results(dag_of(&e->f->dag, v)));
	}
	e->reg.p[*first + v.r] = r.i;
	e->phase[EMIT_RESULT]++;
}

static u32 phys_bit(MirReg r) { return mir_is_phys(r) ? 1u << (r.i & ~MIR_PHYS_BIT) : 0; }

static MirReg reg_operand(const Dag *d, DagVal v) { return (MirReg){(u32)dag_of(d, v)->k[0]}; }

/* The register of a CopyToReg that takes the value, if the value can be defined in it. */
static MirReg wanted_register(const Emitter *e, DagVal v, MirClass rc)
{
	const Dag *d = &e->f->dag;
	dag_each_use(d, v.n, u) {
		const DagUse *x = dag_use(d, u);
		if (x->val.r != v.r)
			continue;
		const DagNode *user = dag_at(d, x->user);
		if (user->opcode != DAG_CopyToReg || user->aux == DAG_COPY_CSSA || !dag_same(dag_operand(d, user, 2), v))
			continue;
		MirReg r = reg_operand(d, dag_operand(d, user, 1));
		if (mir_is_virt(r) && mir_class(e->f->mir, r) == rc && !mir_def_inst(e->f->mir, r).i)
			return r;
	}
	return (MirReg){0};
}

static void note_copy(Emitter *e, MirInstId inst, MirReg dst) { vec_push(e->f->arena, &e->copies, ((EmittedCopy){inst, dst})); }

/* Defines the first `most` values of the node; returns how many results these are, chains included. */
static u32 define_results(Emitter *e, MirInstId inst, const DagNode *n, u32 most)
{
	Dag *d = &e->f->dag;
	u32  results = dag_n_results(n), defined = 0, r = 0;
	for (; r < results && defined < most; r++) {
		DagVt  vt = dag_result_vt(d, n, r);
		DagVal v = dag_res(n->id, r);
		if (!vt_is_value(vt))
			continue;
		MirClass rc = dag_class_of(vt);
		MirReg   reg = wanted_register(e, v, rc);
		bool     wanted = reg.i != 0;
		if (!wanted)
			reg = mir_reg_new(e->f->mir, rc);
		mir_add_reg(e->f->mir, inst, reg, MOF_DEF | (dag_has_uses(d, v) ? 0u : (u32)MOF_DEAD));
		set_reg(e, v, reg);
		if (!wanted && mir_desc(e->f->mir, inst)->flags & IF_COPY)
			note_copy(e, inst, reg);
		defined++;
	}
	return r;
}

/* The load of a parameter stands among the instructions by the parameter's number, and comes from none of them. */
static bool loads_parameter(const Dag *d, const DagNode *n)
{
	u32 flags = n->mem ? dag_mem(d, n)->mem.flags : 0;
	return flags & MMF_INVARIANT && flags & MMF_DEREFERENCEABLE;
}

/* The order of what it comes from. The address of a symbol or a slot comes from the first that takes it: it has no order of its own,
 * as its place is the scheduler's to choose. */
static u32 order_of(const Dag *d, const DagNode *n)
{
	u32 order = n->order;
	if (order || !dag_n_ops(n))
		return order;
	DagOp op = (DagOp)dag_of(d, dag_operand(d, n, 0))->opcode;
	if (op != DAG_TargetGlobalAddress && op != DAG_TargetExternalSymbol && op != DAG_TargetFrameIndex)
		return 0;
	dag_each_use(d, n->id, u) {
		u32 user = dag_at(d, dag_use(d, u)->user)->order;
		if (user && (!order || user < order))
			order = user;
	}
	return order;
}

/* IrMd; 0: none. */
static u32 location_of(const DagFunc *f, const DagNode *n)
{
	if (loads_parameter(&f->dag, n) || !f->dbg.n)
		return 0;
	u32 order = order_of(&f->dag, n);
	return order < f->dbg.n ? f->dbg.p[order] : 0;
}

static MirInstId new_inst(Emitter *e, const DagNode *n, u32 desc)
{
	DagFunc  *f = e->f;
	MirInstId i = mir_build(f->mir, f->mir_block, f->before, desc);
	mir_inst(f->mir, i)->origin = n->origin;
	mir_inst(f->mir, i)->dbg = location_of(f, n);
	if (f->dag.watch.n)
		vec_push(f->arena, &e->placed, ((EmittedInst){i, n->order}));
	return i;
}

static MirInstId build_copy(Emitter *e, const DagNode *n, u32 desc, MirReg dst, MirReg src)
{
	MirInstId i = new_inst(e, n, desc);
	mir_add_def(e->f->mir, i, dst);
	mir_add_use(e->f->mir, i, src);
	e->copied |= phys_bit(dst) | phys_bit(src);
	e->phase[EMIT_COPY]++;
	return i;
}

/* ---- operands ---- */

static MirFpType fp_type(DagVt vt)
{
	return vt == VT_F64 ? MIR_FP64 : vt == VT_F32 ? MIR_FP32 : vt == VT_F16 ? MIR_FP16 : MIR_FP_BF16;
}

static void add_operand(Emitter *e, MirInstId i, DagVal v)
{
	DagFunc       *f = e->f;
	const DagNode *n = dag_of(&f->dag, v);
	MirFunc       *m = f->mir;
	switch ((DagOp)n->opcode) {
	case DAG_TargetConstant: mir_add_imm(m, i, dag_signed_value(n)); return;
	case DAG_TargetConstantFP: mir_add_fpimm(m, i, fp_type(n->vt[0]), n->k[0]); return;
	case DAG_TargetGlobalAddress: mir_add_global(m, i, ir_global(f->m, (IrRef){(u32)n->k[0]})->name, (i64)n->k[1]); return;
	case DAG_TargetExternalSymbol: mir_add_symbol(m, i, (StrId){(u32)n->k[0]}, (i64)n->k[1]); return;
	case DAG_TargetFrameIndex: mir_add_frame(m, i, (u32)n->k[0], (i64)n->k[1]); return;
	case DAG_TargetProto: mir_add_proto(m, i, (u32)n->k[0]); return;
	case DAG_TargetJumpTable: mir_add_jump_table(m, i, (u32)n->k[0]); return;
	case DAG_TargetGap: mir_add_none(m, i); return;
	case DAG_TargetText: mir_add_text(m, i, (StrId){(u32)n->k[0]}); return;
	case DAG_BasicBlock: mir_add_block(m, i, (MirBlockId){(u32)n->k[0]}); return;
	case DAG_Register: mir_add_use(m, i, (MirReg){(u32)n->k[0]}); return;
	default: mir_add_use(m, i, reg_of(e, v)); return;
	}
}

/* The node's operands from `first` on, without chains and glue. */
static void add_operands(Emitter *e, MirInstId i, const DagNode *n, u32 first)
{
	Dag *d = &e->f->dag;
	for (u32 k = first; k < dag_n_ops(n); k++) {
		DagVal v = dag_operand(d, n, k);
		u32    kind = vt_kind(dag_vt(d, v));
		if (kind != VTK_CHAIN && kind != VTK_GLUE)
			add_operand(e, i, v);
	}
}

/* ---- copies ---- */

static void copy_to_reg(Emitter *e, const DagNode *n)
{
	DagFunc       *f = e->f;
	Dag           *d = &f->dag;
	MirReg         dst = reg_operand(d, dag_operand(d, n, 1));
	DagVal         v = dag_operand(d, n, 2);
	const DagNode *src = dag_of(d, v);
	if (mir_is_virt(dst) &&
	    (src->opcode == DAG_IMPLICIT_DEF || (src->opcode == DAG_MACHINE && src->desc == ISA_IMPLICIT_DEF))) {
		if (!mir_def_inst(f->mir, dst).i) /* else the IMPLICIT_DEF defines it */
			mir_add_def(f->mir, mir_build(f->mir, f->mir_block, f->before, ISA_IMPLICIT_DEF), dst);
		return;
	}
	MirReg from = src->opcode == DAG_Register ? reg_operand(d, v) : reg_of(e, v);
	if (from.i != dst.i)
		build_copy(e, n, n->aux == DAG_COPY_CSSA ? (u32)ISA_CSSA_COPY : (u32)ISA_COPY, dst, from);
}

static void copy_from_reg(Emitter *e, const DagNode *n)
{
	Dag   *d = &e->f->dag;
	MirReg src = reg_operand(d, dag_operand(d, n, 1));
	DagVal v = dag_res(n->id, 0);
	if (mir_is_virt(src)) {
		set_reg(e, v, src);
		return;
	}
	MirClass  rc = dag_class_of(dag_vt(d, v));
	MirReg    wanted = wanted_register(e, v, rc), dst = wanted.i ? wanted : mir_reg_new(e->f->mir, rc);
	MirInstId i = build_copy(e, n, ISA_COPY, dst, src);
	set_reg(e, v, dst);
	if (!wanted.i)
		note_copy(e, i, dst);
}

/* ---- implicit registers ---- */

/* The physical registers that nodes glued behind this one read, up to the next definition of the carry. */
static u32 read_behind(const Emitter *e, const DagNode *n)
{
	const Dag *d = &e->f->dag;
	u32        read = 0;
	for (u32 g = dag_glue_user(d, n); g; g = dag_glue_user(d, dag_at(d, g))) {
		const DagNode *x = dag_at(d, g);
		u32            flags = x->opcode == DAG_MACHINE ? isa_desc(e->f->s, x->desc)->flags : 0;
		if (flags & IF_CARRY_IN)
			read |= phys_bit(mir_phys(MIR_PHYS_CC));
		for (u32 k = 0; k < dag_n_ops(x); k++)
			if (dag_op(d, dag_operand(d, x, k)) == DAG_Register)
				read |= phys_bit(reg_operand(d, dag_operand(d, x, k)));
		if (flags & IF_CARRY_OUT)
			break;
	}
	return read;
}

/* A result behind those of the instruction is the carry; it is copied if it is used. Returns whether it is. */
static bool copy_carry(Emitter *e, const DagNode *n, u32 from)
{
	Dag   *d = &e->f->dag;
	MirReg carry = mir_phys(MIR_PHYS_CC);
	for (u32 r = from; r < dag_n_results(n); r++) {
		DagVal v = dag_res(n->id, r);
		if (!vt_is_value(dag_vt(d, v)))
			continue;
		if (!dag_has_uses(d, v))
			return false;
		MirReg dst = mir_reg_new(e->f->mir, dag_class_of(dag_vt(d, v)));
		note_copy(e, build_copy(e, n, ISA_COPY, dst, carry), dst);
		set_reg(e, v, dst);
		return true;
	}
	return false;
}

static void implicit_registers(Emitter *e, const DagNode *n, MirInstId i, u32 results)
{
	MirFunc *m = e->f->mir;
	MirReg   carry = mir_phys(MIR_PHYS_CC);
	u32      flags = isa_desc(e->f->s, n->desc)->flags;
	if (!(flags & (IF_CARRY_IN | IF_CARRY_OUT)))
		return;
	e->phase[EMIT_IMPLICIT]++;
	if (flags & IF_CARRY_IN) {
		e->phase[EMIT_IMPLICIT_USE]++;
		mir_add_reg(m, i, carry, MOF_IMPLICIT);
	}
	if (!(flags & IF_CARRY_OUT))
		return;
	bool copied = copy_carry(e, n, results), dead = !copied && !(read_behind(e, n) & phys_bit(carry));
	e->phase[EMIT_IMPLICIT_DEAD] += dead;
	mir_add_reg(m, i, carry, (u32)MOF_IMPLICIT | MOF_DEF | (dead ? (u32)MOF_DEAD : 0u));
}

/* ---- the generic path ---- */

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

static void machine(Emitter *e, const DagNode *n)
{
	DagFunc       *f = e->f;
	MirInstId      i = new_inst(e, n, n->desc);
	const IsaDesc *desc = isa_desc(f->s, n->desc);
	u32            results = define_results(e, i, n, desc->flags & (IF_VARIADIC | IF_GENERIC | IF_CALL) ? ~0u : desc->n_defs);
	MirInst       *x = mir_inst(f->mir, i);
	e->phase[EMIT_INST]++;
	add_operands(e, i, n, 0);
	x->flags |= inst_flags(n->flags);
	if (n->props & DP_CALL)
		x->flags |= MIF_SIDE_EFFECT | MIF_NO_DUP;
	if (n->props & DP_CONVERGENT)
		x->flags |= MIF_NO_DUP;
	if (n->mem) {
		e->phase[EMIT_MEM]++;
		mir_add_mem(f->mir, i, dag_mem(&f->dag, n)->mem);
	}
	e->phase[EMIT_CUSTOM] += emit_custom(e, i);
	implicit_registers(e, n, i, results);
}

/* ---- nodes with a handler ---- */

static MirInstId special(Emitter *e, const DagNode *n, u32 desc, u32 first_operand)
{
	MirInstId i = new_inst(e, n, desc);
	define_results(e, i, n, ~0u);
	add_operands(e, i, n, first_operand);
	return i;
}

static void inline_asm(Emitter *e, const DagNode *n)
{
	DagFunc  *f = e->f;
	MirInstId i = special(e, n, ISA_INLINEASM, 1);
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

static void dispatch(Emitter *e, const DagNode *n)
{
	switch (n->opcode) {
	case DAG_CopyToReg: copy_to_reg(e, n); return;
	case DAG_CopyFromReg: copy_from_reg(e, n); return;
	case DAG_EntryToken:
	case DAG_TokenFactor: return;
	case DAG_INLINEASM: inline_asm(e, n); return;
	case DAG_EH_LABEL: special(e, n, ISA_EH_LABEL, 1); return;
	case DAG_LIFETIME: special(e, n, n->aux ? ISA_LIFETIME_END : ISA_LIFETIME_START, 1); return;
	case DAG_PSEUDO_PROBE: special(e, n, ISA_PSEUDO_PROBE, 1); return;
	case DAG_INSERT_SUBREG: special(e, n, ISA_INSERT_SUBREG, 0); return;
	case DAG_SUBREG_TO_REG: special(e, n, ISA_SUBREG_TO_REG, 0); return;
	case DAG_COPY_TO_REGCLASS: special(e, n, ISA_COPY_TO_REGCLASS, 0); return;
	case DAG_EXTRACT_SUBREG: special(e, n, ISA_EXTRACT_SUBREG, 0); return;
	case DAG_IMPLICIT_DEF: special(e, n, ISA_IMPLICIT_DEF, 0); return;
	case DAG_MACHINE: machine(e, n); return;
	default: ICE(e->f->s, "%s was not selected", dag_op_info[n->opcode].name);
	}
}

static void emit_node(Emitter *e, const DagNode *n)
{
	const Dag *d = &e->f->dag;
	if (n->use_count == 0 && !(n->props & DP_SIDE_EFFECT) && n->id != d->root.n) {
		e->phase[EMIT_DEAD]++;
		return;
	}
	e->phase[EMIT_GLUE] += dag_glue_source(d, n) != 0;
	e->phase[EMIT_DISPATCH]++;
	dispatch(e, n);
}

/* ---- copies that nothing reads ---- */

/* Erases copies without readers, and then, from the last to the first, those whose readers were erased. */
static void erase_dead_copies(Emitter *e)
{
	MirFunc *m = e->f->mir;
	for (u32 k = 0; k < e->copies.n; k++)
		if (!mir_vreg(m, e->copies.p[k].dst)->n_uses) {
			mir_erase(m, e->copies.p[k].inst);
			e->phase[EMIT_DEAD_COPY]++;
		}
	for (u32 k = e->phase[EMIT_DEAD_COPY] ? e->copies.n : 0; k-- > 0;)
		if (mir_inst(m, e->copies.p[k].inst)->block && !mir_vreg(m, e->copies.p[k].dst)->n_uses) {
			mir_erase(m, e->copies.p[k].inst);
			e->phase[EMIT_FED_COPY]++;
		}
}

/* Kill flags of physical registers that were copied may be wrong, as later nodes may read them. */
static void clear_kill_flags(Emitter *e)
{
	MirFunc *m = e->f->mir;
	mir_each_inst(m, e->f->mir_block, i)
		for (u32 k = 0; k < mir_inst(m, i)->n_ops; k++) {
			MirOp *o = mir_op(m, i, k);
			if (o->kind == MO_REG && (o->flags & MOF_KILL) && phys_bit(mir_op_reg(o)) & e->copied) {
				o->flags &= (u16)~MOF_KILL;
				e->phase[EMIT_KILL]++;
			}
		}
}

void dag_emit(DagFunc *f, const VecU32 *order)
{
	Emitter *e = f->emitter;
	reset(e, order->n);
	for (u32 i = 0; i < order->n; i++)
		emit_node(e, dag_at(&f->dag, order->p[i]));
	erase_dead_copies(e);
	if (e->copied)
		clear_kill_flags(e);
	if (f->dag.watch.n)
		dag_place_watches(e);
}

void dag_emit_report(const DagFunc *f, Text *out, Str title)
{
	static const char *const text[EMIT_PHASES] = {
#define X(id, text) text,
		EMIT_PHASE_ROWS(X)
#undef X
	};
	text_f(out, "Emission of %.*s:\n", STR_ARG(title));
	for (u32 p = 0; p < EMIT_PHASES; p++)
		text_f(out, "  %u %s: %u\n", p + 1, text[p], f->emitter->phase[p]);
	text_c(out, '\n');
}
