/* poison.h: would the program have undefined behaviour if an instruction gave poison? poison.c */
#ifndef PS_IRPASS_POISON_H
#define PS_IRPASS_POISON_H

#include "ir/ir.h"

/* Then its flags (nsw, inbounds …) hold wherever it is executed, and another instruction may rely on them. False: unknown. */
bool poison_is_undefined(const IrModule *m, IrRef inst);

#endif
