/* op_convert.c: moves, special registers, conversions of values and of addresses. */
#include "simt/op_impl.h"

bool op_mov(OpCx *c)
{
	u32 bits = PS_MAX(ty(c).bits, 1u);
	i32 d = out(c, 0, bits);
	if (c->arg[1].kind == ARG_FRAME) {
		SimtInsn *in = emit_insn(c->e, S_FRAME);
		in->d = d;
		in->rows = (u8)rows_of(bits);
		in->z = (u32)c->arg[1].value;
		in->x = c->arg[1].space == SPACE_GENERIC ? 1 : 0;
		return true;
	}
	emit_move(c->e, bits, d, op_in(c, 1, bits));
	return true;
}

bool op_pack(OpCx *c)
{
	u32 bits = ty(c).bits, n = c->n - 1, part = bits / n;
	i32 d = emit_reg(c->e, bits);
	if (bits == 128) {
		for (u32 h = 0; h < 2; h++) {
			if (n == 2)
				emit_move(c->e, 64, d + (i32)h * 2, op_in(c, 1 + h, 64));
			else
				emit_lanes(c->e, K_pack64, d + (i32)h * 2, op_in(c, 1 + 2 * h, 32), op_in(c, 2 + 2 * h, 32),
				           NO_REG, 0);
		}
	} else if (part == 32) {
		emit_lanes(c->e, K_pack64, d, op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, 0);
	} else if (bits == 64) { /* four of 16 bits */
		emit_lanes(c->e, K_zext64, d, op_in(c, 1, part), NO_REG, NO_REG, part);
		for (u32 k = 1; k < n; k++)
			emit_lanes(c->e, K_put_field64, d, d, op_in(c, 1 + k, part), NO_REG, k * part);
	} else {
		emit_move(c->e, 32, d, op_in(c, 1, part));
		for (u32 k = 1; k < n; k++)
			emit_lanes(c->e, K_put_field, d, d, op_in(c, 1 + k, part), NO_REG, k * part);
	}
	emit_move(c->e, bits, out(c, 0, bits), d);
	return true;
}

bool op_unpack(OpCx *c)
{
	u32 bits = ty(c).bits, n = c->n - 1, part = bits / n;
	i32 a = op_in(c, n, bits), copy = emit_reg(c->e, bits); /* a result may be the operand */
	emit_move(c->e, bits, copy, a);
	for (u32 k = 0; k < n; k++) {
		if (!wanted(c, k))
			continue;
		i32 d = c->arg[k].row;
		if (bits == 128 && part == 64)
			emit_move(c->e, 64, d, copy + 2 * (i32)k);
		else if (bits == 128)
			emit_lanes(c->e, k & 1 ? K_hi64_32 : K_trunc64_32, d, copy + (i32)(k / 2) * 2, NO_REG, NO_REG, 32);
		else if (bits == 64)
			emit_lanes(c->e, K_byte_field64, d, copy, NO_REG, NO_REG, k * part | part << 8);
		else
			emit_lanes(c->e, K_byte_field, d, copy, NO_REG, NO_REG, k * part | part << 8);
	}
	return true;
}

bool op_sreg(OpCx *c)
{
	u32       bits = PS_MAX(ty(c).bits, 1u);
	SimtInsn *in = emit_insn(c->e, S_SREG);
	in->d = out(c, 0, bits);
	in->rows = (u8)rows_of(c->arg[0].kind == ARG_REG ? c->arg[0].bits : bits);
	in->x = isa_sreg(slot(c, SLOT_sreg))->source;
	in->y = bits;
	return true;
}

static bool cvt_int_int(OpCx *c, Ty t, Ty s)
{
	u32 have = c->arg[1].kind == ARG_REG ? c->arg[1].bits : s.bits;
	i32 a = op_in(c, 1, have), d = out(c, 0, t.bits);
	if (have > s.bits) {
		i32 cut = emit_reg(c->e, s.bits);
		emit_extend(c->e, cut, s.bits, a, have, false);
		a = cut;
	}
	if (slot(c, SLOT_sat)) {
		i32 wide = emit_reg(c->e, 64);
		emit_extend(c->e, wide, 64, a, s.bits, s.is_signed);
		emit_lanes(c->e, t.bits > 32 ? K_clamp_int64 : K_clamp_int, d, wide, NO_REG, NO_REG,
		           t.bits | (t.is_signed ? 256u : 0u) | (s.is_signed ? 512u : 0u));
	} else {
		emit_extend(c->e, d, t.bits, a, s.bits, s.is_signed);
	}
	op_widen(c, 0, t.bits, t.is_signed);
	return true;
}

