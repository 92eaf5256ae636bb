/* register-coalescer: the two sides of a copy become one register where their values never collide.
 *
 *	%9 = COPY %3                      %3 = …
 *	bb.3:                             bb.3:
 *	  %1 = COPY %9             →
 *	  %2 = ADD %1, -1                   %3 = ADD %3, -1
 *	  %9 = COPY %2
 *
 * For each copy, blocks of the deepest loops first: the two live intervals are laid over each other. Where
 * they overlap, both must hold the same value there, which is so when one of the two was copied from the
 * other (Chaitin's coalescing with value numbers, as in Park and Moon's optimistic form without the undo).
 * Then they are merged, all copies between the two disappear, and the register with more segments keeps its
 * number (of a call result's proxy: what was loaded). Copies that had to stay are tried again as long as anything was merged.
 *
 * The copies that cssa made (CSSA_COPY) are joined by the same rule and no other: it looks at whole intervals, on
 * every path, so what threads on another way hold at the time counts as well. Each gets a remark: joined, or
 * why it stays. -usedessa=1 keeps all copies.
 *
 * Cost: a join walks both intervals once. Nothing is spilled for it: PTX registers are without number, and
 * ptxas colours them. */
#include "base/sort.h"
#include "mir/cfg.h"
#include "mir/live.h"
#include "mirpass/mirpass.h"

enum { NO_VALUE = 0xFFFFFFFF };

typedef struct Pair {
	u32 a, b;
} Pair;

typedef struct Joiner {
	PassCx      *cx;
	MirFunc     *f;
	Arena       *arena;
	MirIntervals iv;
	Vec(Pair) same; /* values of the two intervals at hand that are one value */
} Joiner;

static bool is_copy(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	return mi->block && (mi->desc == ISA_COPY || mi->desc == ISA_CSSA_COPY || mi->desc == ISA_ProxyReg) &&
	       mi->n_ops == 2 && mir_is_virt(mir_op_reg(mir_op(f, i, 0))) &&
	       mir_is_virt(mir_op_reg(mir_op(f, i, 1)));
}

/* By value of `a`: the value of `b` it was copied from, or NO_VALUE. */
static u32 *copied_from(Joiner *j, MirReg a, MirReg b)
{
	const MirInterval *ia = mir_interval(&j->iv, a), *ib = mir_interval(&j->iv, b);
	u32               *from = arena_array(j->arena, u32, ia->value.n + 1);
	for (u32 v = 0; v < ia->value.n; v++) {
		MirInstId i = {ia->value.p[v].inst};
		from[v] = NO_VALUE;
		if (!i.i || !is_copy(j->f, i) || mir_op_reg(mir_op(j->f, i, 1)).i != b.i)
			continue;
		const MirSegment *s = mir_interval_at(ib, j->iv.slot[i.i]);
		if (s)
			from[v] = s->value;
	}
	return from;
}

/* The same value, as one was copied from the other; or both are what meets at the head of a block. Those are
 * the same where the values that meet are, and these overlap at the ends of the predecessors, where they are
 * looked at as well; a predecessor in which one of the two is undefined does not matter. */
static bool agree(Joiner *j, const MirInterval *a, const MirInterval *b, Pair v, const u32 *a_from, const u32 *b_from)
{
	const MirValue *x = &a->value.p[v.a], *y = &b->value.p[v.b];
	if (a_from[v.a] == v.b || b_from[v.b] == v.a)
		return true;
	if (x->inst || y->inst || x->def != y->def)
		return false;
	vec_push(j->arena, &j->same, v);
	return true;
}

static bool collide(Joiner *j, const MirInterval *a, const MirInterval *b, const u32 *a_from, const u32 *b_from)
{
	j->same.n = 0;
	for (u32 i = 0, k = 0; i < a->seg.n && k < b->seg.n;) {
		const MirSegment *x = &a->seg.p[i], *y = &b->seg.p[k];
		if (x->end <= y->start)
			i++;
		else if (y->end <= x->start)
			k++;
		else if (!agree(j, a, b, (Pair){x->value, y->value}, a_from, b_from))
			return true;
		else if (x->end < y->end)
			i++;
		else
			k++;
	}
	return false;
}

/* Values of the merged interval: those of `a` first, then those of `b`; a copied value is its source. */
typedef struct Renumber {
	u32 *up;
	u32  n_a;
} Renumber;

static u32 find(u32 *up, u32 v)
{
	while (up[v] != v)
		v = up[v] = up[up[v]];
	return v;
}

