/* combine_fp.c: floats: fused multiply-add where contraction is allowed, signs, and what the flags permit.
 *
 *	a * b + c ─▶ fma(a, b, c)     a * b - c ─▶ fma(a, b, -c)     c - a * b ─▶ fma(-a, b, c)
 */
#include "dag/combine.h"
#include "sem/float.h"

static bool may_fuse(const Combiner *c, const DagNode *n)
{
	if (c->f->fp.fusion == FUSE_ALL)
		return true;
	return (n->flags & IRF_CONTRACT) != 0;
}

static bool fuses(Combiner *c, DagVal v, DagVt vt)
{
	const DagNode *n = dag_of(c->d, v);
	if (n->opcode != DAG_FMUL || !may_fuse(c, n))
		return false;
	(void)vt;
	return true;
}

static bool has_fma(const Combiner *c, DagVt vt) { return dag_is_legal_op(c->f, DAG_FMA, vt); }

/* Is it better to fuse although the product has other users? Where the IR allows it, always: the sum need not wait for
 * the product. Where options do, only when all of them fuse too. */
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
static DagVal regrouped_sum(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal z)
{
	Dag *d = c->d;
	if ((!c->f->fp.unsafe && !(n->flags & IRF_REASSOC)) || op_of(c, a) != DAG_FMA || !once(c, a))
		return DAG_NONE;
	DagVal m = dag_arg(d, a, 2);
	if (!fuses(c, m, vt) || !once(c, m))
		return DAG_NONE;
	DagVal inner = dag_3(d, DAG_FMA, vt, dag_arg(d, m, 0), dag_arg(d, m, 1), z);
	return dag_3(d, DAG_FMA, vt, dag_arg(d, a, 0), dag_arg(d, a, 1), inner);
}

static DagVal fused_add(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	if (!has_fma(c, vt) || !may_fuse(c, n))
		return DAG_NONE;
	bool fa = fuses(c, a, vt), fb = fuses(c, b, vt);
	if (fa && (once(c, a) || all_fuse(c, a)) && !(fb && dag_count_uses(d, a) > dag_count_uses(d, b)))
		return dag_3(d, DAG_FMA, vt, dag_arg(d, a, 0), dag_arg(d, a, 1), b);
	if (fb && (once(c, b) || all_fuse(c, b)))
		return dag_3(d, DAG_FMA, vt, dag_arg(d, b, 0), dag_arg(d, b, 1), a);
	DagVal r = regrouped_sum(c, n, vt, a, b);
	return dag_is(r) ? r : regrouped_sum(c, n, vt, b, a);
}

static DagVal fused_sub(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	if (!has_fma(c, vt) || !may_fuse(c, n))
		return DAG_NONE;
	if (fuses(c, a, vt) && (once(c, a) || all_fuse(c, a)))
		return dag_3(d, DAG_FMA, vt, dag_arg(d, a, 0), dag_arg(d, a, 1), dag_1(d, DAG_FNEG, vt, b));
	if (fuses(c, b, vt) && (once(c, b) || all_fuse(c, b)))
		return dag_3(d, DAG_FMA, vt, dag_1(d, DAG_FNEG, vt, dag_arg(d, b, 0)), dag_arg(d, b, 1), a);
	return DAG_NONE;
}

static u64 number(DagVt vt, f64 v)
{
	u64    bits = sem_f64_bits(v);
	SemFmt f = vt_kind(vt) == VTK_F64   ? SEM_F64
	           : vt_kind(vt) == VTK_F32 ? SEM_F32
	           : vt_kind(vt) == VTK_F16 ? SEM_F16
	                                    : SEM_BF16;
	return f == SEM_F64 ? bits : sem_f2f(f, SEM_F64, bits, 0);
}

static bool is_number(Combiner *c, DagVal v, f64 x)
{
	u64 bits;
	return dag_as_fp(c->d, v, &bits) && bits == number(dag_vt(c->d, v), x);
}

