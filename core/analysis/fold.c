/* fold.c: the value of one instruction, from its operands alone: an operation on constants (sem/eval.h), an operand that
 * decides the result (the laws there), a cast that undoes another, an element of an aggregate that was put together, a
 * load from a constant variable. Makes constants, never instructions. Constant time but for chains of insertions. */
#include "analysis/fold.h"

#include "sem/eval.h"

/* What sem/ calls the type; width 0: it has no operations on this one. */
static SemType sem_type(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_INT: return sem_int_type(ir_type(m, t)->bits);
	case IRT_HALF: return sem_fp_type(SEM_F16);
	case IRT_BFLOAT: return sem_fp_type(SEM_BF16);
	case IRT_FLOAT: return sem_fp_type(SEM_F32);
	case IRT_DOUBLE: return sem_fp_type(SEM_F64);
	default: return (SemType){0};
	}
}

static SemOp eval_of(const IrInst *i) { return (SemOp)ir_op_info[i->op].eval; }

static IrRef constant(IrModule *m, IrType t, u64 bits)
{
	return ir_type_is_int(m, t) ? ir_const_int(m, t, bits) : ir_const_fp(m, t, bits);
}

/* x op y is x or a constant, as y or x = y alone decides. */
static IrRef is(IrModule *m, SemIs what, IrRef x, IrType t)
{
	switch (what) {
	case SEM_IS_X: return x;
	case SEM_IS_ZERO: return ir_const_int(m, t, 0);
	case SEM_IS_ONES: return ir_const_sint(m, t, -1);
	default: return IR_NO_REF;
	}
}

static IrRef fold_int(IrModule *m, IrRef inst, u32 w)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   a = ir_op(m, inst, 0), b = ir_op(m, inst, 1);
	u64     x[2], r;
	bool    ka = ir_as_int(m, a, &x[0]), kb = ir_as_int(m, b, &x[1]);
	if (ka && kb)
		return sem_eval_int(eval_of(i), w, x, 2, &r) ? ir_const_int(m, i->type, r) : IR_NO_REF;
	if (kb)
		return is(m, sem_with_const(eval_of(i), w, x[1]), a, i->type);
	if (ka && ir_op_info[i->op].flags & IROF_COMMUTES)
		return is(m, sem_with_const(eval_of(i), w, x[0]), b, i->type);
	if (ir_same(a, b) && !ir_is_const(m, a))
		return is(m, sem_with_itself(eval_of(i)), a, i->type);
	return IR_NO_REF;
}

/* Rounded to nearest, without regard to fast-math flags. */
static IrRef fold_fp(IrModule *m, IrRef inst, SemFmt f)
{
	IrInst *i = ir_inst(m, inst);
	u64     x[2], r;
	for (u32 k = 0; k < i->n_ops; k++)
		if (!ir_as_fp(m, ir_op(m, inst, k), &x[k]))
			return IR_NO_REF;
	return sem_eval_fp_portable(eval_of(i), f, x, i->n_ops, &r) ? ir_const_fp(m, i->type, r) : IR_NO_REF;
}

/* ---- casts ---- */

static IrRef fold_constant_cast(IrModule *m, IrRef inst, IrRef x)
{
	IrInst *i = ir_inst(m, inst);
	SemType from = sem_type(m, ir_type_of(m, x)), to = sem_type(m, i->type);
	u64     a, r;
	if (i->op == IR_INTTOPTR && ir_is_zero(m, x) && ir_type(m, i->type)->bits == 0)
		return ir_const_zero(m, i->type);
	if (!ir_as_int(m, x, &a) && !ir_as_fp(m, x, &a))
		return IR_NO_REF;
	/* Which NaN a conversion of formats makes is the target's choice. */
	if (from.is_fp && to.is_fp && sem_is_nan((SemFmt)from.fmt, a))
		return IR_NO_REF;
	return sem_eval_cast(eval_of(i), from, to, a, &r) ? constant(m, i->type, r) : IR_NO_REF;
}

static IrRef fold_cast(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   x = ir_op(m, inst, 0);
	if (ir_type_same(ir_type_of(m, x), i->type))
		return i->op == IR_BITCAST || i->op == IR_ADDRSPACECAST ? x : IR_NO_REF;
	if (ir_kind(x) == IR_CONST)
		return fold_constant_cast(m, inst, x);
	if (ir_kind(x) != IR_INST)
		return IR_NO_REF;
	/* There and back again. */
	IrInst *in = ir_inst(m, x);
	if (!ir_op_is_cast(in->op) || !ir_type_same(ir_type_of(m, ir_op(m, x, 0)), i->type))
		return IR_NO_REF;
	IrRef src = ir_op(m, x, 0);
	if (i->op == IR_TRUNC && (in->op == IR_ZEXT || in->op == IR_SEXT))
		return src;
	if (i->op == IR_BITCAST && in->op == IR_BITCAST)
		return src;
	/* specific → generic → the same specific one; the other way round loses nothing only if it was there. */
	if (i->op == IR_ADDRSPACECAST && in->op == IR_ADDRSPACECAST && ir_type(m, in->type)->bits == 0)
		return src;
	return IR_NO_REF;
}

