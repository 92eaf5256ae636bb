/* op_int.c: arithmetic, logic and bits of integers; what has a form for floats, too, hands those on. */
#include "simt/op_impl.h"

enum { SIGNED_INPUTS = 1, WIDTH = 2, EXACT = 4 /* the result needs no cut */ };

static void binary(OpCx *c, u32 bits, SimtKernel k32, SimtKernel k64, u32 how)
{
	u32 w = PS_MAX(bits, 1u);
	i32 d = out(c, 0, w);
	if (w > 32) {
		emit_lanes(c->e, k64, d, op_in(c, 1, w), op_in(c, 2, w), NO_REG, how & WIDTH ? w : 0);
		return;
	}
	i32 a = how & SIGNED_INPUTS ? op_in_signed(c, 1, w) : op_in(c, 1, w);
	i32 b = how & SIGNED_INPUTS ? op_in_signed(c, 2, w) : op_in(c, 2, w);
	emit_lanes(c->e, k32, d, a, b, NO_REG, how & WIDTH ? (how & SIGNED_INPUTS ? 32 : w) : 0);
	if (!(how & EXACT) || (how & SIGNED_INPUTS))
		op_narrow(c, d, w);
}

static void unary(OpCx *c, u32 bits, SimtKernel k32, SimtKernel k64, u32 how)
{
	i32 d = out(c, 0, bits);
	i32 a = how & SIGNED_INPUTS ? op_in_signed(c, 1, bits) : op_in(c, 1, bits);
	emit_lanes(c->e, bits > 32 ? k64 : k32, d, a, NO_REG, NO_REG, how & WIDTH ? bits : 0);
	if (!(how & EXACT))
		op_narrow(c, d, bits);
}

static const struct {
	u16 k32, k64, k128;
} logic_kernels[EV_COUNT] = {
	[EV_and] = {K_and32, K_and64, K_and128},
	[EV_or] = {K_or32, K_or64, K_or128},
	[EV_xor] = {K_xor32, K_xor64, K_xor128},
};

bool op_logic(OpCx *c)
{
	u32 bits = ty(c).bits, ev = c->d->eval;
	if (bits == 128)
		emit_lanes(c->e, logic_kernels[ev].k128, out(c, 0, 128), op_in(c, 1, 128), op_in(c, 2, 128), NO_REG, 0);
	else
		binary(c, bits, logic_kernels[ev].k32, logic_kernels[ev].k64, EXACT);
	return true;
}

bool op_not(OpCx *c)
{
	u32 bits = ty(c).bits;
	if (bits == 1)
		emit_lanes(c->e, K_lognot, out(c, 0, 1), op_in(c, 1, 1), NO_REG, NO_REG, 0);
	else
		unary(c, bits, K_not32, K_not64, 0);
	return true;
}

/* !a */
bool op_cnot(OpCx *c)
{
	unary(c, ty(c).bits, K_cnot32, K_cnot64, EXACT);
	return true;
}

bool op_neg(OpCx *c)
{
	if (ty(c).is_float)
		return op_float(c);
	unary(c, ty(c).bits, K_neg32, K_neg64, 0);
	return true;
}

bool op_abs(OpCx *c)
{
	if (ty(c).is_float)
		return op_float(c);
	unary(c, ty(c).bits, K_abs32, K_abs64, SIGNED_INPUTS);
	return true;
}

bool op_sad(OpCx *c)
{
	Ty t = ty(c);
	emit_lanes(c->e, t.bits > 32 ? K_sad64 : K_sad, out(c, 0, t.bits), op_in(c, 1, t.bits), op_in(c, 2, t.bits),
	           op_in(c, 3, t.bits), t.bits | (t.is_signed ? 256u : 0u));
	return true;
}

static bool packed_ints(OpCx *c, u32 what)
{
	emit_lanes(c->e, K_packed16, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG,
	           what | (ty(c).is_signed ? 256u : 0u));
	return true;
}

