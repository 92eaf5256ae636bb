/* util.h: helpers that several IR passes share: recognising calls, operands and spaces of pointers, replacing values. */
#ifndef PS_IRPASS_UTIL_H
#define PS_IRPASS_UTIL_H

#include "ir/builder.h"
#include "ir/intrinsic.h"
#include "pass/pass.h"

static inline IrFunc *pass_func(const PassCx *cx) { return ir_func(cx->ir, (IrRef){cx->func}); }

/* ld.volatile, st.volatile and atom take no address of another space. What is done to memory of one thread nobody sees, so a
 * volatile access of it is a plain one, as for llc. */
static inline bool has_volatile_form(u32 space) { return isa_space_is(space, SF_BETWEEN) || space == AS_LOCAL; }

static inline u32  ptr_space(const IrModule *m, IrType t) { return ir_type(m, t)->bits; }
static inline u32  value_space(const IrModule *m, IrRef v) { return ptr_space(m, ir_type_of(m, v)); }
static inline bool is_ptr(const IrModule *m, IrRef v) { return ir_type_is_ptr(m, ir_type_of(m, v)); }
static inline bool is_inst(const IrModule *m, IrRef v, IrOp op) { return ir_kind(v) == IR_INST && ir_inst(m, v)->op == op; }
/* The operation of an instruction or constant expression; IR_OP_NONE for anything else. */
u32   value_op(const IrModule *m, IrRef v);
u32   value_n_ops(const IrModule *m, IrRef v);
IrRef value_operand(const IrModule *m, IrRef v, u32 i);
/* A direct call of an intrinsic of this family? */
bool calls_family(const IrModule *m, IrRef inst, IrFamily family);
Str  callee_name(const IrModule *m, IrRef inst); /* empty: not a direct call */

/* Do both instructions compute the same function of their operands, whatever these are? Flags are not compared. */
bool same_computation(const IrModule *m, IrRef a, IrRef b);

/* Of two calls of the same value, of which `a` stays: what it says of its result must be said by both. */
void keep_common_attributes(IrModule *m, IrRef a, IrRef b);

/* Which operand of an access is its address; -1: no load, store or atomic. */
i32 pointer_operand(const IrModule *m, IrRef inst);

/* Is it its first operand times a constant from 1 to 2^31 - 1, by a multiplication or a shift? */
bool constant_multiple(const IrModule *m, IrRef v, i64 *times);

/* Is an integer read by addresses alone, extended or not? Of very many readers, by the latest ones. */
bool only_addresses(const IrModule *m, IrRef v);

/* Does a load read memory that nothing writes while the kernel runs? */
bool reads_constant_memory(const IrModule *m, IrRef load);

/* Removes `v` if it is an instruction that nobody needs, then operands that were needed by it alone.
 * Returns how many went. */
u32 remove_if_dead(PassCx *cx, IrRef v);

/* Every use of `inst` becomes one of `by`, which takes its name and place in the source; it goes. */
void replace_inst(IrModule *m, IrRef inst, IrRef by);

/* What `of` makes of the operands: where they are vectors, of each element, joined to a vector of type `t`. */
IrRef element_by_element(IrBuilder *b, IrType t, const IrRef *ops, u32 n, IrRef (*of)(void *user, const IrRef *ops), void *user);

/* A branch or switch on a constant becomes a branch to where it goes; phis of the other targets forget it.
 * False: it is none. */
bool fold_terminator(IrModule *m, IrRef inst);

/* Phis with one entry become its value. False: there were none. */
bool fold_single_phis(IrModule *m, IrRef block);
bool fold_all_single_phis(IrModule *m, const IrFunc *f);

/* Removes the blocks that cannot be reached from the entry; phis forget them. False: there were none. */
bool remove_unreached_blocks(PassCx *cx);

/* "a name, then a suffix", for values that passes make from others: no name stays no name. */
void name_after(IrModule *m, IrRef v, IrRef from, const char *suffix);

/* Operations of atomicrmw that this version of LLVM does not have become loops, each with a note: atomic_expand.c. */
void atomic_expand_newer(IrModule *m, Arena *scratch, u32 version);

/* A pointer as one to another space, or itself. */
IrRef cast_to_space(IrBuilder *b, IrRef p, u32 space);

IrBuilder build_at_entry(IrModule *m, const IrFunc *f); /* before the entry block's first instruction */
IrBuilder build_after(IrModule *m, IrRef inst);         /* after an instruction (phis: after all phis) */

/* Line for remarks about a value: its own, or that of its function. */
u32 value_line(const IrModule *m, IrRef v);

/* A value of constant byte distance from a base: strips geps with constant indices, casts between
 * pointers of one space. */
IrRef strip_constant_offset(const IrModule *m, IrRef v, i64 *offset);
/* One of these steps; `v` itself where there is none. */
IrRef strip_constant_step(const IrModule *m, IrRef v, i64 *step);

#endif
