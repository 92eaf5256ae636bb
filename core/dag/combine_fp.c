/* combine_fp.c: rules on floats that do not fit a row of combine.def: fused multiply-add where contraction is allowed,
 * reciprocals, and rules that look at the bits of constants.
 *
 *	a * b + c ─▶ fma(a, b, c)     a * b - c ─▶ fma(a, b, -c)     c - a * b ─▶ fma(-a, b, c)
 *
 * New nodes have the flags of the node that they replace. Each function takes constant time, but all_fuse looks at all uses of
 * the product. */
#include "dag/combine.h"
#include "dag/lower_row.h"
#include "dag/pattern.h"
#include "sem/float.h"

static bool may_fuse(const Combiner *c, const DagNode *n)
{
	if (c->f->fp.fusion == FUSE_ALL)
		return true;
	return (n->flags & IRF_CONTRACT) != 0;
}

static bool fuses(const Combiner *c, DagVal v) { return op_of(c, v) == DAG_FMUL && may_fuse(c, dag_of(c->d, v)); }

static DagVal made(Combiner *c, const DagNode *n, DagOp op, DagVal a, DagVal b)
{
	return dag_flagged(c->d, op, n->vt[0], (DagVal[]){a, b}, 2, n->flags);
}
static DagVal neg_of(Combiner *c, const DagNode *n, DagVal a) { return dag_flagged(c->d, DAG_FNEG, n->vt[0], &a, 1, n->flags); }
static DagVal fma_of(Combiner *c, const DagNode *n, DagVal x, DagVal y, DagVal z)
{
	return dag_flagged(c->d, DAG_FMA, n->vt[0], (DagVal[]){x, y, z}, 3, n->flags);
}

/* Of bf16 on targets without: one of f32, where the product and the sum would each be rounded. That of f16 would be of f64. */
static bool has_fma(const Combiner *c, DagVt vt) { return dag_is_legal_op(c->f, DAG_FMA, vt) || (vt == VT_BF16 && !c->legal); }

/* Fuse where the product has other users, and stays? Where the IR's flags allow contraction, always: the sum does not wait for
 * the product. Where only options allow it, if all users fuse, so that the product goes. */
static bool all_fuse(Combiner *c, DagVal mul)
{
	Dag *d = c->d;
	if (dag_of(d, mul)->flags & IRF_CONTRACT)
		return true;
	dag_each_use(d, mul.n, u) {
		const DagNode *user = dag_at(d, dag_use(d, u)->user);
		if ((user->opcode != DAG_FADD && user->opcode != DAG_FSUB) || !may_fuse(c, user))
			return false;
	}
	return true;
}

/* fma(x, y, u * v) + z = fma(x, y, fma(u, v, z)), where sums may be regrouped */
static DagVal regrouped_sum(Combiner *c, const DagNode *n, DagVal a, DagVal z)
{
	Dag *d = c->d;
	if ((!c->f->fp.unsafe && !(n->flags & IRF_REASSOC)) || op_of(c, a) != DAG_FMA || !once(c, a))
		return DAG_NONE;
	DagVal m = dag_arg(d, a, 2);
	if (!fuses(c, m) || !once(c, m))
		return DAG_NONE;
	DagVal inner = fma_of(c, n, dag_arg(d, m, 0), dag_arg(d, m, 1), z);
	return fma_of(c, n, dag_arg(d, a, 0), dag_arg(d, a, 1), inner);
}

DagVal combine_fused_add(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	if (!has_fma(c, vt) || !may_fuse(c, n))
		return DAG_NONE;
	bool fa = fuses(c, a), fb = fuses(c, b);
	if (fa && (once(c, a) || all_fuse(c, a)) && !(fb && dag_count_uses(d, a) > dag_count_uses(d, b)))
		return fma_of(c, n, dag_arg(d, a, 0), dag_arg(d, a, 1), b);
	if (fb && (once(c, b) || all_fuse(c, b)))
		return fma_of(c, n, dag_arg(d, b, 0), dag_arg(d, b, 1), a);
	DagVal r = regrouped_sum(c, n, a, b);
	return dag_is(r) ? r : regrouped_sum(c, n, b, a);
}