static Renumber renumber(Joiner *j, const MirInterval *a, const MirInterval *b, const u32 *a_from, const u32 *b_from)
{
	u32      n = a->value.n + b->value.n;
	Renumber r = {arena_array(j->arena, u32, n + 1), a->value.n};
	for (u32 v = 0; v < n; v++)
		r.up[v] = v;
	for (u32 v = 0; v < a->value.n; v++)
		if (a_from[v] != NO_VALUE)
			r.up[find(r.up, v)] = find(r.up, r.n_a + a_from[v]);
	for (u32 v = 0; v < b->value.n; v++)
		if (b_from[v] != NO_VALUE && find(r.up, r.n_a + v) != find(r.up, b_from[v]))
			r.up[find(r.up, r.n_a + v)] = find(r.up, b_from[v]);
	for (u32 k = 0; k < j->same.n; k++)
		r.up[find(r.up, r.n_a + j->same.p[k].b)] = find(r.up, j->same.p[k].a);
	return r;
}

/* The gap between the read and the write of a copy that goes away. */
static void bridge(Joiner *j, MirInterval *out, const MirInterval *from, const u32 *copied, Renumber r, u32 base)
{
	for (u32 v = 0; v < from->value.n; v++)
		if (copied[v] != NO_VALUE) {
			u32        def = from->value.p[v].def;
			MirSegment s = {def - SLOT_DEF, def + 1, find(r.up, base + v)};
			vec_push(j->arena, &out->seg, s);
		}
}

