/* ir.h: LLVM IR in memory.
 *
 * An IrModule owns pages of records; everything refers to everything by 32-bit ids, so a snapshot
 * is a copy of pages and 32- and 64-bit hosts agree. A value is an IrRef: its top four bits are its
 * kind (instruction, argument, block, constant, global, inline asm, metadata), the
 * other 28 its index. Types and constants are interned: equal ones have equal ids.
 *
 * Operands are use records in pages; every value has a linked list of its uses. All editing goes
 * through functions, which keep the use lists, names and debug records consistent.
 *
 * Operand order (ir_op(m, inst, i)):
 *   br           [dest] or [cond, true, false]      switch     [cond, default, (value, block)*]
 *   ret          [] or [value]                      indirectbr [address, block*]
 *   phi          (value, block)*                    select     [cond, true, false]
 *   load         [ptr]                              store      [value, ptr]
 *   gep          [base, index*], source type in .elem
 *   cmpxchg      [ptr, expected, new]               atomicrmw  [ptr, value], operation in .sub
 *   alloca       [count], allocated type in .elem
 *   call         [callee, argument*, bundle operand*]; invoke: + [normal, unwind];
 *                callbr: + [fallthrough, indirect*]; function type and the rest in IrCall
 *   extractvalue [agg], insertvalue [agg, value], shufflevector [a, b]: indices / mask in .aux
 *
 *   record.h    the records, how they are reached and iterated over
 *   ir.h        this file: types, constants, attributes, values, globals, control flow, metadata
 *   builder.h   creating, moving, cloning and removing instructions and blocks
 *   text.h      reading, verifying, printing and hashing whole modules and functions */
#ifndef PS_IR_H
#define PS_IR_H

#include "ir/record.h"

/* ---- types: ir/type.c ------------------------------------------------------------------- */

IrType ir_int_type(IrModule *m, u32 bits);
IrType ir_ptr_type(IrModule *m, u32 addrspace);
IrType ir_array_type(IrModule *m, IrType elem, u64 n);
IrType ir_vector_type(IrModule *m, IrType elem, u32 n);
IrType ir_scalable_type(IrModule *m, IrType elem, u32 n);     /* <vscale x n x elem> */
IrType ir_vector_like(IrModule *m, IrType like, IrType elem); /* as many elements as the vector `like` has */
IrType ir_struct_type(IrModule *m, const IrType *elems, u32 n, bool packed);
IrType ir_func_type(IrModule *m, IrType ret, const IrType *params, u32 n, bool vararg);
/* Types of targets: target_type.c. */
enum {
	IRTT_ZERO = 1,    /* has a zeroinitializer */
	IRTT_GLOBAL = 2,  /* is in variables */
	IRTT_LOCAL = 4,   /* is in allocas and in arguments passed by value */
	IRTT_ELEMENT = 8, /* is the element of a vector */
	IRTT_TOKEN = 16,  /* only intrinsics take and return it */
};
typedef enum IrTargetLike { /* what it is like in memory */
	                    IRTT_LIKE_NOTHING,
	                    IRTT_LIKE_POINTER,
	                    IRTT_LIKE_4_BYTES,
	                    IRTT_LIKE_16_BYTES,
	                    IRTT_LIKE_BYTES,   /* as many as its integer says */
	                    IRTT_LIKE_SIZED,   /* by its integers: what, bytes, bits of their alignment; 0 bytes: a pointer */
	                    IRTT_LIKE_COUNTER, /* <vscale x 16 x i1> */
	                    IRTT_LIKE_TUPLE,   /* as many scalable vectors as its integer says */
} IrTargetLike;
IrTargetLike ir_target_type_like(const IrModule *m, const IrTypeRec *r);
u32          ir_target_type_may(const IrModule *m, IrType t);    /* IRTT_*; of other types 0 */
bool         ir_type_may(const IrModule *m, IrType t, u32 what); /* all types of targets that it has inside may */
bool         ir_target_type_is_token(const IrModule *m, IrType t);
/* token, or a type of a target that is like it */
static inline bool ir_type_is_token(const IrModule *m, IrType t)
{
	return t.i == IR_TY_TOKEN || (m->has_targets && ir_target_type_is_token(m, t));
}
bool   ir_target_type_fits(Str name, u32 types, u32 ints); /* does it take so many types and integers? */
IrType ir_target_type(IrModule *m, StrId name, const IrType *types, u32 n_types, const u32 *ints, u32 n_ints);
IrType ir_named_struct(IrModule *m, StrId name, u32 number); /* opaque until its body is set */
void   ir_struct_set_body(IrModule *m, IrType t, const IrType *elems, u32 n, bool packed);

