/* combine_int.c: integer arithmetic, logic, shifts.
 *
 *	x * 8 ─▶ x << 3        (x + 1) + 2 ─▶ x + 3           sext(a) * sext(b) ─▶ mul.wide
 *	a * b + c ─▶ mad       (x << 24) >> 24 ─▶ sext_inreg  (x >> 5) & 31     ─▶ bfe
 */
#include "dag/combine.h"
#include "sem/int.h"

static DagVal k(Combiner *c, DagVt vt, u64 v) { return dag_const(c->d, vt, v); }
static DagVal op2(Combiner *c, DagOp op, DagVt vt, DagVal a, DagVal b) { return dag_2(c->d, op, vt, a, b); }
static u16    keep_flags(Combiner *c, u16 flags)
{
	u16 old = c->d->flags;
	c->d->flags &= flags;
	return old;
}

static bool is_neg(const Combiner *c, DagVal v) { return op_of(c, v) == DAG_SUB && dag_is_zero(c->d, dag_arg(c->d, v, 0)); }

/* ---- sums ---- */

/* (p ? x * y : 0) + b = p ? mad(x, y, b) : b, and with the arms exchanged */
static DagVal selected_product(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	if (op_of(c, a) != DAG_SELECT || !once(c, a))
		return DAG_NONE;
	DagVal p = dag_arg(d, a, 0), t = dag_arg(d, a, 1), e = dag_arg(d, a, 2);
	bool   otherwise = dag_is_zero(d, t);
	DagVal m = otherwise ? e : t;
	if (!(otherwise || dag_is_zero(d, e)) || op_of(c, m) != DAG_MUL || !once(c, m))
		return DAG_NONE;
	DagVal sum = dag_3(d, DAG_MAD, vt, dag_arg(d, m, 0), dag_arg(d, m, 1), b);
	return dag_3(d, DAG_SELECT, vt, p, otherwise ? b : sum, otherwise ? sum : b);
}

static DagVal add(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  x, y;
	if (dag_as_const(d, b, &y)) {
		if (op_of(c, a) == DAG_ADD && dag_as_const(d, dag_arg(d, a, 1), &x)) {
			keep_flags(c, 0);
			return op2(c, DAG_ADD, vt, dag_arg(d, a, 0), k(c, vt, x + y));
		}
		if (op_of(c, a) == DAG_SUB && dag_as_const(d, dag_arg(d, a, 0), &x)) {
			keep_flags(c, 0);
			return op2(c, DAG_SUB, vt, k(c, vt, x + y), dag_arg(d, a, 1));
		}
		if (y == 1 && op_of(c, a) == DAG_XOR && dag_is_all_ones(d, dag_arg(d, a, 1)))
			return op2(c, DAG_SUB, vt, k(c, vt, 0), dag_arg(d, a, 0));
	}
	if (is_neg(c, b)) {
		keep_flags(c, 0);
		return op2(c, DAG_SUB, vt, a, dag_arg(d, b, 1));
	}
	if (is_neg(c, a)) {
		keep_flags(c, 0);
		return op2(c, DAG_SUB, vt, b, dag_arg(d, a, 1));
	}
	if (op_of(c, b) == DAG_SUB && dag_same(dag_arg(d, b, 1), a))
		return dag_arg(d, b, 0);
	if (op_of(c, a) == DAG_SUB && dag_same(dag_arg(d, a, 1), b))
		return dag_arg(d, a, 0);
	/* Constants go outward, where addresses can take them. */
	if (op_of(c, a) == DAG_ADD && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x) && !dag_as_const(d, b, &y)) {
		keep_flags(c, 0);
		return op2(c, DAG_ADD, vt, op2(c, DAG_ADD, vt, dag_arg(d, a, 0), b), dag_arg(d, a, 1));
	}
	if (op_of(c, b) == DAG_ADD && once(c, b) && dag_as_const(d, dag_arg(d, b, 1), &x)) {
		keep_flags(c, 0);
		return op2(c, DAG_ADD, vt, op2(c, DAG_ADD, vt, a, dag_arg(d, b, 0)), dag_arg(d, b, 1));
	}
	if (c->legal && c->f->optimize && vt == VT_I32) {
		if (op_of(c, a) == DAG_MUL && once(c, a))
			return dag_3(d, DAG_MAD, vt, dag_arg(d, a, 0), dag_arg(d, a, 1), b);
		if (op_of(c, b) == DAG_MUL && once(c, b))
			return dag_3(d, DAG_MAD, vt, dag_arg(d, b, 0), dag_arg(d, b, 1), a);
		DagVal s = selected_product(c, vt, a, b);
		return dag_is(s) ? s : selected_product(c, vt, b, a);
	}
	return DAG_NONE;
}

