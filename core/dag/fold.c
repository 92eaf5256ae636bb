/* fold.c: constant folding and identities, applied before a node is made: an operation on constants, an operand that decides
 * the result (x & 0), a cast of a cast, an element of a vector that was built from elements.
 *
 * Values and identities are sem/eval.h's, found by the `eval` column of dag_ops.def. An operation whose result is not defined
 * (division by zero, a shift by the width or more) is not folded. Returns an operand or a constant; only merged casts, and
 * vectors folded element by element, are new nodes. Constant time, but linear in the elements of vectors. */
#include "dag/dag.h"
#include "sem/eval.h"

DagCond dag_cond_swap(DagCond c)
{
	static const u8 of[IRP_COUNT] = {
		IRP_FALSE, IRP_OEQ,   IRP_OLT,   IRP_OLE,   IRP_OGT,   IRP_OGE,   IRP_ONE,   IRP_ORD,   IRP_UNO,
		IRP_UEQ,   IRP_ULT,   IRP_ULE,   IRP_UGT,   IRP_UGE,   IRP_UNE,   IRP_TRUE,  IRP_I_EQ,  IRP_I_NE,
		IRP_I_ULT, IRP_I_ULE, IRP_I_UGT, IRP_I_UGE, IRP_I_SLT, IRP_I_SLE, IRP_I_SGT, IRP_I_SGE,
	};
	return (DagCond)of[c];
}

DagCond dag_cond_unsigned(DagCond c) { return c >= IRP_I_SGT && c <= IRP_I_SLE ? (DagCond)(c - IRP_I_SGT + IRP_I_UGT) : c; }

DagCond dag_cond_not(DagCond c, bool is_int)
{
	static const u8 ints[] = {IRP_I_NE,  IRP_I_EQ,  IRP_I_ULE, IRP_I_ULT, IRP_I_UGE,
	                          IRP_I_UGT, IRP_I_SLE, IRP_I_SLT, IRP_I_SGE, IRP_I_SGT};
	/* The bits of a float condition are unordered, less, greater and equal: the negation is their complement. */
	return is_int ? (DagCond)ints[c - IRP_I_EQ] : (DagCond)(c ^ 15);
}

SemFmt       dag_sem_fmt(DagVt vt) { return (SemFmt)dag_sem_type(vt_elem(vt)).fmt; }
static SemOp eval_of(DagOp op) { return (SemOp)dag_op_info[op].eval; }

SemType dag_sem_type(DagVt vt)
{
	if (vt_is_vec(vt))
		return (SemType){0};
	switch (vt_kind(vt)) {
	case VTK_INT: return sem_int_type(vt_bits(vt));
	case VTK_F16: return sem_fp_type(SEM_F16);
	case VTK_BF16: return sem_fp_type(SEM_BF16);
	case VTK_F32: return sem_fp_type(SEM_F32);
	case VTK_F64: return sem_fp_type(SEM_F64);
	default: return (SemType){0};
	}
}

/* A constant of a scalar type, by its bits. */
static DagVal number(Dag *d, DagVt vt, u64 bits) { return vt_is_fp(vt) ? dag_fp(d, vt, bits) : dag_const(d, vt, bits); }

/* ---- integers ---- */

static DagVal fold_wide(Dag *d, DagOp op, DagVt vt, const DagVal *ops)
{
	SemU128 r;
	if (!dag_is_const(d, ops[0]) || !dag_is_const(d, ops[1]))
		return DAG_NONE;
	const DagNode *a = dag_of(d, ops[0]), *b = dag_of(d, ops[1]);
	bool           ok = sem_eval_wide(eval_of(op), vt_bits(vt), u128(a->k[1], a->k[0]), u128(b->k[1], b->k[0]), &r);
	return ok ? dag_const2(d, vt, r.lo, r.hi) : DAG_NONE;
}

/* What sem/ says of x op y where y is a constant, or is x. */
static DagVal by_law(Dag *d, DagOp op, DagVt vt, DagVal x, DagVal y)
{
	u64   k;
	SemIs is = SEM_IS_OPEN;
	if (dag_same(x, y))
		is = sem_with_itself(eval_of(op));
	else if (!dag_may_be_const(d, y))
		return DAG_NONE;
	else if (dag_is_all_ones(d, y))
		is = sem_with_const(eval_of(op), vt_bits(vt) > 64 ? 64 : vt_bits(vt), vt_bits(vt) > 64 ? ~(u64)0 : vt_mask(vt));
	else if (dag_as_const(d, y, &k) && (vt_bits(vt) <= 64 || k <= 1)) /* others are special in 64 bits, and not in more */
		is = sem_with_const(eval_of(op), 64, k);
	switch (is) {
	case SEM_IS_X: return x;
	case SEM_IS_ZERO: return dag_const(d, vt, 0);
	case SEM_IS_ONES: return dag_all_ones(d, vt);
	default: return DAG_NONE;
	}
}

