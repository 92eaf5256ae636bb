/* machine-scheduler: the instructions of a region in an order that needs fewer registers.
 *
 *	%1 = LD_global …                       %1 = LD_global …
 *	%2 = LD_global …                       %2 = LD_global …
 *	%3 = LD_global …              →        %4 = ADD %1, %2
 *	%4 = ADD %1, %2                        %3 = LD_global …
 *	%5 = ADD %4, %3                        %5 = ADD %4, %3
 *
 * A region (mir/region.h) in which more registers of file R are live at once than the target (ir/budget.h) is ordered anew by the list
 * scheduler of sched_pressure.c, first so that it leaves the source order only where the target is exceeded, and then for the
 * fewest registers, by two policies, until one order is within the target. The order with the lowest peak is taken, of
 * equal ones the first, and none unless its peak is below that of the source order; the peak of no file rises in any region. So
 * what lives into and out of a region is as before, and the pressure of no point outside changes.
 *
 * With nvptx-sched4reg all regions are ordered for the fewest registers, whatever the target. Latencies are not considered:
 * ptxas schedules for them. usedessa=1 is without this pass.
 *
 * It runs in front of register allocation and, with machine-scheduler-postra, a second time behind it and nvptx-remat-block. That
 * is off by default: these leave definitions that they have repeated, and reloads, in front of their readers already.
 *
 * Needs code without phis. Keeps the control flow. Cost: a walk over the operands where few registers are live; else live ranges
 * and, in blocks above the target, dependences and at most three orders for each region. */
#include "mirpass/sched.h"

typedef struct Goal {
	bool      all;                /* nvptx-sched4reg */
	u32       target[FILE_COUNT]; /* units */
	RegBudget budget;
	u32       left; /* regions that stay above the target */
} Goal;

static u32 registers(u32 units) { return (units + ISA_UNITS_PER_REG - 1) / ISA_UNITS_PER_REG; }

static bool is_better(const MirRegionPeak *p, const MirRegionPeak *best, const SchedRegion *x)
{
	return registers(p->unit[FILE_R]) < registers(best->unit[FILE_R]) && p->unit[FILE_P] <= x->peak.unit[FILE_P];
}

static void say(const SchedRegion *x, const Goal *g, u32 best)
{
	PassCx *cx = x->s->cx;
	u32     line = sched_line(x), block = mir_block(x->s->f, x->r.block)->number;
	if (!pass_wants_remarks(cx))
		return;
	u32 before = registers(x->peak.unit[FILE_R]), after = registers(best);
	Str by = mir_budget_source(x->s->f, g->budget.target_by, cx->scratch);
	if (after < before)
		pass_remark(cx, REMARK_PASSED, line,
		            "%u instructions of bb.%u in another order: at most %u registers are live at once, %u before, the "
		            "target is "
		            "%u (%.*s)",
		            x->r.n, block, after, before, g->budget.target, STR_ARG(by));
	else if (before > g->budget.target)
		pass_remark(
			cx, REMARK_MISSED, line,
			"no order of the %u instructions of bb.%u was found that needs fewer than %u registers, the target is %u "
			"(%.*s)",
			x->r.n, block, before, g->budget.target, STR_ARG(by));
}

static void schedule_region(SchedRegion *x, void *user)
{
	Goal         *g = user;
	MirRegionPeak best = x->peak;
	const u32    *order = NULL;
	if (!g->all && x->peak.unit[FILE_R] <= g->target[FILE_R])
		return;
	const struct {
		SchedPolicy policy;
		u32         limit;
	} tries[] = {{SCHED_NEAR, g->target[FILE_R]}, {SCHED_NEAR, 0}, {SCHED_DEPTH, 0}};
	for (u32 k = g->all; k < PS_COUNT(tries); k++) {
		u32          *tried = sched_for_pressure(x, tries[k].policy, tries[k].limit);
		MirRegionPeak peak = mir_region_peak(x->live, tried, &x->s->arena);
		if (is_better(&peak, &best, x)) {
			best = peak;
			order = tried;
		}
		if (!g->all && best.unit[FILE_R] <= g->target[FILE_R])
			break;
	}
	say(x, g, best.unit[FILE_R]);
	if (order)
		sched_keep(x, order);
}

bool sched_run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Goal     g = {.all = knob_bool(cx->s, KNOB_nvptx_sched4reg), .budget = mir_budget(f, FILE_R)};
	Sched    s;
	g.target[FILE_R] = g.budget.target * ISA_UNITS_PER_REG;
	if (!f->first_block || (!g.all && !mir_pressure_may_exceed(f, FILE_R, g.target[FILE_R], cx->scratch)))
		return false;
	sched_open(&s, cx);
	mir_each_block(f, b)
		if (g.all || s.rpa->block[b.i].peak.unit[FILE_R] > g.target[FILE_R])
			sched_block(&s, b, schedule_region, &g);
	return sched_close(&s);
}

const Knob sched_knobs[] = {KNOB_nvptx_sched4reg, KNOB_usedessa,          KNOB_nv_remat_default_max_reg,
                            KNOB_maxreg,          KNOB_reg_target_adjust, KNOB_NONE};

const Pass mirpass_machine_scheduler = {
	.id = "machine-scheduler",
	.title = "Machine Instruction Scheduler",
	.summary = "Puts instructions in an order that needs fewer registers, where more are live than the target.",
	.group = "ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_misched,
	.gated = mirpass_full_mode,
	.knobs = sched_knobs,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.run = sched_run,
};
