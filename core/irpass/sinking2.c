/* sinking2: addresses are computed where they are used.
 *
 *   a: %q = getelementptr float, ptr %p, i64 %i     a: br i1 %c, label %loop, label %d
 *      %r = getelementptr i8, ptr %p, i64 64
 *      br i1 %c, label %loop, label %d        →
 *   loop: %x = load float, ptr %r                   loop: %r1 = getelementptr i8, ptr %p, i64 64
 *         …                                               %x = load float, ptr %r1
 *   d: store float 0.0, ptr %q                      d: %q = getelementptr float, ptr %p, i64 %i
 *                                                      store float 0.0, ptr %q
 *
 * Selection sees one block at a time, and only there a constant that an address is away from its base becomes part of
 * the access, for nothing. Front ends take such constants out of loops, and each then holds a register throughout: so
 * every block gets its own. What is left of an address moves into the one block that wants it where that lies behind a
 * branch: what speculative-execution and front ends have computed for all threads, and early-cse found no second use for.
 * What an address was computed from goes with it, where nobody else reads it. Nothing moves into a loop. Linear. */
#include "irpass/util.h"

/* ---- constants away from a base: one getelementptr for each block ---- */

static IrRef moved_by(PassCx *cx, IrRef before, IrRef base, i64 offset, IrType type)
{
	IrModule *m = cx->ir;
	IrBuilder b = ir_build_before(m, before);
	IrRef     r = ir_inst_new(m, IR_GETELEMENTPTR, type, 2);
	ir_inst(m, r)->elem = IR_TYPE(I8);
	ir_b_insert(&b, r);
	ir_set_op(m, r, 0, base);
	ir_set_op(m, r, 1, ir_const_sint(m, ir_int_type(m, ir_index_bits(m, ptr_space(m, type))), offset));
	return r;
}

/* `here`: by base and offset, what this block has already. */
static bool constant_comes_here(PassCx *cx, IrRef access, u32 operand, Map *here)
{
	IrModule *m = cx->ir;
	IrRef     p = ir_op(m, access, operand);
	i64       offset;
	if (!is_inst(m, p, IR_GETELEMENTPTR) || ir_same(ir_inst(m, p)->block, ir_inst(m, access)->block))
		return false;
	IrRef base = strip_constant_offset(m, p, &offset);
	if (offset != (i32)offset || !ir_type_same(ir_type_of(m, base), ir_inst(m, p)->type))
		return false;
	if (ir_same(base, p))
		return false;
	u64 *known = map_put(here, (u64)base.i << 32 | (u32)offset, NULL);
	if (!*known)
		*known = moved_by(cx, access, base, offset, ir_inst(m, p)->type).i;
	ir_set_op(m, access, operand, (IrRef){(u32)*known});
	remove_if_dead(cx, p);
	return true;
}

/* ---- what varies: behind the branch ---- */

static bool may_move(const IrModule *m, IrRef v)
{
	if (ir_kind(v) != IR_INST)
		return false;
	u32 op = ir_inst(m, v)->op;
	return ir_op_is_binary(op) || ir_op_is_cast(op) || op == IR_GETELEMENTPTR;
}

enum { MAX_READERS = 16 };

/* The one block that reads `v`, where the block of `v` alone leads to it; else none. */
static IrRef reader_behind(const IrModule *m, IrRef v)
{
	IrRef home = ir_inst(m, v)->block, to = IR_NO_REF;
	u32   readers = 0;
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		if (++readers > MAX_READERS || ir_kind(user) != IR_INST || ir_inst(m, user)->op == IR_PHI)
			return IR_NO_REF;
		IrRef block = ir_inst(m, user)->block;
		if (ir_same(block, home) || (to.i && !ir_same(block, to)))
			return IR_NO_REF;
		to = block;
	}
	return to.i && ir_n_succs(m, home) > 1 && ir_same(ir_single_pred(m, to), home) ? to : IR_NO_REF;
}

/* Another address with this index stays behind: the two share its multiplication. */
static bool is_shared(const IrModule *m, IrRef index, IrRef gep, IrRef to)
{
	u32 readers = 0;
	ir_each_use(m, index, u) {
		IrRef user = ir_use(m, u)->user;
		if (++readers > MAX_READERS)
			return true;
		if (!ir_same(user, gep) && is_inst(m, user, IR_GETELEMENTPTR) && !ir_same(ir_inst(m, user)->block, to))
			return true;
	}
	return false;
}

static IrRef block_for(const IrModule *m, IrRef gep)
{
	IrRef to = is_ptr(m, gep) ? reader_behind(m, gep) : IR_NO_REF;
	for (u32 k = 1; to.i && k < ir_n_ops(m, gep); k++)
		if (ir_kind(ir_op(m, gep, k)) != IR_CONST && is_shared(m, ir_op(m, gep, k), gep, to))
			return IR_NO_REF;
	return to;
}

/* `v`, and then what it alone was computed from. */
static void sink(PassCx *cx, IrRef v, IrRef to)
{
	IrModule  *m = cx->ir;
	Vec(IrRef) list = {0};
	vec_push(cx->scratch, &list, v);
	while (list.n) {
		v = vec_pop(&list);
		ir_move_before(m, v, ir_first_non_phi(m, to));
		for (u32 k = 0; k < ir_n_ops(m, v); k++) {
			IrRef x = ir_op(m, v, k);
			if (may_move(m, x) && ir_same(reader_behind(m, x), to))
				vec_push(cx->scratch, &list, x);
		}
	}
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	Map       here;
	map_init(&here, cx->scratch, &map_default);
	ir_each_block(m, pass_func(cx), b) {
		map_clear(&here);
		ir_each_inst(m, b, i) {
			i32 k = pointer_operand(m, i);
			if (k >= 0)
				changed |= constant_comes_here(cx, i, (u32)k, &here);
		}
	}
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(GETELEMENTPTR))
		ir_each_inst(m, b, i) {
			IrRef to = ir_inst(m, i)->op == IR_GETELEMENTPTR ? block_for(m, i) : IR_NO_REF;
			if (!to.i)
				continue;
			sink(cx, i, to);
			changed = true;
		}
	return changed;
}

const Pass irpass_sinking2 = {
	.id = "sinking2",
	.title = "Sinking2",
	.summary = "Addresses are computed where they are used.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_sinking2,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.flags = PF_NVIDIA,
	.run = run,
};
