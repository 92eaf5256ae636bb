/* poison.c: would the program have undefined behaviour if an instruction gave poison?
 *
 *   %s = shl nsw i32 %n, 3          poison, if it wraps
 *   %x = sext i32 %s to i64         poison, too
 *   %p = getelementptr float, ptr %a, i64 %x
 *   %v = load float, ptr %p         undefined: so %s does not wrap
 *
 * What follows in the block is executed after the instruction, up to a call that may not return. Undefined is poison as the
 * address of an access, as a divisor and as what a branch or switch decides by. Scalars only: of a vector, other elements may be
 * poison than those that matter. Looks at LOOK instructions, so a query has a constant cost. (LLVM: programUndefinedIfPoison.) */
#include "irpass/poison.h"

#include "irpass/util.h"

enum { LOOK = 32 };

/* Which operand must not be poison; -1: any may. */
static i32 defined_operand(const IrModule *m, IrRef inst)
{
	switch (ir_inst(m, inst)->op) {
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM: return 1;
	case IR_BR: return ir_n_ops(m, inst) > 1 ? 0 : -1;
	case IR_SWITCH: return 0;
	default: return pointer_operand(m, inst);
	}
}

static bool is_scalar(const IrModule *m, IrRef inst)
{
	IrTypeKind k = ir_type_kind(m, ir_inst(m, inst)->type);
	return k == IRT_INT || k == IRT_PTR;
}

/* Is its result poison as soon as one operand is? */
static bool passes_on(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	return is_scalar(m, inst) &&
	       (ir_op_is_binary(i->op) || ir_op_is_cast(i->op) || i->op == IR_GETELEMENTPTR || i->op == IR_ICMP);
}

static bool is_one_of(const IrRef *set, u32 n, IrRef v)
{
	for (u32 k = 0; k < n; k++)
		if (ir_same(set[k], v))
			return true;
	return false;
}

static bool has_operand_of(const IrModule *m, IrRef inst, const IrRef *set, u32 n)
{
	for (u32 k = 0; k < ir_n_ops(m, inst); k++)
		if (is_one_of(set, n, ir_op(m, inst, k)))
			return true;
	return false;
}

static bool may_not_return(const IrModule *m, IrRef inst)
{
	return (ir_op_info[ir_inst(m, inst)->op].flags & IROF_CALLS) != 0 && ir_has_side_effects(m, inst);
}

bool poison_is_undefined(const IrModule *m, IrRef inst)
{
	IrRef poison[LOOK + 1] = {inst}, i = ir_inst(m, inst)->next;
	u32   n = is_scalar(m, inst) ? 1 : 0;
	for (u32 looked = 0; n && i.i && looked < LOOK; i = ir_inst(m, i)->next, looked++) {
		i32 k = defined_operand(m, i);
		if (k >= 0 && is_one_of(poison, n, ir_op(m, i, (u32)k)))
			return true;
		if (may_not_return(m, i))
			return false;
		if (passes_on(m, i) && has_operand_of(m, i, poison, n))
			poison[n++] = i;
	}
	return false;
}
