/* allocate.c: whether a function exceeds a budget, and whether it can be kept within it at all, for greedy and regallocfast. */
#include "mirpass/allocate.h"

#include "base/diag.h"
#include "mir/bound.h"
#include "mir/budget.h"

static const char *const file_name[FILE_COUNT] = {[FILE_R] = "R", [FILE_P] = "P"};

/* One instruction that no spilling helps is an error. */
static bool can_be_met(PassCx *cx, MirFunc *f, IsaFile file)
{
	MirInstId at;
	RegBudget b = mir_budget(f, file);
	u32       least = mir_budget_least(f, file, &at);
	if (least <= b.limit)
		return true;
	Str by = mir_budget_source(f, b.limit_by, cx->scratch), name = strtab_get(&cx->s->strs, f->name);
	diag_report(&cx->s->diags, DIAG_BUDGET_TOO_SMALL, src_at(mir_inst(f, at)->origin, 1), STR_ARG(name),
	            STR_ARG(mir_desc(f, at)->mnemonic), mir_block(f, (MirBlockId){mir_inst(f, at)->block})->number, least,
	            file_name[file], b.limit, STR_ARG(by));
	return false;
}

AllocateNeed allocate_need(PassCx *cx, MirFunc *f, IsaFile file)
{
	u32 units = mir_budget_units(f, file);
	if (units == MIR_NO_LIMIT || !mir_may_exceed(cx, file, units))
		return ALLOCATE_NOT;
	return can_be_met(cx, f, file) ? ALLOCATE_NEEDED : ALLOCATE_IMPOSSIBLE;
}

void allocate_say(PassCx *cx, const MirFunc *f, const Spiller *s)
{
	if (!s || !pass_wants_remarks(cx) || !(s->n_stores + s->n_reloads + s->n_again))
		return;
	RegBudget b = mir_budget(f, FILE_R);
	Str       by = mir_budget_source(f, b.limit_by, cx->scratch);
	pass_remark(cx, REMARK_ANALYSIS, 0, "for a budget of %u registers (%.*s): stores %u, reloads %u, computed again %u",
	            b.limit, STR_ARG(by), s->n_stores, s->n_reloads, s->n_again);
}
