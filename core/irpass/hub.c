/* hub.c: redirects edges to a guard block, whose phi selects the original target of each edge.
 *
 * Needs edges that end in br or switch. Keeps phis of targets right by giving the guard a phi for each that has to tell the edges
 * apart. Linear in edges times phis of the targets. */
#include "base/map.h"
#include "ir/builder.h"
#include "irpass/hub.h"

void hub_init(Hub *h, PassCx *cx) { *h = (Hub){.cx = cx, .m = cx->ir, .f = pass_func(cx)}; }

void hub_add_edge(Hub *h, IrRef from, u32 succ, u32 target)
{
	vec_push(h->cx->scratch, &h->edge, ((GraphEdge){from.i, succ}));
	vec_push(h->cx->scratch, &h->to, target);
}

/* A conditional branch both of whose edges are redirected becomes an unconditional branch to the guard; a select of its
 * condition gives the value that the guard's phi receives. */
static void merge_branches(Hub *h)
{
	IrModule *m = h->m;
	u32       n = 0;
	Map       first; /* source → its first edge */
	map_init(&first, h->cx->scratch);
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef from = {h->edge.p[i].from}, term = ir_term(m, from);
		bool  fresh;
		u64  *k = map_put(&first, from.i, &fresh);
		if (!fresh && is_inst(m, term, IR_BR) && h->to.p[*k] != h->to.p[i]) { /* a branch has no third edge */
			bool yes = h->edge.p[*k].to == 0;                             /* taken where the condition holds */
			h->fork.p[*k] = (Fork){ir_op(m, term, 0).i, yes ? h->to.p[i] : h->to.p[*k]};
			h->to.p[*k] = yes ? h->to.p[*k] : h->to.p[i];
			continue;
		}
		if (fresh)
			*k = n;
		h->edge.p[n] = h->edge.p[i];
		h->to.p[n] = h->to.p[i];
		vec_push(h->cx->scratch, &h->fork, ((Fork){0}));
		n++;
	}
	h->edge.n = h->to.n = n;
}

/* If two redirected edges leave one block in any other way, all but the last are split with a new block: the guard's phis have one entry
 * per predecessor, and the edges have different targets. */
static void split_shared_sources(Hub *h)
{
	Map edges; /* source → how many still leave it */
	map_init(&edges, h->cx->scratch);
	for (u32 i = 0; i < h->edge.n; i++)
		++*map_put(&edges, h->edge.p[i].from, NULL);
	for (u32 i = 0; i < h->edge.n; i++) {
		u64 *left = map_get(&edges, h->edge.p[i].from);
		if (*left == 1)
			continue;
		--*left;
		IrRef mid = ir_split_edge(h->m, (IrRef){h->edge.p[i].from}, h->edge.p[i].to, STR("irr.edge"));
		h->edge.p[i] = (GraphEdge){mid.i, 0};
	}
}

/* Finds or makes a phi of this type in the guard that carries no value to target `t` yet. An edge has one target only, so
 * one phi of the guard can feed one phi of each target. */
static IrRef guard_phi(Hub *h, u32 t, IrRef like)
{
	IrModule *m = h->m;
	IrType    type = ir_inst(m, like)->type;
	for (u32 k = 0; k < h->moved.n; k++)
		if (h->moved.p[k].target != t && ir_type_same(ir_inst(m, h->moved.p[k].phi)->type, type)) {
			h->moved.p[k].target = t;
			return h->moved.p[k].phi;
		}
	IrBuilder b = ir_build_end(m, h->guard);
	IrRef     phi = ir_b_phi(&b, type);
	name_after(m, phi, like, ".moved");
	ir_info(m, phi)->origin = ir_info(m, like)->origin;
	for (u32 i = 0; i < h->edge.n; i++)
		ir_phi_add(m, phi, ir_const_poison(m, type), (IrRef){h->edge.p[i].from});
	vec_push(h->cx->scratch, &h->moved, ((Moved){phi, t}));
	return phi;
}

static bool goes_to(const Hub *h, u32 edge, u32 t)
{
	return h->to.p[edge] == t || (h->fork.p[edge].cond && h->fork.p[edge].other == t);
}

static IrRef forked(Hub *h, u32 edge, IrRef yes, IrRef no)
{
	IrBuilder b = ir_build_before(h->m, ir_term(h->m, (IrRef){h->edge.p[edge].from}));
	return ir_same(yes, no) ? yes : ir_b_select(&b, (IrRef){h->fork.p[edge].cond}, yes, no);
}