static int by_start(const void *a, const void *b, void *user)
{
	(void)user;
	const MirSegment *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static MirInterval merged(Joiner *j, const MirInterval *a, const MirInterval *b, const u32 *a_from, const u32 *b_from)
{
	Renumber    r = renumber(j, a, b, a_from, b_from);
	MirInterval all = {0}, out = {0};
	for (u32 i = 0; i < a->seg.n; i++) {
		MirSegment s = a->seg.p[i];
		s.value = find(r.up, s.value);
		vec_push(j->arena, &all.seg, s);
	}
	for (u32 i = 0; i < b->seg.n; i++) {
		MirSegment s = b->seg.p[i];
		s.value = find(r.up, r.n_a + s.value);
		vec_push(j->arena, &all.seg, s);
	}
	bridge(j, &all, a, a_from, r, 0);
	bridge(j, &all, b, b_from, r, r.n_a);
	sort_stable(j->arena, all.seg.p, all.seg.n, sizeof(MirSegment), by_start, NULL);
	for (u32 i = 0; i < all.seg.n; i++) {
		MirSegment s = all.seg.p[i];
		if (out.seg.n && s.start <= vec_last(&out.seg).end && vec_last(&out.seg).value == s.value)
			vec_last(&out.seg).end = PS_MAX(vec_last(&out.seg).end, s.end);
		else
			vec_push(j->arena, &out.seg, s);
	}
	for (u32 v = 0; v < a->value.n; v++)
		vec_push(j->arena, &out.value, a->value.p[v]);
	for (u32 v = 0; v < b->value.n; v++)
		vec_push(j->arena, &out.value, b->value.p[v]);
	return out;
}

static void erase_copies(Joiner *j, const MirInterval *of, const u32 *from)
{
	for (u32 v = 0; v < of->value.n; v++)
		if (from[v] != NO_VALUE)
			mir_erase(j->f, (MirInstId){of->value.p[v].inst});
}

/* True where the copy is gone. */
static bool join(Joiner *j, MirInstId copy)
{
	MirFunc *f = j->f;
	MirReg   dst = mir_op_reg(mir_op(f, copy, 0)), src = mir_op_reg(mir_op(f, copy, 1));
	if (dst.i == src.i) {
		mir_erase(f, copy);
		return true;
	}
	if (mir_class(f, dst) != mir_class(f, src) || (mir_op(f, copy, 1)->flags & MOF_UNDEF))
		return false;
	MirReg keep = dst, gone = src;
	bool proxy = mir_inst(f, copy)->desc == ISA_ProxyReg;
	if (proxy || mir_interval(&j->iv, src)->seg.n > mir_interval(&j->iv, dst)->seg.n) {
		keep = src;
		gone = dst;
	}
	MirInterval *kept = mir_interval(&j->iv, keep), *other = mir_interval(&j->iv, gone);
	u32         *keep_from = copied_from(j, keep, gone), *gone_from = copied_from(j, gone, keep);
	if (collide(j, kept, other, keep_from, gone_from))
		return false;
	if (mir_inst(f, copy)->desc == ISA_CSSA_COPY)
		pass_remark(j->cx, REMARK_PASSED, mir_inst(f, copy)->origin, "copy of cssa joined: %%%u and %%%u are never live with different values", dst.i - 1, src.i - 1);
	MirInterval both = merged(j, kept, other, keep_from, gone_from);
	erase_copies(j, kept, keep_from);
	erase_copies(j, other, gone_from);
	mir_replace_reg(f, gone, keep);
	*kept = both;
	*other = (MirInterval){0};
	return true;
}

/* ---- order of the copies ---- */

typedef struct BlockRank {
	u32 block, depth, edges, number;
} BlockRank;

static int by_rank(const void *a, const void *b, void *user)
{
	(void)user;
	const BlockRank *x = a, *y = b;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	if (x->edges != y->edges)
		return x->edges > y->edges ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void copies_in_order(PassCx *cx, MirFunc *f, VecU32 *out)
{
	const MirCfg *cfg = mir_cfg_new(f, cx->scratch);
	BlockRank    *rank = arena_array(cx->scratch, BlockRank, f->n_blocks + 1);
	u32           n = 0;
	mir_each_block(f, b) {
		const MirBlock *mb = mir_block(f, b);
		rank[n] = (BlockRank){b.i, mir_cfg_loop_depth(cfg, b), mb->n_preds + mb->n_succs, n};
		n++;
	}
	sort_stable(cx->scratch, rank, n, sizeof *rank, by_rank, NULL);
	/* Copies of cssa first: what is left then is one carrier for each phi, as if they had never been. */
	VecU32 others = {0};
	for (u32 k = 0; k < n; k++)
		for (MirInstId i = {mir_block(f, (MirBlockId){rank[k].block})->first}; i.i; i = mir_next(f, i))
			if (is_copy(f, i))
				vec_push(cx->scratch, mir_inst(f, i)->desc == ISA_CSSA_COPY ? out : &others, i.i);
	for (u32 k = 0; k < others.n; k++)
		vec_push(cx->scratch, out, others.p[k]);
}

/* The registers whose intervals are looked at. */
static Bitset copied_registers(const MirFunc *f, const VecU32 *copies, Arena *a)
{
	Bitset regs = bitset_new(a, f->vreg.n);
	for (u32 k = 0; k < copies->n; k++) {
		const MirOp *o = mir_ops(f, (MirInstId){copies->p[k]});
		if (mir_class(f, mir_op_reg(&o[0])) != mir_class(f, mir_op_reg(&o[1])))
			continue;
		bitset_add(regs, o[0].ref);
		bitset_add(regs, o[1].ref);
	}
	return regs;
}

/* An undefined value says nothing in a register that others write. */
static bool drop_undefs(MirFunc *f)
{
	bool changed = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_inst(f, i)->desc == ISA_IMPLICIT_DEF && mir_is_virt(mir_op_reg(mir_op(f, i, 0))) &&
			    (mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_defs > 1 || !mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_uses)) {
				mir_erase(f, i);
				changed = true;
			}
	return changed;
}

static void remark_kept(PassCx *cx, const MirFunc *f, const VecU32 *copies)
{
	for (u32 k = 0; k < copies->n; k++) {
		MirInstId i = {copies->p[k]};
		if (i.i && is_copy(f, i) && mir_class(f, mir_op_reg(mir_op(f, i, 0))) == mir_class(f, mir_op_reg(mir_op(f, i, 1))))
			pass_remark(cx, REMARK_MISSED, mir_inst(f, i)->origin, "copy stays: %%%u and %%%u are live at once with different values",
			            mir_op(f, i, 0)->ref - 1, mir_op(f, i, 1)->ref - 1);
	}
}

/* Registers written but not read any more once copies are gone are left to dead-mi-elimination. */
static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	VecU32   copies = {0};
	bool     changed = false;
	if (mir_had(f, ISA_COPY) || mir_had(f, ISA_CSSA_COPY) || mir_had(f, ISA_ProxyReg))
		copies_in_order(cx, f, &copies);
	if (!copies.n)
		return mir_had(f, ISA_IMPLICIT_DEF) && drop_undefs(f);
	Bitset regs = copied_registers(f, &copies, cx->scratch);
	Joiner j = {.cx = cx, .f = f, .arena = cx->scratch, .iv = mir_intervals_new(f, regs, cx->scratch)};
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < copies.n; k++)
			if (copies.p[k] && (!is_copy(f, (MirInstId){copies.p[k]}) || join(&j, (MirInstId){copies.p[k]}))) {
				copies.p[k] = 0;
				again = changed = true;
			}
	}
	remark_kept(cx, f, &copies);
	return changed;
}

static bool merges(const Session *s) { return knob_int(s, KNOB_usedessa) != 1; }

static const Knob knobs[] = {KNOB_usedessa, KNOB_NONE};

const Pass mirpass_register_coalescer = {
	.id = "register-coalescer",
	.title = "Register Coalescer",
	.summary = "Merges the registers on both sides of a copy where their values never collide",
	.group = "ra",
	.level = PASS_MIR,
	.gated = merges,
	.knobs = knobs,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
