#include "mir/live.h"

void mir_max_pressure(MirFunc *f, Arena *scratch, Pressure *out)
{
	MirLive     live = mir_live_new(f, scratch);
	MirPressure p = mir_pressure(f, &live, scratch);
	*out = (Pressure){0};
	for (u32 rc = 1; rc < RC_COUNT; rc++)
		out->column[isa_class_info[rc].column] += isa_class_info[rc].weight * p.by_class[rc];
}
