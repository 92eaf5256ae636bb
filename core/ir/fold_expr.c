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

/* A shuffle of one element into all of a scalable vector is its splat: no list of elements can say it. */
static IrRef scalable_splat(IrModule *m, IrType t, const IrRef *ops)
{
	u64   at;
	IrRef e = ir_splat_value(m, ops[0]), v = ops[0];
	if (!ir_is_zero(m, ops[2]) || !ir_type_is_scalable_vector(m, t))
		return ir_is_undef(m, ops[2]) ? ir_const_poison(m, t) : IR_NO_REF;
	if (ir_kind(v) == IR_CONST && ir_const(m, v)->kind == IRC_EXPR && ir_const(m, v)->op == IR_INSERTELEMENT &&
	    ir_as_int(m, ir_const_op(m, v, 2), &at) && at == 0)
		e = ir_const_op(m, v, 1);
	return e.i ? ir_const_splat(m, t, e) : IR_NO_REF;
}

/* An operation on splats of scalable vectors. */
static IrRef of_splats(IrModule *m, u32 op, u32 sub, IrType t, const IrRef *ops, u32 n)
{
	IrRef e[2] = {0};
	for (u32 i = 0; i < n; i++)
		e[i] = ir_splat_value(m, ops[i]);
	if (!e[0].i || (n > 1 && !e[1].i))
		return IR_NO_REF;
	IrRef r = ir_expr_fold(m, op, sub, ir_scalar_type(m, t), e, n);
	return r.i ? ir_const_splat(m, t, r) : r;
}

static IrRef element(IrModule *m, IrRef v, u64 i)
{
	IrRef e = ir_const_elem(m, v, (u32)i), ops[2] = {v, ir_const_int(m, (IrType){IR_TY_I32}, i)};
	return e.i ? e : ir_const_expr(m, IR_EXTRACTELEMENT, ir_scalar_type(m, ir_type_of(m, v)), 0, 0, ops, 2);
}

/* insertelement and shufflevector: a vector of elements. What is inserted at a place that is not there makes poison of all. */
static IrRef by_elements(IrModule *m, u32 op, IrType t, const IrRef *ops)
{
	u64  at = 0, lanes = ir_lanes(m, ir_type_of(m, ops[0])), n = ir_lanes(m, t);
	bool insert = op == IR_INSERTELEMENT;
	if (insert && (ir_is_undef(m, ops[2]) || (ir_as_int(m, ops[2], &at) && at >= lanes)))
		return ir_const_poison(m, t);
	if (insert && !ir_as_int(m, ops[2], &at))
		return IR_NO_REF;
	IrRef *elem = arena_array(m->arena, IrRef, n);
	for (u32 i = 0; i < n; i++)
		if (insert)
			elem[i] = i == at ? ops[1] : element(m, ops[0], i);
		else if (ir_as_int(m, ir_const_elem(m, ops[2], i), &at))
			elem[i] = element(m, ops[at >= lanes], at >= lanes ? at - lanes : at);
		else
			elem[i] = ir_const_undef(m, ir_scalar_type(m, t));
	return ir_const_agg(m, t, elem, (u32)n);
}

IrRef ir_expr_fold(IrModule *m, u32 op, u32 sub, IrType t, const IrRef *ops, u32 n)
{
	u64 a, b, r, x[2];
	if (ir_type_is_scalable_vector(m, t) && op == IR_SHUFFLEVECTOR && n == 3)
		return scalable_splat(m, t, ops);
	if ((op == IR_SHUFFLEVECTOR || op == IR_INSERTELEMENT) && n == 3 && !ir_type_is_scalable_vector(m, t))
		return by_elements(m, op, t, ops);
	if (ir_type_is_scalable_vector(m, t) && (ir_op_is_binary(op) || ir_op_is_cast(op) || op == IR_ICMP) && n <= 2 &&
	    (op != IR_BITCAST || ir_lanes(m, t) == ir_lanes(m, ir_type_of(m, ops[0]))))
		return of_splats(m, op, sub, t, ops, n);
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
	static const u8 kept[] = {IR_ADD,           IR_SUB,           IR_MUL,      IR_XOR,           IR_TRUNC,
	                          IR_PTRTOINT,      IR_INTTOPTR,      IR_BITCAST,  IR_ADDRSPACECAST, IR_EXTRACTELEMENT,
	                          IR_INSERTELEMENT, IR_SHUFFLEVECTOR, IR_PTRTOADDR};
	return memchr(kept, (int)op, sizeof kept) != NULL;
}
