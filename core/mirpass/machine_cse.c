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
 * Most instructions have no equal anywhere. So the first of two walks only hashes: a register stands for the hash of
 * what computes it, so that equal instructions have equal hashes before anything is replaced, and a small filter
 * counts each hash up to two. Only instructions whose hash came twice are looked at again.
 *
 * Pressure: with -rp-aware-mcse a value is not kept alive into another block where that block's pressure is at
 * the target (nv-remat-default-max-reg moved by reg-target-adjust), with -pred-aware-mcse the same for
 * predicates, of which the hardware has seven. It is that of before the pass, measured when the first equal is found. */
#include "base/hash.h"
#include "mir/cfg.h"
#include "mir/live.h"
#include "mirpass/mirpass.h"

enum { PREDICATE_TARGET = 7 };

typedef struct Candidate {
	u32 inst, hash;
} Candidate;

typedef struct Entry {
	u32 inst, hash;
	u32 next; /* an older one in the same bucket */
} Entry;

typedef struct Cse {
	PassCx      *cx;
	MirFunc     *f;
	MirCfg      *cfg;
	DomTree     *dom;
	MirPressure *pressure;                /* by block; NULL: not measured yet */
	u32          reg_target, pred_target; /* 0: any pressure will do */

	Vec(Candidate) candidate; /* along the walk */
	u32 *end;                 /* by place in the walk: where the candidates of the block end */
	u32 *value;               /* by register: hash of the candidate that defines it, or 0 */

	u32 *bucket, bucket_mask; /* 1 + index of the newest entry */
	Vec(Entry) entry;         /* a stack: entries of the blocks above on the tree */
	bool changed;
} Cse;

static bool takes_part(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	u32 no = IF_STORE | IF_SIDE_EFFECTS | IF_TERMINATOR | IF_CALL | IF_CONVERGENT | IF_PHI | IF_COPY | IF_META | IF_CARRY_IN |
	         IF_CARRY_OUT | IF_ASYNC | IF_MOVE | IF_ATOMIC | IF_VARIADIC;
	if ((d->flags & no) || (mi->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP)) || !mi->n_defs || d->opc.slot[SLOT_guard])
		return false;
	if (d->opc.op == ISA_IMPLICIT_DEF ||
	    (d->opc.op == ISA_sreg && isa_sreg(d->opc.slot[SLOT_sreg])->divergence == DIV_VOLATILE))
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
	if (a->kind == MO_REG)
		return 0;
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

static u64 hash_op(const Cse *c, const MirOp *o)
{
	u64 h = (u64)(o->flags & SAME_FLAGS) << 48 | (u64)o->type << 40 | (u64)o->kind << 32;
	if (o->kind != MO_REG)
		return hash_mix(h | o->ref, (u64)o->imm);
	u32 value = mir_is_phys((MirReg){o->ref}) ? 0 : c->value[o->ref];
	return value ? hash_u64(h | (u64)1 << 63 | value) : hash_u64(h | o->ref);
}

static u32 hash_of(const Cse *c, const MirInst *mi)
{
	const MirOp *o = mir_op_at(c->f, mi->op);
	u64          h = hash_mix(mi->desc, mi->n_ops);
	u32          n = mi->n_defs;
	if (isa_is(c->cx->s, mi->desc, IF_COMMUTATIVE) && mi->n_ops > n + 1u) {
		u64 a = hash_op(c, &o[n]), b = hash_op(c, &o[n + 1]);
		h = hash_mix(hash_mix(h, PS_MIN(a, b)), PS_MAX(a, b));
		n += 2;
	}
	for (; n < mi->n_ops; n++)
		h = hash_mix(h, hash_op(c, &o[n]));
	return (u32)h;
}

/* ---- the first walk ---- */

static void hash_block(Cse *c, MirBlockId b)
{
	MirFunc *f = c->f;
	for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
		if (!takes_part(f, i))
			continue;
		const MirInst *mi = mir_inst(f, i);
		u32            hash = hash_of(c, mi);
		for (u32 n = 0; n < mi->n_defs; n++) {
			MirReg r = mir_op_reg(mir_op(f, i, n));
			if (mir_is_virt(r))
				c->value[r.i] = (hash + 2 * n) | 1;
		}
		vec_push(c->cx->scratch, &c->candidate, ((Candidate){i.i, hash}));
	}
}

enum { FILTER_WORD = 32 }; /* counts in a word: two bits a hash, how often it came, up to twice */

/* Candidates whose hash came once go. Nothing but the filter is looked at: it is large, and a processor waits for many
 * of its lines at once where the way from one to the next is short. */
static void keep_equals(Cse *c, u32 blocks)
{
	u32 slots = 64, kept = 0;
	while (slots < 8 * (u64)c->candidate.n && slots < 1u << 30)
		slots *= 2;
	u64 *filter = arena_array(c->cx->scratch, u64, slots / FILTER_WORD);
	for (u32 k = 0; k < c->candidate.n; k++) {
		u32  at = c->candidate.p[k].hash & (slots - 1);
		u64 *w = &filter[at / FILTER_WORD], one = (u64)1 << at % FILTER_WORD * 2;
		*w += *w & one << 1 ? 0 : one;
	}
	for (u32 b = 0, k = 0; b < blocks; b++) {
		for (; k < c->end[b]; k++) {
			Candidate x = c->candidate.p[k];
			u32       at = x.hash & (slots - 1);
			c->candidate.p[kept] = x;
			kept += filter[at / FILTER_WORD] >> (at % FILTER_WORD * 2 + 1) & 1;
		}
		c->end[b] = kept;
	}
	c->candidate.n = kept;
}

