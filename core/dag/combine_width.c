/* combine_width.c: extensions, truncations and the loads below them.
 *
 *	zext(load i8) ─▶ ld.u8 into the wide register       trunc(load i64) ─▶ load i32
 *	zext(trunc x) ─▶ x & mask                           sext_inreg(load i8) ─▶ ld.s8
 */
#include "dag/combine.h"
#include "sem/int.h"

/* Of integers, neither volatile nor atomic, unless only the register changes. */
static bool is_extendable_load(const Combiner *c, DagVal v)
{
	const DagNode *n = dag_of(c->d, v);
	return n->opcode == DAG_LOAD && v.r == 0 && !vt_is_vec(n->vt[0]) && vt_is_sint(n->vt[0]) &&
	       dag_mem(c->d, n)->nc != DAG_LDU;
}

static bool is_simple_load(const Combiner *c, DagVal v)
{
	const DagNode *n = dag_of(c->d, v);
	if (n->opcode != DAG_LOAD || v.r != 0)
		return false;
	const DagMem *m = dag_mem(c->d, n);
	return !(m->mem.flags & MMF_VOLATILE) && !m->mem.ordering && m->nc != DAG_LDU && !vt_is_vec(n->vt[0]) &&
	       vt_is_sint(n->vt[0]);
}

/* The load with another result type and extension; its chain goes along. */
static DagVal reload(Combiner *c, DagVal load, DagVt vt, DagVt mem_vt, u32 ext, u64 offset)
{
	Dag    *d = c->d;
	DagNode n = *dag_of(d, load);
	DagMem  m = *dag_mem(d, &n);
	DagVal  chain = dag_arg(d, load, 0), p = dag_arg(d, load, 1);
	m.vt = mem_vt;
	m.ext = (u8)ext;
	m.mem.size = vt_bits(mem_vt) / 8;
	m.mem.offset += (i64)offset;
	while (m.mem.align_log2 && (offset & (((u64)1 << m.mem.align_log2) - 1)))
		m.mem.align_log2--;
	if (offset) {
		const DagNode *s = dag_of(d, p);
		if (s->opcode == DAG_TargetExternalSymbol)
			p = dag_symbol(d, DAG_TargetExternalSymbol, s->vt[0], (StrId){(u32)s->k[0]}, (i64)s->k[1] + (i64)offset);
		else
			p = dag_ptr_add(d, p, (i64)offset);
	}
	u32 order = d->order, origin = d->origin;
	d->order = n.order;
	d->origin = n.origin;
	DagVal l = dag_load(d, vt, chain, p, m);
	d->order = order;
	d->origin = origin;
	dag_replace(d, dag_res(load.n, 1), dag_res(l.n, 1));
	return l;
}

/* One side of a selection, in the type that it was cut from and is extended to; none where it takes an instruction. */
static DagVal uncut(Combiner *c, DagVal v, DagOp ext, DagVt vt)
{
	Dag *d = c->d;
	u64  k;
	if (dag_as_const(d, v, &k))
		return dag_const(d, vt, ext == DAG_SIGN_EXTEND ? (u64)sem_sext(k, vt_bits(dag_vt(d, v))) : k);
	if (op_of(c, v) != DAG_TRUNCATE || dag_vt(d, dag_arg(d, v, 0)) != vt)
		return DAG_NONE;
	DagVal x = dag_arg(d, v, 0);
	u32    lost = vt_bits(vt) - vt_bits(dag_vt(d, v));
	bool same = ext == DAG_ANY_EXTEND || (ext == DAG_ZERO_EXTEND ? dag_masked_zero(d, x, vt_mask(vt) & ~vt_mask(dag_vt(d, v)))
	                                                             : dag_sign_bits(d, x, 0) > lost);
	return same ? x : DAG_NONE;
}

/* A selection between numbers that were cut, extended again: between the whole ones. */
static DagVal extend_select(Combiner *c, DagOp op, DagVt vt, DagVal a)
{
	Dag   *d = c->d;
	DagVal x = dag_arg(d, a, 1), y = dag_arg(d, a, 2);
	if (!once(c, a) || !dag_is_legal_vt(vt) || dag_vt(d, a) == VT_I1 || (dag_is_const(d, x) && dag_is_const(d, y)))
		return DAG_NONE;
	x = uncut(c, x, op, vt);
	if (dag_is(x))
		y = uncut(c, y, op, vt);
	return dag_is(x) && dag_is(y) ? dag_3(d, DAG_SELECT, vt, dag_arg(d, a, 0), x, y) : DAG_NONE;
}

