#include "simt/machine.h"

bool mma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	(void)f, (void)i;
	return simt_fail(m, FAULT_UNSUPPORTED, first_lane(mask), "matrix instructions");
}
