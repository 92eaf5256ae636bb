/* machine-cse: an instruction whose result a dominating one has computed already.
 *
 *	%5 = ADD %1, %2                 %5 = ADD %1, %2
 *	…                         →     …
 *	%9 = ADD %1, %2                 (readers of %9 read %5)
 *
 * A walk of the dominator tree with a scoped hash table (Briggs, Cooper, Simpson), on SSA. Operands of
 * commutative instructions are ordered first. Only instructions without memory, side effects, control flow or
 * convergence take part, and loads that are invariant; copies, constants and addresses are left to ptxas,
 * since they cost nothing and longer lives cost registers.
 *
 * Pressure: with -rp-aware-mcse a value is not kept alive into another block where that block's pressure is at
 * the target (nv-remat-default-max-reg moved by reg-target-adjust), with -pred-aware-mcse the same for
 * predicates, of which the hardware has seven. */
#include "base/hash.h"
#include "base/map.h"
#include "mir/cfg.h"
#include "mir/live.h"
#include "mirpass/mirpass.h"

enum { PREDICATE_TARGET = 7 };

typedef struct Entry {
	u32 inst, next; /* next: older one with the same hash */
	u64 hash;
} Entry;

typedef struct Cse {
	PassCx      *cx;
	MirFunc     *f;
	MirCfg      *cfg;
	MirPressure *pressure; /* by block; NULL: not asked for */
	u32          reg_target, pred_target;
	Map          table;    /* hash → 1 + index of the newest entry */
	Vec(Entry) entry;      /* a stack: entries of the blocks above on the tree */
	bool changed;
} Cse;

static bool takes_part(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	u32            no = IF_STORE | IF_SIDE_EFFECTS | IF_TERMINATOR | IF_CALL | IF_CONVERGENT | IF_PHI | IF_COPY | IF_META |
	         IF_CARRY_IN | IF_CARRY_OUT | IF_ASYNC | IF_MOVE | IF_ATOMIC | IF_VARIADIC;
	if ((d->flags & no) || (mi->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP)) || !mi->n_defs || d->opc.slot[SLOT_guard])
		return false;
	if (d->opc.op == ISA_IMPLICIT_DEF || (d->opc.op == ISA_sreg && isa_sreg(d->opc.slot[SLOT_sreg])->divergence == DIV_VOLATILE))
		return false;
	if (!(d->flags & IF_LOAD))
		return true;
	return m && (m->flags & MMF_INVARIANT) && !(m->flags & MMF_VOLATILE) && m->ordering == MIR_NOT_ATOMIC;
}

static int op_order(const MirOp *a, const MirOp *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->ref != b->ref)
		return a->ref < b->ref ? -1 : 1;
	return (a->imm > b->imm) - (a->imm < b->imm);
}

/* Operand n as the comparison sees it: the two sources of a commutative instruction in order. */
static const MirOp *source(const MirFunc *f, MirInstId i, u32 n)
{
	const MirOp   *o = mir_ops(f, i);
	const MirInst *mi = mir_inst(f, i);
	u32            first = mi->n_defs;
	if (mir_is(f, i, IF_COMMUTATIVE) && mi->n_ops > first + 1u && n - first < 2 && op_order(&o[first], &o[first + 1]) > 0)
		return &o[first + (first + 1 - n)];
	return &o[n];
}

enum { SAME_FLAGS = MOF_NOT | MOF_GENERIC | MOF_UNDEF };

static u64 hash_of(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	u64            h = hash_mix(mi->desc, mi->n_ops);
	for (u32 n = mi->n_defs; n < mi->n_ops; n++) {
		const MirOp *o = source(f, i, n);
		h = hash_mix(h, (u64)o->ref << 32 | (u64)(o->flags & SAME_FLAGS) << 16 | (u64)o->type << 8 | o->kind);
		h = hash_mix(h, (u64)o->imm);
	}
	return h & INT64_MAX;
}

static bool same(const MirFunc *f, MirInstId a, MirInstId b)
{
	const MirInst *x = mir_inst(f, a), *y = mir_inst(f, b);
	if (x->desc != y->desc || x->n_ops != y->n_ops || x->n_defs != y->n_defs)
		return false;
	for (u32 n = 0; n < x->n_defs; n++)
		if (mir_class(f, mir_op_reg(mir_op(f, a, n))) != mir_class(f, mir_op_reg(mir_op(f, b, n))))
			return false;
	for (u32 n = x->n_defs; n < x->n_ops; n++) {
		const MirOp *o = source(f, a, n), *p = source(f, b, n);
		if (op_order(o, p) || o->type != p->type || ((o->flags ^ p->flags) & SAME_FLAGS))
			return false;
	}
	return true;
}