DagVal combine_extend(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagOp  op = (DagOp)n->opcode;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	DagVt  from = dag_vt(d, a);
	if (vt_is_vec(vt) || vt_bits(vt) > 64)
		return DAG_NONE;
	/* A predicate in memory is a byte of 0 or 1. */
	if (from == VT_I1 && dag_op(d, a) == DAG_LOAD && a.r == 0 && once(c, a) && dag_is_legal_vt(vt)) {
		const DagMem *m = dag_mem(d, dag_of(d, a));
		if (m->vt == VT_I1 && !(m->mem.flags & MMF_VOLATILE) && !m->mem.ordering) {
			DagVal l = reload(c, a, vt, VT_I8, DEXT_ZERO, 0);
			return op == DAG_SIGN_EXTEND ? dag_2(d, DAG_SUB, vt, dag_const(d, vt, 0), l) : l;
		}
	}
	if (from == VT_I1 && op == DAG_SIGN_EXTEND && op_of(c, a) == DAG_TRUNCATE && once(c, a) && dag_is_legal_vt(vt) &&
	    vt_bits(dag_vt(d, dag_arg(d, a, 0))) <= 64) {
		DagVal one = dag_2(d, DAG_AND, vt, dag_any_or_trunc(d, dag_arg(d, a, 0), vt), dag_const(d, vt, 1));
		return dag_2(d, DAG_SUB, vt, dag_const(d, vt, 0), one);
	}
	u32 ext = op == DAG_ZERO_EXTEND ? DEXT_ZERO : op == DAG_SIGN_EXTEND ? DEXT_SIGN : DEXT_ANY;
	if (is_extendable_load(c, a) && once(c, a) && dag_is_legal_vt(vt) && from != VT_I1 &&
	    (vt_bits(from) == 8 || dag_is_legal_vt(from))) {
		const DagMem *m = dag_mem(d, dag_of(d, a));
		/* What the load did to fill its register must agree with what is asked now. */
		if (m->ext == DEXT_NONE)
			return reload(c, a, vt, m->vt, ext == DEXT_ANY ? DEXT_ZERO : ext, 0);
		if (m->ext == DEXT_ANY || m->ext == ext || ext == DEXT_ANY) {
			if (m->ext != DEXT_ANY || ext == DEXT_ANY)
				return reload(c, a, vt, m->vt, m->ext, 0);
		} else if (m->ext == DEXT_ZERO && ext == DEXT_SIGN) {
			return reload(c, a, vt, m->vt, DEXT_ZERO, 0);
		}
	}
	/* What is known of the narrow register holds for the wide one. */
	if (op != DAG_SIGN_EXTEND && op_of(c, a) == DAG_ASSERT_ZEXT && once(c, a) && dag_is_legal_vt(vt) && dag_is_legal_vt(from))
		return dag_2(d, DAG_ASSERT_ZEXT, vt, dag_1(d, DAG_ZERO_EXTEND, vt, dag_arg(d, a, 0)), dag_arg(d, a, 1));
	if (op_of(c, a) == DAG_SELECT) {
		DagVal r = extend_select(c, op, vt, a);
		if (dag_is(r))
			return r;
	}
	/* Out of a value that was cut: the value with the rest masked. */
	if (op_of(c, a) == DAG_TRUNCATE && (from != VT_I1 || op != DAG_SIGN_EXTEND)) {
		DagVal x = dag_arg(d, a, 0);
		DagVt  of = dag_vt(d, x);
		if (vt_bits(of) <= 64 && (dag_is_legal_vt(of) || !c->legal)) {
			if (op == DAG_ANY_EXTEND)
				return dag_any_or_trunc(d, x, vt);
			if (op == DAG_ZERO_EXTEND && vt_bits(of) > vt_bits(from) &&
			    dag_masked_zero(d, x, vt_mask(of) & ~vt_mask(from)))
				return dag_zext_or_trunc(d, x, vt);
			if (op == DAG_ZERO_EXTEND)
				return dag_2(d, DAG_AND, vt, dag_any_or_trunc(d, x, vt), dag_const(d, vt, vt_mask(from)));
			if (dag_is_legal_vt(vt) && vt_bits(of) > vt_bits(from) &&
			    dag_sign_bits(d, x, 0) > vt_bits(of) - vt_bits(from))
				return dag_sext_or_trunc(d, x, vt);
			if ((vt_bits(from) == 8 || vt_bits(from) == 16 || vt_bits(from) == 32) &&
			    (vt_bits(of) == vt_bits(vt) || once(c, a)))
				return dag_2(d, DAG_SIGN_EXTEND_INREG, vt, dag_any_or_trunc(d, x, vt), dag_vtype(d, from));
		}
	}
	/* One bit of a number, as a number: (x & 8) != 0 ─▶ (x & 8) >> 3 */
	u64 bit;
	if (op == DAG_ZERO_EXTEND && from == VT_I1 && op_of(c, a) == DAG_SETCC && once(c, a) && c->f->optimize) {
		DagVal l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
		DagVt  of = dag_vt(d, l);
		bool   ne = dag_of(d, dag_arg(d, a, 2))->k[0] == IRP_I_NE;
		if (ne && vt_is_sint(of) && vt_bits(of) <= 64 && dag_is_zero(d, r) && op_of(c, l) == DAG_AND &&
		    dag_as_const(d, dag_arg(d, l, 1), &bit) && bit && (bit & (bit - 1)) == 0)
			return dag_zext_or_trunc(d, dag_2(d, DAG_SRL, of, l, amount_of(c, u64_log2(bit))), vt);
	}
	/* A sign that is known to be 0. */
	if (op == DAG_SIGN_EXTEND && vt_bits(from) <= 64 && from != VT_I1 && (dag_known(d, a, 0).zero >> (vt_bits(from) - 1) & 1))
		return dag_1(d, DAG_ZERO_EXTEND, vt, a);
	/* zext(and(load, k)) ─▶ and(zext load, k): the load extends for nothing. */
	u64  k;
	bool is_logic = op_of(c, a) == DAG_AND || op_of(c, a) == DAG_OR || op_of(c, a) == DAG_XOR;
	if (op != DAG_SIGN_EXTEND && is_logic && once(c, a) && vt_bits(from) <= 32 && dag_is_legal_vt(from) &&
	    dag_is_legal_vt(vt) && from != VT_I1 && dag_as_const(d, dag_arg(d, a, 1), &k) &&
	    is_extendable_load(c, dag_arg(d, a, 0)) && once(c, dag_arg(d, a, 0)) &&
	    (dag_mem(d, dag_of(d, dag_arg(d, a, 0)))->ext == DEXT_NONE ||
	     dag_mem(d, dag_of(d, dag_arg(d, a, 0)))->ext == DEXT_ZERO))
		return dag_2(d, op_of(c, a), vt, dag_1(d, DAG_ZERO_EXTEND, vt, dag_arg(d, a, 0)), dag_const(d, vt, k));
	/* zext(and(trunc x, k)) ─▶ and(x, k) */
	if (op == DAG_ZERO_EXTEND && op_of(c, a) == DAG_AND && dag_as_const(d, dag_arg(d, a, 1), &k) &&
	    op_of(c, dag_arg(d, a, 0)) == DAG_TRUNCATE && once(c, a)) {
		DagVal x = dag_arg(d, dag_arg(d, a, 0), 0);
		if (vt_bits(dag_vt(d, x)) <= 64)
			return dag_2(d, DAG_AND, vt, dag_any_or_trunc(d, x, vt), dag_const(d, vt, k));
	}
	return DAG_NONE;
}

