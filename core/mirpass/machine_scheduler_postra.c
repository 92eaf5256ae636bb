/* machine-scheduler:postra: machine-scheduler again, behind register allocation and nvptx-remat-block: for what these have made. */
#include "mirpass/sched.h"

const Pass mirpass_machine_scheduler_postra = {
	.id = "machine-scheduler:postra",
	.title = "Machine Instruction Scheduler",
	.summary = "machine-scheduler again, after register allocation.",
	.group = "ra",
	.level = PASS_MIR,
	.gate = KNOB_machine_scheduler_postra,
	.gated = mirpass_full_mode,
	.knobs = sched_knobs,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_DOCUMENTED,
	.run = sched_run,
};