static DagVal add(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  bits;
	if (dag_as_fp(d, b, &bits)) {
		/* x + -0 is x; x + 0 is x where the sign of a zero does not matter. */
		if (bits == (u64)1 << (vt_bits(vt) - 1) || (bits == 0 && (n->flags & IRF_NSZ)))
			return a;
	}
	if (op_of(c, b) == DAG_FNEG)
		return dag_2(d, DAG_FSUB, vt, a, dag_arg(d, b, 0));
	if (op_of(c, a) == DAG_FNEG)
		return dag_2(d, DAG_FSUB, vt, b, dag_arg(d, a, 0));
	return fused_add(c, n, vt, a, b);
}

static DagVal sub(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  bits;
	if (dag_as_fp(d, b, &bits) && bits == 0)
		return a;
	if (dag_as_fp(d, a, &bits) && (bits == (u64)1 << (vt_bits(vt) - 1) || (bits == 0 && (n->flags & IRF_NSZ))))
		return dag_1(d, DAG_FNEG, vt, b);
	if (op_of(c, b) == DAG_FNEG)
		return dag_2(d, DAG_FADD, vt, a, dag_arg(d, b, 0));
	return fused_sub(c, n, vt, a, b);
}

static DagVal mul(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	if (is_number(c, b, 1.0))
		return a;
	if (is_number(c, b, -1.0))
		return dag_1(d, DAG_FNEG, vt, a);
	if (is_number(c, b, 2.0) && c->f->optimize)
		return dag_2(d, DAG_FADD, vt, a, a);
	if (op_of(c, a) == DAG_FNEG && op_of(c, b) == DAG_FNEG)
		return dag_2(d, DAG_FMUL, vt, dag_arg(d, a, 0), dag_arg(d, b, 0));
	return DAG_NONE;
}

/* 1 / sqrt(x), where the root or the quotient is approximate anyway. */
static DagVal reciprocal_root(Combiner *c, const DagNode *n, DagVt vt, DagVal b)
{
	static const char *const of[][2] = {{"nvvm.sqrt.approx.f", "nvvm.rsqrt.approx.f"},
	                                    {"nvvm.sqrt.approx.ftz.f", "nvvm.rsqrt.approx.ftz.f"}};
	Dag                     *d = c->d;
	if (!knob_bool(c->f->s, KNOB_nvptx_rsqrt_approx_opt) || !once(c, b))
		return DAG_NONE;
	for (u32 i = 0; i < PS_COUNT(of); i++)
		if (dag_is_intrinsic(d, b, of[i][0])) {
			DagVal x = dag_arg(d, b, 0);
			return dag_pure_intrinsic(d, of[i][1], vt, &x, 1);
		}
	if (op_of(c, b) != DAG_FSQRT)
		return DAG_NONE;
	bool fast = c->f->fp.unsafe || ((n->flags & IRF_ARCP) && (n->flags & IRF_AFN) && (dag_of(d, b)->flags & IRF_AFN));
	bool approx = vt == VT_F32 && !dag_sqrt_rounded(c->f, dag_of(d, b));
	return (vt == VT_F32 || vt == VT_F64) && (fast || approx) ? dag_1(d, DAG_FRSQRT, vt, dag_arg(d, b, 0)) : DAG_NONE;
}

