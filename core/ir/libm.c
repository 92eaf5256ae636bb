/* libm.c: which calls of math functions are approximated, and how.
 *
 * An approximation needs permission, a type of at most 32 bits and instructions of the target. The flag afn of the call gives
 * permission, as do the attribute "unsafe-fp-math" of its function and the knobs enable-unsafe-fp-math and, for the logarithm to base 2,
 * nvptx-approx-log2f32. Constant time. */
#include "ir/libm.h"

#include "ir/signature.h"
#include "isa/isa.h"

#define LIBM_OF_NODE(op)                      IRLIBM_NONE, 0
#define LIBM_OF_INSN(text)                    IRLIBM_NONE, 0
#define LIBM_OF_INSN_ID(id, text)             IRLIBM_NONE, 0
#define LIBM_OF_FORM(text)                    IRLIBM_NONE, 0
#define LIBM_OF_FORM_FROM(sm, ptx, text)      IRLIBM_NONE, 0
#define LIBM_OF_CODE(function, what)          IRLIBM_NONE, 0
#define LIBM_OF_LIBM(name, node, how, factor) IRLIBM_##how, factor
#define LIBM_OF_VP(kind, op)                  IRLIBM_NONE, 0
#define LIBM_OF_NOTHING                       IRLIBM_NONE, 0
#define LIBM_OF_NONE                          IRLIBM_NONE, 0

static const IrLibm rows[] = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) {LIBM_OF_##lowering},
#include "ir/intrinsics.def"
};

static bool may_approximate(const IrModule *m, IrRef call)
{
	const IrFunc *f = ir_func(m, ir_block(m, ir_inst(m, call)->block)->func);
	bool          is_log2 = strcmp(ir_intrinsic_insn(ir_call_intrinsic(m, call)), "__nv_log2") == 0;
	return (ir_inst(m, call)->flags & IRF_AFN) || str_is(ir_fn_attr(m, f, "unsafe-fp-math"), "true") ||
	       knob_bool(m->s, KNOB_enable_unsafe_fp_math) || (is_log2 && knob_bool(m->s, KNOB_nvptx_approx_log2f32));
}

static u64 element_bits(const IrModule *m, IrRef call) { return ir_size_bits(m, ir_scalar_type(m, ir_inst(m, call)->type)); }

IrLibm ir_libm(const IrModule *m, IrRef call)
{
	u32    row = ir_call_intrinsic(m, call);
	IrLibm x = row ? rows[row - 1] : (IrLibm){0};
	if (x.how == IRLIBM_NONE || x.how == IRLIBM_NOT_APPROXIMATED)
		return x;
	if (x.how == IRLIBM_PRODUCTS) {
		u64 n;
		if (!ir_as_int(m, ir_call_arg(m, call, 1), &n))
			x.how = IRLIBM_NOT_APPROXIMATED;
		return x;
	}
	bool lacks = x.how == IRLIBM_TANH && !isa_has(m->s, ptx_opc(tanh, PS(rnd, approx), TY(f32)));
	if (lacks || element_bits(m, call) > 32 || !may_approximate(m, call))
		x.how = IRLIBM_NOT_APPROXIMATED;
	return x;
}

Str ir_libm_function(Arena *a, const IrModule *m, IrRef call)
{
	const char *base = ir_intrinsic_insn(ir_call_intrinsic(m, call));
	return arena_fmt(a, "%s%s", base, element_bits(m, call) > 32 ? "" : "f");
}
