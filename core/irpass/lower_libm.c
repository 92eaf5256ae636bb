/* lower-libm: functions of the math library become approximations or calls.
 *
 *   %r = call afn float @llvm.exp.f32(float %x)      %y = fmul afn float %x, 0x3FF7154760000000
 *                                               →    %r = call afn float @llvm.exp2.f32(float %y)
 *
 *   %r = call float @llvm.sin.f32(float %x)     →    %r = call float @__nv_sinf(float %x)
 *   %r = call float @llvm.powi.f32.i32(float %x, i32 2)
 *                                               →    %r = fmul float %x, %x
 *
 * ir/libm.h says which calls may be approximated. The GPU has instructions on float for sine, cosine, 2^x, the logarithm to base 2
 * and, from sm_75 on, the hyperbolic tangent; other functions are computed from these as CUDA's -use_fast_math does. All other calls
 * are sent to the function of CUDA's math library if the module has it, as a definition or a declaration. Selection reports calls
 * that are left. Halves are widened to float, vectors are taken element by element. Linear in calls. */
#include "ir/builder.h"
#include "ir/libm.h"
#include "ir/parse.h"
#include "irpass/util.h"
#include "sem/float.h"

typedef struct Libm {
	PassCx   *cx;
	IrModule *m;
	IrBuilder b;
	IrRef     call;
	IrLibm    how;
	u32       flags; /* of the call */
	u32       n_args;
	IrRef     callee; /* of the math library; none: it is approximated */
} Libm;

static IrRef call1(Libm *x, const char *name, IrRef v)
{
	IrRef r = ir_b_intrinsic(&x->b, str_of(name), IR_TYPE(FLOAT), &v, 1);
	ir_inst(x->m, r)->flags |= (u16)x->flags;
	return r;
}

static IrRef scaled(Libm *x, IrRef v)
{
	return ir_b_bin(&x->b, IR_FMUL, v, ir_const_fp(x->m, IR_TYPE(FLOAT), x->how.factor), x->flags);
}

static IrRef approximation(Libm *x, const IrRef *v)
{
	switch (x->how.how) {
	case IRLIBM_BY_EXP2: return call1(x, "llvm.exp2.f32", scaled(x, v[0]));
	case IRLIBM_BY_LOG2: return scaled(x, call1(x, "llvm.log2.f32", v[0]));
	case IRLIBM_POWER: {
		IrRef log = call1(x, "llvm.log2.f32", v[0]);
		return call1(x, "llvm.exp2.f32", ir_b_bin(&x->b, IR_FMUL, v[1], log, x->flags));
	}
	case IRLIBM_TANGENT: {
		IrRef sin = call1(x, "llvm.sin.f32", v[0]), cos = call1(x, "llvm.cos.f32", v[0]);
		return ir_b_intrinsic(&x->b, STR("llvm.nvvm.div.approx.f"), IR_TYPE(FLOAT), (IrRef[]){sin, cos}, 2);
	}
	case IRLIBM_TANH: return call1(x, "llvm.nvvm.tanh.approx.f32", v[0]);
	default: ICE(x->cx->s, "no approximation");
	}
}

/* Of scalars: halves as floats. */
static IrRef lowered(void *user, const IrRef *v)
{
	Libm  *x = user;
	IrType t = ir_type_of(x->m, v[0]);
	bool   narrow = ir_size_bits(x->m, t) < 32;
	IrRef  args[2], r;
	for (u32 i = 0; i < x->n_args; i++)
		args[i] = narrow && ir_type_is_fp(x->m, ir_type_of(x->m, v[i])) ? ir_b_cast(&x->b, IR_FPEXT, v[i], IR_TYPE(FLOAT))
		                                                                : v[i];
	if (x->callee.i)
		r = ir_b_call(&x->b, ir_global(x->m, x->callee)->type, x->callee, args, x->n_args);
	else
		r = approximation(x, args);
	return narrow ? ir_b_cast(&x->b, IR_FPTRUNC, r, t) : r;
}