static void carry_chain(OpCx *c, bool subtract, bool in, bool set)
{
	u32  bits = ty(c).bits;
	bool wide = bits > 32;
	i32  a = op_in(c, 1, bits), b = op_in(c, 2, bits), d = out(c, 0, bits);
	i32  carry = in ? c->carry : emit_const(c->e->p, 32, subtract), fresh = emit_reg(c->e, 32);
	if (set)
		emit_lanes(c->e,
		           subtract ? (wide ? K_carry_sub64 : K_carry_sub32)
		           : wide   ? K_carry_add64
		                    : K_carry_add32,
		           fresh, a, b, carry, 0);
	emit_lanes(c->e, subtract ? (wide ? K_sub3_64 : K_sub3_32) : wide ? K_add3_64 : K_add3_32, d, a, b, carry, 0);
	if (set)
		emit_move(c->e, 32, c->carry, fresh);
}

bool op_add(OpCx *c)
{
	Ty   t = ty(c);
	bool subtract = c->d->eval == EV_sub;
	if (t.is_float)
		return op_float(c);
	if (t.is_pair)
		return packed_ints(c, subtract ? 3 : 0);
	if (c->d->flags & IF_CARRY_OUT)
		carry_chain(c, subtract, false, true);
	else if (slot(c, SLOT_sat))
		emit_lanes(c->e, subtract ? K_ssub_sat : K_sadd_sat, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, 32);
	else
		binary(c, t.bits, subtract ? K_sub32 : K_add32, subtract ? K_sub64 : K_add64, 0);
	return true;
}

bool op_addc(OpCx *c)
{
	carry_chain(c, c->d->eval == EV_subc, true, isa_has_flag(&c->d->opc, TOK_flag_cc));
	return true;
}

/* The product that .op asks for; `w` becomes its width. */
static i32 product(OpCx *c, i32 d, u32 *w)
{
	Ty   t = ty(c);
	u32  op = slot(c, SLOT_op), bits = t.bits;
	bool s = t.is_signed;
	*w = op == TOK_op_wide ? 2 * bits : bits;
	if (d == NO_REG)
		d = emit_reg(c->e, *w);
	i32 a = op_in(c, 1, bits), b = op_in(c, 2, bits);
	if (op == TOK_op_hi) {
		emit_lanes(c->e, bits > 32 ? (s ? K_mulhi_s64 : K_mulhi_u64) : s ? K_mulhi_s : K_mulhi_u, d, a, b, NO_REG, bits);
	} else if (op == TOK_op_wide && bits == 32) {
		emit_lanes(c->e, s ? K_mulwide_s32 : K_mulwide_u32, d, a, b, NO_REG, 0);
	} else if (op == TOK_op_wide && bits == 64) {
		emit_lanes(c->e, s ? K_mulhi_s64 : K_mulhi_u64, d + 2, a, b, NO_REG, 64);
		emit_lanes(c->e, K_mul64, d, a, b, NO_REG, 0);
	} else if (op == TOK_op_wide) {
		emit_lanes(c->e, K_mul32, d, s ? op_in_signed(c, 1, bits) : a, s ? op_in_signed(c, 2, bits) : b, NO_REG, 0);
	} else {
		emit_lanes(c->e, bits > 32 ? K_mul64 : K_mul32, d, a, b, NO_REG, 0);
		op_narrow(c, d, bits);
	}
	return d;
}

bool op_mul(OpCx *c)
{
	u32 w;
	if (ty(c).is_float)
		return op_float(c);
	product(c, out(c, 0, ty(c).bits), &w);
	return true;
}

