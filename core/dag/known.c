/* known.c: which bits of a value are known to be 0 or 1, and how many of its upper bits equal the sign.
 *
 * Scalar integers of at most 64 bits. Walks from the node over its operands up to a fixed depth; where an operation has no rule
 * here, nothing is known of its result. Makes and changes no nodes. A call costs at most 2^depth operands, in practice few. */
#include "dag/dag.h"
#include "isa/isa.h"
#include "sem/int.h"

enum { MAX_DEPTH = 6 };

static DagKnown nothing(void) { return (DagKnown){0, 0}; }

static DagKnown known_add(DagKnown a, DagKnown b, u32 w)
{
	/* Low bits that are zero in both operands are zero in the sum, which has at most one bit more than the larger operand. */
	u64      low = ~(a.zero & b.zero), mask = sem_mask(w);
	u32      tz = (low & mask) ? (u32)sem_ctz(64, low & mask) : w;
	u64      ma = ~a.zero & mask, mb = ~b.zero & mask, top = ma > mb ? ma : mb;
	DagKnown r = {sem_mask(PS_MIN(tz, w)) & (tz ? mask : 0), 0};
	u32      need = top ? u64_log2(top) + 2 : 1;
	if (!tz)
		r.zero = 0;
	if (need < w)
		r.zero |= mask & ~sem_mask(need);
	return r;
}

/* A product has the trailing zeros of both operands, and at most as many bits as both together. */
static DagKnown known_product(DagKnown a, DagKnown b, u32 w)
{
	u64 mask = sem_mask(w), ma = ~a.zero & mask, mb = ~b.zero & mask;
	if (!ma || !mb)
		return (DagKnown){mask, 0};
	u32 low = (u32)(sem_ctz(64, ma) + sem_ctz(64, mb)), bits = u64_log2(ma) + u64_log2(mb) + 2;
	return (DagKnown){(low ? sem_mask(PS_MIN(low, w)) : 0) | (bits < w ? mask & ~sem_mask(bits) : 0), 0};
}

static DagKnown known_shift(const Dag *d, const DagNode *n, DagKnown a, u32 w)
{
	u64 s, mask = sem_mask(w);
	if (!dag_as_const(d, dag_operand(d, n, 1), &s) || s >= w) {
		/* A right shift by an unknown amount keeps the leading zeros. */
		if (n->opcode != DAG_SRL)
			return nothing();
		u64 top = ~a.zero & mask;
		return (DagKnown){top ? mask & ~sem_mask(u64_log2(top) + 1) : mask, 0};
	}
	if (n->opcode == DAG_SHL)
		return (DagKnown){(a.zero << s | sem_mask((u32)s ? (u32)s : 1) * (s != 0)) & mask, a.one << s & mask};
	DagKnown r = {(a.zero & mask) >> s, (a.one & mask) >> s};
	u64      high = mask & ~(mask >> s), sign = sem_smin(w);
	if (n->opcode == DAG_SRL || (a.zero & sign))
		r.zero |= high;
	else if (a.one & sign)
		r.one |= high;
	return r;
}

/* The value is at most `most`, so the bits above the highest 1 of `most` are 0. */
static DagKnown known_up_to(u64 most, u64 mask) { return (DagKnown){most ? mask & ~sem_mask(u64_log2(most) + 1) : mask, 0}; }

DagVal dag_assert_at_most(Dag *d, DagVal v, u64 most)
{
	DagVt vt = dag_vt(d, v);
	u32   bits = u64_log2(most | 1) + 1;
	return vt_is_sint(vt) && bits < vt_bits(vt) ? dag_2(d, DAG_ASSERT_ZEXT, vt, v, dag_vtype(d, VT_INT(bits))) : v;
}

/* The largest value that operand i of `n` may have. */
static u64 most_of(const Dag *d, const DagNode *n, u32 i, u32 depth)
{
	DagVal v = dag_operand(d, n, i);
	return ~dag_known(d, v, depth).zero & vt_mask(dag_vt(d, v));
}

