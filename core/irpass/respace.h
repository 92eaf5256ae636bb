/* respace.h: calls of intrinsics with an address in the space that is known for it.
 *
 *   call void @llvm.nvvm.mbarrier.inval(ptr %g)     →   call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) %s)
 *   call … @llvm.nvvm.wmma….load.a….f16.p0(ptr %g)  →   call … @llvm.nvvm.wmma….load.a….f16.p1(ptr addrspace(1) %s) */
#ifndef PS_IRPASS_RESPACE_H
#define PS_IRPASS_RESPACE_H

#include "ir/ir.h"

typedef struct Respace Respace;

/* The row for what is called; NULL: none, or no direct call, or one with operand bundles. */
const Respace *respace_of(const IrModule *m, IrRef call);
/* Is argument i an address that may be given in a space? */
bool respace_takes_address(const Respace *r, u32 i);
/* Is there a form for an address in `space`? */
bool respace_has_form(const Respace *r, u32 space);
bool respace_is_volatile(const Respace *r, const IrModule *m, IrRef call);
bool respace_is_matrix(const Respace *r);
/* The call with these arguments, some of them addresses in spaces that have a form, in place of `call`. */
IrRef respace_call(IrModule *m, Arena *scratch, IrRef call, const IrRef *args);

#endif
