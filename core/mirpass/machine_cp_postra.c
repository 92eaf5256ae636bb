/* machine-cp:postra: readers of a move read its source, once registers are allocated (machine_cp.c). */
#include "mirpass/mirpass.h"

const Pass mirpass_machine_cp_postra = {
	.id = "machine-cp:postra",
	.title = "Machine Copy Propagation Pass (post-RA)",
	.summary = "Propagates moves to their uses and deletes moves that are no longer used, after register allocation.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.disable = KNOB_disable_copyprop,
	.keeps = AN_MIR_CONTROL,
	.run = mirpass_propagate_copies,
};
