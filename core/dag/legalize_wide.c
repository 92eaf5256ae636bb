/* legalize_wide.c: integers of several 64-bit words, low word first.
 *
 *	add i128 ─▶ add.cc.s64 lo; addc.cc.s64 hi        mul i128 ─▶ mul.lo, mul.hi, two cross products
 *	shl i128 ─▶ both words shifted, the middle carried over; a shift by 64 and more moves the word
 *
 * In the top word of a width that is no multiple of 64 the bits above the width are unspecified; operations that depend on them
 * ask for them to be cleared or filled with the sign (legal_words). Linear in words; shifts by unknown amounts take
 * words * log(words) selections, products words^2. */
#include "dag/expand.h"
#include "dag/legalize.h"
#include "sem/float.h"

static bool is_wide(DagVt vt)
{
	DagVt part;
	return vt_is_sint(vt) && !dag_is_legal_vt(vt) && dag_reg_parts(vt, &part) > 1;
}

static u32 words(DagVt vt)
{
	DagVt part;
	return dag_reg_parts(vt, &part);
}

static DagVal w2(Dag *d, DagOp op, DagVal a, DagVal b) { return dag_2(d, op, VT_I64, a, b); }
static DagVal k64(Dag *d, u64 v) { return dag_const(d, VT_I64, v); }
static DagVal sh(Dag *d, DagOp op, DagVal a, DagVal n) { return dag_2(d, op, VT_I64, a, n); }

enum { ANY = DEXT_ANY, ZERO = DEXT_ZERO, SIGN = DEXT_SIGN };

u32 legal_words(Legalizer *l, u32 node, u32 i, DagExt how, DagVal *out)
{
	Dag   *d = l->d;
	DagVal v = dag_operand(d, dag_at(d, node), i);
	DagVt  vt = dag_vt(d, v);
	u32    n = legal_parts(l, v, out), top = vt_bits(vt) % 64;
	if (!top || how == DEXT_ANY)
		return n;
	out[n - 1] = how == DEXT_ZERO ? w2(d, DAG_AND, out[n - 1], k64(d, sem_mask(top)))
	                              : dag_2(d, DAG_SIGN_EXTEND_INREG, VT_I64, out[n - 1], dag_vtype(d, VT_INT(top)));
	return n;
}

static u32  operand(Legalizer *l, u32 node, u32 i, u32 how, DagVal *out) { return legal_words(l, node, i, (DagExt)how, out); }
static void set(Legalizer *l, u32 node, const DagVal *p, u32 n) { legal_set(l, dag_res(node, 0), p, n); }

/* ---- addition: a chain of carries, kept together by glue */

void legal_carry_chain(Dag *d, bool sub, const DagVal *a, const DagVal *b, u32 n, DagVal *out)
{
	if (n == 1) {
		out[0] = w2(d, sub ? DAG_SUB : DAG_ADD, a[0], b[0]);
		return;
	}
	DagVal glue = DAG_NONE;
	for (u32 i = 0; i < n; i++) {
		DagVal ops[] = {a[i], b[i], glue};
		DagOp  op = i ? (sub ? DAG_SUBE : DAG_ADDE) : (sub ? DAG_SUBC : DAG_ADDC);
		out[i] = dag_node_n(d, op, (DagVt[]){VT_I64, VT_GLUE}, 2, ops, i ? 3 : 2);
		glue = dag_res(out[i].n, 1);
	}
}

static void add(Legalizer *l, u32 node, bool sub)
{
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS], out[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a);
	operand(l, node, 1, ANY, b);
	legal_carry_chain(l->d, sub, a, b, n, out);
	set(l, node, out, n);
}

static void bitwise(Legalizer *l, u32 node)
{
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS];
	DagOp  op = (DagOp)dag_at(l->d, node)->opcode;
	u16    flags = dag_at(l->d, node)->flags;
	u32    n = operand(l, node, 0, ANY, a);
	operand(l, node, 1, ANY, b);
	for (u32 i = 0; i < n; i++)
		a[i] = dag_flagged(l->d, op, VT_I64, (DagVal[]){a[i], b[i]}, 2, flags);
	set(l, node, a, n);
}

/* ---- shifts */

