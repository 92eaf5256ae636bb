/* op_float.c: floating-point arithmetic.
 *
 *   type            kernel                 an approximation
 *   f32, no modes   plain32                approx32
 *   f64, no modes   plain64                approx64
 *   f32, f16, bf16  any, with modes        of halves: K_half_approx
 *   f64             any64, with modes
 *   f16x2, bf16x2   pair; f32x2: twice any */
#include "simt/op_impl.h"

typedef struct Operation {
	u8  sources;
	u16 plain32, plain64, any, any64, pair; /* SimtKernel; 0: there is none */
	u16 approx32, approx64;
} Operation;

#define EXACT(plain32, plain64, any, any64, pair) K_##plain32, K_##plain64, K_##any, K_##any64, K_##pair
#define NONE                                      0, 0, 0, 0, 0
static const Operation operations[EV_COUNT] = {
	[EV_add] = {2, EXACT(fadd32, fadd64, fadd, fadd_64, fadd_x2), 0, 0},
	[EV_sub] = {2, EXACT(fsub32, fsub64, fsub, fsub_64, fsub_x2), 0, 0},
	[EV_mul] = {2, EXACT(fmul32, fmul64, fmul, fmul_64, fmul_x2), 0, 0},
	[EV_fma] = {3, EXACT(ffma32, ffma64, ffma, ffma_64, ffma_x2), 0, 0},
	[EV_div] = {2, EXACT(fdiv32, fdiv64, fdiv, fdiv_64, fdiv), K_div_approx, 0},
	[EV_min] = {2, EXACT(fmin32, fmin_64, fmin, fmin_64, fmin_x2), 0, 0},
	[EV_max] = {2, EXACT(fmax32, fmax_64, fmax, fmax_64, fmax_x2), 0, 0},
	[EV_neg] = {1, EXACT(fneg32, fneg_64, fneg, fneg_64, fneg_x2), 0, 0},
	[EV_abs] = {1, EXACT(fabs32, fabs_64, fabs, fabs_64, fabs_x2), 0, 0},
	[EV_sqrt] = {1, EXACT(fsqrt32, fsqrt64, fsqrt, fsqrt_64, fsqrt), K_sqrt_approx, 0},
	[EV_rcp] = {1, EXACT(frcp, frcp_64, frcp, frcp_64, frcp), K_rcp_approx, K_rcp_approx64},
	[EV_rsqrt] = {1, NONE, K_rsqrt_approx, K_rsqrt_approx64},
	[EV_sin] = {1, NONE, K_sin_approx, 0},
	[EV_cos] = {1, NONE, K_cos_approx, 0},
	[EV_lg2] = {1, NONE, K_lg2_approx, 0},
	[EV_ex2] = {1, NONE, K_ex2_approx, 0},
	[EV_tanh] = {1, NONE, K_tanh_approx, 0},
};

static bool approximate(OpCx *c, const Operation *o, Ty t)
{
	i32 d = out(c, 0, t.bits), a = op_in(c, 1, t.bits), b = o->sources > 1 ? op_in(c, 2, t.bits) : NO_REG;
	if (t.bits == 64)
		emit_lanes(c->e, o->approx64, d, a, NO_REG, NO_REG, slot(c, SLOT_ftz) ? 1 : 0);
	else if (t.fmt == SEM_F32)
		emit_lanes(c->e, o->approx32, d, a, b, NO_REG, op_mode(c) & (SEM_FTZ | SEM_SAT));
	else
		emit_lanes(c->e, K_half_approx, d, a, NO_REG, NO_REG,
		           kx_float(t.fmt, op_mode(c) & SEM_FTZ) | (u32)(c->d->eval == EV_tanh) << 8 | (u32)t.is_pair << 9);
	return true;
}

/* f32x2: two f32 in a 64-bit register, one after the other. */
static void float_x2_halves(OpCx *c, const Operation *o, SemFpMode m)
{
	i32 half[2];
	for (u32 h = 0; h < 2; h++) {
		i32 in[3] = {NO_REG, NO_REG, NO_REG};
		for (u32 s = 0; s < o->sources; s++) {
			in[s] = emit_reg(c->e, 32);
			emit_lanes(c->e, h ? K_hi64_32 : K_trunc64_32, in[s], op_in(c, s + 1, 64), NO_REG, NO_REG, 32);
		}
		half[h] = emit_reg(c->e, 32);
		emit_lanes(c->e, o->any, half[h], in[0], in[1], in[2], kx_float(SEM_F32, m));
	}
	emit_lanes(c->e, K_pack64, out(c, 0, 64), half[0], half[1], NO_REG, 0);
}

