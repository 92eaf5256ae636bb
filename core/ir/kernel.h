/* kernel.h: what a kernel states about its launches: numbers of threads, of thread blocks and of registers.
 *
 * A property is stated by rows of !nvvm.annotations (one key for each of its numbers) or by the function attribute
 * "nvvm.KEY"="x,y,z"; where both are there, the attribute's numbers count for the properties of three. */
#ifndef PS_IR_KERNEL_H
#define PS_IR_KERNEL_H

#include "ir/ir.h"

typedef enum IrKernelProp {
	IRK_REQNTID,             /* three: threads of a block, exactly */
	IRK_MAXNTID,             /* three: at most */
	IRK_CLUSTER_DIM,         /* three: blocks of a cluster */
	IRK_MINCTASM,            /* one: blocks that are to fit an SM together */
	IRK_MAXNREG,             /* one: registers of a thread */
	IRK_MAXCLUSTERRANK,      /* one: blocks of a cluster, at most */
	IRK_BLOCKS_ARE_CLUSTERS, /* none: the launch counts clusters */
	IRK_COUNT
} IrKernelProp;

/* The property's numbers, those that are not given 1 (of three) or 0. Returns how many are, up to the last; 0: the property is
 * not stated. */
u32 ir_kernel_prop(const IrModule *m, const IrFunc *f, IrKernelProp p, u64 number[3]);
/* Of a property without numbers. */
bool ir_kernel_has(const IrModule *m, const IrFunc *f, IrKernelProp p);

#endif