static DagVal div(Combiner *c, const DagNode *n, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  bits;
	if (is_number(c, b, 1.0))
		return a;
	if (is_number(c, a, 1.0)) {
		DagVal r = reciprocal_root(c, n, vt, b);
		if (dag_is(r))
			return r;
	}
	/* The sign outside, where a reciprocal is left. */
	if (is_number(c, a, -1.0) && (vt == VT_F32 || vt == VT_F64))
		return dag_1(d, DAG_FNEG, vt, dag_2(d, DAG_FDIV, vt, dag_fp(d, vt, number(vt, 1.0)), b));
	if (is_number(c, a, 1.0) && op_of(c, b) == DAG_FNEG)
		return dag_1(d, DAG_FNEG, vt, dag_2(d, DAG_FDIV, vt, a, dag_arg(d, b, 0)));
	/* By a power of two, or where reciprocals are allowed: a product. */
	if (dag_as_fp(d, b, &bits) && (vt == VT_F32 || vt == VT_F64)) {
		u32  frac = vt == VT_F64 ? 52 : 23;
		u64  exp = bits >> frac & (vt == VT_F64 ? 0x7FF : 0xFF), top = vt == VT_F64 ? 0x7FE : 0xFE;
		bool exact = (bits & (((u64)1 << frac) - 1)) == 0 && exp > 1 && exp < top - 1;
		if (exact || ((n->flags & IRF_ARCP) && exp && exp < top)) {
			SemFmt f = vt == VT_F64 ? SEM_F64 : SEM_F32;
			return dag_2(d, DAG_FMUL, vt, a, dag_fp(d, vt, sem_fdiv(f, number(vt, 1.0), bits, 0)));
		}
	}
	return DAG_NONE;
}

static DagVal neg(Combiner *c, const DagNode *n, DagVt vt, DagVal a)
{
	Dag *d = c->d;
	if (op_of(c, a) == DAG_FNEG)
		return dag_arg(d, a, 0);
	if (op_of(c, a) == DAG_FSUB && once(c, a) && ((n->flags & IRF_NSZ) || (dag_of(d, a)->flags & IRF_NSZ)))
		return dag_2(d, DAG_FSUB, vt, dag_arg(d, a, 1), dag_arg(d, a, 0));
	u64 bits;
	if (op_of(c, a) == DAG_FMUL && once(c, a) && dag_as_fp(d, dag_arg(d, a, 1), &bits))
		return dag_2(d, DAG_FMUL, vt, dag_arg(d, a, 0), dag_fp(d, vt, bits ^ (u64)1 << (vt_bits(vt) - 1)));
	return DAG_NONE;
}

DagVal combine_fp(Combiner *c, u32 node)
{
	const DagNode *n = dag_at(c->d, node);
	DagVt          vt = n->vt[0];
	DagVal         a = operand_of(c, node, 0), b = dag_n_ops(n) > 1 ? operand_of(c, node, 1) : DAG_NONE;
	switch ((DagOp)n->opcode) {
	case DAG_FADD: return add(c, n, vt, a, b);
	case DAG_FSUB: return sub(c, n, vt, a, b);
	case DAG_FMUL: return mul(c, vt, a, b);
	case DAG_FDIV: return div(c, n, vt, a, b);
	case DAG_FNEG: return neg(c, n, vt, a);
	case DAG_FABS:
		if (op_of(c, a) == DAG_FNEG || op_of(c, a) == DAG_FABS)
			return dag_1(c->d, DAG_FABS, vt, dag_arg(c->d, a, 0));
		return DAG_NONE;
	case DAG_FMA:
		/* A product with a constant operand in front: constants last. */
		if (op_of(c, a) == DAG_ConstantFP && op_of(c, b) != DAG_ConstantFP)
			return dag_3(c->d, DAG_FMA, vt, b, a, operand_of(c, node, 2));
		return DAG_NONE;
	case DAG_FP_ROUND:
		if (op_of(c, a) == DAG_FP_EXTEND && dag_vt(c->d, dag_arg(c->d, a, 0)) == vt)
			return dag_arg(c->d, a, 0);
		return DAG_NONE;
	case DAG_FP_EXTEND:
		if (op_of(c, a) == DAG_FP_EXTEND && !c->legal) /* in two steps where the target has no one of them */
			return dag_1(c->d, DAG_FP_EXTEND, vt, dag_arg(c->d, a, 0));
		return DAG_NONE;
	default: return DAG_NONE;
	}
}
