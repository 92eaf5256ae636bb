/* machine-sink: what only some paths read is computed on those paths.
 *
 *	bb.0:                                      bb.0:
 *	  %1 = LD_param_u64 &k_param_0, 0            %3 = SETP_ge_s32rr …
 *	  %2 = CVTA_to_global_u64 %1         →       CBranch %3, %bb.2
 *	  %3 = SETP_ge_s32rr …                     bb.1:
 *	  CBranch %3, %bb.2                          %1 = LD_param_u64 &k_param_0, 0
 *	bb.1:                                        %2 = CVTA_to_global_u64 %1
 *	  … = LD_global_u32 %2, 0                    … = LD_global_u32 %2, 0
 *
 * So threads that leave early do not pay for what they never use, and values are alive in fewer blocks.
 *
 * An instruction that is movable (mirpass_is_movable) goes to the start of the block T that is the lowest common dominator of
 * its readers; a phi reads at the end of the predecessor. From there T moves up the dominator tree
 *   - out of every loop that the instruction is not in,
 *   - as long as T is executed whenever the higher block is (T post-dominates it), since nothing is gained below, and
 *   - from blocks with several predecessors, since parts of a warp may come to these one after the other.
 * Where T ends up executed as often as the block of the instruction, the instruction stays; also where T dominates fewer than
 * WORTH_SKIPPING instructions: ptxas executes these under a predicate, which works the better the fewer they are (speculative-
 * execution moves instructions the other way for that). Convergent operations and control flow are not touched.
 *
 * Registers: an operand whose last reader is the instruction lives longer afterwards, the results live shorter. Where more
 * units of a register file are added than taken away, the instruction moves only if the function's peak (AN_MIR_RPA) leaves
 * room for them below the target (ir/budget.h); the analysis is computed when the first of these comes up.
 *
 * An operand that is a phi's result and whose last reader is the instruction keeps it in place: such a value must not outlive
 * the next writing of its phi web, or the web needs a copy.
 *
 * Needs and keeps SSA form. The walk is bottom-up, children in the dominator tree before their parents, so readers have
 * found their places before what they read. Common dominators are found by jump pointers (Myers: "An applicative random-access
 * stack"): O(log n) an instruction besides its readers. Loads of memory that may be written are not moved. */
#include "mir/budget.h"
#include "mir/cfg.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

typedef struct Sink {
	PassCx  *cx;
	MirFunc *f;
	MirCfg  *cfg;
	DomTree *dom, *postdom;
	Loops   *loops;
	u32     *jump;  /* by node: an ancestor in the dominator tree, further up the deeper the node */
	u32     *size;  /* by node: instructions of the blocks that it dominates; NULL: nothing could move yet */
	u32     *front; /* by node: what stands first behind the phis, once the block has been a target; 0 = not asked for */
	MirRpa  *rpa;   /* NULL: not needed yet */
	u32      target[FILE_COUNT];
	u32      added[FILE_COUNT]; /* units: by how much moves may have raised the peak since it was computed */
	bool     changed;
} Sink;

static u32 node_of(const Sink *s, MirInstId i) { return s->cfg->node[mir_inst(s->f, i)->block]; }

static void make_jumps(Sink *s)
{
	const DomTree *t = s->dom;
	s->jump = arena_array(s->cx->scratch, u32, t->n);
	for (u32 k = 0; k < t->reached; k++) {
		u32  v = t->pre[k], up = k ? t->idom[v] : v, far = s->jump[up];
		bool full = k && t->depth[up] - t->depth[far] == t->depth[far] - t->depth[s->jump[far]];
		s->jump[v] = full ? s->jump[far] : up;
	}
}

static u32 size_of(Sink *s, u32 node)
{
	const DomTree *t = s->dom;
	if (s->size)
		return s->size[node];
	s->size = arena_array(s->cx->scratch, u32, t->n);
	for (u32 k = t->reached; k--;) {
		u32 v = t->pre[k];
		for (u32 i = mir_block(s->f, (MirBlockId){s->cfg->block[v]})->first; i; i = mir_inst(s->f, (MirInstId){i})->next)
			s->size[v]++;
		if (k)
			s->size[t->idom[v]] += s->size[v];
	}
	return s->size[node];
}

static u32 common(const Sink *s, u32 a, u32 b)
{
	while (!dom_dominates(s->dom, a, b))
		a = dom_dominates(s->dom, s->jump[a], b) ? s->dom->idom[a] : s->jump[a];
	return a;
}

