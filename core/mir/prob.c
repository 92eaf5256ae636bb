/* prob.c: probabilities of edges, see freq.h. Each heuristic looks at a block with two successors and says how likely
 * the first is; where several apply, the Dempster-Shafer rule combines them. The rates are those that Wu and Larus
 * measured. Blocks with more successors (brx) get equal shares, less for those that cannot go on. */
#include "mir/freq.h"

/* Percent of the time that the heuristic's prediction holds. */
enum {
	RATE_LOOP_BRANCH = 88, /* back to a header */
	RATE_LOOP_EXIT = 80,   /* stays in the loop */
	RATE_LOOP_HEADER = 75, /* enters a loop */
	RATE_OPCODE = 84,      /* integers are not negative and not equal to a constant, floats not equal */
	RATE_POINTER = 60,     /* addresses differ */
	RATE_CALL = 78,        /* avoids a call */
	RATE_RETURN = 72,      /* does not return */
	RATE_STORE = 55,       /* avoids a store */
};

/* A way that ends in a trap or nowhere is taken once in 2^20. */
#define COLD (MIR_PROB_ONE >> 20)

typedef struct Estimate {
	const MirFunc *f;
	const MirCfg  *cfg;
	const DomTree *postdom;
	const Loops   *loops;
	u32           *prob;
} Estimate;

bool mir_prob_of_weights(const u64 *weight, u32 n, u32 *prob)
{
	u64 most = 0, sum = 0;
	u32 best = 0, shift = 0;
	for (u32 k = 0; k < n; k++)
		if (weight[k] > most)
			most = weight[k], best = k;
	if (!most)
		return false;
	while (most >> shift >= (u64)1 << 31) /* the products below fit 64 bits */
		shift++;
	for (u32 k = 0; k < n; k++)
		sum += weight[k] >> shift;
	if (sum >> 32) { /* many large weights */
		u32 more = 64 - 32 - (u32)__builtin_clzll(sum);
		shift += more;
		sum = 0;
		for (u32 k = 0; k < n; k++)
			sum += weight[k] >> shift;
	}
	u32 left = MIR_PROB_ONE;
	for (u32 k = 0; k < n; k++) {
		prob[k] = PS_MAX((u32)((weight[k] >> shift) * MIR_PROB_ONE / PS_MAX(sum, 1)), 1u);
		left -= prob[k];
	}
	prob[best] += left; /* wraps: what rounding took or the minimum added */
	return true;
}

/* ---- what a block does ---- */

static bool has_flag(const MirFunc *f, MirBlockId b, u32 flag)
{
	for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
		if (mir_is(f, i, flag))
			return true;
	return false;
}

/* Control does not come back from it: no successors, and no return. */
static bool is_cold(const MirFunc *f, MirBlockId b)
{
	const MirBlock *mb = mir_block(f, b);
	return !mb->n_succs && !(mb->last && mir_is(f, (MirInstId){mb->last}, IF_RETURN));
}

/* ---- heuristics: the percentage for the first way, 0 where it does not apply ---- */

typedef struct Way {
	MirBlockId block;
	u32        node;
} Way;

/* The rate for the first way if only the first is so, its complement if only the second. */
static u32 favour(bool first, bool second, u32 rate) { return first == second ? 0 : first ? rate : 100 - rate; }

static bool is_back(const Estimate *e, u32 from, u32 to)
{
	u32 l = e->loops->of[to];
	return l != GRAPH_NONE && e->loops->loop[l].header == to && loop_contains(e->loops, l, from);
}

static bool leaves(const Estimate *e, u32 from, u32 to)
{
	u32 l = e->loops->of[from];
	return l != GRAPH_NONE && !loop_contains(e->loops, l, to);
}

static bool enters(const Estimate *e, u32 from, u32 to)
{
	u32 l = e->loops->of[to];
	return l != GRAPH_NONE && e->loops->loop[l].header == to && !loop_contains(e->loops, l, from);
}

/* Has the way the flag, on a path that not all take? */
static bool has_apart(const Estimate *e, u32 from, Way w, u32 flag)
{
	return !dom_dominates(e->postdom, w.node, from) && has_flag(e->f, w.block, flag);
}

/* The comparison that decides, or 0: a predicate with one definition. */
static MirInstId comparison(const MirFunc *f, MirInstId branch)
{
	MirReg guard = mir_op_reg(mir_op(f, branch, 0));
	if (!mir_is_virt(guard))
		return (MirInstId){0};
	MirInstId def = mir_def_inst(f, guard);
	return def.i && mir_desc(f, def)->eval == EV_setp && mir_inst(f, def)->n_defs == 1 ? def : (MirInstId){0};
}

/* How often a comparison holds, in percent; 0 where nothing is known. */
static u32 holds(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirOp   *b = mir_op(f, i, 2);
	const IsaType *t = isa_type(d->opc.slot[SLOT_type]);
	bool           constant = b->kind == MO_IMM;
	switch (d->opc.slot[SLOT_cmp]) {
	case TOK_cmp_eq:
		if (t->kind == ISA_KIND_FLOAT || (constant && t->bits < 64))
			return 100 - RATE_OPCODE;
		return t->bits == 64 ? 100 - RATE_POINTER : 0;
	case TOK_cmp_ne:
		if (t->kind == ISA_KIND_FLOAT || (constant && t->bits < 64))
			return RATE_OPCODE;
		return t->bits == 64 ? RATE_POINTER : 0;
	case TOK_cmp_lt: return constant && t->kind == ISA_KIND_SINT && b->imm <= 1 ? 100 - RATE_OPCODE : 0;
	case TOK_cmp_le: return constant && t->kind == ISA_KIND_SINT && b->imm <= 0 ? 100 - RATE_OPCODE : 0;
	case TOK_cmp_gt: return constant && t->kind == ISA_KIND_SINT && b->imm <= 0 ? RATE_OPCODE : 0;
	case TOK_cmp_ge: return constant && t->kind == ISA_KIND_SINT && b->imm <= 1 ? RATE_OPCODE : 0;
	default: return 0;
	}
}