bool op_mad(OpCx *c)
{
	Ty  t = ty(c);
	u32 op = slot(c, SLOT_op), w;
	if (slot(c, SLOT_sat)) {
		emit_lanes(c->e, K_madhi_sat, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), 0);
		return true;
	}
	if (!(c->d->flags & (IF_CARRY_IN | IF_CARRY_OUT))) {
		bool wide = op == TOK_op_wide && t.bits == 32, lo = op == TOK_op_lo && t.bits >= 32;
		if (wide || lo) {
			w = wide ? 64 : t.bits;
			SimtKernel k = wide ? (t.is_signed ? K_madwide_s32 : K_madwide_u32) : t.bits == 64 ? K_mad64 : K_mad32;
			emit_lanes(c->e, k, out(c, 0, w), op_in(c, 1, t.bits), op_in(c, 2, t.bits), op_in(c, 3, w), 0);
			return true;
		}
	}
	i32   p = product(c, NO_REG, &w);
	OpArg args[3] = {c->arg[0], op_reg(p, w), c->arg[3]};
	OpCx  sum = {.e = c->e, .d = c->d, .arg = args, .n = 3, .carry = c->carry};
	if (c->d->flags & (IF_CARRY_IN | IF_CARRY_OUT))
		carry_chain(&sum, false, (c->d->flags & IF_CARRY_IN) != 0,
		            (c->d->flags & IF_CARRY_OUT) || isa_has_flag(&c->d->opc, TOK_flag_cc));
	else
		binary(&sum, w, K_add32, K_add64, 0);
	return true;
}

bool op_mul24(OpCx *c)
{
	bool add = c->d->eval == EV_mad24, hi = slot(c, SLOT_op) == TOK_op_hi;
	i32  d = out(c, 0, 32), p = add ? emit_reg(c->e, 32) : d;
	emit_lanes(c->e, K_mul24, p, op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, (ty(c).is_signed ? 1u : 0u) | (hi ? 2u : 0u));
	if (add)
		emit_lanes(c->e, slot(c, SLOT_sat) ? K_sadd_sat : K_add32, d, p, op_in(c, 3, 32), NO_REG, 32);
	return true;
}

bool op_div(OpCx *c)
{
	Ty t = ty(c);
	if (t.is_float)
		return op_float(c);
	if (t.is_signed)
		binary(c, t.bits, K_sdiv32, K_sdiv64, WIDTH | SIGNED_INPUTS);
	else
		binary(c, t.bits, K_udiv32, K_udiv64, WIDTH | EXACT);
	return true;
}

bool op_rem(OpCx *c)
{
	Ty t = ty(c);
	if (t.is_signed)
		binary(c, t.bits, K_srem32, K_srem64, WIDTH | SIGNED_INPUTS);
	else
		binary(c, t.bits, K_urem32, K_urem64, WIDTH | EXACT);
	return true;
}

bool op_minmax(OpCx *c)
{
	Ty   t = ty(c);
	bool max = c->d->eval == EV_max;
	if (t.is_float)
		return op_float(c);
	if (t.is_pair) {
		packed_ints(c, max ? 2 : 1);
		if (isa_has_flag(&c->d->opc, TOK_flag_relu)) {
			OpArg args[3] = {c->arg[0], c->arg[0], op_imm(0)};
			OpCx  again = {.e = c->e, .d = c->d, .arg = args, .n = 3};
			packed_ints(&again, 2);
		}
		return true;
	}
	SimtKernel k32 = max ? (t.is_signed ? K_smax32 : K_umax32) : t.is_signed ? K_smin32 : K_umin32;
	SimtKernel k64 = max ? (t.is_signed ? K_smax64 : K_umax64) : t.is_signed ? K_smin64 : K_umin64;
	binary(c, t.bits, k32, k64, t.is_signed ? SIGNED_INPUTS : EXACT);
	if (isa_has_flag(&c->d->opc, TOK_flag_relu))
		emit_lanes(c->e, K_smax32, out(c, 0, 32), out(c, 0, 32), emit_const(c->e->p, 32, 0), NO_REG, 0);
	return true;
}

bool op_shift(OpCx *c)
{
	Ty   t = ty(c);
	bool left = c->d->eval == EV_shl;
	i32  d = out(c, 0, t.bits), n = op_in(c, 2, 32);
	if (left) {
		emit_lanes(c->e, t.bits > 32 ? K_shl64 : K_shl32, d, op_in(c, 1, t.bits), n, NO_REG, 0);
	} else if (t.is_signed) {
		emit_lanes(c->e, t.bits > 32 ? K_ashr64 : K_ashr32, d, op_in_signed(c, 1, t.bits), n, NO_REG, 0);
	} else {
		emit_lanes(c->e, t.bits > 32 ? K_lshr64 : K_lshr32, d, op_in(c, 1, t.bits), n, NO_REG, 0);
	}
	op_narrow(c, d, t.bits);
	return true;
}

