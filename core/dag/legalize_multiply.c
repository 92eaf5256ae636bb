/* legalize_multiply.c: products of integers of several words.
 *
 *	a1 a0 * b1 b0 ─▶ a0*b0 low, a0*b0 high + a0*b1 low, …
 *
 * Schoolbook multiplication: for each word of b a row of low halves and a row of high halves of its products with a, added from
 * the word on where the row begins. MULHU, MULHS and overflow take all 2n words of the product; the signed product is the
 * unsigned one, less b where a is negative and less a where b is. n^2 products of words. */
#include "dag/legalize.h"

static DagVal w2(Dag *d, DagOp op, DagVal a, DagVal b) { return dag_2(d, op, VT_I64, a, b); }
static DagVal sign_of(Dag *d, DagVal top) { return dag_2(d, DAG_SRA, VT_I64, top, dag_const(d, VT_I32, 63)); }
static void   set(Legalizer *l, u32 node, const DagVal *p, u32 n) { legal_set(l, dag_res(node, 0), p, n); }

static bool extends_word(const Dag *d, DagVal v, DagOp op)
{
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_Constant)
		return n->k[1] == (op == DAG_SIGN_EXTEND && n->k[0] >> 63 ? ~(u64)0 : 0);
	return dag_op(d, v) == op && dag_vt(d, dag_arg(d, v, 0)) == VT_I64;
}

static DagVal high_word(Dag *d, DagVal a, DagVal b)
{
	u64 k;
	if (dag_as_const(d, b, &k) && k > 1 && (k & (k - 1)) == 0)
		return dag_2(d, DAG_SRL, VT_I64, a, dag_const(d, VT_I32, 64 - u64_log2(k)));
	return w2(d, DAG_MULHU, a, b);
}

/* The lowest `most` words of the product of two numbers of n words. */
static void product(Dag *d, const DagVal *a, const DagVal *b, u32 n, u32 most, DagVal *out)
{
	DagVal row[LEGAL_PARTS];
	u32    have = PS_MIN(n, most); /* words of out that hold something */
	for (u32 i = 0; i < have; i++)
		out[i] = w2(d, DAG_MUL, a[i], b[0]);
	for (u32 i = have; i < most; i++)
		out[i] = dag_const(d, VT_I64, 0);
	for (u32 r = 1; r < 2 * n; r++) {
		u32 from = (r + 1) / 2, len = most > from ? PS_MIN(n, most - from) : 0;
		if (!len)
			break;
		bool zero = true;
		for (u32 k = 0; k < len; k++) {
			row[k] = r & 1 ? high_word(d, a[k], b[r / 2]) : w2(d, DAG_MUL, a[k], b[r / 2]);
			zero &= dag_is_zero(d, row[k]);
		}
		if (zero)
			continue;
		/* Add the carry out of the row to the next word, if the result has one. */
		u32 reach = from + len < most ? len + 1 : len;
		if (reach > len)
			row[len] = dag_const(d, VT_I64, 0);
		legal_carry_chain(d, false, out + from, row, reach, out + from);
	}
}

/* All 2n words of the product of operands that are extended to whole words. */
static u32 full_product(Legalizer *l, u32 node, bool is_signed, DagVal *out)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS];
	u32    n = legal_words(l, node, 0, is_signed ? DEXT_SIGN : DEXT_ZERO, a);
	legal_words(l, node, 1, is_signed ? DEXT_SIGN : DEXT_ZERO, b);
	product(d, a, b, n, 2 * n, out);
	if (!is_signed)
		return n;
	DagVal ma = sign_of(d, a[n - 1]), mb = sign_of(d, b[n - 1]), less_b[LEGAL_PARTS], less_a[LEGAL_PARTS];
	for (u32 i = 0; i < n; i++) {
		less_b[i] = w2(d, DAG_AND, b[i], ma);
		less_a[i] = w2(d, DAG_AND, a[i], mb);
	}
	legal_carry_chain(d, true, out + n, less_b, n, out + n);
	legal_carry_chain(d, true, out + n, less_a, n, out + n);
	return n;
}