static u32 by_comparison(const Estimate *e, MirBlockId from, MirBlockId first)
{
	MirInstId branch = mir_first_terminator(e->f, from);
	if (!branch.i)
		return 0;
	const IsaDesc *d = mir_desc(e->f, branch);
	bool           fused = d->opc.op == ISA_bra_setp;
	u32            guard = fused ? 1 : d->opc.slot[SLOT_guard];
	if (!guard || (!fused && d->opc.op != ISA_bra))
		return 0;
	MirInstId setp = fused ? branch : comparison(e->f, branch);
	u32       rate = setp.i ? holds(e->f, setp) : 0;
	if (!rate)
		return 0;
	bool taken_is_first = mir_op(e->f, branch, mir_inst(e->f, branch)->n_ops - 1u)->ref == first.i;
	return (guard == 1) == taken_is_first ? rate : 100 - rate;
}

/* Dempster-Shafer: independent pieces of evidence for the first of two ways. */
static void combine(f64 *p, u32 percent)
{
	if (!percent)
		return;
	f64 q = percent / 100.0, yes = *p * q;
	*p = yes / (yes + (1 - *p) * (1 - q));
}

static u32 two_ways(const Estimate *e, MirBlockId from, MirBlockId first, MirBlockId second)
{
	const u32 node = e->cfg->node[from.i];
	const Way x = {first, e->cfg->node[first.i]}, y = {second, e->cfg->node[second.i]};
	bool      cold_x = is_cold(e->f, first), cold_y = is_cold(e->f, second);
	if (cold_x != cold_y)
		return cold_x ? COLD : MIR_PROB_ONE - COLD;
	f64  p = 0.5;
	bool back_x = is_back(e, node, x.node), back_y = is_back(e, node, y.node);
	combine(&p, favour(back_x, back_y, RATE_LOOP_BRANCH));
	if (!back_x && !back_y)
		combine(&p, favour(leaves(e, node, y.node), leaves(e, node, x.node), RATE_LOOP_EXIT));
	combine(&p, favour(enters(e, node, x.node) && !dom_dominates(e->postdom, x.node, node),
	                   enters(e, node, y.node) && !dom_dominates(e->postdom, y.node, node), RATE_LOOP_HEADER));
	combine(&p, by_comparison(e, from, first));
	combine(&p, favour(has_apart(e, node, y, IF_CALL), has_apart(e, node, x, IF_CALL), RATE_CALL));
	combine(&p, favour(has_flag(e->f, second, IF_RETURN), has_flag(e->f, first, IF_RETURN), RATE_RETURN));
	combine(&p, favour(has_apart(e, node, y, IF_STORE), has_apart(e, node, x, IF_STORE), RATE_STORE));
	return (u32)(p * MIR_PROB_ONE);
}

/* ---- all of them ---- */

static bool is_stated(const MirFunc *f, MirBlockId b)
{
	mir_each_succ(f, b, e)
		if (e->prob == MIR_PROB_UNKNOWN)
			return false;
	return true;
}

static void estimate_block(Estimate *e, MirBlockId b, u64 *weight, u32 *prob)
{
	const MirFunc *f = e->f;
	const u32      n = mir_block(f, b)->n_succs;
	u32            k = 0;
	bool           said = is_stated(f, b);
	mir_each_succ(f, b, x)
		weight[k++] = said ? x->prob : is_cold(f, (MirBlockId){x->to}) ? COLD : MIR_PROB_ONE;
	if (n == 2 && !said) {
		const MirEdge *x = mir_edge(f, (MirEdgeId){mir_block(f, b)->succ}), *y = mir_edge(f, (MirEdgeId){x->next_succ});
		weight[0] = two_ways(e, b, (MirBlockId){x->to}, (MirBlockId){y->to});
		weight[1] = MIR_PROB_ONE - weight[0];
	}
	if (!mir_prob_of_weights(weight, n, prob)) { /* stated, and all 0 */
		for (k = 0; k < n; k++)
			weight[k] = 1;
		mir_prob_of_weights(weight, n, prob);
	}
	k = 0;
	for (u32 id = mir_block(f, b)->succ; id; id = mir_edge(f, (MirEdgeId){id})->next_succ)
		e->prob[id] = prob[k++];
}

u32 *mir_prob_build(const MirFunc *f, const MirCfg *cfg, const DomTree *postdom, const Loops *loops, Arena *a)
{
	Estimate e = {f, cfg, postdom, loops, arena_array(a, u32, f->edge.n + 1)};
	u32      most = 0;
	mir_each_block(f, b)
		most = PS_MAX(most, mir_block(f, b)->n_succs);
	u64 *weight = arena_array(a, u64, most + 1);
	u32 *prob = arena_array(a, u32, most + 1);
	mir_each_block(f, b)
		if (mir_block(f, b)->n_succs)
			estimate_block(&e, b, weight, prob);
	return e.prob;
}
