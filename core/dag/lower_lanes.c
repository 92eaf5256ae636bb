/* lower_lanes.c: llvm.* on vectors: computed element by element, or elements in another order.
 *
 *	smul.fix <2 x i32> a, b, 3      per lane: (i32)((i64)a * b >> 3)
 *	vector.splice.right a, b, 1     the last element of a, then those of b but the last
 *	vector.compress a, mask, c      element i of a goes to the place that is the number of mask bits set before i
 *
 * Linear in elements; compress is quadratic. */
#include "dag/lower_row.h"

static DagVal element(Dag *d, DagVal v, u32 i)
{
	return vt_is_vec(dag_vt(d, v)) ? dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(dag_vt(d, v)), v, dag_const(d, VT_I32, i)) : v;
}

bool dag_by_lanes(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, u32 n_args, u32 n_out, DagLaneFn *fn)
{
	Dag   *d = &f->dag;
	DagVal args[3], lane_args[3], out[2], results[2];
	for (u32 i = 0; i < n_args; i++)
		args[i] = dag_call_arg(f, inst, i);
	DagVt   vt = dag_vt(d, args[0]);
	u32     lanes = vt_lanes(vt);
	DagVal *e = arena_array(f->arena, DagVal, 2 * lanes + 1);
	for (u32 l = 0; l < PS_MAX(lanes, 1u); l++) {
		for (u32 i = 0; i < n_args; i++)
			lane_args[i] = element(d, args[i], l);
		fn(f, inst, row, lane_args, out);
		for (u32 k = 0; k < n_out && lanes; k++)
			e[k * lanes + l] = out[k];
	}
	for (u32 k = 0; k < n_out; k++)
		results[k] =
			lanes ? dag_node(d, DAG_BUILD_VECTOR, vt_vec(dag_vt(d, out[k]), lanes), e + k * lanes, lanes) : out[k];
	dag_set_values(f, inst, results, n_out);
	return true;
}

/* ---- overflow ---- */

static void overflow_lane(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out)
{
	(void)inst;
	DagVt vt = dag_vt(&f->dag, args[0]);
	out[0] = dag_node_n(&f->dag, (DagOp)row->op, (DagVt[]){vt, VT_I1}, 2, args, 2);
	out[1] = dag_res(out[0].n, 1);
}

/* On i1, whose signed values are 0 and -1: 1 + 1, 0 - 1 and, signed, -1 * -1 overflow. */
static void overflow_of_bits(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	Dag   *d = &f->dag;
	DagVal a = dag_call_arg(f, inst, 0), b = dag_call_arg(f, inst, 1), out[2];
	DagVt  vt = dag_vt(d, a);
	DagVal both = dag_2(d, DAG_AND, vt, a, b);
	bool   sub = row->op == DAG_SSUBO || row->op == DAG_USUBO, mul = row->op == DAG_SMULO || row->op == DAG_UMULO;
	out[0] = mul ? both : dag_2(d, DAG_XOR, vt, a, b);
	out[1] = sub ? dag_2(d, DAG_AND, vt, dag_not(d, a), b) : row->op == DAG_UMULO ? dag_const(d, vt, 0) : both;
	dag_set_values(f, inst, out, 2);
}

bool intrinsic_overflow(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	if (vt_elem(dag_vt(&f->dag, dag_call_arg(f, inst, 0))) == VT_I1)
		overflow_of_bits(f, inst, row);
	else
		dag_by_lanes(f, inst, row, 2, 2, overflow_lane);
	return true;
}

/* ---- fixed point: in twice the width ---- */

static DagVal clamped(Dag *d, DagVal v, DagVt narrow, bool is_signed)
{
	DagVt  vt = dag_vt(d, v);
	u32    w = vt_bits(narrow);
	DagVal one = dag_const(d, vt, 1), most = dag_2(d, DAG_SUB, vt, dag_one_bit(d, vt, is_signed ? w - 1 : w), one);
	DagVal above = dag_setcc(d, v, most, is_signed ? IRP_I_SGT : IRP_I_UGT);
	DagVal r = dag_3(d, DAG_SELECT, vt, above, most, v);
	if (!is_signed)
		return r;
	DagVal least = dag_not(d, most), below = dag_setcc(d, v, least, IRP_I_SLT);
	return dag_3(d, DAG_SELECT, vt, below, least, r);
}

