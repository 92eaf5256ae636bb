/* ir_freedom.c: what an execution of IR may choose (LangRef: "Poison Values", "Undefined Values", "Fast-Math Flags").
 *
 * `check` runs the IR as it was read several times, each with another choice: results of operations that are poison, and
 * undef, take the bits of a pattern; products that may be contracted into sums are. What an execution computes from such a
 * value differs between two complementary patterns, so an element of a buffer that differs is not defined by the program, and
 * no pass is blamed for it. The converse does not hold: a poison value whose bits are lost on the way (x & 0) looks defined.
 *
 * After each instruction a condition is computed that says in which lanes its result is poison; there the pattern replaces
 * it. Integers of more than 64 bits, and the addresses of getelementptr, are not looked at. Division by zero and overflow of
 * a signed division, which are undefined behaviour at once, count as poison. Linear in the code; nothing is emitted where no
 * choice was asked for. */
#include "sem/big.h"
#include "simt/ir_decode.h"

enum { MAX_FILLED_SLOT = 1024 }; /* bytes of an alloca that are filled; larger ones stay as they are */

static i32  temp(Ird *d, u32 bits) { return emit_reg(&d->e, bits); }
static void lanes(Ird *d, SimtKernel k, i32 dst, i32 a, i32 b) { emit_lanes(&d->e, k, dst, a, b, NO_REG, 0); }

static i32 either(Ird *d, i32 p, i32 q)
{
	if (p == NO_REG || q == NO_REG)
		return p == NO_REG ? q : p;
	i32 r = temp(d, 1);
	lanes(d, K_or32, r, p, q);
	return r;
}

static i32 constant(Ird *d, u32 bits, u64 v) { return emit_const(d->p, bits, bits < 64 ? v & (((u64)1 << bits) - 1) : v); }

i32 ird_open_bits(Ird *d, u32 bits)
{
	if (bits > 64) {
		u64 words[SEM_BIG_WORDS] = {0};
		for (u32 k = 0; 64 * k < bits; k++)
			words[k] = d->freedom.pattern & sem_mask(PS_MIN(bits - 64 * k, 64u));
		return emit_const_words(d->p, bits, words);
	}
	return constant(d, bits, d->freedom.pattern);
}

static i32 wide(Ird *d, i32 a, u32 bits, bool is_signed)
{
	i32 w = temp(d, 128);
	emit_extend(&d->e, w, 128, a, bits, is_signed);
	return w;
}

/* ---- when a result is poison */

/* The exact result in 128 bits is not the extended result. */
static i32 overflows(Ird *d, u32 op, u32 bits, i32 dst, const i32 *in, bool is_signed)
{
	i32 exact = temp(d, 128);
	ird_int_binary(d, op, 128, exact, wide(d, in[0], bits, is_signed), wide(d, in[1], bits, is_signed));
	return ird_icmp(d, IRP_I_NE, 128, exact, wide(d, dst, bits, is_signed));
}

/* Undoing the operation with the second operand does not give the first. */
static i32 loses_bits(Ird *d, u32 undo, u32 bits, i32 dst, const i32 *in)
{
	i32 back = temp(d, bits);
	ird_int_binary(d, undo, bits, back, dst, in[1]);
	return ird_icmp(d, IRP_I_NE, bits, back, in[0]);
}

static i32 division(Ird *d, const IrInst *r, u32 bits, i32 dst, const i32 *in)
{
	i32 bad = ird_icmp(d, IRP_I_EQ, bits, in[1], constant(d, bits, 0));
	if (r->op == IR_SDIV || r->op == IR_SREM) {
		i32 least = ird_icmp(d, IRP_I_EQ, bits, in[0], constant(d, bits, (u64)1 << (bits - 1)));
		i32 minus = ird_icmp(d, IRP_I_EQ, bits, in[1], constant(d, bits, ~(u64)0)), both = temp(d, 1);
		lanes(d, K_and32, both, least, minus);
		bad = either(d, bad, both);
	}
	return r->flags & IRF_EXACT ? either(d, bad, loses_bits(d, IR_MUL, bits, dst, in)) : bad;
}

