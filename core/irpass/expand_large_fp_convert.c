/* expand-large-fp-convert: expands conversions between floats and integers wider than 128 bits to shifts.
 *
 *   %r = fptosi double %x to i256        exponent and mantissa of %x as integers;
 *                                   →    %r = mantissa << (exponent - 52), or >> (52 - exponent) where that is negative;
 *                                        negated where %x is negative
 *
 *   %r = uitofp i256 %x to float         %n = ctlz %x; %top = the first 32 bits behind the zeros, the last one 1 where
 *                                   →    any bit below is (so that it is rounded once);
 *                                        %r = fptrunc (double(%top) * 2^(224 - %n))
 *
 * A double represents the 32 bits of %top exactly, and its product with a power of two is exact as well, so only the
 * fptrunc rounds. For a result of type double %top has 64 bits, and its conversion to double rounds. Saturating
 * conversions (llvm.fptosi.sat, llvm.fptoui.sat) compare with the bounds of the integer range. The expansion is
 * straight-line code; vectors are scalarised. Floats of more than 64 bits are left to selection, which has no arithmetic for them.
 * Linear in instructions. */
#include "ir/builder.h"
#include "irpass/util.h"
#include "sem/float.h"

enum { WIDEST = 128 /* bits that selection converts itself */, FRACTION = 52, BIAS = 1023, MOST_WORDS = 128 };

typedef struct Convert {
	IrModule *m;
	IrBuilder b;
	IrType    from, to; /* of an element */
	u32       bits;     /* of the integer */
	bool      to_int, is_signed, saturates;
} Convert;

static IrRef k64(Convert *x, u64 v) { return ir_const_int(x->m, IR_TYPE(I64), v); }
static IrRef wide(Convert *x, u64 v) { return ir_const_int(x->m, x->to_int ? x->to : x->from, v); }
static IrRef op(Convert *x, IrOp o, IrRef p, IrRef q) { return ir_b_bin(&x->b, o, p, q, 0); }

static IrRef call2(Convert *x, const char *name, IrRef p, IrRef q)
{
	return ir_b_intrinsic(&x->b, str_of(name), ir_type_of(x->m, p), (IrRef[]){p, q}, 2);
}

/* ---- to integers ---- */

/* 2^n as a double; past the largest power, infinity. */
static u64 power_of_two(u32 n) { return sem_fpow2(SEM_F64, (i32)PS_MIN(n, BIAS + 1u)); }

/* The n lowest bits set. */
static IrRef ones(Convert *x, u32 n)
{
	u64 words[MOST_WORDS];
	u32 count = (x->bits + 63) / 64;
	for (u32 i = 0; i < count; i++)
		words[i] = sem_mask_word(n, i);
	return ir_const_words(x->m, x->to, words, count);
}

static IrRef saturated(Convert *x, IrRef d, IrRef r)
{
	u32   top = x->bits - x->is_signed;
	IrRef zero = wide(x, 0), least = x->is_signed ? op(x, IR_XOR, ones(x, top), ones(x, x->bits)) : zero;
	IrRef over = ir_b_cmp(&x->b, IRP_OGE, d, ir_const_fp(x->m, IR_TYPE(DOUBLE), power_of_two(top)));
	IrRef under = ir_b_cmp(&x->b, IRP_OLE, d,
	                       ir_const_fp(x->m, IR_TYPE(DOUBLE), x->is_signed ? sem_fneg(SEM_F64, power_of_two(top)) : 0));
	IrRef nan = ir_b_cmp(&x->b, IRP_UNO, d, d);
	r = ir_b_select(&x->b, over, ones(x, top), r);
	r = ir_b_select(&x->b, under, least, r);
	return ir_b_select(&x->b, nan, zero, r);
}

static IrRef to_int(Convert *x, IrRef v)
{
	IrBuilder *b = &x->b;
	IrRef      d = x->from.i == IR_TY_DOUBLE ? v : ir_b_cast(b, IR_FPEXT, v, IR_TYPE(DOUBLE)),
	      bits = ir_b_cast(b, IR_BITCAST, d, IR_TYPE(I64));
	IrRef field = op(x, IR_AND, op(x, IR_LSHR, bits, k64(x, FRACTION)), k64(x, 2 * BIAS + 1));
	IrRef fraction = op(x, IR_AND, bits, k64(x, sem_mask(FRACTION))),
	      mantissa = op(x, IR_OR, fraction, k64(x, (u64)1 << FRACTION));
	/* One of the two shift amounts is zero. Shifting the 53-bit mantissa right by 53 or more gives 0. */
	IrRef left = op(x, IR_SUB, field, k64(x, BIAS + FRACTION)), right = op(x, IR_SUB, k64(x, 0), left);
	left = call2(x, "llvm.smax.i64", left, k64(x, 0));
	left = call2(x, "llvm.umin.i64", left, k64(x, x->bits - 1));
	right = call2(x, "llvm.smax.i64", right, k64(x, 0));
	right = call2(x, "llvm.umin.i64", right, k64(x, 63));
	IrRef moved = op(x, IR_LSHR, mantissa, right), whole = ir_b_cast(b, IR_ZEXT, moved, x->to),
	      by = ir_b_cast(b, IR_ZEXT, left, x->to);
	IrRef r = op(x, IR_SHL, whole, by);
	if (x->is_signed) {
		IrRef negative = ir_b_cmp(b, IRP_I_SLT, bits, k64(x, 0)), minus = op(x, IR_SUB, wide(x, 0), r);
		r = ir_b_select(b, negative, minus, r);
	}
	return x->saturates ? saturated(x, d, r) : r;
}