/* ---- comparisons ---- */

static IrRef fold_icmp(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   x = ir_op(m, inst, 0), y = ir_op(m, inst, 1);
	u64     a, b;
	u32     w = sem_type(m, ir_type_of(m, x)).width;
	if (w && ir_as_int(m, x, &a) && ir_as_int(m, y, &b))
		return ir_const_int(m, i->type, ir_icmp(i->sub, w, a, b));
	if (ir_same(x, y) && !ir_is_undef(m, x) && !ir_type_is_vector(m, i->type))
		return ir_const_int(m, i->type, ir_icmp(i->sub, 1, 0, 0));
	return IR_NO_REF;
}

/* An undefined value may equal the other one or not. */
static IrRef fold_icmp_undef(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	return i->sub == IRP_I_EQ || i->sub == IRP_I_NE ? ir_const_undef(m, i->type) : IR_NO_REF;
}

/* ---- the rest ---- */

static IrRef fold_select(IrModule *m, IrRef inst)
{
	u64 c;
	if (ir_as_int(m, ir_op(m, inst, 0), &c))
		return ir_op(m, inst, c ? 1 : 2);
	return ir_same(ir_op(m, inst, 1), ir_op(m, inst, 2)) ? ir_op(m, inst, 1) : IR_NO_REF;
}

/* All inputs are one constant or argument (an instruction would have to dominate the phi). */
static IrRef fold_phi(IrModule *m, IrRef phi)
{
	IrRef same = IR_NO_REF;
	for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
		IrRef v = ir_phi_value(m, phi, i);
		if (ir_same(v, phi))
			continue;
		if (!ir_is_none(same) && !ir_same(v, same))
			return IR_NO_REF;
		same = v;
	}
	if (!ir_is_none(same) && ir_kind(same) == IR_INST && ir_phi_n(m, phi) > 1)
		return IR_NO_REF;
	return same;
}

static IrRef fold_extract_value(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   agg = ir_op(m, inst, 0);
	u32     n = ir_list_n(m, i->aux);
	for (u32 steps = 0; ir_kind(agg) == IR_INST && ir_inst(m, agg)->op == IR_INSERTVALUE; steps++) {
		u32 aux = ir_inst(m, agg)->aux, k = ir_list_n(m, aux), same = 0;
		while (same < n && same < k && ir_list(m, i->aux)[same] == ir_list(m, aux)[same])
			same++;
		if (same == n && same == k)
			return ir_op(m, agg, 1);
		if (same == n || same == k || steps == IR_MOST_STEPS)
			return IR_NO_REF; /* a part of what was inserted, or it is a part of what is wanted */
		agg = ir_op(m, agg, 0);
	}
	if (ir_kind(agg) != IR_CONST)
		return IR_NO_REF;
	for (u32 k = 0; k < n && !ir_is_none(agg); k++)
		agg = ir_const_elem(m, agg, ir_list(m, i->aux)[k]);
	return agg;
}

static IrRef fold_extract_element(IrModule *m, IrRef inst)
{
	IrRef vec = ir_op(m, inst, 0);
	u64   at, other;
	if (!ir_as_int(m, ir_op(m, inst, 1), &at) || at >= ir_type_count(m, ir_type_of(m, vec)))
		return IR_NO_REF;
	for (u32 steps = 0; ir_kind(vec) == IR_INST && ir_inst(m, vec)->op == IR_INSERTELEMENT; steps++) {
		if (!ir_as_int(m, ir_op(m, vec, 2), &other) || steps == IR_MOST_STEPS)
			return IR_NO_REF;
		if (other == at)
			return ir_op(m, vec, 1);
		vec = ir_op(m, vec, 0);
	}
	return ir_kind(vec) == IR_CONST ? ir_const_elem(m, vec, (u32)at) : IR_NO_REF;
}

/* ---- loads of constants ---- */

enum { MOST_STEPS = 16 };

/* The variable that `p` points into at a constant distance; none: some other value. */
static IrRef variable_at(const IrModule *m, IrRef p, i64 *offset)
{
	*offset = 0;
	for (u32 steps = 0; ir_kind(p) != IR_GLOBAL && steps < MOST_STEPS; steps++) {
		bool is_expr = ir_kind(p) == IR_CONST && ir_const(m, p)->kind == IRC_EXPR;
		u32  op = is_expr ? ir_const(m, p)->op : ir_kind(p) == IR_INST ? ir_inst(m, p)->op : (u32)IR_OP_NONE;
		i64  step = 0;
		if (op == IR_GETELEMENTPTR ? !ir_gep_offset(m, p, &step) : op != IR_BITCAST && op != IR_ADDRSPACECAST)
			return IR_NO_REF;
		*offset = (i64)((u64)*offset + (u64)step);
		p = is_expr ? ir_const_op(m, p, 0) : ir_op(m, p, 0);
	}
	return ir_kind(p) == IR_GLOBAL && ir_global(m, p)->kind == IRG_VAR ? p : IR_NO_REF;
}