DagVal combine_truncate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	DagVt  from = dag_vt(d, a);
	u64    k;
	if (vt_is_vec(vt) || vt_bits(from) > 64)
		return DAG_NONE;
	u32  w = vt_bits(vt);
	bool piece = w == 8 || w == 16 || w == 32;
	if (piece && is_simple_load(c, a) && once(c, a)) {
		const DagMem *m = dag_mem(d, dag_of(d, a));
		if (vt_bits(m->vt) > w)
			return reload(c, a, vt, vt, DEXT_NONE, 0);
		if (m->ext && dag_is_legal_vt(vt) && vt_bits(m->vt) <= w)
			return reload(c, a, vt, m->vt, vt_bits(m->vt) == w ? DEXT_NONE : m->ext, 0);
	}
	/* Some bytes further up in memory. */
	if (piece && op_of(c, a) == DAG_SRL && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &k) && k % w == 0 &&
	    k + w <= vt_bits(from)) {
		DagVal l = dag_arg(d, a, 0);
		if (is_simple_load(c, l) && once(c, l) && dag_mem(d, dag_of(d, l))->ext == DEXT_NONE &&
		    vt_bits(dag_mem(d, dag_of(d, l))->vt) == vt_bits(from) && c->f->optimize)
			return reload(c, l, vt, vt, DEXT_NONE, k / 8);
	}
	/* The upper half is there already, as half of the register. */
	if (c->legal && op_of(c, a) == DAG_SRL && dag_as_const(d, dag_arg(d, a, 1), &k) && k == w && vt_bits(from) == 2 * w &&
	    w >= 16)
		return dag_2(d, DAG_EXTRACT_ELEMENT, vt, dag_arg(d, a, 0), dag_const(d, VT_I32, 1));
	/* An odd width lives in this very register: what is known of it above stays of use. */
	bool   odd = op_of(c, a) == DAG_ASSERT_ZEXT && w != 8 && !dag_is_legal_vt(vt);
	DagVal less = odd ? DAG_NONE : combine_demanded(c, a, vt_mask(vt));
	if (dag_is(less))
		return dag_1(d, DAG_TRUNCATE, vt, less);
	/* What a mask clears above the width does not matter. */
	if (op_of(c, a) == DAG_AND && dag_as_const(d, dag_arg(d, a, 1), &k) && (k & vt_mask(vt)) == vt_mask(vt))
		return dag_1(d, DAG_TRUNCATE, vt, dag_arg(d, a, 0));
	if (op_of(c, a) == DAG_SIGN_EXTEND_INREG && vt_bits((DagVt)dag_of(d, dag_arg(d, a, 1))->k[0]) >= w)
		return dag_1(d, DAG_TRUNCATE, vt, dag_arg(d, a, 0));
	if (op_of(c, a) == DAG_BUILD_PAIR) {
		DagVal lo = dag_arg(d, a, 0);
		if (vt_bits(dag_vt(d, lo)) >= w)
			return dag_any_or_trunc(d, lo, vt);
	}
	/* A bit is tested where it is. */
	if (vt == VT_I1 && c->legal && op_of(c, a) == DAG_SRL && once(c, a) && dag_as_const(d, dag_arg(d, a, 1), &k) &&
	    k < vt_bits(from))
		return dag_setcc(d, dag_2(d, DAG_AND, from, dag_arg(d, a, 0), dag_const(d, from, (u64)1 << k)),
		                 dag_const(d, from, 0), IRP_I_NE);
	/* The odd bit of a comparison that was made a number. */
	if (vt == VT_I1 && op_of(c, a) == DAG_AND && dag_as_const(d, dag_arg(d, a, 1), &k) && (k & 1))
		return dag_1(d, DAG_TRUNCATE, vt, dag_arg(d, a, 0));
	return DAG_NONE;
}