DagVal combine_fused_sub(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	if (!has_fma(c, vt) || !may_fuse(c, n))
		return DAG_NONE;
	DagVal product = op_of(c, a) == DAG_FNEG && once(c, a) ? dag_arg(d, a, 0) : DAG_NONE; /* -(x * y) - b */
	if (dag_is(product) && fuses(c, product) && once(c, product))
		return fma_of(c, n, neg_of(c, n, dag_arg(d, product, 0)), dag_arg(d, product, 1), neg_of(c, n, b));
	if (fuses(c, a) && (once(c, a) || all_fuse(c, a)))
		return fma_of(c, n, dag_arg(d, a, 0), dag_arg(d, a, 1), neg_of(c, n, b));
	if (fuses(c, b) && (once(c, b) || all_fuse(c, b)))
		return fma_of(c, n, neg_of(c, n, dag_arg(d, b, 0)), dag_arg(d, b, 1), a);
	return DAG_NONE;
}

/* copysign(x, round(y)) ─▶ copysign(x, upper bits of y): rounding keeps the sign, but for a NaN's, which may be either. */
DagVal combine_sign_of_rounded(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal r = operand_of(c, n, 1);
	if (op_of(c, r) != DAG_FP_ROUND || dag_vt(d, r) != vt)
		return DAG_NONE;
	DagVal bits = dag_1(d, DAG_BITCAST, vt_as_int(dag_vt(d, dag_arg(d, r, 0))), dag_arg(d, r, 0));
	for (u32 w = vt_bits(dag_vt(d, bits)) / 2; w >= vt_bits(vt); w /= 2)
		bits = dag_2(d, DAG_EXTRACT_ELEMENT, VT_INT(w), bits, dag_const(d, VT_I32, 1));
	return made(c, n, DAG_FCOPYSIGN, operand_of(c, n, 0), dag_1(d, DAG_BITCAST, vt, bits));
}

static u64 number(DagVt vt, f64 v) { return sem_f2f(dag_sem_fmt(vt), SEM_F64, sem_f64_bits(v), 0); }

static bool is_number(Combiner *c, DagVal v, f64 x)
{
	u64 bits;
	return dag_as_fp(c->d, v, &bits) && bits == number(dag_vt(c->d, v), x);
}

/* 1 / sqrt(x) ─▶ rsqrt(x), where the root or the quotient may be approximate. */
DagVal combine_reciprocal_root(Combiner *c, const DagNode *n)
{
	static const u16 of[][2] = {{DAG_ROW_sqrt_approx, DAG_ROW_rsqrt_approx},
	                            {DAG_ROW_sqrt_approx_ftz, DAG_ROW_rsqrt_approx_ftz}};
	Dag             *d = c->d;
	DagVt            vt = n->vt[0];
	DagVal           b = operand_of(c, n, 1);
	if (!is_number(c, operand_of(c, n, 0), 1.0) || !knob_bool(c->f->s, KNOB_nvptx_rsqrt_approx_opt) || !once(c, b))
		return DAG_NONE;
	for (u32 i = 0; i < PS_COUNT(of); i++)
		if (dag_is_intrinsic(d, b, of[i][0])) {
			DagVal x = dag_arg(d, b, 0);
			return dag_pure_intrinsic(d, of[i][1], vt, &x, 1);
		}
	if (op_of(c, b) != DAG_FSQRT && op_of(c, b) != DAG_FSQRT_APPROX)
		return DAG_NONE;
	u32  root = dag_of(d, b)->flags;
	bool fast = c->f->fp.unsafe || ((n->flags & IRF_ARCP) && (n->flags & IRF_AFN) && (root & IRF_AFN));
	bool approx = vt == VT_F32 &&
	              (!c->f->fp.sqrt_rn || (dag_takes_root_roughly(c->f, root) && dag_divides_roughly(c->f, n->flags)));
	DagVal x = dag_arg(d, b, 0);
	if (fast && (vt == VT_F16 || vt == VT_BF16)) { /* rounded once, at the end */
		x = dag_1(d, DAG_FP_EXTEND, VT_F32, x);
		return dag_1(d, DAG_FP_ROUND, vt, dag_flagged(d, DAG_FRSQRT, VT_F32, &x, 1, n->flags));
	}
	return (vt == VT_F32 || vt == VT_F64) && (fast || approx) ? dag_flagged(d, DAG_FRSQRT, vt, &x, 1, n->flags) : DAG_NONE;
}

