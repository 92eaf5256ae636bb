/* Divergence of machine code on random functions after random edits, in two ways:
 *   - against its rules by definition: joins and loops left by removing nodes, everything again until nothing changes;
 *   - by execution: threads of one warp run the function, each on its own, and what is called uniform is compared
 *     between those that do the same in the same iteration. random_runs() says how many. */
#include "base/map.h"
#include "mir/divergence.h"
#include "randommir.h"

typedef struct Subject {
	MirBench      *b;
	MirFunc       *f;
	MirCfg        *cfg;
	DomTree        dom, postdom;
	Loops          loops;
	Sccs           scc;
	bool          *tangle; /* by component */
	GraphEdges     edge;
	MirDivergence *d;
	Rng            r;
	Arena         *a;
} Subject;

/* ---- random edits that keep a function well-formed ---- */

static MirInstId some_inst(Subject *t)
{
	VecU32 all = {0};
	mir_each_block(t->f, b)
		mir_each_inst(t->f, b, i)
			if (mir_inst(t->f, i)->desc != ISA_PHI && !mir_is(t->f, i, IF_TERMINATOR | IF_CARRY_IN | IF_CARRY_OUT) &&
			    mir_inst(t->f, i)->n_defs == 1 && mir_inst(t->f, i)->desc != ISA_INLINEASM)
				vec_push(t->a, &all, i.i);
	return (MirInstId){all.n ? all.p[rng_below(&t->r, all.n)] : 0};
}

/* A copy behind the instruction takes over some of the uses; or an operand becomes a number. */
static void edit(Subject *t)
{
	MirInstId i = some_inst(t);
	if (!i.i)
		return;
	if (rng_below(&t->r, 3) == 0 && mir_inst(t->f, i)->n_ops > 2) {
		mir_op_set_imm(t->f, i, 2, 3);
		return;
	}
	MirReg    old = mir_op_reg(mir_op(t->f, i, 0)), r = mir_reg_new(t->f, mir_class(t->f, old));
	MirInstId c = mir_clone(t->f, i, (MirBlockId){mir_inst(t->f, i)->block}, mir_next(t->f, i));
	mir_op_set_reg(t->f, c, 0, r);
	if (!(t->f->props & MP_SSA) && rng_below(&t->r, 2)) /* a second definition of some register */
		mir_op_set_reg(t->f, c, 0, old);
	mir_each_use(t->f, old, o)
		if (t->f->props & MP_SSA && o->inst != c.i && rng_below(&t->r, 2))
			mir_op_set_reg(t->f, (MirInstId){o->inst}, mir_op_number(t->f, o), r);
}

static void analyse(Subject *t)
{
	t->cfg = mir_cfg_build(t->f, t->a);
	t->dom = dom_build(&t->cfg->g, t->a, 0);
	t->postdom = postdom_build(&t->cfg->g, t->a, 0);
	t->loops = loops_build(&t->cfg->g, &t->cfg->order, &t->dom, t->a);
	t->scc = graph_sccs(&t->cfg->g, t->a);
	t->tangle = arena_array(t->a, bool, t->scc.n);
	GraphEdges odd = graph_irreducible_edges(&t->cfg->g, &t->cfg->order, &t->dom, t->a);
	for (u32 k = 0; k < odd.n; k++)
		t->tangle[t->scc.of[odd.p[k].from]] = true;
	t->edge.n = 0;
	mir_each_block(t->f, b)
		mir_each_succ(t->f, b, e)
			vec_push(t->a, &t->edge, ((GraphEdge){t->cfg->node[b.i], t->cfg->node[e->to]}));
	t->d = mir_divergence_build(t->f, &(MirControl){t->cfg, &t->dom, &t->postdom, &t->loops}, t->a);
}

static Subject *subject(Arena *a, u32 seed)
{
	MirBench *b = mirbench_open(a);
	Subject  *t = arena_new(&b->s.arena, Subject);
	u32       how = (seed & 1 ? RANDOM_SSA : 0) | (seed % 3 ? RANDOM_PURE : 0) | RANDOM_WARP;
	*t = (Subject){.b = b, .r = {seed}, .a = &b->s.arena};
	t->f = random_mir(b->m, &t->r, how, 2 + seed % 11);
	if (seed & 1)
		t->f->props |= MP_SSA;
	for (u32 k = rng_below(&t->r, 6); k; k--)
		edit(t);
	analyse(t);
	return t;
}

/* ---- by definition ---- */

