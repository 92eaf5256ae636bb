/* Control flow facts of machine functions (dominators, loops, probabilities, frequencies) against answers by definition, on
 * random graphs after random edits. random_runs() says how many. */
#include "graph_oracle.h"
#include "unit.h"

#include "mir/freq.h"

typedef struct Shape {
	MirFunc   *f;
	GraphEdges e; /* by node, as the analyses number them */
	MirCfg    *cfg;
	DomTree    dom, postdom;
	Loops      loops;
} Shape;

static MirBlockId random_block(const MirFunc *f, Rng *r)
{
	u32 k = rng_below(r, f->n_blocks);
	mir_each_block(f, b)
		if (k-- == 0)
			return b;
	return (MirBlockId){f->first_block};
}

static u32 random_prob(Rng *r, bool known)
{
	if (!known && rng_below(r, 3) == 0)
		return MIR_PROB_UNKNOWN;
	return rng_below(r, 5) == 0 ? 1 : MIR_PROB_ONE / (1 + rng_below(r, 6));
}

static void edit(MirFunc *f, Rng *r, bool known)
{
	MirBlockId a = random_block(f, r), b = random_block(f, r), c = random_block(f, r);
	switch (rng_below(r, 5)) {
	case 0: mir_edge_remove(f, a, b); break;
	case 1: mir_edge_redirect(f, a, b, c); break;
	case 2: mir_block_move(f, a.i == f->first_block ? b : a, (MirBlockId){0}); break;
	case 3:
		if (f->n_blocks > 3 && a.i != f->first_block) {
			mir_block_remove(f, a);
			break;
		}
		/* fallthrough */
	default: mir_edge_add(f, a, b, random_prob(r, known)); break;
	}
}

static MirFunc *random_func(MirModule *m, Rng *r, bool known)
{
	MirFunc *f = mir_func_new(m, (StrId){0}, 0);
	u32      n = 1 + rng_below(r, 24), edges = n + rng_below(r, 2 * n);
	for (u32 k = 0; k < n; k++)
		mir_block_new(f, (StrId){0}, ~0u);
	MirBlockId last = {f->first_block};
	mir_each_block(f, b) { /* a path through most blocks, so that much is reached */
		if (b.i != last.i && rng_below(r, 8))
			mir_edge_add(f, last, b, random_prob(r, known));
		last = b;
	}
	for (u32 k = 0; k < edges; k++)
		mir_edge_add(f, random_block(f, r), random_block(f, r), random_prob(r, known));
	for (u32 k = 0, edits = rng_below(r, 12); k < edits; k++)
		edit(f, r, known);
	return f;
}

static Shape shape_of(MirFunc *f, Arena *a)
{
	Shape s = {.f = f, .cfg = mir_cfg_build(f, a)};
	s.dom = dom_build(&s.cfg->g, a, 0);
	s.postdom = postdom_build(&s.cfg->g, a, 0);
	s.loops = loops_build(&s.cfg->g, &s.cfg->order, &s.dom, a);
	mir_each_block(f, b)
		mir_each_succ(f, b, x)
			vec_push(a, &s.e, ((GraphEdge){s.cfg->node[b.i], s.cfg->node[x->to]}));
	return s;
}

typedef void (*Check)(const Shape *s, Arena *a);

static void on_random_shapes(Arena *a, bool known, u64 salt, Check check)
{
	Session s;
	session_init(&s, 0);
	for (u32 i = 0; i < random_runs(); i++) {
		Rng   r = {salt * 1000003 + i};
		Arena scratch;
		arena_init(&scratch, a->budget);
		MirModule *m = mir_module_new(&s, NULL, &scratch);
		MirFunc   *f = random_func(m, &r, known);
		Shape      shape = shape_of(f, &scratch);
		check(&shape, &scratch);
		mir_func_free(f);
		arena_free(&scratch);
	}
	session_free(&s);
}

/* ---- dominators: a dominates b if no path from the entry to b avoids a ---- */

static void dominators(const Shape *s, Arena *a)
{
	u32   n = s->cfg->g.n;
	bool *from_entry = reach(a, n, &s->e, 0, GRAPH_NONE);
	for (u32 x = 0; x < n; x++) {
		bool *without = reach(a, n, &s->e, 0, x);
		for (u32 b = 0; b < n; b++)
			if (from_entry[b])
				EXPECT_EQ(dom_dominates(&s->dom, x, b), !without[b]);
	}
}

