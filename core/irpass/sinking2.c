/* sinking2: recomputes geps with a constant offset in the block of the access that uses them.
 *
 *   a: %q = getelementptr i8, ptr %p, i64 64      a: br label %loop
 *      br label %loop                         →
 *   loop: %x = load float, ptr %q                 loop: %q1 = getelementptr i8, ptr %p, i64 64
 *         …                                             %x = load float, ptr %q1
 *
 * Instruction selection works on one block at a time, and folds a constant offset into the access's address operand only if
 * the gep is in the same block. Front ends hoist such geps out of loops, where each occupies a register for the whole
 * loop; a gep in each block costs nothing. Geps with variable indices stay where they are: sunk below the branch that guards
 * the access they would execute less often, but ptxas if-converts such branches and generates more code (measured: 0.1 %
 * more instructions over the example kernels). Linear in accesses times the nesting depth of their constant geps. */
#include "ir/builder.h"
#include "irpass/util.h"

static IrRef address(IrModule *m, IrRef before, IrRef base, i64 offset, IrType type)
{
	IrBuilder b = ir_build_before(m, before);
	IrRef     r = ir_inst_new(m, IR_GETELEMENTPTR, type, 2);
	ir_inst(m, r)->elem = IR_TYPE(I8);
	ir_b_insert(&b, r);
	ir_set_op(m, r, 0, base);
	ir_set_op(m, r, 1, ir_const_sint(m, ir_int_type(m, ir_index_bits(m, ptr_space(m, type))), offset));
	return r;
}

/* `here`: base and offset → the gep that this block already has for it. */
static bool sink(PassCx *cx, IrRef access, u32 operand, Map *here)
{
	IrModule *m = cx->ir;
	IrRef     p = ir_op(m, access, operand);
	i64       offset;
	if (!is_inst(m, p, IR_GETELEMENTPTR) || ir_same(ir_inst(m, p)->block, ir_inst(m, access)->block))
		return false;
	IrType type = ir_inst(m, p)->type;
	IrRef  base = strip_constant_offset(m, p, &offset);
	if (ir_same(base, p) || offset != (i32)offset || !ir_type_same(ir_type_of(m, base), type))
		return false;
	u64 *known = map_put(here, (u64)base.i << 32 | (u32)offset, NULL);
	if (!*known)
		*known = address(m, access, base, offset, type).i;
	ir_set_op(m, access, operand, (IrRef){(u32)*known});
	remove_if_dead(cx, p);
	return true;
}

/* Loads, stores and atomics, and instructions of PTX that are intrinsics: cp.async, ldmatrix, wmma, mbarrier, … */
static bool sink_all(PassCx *cx, IrRef i, Map *here)
{
	IrModule *m = cx->ir;
	i32       k = pointer_operand(m, i);
	bool      changed = false;
	if (k >= 0)
		return sink(cx, i, (u32)k, here);
	if (ir_inst(m, i)->op != IR_CALL || !ir_call_is_nvvm(m, i) || ir_is_speculatable(m, i))
		return false;
	for (u32 n = ir_call(m, i)->n_args, a = 0; a < n; a++)
		if (is_ptr(m, ir_call_arg(m, i, a)))
			changed |= sink(cx, i, a + 1, here);
	return changed;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	Map       here;
	map_init(&here, cx->scratch);
	ir_each_block_had(m, pass_func(cx), b,
	                  IR_OPS(LOAD) | IR_OPS(STORE) | IR_OPS(ATOMICRMW) | IR_OPS(CMPXCHG) | IR_OPS(CALL)) {
		map_clear(&here);
		ir_each_inst(m, b, i)
			changed |= sink_all(cx, i, &here);
	}
	return changed;
}

const Pass irpass_sinking2 = {
	.id = "sinking2",
	.title = "Sinking2",
	.summary = "Moves constant address offsets down to the memory accesses that use them.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_sinking2,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.flags = PF_NVIDIA | PF_IDEMPOTENT,
	.run = run,
};
