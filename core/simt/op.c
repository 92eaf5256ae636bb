/* op.c: PTX opcodes that compute, to lane kernels; op_memory.c has memory and warps. */
#include "simt/op_impl.h"

#include "simt/simt.h"

/* ---- operands and types */

Ty op_type(u32 token)
{
	static const struct { u8 token, fmt; } formats[] = {
		{TOK_type_f16, SEM_F16}, {TOK_type_bf16, SEM_BF16}, {TOK_type_f32, SEM_F32}, {TOK_type_f64, SEM_F64}, {TOK_type_tf32, SEM_TF32},
		{TOK_type_f16x2, SEM_F16}, {TOK_type_bf16x2, SEM_BF16}, {TOK_type_f32x2, SEM_F32}, {TOK_type_e4m3x2, SEM_E4M3},
		{TOK_type_e5m2x2, SEM_E5M2}, {TOK_type_e2m3x2, SEM_E2M3}, {TOK_type_e3m2x2, SEM_E3M2}, {TOK_type_e2m1x2, SEM_E2M1},
		{TOK_type_ue8m0x2, SEM_UE8M0}, {TOK_type_ue8m0, SEM_UE8M0}, {TOK_type_e4m3, SEM_E4M3}, {TOK_type_e5m2, SEM_E5M2},
	};
	const IsaType *t = isa_type(token);
	Ty r = {.bits = t->bits, .lanes = t->lanes, .kind = t->kind, .is_signed = t->kind == ISA_KIND_SINT,
	        .is_float = t->kind == ISA_KIND_FLOAT, .is_pair = t->lanes == 2};
	for (u32 i = 0; i < PS_COUNT(formats); i++)
		if (formats[i].token == token)
			r.fmt = (SemFmt)formats[i].fmt;
	return r;
}

SemFpMode op_mode(const OpCx *c)
{
	static const u8 rounding[] = {
		[TOK_rnd_rn] = SEM_RN, [TOK_rnd_rz] = SEM_RZ, [TOK_rnd_rm] = SEM_RM, [TOK_rnd_rp] = SEM_RP, [TOK_rnd_rna] = SEM_RNA,
		[TOK_rnd_rni] = SEM_RN, [TOK_rnd_rzi] = SEM_RZ, [TOK_rnd_rmi] = SEM_RM, [TOK_rnd_rpi] = SEM_RP, [TOK_rnd_full] = SEM_RN,
	};
	u32       r = slot(c, SLOT_rnd);
	SemFpMode m = r < PS_COUNT(rounding) ? rounding[r] : 0;
	m |= slot(c, SLOT_ftz) ? SEM_FTZ : 0;
	m |= slot(c, SLOT_sat) == TOK_sat_sat ? SEM_SAT : slot(c, SLOT_sat) == TOK_sat_satfinite ? SEM_SATFINITE : 0;
	m |= isa_has_flag(&c->d->opc, TOK_flag_relu) ? SEM_RELU : 0;
	m |= isa_has_flag(&c->d->opc, TOK_flag_NaN) ? SEM_NAN_WINS : 0;
	m |= isa_has_flag(&c->d->opc, TOK_flag_xorsign) ? SEM_XORSIGN : 0;
	m |= c->d->opc.op == ISA_fma_oob ? SEM_OOB : 0;
	return m;
}

u32 simt_space_of(u32 token)
{
	switch (token) {
	case TOK_space_global: return SPACE_GLOBAL;
	case TOK_space_shared: case TOK_space_shared_cta: case TOK_space_shared_cluster: return SPACE_SHARED;
	case TOK_space_local: return SPACE_LOCAL;
	case TOK_space_const: return SPACE_CONST;
	case TOK_space_param: case TOK_space_param_entry: case TOK_space_param_func: return SPACE_PARAM;
	default: return SPACE_GENERIC;
	}
}

static u64 imm_value(const OpArg *a, u32 bits, bool as_float)
{
	if (!a->is_float || a->bits == bits || !as_float)
		return a->value;
	return sem_f2f(bits == 64 ? SEM_F64 : SEM_F32, a->bits == 64 ? SEM_F64 : SEM_F32, a->value, 0);
}

i32 op_in(OpCx *c, u32 k, u32 bits)
{
	const OpArg *a = &c->arg[k];
	if (k >= c->n || a->kind == ARG_NONE)
		return emit_const(c->e->p, bits, 0);
	if (a->kind == ARG_IMM)
		return emit_const(c->e->p, bits, imm_value(a, bits, a->is_float) ^ (a->negated ? 1 : 0));
	if (a->kind == ARG_FRAME) {
		SimtInsn *in = emit_insn(c->e, S_FRAME);
		in->d = emit_reg(c->e, bits);
		in->rows = (u8)rows_of(bits);
		in->z = (u32)a->value;
		in->x = a->space == SPACE_GENERIC ? 1 : 0;
		return in->d;
	}
	if (a->negated) {
		i32 t = emit_reg(c->e, 1);
		emit_lanes(c->e, K_lognot, t, a->row, NO_REG, NO_REG, 0);
		return t;
	}
	if (a->bits != bits && (rows_of(a->bits) != rows_of(bits) || bits < a->bits)) {
		i32 t = emit_reg(c->e, bits);
		emit_extend(c->e, t, bits, a->row, a->bits, false);
		return t;
	}
	return a->row;
}

