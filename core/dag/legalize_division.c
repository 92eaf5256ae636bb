/* legalize_division.c: division of 128-bit integers, without a loop and without branches.
 *
 *	b below 2^64:  high word by b, then (remainder : low word) by b
 *	else:          both halved or shifted so that 64 bits of b count; the quotient is at most one too large
 *
 * Either way one division of 128 by 64 bits is left, done in two digits of 32 bits. After H. S. Warren,
 * "Hacker's Delight", 9-4 and 9-5. Shifts by 64 and more give 0, which is relied upon. */
#include "dag/legalize.h"

typedef struct Words {
	DagVal lo, hi;
} Words;

static DagVal w2(Dag *d, DagOp op, DagVal a, DagVal b) { return dag_2(d, op, VT_I64, a, b); }
static DagVal k64(Dag *d, u64 v) { return dag_const(d, VT_I64, v); }
static DagVal by(Dag *d, DagOp op, DagVal a, u32 n) { return dag_2(d, op, VT_I64, a, dag_const(d, VT_I32, n)); }
static DagVal pick(Dag *d, DagVal c, DagVal a, DagVal b) { return dag_3(d, DAG_SELECT, VT_I64, c, a, b); }
static DagVal both(Dag *d, DagVal a, DagVal b) { return dag_2(d, DAG_AND, VT_I1, a, b); }
static DagVal count_of(Dag *d, DagVal v) { return dag_any_or_trunc(d, dag_1(d, DAG_CTLZ, VT_I64, v), VT_I32); }

static Words chain(Dag *d, bool sub, Words a, Words b)
{
	DagVal lo = dag_node_n(d, sub ? DAG_SUBC : DAG_ADDC, (DagVt[]){VT_I64, VT_GLUE}, 2, (DagVal[]){a.lo, b.lo}, 2);
	DagVal hi = dag_node_n(d, sub ? DAG_SUBE : DAG_ADDE, (DagVt[]){VT_I64, VT_GLUE}, 2,
	                       (DagVal[]){a.hi, b.hi, dag_res(lo.n, 1)}, 3);
	return (Words){lo, hi};
}

static Words product(Dag *d, Words a, Words b)
{
	DagVal hi = w2(d, DAG_ADD, w2(d, DAG_MULHU, a.lo, b.lo), w2(d, DAG_MUL, a.lo, b.hi));
	return (Words){w2(d, DAG_MUL, a.lo, b.lo), w2(d, DAG_ADD, hi, w2(d, DAG_MUL, a.hi, b.lo))};
}

static DagVal at_least(Dag *d, Words a, Words b)
{
	return dag_3(d, DAG_SELECT, VT_I1, dag_setcc(d, a.hi, b.hi, IRP_I_EQ), dag_setcc(d, a.lo, b.lo, IRP_I_UGE),
	             dag_setcc(d, a.hi, b.hi, IRP_I_UGT));
}

/* One digit: rest / v1, lowered while digit * v0 is above rest : next. */
static DagVal digit(Dag *d, DagVal rest, DagVal next, DagVal v1, DagVal v0)
{
	DagVal q = w2(d, DAG_UDIV, rest, v1), r = w2(d, DAG_SUB, rest, w2(d, DAG_MUL, q, v1)), limit = k64(d, 0xFFFFFFFFu),
	       go = dag_const(d, VT_I1, 1);
	for (u32 i = 0; i < 2; i++) {
		DagVal large = dag_setcc(d, q, limit, IRP_I_UGT);
		DagVal over = dag_setcc(d, w2(d, DAG_MUL, q, v0), w2(d, DAG_OR, by(d, DAG_SHL, r, 32), next), IRP_I_UGT);
		DagVal again = both(d, go, dag_2(d, DAG_OR, VT_I1, large, over));
		q = pick(d, again, w2(d, DAG_ADD, q, k64(d, ~(u64)0)), q);
		r = pick(d, again, w2(d, DAG_ADD, r, v1), r);
		go = both(d, again, dag_setcc(d, r, limit, IRP_I_ULE));
	}
	return q;
}