typedef struct Fixed {
	bool   is_signed, saturates;
	u32    scale;
	DagVt  vt, wide;
	DagVal a, b; /* wide */
} Fixed;

static Fixed fixed(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args)
{
	Dag  *d = &f->dag;
	u64   scale = 0;
	Fixed x = {.is_signed = row->op & FIX_SIGNED, .saturates = row->op & FIX_SATURATES, .vt = dag_vt(d, args[0])};
	DagOp extend = x.is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND;
	ir_as_int(f->m, ir_call_arg(f->m, inst, 2), &scale);
	x.scale = (u32)scale;
	x.wide = VT_INT(2 * PS_MAX(vt_bits(x.vt), 8u));
	x.a = dag_1(d, extend, x.wide, args[0]);
	x.b = dag_1(d, extend, x.wide, args[1]);
	return x;
}

static void fixed_result(Dag *d, const Fixed *x, DagVal v, DagVal *out)
{
	if (x->saturates)
		v = clamped(d, v, x->vt, x->is_signed);
	out[0] = dag_1(d, DAG_TRUNCATE, x->vt, v);
}

/* The bits shifted out are dropped, so the product is rounded down. */
static void fixed_mul_lane(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out)
{
	Dag   *d = &f->dag;
	Fixed  x = fixed(f, inst, row, args);
	DagVal p = dag_2(d, DAG_MUL, x.wide, x.a, x.b);
	if (x.scale)
		p = dag_2(d, x.is_signed ? DAG_SRA : DAG_SRL, x.wide, p, dag_const(d, VT_I32, x.scale));
	fixed_result(d, &x, p, out);
}

/* Rounds down: subtract 1 from the quotient towards zero if there is a remainder and the signs differ. */
static void fixed_div_lane(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out)
{
	Dag   *d = &f->dag;
	Fixed  x = fixed(f, inst, row, args);
	DagVal a = dag_2(d, DAG_SHL, x.wide, x.a, dag_const(d, VT_I32, x.scale)),
	       q = dag_2(d, x.is_signed ? DAG_SDIV : DAG_UDIV, x.wide, a, x.b);
	if (x.is_signed) {
		DagVal zero = dag_const(d, x.wide, 0), back = dag_2(d, DAG_MUL, x.wide, q, x.b);
		DagVal inexact = dag_setcc(d, a, back, IRP_I_NE),
		       differ = dag_setcc(d, dag_2(d, DAG_XOR, x.wide, a, x.b), zero, IRP_I_SLT);
		DagVal down = dag_1(d, DAG_SIGN_EXTEND, x.wide, dag_2(d, DAG_AND, VT_I1, inexact, differ));
		q = dag_2(d, DAG_ADD, x.wide, q, down);
	}
	fixed_result(d, &x, q, out);
}

bool intrinsic_fixed_mul(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	return dag_by_lanes(f, inst, row, 2, 1, fixed_mul_lane);
}
bool intrinsic_fixed_div(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	return dag_by_lanes(f, inst, row, 2, 1, fixed_div_lane);
}

/* ---- elements in another order ---- */

typedef struct Order {
	DagFunc *f;
	DagVal  *e; /* of the result */
	u32      n;
} Order;

static Order order_of(DagFunc *f, u32 most) { return (Order){f, arena_array(f->arena, DagVal, most + 1), 0}; }

static void take(Order *o, DagVal v, u32 from, u32 n, u32 step)
{
	for (u32 i = 0; i < n; i++)
		o->e[o->n++] = element(&o->f->dag, v, from + i * step);
}

static DagVal made(const Order *o, DagVt elem) { return dag_node(&o->f->dag, DAG_BUILD_VECTOR, vt_vec(elem, o->n), o->e, o->n); }

bool intrinsic_reverse(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	DagVal v = dag_call_arg(f, inst, 0);
	DagVt  vt = dag_vt(&f->dag, v);
	Order  o = order_of(f, vt_lanes(vt));
	for (u32 i = vt_lanes(vt); i-- > 0;)
		take(&o, v, i, 1, 1);
	dag_set_value(f, inst, made(&o, vt_elem(vt)));
	return true;
}

