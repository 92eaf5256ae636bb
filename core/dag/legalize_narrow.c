/* legalize_narrow.c: integers that are held in a wider register: i8 and narrower in 16 bits, i24 in 32, ….
 *
 * Operations whose low result bits depend on the low operand bits alone (+ - * & | ^ <<) work on the register as it is. Others
 * first clear the bits above the width, or fill them with copies of the sign. Needs the operands' parts; constant time. */
#include "dag/expand.h"
#include "dag/legalize.h"

/* What an operation asks of its operands. */
enum { ANY, ZERO, SIGN };

static DagVal operand(Legalizer *l, u32 node, u32 i, u32 how)
{
	DagVal v = dag_operand(l->d, dag_at(l->d, node), i), p[LEGAL_PARTS];
	if (dag_is_legal_vt(dag_vt(l->d, v)))
		return v;
	if (how == ZERO)
		return legal_zext_part(l, v);
	if (how == SIGN)
		return legal_sext_part(l, v);
	legal_parts(l, v, p);
	return p[0];
}

static void set(Legalizer *l, u32 node, DagVal v) { legal_set(l, dag_res(node, 0), &v, 1); }

static void binary(Legalizer *l, u32 node, u32 how)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVt   part;
	dag_reg_parts(n.vt[0], &part);
	DagVal a = operand(l, node, 0, how), b = operand(l, node, 1, how);
	/* The bits above the width are unspecified: the register may wrap where the narrow value does not. */
	u16 flags = how == ANY ? (u16)(n.flags & ~(u32)(IRF_NUW | IRF_NSW)) : n.flags;
	set(l, node, dag_flagged(d, (DagOp)n.opcode, part, (DagVal[]){a, b}, 2, flags));
}

static void shift(Legalizer *l, u32 node, u32 how)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVt   part;
	dag_reg_parts(n.vt[0], &part);
	DagVal a = operand(l, node, 0, how), amount = dag_operand(d, dag_at(d, node), 1);
	set(l, node, dag_2(d, (DagOp)n.opcode, part, a, amount));
}

static void count_leading(Legalizer *l, u32 node)
{
	Dag  *d = l->d;
	DagVt vt = dag_at(d, node)->vt[0], part;
	dag_reg_parts(vt, &part);
	DagVal c = dag_1(d, DAG_CTLZ, part, operand(l, node, 0, ZERO));
	set(l, node, dag_2(d, DAG_SUB, part, c, dag_const(d, part, vt_bits(part) - vt_bits(vt))));
}

static void count_trailing(Legalizer *l, u32 node)
{
	Dag  *d = l->d;
	DagVt vt = dag_at(d, node)->vt[0], part;
	dag_reg_parts(vt, &part);
	DagVal a = dag_2(d, DAG_OR, part, operand(l, node, 0, ANY), dag_const(d, part, (u64)1 << vt_bits(vt)));
	set(l, node, dag_1(d, DAG_CTTZ, part, a));
}

/* bswap, bitreverse: reverse the register, and shift the result down. */
static void reversed(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVt   part;
	dag_reg_parts(n.vt[0], &part);
	DagVal r = dag_1(d, (DagOp)n.opcode, part, operand(l, node, 0, ANY));
	set(l, node, dag_2(d, DAG_SRL, part, r, dag_const(d, VT_I32, vt_bits(part) - vt_bits(n.vt[0]))));
}

static void compare(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagCond c = (DagCond)dag_of(d, dag_operand(d, dag_at(d, node), 2))->k[0];
	u32     how = c >= IRP_I_SGT ? SIGN : ZERO;
	DagVal  a = operand(l, node, 0, how), b = operand(l, node, 1, how);
	dag_replace(d, dag_res(node, 0), dag_setcc(d, a, b, c));
}

static void choose(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVt  part;
	DagVal c = dag_operand(d, dag_at(d, node), 0), a = operand(l, node, 1, ANY), b = operand(l, node, 2, ANY);
	dag_reg_parts(dag_at(d, node)->vt[0], &part);
	set(l, node, dag_3(d, DAG_SELECT, part, c, a, b));
}

