#include "mir/live.h"

/* The columns of the record: a 128-bit register counts as two of 64. */
void mir_max_pressure(MirFunc *f, Arena *scratch, Pressure *out)
{
	MirLive     live = mir_live_new(f, scratch);
	MirPressure p = mir_pressure(f, &live, scratch);
	*out = (Pressure){
		.pred = p.by_class[MIR_PRED],
		.r16 = p.by_class[MIR_B16],
		.r32 = p.by_class[MIR_B32],
		.r64 = p.by_class[MIR_B64] + 2 * p.by_class[MIR_B128],
		.f32 = p.by_class[MIR_F32],
		.f64 = p.by_class[MIR_F64],
	};
}
