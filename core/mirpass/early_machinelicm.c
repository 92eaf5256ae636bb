/* early-machinelicm: what is the same in each iteration is computed in front of the loop, in SSA form (licm.c). */
#include "mirpass/mirpass.h"

const Pass mirpass_early_machinelicm = {
	.id = "early-machinelicm",
	.title = "Early Machine Loop Invariant Code Motion",
	.summary = "Computes in front of a loop what is the same in each iteration",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_mlicm,
	.disable = KNOB_disable_machine_licm,
	.knobs = mirpass_hoist_knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_DOCUMENTED,
	.run = mirpass_hoist,
};