static inline IrTypeKind ir_type_kind(const IrModule *m, IrType t) { return (IrTypeKind)ir_type(m, t)->kind; }
static inline bool       ir_type_is_int(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_INT; }
static inline bool       ir_type_is_ptr(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_PTR; }
static inline bool       ir_type_is_vector(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_VECTOR; }
/* A vector whose length is a multiple of `count` that only the machine knows. */
static inline bool ir_type_is_scalable_vector(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	return r->kind == IRT_VECTOR && r->bits;
}
/* Equal where two vectors have equally many elements on every machine; 0: no vector. */
#define IR_SCALABLE_LANES ((u64)1 << 32)
static inline u64 ir_lanes(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	return r->kind != IRT_VECTOR ? 0 : r->bits ? r->count | IR_SCALABLE_LANES : r->count;
}
static inline bool ir_type_is_fp(const IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	return k >= IRT_HALF && k <= IRT_PPC_FP128;
}
static inline bool ir_type_is_aggregate(const IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	return k == IRT_STRUCT || k == IRT_ARRAY;
}
bool ir_type_is_first_class(const IrModule *m, IrType t);
bool ir_type_holds_ptr(const IrModule *m, IrType t); /* it is one, or has one inside */
/* Field, element, parameter `i` (function: 0 = result, then params). */
static inline IrType ir_type_elem(const IrModule *m, IrType t, u32 i)
{
	const IrTypeRec *r = ir_type(m, t);
	if (r->kind == IRT_ARRAY || r->kind == IRT_VECTOR)
		i = 0;
	return i < r->n_elems ? (IrType){m->type_lists.p[r->elems + i]} : (IrType){0};
}
u64                  ir_type_count(const IrModule *m, IrType t); /* fields, elements; of a scalable vector: for each vscale */
static inline IrType ir_scalar_type(const IrModule *m, IrType t) /* a vector's element, else t */
{
	return ir_type_is_vector(m, t) ? ir_type_elem(m, t, 0) : t;
}
static inline IrType ir_func_ret(const IrModule *m, IrType t) { return ir_type_elem(m, t, 0); }
static inline u32    ir_func_params(const IrModule *m, IrType t) { return ir_type(m, t)->n_elems - 1; }
static inline IrType ir_func_param(const IrModule *m, IrType t, u32 i) { return ir_type_elem(m, t, i + 1); }

/* ---- data layout: ir/layout.c ------------------------------------------------------------ */

bool ir_layout_parse(IrLayout *l, Str text); /* false where it is malformed; l is usable anyway */
/* What LLVM 22 makes of a layout that an older one wrote into bitcode: layout_older.c. */
Str ir_layout_upgraded(Arena *a, Str layout, Str triple);
/* The address space to which the text gives this name; false: none. */
bool ir_layout_space_named(Str text, Str name, u32 *space);
void ir_layout_default(IrLayout *l, const Target *t);
/* Nobody knows the size of a type that has a scalable vector inside: the sizes are IR_SIZE_UNKNOWN bits then, more than any object
 * has. Who computes with sizes asks ir_type_is_scalable first, or takes what is that large for unknown. */
#define IR_SIZE_UNKNOWN ((u64)1 << 60)
bool ir_type_is_scalable(const IrModule *m, IrType t);
bool ir_size_is_same(const IrModule *m, IrType a, IrType b); /* as many bits, on every machine */
u64  ir_size_bits(const IrModule *m, IrType t);              /* without padding; i1: 1 */
u64  ir_store_size(const IrModule *m, IrType t);             /* bytes a store writes */
u64  ir_alloc_size(const IrModule *m, IrType t);             /* bytes from one array element to the next */
u32  ir_abi_align(const IrModule *m, IrType t);              /* bytes */
u32  ir_pref_align(const IrModule *m, IrType t);
bool ir_type_is_sized(const IrModule *m, IrType t);
/* The alignment to print for an instruction, in bytes; 0: none. If the instruction has no explicit alignment, this is the
 * default one where the module has a data layout (LLVM prints it then), else 0. */
