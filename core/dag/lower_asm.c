/* lower_asm.c: inline PTX. */
#include "dag/func.h"

void dag_lower_asm(DagFunc *f, IrRef inst) { dag_unsupported(f, inst, "inline assembly"); }
