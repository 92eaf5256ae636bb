/* lower_target.h: what the selector's files ask each other about the target. */
#ifndef PS_DAG_LOWER_TARGET_H
#define PS_DAG_LOWER_TARGET_H

#include "dag/func.h"

bool   dag_is_intrinsic(const Dag *d, DagVal v, u32 row); /* a call of this row of intrinsics.def? */
DagVal dag_pure_intrinsic(Dag *d, u32 row, DagVt vt, const DagVal *ops, u32 n);
bool   dag_divides_roughly(const DagFunc *f, u32 flags); /* an f32 division with these flags may be approximate */
bool   dag_takes_root_roughly(const DagFunc *f, u32 flags);
bool   dag_computes_roughly(const DagFunc *f, DagOp op, u32 flags); /* a function of the math library */
bool   dag_has_f16_math(const DagFunc *f);
bool   dag_has_bf16_math(const DagFunc *f);
bool   dag_has_orderings(const DagFunc *f); /* ld.acquire, st.release, fence: else .volatile and membar */
bool   dag_wants_ftz(const DagFunc *f, DagVt vt);

/* The node as an operand: constants become immediates. */
DagVal dag_operand_of(Dag *d, DagVal v);
/* The node becomes the instruction in place. */
void dag_become(DagFunc *f, u32 node, u32 desc, const DagVal *ops, u32 n, u32 pattern);

#endif
