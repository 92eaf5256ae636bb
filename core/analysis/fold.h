/* fold.h: what an instruction is known to be without executing it. Evaluates through sem/. */
#ifndef PS_ANALYSIS_FOLD_H
#define PS_ANALYSIS_FOLD_H

#include "ir/ir.h"

/* A constant or a value that is there already and equals `inst`; none where there is none. Never a value
 * that is more defined or less defined in a way the program could see: poison stays poison or becomes a
 * fixed value, a fixed value stays. */
IrRef ir_fold(IrModule *m, IrRef inst);

#endif