/* The node where operand `o` is read: of a phi the predecessor's. */
static u32 reading_node(const Sink *s, const MirOp *o)
{
	MirInstId user = {o->inst};
	if (mir_is(s->f, user, IF_PHI))
		return s->cfg->node[mir_op(s->f, user, mir_op_number(s->f, o) + 1)->ref];
	return node_of(s, user);
}

/* The lowest node that dominates all readers of the results; GRAPH_NONE where nobody reads them. Nodes in the order of the
 * tree's intervals: the first and the last have the same common dominator as all. */
static u32 readers_node(const Sink *s, MirInstId i)
{
	u32 first = GRAPH_NONE, last = GRAPH_NONE, own = node_of(s, i);
	for (u32 n = 0; n < mir_inst(s->f, i)->n_defs; n++)
		mir_each_use(s->f, mir_op_reg(mir_op(s->f, i, n)), o) {
			u32 at = reading_node(s, o);
			if (at == own)
				return own;
			if (at == GRAPH_NONE || !dom_reached(s->dom, at))
				continue;
			if (first == GRAPH_NONE || s->dom->in[at] < s->dom->in[first])
				first = at;
			if (last == GRAPH_NONE || s->dom->in[at] > s->dom->in[last])
				last = at;
		}
	return first == GRAPH_NONE ? GRAPH_NONE : common(s, first, last);
}

static bool runs_with(const Sink *s, u32 below, u32 above)
{
	return dom_dominates(s->postdom, below, above) && s->loops->of[below] == s->loops->of[above];
}

/* The highest node between `own` and `at` that is executed only if `at` is; `own` itself where that is. */
static u32 highest(const Sink *s, u32 own, u32 at)
{
	u32 up = at;
	if (runs_with(s, at, own))
		return own;
	while (up != own) {
		u32 far = s->jump[up], near = s->dom->idom[up];
		if (dom_strictly(s->dom, own, far) && runs_with(s, at, far))
			up = far;
		else if (near != own && runs_with(s, at, near))
			up = near;
		else
			break;
	}
	return up;
}

enum {
	WORTH_SKIPPING = 6, /* instructions: fewer are executed under predicates, without a branch */
	MOST_STEPS = 64,    /* joins and loops, one behind the other, that a reader may be behind */
};

/* Where an instruction of `own` goes whose readers `at` dominates: `own` where nothing is gained, GRAPH_NONE where its readers
 * are behind too many loops and joins. */
static u32 place(const Sink *s, u32 own, u32 at)
{
	for (u32 step = 0; step < MOST_STEPS; step++) {
		if (!loop_encloses(s->loops, s->loops->of[at], s->loops->of[own])) {
			at = s->dom->idom[s->loops->loop[s->loops->of[at]].header];
			continue;
		}
		at = highest(s, own, at);
		if (at == own || graph_pred(&s->cfg->g, at).n == 1)
			return at;
		at = s->dom->idom[at];
	}
	return GRAPH_NONE;
}

/* ---- registers ---- */

static bool read_below(const Sink *s, MirReg r, MirInstId but, u32 node)
{
	mir_each_use(s->f, r, o) {
		if (o->inst == but.i)
			continue;
		u32 at = reading_node(s, o);
		if (at != GRAPH_NONE && dom_dominates(s->dom, node, at))
			return true;
	}
	return false;
}

/* Would the instruction keep the value of a phi, or of a copy for one, alive behind its other readers? The web of that phi may
 * be written in between, and a copy would have to keep the value. */
static bool keeps_phi(const Sink *s, MirInstId i, u32 to)
{
	for (u32 n = mir_inst(s->f, i)->n_defs; n < mir_inst(s->f, i)->n_ops; n++) {
		MirReg    r = mir_op_reg(mir_op(s->f, i, n));
		MirInstId def = mir_is_virt(r) ? mir_def_inst(s->f, r) : (MirInstId){0};
		if (def.i && mir_is(s->f, def, IF_PHI | IF_COPY) && !read_below(s, r, i, to))
			return true;
	}
	return false;
}

