/* early-tailduplication: short blocks are repeated in predecessors that jump to them, in SSA form (tail_duplicate.c). */
#include "mirpass/mirpass.h"

static bool run(PassCx *cx) { return mirpass_duplicate_tails(cx, (u32)knob_int(cx->s, KNOB_early_taildup_size)); }

static const Knob knobs[] = {KNOB_early_taildup_size, KNOB_NONE};

const Pass mirpass_early_tailduplication = {
	.id = "early-tailduplication",
	.title = "Early Tail Duplication",
	.summary = "Repeats short blocks in predecessors that jump to them.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.needs = PN_SSA,
	.gate = KNOB_enable_early_taildup,
	.disable = KNOB_disable_early_taildup,
	.knobs = knobs,
	.flags = PF_DOCUMENTED,
	.run = run,
};