typedef struct Rules {
	Subject *t;
	bool    *end;                                             /* by node, of the branch at hand: meetings */
	bool    *value, *branch, *loop_left, *tangle_left, *some; /* some: by node, only some of the threads run it */
	bool     again;
} Rules;

static bool *reach_past(Subject *t, u32 b, const bool *end, u32 without)
{
	bool *seen = arena_array(t->a, bool, t->cfg->g.n);
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < t->edge.n; k++) {
			u32  from = t->edge.p[k].from, to = t->edge.p[k].to;
			bool goes = from == b || (seen[from] && !(end && end[from]));
			if (goes && to != without && !seen[to])
				again = seen[to] = true;
		}
	}
	return seen;
}

/* Nodes that are on all paths from b to the end of the function, and in no loop around b that may have begun anew. */
static bool *meetings(Subject *t, u32 b)
{
	u32   n = t->cfg->g.n;
	bool *end = arena_array(t->a, bool, n);
	for (u32 v = 0; v < n; v++) {
		bool *before = reach_past(t, b, NULL, v);
		end[v] = v != b && dom_dominates(&t->postdom, v, b) && !(t->tangle[t->scc.of[b]] && t->scc.of[b] == t->scc.of[v]);
		for (u32 l = 0; l < t->loops.n; l++)
			if (loop_contains(&t->loops, l, b) && loop_contains(&t->loops, l, v) && before[t->loops.loop[l].header])
				end[v] = false;
	}
	return end;
}

/* Nodes that branch `b` reaches by a path of at least one edge that passes neither `without`, nor `b`, nor a meeting. */
static bool *reach_from(Rules *x, u32 b, u32 without) { return reach_past(x->t, b, x->end, without); }

static void set(Rules *x, bool *what)
{
	x->again |= !*what;
	*what = true;
}

static bool is_phi(Subject *t, MirInstId i) { return mir_inst(t->f, i)->desc == ISA_PHI; }

/* The register differs where `i` reads it. */
static bool reads_divergent(Rules *x, MirReg r, MirInstId i)
{
	Subject  *t = x->t;
	MirInstId def = mir_def_inst(t->f, r);
	if (x->value[r.i])
		return true;
	if (!def.i)
		return false;
	u32 from = t->cfg->node[mir_inst(t->f, def)->block], to = t->cfg->node[mir_inst(t->f, i)->block];
	for (u32 l = 0; l < t->loops.n; l++)
		if (x->loop_left[l] && loop_contains(&t->loops, l, from) && !loop_contains(&t->loops, l, to))
			return true;
	return x->tangle_left[t->scc.of[from]] && (from != to || is_phi(t, i));
}

static void set_defs(Rules *x, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(x->t->f, i)->n_ops; n++)
		if (mir_op_is_def(mir_op(x->t->f, i, n)))
			set(x, &x->value[mir_op(x->t->f, i, n)->ref]);
}

/* Two ways from b to j that share nothing else: no node cuts j off, and if there is an edge, there is another way too. */
static bool is_join(Rules *x, u32 b, u32 j, bool **without)
{
	Subject *t = x->t;
	bool     reached = false, edge = false, other = false;
	for (u32 k = 0; k < t->edge.n; k++) {
		GraphEdge e = t->edge.p[k];
		bool      way = e.from != b && e.from != j && without[j][e.from] && !x->end[e.from];
		edge |= e.to == j && e.from == b;
		other |= e.to == j && way;
	}
	reached = edge || other;
	for (u32 v = 0; v < t->cfg->g.n; v++)
		if (v != j && v != b && !without[v][j])
			return false;
	return reached && other;
}

static void set_phis(Rules *x, u32 node)
{
	MirFunc *f = x->t->f;
	mir_each_inst(f, (MirBlockId){x->t->cfg->block[node]}, i) {
		const MirOp *o = mir_ops(f, i);
		bool         same = true;
		if (!is_phi(x->t, i))
			return;
		for (u32 k = 1; k < mir_inst(f, i)->n_ops; k += 2)
			same &= o[k].ref == o[1].ref;
		if (!same)
			set_defs(x, i);
	}
}

/* An exit of the loop and its header, where no node is on all ways to both. */
static bool is_left(Rules *x, u32 b, u32 loop, bool *all, bool **without)
{
	Subject *t = x->t;
	u32      h = t->loops.loop[loop].header;
	if (!loop_contains(&t->loops, loop, b) || !all[h])
		return false;
	for (u32 k = 0; k < t->edge.n; k++) {
		u32  u = t->edge.p[k].from, w = t->edge.p[k].to;
		bool exits = loop_contains(&t->loops, loop, u) && !loop_contains(&t->loops, loop, w), common = false;
		if (!exits || !(u == b || (all[u] && !x->end[u])))
			continue;
		for (u32 q = 0; q < t->cfg->g.n; q++)
			common |= q != b && (q == h || !without[q][h]) && (q == w || !without[q][w]);
		if (!common)
			return true;
	}
	return false;
}

