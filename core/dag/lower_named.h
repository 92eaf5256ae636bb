/* lower_named.h: intrinsics whose names spell the instruction, slot by slot. */
#ifndef PS_DAG_LOWER_NAMED_H
#define PS_DAG_LOWER_NAMED_H

#include "dag/func.h"
#include "isa/words.h"

/* The name of what is called, behind llvm.nvvm. */
static inline Str dag_nvvm_name(DagFunc *f, IrRef call)
{
	Str name = dag_intrinsic_name(f, call);
	u32 n = (u32)strlen("llvm.nvvm.");
	return (Str){name.p + n, name.n - n};
}

typedef enum DagEffect { DAG_PURE, DAG_MEMORY, DAG_TOGETHER /* convergent, no memory */ } DagEffect;

/* Makes the machine node and the call's values; operands are in the order of the opcode's. */
void dag_named_instruction(DagFunc *f, IrRef inst, PtxOpc o, const DagVal *ops, u32 n, DagEffect effect);

#endif
