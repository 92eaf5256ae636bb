/* lower_named.h: intrinsics whose names spell the instruction, slot by slot. Each function is given the name behind
 * `llvm.nvvm.` and returns false where it is not one of its family. */
#ifndef PS_DAG_LOWER_NAMED_H
#define PS_DAG_LOWER_NAMED_H

#include "dag/func.h"
#include "isa/words.h"

bool dag_lower_matrix(DagFunc *f, IrRef inst, Str name); /* wmma, mma, ldmatrix */
bool dag_lower_image(DagFunc *f, IrRef inst, Str name);  /* tex, tld4, suld, sust, txq, suq */

typedef enum DagEffect { DAG_PURE, DAG_MEMORY, DAG_TOGETHER /* convergent, no memory */ } DagEffect;

/* Makes the machine node and the call's values; operands are in the order of the opcode's. */
void dag_named_instruction(DagFunc *f, IrRef inst, PtxOpc o, const DagVal *ops, u32 n, DagEffect effect);

#endif