/* The same on the graph turned round, from its virtual exit; where some cycle cannot be left, see dom.h. */
static void post_dominators(const Shape *s, Arena *a)
{
	u32        n = s->cfg->g.n;
	GraphEdges back = {0};
	for (u32 k = 0; k < s->e.n; k++)
		vec_push(a, &back, ((GraphEdge){s->e.p[k].to, s->e.p[k].from}));
	for (u32 v = 0; v < n; v++)
		if (graph_succ(&s->cfg->g, v).n == 0)
			vec_push(a, &back, ((GraphEdge){n, v}));
	bool *leaves = reach(a, n + 1, &back, n, GRAPH_NONE);
	for (u32 v = 0; v < n; v++)
		if (!leaves[v])
			return;
	for (u32 x = 0; x < n; x++) {
		bool *without = reach(a, n + 1, &back, n, x);
		for (u32 b = 0; b < n; b++)
			EXPECT_EQ(dom_dominates(&s->postdom, x, b), !without[b]);
	}
}

TEST(mir_flow, ANA_03_dominators_equal_removed_paths) { on_random_shapes(a, true, 1, dominators); }
TEST(mir_flow, ANA_03_post_dominators_equal_removed_paths) { on_random_shapes(a, true, 2, post_dominators); }

/* ---- loops: all nodes that reach a back edge's source without passing the header ---- */

static void loops(const Shape *s, Arena *a)
{
	u32   n = s->cfg->g.n;
	u32  *depth = arena_array(a, u32, n);
	bool *reached = reach(a, n, &s->e, 0, GRAPH_NONE);
	u32   headers = 0;
	for (u32 h = 0; h < n; h++) {
		bool *without = reach(a, n, &s->e, 0, h), *in = arena_array(a, bool, n);
		bool  header = false;
		for (u32 k = 0; k < s->e.n; k++)
			if (s->e.p[k].to == h && reached[s->e.p[k].from] && !without[s->e.p[k].from]) {
				header = in[s->e.p[k].from] = true;
			}
		if (!header)
			continue;
		headers++;
		in[h] = true;
		for (bool again = true; again;) {
			again = false;
			for (u32 k = 0; k < s->e.n; k++)
				if (in[s->e.p[k].to] && s->e.p[k].to != h && reached[s->e.p[k].from] && !in[s->e.p[k].from])
					again = in[s->e.p[k].from] = true;
		}
		for (u32 v = 0; v < n; v++) {
			depth[v] += in[v];
			if (in[v])
				EXPECT(dom_dominates(&s->dom, h, v));
		}
	}
	EXPECT_EQ(s->loops.n, headers);
	for (u32 v = 0; v < n; v++)
		EXPECT_EQ(loop_depth(&s->loops, v), depth[v]);
}

TEST(mir_flow, ANA_04_headers_dominate_and_depths_are_right) { on_random_shapes(a, true, 3, loops); }

/* ---- probabilities and frequencies ---- */

static void probabilities(const Shape *s, Arena *a)
{
	u32 *prob = mir_prob_build(s->f, s->cfg, &s->postdom, &s->loops, a);
	mir_each_block(s->f, b) {
		u64  sum = 0, stated = 0;
		bool known = true;
		for (u32 e = mir_block(s->f, b)->succ; e; e = mir_edge(s->f, (MirEdgeId){e})->next_succ) {
			u32 said = mir_edge(s->f, (MirEdgeId){e})->prob;
			EXPECT(prob[e] > 0);
			sum += prob[e];
			known &= said != MIR_PROB_UNKNOWN;
			stated += said;
		}
		if (!mir_block(s->f, b)->n_succs)
			continue;
		EXPECT_EQ(sum, MIR_PROB_ONE);
		if (known)
			EXPECT(stated <= MIR_PROB_ONE);
	}
}

/* Nodes from which the end of the function cannot be reached have no flow to conserve. */
static bool *ends(const Shape *s, Arena *a)
{
	u32        n = s->cfg->g.n;
	GraphEdges back = {0};
	for (u32 k = 0; k < s->e.n; k++)
		vec_push(a, &back, ((GraphEdge){s->e.p[k].to, s->e.p[k].from}));
	for (u32 v = 0; v < n; v++)
		if (graph_succ(&s->cfg->g, v).n == 0)
			vec_push(a, &back, ((GraphEdge){n, v}));
	return reach(a, n + 1, &back, n, GRAPH_NONE);
}

