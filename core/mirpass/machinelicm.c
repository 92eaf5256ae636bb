/* machinelicm: reloads, moves and whatever else is the same in each iteration leave the loop, once registers are allocated
 * (licm.c). */
#include "mirpass/mirpass.h"

const Pass mirpass_machinelicm = {
	.id = "machinelicm",
	.title = "Machine Loop Invariant Code Motion",
	.summary = "Moves loop-invariant reloads and moves out of loops",
	.group = "post-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_postra_mlicm,
	.disable = KNOB_disable_postra_machine_licm,
	.knobs = mirpass_hoist_knobs,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_DOCUMENTED,
	.run = mirpass_hoist,
};
