/* link.h: takes into a module what it needs of libraries. */
#ifndef PS_IR_LINK_H
#define PS_IR_LINK_H

#include "ir/ir.h"

typedef struct IrLibrary {
	Str       name;   /* for messages */
	IrModule *m;      /* of the same session; its bodies may be deferred */
	bool      broken; /* a deferred body has errors: reading all of the library reports them */
} IrLibrary;

/* For each declaration that `to` uses, takes the definition out of the first library that has one, and what that needs in turn,
 * from any library. What was taken is internal to `to` and has IRGF_LINKED, except for kernels and for variables that the host
 * may set. False: errors were reported. */
bool ir_link(IrModule *to, Str to_name, IrLibrary *libs, u32 n);

#endif
