/* greedy: keeps the pressure of each register file within its budget.
 *
 *	-maxreg=8                                    %1 = LD_param_u64 …
 *	%1 = LD_param_u64 …                          ST_local_u64 %stack.0, 0, %1
 *	…  (16 registers are live)             →     …  (8 registers are live)
 *	… = %1                                       %21 = LD_local_u64 %stack.0, 0
 *	                                             … = %21
 *
 * PTX registers are virtual to the end, and ptxas colours them. Allocation decides which values are in registers at each point: the
 * units of a file (isa/classes.def) that are live at once stay within its limit (ir/budget.h).
 *
 * The structure is that of LLVM's greedy allocator, with one pool of units for a file in the place of registers with names. Live
 * ranges leave a queue in the order of greedy_advice.c. Each one
 *   1. is admitted to the matrix (mir/matrix.h) where there is room at all of its points;
 *   2. evicts lighter ones that are in the way, which are queued again;
 *   3. is split where there is no room (greedy_split.c): into regions that spill placement chooses, stretches of blocks,
 *      and single instructions, which evict whatever is in their way.
 * A range that is cut so often that it stays in memory between all its accesses is what is called spilled. Weights are
 * executions of reloads, by block frequency, for each unit and point. What is admitted at the end stays; greedy_rewrite.c
 * inserts the reloads, by load or by computing the value again, and the stores that these need.
 *
 * File P is allocated first: predicates spill through registers of file R. A point is always relieved in the end, because single
 * instructions fit: their operands are what mir_budget_least looks at, and where these exceed the limit that is an
 * error. Barriers and convergent operations stay where they are; reloads and stores are of the thread's own memory.
 *
 * Needs code without phis; keeps the control flow. Cost: a look at all operands where the function is small enough
 * (mir_may_exceed). Else live ranges, and for each range that is live at a crowded point O(blocks and accesses, times log points); behind
 * MOST_WORK such steps per instruction ranges are spilled whole, which costs their accesses alone. Very large functions (MOST_PAIRS
 * registers times blocks) are allocated as by regallocfast, or left to ptxas. Does not change the order of
 * instructions. */
#include "mirpass/greedy.h"

#include "mir/budget.h"
#include "mir/pressure.h"
#include "mirpass/allocate.h"

enum { MOST_WORK = 256, MOST_PAIRS = 1 << 24 };

/* ---- what there is to do ---- */

/* Registers that are never split: the guard of a definition decides whether the old value stays. */
static void find_pinned(Greedy *g)
{
	mir_each_block(g->f, b)
		mir_each_inst(g->f, b, i) {
			if (!mir_inst(g->f, i)->n_defs || !mir_desc(g->f, i)->opc.slot[SLOT_guard])
				continue;
			for (u32 n = 0; n < mir_inst(g->f, i)->n_ops; n++)
				if (mir_op_is_def(mir_op(g->f, i, n)) && mir_is_virt(mir_op_reg(mir_op(g->f, i, n))))
					bitset_add(g->pinned, mir_op(g->f, i, n)->ref);
		}
}

/* By point, how many up to it exceed the limit where all ranges are in registers. */
static u32 *crowded_before(const Greedy *g, Arena *a)
{
	u32 *n = arena_array(a, u32, g->points->n + 1), now = 0, crowded = 0;
	for (u32 r = 1; r < g->f->vreg.n; r++) {
		const MirRange     *range = mir_range(g->ranges, (MirReg){r});
		const IsaClassInfo *c = &isa_class_info[mir_class(g->f, (MirReg){r})];
		for (u32 k = 0; range && c->file == g->file && k < range->seg.n; k++) {
			n[mir_point_of(g->points, range->seg.p[k].start)] += c->units;
			n[mir_point_of(g->points, range->seg.p[k].end)] -= c->units;
		}
	}
	for (u32 p = 0; p <= g->points->n; p++) {
		now += n[p];
		n[p] = crowded;
		crowded += now > g->limit;
	}
	return n;
}

static f64 whole_weight(const Greedy *g, MirReg r, u32 size)
{
	f64 cost = 0;
	mir_each_use(g->f, r, o)
		cost += freq_at(g, g->cfg->node[mir_inst(g->f, (MirInstId){o->inst})->block]);
	mir_each_def(g->f, r, o)
		cost += freq_at(g, g->cfg->node[mir_inst(g->f, (MirInstId){o->inst})->block]);
	cost *= spill_is_cheap(g->spiller, r) ? 0.5 : 1;
	return cost / ((f64)isa_class_info[mir_class(g->f, r)].units * (size + 4.0));
}

/* A range that is live at no crowded point is admitted: whatever the others become, it fits. */
static void add_whole(Greedy *g, MirReg r, const MirRange *range, const u32 *crowded)
{
	Item i = {.reg = r.i, .first = g->matrix->seg.n, .n = range->seg.n};
	u32  size = 0;
	bool fits = true;
	for (u32 k = 0; k < range->seg.n; k++) {
		u32 start = mir_point_of(g->points, range->seg.p[k].start), end = mir_point_of(g->points, range->seg.p[k].end);
		mir_matrix_segment(g->matrix, start, end, g->item.n);
		size += end - start;
		fits &= crowded[start] == crowded[end];
	}
	const MatrixSegment *s = g->matrix->seg.p;
	i.local = mir_points_node(g->points, s[i.first].start) == mir_points_node(g->points, s[i.first + i.n - 1].end - 1);
	i.weight = whole_weight(g, r, size);
	vec_push(g->arena, &g->item, i);
	if (fits || bitset_has(g->pinned, r.i))
		greedy_admit(g, g->item.n - 1);
	else
		greedy_push(g, g->item.n - 1);
}

