/* lower_generic.c: llvm.* that take several operations: reductions, three-way comparison, frexp, lane masks.
 *
 *	vector.reduce.add <4 x i16>   add two halves, then the two elements of the sum; of <7 x i16>, three pairs, and the last element
 *	vector.reduce.mul <8 x i16>   no instruction takes pairs: a tree of scalars, in threes where an instruction takes three
 *	ucmp(a, b)                    a < b ? -1 : (a > b ? 1 : 0)
 *	frexp(a)                      exponent and fraction from the bits; subnormals are scaled to normal numbers first
 *
 * Linear in elements. */
#include "dag/lower_row.h"
#include "sem/float.h"

/* ---- vectors to scalars ---- */

static DagVal element(Dag *d, DagVal v, u32 i)
{
	return dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(dag_vt(d, v)), v, dag_const(d, VT_I32, i));
}

/* Combines halves until two elements are left. */
static DagVal reduce_halves(DagFunc *f, DagOp op, DagVal v, u16 flags)
{
	Dag *d = &f->dag;
	for (u32 n = vt_lanes(dag_vt(d, v)); n >= 4 && n % 4 == 0; n /= 2) {
		DagVt  half = vt_vec(vt_elem(dag_vt(d, v)), n / 2);
		DagVal lo = dag_2(d, DAG_EXTRACT_SUBVECTOR, half, v, dag_const(d, VT_I32, 0));
		DagVal hi = dag_2(d, DAG_EXTRACT_SUBVECTOR, half, v, dag_const(d, VT_I32, n / 2));
		v = dag_flagged(d, op, half, (DagVal[]){lo, hi}, 2, flags);
	}
	return v;
}

/* The same of other numbers of elements: all pairs are combined. An odd element is left, in *last. */
static DagVal reduce_pairs(DagFunc *f, DagOp op, DagVal v, u16 flags, DagVal *last)
{
	Dag  *d = &f->dag;
	u32   n = vt_lanes(dag_vt(d, v));
	DagVt pair = vt_vec(vt_elem(dag_vt(d, v)), 2);
	if (n < 5 || n % 4 == 0)
		return v;
	DagVal r = dag_2(d, DAG_EXTRACT_SUBVECTOR, pair, v, dag_const(d, VT_I32, 0));
	for (u32 i = 2; i + 1 < n; i += 2) {
		DagVal next = dag_2(d, DAG_EXTRACT_SUBVECTOR, pair, v, dag_const(d, VT_I32, i));
		r = dag_flagged(d, op, pair, (DagVal[]){r, next}, 2, flags);
	}
	if (n % 2)
		*last = element(d, v, n - 1);
	return r;
}

/* Bits are combined in the halves of a number, which is quicker than byte by byte; none: the vector is no such number. */
static DagVal reduce_bits(DagFunc *f, DagOp op, DagVal v)
{
	Dag  *d = &f->dag;
	DagVt vt = dag_vt(d, v);
	u32   w = vt_size(vt), to = vt_bits(vt);
	if ((op != DAG_AND && op != DAG_OR && op != DAG_XOR) || to < 8 || to > 16 || w < 32 || (w & (w - 1)) || (to & (to - 1)))
		return DAG_NONE;
	v = dag_1(d, DAG_BITCAST, VT_INT(w), v);
	for (; w > 32; w /= 2) {
		DagVt  half = VT_INT(w / 2);
		DagVal upper = dag_2(d, DAG_SRL, VT_INT(w), v, dag_const(d, VT_I32, w / 2));
		v = dag_2(d, op, half, dag_1(d, DAG_TRUNCATE, half, v), dag_1(d, DAG_TRUNCATE, half, upper));
	}
	v = dag_any_or_trunc(d, v, VT_I32);
	for (; w > to; w /= 2)
		v = dag_2(d, op, VT_I32, v, dag_2(d, DAG_SRL, VT_I32, v, dag_const(d, VT_I32, w / 2)));
	return dag_any_or_trunc(d, v, vt_elem(vt));
}

/* How many elements an instruction combines. */
static u32 reduce_group(const DagFunc *f, DagOp op, DagVt e)
{
	bool is_min = op == DAG_FMINNUM || op == DAG_FMINIMUM, is_max = op == DAG_FMAXNUM || op == DAG_FMAXIMUM;
	return e == VT_F32 && (is_min || is_max) && isa_has(f->s, is_min ? ptx_opc(min3, TY(f32)) : ptx_opc(max3, TY(f32))) ? 3
	                                                                                                                    : 2;
}

