/* nvptx-remat-block: where too many registers are live at the end of a block, cheap values are computed again at their readers.
 *
 *	bb.0:                                          bb.0:
 *	  %1 = mov 7                                     …
 *	  …                                              (more registers live at the end than the target)
 *	  (more registers live at the end than the
 *	   target, %1 among them)                  →
 *	bb.1:                                          bb.1:
 *	  …                                              …
 *	  st [%2], %1                                    %9 = mov 7
 *	                                                 st [%2], %9
 *
 * The seed's algorithm, in rounds. A round measures the most registers that are live at the end of a block ("max live"; with
 * nv-remat-check-internal-live, and in functions of one block, anywhere in a block) and stops where that is within the target
 * (ir/budget.h). Then, for each block above it:
 *   1. the registers that are live there are classified (remat_values.c). Pullable are those with one definition that has no
 *      effect, reads no memory that may be written, and whose operands are pullable, at most 50 instructions deep;
 *   2. where these are fewer than the excess, those that were refused for their operands get a second chance: an operand
 *      may also be live already at every place where the value would be computed again, or have been promoted itself. A
 *      candidate is looked at MOST_VISITS times at most;
 *   3. costs are computed (remat_cost.c); 0 means that it cannot be;
 *   4. candidates are taken in this order until their widths reach the excess: those live at the ends of at least
 *      nv-remat-block-liveout-min-percentage percent of the blocks first, then by cost, cheapest first. A cost above
 *      nv-remat-block-single-cost ends the scan, and so does a sum above nv-remat-block-max-cost;
 *   5. they are computed again (remat_pull.c).
 * Behind each round the definitions that nobody reads any more are deleted, and their operands' in turn. The pass ends with a
 * round that pulled in nothing, or after nv-remat-max-times rounds.
 *
 * nv-remat-block is a set of modes: 1 looks at functions of one block, too; 2 takes what is pullable; 4 gives second chances;
 * 8 goes on for more than one round and deletes what is dead; 0 turns the pass off. Choices of ours, where the seed is silent:
 * what the second chance relaxes, that the sum of costs is held below nv-remat-block-max-cost, that a chain has at most
 * nv-remat-block-map-size-limit instructions, that long-lived registers come first, and that special registers are read again
 * only where the excess is at least nv-remat-threshold-for-spec-reg.
 *
 * Needs a function without phis; it need not be in SSA form. Keeps the control flow and the analyses of ranges and pressure.
 * The most registers of either file that are live anywhere never rise. Functions of more than MOST_WORK blocks times registers
 * are left alone, as time and memory grow with the product. Cost: nothing but a walk over the registers where few
 * of them are used in several blocks; else live ranges, and for each block above the target the blocks that its live values
 * reach. Does not split ranges or spill: what is left above the budget is left to the allocator and to ptxas. */
#include "base/sort.h"
#include "mirpass/remat_block.h"

enum {
	MOST_VISITS = 3,
	MOST_WORK = 1 << 18, /* blocks times registers of a function that is looked at */
};

typedef struct Candidate {
	u32  reg;
	bool long_lived;
	u64  cost;
} Candidate;
typedef Vec(Candidate) Candidates;

static void use_rpa(Remat *x, MirRpa *rpa)
{
	MirPressure most = mir_rpa_most(rpa);
	x->rpa = rpa;
	memcpy(x->most, most.unit, sizeof x->most);
}

const MirRpa *remat_rpa(Remat *x)
{
	if (!x->rpa) {
		use_rpa(x, mir_rpa(x->cx));
		mir_rpa_begin(x->rpa);
	}
	return x->rpa;
}

static Text *dump(const Remat *x) { return knob_bool(x->cx->s, KNOB_nv_dump_remat_block) ? pass_dump(x->cx) : NULL; }

/* ---- one block ---- */

/* The point of the block at which most is live: its end, or an instruction inside it. */
static RematPoint point_of(Remat *x, u32 node)
{
	RematPoint p = {node, {0}};
	MirBlockId b = remat_block(x, node);
	u32        peak = remat_inside(x) ? x->rpa->block[b.i].peak.unit[FILE_R] : 0;
	if (peak <= x->out[node])
		return p;
	MirTracker t = mir_track_start(x->rpa, b);
	while (!p.at.i && t.next.i) {
		MirInstId i = t.next;
		p.at = mir_track_peek(&t, i).unit[FILE_R] == peak ? i : (MirInstId){0};
		mir_track_advance(&t);
	}
	return p;
}