/* max(x, y) - y is at most x. */
static DagKnown known_difference(const Dag *d, const DagNode *n, u32 depth)
{
	const DagNode *max = dag_of(d, dag_operand(d, n, 0));
	for (u32 i = 0; max->opcode == DAG_UMAX && i < 2; i++)
		if (dag_same(dag_operand(d, max, i), dag_operand(d, n, 1)))
			return known_up_to(most_of(d, max, !i, depth + 2), vt_mask(max->vt[0]));
	return nothing();
}

/* Each byte is one of the operands', or its sign. */
static DagKnown known_permuted(const Dag *d, const DagNode *n, u32 depth)
{
	DagKnown r = {0, 0}, a = dag_known(d, dag_operand(d, n, 0), depth + 1), b = dag_known(d, dag_operand(d, n, 1), depth + 1);
	u64      order, zero = (u32)a.zero | b.zero << 32, one = (u32)a.one | b.one << 32;
	if (!dag_as_const(d, dag_operand(d, n, 2), &order))
		return r;
	for (u32 i = 0; i < 4; i++) {
		u32 from = (order >> 4 * i & 7) * 8;
		if (!(order >> 4 * i & 8)) {
			r.zero |= (zero >> from & 255) << 8 * i;
			r.one |= (one >> from & 255) << 8 * i;
		}
	}
	return r;
}

/* As many leading zeros as the operand has sign bits, less one. */
static DagKnown known_absolute(const Dag *d, const DagNode *n, u32 depth, u32 w)
{
	u32 signs = dag_sign_bits(d, dag_operand(d, n, 0), depth + 1);
	return (DagKnown){signs > 1 ? sem_mask(w) & ~sem_mask(w - signs + 1) : 0, 0};
}

/* A value of a narrow type is read with its own width, before it has that of the register. */
static DagKnown known_register(const Dag *d, const DagNode *n, u32 w)
{
	u64 reg = dag_of(d, dag_operand(d, n, 1))->k[0];
	return reg < d->reg_bits.n ? (DagKnown){sem_mask(w) & ~sem_mask(PS_MIN(d->reg_bits.p[reg], w)), 0} : nothing();
}