/* Its value is what is written here, and stays so. */
static bool is_known_for_ever(const IrModule *m, IrRef variable)
{
	const IrGlobal *g = ir_global(m, variable);
	bool            replaced =
		g->linkage == IRL_WEAK || g->linkage == IRL_LINKONCE || g->linkage == IRL_COMMON || g->linkage == IRL_EXTERN_WEAK;
	return (g->flags & (IRGF_CONSTANT | IRGF_EXTERNALLY_INIT)) == IRGF_CONSTANT && !replaced &&
	       !ir_is_none(ir_global_init(m, variable));
}

/* A number of the same size that is read as an integer, or an address. */
static IrRef read_as(IrModule *m, IrRef c, IrType t)
{
	u64     bits;
	IrType  from = ir_type_of(m, c);
	IrConst e = ir_kind(c) == IR_CONST ? *ir_const(m, c) : (IrConst){0};
	if (ir_type_same(from, t))
		return c;
	if (ir_type_is_aggregate(m, from) || ir_type_is_vector(m, from) || ir_size_bits(m, from) != ir_size_bits(m, t) ||
	    !(ir_type_is_int(m, t) || ir_type_is_ptr(m, t)))
		return IR_NO_REF;
	if (ir_is_zero(m, c))
		return ir_const_zero(m, t);
	if (e.kind == IRC_EXPR && e.op == IR_INTTOPTR && ir_type_same(ir_type_of(m, ir_const_op(m, c, 0)), t))
		return ir_const_op(m, c, 0);
	return ir_type_is_int(m, t) && ir_as_int(m, c, &bits) ? ir_const_int(m, t, bits) : IR_NO_REF;
}

static IrRef fold_load(IrModule *m, IrRef load)
{
	const IrInst *i = ir_inst(m, load);
	i64           offset;
	IrRef         g = i->flags & (IRF_VOLATILE | IRF_ATOMIC) ? IR_NO_REF : variable_at(m, ir_op(m, load, 0), &offset);
	if (ir_is_none(g) || !is_known_for_ever(m, g))
		return IR_NO_REF;
	IrRef  c = ir_global_init(m, g);
	IrType t = ir_type_of(m, c);
	u64    at = (u64)offset;
	while (!ir_is_none(c) && (at || ir_type_is_aggregate(m, t)) && !ir_type_same(t, i->type)) {
		u64 n = ir_type_is_aggregate(m, t) ? ir_type_count(m, t) : 0, k = 0, begin = 0;
		if (ir_type_kind(m, t) == IRT_STRUCT) {
			while (k + 1 < n && ir_struct_offset(m, t, (u32)k + 1) <= at)
				k++;
			begin = n ? ir_struct_offset(m, t, (u32)k) : 0;
		} else if (n) {
			u64 size = ir_alloc_size(m, ir_type_elem(m, t, 0));
			k = size ? at / size : n;
			begin = k * size;
		}
		if (k >= n || k > UINT32_MAX)
			return IR_NO_REF;
		c = ir_const_elem(m, c, (u32)k);
		t = ir_type_elem(m, t, (u32)k);
		at -= begin;
	}
	return ir_is_none(c) || at ? IR_NO_REF : read_as(m, c, i->type);
}

IrRef ir_fold(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	SemType t = sem_type(m, i->type);
	for (u32 k = 0; k < i->n_ops; k++)
		if (ir_is_undef(m, ir_op(m, inst, k)) && i->op != IR_PHI && i->op != IR_EXTRACTVALUE &&
		    i->op != IR_EXTRACTELEMENT)
			return i->op == IR_ICMP ? fold_icmp_undef(m, inst) : IR_NO_REF;
	if (ir_op_is_binary(i->op) || i->op == IR_FNEG)
		return !t.width ? IR_NO_REF : t.is_fp ? fold_fp(m, inst, (SemFmt)t.fmt) : fold_int(m, inst, t.width);
	if (ir_op_is_cast(i->op))
		return fold_cast(m, inst);
	switch (i->op) {
	case IR_ICMP: return fold_icmp(m, inst);
	case IR_SELECT: return fold_select(m, inst);
	case IR_PHI: return fold_phi(m, inst);
	case IR_EXTRACTVALUE: return fold_extract_value(m, inst);
	case IR_EXTRACTELEMENT: return fold_extract_element(m, inst);
	case IR_LOAD: return fold_load(m, inst);
	case IR_FREEZE:
		return ir_kind(ir_op(m, inst, 0)) == IR_CONST && (ir_const(m, ir_op(m, inst, 0))->kind == IRC_INT ||
		                                                  ir_const(m, ir_op(m, inst, 0))->kind == IRC_FP)
		               ? ir_op(m, inst, 0)
		               : IR_NO_REF;
	case IR_GETELEMENTPTR: {
		i64 offset;
		return ir_gep_offset(m, inst, &offset) && offset == 0 && ir_type_same(ir_type_of(m, ir_op(m, inst, 0)), i->type)
		               ? ir_op(m, inst, 0)
		               : IR_NO_REF;
	}
	default: return IR_NO_REF;
	}
}