static DagVal sub(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  x, y;
	if (vt_bits(vt) <= 64 && dag_as_const(d, b, &y)) {
		keep_flags(c, IRF_NSW);
		if (y == sem_smin(vt_bits(vt)))
			keep_flags(c, 0);
		return op2(c, DAG_ADD, vt, a, k(c, vt, 0 - y));
	}
	if (is_neg(c, b)) {
		keep_flags(c, 0);
		return op2(c, DAG_ADD, vt, a, dag_arg(d, b, 1));
	}
	if (dag_is_all_ones(d, a))
		return dag_not(d, b);
	if (op_of(c, a) == DAG_ADD && dag_same(dag_arg(d, a, 0), b))
		return dag_arg(d, a, 1);
	if (op_of(c, a) == DAG_ADD && dag_same(dag_arg(d, a, 1), b))
		return dag_arg(d, a, 0);
	if (op_of(c, b) == DAG_SUB && dag_same(dag_arg(d, b, 0), a)) /* a - (a - x) */
		return dag_arg(d, b, 1);
	if (op_of(c, b) == DAG_ADD && dag_same(dag_arg(d, b, 0), a)) {
		keep_flags(c, 0);
		return op2(c, DAG_SUB, vt, k(c, vt, 0), dag_arg(d, b, 1));
	}
	/* (x + c1) - b: the constant outward */
	if (op_of(c, a) == DAG_ADD && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x)) {
		keep_flags(c, 0);
		return op2(c, DAG_ADD, vt, op2(c, DAG_SUB, vt, dag_arg(d, a, 0), b), dag_arg(d, a, 1));
	}
	return DAG_NONE;
}

/* ---- products ---- */

/* The half-width value that `v` extends, or a constant that fits the half: signed or unsigned. */
static bool half_operand(Combiner *c, DagVal v, DagVt half, bool is_signed, DagVal *out)
{
	Dag *d = c->d;
	u64  x;
	u32  w = vt_bits(half);
	if (dag_is_const(d, v) && dag_as_const(d, v, &x)) {
		i64 s = sem_sext(x, 2 * w);
		if (is_signed ? s != sem_sext((u64)s, w) : x >> w != 0)
			return false;
		*out = k(c, half, x);
		return true;
	}
	if (op_of(c, v) != (is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND))
		return false;
	DagVal a = dag_arg(d, v, 0);
	if (vt_bits(dag_vt(d, a)) > w || dag_vt(d, a) == VT_I1)
		return false;
	*out = dag_vt(d, a) == half ? a : dag_1(d, is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND, half, a);
	return true;
}

/* x + i where nothing is carried out of the width: then the extension may come first. */
static bool exact_sum(Combiner *c, DagVal v, bool is_signed, DagVal *x, u64 *i)
{
	Dag           *d = c->d;
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_OR && dag_as_const(d, dag_operand(d, n, 1), i) &&
	    ((n->flags & IRF_DISJOINT) || dag_masked_zero(d, dag_operand(d, n, 0), *i))) {
		*x = dag_operand(d, n, 0);
		return !is_signed || !(*i >> (vt_bits(n->vt[0]) - 1) & 1);
	}
	if (n->opcode != DAG_ADD || !dag_as_const(d, dag_operand(d, n, 1), i) || !(n->flags & (is_signed ? IRF_NSW : IRF_NUW)))
		return false;
	*x = dag_operand(d, n, 0);
	return true;
}

