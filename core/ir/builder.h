/* builder.h: creates, moves, clones and removes instructions and blocks. Every function keeps use lists, names and debug
 * records consistent; cached analyses are invalidated by the pass manager (Pass.keeps). */
#ifndef PS_IR_BUILDER_H
#define PS_IR_BUILDER_H

#include "ir/ir.h"

/* ---- editing: build.c */

/* A detached instruction of n empty operands. */
IrRef ir_inst_new(IrModule *m, IrOp op, IrType type, u32 n_ops);
void  ir_insert_before(IrModule *m, IrRef inst, IrRef before);
void  ir_insert_after(IrModule *m, IrRef inst, IrRef after);
void  ir_insert_end(IrModule *m, IrRef inst, IrRef block);
void  ir_unlink(IrModule *m, IrRef inst); /* keeps operands and uses; debug records go to the next one */
void  ir_move_before(IrModule *m, IrRef inst, IrRef before);
void  ir_move_end(IrModule *m, IrRef inst, IrRef block);
void  ir_remove(IrModule *m, IrRef inst);     /* remaining uses become poison */
IrRef ir_inst_clone(IrModule *m, IrRef inst); /* detached, unnamed, same operands */
/* `to` takes origin, debug location and name (where it has none) of `from`. */
void  ir_take_place(IrModule *m, IrRef to, IrRef from);
IrRef ir_block_new(IrModule *m, IrFunc *f, Str name);             /* at the end */
void  ir_block_move_after(IrModule *m, IrRef block, IrRef after); /* after none: to the front */
void  ir_block_remove(IrModule *m, IrRef block);                  /* with its instructions; phis of successors forget it */
IrRef ir_split_block(IrModule *m, IrRef before, Str name);        /* from `before` on; falls into it by a br */
void  ir_block_join(IrModule *m, IrRef block,
                    IrRef next); /* `next`, without phis, which `block` alone leads to, and nothing else */
IrRef ir_split_edge(IrModule *m, IrRef pred, u32 succ_index, Str name); /* block on the edge */
void  ir_set_succ(IrModule *m, IrRef block, u32 i, IrRef to);           /* phis are not touched */
void  ir_phi_add(IrModule *m, IrRef phi, IrRef value, IrRef pred);
void  ir_phi_remove(IrModule *m, IrRef phi, u32 i);
void  ir_phis_forget(IrModule *m, IrRef block, IrRef pred);     /* one entry for pred out of every phi */
void  ir_phis_forget_all(IrModule *m, IrRef block, IrRef pred); /* every entry for pred */
void  ir_phis_retarget(IrModule *m, IrRef block, IrRef old_pred, IrRef new_pred);

/* ---- building: builder.c */

/* An insertion point. Each instruction created there gets its origin and debug location. */
typedef struct IrBuilder {
	IrModule *m;
	IrRef     block, before; /* before none: at the block's end */
	u32       origin;
	IrMd      dbg;
	u32       flags; /* or'ed into arithmetic it makes (fast-math flags) */
} IrBuilder;

IrBuilder ir_build_before(IrModule *m, IrRef inst); /* with inst's origin and dbg */
IrBuilder ir_build_end(IrModule *m, IrRef block);
IrRef     ir_b_insert(IrBuilder *b, IrRef inst);
IrRef     ir_b_bin(IrBuilder *b, IrOp op, IrRef x, IrRef y, u32 flags);
IrRef     ir_b_unary(IrBuilder *b, IrOp op, IrRef x); /* fneg, freeze */
IrRef     ir_b_cast(IrBuilder *b, IrOp op, IrRef x, IrType t);
IrRef     ir_b_cmp(IrBuilder *b, IrPred pred, IrRef x, IrRef y); /* icmp or fcmp by the predicate */
IrRef     ir_b_select(IrBuilder *b, IrRef c, IrRef x, IrRef y);
IrRef     ir_b_load(IrBuilder *b, IrType t, IrRef ptr, u32 align_bytes);
IrRef     ir_b_store(IrBuilder *b, IrRef v, IrRef ptr, u32 align_bytes);
IrRef     ir_b_gep(IrBuilder *b, IrType source, IrRef base, const IrRef *index, u32 n, u32 flags);
IrRef     ir_b_gep_bytes(IrBuilder *b, IrRef base, i64 offset, u32 flags); /* base itself for offset 0 */
IrRef     ir_b_alloca(IrBuilder *b, IrType t, u32 addrspace, u32 align_bytes);
IrRef     ir_b_call(IrBuilder *b, IrType fn_type, IrRef callee, const IrRef *args, u32 n);
IrRef     ir_b_intrinsic(IrBuilder *b, Str name, IrType ret, const IrRef *args, u32 n); /* declared where needed */
IrRef     ir_b_br(IrBuilder *b, IrRef to);
IrRef     ir_b_cond_br(IrBuilder *b, IrRef c, IrRef yes, IrRef no);
IrRef     ir_b_ret(IrBuilder *b, IrRef v); /* none: ret void */
IrRef     ir_b_unreachable(IrBuilder *b);
IrRef     ir_b_phi(IrBuilder *b, IrType t); /* before the block's first non-phi */
IrRef     ir_b_extract_value(IrBuilder *b, IrRef agg, u32 i);
IrRef     ir_b_insert_value(IrBuilder *b, IrRef agg, IrRef v, u32 i);
IrRef     ir_b_extract_element(IrBuilder *b, IrRef vec, IrRef i);
IrRef     ir_b_insert_element(IrBuilder *b, IrRef vec, IrRef v, IrRef i);
IrRef     ir_b_shuffle(IrBuilder *b, IrRef x, IrRef y, const i32 *mask, u32 n); /* -1: poison */

void ir_call_align_argument(IrModule *m, IrRef call, u32 arg, u64 bytes);
/* Gives the pointers of a call, and vectors of pointers, the alignment in bytes; 0 is that of their elements' type. */
void ir_call_align_pointers(IrModule *m, IrRef call, u64 bytes);

/* ---- cloning: clone.c */

/* Clones. `map` takes IrRef.i → IrRef.i of arguments (given by the caller), blocks and instructions. */
void    ir_clone_blocks(IrModule *m, const IrRef *blocks, u32 n, IrFunc *into, Map *map, Str suffix);
IrFunc *ir_func_clone(IrModule *m, IrFunc *f, Str name);
void    ir_func_drop_body(IrModule *m, IrFunc *f); /* becomes a declaration */
void    ir_func_drop_personality(IrModule *m, IrFunc *f);

#endif
