/* entry-sink: threads that leave early do not compute what they never use.
 *
 *	bb.0:                                      bb.0:
 *	  %1 = LD_param_u64 &k_param_0, 0            %3 = SETP_ge_s32rr …
 *	  %3 = SETP_ge_s32rr …               →       CBranch %3, %bb.9
 *	  CBranch %3, %bb.9                        bb.1:
 *	bb.1: …                                      %1 = LD_param_u64 &k_param_0, 0
 *
 * Selection computes in the entry block what arguments are and what follows from them. This pass is machine-sink for that
 * block alone: it runs by default, where machine-sink (the documented pass, which moves what any block computes) does not. */
#include "mirpass/mirpass.h"

static bool run(PassCx *cx) { return mirpass_sink(cx, true); }

const Pass mirpass_entry_sink = {
	.id = "entry-sink",
	.title = "Sink what threads that leave early do not use",
	.summary = "Moves loads of arguments, and instructions that depend on them, below the guard of a kernel.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_entry_sink,
	.knobs = mirpass_sink_knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