static void shift_const(Dag *d, DagOp op, const DagVal *a, u32 n, u32 by, DagVal fill, DagVal *out)
{
	u32 skip = by / 64, bits = by % 64;
	for (u32 i = 0; i < n; i++) {
		bool   left = op == DAG_SHL;
		i32    from = left ? (i32)i - (i32)skip : (i32)(i + skip), more = left ? from - 1 : from + 1;
		DagVal x = from >= 0 && from < (i32)n ? a[from] : fill, y = more >= 0 && more < (i32)n ? a[more] : fill;
		if (!bits) {
			out[i] = x;
			continue;
		}
		DagVal near = dag_const(d, VT_I32, bits), far = dag_const(d, VT_I32, 64 - bits);
		bool   top = !left && more >= (i32)n;
		DagVal p = sh(d, left ? DAG_SHL : top && op == DAG_SRA ? DAG_SRA : DAG_SRL, x, near);
		out[i] = top || (left && more < 0) ? p : w2(d, DAG_OR, p, sh(d, left ? DAG_SRL : DAG_SHL, y, far));
	}
}

/* Two words shifted by an amount below 128. PTX shifts by 64 and more give 0, or the sign; the bits carried from one word to
 * the other rely on it. */
static void shift_two(Dag *d, DagOp op, const DagVal a[2], DagVal n, DagVal out[2])
{
	DagVal rest = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 64), n);
	DagVal over = dag_2(d, DAG_ADD, VT_I32, n, dag_const(d, VT_I32, (u64)-64));
	DagVal big = dag_setcc(d, n, dag_const(d, VT_I32, 63), IRP_I_SGT);
	if (op == DAG_SHL) {
		DagVal mid = w2(d, DAG_OR, sh(d, DAG_SHL, a[1], n), sh(d, DAG_SRL, a[0], rest));
		out[1] = dag_3(d, DAG_SELECT, VT_I64, big, sh(d, DAG_SHL, a[0], over), mid);
		out[0] = sh(d, DAG_SHL, a[0], n);
		return;
	}
	DagVal mid = w2(d, DAG_OR, sh(d, DAG_SRL, a[0], n), sh(d, DAG_SHL, a[1], rest));
	out[0] = dag_3(d, DAG_SELECT, VT_I64, big, sh(d, op, a[1], over), mid);
	out[1] = sh(d, op, a[1], n);
}

/* The upper n of 2n words, shifted left, or the lower n, shifted right, by the amount modulo 64n. First by whole words, in
 * steps of powers of two from the largest, moving only the words that reach the result; then by the bits within a word. */
static void funnel_words(Dag *d, bool left, DagVal *a, u32 n, DagVal amount, DagVal *out)
{
	u32 steps = 0;
	while (1u << steps < n)
		steps++;
	for (u32 bit = steps; bit-- > 0;) {
		u32 by = 1u << bit, need = PS_MIN(n + by, 2 * n); /* words still to be seen, from the top (left) or the bottom */
		DagVal masked = dag_2(d, DAG_AND, VT_I32, amount, dag_const(d, VT_I32, (u64)64 << bit));
		DagVal far = dag_setcc(d, masked, dag_const(d, VT_I32, 0), IRP_I_NE);
		for (u32 i = 0; i < need; i++) {
			u32    at = left ? 2 * n - 1 - i : i;
			bool   inside = left ? at >= by : at + by < 2 * n;
			DagVal moved = inside ? a[left ? at - by : at + by] : left ? a[0] : a[2 * n - 1];
			a[at] = dag_3(d, DAG_SELECT, VT_I64, far, moved, a[at]);
		}
	}
	/* Where no bits move, the neighbour is shifted by 64, which gives 0. */
	DagVal bits = dag_2(d, DAG_AND, VT_I32, amount, dag_const(d, VT_I32, 63)),
	       rest = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 64), bits);
	for (u32 i = 0; i < n; i++) {
		u32    at = left ? n + i : i;
		DagVal near = sh(d, left ? DAG_SHL : DAG_SRL, a[at], bits),
		       far = sh(d, left ? DAG_SRL : DAG_SHL, a[left ? at - 1 : at + 1], rest);
		out[i] = w2(d, DAG_OR, near, far);
	}
}