/* The value sign-extended to a whole row. */
static i32 in_signed(OpCx *c, u32 k, u32 bits)
{
	i32 a = op_in(c, k, bits);
	if (bits >= 32)
		return a;
	i32 t = emit_reg(c->e, 32);
	emit_lanes(c->e, K_sext32, t, a, NO_REG, NO_REG, bits);
	return t;
}

/* After an operation in 32 bits: what is above `bits` goes. */
static void narrow(OpCx *c, i32 d, u32 bits)
{
	if (bits < 32)
		emit_lanes(c->e, K_trunc32, d, d, NO_REG, NO_REG, bits);
}

static void widen_result(OpCx *c, u32 k, u32 bits, bool is_signed)
{
	const OpArg *d = &c->arg[k];
	if (d->kind == ARG_REG && d->bits > bits)
		emit_extend(c->e, d->row, d->bits, d->row, bits, is_signed);
}

/* ---- the plain ones */

enum { SIGNED_INPUTS = 1, WIDTH = 2, EXACT = 4 /* the result needs no cut */ };

static void binary(OpCx *c, u32 bits, SimtKernel k32, SimtKernel k64, u32 how)
{
	u32 w = PS_MAX(bits, 1u);
	i32 d = out(c, 0, w);
	if (w > 32) {
		emit_lanes(c->e, k64, d, op_in(c, 1, w), op_in(c, 2, w), NO_REG, how & WIDTH ? w : 0);
		return;
	}
	i32 a = how & SIGNED_INPUTS ? in_signed(c, 1, w) : op_in(c, 1, w);
	i32 b = how & SIGNED_INPUTS ? in_signed(c, 2, w) : op_in(c, 2, w);
	emit_lanes(c->e, k32, d, a, b, NO_REG, how & WIDTH ? (how & SIGNED_INPUTS ? 32 : w) : 0);
	if (!(how & EXACT) || (how & SIGNED_INPUTS))
		narrow(c, d, w);
}

static void unary(OpCx *c, u32 bits, SimtKernel k32, SimtKernel k64, u32 how)
{
	i32 d = out(c, 0, bits);
	i32 a = how & SIGNED_INPUTS ? in_signed(c, 1, bits) : op_in(c, 1, bits);
	emit_lanes(c->e, bits > 32 ? k64 : k32, d, a, NO_REG, NO_REG, how & WIDTH ? bits : 0);
	if (!(how & EXACT))
		narrow(c, d, bits);
}

static bool bits128(OpCx *c, SimtKernel k)
{
	emit_lanes(c->e, k, out(c, 0, 128), op_in(c, 1, 128), c->n > 2 ? op_in(c, 2, 128) : NO_REG, NO_REG, 0);
	return true;
}

static bool logic(OpCx *c, SimtKernel k32, SimtKernel k64, SimtKernel k128)
{
	u32 bits = ty(c).bits;
	if (bits == 128)
		return bits128(c, k128);
	binary(c, bits, k32, k64, EXACT);
	return true;
}

/* ---- floating point */

typedef struct FloatKernels {
	SimtKernel hot32, hot64, any, any64, pair;
} FloatKernels;

/* f32x2: two f32 in a 64-bit register, one after the other. */
static void float_x2_halves(OpCx *c, const FloatKernels *k, u32 sources, SemFpMode m)
{
	i32 half[2];
	for (u32 h = 0; h < 2; h++) {
		i32 in[3] = {NO_REG, NO_REG, NO_REG};
		for (u32 s = 0; s < sources; s++) {
			in[s] = emit_reg(c->e, 32);
			emit_lanes(c->e, h ? K_hi64_32 : K_trunc64_32, in[s], op_in(c, s + 1, 64), NO_REG, NO_REG, 32);
		}
		half[h] = emit_reg(c->e, 32);
		emit_lanes(c->e, k->any, half[h], in[0], in[1], in[2], kx_float(SEM_F32, m));
	}
	emit_lanes(c->e, K_pack64, out(c, 0, 64), half[0], half[1], NO_REG, 0);
}

static bool float_op(OpCx *c, const FloatKernels *k, u32 sources)
{
	Ty        t = ty(c);
	SemFpMode m = op_mode(c);
	if (t.is_pair && t.fmt == SEM_F32) {
		float_x2_halves(c, k, sources, m);
		return true;
	}
	i32 d = out(c, 0, t.bits), in[3] = {NO_REG, NO_REG, NO_REG};
	for (u32 i = 0; i < sources; i++)
		in[i] = op_in(c, i + 1, t.bits);
	if (t.is_pair)
		emit_lanes(c->e, k->pair, d, in[0], in[1], in[2], kx_float(t.fmt, m));
	else if (t.bits == 64)
		emit_lanes(c->e, m ? k->any64 : k->hot64, d, in[0], in[1], in[2], kx_float(SEM_F64, m));
	else if (t.fmt == SEM_F32 && m == 0)
		emit_lanes(c->e, k->hot32, d, in[0], in[1], in[2], kx_float(SEM_F32, 0));
	else
		emit_lanes(c->e, k->any, d, in[0], in[1], in[2], kx_float(t.fmt, m));
	return true;
}

