/* lower_row.h: a row of intrinsic_lower.def, for those who lower calls by code. */
#ifndef PS_DAG_LOWER_ROW_H
#define PS_DAG_LOWER_ROW_H

#include "dag/func.h"

typedef struct DagIntrinsicRow {
	const char *name, *text;
	u32         number;
	u16         op;
	u8          kind, effects;
} DagIntrinsicRow;

static inline DagVal dag_call_arg(DagFunc *f, IrRef inst, u32 i) { return dag_value(f, ir_call_arg(f->m, inst, i)); }

/* ---- lower_lanes.c: element by element, and elements in another order */
typedef void DagLaneFn(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out);
/* The call's `n_out` results (two at most) of its first `n_args` arguments: fn on scalars, or on each lane of vectors. */
bool dag_by_lanes(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, u32 n_args, u32 n_out, DagLaneFn *fn);
bool intrinsic_overflow(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_fixed_mul(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_fixed_div(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_reverse(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_subvector(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_splice(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_interleave(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_deinterleave(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_compress(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);

/* ---- lower_generic.c: llvm.* that several operations compute */
bool intrinsic_reduce(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_compare_three_way(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_frexp(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_step_vector(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_lane_mask(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_rounding(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_load_relative(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);

#endif