/* Of a width that is a power of two, so that the amount modulo the width is its low bits. */
static bool funnel(Legalizer *l, u32 node)
{
	DagVal hi[LEGAL_PARTS], all[2 * LEGAL_PARTS], out[LEGAL_PARTS], amount = dag_operand(l->d, dag_at(l->d, node), 2);
	u32    n = operand(l, node, 0, ANY, hi), bits = vt_bits(dag_at(l->d, node)->vt[0]);
	if ((bits & (bits - 1)) != 0 || vt_bits(dag_vt(l->d, amount)) != 32 || dag_is_const(l->d, amount))
		return false;
	operand(l, node, 1, ANY, all);
	memcpy(all + n, hi, n * sizeof *all);
	funnel_words(l->d, dag_at(l->d, node)->opcode == DAG_FSHL, all, n, amount, out);
	set(l, node, out, n);
	return true;
}

static bool shift(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagOp  op = (DagOp)dag_at(d, node)->opcode;
	DagVal a[LEGAL_PARTS], out[LEGAL_PARTS], amount = dag_operand(d, dag_at(d, node), 1);
	u32    n = operand(l, node, 0, op == DAG_SHL ? ANY : op == DAG_SRA ? SIGN : ZERO, a);
	u64    by;
	if (dag_as_const(d, amount, &by)) {
		DagVal fill = op == DAG_SRA ? sh(d, DAG_SRA, a[n - 1], dag_const(d, VT_I32, 63)) : k64(d, 0);
		shift_const(d, op, a, n, (u32)PS_MIN(by, (u64)n * 64), fill, out);
	} else if (n == 2) {
		shift_two(d, op, a, amount, out);
	} else {
		DagVal fill = op == DAG_SRA ? sh(d, DAG_SRA, a[n - 1], dag_const(d, VT_I32, 63)) : k64(d, 0),
		       all[2 * LEGAL_PARTS];
		bool left = op == DAG_SHL;
		for (u32 i = 0; i < n; i++) {
			all[left ? i : n + i] = fill;
			all[left ? n + i : i] = a[i];
		}
		funnel_words(d, left, all, n, amount, out);
	}
	set(l, node, out, n);
	return true;
}

/* ---- comparison: the highest words that differ decide */

static DagVal compare_words(Dag *d, const DagVal *a, const DagVal *b, u32 n, DagCond c)
{
	if (c == IRP_I_EQ || c == IRP_I_NE) {
		DagVal r = w2(d, DAG_XOR, a[0], b[0]);
		for (u32 i = 1; i < n; i++)
			r = w2(d, DAG_OR, r, w2(d, DAG_XOR, a[i], b[i]));
		return dag_setcc(d, r, k64(d, 0), c);
	}
	static const u8 low_of[] = {[IRP_I_SGT - IRP_I_UGT] = IRP_I_UGT,
	                            [IRP_I_SGE - IRP_I_UGT] = IRP_I_UGE,
	                            [IRP_I_SLT - IRP_I_UGT] = IRP_I_ULT,
	                            [IRP_I_SLE - IRP_I_UGT] = IRP_I_ULE,
	                            [0] = IRP_I_UGT,
	                            [1] = IRP_I_UGE,
	                            [2] = IRP_I_ULT,
	                            [3] = IRP_I_ULE};
	DagVal          r = dag_setcc(d, a[0], b[0], (DagCond)low_of[c - IRP_I_UGT]);
	for (u32 i = 1; i < n; i++) {
		/* Higher words decide where they differ: hi < hi', or equal and the rest says so. */
		static const u8 strict[] = {[IRP_I_SGT - IRP_I_UGT] = IRP_I_SGT,
		                            [IRP_I_SGE - IRP_I_UGT] = IRP_I_SGT,
		                            [IRP_I_SLT - IRP_I_UGT] = IRP_I_SLT,
		                            [IRP_I_SLE - IRP_I_UGT] = IRP_I_SLT,
		                            [0] = IRP_I_UGT,
		                            [1] = IRP_I_UGT,
		                            [2] = IRP_I_ULT,
		                            [3] = IRP_I_ULT};
		DagCond         ci = (DagCond)strict[(i == n - 1 ? c : (DagCond)low_of[c - IRP_I_UGT]) - IRP_I_UGT];
		DagVal          same = dag_setcc(d, a[i], b[i], IRP_I_EQ), beyond = dag_setcc(d, a[i], b[i], ci);
		r = dag_2(d, DAG_OR, VT_I1, beyond, dag_2(d, DAG_AND, VT_I1, same, r));
	}
	return r;
}

