/* remat_cost.c: where a value would be computed again so that it is not live at a point, from which instructions, and at
 * which cost.
 *
 * Places. Behind the point, the value is read in some blocks: those that it lives into on a way from there, and the rest of
 * the point's own block. In each of these it is computed once, in front of its first reader. The readers of all these
 * blocks are served, so the value is not live at the point any more; readers that no way from the point leads to keep the
 * old register.
 *
 * Chain. An operand is read where it is live at the place; its own definition stands in front of that of the value on every
 * path, so it holds what it held. Where it is not live its definition is repeated too, and so on.
 *
 * Cost of a value = its width * sum over places (sum over the chain of an instruction's cost), a place that lies in a loop
 * which the definition is not in counting nv-remat-block-loop-cost-factor times. A load costs nv-remat-block-load-cost, any
 * other instruction the cycles of its unit, an addition being 1. 0 stands for "cannot": the value lives through more than
 * MOST_BLOCKS blocks, an operand is neither live nor repeatable, the chain has more than nv-remat-block-map-size-limit
 * instructions, or its intermediate results would make more registers live at once than the function had before the pass. */
#include "mirpass/remat_block.h"

enum { MOST_BLOCKS = 256 };

/* ---- places ---- */

static void push_live(Remat *x, MirReg r, u32 node)
{
	const MirSlots *s = x->ranges->slots;
	if (!remat_live_at(x, r, mir_slot_last(x->f, s, remat_block(x, node))))
		return;
	Nodes succ = graph_succ(&x->cfg->g, node);
	for (u32 k = 0; k < succ.n; k++) {
		u32 to = succ.p[k];
		if (x->reached_stamp[to] == x->reached_now || !remat_live_at(x, r, mir_slot_start(s, remat_block(x, to))))
			continue;
		x->reached_stamp[to] = x->reached_now;
		vec_push(x->cx->scratch, &x->reached, to);
	}
}

/* The blocks that the register lives into behind the point; false: too many. */
static bool reach(Remat *x, MirReg r, RematPoint p)
{
	x->reached.n = 0;
	x->reached_now++;
	push_live(x, r, p.node);
	for (u32 k = 0; k < x->reached.n; k++) {
		if (x->reached.n > MOST_BLOCKS)
			return false;
		push_live(x, r, x->reached.p[k]);
	}
	return true;
}

/* Notes a reader: the first of its block is kept. */
static void note_reader(Remat *x, u32 node, MirInstId i)
{
	if (x->first_stamp[node] != x->reached_now) {
		x->first_stamp[node] = x->reached_now;
		vec_push(x->cx->scratch, &x->place, ((RematPlace){node, {0}}));
		x->first[node] = i.i;
	} else if (mir_before(x->f, i, (MirInstId){x->first[node]}))
		x->first[node] = i.i;
}

static bool no(Remat *x, RematWhy why)
{
	x->because = why;
	return false;
}

bool remat_places(Remat *x, MirReg r, RematPoint p)
{
	const MirFunc *f = x->f;
	MirInstId      def = {x->def[r.i]};
	x->place.n = 0;
	if (!def.i || !reach(x, r, p))
		return no(x, def.i ? WHY_FAR : WHY_DEFS);
	mir_each_use(f, r, o) {
		MirInstId i = {o->inst};
		u32       node = remat_node(x, i);
		bool      behind = node == p.node && p.at.i && (i.i == p.at.i || mir_before(f, p.at, i));
		if (node == GRAPH_NONE || (x->reached_stamp[node] != x->reached_now && !behind))
			continue;
		if (!remat_dominates(x, def, i))
			return no(x, WHY_DEFS); /* it may read what an earlier iteration has left */
		note_reader(x, node, i);
	}
	for (u32 k = 0; k < x->place.n; k++) {
		RematPlace *place = &x->place.p[k];
		MirInstId   i = {x->first[place->node]};
		place->at = mir_is(f, i, IF_TERMINATOR) ? mir_first_terminator(f, remat_block(x, place->node)) : i;
	}
	return x->place.n || no(x, WHY_UNAVAILABLE);
}

/* ---- chains ---- */

static bool may_clone(const Remat *x, MirReg r)
{
	return r.i < x->n_regs && x->def[r.i] && (!x->why[r.i] || bitset_has(x->promoted, r.i));
}

static bool add_to_chain(Remat *x, MirReg r, MirInstId at, u32 depth);

static bool add_operand(Remat *x, MirReg r, MirInstId def, MirInstId at, u32 depth)
{
	if (r.i >= x->n_regs || !x->def[r.i] || !remat_dominates(x, (MirInstId){x->def[r.i]}, def))
		return no(x, WHY_UNAVAILABLE);
	if (remat_live_at(x, r, mir_slot_of(x->ranges->slots, at)))
		return true;
	if (!may_clone(x, r) || depth == REMAT_MOST_DEPTH)
		return no(x, WHY_UNAVAILABLE);
	return x->chain_stamp[r.i] == x->chain_now || add_to_chain(x, r, at, depth + 1);
}