static bool names(const MirFunc *f, MirInstId i, MirReg r)
{
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
		if (mir_op_reg(mir_op(f, i, n)).i == r.i)
			return true;
	return false;
}

/* What is live at the point: from the list of the round where that is the end, else of all registers. */
static void live_at_point(Remat *x, const RematRound *r, const RematOver *o, RematPoint p, VecU32 *live)
{
	const MirSlots *s = x->ranges->slots;
	u32             end = mir_slot_last(x->f, s, remat_block(x, o->node));
	for (u32 k = 0; k < o->n && !p.at.i; k++)
		if (remat_live_at(x, (MirReg){r->live.p[o->first + k]}, end))
			vec_push(x->cx->scratch, live, r->live.p[o->first + k]);
	for (u32 k = 1; k < x->n_regs && p.at.i; k++)
		if (isa_class_info[mir_class(x->f, (MirReg){k})].file == FILE_R &&
		    remat_live_at(x, (MirReg){k}, mir_slot_of(s, p.at)) && !names(x->f, p.at, (MirReg){k}))
			vec_push(x->cx->scratch, live, k);
}

static bool can_serve(Remat *x, MirReg r, RematPoint p)
{
	if (!remat_places(x, r, p))
		return false;
	for (u32 k = 0; k < x->place.n; k++)
		if (!remat_chain(x, r, x->place.p[k]))
			return false;
	return true;
}

/* Moves to `pullable` those of the list whose operands are live wherever they are wanted, or promoted; returns how many. A
 * promotion may help one that was looked at before, so those that fail wait at the end of the list. */
static u32 second_chance(Remat *x, RematPoint p, VecU32 *list, VecU32 *pullable)
{
	Arena *a = x->cx->scratch;
	u32    before = pullable->n;
	VecU32 visits = {0};
	vec_extend(a, &visits, list->n);
	for (u32 k = 0; k < list->n; k++) {
		u32 r = list->p[k], seen = visits.p[k] + 1;
		if (can_serve(x, (MirReg){r}, p)) {
			bitset_add(x->promoted, r);
			vec_push(a, pullable, r);
		} else if (seen < MOST_VISITS) {
			vec_push(a, list, r);
			vec_push(a, &visits, seen);
		} else
			x->refused[x->because]++;
	}
	return pullable->n - before;
}

static void split_by_class(Remat *x, const VecU32 *live, VecU32 *pullable, VecU32 *second)
{
	bool   takes = x->knob.mode & REMAT_PULL_IN, again = x->knob.mode & REMAT_SECOND_CHANCE;
	Arena *a = x->cx->scratch;
	for (u32 k = 0; k < live->n; k++) {
		u32      r = live->p[k];
		RematWhy why = (RematWhy)x->why[r];
		if (!why && takes)
			vec_push(a, pullable, r);
		else if (again && (!why || why == WHY_OPERAND || why == WHY_DEEP))
			vec_push(a, second, r);
		else
			x->refused[why]++;
	}
}

static int by_cost(const void *a, const void *b, void *user)
{
	const Candidate *p = a, *q = b;
	(void)user;
	if (p->long_lived != q->long_lived)
		return p->long_lived ? -1 : 1;
	return (p->cost > q->cost) - (p->cost < q->cost);
}

static void find_costs(Remat *x, const RematRound *r, RematPoint p, const VecU32 *pullable, Candidates *c)
{
	for (u32 k = 0; k < pullable->n; k++) {
		u32 reg = pullable->p[k];
		u64 cost = remat_cost(x, (MirReg){reg}, p);
		if (!cost) {
			x->refused[x->because]++;
			continue;
		}
		bool long_lived = (i64)(100 * (u64)r->blocks[reg] / x->f->n_blocks) >= x->knob.percent;
		vec_push(x->cx->scratch, c, ((Candidate){reg, long_lived, cost}));
	}
	sort_stable(x->cx->scratch, c->p, c->n, sizeof *c->p, by_cost, NULL);
}