/* Sets the guard phi's incoming value for an edge, or for one of the two edges of a fork, to `v`. */
static void bring(Hub *h, u32 edge, IrRef moved, u32 t, IrRef v)
{
	IrModule *m = h->m;
	IrRef     was = ir_phi_value(m, moved, edge);
	if (!ir_is_undef(m, was)) /* the other way brings something of its own */
		v = h->to.p[edge] == t ? forked(h, edge, v, was) : forked(h, edge, was, v);
	ir_set_op(m, moved, 2 * edge, v);
}

/* Makes the phis of target `t` read the guard's phis. */
static void move_phis(Hub *h, u32 t)
{
	IrModule *m = h->m;
	IrRef     target = {h->target.p[t]};
	ir_each_inst(m, target, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef moved = guard_phi(h, t, phi);
		for (u32 i = 0; i < h->edge.n; i++) {
			if (!goes_to(h, i, t))
				continue;
			bring(h, i, moved, t, ir_phi_value_for(m, phi, (IrRef){h->edge.p[i].from}));
			for (u32 k = ir_phi_n(m, phi); k-- > 0;)
				if (ir_phi_block(m, phi, k).i == h->edge.p[i].from) {
					ir_phi_remove(m, phi, k);
					break;
				}
		}
		ir_phi_add(m, phi, moved, h->guard);
	}
}

static IrRef which_phi(Hub *h)
{
	IrModule *m = h->m;
	IrBuilder b = ir_build_end(m, h->guard);
	IrRef     which = ir_b_phi(&b, IR_TYPE(I32));
	ir_set_name(m, which, STR("which"));
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef say = ir_const_int(m, IR_TYPE(I32), h->to.p[i]);
		if (h->fork.p[i].cond)
			say = forked(h, i, say, ir_const_int(m, IR_TYPE(I32), h->fork.p[i].other));
		ir_phi_add(m, which, say, (IrRef){h->edge.p[i].from});
	}
	return which;
}

static void turn_edges(Hub *h)
{
	IrModule *m = h->m;
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef from = {h->edge.p[i].from};
		if (!h->fork.p[i].cond) {
			ir_set_succ(m, from, h->edge.p[i].to, h->guard);
			continue;
		}
		u32 origin = ir_info(m, ir_term(m, from))->origin;
		ir_remove(m, ir_term(m, from));
		IrBuilder e = ir_build_end(m, from);
		e.origin = origin;
		ir_b_br(&e, h->guard);
	}
}

/* Emits the branches from the guard to the targets, a chain of compares; the last target needs none. */
static void dispatch(Hub *h, IrRef which)
{
	IrModule *m = h->m;
	IrRef     at = h->guard;
	for (u32 t = 0; t + 1 < h->target.n; t++) {
		IrBuilder e = ir_build_end(m, at);
		IrRef     other = {h->target.p[t + 1]};
		e.origin = ir_block(m, h->guard)->origin;
		if (t + 2 < h->target.n) {
			other = ir_block_new(m, h->f, STR("irr.guard"));
			ir_block(m, other)->origin = e.origin;
			ir_block_move_after(m, other, at);
		}
		IrRef is = ir_b_cmp(&e, IRP_I_EQ, which, ir_const_int(m, IR_TYPE(I32), t));
		ir_b_cond_br(&e, is, (IrRef){h->target.p[t]}, other);
		/* The target's phis name the guard as predecessor: replace it by the block that now branches to the target. */
		if (!ir_same(at, h->guard))
			ir_phis_retarget(m, (IrRef){h->target.p[t]}, h->guard, at);
		if (t + 2 == h->target.n && !ir_same(at, h->guard))
			ir_phis_retarget(m, other, h->guard, at);
		at = other;
	}
	if (h->target.n == 1) {
		IrBuilder e = ir_build_end(m, at);
		e.origin = ir_block(m, h->guard)->origin;
		ir_b_br(&e, (IrRef){h->target.p[0]});
	}
}

void hub_build(Hub *h, IrRef after)
{
	IrModule *m = h->m;
	merge_branches(h);
	split_shared_sources(h);
	h->guard = ir_block_new(m, h->f, STR("irr.guard"));
	ir_block_move_after(m, h->guard, after);
	ir_block(m, h->guard)->origin = ir_block(m, (IrRef){h->target.p[0]})->origin;
	IrRef which = h->target.n > 1 ? which_phi(h) : IR_NO_REF;
	for (u32 t = 0; t < h->target.n; t++)
		move_phis(h, t);
	turn_edges(h);
	dispatch(h, which);
}
