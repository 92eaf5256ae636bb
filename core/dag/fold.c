/* fold.c: what is known at once when a node is made: results on constants, and operands that change nothing.
 *
 * Values come from sem/. An operation that IR leaves undefined (division by zero, a shift past the width) is
 * not folded where the machine would trap or differ; it is poison otherwise, and becomes undef. */
#include "dag/dag.h"
#include "sem/float.h"

DagCond dag_cond_swap(DagCond c)
{
	static const u8 of[IRP_COUNT] = {
		IRP_FALSE, IRP_OEQ,   IRP_OLT,   IRP_OLE,   IRP_OGT,   IRP_OGE,   IRP_ONE,   IRP_ORD,   IRP_UNO,
		IRP_UEQ,   IRP_ULT,   IRP_ULE,   IRP_UGT,   IRP_UGE,   IRP_UNE,   IRP_TRUE,  IRP_I_EQ,  IRP_I_NE,
		IRP_I_ULT, IRP_I_ULE, IRP_I_UGT, IRP_I_UGE, IRP_I_SLT, IRP_I_SLE, IRP_I_SGT, IRP_I_SGE,
	};
	return (DagCond)of[c];
}

DagCond dag_cond_not(DagCond c, bool is_int)
{
	static const u8 ints[] = {IRP_I_NE,  IRP_I_EQ,  IRP_I_ULE, IRP_I_ULT, IRP_I_UGE,
	                          IRP_I_UGT, IRP_I_SLE, IRP_I_SLT, IRP_I_SGE, IRP_I_SGT};
	/* Floats: the bits are unordered, less, greater, equal. */
	return is_int ? (DagCond)ints[c - IRP_I_EQ] : (DagCond)(c ^ 15);
}

static SemFmt fmt_of(DagVt vt)
{
	return vt_kind(vt) == VTK_F64 ? SEM_F64 : vt_kind(vt) == VTK_F32 ? SEM_F32 : vt_kind(vt) == VTK_F16 ? SEM_F16 : SEM_BF16;
}

/* ---- integers ---- */

static bool int_binary(DagOp op, u32 w, u64 a, u64 b, u64 *r)
{
	switch (op) {
	case DAG_ADD: *r = sem_add(w, a, b); return true;
	case DAG_SUB: *r = sem_sub(w, a, b); return true;
	case DAG_MUL: *r = sem_mul(w, a, b); return true;
	case DAG_SDIV: *r = sem_sdiv(w, a, b); return sem_sdiv_defined(w, a, b);
	case DAG_UDIV: *r = sem_udiv(w, a, b); return sem_udiv_defined(b);
	case DAG_SREM: *r = sem_srem(w, a, b); return sem_sdiv_defined(w, a, b);
	case DAG_UREM: *r = sem_urem(a, b); return sem_udiv_defined(b);
	case DAG_MULHU: *r = sem_umulhi(w, a, b); return true;
	case DAG_MULHS: *r = sem_smulhi(w, a, b); return true;
	case DAG_AND: *r = a & b; return true;
	case DAG_OR: *r = a | b; return true;
	case DAG_XOR: *r = a ^ b; return true;
	case DAG_SHL: *r = sem_shl(w, a, b); return b < w;
	case DAG_SRL: *r = sem_lshr(w, a, b); return b < w;
	case DAG_SRA: *r = sem_ashr(w, a, b); return b < w;
	case DAG_ROTL: *r = sem_fshl(w, a, a, b); return true;
	case DAG_ROTR: *r = sem_fshr(w, a, a, b); return true;
	case DAG_SMIN: *r = sem_smin2(w, a, b); return true;
	case DAG_SMAX: *r = sem_smax2(w, a, b); return true;
	case DAG_UMIN: *r = sem_umin(a, b); return true;
	case DAG_UMAX: *r = sem_umax(a, b); return true;
	case DAG_UADDSAT: *r = sem_uadd_sat(w, a, b); return true;
	case DAG_SADDSAT: *r = sem_sadd_sat(w, a, b); return true;
	case DAG_USUBSAT: *r = sem_usub_sat(w, a, b); return true;
	case DAG_SSUBSAT: *r = sem_ssub_sat(w, a, b); return true;
	default: return false;
	}
}