static const FloatKernels float_add = {K_fadd32, K_fadd64, K_fadd, K_fadd_64, K_fadd_x2};
static const FloatKernels float_sub = {K_fsub32, K_fsub64, K_fsub, K_fsub_64, K_fsub_x2};
static const FloatKernels float_mul = {K_fmul32, K_fmul64, K_fmul, K_fmul_64, K_fmul_x2};
static const FloatKernels float_fma = {K_ffma32, K_ffma64, K_ffma, K_ffma_64, K_ffma_x2};
static const FloatKernels float_div = {K_fdiv32, K_fdiv64, K_fdiv, K_fdiv_64, K_fdiv};
static const FloatKernels float_min = {K_fmin32, K_fmin_64, K_fmin, K_fmin_64, K_fmin_x2};
static const FloatKernels float_max = {K_fmax32, K_fmax_64, K_fmax, K_fmax_64, K_fmax_x2};
static const FloatKernels float_neg = {K_fneg32, K_fneg_64, K_fneg, K_fneg_64, K_fneg_x2};
static const FloatKernels float_abs = {K_fabs32, K_fabs_64, K_fabs, K_fabs_64, K_fabs_x2};
static const FloatKernels float_sqrt = {K_fsqrt32, K_fsqrt64, K_fsqrt, K_fsqrt_64, K_fsqrt};
static const FloatKernels float_rcp = {K_frcp, K_frcp_64, K_frcp, K_frcp_64, K_frcp};

static void approx(OpCx *c, SimtKernel k, u32 sources)
{
	emit_lanes(c->e, k, out(c, 0, 32), op_in(c, 1, 32), sources > 1 ? op_in(c, 2, 32) : NO_REG, NO_REG, op_mode(c) & (SEM_FTZ | SEM_SAT));
}

/* ex2, tanh: f32 and the halves. */
static bool approx_half(OpCx *c, SimtKernel k32, bool is_tanh)
{
	Ty t = ty(c);
	if (t.fmt == SEM_F32) {
		approx(c, k32, 1);
		return true;
	}
	u32 x = kx_float(t.fmt, op_mode(c) & SEM_FTZ) | (u32)is_tanh << 8 | (u32)t.is_pair << 9;
	emit_lanes(c->e, K_half_approx, out(c, 0, t.bits), op_in(c, 1, t.bits), NO_REG, NO_REG, x);
	return true;
}

static bool is_approx(const OpCx *c) { return slot(c, SLOT_rnd) == TOK_rnd_approx; }

static bool reciprocal(OpCx *c)
{
	if (!is_approx(c))
		return float_op(c, &float_rcp, 1);
	if (ty(c).bits == 64)
		emit_lanes(c->e, K_rcp_approx64, out(c, 0, 64), op_in(c, 1, 64), NO_REG, NO_REG, 0);
	else
		approx(c, K_rcp_approx, 1);
	return true;
}

/* An f32 operation whose first operands are halves. */
static bool mixed(OpCx *c, const FloatKernels *k, u32 halves, u32 sources)
{
	i32 in[3] = {NO_REG, NO_REG, NO_REG};
	for (u32 i = 0; i < sources; i++) {
		if (i >= halves) {
			in[i] = op_in(c, i + 1, 32);
			continue;
		}
		in[i] = emit_reg(c->e, 32);
		emit_lanes(c->e, K_cvt, in[i], op_in(c, i + 1, 16), NO_REG, NO_REG, kx_cvt(SEM_F32, sty(c).fmt, 0));
	}
	emit_lanes(c->e, k->any, out(c, 0, 32), in[0], in[1], in[2], kx_float(SEM_F32, op_mode(c)));
	return true;
}

/* ---- integers */

static bool packed_ints(OpCx *c, u32 what)
{
	emit_lanes(c->e, K_packed16, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, what | (ty(c).is_signed ? 256u : 0u));
	return true;
}

static void carry_chain(OpCx *c, bool subtract, bool in, bool set)
{
	u32 bits = ty(c).bits;
	bool wide = bits > 32;
	i32 a = op_in(c, 1, bits), b = op_in(c, 2, bits), d = out(c, 0, bits);
	i32 carry = in ? c->carry : emit_const(c->e->p, 32, 0), fresh = emit_reg(c->e, 32);
	if (set)
		emit_lanes(c->e, subtract ? (wide ? K_carry_sub64 : K_carry_sub32) : wide ? K_carry_add64 : K_carry_add32, fresh, a, b, carry, 0);
	emit_lanes(c->e, subtract ? (wide ? K_sub3_64 : K_sub3_32) : wide ? K_add3_64 : K_add3_32, d, a, b, carry, 0);
	if (set)
		emit_move(c->e, 32, c->carry, fresh);
}

static bool op_add(OpCx *c, bool subtract)
{
	Ty t = ty(c);
	if (c->d->opc.op == ISA_add_mixed || c->d->opc.op == ISA_sub_mixed)
		return mixed(c, subtract ? &float_sub : &float_add, 1, 2);
	if (t.is_float)
		return float_op(c, subtract ? &float_sub : &float_add, 2);
	if (t.is_pair)
		return packed_ints(c, subtract ? 3 : 0);
	if (c->d->flags & IF_CARRY_OUT) {
		carry_chain(c, subtract, false, true);
		return true;
	}
	if (slot(c, SLOT_sat)) {
		emit_lanes(c->e, subtract ? K_ssub_sat : K_sadd_sat, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, 32);
		return true;
	}
	binary(c, t.bits, subtract ? K_sub32 : K_add32, subtract ? K_sub64 : K_add64, 0);
	return true;
}

