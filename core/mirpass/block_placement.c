/* block-placement: likely successors follow each other.
 *
 *	bb.0: @%p bra %bb.2   (10 %)            bb.0: @%p bra %bb.2
 *	bb.1: …                                 bb.1: …
 *	      bra.uni %bb.3            →        bb.3: …
 *	bb.2: …                                       ret
 *	bb.3: …                                 bb.2: …
 *	      ret                                     bra.uni %bb.3
 *
 * Three orders are compared by their ext-TSP score (graph/layout.h), with the frequencies of mir/freq.h: the one that is there,
 * chains along likely edges, and chains that have been merged for the score. The best one is taken, and the one that is there
 * where none is better: so the score never falls, and each function whose loops pay stands loop by loop. Then branches are
 * repaired: ways that were fallen through get a jump, jumps to the next block go, and a condition is turned round where its
 * target has become the next block and it decides about no loop (branches.c).
 *
 * The graph stays what it is, and so do the entry, conditions of convergent operations and loops. Blocks are numbered anew.
 * Left alone: functions with a block that goes on to the next one behind something else than bra. Cost: that of
 * layout_order; one walk over the instructions. */
#include "graph/layout.h"
#include "mir/freq.h"
#include "mirpass/mirpass.h"

typedef struct Placement {
	PassCx     *cx;
	MirFunc    *f;
	MirCfg     *cfg;
	LayoutGraph graph;
	const u32  *best;
	f64         score, old_score;
} Placement;

enum { BYTES = 16 }; /* of an instruction, as on sm_70 and later */

static u32 bytes_of(const MirFunc *f, MirBlockId b)
{
	u32 n = 0;
	mir_each_inst(f, b, i)
		n += !mir_is(f, i, IF_META | IF_BRANCH); /* branches change with the order */
	return n * BYTES;
}

static void weigh(Placement *p)
{
	const Graph   *g = &p->cfg->g;
	const MirFreq *freq = mir_freq(p->cx);
	f64           *weight = arena_array(p->cx->scratch, f64, g->succ.at[g->n] + 1);
	f64           *of = arena_array(p->cx->scratch, f64, g->n);
	u32           *bytes = arena_array(p->cx->scratch, u32, g->n);
	for (u32 v = 0; v < g->n; v++) {
		MirBlockId b = {p->cfg->block[v]};
		u32        k = g->succ.at[v];
		of[v] = freq->block[b.i];
		bytes[v] = bytes_of(p->f, b);
		for (u32 e = mir_block(p->f, b)->succ; e; e = mir_edge(p->f, (MirEdgeId){e})->next_succ)
			weight[k++] = of[v] * freq->prob[e] / (f64)MIR_PROB_ONE;
	}
	p->graph = (LayoutGraph){g, &p->cfg->order, mir_loops(p->cx), of, weight, bytes};
}

static void consider(Placement *p, const u32 *order)
{
	f64 score = layout_score(&p->graph, order, p->cx->scratch);
	if (!p->best)
		p->old_score = score;
	if (!p->best || score > p->score * (1 + 1e-9)) {
		p->best = order;
		p->score = score;
	}
}

static bool can_repair(const MirFunc *f)
{
	mir_each_block(f, b)
		if (mir_block(f, b)->next && mirpass_falls_through(f, b) && !mirpass_branch(f, b).known)
			return false;
	return true;
}

/* What was fallen through to is jumped to, wherever it will be. */
static void make_ways_explicit(MirFunc *f)
{
	mir_each_block(f, b) {
		MirBlockId next = {mir_block(f, b)->next};
		MirInstId  last = {mir_block(f, b)->last};
		if (next.i && mirpass_falls_through(f, b) && mir_has_edge(f, b, next))
			mirpass_jump(f, b, next, last.i ? mir_inst(f, last)->origin : 0);
	}
}

static void apply(Placement *p)
{
	MirFunc *f = p->f;
	make_ways_explicit(f);
	for (u32 k = 1; k < p->cfg->g.n; k++)
		mir_block_move(f, (MirBlockId){p->cfg->block[p->best[k]]}, (MirBlockId){0});
	mir_each_block(f, b)
		mirpass_tidy_branches(p->cx, p->cfg, p->graph.loops, b);
	mir_renumber(f);
}

static bool run(PassCx *cx)
{
	Placement p = {.cx = cx, .f = mirpass_func(cx)};
	if (p.f->n_blocks < 3 || !can_repair(p.f))
		return false;
	p.cfg = mir_cfg(cx);
	weigh(&p);
	u32 *old = arena_array(cx->scratch, u32, p.cfg->g.n);
	for (u32 v = 0; v < p.cfg->g.n; v++)
		old[v] = v;
	consider(&p, old);
	consider(&p, layout_order(&p.graph, false, cx->scratch));
	consider(&p, layout_order(&p.graph, true, cx->scratch));
	if (p.best == old)
		return false;
	pass_remark(cx, REMARK_PASSED, 0, "the blocks are in another order: ext-TSP score %llu, before %llu, in thousandths",
	            (unsigned long long)(p.score * 1000), (unsigned long long)(p.old_score * 1000));
	apply(&p);
	return true;
}

const Pass mirpass_block_placement = {
	.id = "block-placement",
	.title = "Branch Probability Basic Block Placement",
	.summary = "Orders blocks so that likely successors follow each other.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gate = KNOB_enable_block_placement,
	.disable = KNOB_disable_block_placement,
	.flags = PF_DOCUMENTED,
	.run = run,
};