static bool int_unary(DagOp op, u32 w, u64 a, u64 *r)
{
	switch (op) {
	case DAG_ABS: *r = sem_abs(w, a); return true;
	case DAG_CTLZ: *r = sem_clz(w, a); return true;
	case DAG_CTTZ: *r = sem_ctz(w, a); return true;
	case DAG_CTPOP: *r = sem_popc(a); return true;
	case DAG_BSWAP: *r = sem_bswap(w, a); return w % 16 == 0;
	case DAG_BITREVERSE: *r = sem_brev(w, a); return true;
	default: return false;
	}
}

static DagVal wide_binary(Dag *d, DagOp op, DagVt vt, const DagNode *a, const DagNode *b)
{
	SemU128 x = {a->k[0], a->k[1]}, y = {b->k[0], b->k[1]}, r;
	switch (op) {
	case DAG_ADD: r = u128_add(x, y); break;
	case DAG_SUB: r = u128_sub(x, y); break;
	case DAG_MUL: r = u128_mul(x, y); break;
	case DAG_AND: r = u128_and(x, y); break;
	case DAG_OR: r = u128_or(x, y); break;
	case DAG_XOR: r = u128_xor(x, y); break;
	case DAG_SHL:
		if (y.hi || y.lo >= vt_bits(vt))
			return DAG_NONE;
		r = u128_shl(x, (u32)y.lo);
		break;
	case DAG_SRL:
		if (y.hi || y.lo >= vt_bits(vt))
			return DAG_NONE;
		r = u128_shr(x, (u32)y.lo);
		break;
	default: return DAG_NONE;
	}
	return dag_const2(d, vt, r.lo, r.hi);
}

static DagVal fold_int(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n)
{
	u32 w = vt_bits(vt);
	u64 a, b, r;
	if (w > 128)
		return DAG_NONE;
	if (w > 64) {
		if (n == 2 && dag_is_const(d, ops[0]) && dag_is_const(d, ops[1]))
			return wide_binary(d, op, vt, dag_of(d, ops[0]), dag_of(d, ops[1]));
		return DAG_NONE;
	}
	if (n == 2 && dag_as_const(d, ops[0], &a) && dag_as_const(d, ops[1], &b) && int_binary(op, w, a, b, &r))
		return dag_const(d, vt, r);
	if (n == 1 && dag_as_const(d, ops[0], &a) && int_unary(op, w, a, &r))
		return dag_const(d, vt, r);
	return DAG_NONE;
}

/* An operand that makes the other the result, or the result itself. */
static DagVal identity(Dag *d, DagOp op, DagVt vt, DagVal a, DagVal b)
{
	if (!dag_may_be_const(d, b) && !dag_same(a, b))
		return DAG_NONE;
	bool zero = dag_is_zero(d, b), ones = dag_is_all_ones(d, b);
	switch (op) {
	case DAG_ADD:
	case DAG_OR:
	case DAG_XOR:
	case DAG_SUB:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA:
	case DAG_ROTL:
	case DAG_ROTR:
		if (zero)
			return a;
		if (op == DAG_OR && (ones || dag_same(a, b)))
			return b;
		if ((op == DAG_XOR || op == DAG_SUB) && dag_same(a, b))
			return dag_const(d, vt, 0);
		return DAG_NONE;
	case DAG_AND:
		if (ones || dag_same(a, b))
			return a;
		return zero ? b : DAG_NONE;
	case DAG_MUL:
		if (zero)
			return b;
		return dag_is_const_of(d, b, 1) ? a : DAG_NONE;
	case DAG_MULHU: return zero || dag_is_const_of(d, b, 1) ? dag_const(d, vt, 0) : DAG_NONE;
	case DAG_UDIV:
	case DAG_SDIV: return dag_is_const_of(d, b, 1) && vt_bits(vt) > 1 ? a : DAG_NONE;
	case DAG_UREM:
	case DAG_SREM: return dag_is_const_of(d, b, 1) && vt_bits(vt) > 1 ? dag_const(d, vt, 0) : DAG_NONE;
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_UMIN:
	case DAG_UMAX: return dag_same(a, b) ? a : DAG_NONE;
	default: return DAG_NONE;
	}
}