/* The product that .op asks for; `w` becomes its width. */
static i32 product(OpCx *c, i32 d, u32 *w)
{
	Ty  t = ty(c);
	u32 op = slot(c, SLOT_op), bits = t.bits;
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
		emit_lanes(c->e, K_mul32, d, s ? in_signed(c, 1, bits) : a, s ? in_signed(c, 2, bits) : b, NO_REG, 0);
	} else {
		emit_lanes(c->e, bits > 32 ? K_mul64 : K_mul32, d, a, b, NO_REG, 0);
		narrow(c, d, bits);
	}
	return d;
}

static bool op_mul(OpCx *c)
{
	u32 w;
	if (ty(c).is_float)
		return float_op(c, &float_mul, 2);
	product(c, out(c, 0, ty(c).bits), &w);
	return true;
}

static bool op_mad(OpCx *c)
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
	i32 p = product(c, NO_REG, &w);
	OpArg args[3] = {c->arg[0], op_reg(p, w), c->arg[3]};
	OpCx  sum = {.e = c->e, .d = c->d, .arg = args, .n = 3, .carry = c->carry};
	if (c->d->flags & (IF_CARRY_IN | IF_CARRY_OUT))
		carry_chain(&sum, false, (c->d->flags & IF_CARRY_IN) != 0, (c->d->flags & IF_CARRY_OUT) || isa_has_flag(&c->d->opc, TOK_flag_cc));
	else
		binary(&sum, w, K_add32, K_add64, 0);
	return true;
}

static bool op_mul24(OpCx *c, bool add)
{
	bool hi = slot(c, SLOT_op) == TOK_op_hi;
	i32  d = out(c, 0, 32), p = add ? emit_reg(c->e, 32) : d;
	emit_lanes(c->e, K_mul24, p, op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, (ty(c).is_signed ? 1u : 0u) | (hi ? 2u : 0u));
	if (add)
		emit_lanes(c->e, slot(c, SLOT_sat) ? K_sadd_sat : K_add32, d, p, op_in(c, 3, 32), NO_REG, 32);
	return true;
}

static bool op_div(OpCx *c)
{
	Ty t = ty(c);
	if (t.is_float && is_approx(c)) {
		approx(c, K_div_approx, 2);
		return true;
	}
	if (t.is_float)
		return float_op(c, &float_div, 2);
	if (t.is_signed)
		binary(c, t.bits, K_sdiv32, K_sdiv64, WIDTH | SIGNED_INPUTS);
	else
		binary(c, t.bits, K_udiv32, K_udiv64, WIDTH | EXACT);
	return true;
}

static bool op_rem(OpCx *c)
{
	Ty t = ty(c);
	if (t.is_signed)
		binary(c, t.bits, K_srem32, K_srem64, WIDTH | SIGNED_INPUTS);
	else
		binary(c, t.bits, K_urem32, K_urem64, WIDTH | EXACT);
	return true;
}