static void spread_branch(Rules *x, u32 b)
{
	Subject *t = x->t;
	u32      n = t->cfg->g.n;
	x->end = meetings(t, b);
	bool  *all = reach_from(x, b, GRAPH_NONE);
	bool **without = arena_array(t->a, bool *, n);
	for (u32 v = 0; v < n; v++)
		without[v] = reach_from(x, b, v);
	for (u32 j = 0; j < n; j++) {
		if (is_join(x, b, j, without))
			set_phis(x, j);
		if (all[j] && (j == b || !x->end[j]))
			set(x, &x->some[j]);
	}
	for (u32 l = 0; l < t->loops.n; l++)
		if (is_left(x, b, l, all, without))
			set(x, &x->loop_left[l]);
	if (t->tangle[t->scc.of[b]])
		set(x, &x->tangle_left[t->scc.of[b]]);
}

static u32 n_different_succs(Subject *t, u32 b)
{
	Nodes s = graph_succ(&t->cfg->g, b);
	return s.n > 1 && s.p[0] != s.p[1] ? 2 : 1;
}

/* May a use see several definitions, or none? Found by walking up from each use. */
static bool sees_other(Subject *t, MirReg r, MirInstId def)
{
	if (mir_vreg(t->f, r)->n_defs > 1)
		return true;
	if (!def.i || t->f->props & MP_SSA)
		return false;
	u32   d = t->cfg->node[mir_inst(t->f, def)->block];
	bool *without = reach(t->a, t->cfg->g.n, &t->edge, 0, d);
	mir_each_use(t->f, r, o) {
		MirInstId i = {o->inst};
		u32       u = t->cfg->node[mir_inst(t->f, i)->block];
		if (u == d ? !mir_before(t->f, def, i) : without[u])
			return true;
	}
	return false;
}

static void apply_rules(Rules *x)
{
	Subject *t = x->t;
	MirFunc *f = t->f;
	mir_each_block(f, b) {
		bool carry = true; /* what an instruction finds in it that reads it first */
		u32  node = t->cfg->node[b.i];
		mir_each_inst(f, b, i) {
			const IsaDesc *d = mir_desc(f, i);
			bool           differs = mir_is_divergence_source(f, i) || (d->flags & IF_CARRY_IN && carry);
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
				const MirOp *o = mir_op(f, i, n);
				bool         counts =
					!(d->flags & IF_UNIFORM) || (n < d->n_operands && d->operand[n].flags & IOF_MEMBERS);
				if (mir_op_is_use(o) && counts)
					differs |= reads_divergent(x, mir_op_reg(o), i);
			}
			if (differs && d->flags & IF_TERMINATOR && n_different_succs(t, node) > 1)
				set(x, &x->branch[node]);
			if (differs)
				set_defs(x, i);
			if (d->flags & IF_CARRY_OUT)
				carry = differs;
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
				if (mir_op_is_def(mir_op(f, i, n)) && x->some[node] &&
				    sees_other(t, mir_op_reg(mir_op(f, i, n)), mir_def_inst(f, mir_op_reg(mir_op(f, i, n)))))
					set(x, &x->value[mir_op(f, i, n)->ref]);
		}
	}
}

static bool equals_rules(Subject *t)
{
	u32   n = t->cfg->g.n;
	Rules x = {.t = t};
	bool *spread = arena_array(t->a, bool, n), good = true;
	x.value = arena_array(t->a, bool, mir_vregs(t->f));
	x.branch = arena_array(t->a, bool, n);
	x.some = arena_array(t->a, bool, n);
	x.loop_left = arena_array(t->a, bool, t->loops.n + 1);
	x.tangle_left = arena_array(t->a, bool, t->scc.n + 1);
	do {
		x.again = false;
		apply_rules(&x);
		for (u32 b = 0; b < n; b++)
			if (x.branch[b] && !spread[b]) {
				spread[b] = true;
				spread_branch(&x, b);
			}
	} while (x.again);
	for (u32 r = 1; r < mir_vregs(t->f); r++)
		good &= mir_is_divergent(t->d, (MirReg){r}) == x.value[r];
	for (u32 b = 0; b < n; b++)
		good &= n_different_succs(t, b) < 2 ||
		        mir_branch_is_divergent(t->d, (MirBlockId){t->cfg->block[b]}) == x.branch[b];
	mir_each_block(t->f, b)
		mir_each_inst(t->f, b, i)
			for (u32 k = 0; k < mir_inst(t->f, i)->n_ops; k++)
				if (mir_op_is_use(mir_op(t->f, i, k)))
					good &= mir_is_divergent_at(t->d, t->f, mir_op_reg(mir_op(t->f, i, k)), i) ==
					        reads_divergent(&x, mir_op_reg(mir_op(t->f, i, k)), i);
	EXPECT(good);
	return good;
}

