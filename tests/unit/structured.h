/* structured.h: is a graph made of sequences, branches whose arms meet again (or end), and loops with one entry and
 * one exit? By reduction: such a region is folded into one node, until only one is left, or nothing folds. */
#ifndef PS_UNIT_STRUCTURED_H
#define PS_UNIT_STRUCTURED_H

#include "graph/graph.h"

typedef struct Reduction {
	u32   n;
	bool *edge; /* n × n */
	bool *gone;
} Reduction;

static inline bool *reduction_edge(Reduction *r, u32 from, u32 to) { return &r->edge[from * r->n + to]; }

static inline u32 reduction_degree(Reduction *r, u32 v, bool out, u32 *one)
{
	u32 n = 0;
	for (u32 k = 0; k < r->n; k++)
		if (*(out ? reduction_edge(r, v, k) : reduction_edge(r, k, v))) {
			n++;
			*one = k;
		}
	return n;
}

/* Takes `v`, whose one predecessor is `into`, away; what it leads to, `into` leads to. */
static inline void reduction_fold(Reduction *r, u32 v, u32 into)
{
	*reduction_edge(r, into, v) = false;
	for (u32 k = 0; k < r->n; k++)
		if (*reduction_edge(r, v, k)) {
			*reduction_edge(r, v, k) = false;
			*reduction_edge(r, into, k) = true;
		}
	r->gone[v] = true;
}

/* Folds arms of `a`: successors only it leads to, which end, go back to it, or go on to where all others go. */
static inline bool reduction_arms(Reduction *r, u32 a)
{
	u32  on = GRAPH_NONE, x = 0, arms = 0;
	bool meets = true;
	for (u32 s = 0; s < r->n; s++) {
		if (s == a || !*reduction_edge(r, a, s))
			continue;
		u32  to = GRAPH_NONE;
		bool arm = s != 0 && reduction_degree(r, s, false, &x) == 1 && reduction_degree(r, s, true, &to) <= 1;
		if (arm && (to == GRAPH_NONE || to == a)) {
			reduction_fold(r, s, a);
			return true;
		}
		u32 next = arm ? to : s;
		meets &= on == GRAPH_NONE || on == next;
		on = next;
		arms += arm;
	}
	if (!arms || !meets)
		return false;
	for (u32 s = 0; s < r->n; s++)
		if (s != a && s != on && *reduction_edge(r, a, s))
			reduction_fold(r, s, a);
	return true;
}

static inline bool is_structured(const Graph *g, Arena *a)
{
	Reduction r = {g->n, arena_array(a, bool, g->n * g->n + 1), arena_array(a, bool, g->n + 1)};
	Order     o = graph_rpo(g, a, 0);
	u32       left = o.n;
	for (u32 v = 0; v < g->n; v++) {
		Nodes s = graph_succ(g, v);
		for (u32 k = 0; k < s.n && o.pos[v] != GRAPH_NONE; k++)
			*reduction_edge(&r, v, s.p[k]) = true;
	}
	for (bool again = true; again;) {
		again = false;
		for (u32 v = 0; v < g->n; v++) {
			if (o.pos[v] == GRAPH_NONE || r.gone[v])
				continue;
			u32 next = 0, x = 0;
			if (*reduction_edge(&r, v, v)) { /* a loop of one node */
				*reduction_edge(&r, v, v) = false;
				again = true;
			}
			if (reduction_degree(&r, v, true, &next) == 1 && next != 0 &&
			    reduction_degree(&r, next, false, &x) == 1) {
				reduction_fold(&r, next, v);
				again = true;
			} else if (reduction_arms(&r, v)) {
				again = true;
			}
		}
	}
	for (u32 v = 0; v < g->n; v++)
		left -= r.gone[v];
	return left == 1;
}

#endif
