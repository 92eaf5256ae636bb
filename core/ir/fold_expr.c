/* fold_expr.c: constant expressions that LLVM 19 no longer writes (zext, udiv, select, icmp, …) are
 * worked out where their operands are plain integers, so that what we print can be read. */
#include "ir/internal.h"

static u64 mask(u32 width) { return width >= 64 ? UINT64_MAX : ((u64)1 << width) - 1; }
static i64 as_signed(u64 v, u32 width) { return (i64)((v ^ (u64)1 << (width - 1)) - ((u64)1 << (width - 1))); }

/* False: not defined for these operands, or not an operation on integers. */
static bool binary(u32 op, u32 width, u64 a, u64 b, u64 *r)
{
	i64  sa = as_signed(a, width), sb = as_signed(b, width);
	bool shift = b < width, divide = b != 0, sdivide = b != 0 && !(sb == -1 && a == (u64)1 << (width - 1));
	switch (op) {
	case IR_ADD: *r = a + b; return true;
	case IR_SUB: *r = a - b; return true;
	case IR_MUL: *r = a * b; return true;
	case IR_AND: *r = a & b; return true;
	case IR_OR: *r = a | b; return true;
	case IR_XOR: *r = a ^ b; return true;
	case IR_SHL: *r = shift ? a << b : 0; return shift;
	case IR_LSHR: *r = shift ? a >> b : 0; return shift;
	case IR_ASHR: *r = shift ? (u64)(sa >> b) : 0; return shift;
	case IR_UDIV: *r = divide ? a / b : 0; return divide;
	case IR_UREM: *r = divide ? a % b : 0; return divide;
	case IR_SDIV: *r = sdivide ? (u64)(sa / sb) : 0; return sdivide;
	case IR_SREM: *r = sdivide ? (u64)(sa % sb) : 0; return sdivide;
	default: return false;
	}
}

static bool compare(u32 pred, u32 width, u64 a, u64 b)
{
	i64 sa = as_signed(a, width), sb = as_signed(b, width);
	switch (pred) {
	case IRP_I_EQ: return a == b;
	case IRP_I_NE: return a != b;
	case IRP_I_UGT: return a > b;
	case IRP_I_UGE: return a >= b;
	case IRP_I_ULT: return a < b;
	case IRP_I_ULE: return a <= b;
	case IRP_I_SGT: return sa > sb;
	case IRP_I_SGE: return sa >= sb;
	case IRP_I_SLT: return sa < sb;
	default: return sa <= sb;
	}
}

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
	if (!ir_as_int(m, v, &bits) || !ir_type_is_int(m, t) || ir_type(m, t)->bits > 64)
		return IR_NO_REF;
	switch (op) {
	case IR_TRUNC:
	case IR_ZEXT: return ir_const_int(m, t, bits);
	case IR_SEXT: return ir_const_int(m, t, (u64)as_signed(bits, ir_type(m, from)->bits));
	default: return IR_NO_REF;
	}
}

IrRef ir_expr_fold(IrModule *m, u32 op, u32 sub, IrType t, const IrRef *ops, u32 n)
{
	u64 a, b, r;
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
		return ir_const_expr(m, IR_MUL, t, (IrType){0}, 0, 0, two, 2);
	}
	if (n != 2 || !ir_as_int(m, ops[0], &a) || !ir_as_int(m, ops[1], &b))
		return IR_NO_REF;
	u32 width = ir_type(m, ir_type_of(m, ops[0]))->bits;
	if (op == IR_ICMP)
		return ir_const_int(m, t, compare(sub, width, a, b));
	return binary(op, width, a, b, &r) ? ir_const_int(m, t, r & mask(width)) : IR_NO_REF;
}
