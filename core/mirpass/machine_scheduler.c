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
 * Where the best order of a region still exceeds the limit that allocation keeps (ir/budget.h), an order by groups of expressions is tried
 * (sched_groups.c, misched-groups): values then go to memory whatever the order, and it is taken where fewer do, loads that are repeated
 * counted in. Its peak may be above that of the source order.
 *
 * With nvptx-sched4reg all regions are ordered for the fewest registers, whatever the target. Latencies are not considered:
 * ptxas schedules for them. usedessa=1 is without this pass.
 *
 * It runs in front of register allocation and, with machine-scheduler-postra, a second time behind it and nvptx-remat-block. That
 * is off by default: these leave definitions that they have repeated, and reloads, in front of their readers already.
 *
 * Needs code without phis. Keeps the control flow. Cost: a walk over the operands where few registers are live; else live ranges
 * and, in blocks above the target, dependences and at most three orders for each region, five above the limit. */
#include "mirpass/sched.h"

#include "mir/bound.h"

typedef struct Goal {
	bool      all;                /* nvptx-sched4reg */
	u32       target[FILE_COUNT]; /* units */
	RegBudget budget;
	u32       most; /* units that are kept within, whatever is spilled; MIR_NO_LIMIT: none */
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

/* Values have to go to memory in any order that was found: an order in which fewer do. */
static bool keep_groups(SchedRegion *x, const Goal *g, const u32 *order)
{
	SchedSequence q = sched_in_groups(x, order, g->most);
	if (!q.p)
		return false;
	sched_keep_sequence(x, q.p, q.n);
	if (!pass_wants_remarks(x->s->cx))
		return true;
	pass_remark(x->s->cx, REMARK_PASSED, sched_line(x),
	            "%u instructions of bb.%u in %u groups, with %u loads repeated: for a budget of %u registers (%.*s) about "
	            "%u are loaded or stored, %u before",
	            x->r.n, mir_block(x->s->f, x->r.block)->number, q.groups, q.n - x->r.n, g->budget.limit,
	            STR_ARG(mir_budget_source(x->s->f, g->budget.limit_by, x->s->cx->scratch)), registers(q.after),
	            registers(q.before));
	return true;
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
	if (best.unit[FILE_R] > g->most && keep_groups(x, g, order))
		return;
	say(x, g, best.unit[FILE_R]);
	if (order)
		sched_keep(x, order);
}

bool sched_run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Goal     g = {.all = knob_bool(cx->s, KNOB_nvptx_sched4reg), .budget = mir_budget(f, FILE_R)};
	Sched    s;
	g.most = knob_bool(cx->s, KNOB_misched_groups) ? mir_budget_units(f, FILE_R) : MIR_NO_LIMIT;
	g.target[FILE_R] = g.budget.target * ISA_UNITS_PER_REG;
	if (!f->first_block || (!g.all && !mir_may_exceed(cx, FILE_R, g.target[FILE_R])))
		return false;
	sched_open(&s, cx);
	mir_each_block(f, b)
		if (g.all || s.rpa->block[b.i].peak.unit[FILE_R] > g.target[FILE_R])
			sched_block(&s, b, schedule_region, &g);
	return sched_close(&s);
}

const Knob sched_knobs[] = {KNOB_nvptx_sched4reg, KNOB_misched_groups,    KNOB_usedessa, KNOB_nv_remat_default_max_reg,
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