static bool cvt_float(OpCx *c, Ty t, Ty s)
{
	SemFpMode m = op_mode(c);
	u32       r = slot(c, SLOT_rnd);
	bool      integral = r >= TOK_rnd_rni && r <= TOK_rnd_rpi;
	i32       d = out(c, 0, t.bits), a = op_in(c, 1, s.bits);
	if (!s.is_float) {
		u32        x = kx_int(s.bits, s.is_signed, t.fmt, m);
		SimtKernel k = t.bits == 64 ? (s.bits > 32 ? K_i2f64_64 : K_i2f64) : s.bits > 32 ? K_i2f_64 : K_i2f;
		if (m == 0 && s.bits == 32 && t.fmt == SEM_F32)
			k = s.is_signed ? K_s32_f32 : K_u32_f32;
		emit_lanes(c->e, k, d, a, NO_REG, NO_REG, x);
	} else if (!t.is_float) {
		u32        x = kx_int(t.bits, t.is_signed, s.fmt, m);
		SimtKernel k = s.bits == 64 ? (t.bits > 32 ? K_f64_2i_64 : K_f64_2i) : t.bits > 32 ? K_f2i_64 : K_f2i;
		if (m == SEM_RZ && t.bits == 32 && t.is_signed && s.fmt == SEM_F32)
			k = K_f32_s32;
		emit_lanes(c->e, k, d, a, NO_REG, NO_REG, x);
		op_widen(c, 0, t.bits, t.is_signed);
	} else if (t.fmt == s.fmt) {
		if (integral)
			emit_lanes(c->e, t.bits == 64 ? K_frint_64 : K_frint, d, a, NO_REG, NO_REG, kx_float(t.fmt, m));
		else
			emit_lanes(c->e, t.bits == 64 ? K_satnan_64 : K_satnan, d, a, NO_REG, NO_REG, kx_float(t.fmt, m));
	} else if (t.bits == 64) {
		emit_lanes(c->e, s.fmt == SEM_F32 && m == 0 ? K_f32_f64 : K_cvt_to64, d, a, NO_REG, NO_REG,
		           kx_cvt(t.fmt, s.fmt, m));
	} else if (s.bits == 64) {
		emit_lanes(c->e, t.fmt == SEM_F32 && m == 0 ? K_f64_f32 : K_cvt_from64, d, a, NO_REG, NO_REG,
		           kx_cvt(t.fmt, s.fmt, m));
	} else {
		emit_lanes(c->e, K_cvt, d, a, NO_REG, NO_REG, kx_cvt(t.fmt, s.fmt, m));
	}
	return true;
}

/* c << 2n | a << n | b, a and b clamped to n bits. */
static bool cvt_pack(OpCx *c, Ty t)
{
	i32 part[2], d = emit_reg(c->e, 32), wide = emit_reg(c->e, 64), all = emit_reg(c->e, 32);
	for (u32 k = 0; k < 2; k++) {
		part[k] = emit_reg(c->e, 32);
		emit_extend(c->e, wide, 64, op_in(c, 1 + k, 32), 32, true);
		emit_lanes(c->e, K_clamp_int, part[k], wide, NO_REG, NO_REG, t.bits | (t.is_signed ? 256u : 0u) | 512u);
		emit_lanes(c->e, K_trunc32, part[k], part[k], NO_REG, NO_REG, t.bits);
	}
	emit_lanes(c->e, K_put_field, d, part[1], part[0], NO_REG, t.bits);
	if (c->n > 3)
		emit_lanes(c->e, K_put_field, all, d, op_in(c, 3, 32), NO_REG, 2 * t.bits);
	emit_move(c->e, 32, out(c, 0, 32), c->n > 3 ? all : d);
	return true;
}

/* Two bfloat16 to powers of two. */
static bool cvt_scales(OpCx *c, Ty t)
{
	i32 lo = emit_reg(c->e, 32), hi = emit_reg(c->e, 32), a = op_in(c, 1, 32);
	emit_lanes(c->e, K_byte_field, lo, a, NO_REG, NO_REG, 16 << 8);
	emit_lanes(c->e, K_byte_field, hi, a, NO_REG, NO_REG, 16 | 16 << 8);
	emit_lanes(c->e, K_cvt_x2, out(c, 0, t.bits), hi, lo, NO_REG, kx_cvt(SEM_UE8M0, SEM_BF16, op_mode(c)));
	return true;
}

/* The first operand goes to the upper bits. Random bits: of two results 16 (f16: 13) from each half; of four the halves serve two
 * each, and four bits take 8 of them. */