static void compare(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagCond c = (DagCond)dag_of(d, dag_operand(d, dag_at(d, node), 2))->k[0];
	u32     how = c >= IRP_I_SGT ? SIGN : ZERO;
	DagVal  a[LEGAL_PARTS], b[LEGAL_PARTS];
	u32     n = operand(l, node, 0, how, a);
	operand(l, node, 1, how, b);
	/* Comparisons with 0 or -1 that ask for the sign need the top word alone. */
	bool all_zero = true, all_ones = true;
	for (u32 i = 0; i < n; i++) {
		all_zero &= dag_is_zero(d, b[i]);
		all_ones &= dag_is_all_ones(d, b[i]);
	}
	if (((c == IRP_I_SLT || c == IRP_I_SGE) && all_zero) || ((c == IRP_I_SGT || c == IRP_I_SLE) && all_ones)) {
		dag_replace(d, dag_res(node, 0), dag_setcc(d, a[n - 1], b[n - 1], c));
		return;
	}
	dag_replace(d, dag_res(node, 0), compare_words(d, a, b, n, c));
}

static void choose(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal c = dag_operand(d, dag_at(d, node), 0), a[LEGAL_PARTS], b[LEGAL_PARTS];
	u32    n = operand(l, node, 1, ANY, a);
	operand(l, node, 2, ANY, b);
	for (u32 i = 0; i < n; i++)
		a[i] = dag_3(d, DAG_SELECT, VT_I64, c, a[i], b[i]);
	set(l, node, a, n);
}

/* ---- widths */

static void extend(Legalizer *l, u32 node)
{
	Dag    *d = l->d;
	DagNode x = *dag_at(d, node);
	u32     how = x.opcode == DAG_SIGN_EXTEND ? SIGN : x.opcode == DAG_ZERO_EXTEND ? ZERO : ANY, n = words(x.vt[0]);
	DagVal  v = dag_operand(d, dag_at(d, node), 0), a[LEGAL_PARTS];
	DagVt   from = dag_vt(d, v);
	u32     have;
	if (is_wide(from)) {
		have = operand(l, node, 0, how, a);
	} else {
		have = 1;
		DagVal p = how == ZERO && !dag_is_legal_vt(from) ? legal_zext_part(l, v) : DAG_NONE;
		if (!dag_is(p))
			legal_parts(l, v, &p);
		bool odd = how == SIGN && !dag_is_legal_vt(from);
		a[0] = odd           ? dag_2(d, DAG_SIGN_EXTEND_INREG, VT_I64, dag_any_or_trunc(d, p, VT_I64), dag_vtype(d, from))
		       : how == SIGN ? dag_sext_or_trunc(d, p, VT_I64)
		       : how == ZERO ? dag_zext_or_trunc(d, p, VT_I64)
		                     : dag_any_or_trunc(d, p, VT_I64);
	}
	DagVal fill = how == SIGN   ? sh(d, DAG_SRA, a[have - 1], dag_const(d, VT_I32, 63))
	              : how == ZERO ? k64(d, 0)
	                            : dag_undef(d, VT_I64);
	for (u32 i = have; i < n; i++)
		a[i] = fill;
	set(l, node, a, n);
}

static void truncate(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVt  vt = dag_at(d, node)->vt[0], part;
	DagVal a[LEGAL_PARTS];
	operand(l, node, 0, ANY, a);
	if (is_wide(vt)) {
		set(l, node, a, words(vt));
		return;
	}
	dag_reg_parts(vt, &part);
	a[0] = dag_any_or_trunc(d, a[0], part);
	if (dag_is_legal_vt(vt))
		dag_replace(d, dag_res(node, 0), a[0]);
	else
		set(l, node, a, 1);
}

static void pair(Legalizer *l, u32 node)
{
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a), m = operand(l, node, 1, ANY, b);
	memcpy(a + n, b, m * sizeof *a);
	set(l, node, a, n + m);
}