/* What an operand that may be any value makes of the operation: it may be chosen so that the result is that. `at`: which. */
static DagVal of_undef(Dag *d, DagOp op, DagVt vt, u32 at)
{
	switch (op) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_XOR: return dag_undef(d, vt);
	case DAG_MUL:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_AND: return dag_const(d, vt, 0);
	case DAG_SRA: return at ? DAG_NONE : dag_const(d, vt, 0);
	case DAG_OR: return dag_all_ones(d, vt);
	case DAG_UDIV:
	case DAG_SDIV:
	case DAG_UREM:
	case DAG_SREM: return at ? dag_undef(d, vt) : dag_const(d, vt, 0); /* a divisor of 0 may do anything */
	default: return DAG_NONE;
	}
}

static DagVal fold_int(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n)
{
	u64  x[3], r;
	u32  w = vt_bits(vt), known = 0;
	bool wide = w > 64;
	if (n == 2 && (dag_is_undef(d, ops[0]) || dag_is_undef(d, ops[1]))) {
		DagVal v = of_undef(d, op, vt, dag_is_undef(d, ops[0]) ? 0 : 1);
		if (dag_is(v))
			return v;
	}
	if (n == 2 && !dag_may_be_const(d, ops[1])) {
		bool none = !dag_same(ops[0], ops[1]) || sem_with_itself(eval_of(op)) == SEM_IS_OPEN;
		return none ? DAG_NONE : by_law(d, op, vt, ops[0], ops[1]);
	}
	while (known < n && known < PS_COUNT(x) && !wide && dag_as_const(d, ops[known], &x[known]))
		known++;
	if (n && known == n && sem_eval_int(eval_of(op), w, x, n, &r))
		return dag_const(d, vt, r);
	DagVal v = wide && w <= 128 && n == 2 ? fold_wide(d, op, vt, ops) : DAG_NONE;
	return dag_is(v) || n != 2 ? v : by_law(d, op, vt, ops[0], ops[1]);
}

/* ---- comparisons ---- */

static DagVal fold_setcc(Dag *d, DagVt vt, DagVal a, DagVal b, DagCond c)
{
	u64   x, y;
	DagVt of = dag_vt(d, a);
	if (c == IRP_FALSE || c == IRP_TRUE)
		return dag_const(d, vt, c == IRP_TRUE);
	if (vt_bits(of) <= 64 && dag_as_const(d, a, &x) && dag_as_const(d, b, &y))
		return dag_const(d, vt, ir_icmp(c, vt_bits(of), x, y));
	if (dag_as_fp(d, a, &x) && dag_as_fp(d, b, &y))
		return dag_const(d, vt, sem_fcmp(dag_sem_fmt(of), (SemCmp)ir_pred_cmp[c], x, y, 0));
	if (dag_same(a, b) && vt_is_int(of))
		return dag_const(d, vt, ir_icmp(c, 1, 0, 0));
	return DAG_NONE;
}

static DagVal fold_select(Dag *d, const DagVal *ops)
{
	u64 c;
	if (dag_as_const(d, ops[0], &c))
		return c & 1 ? ops[1] : ops[2];
	if (dag_same(ops[1], ops[2]))
		return ops[1];
	if (dag_is_undef(d, ops[1]))
		return ops[2];
	if (dag_is_undef(d, ops[2]) || dag_is_undef(d, ops[0]))
		return ops[1];
	return DAG_NONE;
}

/* ---- conversions ---- */