static void multiply(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS], out[LEGAL_PARTS];
	DagVal va = dag_operand(d, dag_at(d, node), 0), vb = dag_operand(d, dag_at(d, node), 1);
	bool   s = extends_word(d, va, DAG_SIGN_EXTEND) && extends_word(d, vb, DAG_SIGN_EXTEND);
	bool   u = extends_word(d, va, DAG_ZERO_EXTEND) && extends_word(d, vb, DAG_ZERO_EXTEND);
	u32    n = legal_words(l, node, 0, DEXT_ANY, a);
	legal_words(l, node, 1, DEXT_ANY, b);
	if (n > 2) {
		product(d, a, b, n, n, out);
	} else if (s || u) {
		out[0] = w2(d, DAG_MUL, a[0], b[0]);
		out[1] = w2(d, s ? DAG_MULHS : DAG_MULHU, a[0], b[0]);
	} else {
		DagVal hi = w2(d, DAG_MULHU, a[0], b[0]);
		hi = w2(d, DAG_ADD, hi, w2(d, DAG_MUL, a[0], b[1]));
		out[1] = w2(d, DAG_ADD, hi, w2(d, DAG_MUL, a[1], b[0]));
		out[0] = w2(d, DAG_MUL, a[0], b[0]);
	}
	set(l, node, out, n);
}

/* The n words of the 2n that begin at bit w. */
static void upper_half(Dag *d, const DagVal *all, u32 n, u32 w, DagVal *out)
{
	u32 skip = w / 64, bits = w % 64;
	for (u32 i = 0; i < n; i++) {
		out[i] = all[PS_MIN(skip + i, 2 * n - 1)];
		if (!bits)
			continue;
		DagVal near = dag_2(d, DAG_SRL, VT_I64, out[i], dag_const(d, VT_I32, bits));
		DagVal far = dag_2(d, DAG_SHL, VT_I64, all[PS_MIN(skip + i + 1, 2 * n - 1)], dag_const(d, VT_I32, 64 - bits));
		out[i] = w2(d, DAG_OR, near, far);
	}
}

void legal_multiply(Legalizer *l, u32 node)
{
	DagVal all[2 * LEGAL_PARTS], out[LEGAL_PARTS];
	DagOp  op = (DagOp)dag_at(l->d, node)->opcode;
	if (op == DAG_MUL) {
		multiply(l, node);
		return;
	}
	u32 n = full_product(l, node, op == DAG_MULHS, all);
	upper_half(l->d, all, n, vt_bits(dag_at(l->d, node)->vt[0]), out);
	set(l, node, out, n);
}

bool legal_multiply_overflow(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	u32    w = vt_bits(dag_at(d, node)->vt[0]), top = w % 64;
	bool   is_signed = dag_at(d, node)->opcode == DAG_SMULO;
	DagVal all[2 * LEGAL_PARTS];
	if (w == 128)
		return false;
	u32    n = full_product(l, node, is_signed, all);
	DagVal last = all[n - 1], want = dag_const(d, VT_I64, 0), off = want;
	if (is_signed && top)
		last = dag_2(d, DAG_SIGN_EXTEND_INREG, VT_I64, last, dag_vtype(d, VT_INT(top)));
	else if (top)
		last = w2(d, DAG_AND, last, dag_const(d, VT_I64, sem_mask(top)));
	if (is_signed)
		want = sign_of(d, last);
	if (top)
		off = w2(d, DAG_XOR, last, all[n - 1]);
	for (u32 i = n; i < 2 * n; i++)
		off = w2(d, DAG_OR, off, w2(d, DAG_XOR, all[i], want));
	set(l, node, all, n);
	dag_replace(d, dag_res(node, 1), dag_setcc(d, off, dag_const(d, VT_I64, 0), IRP_I_NE));
	return true;
}