DagVal combine_in_register(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0], of = (DagVt)dag_of(d, operand_of(c, n, 1))->k[0];
	DagVal a = operand_of(c, n, 0);
	u32    w = vt_bits(of);
	if (vt_bits(vt) > 64 || vt_is_vec(vt))
		return DAG_NONE;
	if (dag_sign_bits(d, a, 0) > vt_bits(vt) - w)
		return a;
	u64 k;
	if (op_of(c, a) == DAG_AND && dag_as_const(d, dag_arg(d, a, 1), &k) && (k & vt_mask(of)) == vt_mask(of))
		return dag_2(d, DAG_SIGN_EXTEND_INREG, vt, dag_arg(d, a, 0), operand_of(c, n, 1));
	if (op_of(c, a) == DAG_SIGN_EXTEND_INREG && vt_bits((DagVt)dag_of(d, dag_arg(d, a, 1))->k[0]) >= w)
		return dag_2(d, DAG_SIGN_EXTEND_INREG, vt, dag_arg(d, a, 0), operand_of(c, n, 1));
	if (is_simple_load(c, a) && once(c, a) && dag_mem(d, dag_of(d, a))->vt == of)
		return reload(c, a, vt, of, DEXT_SIGN, 0);
	/* The uppermost bits of the register moved down: with their sign at once. */
	if (op_of(c, a) == DAG_SRL && dag_is_const_of(d, dag_arg(d, a, 1), vt_bits(vt) - w))
		return dag_2(d, DAG_SRA, vt, dag_arg(d, a, 0), dag_arg(d, a, 1));
	/* A field cut out without its sign. */
	DagVal in = op_of(c, a) == DAG_TRUNCATE ? dag_arg(d, a, 0) : a;
	if (op_of(c, in) == DAG_BFE_U && dag_is_const_of(d, dag_arg(d, in, 2), w) && dag_is_legal_vt(dag_vt(d, in))) {
		DagVt  it = dag_vt(d, in);
		DagVal s = dag_3(d, DAG_BFE_S, it, dag_arg(d, in, 0), dag_arg(d, in, 1), dag_arg(d, in, 2));
		return dag_same(in, a) ? s : dag_1(d, DAG_TRUNCATE, vt, s);
	}
	/* Extended from that very type: sign it there. */
	DagOp op = op_of(c, a);
	if ((op == DAG_ANY_EXTEND || op == DAG_ZERO_EXTEND) && dag_vt(d, dag_arg(d, a, 0)) == of && dag_is_legal_vt(of))
		return dag_1(d, DAG_SIGN_EXTEND, vt, dag_arg(d, a, 0));
	return DAG_NONE;
}