static bool add_to_chain(Remat *x, MirReg r, MirInstId at, u32 depth)
{
	MirInstId def = {x->def[r.i]};
	for (u32 n = 0; n < mir_inst(x->f, def)->n_ops; n++) {
		const MirOp *o = mir_op(x->f, def, n);
		if (mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)) && !(o->flags & MOF_UNDEF) &&
		    !add_operand(x, mir_op_reg(o), def, at, depth))
			return false;
	}
	x->chain_stamp[r.i] = x->chain_now;
	x->chain_at[r.i] = x->chain.n;
	vec_push(x->cx->scratch, &x->chain, r.i);
	return (i64)x->chain.n <= x->knob.chain || no(x, WHY_LONG);
}

bool remat_chain(Remat *x, MirReg r, RematPlace place)
{
	x->chain.n = 0;
	x->chain_now++;
	return add_to_chain(x, r, place.at, 1);
}

/* ---- what is live while a chain is computed ---- */

/* The last instruction of the chain that reads the k-th one's result; the value itself is read behind it. */
static void last_readers(const Remat *x, u32 *last)
{
	for (u32 k = 0; k < x->chain.n; k++) {
		MirInstId def = {x->def[x->chain.p[k]]};
		last[k] = k + 1 == x->chain.n ? x->chain.n : k;
		for (u32 n = 0; n < mir_inst(x->f, def)->n_ops; n++) {
			const MirOp *o = mir_op(x->f, def, n);
			u32          r = mir_op_reg(o).i;
			if (mir_op_is_use(o) && mir_is_virt((MirReg){r}) && r < x->n_regs && x->chain_stamp[r] == x->chain_now &&
			    x->chain_at[r] < k)
				last[x->chain_at[r]] = k;
		}
	}
}

/* Units of each file at the peak of the chain, in place of the value's own. */
static void chain_peak(const Remat *x, u32 *peak)
{
	u32 *last = arena_array(x->cx->scratch, u32, x->chain.n), now[FILE_COUNT] = {0};
	last_readers(x, last);
	for (u32 k = 0; k < x->chain.n; k++) {
		for (u32 n = 0; n < k; n++) {
			const IsaClassInfo *c = &isa_class_info[mir_class(x->f, (MirReg){x->chain.p[n]})];
			now[c->file] -= last[n] == k ? c->units : 0; /* read here the last time */
		}
		const IsaClassInfo *c = &isa_class_info[mir_class(x->f, (MirReg){x->chain.p[k]})];
		now[c->file] += c->units;
		peak[c->file] = PS_MAX(peak[c->file], now[c->file]);
	}
}

/* May the chain be computed in the block with no more live at once than the function has anywhere? */
static bool has_room(Remat *x, MirReg r, RematPlace place)
{
	u32                 peak[FILE_COUNT] = {0};
	const IsaClassInfo *c = &isa_class_info[mir_class(x->f, r)];
	if (x->chain.n == 1)
		return true;
	chain_peak(x, peak);
	for (u32 file = 0; file < FILE_COUNT; file++) {
		u32 own = file == (u32)c->file ? c->units : 0;
		if (peak[file] > own &&
		    remat_rpa(x)->block[x->cfg->block[place.node]].peak.unit[file] + peak[file] - own > x->most[file])
			return false;
	}
	return true;
}

/* ---- costs ---- */

static u64 inst_cost(const Remat *x, MirInstId i)
{
	const IsaDesc *d = mir_desc(x->f, i);
	if (d->flags & IF_LOAD)
		return (u64)x->knob.load_cost;
	IsaCost one = isa_cost(x->machine, isa_desc(x->cx->s, ISA_COPY)), own = isa_cost(x->machine, d);
	return PS_MAX(own.cycles / PS_MAX(one.cycles, 1u), 1u);
}

static u64 place_cost(const Remat *x, MirReg r, RematPlace place)
{
	u64 cost = 0;
	u32 own = x->loops->of[remat_node(x, (MirInstId){x->def[r.i]})];
	for (u32 k = 0; k < x->chain.n; k++)
		cost += inst_cost(x, (MirInstId){x->def[x->chain.p[k]]});
	return loop_encloses(x->loops, x->loops->of[place.node], own) ? cost : cost * (u64)x->knob.loop_factor;
}

u64 remat_cost(Remat *x, MirReg r, RematPoint p)
{
	u64 cost = 0;
	if (!remat_places(x, r, p))
		return 0;
	for (u32 k = 0; k < x->place.n; k++) {
		if (!remat_chain(x, r, x->place.p[k]))
			return 0;
		if (!has_room(x, r, x->place.p[k]))
			return no(x, WHY_CROWDED);
		cost += place_cost(x, r, x->place.p[k]);
	}
	x->because = WHY_COST; /* where a knob makes it 0 */
	return cost * remat_width(x, r);
}
