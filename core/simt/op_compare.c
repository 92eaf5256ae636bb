/* op_compare.c: comparisons and what chooses by them. */
#include "simt/op_impl.h"

/* p = a cmp b for operands k, k + 1 of type t. */
static i32 compare(OpCx *c, Ty t, u32 k)
{
	SemCmp cmp = isa_cmp(slot(c, SLOT_cmp));
	i32    p = emit_reg(c->e, 1);
	if (t.is_float) {
		SemFpMode m = op_mode(c) & SEM_FTZ;
		i32       a = op_in(c, k, t.bits), b = op_in(c, k + 1, t.bits);
		bool      plain = m == 0 && !t.is_pair && (t.fmt == SEM_F32 || t.bits == 64);
		if (plain)
			emit_fcmp(c->e, cmp, t.bits == 64, p, a, b);
		else
			emit_lanes(c->e,
			           t.is_pair      ? K_fcmp_x2
			           : t.bits == 64 ? K_fcmp64
			                          : K_fcmp,
			           p, a, b, NO_REG, kx_fcmp(t.fmt, cmp, m));
		return p;
	}
	bool s = t.is_signed && !(cmp >= SEM_LO && cmp <= SEM_HS), wide = t.bits > 32;
	if (cmp >= SEM_LO && cmp <= SEM_HS)
		cmp = (SemCmp)(cmp - SEM_LO + SEM_LT);
	i32 a = s ? op_in_signed(c, k, t.bits) : op_in(c, k, t.bits),
	    b = s ? op_in_signed(c, k + 1, t.bits) : op_in(c, k + 1, t.bits);
	bool       swap = cmp == SEM_GT || cmp == SEM_GE, strict = cmp == SEM_LT || cmp == SEM_GT;
	SimtKernel kernel = cmp == SEM_EQ   ? (wide ? K_eq64 : K_eq32)
	                    : cmp == SEM_NE ? (wide ? K_ne64 : K_ne32)
	                    : strict        ? (s      ? (wide ? K_slt64 : K_slt32)
	                                       : wide ? K_ult64
	                                              : K_ult32)
	                    : s             ? (wide ? K_sle64 : K_sle32)
	                    : wide          ? K_ule64
	                                    : K_ule32;
	emit_lanes(c->e, kernel, p, swap ? b : a, swap ? a : b, NO_REG, 0);
	return p;
}

static SimtKernel bool_kernel(u32 bop) { return bop == TOK_bop_and ? K_bool_and : bop == TOK_bop_or ? K_bool_or : K_bool_xor; }

bool op_setp(OpCx *c)
{
	Ty  t = ty(c);
	u32 bop = slot(c, SLOT_bop), k = 1 + (c->d->n_defs > 1 ? 1u : 0u);
	i32 p = compare(c, t, k), q = NO_REG, third = bop ? op_in(c, k + 2, 1) : NO_REG;
	if (t.is_pair) { /* p: the lower half, q: the upper */
		q = emit_reg(c->e, 1);
		emit_lanes(c->e, K_shr_const, q, p, NO_REG, NO_REG, 1);
		emit_lanes(c->e, K_trunc32, p, p, NO_REG, NO_REG, 1);
	} else if (k == 2 && wanted(c, 1)) {
		q = emit_reg(c->e, 1);
		emit_lanes(c->e, K_lognot, q, p, NO_REG, NO_REG, 0);
	}
	if (wanted(c, 0)) {
		if (bop)
			emit_lanes(c->e, bool_kernel(bop), c->arg[0].row, p, third, NO_REG, 0);
		else if (c->e->p->code.n && vec_last(&c->e->p->code).d == p && c->e->p->code.p[c->e->p->code.n - 1].op == S_LANES)
			vec_last(&c->e->p->code).d = c->arg[0].row; /* straight to its place */
		else
			emit_move(c->e, 1, c->arg[0].row, p);
	}
	if (k == 2 && wanted(c, 1)) {
		if (bop)
			emit_lanes(c->e, bool_kernel(bop), c->arg[1].row, q, third, NO_REG, 0);
		else
			emit_move(c->e, 1, c->arg[1].row, q);
	}
	return true;
}

bool op_set(OpCx *c)
{
	Ty  t = ty(c), s = sty(c);
	i32 p = compare(c, s, 1), d = out(c, 0, t.bits);
	if (slot(c, SLOT_bop))
		emit_lanes(c->e, bool_kernel(slot(c, SLOT_bop)), p, p, op_in(c, 3, 1), NO_REG, 0);
	if (t.is_pair || (s.is_pair && !t.is_float)) { /* bit 0: lower, bit 1: upper */
		i32 lo = emit_reg(c->e, 32), hi = emit_reg(c->e, 32);
		u32 one = t.is_float ? (t.fmt == SEM_F16 ? 0x3c00 : 0x3f80) : 0xffff;
		emit_lanes(c->e, K_one_f32, lo, p, NO_REG, NO_REG, one);
		emit_lanes(c->e, K_shr_const, hi, p, NO_REG, NO_REG, 1);
		emit_lanes(c->e, K_one_f32, hi, hi, NO_REG, NO_REG, one);
		emit_lanes(c->e, K_pack32, d, lo, hi, NO_REG, 0);
	} else if (t.is_float) {
		emit_lanes(c->e, K_one_f32, d, p, NO_REG, NO_REG,
		           t.fmt == SEM_F32   ? 0x3f800000u
		           : t.fmt == SEM_F16 ? 0x3c00u
		                              : 0x3f80u);
	} else {
		emit_lanes(c->e, K_mask32, d, p, NO_REG, NO_REG, 0);
		op_narrow(c, d, t.bits);
	}
	return true;
}

bool op_select(OpCx *c)
{
	Ty t = ty(c);
	if (c->d->eval == EV_slct) {
		bool f = sty(c).is_float, wide = t.bits > 32;
		emit_lanes(c->e,
		           f      ? (wide ? K_slct_f32_64 : K_slct_f32)
		           : wide ? K_slct_s32_64
		                  : K_slct_s32,
		           out(c, 0, t.bits), op_in(c, 1, t.bits), op_in(c, 2, t.bits), op_in(c, 3, 32), op_mode(c) & SEM_FTZ);
		return true;
	}
	emit_lanes(c->e, t.bits > 32 ? K_sel64 : K_sel32, out(c, 0, t.bits), op_in(c, 1, t.bits), op_in(c, 2, t.bits),
	           op_in(c, 3, 1), 0);
	return true;
}