static i32 shift(Ird *d, const IrInst *r, u32 bits, i32 dst, const i32 *in)
{
	i32 bad = ird_icmp(d, IRP_I_UGE, bits, in[1], constant(d, bits, PS_MIN((u64)bits, ~(u64)0 >> (64 - bits))));
	if (r->op != IR_SHL)
		return r->flags & IRF_EXACT ? either(d, bad, loses_bits(d, IR_SHL, bits, dst, in)) : bad;
	if (r->flags & IRF_NUW)
		bad = either(d, bad, loses_bits(d, IR_LSHR, bits, dst, in));
	if (r->flags & IRF_NSW)
		bad = either(d, bad, loses_bits(d, IR_ASHR, bits, dst, in));
	return bad;
}

static i32 int_binary(Ird *d, const IrInst *r, u32 bits, i32 dst, const i32 *in)
{
	i32 bad = NO_REG;
	switch (r->op) {
	case IR_ADD:
	case IR_SUB:
	case IR_MUL:
		if (r->flags & IRF_NUW)
			bad = overflows(d, r->op, bits, dst, in, false);
		if (r->flags & IRF_NSW)
			bad = either(d, bad, overflows(d, r->op, bits, dst, in, true));
		return bad;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR: return shift(d, r, bits, dst, in);
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM: return division(d, r, bits, dst, in);
	case IR_OR:
		if (r->flags & IRF_DISJOINT) {
			i32 common = temp(d, bits);
			ird_int_binary(d, IR_AND, bits, common, in[0], in[1]);
			bad = ird_icmp(d, IRP_I_NE, bits, common, constant(d, bits, 0));
		}
		return bad;
	default: return NO_REG;
	}
}

static i32 float_test(Ird *d, SemCmp cmp, i32 a, f64 b)
{
	i32 p = temp(d, 1);
	emit_fcmp(&d->e, cmp, true, p, a, emit_const(d->p, 64, sem_f64_bits(b)));
	return p;
}

static i32 as_double(Ird *d, IrType t, i32 a)
{
	if (ir_type_kind(d->m, t) == IRT_DOUBLE)
		return a;
	i32 w = temp(d, 64);
	ird_float_convert(d, SEM_F64, ird_fmt(d, t), w, a);
	return w;
}

/* A float whose integral part the integer cannot hold. */
static i32 out_of_range(Ird *d, IrType from, u32 bits, bool is_signed, i32 a)
{
	f64  least = 0, end = 1;
	bool exact = bits < 52; /* the bounds, one further, are doubles */
	for (u32 i = is_signed ? 1 : 0; i < bits; i++)
		end *= 2;
	least = is_signed ? -end : 0;
	a = as_double(d, from, a);
	if (!is_signed || exact)
		return either(d, float_test(d, SEM_LEU, a, least - 1), float_test(d, SEM_GEU, a, end));
	return either(d, float_test(d, SEM_LTU, a, least), float_test(d, SEM_GEU, a, end));
}

static i32 cast(Ird *d, const IrInst *r, IrType from, u32 bits, i32 dst, i32 a)
{
	u32 fb = (u32)ir_size_bits(d->m, from);
	i32 bad = NO_REG;
	switch (r->op) {
	case IR_FPTOUI:
	case IR_FPTOSI: return out_of_range(d, from, bits, r->op == IR_FPTOSI, a);
	case IR_ZEXT:
	case IR_UITOFP:
		if (r->flags & IRF_NNEG && fb <= 64)
			bad = ird_icmp(d, IRP_I_SLT, fb, a, constant(d, fb, 0));
		return bad;
	case IR_TRUNC:
		if (fb > 64)
			return NO_REG;
		if (r->flags & IRF_NUW)
			bad = ird_icmp(d, IRP_I_NE, 128, wide(d, a, fb, false), wide(d, dst, bits, false));
		if (r->flags & IRF_NSW)
			bad = either(d, bad, ird_icmp(d, IRP_I_NE, 128, wide(d, a, fb, true), wide(d, dst, bits, true)));
		return bad;
	default: return NO_REG;
	}
}

/* nnan, ninf: an operand or the result is such a value. */
static i32 excluded_float(Ird *d, const IrInst *r, IrType t, i32 a)
{
	i32 x = as_double(d, t, a), bad = NO_REG;
	if (r->flags & IRF_NNAN) {
		bad = temp(d, 1);
		emit_fcmp(&d->e, SEM_NAN, true, bad, x, x);
	}
	if (r->flags & IRF_NINF) {
		f64 infinite = sem_f64_of((u64)0x7FF << 52);
		bad = either(d, bad, either(d, float_test(d, SEM_EQ, x, infinite), float_test(d, SEM_EQ, x, -infinite)));
	}
	return bad;
}

