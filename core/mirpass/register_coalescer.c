/* register-coalescer: the two sides of a copy become one register where their values never collide.
 *
 *	%9 = COPY %3                      %3 = …
 *	bb.3:                             bb.3:
 *	  %1 = COPY %9             →
 *	  %2 = ADD %1, -1                   %3 = ADD %3, -1
 *	  %9 = COPY %2
 *
 * Needs machine code out of SSA form; keeps the control flow. For each copy, blocks of the deepest loops first, the live
 * ranges of both sides are laid over each other (mir/liverange.h). Where they overlap, both must hold the same value,
 * which is so when one was copied from the other (Chaitin's coalescing with value numbers, as in Park and Moon's
 * optimistic form without the undo). Then the ranges are joined, all copies between the two registers are erased, and the
 * register with more segments keeps its number (of a call result's proxy: the one that was loaded). Copies that had to
 * stay are tried again when one of their two sides has grown.
 *
 * The copies that cssa made (CSSA_COPY) are joined by the same rule: it compares whole ranges, on every path, so values
 * of threads on another path are included. Each gets a remark: joined, or why it stays. -usedessa=1 keeps all copies.
 *
 * Registers that have been joined form a web: a range, and a list of its copies; which registers are in it is a
 * union-find forest. Operands are renamed once, at the end.
 *
 * Cost: a join looks for the places of the smaller side's segments in the larger one. Only where values of the larger
 * side become one among themselves are all its segments visited. Nothing is spilled: PTX registers are without number,
 * and ptxas colours them. */
#include "base/sort.h"
#include "mir/liverange.h"
#include "mirpass/mirpass.h"

enum { NO_NODE = 0xFFFFFFFF };

typedef struct Web {
	u32 reg;            /* the number it keeps */
	u32 first, last, n; /* list of its copies: nodes 2k (its register is written) and 2k + 1 (read) of copy k */
	u32 changed;        /* at which join it was changed last */
} Web;

typedef struct Joiner {
	PassCx    *cx;
	MirFunc   *f;
	Arena     *arena;
	MirRanges *ranges;
	Web       *web;   /* by place in ranges->of */
	u32       *up;    /* the same: union-find forest of webs */
	VecU32     copy;  /* in order; 0: erased */
	u32       *tried; /* by copy: the join at which it was tried last */
	u32       *next;  /* by node */
	u32        joins;
	/* of the join at hand */
	VecU32        between;             /* copies between the two sides, by number, whose source has a value */
	MirValuePairs copies, other, same; /* the values that they write and read; values of both sides that are one */
} Joiner;

static bool is_copy(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	return mi->block && (mi->desc == ISA_COPY || mi->desc == ISA_CSSA_COPY || mi->desc == ISA_ProxyReg) && mi->n_ops == 2 &&
	       mir_is_virt(mir_op_reg(mir_op(f, i, 0))) && mir_is_virt(mir_op_reg(mir_op(f, i, 1)));
}

static u32 find(u32 *up, u32 v)
{
	while (up[v] != v)
		v = up[v] = up[up[v]];
	return v;
}

static u32 web_of(Joiner *j, MirReg r) { return find(j->up, j->ranges->index.p[r.i]); }

static MirRange *range_of(Joiner *j, u32 web) { return &j->ranges->of.p[web]; }

/* The other end of the copy that `node` is an end of; 0: it is gone. */
static u32 other_end(Joiner *j, u32 node)
{
	MirInstId i = {j->copy.p[node / 2]};
	if (!i.i || !is_copy(j->f, i))
		return 0;
	return web_of(j, mir_op_reg(mir_op(j->f, i, node & 1 ? 0 : 1)));
}

/* All copies between two webs, found in the shorter of their lists; copies that are gone leave the list. */
static void copies_between(Joiner *j, u32 keep, u32 gone)
{
	u32  by = j->web[keep].n < j->web[gone].n ? keep : gone, other = by == keep ? gone : keep, before = NO_NODE;
	Web *w = &j->web[by];
	j->between.n = j->copies.n = j->other.n = 0;
	for (u32 node = w->first, next; node != NO_NODE; node = next) {
		u32 end = other_end(j, node);
		next = j->next[node];
		if (!end) {
			*(before == NO_NODE ? &w->first : &j->next[before]) = next;
			w->last = next == NO_NODE ? before : w->last;
			w->n--;
			continue;
		}
		before = node;
		if (end != other)
			continue;
		u32          slot = mir_slot_of(j->ranges->slots, (MirInstId){j->copy.p[node / 2]});
		u32          dst = node & 1 ? other : by, src = node & 1 ? by : other;
		MirValuePair p = {mir_range_value(j->ranges, range_of(j, dst), slot + SLOT_DEF),
		                  mir_range_value(j->ranges, range_of(j, src), slot)};
		if (p.a == MIR_NO_VALUE || p.b == MIR_NO_VALUE)
			continue;
		vec_push(j->arena, &j->between, node / 2);
		if (dst == keep)
			vec_push(j->arena, &j->copies, p);
		else
			vec_push(j->arena, &j->other, p);
	}
	for (u32 k = 0; k < j->other.n; k++)
		vec_push(j->arena, &j->copies, j->other.p[k]);
}

