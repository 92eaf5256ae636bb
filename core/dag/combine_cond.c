/* combine_cond.c: comparisons, selections and the branches on them.
 *
 *	5 > x ─▶ x < 5          x >= 6 ─▶ x > 5         c ? 1 : 0 ─▶ zext c
 *	c ? x : false ─▶ c & x  a < b ? a : b ─▶ min    (a ^ b) == 0 ─▶ a == b
 */
#include "dag/combine.h"
#include "sem/int.h"

static DagVal rhs_const(Combiner *c, DagVal a, DagVal b, DagCond cc, DagVt vt, u64 v)
{
	Dag *d = c->d;
	u32  w = vt_bits(vt);
	u64  mask = sem_mask(w), smin = sem_smin(w), smax = sem_smax(w);
	/* >= and <= become > and <, which say it with one constant less. */
	switch (cc) {
	case IRP_I_UGE: return v == 0 ? dag_const(d, VT_I1, 1) : dag_setcc(d, a, dag_const(d, vt, v - 1), IRP_I_UGT);
	case IRP_I_ULE: return v == mask ? dag_const(d, VT_I1, 1) : dag_setcc(d, a, dag_const(d, vt, v + 1), IRP_I_ULT);
	case IRP_I_SGE: return v == smin ? dag_const(d, VT_I1, 1) : dag_setcc(d, a, dag_const(d, vt, v - 1), IRP_I_SGT);
	case IRP_I_SLE: return v == smax ? dag_const(d, VT_I1, 1) : dag_setcc(d, a, dag_const(d, vt, v + 1), IRP_I_SLT);
	case IRP_I_ULT:
		if (v == 0)
			return dag_const(d, VT_I1, 0);
		if (v == 1)
			return dag_setcc(d, a, dag_const(d, vt, 0), IRP_I_EQ);
		break;
	case IRP_I_UGT:
		if (v == mask)
			return dag_const(d, VT_I1, 0);
		if (v == 0)
			return dag_setcc(d, a, b, IRP_I_NE);
		break;
	case IRP_I_SLT:
		if (v == smin)
			return dag_const(d, VT_I1, 0);
		break;
	case IRP_I_SGT:
		if (v == smax)
			return dag_const(d, VT_I1, 0);
		break;
	default: break;
	}
	return DAG_NONE;
}

static DagVal equality(Combiner *c, DagVal a, DagVal b, DagCond cc, u64 v)
{
	Dag  *d = c->d;
	DagVt vt = dag_vt(d, a);
	u64   x;
	if (vt == VT_I1) {
		bool same = (v == 1) == (cc == IRP_I_EQ);
		return same ? a : dag_not(d, a);
	}
	if (v == 0 && (op_of(c, a) == DAG_XOR || op_of(c, a) == DAG_SUB) && once(c, a))
		return dag_setcc(d, dag_arg(d, a, 0), dag_arg(d, a, 1), cc);
	/* A predicate made a number, compared with 0 or 1. */
	if (op_of(c, a) == DAG_ZERO_EXTEND && dag_vt(d, dag_arg(d, a, 0)) == VT_I1) {
		if (v > 1)
			return dag_const(d, VT_I1, cc == IRP_I_NE);
		DagVal p = dag_arg(d, a, 0);
		return (v == 1) == (cc == IRP_I_EQ) ? p : dag_not(d, p);
	}
	if (op_of(c, a) == DAG_SIGN_EXTEND && dag_vt(d, dag_arg(d, a, 0)) == VT_I1) {
		if (v && v != vt_mask(vt))
			return dag_const(d, VT_I1, cc == IRP_I_NE);
		DagVal p = dag_arg(d, a, 0);
		return (v != 0) == (cc == IRP_I_EQ) ? p : dag_not(d, p);
	}
	/* Of an extension: compared before it. */
	DagOp op = op_of(c, a);
	if ((op == DAG_ZERO_EXTEND || op == DAG_SIGN_EXTEND) && once(c, a)) {
		DagVal in = dag_arg(d, a, 0);
		DagVt  from = dag_vt(d, in);
		u64    back =
                        op == DAG_ZERO_EXTEND ? v & vt_mask(from) : (u64)sem_sext(v & vt_mask(from), vt_bits(from)) & vt_mask(vt);
		if (dag_is_legal_vt(from) && back == v)
			return dag_setcc(d, in, dag_const(d, from, v), cc);
	}
	if (op == DAG_AND && v && dag_as_const(d, dag_arg(d, a, 1), &x) && x == v && (v & (v - 1)) == 0 && c->legal == false &&
	    v != 1)
		return dag_setcc(d, a, dag_const(d, vt, 0), cc == IRP_I_EQ ? IRP_I_NE : IRP_I_EQ);
	(void)b;
	return DAG_NONE;
}