/* Combines neighbours, `group` at a time, until one element is left. */
static DagVal reduce_tree(DagFunc *f, DagOp op, DagVal *x, u32 n, u32 group, u16 flags)
{
	DagVt e = dag_vt(&f->dag, x[0]);
	while (n > 1) {
		u32 left = 0;
		for (u32 i = 0; i < n; i += group) {
			DagVal r = x[i];
			for (u32 k = i + 1; k < n && k < i + group; k++)
				r = dag_flagged(&f->dag, op, e, (DagVal[]){r, x[k]}, 2, flags);
			x[left++] = r;
		}
		n = left;
	}
	return x[0];
}

bool intrinsic_reduce(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	Dag   *d = &f->dag;
	DagOp  op = (DagOp)row->op;
	u32    n_args = ir_call(f->m, inst)->n_args, n = 0;
	DagVal v = dag_call_arg(f, inst, n_args - 1);
	DagVt  e = vt_elem(dag_vt(d, v));
	u16    flags = dag_flags_of(f, inst);
	bool   ordered = (op == DAG_FADD || op == DAG_FMUL) && !(flags & IRF_REASSOC);
	DagVal last = DAG_NONE;
	DagVal bits = f->optimize ? reduce_bits(f, op, v) : DAG_NONE;
	if (dag_is(bits)) {
		dag_set_value(f, inst, bits);
		return true;
	}
	if (!ordered && vt_bits(e) >= 16 && dag_is_legal_op(f, op, vt_vec(e, 2)))
		v = reduce_pairs(f, op, reduce_halves(f, op, v, flags), flags, &last);
	u32     lanes = vt_lanes(dag_vt(d, v));
	DagVal *x = arena_array(f->arena, DagVal, lanes + 2);
	if (n_args == 2) /* first: where the elements are products, it is the addend of the first fma */
		x[n++] = dag_call_arg(f, inst, 0);
	for (u32 lane = 0; lane < lanes; lane++)
		x[n++] = element(d, v, lane);
	if (dag_is(last))
		x[n++] = last;
	DagVal r = reduce_tree(f, op, x, n, ordered ? n : reduce_group(f, op, e), flags);
	dag_set_value(f, inst, r);
	return true;
}

/* ---- lanes ---- */

bool intrinsic_step_vector(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	Dag    *d = &f->dag;
	DagVt   vt = dag_vt_of(f, ir_inst(f->m, inst)->type);
	u32     n = vt_lanes(vt);
	DagVal *e = arena_array(f->arena, DagVal, n + 1);
	for (u32 i = 0; i < n; i++)
		e[i] = dag_const(d, vt_elem(vt), i);
	dag_set_value(f, inst, dag_node(d, DAG_BUILD_VECTOR, vt, e, n));
	return true;
}

/* Bit i is base + i < count without wrapping, which is i < count -sat base. */
bool intrinsic_lane_mask(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	Dag    *d = &f->dag;
	DagVal  base = dag_call_arg(f, inst, 0), count = dag_call_arg(f, inst, 1);
	DagVt   vt = dag_vt_of(f, ir_inst(f->m, inst)->type), it = dag_vt(d, base);
	u32     n = vt_lanes(vt);
	DagVal *e = arena_array(f->arena, DagVal, n + 1);
	DagVal  left = dag_2(d, DAG_USUBSAT, it, count, base);
	for (u32 i = 0; i < n; i++)
		e[i] = dag_setcc(d, left, dag_const(d, it, i), IRP_I_UGT);
	dag_set_value(f, inst, dag_node(d, DAG_BUILD_VECTOR, vt, e, n));
	return true;
}

/* ---- scalars ---- */

static void compare_lane(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out)
{
	Dag   *d = &f->dag;
	bool   is_signed = row->op != 0;
	DagVal a = args[0], b = args[1];
	DagVt  vt = vt_elem(dag_vt_of(f, ir_inst(f->m, inst)->type));
	DagVal more = dag_setcc(d, a, b, is_signed ? IRP_I_SGT : IRP_I_UGT),
	       less = dag_setcc(d, a, b, is_signed ? IRP_I_SLT : IRP_I_ULT);
	DagVal r = dag_3(d, DAG_SELECT, vt, more, dag_const(d, vt, 1), dag_const(d, vt, 0));
	out[0] = dag_3(d, DAG_SELECT, vt, less, dag_all_ones(d, vt), r);
}