static i32 float_binary(Ird *d, const IrInst *r, IrType t, i32 dst, const i32 *in)
{
	if (!(r->flags & (IRF_NNAN | IRF_NINF)))
		return NO_REG;
	i32 bad = either(d, excluded_float(d, r, t, in[0]), excluded_float(d, r, t, in[1]));
	return either(d, bad, excluded_float(d, r, t, dst));
}

static bool may_be_poison(const IrInst *r)
{
	switch (r->op) {
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM:
	case IR_FPTOUI:
	case IR_FPTOSI: return true;
	default:
		return (ir_op_is_binary(r->op) || ir_op_is_cast(r->op)) &&
		       r->flags & (IRF_NUW | IRF_NSW | IRF_EXACT | IRF_DISJOINT | IRF_NNEG | IRF_NNAN | IRF_NINF);
	}
}

void ird_open_result(Ird *d, IrRef inst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	if (!d->freedom.has_pattern || !may_be_poison(r))
		return;
	Leaves l = ird_leaves(d, r->type);
	IrType t = ir_scalar_type(m, r->type), from = ir_scalar_type(m, ir_type_of(m, ir_op(m, inst, 0)));
	for (u32 i = 0; i < l.n; i++) {
		u32 bits = l.p[i].bits;
		i32 dst = ird_out(d, inst, i), in[2] = {ird_in(d, ir_op(m, inst, 0), i), NO_REG}, bad;
		if (bits > 64)
			return;
		if (ir_n_ops(m, inst) > 1)
			in[1] = ird_in(d, ir_op(m, inst, 1), i);
		bad = ir_op_is_cast(r->op)   ? cast(d, r, from, bits, dst, in[0])
		      : ir_type_is_int(m, t) ? int_binary(d, r, bits, dst, in)
		                             : float_binary(d, r, t, dst, in);
		if (bad != NO_REG)
			emit_lanes(&d->e, bits > 32 ? K_sel64 : K_sel32, dst, ird_open_bits(d, bits), dst, bad, 0);
	}
}

/* ---- memory that nobody wrote */

void ird_open_slot(Ird *d, const IrdPlace *slot, u64 bytes)
{
	if (!d->freedom.has_pattern || bytes > MAX_FILLED_SLOT)
		return;
	IrdPlace at = *slot;
	for (u64 i = 0; i < bytes;) {
		bool word = bytes - i >= 8;
		i32  v = ird_open_bits(d, word ? 64 : 8);
		at.offset = slot->offset + i;
		at.align = 1;
		ird_store(d, word ? IR_TYPE(I64) : IR_TYPE(I8), &v, &at);
		i += word ? 8 : 1;
	}
}

/* ---- contraction */

/* The product behind an operand, where it may be fused with the sum. */
static IrRef product(const Ird *d, IrRef v)
{
	if (ir_kind(v) != IR_INST || ir_inst(d->m, v)->op != IR_FMUL || !(ir_inst(d->m, v)->flags & IRF_CONTRACT))
		return IR_NO_REF;
	return v;
}

bool ird_fused(Ird *d, IrRef inst, u32 leaf, i32 dst)
{
	IrModule     *m = d->m;
	const IrInst *r = ir_inst(m, inst);
	if (!d->freedom.fused || !(r->flags & IRF_CONTRACT) || (r->op != IR_FADD && r->op != IR_FSUB))
		return false;
	u32   at = ir_is_none(product(d, ir_op(m, inst, 0)));
	IrRef mul = product(d, ir_op(m, inst, at));
	if (ir_is_none(mul))
		return false;
	SemFmt f = ird_fmt(d, ir_scalar_type(m, r->type));
	u32    bits = sem_fwidth(f), x = kx_float(f, 0);
	i32    a = ird_in(d, ir_op(m, mul, 0), leaf), b = ird_in(d, ir_op(m, mul, 1), leaf),
	    c = ird_in(d, ir_op(m, inst, 1 - at), leaf);
	if (r->op == IR_FSUB) { /* a * b - c, or c - a * b */
		i32 negated = temp(d, bits);
		emit_lanes(&d->e, f == SEM_F64 ? K_fneg_64 : K_fneg, negated, at ? a : c, NO_REG, NO_REG, x);
		a = at ? negated : a;
		c = at ? c : negated;
	}
	emit_lanes(&d->e, f == SEM_F64 ? K_ffma_64 : K_ffma, dst, a, b, c, x);
	return true;
}
