/* fp_text.c: converts floating-point constants between their bits and the text form. A decimal or 0x constant is written as
 * a double, and its value must be exactly representable in the constant's type; a NaN keeps the upper bits of its payload.
 *
 * Narrow formats are converted by sem/; x86_fp80 and fp128, which sem/ has no operations on, hold every double exactly. */
#include "ir/parse.h"
#include "sem/float.h"

static const u32 mantissa_bits = 52;

/* The bits of a double, to 15 bits of exponent and `mantissa` bits behind the point. */
static void widen(u64 bits, u32 mantissa, bool explicit_one, u64 words[2])
{
	u64 sign = bits >> 63, exp = bits >> mantissa_bits & 0x7FF, man = sem_zext(bits, mantissa_bits);
	u64 bias = sem_mask(14), rebias = bias - sem_fbias(SEM_F64);
	if (exp == 0x7FF) {
		exp = 0x7FFF;
	} else if (exp) {
		exp += rebias;
	} else if (man) { /* a denormal becomes normal */
		u32 shift = mantissa_bits - u64_log2(man);
		man = sem_zext(man << shift, mantissa_bits);
		exp = rebias + 1 - shift;
	}
	u32 up = mantissa - mantissa_bits;
	words[0] = up >= 64 ? 0 : man << up;
	words[1] = up >= 64 ? man << (up - 64) : man >> (64 - up);
	if (explicit_one) {
		words[0] |= (u64)(exp != 0) << 63;
		words[1] = exp | sign << 15;
	} else {
		words[1] |= exp << 48 | sign << 63;
	}
}

static bool narrow(SemFmt f, u64 bits, u64 *out)
{
	u32 down = mantissa_bits - sem_fmt[f].mantissa;
	f64 v = sem_f64_of(bits);
	if (f == SEM_F32 && v == v) { /* most constants: the host rounds as sem/ does */
		*out = sem_f32_bits((f32)v);
		return sem_f64_raw((f64)(f32)v) == bits;
	}
	if (!sem_is_nan(SEM_F64, bits)) {
		*out = sem_f2f(f, SEM_F64, bits, SEM_RN);
		return sem_f2f(SEM_F64, f, *out, SEM_RN) == bits;
	}
	*out = sem_inf(f, bits >> 63) | sem_zext(bits, mantissa_bits) >> down;
	if (!sem_is_nan(f, *out))
		*out |= sem_fquiet_bit(f);
	return sem_zext(bits, down) == 0;
}

bool ir_fp_from_double(const IrModule *m, IrType t, u64 bits, u64 words[2])
{
	words[0] = bits;
	words[1] = 0;
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: return narrow(SEM_F16, bits, words);
	case IRT_BFLOAT: return narrow(SEM_BF16, bits, words);
	case IRT_FLOAT: return narrow(SEM_F32, bits, words);
	case IRT_X86_FP80: widen(bits, 63, true, words); return true;
	case IRT_FP128: widen(bits, 112, false, words); return true;
	default: return true;
	}
}

u64 ir_fp_to_double(const IrModule *m, IrType t, u64 bits)
{
	if (ir_type_kind(m, t) != IRT_FLOAT)
		return bits;
	if (!sem_is_nan(SEM_F32, bits))
		return sem_f2f(SEM_F64, SEM_F32, bits, SEM_RN);
	u32 mantissa = sem_fmt[SEM_F32].mantissa;
	return sem_inf(SEM_F64, bits >> 31) | sem_zext(bits, mantissa) << (mantissa_bits - mantissa);
}