u64 ir_stated_align(const IrModule *m, IrRef inst);
u64 ir_struct_offset(const IrModule *m, IrType t, u32 field);
u32 ir_ptr_bits(const IrModule *m, u32 addrspace);
u32 ir_index_bits(const IrModule *m, u32 addrspace);
/* What operand k of a gep (instruction or constant expression) adds to the address: `bytes` where the index is a constant, and
 * none then; else index * bytes. `t` is the type that the operands before k lead to; k goes from 1 up. */
typedef struct IrGepTerm {
	IrRef index;
	i64   bytes;
} IrGepTerm;
IrGepTerm ir_gep_term(IrModule *m, IrRef gep, u32 k, IrType *t);
u32       ir_gep_n_ops(const IrModule *m, IrRef gep);
/* Byte offset of a gep whose indices are constants, and no vectors. */
bool ir_gep_offset(const IrModule *m, IrRef gep, i64 *offset);

/* Steps of a walk from a value to its operands at the most: in code that is not reached a value may be computed from itself. */
enum { IR_MOST_STEPS = 4096 };

/* The alloca whose address a pointer is, behind casts and geps with indices of 0; none: it is no alloca's. */
IrRef ir_alloca_of(const IrModule *m, IrRef p);

/* Alignment fields hold log2 + 1. */
static inline u32 ir_align_bytes(u8 align) { return align ? 1u << PS_MIN(align - 1u, 31u) : 0; } /* of 2^32, the largest, half */
static inline u64 ir_align_stated(u8 align) { return align ? (u64)1 << (align - 1) : 0; }
static inline u8  ir_align_of(u64 bytes) { return bytes ? (u8)(u64_log2(bytes) + 1) : 0; }

/* ---- constants: ir/const.c --------------------------------------------------------------- */

IrRef ir_const_int(IrModule *m, IrType t, u64 bits); /* truncated to the width; zero-extended past 64 */
IrRef ir_const_sint(IrModule *m, IrType t, i64 v);
IrRef ir_const_words(IrModule *m, IrType t, const u64 *words, u32 n); /* little-endian words */
IrRef ir_const_fp(IrModule *m, IrType t, u64 bits);                   /* bit pattern of half … double */
IrRef ir_const_fp_words(IrModule *m, IrType t, const u64 *words, u32 n);
IrRef ir_const_zero(IrModule *m, IrType t); /* 0, 0.0, null, zeroinitializer */
IrRef ir_const_undef(IrModule *m, IrType t);
IrRef ir_const_poison(IrModule *m, IrType t);
IrRef ir_const_token(IrModule *m);
IrRef ir_const_agg(IrModule *m, IrType t, const IrRef *elems, u32 n);
IrRef ir_const_data(IrModule *m, IrType t, Str bytes);
IrRef ir_const_splat(IrModule *m, IrType vector, IrRef elem);
/* An expression that is no gep; not folded. */
IrRef ir_const_expr(IrModule *m, u32 op, IrType t, u32 sub, u32 flags, const IrRef *ops, u32 n);
/* `elem`: source type; `range`: inrange(…), or none. */
IrRef ir_const_gep(IrModule *m, IrType t, IrType elem, u32 flags, StrId range, const IrRef *ops, u32 n);
IrRef ir_const_block_address(IrModule *m, IrRef func, IrRef block);
IrRef ir_const_of_global(IrModule *m, IrConstKind kind, IrRef global); /* dso_local_equivalent, no_cfi */
/* ptrauth (…), which means the pointer itself here; else what is wrong. */
const char *ir_const_signed(IrModule *m, const IrRef *ops, u32 n, IrRef *out);
IrRef       ir_const_cast(IrModule *m, u32 op, IrRef v, IrType t); /* an expression, or v where nothing changes */