static void add_all(Greedy *g)
{
	Arena a;
	arena_init(&a, g->f->arena->budget);
	u32 *crowded = crowded_before(g, &a);
	for (u32 r = 1; r < g->f->vreg.n; r++) {
		const MirRange *range = mir_range(g->ranges, (MirReg){r});
		if (range && range->seg.n && isa_class_info[mir_class(g->f, (MirReg){r})].file == g->file)
			add_whole(g, (MirReg){r}, range, crowded);
	}
	arena_free(&a);
}

/* ---- one file ---- */

static Greedy *greedy_new(PassCx *cx, MirFunc *f, IsaFile file, u32 limit, Spiller *spiller)
{
	Arena  *a = cx->scratch;
	Greedy *g = arena_new(a, Greedy);
	*g = (Greedy){.cx = cx, .f = f, .arena = a, .file = file, .limit = limit, .spiller = spiller};
	g->cfg = mir_cfg(cx);
	g->freq = mir_freq(cx);
	g->bundles = mir_bundles(cx);
	g->ranges = mir_ranges(cx);
	g->points = mir_points_new(f, g->cfg, a);
	g->matrix = mir_matrix_new(g->points->n, a);
	g->place = spill_place_new(g->bundles, a);
	g->of = arena_array(a, u32, f->vreg.n);
	g->named = arena_array(a, u32, f->vreg.n);
	g->accesses = arena_array(a, u32, f->vreg.n);
	g->n_accesses = arena_array(a, u32, f->vreg.n);
	g->pinned = bitset_new(a, f->vreg.n);
	g->most_work = (u64)MOST_WORK * (g->points->n + 4096);
	return g;
}

static bool fits(const Greedy *g, const Item *i)
{
	u32 units = item_units(g, i);
	for (u32 k = i->first; k < i->first + i->n; k++) {
		const MatrixSegment *s = &g->matrix->seg.p[k];
		if (units > g->limit || mir_matrix_above(g->matrix, s->start, s->end, g->limit - units) != MIR_NO_POINT)
			return false;
	}
	return true;
}

/* False where a register that may not be split is in the way. */
static bool allocate_file(PassCx *cx, MirFunc *f, IsaFile file, u32 limit, Spiller *spiller)
{
	Greedy *g = greedy_new(cx, f, file, limit, spiller);
	find_pinned(g);
	add_all(g);
	while (g->queue.n && !g->stuck) {
		u32 item = greedy_pop(g);
		if (g->item.p[item].state != ITEM_QUEUED)
			continue;
		if (fits(g, &g->item.p[item]) || greedy_evict(g, item))
			greedy_admit(g, item);
		else
			greedy_split(g, item);
	}
	if (g->stuck)
		while (g->queue.n)
			greedy_admit(g, greedy_pop(g));
	greedy_rewrite(g);
	return !g->stuck;
}

/* ---- the pass ---- */

/* Live ranges say for certain. */
static bool exceeds(PassCx *cx, IsaFile file, u32 units) { return mir_rpa_most(mir_rpa(cx)).unit[file] > units; }

/* Thousands of values that are live in thousands of blocks: each is looked at in each. Where somebody states a limit, it is kept block
 * by block; where only the hardware does, ptxas spills. */
static bool too_large(PassCx *cx, const MirFunc *f)
{
	bool large = (u64)f->vreg.n * f->n_blocks > MOST_PAIRS;
	if (large)
		pass_remark(cx, REMARK_MISSED, 0, "%u registers and %u blocks are too many to choose what to spill", f->vreg.n,
		            f->n_blocks);
	return large;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Spiller *s = NULL;
	bool     large = false, asked = false;
	f->within_budget = true;
	for (u32 file = FILE_COUNT; --file > FILE_NONE;) { /* P, then R, through which predicates go to memory */
		AllocateNeed need = allocate_need(cx, f, (IsaFile)file);
		u32          units = mir_budget_units(f, (IsaFile)file);
		f->within_budget &= need != ALLOCATE_IMPOSSIBLE;
		if (need != ALLOCATE_NEEDED || !exceeds(cx, (IsaFile)file, units))
			continue;
		if (!asked)
			large = too_large(cx, f);
		asked = true;
		if (large && mir_budget(f, (IsaFile)file).limit_by == BUDGET_BY_HARDWARE) {
			f->within_budget = false;
			continue;
		}
		s = s ? s : spiller_new(cx, f);
		if (large) {
			allocate_fast(f, (IsaFile)file, s);
			pass_invalidate(cx, AN_MIR_CONTROL);
			continue;
		}
		s->cfg = mir_cfg(cx);
		s->dom = mir_dom(cx);
		f->within_budget &= allocate_file(cx, f, (IsaFile)file, units, s);
		pass_invalidate(cx, AN_MIR_CONTROL | AN_MIR_BUNDLES | AN_MIR_FREQ);
	}
	const char *wrong = s && !large ? spill_map_check(s) : NULL;
	if (wrong)
		ICE(cx->s, "%s", wrong);
	allocate_say(cx, f, s);
	return s != NULL;
}

static bool wanted(const Session *s) { return s->opt_level != 0; }

static const Knob knobs[] = {KNOB_maxreg, KNOB_NONE};

const Pass mirpass_greedy = {
	.id = "greedy",
	.title = "Greedy Register Allocator",
	.summary =
		"Keeps the pressure of each register file within its budget: evicts, splits, computes again, spills to .local.",
	.group = "ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gate = KNOB_optimize_regalloc,
	.gated = wanted,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL | AN_MIR_BUNDLES,
	.run = run,
};