static DagVal wide_product(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag   *d = c->d;
	DagVal x, y;
	if (!c->f->optimize || (vt != VT_I32 && vt != VT_I64))
		return DAG_NONE;
	DagVt half = VT_INT(vt_bits(vt) / 2);
	for (u32 s = 0; s < 2; s++)
		if (!dag_is_const(d, a) && half_operand(c, a, half, s == 0, &x) && half_operand(c, b, half, s == 0, &y)) {
			DagVal base;
			u64    i, by;
			keep_flags(c, 0);
			/* The constant outward, where an address can take it. */
			if (dag_as_const(d, y, &by) && exact_sum(c, x, s == 0, &base, &i)) {
				u32 w = vt_bits(half);
				u64 off = s == 0 ? (u64)sem_sext(i, w) * (u64)sem_sext(by, w) : i * by;
				return op2(c, DAG_ADD, vt, op2(c, s == 0 ? DAG_MULWIDE_S : DAG_MULWIDE_U, vt, base, y),
				           k(c, vt, off));
			}
			return op2(c, s == 0 ? DAG_MULWIDE_S : DAG_MULWIDE_U, vt, x, y);
		}
	return DAG_NONE;
}

/* (x + 1) * y = mad(x, y, y), also behind a selection of 1: c ? 1 : x + 1. */
static DagVal product_with_one(Combiner *c, DagVt vt, DagVal a, DagVal y)
{
	Dag *d = c->d;
	if (op_of(c, a) == DAG_ADD && once(c, a) && dag_is_const_of(d, dag_arg(d, a, 1), 1) && !dag_is_const(d, y))
		return dag_3(d, DAG_MAD, vt, dag_arg(d, a, 0), y, y);
	if (op_of(c, a) != DAG_SELECT || !once(c, a))
		return DAG_NONE;
	DagVal p = dag_arg(d, a, 0), t = dag_arg(d, a, 1), e = dag_arg(d, a, 2);
	if (dag_is_const_of(d, t, 1))
		return dag_3(d, DAG_SELECT, vt, p, y, op2(c, DAG_MUL, vt, e, y));
	if (dag_is_const_of(d, e, 1))
		return dag_3(d, DAG_SELECT, vt, p, op2(c, DAG_MUL, vt, t, y), y);
	return DAG_NONE;
}

static DagVal mul(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag   *d = c->d;
	u64    x, y;
	DagVal w = wide_product(c, vt, a, b);
	if (dag_is(w))
		return w;
	if (c->legal && c->f->optimize && vt == VT_I32) {
		w = product_with_one(c, vt, a, b);
		if (!dag_is(w))
			w = product_with_one(c, vt, b, a);
		if (dag_is(w))
			return w;
	}
	if (vt_bits(vt) > 64 || !dag_as_const(d, b, &y))
		return DAG_NONE;
	keep_flags(c, 0);
	if (y == vt_mask(vt))
		return op2(c, DAG_SUB, vt, k(c, vt, 0), a);
	if (y && (y & (y - 1)) == 0 && vt_bits(vt) > 1)
		return op2(c, DAG_SHL, vt, a, dag_const(d, vt_with(vt, VT_I32), u64_log2(y)));
	u64 n = (0 - y) & vt_mask(vt);
	if (n && (n & (n - 1)) == 0)
		return op2(c, DAG_SUB, vt, k(c, vt, 0), op2(c, DAG_SHL, vt, a, dag_const(d, vt_with(vt, VT_I32), u64_log2(n))));
	if (op_of(c, a) == DAG_MUL && dag_as_const(d, dag_arg(d, a, 1), &x))
		return op2(c, DAG_MUL, vt, dag_arg(d, a, 0), k(c, vt, x * y));
	if (op_of(c, a) == DAG_SHL && dag_as_const(d, dag_arg(d, a, 1), &x) && x < vt_bits(vt))
		return op2(c, DAG_MUL, vt, dag_arg(d, a, 0), k(c, vt, y << x));
	/* (x + c1) * c2 = x * c2 + c1 * c2 */
	if (op_of(c, a) == DAG_ADD && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x))
		return op2(c, DAG_ADD, vt, op2(c, DAG_MUL, vt, dag_arg(d, a, 0), b), k(c, vt, x * y));
	return DAG_NONE;
}

