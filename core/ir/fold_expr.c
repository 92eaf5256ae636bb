/* fold_expr.c: evaluates constant expressions of kinds that LLVM 19 no longer reads (zext, udiv, select, icmp, ...)
 * where their operands are plain integers, so that the module we print contains only expressions that it does read.
 * The values come from sem/eval.h. */
#include "ir/internal.h"
#include "sem/eval.h"

static IrRef cast(IrModule *m, u32 op, IrType t, IrRef v)
{
	u64    bits;
	IrType from = ir_type_of(m, v);
	if ((op == IR_INTTOPTR || op == IR_PTRTOINT || op == IR_PTRTOADDR) && ir_is_zero(m, v))
		return ir_const_zero(m, t);
	/* All bits of an address are in it already: what is wider has zeros on top. */
	const IrConst *c = ir_kind(v) == IR_CONST ? ir_const(m, v) : NULL;
	if (op == IR_ZEXT && c && c->kind == IRC_EXPR && c->op == IR_PTRTOINT && ir_type_is_int(m, from)) {
		IrRef  p = ir_const_op(m, v, 0);
		IrType pt = ir_type_of(m, p);
		if (ir_type_is_ptr(m, pt) && ir_type(m, from)->bits >= ir_ptr_bits(m, ir_type(m, pt)->bits))
			return ir_const_cast(m, IR_PTRTOINT, p, t);
	}
	if (!ir_as_int(m, v, &bits) || !ir_type_is_int(m, t) || op == IR_BITCAST ||
	    !sem_eval_cast((SemOp)ir_op_info[op].eval, sem_int_type(ir_type(m, from)->bits), sem_int_type(ir_type(m, t)->bits),
	                   bits, &bits))
		return IR_NO_REF;
	return ir_const_int(m, t, bits);
}

IrRef ir_expr_fold(IrModule *m, u32 op, u32 sub, IrType t, const IrRef *ops, u32 n)
{
	u64 a, b, r, x[2];
	if (ir_op_is_cast(op) && n == 1)
		return cast(m, op, t, ops[0]);
	if (op == IR_SELECT && n == 3 && ir_as_int(m, ops[0], &a))
		return ops[a ? 1 : 2];
	if (op == IR_EXTRACTELEMENT && n == 2 && ir_as_int(m, ops[1], &a) && a < UINT32_MAX)
		return ir_const_elem(m, ops[0], (u32)a);
	/* A shift of an address, which LLVM 19 does not write, is a multiplication, which it does. */
	if (op == IR_SHL && n == 2 && ir_as_int(m, ops[1], &b) && b < 63 && b < ir_type(m, t)->bits &&
	    !ir_as_int(m, ops[0], &a)) {
		IrRef two[2] = {ops[0], ir_const_int(m, t, (u64)1 << b)};
		return ir_const_expr(m, IR_MUL, t, 0, 0, two, 2);
	}
	if (n != 2 || !ir_as_int(m, ops[0], &x[0]) || !ir_as_int(m, ops[1], &x[1]))
		return IR_NO_REF;
	u32 width = ir_type(m, ir_type_of(m, ops[0]))->bits;
	if (op == IR_ICMP)
		return ir_const_int(m, t, ir_icmp(sub, width, x[0], x[1]));
	return sem_eval_int((SemOp)ir_op_info[op].eval, width, x, 2, &r) ? ir_const_int(m, t, r) : IR_NO_REF;
}

bool ir_expr_is_kept(u32 op)
{
	static const u8 kept[] = {IR_ADD,           IR_SUB,          IR_MUL,     IR_XOR,           IR_TRUNC,
	                          IR_PTRTOINT,      IR_INTTOPTR,     IR_BITCAST, IR_ADDRSPACECAST, IR_EXTRACTELEMENT,
	                          IR_INSERTELEMENT, IR_SHUFFLEVECTOR};
	return memchr(kept, (int)op, sizeof kept) != NULL;
}