/* extract(v, at): elements of v from `at` on; insert(v, x, at): x in the place of those. */
bool intrinsic_subvector(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	Dag   *d = &f->dag;
	bool   insert = row->op != 0;
	DagVal v = dag_call_arg(f, inst, 0);
	DagVt  vt = dag_vt(d, v);
	u64    at = 0;
	u32    n = insert ? vt_lanes(dag_vt(d, dag_call_arg(f, inst, 1))) : vt_lanes(dag_vt_of(f, ir_inst(f->m, inst)->type)),
	    all = vt_lanes(vt);
	ir_as_int(f->m, ir_call_arg(f->m, inst, insert ? 2 : 1), &at);
	if (at > all || n > all - at) {
		dag_unsupported(f, inst, "an index outside of the vector");
		return true;
	}
	Order o = order_of(f, all);
	if (insert) {
		take(&o, v, 0, (u32)at, 1);
		take(&o, dag_call_arg(f, inst, 1), 0, n, 1);
		take(&o, v, (u32)at + n, all - (u32)at - n, 1);
	} else {
		take(&o, v, (u32)at, n, 1);
	}
	dag_set_value(f, inst, made(&o, vt_elem(vt)));
	return true;
}

/* As many elements as a has from the concatenation of a and b, from element k on; splice.right (op 1): from k elements before b on. */
bool intrinsic_splice(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	DagVal a = dag_call_arg(f, inst, 0), b = dag_call_arg(f, inst, 1);
	DagVt  vt = dag_vt(&f->dag, a);
	i64    k = 0, n = vt_lanes(vt);
	ir_as_sint(f->m, ir_call_arg(f->m, inst, 2), &k);
	k = row->op ? n - k : k;
	if (k < 0 || k > n) {
		dag_unsupported(f, inst, "an index outside of the vector");
		return true;
	}
	u32   from = (u32)k;
	Order o = order_of(f, (u32)n);
	take(&o, a, from, (u32)n - from, 1);
	take(&o, b, 0, from, 1);
	dag_set_value(f, inst, made(&o, vt_elem(vt)));
	return true;
}

bool intrinsic_interleave(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	DagVal a = dag_call_arg(f, inst, 0), b = dag_call_arg(f, inst, 1);
	DagVt  vt = dag_vt(&f->dag, a);
	Order  o = order_of(f, 2 * vt_lanes(vt));
	for (u32 i = 0; i < vt_lanes(vt); i++) {
		take(&o, a, i, 1, 1);
		take(&o, b, i, 1, 1);
	}
	dag_set_value(f, inst, made(&o, vt_elem(vt)));
	return true;
}

bool intrinsic_deinterleave(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	DagVal v = dag_call_arg(f, inst, 0), both[2];
	DagVt  vt = dag_vt(&f->dag, v);
	for (u32 k = 0; k < 2; k++) {
		Order o = order_of(f, vt_lanes(vt) / 2);
		take(&o, v, k, vt_lanes(vt) / 2, 2);
		both[k] = made(&o, vt_elem(vt));
	}
	dag_set_values(f, inst, both, 2);
	return true;
}

/* Elements whose mask bit is set move to the front, in their order; the others are those of `rest`. */
bool intrinsic_compress(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal v = dag_call_arg(f, inst, 0), mask = dag_call_arg(f, inst, 1), rest = dag_call_arg(f, inst, 2),
	       at = dag_const(d, VT_I32, 0);
	DagVt vt = dag_vt(d, v), e = vt_elem(vt);
	u32   n = vt_lanes(vt);
	if (n > 32) {
		dag_unsupported(f, inst, "a compressed vector of more than 32 elements");
		return true;
	}
	Order o = order_of(f, n);
	take(&o, rest, 0, n, 1);
	for (u32 i = 0; i < n; i++) {
		DagVal x = element(d, v, i), on = element(d, mask, i);
		for (u32 k = 0; k <= i; k++) {
			DagVal here = dag_2(d, DAG_AND, VT_I1, on, dag_setcc(d, at, dag_const(d, VT_I32, k), IRP_I_EQ));
			o.e[k] = dag_3(d, DAG_SELECT, e, here, x, o.e[k]);
		}
		at = dag_2(d, DAG_ADD, VT_I32, at, dag_1(d, DAG_ZERO_EXTEND, VT_I32, on));
	}
	dag_set_value(f, inst, made(&o, e));
	return true;
}