static DagVal without_unneeded(Combiner *c, DagVal v, u64 mask)
{
	Dag  *d = c->d;
	DagOp op = op_of(c, v);
	u64   k_;
	if (op == DAG_OR || op == DAG_XOR) {
		DagVal a = dag_arg(d, v, 0), b = dag_arg(d, v, 1);
		if (dag_masked_zero(d, b, mask))
			return a;
		if (dag_masked_zero(d, a, mask))
			return b;
	}
	if (op == DAG_AND && dag_as_const(d, dag_arg(d, v, 1), &k_) && (k_ & mask) == mask)
		return dag_arg(d, v, 0);
	if (op == DAG_TRUNCATE && op_of(c, dag_arg(d, v, 0)) == DAG_AND) {
		DagVal a = dag_arg(d, v, 0);
		if (dag_as_const(d, dag_arg(d, a, 1), &k_) && (k_ & mask) == mask)
			return dag_1(d, DAG_TRUNCATE, dag_vt(d, v), dag_arg(d, a, 0));
	}
	if (op == DAG_ASSERT_ZEXT)
		return (mask & ~vt_mask((DagVt)dag_of(d, dag_arg(d, v, 1))->k[0])) == 0 ? dag_arg(d, v, 0) : DAG_NONE;
	return DAG_NONE;
}

DagVal combine_demanded(Combiner *c, DagVal v, u64 mask)
{
	Dag  *d = c->d;
	DagOp op = op_of(c, v);
	DagVt vt = dag_vt(d, v);
	u64   n;
	if ((op != DAG_SRL && op != DAG_SHL) || vt_is_vec(vt) || !once(c, v) || !dag_as_const(d, dag_arg(d, v, 1), &n) ||
	    n >= vt_bits(vt))
		return without_unneeded(c, v, mask);
	DagVal less = without_unneeded(c, dag_arg(d, v, 0), op == DAG_SRL ? mask << n & vt_mask(vt) : mask >> n);
	return dag_is(less) ? op2(c, op, vt, less, dag_arg(d, v, 1)) : DAG_NONE;
}

/* ---- logic ---- */

static DagVal bit_field(Combiner *c, DagVt vt, DagVal a, u64 mask)
{
	Dag *d = c->d;
	u64  s;
	if (!c->legal || (vt != VT_I32 && vt != VT_I64) || (mask & (mask + 1)) != 0 || !mask)
		return DAG_NONE;
	if ((op_of(c, a) != DAG_SRL && op_of(c, a) != DAG_SRA) || !dag_as_const(d, dag_arg(d, a, 1), &s))
		return DAG_NONE;
	u32 len = u64_log2(mask) + 1;
	if (s + len > vt_bits(vt))
		return DAG_NONE;
	return dag_3(d, DAG_BFE_U, vt, dag_arg(d, a, 0), amount_of(c, s), amount_of(c, len));
}

