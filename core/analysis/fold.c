#include "analysis/fold.h"

#include "sem/float.h"

static u32 int_width(const IrModule *m, IrType t) { return ir_type_is_int(m, t) ? ir_type(m, t)->bits : 0; }

static bool fp_format(const IrModule *m, IrType t, SemFmt *f)
{
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: *f = SEM_F16; return true;
	case IRT_BFLOAT: *f = SEM_BF16; return true;
	case IRT_FLOAT: *f = SEM_F32; return true;
	case IRT_DOUBLE: *f = SEM_F64; return true;
	default: return false;
	}
}

/* ---- integers ---- */

static bool eval_int(u32 op, u32 w, u64 x, u64 y, u64 *r)
{
	switch (op) {
	case IR_ADD: *r = sem_add(w, x, y); return true;
	case IR_SUB: *r = sem_sub(w, x, y); return true;
	case IR_MUL: *r = sem_mul(w, x, y); return true;
	case IR_UDIV: *r = sem_udiv(w, x, y); return sem_udiv_defined(y);
	case IR_SDIV: *r = sem_sdiv(w, x, y); return sem_sdiv_defined(w, x, y);
	case IR_UREM: *r = sem_urem(x, y); return sem_udiv_defined(y);
	case IR_SREM: *r = sem_srem(w, x, y); return sem_sdiv_defined(w, x, y);
	case IR_SHL: *r = sem_shl(w, x, y); return y < w;
	case IR_LSHR: *r = sem_lshr(w, x, y); return y < w;
	case IR_ASHR: *r = sem_ashr(w, x, y); return y < w;
	case IR_AND: *r = x & y; return true;
	case IR_OR: *r = x | y; return true;
	case IR_XOR: *r = x ^ y; return true;
	default: return false;
	}
}

/* x op (constant y), where that is x or a constant. */
static IrRef int_identity(IrModule *m, u32 op, IrType t, u32 w, IrRef x, u64 y)
{
	u64 ones = sem_mask(w);
	switch (op) {
	case IR_ADD:
	case IR_SUB:
	case IR_XOR:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR: return y == 0 ? x : IR_NO_REF;
	case IR_OR: return y == 0 ? x : y == ones ? ir_const_int(m, t, ones) : IR_NO_REF;
	case IR_AND: return y == ones ? x : y == 0 ? ir_const_int(m, t, 0) : IR_NO_REF;
	case IR_MUL: return y == 1 ? x : y == 0 ? ir_const_int(m, t, 0) : IR_NO_REF;
	case IR_UDIV:
	case IR_SDIV: return y == 1 ? x : IR_NO_REF;
	case IR_UREM: return y == 1 ? ir_const_int(m, t, 0) : IR_NO_REF;
	default: return IR_NO_REF;
	}
}

static IrRef fold_int(IrModule *m, IrRef inst, u32 w)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   x = ir_op(m, inst, 0), y = ir_op(m, inst, 1);
	u64     a, b, r;
	bool    ka = ir_as_int(m, x, &a), kb = ir_as_int(m, y, &b);
	if (w > 64)
		return IR_NO_REF;
	if (ka && kb)
		return eval_int(i->op, w, a, b, &r) ? ir_const_int(m, i->type, r) : IR_NO_REF;
	if (kb)
		return int_identity(m, i->op, i->type, w, x, b);
	if (ka && ir_op_info[i->op].flags & IROF_COMMUTES)
		return int_identity(m, i->op, i->type, w, y, a);
	if (ir_same(x, y) && !ir_is_const(m, x)) {
		if (i->op == IR_AND || i->op == IR_OR)
			return x;
		if (i->op == IR_SUB || i->op == IR_XOR)
			return ir_const_int(m, i->type, 0);
	}
	return IR_NO_REF;
}

/* ---- floating point: to nearest, no flags; anything signalling is left alone ---- */

static IrRef fold_fp(IrModule *m, IrRef inst, SemFmt f)
{
	IrInst *i = ir_inst(m, inst);
	u64     a, b, r;
	if (!ir_as_fp(m, ir_op(m, inst, 0), &a))
		return IR_NO_REF;
	if (i->op == IR_FNEG)
		return ir_const_fp(m, i->type, sem_fneg(f, a));
	if (!ir_as_fp(m, ir_op(m, inst, 1), &b))
		return IR_NO_REF;
	/* NaN payloads, and subnormals that the target may flush, are the target's business. */
	if (sem_is_nan(f, a) || sem_is_nan(f, b) || sem_is_subnormal(f, a) || sem_is_subnormal(f, b))
		return IR_NO_REF;
	switch (i->op) {
	case IR_FADD: r = sem_fadd(f, a, b, SEM_RN); break;
	case IR_FSUB: r = sem_fsub(f, a, b, SEM_RN); break;
	case IR_FMUL: r = sem_fmul(f, a, b, SEM_RN); break;
	case IR_FDIV: r = sem_fdiv(f, a, b, SEM_RN); break;
	default: return IR_NO_REF;
	}
	return sem_is_nan(f, r) || sem_is_subnormal(f, r) ? IR_NO_REF : ir_const_fp(m, i->type, r);
}