static DagVal fold_cast(Dag *d, DagOp op, DagVt vt, DagVal a)
{
	DagVt          from = dag_vt(d, a);
	const DagNode *n = dag_of(d, a);
	u64            k;
	if (from == vt && op != DAG_FREEZE)
		return a;
	if (dag_is_undef(d, a))
		return op == DAG_ZERO_EXTEND || op == DAG_SIGN_EXTEND ? dag_const(d, vt, 0) : dag_undef(d, vt);
	if (vt_bits(vt) > 128)
		return DAG_NONE;
	if (n->opcode == DAG_Constant) {
		u32     w = vt_bits(from);
		SemU128 x = {n->k[0], n->k[1]};
		if (op == DAG_SIGN_EXTEND)
			x = u128_sext(x, w);
		if (op == DAG_BITCAST) {
			if (vt_is_vec(vt) || !vt_is_fp(vt))
				return DAG_NONE;
			return dag_fp(d, vt, x.lo);
		}
		return dag_const2(d, vt, x.lo, x.hi);
	}
	if (op == DAG_BITCAST && n->opcode == DAG_ConstantFP && vt_is_sint(vt))
		return dag_const(d, vt, n->k[0]);
	if (op == DAG_BITCAST && n->opcode == DAG_BITCAST)
		return dag_1(d, DAG_BITCAST, vt, dag_operand(d, n, 0));
	if (op != DAG_BITCAST && dag_as_const(d, a, &k) && vt_is_vec(vt) && vt_bits(from) <= 64)
		return dag_const(d, vt, op == DAG_SIGN_EXTEND ? (u64)sem_sext(k, vt_bits(from)) : k);
	/* A truncation of an extended value: that value, extended less or truncated. */
	if (op == DAG_TRUNCATE && (n->opcode == DAG_ZERO_EXTEND || n->opcode == DAG_SIGN_EXTEND || n->opcode == DAG_ANY_EXTEND)) {
		DagVal x = dag_operand(d, n, 0);
		u32    w = vt_bits(dag_vt(d, x));
		return w == vt_bits(vt) ? x : dag_1(d, w < vt_bits(vt) ? (DagOp)n->opcode : DAG_TRUNCATE, vt, x);
	}
	if (op == DAG_TRUNCATE && n->opcode == DAG_TRUNCATE)
		return dag_1(d, DAG_TRUNCATE, vt, dag_operand(d, n, 0));
	if (n->opcode == op && op != DAG_BITCAST)
		return dag_1(d, op, vt, dag_operand(d, n, 0));
	if (op == DAG_SIGN_EXTEND && n->opcode == DAG_ZERO_EXTEND)
		return dag_1(d, DAG_ZERO_EXTEND, vt, dag_operand(d, n, 0));
	if (op == DAG_ANY_EXTEND && (n->opcode == DAG_ZERO_EXTEND || n->opcode == DAG_SIGN_EXTEND))
		return dag_1(d, (DagOp)n->opcode, vt, dag_operand(d, n, 0));
	return DAG_NONE;
}

/* Conversions of floats from and to integers, and between formats. */
static DagVal fold_fp_cast(Dag *d, DagOp op, DagVt vt, DagVal a)
{
	u64   x, r;
	DagVt from = dag_vt(d, a);
	if (from == vt)
		return vt_is_vec(vt) ? DAG_NONE : a;
	if (!dag_as_const(d, a, &x) && !dag_as_fp(d, a, &x))
		return DAG_NONE;
	return sem_eval_cast(eval_of(op), dag_sem_type(from), dag_sem_type(vt), x, &r) ? number(d, vt, r) : DAG_NONE;
}

/* ---- floats ---- */

static DagVal fold_fp(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n)
{
	u64 x[3], r;
	if ((op == DAG_FADD || op == DAG_FSUB || op == DAG_FMUL || op == DAG_FDIV) && !vt_is_vec(vt) &&
	    (dag_is_undef(d, ops[0]) || dag_is_undef(d, ops[1])))
		return dag_fp(d, vt, sem_fmt[dag_sem_fmt(vt)].nan); /* it may be a NaN */
	for (u32 i = 0; i < n; i++)
		if (i >= PS_COUNT(x) || !dag_as_fp(d, ops[i], &x[i]))
			return DAG_NONE;
	return sem_eval_fp_portable(eval_of(op), dag_sem_fmt(vt), x, n, &r) ? dag_fp(d, vt, r) : DAG_NONE;
}

/* ---- vectors ---- */

static DagVal fold_extract(Dag *d, DagVt vt, DagVal v, DagVal index)
{
	u64            i, k;
	const DagNode *n = dag_of(d, v);
	if (dag_is_undef(d, v))
		return dag_undef(d, vt);
	if (!dag_as_const(d, index, &i))
		return DAG_NONE;
	if (i >= vt_lanes(dag_vt(d, v)))
		return dag_undef(d, vt);
	if (n->opcode == DAG_BUILD_VECTOR)
		return dag_operand(d, n, (u32)i);
	if (n->opcode == DAG_INSERT_VECTOR_ELT && dag_as_const(d, dag_operand(d, n, 2), &k))
		return k == i ? dag_operand(d, n, 1) : dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt, dag_operand(d, n, 0), index);
	return DAG_NONE;
}