/* Numbers cut from wider registers that lost nothing by it: compared there. */
static DagVal before_truncation(Combiner *c, DagVal a, DagVal b, DagCond cc)
{
	Dag  *d = c->d;
	DagVt vt = dag_vt(d, a);
	u64   v;
	bool  is_const = dag_as_const(d, b, &v);
	if (vt == VT_I1 || op_of(c, a) != DAG_TRUNCATE || !(is_const || op_of(c, b) == DAG_TRUNCATE))
		return DAG_NONE;
	DagVal x = dag_arg(d, a, 0);
	DagVt  of = dag_vt(d, x);
	if (!dag_is_legal_vt(of) || vt_bits(of) > 32 || (!is_const && dag_vt(d, dag_arg(d, b, 0)) != of))
		return DAG_NONE;
	DagVal y = is_const ? DAG_NONE : dag_arg(d, b, 0);
	u32    lost = vt_bits(of) - vt_bits(vt);
	u64    above = vt_mask(of) & ~vt_mask(vt);
	bool   is_signed = cc >= IRP_I_SGT;
	if (!is_signed && dag_masked_zero(d, x, above) && (is_const || dag_masked_zero(d, y, above)))
		return dag_setcc(d, x, is_const ? dag_const(d, of, v & vt_mask(vt)) : y, cc);
	bool eq = cc == IRP_I_EQ || cc == IRP_I_NE;
	if ((is_signed || eq) && dag_sign_bits(d, x, 0) > lost && (is_const || dag_sign_bits(d, y, 0) > lost))
		return dag_setcc(d, x, is_const ? dag_const(d, of, (u64)sem_sext(v, vt_bits(vt))) : y, cc);
	return DAG_NONE;
}

static DagVal setcc(Combiner *c, u32 node)
{
	Dag    *d = c->d;
	DagVal  a = operand_of(c, node, 0), b = operand_of(c, node, 1);
	DagCond cc = (DagCond)dag_of(d, operand_of(c, node, 2))->k[0];
	DagVt   vt = dag_vt(d, a);
	u64     v;
	if (vt_is_vec(vt))
		return DAG_NONE;
	bool ka = dag_is_const(d, a) || op_of(c, a) == DAG_ConstantFP, kb = dag_is_const(d, b) || op_of(c, b) == DAG_ConstantFP;
	if (ka && !kb)
		return dag_setcc(d, b, a, dag_cond_swap(cc));
	if (!vt_is_int(vt) || vt_bits(vt) > 64)
		return DAG_NONE;
	DagVal wide = before_truncation(c, a, b, cc);
	if (dag_is(wide))
		return wide;
	if (dag_as_const(d, b, &v)) {
		DagVal r = vt == VT_I1 ? DAG_NONE : rhs_const(c, a, b, cc, vt, v);
		if (dag_is(r))
			return r;
		if (cc == IRP_I_EQ || cc == IRP_I_NE)
			return equality(c, a, b, cc, v);
	}
	return DAG_NONE;
}

/* ---- selections ---- */