/* The gaps between the read and the write of the copies close, and the copies are erased. */
static void bridge(Joiner *j, MirRange *range)
{
	for (u32 k = 0; k < j->between.n; k++) {
		MirInstId i = {j->copy.p[j->between.p[k]]};
		u32       slot = mir_slot_of(j->ranges->slots, i);
		mir_range_add(j->ranges, range, (MirSegment){slot, slot + SLOT_DEF + 1, mir_range_value(j->ranges, range, slot)});
		mir_erase(j->f, i);
	}
}

static void append_copies(Joiner *j, Web *w, Web *gone)
{
	if (gone->first == NO_NODE)
		return;
	*(w->first == NO_NODE ? &w->first : &j->next[w->last]) = gone->first;
	w->last = gone->last;
	w->n += gone->n;
}

/* True where the copy is gone. */
static void remark_pair(PassCx *cx, const MirFunc *f, MirInstId copy, MirReg a, MirReg b, bool joined)
{
	if (!pass_wants_remarks(cx))
		return;
	Str x = mir_reg_text(f, a, cx->scratch), y = mir_reg_text(f, b, cx->scratch);
	pass_remark(cx, joined ? REMARK_PASSED : REMARK_MISSED, mir_inst(f, copy)->origin,
	            "%s: %.*s and %.*s are %s with different values", joined ? "copy of cssa joined" : "copy stays", STR_ARG(x),
	            STR_ARG(y), joined ? "never live" : "live at once");
}

static bool join(Joiner *j, MirInstId copy)
{
	MirFunc *f = j->f;
	MirReg   d = mir_op_reg(mir_op(f, copy, 0)), s = mir_op_reg(mir_op(f, copy, 1));
	u32      dst = web_of(j, d), src = web_of(j, s), keep = dst, gone = src;
	if (dst == src) {
		mir_erase(f, copy);
		return true;
	}
	if (mir_op(f, copy, 1)->flags & MOF_UNDEF)
		return false;
	bool cssa = mir_inst(f, copy)->desc == ISA_CSSA_COPY;
	if (mir_inst(f, copy)->desc == ISA_ProxyReg || range_of(j, src)->seg.n > range_of(j, dst)->seg.n) {
		keep = src;
		gone = dst;
	}
	copies_between(j, keep, gone);
	if (mir_ranges_collide(j->ranges, range_of(j, keep), range_of(j, gone), &j->copies, &j->same))
		return false;
	if (cssa)
		remark_pair(j->cx, f, copy, (MirReg){j->web[dst].reg}, (MirReg){j->web[src].reg}, true);
	mir_ranges_join(j->ranges, range_of(j, keep), range_of(j, gone), &j->copies, &j->same);
	bridge(j, range_of(j, keep));
	append_copies(j, &j->web[keep], &j->web[gone]);
	j->up[gone] = keep;
	j->web[keep].changed = ++j->joins;
	return true;
}

static void rename_registers(Joiner *j, Bitset regs)
{
	bitset_each(regs, r) {
		u32 keep = j->web[web_of(j, (MirReg){r})].reg;
		if (keep != r)
			mir_replace_reg(j->f, (MirReg){r}, (MirReg){keep});
	}
}

/* Every register a web of its own. */
static void webs_new(Joiner *j, Bitset regs)
{
	j->web = arena_array(j->arena, Web, j->ranges->of.n);
	j->up = arena_array(j->arena, u32, j->ranges->of.n);
	bitset_each(regs, r) {
		u32 w = j->ranges->index.p[r];
		j->up[w] = w;
		j->web[w] = (Web){.reg = r, .first = NO_NODE, .last = NO_NODE};
	}
}

