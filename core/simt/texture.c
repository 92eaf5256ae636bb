#include "simt/machine.h"

bool tex_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	(void)f, (void)i;
	return simt_fail(m, FAULT_UNSUPPORTED, first_lane(mask), "textures");
}