/* ---- comparisons ---- */

static SemCmp sem_cmp(DagCond c, bool *is_signed)
{
	static const u8 of[IRP_COUNT] = {
		[IRP_OEQ] = SEM_EQ,   [IRP_OGT] = SEM_GT,   [IRP_OGE] = SEM_GE,   [IRP_OLT] = SEM_LT,   [IRP_OLE] = SEM_LE,
		[IRP_ONE] = SEM_NE,   [IRP_ORD] = SEM_NUM,  [IRP_UNO] = SEM_NAN,  [IRP_UEQ] = SEM_EQU,  [IRP_UGT] = SEM_GTU,
		[IRP_UGE] = SEM_GEU,  [IRP_ULT] = SEM_LTU,  [IRP_ULE] = SEM_LEU,  [IRP_UNE] = SEM_NEU,  [IRP_I_EQ] = SEM_EQ,
		[IRP_I_NE] = SEM_NE,  [IRP_I_UGT] = SEM_GT, [IRP_I_UGE] = SEM_GE, [IRP_I_ULT] = SEM_LT, [IRP_I_ULE] = SEM_LE,
		[IRP_I_SGT] = SEM_GT, [IRP_I_SGE] = SEM_GE, [IRP_I_SLT] = SEM_LT, [IRP_I_SLE] = SEM_LE,
	};
	*is_signed = c >= IRP_I_SGT;
	return (SemCmp)of[c];
}