bool ir_is_const(const IrModule *m, IrRef r); /* a constant or a global */
/* Integer (or boolean) constant of at most 64 bits? Its bits, zero-extended. */
bool ir_as_int(const IrModule *m, IrRef r, u64 *bits);
bool ir_as_sint(const IrModule *m, IrRef r, i64 *v);
bool ir_as_fp(const IrModule *m, IrRef r, u64 *bits);
bool ir_is_zero(const IrModule *m, IrRef r);                         /* +0, null, all zero */
bool ir_is_undef(const IrModule *m, IrRef r);                        /* undef or poison */
u32  ir_const_word(const IrModule *m, IrRef r, u64 *words, u32 cap); /* words of IRC_INT, IRC_FP; returns how many */
/* Element of an aggregate or vector constant of any kind; none where it is no such constant. */
IrRef ir_const_elem(IrModule *m, IrRef r, u32 i);
IrRef ir_splat_value(IrModule *m, IrRef r); /* all elements equal? that element, else none */

/* ---- attributes: ir/attr.c --------------------------------------------------------------- */

IrAttrs            ir_attrs_make(IrModule *m, const IrAttr *attrs, u32 n); /* sorts; the last of equal kinds wins */
IrAttrs            ir_attrs_with(IrModule *m, IrAttrs set, IrAttr a);
IrAttrs            ir_attrs_without(IrModule *m, IrAttrs set, IrAttrKind kind);
IrAttrs            ir_attrs_without_key(IrModule *m, IrAttrs set, const char *key);
IrAttrs            ir_attrs_union(IrModule *m, IrAttrs a, IrAttrs b);              /* b wins */
const IrAttr      *ir_attrs_find(const IrModule *m, IrAttrs set, IrAttrKind kind); /* NULL: absent */
const IrAttr      *ir_attrs_find_key(const IrModule *m, IrAttrs set, const char *key);
u32                ir_attrs_count(const IrModule *m, IrAttrs set);
const IrAttr      *ir_attrs_at(const IrModule *m, IrAttrs set, u32 i);
static inline bool ir_attrs_has(const IrModule *m, IrAttrs set, IrAttrKind kind)
{
	return set.i && ir_attrs_find(m, set, kind) != NULL;
}
/* Value of the string attribute, or the empty Str. */
Str                ir_fn_attr(const IrModule *m, const IrFunc *f, const char *key);
static inline bool ir_fn_has(const IrModule *m, const IrFunc *f, IrAttrKind k) { return ir_attrs_has(m, f->fn, k); }
const IrAttr      *ir_param_attr(const IrModule *m, const IrFunc *f, u32 arg, IrAttrKind kind);
IrType             ir_param_byval(const IrModule *m, const IrFunc *f, u32 arg); /* none: not byval */
u32                ir_param_align(const IrModule *m, const IrFunc *f, u32 arg); /* bytes; 0: not given */
/* An attribute of a call: the call site's own or, for function attributes, else the callee's. */
const IrAttr *ir_call_fn_attr(const IrModule *m, IrRef call, IrAttrKind kind);
const IrAttr *ir_call_param_attr(const IrModule *m, IrRef call, u32 arg, IrAttrKind kind);
const IrAttr *ir_call_ret_attr(const IrModule *m, IrRef call, IrAttrKind kind);
IrAttrs       ir_call_param_attrs(const IrModule *m, IrRef call, u32 arg);
/* "key"="text", or "key" where the text is empty. */
IrAttr ir_attr_string(IrModule *m, const char *key, Str text);
/* captures(none), which LLVM before 21 writes as nocapture. `a` may be NULL. */
IrAttr ir_attr_captures_none(IrModule *m);
/* captures(…) of bits: 1 is null or not, 3 address, 4 read provenance, 12 provenance; in the result, and in all else. */
IrAttr ir_attr_captures(IrModule *m, u32 ret, u32 other);
bool   ir_attr_is_captures_none(const IrModule *m, const IrAttr *a);
u32    ir_fn_memory(const IrModule *m, const IrFunc *f); /* IRM_* bits */
u32    ir_call_memory(const IrModule *m, IrRef call);
/* The reader turns !nvvm.annotations that name kernels into the calling convention. */
static inline bool ir_is_kernel(const IrFunc *f) { return f->cc == IRCC_PTX_KERNEL || f->cc == IRCC_SPIR_KERNEL; }
/* Has the function local linkage, and is every use of it a direct call? Then all call sites are known, and parameters in
 * memory have at least the alignment IR_PRIVATE_PARAM_ALIGN. */