static void half(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u64    i = 0;
	u32    n = operand(l, node, 0, ANY, a);
	dag_as_const(d, dag_operand(d, dag_at(d, node), 1), &i);
	DagVt vt = dag_at(d, node)->vt[0];
	if (dag_is_legal_vt(vt))
		dag_replace(d, dag_res(node, 0), a[i ? n - 1 : 0]);
	else
		set(l, node, a + (i ? n / 2 : 0), n / 2);
}

static void in_register(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a), w = vt_bits((DagVt)dag_of(d, dag_operand(d, dag_at(d, node), 1))->k[0]),
	    at = (w - 1) / 64;
	if (w % 64)
		a[at] = dag_2(d, DAG_SIGN_EXTEND_INREG, VT_I64, a[at], dag_vtype(d, VT_INT(w % 64)));
	for (u32 i = at + 1; i < n; i++)
		a[i] = sh(d, DAG_SRA, a[at], dag_const(d, VT_I32, 63));
	set(l, node, a, n);
}

/* ---- bits */

static void population(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ZERO, a);
	a[0] = dag_1(d, DAG_CTPOP, VT_I64, a[0]);
	for (u32 i = 1; i < n; i++) {
		a[0] = w2(d, DAG_ADD, a[0], dag_1(d, DAG_CTPOP, VT_I64, a[i]));
		a[i] = k64(d, 0);
	}
	set(l, node, a, n);
}

static void leading(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ZERO, a), bits = vt_bits(dag_at(d, node)->vt[0]);
	DagVal r = dag_1(d, DAG_CTLZ, VT_I64, a[0]);
	for (u32 i = 1; i < n; i++) {
		DagVal more = w2(d, DAG_ADD, r, k64(d, 64));
		r = dag_3(d, DAG_SELECT, VT_I64, dag_setcc(d, a[i], k64(d, 0), IRP_I_NE), dag_1(d, DAG_CTLZ, VT_I64, a[i]), more);
	}
	a[0] = bits % 64 ? w2(d, DAG_SUB, r, k64(d, 64 - bits % 64)) : r;
	for (u32 i = 1; i < n; i++)
		a[i] = k64(d, 0);
	set(l, node, a, n);
}

static void trailing(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a), bits = vt_bits(dag_at(d, node)->vt[0]);
	if (bits % 64)
		a[n - 1] = w2(d, DAG_OR, a[n - 1], k64(d, (u64)1 << bits % 64));
	DagVal r = dag_1(d, DAG_CTTZ, VT_I64, a[n - 1]);
	for (u32 i = n - 1; i-- > 0;)
		r = dag_3(d, DAG_SELECT, VT_I64, dag_setcc(d, a[i], k64(d, 0), IRP_I_NE), dag_1(d, DAG_CTTZ, VT_I64, a[i]),
		          w2(d, DAG_ADD, r, k64(d, 64)));
	a[0] = r;
	for (u32 i = 1; i < n; i++)
		a[i] = k64(d, 0);
	set(l, node, a, n);
}

static void reversed(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagOp  op = (DagOp)dag_at(d, node)->opcode;
	DagVal a[LEGAL_PARTS], out[LEGAL_PARTS], r[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a), bits = vt_bits(dag_at(d, node)->vt[0]);
	for (u32 i = 0; i < n; i++)
		out[n - 1 - i] = dag_1(d, op, VT_I64, a[i]);
	if (bits % 64) {
		shift_const(d, DAG_SRL, out, n, 64 - bits % 64, k64(d, 0), r);
		memcpy(out, r, n * sizeof *out);
	}
	set(l, node, out, n);
}

/* ---- overflow */

/* The carry out of the top word or, where the width ends within it, out of the width. */
static void unsigned_overflow(Legalizer *l, u32 node, bool sub)
{
	Dag   *d = l->d;
	DagVal a[LEGAL_PARTS + 1], b[LEGAL_PARTS + 1], over;
	u32    n = operand(l, node, 0, ZERO, a), top = vt_bits(dag_at(d, node)->vt[0]) % 64;
	operand(l, node, 1, ZERO, b);
	a[n] = b[n] = k64(d, 0);
	legal_carry_chain(d, sub, a, b, top ? n : n + 1, a);
	if (!top)
		over = dag_setcc(d, a[n], k64(d, 0), IRP_I_NE);
	else if (sub)
		over = dag_setcc(d, a[n - 1], k64(d, 0), IRP_I_SLT);
	else
		over = dag_setcc(d, a[n - 1], k64(d, sem_mask(top)), IRP_I_UGT);
	set(l, node, a, n);
	dag_replace(d, dag_res(node, 1), over);
}

