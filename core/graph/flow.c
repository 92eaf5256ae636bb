/* flow.c: worklist solver for monotone dataflow problems (Kildall). The worklist is a bitset over positions of the given
 * order, visited upward, so that a node is visited after its predecessors except along back edges. Cost: the number of
 * calls of `transfer` is at most edges × height of the lattice; for gen/kill sets and reducible graphs about loop depth + 2
 * passes over the order. */
#include "graph/flow.h"

u32 flow_solve(const Graph *g, const Order *order, Arena *a, FlowTransfer transfer, void *user)
{
	/* Places of `order` that wait. Sweeping upward and starting again visits in reverse post order. */
	Bitset wait = bitset_new(a, order->n);
	u32    calls = 0, at = 0;
	for (u32 i = 0; i < order->n; i++)
		bitset_add(wait, i);
	for (;;) {
		at = bitset_next(wait, at);
		if (at == order->n) {
			at = bitset_next(wait, 0);
			if (at == order->n)
				return calls;
		}
		bitset_del(wait, at);
		calls++;
		if (transfer(user, order->node[at])) {
			Nodes s = graph_succ(g, order->node[at]);
			for (u32 i = 0; i < s.n; i++)
				if (order->pos[s.p[i]] != GRAPH_NONE)
					bitset_add(wait, order->pos[s.p[i]]);
		}
		at++;
	}
}

Order flow_backward_order(const Graph *g, Arena *a, u32 root)
{
	/* Post order from the root, then what the root does not reach: every node once, exits early. */
	Order fwd = graph_rpo(g, a, root);
	Order o = {arena_array(a, u32, g->n + 1), arena_array(a, u32, g->n + 1), 0};
	for (u32 i = fwd.n; i-- > 0;)
		o.node[o.n++] = fwd.node[i];
	for (u32 i = g->n; i-- > 0;)
		if (fwd.pos[i] == GRAPH_NONE)
			o.node[o.n++] = i;
	for (u32 i = 0; i < o.n; i++)
		o.pos[o.node[i]] = i;
	return o;
}

typedef struct SetSolver {
	SetFlow     *f;
	const Graph *g;
	const Order *order;
} SetSolver;

static void set_meet(const SetSolver *s, u32 node)
{
	SetFlow *f = s->f;
	Bitset   in = f->in[node];
	Nodes    p = graph_pred(s->g, node);
	u32      words = bitset_words(f->bits);
	bool     first = true;
	for (u32 i = 0; i < p.n; i++) {
		if (s->order->pos[p.p[i]] == GRAPH_NONE)
			continue;
		Bitset from = f->out[p.p[i]];
		for (u32 w = 0; w < words; w++)
			in.w[w] = first ? from.w[w] : f->all_paths ? in.w[w] & from.w[w] : in.w[w] | from.w[w];
		first = false;
	}
	/* The first node of the order may be entered from outside as well as by a loop's edge. */
	if (first || s->order->pos[node] == 0) {
		for (u32 w = 0; w < words; w++) {
			u64 start = f->at_start.w ? f->at_start.w[w] : 0;
			in.w[w] = first ? start : f->all_paths ? in.w[w] & start : in.w[w] | start;
		}
	}
}

static bool set_transfer(void *user, u32 node)
{
	SetSolver *s = user;
	SetFlow   *f = s->f;
	u64        changed = 0;
	set_meet(s, node);
	for (u32 w = 0; w < bitset_words(f->bits); w++) {
		u64 out = f->gen[node].w[w] | (f->in[node].w[w] & ~f->kill[node].w[w]);
		changed |= out ^ f->out[node].w[w];
		f->out[node].w[w] = out;
	}
	return changed != 0;
}

void set_flow_solve(SetFlow *f, const Graph *g, const Order *order, Arena *a)
{
	f->in = arena_array(a, Bitset, g->n + 1);
	f->out = arena_array(a, Bitset, g->n + 1);
	for (u32 i = 0; i < g->n; i++) {
		f->in[i] = bitset_new(a, f->bits);
		f->out[i] = bitset_new(a, f->bits);
		if (f->all_paths) /* the top of the lattice; bits past the end stay 0 */
			for (u32 b = 0; b < f->bits; b++)
				bitset_add(f->out[i], b);
	}
	SetSolver s = {f, g, order};
	flow_solve(g, order, a, set_transfer, &s);
}