static void add_end(Joiner *j, MirReg r, u32 node)
{
	Web *w = &j->web[j->ranges->index.p[r.i]];
	j->next[node] = NO_NODE;
	*(w->first == NO_NODE ? &w->first : &j->next[w->last]) = node;
	w->last = node;
	w->n++;
}

static void list_copies(Joiner *j)
{
	j->next = arena_array(j->arena, u32, 2 * (u64)j->copy.n);
	j->tried = arena_array(j->arena, u32, j->copy.n);
	for (u32 k = 0; k < j->copy.n; k++) {
		const MirOp *o = mir_ops(j->f, (MirInstId){j->copy.p[k]});
		if (!mir_alike(j->f, mir_op_reg(&o[0]), mir_op_reg(&o[1])))
			continue;
		add_end(j, mir_op_reg(&o[0]), 2 * k);
		add_end(j, mir_op_reg(&o[1]), 2 * k + 1);
	}
}

/* Has either side changed since the copy was tried? Sides of different classes have no webs, and stay. */
static bool worth_trying(Joiner *j, u32 k)
{
	const MirOp *o = mir_ops(j->f, (MirInstId){j->copy.p[k]});
	if (!mir_alike(j->f, mir_op_reg(&o[0]), mir_op_reg(&o[1])))
		return false;
	u32 last = j->tried[k];
	j->tried[k] = j->joins + 1;
	return !last || j->web[web_of(j, mir_op_reg(&o[0]))].changed >= last ||
	       j->web[web_of(j, mir_op_reg(&o[1]))].changed >= last;
}

static bool join_all(Joiner *j)
{
	bool changed = false;
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < j->copy.n; k++) {
			MirInstId i = {j->copy.p[k]};
			if (!i.i || (is_copy(j->f, i) && (!worth_trying(j, k) || !join(j, i))))
				continue;
			j->copy.p[k] = 0;
			again = changed = true;
		}
	}
	return changed;
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
	const MirCfg *cfg = mir_cfg(cx);
	const Loops  *loops = mir_loops(cx);
	BlockRank    *rank = arena_array(cx->scratch, BlockRank, f->n_blocks + 1);
	u32           n = 0;
	mir_each_block(f, b) {
		const MirBlock *mb = mir_block(f, b);
		rank[n] = (BlockRank){b.i, loop_depth(loops, cfg->node[b.i]), mb->n_preds + mb->n_succs, n};
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
		if (!mir_alike(f, mir_op_reg(&o[0]), mir_op_reg(&o[1])))
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
			    (mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_defs > 1 ||
			     !mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_uses)) {
				mir_erase(f, i);
				changed = true;
			}
	return changed;
}

static void remark_kept(PassCx *cx, const MirFunc *f, const VecU32 *copies)
{
	for (u32 k = 0; k < copies->n; k++) {
		MirInstId i = {copies->p[k]};
		if (i.i && is_copy(f, i) && mir_alike(f, mir_op_reg(mir_op(f, i, 0)), mir_op_reg(mir_op(f, i, 1))))
			remark_pair(cx, f, i, mir_op_reg(mir_op(f, i, 0)), mir_op_reg(mir_op(f, i, 1)), false);
	}
}

/* Registers written but not read any more once copies are gone are left to dead-mi-elimination. */
static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	VecU32   copies = {0};
	if (mir_may_have(f, ISA_COPY) || mir_may_have(f, ISA_CSSA_COPY) || mir_may_have(f, ISA_ProxyReg))
		copies_in_order(cx, f, &copies);
	if (!copies.n)
		return mir_may_have(f, ISA_IMPLICIT_DEF) && drop_undefs(f);
	Bitset regs = copied_registers(f, &copies, cx->scratch);
	Joiner j = {.cx = cx, .f = f, .arena = cx->scratch, .copy = copies};
	j.ranges = mir_ranges_new((MirFlow){f, mir_cfg(cx), mir_loops(cx)}, regs, cx->scratch);
	webs_new(&j, regs);
	list_copies(&j);
	bool changed = join_all(&j);
	rename_registers(&j, regs);
	remark_kept(cx, f, &j.copy);
	return changed;
}

static const Knob knobs[] = {KNOB_usedessa, KNOB_NONE};

const Pass mirpass_register_coalescer = {
	.id = "register-coalescer",
	.title = "Register Coalescer",
	.summary = "Merges the two registers of a copy where their live ranges do not interfere.",
	.group = "ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gated = mirpass_full_mode,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