static DagVal fold_setcc(Dag *d, DagVt vt, DagVal a, DagVal b, DagCond c)
{
	u64   x, y;
	bool  is_signed;
	DagVt of = dag_vt(d, a);
	if (c == IRP_FALSE || c == IRP_TRUE)
		return dag_const(d, vt, c == IRP_TRUE);
	SemCmp cmp = sem_cmp(c, &is_signed);
	if (vt_bits(of) <= 64 && dag_as_const(d, a, &x) && dag_as_const(d, b, &y))
		return dag_const(d, vt, sem_icmp(cmp, vt_bits(of), is_signed, x, y));
	if (dag_as_fp(d, a, &x) && dag_as_fp(d, b, &y))
		return dag_const(d, vt, sem_fcmp(fmt_of(of), cmp, x, y, 0));
	if (dag_same(a, b) && vt_is_int(of))
		return dag_const(d, vt, c == IRP_I_EQ || c == IRP_I_UGE || c == IRP_I_ULE || c == IRP_I_SGE || c == IRP_I_SLE);
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
			x = u128_sar(u128_shl(x, 128 - w), 128 - w);
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
	/* Extensions of extensions, truncations of either. */
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

static DagVal fold_fp_cast(Dag *d, DagOp op, DagVt vt, DagVal a)
{
	u64   x;
	DagVt from = dag_vt(d, a);
	if (vt_is_vec(vt))
		return DAG_NONE;
	switch (op) {
	case DAG_FP_ROUND:
	case DAG_FP_EXTEND:
		if (from == vt)
			return a;
		return dag_as_fp(d, a, &x) ? dag_fp(d, vt, sem_f2f(fmt_of(vt), fmt_of(from), x, 0)) : DAG_NONE;
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP:
		if (vt_bits(from) > 64 || !dag_as_const(d, a, &x))
			return DAG_NONE;
		return dag_fp(d, vt, sem_i2f(fmt_of(vt), vt_bits(from), op == DAG_SINT_TO_FP, x, 0));
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
		if (vt_bits(vt) > 64 || !dag_as_fp(d, a, &x) ||
		    !sem_f2i_defined(vt_bits(vt), op == DAG_FP_TO_SINT, fmt_of(from), x))
			return DAG_NONE;
		return dag_const(d, vt, sem_f2i(vt_bits(vt), op == DAG_FP_TO_SINT, fmt_of(from), x, SEM_RZ));
	default: return DAG_NONE;
	}
}

/* ---- floats ---- */

static DagVal fold_fp(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n)
{
	SemFmt f = fmt_of(vt);
	u64    x, y, z;
	if (n >= 1 && !dag_as_fp(d, ops[0], &x))
		return DAG_NONE;
	if (n >= 2 && !dag_as_fp(d, ops[1], &y))
		return DAG_NONE;
	if (n >= 3 && !dag_as_fp(d, ops[2], &z))
		return DAG_NONE;
	if (op == DAG_FNEG)
		return dag_fp(d, vt, sem_fneg(f, x));
	if (op == DAG_FABS)
		return dag_fp(d, vt, sem_fabs(f, x));
	if (op == DAG_FCOPYSIGN)
		return dag_fp(d, vt, sem_copysign(f, x, y));
	if (sem_is_nan(f, x) || (n >= 2 && sem_is_nan(f, y)) || (n >= 3 && sem_is_nan(f, z)))
		return DAG_NONE;
	/* Subnormals are left to the machine: it may flush them. */
	if (sem_is_subnormal(f, x) || (n >= 2 && sem_is_subnormal(f, y)) || (n >= 3 && sem_is_subnormal(f, z)))
		return DAG_NONE;
	u64 r;
	switch (op) {
	case DAG_FADD: r = sem_fadd(f, x, y, 0); break;
	case DAG_FSUB: r = sem_fsub(f, x, y, 0); break;
	case DAG_FMUL: r = sem_fmul(f, x, y, 0); break;
	case DAG_FDIV: r = sem_fdiv(f, x, y, 0); break;
	case DAG_FMA: r = sem_ffma(f, x, y, z, 0); break;
	case DAG_FMINNUM: r = sem_fmin(f, x, y, 0); break;
	case DAG_FMAXNUM: r = sem_fmax(f, x, y, 0); break;
	case DAG_FCEIL: r = sem_frint(f, x, SEM_RP); break;
	case DAG_FFLOOR: r = sem_frint(f, x, SEM_RM); break;
	case DAG_FTRUNC: r = sem_frint(f, x, SEM_RZ); break;
	default: return DAG_NONE;
	}
	return sem_is_subnormal(f, r) || sem_is_nan(f, r) ? DAG_NONE : dag_fp(d, vt, r);
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

/* The vector itself, element by element. */
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

DagVal dag_fold(Dag *d, DagOp op, DagVt vt, const DagVal *ops, u32 n, u16 flags)
{
	(void)flags;
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
	case DAG_BFE_U: {
		u64 a, pos, len;
		if (vt_bits(vt) > 64 || !dag_as_const(d, ops[0], &a) || !dag_as_const(d, ops[1], &pos) ||
		    !dag_as_const(d, ops[2], &len))
			return DAG_NONE;
		return dag_const(d, vt, sem_bfe_u(vt_bits(vt), a, pos, len));
	}
	case DAG_EXTRACT_VECTOR_ELT: return fold_extract(d, vt, ops[0], ops[1]);
	case DAG_INSERT_VECTOR_ELT: return fold_insert(d, vt, ops);
	case DAG_BUILD_VECTOR: return fold_build(d, vt, ops, n);
	case DAG_EXTRACT_ELEMENT: {
		const DagNode *x = dag_of(d, ops[0]);
		u64            i;
		if (x->opcode == DAG_BUILD_PAIR && dag_as_const(d, ops[1], &i))
			return dag_operand(d, x, (u32)i & 1);
		return DAG_NONE;
	}
	default: break;
	}
	if (op == DAG_FP_ROUND || op == DAG_FP_EXTEND || (op >= DAG_FP_TO_SINT && op <= DAG_UINT_TO_FP))
		return n == 1 ? fold_fp_cast(d, op, vt, ops[0]) : DAG_NONE;
	if (vt_is_fp(vt) && op >= DAG_FADD && op <= DAG_FCANONICALIZE && n && vt_is_fp(dag_vt(d, ops[0])))
		return fold_fp(d, op, vt, ops, n);
	if (!vt_is_int(vt) || !(dag_op_info[op].flags & DOF_ELEMENTWISE))
		return DAG_NONE;
	DagVal r = fold_int(d, op, vt, ops, n);
	if (!dag_is(r) && n == 2)
		r = identity(d, op, vt, ops[0], ops[1]);
	return r;
}