DagVal combine_bitcast(Combiner *c, const DagNode *n)
{
	Dag           *d = c->d;
	DagVt          vt = n->vt[0];
	DagVal         a = operand_of(c, n, 0);
	const DagNode *x = dag_of(d, a);
	if (x->opcode == DAG_BITCAST && dag_vt(d, dag_operand(d, x, 0)) == vt)
		return dag_operand(d, x, 0);
	/* A load that nothing else uses loads the other type. */
	if (x->opcode == DAG_LOAD && a.r == 0 && once(c, a) && !vt_is_vec(vt) && !vt_is_vec(x->vt[0]) && vt_bits(vt) >= 16) {
		const DagMem *m = dag_mem(d, x);
		if (m->ext == DEXT_NONE && !(m->mem.flags & MMF_VOLATILE) && !m->mem.ordering)
			return reload(c, a, vt, vt, DEXT_NONE, 0);
	}
	return DAG_NONE;
}

/* A value nobody uses: the load goes, and who waited for it waits for what it waited for. */
DagVal combine_load(Combiner *c, const DagNode *n)
{
	Dag          *d = c->d;
	const DagMem *m = dag_mem(d, n);
	if (dag_has_uses(d, dag_res(n->id, 0)) || (m->mem.flags & MMF_VOLATILE) || m->mem.ordering)
		return DAG_NONE;
	if (!dag_has_uses(d, dag_res(n->id, 1)))
		return DAG_NONE;
	c->in_place = true;
	dag_replace(d, dag_res(n->id, 1), operand_of(c, n, 0));
	return DAG_NONE;
}

/* An element of a pair that is loaded for nothing else. */
DagVal combine_element(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal v = operand_of(c, n, 0), l = op_of(c, v) == DAG_BITCAST && once(c, v) ? dag_arg(d, v, 0) : v;
	DagVt  vt = dag_vt(d, v), e = n->vt[0];
	u64    i;
	if (op_of(c, l) != DAG_LOAD || l.r != 0 || !once(c, l) || vt_size(vt) != 32 || vt_bits(vt) != 16 || e != vt_elem(vt) ||
	    !c->f->optimize)
		return DAG_NONE;
	const DagMem *m = dag_mem(d, dag_of(d, l));
	if (m->ext != DEXT_NONE || vt_size(m->vt) != 32 || (m->mem.flags & MMF_VOLATILE) || m->mem.ordering || m->nc == DAG_LDU ||
	    !dag_as_const(d, operand_of(c, n, 1), &i) || i > 1)
		return DAG_NONE;
	return reload(c, l, e, e, DEXT_NONE, 2 * i);
}

/* The elements of a vector, in their order: the vector. */
DagVal combine_build_vector(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal v = DAG_NONE;
	for (u32 k = 0; k < dag_n_ops(n); k++) {
		DagVal e = dag_operand(d, n, k);
		u64    i;
		if (op_of(c, e) != DAG_EXTRACT_VECTOR_ELT || !dag_as_const(d, dag_arg(d, e, 1), &i) || i != k ||
		    (k && !dag_same(v, dag_arg(d, e, 0))))
			return DAG_NONE;
		v = dag_arg(d, e, 0);
	}
	return dag_is(v) && dag_vt(d, v) == n->vt[0] ? v : DAG_NONE;
}

