/* intrinsic.h: what analyses and passes ask of a call of an intrinsic: the family of its row in intrinsics.def, and the
 * family's columns. The row and what the name says besides are found once for each global and remembered in it. */
#ifndef PS_IR_INTRINSIC_H
#define PS_IR_INTRINSIC_H

#include "ir/ir.h"

typedef enum IrFamily {
#define IR_FAMILY(id, divergence, forwards) IRFAM_##id,
#include "ir/intrinsics.def"
	IRFAM_COUNT
} IrFamily;

typedef enum IrDivergence {
	IRDIV_EFFECT,
	IRDIV_OPERANDS,
	IRDIV_SOURCE,
	IRDIV_UNIFORM,
	IRDIV_MASK_0,
	IRDIV_MASK_1,
	IRDIV_REGISTER
} IrDivergence;

typedef struct IrFamilyInfo {
	u8   divergence; /* IrDivergence */
	bool forwards;   /* the result points to what argument 0 points to */
} IrFamilyInfo;

extern const IrFamilyInfo ir_family_info[IRFAM_COUNT];

/* Of a call, direct or not; IRFAM_PLAIN of what is no intrinsic we know. */
IrFamily ir_call_family(const IrModule *m, IrRef call);
/* Is the instruction (or none) llvm.trap or its like; is it inline PTX that ends the thread? */
bool ir_is_trap(const IrModule *m, IrRef inst);
bool ir_is_exit(const IrModule *m, IrRef inst);
/* SREG: IsaSreg. ISSPACEP: the number of the space. ATOMIC: TOK_scope_*, or 0. */
u32 ir_call_detail(const IrModule *m, IrRef call);
/* Is it an intrinsic of this target, llvm.nvvm.*? */
bool ir_call_is_nvvm(const IrModule *m, IrRef call);
/* The text of the row's instruction with the alternatives that this call chooses; false: PTX has none for its constants or the
 * address spaces of its pointers. */
bool ir_intrinsic_text(const IrModule *m, IrRef call, Text *out);
/* Element i of a mask: 0 or 1 where it is constant (0 where it is undefined), else -1. */
i32 ir_mask_element(IrModule *m, IrRef mask, u32 i);
/* Is it a masked store that the target has one instruction for: of 256 bits, aligned so, to global memory, under a constant mask? */
bool ir_is_store_with_gaps(IrModule *m, IrRef call);
/* Does the name start with llvm., as those of intrinsics and of variables such as llvm.used do? */
bool ir_is_llvm_name(const IrModule *m, IrRef global);

#endif