/* The candidates that may have an equal. */
static void collect(Cse *c)
{
	const DomTree *t = c->dom;
	c->value = arena_array(c->cx->scratch, u32, c->f->vreg.n);
	c->end = arena_array(c->cx->scratch, u32, t->reached + 1);
	for (u32 k = 0; k < t->reached; k++) {
		hash_block(c, (MirBlockId){c->cfg->block[t->pre[k]]});
		c->end[k] = c->candidate.n;
	}
	keep_equals(c, t->reached);
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

/* ---- the second walk ---- */

static void measure_pressure(Cse *c)
{
	if (c->pressure || c->f->n_blocks == 1 || (!c->reg_target && !c->pred_target))
		return;
	MirLive live = mir_live_new(c->f, c->cx->scratch);
	c->pressure = mir_pressure_blocks(c->f, &live, c->cx->scratch);
}

/* Would a longer life of the earlier value hurt in the later one's block? */
static bool too_tight(const Cse *c, MirInstId earlier, MirInstId later)
{
	const MirInst *e = mir_inst(c->f, earlier), *l = mir_inst(c->f, later);
	if (!c->pressure || e->block == l->block)
		return false;
	const u32 *p = c->pressure[l->block].by_class;
	MirClass   cls = mir_class(c->f, mir_op_reg(mir_op(c->f, earlier, 0)));
	u32        file = isa_class_info[cls].file, units = 0;
	for (u32 rc = 1; rc < RC_COUNT; rc++)
		units += isa_class_info[rc].file == file ? isa_class_info[rc].units * p[rc] : 0;
	if (file == FILE_P)
		return c->pred_target && units >= c->pred_target;
	return c->reg_target && (units + ISA_UNITS_PER_REG - 1) / ISA_UNITS_PER_REG >= c->reg_target;
}

static MirInstId find(const Cse *c, Candidate x)
{
	for (u32 at = c->bucket[x.hash & c->bucket_mask]; at; at = c->entry.p[at - 1].next)
		if (c->entry.p[at - 1].hash == x.hash && same(c->f, (MirInstId){c->entry.p[at - 1].inst}, (MirInstId){x.inst}))
			return (MirInstId){c->entry.p[at - 1].inst};
	return (MirInstId){0};
}

static void enter(Cse *c, Candidate x)
{
	u32 *newest = &c->bucket[x.hash & c->bucket_mask];
	vec_push(c->cx->scratch, &c->entry, ((Entry){x.inst, x.hash, *newest}));
	*newest = c->entry.n;
}

static void leave(Cse *c, u32 mark)
{
	while (c->entry.n > mark) {
		Entry e = vec_pop(&c->entry);
		c->bucket[e.hash & c->bucket_mask] = e.next;
	}
}

static void replace(Cse *c, MirInstId i, MirInstId had)
{
	MirFunc *f = c->f;
	for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++) {
		MirReg keep = mir_op_reg(mir_op(f, had, n));
		mir_op(f, had, n)->flags &= (u16)~MOF_DEAD;
		mir_replace_uses(f, mir_op_reg(mir_op(f, i, n)), keep);
	}
	mir_erase(f, i);
	c->changed = true;
}

static void visit(Cse *c, u32 from, u32 to)
{
	for (u32 k = from; k < to; k++) {
		Candidate x = c->candidate.p[k];
		MirInstId had = find(c, x), i = {x.inst};
		if (had.i)
			measure_pressure(c);
		if (had.i && !too_tight(c, had, i))
			replace(c, i, had);
		else
			enter(c, x);
	}
}

/* Preorder of the dominator tree; the entries of a block go when the walk leaves its subtree. */
static void walk(Cse *c)
{
	const DomTree *t = c->dom;
	u32 *mark = arena_array(c->cx->scratch, u32, t->n + 1), *path = arena_array(c->cx->scratch, u32, t->n + 1), depth = 0;
	for (u32 k = 0; k < t->reached; k++) {
		u32 node = t->pre[k];
		while (depth && !dom_dominates(t, path[depth - 1], node))
			leave(c, mark[--depth]);
		path[depth] = node;
		mark[depth++] = c->entry.n;
		visit(c, k ? c->end[k - 1] : 0, c->end[k]);
	}
}

static u32 adjusted(i64 target, i64 by) { return target + by > 0 ? (u32)(target + by) : 1; }

static bool run(PassCx *cx)
{
	Cse c = {.cx = cx, .f = mirpass_func(cx)};
	if (!(c.f->props & MP_SSA) || !c.f->first_block)
		return false;
	c.cfg = mir_cfg(cx);
	c.dom = mir_dom(cx);
	collect(&c);
	if (!c.candidate.n)
		return false;
	u32 buckets = 64;
	while (buckets < c.candidate.n)
		buckets *= 2;
	c.bucket = arena_array(cx->scratch, u32, buckets);
	c.bucket_mask = buckets - 1;
	if (knob_bool(cx->s, KNOB_rp_aware_mcse))
		c.reg_target = adjusted(knob_int(cx->s, KNOB_nv_remat_default_max_reg), knob_int(cx->s, KNOB_reg_target_adjust));
	if (knob_bool(cx->s, KNOB_pred_aware_mcse))
		c.pred_target = adjusted(PREDICATE_TARGET, knob_int(cx->s, KNOB_pred_target_adjust));
	walk(&c);
	return c.changed;
}

static bool wanted(const Session *s) { return knob_bool(s, KNOB_enable_mcse); }

static const Knob knobs[] = {KNOB_rp_aware_mcse, KNOB_pred_aware_mcse, KNOB_reg_target_adjust, KNOB_pred_target_adjust,
                             KNOB_NONE};

const Pass mirpass_machine_cse = {
	.id = "machine-cse",
	.title = "Machine Common Subexpression Elimination",
	.summary = "Reuses what a dominating instruction has computed, unless registers are scarce",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machine_cse,
	.gated = wanted,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
