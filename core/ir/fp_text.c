/* fp_text.c: converts floating-point constants between their bits and the text form. A decimal or 0x constant is written as
 * a double, and its value must be exactly representable in the constant's type. */
#include "ir/parse.h"

typedef struct Format {
	u32  exp_bits, man_bits;
	bool explicit_one; /* x86_fp80 stores the leading one */
} Format;

static Format format_of(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: return (Format){5, 10, false};
	case IRT_BFLOAT: return (Format){8, 7, false};
	case IRT_FLOAT: return (Format){8, 23, false};
	case IRT_X86_FP80: return (Format){15, 63, true};
	case IRT_FP128: return (Format){15, 112, false};
	default: return (Format){11, 52, false};
	}
}

/* To a wider format: always exact. */
static void widen(Format f, u64 bits, u64 words[2])
{
	u64 sign = bits >> 63, exp = bits >> 52 & 0x7FF, man = bits & (((u64)1 << 52) - 1);
	u64 bias = ((u64)1 << (f.exp_bits - 1)) - 1;
	if (exp == 0x7FF) {
		exp = ((u64)1 << f.exp_bits) - 1;
	} else if (exp) {
		exp = exp - 1023 + bias;
	} else if (man) { /* a denormal becomes normal */
		u32 shift = 52 - u64_log2(man);
		man = man << shift & (((u64)1 << 52) - 1);
		exp = bias - 1022 - shift;
	}
	u32 up = f.man_bits - 52;
	words[0] = up >= 64 ? 0 : man << up;
	words[1] = up >= 64 ? man << (up - 64) : up ? man >> (64 - up) : 0;
	if (f.explicit_one) {
		words[0] |= (u64)(exp != 0) << 63;
		words[1] = exp | sign << 15;
	} else {
		words[1] |= exp << 48 | sign << 63;
	}
}

bool ir_fp_from_double(const IrModule *m, IrType t, u64 bits, u64 words[2])
{
	words[1] = 0;
	words[0] = bits;
	if (ir_type_kind(m, t) == IRT_DOUBLE || ir_type_kind(m, t) == IRT_PPC_FP128)
		return true;
	Format f = format_of(m, t);
	if (f.man_bits > 52) {
		widen(f, bits, words);
		return true;
	}
	u64 sign = bits >> 63, man = bits & (((u64)1 << 52) - 1);
	i64 exp = (i64)(bits >> 52 & 0x7FF);
	u32 down = 52 - f.man_bits;
	i64 bias = ((i64)1 << (f.exp_bits - 1)) - 1, top = ((i64)1 << f.exp_bits) - 1;
	u64 sign_bit = sign << (f.exp_bits + f.man_bits);
	if (exp == 0x7FF) {
		words[0] = sign_bit | (u64)top << f.man_bits | man >> down;
		if (man && !(man >> down))
			words[0] |= (u64)1 << (f.man_bits - 1); /* stays a NaN */
		return (man & (((u64)1 << down) - 1)) == 0;
	}
	if (exp == 0) {
		words[0] = sign_bit;
		return man == 0;
	}
	exp = exp - 1023 + bias;
	man |= (u64)1 << 52;
	if (exp <= 0) { /* a denormal of the narrow format */
		u64 extra = (u64)(1 - exp);
		if (extra > 52)
			return false;
		down += (u32)extra;
		exp = 0;
	}
	if (exp >= top || down > 52 || (man & (((u64)1 << down) - 1)) != 0)
		return false;
	man >>= down;
	words[0] = sign_bit | (exp ? ((u64)exp << f.man_bits) + (man - ((u64)1 << f.man_bits)) : man);
	return true;
}

/* The double with the same value as the bits of a narrower format. */
u64 ir_fp_to_double(const IrModule *m, IrType t, u64 bits)
{
	Format f = format_of(m, t);
	if (f.man_bits >= 52)
		return bits;
	u64 sign = bits >> (f.exp_bits + f.man_bits) & 1;
	u64 exp = bits >> f.man_bits & (((u64)1 << f.exp_bits) - 1), man = bits & (((u64)1 << f.man_bits) - 1);
	u64 bias = ((u64)1 << (f.exp_bits - 1)) - 1;
	if (exp == ((u64)1 << f.exp_bits) - 1) {
		exp = 0x7FF;
	} else if (exp) {
		exp = exp - bias + 1023;
	} else if (man) {
		u32 shift = f.man_bits - u64_log2(man);
		man = man << shift & (((u64)1 << f.man_bits) - 1);
		exp = 1023 - bias + 1 - shift;
	}
	return sign << 63 | exp << 52 | man << (52 - f.man_bits);
}