/* Leaves in `c` what is taken, in order; returns the sum of the costs. */
static u64 select(Remat *x, Candidates *c, u32 excess)
{
	u64  total = 0;
	u32  n = 0, width = 0;
	bool full = false, above[2] = {false, false};
	for (u32 k = 0; k < c->n; k++) {
		Candidate one = c->p[k];
		above[one.long_lived] |= (i64)one.cost > x->knob.single_cost; /* and so are all behind it */
		full |= (i64)(total + one.cost) > x->knob.max_cost && !above[one.long_lived];
		if (full || above[one.long_lived] || width >= excess) {
			x->refused[WHY_COST] += width < excess;
			continue;
		}
		c->p[n++] = one;
		total += one.cost;
		width += remat_width(x, (MirReg){one.reg});
	}
	c->n = n;
	return total;
}

static void say_pulled(const Remat *x, MirReg r, u64 cost, RematPoint p)
{
	MirInstId def = {x->def[r.i]};
	if (!pass_wants_remarks(x->cx))
		return;
	Str by = mir_budget_source(x->f, x->budget.target_by, x->cx->scratch);
	pass_remark_fate(
		x->cx, FATE_REMATERIALISED, mir_inst(x->f, def)->origin, mir_reg_text(x->f, r, x->cx->scratch),
		"%.*s of bb.%u is computed again in %u block%s, at a cost of %llu: %u registers are live in bb.%u, the target "
		"is %u (%.*s)",
		STR_ARG(mir_desc(x->f, def)->mnemonic), mir_block(x->f, remat_block(x, remat_node(x, def)))->number, x->place.n,
		x->place.n == 1 ? "" : "s", (unsigned long long)cost, remat_pressure(x, p.node),
		mir_block(x->f, remat_block(x, p.node))->number, x->budget.target, STR_ARG(by));
}

/* Earlier ones of the list may have changed what a later one costs. */
static bool pull_all(Remat *x, const Candidates *c, RematPoint p)
{
	bool any = false;
	for (u32 k = 0; k < c->n; k++) {
		MirReg r = {c->p[k].reg};
		u64    cost = remat_cost(x, r, p);
		if (!cost || (i64)cost > x->knob.single_cost) {
			x->refused[cost ? WHY_COST : x->because]++;
			continue;
		}
		say_pulled(x, r, cost, p);
		remat_pull(x, r);
		any = true;
	}
	return any;
}

static bool visit(Remat *x, const RematRound *r, const RematOver *o)
{
	u32 pressure = remat_pressure(x, o->node);
	if (pressure <= x->budget.target)
		return false;
	u32        excess = pressure - x->budget.target;
	RematPoint p = point_of(x, o->node);
	VecU32     live = {0}, pullable = {0}, second = {0};
	Candidates c = {0};
	Text      *out = dump(x);
	live_at_point(x, r, o, p, &live);
	split_by_class(x, &live, &pullable, &second);
	bitset_clear(x->promoted);
	if (out)
		text_f(out, "Pullable: %u\n", pullable.n);
	if (excess > pullable.n && second.n) {
		u32 added = second_chance(x, p, &second, &pullable);
		if (out)
			text_f(out, "ADD %u candidates from second-chance\n", added);
	} else
		x->refused[WHY_OPERAND] += second.n;
	if (out)
		text_f(out, "Total Pullable before considering cost: %u\n", pullable.n);
	find_costs(x, r, p, &pullable, &c);
	u64 total = select(x, &c, excess);
	if (out)
		text_f(out, "Really Final Pull-in: %u (%llu)\n", c.n, (unsigned long long)total);
	return pull_all(x, &c, p);
}

/* ---- rounds ---- */