DagKnown dag_known(const Dag *d, DagVal v, u32 depth)
{
	const DagNode *n = dag_of(d, v);
	DagVt          vt = dag_vt(d, v);
	u32            w = vt_bits(vt);
	u64            mask = sem_mask(w);
	if (!vt_is_sint(vt) || w > 64 || depth > MAX_DEPTH)
		return nothing();
	DagKnown a, b;
	switch ((DagOp)n->opcode) {
	case DAG_Constant: return (DagKnown){~n->k[0] & mask, n->k[0]};
	case DAG_AND:
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		b = dag_known(d, dag_operand(d, n, 1), depth + 1);
		return (DagKnown){a.zero | b.zero, a.one & b.one};
	case DAG_OR:
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		b = dag_known(d, dag_operand(d, n, 1), depth + 1);
		return (DagKnown){a.zero & b.zero, a.one | b.one};
	case DAG_XOR:
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		b = dag_known(d, dag_operand(d, n, 1), depth + 1);
		return (DagKnown){(a.zero & b.zero) | (a.one & b.one), (a.zero & b.one) | (a.one & b.zero)};
	case DAG_ADD:
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		b = dag_known(d, dag_operand(d, n, 1), depth + 1);
		return known_add(a, b, w);
	case DAG_SUB: return known_difference(d, n, depth);
	case DAG_MUL:
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		b = dag_known(d, dag_operand(d, n, 1), depth + 1);
		return known_product(a, b, w);
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return known_shift(d, n, dag_known(d, dag_operand(d, n, 0), depth + 1), w);
	case DAG_ZERO_EXTEND: {
		u64 from = vt_mask(dag_vt(d, dag_operand(d, n, 0)));
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		return (DagKnown){a.zero | (mask & ~from), a.one};
	}
	case DAG_ASSERT_ZEXT: {
		u64 of = vt_mask((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0]);
		a = dag_known(d, dag_operand(d, n, 0), depth + 1);
		return (DagKnown){a.zero | (mask & ~of), a.one & of};
	}
	case DAG_TRUNCATE: a = dag_known(d, dag_operand(d, n, 0), depth + 1); return (DagKnown){a.zero & mask, a.one & mask};
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_SELECT: /* one of the last two */
		a = dag_known(d, dag_operand(d, n, dag_n_ops(n) - 2), depth + 1);
		b = dag_known(d, dag_operand(d, n, dag_n_ops(n) - 1), depth + 1);
		return (DagKnown){a.zero & b.zero, a.one & b.one};
	case DAG_UDIV: return known_up_to(most_of(d, n, 0, depth + 1), mask); /* at most the dividend */
	case DAG_UREM:
	case DAG_UMIN: { /* at most the smaller operand */
		u64 x = most_of(d, n, 0, depth + 1), y = most_of(d, n, 1, depth + 1);
		return known_up_to(PS_MIN(x, y), mask);
	}
	case DAG_UMAX: return known_up_to(most_of(d, n, 0, depth + 1) | most_of(d, n, 1, depth + 1), mask);
	case DAG_ABS: return known_absolute(d, n, depth, w);
	case DAG_BFE_U: {
		u64 len;
		if (dag_as_const(d, dag_operand(d, n, 2), &len) && len < w)
			return (DagKnown){mask & ~sem_mask(PS_MAX((u32)len, 1u)), 0};
		return nothing();
	}
	case DAG_CopyFromReg: return v.r == 0 ? known_register(d, n, w) : nothing();
	case DAG_PRMT: return known_permuted(d, n, depth);
	case DAG_CTPOP:
	case DAG_CTLZ:
	case DAG_CTTZ: return (DagKnown){mask & ~sem_mask(u64_log2(w) + 1), 0};
	case DAG_LOADV:
	case DAG_LOAD:
		if (n->mem && dag_mem(d, n)->ext == DEXT_ZERO)
			return (DagKnown){mask & ~vt_mask(dag_mem(d, n)->vt), 0};
		return nothing();
	default: return nothing();
	}
}

/* Notes what is known of the registers that this block writes, for the blocks that read them. */
void dag_note_registers(Dag *d)
{
	for (u32 i = 0; i < d->n_nodes; i++) {
		const DagNode *n = dag_at(d, i);
		if (n->opcode != DAG_CopyToReg)
			continue;
		u32    reg = (u32)dag_of(d, dag_operand(d, n, 1))->k[0], w;
		DagVal v = dag_operand(d, n, 2);
		if (!vt_is_sint(dag_vt(d, v)) || (w = vt_bits(dag_vt(d, v))) > 64)
			continue;
		u64 may = ~dag_known(d, v, 0).zero & sem_mask(w);
		while (d->reg_bits.n <= reg)
			vec_push(d->arena, &d->reg_bits, (u8)64);
		d->reg_bits.p[reg] = (u8)(may ? u64_log2(may) + 1 : 0);
	}
}