/* ---- casts ---- */

static IrRef fold_constant_cast(IrModule *m, IrRef inst, IrRef x)
{
	IrInst *i = ir_inst(m, inst);
	IrType  from = ir_type_of(m, x);
	u32     fw = int_width(m, from), tw = int_width(m, i->type);
	SemFmt  ff, tf;
	u64     a;
	if (ir_as_int(m, x, &a) && fw <= 64) {
		if ((i->op == IR_TRUNC || i->op == IR_ZEXT) && tw <= 64)
			return ir_const_int(m, i->type, a);
		if (i->op == IR_SEXT && tw <= 64)
			return ir_const_sint(m, i->type, sem_sext(a, fw));
		if ((i->op == IR_SITOFP || i->op == IR_UITOFP) && fp_format(m, i->type, &tf))
			return ir_const_fp(m, i->type, sem_i2f(tf, fw, i->op == IR_SITOFP, a, SEM_RN));
		if (i->op == IR_BITCAST && fp_format(m, i->type, &tf))
			return ir_const_fp(m, i->type, a);
	}
	if (ir_as_fp(m, x, &a) && fp_format(m, from, &ff)) {
		bool sign = i->op == IR_FPTOSI;
		if ((sign || i->op == IR_FPTOUI) && tw && tw <= 64 && sem_f2i_defined(tw, sign, ff, a))
			return ir_const_int(m, i->type, sem_f2i(tw, sign, ff, a, SEM_RZ));
		if ((i->op == IR_FPEXT || i->op == IR_FPTRUNC) && fp_format(m, i->type, &tf) && !sem_is_nan(ff, a))
			return ir_const_fp(m, i->type, sem_f2f(tf, ff, a, SEM_RN));
		if (i->op == IR_BITCAST && tw)
			return ir_const_int(m, i->type, a);
	}
	if (i->op == IR_INTTOPTR && ir_is_zero(m, x) && ir_type(m, i->type)->bits == 0)
		return ir_const_zero(m, i->type);
	return IR_NO_REF;
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

static bool eval_icmp(u32 pred, u32 w, u64 a, u64 b)
{
	static const struct {
		u8   cmp;
		bool sign;
	} row[] = {{SEM_EQ, 0}, {SEM_NE, 0}, {SEM_GT, 0}, {SEM_GE, 0}, {SEM_LT, 0},
	           {SEM_LE, 0}, {SEM_GT, 1}, {SEM_GE, 1}, {SEM_LT, 1}, {SEM_LE, 1}};
	u32 k = pred - IRP_I_EQ;
	return sem_icmp((SemCmp)row[k].cmp, w, row[k].sign, a, b);
}

static IrRef fold_icmp(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	IrRef   x = ir_op(m, inst, 0), y = ir_op(m, inst, 1);
	u64     a, b;
	u32     w = int_width(m, ir_type_of(m, x));
	if (w && w <= 64 && ir_as_int(m, x, &a) && ir_as_int(m, y, &b))
		return ir_const_int(m, i->type, eval_icmp(i->sub, w, a, b));
	if (ir_same(x, y) && !ir_is_undef(m, x) && !ir_type_is_vector(m, i->type)) {
		bool eq = i->sub == IRP_I_EQ || i->sub == IRP_I_UGE || i->sub == IRP_I_ULE || i->sub == IRP_I_SGE ||
		          i->sub == IRP_I_SLE;
		return ir_const_int(m, i->type, eq);
	}
	return IR_NO_REF;
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
	while (ir_kind(agg) == IR_INST && ir_inst(m, agg)->op == IR_INSERTVALUE) {
		u32 aux = ir_inst(m, agg)->aux, k = ir_list_n(m, aux), same = 0;
		while (same < n && same < k && ir_list(m, i->aux)[same] == ir_list(m, aux)[same])
			same++;
		if (same == n && same == k)
			return ir_op(m, agg, 1);
		if (same == n || same == k)
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
	while (ir_kind(vec) == IR_INST && ir_inst(m, vec)->op == IR_INSERTELEMENT) {
		if (!ir_as_int(m, ir_op(m, vec, 2), &other))
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
	while (!ir_is_none(c) && (at || !ir_type_same(t, i->type))) {
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
	return c;
}

IrRef ir_fold(IrModule *m, IrRef inst)
{
	IrInst *i = ir_inst(m, inst);
	SemFmt  f;
	for (u32 k = 0; k < i->n_ops; k++)
		if (ir_is_undef(m, ir_op(m, inst, k)) && i->op != IR_PHI && i->op != IR_EXTRACTVALUE &&
		    i->op != IR_EXTRACTELEMENT)
			return IR_NO_REF;
	if (ir_op_is_binary(i->op) && int_width(m, i->type))
		return fold_int(m, inst, int_width(m, i->type));
	if ((ir_op_is_binary(i->op) || i->op == IR_FNEG) && fp_format(m, i->type, &f))
		return fold_fp(m, inst, f);
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