static void overflow(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVal out[2], p[LEGAL_PARTS];
	if (!dag_expand(l->f, node, out))
		return;
	u32 n = legal_parts(l, out[0], p);
	legal_set(l, dag_res(node, 0), p, n);
	dag_replace(d, dag_res(node, 1), out[1]);
}

/* ---- floats: by words, exact where the float has room, else rounded once in the float's addition */

static DagVal unsigned_to_float(Dag *d, DagVt vt, DagVal lo, DagVal hi)
{
	/* Normalise to 64 bits whose lowest bit is sticky, so that the conversion rounds once. */
	DagVal big = dag_1(d, DAG_CTLZ, VT_I64, hi), n = dag_any_or_trunc(d, big, VT_I32);
	DagVal hi_zero = dag_setcc(d, hi, k64(d, 0), IRP_I_EQ);
	DagVal a[2] = {lo, hi}, norm[2];
	shift_two(d, DAG_SHL, a, n, norm);
	DagVal sticky = dag_1(d, DAG_ZERO_EXTEND, VT_I64, dag_setcc(d, norm[0], k64(d, 0), IRP_I_NE));
	DagVal top = w2(d, DAG_OR, norm[1], sticky);
	DagVal f = dag_1(d, DAG_UINT_TO_FP, vt, top);
	/* times 2^(64 - n): add 64 - n to the exponent field */
	DagVt  it = vt_as_int(vt);
	u32    frac = sem_fmt[dag_sem_fmt(vt)].mantissa;
	DagVal e = dag_2(d, DAG_SUB, VT_I32, dag_const(d, VT_I32, 64), n);
	DagVal add_ = dag_2(d, DAG_SHL, it, dag_zext_or_trunc(d, e, it), dag_const(d, VT_I32, frac));
	DagVal scaled = dag_1(d, DAG_BITCAST, vt, dag_2(d, DAG_ADD, it, dag_1(d, DAG_BITCAST, it, f), add_));
	return dag_3(d, DAG_SELECT, vt, hi_zero, dag_1(d, DAG_UINT_TO_FP, vt, lo), scaled);
}

static bool to_float(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagVt  vt = dag_at(d, node)->vt[0], via = vt_bits(vt) == 16 ? VT_F32 : vt;
	bool   s = dag_at(d, node)->opcode == DAG_SINT_TO_FP;
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, s ? SIGN : ZERO, a);
	if (n != 2)
		return false;
	DagVal r;
	if (s) {
		DagVal m = sh(d, DAG_SRA, a[1], dag_const(d, VT_I32, 63)), ms[2] = {m, m},
		       x[2] = {w2(d, DAG_XOR, a[0], m), w2(d, DAG_XOR, a[1], m)};
		legal_carry_chain(d, true, x, ms, 2, x);
		r = unsigned_to_float(d, via, x[0], x[1]);
		r = dag_3(d, DAG_SELECT, via, dag_setcc(d, a[1], k64(d, 0), IRP_I_SLT), dag_1(d, DAG_FNEG, via, r), r);
	} else {
		r = unsigned_to_float(d, via, a[0], a[1]);
	}
	dag_replace(d, dag_res(node, 0), via == vt ? r : dag_1(d, DAG_FP_ROUND, vt, r));
	return true;
}