/* The value to store in its place: a float constant as the integer of its bits; what a bitcast was made of. */
static DagVal stored_bits(Combiner *c, const DagNode *n, DagVal v)
{
	Dag          *d = c->d;
	const DagMem *m = dag_mem(d, n);
	DagVt         vt = dag_vt(d, v);
	if (m->vt != vt || m->mem.ordering)
		return DAG_NONE;
	if (op_of(c, v) == DAG_ConstantFP && (vt == VT_F32 || vt == VT_F64))
		return dag_const(d, vt_as_int(vt), dag_of(d, v)->k[0]);
	if (op_of(c, v) != DAG_BITCAST || !once(c, v) || (m->mem.flags & MMF_VOLATILE))
		return DAG_NONE;
	DagVal in = dag_arg(d, v, 0);
	DagVt  of = dag_vt(d, in);
	return vt_is_vec(of) || vt_is_vec(vt) || !dag_is_legal_vt(of) || of == VT_I1 ? DAG_NONE : in;
}

/* What was just loaded from there, and nothing was written in between. */
static bool is_there_already(const Combiner *c, const DagNode *n, DagVal v)
{
	const Dag     *d = c->d;
	const DagNode *l = dag_of(d, v);
	if (l->opcode != DAG_LOAD || v.r != 0 || !c->f->optimize || !dag_same(dag_operand(d, n, 0), dag_res(v.n, 1)))
		return false;
	const DagMem *from = dag_mem(d, l), *to = dag_mem(d, n);
	return dag_same(dag_operand(d, l, 1), dag_operand(d, n, 2)) && from->vt == to->vt && from->ext == DEXT_NONE &&
	       from->nc == to->nc && from->mem.space == to->mem.space && !((from->mem.flags | to->mem.flags) & MMF_VOLATILE) &&
	       !from->mem.ordering && !to->mem.ordering;
}

/* A store takes the low bits of a wider register. */
DagVal combine_store(Combiner *c, const DagNode *n)
{
	Dag          *d = c->d;
	const DagMem *m = dag_mem(d, n);
	DagVal        v = operand_of(c, n, 1);
	DagVt         vt = dag_vt(d, v);
	u32           w = vt_bits(m->vt);
	if (is_there_already(c, n, v))
		return operand_of(c, n, 0);
	DagVal bits = stored_bits(c, n, v);
	if (dag_is(bits)) {
		DagMem as = *m;
		as.vt = dag_vt(d, bits);
		return dag_store(d, operand_of(c, n, 0), bits, operand_of(c, n, 2), as);
	}
	if (!vt_is_sint(vt) || !vt_is_sint(m->vt) || w < 8 || !dag_is_legal_vt(vt) || vt == VT_I1)
		return DAG_NONE;
	DagVal to = DAG_NONE;
	if (op_of(c, v) == DAG_TRUNCATE && dag_is_legal_vt(dag_vt(d, dag_arg(d, v, 0))) && ((u32)1 << m->mem.align_log2) * 8 >= w)
		to = dag_arg(d, v, 0);
	else if (w < vt_bits(vt))
		to = combine_demanded(c, v, sem_mask(w));
	if (dag_is(to) && vt_bits(dag_vt(d, to)) <= 64) {
		c->in_place = true;
		dag_set_operand(d, n->id, 1, to);
	}
	return DAG_NONE;
}

/* A byte of a word that bytes were put together in: out of where it comes from. */
DagVal combine_field(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal w = operand_of(c, n, 0);
	u64    at, order;
	if (!dag_is_const_of(d, operand_of(c, n, 2), 8) || !dag_as_const(d, operand_of(c, n, 1), &at) || at % 8 || at > 24)
		return DAG_NONE;
	bool found = false;
	for (;;) {
		if (dag_op(d, w) == DAG_BITCAST) {
			w = dag_arg(d, w, 0);
			continue;
		}
		if (dag_op(d, w) != DAG_PRMT || !dag_as_const(d, dag_arg(d, w, 2), &order) || (order >> at / 2 & 8))
			break;
		u32 from = order >> at / 2 & 7;
		w = dag_arg(d, w, from / 4);
		at = from % 4 * 8;
		found = true;
	}
	if (!found)
		return DAG_NONE;
	if (dag_vt(d, w) != VT_I32)
		w = dag_1(d, DAG_BITCAST, VT_I32, w);
	return dag_3(d, DAG_BFE_U, VT_I32, w, dag_const(d, VT_I32, at), dag_const(d, VT_I32, 8));
}