/* An f32 operation whose first operands are halves. */
static bool mixed(OpCx *c, const Operation *o)
{
	u32 halves = o->sources - 1;
	i32 in[3] = {NO_REG, NO_REG, NO_REG};
	for (u32 i = 0; i < o->sources; i++) {
		if (i >= halves) {
			in[i] = op_in(c, i + 1, 32);
			continue;
		}
		in[i] = emit_reg(c->e, 32);
		emit_lanes(c->e, K_cvt, in[i], op_in(c, i + 1, 16), NO_REG, NO_REG, kx_cvt(SEM_F32, sty(c).fmt, 0));
	}
	emit_lanes(c->e, o->any, out(c, 0, 32), in[0], in[1], in[2], kx_float(SEM_F32, op_mode(c)));
	return true;
}

static bool exact(OpCx *c, const Operation *o, Ty t)
{
	SemFpMode m = op_mode(c);
	if (t.is_pair && t.fmt == SEM_F32) {
		float_x2_halves(c, o, m);
		return true;
	}
	i32 d = out(c, 0, t.bits), in[3] = {NO_REG, NO_REG, NO_REG};
	for (u32 i = 0; i < o->sources; i++)
		in[i] = op_in(c, i + 1, t.bits);
	SimtKernel k = t.is_pair                    ? o->pair
	               : t.bits == 64               ? (m ? o->any64 : o->plain64)
	               : t.fmt == SEM_F32 && m == 0 ? o->plain32
	                                            : o->any;
	emit_lanes(c->e, k, d, in[0], in[1], in[2], kx_float(t.fmt, m));
	return true;
}

bool op_float(OpCx *c)
{
	const Operation *o = &operations[c->d->eval];
	u32              opcode = c->d->opc.op;
	if (opcode == ISA_add_mixed || opcode == ISA_sub_mixed || opcode == ISA_fma_mixed)
		return mixed(c, o);
	return !o->any || slot(c, SLOT_rnd) == TOK_rnd_approx ? approximate(c, o, ty(c)) : exact(c, o, ty(c));
}

/* The smallest or greatest of three. */
bool op_float3(OpCx *c)
{
	SimtKernel k = c->d->eval == EV_max3 ? K_fmax : K_fmin;
	u32        x = kx_float(SEM_F32, op_mode(c));
	i32        in[3], t = emit_reg(c->e, 32);
	for (u32 i = 0; i < 3; i++) {
		in[i] = op_in(c, i + 1, 32);
		if (isa_has_flag(&c->d->opc, TOK_flag_abs)) {
			i32 magnitude = emit_reg(c->e, 32);
			emit_lanes(c->e, K_fabs32, magnitude, in[i], NO_REG, NO_REG, kx_float(SEM_F32, 0));
			in[i] = magnitude;
		}
	}
	emit_lanes(c->e, k, t, in[0], in[1], NO_REG, x);
	emit_lanes(c->e, k, out(c, 0, 32), t, in[2], NO_REG, x);
	return true;
}

/* b with the sign of a */
bool op_copysign(OpCx *c)
{
	Ty t = ty(c);
	emit_lanes(c->e, t.bits == 64 ? K_fcopysign_64 : K_fcopysign, out(c, 0, t.bits), op_in(c, 2, t.bits), op_in(c, 1, t.bits),
	           NO_REG, kx_float(t.fmt, 0));
	return true;
}

bool op_testp(OpCx *c)
{
	Ty  t = ty(c);
	u32 test = slot(c, SLOT_op) - TOK_op_finite + SEM_TESTP_FINITE;
	emit_lanes(c->e, t.bits == 64 ? K_testp64 : K_testp, out(c, 0, 1), op_in(c, 1, t.bits), NO_REG, NO_REG,
	           (u32)t.fmt << 16 | test);
	return true;
}