/* Would a longer life of the earlier value hurt in the later one's block? */
static bool too_tight(const Cse *c, MirInstId earlier, MirInstId later)
{
	const MirInst *e = mir_inst(c->f, earlier), *l = mir_inst(c->f, later);
	if (!c->pressure || e->block == l->block)
		return false;
	const u32 *p = c->pressure[l->block].by_class;
	MirClass   cls = mir_class(c->f, mir_op_reg(mir_op(c->f, earlier, 0)));
	if (cls == MIR_PRED)
		return c->pred_target && p[MIR_PRED] >= c->pred_target;
	u32 regs = (p[MIR_B16] + 1) / 2 + p[MIR_B32] + p[MIR_F32] + 2 * (p[MIR_B64] + p[MIR_F64]) + 4 * p[MIR_B128];
	return c->reg_target && regs >= c->reg_target;
}

static MirInstId find(const Cse *c, MirInstId i, u64 hash)
{
	for (u32 at = (u32)map_or(&c->table, hash, 0); at; at = c->entry.p[at - 1].next)
		if (same(c->f, (MirInstId){c->entry.p[at - 1].inst}, i))
			return (MirInstId){c->entry.p[at - 1].inst};
	return (MirInstId){0};
}

static void visit(Cse *c, MirBlockId b)
{
	MirFunc *f = c->f;
	mir_each_inst(f, b, i) {
		if (!takes_part(f, i))
			continue;
		u64       hash = hash_of(f, i);
		MirInstId had = find(c, i, hash);
		if (had.i && !too_tight(c, had, i)) {
			for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++) {
				MirReg keep = mir_op_reg(mir_op(f, had, n));
				mir_op(f, had, n)->flags &= (u16)~MOF_DEAD;
				mir_replace_uses(f, mir_op_reg(mir_op(f, i, n)), keep);
			}
			mir_erase(f, i);
			c->changed = true;
			continue;
		}
		u64 *newest = map_put(&c->table, hash, NULL);
		vec_push(c->cx->scratch, &c->entry, ((Entry){i.i, (u32)*newest, hash}));
		*newest = c->entry.n;
	}
}

static void leave(Cse *c, u32 mark)
{
	while (c->entry.n > mark) {
		Entry e = vec_pop(&c->entry);
		map_set(&c->table, e.hash, e.next);
	}
}

/* Preorder of the dominator tree; the entries of a block go when the walk leaves its subtree. */
static void walk(Cse *c)
{
	const DomTree *t = &c->cfg->dom;
	u32           *mark = arena_array(c->cx->scratch, u32, t->n + 1), *path = arena_array(c->cx->scratch, u32, t->n + 1), depth = 0;
	for (u32 k = 0; k < t->reached; k++) {
		u32 node = t->pre[k];
		while (depth && !dom_dominates(t, path[depth - 1], node))
			leave(c, mark[--depth]);
		path[depth] = node;
		mark[depth++] = c->entry.n;
		visit(c, (MirBlockId){c->cfg->block[node]});
	}
}

static u32 adjusted(i64 target, i64 by)
{
	return target + by > 0 ? (u32)(target + by) : 1;
}

static bool run(PassCx *cx)
{
	Cse c = {.cx = cx, .f = mirpass_func(cx)};
	if (!(c.f->props & MP_SSA) || !c.f->first_block)
		return false;
	c.cfg = mir_cfg_new(c.f, cx->scratch);
	map_init(&c.table, cx->scratch, &map_default);
	bool regs = knob_bool(cx->s, KNOB_rp_aware_mcse), preds = knob_bool(cx->s, KNOB_pred_aware_mcse);
	if (regs || preds) {
		MirLive live = mir_live_new(c.f, cx->scratch);
		c.pressure = mir_pressure_blocks(c.f, &live, cx->scratch);
		c.reg_target = regs ? adjusted(knob_int(cx->s, KNOB_nv_remat_default_max_reg), knob_int(cx->s, KNOB_reg_target_adjust)) : 0;
		c.pred_target = preds ? adjusted(PREDICATE_TARGET, knob_int(cx->s, KNOB_pred_target_adjust)) : 0;
	}
	walk(&c);
	return c.changed;
}

static bool wanted(const Session *s) { return knob_bool(s, KNOB_enable_mcse); }

static const Knob knobs[] = {KNOB_rp_aware_mcse, KNOB_pred_aware_mcse, KNOB_reg_target_adjust, KNOB_pred_target_adjust, KNOB_NONE};

const Pass mirpass_machine_cse = {
	.id = "machine-cse",
	.title = "Machine Common Subexpression Elimination",
	.summary = "Reuses what a dominating instruction has computed, unless registers are scarce",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machine_cse,
	.gated = wanted,
	.knobs = knobs,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