/* The equations have one solution where everything ends: a residual of nothing is the proof. */
static void conservation(const Shape *s, Arena *a)
{
	MirFreq *q = mir_freq_build(s->f, s->cfg, &s->postdom, &s->loops, a);
	bool    *reached = reach(a, s->cfg->g.n, &s->e, 0, GRAPH_NONE), *end = ends(s, a);
	f64      out = 0;
	bool     all_end = true;
	mir_each_block(s->f, b) {
		u32 v = s->cfg->node[b.i];
		f64 in = v == 0, x = q->block[b.i];
		if (!reached[v]) {
			EXPECT(x == 0);
			continue;
		}
		all_end &= end[v];
		out += mir_block(s->f, b)->n_succs ? 0 : x;
		for (u32 e = mir_block(s->f, b)->pred; e; e = mir_edge(s->f, (MirEdgeId){e})->next_pred)
			in += q->block[mir_edge(s->f, (MirEdgeId){e})->from] * (q->prob[e] / (f64)MIR_PROB_ONE);
		EXPECT(x > 0);
		if (end[v])
			EXPECT(in - x < 1e-9 * x && x - in < 1e-9 * x);
	}
	if (all_end)
		EXPECT(out > 1 - 1e-6 && out < 1 + 1e-6);
}

TEST(mir_flow, ANA_05_probabilities_sum_to_one) { on_random_shapes(a, false, 4, probabilities); }
TEST(mir_flow, ANA_05_frequencies_conserve_flow) { on_random_shapes(a, true, 5, conservation); }
TEST(mir_flow, ANA_05_estimated_frequencies_conserve_flow) { on_random_shapes(a, false, 6, conservation); }

/* Edits keep the sum of stated probabilities at one. */
TEST(mir_flow, ANA_05_edits_share_probabilities)
{
	Session s;
	session_init(&s, 0);
	MirModule *m = mir_module_new(&s, NULL, a);
	MirFunc   *f = mir_func_new(m, (StrId){0}, 0);
	MirBlockId b[5];
	for (u32 k = 0; k < 5; k++)
		b[k] = mir_block_new(f, (StrId){0}, ~0u);
	for (u32 k = 1; k < 5; k++)
		mir_edge_add(f, b[0], b[k], MIR_PROB_ONE / 4);
	mir_edge_remove(f, b[0], b[2]);
	u32 want = MIR_PROB_ONE / 3, sum = 0;
	mir_each_succ(f, b[0], e) {
		EXPECT(e->prob == want || e->prob == want + 2);
		sum += e->prob;
	}
	EXPECT_EQ(sum, MIR_PROB_ONE);
	mir_edge_add(f, b[0], b[2], MIR_PROB_ONE / 2);
	sum = 0;
	mir_each_succ(f, b[0], e) {
		EXPECT(e->to == b[2].i ? e->prob == MIR_PROB_ONE / 2 : e->prob >= MIR_PROB_ONE / 6);
		sum += e->prob;
	}
	EXPECT_EQ(sum, MIR_PROB_ONE);
	mir_edge_redirect(f, b[0], b[2], b[1]);
	EXPECT_EQ(mir_block(f, b[0])->n_succs, 3);
	sum = 0;
	mir_each_succ(f, b[0], e)
		sum += e->prob;
	EXPECT_EQ(sum, MIR_PROB_ONE);
	session_free(&s);
}

TEST(mir_flow, ANA_05_weights)
{
	u32 p[3];
	EXPECT(!mir_prob_of_weights((u64[]){0, 0}, 2, p));
	EXPECT(mir_prob_of_weights((u64[]){3, 1}, 2, p));
	EXPECT_EQ(p[0], MIR_PROB_ONE / 4 * 3);
	EXPECT(mir_prob_of_weights((u64[]){UINT64_MAX, UINT64_MAX, 0}, 3, p));
	EXPECT_EQ((u64)p[0] + p[1] + p[2], MIR_PROB_ONE);
	EXPECT_EQ(p[2], 1);
}

UNIT_MAIN