bool ir_all_callers_seen(const IrModule *m, const IrFunc *f);
enum { IR_PRIVATE_PARAM_ALIGN = 16 };
/* Number `nth` (0, 1, …) under `key` in the rows of !nvvm.annotations that name `global`; false: there is none. */
bool                  ir_annotation(const IrModule *m, IrRef global, const char *key, u32 nth, u64 *value);
struct IrAnnotations *ir_annotations_new(Arena *a);
void                  ir_annotations_changed(IrModule *m); /* a row, or the global that one names: its index is out of date */

/* ---- values ----------------------------------------------------------------------------- */

IrType               ir_type_of_other(const IrModule *m, IrRef r); /* … than an instruction */
static inline IrType ir_type_of(const IrModule *m, IrRef r)
{
	return ir_kind(r) == IR_INST ? ir_inst(m, r)->type : ir_type_of_other(m, r);
}
StrId ir_name(const IrModule *m, IrRef r);
/* Sets a name; a number is appended if the name is taken. */
void              ir_set_name(IrModule *m, IrRef r, Str name);
u32               ir_first_use(const IrModule *m, IrRef r);
bool              ir_has_uses(const IrModule *m, IrRef r);
bool              ir_has_one_use(const IrModule *m, IrRef r);
u32               ir_count_uses(const IrModule *m, IrRef r);
static inline u32 ir_use_index(const IrModule *m, u32 use) /* of an instruction's operand */
{
	return use - ir_inst(m, ir_use(m, use)->user)->ops;
}

/* The function whose body contains the use: that of the instruction, or one whose body was freed. NULL: none. */
IrFunc *ir_use_func(const IrModule *m, u32 use);

static inline u32   ir_n_ops(const IrModule *m, IrRef inst) { return ir_inst(m, inst)->n_ops; }
static inline IrRef ir_op(const IrModule *m, IrRef inst, u32 i) { return ir_inst_use(m, ir_inst(m, inst)->ops + i)->value; }
static inline IrRef ir_const_op(const IrModule *m, IrRef c, u32 i) { return ir_use(m, ir_const(m, c)->ops + i)->value; }
void                ir_set_op(IrModule *m, IrRef inst, u32 i, IrRef v);
void                ir_set_use(IrModule *m, u32 use, IrRef v); /* any slot; constants are rebuilt through ir_replace_all_uses */
void                ir_add_op(IrModule *m, IrRef inst, IrRef v);
void                ir_remove_op(IrModule *m, IrRef inst, u32 i); /* later ones move down */
/* Replaces all uses of `from` by `to`; constants that contain `from` are rebuilt, metadata is updated. */
void ir_replace_all_uses(IrModule *m, IrRef from, IrRef to);
/* The same within one function's instructions. */
void ir_replace_uses_in(IrModule *m, IrRef func, IrRef from, IrRef to);

/* ---- globals ---------------------------------------------------------------------------- */

IrRef              ir_find_global(const IrModule *m, Str name); /* none: absent */
IrRef              ir_var_new(IrModule *m, Str name, IrType type, u32 addrspace, IrLinkage linkage, IrRef init);
IrFunc            *ir_func_new(IrModule *m, Str name, IrType type, IrLinkage linkage); /* a declaration */
IrRef              ir_declare(IrModule *m, Str name, IrType type);    /* the function of that name, or a new one */
IrRef              ir_global_init(const IrModule *m, IrRef g);        /* initializer, aliasee; none */
void               ir_global_set_init(IrModule *m, IrRef g, IrRef v); /* none removes it */
void               ir_global_remove(IrModule *m, IrRef g);            /* uses become poison */
static inline bool ir_linkage_is_local(u32 l) { return l == IRL_PRIVATE || l == IRL_INTERNAL; }
/* A variable that holds pointers, and to which no other module can store. */
static inline bool ir_is_pointer_store(const IrModule *m, IrRef g)
{
	const IrGlobal *x = ir_global(m, g);
	return x->kind == IRG_VAR && ir_linkage_is_local(x->linkage) && !(x->flags & IRGF_EXTERNALLY_INIT) &&
	       ir_type_holds_ptr(m, x->type);
}
bool ir_linkage_is_weak(u32 l); /* may be replaced at link time */

/* ---- control flow ------------------------------------------------------------------------- */

