/* ir_decode.h: the decoder of IR, for from_ir.c and ir_*.c alone.
 *
 * A value of IR is one or more pieces: a scalar has one, a vector or an aggregate one for each of its
 * scalars, in order. Arguments, results and phis are pieces too. */
#ifndef PS_SIMT_IR_DECODE_H
#define PS_SIMT_IR_DECODE_H

#include "ir/intrinsic.h"
#include "sem/float.h"
#include "simt/op.h"

/* A scalar inside a type. */
typedef struct Leaf {
	IrType type;
	u32    bits;
	u64    offset; /* bytes */
} Leaf;
typedef struct Leaves {
	Leaf *p;
	u32   n;
} Leaves;

typedef struct Ird {
	SimtProgram *p;
	IrModule    *m;
	Session     *s;
	Arena       *a;
	IrFunc      *f;
	SimtEmit     e;
	Map          leaves; /* type → index in leaf_lists */
	Vec(Leaves) leaf_lists;
	Map    rows; /* value → index in row_lists: one row number for each piece */
	VecU32 row_lists;
	Map    block;        /* block → emitter's block */
	Vec(i32) ret;        /* registers of the function's results */
	u64         frame;   /* bytes of local memory so far */
	i32         varargs; /* address of the variable arguments; NO_REG: it has none */
	SimtFreedom freedom;
	u32         first_of_line;
	bool        in_function; /* not in a kernel */
	bool        failed;
} Ird;

/* Empty, for a module; its variables and functions by name. The decoder of MIR uses these too. */
void   ird_init(Ird *d, SimtProgram *p, IrModule *m);
void   ird_globals(Ird *d);
Leaves ird_leaves(Ird *d, IrType t);
/* The register of piece i; a constant becomes a row of the pool. */
i32 ird_in(Ird *d, IrRef v, u32 i);
/* The registers of a result, made on first sight. */
i32  ird_out(Ird *d, IrRef inst, u32 i);
void ird_bind(Ird *d, IrRef v, const i32 *rows, u32 n);
/* A constant scalar of at most 64 bits: an integer, float bits, an address; false: not known. */
bool   ird_scalar(Ird *d, IrRef c, u64 *out);
void   ird_unsupported(Ird *d, IrRef inst, const char *what);
u32    ird_space(const Ird *d, u32 addrspace);
void   ird_copy_to_frame(Ird *d, i32 to, u32 as, u32 at, u64 size, i32 from, u32 from_as);
u64    ird_address(Ird *d, IrRef global); /* in the global's own address space */
i32    ird_rank_terms(Ird *d, IrRef c); /* how often a block's rank is added to the constant: an address of shared memory has 1 */
void   ird_source(const Ird *d, SimtEmit *e, IrMd loc); /* of a !dbg location */
void   ird_cluster(const Ird *d, const IrFunc *f, SimtFunc *sf);
bool   ird_global_bytes(Ird *d, IrRef c, u8 *bytes, u64 size);
SemFmt ird_fmt(Ird *d, IrType t);
u32    ird_frame_bytes(Ird *d, u64 size, u64 align); /* its offset */

/* ir_ops.c */
bool ird_compute(Ird *d, IrRef inst); /* false: not one of these */
void ird_int_binary(Ird *d, u32 ir_op, u32 bits, i32 dst, i32 a, i32 b);
void ird_float_binary(Ird *d, u32 ir_op, IrType t, i32 dst, i32 a, i32 b);
i32  ird_icmp(Ird *d, IrPred p, u32 bits, i32 a, i32 b);
/* Pieces of one type as the bits of another of the same size. */
void ird_bitcast(Ird *d, const i32 *from, Leaves from_leaves, const i32 *to, Leaves to_leaves);
void ird_float_convert(Ird *d, SemFmt to, SemFmt from, i32 dst, i32 a);
/* ir_memory.c */
bool ird_memory(Ird *d, IrRef inst);
void ird_quad(Ird *d, IrRef inst); /* ir_computes_wide_float */
/* The memory that an access names. */
typedef struct IrdPlace {
	i32 ptr; /* NO_REG: the offset is the address */
	u32 ptr_bits, space;
	u64 offset;
	u32 align; /* bytes; 0 and 1: any */
	u32 order; /* ORDER_* (order.h) */
} IrdPlace;
void ird_load(Ird *d, IrType t, const i32 *rows, const IrdPlace *at);
void ird_store(Ird *d, IrType t, const i32 *rows, const IrdPlace *at);
i32  ird_pointer64(Ird *d, IrRef ptr);
/* ir_call.c */
void ird_call(Ird *d, IrRef inst);
bool ird_intrinsic(Ird *d, IrRef inst);
/* ir_varargs.c */
i32  ird_pack_varargs(Ird *d, IrRef call, u32 fixed); /* address of the buffer */
bool ird_va_intrinsic(Ird *d, IrRef inst);
void ird_va_arg(Ird *d, IrRef inst);
bool ird_matrix(Ird *d, IrRef inst, u32 what); /* ir_matrix.c */
Str  ird_nvvm_name(const Ird *d, IrRef call);  /* of what is called, behind llvm.nvvm. */
/* ir_freedom.c */
i32  ird_open_bits(Ird *d, u32 bits);     /* a constant: what poison and undef are */
void ird_open_result(Ird *d, IrRef inst); /* behind the instruction: where its result is poison, it takes these bits */
void ird_open_slot(Ird *d, const IrdPlace *slot, u64 bytes);
bool ird_fused(Ird *d, IrRef inst, u32 leaf, i32 dst); /* false: the sum stays as it is */

#endif