bool intrinsic_compare_three_way(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	return dag_by_lanes(f, inst, row, 2, 1, compare_lane);
}

/* a = fraction * 2^exponent with the fraction in [0.5, 1); 0, infinities and NaNs keep their value, with 0. */
static void frexp_lane(DagFunc *f, IrRef inst, const DagIntrinsicRow *row, const DagVal *args, DagVal *out)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal a = args[0];
	DagVt vt = dag_vt(d, a), it = vt_as_int(vt), et = vt_elem(dag_vt_of(f, ir_type_elem(f->m, ir_inst(f->m, inst)->type, 1)));
	SemFmt fmt = dag_sem_fmt(vt);
	u32    frac = sem_fmt[fmt].mantissa;
	u64    sign = sem_fsign_bit(fmt), inf = sem_inf(fmt, false), least = (u64)1 << frac;
	u64    bias = sem_fbias(fmt), up = frac + 2;
	DagVal mag = dag_2(d, DAG_AND, it, dag_1(d, DAG_BITCAST, it, a), dag_const(d, it, sign - 1));
	DagVal tiny = dag_setcc(d, mag, dag_const(d, it, least), IRP_I_ULT);
	DagVal large = dag_2(d, DAG_FMUL, vt, a, dag_fp(d, vt, sem_fpow2(fmt, (i32)up)));
	DagVal x = dag_1(d, DAG_BITCAST, it, dag_3(d, DAG_SELECT, vt, tiny, large, a));
	DagVal e = dag_2(d, DAG_AND, it, dag_2(d, DAG_SRL, it, x, dag_const(d, VT_I32, frac)), dag_const(d, it, inf >> frac));
	e = dag_zext_or_trunc(d, e, et);
	DagVal off = dag_3(d, DAG_SELECT, et, tiny, dag_const(d, et, bias - 1 + up), dag_const(d, et, bias - 1));
	e = dag_2(d, DAG_SUB, et, e, off);
	DagVal half = dag_2(d, DAG_OR, it, dag_2(d, DAG_AND, it, x, dag_const(d, it, ~inf & vt_mask(it))),
	                    dag_const(d, it, (bias - 1) << frac));
	/* mag - 1 >= inf - 1, unsigned: mag is 0, infinite or no number. */
	DagVal plain = dag_setcc(d, dag_2(d, DAG_ADD, it, mag, dag_const(d, it, ~(u64)0)), dag_const(d, it, inf - 1), IRP_I_ULT);
	out[0] = dag_3(d, DAG_SELECT, vt, plain, dag_1(d, DAG_BITCAST, vt, half), a);
	out[1] = dag_3(d, DAG_SELECT, et, plain, e, dag_const(d, et, 0));
}

bool intrinsic_frexp(DagFunc *f, IrRef inst, const DagIntrinsicRow *row) { return dag_by_lanes(f, inst, row, 1, 2, frexp_lane); }

bool intrinsic_constant(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	dag_set_value(f, inst, dag_const(&f->dag, dag_vt_of(f, ir_inst(f->m, inst)->type), row->op));
	return true;
}

/* PTX says the rounding of each instruction; those without one round to nearest, which is 1. */
bool intrinsic_set_rounding(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	u64 mode = 0;
	(void)row;
	if (!ir_as_int(f->m, ir_call_arg(f->m, inst, 0), &mode) || mode != 1)
		dag_unsupported(f, inst, "a rounding mode other than to nearest");
	return true;
}

/* p + *(i32 *)(p + offset) */
bool intrinsic_load_relative(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	Dag   *d = &f->dag;
	IrRef  base = ir_call_arg(f->m, inst, 0);
	DagVal p = dag_value(f, base);
	DagVt  pt = dag_vt(d, p);
	DagVal offset = dag_sext_or_trunc(d, dag_call_arg(f, inst, 1), pt);
	DagMem mem = {.vt = VT_I32,
	              .mem = {.size = 4,
	                      .value = base.i,
	                      .align_log2 = 2,
	                      .flags = MMF_LOAD,
	                      .space = (u16)ir_type(f->m, ir_type_of(f->m, base))->bits}};
	DagVal root = dag_root(f), l = dag_load(d, VT_I32, root, dag_2(d, DAG_ADD, pt, p, offset), mem);
	vec_push(f->arena, &f->loads, dag_res(l.n, 1));
	dag_set_value(f, inst, dag_2(d, DAG_ADD, pt, p, dag_sext_or_trunc(d, l, pt)));
	return true;
}
