/* kernel.h: what a kernel states about its launches: numbers of threads, of thread blocks and of registers.
 *
 * A property is stated by the function attribute "nvvm.KEY"="x,y,z". The reader makes attributes of the rows of !nvvm.annotations
 * that say the same in older IR (upgrade_notes.c). */
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
/* "64,2" gives 64 and 2, at most `n` numbers; returns how many. */
u32 ir_kernel_numbers(Str text, u64 *number, u32 n);

/* A by-value parameter of a kernel with this attribute is not written, so its address may be that of parameter memory. */
#define IR_GRID_CONSTANT "nvvm.grid_constant"

/* Of a property without numbers. */
bool ir_kernel_has(const IrModule *m, const IrFunc *f, IrKernelProp p);

#endif