static bool one_round(Remat *x)
{
	RematRound r = {.blocks = NULL};
	bool       changed = false;
	remat_measure(x, &r);
	if (dump(x))
		text_f(dump(x), "Max-Live-Function(%u) = %u\n", x->f->n_blocks, x->max_live);
	if (x->max_live <= x->budget.target)
		return false;
	memset(x->refused, 0, sizeof x->refused);
	remat_find_over(x, &r);
	remat_classify(x);
	if (x->rpa)
		mir_rpa_begin(x->rpa);
	for (u32 k = 0; k < r.over.n; k++) {
		bool pulled = visit(x, &r, &r.over.p[k]);
		changed |= pulled;
		if (pulled && remat_inside(x)) {
			mir_rpa_end(x->rpa);
			mir_rpa_begin(x->rpa);
		}
	}
	if (x->knob.mode & REMAT_ROUNDS)
		remat_delete_dead(x);
	if (x->rpa)
		mir_rpa_end(x->rpa);
	return changed;
}

/* ---- what is left ---- */

static void say_refused(const Remat *x, Text *t)
{
	static const char *const what[WHY_COUNT] = {
		[WHY_UNSEEN] = "without a definition",
		[WHY_DEFS] = "with several definitions",
		[WHY_EFFECT] = "of instructions that may not be repeated",
		[WHY_MEMORY] = "loaded from memory that may be written",
		[WHY_LOAD] = "loaded, with load-remat off",
		[WHY_ADDRESS] = "of address conversions, with vasp-fix1",
		[WHY_SPECIAL] = "read from special registers, below nv-remat-threshold-for-spec-reg",
		[WHY_CLONE] = "computed again already",
		[WHY_DEEP] = "computed from too many",
		[WHY_OPERAND] = "computed from others of these",
		[WHY_FAR] = "live through too many blocks",
		[WHY_UNAVAILABLE] = "whose operands are not live where they are wanted",
		[WHY_LONG] = "that take too many instructions",
		[WHY_CROWDED] = "that need more registers on the way",
		[WHY_COST] = "that cost too much",
	};
	const char *sep = ": ";
	for (u32 why = 1; why < WHY_COUNT; why++)
		if (x->refused[why]) {
			text_f(t, "%s%u %s", sep, x->refused[why], what[why]);
			sep = ", ";
		}
}

static void say_rest(Remat *x)
{
	Arena     *a = x->cx->scratch;
	RematRound r = {.blocks = NULL};
	if (!pass_wants_remarks(x->cx))
		return;
	remat_measure(x, &r);
	Str by = mir_budget_source(x->f, x->budget.target_by, a), limit = mir_budget_source(x->f, x->budget.limit_by, a);
	if (x->max_live <= x->budget.target) {
		pass_remark(x->cx, REMARK_ANALYSIS, 0,
		            "at most %u registers are live at the end of a block, within the target of %u (%.*s)", x->max_live,
		            x->budget.target, STR_ARG(by));
		return;
	}
	Text t;
	text_init(&t, a);
	say_refused(x, &t);
	pass_remark(x->cx, REMARK_MISSED, 0, "%u registers stay live at the end of a block, above the target of %u (%.*s)%.*s",
	            x->max_live, x->budget.target, STR_ARG(by), STR_ARG(text_str(&t)));
	MirInstId at;
	u32       least = mir_budget_least(x->f, FILE_R, &at);
	if (at.i && least > x->budget.limit)
		pass_remark(x->cx, REMARK_MISSED, mir_inst(x->f, at)->origin,
		            "%.*s of bb.%u alone needs %u registers: no code of this function can keep within %u (%.*s)",
		            STR_ARG(mir_desc(x->f, at)->mnemonic),
		            mir_block(x->f, (MirBlockId){mir_inst(x->f, at)->block})->number, least, x->budget.limit,
		            STR_ARG(limit));
}

/* ---- the pass ---- */

static RematKnobs read_knobs(const Session *s)
{
	return (RematKnobs){
		.mode = knob_int(s, KNOB_nv_remat_block),
		.rounds = knob_int(s, KNOB_nv_remat_max_times),
		.single_cost = knob_int(s, KNOB_nv_remat_block_single_cost),
		.max_cost = knob_int(s, KNOB_nv_remat_block_max_cost),
		.chain = knob_int(s, KNOB_nv_remat_block_map_size_limit),
		.percent = knob_int(s, KNOB_nv_remat_block_liveout_min_percentage),
		.loop_factor = knob_int(s, KNOB_nv_remat_block_loop_cost_factor),
		.load_cost = knob_int(s, KNOB_nv_remat_block_load_cost),
		.special = knob_int(s, KNOB_nv_remat_threshold_for_spec_reg),
		.loads = knob_bool(s, KNOB_load_remat),
		.in_block = knob_bool(s, KNOB_nv_remat_check_internal_live),
		.keep_addresses = knob_bool(s, KNOB_vasp_fix1),
	};
}

