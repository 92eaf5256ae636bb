/* lower_row.h: the lowering column of ir/intrinsics.def, for selection and for the emulator. */
#ifndef PS_DAG_LOWER_ROW_H
#define PS_DAG_LOWER_ROW_H

#include "base/packed.h"
#include "dag/func.h"

typedef enum DagRowKind {
	DAG_ROW_NONE,
	DAG_ROW_NODE,
	DAG_ROW_INSN,
	DAG_ROW_FORM,
	DAG_ROW_LIBM,
	DAG_ROW_CODE,
	DAG_ROW_NOTHING
} DagRowKind;

typedef enum DagFunction {
#define IR_FUNCTION(id) FUNC_##id,
#include "ir/intrinsics.def"
	FUNC_COUNT
} DagFunction;

/* Numbers of rows, as ir_intrinsic_of gives them; those that code asks for have names. */
enum {
	DAG_ROW_UNKNOWN,
#define ROW_NAME_NODE(op)                                                    PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_INSN(text)                                                  PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_INSN_ID(id, text)                                           DAG_ROW_##id,
#define ROW_NAME_FORM(text)                                                  PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_FORM_FROM(sm, ptx, text)                                    PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_LIBM(name, node, how, factor)                               PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_CODE(function, what)                                        PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_VP(kind, op)                                                PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_NOTHING                                                     PACKED_JOIN(dag_row_, __LINE__),
#define ROW_NAME_NONE                                                        PACKED_JOIN(dag_row_, __LINE__),
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) ROW_NAME_##lowering
#include "ir/intrinsics.def"
};

/* `what` of rows with code, beside operations and registers */
enum { FIX_SIGNED = 1, FIX_SATURATES = 2, CLUSTER_SHARED = 0x8000 };
enum { REDUCE_POPC, REDUCE_AND, REDUCE_OR };

typedef struct DagIntrinsicRow {
	const char *text; /* of an instruction */
	u32         number;
	u16         op;       /* of a node; of code: what */
	u8          kind;     /* DagRowKind */
	u8          function; /* of code */
	u8          sm, ptx;  /* of a form: what LLVM needs beyond its instruction */
} DagIntrinsicRow;

/* Of an instruction that ir_computes_wide_float: FNEG, FABS or FCOPYSIGN where it changes the sign of an fp128; DAG_DELETED: it computes
 * something else. */
u32             dag_quad_sign(const IrModule *m, IrRef inst);
DagIntrinsicRow dag_intrinsic_at(u32 number); /* as ir_intrinsic_of gives it; 0: DAG_ROW_NONE */

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
bool intrinsic_constant(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_set_rounding(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);
bool intrinsic_load_relative(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);

/* ---- lower_intrinsic.c: instructions of intrinsics */
/* prmt of numbers is a number. */
bool dag_known_prmt(DagFunc *f, u32 desc, const DagVal *ops, u64 *r);
/* add.rz.f32 of an f32 and a half that is extended ─▶ add.rz.f32.f16, which extends it; sub and fma likewise. Returns the
 * instruction; the operands change where it is another one. */
u32 dag_mixed_form(DagFunc *f, u32 desc, DagVal *ops);

/* ---- lower_form.c: an instruction whose text has alternatives */
void dag_lower_form(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);

/* ---- lower_matrix.c, lower_image.c: the name spells the instruction */
bool intrinsic_matrix(DagFunc *f, IrRef inst, const DagIntrinsicRow *row); /* wmma, mma, ldmatrix */
bool intrinsic_image(DagFunc *f, IrRef inst, const DagIntrinsicRow *row);  /* tex, tld4, suld, sust, txq, suq */

#endif