/* The library's function for the call, if the module has one of the right type. */
static IrRef library_function(const Libm *x)
{
	IrModule *m = x->m;
	IrRef     g = ir_find_global(m, ir_libm_function(x->cx->scratch, m, x->call));
	IrType    t = ir_scalar_type(m, ir_inst(m, x->call)->type), of = t.i == IR_TY_DOUBLE ? t : IR_TYPE(FLOAT);
	if (!g.i || !ir_global(m, g)->func || ir_func_params(m, ir_global(m, g)->type) != x->n_args)
		return IR_NO_REF;
	IrType fn = ir_global(m, g)->type;
	return ir_type_same(ir_func_ret(m, fn), of) && ir_type_same(ir_func_param(m, fn, 0), of) ? g : IR_NO_REF;
}

/* What becomes of the call; false: it stays. */
static bool describe(PassCx *cx, IrRef call, Libm *x)
{
	IrModule *m = cx->ir;
	*x = (Libm){.cx = cx, .m = m, .call = call, .how = ir_libm(m, call)};
	if (x->how.how == IRLIBM_NONE || x->how.how == IRLIBM_SELECTED)
		return false;
	x->flags = ir_inst(m, call)->flags & (u32)(IRF_VOLATILE - 1);
	x->n_args = ir_call(m, call)->n_args;
	if (x->how.how != IRLIBM_NOT_APPROXIMATED)
		return true;
	x->callee = library_function(x);
	return x->callee.i != 0;
}

/* x^n by squares: the product of x^(2^i) over the bits of n; its reciprocal where n is negative. */
static IrRef power(Libm *x, IrRef v, IrRef exponent)
{
	u64 bits = 0;
	ir_as_int(x->m, exponent, &bits);
	i64    n = sem_sext(bits, (u32)ir_size_bits(x->m, ir_type_of(x->m, exponent)));
	IrType t = ir_type_of(x->m, v), of = ir_scalar_type(x->m, t);
	u64    words[2];
	ir_fp_from_double(x->m, of, sem_f64_bits(1), words);
	IrRef one = ir_const_fp_words(x->m, of, words, 2), r = IR_NO_REF;
	if (!ir_type_same(of, t))
		one = ir_const_splat(x->m, t, one);
	for (u64 left = n < 0 ? 0 - (u64)n : (u64)n; left; left >>= 1) {
		if (left & 1)
			r = ir_is_none(r) ? v : ir_b_bin(&x->b, IR_FMUL, r, v, x->flags);
		if (left > 1)
			v = ir_b_bin(&x->b, IR_FMUL, v, v, x->flags);
	}
	if (ir_is_none(r))
		return one;
	return n < 0 ? ir_b_bin(&x->b, IR_FDIV, one, r, x->flags) : r;
}

static void replace(Libm *x)
{
	IrRef args[2];
	x->b = ir_build_before(x->m, x->call);
	if (x->how.how == IRLIBM_PRODUCTS) {
		replace_inst(x->m, x->call, power(x, ir_call_arg(x->m, x->call, 0), ir_call_arg(x->m, x->call, 1)));
		return;
	}
	for (u32 k = 0; k < x->n_args; k++)
		args[k] = ir_call_arg(x->m, x->call, k);
	IrType t = ir_inst(x->m, x->call)->type;
	replace_inst(x->m, x->call, element_by_element(&x->b, t, args, x->n_args, lowered, x));
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(Libm) found = {0};
	Libm x;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && describe(cx, i, &x))
				vec_push(cx->scratch, &found, x);
	for (u32 i = 0; i < found.n; i++)
		replace(&found.p[i]);
	return found.n != 0;
}

static const Knob knobs[] = {KNOB_enable_unsafe_fp_math, KNOB_nvptx_approx_log2f32, KNOB_NONE};

const Pass irpass_lower_libm = {
	.id = "lower-libm",
	.title = "Lower functions of the math library",
	.summary = "Makes approximations or calls of CUDA's math library of llvm.sin, llvm.pow and their like.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.knobs = knobs,
	.looks_for = IR_OPS(CALL),
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