/* From a narrow value: widen the register, then clear the bits above the value or fill them with its sign. */
static void extend(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVal  v = dag_operand(d, dag_at(d, node), 0), r;
	DagVt   from = dag_vt(d, v), to;
	dag_reg_parts(n.vt[0], &to);
	if (dag_is_legal_vt(from)) {
		r = dag_1(d, (DagOp)n.opcode, to, v);
	} else {
		r = dag_any_or_trunc(d, operand(l, node, 0, ANY), to);
		if (n.opcode == DAG_ZERO_EXTEND)
			r = dag_2(d, DAG_AND, to, r, dag_const(d, to, vt_mask(from)));
		else if (n.opcode == DAG_SIGN_EXTEND)
			r = dag_2(d, DAG_SIGN_EXTEND_INREG, to, r, dag_vtype(d, from));
	}
	set(l, node, r);
}

static void truncate(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVt  vt = dag_at(d, node)->vt[0], part;
	DagVal v = dag_operand(d, dag_at(d, node), 0), p[LEGAL_PARTS];
	legal_parts(l, v, p);
	dag_reg_parts(vt, &part);
	set(l, node, dag_any_or_trunc(d, p[0], part));
}

static void from_float(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVt   part;
	dag_reg_parts(n.vt[0], &part);
	DagVal r = dag_1(d, (DagOp)n.opcode, part, dag_operand(d, dag_at(d, node), 0));
	/* A result that does not fit the type is poison, so the bits above it may be taken as zeros. */
	if (n.opcode == DAG_FP_TO_UINT)
		r = dag_2(d, DAG_ASSERT_ZEXT, part, r, dag_vtype(d, n.vt[0]));
	set(l, node, r);
}

static void to_float(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVal  a = operand(l, node, 0, n.opcode == DAG_SINT_TO_FP ? SIGN : ZERO);
	dag_replace(d, dag_res(node, 0), dag_1(d, (DagOp)n.opcode, n.vt[0], a));
}

static void in_register(Legalizer *l, u32 node)
{
	Dag  *d = l->d;
	DagVt part;
	dag_reg_parts(dag_at(d, node)->vt[0], &part);
	set(l, node, dag_2(d, DAG_SIGN_EXTEND_INREG, part, operand(l, node, 0, ANY), dag_operand(d, dag_at(d, node), 1)));
}

static void one_operand(Legalizer *l, u32 node, u32 how)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	DagVt   part;
	dag_reg_parts(n.vt[0], &part);
	set(l, node, dag_1(d, (DagOp)n.opcode, part, operand(l, node, 0, how)));
}

/* By simpler operations of the same narrow type, which are legalized in turn. */
static bool expanded(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal out[2];
	if (!dag_expand(l->f, node, out))
		return false;
	for (u32 r = 0; r < dag_n_results(dag_at(d, node)); r++) {
		DagVt vt = dag_result_vt(d, dag_at(d, node), r);
		if (dag_is_legal_vt(vt)) {
			dag_replace(d, dag_res(node, r), out[r]);
			continue;
		}
		DagVal p[LEGAL_PARTS];
		u32    n = legal_parts(l, out[r], p);
		legal_set(l, dag_res(node, r), p, n);
	}
	return true;
}

/* The register holds the exact sum, so overflow of the narrow type shows in the bits above its width. */
static DagVal exact_sum(Legalizer *l, u32 node, bool sub, bool is_signed)
{
	Dag   *d = l->d;
	DagVt  part;
	DagVal a = operand(l, node, 0, is_signed ? SIGN : ZERO), b = operand(l, node, 1, is_signed ? SIGN : ZERO);
	dag_reg_parts(dag_at(d, node)->vt[0], &part);
	return dag_2(d, sub ? DAG_SUB : DAG_ADD, part, a, b);
}