static bool cvt_stochastic(OpCx *c, Ty t, u32 n)
{
	static const u8 formats[] = {
		[TOK_type_e4m3x4] = SEM_E4M3, [TOK_type_e5m2x4] = SEM_E5M2, [TOK_type_e2m3x4] = SEM_E2M3,
		[TOK_type_e3m2x4] = SEM_E3M2, [TOK_type_e2m1x4] = SEM_E2M1,
	};
	u32  type = slot(c, SLOT_type);
	u32  fmt = n == 2 ? (u32)t.fmt : formats[type], width = t.bits / n;
	bool four = type == TOK_type_e2m1x4;
	i32  random = op_in(c, 1 + n, 32), sum = emit_reg(c->e, 32), one = emit_reg(c->e, 32);
	emit_move(c->e, 32, sum, emit_const(c->e->p, 32, 0));
	for (u32 k = 0; k < n; k++) {
		u32 place = n - 1 - k, at = n == 2 ? 16 * place : four ? place % 2 * 16 + place / 2 * 8 : place / 2 * 16;
		u32 bits = fmt == SEM_F16 ? 13 : four ? 8 : 16;
		emit_lanes(c->e, K_cvt_rs, one, op_in(c, 1 + k, 32), random, NO_REG, kx_stochastic(fmt, at, bits, op_mode(c)));
		emit_lanes(c->e, K_put_field, sum, sum, one, NO_REG, place * width);
	}
	emit_move(c->e, 32, out(c, 0, t.bits), sum);
	return true;
}

bool op_cvt(OpCx *c)
{
	Ty t = ty(c), s = sty(c);
	switch (c->d->opc.op) {
	case ISA_cvt_pack: return cvt_pack(c, t);
	case ISA_cvt_x2:
		emit_lanes(c->e, K_cvt_x2, out(c, 0, t.bits), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG,
		           kx_cvt(t.fmt, SEM_F32, op_mode(c)));
		return true;
	case ISA_cvt_unpack:
		emit_lanes(c->e, K_uncvt_x2, out(c, 0, 32), op_in(c, 1, s.bits), NO_REG, NO_REG,
		           kx_cvt(t.fmt, s.fmt, op_mode(c)));
		return true;
	case ISA_cvt_half2: {
		i32 lo = emit_reg(c->e, 32), hi = emit_reg(c->e, 32), a = op_in(c, 1, 32);
		emit_lanes(c->e, K_byte_field, lo, a, NO_REG, NO_REG, 16 << 8);
		emit_lanes(c->e, K_byte_field, hi, a, NO_REG, NO_REG, 16 | 16 << 8);
		emit_lanes(c->e, K_cvt_x2, out(c, 0, t.bits), hi, lo, NO_REG, kx_cvt(t.fmt, s.fmt, op_mode(c)));
		return true;
	}
	case ISA_cvt_scale2: return cvt_scales(c, t);
	case ISA_cvt_rs_x2: return cvt_stochastic(c, t, 2);
	case ISA_cvt_rs_x4: return cvt_stochastic(c, t, 4);
	case ISA_cvt: break;
	default: return false;
	}
	return t.is_float || s.is_float ? cvt_float(c, t, s) : cvt_int_int(c, t, s);
}

bool op_cvta(OpCx *c)
{
	u32 space = simt_space_of(slot(c, SLOT_space)), bits = ty(c).bits;
	u64 window = simt_generic_in(c->e->p, (u8)space, 0);
	i32 d = out(c, 0, bits);
	if (space == SPACE_PARAM && !c->is_kernel)
		window = simt_generic_in(c->e->p, SPACE_LOCAL, 0);
	bool to = isa_has_flag(&c->d->opc, TOK_flag_to);
	i32  a = op_in(c, 1, bits);
	if (window == 0)
		emit_move(c->e, bits, d, a);
	else
		emit_lanes(c->e,
		           bits == 64 ? (to ? K_sub64 : K_add64)
		           : to       ? K_sub32
		                      : K_add32,
		           d, a, emit_const(c->e->p, bits, window), NO_REG, 0);
	return true;
}

bool op_isspacep(OpCx *c)
{
	u32        space = simt_space_of(slot(c, SLOT_space));
	u64        window = simt_generic((u8)space, 0);
	SimtKernel k = space == SPACE_GLOBAL   ? K_isglobal
	               : space == SPACE_CONST  ? K_isconst
	               : space == SPACE_SHARED ? K_isshared
	                                       : K_isspace;
	i32        a = op_in(c, 1, 64);
	bool       own = space == SPACE_SHARED && slot(c, SLOT_space) != TOK_space_shared_cluster;
	if (own) {
		i32 in_block = emit_reg(c->e, 64),
		    first = emit_shared_address(c->e->p, 64, simt_generic_in(c->e->p, SPACE_SHARED, 0));
		emit_lanes(c->e, K_sub64, in_block, a, first, NO_REG, 0);
		emit_lanes(c->e, K_isspace, out(c, 0, 1), in_block, NO_REG, NO_REG, 0);
		return true;
	}
	if (c->e->p->windows) {
		i32 from_windows = emit_reg(c->e, 64);
		emit_lanes(c->e, K_sub64, from_windows, a, emit_const(c->e->p, 64, c->e->p->windows), NO_REG, 0);
		a = from_windows;
	}
	emit_lanes(c->e, k, out(c, 0, 1), a, NO_REG, NO_REG, (u32)(window >> WINDOW_BITS));
	return true;
}