/* ---- by execution ---- */

enum { THREADS = 4, STEPS = 60 };

typedef struct Thread {
	Subject *t;
	u64     *reg;
	u32      id, node, steps;
	u32     *iteration; /* by loop */
	u32     *visits;    /* by node, in a component with several headers */
	u64      carry;
	Map     *seen; /* (place, iterations) → value of the first thread that came there */
	u32     *compared;
} Thread;

/* Where a thread is: of two threads with equal numbers at an instruction, neither is an iteration ahead. */
static u64 iterations(const Thread *h)
{
	const Subject *t = h->t;
	u64            k = 7;
	if (t->tangle[t->scc.of[h->node]])
		return hash_u64(h->visits[h->node]);
	for (u32 l = t->loops.of[h->node]; l != GRAPH_NONE; l = t->loops.loop[l].parent)
		k = hash_u64(k ^ h->iteration[l]);
	return k;
}

static bool agree(Thread *h, u32 place, u32 part, u64 value)
{
	bool fresh;
	u64 *first = map_put(h->seen, hash_u64(hash_u64((u64)place << 8 | part) ^ iterations(h)) | 1, &fresh);
	if (fresh)
		*first = value;
	*h->compared += !fresh;
	return *first == value;
}

static void enter(Thread *h, u32 from, u32 to)
{
	Subject *t = h->t;
	for (u32 l = t->loops.of[to]; l != GRAPH_NONE; l = t->loops.loop[l].parent)
		if (t->loops.loop[l].header == to)
			h->iteration[l] = from != GRAPH_NONE && loop_contains(&t->loops, l, from) ? h->iteration[l] + 1 : 0;
	h->visits[to]++;
	h->node = to;
}

/* Any function of the operands will do; what differs from thread to thread asks the thread. */
static u64 compute(Thread *h, MirInstId i, u32 result)
{
	const MirFunc *f = h->t->f;
	const IsaDesc *d = mir_desc(f, i);
	u64            x = hash_u64(mir_inst(f, i)->desc * 8 + result);
	if (mir_inst(f, i)->desc == ISA_IMPLICIT_DEF)
		return 1;
	if (mir_inst(f, i)->desc == ISA_INLINEASM || d->opc.slot[SLOT_sreg] == SREG_tid_x ||
	    d->opc.slot[SLOT_sreg] == SREG_laneid)
		x = hash_u64(x ^ h->id);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		bool         counts = !(d->flags & IF_UNIFORM) || (n < d->n_operands && d->operand[n].flags & IOF_MEMBERS);
		if (counts && o->kind == MO_IMM)
			x = hash_u64(x ^ (u64)o->imm);
		else if (counts && mir_op_is_use(o) && !(o->flags & MOF_UNDEF))
			x = hash_u64(x ^ h->reg[o->ref]);
	}
	if (d->flags & IF_CARRY_IN)
		x = hash_u64(x ^ h->carry);
	return x;
}

static bool run_inst(Thread *h, MirInstId i)
{
	Subject       *t = h->t;
	const MirInst *mi = mir_inst(t->f, i);
	u64            value[8] = {0};
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(t->f, i, n);
		if (mir_op_is_use(o) && !(o->flags & MOF_UNDEF) && !mir_is_divergent_at(t->d, t->f, mir_op_reg(o), i) &&
		    !agree(h, i.i, n, h->reg[o->ref]))
			return false;
	}
	for (u32 n = 0; n < mi->n_ops && n < PS_COUNT(value); n++)
		value[n] = mir_op_is_def(mir_op(t->f, i, n)) ? compute(h, i, n) : 0;
	if (mir_is(t->f, i, IF_CARRY_OUT))
		h->carry = compute(h, i, 100);
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(t->f, i, n);
		if (!mir_op_is_def(o))
			continue;
		h->reg[o->ref] = value[n];
		if (!mir_is_divergent(t->d, mir_op_reg(o)) && !agree(h, i.i, n, value[n]))
			return false;
	}
	return true;
}