static DagVal and_const(Combiner *c, DagVt vt, DagVal a, u64 mask)
{
	Dag           *d = c->d;
	const DagNode *n = dag_of(d, a);
	u64            x;
	if (n->opcode == DAG_AND && dag_as_const(d, dag_operand(d, n, 1), &x))
		return op2(c, DAG_AND, vt, dag_operand(d, n, 0), k(c, vt, x & mask));
	/* Asked first: what follows looks through the assertion that says so. */
	DagKnown known = dag_known(d, a, 0);
	if ((~mask & vt_mask(vt) & ~known.zero) == 0)
		return a;
	DagVal less = n->opcode == DAG_AND ? DAG_NONE : combine_demanded(c, a, mask);
	if (dag_is(less))
		return op2(c, DAG_AND, vt, less, k(c, vt, mask));
	/* An extension whose upper bits are masked away need not say what they are. */
	if (n->opcode == DAG_SIGN_EXTEND || n->opcode == DAG_ANY_EXTEND) {
		DagVt from = dag_vt(d, dag_operand(d, n, 0));
		if (mask <= vt_mask(from) && from != VT_I1) {
			if (n->opcode == DAG_ANY_EXTEND && dag_masked_zero(d, dag_operand(d, n, 0), vt_mask(from) & ~mask))
				return dag_1(d, DAG_ZERO_EXTEND, vt, dag_operand(d, n, 0));
			if (n->opcode == DAG_SIGN_EXTEND && once(c, a))
				return op2(c, DAG_AND, vt, dag_1(d, DAG_ANY_EXTEND, vt, dag_operand(d, n, 0)), k(c, vt, mask));
		}
	}
	if (n->opcode == DAG_SIGN_EXTEND_INREG && mask <= vt_mask((DagVt)dag_of(d, dag_operand(d, n, 1))->k[0]))
		return op2(c, DAG_AND, vt, dag_operand(d, n, 0), k(c, vt, mask));
	/* A load of bytes with unspecified bits above them becomes one with zeros. */
	if (n->opcode == DAG_LOAD && a.r == 0 && n->mem &&
	    (dag_mem(d, n)->ext == DEXT_ANY || (dag_mem(d, n)->ext == DEXT_SIGN && once(c, a))) && vt_is_sint(vt) &&
	    vt_mask(dag_mem(d, n)->vt) == mask) {
		DagMem m = *dag_mem(d, n);
		m.ext = DEXT_ZERO;
		DagVal l = dag_load(d, vt, dag_operand(d, n, 0), dag_operand(d, n, 1), m);
		dag_replace(d, dag_res(a.n, 1), dag_res(l.n, 1));
		if (!once(c, a))
			dag_replace(d, dag_res(a.n, 0), l);
		return l;
	}
	/* Part of a value in memory: only that part is loaded, whatever fills the register above. */
	if (n->opcode == DAG_LOAD && a.r == 0 && once(c, a) && vt_is_sint(vt) &&
	    (mask == 0xFF || mask == 0xFFFF || mask == 0xFFFFFFFF)) {
		DagMem m = *dag_mem(d, n);
		u32    w = u64_log2(mask) + 1;
		if (vt_bits(m.vt) > w && vt_is_sint(m.vt) && !(m.mem.flags & MMF_VOLATILE) && !m.mem.ordering &&
		    m.nc != DAG_LDU) {
			m.vt = VT_INT(w);
			m.ext = DEXT_ZERO;
			m.mem.size = w / 8;
			u32 order = d->order;
			d->order = n->order;
			DagVal l = dag_load(d, vt, dag_operand(d, n, 0), dag_operand(d, n, 1), m);
			d->order = order;
			dag_replace(d, dag_res(a.n, 1), dag_res(l.n, 1));
			return l;
		}
	}
	return bit_field(c, vt, a, mask);
}

static bool is_free_to_negate(Combiner *c, DagVal p)
{
	return once(c, p) && (op_of(c, p) == DAG_SETCC || (op_of(c, p) == DAG_XOR && dag_is_all_ones(c->d, dag_arg(c->d, p, 1))));
}

/* The comparison is there for others too, and a branch reads its negation for nothing. */
static bool branches_alone_negate(Combiner *c, u32 node, DagVal a, DagVal b)
{
	if (!dag_is_all_ones(c->d, b) || op_of(c, a) != DAG_SETCC || once(c, a))
		return false;
	dag_each_use(c->d, node, u)
		if (dag_at(c->d, dag_use(c->d, u)->user)->opcode != DAG_BRCOND)
			return false;
	return true;
}