static void prepare(Remat *x)
{
	Arena *a = x->cx->scratch;
	x->cfg = mir_cfg(x->cx);
	x->dom = mir_dom(x->cx);
	x->loops = mir_loops(x->cx);
	x->ranges = mir_ranges(x->cx);
	x->machine = isa_machine(x->cx->s->target.sm);
	x->first_clone = x->f->vreg.n;
	x->out = arena_array(a, u32, x->cfg->g.n + 1);
	x->reached_stamp = arena_array(a, u32, x->cfg->g.n);
	x->first = arena_array(a, u32, x->cfg->g.n);
	x->first_stamp = arena_array(a, u32, x->cfg->g.n);
	MirRpa *rpa = remat_inside(x) ? mir_rpa(x->cx) : pass_analysis_if_known(x->cx, AN_MIR_RPA_ID);
	if (rpa)
		use_rpa(x, rpa);
}

static bool run(PassCx *cx)
{
	Remat x = {.cx = cx, .f = mirpass_func(cx), .knob = read_knobs(cx->s)};
	if (!(x.f->props & MP_NO_PHIS) || !x.f->first_block || (x.f->n_blocks == 1 && !(x.knob.mode & REMAT_ONE_BLOCK)))
		return false;
	Str name = strtab_get(&cx->s->strs, x.f->name);
	if (knob_lists(cx->s, KNOB_no_mi_remat, name)) {
		if (dump(&x))
			text_f(dump(&x), "Skip machine-instruction rematerialization on %.*s\n", STR_ARG(name));
		return false;
	}
	x.budget = mir_budget(x.f, FILE_R);
	if (!remat_inside(&x) && !dump(&x) && !pass_wants_remarks(cx) && !remat_may_exceed(&x))
		return false;
	if ((u64)x.f->n_blocks * x.f->vreg.n > MOST_WORK) {
		pass_remark(cx, REMARK_MISSED, 0, "%u blocks and %u registers are too many to look for values to compute again",
		            x.f->n_blocks, x.f->vreg.n);
		return false;
	}
	prepare(&x);
	i64 rounds = x.knob.mode & REMAT_ROUNDS ? x.knob.rounds : PS_MIN(x.knob.rounds, 1);
	for (i64 k = 0; k < rounds && one_round(&x); k++)
		;
	say_rest(&x);
	return x.n_pulled != 0;
}

static bool wanted(const Session *s) { return knob_int(s, KNOB_nv_remat_block) != 0; }

static const Knob knobs[] = {KNOB_nv_remat_block,
                             KNOB_nv_remat_max_times,
                             KNOB_nv_remat_block_single_cost,
                             KNOB_nv_remat_block_map_size_limit,
                             KNOB_nv_remat_block_max_cost,
                             KNOB_nv_remat_block_liveout_min_percentage,
                             KNOB_nv_remat_block_loop_cost_factor,
                             KNOB_nv_remat_default_max_reg,
                             KNOB_maxreg,
                             KNOB_reg_target_adjust,
                             KNOB_nv_remat_block_load_cost,
                             KNOB_nv_remat_threshold_for_spec_reg,
                             KNOB_nv_dump_remat_block,
                             KNOB_nv_remat_check_internal_live,
                             KNOB_no_mi_remat,
                             KNOB_load_remat,
                             KNOB_vasp_fix1,
                             KNOB_NONE};

const Pass mirpass_nvptx_remat_block = {
	.id = "nvptx-remat-block",
	.title = "NVPTX Specific Block Remat",
	.summary = "Computes cheap values again at their readers where more registers are live at the end of a block than the "
		   "target.",
	.group = "ra",
	.level = PASS_MIR,
	.disable = KNOB_nv_disable_remat,
	.gated = wanted,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL | AN_MIR_RANGES | AN_MIR_RPA,
	.flags = PF_NVIDIA,
	.run = run,
};