/* BUILD_VECTOR of the elements of one vector in their order: that vector. Undefined elements may be any. */
static DagVal fold_build(Dag *d, DagVt vt, const DagVal *ops, u32 n)
{
	DagVal from = DAG_NONE;
	bool   undef = true;
	for (u32 i = 0; i < n; i++) {
		const DagNode *x = dag_of(d, ops[i]);
		u64            k;
		if (dag_is_undef(d, ops[i]))
			continue;
		undef = false;
		if (x->opcode != DAG_EXTRACT_VECTOR_ELT || !dag_as_const(d, dag_operand(d, x, 1), &k) || k != i)
			return DAG_NONE;
		DagVal v = dag_operand(d, x, 0);
		if (dag_vt(d, v) != vt || (dag_is(from) && !dag_same(from, v)))
			return DAG_NONE;
		from = v;
	}
	return undef ? dag_undef(d, vt) : from;
}

static DagVal fold_insert(Dag *d, DagVt vt, const DagVal *ops)
{
	const DagNode *n = dag_of(d, ops[0]);
	u64            i;
	u32            lanes = vt_lanes(vt);
	if (!dag_as_const(d, ops[2], &i) || lanes > 64)
		return DAG_NONE;
	if (i >= lanes)
		return dag_undef(d, vt);
	if (n->opcode != DAG_BUILD_VECTOR && !dag_is_undef(d, ops[0]))
		return DAG_NONE;
	DagVal e[64];
	for (u32 k = 0; k < lanes; k++)
		e[k] = n->opcode == DAG_BUILD_VECTOR ? dag_operand(d, n, k) : dag_undef(d, vt_elem(vt));
	e[i] = ops[1];
	return dag_node(d, DAG_BUILD_VECTOR, vt, e, lanes);
}

DagVal dag_fold(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n)
{
	switch (op) {
	case DAG_SETCC: return fold_setcc(d, vt, ops[0], ops[1], (DagCond)dag_of(d, ops[2])->k[0]);
	case DAG_SELECT:
	case DAG_VSELECT: return fold_select(d, ops);
	case DAG_ANY_EXTEND:
	case DAG_SIGN_EXTEND:
	case DAG_ZERO_EXTEND:
	case DAG_TRUNCATE:
	case DAG_BITCAST: return fold_cast(d, op, vt, ops[0]);
	case DAG_FREEZE:
		return dag_is_const(d, ops[0]) || dag_op(d, ops[0]) == DAG_ConstantFP || dag_op(d, ops[0]) == DAG_FREEZE
		               ? ops[0]
		               : DAG_NONE;
	case DAG_SIGN_EXTEND_INREG: {
		u64 a;
		u32 w = vt_bits((DagVt)dag_of(d, ops[1])->k[0]);
		return dag_as_const(d, ops[0], &a) && vt_bits(vt) <= 64 ? dag_const(d, vt, (u64)sem_sext(a, w)) : DAG_NONE;
	}
	case DAG_EXTRACT_VECTOR_ELT: return fold_extract(d, vt, ops[0], ops[1]);
	case DAG_INSERT_VECTOR_ELT: return fold_insert(d, vt, ops);
	case DAG_BUILD_VECTOR: return fold_build(d, vt, ops, n);
	case DAG_EXTRACT_ELEMENT: {
		const DagNode *x = dag_of(d, ops[0]);
		u64            i;
		if (x->opcode == DAG_BUILD_PAIR && dag_as_const(d, ops[1], &i) && dag_vt(d, dag_operand(d, x, (u32)i & 1)) == vt)
			return dag_operand(d, x, (u32)i & 1);
		return DAG_NONE;
	}
	default: break;
	}
	if (eval_of(op) == SEM_OP_none || !n)
		return DAG_NONE;
	if (vt_is_int(vt) && vt_is_int(dag_vt(d, ops[0])))
		return fold_int(d, op, vt, ops, n);
	if (op >= DAG_FP_ROUND && op <= DAG_UINT_TO_FP)
		return fold_fp_cast(d, op, vt, ops[0]);
	return vt_is_fp(vt) ? fold_fp(d, op, vt, ops, n) : DAG_NONE;
}
