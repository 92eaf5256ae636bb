/* machine-cp:postra: readers of a move read its source, once registers are allocated (machine_cp.c). In the documented pipeline
 * only: ptxas does the same, so of 68 kernels 5 have other PTX and none other SASS, and moves that keep a value from being lost
 * are harder to see. */
#include "mirpass/mirpass.h"

static bool is_documented(const Session *s) { return knob_int(s, KNOB_pipeline) != 0; }

const Pass mirpass_machine_cp_postra = {
	.id = "machine-cp:postra",
	.title = "Machine Copy Propagation Pass (post-RA)",
	.summary = "Propagates moves to their uses and deletes moves that are no longer used, after register allocation.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.disable = KNOB_disable_copyprop,
	.gated = is_documented,
	.keeps = AN_MIR_CONTROL,
	.run = mirpass_propagate_copies,
};
