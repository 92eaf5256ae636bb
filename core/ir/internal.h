/* internal.h: functions shared by the files of ir/ only. */
#ifndef PS_IR_INTERNAL_H
#define PS_IR_INTERNAL_H

#include "ir/ir.h"

/* The constant `r` with `from` among its operands replaced by `to`. */
IrRef ir_const_rebuild(IrModule *m, IrRef r, IrRef from, IrRef to);
/* A number whose bits are of its type, which has at most 64. */
IrRef ir_const_number(IrModule *m, IrType t, IrConstKind kind, u64 bits);
/* The constant of another module of the session, with the types and operands that it has in this one. */
IrRef ir_const_import(IrModule *m, IrConst c, const IrRef *ops);
/* Fills a new use record. */
void ir_first_set_use(IrModule *m, u32 use, IrRef user, IrRef v);
/* Use records of a constant or a global. */
u32 ir_lasting_uses(IrModule *m, u32 n);
/* The function record of a global. */
IrFunc *ir_func_make(IrModule *m, IrRef ref, IrType type);
/* Replaces `v`, which is about to be removed, by poison in metadata. */
/* Metadata that names the value names `same` from now on; none: poison. */
void ir_forget_value(IrModule *m, IrRef v, IrRef same);
/* The name table no longer describes its function (names were set past ir_set_name). */
static inline void ir_names_changed(IrModule *m) { m->names_of = IR_NO_REF; }

/* What is there now stays when bodies are given back. */
void ir_note_lasting(IrModule *m);
void ir_upgrade_structors(IrModule *m); /* of bitcode: their third field */
/* Upgrades the IR of other LLVM versions to that of LLVM 22 (upgrade.c); bodies that follow are upgraded by ir_upgrade_calls, each when it
 * is read. False: an older intrinsic is used in another way than by a call. */
bool ir_upgrade(IrModule *m, bool bodies_follow);
bool ir_upgrade_calls(IrModule *m);
/* May calls of an outdated intrinsic be checked as they are? Only where the table has their types. */
bool ir_is_upgrade_row(const IrModule *m, u32 outdated);
/* What is read of bodies at first: they are read one by one later to be compiled, to be checked alone, or to be copied into a program. */
typedef enum IrManner { IR_READ_ALL, IR_DEFER, IR_DEFER_TO_CHECK, IR_DEFER_LIBRARY } IrManner;
/* May bodies be read one by one? */
bool ir_can_defer(const IrModule *m, IrManner how);
/* Of these, what !nvvm.annotations says of functions. */
void ir_upgrade_notes(IrModule *m);
/* An intrinsic that is used may be declared nowhere: one of the table, or one that ir_upgrade knows. */
bool ir_declares_itself(const IrModule *m, IrRef global);
/* Where the type suffix of its name does not match the declaration: fma.f32 of doubles is fma.f64. Has it a new name? */
bool ir_remangle(IrModule *m, IrFunc *f);
/* Rows of upgrades.def, from 1: names, NULL behind the last; the type that their declarations have. */
const char *ir_upgrade_names(u32 row);
const char *ir_upgrade_signature(u32 row);
/* The row of a name; 0: none. */
u32 ir_intrinsic_of_name(const IrModule *m, Str name);
/* The function type of a row that is not overloaded; else none. */
IrType ir_intrinsic_type(IrModule *m, u32 row);
/* Merges the separate memory attributes of a function (LLVM before 16) into memory(...). Returns how many are left. */
u32 ir_fn_attrs_upgrade(IrAttr *attrs, u32 n);
/* Value of a constant expression where it is plain; else none: fold_expr.c. `t`: its type. */
IrRef ir_expr_fold(IrModule *m, u32 op, u32 sub, IrType t, const IrRef *ops, u32 n);
/* Does LLVM have constant expressions of this operation? Those of others were in older versions. */
bool ir_expr_is_kept(u32 op);
/* Does a cast go from one type to the other? */
bool ir_cast_fits(const IrModule *m, u32 op, IrType from, IrType to);
/* Applies one index of a getelementptr to `*t` and replaces it by the type indexed; the first index leaves it unchanged. On
 * an error returns the format of the message, whose arguments are the index's number and the names of *t and of the
 * index's type. */