bool op_bits(OpCx *c)
{
	Ty        t = ty(c);
	bool      wide = t.bits > 32, s = t.is_signed;
	u32       w = t.bits;
	SimtEmit *e = c->e;
	u32       x;
	switch (c->d->eval) {
	case EV_popc: emit_lanes(e, wide ? K_popc64 : K_popc, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_clz: emit_lanes(e, wide ? K_clz64 : K_clz, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_brev: emit_lanes(e, wide ? K_brev64 : K_brev, out(c, 0, w), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_bfind:
		x = (s ? 1u : 0u) | (isa_has_flag(&c->d->opc, TOK_flag_shiftamt) ? 2u : 0u);
		emit_lanes(e, wide ? K_bfind64 : K_bfind, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, x);
		return true;
	case EV_bfe:
		emit_lanes(e,
		           wide ? (s ? K_bfe_s64 : K_bfe_u64)
		           : s  ? K_bfe_s
		                : K_bfe_u,
		           out(c, 0, w), op_in(c, 1, w), op_in(c, 2, 32), op_in(c, 3, 32), 0);
		return true;
	case EV_bfi: {
		i32 at = emit_reg(e, 32);
		emit_lanes(e, K_bfi_at, at, op_in(c, 3, 32), op_in(c, 4, 32), NO_REG, 0);
		emit_lanes(e, wide ? K_bfi64 : K_bfi, out(c, 0, w), op_in(c, 1, w), op_in(c, 2, w), at, 0);
		return true;
	}
	case EV_fns: emit_lanes(e, K_fns, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), 0); return true;
	case EV_prmt:
		x = slot(c, SLOT_op) ? slot(c, SLOT_op) - TOK_op_f4e + SEM_PRMT_F4E : SEM_PRMT;
		emit_lanes(e, K_prmt, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), x);
		return true;
	case EV_shf:
		x = slot(c, SLOT_mode) == TOK_mode_wrap;
		emit_lanes(e, slot(c, SLOT_op) == TOK_op_l ? K_shf_l : K_shf_r, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32),
		           op_in(c, 3, 32), x);
		return true;
	case EV_szext:
		x = (s ? 1u : 0u) | (slot(c, SLOT_mode) == TOK_mode_wrap ? 2u : 0u);
		emit_lanes(e, K_szext, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, x);
		return true;
	case EV_bmsk:
		emit_lanes(e, K_bmsk, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG,
		           slot(c, SLOT_mode) == TOK_mode_wrap);
		return true;
	default: return false;
	}
}

bool op_lop3(OpCx *c)
{
	if (c->d->opc.op == ISA_lop3) {
		emit_lanes(c->e, K_lop3, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), (u32)c->arg[4].value);
		return true;
	}
	i32 d = emit_reg(c->e, 32), q = op_in(c, 6, 1), t = emit_reg(c->e, 1);
	emit_lanes(c->e, K_lop3, d, op_in(c, 2, 32), op_in(c, 3, 32), op_in(c, 4, 32), (u32)c->arg[5].value);
	emit_lanes(c->e, K_ne32, t, d, emit_const(c->e->p, 32, 0), NO_REG, 0);
	emit_lanes(c->e, slot(c, SLOT_bop) == TOK_bop_and ? K_bool_and : K_bool_or, out(c, 1, 1), t, q, NO_REG, 0);
	if (wanted(c, 0))
		emit_move(c->e, 32, c->arg[0].row, d);
	return true;
}

bool op_dot(OpCx *c)
{
	u32 x = (ty(c).is_signed ? 1u : 0u) | (sty(c).is_signed ? 2u : 0u) | (slot(c, SLOT_op) == TOK_op_hi ? 4u : 0u);
	emit_lanes(c->e, c->d->eval == EV_dp4a ? K_dp4a : K_dp2a, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32),
	           op_in(c, 3, 32), x);
	return true;
}