static bool op_minmax(OpCx *c, bool max)
{
	Ty t = ty(c);
	if (t.is_float)
		return float_op(c, max ? &float_max : &float_min, 2);
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

static bool op_minmax3(OpCx *c, bool max)
{
	SemFpMode m = op_mode(c);
	i32 in[3], t = emit_reg(c->e, 32);
	for (u32 k = 0; k < 3; k++) {
		in[k] = op_in(c, k + 1, 32);
		if (isa_has_flag(&c->d->opc, TOK_flag_abs)) {
			i32 magnitude = emit_reg(c->e, 32);
			emit_lanes(c->e, K_fabs32, magnitude, in[k], NO_REG, NO_REG, kx_float(SEM_F32, 0));
			in[k] = magnitude;
		}
	}
	emit_lanes(c->e, max ? K_fmax : K_fmin, t, in[0], in[1], NO_REG, kx_float(SEM_F32, m));
	emit_lanes(c->e, max ? K_fmax : K_fmin, out(c, 0, 32), t, in[2], NO_REG, kx_float(SEM_F32, m));
	return true;
}

static bool op_shift(OpCx *c, bool left)
{
	Ty t = ty(c);
	i32 d = out(c, 0, t.bits), n = op_in(c, 2, 32);
	if (left) {
		emit_lanes(c->e, t.bits > 32 ? K_shl64 : K_shl32, d, op_in(c, 1, t.bits), n, NO_REG, 0);
	} else if (t.is_signed) {
		emit_lanes(c->e, t.bits > 32 ? K_ashr64 : K_ashr32, d, in_signed(c, 1, t.bits), n, NO_REG, 0);
	} else {
		emit_lanes(c->e, t.bits > 32 ? K_lshr64 : K_lshr32, d, op_in(c, 1, t.bits), n, NO_REG, 0);
	}
	narrow(c, d, t.bits);
	return true;
}

static bool op_bits(OpCx *c)
{
	Ty   t = ty(c);
	bool wide = t.bits > 32, s = t.is_signed;
	u32  w = t.bits;
	SimtEmit *e = c->e;
	u32 x;
	switch (c->d->eval) {
	case EV_popc: emit_lanes(e, wide ? K_popc64 : K_popc, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_clz: emit_lanes(e, wide ? K_clz64 : K_clz, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_brev: emit_lanes(e, wide ? K_brev64 : K_brev, out(c, 0, w), op_in(c, 1, w), NO_REG, NO_REG, w); return true;
	case EV_bfind:
		x = (s ? 1u : 0u) | (isa_has_flag(&c->d->opc, TOK_flag_shiftamt) ? 2u : 0u);
		emit_lanes(e, wide ? K_bfind64 : K_bfind, out(c, 0, 32), op_in(c, 1, w), NO_REG, NO_REG, x);
		return true;
	case EV_bfe:
		emit_lanes(e, wide ? (s ? K_bfe_s64 : K_bfe_u64) : s ? K_bfe_s : K_bfe_u, out(c, 0, w), op_in(c, 1, w), op_in(c, 2, 32), op_in(c, 3, 32), 0);
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
		emit_lanes(e, slot(c, SLOT_op) == TOK_op_l ? K_shf_l : K_shf_r, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), x);
		return true;
	case EV_szext:
		x = (s ? 1u : 0u) | (slot(c, SLOT_mode) == TOK_mode_wrap ? 2u : 0u);
		emit_lanes(e, K_szext, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, x);
		return true;
	case EV_bmsk:
		emit_lanes(e, K_bmsk, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, slot(c, SLOT_mode) == TOK_mode_wrap);
		return true;
	default: return false;
	}
}

static bool op_lop3(OpCx *c)
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

static bool op_dot(OpCx *c, bool four)
{
	u32 x = (ty(c).is_signed ? 1u : 0u) | (sty(c).is_signed ? 2u : 0u) | (slot(c, SLOT_op) == TOK_op_hi ? 4u : 0u);
	emit_lanes(c->e, four ? K_dp4a : K_dp2a, out(c, 0, 32), op_in(c, 1, 32), op_in(c, 2, 32), op_in(c, 3, 32), x);
	return true;
}

/* ---- comparisons */

/* p = a cmp b for operands k, k + 1 of type t. */
static i32 compare(OpCx *c, Ty t, u32 k)
{
	SemCmp cmp = (SemCmp)(slot(c, SLOT_cmp) - TOK_cmp_eq + SEM_EQ);
	i32    p = emit_reg(c->e, 1);
	if (t.is_float) {
		SemFpMode m = op_mode(c) & SEM_FTZ;
		i32 a = op_in(c, k, t.bits), b = op_in(c, k + 1, t.bits);
		bool plain = m == 0 && !t.is_pair && (t.fmt == SEM_F32 || t.bits == 64);
		if (plain)
			emit_fcmp(c->e, cmp, t.bits == 64, p, a, b);
		else
			emit_lanes(c->e, t.is_pair ? K_fcmp_x2 : t.bits == 64 ? K_fcmp64 : K_fcmp, p, a, b, NO_REG, kx_fcmp(t.fmt, cmp, m));
		return p;
	}
	bool s = t.is_signed && !(cmp >= SEM_LO && cmp <= SEM_HS), wide = t.bits > 32;
	if (cmp >= SEM_LO && cmp <= SEM_HS)
		cmp = (SemCmp)(cmp - SEM_LO + SEM_LT);
	i32  a = s ? in_signed(c, k, t.bits) : op_in(c, k, t.bits), b = s ? in_signed(c, k + 1, t.bits) : op_in(c, k + 1, t.bits);
	bool swap = cmp == SEM_GT || cmp == SEM_GE, strict = cmp == SEM_LT || cmp == SEM_GT;
	SimtKernel kernel = cmp == SEM_EQ ? (wide ? K_eq64 : K_eq32) : cmp == SEM_NE ? (wide ? K_ne64 : K_ne32) :
	                    strict ? (s ? (wide ? K_slt64 : K_slt32) : wide ? K_ult64 : K_ult32) :
	                    s ? (wide ? K_sle64 : K_sle32) : wide ? K_ule64 : K_ule32;
	emit_lanes(c->e, kernel, p, swap ? b : a, swap ? a : b, NO_REG, 0);
	return p;
}

static SimtKernel bool_kernel(u32 bop) { return bop == TOK_bop_and ? K_bool_and : bop == TOK_bop_or ? K_bool_or : K_bool_xor; }

static bool op_setp(OpCx *c)
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

static bool op_set(OpCx *c)
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
		emit_lanes(c->e, K_one_f32, d, p, NO_REG, NO_REG, t.fmt == SEM_F32 ? 0x3f800000u : t.fmt == SEM_F16 ? 0x3c00u : 0x3f80u);
	} else {
		emit_lanes(c->e, K_mask32, d, p, NO_REG, NO_REG, 0);
		narrow(c, d, t.bits);
	}
	return true;
}

static bool op_select(OpCx *c)
{
	Ty t = ty(c);
	if (c->d->eval == EV_slct) {
		bool f = sty(c).is_float, wide = t.bits > 32;
		emit_lanes(c->e, f ? (wide ? K_slct_f32_64 : K_slct_f32) : wide ? K_slct_s32_64 : K_slct_s32, out(c, 0, t.bits),
		           op_in(c, 1, t.bits), op_in(c, 2, t.bits), op_in(c, 3, 32), op_mode(c) & SEM_FTZ);
		return true;
	}
	emit_lanes(c->e, t.bits > 32 ? K_sel64 : K_sel32, out(c, 0, t.bits), op_in(c, 1, t.bits), op_in(c, 2, t.bits), op_in(c, 3, 1), 0);
	return true;
}

