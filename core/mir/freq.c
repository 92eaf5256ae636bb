/* freq.c: block frequencies by elimination, see freq.h. */
#include "mir/freq.h"

typedef struct Flow {
	u32 node;
	f64 weight;
} Flow;
typedef Vec(Flow) Flows;

typedef struct Solver {
	Arena  *a;
	Flows  *out;   /* by node: to nodes not eliminated, and to some that are (dropped when the list is walked next) */
	VecU32 *in;    /* by node: sources of such flows, the node itself left out */
	f64    *self;  /* by node: weight of the flow back to itself */
	f64    *lost;  /* by node: weight of the flow that ends the function */
	u32    *at;    /* by node: 1 + its place in the list that is walked now, 0 = not there */
	bool   *gone;  /* by node: eliminated */
	Flows  *from;  /* by node: flows into it when it was eliminated */
	f64    *pivot; /* by node: 1 - self */
	VecU32  order; /* of elimination */
} Solver;

static void flow_add(Solver *s, u32 from, u32 to, f64 weight)
{
	if (from == to) {
		s->self[from] += weight;
		return;
	}
	if (s->at[to]) {
		s->out[from].p[s->at[to] - 1].weight += weight;
		return;
	}
	vec_push(s->a, &s->out[from], ((Flow){to, weight}));
	s->at[to] = s->out[from].n;
	vec_push(s->a, &s->in[to], from);
}

/* Notes where each target stands in the list, so that flow_add finds it, and drops eliminated targets other than `but`. */
static void list_open(Solver *s, u32 node, u32 but)
{
	Flows *l = &s->out[node];
	u32    n = 0;
	for (u32 k = 0; k < l->n; k++)
		if (!s->gone[l->p[k].node] || l->p[k].node == but) {
			l->p[n] = l->p[k];
			s->at[l->p[n].node] = n + 1;
			n++;
		}
	l->n = n;
}

static void list_close(Solver *s, u32 node)
{
	for (u32 k = 0; k < s->out[node].n; k++)
		s->at[s->out[node].p[k].node] = 0;
}

/* 1 - self, as the sum of the other ways: no digits are lost where self is nearly 1. A cycle that cannot be left is
 * taken to end the function once in MIR_FREQ_ENDLESS iterations. */
static f64 pivot_of(Solver *s, u32 node)
{
	f64 rest = s->lost[node];
	if (s->self[node] == 0)
		return 1;
	for (u32 k = 0; k < s->out[node].n; k++)
		rest += s->gone[s->out[node].p[k].node] ? 0 : s->out[node].p[k].weight;
	if (rest == 0)
		rest = s->lost[node] = s->self[node] / MIR_FREQ_ENDLESS;
	return rest;
}

/* Each path p → v → t becomes a flow p → t. */
static void eliminate(Solver *s, u32 v)
{
	f64 pivot = s->pivot[v] = pivot_of(s, v);
	s->gone[v] = true;
	vec_push(s->a, &s->order, v);
	for (u32 k = 0; k < s->in[v].n; k++) {
		u32 p = s->in[v].p[k];
		if (s->gone[p])
			continue;
		list_open(s, p, v);
		f64 weight = s->out[p].p[s->at[v] - 1].weight;
		vec_push(s->a, &s->from[v], ((Flow){p, weight}));
		s->lost[p] += weight * s->lost[v] / pivot;
		for (u32 j = 0; j < s->out[v].n; j++)
			if (!s->gone[s->out[v].p[j].node])
				flow_add(s, p, s->out[v].p[j].node, weight * s->out[v].p[j].weight / pivot);
		list_close(s, p);
	}
}

static void eliminate_all(Solver *s, const MirCfg *cfg, const Loops *loops)
{
	for (u32 l = loops->n; l-- > 0;) {
		Nodes body = loop_nodes(loops, l);
		for (u32 k = 0; k < body.n; k++)
			if (body.p[k] != loops->loop[l].header && !s->gone[body.p[k]])
				eliminate(s, body.p[k]);
	}
	for (u32 k = 1; k < cfg->order.n; k++)
		if (!s->gone[cfg->order.node[k]])
			eliminate(s, cfg->order.node[k]);
}

static void solver_fill(Solver *s, const MirFunc *f, const MirCfg *cfg, const u32 *prob)
{
	const u32 n = cfg->g.n;
	s->out = arena_array(s->a, Flows, n + 1);
	s->in = arena_array(s->a, VecU32, n + 1);
	s->self = arena_array(s->a, f64, n + 1);
	s->lost = arena_array(s->a, f64, n + 1);
	s->at = arena_array(s->a, u32, n + 1);
	s->gone = arena_array(s->a, bool, n + 1);
	s->from = arena_array(s->a, Flows, n + 1);
	s->pivot = arena_array(s->a, f64, n + 1);
	for (u32 v = 0; v < n; v++) {
		MirBlockId b = {cfg->block[v]};
		if (cfg->order.pos[v] == GRAPH_NONE)
			continue;
		s->lost[v] = mir_block(f, b)->n_succs ? 0 : 1;
		for (u32 e = mir_block(f, b)->succ; e; e = mir_edge(f, (MirEdgeId){e})->next_succ)
			flow_add(s, v, cfg->node[mir_edge(f, (MirEdgeId){e})->to], prob[e] / (f64)MIR_PROB_ONE);
		list_close(s, v);
	}
}

MirFreq *mir_freq_build(const MirFunc *f, const MirCfg *cfg, const DomTree *postdom, const Loops *loops, Arena *a)
{
	MirFreq *r = arena_new(a, MirFreq);
	Arena    scratch;
	*r = (MirFreq){arena_array(a, f64, f->block.n + 1), mir_prob_build(f, cfg, postdom, loops, a), f->block.n, f->edge.n};
	if (!cfg->g.n)
		return r;
	arena_init(&scratch, a->budget);
	Solver s = {.a = &scratch};
	solver_fill(&s, f, cfg, r->prob);
	eliminate_all(&s, cfg, loops);
	f64 *x = arena_array(&scratch, f64, cfg->g.n);
	x[0] = 1 / pivot_of(&s, 0);
	for (u32 k = s.order.n; k-- > 0;) {
		u32 v = s.order.p[k];
		for (u32 j = 0; j < s.from[v].n; j++)
			x[v] += x[s.from[v].p[j].node] * s.from[v].p[j].weight;
		x[v] /= s.pivot[v];
	}
	for (u32 v = 0; v < cfg->g.n; v++)
		r->block[cfg->block[v]] = x[v];
	arena_free(&scratch);
	return r;
}

/* ---- the manager's row (pass/analyses.def) ---- */

void *mir_freq_compute(PassCx *cx, Arena *arena);
bool  mir_freq_equal(const void *a, const void *b);

void *mir_freq_compute(PassCx *cx, Arena *arena)
{
	return mir_freq_build(mir_pass_func(cx), mir_cfg(cx), mir_postdom(cx), mir_loops(cx), arena);
}

bool mir_freq_equal(const void *a, const void *b)
{
	const MirFreq *x = a, *y = b;
	return x->n_blocks == y->n_blocks && x->n_edges == y->n_edges &&
	       memcmp(x->prob, y->prob, x->n_edges * sizeof(u32)) == 0 &&
	       memcmp(x->block, y->block, x->n_blocks * sizeof(f64)) == 0;
}