static void saturating(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	bool    is_signed = n.opcode != DAG_UADDSAT;
	u64     top = vt_mask(n.vt[0]) >> is_signed;
	DagVal  r = exact_sum(l, node, n.opcode == DAG_SSUBSAT, is_signed);
	DagVt   part = dag_vt(d, r);
	r = dag_2(d, is_signed ? DAG_SMIN : DAG_UMIN, part, r, dag_const(d, part, top));
	if (is_signed)
		r = dag_2(d, DAG_SMAX, part, r, dag_const(d, part, ~top));
	set(l, node, r);
}

static void overflow(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode n = *dag_at(d, node);
	bool    is_signed = n.opcode == DAG_SADDO || n.opcode == DAG_SSUBO, sub = n.opcode == DAG_SSUBO || n.opcode == DAG_USUBO;
	DagVal  r = exact_sum(l, node, sub, is_signed), fits;
	DagVt   part = dag_vt(d, r);
	if (is_signed)
		fits = dag_2(d, DAG_SIGN_EXTEND_INREG, part, r, dag_vtype(d, n.vt[0]));
	else
		fits = dag_2(d, DAG_AND, part, r, dag_const(d, part, vt_mask(n.vt[0])));
	DagVal o = dag_setcc(d, r, fits, IRP_I_NE);
	set(l, node, r);
	dag_replace(d, dag_res(node, 1), o);
}

/* Is each operand and result in one register? */
static bool is_narrow(const Dag *d, const DagNode *n)
{
	DagVt part;
	for (u32 r = 0; r < dag_n_results(n); r++)
		if (vt_is_value(dag_result_vt(d, n, r)) && dag_reg_parts(dag_result_vt(d, n, r), &part) != 1)
			return false;
	for (u32 i = 0; i < dag_n_ops(n); i++) {
		DagVt vt = dag_vt(d, dag_operand(d, n, i));
		if (vt_is_value(vt) && dag_reg_parts(vt, &part) != 1)
			return false;
	}
	return true;
}

bool legal_narrow_node(Legalizer *l, u32 node)
{
	if (!is_narrow(l->d, dag_at(l->d, node)))
		return dag_at(l->d, node)->opcode != DAG_SREM && dag_at(l->d, node)->opcode != DAG_UREM && expanded(l, node);
	switch ((DagOp)dag_at(l->d, node)->opcode) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: binary(l, node, ANY); return true;
	case DAG_UDIV:
	case DAG_UREM:
	case DAG_UMIN:
	case DAG_UMAX: binary(l, node, ZERO); return true;
	case DAG_SDIV:
	case DAG_SREM:
	case DAG_SMIN:
	case DAG_SMAX: binary(l, node, SIGN); return true;
	case DAG_SHL: shift(l, node, ANY); return true;
	case DAG_SRL: shift(l, node, ZERO); return true;
	case DAG_SRA: shift(l, node, SIGN); return true;
	case DAG_CTLZ: count_leading(l, node); return true;
	case DAG_CTTZ: count_trailing(l, node); return true;
	case DAG_CTPOP: one_operand(l, node, ZERO); return true;
	case DAG_ABS: one_operand(l, node, SIGN); return true;
	case DAG_FREEZE: one_operand(l, node, ANY); return true;
	case DAG_BSWAP:
	case DAG_BITREVERSE: reversed(l, node); return true;
	case DAG_SETCC: compare(l, node); return true;
	case DAG_SELECT: choose(l, node); return true;
	case DAG_ANY_EXTEND:
	case DAG_ZERO_EXTEND:
	case DAG_SIGN_EXTEND: extend(l, node); return true;
	case DAG_TRUNCATE: truncate(l, node); return true;
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT: from_float(l, node); return true;
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP: to_float(l, node); return true;
	case DAG_SIGN_EXTEND_INREG: in_register(l, node); return true;
	case DAG_SADDSAT:
	case DAG_SSUBSAT:
	case DAG_UADDSAT: saturating(l, node); return true;
	case DAG_USUBSAT: binary(l, node, ZERO); return true;
	case DAG_SADDO:
	case DAG_SSUBO:
	case DAG_UADDO:
	case DAG_USUBO: overflow(l, node); return true;
	default: return expanded(l, node);
	}
}
