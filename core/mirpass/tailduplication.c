/* tailduplication: short blocks are repeated in predecessors that jump to them, once registers are allocated and branch-folder
 * has found the blocks that remain (tail_duplicate.c). */
#include "mirpass/mirpass.h"

static bool run(PassCx *cx) { return mirpass_duplicate_tails(cx, (u32)knob_int(cx->s, KNOB_tail_dup_size)); }

static const Knob knobs[] = {KNOB_tail_dup_size, KNOB_NONE};

const Pass mirpass_tailduplication = {
	.id = "tailduplication",
	.title = "Tail Duplication",
	.summary = "Repeats short blocks in predecessors that jump to them, after register allocation.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.gate = KNOB_enable_tail_duplicate,
	.disable = KNOB_disable_tail_duplicate,
	.knobs = knobs,
	.flags = PF_DOCUMENTED,
	.run = run,
};