IrRef               ir_first_non_phi(const IrModule *m, IrRef block);
u64                 ir_func_had(const IrModule *m, const IrFunc *f); /* set of the operations in it now or once */
u32                 ir_count_insts(const IrModule *m, const IrFunc *f);
static inline IrRef ir_term(const IrModule *m, IrRef block) /* none: the block is unfinished */
{
	IrRef last = ir_block(m, block)->last;
	return last.i && ir_op_is_terminator(ir_inst(m, last)->op) ? last : IR_NO_REF;
}
u32   ir_n_succs(const IrModule *m, IrRef block);
IrRef ir_succ(const IrModule *m, IrRef block, u32 i);
/* Predecessors in the order of the blocks' uses, one entry for each edge, into `out` (cleared first). */
void                ir_preds(const IrModule *m, IrRef block, VecU32 *out); /* IrRef.i of blocks */
IrRef               ir_single_pred(const IrModule *m, IrRef block); /* its only predecessor (edges may be several), or none */
static inline u32   ir_phi_n(const IrModule *m, IrRef phi) { return ir_n_ops(m, phi) / 2; }
static inline IrRef ir_phi_value(const IrModule *m, IrRef phi, u32 i) { return ir_op(m, phi, 2 * i); }
static inline IrRef ir_phi_block(const IrModule *m, IrRef phi, u32 i) { return ir_op(m, phi, 2 * i + 1); }
IrRef               ir_phi_value_for(const IrModule *m, IrRef phi, IrRef pred); /* none: no such entry */

/* Lists (.aux of extractvalue, insertvalue, shufflevector). */
u32                      ir_list_new(IrModule *m, const u32 *p, u32 n);
static inline u32        ir_list_n(const IrModule *m, u32 list) { return list ? m->lists.p[list] : 0; }
static inline const u32 *ir_list(const IrModule *m, u32 list) { return m->lists.p + list + 1; }

/* Calls */
static inline IrRef ir_callee(const IrModule *m, IrRef call) { return ir_op(m, call, 0); }
static inline IrRef ir_call_arg(const IrModule *m, IrRef call, u32 i) { return ir_op(m, call, i + 1); }
IrFunc             *ir_called(const IrModule *m, IrRef call); /* the function called directly, or NULL */
u32                 ir_call_new(IrModule *m, IrCall c);       /* for .aux */
IrRef               ir_asm_new(IrModule *m, IrType fn_type, Str text, Str constraints, u32 flags);
enum { IRASM_SIDEEFFECT = 1, IRASM_ALIGNSTACK = 2, IRASM_INTEL = 4, IRASM_UNWIND = 8 };
typedef struct IrAsm {
	IrType type; /* function type */
	StrId  text, constraints;
	u32    flags;
	u32    uses;
} IrAsm;
static inline IrAsm *ir_asm(const IrModule *m, IrRef r) { return pages_of(&m->asms, IrAsm, ir_index(r)); }

/* Does an exception come to a block that begins with it? */
static inline bool ir_op_is_pad(u32 op)
{
	return op == IR_LANDINGPAD || op == IR_CATCHSWITCH || op == IR_CATCHPAD || op == IR_CLEANUPPAD;
}

/* Possible effects of an instruction. Those of a call follow from its attributes and, for intrinsics, from the table. */
/* Of a load or store: neither volatile nor atomic. */
static inline bool ir_is_plain(const IrModule *m, IrRef inst) { return !(ir_inst(m, inst)->flags & (IRF_VOLATILE | IRF_ATOMIC)); }
bool               ir_may_read(const IrModule *m, IrRef inst);
bool               ir_may_write(const IrModule *m, IrRef inst);
bool               ir_has_side_effects(const IrModule *m, IrRef inst); /* may not be dropped when unused */
bool               ir_is_convergent(const IrModule *m, IrRef inst);
bool               ir_is_speculatable(const IrModule *m, IrRef inst);
/* Does it compute with floats of more than 64 bits, as values or elements of vectors? Neither PTX nor the emulator can, but for
 * the sign of an fp128; such values are moved (loaded, passed, selected, taken as bits). */
bool ir_computes_wide_float(const IrModule *m, IrRef inst);

/* The first place where the function has a scalable vector: itself (its signature), or an instruction; none: it has none. ir/scalable.c */
IrRef ir_first_scalable(const IrModule *m, const IrFunc *f);
/* An error at that place; `why`: who cannot do what. */
void ir_report_scalable(IrModule *m, const IrFunc *f, IrRef at, const char *why);
bool ir_refuse_scalable(IrModule *m, const IrFunc *f, const char *why); /* reports the first one; false: there is none */
bool ir_signature_is_scalable(const IrModule *m, const IrFunc *f);