/* A float of the low half of a word that has no other bits is one of the word, which need not be cut. */
DagVal combine_int_to_float(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal x = operand_of(c, n, 0), w = dag_arg(d, x, 0);
	u64    lost = vt_mask(VT_I32) & ~vt_mask(dag_vt(d, x));
	if (dag_vt(d, w) != VT_I32)
		return DAG_NONE;
	bool whole =
		n->opcode == DAG_UINT_TO_FP ? dag_masked_zero(d, w, lost) : dag_sign_bits(d, w, 0) > 32 - vt_bits(dag_vt(d, x));
	return whole ? dag_flagged(d, (DagOp)n->opcode, n->vt[0], &w, 1, n->flags) : DAG_NONE;
}

/* The float of a comparison's result, which a number of more bits has: one or the other. */
DagVal combine_truth_to_float(Combiner *c, const DagNode *n)
{
	DagVal x = operand_of(c, n, 0), p = dag_arg(c->d, x, 0);
	bool   by_sign = op_of(c, x) == DAG_SIGN_EXTEND;
	if (op_of(c, p) != DAG_SETCC || dag_vt(c->d, p) != VT_I1 || (by_sign && n->opcode == DAG_UINT_TO_FP))
		return DAG_NONE;
	return dag_truth_as_fp(c->d, n->vt[0], p, by_sign);
}

/* max(fma(x, y, z), 0) of halves is one instruction, which has NaN for NaN and +0 for -0. */
DagVal combine_fma_relu(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	DagVt  vt = n->vt[0];
	u64    bits;
	if (!vt_is_half(vt) || !once(c, a) || !dag_as_fp(d, operand_of(c, n, 1), &bits) || bits ||
	    !dag_has_pattern(c->f, DAG_FMA_RELU, vt))
		return DAG_NONE;
	u32  flags = n->flags | dag_of(d, a)->flags;
	bool is_same = n->opcode == DAG_FMAXNUM ? (flags & IRF_NNAN) || c->f->fp.no_nans : (n->flags & IRF_NSZ) != 0;
	if (!is_same)
		return DAG_NONE;
	return dag_flagged(d, DAG_FMA_RELU, vt, (DagVal[]){dag_arg(d, a, 0), dag_arg(d, a, 1), dag_arg(d, a, 2)}, 3, n->flags);
}

/* Divisions and roots of f32 become approximate ones where options, the function or the afn flag allow it, and those of halves,
 * which are computed in f32. */
static bool computed_in_f32(DagVt vt) { return vt_kind(vt) == VTK_F32 || vt_is_half(vt); }

DagVal combine_approximate_quotient(Combiner *c, const DagNode *n)
{
	bool rough = computed_in_f32(n->vt[0]) && dag_divides_roughly(c->f, n->flags);
	return rough ? made(c, n, DAG_FDIV_APPROX, operand_of(c, n, 0), operand_of(c, n, 1)) : DAG_NONE;
}

DagVal combine_approximate_root(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	bool   rough = computed_in_f32(n->vt[0]) && dag_takes_root_roughly(c->f, n->flags);
	return rough ? dag_flagged(c->d, DAG_FSQRT_APPROX, n->vt[0], &a, 1, n->flags) : DAG_NONE;
}

/* x rem y ─▶ x - trunc(x / y) * y with an approximate quotient, or where y is not infinite; x where it is. */
DagVal combine_approximate_remainder(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal x = operand_of(c, n, 0), y = operand_of(c, n, 1);
	bool   rough = vt == VT_F32 && (c->f->fp.unsafe || (n->flags & IRF_AFN)) && dag_divides_roughly(c->f, n->flags);
	u64    bits;
	bool   known = (vt == VT_F32 || vt == VT_F64) && dag_as_fp(d, y, &bits);
	bool   finite = (n->flags & IRF_NINF) || (known && !sem_is_inf(dag_sem_fmt(vt), bits));
	if (!rough && ((vt != VT_F32 && vt != VT_F64) || !finite))
		return DAG_NONE;
	DagVal q = made(c, n, rough ? DAG_FDIV_APPROX : DAG_FDIV, x, y);
	q = dag_flagged(d, DAG_FTRUNC, vt, &q, 1, n->flags);
	DagVal from[] = {q, y, x}, *negated = &from[known];
	*negated = dag_flagged(d, DAG_FNEG, vt, negated, 1, n->flags);
	DagVal r = dag_flagged(d, DAG_FMA, vt, from, 3, n->flags);
	if (finite || c->f->fp.unsafe)
		return r;
	DagVal size = dag_1(d, DAG_FABS, vt, y);
	return dag_3(d, DAG_SELECT, vt, dag_setcc(d, size, dag_fp(d, vt, sem_inf(dag_sem_fmt(vt), false)), IRP_OEQ), x, r);
}