static DagVal select_predicate(Combiner *c, DagVal p, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  x;
	if (dag_as_const(d, a, &x))
		return x ? dag_2(d, DAG_OR, VT_I1, p, b) : dag_2(d, DAG_AND, VT_I1, dag_not(d, p), b);
	if (dag_as_const(d, b, &x))
		return x ? dag_2(d, DAG_OR, VT_I1, dag_not(d, p), a) : dag_2(d, DAG_AND, VT_I1, p, a);
	if (dag_same(p, a))
		return dag_2(d, DAG_OR, VT_I1, p, b);
	if (dag_same(p, b))
		return dag_2(d, DAG_AND, VT_I1, p, a);
	return DAG_NONE;
}

static DagVal select_numbers(Combiner *c, DagVal p, DagVt vt, u64 x, u64 y)
{
	Dag *d = c->d;
	u64  m = vt_mask(vt);
	if (x == 1 && y == 0)
		return dag_1(d, DAG_ZERO_EXTEND, vt, p);
	if (x == m && y == 0)
		return dag_1(d, DAG_SIGN_EXTEND, vt, p);
	if (x == 0 && y == 1)
		return dag_1(d, DAG_ZERO_EXTEND, vt, dag_not(d, p));
	if (x == 0 && y == m)
		return dag_1(d, DAG_SIGN_EXTEND, vt, dag_not(d, p));
	return DAG_NONE;
}

static DagVal min_max(Combiner *c, DagVt vt, DagVal p, DagVal a, DagVal b)
{
	Dag    *d = c->d;
	DagVal  l = dag_arg(d, p, 0), r = dag_arg(d, p, 1);
	DagCond cc = (DagCond)dag_of(d, dag_arg(d, p, 2))->k[0];
	if (dag_vt(d, l) != vt || !once(c, p))
		return DAG_NONE;
	bool same = dag_same(l, a) && dag_same(r, b), crossed = dag_same(l, b) && dag_same(r, a);
	/* x > 5 ? x : 6 is the form that a >= comparison with a constant has got. */
	u64 k, v;
	if (!same && !crossed && dag_same(l, a) && dag_as_const(d, r, &k) && dag_as_const(d, b, &v))
		same = (cc == IRP_I_SGT && v == k + 1 && k != sem_smax(vt_bits(vt))) || (cc == IRP_I_SLT && v + 1 == k) ||
		       (cc == IRP_I_UGT && v == k + 1 && v) || (cc == IRP_I_ULT && v + 1 == k && k);
	if (!same && !crossed)
		return DAG_NONE;
	DagOp op;
	switch (cc) {
	case IRP_I_SLT:
	case IRP_I_SLE: op = same ? DAG_SMIN : DAG_SMAX; break;
	case IRP_I_SGT:
	case IRP_I_SGE: op = same ? DAG_SMAX : DAG_SMIN; break;
	case IRP_I_ULT:
	case IRP_I_ULE: op = same ? DAG_UMIN : DAG_UMAX; break;
	case IRP_I_UGT:
	case IRP_I_UGE: op = same ? DAG_UMAX : DAG_UMIN; break;
	default: return DAG_NONE;
	}
	c->d->flags = 0;
	return dag_is_legal_op(c->f, op, vt) ? dag_2(d, op, vt, a, b) : DAG_NONE;
}

/* a < b ? a : b of floats is min where neither is a NaN and the sign of a zero does not matter. */
static DagVal min_max_float(Combiner *c, u32 node, DagVt vt, DagVal p, DagVal a, DagVal b)
{
	Dag    *d = c->d;
	DagVal  l = dag_arg(d, p, 0), r = dag_arg(d, p, 1);
	DagCond cc = (DagCond)dag_of(d, dag_arg(d, p, 2))->k[0];
	u16     flags = dag_at(d, node)->flags;
	bool    no_nans = (flags & IRF_NNAN) || c->f->fp.no_nans, no_signs = (flags & IRF_NSZ) || c->f->fp.no_signed_zeros;
	if (!no_nans || !no_signs || dag_vt(d, l) != vt || !once(c, p))
		return DAG_NONE;
	bool same = dag_same(l, a) && dag_same(r, b), crossed = dag_same(l, b) && dag_same(r, a), less;
	switch (cc) {
	case IRP_OLT:
	case IRP_OLE:
	case IRP_ULT:
	case IRP_ULE: less = same; break;
	case IRP_OGT:
	case IRP_OGE:
	case IRP_UGT:
	case IRP_UGE: less = !same; break;
	default: return DAG_NONE;
	}
	if (!same && !crossed)
		return DAG_NONE;
	DagOp op = less ? DAG_FMINNUM : DAG_FMAXNUM;
	return dag_is_legal_op(c->f, op, vt) ? dag_2(d, op, vt, l, r) : DAG_NONE;
}