/* The two words of a double whose magnitude is below 2^128; an unsigned conversion ignores the sign. */
static void float_words(Dag *d, DagVal v, bool is_signed, DagVal out[2])
{
	/* Shift the significand by the exponent. */
	DagVal bits = dag_1(d, DAG_BITCAST, VT_I64, v);
	u32    frac = sem_fmt[SEM_F64].mantissa;
	DagVal top = sh(d, DAG_SRL, bits, dag_const(d, VT_I32, frac));
	DagVal exp = dag_2(d, DAG_AND, VT_I32, dag_any_or_trunc(d, top, VT_I32), dag_const(d, VT_I32, 0x7FF));
	DagVal sig = w2(d, DAG_OR, w2(d, DAG_AND, bits, k64(d, sem_mask(frac))), k64(d, (u64)1 << frac));
	DagVal unit = dag_const(d, VT_I32, sem_fbias(SEM_F64) + frac); /* the exponent field where the last bit counts 1 */
	DagVal up = dag_2(d, DAG_SUB, VT_I32, exp, unit), down = dag_2(d, DAG_SUB, VT_I32, unit, exp);
	DagVal a[2] = {sig, k64(d, 0)}, left[2];
	shift_two(d, DAG_SHL, a, up, left);
	DagVal small = dag_setcc(d, exp, unit, IRP_I_SLT);
	out[0] = dag_3(d, DAG_SELECT, VT_I64, small, sh(d, DAG_SRL, sig, down), left[0]);
	out[1] = dag_3(d, DAG_SELECT, VT_I64, small, k64(d, 0), left[1]);
	if (is_signed) {
		DagVal m = sh(d, DAG_SRA, bits, dag_const(d, VT_I32, 63)), ms[2] = {m, m},
		       x[2] = {w2(d, DAG_XOR, out[0], m), w2(d, DAG_XOR, out[1], m)};
		legal_carry_chain(d, true, x, ms, 2, out);
	}
}

static void where(Dag *d, DagVal c, u64 lo, u64 hi, DagVal out[2])
{
	out[0] = dag_3(d, DAG_SELECT, VT_I64, c, k64(d, lo), out[0]);
	out[1] = dag_3(d, DAG_SELECT, VT_I64, c, k64(d, hi), out[1]);
}

/* A value above the range gives the largest number, one below it the least, NaN 0. */
static void saturate(Dag *d, DagVal v, u32 w, bool is_signed, DagVal out[2])
{
	u32    top = is_signed ? w - 1 : w; /* 2^top is the first number that is too large */
	u64    above = ~sem_mask_word(top, 1), limit_bits = sem_fpow2(SEM_F64, (i32)top);
	DagVal limit = dag_fp(d, VT_F64, limit_bits), zero = dag_fp(d, VT_F64, 0);
	where(d, dag_setcc(d, v, limit, IRP_OGE), ~(u64)0, ~above, out);
	if (is_signed)
		where(d, dag_setcc(d, v, dag_fp(d, VT_F64, sem_fneg(SEM_F64, limit_bits)), IRP_OLT), 0, above, out);
	/* Unsigned: 0 for everything that is not above 0, NaN included. */
	where(d, dag_setcc(d, v, is_signed ? v : zero, is_signed ? IRP_UNO : IRP_ULE), 0, 0, out);
}

static bool from_float(Legalizer *l, u32 node)
{
	Dag   *d = l->d;
	DagOp  op = (DagOp)dag_at(d, node)->opcode;
	DagVt  vt = dag_at(d, node)->vt[0];
	bool   is_signed = op == DAG_FP_TO_SINT || op == DAG_FP_TO_SINT_SAT;
	DagVal v = dag_operand(d, dag_at(d, node), 0), out[2];
	if (words(vt) != 2)
		return false;
	if (dag_vt(d, v) != VT_F64)
		v = dag_1(d, DAG_FP_EXTEND, VT_F64, v);
	float_words(d, v, is_signed, out);
	if (op == DAG_FP_TO_SINT_SAT || op == DAG_FP_TO_UINT_SAT)
		saturate(d, v, vt_bits(vt), is_signed, out);
	set(l, node, out, 2);
	return true;
}

/* By a constant of at most 32 bits: long division in digits of 32 bits. */
static void divide_by_digit(Legalizer *l, u32 node, const DagVal *a, u32 n, u64 by)
{
	Dag   *d = l->d;
	bool   rem = dag_at(d, node)->opcode == DAG_UREM;
	DagVal left = k64(d, 0), c = k64(d, by), half = dag_const(d, VT_I32, 32), out[LEGAL_PARTS];
	for (u32 i = n; i-- > 0;) {
		DagVal above = sh(d, DAG_SHL, left, half), high = w2(d, DAG_OR, above, sh(d, DAG_SRL, a[i], half));
		DagVal q1 = w2(d, DAG_UDIV, high, c);
		left = w2(d, DAG_SUB, high, w2(d, DAG_MUL, q1, c));
		above = sh(d, DAG_SHL, left, half);
		DagVal low = w2(d, DAG_OR, above, w2(d, DAG_AND, a[i], k64(d, 0xFFFFFFFFu)));
		DagVal q0 = w2(d, DAG_UDIV, low, c);
		left = w2(d, DAG_SUB, low, w2(d, DAG_MUL, q0, c));
		out[i] = rem ? k64(d, 0) : w2(d, DAG_OR, sh(d, DAG_SHL, q1, half), q0);
	}
	if (rem)
		out[0] = left;
	set(l, node, out, n);
}