/* 2^x of halves without f32 between, where the error may be larger than the rounding. */
DagVal combine_approximate_power(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	DagVt  vt = n->vt[0];
	bool   rough = vt_is_half(vt) && (c->f->fp.unsafe || (n->flags & IRF_AFN)) && dag_is_legal_op(c->f, DAG_FEXP2_APPROX, vt);
	return rough ? dag_flagged(c->d, DAG_FEXP2_APPROX, vt, &a, 1, n->flags) : DAG_NONE;
}

/* -1 / x ─▶ -(1 / x), so that selection finds a reciprocal. Where quotients are not flushed and signs are, it stays. */
DagVal combine_divided_minus_one(Combiner *c, const DagNode *n)
{
	DagVt vt = n->vt[0];
	if (vt == VT_F32 && c->f->fp.ftz && c->f->fp.div == 3)
		return DAG_NONE;
	if ((vt != VT_F32 && vt != VT_F64) || !is_number(c, operand_of(c, n, 0), -1.0))
		return DAG_NONE;
	return neg_of(c, n, made(c, n, DAG_FDIV, dag_fp(c->d, vt, number(vt, 1.0)), operand_of(c, n, 1)));
}

/* x / k ─▶ x * (1 / k), where 1 / k is exact, or arcp allows a rounded one. */
DagVal combine_divide_by_const(Combiner *c, const DagNode *n)
{
	DagVt vt = n->vt[0];
	u64   bits;
	if (!dag_as_fp(c->d, operand_of(c, n, 1), &bits))
		return DAG_NONE;
	SemFmt f = dag_sem_fmt(vt);
	u32    frac = sem_fmt[f].mantissa;
	u64    top = sem_mask(sem_fmt[f].exponent) - 1, exp = bits >> frac & (top + 1);
	bool   exact = sem_zext(bits, frac) == 0 && exp > 1 && exp < top - 1;
	if (!exact && !((n->flags & IRF_ARCP) && exp && exp < top))
		return DAG_NONE;
	return made(c, n, DAG_FMUL, operand_of(c, n, 0), dag_fp(c->d, vt, sem_fdiv(f, number(vt, 1.0), bits, 0)));
}

static bool is_quotient_by(const Combiner *c, const DagNode *n, DagVal divisor)
{
	return (n->opcode == DAG_FDIV || n->opcode == DAG_FDIV_APPROX) && ((n->flags & IRF_ARCP) || c->f->fp.unsafe) &&
	       dag_same(operand_of(c, n, 1), divisor);
}

/* x / z and y / z ─▶ x * (1 / z) and y * (1 / z), where arcp allows two roundings: one division instead of several. */
DagVal combine_repeated_quotient(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal z = operand_of(c, n, 1), one = dag_fp(d, vt, number(vt, 1.0));
	if ((vt != VT_F32 && vt != VT_F64) || !is_quotient_by(c, n, z) || is_number(c, operand_of(c, n, 0), 1.0) ||
	    op_of(c, z) == DAG_ConstantFP)
		return DAG_NONE;
	dag_each_use(d, z.n, u)
		if (dag_use(d, u)->user != n->id && is_quotient_by(c, dag_at(d, dag_use(d, u)->user), z))
			return made(c, n, DAG_FMUL, operand_of(c, n, 0), made(c, n, DAG_FDIV, one, z));
	return DAG_NONE;
}

/* -(x * k) is x * -k */
DagVal combine_negated_product(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    bits;
	if (op_of(c, a) != DAG_FMUL || !once(c, a) || !dag_as_fp(c->d, dag_arg(c->d, a, 1), &bits))
		return DAG_NONE;
	SemFmt f = dag_sem_fmt(n->vt[0]);
	return made(c, n, DAG_FMUL, dag_arg(c->d, a, 0), dag_fp(c->d, n->vt[0], sem_fneg(f, bits)));
}

/* fma(k, x, y) ─▶ fma(x, k, y), so that later rules and patterns find constants second. */
DagVal combine_fma_const(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	return op_of(c, a) == DAG_ConstantFP && op_of(c, b) != DAG_ConstantFP ? fma_of(c, n, b, a, operand_of(c, n, 2))
	                                                                      : DAG_NONE;
}