/* Where v was put together from pieces by shifts, ors and pairs, this is the piece, which may be of a narrower type. */
DagVal dag_piece_of(const Dag *d, DagVal v, u32 *at, u32 width)
{
	u64 window = sem_mask(width), k;
	for (u32 i = 0; i < 16 && *at + width <= vt_bits(dag_vt(d, v)); i++) {
		const DagNode *n = dag_of(d, v);
		DagVal         a = dag_n_ops(n) ? dag_operand(d, n, 0) : v;
		switch ((DagOp)n->opcode) {
		case DAG_ASSERT_ZEXT: v = a; continue;
		case DAG_BUILD_PAIR: {
			u32 low = vt_bits(dag_vt(d, a));
			if (*at<low && * at + width> low)
				return v;
			v = *at < low ? a : dag_operand(d, n, 1);
			*at -= *at < low ? 0 : low;
			continue;
		}
		case DAG_OR: {
			DagVal b = dag_operand(d, n, 1);
			if (dag_masked_zero(d, b, window << *at))
				v = a;
			else if (dag_masked_zero(d, a, window << *at))
				v = b;
			else
				return v;
			continue;
		}
		case DAG_SHL:
			if (!dag_as_const(d, dag_operand(d, n, 1), &k) || k > *at)
				return v;
			*at -= (u32)k;
			v = a;
			continue;
		case DAG_SRL:
			if (!dag_as_const(d, dag_operand(d, n, 1), &k) || k + *at + width > vt_bits(n->vt[0]))
				return v;
			*at += (u32)k;
			v = a;
			continue;
		default: return v;
		}
	}
	return v;
}

bool dag_masked_zero(const Dag *d, DagVal v, u64 mask) { return (dag_known(d, v, 0).zero & mask) == mask; }

u32 dag_sign_bits(const Dag *d, DagVal v, u32 depth)
{
	const DagNode *n = dag_of(d, v);
	DagVt          vt = dag_vt(d, v);
	u32            w = vt_bits(vt);
	if (!vt_is_sint(vt) || w > 64 || depth > MAX_DEPTH)
		return 1;
	switch ((DagOp)n->opcode) {
	case DAG_SIGN_EXTEND: {
		DagVal a = dag_operand(d, n, 0);
		return w - vt_bits(dag_vt(d, a)) + dag_sign_bits(d, a, depth + 1);
	}
	case DAG_SIGN_EXTEND_INREG: return w - vt_bits((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0]) + 1;
	case DAG_SRA: {
		u64 s;
		u32 a = dag_sign_bits(d, dag_operand(d, n, 0), depth + 1);
		return dag_as_const(d, dag_operand(d, n, 1), &s) && s < w ? PS_MIN(a + (u32)s, w) : a;
	}
	case DAG_BFE_S: {
		u64 len;
		return dag_as_const(d, dag_operand(d, n, 2), &len) && len && len <= w ? w - (u32)len + 1 : 1;
	}
	case DAG_TRUNCATE: {
		DagVal a = dag_operand(d, n, 0);
		u32    of = vt_bits(dag_vt(d, a)), have = of <= 64 ? dag_sign_bits(d, a, depth + 1) : 1;
		if (have > of - w)
			return have - (of - w);
		break;
	}
	case DAG_LOAD:
		if (v.r == 0 && n->mem && dag_mem(d, n)->ext == DEXT_SIGN)
			return w - vt_bits(dag_mem(d, n)->vt) + 1;
		break;
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR:
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_UMIN:
	case DAG_UMAX: {
		u32 a = dag_sign_bits(d, dag_operand(d, n, 0), depth + 1), b = dag_sign_bits(d, dag_operand(d, n, 1), depth + 1);
		if (PS_MIN(a, b) > 1)
			return PS_MIN(a, b);
		break;
	}
	case DAG_SELECT: {
		u32 a = dag_sign_bits(d, dag_operand(d, n, 1), depth + 1), b = dag_sign_bits(d, dag_operand(d, n, 2), depth + 1);
		return PS_MIN(a, b);
	}
	case DAG_Constant: {
		u64 x = sem_negative(n->k[0], w) ? sem_not(w, n->k[0]) : n->k[0];
		return x ? w - 1 - u64_log2(x) : w;
	}
	default: break;
	}
	DagKnown k = dag_known(d, v, depth);
	u64      top = ~k.zero & sem_mask(w);
	if (k.zero >> (w - 1) & 1)
		return top ? w - 1 - u64_log2(top) : w;
	return 1;
}