static DagVal logic(Combiner *c, DagOp op, DagVt vt, DagVal a, DagVal b)
{
	Dag *d = c->d;
	u64  x, y;
	if (vt_is_vec(vt) || vt_bits(vt) > 64)
		return DAG_NONE;
	bool has = dag_as_const(d, b, &y);
	if (op == DAG_AND && has)
		return and_const(c, vt, a, y);
	if (has && op_of(c, a) == op && dag_as_const(d, dag_arg(d, a, 1), &x))
		return op2(c, op, vt, dag_arg(d, a, 0), k(c, vt, op == DAG_OR ? x | y : x ^ y));
	if (op == DAG_XOR && dag_is_all_ones(d, b)) {
		/* Not of a comparison is the other comparison. */
		if (op_of(c, a) == DAG_SETCC && (once(c, a) || c->f->optimize)) {
			DagVal  l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
			DagCond cc = (DagCond)dag_of(d, dag_arg(d, a, 2))->k[0];
			return dag_setcc(d, l, r, dag_cond_not(cc, vt_is_int(dag_vt(d, l))));
		}
		/* De Morgan, where both sides are comparisons of this use alone, or negated already: a branch and a selection
		 * read a negation for nothing. */
		DagOp in = op_of(c, a);
		if ((in == DAG_AND || in == DAG_OR) && vt == VT_I1 && once(c, a)) {
			DagVal l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
			if (is_free_to_negate(c, l) && is_free_to_negate(c, r))
				return op2(c, in == DAG_AND ? DAG_OR : DAG_AND, vt, dag_not(d, l), dag_not(d, r));
		}
	}
	/* Before the operands are cut or widened, not after. */
	DagOp hand = op_of(c, a);
	if (hand == op_of(c, b) && once(c, a) && once(c, b) &&
	    (hand == DAG_TRUNCATE || hand == DAG_ZERO_EXTEND || hand == DAG_SIGN_EXTEND || hand == DAG_ANY_EXTEND)) {
		DagVal p = dag_arg(d, a, 0), q = dag_arg(d, b, 0);
		DagVt  in = dag_vt(d, p);
		bool   cheaper = hand != DAG_TRUNCATE || vt == VT_I1;
		if (cheaper && in == dag_vt(d, q) && vt_bits(in) <= 64 && (dag_is_legal_vt(in) || !c->legal))
			return dag_1(d, hand, vt, op2(c, op, in, p, q));
	}
	/* or of opposite shifts is a rotation */
	if (op == DAG_OR && (vt == VT_I32 || (vt == VT_I64 && c->f->optimize && !c->legal)) && c->f->s->target.sm >= 32) {
		DagVal l = op_of(c, a) == DAG_SHL ? a : b, r = op_of(c, a) == DAG_SHL ? b : a;
		if (op_of(c, l) == DAG_SHL && op_of(c, r) == DAG_SRL && dag_same(dag_arg(d, l, 0), dag_arg(d, r, 0))) {
			DagVal p = dag_arg(d, l, 1), q = dag_arg(d, r, 1);
			if (dag_as_const(d, p, &x) && dag_as_const(d, q, &y) && x + y == vt_bits(vt))
				return op2(c, DAG_ROTL, vt, dag_arg(d, l, 0), p);
			if (op_of(c, q) == DAG_SUB && dag_same(dag_arg(d, q, 1), p) &&
			    dag_is_const_of(d, dag_arg(d, q, 0), vt_bits(vt)))
				return op2(c, DAG_ROTL, vt, dag_arg(d, l, 0), p);
			if (op_of(c, p) == DAG_SUB && dag_same(dag_arg(d, p, 1), q) &&
			    dag_is_const_of(d, dag_arg(d, p, 0), vt_bits(vt)))
				return op2(c, DAG_ROTR, vt, dag_arg(d, l, 0), q);
		}
	}
	return DAG_NONE;
}

