/* op.c: from PTX opcodes to lane kernels: operands, and who makes which operation. */
#include "simt/op_impl.h"

#include "simt/simt.h"

/* ---- operands and types */

Ty op_type(u32 token)
{
	static const struct {
		u8 token, fmt;
	} formats[] = {
		{TOK_type_f16, SEM_F16},     {TOK_type_bf16, SEM_BF16},     {TOK_type_f32, SEM_F32},
		{TOK_type_f64, SEM_F64},     {TOK_type_tf32, SEM_TF32},     {TOK_type_f16x2, SEM_F16},
		{TOK_type_bf16x2, SEM_BF16}, {TOK_type_f32x2, SEM_F32},     {TOK_type_e4m3x2, SEM_E4M3},
		{TOK_type_e5m2x2, SEM_E5M2}, {TOK_type_e2m3x2, SEM_E2M3},   {TOK_type_e3m2x2, SEM_E3M2},
		{TOK_type_e2m1x2, SEM_E2M1}, {TOK_type_ue8m0x2, SEM_UE8M0}, {TOK_type_ue8m0, SEM_UE8M0},
		{TOK_type_e4m3, SEM_E4M3},   {TOK_type_e5m2, SEM_E5M2},
	};
	const IsaType *t = isa_type(token);
	Ty             r = {.bits = t->bits,
	                    .lanes = t->lanes,
	                    .kind = t->kind,
	                    .is_signed = t->kind == ISA_KIND_SINT,
	                    .is_float = t->kind == ISA_KIND_FLOAT,
	                    .is_pair = t->lanes == 2};
	for (u32 i = 0; i < PS_COUNT(formats); i++)
		if (formats[i].token == token)
			r.fmt = (SemFmt)formats[i].fmt;
	return r;
}