static bool run_phis(Thread *h, u32 from)
{
	Subject *t = h->t;
	VecU32   reg = {0};
	Vec(u64) value = {0};
	for (MirInstId i = {mir_block(t->f, (MirBlockId){t->cfg->block[h->node]})->first}; i.i && is_phi(t, i);
	     i = mir_next(t->f, i))
		for (u32 n = 1; n < mir_inst(t->f, i)->n_ops; n += 2)
			if (from != GRAPH_NONE && mir_op(t->f, i, n + 1)->ref == t->cfg->block[from]) {
				vec_push(t->a, &reg, mir_op(t->f, i, 0)->ref);
				vec_push(t->a, &value, h->reg[mir_op(t->f, i, n)->ref]);
				if (!mir_is_divergent(t->d, mir_op_reg(mir_op(t->f, i, 0))) &&
				    !agree(h, i.i, 0, vec_last(&value)))
					return false;
			}
	for (u32 k = 0; k < reg.n; k++)
		h->reg[reg.p[k]] = value.p[k];
	return true;
}

/* Its block's guarded branch, if it has one, decides between the successors. */
static u32 next_node(Thread *h)
{
	Subject   *t = h->t;
	Nodes      s = graph_succ(&t->cfg->g, h->node);
	MirBlockId b = {t->cfg->block[h->node]};
	if (s.n < 2)
		return s.n ? s.p[0] : GRAPH_NONE;
	for (MirInstId i = mir_first_terminator(t->f, b); i.i; i = mir_next(t->f, i))
		if (mir_desc(t->f, i)->opc.slot[SLOT_guard]) {
			u32 to = t->cfg->node[mir_op(t->f, i, 1)->ref];
			return (h->reg[mir_op(t->f, i, 0)->ref] & 1) ? to : to == s.p[0] ? s.p[1] : s.p[0];
		}
	return s.p[0];
}

static bool run_thread(Thread *h)
{
	Subject *t = h->t;
	u32      from = GRAPH_NONE, to = 0;
	for (u32 step = 0; step < STEPS && to != GRAPH_NONE; step++) {
		enter(h, from, to);
		if (!run_phis(h, from))
			return false;
		mir_each_inst(t->f, (MirBlockId){t->cfg->block[h->node]}, i)
			if (!is_phi(t, i) && !run_inst(h, i))
				return false;
		from = h->node;
		to = next_node(h);
		if (!mir_branch_is_divergent(t->d, (MirBlockId){t->cfg->block[from]}) && !agree(h, 1u << 31 | from, 0, to))
			return false;
	}
	return true;
}

static bool runs_alike(Subject *t, u32 *compared)
{
	Map  seen;
	bool good = true;
	map_init(&seen, t->a);
	for (u32 id = 0; id < THREADS && good; id++) {
		Thread h = {.t = t, .id = id, .seen = &seen, .compared = compared};
		h.reg = arena_array(t->a, u64, mir_vregs(t->f));
		h.iteration = arena_array(t->a, u32, t->loops.n + 1);
		h.visits = arena_array(t->a, u32, t->cfg->g.n);
		good = run_thread(&h);
	}
	EXPECT(good);
	return good;
}

static void report(Subject *t, u32 seed)
{
	Text out;
	text_init(&out, t->a);
	mir_print_func(&out, t->f, NULL);
	text_s(&out, "divergent:");
	for (u32 r = 1; r < mir_vregs(t->f); r++)
		if (mir_is_divergent(t->d, (MirReg){r}))
			text_f(&out, " %%%u", r - 1);
	printf("# seed %u\n%.*s\n", seed, STR_ARG(text_str(&out)));
}

TEST(mir_divergence, the_fixed_point_of_its_rules)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Subject *t = subject(a, seed);
		expect_good_mir(t->b, t->f);
		bool good = equals_rules(t);
		if (!good)
			report(t, seed);
		mirbench_close(t->b);
		if (!good)
			return;
	}
}

TEST(mir_divergence, threads_agree_on_what_is_uniform)
{
	u32 compared = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Subject *t = subject(a, seed);
		bool     good = runs_alike(t, &compared);
		if (!good)
			report(t, seed);
		mirbench_close(t->b);
		if (!good)
			return;
	}
	printf("# %u values compared\n", compared);
	EXPECT(compared > 20 * random_runs());
}

UNIT_MAIN