/* x < 0 ? -x : x */
static DagVal absolute(Combiner *c, DagVt vt, DagVal p, DagVal a, DagVal b)
{
	Dag    *d = c->d;
	DagVal  l = dag_arg(d, p, 0);
	DagCond cc = (DagCond)dag_of(d, dag_arg(d, p, 2))->k[0];
	DagVal  neg = cc == IRP_I_SLT ? a : b, pos = cc == IRP_I_SLT ? b : a;
	if (cc != IRP_I_SLT && cc != IRP_I_SGT)
		return DAG_NONE;
	if (!dag_is_zero(d, dag_arg(d, p, 1)) && !(cc == IRP_I_SGT && dag_is_all_ones(d, dag_arg(d, p, 1))))
		return DAG_NONE;
	if (!dag_same(pos, l) || op_of(c, neg) != DAG_SUB || !dag_is_zero(d, dag_arg(d, neg, 0)) ||
	    !dag_same(dag_arg(d, neg, 1), l))
		return DAG_NONE;
	return dag_is_legal_op(c->f, DAG_ABS, vt) ? dag_1(d, DAG_ABS, vt, l) : DAG_NONE;
}

static DagVal select(Combiner *c, u32 node)
{
	Dag   *d = c->d;
	DagVal p = operand_of(c, node, 0), a = operand_of(c, node, 1), b = operand_of(c, node, 2);
	DagVt  vt = dag_vt(d, a);
	u64    x, y;
	if (vt_is_vec(dag_vt(d, p)))
		return DAG_NONE;
	if (vt == VT_I1)
		return select_predicate(c, p, a, b);
	if (op_of(c, p) == DAG_XOR && dag_is_all_ones(d, dag_arg(d, p, 1)))
		return dag_3(d, DAG_SELECT, vt, dag_arg(d, p, 0), b, a);
	/* a == b ? a : b is b */
	if (vt_is_sint(vt) && op_of(c, p) == DAG_SETCC) {
		DagVal  l = dag_arg(d, p, 0), r = dag_arg(d, p, 1);
		DagCond cc = (DagCond)dag_of(d, dag_arg(d, p, 2))->k[0];
		if (((dag_same(l, a) && dag_same(r, b)) || (dag_same(l, b) && dag_same(r, a))) &&
		    (cc == IRP_I_EQ || cc == IRP_I_NE))
			return cc == IRP_I_EQ ? b : a;
	}
	if (vt_is_sint(vt) && vt_bits(vt) <= 64 && dag_as_const(d, a, &x) && dag_as_const(d, b, &y)) {
		DagVal r = select_numbers(c, p, vt, x, y);
		if (dag_is(r))
			return r;
	}
	if (vt_is_fp(vt) && !vt_is_vec(vt) && op_of(c, p) == DAG_SETCC && c->f->optimize)
		return min_max_float(c, node, vt, p, a, b);
	if (vt_is_sint(vt) && op_of(c, p) == DAG_SETCC && vt_bits(vt) <= 64 && c->f->optimize) {
		DagVal r = min_max(c, vt, p, a, b);
		return dag_is(r) ? r : absolute(c, vt, p, a, b);
	}
	return DAG_NONE;
}

DagVal combine_cond(Combiner *c, u32 node)
{
	switch ((DagOp)dag_at(c->d, node)->opcode) {
	case DAG_SETCC: return setcc(c, node);
	case DAG_SELECT: return select(c, node);
	default: return DAG_NONE;
	}
}