/* Units by which the registers between the two places are more afterwards than before, by file; true: some are. */
static bool grows(const Sink *s, MirInstId i, u32 to, u32 *more)
{
	i32 units[FILE_COUNT] = {0};
	for (u32 n = 0; n < mir_inst(s->f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(mir_op(s->f, i, n));
		if (!mir_is_virt(r))
			continue;
		const IsaClassInfo *c = &isa_class_info[mir_class(s->f, r)];
		if (n < mir_inst(s->f, i)->n_defs)
			units[c->file] -= (i32)c->units;
		else if (!read_below(s, r, i, to))
			units[c->file] += (i32)c->units;
	}
	bool any = false;
	for (u32 k = 0; k < FILE_COUNT; k++) {
		more[k] = units[k] > 0 ? (u32)units[k] : 0;
		any |= units[k] > 0;
	}
	return any;
}

static bool has_room(Sink *s, const u32 *more)
{
	if (!s->rpa) {
		s->rpa = mir_rpa(s->cx);
		s->target[FILE_R] = mir_budget(s->f, FILE_R).target;
		s->target[FILE_P] = mir_budget(s->f, FILE_P).target;
	}
	MirPressure most = mir_rpa_most(s->rpa);
	for (u32 k = 0; k < FILE_COUNT; k++)
		most.unit[k] += s->added[k] + more[k];
	for (u32 k = 0; k < FILE_COUNT; k++)
		if (more[k] && mir_pressure_regs(&most, (IsaFile)k) > s->target[k])
			return false;
	for (u32 k = 0; k < FILE_COUNT; k++)
		s->added[k] += more[k];
	return true;
}

/* ---- the walk ---- */

static u32 block_number(const Sink *s, u32 node) { return mir_block(s->f, (MirBlockId){s->cfg->block[node]})->number; }

static void say(const Sink *s, RemarkKind kind, MirInstId i, const char *what, u32 node)
{
	if (pass_wants_remarks(s->cx))
		pass_remark(s->cx, kind, mir_inst(s->f, i)->origin, "%.*s of bb.%u %s bb.%u",
		            STR_ARG(mir_desc(s->f, i)->mnemonic), block_number(s, node_of(s, i)), what, block_number(s, node));
}

static void sink(Sink *s, MirInstId i, u32 to)
{
	MirBlockId b = {s->cfg->block[to]};
	if (!s->front[to])
		s->front[to] = mir_first_non_phi(s->f, b).i;
	say(s, REMARK_PASSED, i, "is only read behind, and moves to", to);
	mir_move(s->f, i, b, (MirInstId){s->front[to]});
	s->front[to] = i.i;
	s->changed = true;
}

static void visit(Sink *s, MirInstId i)
{
	if (!mirpass_is_movable(s->f, i))
		return;
	u32 own = node_of(s, i), at = readers_node(s, i), more[FILE_COUNT];
	if (at == GRAPH_NONE || at == own)
		return;
	u32 to = place(s, own, at);
	if (to == GRAPH_NONE || to == own)
		return;
	if (size_of(s, to) < WORTH_SKIPPING)
		say(s, REMARK_MISSED, i, "stays: little else is skipped with", to);
	else if (keeps_phi(s, i, to))
		say(s, REMARK_MISSED, i, "stays: it would keep the value of a phi alive on the way to", to);
	else if (grows(s, i, to, more) && !has_room(s, more))
		say(s, REMARK_MISSED, i, "stays: too many registers would be alive on the way to", to);
	else
		sink(s, i, to);
}

static void visit_block(Sink *s, u32 node)
{
	MirBlockId b = {s->cfg->block[node]};
	mir_each_inst_up(s->f, b, i)
		visit(s, i);
}

bool mirpass_sink(PassCx *cx, bool entry_only)
{
	Sink s = {.cx = cx, .f = mirpass_func(cx)};
	if (s.f->first_block == s.f->last_block)
		return false;
	s.cfg = mir_cfg(cx);
	s.dom = mir_dom(cx);
	s.postdom = mir_postdom(cx);
	s.loops = mir_loops(cx);
	s.front = arena_array(cx->scratch, u32, s.dom->n);
	make_jumps(&s);
	for (u32 k = entry_only ? 1 : s.dom->reached; k--;)
		visit_block(&s, s.dom->pre[k]);
	return s.changed;
}

static bool run(PassCx *cx) { return mirpass_sink(cx, false); }

const Knob mirpass_sink_knobs[] = {KNOB_nv_remat_default_max_reg, KNOB_maxreg, KNOB_reg_target_adjust, KNOB_pred_target_adjust,
                                   KNOB_NONE};

const Pass mirpass_machine_sink = {
	.id = "machine-sink",
	.title = "Machine code sinking",
	.summary = "Moves instructions to the paths that use their results, never into a deeper loop.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_nvptx_enable_machine_sink,
	.disable = KNOB_disable_machine_sink,
	.knobs = mirpass_sink_knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