/* (hi : lo) / v, where hi < v. */
static DagVal two_by_one(Dag *d, DagVal hi, DagVal lo, DagVal v)
{
	DagVal s = count_of(d, v), rest = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 64), s), low = k64(d, 0xFFFFFFFFu);
	v = w2(d, DAG_SHL, v, s);
	DagVal v1 = by(d, DAG_SRL, v, 32), v0 = w2(d, DAG_AND, v, low);
	DagVal top = w2(d, DAG_OR, w2(d, DAG_SHL, hi, s), w2(d, DAG_SRL, lo, rest)), bottom = w2(d, DAG_SHL, lo, s);
	DagVal b1 = by(d, DAG_SRL, bottom, 32), b0 = w2(d, DAG_AND, bottom, low);
	DagVal q1 = digit(d, top, b1, v1, v0);
	DagVal mid = w2(d, DAG_SUB, w2(d, DAG_ADD, by(d, DAG_SHL, top, 32), b1), w2(d, DAG_MUL, q1, v));
	DagVal q0 = digit(d, mid, b0, v1, v0);
	return w2(d, DAG_ADD, by(d, DAG_SHL, q1, 32), q0);
}

static Words quotient(Dag *d, Words a, Words b)
{
	DagVal small = dag_setcc(d, b.hi, k64(d, 0), IRP_I_EQ), zero = k64(d, 0);
	/* The divisor of the high word and of the remainder; 1 where the result of this path is not selected, so that it is never 0. */
	DagVal first = pick(d, small, b.lo, k64(d, 1));
	DagVal q_hi = w2(d, DAG_UDIV, a.hi, first), r_hi = w2(d, DAG_SUB, a.hi, w2(d, DAG_MUL, q_hi, first));
	DagVal n = count_of(d, b.hi), n_rest = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 64), n);
	DagVal v = w2(d, DAG_OR, w2(d, DAG_SHL, b.hi, n), w2(d, DAG_SRL, b.lo, n_rest));
	DagVal half_hi = by(d, DAG_SRL, a.hi, 1), half_lo = w2(d, DAG_OR, by(d, DAG_SRL, a.lo, 1), by(d, DAG_SHL, a.hi, 63));
	DagVal q = two_by_one(d, pick(d, small, r_hi, half_hi), pick(d, small, a.lo, half_lo), pick(d, small, b.lo, v));
	/* Large divisors: scale the quotient back, and correct it by one. */
	DagVal back = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 63), n), g = w2(d, DAG_SRL, q, back);
	g = pick(d, dag_setcc(d, g, zero, IRP_I_EQ), g, w2(d, DAG_ADD, g, k64(d, ~(u64)0)));
	Words  left = chain(d, true, a, product(d, (Words){g, zero}, b));
	DagVal more = pick(d, at_least(d, left, b), w2(d, DAG_ADD, g, k64(d, 1)), g);
	return (Words){pick(d, small, q, more), pick(d, small, q_hi, zero)};
}

static Words negate_if(Dag *d, DagVal mask, Words a)
{
	Words x = {w2(d, DAG_XOR, a.lo, mask), w2(d, DAG_XOR, a.hi, mask)};
	return chain(d, true, x, (Words){mask, mask});
}

bool legal_division(Legalizer *l, u32 node, const DagVal a[2], const DagVal b[2], DagVal out[2])
{
	Dag   *d = l->d;
	DagOp  op = (DagOp)dag_at(d, node)->opcode;
	bool   is_signed = op == DAG_SDIV || op == DAG_SREM, rem = op == DAG_SREM || op == DAG_UREM;
	Words  x = {a[0], a[1]}, y = {b[0], b[1]};
	DagVal sx = DAG_NONE, sy = DAG_NONE;
	if (is_signed) {
		sx = by(d, DAG_SRA, x.hi, 63);
		sy = by(d, DAG_SRA, y.hi, 63);
		x = negate_if(d, sx, x);
		y = negate_if(d, sy, y);
	}
	Words q = quotient(d, x, y);
	if (rem)
		q = chain(d, true, x, product(d, q, y));
	if (is_signed)
		q = negate_if(d, rem ? sx : w2(d, DAG_XOR, sx, sy), q);
	out[0] = q.lo;
	out[1] = q.hi;
	return true;
}
