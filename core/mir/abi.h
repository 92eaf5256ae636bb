/* abi.h: how arguments and results lie in .param space (the CUDA calling convention for PTX).
 *
 * Integers up to 64 bits, pointers, float and double are scalars: `.param .b32 name`, integers of device
 * functions widened to 32 bits. Everything else, half and 128-bit integers included, is an array of bytes:
 * `.param .align 16 .b8 name[12]`. A function nobody outside can call and whose address is not taken has
 * its arrays aligned to 16, so that they are read and written as vectors. */
#ifndef PS_ABI_H
#define PS_ABI_H

#include "ir/ir.h"

typedef struct MirParam {
	u64    size;  /* bytes: an array's length, a scalar's store size as declared */
	u32    align; /* bytes */
	u32    bits;  /* scalar as declared: 8 … 64; 0 = array */
	IrType type;  /* of the value: of what byval points to, for byval */
	bool   byval;
	bool   is_void; /* of a result: there is none */
} MirParam;

MirParam mir_abi_param(const IrModule *m, const IrFunc *f, u32 arg);
MirParam mir_abi_ret(const IrModule *m, const IrFunc *f);
/* Of a call: of its callee where that is known, else by the function type and the call's attributes.
 * Arguments past the fixed ones of a variadic function are not passed this way. */
MirParam mir_abi_call_param(const IrModule *m, IrRef call, u32 arg);
MirParam mir_abi_call_ret(const IrModule *m, IrRef call);
/* The text after .callprototype for an indirect call: `(.param .b32 _) _ (.param .b64 _)`, `()_ ()`. */
void mir_abi_prototype(Text *out, const IrModule *m, IrRef call);

#endif