/* ---- metadata: ir/md.c -------------------------------------------------------------------- */

IrMd ir_md_string(IrModule *m, Str s);
IrMd ir_md_value(IrModule *m, IrRef v);
IrMd ir_md_node(IrModule *m, const IrMd *ops, u32 n, bool distinct);
IrMd ir_md_op(const IrModule *m, IrMd node, u32 i);
/* Is it a node, perhaps one that is not defined yet? Strings, values and lists of arguments are none. */
static inline bool ir_md_is_node(const IrModule *m, IrMd n)
{
	u32 kind = ir_md(m, n)->kind;
	return kind != IRMD_STRING && kind != IRMD_VALUE && kind != IRMD_ARGS;
}
IrMd ir_attached(const IrModule *m, IrRef r, const char *kind); /* of an instruction or a global; none */
/* The next of the attachments of a global: 0 begins, and is the end. */
u32 ir_next_attached(const IrModule *m, IrRef r, u32 at);
typedef enum IrUnroll { IR_UNROLL_OPEN, IR_UNROLL_NOT, IR_UNROLL_WANTED } IrUnroll;
IrUnroll ir_unroll(const IrModule *m, IrRef terminator);               /* of a latch: what the program says of its loop */
void     ir_attach(IrModule *m, IrRef r, const char *kind, IrMd node); /* none removes */
/* The weights that !prof gives a terminator's ways. ZERO: none is above 0. WRONG: there are not as many as ways, or one does
 * not fit 64 bits. */
typedef enum IrProf { IR_PROF_NONE, IR_PROF_WEIGHTS, IR_PROF_ZERO, IR_PROF_WRONG } IrProf;
/* Into w, in the order of the `n` successors. */
IrProf ir_branch_weights(const IrModule *m, IrRef term, u64 *w, u32 n);
/* Field of a specialised node: NULL where it has none of that name, as no node has one. */
const IrMdField *ir_md_field(const IrModule *m, IrMd node, const char *name);
/* Its content; none, 0 or no characters where there is no field of that name and kind. */
IrMd       ir_md_field_node(const IrModule *m, IrMd node, const char *name);
u64        ir_md_field_int(const IrModule *m, IrMd node, const char *name); /* of a negative one 0 */
Str        ir_md_field_str(const IrModule *m, IrMd node, const char *name);
Str        ir_md_field_word(const IrModule *m, IrMd node, const char *name); /* true, DW_TAG_…, DIFlagA | DIFlagB */
bool       ir_md_field_has(const IrModule *m, IrMd node, const char *name, const char *word); /* the word among others */
IrMd       ir_md_inlined_at(const IrModule *m, IrMd loc);    /* of a !DILocation, or none of none */
IrNamedMd *ir_named_md(const IrModule *m, const char *name); /* NULL: none */
void       ir_named_md_add(IrModule *m, const char *name, IrMd node);
/* Source line of a !dbg location, 0: none. */
u32 ir_dbg_line(const IrModule *m, IrMd loc);
u32 ir_dbg_column(const IrModule *m, IrMd loc);
/* The DIFile of a !dbg location: of its scope, or of a scope around that. */
IrMd ir_dbg_file(const IrModule *m, IrMd loc);
Str  ir_dbg_file_name(const IrModule *m, IrMd file);

/* ---- intrinsics: ir/intrinsic.c ------------------------------------------------------------ */

/* Row of intrinsics.def + 1; 0: not a known intrinsic. Cached in the global's record. */
u32 ir_intrinsic_of(const IrModule *m, IrRef global);
/* Of a call; 0 where it calls no known intrinsic. */
u32 ir_call_intrinsic(const IrModule *m, IrRef call);
/* A row as the table has it (the head of intrinsics.def explains the notations); false past the last. */
typedef struct IrIntrinsicInfo {
	const char *names, *signature, *attributes;
	u32         immediates, family; /* IrFamily */
} IrIntrinsicInfo;
bool ir_intrinsic_info(u32 i, IrIntrinsicInfo *info);
/* A declaration of a known intrinsic gets the attributes its row promises. */
void ir_intrinsic_set_attrs(IrModule *m, IrFunc *f);

#endif