/* expand-large-div-rem has made loops of other divisions of more than 128 bits. */
static bool divide(Legalizer *l, u32 node)
{
	u64    by;
	DagVal a[LEGAL_PARTS], b[LEGAL_PARTS], out[2];
	DagOp  op = (DagOp)dag_at(l->d, node)->opcode;
	u32    how = op == DAG_SDIV || op == DAG_SREM ? SIGN : ZERO, n = operand(l, node, 0, how, a);
	if (n > 2 && how == ZERO && dag_as_const(l->d, dag_operand(l->d, dag_at(l->d, node), 1), &by) && by &&
	    by <= 0xFFFFFFFFu) {
		divide_by_digit(l, node, a, n, by);
		return true;
	}
	operand(l, node, 1, how, b);
	if (n != 2 || !legal_division(l, node, a, b, out))
		return false;
	set(l, node, out, 2);
	return true;
}

static bool any_wide(const Dag *d, const DagNode *n)
{
	for (u32 r = 0; r < dag_n_results(n); r++)
		if (is_wide(dag_result_vt(d, n, r)))
			return true;
	for (u32 i = 0; i < dag_n_ops(n); i++)
		if (is_wide(dag_vt(d, dag_operand(d, n, i))))
			return true;
	return false;
}

static void freeze(Legalizer *l, u32 node)
{
	DagVal a[LEGAL_PARTS];
	u32    n = operand(l, node, 0, ANY, a);
	for (u32 i = 0; i < n; i++)
		a[i] = dag_1(l->d, DAG_FREEZE, VT_I64, a[i]);
	set(l, node, a, n);
}

bool legal_wide_node(Legalizer *l, u32 node)
{
	const DagNode *n = dag_at(l->d, node);
	if (!any_wide(l->d, n))
		return false;
	switch ((DagOp)n->opcode) {
	case DAG_ADD: add(l, node, false); return true;
	case DAG_SUB: add(l, node, true); return true;
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: bitwise(l, node); return true;
	case DAG_MUL:
	case DAG_MULHU:
	case DAG_MULHS: legal_multiply(l, node); return true;
	case DAG_FSHL:
	case DAG_FSHR: return funnel(l, node);
	case DAG_UDIV:
	case DAG_UREM:
	case DAG_SDIV:
	case DAG_SREM: return divide(l, node);
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return shift(l, node);
	case DAG_SETCC: compare(l, node); return true;
	case DAG_SELECT: choose(l, node); return true;
	case DAG_ANY_EXTEND:
	case DAG_ZERO_EXTEND:
	case DAG_SIGN_EXTEND: extend(l, node); return true;
	case DAG_TRUNCATE: truncate(l, node); return true;
	case DAG_BUILD_PAIR: pair(l, node); return true;
	case DAG_EXTRACT_ELEMENT: half(l, node); return true;
	case DAG_SIGN_EXTEND_INREG: in_register(l, node); return true;
	case DAG_CTPOP: population(l, node); return true;
	case DAG_CTLZ: leading(l, node); return true;
	case DAG_CTTZ: trailing(l, node); return true;
	case DAG_BSWAP:
	case DAG_BITREVERSE: reversed(l, node); return true;
	case DAG_FREEZE: freeze(l, node); return true;
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP: return to_float(l, node);
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
	case DAG_FP_TO_SINT_SAT:
	case DAG_FP_TO_UINT_SAT: return from_float(l, node);
	case DAG_UADDO: unsigned_overflow(l, node, false); return true;
	case DAG_USUBO: unsigned_overflow(l, node, true); return true;
	case DAG_SADDO:
	case DAG_SSUBO: overflow(l, node); return true;
	case DAG_SMULO:
	case DAG_UMULO:
		if (!legal_multiply_overflow(l, node))
			overflow(l, node);
		return true;
	default: return false; /* legalize_narrow.c expands the others */
	}
}