/* ---- moves and conversions */

static bool op_mov(OpCx *c)
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

static bool op_pack(OpCx *c)
{
	u32 bits = ty(c).bits, n = c->n - 1, part = bits / n;
	i32 d = emit_reg(c->e, bits);
	if (bits == 128) {
		for (u32 h = 0; h < 2; h++) {
			if (n == 2)
				emit_move(c->e, 64, d + (i32)h * 2, op_in(c, 1 + h, 64));
			else
				emit_lanes(c->e, K_pack64, d + (i32)h * 2, op_in(c, 1 + 2 * h, 32), op_in(c, 2 + 2 * h, 32), NO_REG, 0);
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

static bool op_unpack(OpCx *c)
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

static bool op_sreg(OpCx *c)
{
	static const struct { u16 sreg; u8 simt; } map[] = {
		{SREG_tid_x, SR_TID_X}, {SREG_tid_y, SR_TID_Y}, {SREG_tid_z, SR_TID_Z}, {SREG_ntid_x, SR_NTID_X}, {SREG_ntid_y, SR_NTID_Y},
		{SREG_ntid_z, SR_NTID_Z}, {SREG_ctaid_x, SR_CTAID_X}, {SREG_ctaid_y, SR_CTAID_Y}, {SREG_ctaid_z, SR_CTAID_Z},
		{SREG_nctaid_x, SR_NCTAID_X}, {SREG_nctaid_y, SR_NCTAID_Y}, {SREG_nctaid_z, SR_NCTAID_Z}, {SREG_laneid, SR_LANEID},
		{SREG_warpid, SR_WARPID}, {SREG_nwarpid, SR_NWARPID}, {SREG_smid, SR_SMID}, {SREG_nsmid, SR_NSMID}, {SREG_gridid, SR_GRIDID},
		{SREG_lanemask_eq, SR_LANEMASK_EQ}, {SREG_lanemask_le, SR_LANEMASK_LE}, {SREG_lanemask_lt, SR_LANEMASK_LT},
		{SREG_lanemask_ge, SR_LANEMASK_GE}, {SREG_lanemask_gt, SR_LANEMASK_GT}, {SREG_clock, SR_CLOCK}, {SREG_clock_hi, SR_CLOCK_HI},
		{SREG_clock64, SR_CLOCK64}, {SREG_globaltimer, SR_GLOBALTIMER}, {SREG_globaltimer_lo, SR_GLOBALTIMER_LO},
		{SREG_globaltimer_hi, SR_GLOBALTIMER_HI}, {SREG_total_smem_size, SR_TOTAL_SMEM}, {SREG_dynamic_smem_size, SR_DYNAMIC_SMEM},
		{SREG_warp_sz, SR_WARPSIZE}, {SREG_clusterid_x, SR_CTAID_X}, {SREG_clusterid_y, SR_CTAID_Y}, {SREG_clusterid_z, SR_CTAID_Z},
		{SREG_nclusterid_x, SR_NCTAID_X}, {SREG_nclusterid_y, SR_NCTAID_Y}, {SREG_nclusterid_z, SR_NCTAID_Z},
		{SREG_cluster_nctaid_x, SR_ONE}, {SREG_cluster_nctaid_y, SR_ONE}, {SREG_cluster_nctaid_z, SR_ONE}, {SREG_cluster_nctarank, SR_ONE},
	};
	u32 sreg = slot(c, SLOT_sreg), what = SR_ZERO, bits = PS_MAX(ty(c).bits, 1u);
	for (u32 i = 0; i < PS_COUNT(map); i++)
		if (map[i].sreg == sreg)
			what = map[i].simt;
	SimtInsn *in = emit_insn(c->e, S_SREG);
	in->d = out(c, 0, bits);
	in->rows = (u8)rows_of(c->arg[0].kind == ARG_REG ? c->arg[0].bits : bits);
	in->x = what;
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
	widen_result(c, 0, t.bits, t.is_signed);
	return true;
}

static bool cvt_float(OpCx *c, Ty t, Ty s)
{
	SemFpMode m = op_mode(c);
	u32       r = slot(c, SLOT_rnd);
	bool      integral = r >= TOK_rnd_rni && r <= TOK_rnd_rpi;
	i32       d = out(c, 0, t.bits), a = op_in(c, 1, s.bits);
	if (!s.is_float) {
		u32 x = kx_int(s.bits, s.is_signed, t.fmt, m);
		SimtKernel k = t.bits == 64 ? (s.bits > 32 ? K_i2f64_64 : K_i2f64) : s.bits > 32 ? K_i2f_64 : K_i2f;
		if (m == 0 && s.bits == 32 && t.fmt == SEM_F32)
			k = s.is_signed ? K_s32_f32 : K_u32_f32;
		emit_lanes(c->e, k, d, a, NO_REG, NO_REG, x);
	} else if (!t.is_float) {
		u32 x = kx_int(t.bits, t.is_signed, s.fmt, m);
		SimtKernel k = s.bits == 64 ? (t.bits > 32 ? K_f64_2i_64 : K_f64_2i) : t.bits > 32 ? K_f2i_64 : K_f2i;
		if (m == SEM_RZ && t.bits == 32 && t.is_signed && s.fmt == SEM_F32)
			k = K_f32_s32;
		emit_lanes(c->e, k, d, a, NO_REG, NO_REG, x);
		widen_result(c, 0, t.bits, t.is_signed);
	} else if (t.fmt == s.fmt) {
		if (integral)
			emit_lanes(c->e, t.bits == 64 ? K_frint_64 : K_frint, d, a, NO_REG, NO_REG, kx_float(t.fmt, m));
		else
			emit_lanes(c->e, t.bits == 64 ? K_satnan_64 : K_satnan, d, a, NO_REG, NO_REG, kx_float(t.fmt, m));
	} else if (t.bits == 64) {
		emit_lanes(c->e, s.fmt == SEM_F32 && m == 0 ? K_f32_f64 : K_cvt_to64, d, a, NO_REG, NO_REG, kx_cvt(t.fmt, s.fmt, m));
	} else if (s.bits == 64) {
		emit_lanes(c->e, t.fmt == SEM_F32 && m == 0 ? K_f64_f32 : K_cvt_from64, d, a, NO_REG, NO_REG, kx_cvt(t.fmt, s.fmt, m));
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

static bool op_cvt(OpCx *c)
{
	Ty t = ty(c), s = sty(c);
	switch (c->d->opc.op) {
	case ISA_cvt_pack: return cvt_pack(c, t);
	case ISA_cvt_x2:
		emit_lanes(c->e, K_cvt_x2, out(c, 0, t.bits), op_in(c, 1, 32), op_in(c, 2, 32), NO_REG, kx_cvt(t.fmt, SEM_F32, op_mode(c)));
		return true;
	case ISA_cvt_unpack:
		emit_lanes(c->e, K_uncvt_x2, out(c, 0, 32), op_in(c, 1, s.bits), NO_REG, NO_REG, kx_cvt(t.fmt, s.fmt, op_mode(c)));
		return true;
	case ISA_cvt_half2: {
		i32 lo = emit_reg(c->e, 32), hi = emit_reg(c->e, 32), a = op_in(c, 1, 32);
		emit_lanes(c->e, K_byte_field, lo, a, NO_REG, NO_REG, 16 << 8);
		emit_lanes(c->e, K_byte_field, hi, a, NO_REG, NO_REG, 16 | 16 << 8);
		emit_lanes(c->e, K_cvt_x2, out(c, 0, t.bits), hi, lo, NO_REG, kx_cvt(t.fmt, s.fmt, op_mode(c)));
		return true;
	}
	case ISA_cvt: break;
	default: return false;
	}
	return t.is_float || s.is_float ? cvt_float(c, t, s) : cvt_int_int(c, t, s);
}

static bool op_cvta(OpCx *c)
{
	u32 space = simt_space_of(slot(c, SLOT_space)), bits = ty(c).bits;
	u64 window = simt_generic((u8)space, 0);
	i32 d = out(c, 0, bits);
	if (space == SPACE_PARAM && !c->is_kernel)
		window = LOCAL_WINDOW;
	bool to = isa_has_flag(&c->d->opc, TOK_flag_to);
	i32  a = op_in(c, 1, bits);
	if (window == 0)
		emit_move(c->e, bits, d, a);
	else
		emit_lanes(c->e, bits == 64 ? (to ? K_sub64 : K_add64) : to ? K_sub32 : K_add32, d, a, emit_const(c->e->p, bits, window), NO_REG, 0);
	return true;
}

static bool op_isspacep(OpCx *c)
{
	u32 space = simt_space_of(slot(c, SLOT_space));
	u64 window = simt_generic((u8)space, 0);
	SimtKernel k = space == SPACE_GLOBAL ? K_isglobal : space == SPACE_CONST ? K_isconst : K_isspace;
	emit_lanes(c->e, k, out(c, 0, 1), op_in(c, 1, 64), NO_REG, NO_REG, (u32)(window >> WINDOW_BITS));
	return true;
}

/* ---- all of them */

static bool op_plain(OpCx *c, SimtOp op, u32 x)
{
	SimtInsn *in = emit_insn(c->e, op);
	in->x = x;
	if (op == S_ACTIVEMASK)
		in->d = out(c, 0, 32);
	return true;
}

static bool op_testp(OpCx *c)
{
	Ty t = ty(c);
	u32 test = slot(c, SLOT_op) - TOK_op_finite + SEM_TESTP_FINITE;
	emit_lanes(c->e, t.bits == 64 ? K_testp64 : K_testp, out(c, 0, 1), op_in(c, 1, t.bits), NO_REG, NO_REG, (u32)t.fmt << 16 | test);
	return true;
}

bool simt_op(OpCx *c)
{
	Ty t = slot(c, SLOT_type) ? ty(c) : (Ty){0};
	u32 w = t.bits;
	switch ((IsaEval)c->d->eval) {
	case EV_mov: return op_mov(c);
	case EV_pack: return op_pack(c);
	case EV_unpack: return op_unpack(c);
	case EV_sreg: return op_sreg(c);
	case EV_ld: return op_load(c);
	case EV_st:
		if (c->d->opc.op == ISA_st_async || c->d->opc.op == ISA_st_bulk)
			return simt_op_async(c);
		return op_store(c);
	case EV_atom: return c->d->opc.op == ISA_red_async ? simt_op_async(c) : op_atom(c);
	case EV_cp_async: case EV_mbarrier: return simt_op_async(c);
	case EV_cvt: return op_cvt(c);
	case EV_cvta: return op_cvta(c);
	case EV_isspacep: return op_isspacep(c);
	case EV_add: return op_add(c, false);
	case EV_sub: return op_add(c, true);
	case EV_addc: carry_chain(c, false, true, isa_has_flag(&c->d->opc, TOK_flag_cc)); return true;
	case EV_subc: carry_chain(c, true, true, isa_has_flag(&c->d->opc, TOK_flag_cc)); return true;
	case EV_mul: return op_mul(c);
	case EV_mul24: return op_mul24(c, false);
	case EV_mad24: return op_mul24(c, true);
	case EV_mad: case EV_madc: return op_mad(c);
	case EV_fma:
		if (c->d->opc.op == ISA_fma_mixed)
			return mixed(c, &float_fma, 2, 3);
		return float_op(c, &float_fma, 3);
	case EV_div: return op_div(c);
	case EV_rem: return op_rem(c);
	case EV_sad:
		emit_lanes(c->e, w > 32 ? K_sad64 : K_sad, out(c, 0, w), op_in(c, 1, w), op_in(c, 2, w), op_in(c, 3, w), w | (t.is_signed ? 256u : 0u));
		return true;
	case EV_neg:
		if (t.is_float)
			return float_op(c, &float_neg, 1);
		unary(c, w, K_neg32, K_neg64, 0);
		return true;
	case EV_abs:
		if (t.is_float)
			return float_op(c, &float_abs, 1);
		unary(c, w, K_abs32, K_abs64, SIGNED_INPUTS);
		return true;
	case EV_min: return op_minmax(c, false);
	case EV_max: return op_minmax(c, true);
	case EV_min3: return op_minmax3(c, false);
	case EV_max3: return op_minmax3(c, true);
	case EV_sqrt:
		if (!is_approx(c))
			return float_op(c, &float_sqrt, 1);
		approx(c, K_sqrt_approx, 1);
		return true;
	case EV_rsqrt:
		if (w == 64)
			emit_lanes(c->e, K_rsqrt_approx64, out(c, 0, 64), op_in(c, 1, 64), NO_REG, NO_REG, slot(c, SLOT_ftz) ? 1 : 0);
		else
			approx(c, K_rsqrt_approx, 1);
		return true;
	case EV_rcp: return reciprocal(c);
	case EV_sin: approx(c, K_sin_approx, 1); return true;
	case EV_cos: approx(c, K_cos_approx, 1); return true;
	case EV_lg2: approx(c, K_lg2_approx, 1); return true;
	case EV_ex2: return approx_half(c, K_ex2_approx, false);
	case EV_tanh: return approx_half(c, K_tanh_approx, true);
	case EV_and: return logic(c, K_and32, K_and64, K_and128);
	case EV_or: return logic(c, K_or32, K_or64, K_or128);
	case EV_xor: return logic(c, K_xor32, K_xor64, K_xor128);
	case EV_not:
		if (w == 1)
			emit_lanes(c->e, K_lognot, out(c, 0, 1), op_in(c, 1, 1), NO_REG, NO_REG, 0);
		else
			unary(c, w, K_not32, K_not64, 0);
		return true;
	case EV_cnot: unary(c, w, K_cnot32, K_cnot64, EXACT); return true;
	case EV_lop3: return op_lop3(c);
	case EV_shl: return op_shift(c, true);
	case EV_shr: return op_shift(c, false);
	case EV_shf: case EV_bfe: case EV_bfi: case EV_bfind: case EV_brev: case EV_popc: case EV_clz: case EV_fns: case EV_prmt:
	case EV_szext: case EV_bmsk: return op_bits(c);
	case EV_setp: return op_setp(c);
	case EV_set: return op_set(c);
	case EV_selp: case EV_slct: return op_select(c);
	case EV_testp: return op_testp(c);
	case EV_copysign: /* b with the sign of a */
		emit_lanes(c->e, w == 64 ? K_fcopysign_64 : K_fcopysign, out(c, 0, w), op_in(c, 2, w), op_in(c, 1, w), NO_REG, kx_float(t.fmt, 0));
		return true;
	case EV_dp4a: return op_dot(c, true);
	case EV_dp2a: return op_dot(c, false);
	case EV_shfl: return op_shfl(c);
	case EV_vote: return op_vote(c);
	case EV_match: return op_match(c);
	case EV_redux: return op_redux(c);
	case EV_activemask: return op_plain(c, S_ACTIVEMASK, 0);
	case EV_elect: return op_elect(c);
	case EV_bar: return op_bar(c);
	case EV_nop:
		if (op_stack(c))
			return true;
		return op_plain(c, S_NOP, 0);
	case EV_fence: return op_plain(c, S_NOP, 0);
	case EV_exit: return op_plain(c, S_EXIT, 0);
	case EV_trap: return op_plain(c, S_TRAP, FAULT_TRAP);
	case EV_tex: case EV_surf: case EV_query: return simt_op_image(c);
	case EV_video: return op_video(c);
	case EV_none: return op_cluster(c);
	case EV_mma: case EV_ldmatrix: return simt_op_matrix(c);
	default: return false;
	}
}