/* ---- shifts ---- */

static DagVal shl(Combiner *c, DagVt vt, DagVal a, u64 n)
{
	Dag *d = c->d;
	u32  w = vt_bits(vt);
	u64  x;
	if (n >= w)
		return dag_undef(d, vt);
	/* An extension that a load can do by itself is worth more than a product. */
	DagVal in = dag_op_info[op_of(c, a)].flags & DOF_LEAF || !dag_n_ops(dag_of(d, a)) ? a : dag_arg(d, a, 0);
	bool   loads = op_of(c, in) == DAG_LOAD && once(c, in) && dag_mem(d, dag_of(d, in))->mem.space != AS_PARAM;
	if (n < w / 2 && (vt == VT_I32 || vt == VT_I64) && !loads) {
		DagVal m = wide_product(c, vt, a, k(c, vt, (u64)1 << n));
		if (dag_is(m))
			return m;
	}
	keep_flags(c, 0);
	if (op_of(c, a) == DAG_SHL && dag_as_const(d, dag_arg(d, a, 1), &x))
		return x + n >= w ? k(c, vt, 0) : op2(c, DAG_SHL, vt, dag_arg(d, a, 0), amount_of(c, x + n));
	if ((op_of(c, a) == DAG_SRL || op_of(c, a) == DAG_SRA) && dag_as_const(d, dag_arg(d, a, 1), &x) && x == n)
		return op2(c, DAG_AND, vt, dag_arg(d, a, 0), k(c, vt, vt_mask(vt) << n));
	if (op_of(c, a) == DAG_SRL && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x) && x < w) {
		u64    mask = (vt_mask(vt) >> x) << n & vt_mask(vt);
		DagVal s = n > x ? op2(c, DAG_SHL, vt, dag_arg(d, a, 0), amount_of(c, n - x))
		                 : op2(c, DAG_SRL, vt, dag_arg(d, a, 0), amount_of(c, x - n));
		return op2(c, DAG_AND, vt, s, k(c, vt, mask));
	}
	bool is_sum = op_of(c, a) == DAG_ADD || (op_of(c, a) == DAG_OR && (dag_of(d, a)->flags & IRF_DISJOINT));
	if (is_sum && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x))
		return op2(c, DAG_ADD, vt, op2(c, DAG_SHL, vt, dag_arg(d, a, 0), amount_of(c, n)), k(c, vt, x << n));
	if (op_of(c, a) == DAG_MUL && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &x))
		return op2(c, DAG_MUL, vt, dag_arg(d, a, 0), k(c, vt, x << n));
	return DAG_NONE;
}