SemFpMode op_mode(const OpCx *c)
{
	static const u8 rounding[] = {
		[TOK_rnd_rn] = SEM_RN,   [TOK_rnd_rz] = SEM_RZ,   [TOK_rnd_rm] = SEM_RM,  [TOK_rnd_rp] = SEM_RP,
		[TOK_rnd_rna] = SEM_RNA, [TOK_rnd_rni] = SEM_RN,  [TOK_rnd_rzi] = SEM_RZ, [TOK_rnd_rmi] = SEM_RM,
		[TOK_rnd_rpi] = SEM_RP,  [TOK_rnd_full] = SEM_RN,
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
	const IsaSpace *s = isa_space_of_token(token);
	return s ? s->memory : (u32)SPACE_GENERIC;
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
	if (a->kind == ARG_IMM && a->shared && bits >= 32)
		return emit_shared_address(c->e->p, bits, a->value);
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
i32 op_in_signed(OpCx *c, u32 k, u32 bits)
{
	i32 a = op_in(c, k, bits);
	if (bits >= 32)
		return a;
	i32 t = emit_reg(c->e, 32);
	emit_lanes(c->e, K_sext32, t, a, NO_REG, NO_REG, bits);
	return t;
}

/* After an operation in 32 bits: what is above `bits` goes. */
void op_narrow(OpCx *c, i32 d, u32 bits)
{
	if (bits < 32)
		emit_lanes(c->e, K_trunc32, d, d, NO_REG, NO_REG, bits);
}

void op_widen(OpCx *c, u32 k, u32 bits, bool is_signed)
{
	const OpArg *d = &c->arg[k];
	if (d->kind == ARG_REG && d->bits > bits)
		emit_extend(c->e, d->row, d->bits, d->row, bits, is_signed);
}

/* ---- all of them */

static bool plain(OpCx *c, SimtOp op, u32 x)
{
	SimtInsn *in = emit_insn(c->e, op);
	in->x = x;
	return true;
}

static bool op_activemask(OpCx *c)
{
	i32 d = out(c, 0, 32);
	emit_insn(c->e, S_ACTIVEMASK)->d = d;
	return true;
}

static bool op_nop(OpCx *c) { return op_stack(c) || plain(c, S_NOP, 0); }
static bool op_exit(OpCx *c) { return plain(c, S_EXIT, 0); }
static bool op_trap(OpCx *c) { return plain(c, S_TRAP, FAULT_TRAP); }

static bool (*const makers[EV_COUNT])(OpCx *) = {
	[EV_mov] = op_mov,
	[EV_pack] = op_pack,
	[EV_unpack] = op_unpack,
	[EV_sreg] = op_sreg,
	[EV_ld] = op_load,
	[EV_st] = op_store,
	[EV_atom] = op_atom,
	[EV_cvt] = op_cvt,
	[EV_cvta] = op_cvta,
	[EV_isspacep] = op_isspacep,
	[EV_add] = op_add,
	[EV_sub] = op_add,
	[EV_addc] = op_addc,
	[EV_subc] = op_addc,
	[EV_mul] = op_mul,
	[EV_mul24] = op_mul24,
	[EV_mad24] = op_mul24,
	[EV_mad] = op_mad,
	[EV_madc] = op_mad,
	[EV_fma] = op_float,
	[EV_div] = op_div,
	[EV_rem] = op_rem,
	[EV_sad] = op_sad,
	[EV_neg] = op_neg,
	[EV_abs] = op_abs,
	[EV_min] = op_minmax,
	[EV_max] = op_minmax,
	[EV_min3] = op_float3,
	[EV_max3] = op_float3,
	[EV_sqrt] = op_float,
	[EV_rsqrt] = op_float,
	[EV_rcp] = op_float,
	[EV_sin] = op_float,
	[EV_cos] = op_float,
	[EV_ex2] = op_float,
	[EV_lg2] = op_float,
	[EV_tanh] = op_float,
	[EV_and] = op_logic,
	[EV_or] = op_logic,
	[EV_xor] = op_logic,
	[EV_not] = op_not,
	[EV_cnot] = op_cnot,
	[EV_lop3] = op_lop3,
	[EV_shl] = op_shift,
	[EV_shr] = op_shift,
	[EV_shf] = op_bits,
	[EV_bfe] = op_bits,
	[EV_bfi] = op_bits,
	[EV_bfind] = op_bits,
	[EV_brev] = op_bits,
	[EV_popc] = op_bits,
	[EV_clz] = op_bits,
	[EV_fns] = op_bits,
	[EV_prmt] = op_bits,
	[EV_szext] = op_bits,
	[EV_bmsk] = op_bits,
	[EV_setp] = op_setp,
	[EV_set] = op_set,
	[EV_selp] = op_select,
	[EV_slct] = op_select,
	[EV_testp] = op_testp,
	[EV_copysign] = op_copysign,
	[EV_dp4a] = op_dot,
	[EV_dp2a] = op_dot,
	[EV_video] = op_video,
	[EV_shfl] = op_shfl,
	[EV_vote] = op_vote,
	[EV_match] = op_match,
	[EV_redux] = op_redux,
	[EV_activemask] = op_activemask,
	[EV_elect] = op_elect,
	[EV_bar] = op_bar,
	[EV_fence] = op_fence,
	[EV_exit] = op_exit,
	[EV_trap] = op_trap,
	[EV_tex] = simt_op_image,
	[EV_surf] = simt_op_image,
	[EV_query] = simt_op_image,
	[EV_mma] = simt_op_matrix,
	[EV_ldmatrix] = simt_op_matrix,
	[EV_cp_async] = simt_op_async,
	[EV_mbarrier] = simt_op_async,
	[EV_nop] = op_nop,
	[EV_none] = op_cluster,
};

bool simt_op(OpCx *c)
{
	switch (c->d->opc.op) {
	case ISA_st_async:
	case ISA_st_bulk:
	case ISA_tensormap_replace:
	case ISA_tensormap_cp:
	case ISA_clc_try_cancel:
	case ISA_tcgen05_commit:
	case ISA_red_async: return simt_op_async(c);
	case ISA_multimem_ld: return op_load(c); /* the device is the only one */
	case ISA_multimem_st: return op_store(c);
	case ISA_multimem_red: return op_atom(c);
	default: return simt_op_tensor(c) || (makers[c->d->eval] && makers[c->d->eval](c));
	}
}