const char *ir_gep_step(IrModule *m, IrType *t, IrRef index, bool first);
/* May vectors of the type be shuffled by the mask? Scalable ones by such of zeros or of poison alone. */
bool ir_shuffle_fits(const IrModule *m, IrType vector, IrRef mask);
/* The mask of a shufflevector as a list; elements that are not defined are -1. */
u32 ir_shuffle_mask(IrModule *m, IrRef mask);
/* The type of a getelementptr of these operands: the base's, or a vector of it where an index is a vector. */
IrType ir_gep_result(IrModule *m, const IrRef *ops, u32 n);
/* A getelementptr expression whose indices fit; its base where it goes nowhere. */
IrRef ir_const_gep_or_base(IrModule *m, IrType elem, u32 flags, StrId range, const IrRef *ops, u32 n);
/* A struct that contains itself by value, or a type that nests deeper than IR_TYPE_DEPTH; none: all is well. */
IrType ir_type_nests_wrongly(const IrModule *m, bool *recursive);
/* The double of the same value as the bits of half, bfloat, float or double. */
u64 ir_fp_to_double(const IrModule *m, IrType t, u64 bits);

IrRef ir_inst_take_of_page(IrModule *m); /* where a page begins */
/* New records, all zero: those of bodies that were given back are not, but for IrInstInfo (defer.c). */
static inline IrRef ir_inst_take(IrModule *m) /* … but for its IrInst, which is to be filled in */
{
	u32 id = m->insts.n;
	if (!(id & (PAGE_RECORDS - 1)))
		return ir_inst_take_of_page(m);
	m->insts.n = m->inst_infos.n = id + 1; /* these have the same numbers */
	return ir_ref(IR_INST, id);
}
static inline IrRef ir_inst_make(IrModule *m)
{
	IrRef r = ir_inst_take(m);
	*ir_inst(m, r) = (IrInst){0};
	return r;
}
static inline IrRef ir_block_make(IrModule *m)
{
	IrRef r = ir_ref(IR_BLOCK, pages_new(&m->blocks));
	*ir_block(m, r) = (IrBlock){0};
	return r;
}
static inline u32 ir_uses_make(IrModule *m, u32 n)
{
	u32 first = pages_new_n(&m->uses[0], n);
	for (u32 k = 0; k < n; k++)
		*ir_inst_use(m, first + k) = (IrUse){0};
	return first;
}

/* Updates the block's summary of the opcodes it may contain, for an instruction that is inserted. */
static inline void ir_enters(IrInst *i, IrBlock *b, IrRef block)
{
	i->block = block;
	b->n_insts++;
	b->had |= ir_ops_of(i->op);
}

/* Links an instruction that is in no block and has no name to make unique. */
static inline void ir_append(IrModule *m, IrRef inst, IrRef block)
{
	IrInst  *i = ir_inst(m, inst);
	IrBlock *b = ir_block(m, block);
	ir_enters(i, b, block);
	i->prev = b->last;
	i->next = IR_NO_REF;
	if (i->prev.i)
		ir_inst(m, i->prev)->next = inst;
	else
		b->first = inst;
	b->last = inst;
	if (b->records && !ir_info(m, inst)->records) {
		ir_info(m, inst)->records = b->records;
		b->records = 0;
	}
}

/* Fills in the record of a new instruction; its operands get into their values' use lists. */
static inline void ir_inst_fill(IrModule *m, IrRef inst, IrOp op, IrType t, const u32 *ops, u32 n)
{
	IrInst *i = ir_inst(m, inst);
	i->op = (u8)op;
	i->type = t;
	i->n_ops = n;
	i->ops = n ? ir_uses_make(m, n) : 0;
	for (u32 k = 0; k < n; k++)
		ir_first_set_use(m, i->ops + k, inst, (IrRef){ops[k]});
}

/* Where an invoke, a catchswitch or a cleanupret unwinds to; none: to the caller. Operands of exception handling:
 *   landingpad   [clause*]: which are filters in .aux
 *   catchswitch  [parent, (unwind), handler*]: .sub says whether there is `unwind`
 *   catchpad, cleanuppad [parent, argument*]
 *   catchret     [pad, dest]                        cleanupret [pad, (unwind)] */
IrRef ir_pad_unwind(const IrModule *m, IrRef inst);

/* The value has become a key of value_md. */
static inline void ir_note_local_md(IrModule *m, IrRef v)
{
	if (ir_kind(v) == IR_INST || ir_kind(v) == IR_BLOCK)
		vec_push(m->arena, &m->local_md, v.i);
}

#endif