/* ---- to floats ---- */

static IrRef to_float(Convert *x, IrRef v)
{
	IrBuilder *b = &x->b;
	u32        taken = x->to.i == IR_TY_DOUBLE ? 64 : 32;
	IrRef      negative = ir_b_cmp(b, IRP_I_SLT, v, wide(x, 0)), a = v;
	if (x->is_signed) {
		IrRef minus = op(x, IR_SUB, wide(x, 0), v);
		a = ir_b_select(b, negative, minus, v);
	}
	Str   name = arena_fmt(x->m->arena, "llvm.ctlz.i%u", x->bits);
	IrRef count[] = {a, ir_const_int(x->m, IR_TYPE(I1), 0)};
	IrRef zeros = ir_b_intrinsic(b, name, x->from, count, 2);
	IrRef n = ir_b_cast(b, IR_TRUNC, zeros, IR_TYPE(I64));
	n = call2(x, "llvm.umin.i64", n, k64(x, x->bits - 1)); /* for an input of zero any amount will do */
	IrRef by = ir_b_cast(b, IR_ZEXT, n, x->from), aligned = op(x, IR_SHL, a, by);
	IrRef upper = op(x, IR_LSHR, aligned, wide(x, x->bits - taken)), top = ir_b_cast(b, IR_TRUNC, upper, IR_TYPE(I64));
	IrRef below = op(x, IR_SHL, aligned, wide(x, taken)), any = ir_b_cmp(b, IRP_I_NE, below, wide(x, 0)),
	      sticky = ir_b_cast(b, IR_ZEXT, any, IR_TYPE(I64));
	IrRef r = ir_b_cast(b, IR_UITOFP, op(x, IR_OR, top, sticky), IR_TYPE(DOUBLE));
	/* The exponent is clamped: a larger one gives infinity in any case. */
	IrRef exponent = op(x, IR_SUB, k64(x, (u64)BIAS + x->bits - taken), n);
	exponent = call2(x, "llvm.umin.i64", exponent, k64(x, 2 * BIAS));
	IrRef scale = ir_b_cast(b, IR_BITCAST, op(x, IR_SHL, exponent, k64(x, FRACTION)), IR_TYPE(DOUBLE));
	r = op(x, IR_FMUL, r, scale);
	if (x->to.i != IR_TY_DOUBLE)
		r = ir_b_cast(b, IR_FPTRUNC, r, x->to);
	if (!x->is_signed)
		return r;
	IrRef minus = ir_b_unary(b, IR_FNEG, r);
	return ir_b_select(b, negative, minus, r);
}

static IrRef convert(void *user, const IrRef *v)
{
	Convert *x = user;
	return x->to_int ? to_int(x, v[0]) : to_float(x, v[0]);
}

/* ---- which ---- */

static bool describe(IrModule *m, IrRef inst, Convert *x)
{
	const IrInst *i = ir_inst(m, inst);
	*x = (Convert){.m = m};
	switch ((IrOp)i->op) {
	case IR_FPTOSI: x->is_signed = true; /* fall through */
	case IR_FPTOUI: x->to_int = true; break;
	case IR_SITOFP: x->is_signed = true; break;
	case IR_UITOFP: break;
	case IR_CALL:
		x->is_signed = calls_family(m, inst, IRFAM_FPTOSI_SAT);
		if (!x->is_signed && !calls_family(m, inst, IRFAM_FPTOUI_SAT))
			return false;
		x->to_int = x->saturates = true;
		break;
	default: return false;
	}
	IrRef v = i->op == IR_CALL ? ir_call_arg(m, inst, 0) : ir_op(m, inst, 0);
	x->from = ir_scalar_type(m, ir_type_of(m, v));
	x->to = ir_scalar_type(m, i->type);
	x->bits = (u32)ir_size_bits(m, x->to_int ? x->to : x->from);
	return x->bits > WIDEST && x->bits <= 64 * MOST_WORDS && ir_size_bits(m, x->to_int ? x->from : x->to) <= 64;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) found = {0};
	Convert x;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(FPTOSI) | IR_OPS(FPTOUI) | IR_OPS(SITOFP) | IR_OPS(UITOFP) | IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (describe(m, i, &x))
				vec_push(cx->scratch, &found, i);
	for (u32 i = 0; i < found.n; i++) {
		IrRef inst = found.p[i];
		describe(m, inst, &x);
		x.b = ir_build_before(m, inst);
		IrRef v = ir_inst(m, inst)->op == IR_CALL ? ir_call_arg(m, inst, 0) : ir_op(m, inst, 0);
		replace_inst(m, inst, element_by_element(&x.b, ir_inst(m, inst)->type, &v, 1, convert, &x));
	}
	return found.n != 0;
}

const Pass irpass_expand_large_fp_convert = {
	.id = "expand-large-fp-convert",
	.title = "Expand large fp convert",
	.summary = "Expands conversions between floats and integers wider than 128 bits.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.looks_for = IR_OPS(FPTOSI) | IR_OPS(FPTOUI) | IR_OPS(SITOFP) | IR_OPS(UITOFP) | IR_OPS(CALL),
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
