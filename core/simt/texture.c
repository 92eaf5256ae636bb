#include "simt/machine.h"
#include "simt/op.h"

bool tex_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	(void)f, (void)i;
	return simt_fail(m, FAULT_UNSUPPORTED, first_lane(mask), "textures");
}

bool simt_op_image(OpCx *c)
{
	(void)c;
	return false;
}