static DagVal shr(Combiner *c, DagOp op, DagVt vt, DagVal a, u64 n)
{
	Dag *d = c->d;
	u32  w = vt_bits(vt);
	u64  x;
	bool arith = op == DAG_SRA;
	if (n >= w)
		return dag_undef(d, vt);
	keep_flags(c, 0);
	if (op_of(c, a) == op && dag_as_const(d, dag_arg(d, a, 1), &x)) {
		if (x + n >= w)
			return arith ? op2(c, op, vt, dag_arg(d, a, 0), amount_of(c, w - 1)) : k(c, vt, 0);
		return op2(c, op, vt, dag_arg(d, a, 0), amount_of(c, x + n));
	}
	if (!arith) {
		DagVal less = op_of(c, a) == DAG_AND ? DAG_NONE : combine_demanded(c, a, vt_mask(vt) & ~sem_mask((u32)n));
		if (dag_is(less) && n)
			return op2(c, op, vt, less, amount_of(c, n));
		if (op_of(c, a) == DAG_SHL && dag_is_const_of(d, dag_arg(d, a, 1), n) && n &&
		    dag_masked_zero(d, dag_arg(d, a, 0), vt_mask(vt) & ~(vt_mask(vt) >> n)))
			return dag_arg(d, a, 0);
	}
	if (arith && (dag_known(d, a, 0).zero >> (w - 1) & 1))
		return op2(c, DAG_SRL, vt, a, amount_of(c, n));
	if (arith && dag_sign_bits(d, a, 0) == w)
		return a;
	if (op_of(c, a) == DAG_SHL && dag_as_const(d, dag_arg(d, a, 1), &x) && x < w) {
		DagVal in = dag_arg(d, a, 0);
		if (arith && x == n && (w - n == 8 || w - n == 16 || w - n == 32) && w > w - n)
			return dag_2(d, DAG_SIGN_EXTEND_INREG, vt, in, dag_vtype(d, VT_INT(w - (u32)n)));
		if (!arith && x == n && !c->legal)
			return op2(c, DAG_AND, vt, in, k(c, vt, vt_mask(vt) >> n));
		if (c->legal && x <= n && (vt == VT_I32 || vt == VT_I64))
			return dag_3(d, arith ? DAG_BFE_S : DAG_BFE_U, vt, in, amount_of(c, n - x), amount_of(c, w - n));
	}
	if (!arith && op_of(c, a) == DAG_AND && dag_as_const(d, dag_arg(d, a, 1), &x) && once(c, a)) {
		u64 m = x >> n;
		if (!m)
			return k(c, vt, 0);
		/* The mask clears only what is zero, or what is shifted out. */
		if (dag_masked_zero(d, dag_arg(d, a, 0), vt_mask(vt) & ~x & ~sem_mask((u32)n)))
			return op2(c, op, vt, dag_arg(d, a, 0), amount_of(c, n));
		if (c->legal && (vt == VT_I32 || vt == VT_I64) && (m & (m + 1)) == 0)
			return dag_3(d, DAG_BFE_U, vt, dag_arg(d, a, 0), amount_of(c, n), amount_of(c, u64_log2(m) + 1));
		if (x != m << n)
			return op2(c, DAG_SRL, vt, op2(c, DAG_AND, vt, dag_arg(d, a, 0), k(c, vt, m << n)), amount_of(c, n));
	}
	/* Of an extension: in the narrow type, where nothing is lost. */
	if (!arith && op_of(c, a) == DAG_ZERO_EXTEND && once(c, a)) {
		DagVal in = dag_arg(d, a, 0);
		DagVt  from = dag_vt(d, in);
		if (n >= vt_bits(from))
			return k(c, vt, 0);
	}
	return DAG_NONE;
}

DagVal combine_int(Combiner *c, u32 node)
{
	const DagNode *n = dag_at(c->d, node);
	DagOp          op = (DagOp)n->opcode;
	DagVt          vt = n->vt[0];
	DagVal         a = operand_of(c, node, 0), b = operand_of(c, node, 1);
	u64            s;
	if (vt_is_vec(vt))
		return DAG_NONE;
	switch (op) {
	case DAG_ADD: return add(c, vt, a, b);
	case DAG_SUB: return sub(c, vt, a, b);
	case DAG_MUL: return mul(c, vt, a, b);
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: return branches_alone_negate(c, node, a, b) ? DAG_NONE : logic(c, op, vt, a, b);
	case DAG_SHL: return vt_bits(vt) <= 64 && dag_as_const(c->d, b, &s) ? shl(c, vt, a, s) : DAG_NONE;
	default: return vt_bits(vt) <= 64 && dag_as_const(c->d, b, &s) ? shr(c, op, vt, a, s) : DAG_NONE;
	}
}

/* The amount counts modulo the width. */
DagVal combine_funnel(Combiner *c, u32 node)
{
	const DagNode *n = dag_at(c->d, node);
	u32            at = dag_n_ops(n) - 1, w = vt_bits(n->vt[0]);
	if (vt_is_vec(n->vt[0]) || w > 64 || (w & (w - 1)))
		return DAG_NONE;
	DagVal less = combine_demanded(c, dag_operand(c->d, n, at), w - 1);
	if (dag_is(less))
		dag_set_operand(c->d, node, at, less);
	return DAG_NONE;
}
