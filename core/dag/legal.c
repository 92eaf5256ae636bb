/* legal.c: what PTX has: types that fit a register, operations on them. */
#include "dag/lower_target.h"

bool dag_is_legal_vt(DagVt vt)
{
	if (vt_is_vec(vt))
		return vt_is_packed(vt);
	if (vt_is_int(vt)) {
		u32 b = vt_bits(vt);
		return b == 1 || b == 16 || b == 32 || b == 64;
	}
	return true;
}

static u32 round_up_bits(u32 bits)
{
	u32 w = 16;
	while (w < bits)
		w *= 2;
	return w;
}

/* The legal parts of a value: one, wider register; several words; packed pairs; single elements. */
u32 dag_reg_parts(DagVt vt, DagVt *part)
{
	if (dag_is_legal_vt(vt)) {
		*part = vt;
		return 1;
	}
	u32 lanes = vt_lanes(vt);
	if (!lanes) {
		u32 w = round_up_bits(vt_bits(vt));
		*part = VT_INT(PS_MIN(w, 64u));
		return w <= 64 ? 1 : (vt_bits(vt) + 63) / 64;
	}
	DagVt e = vt_elem(vt);
	if (vt_bits(e) == 16 && lanes > 1) {
		*part = vt_vec(e, 2);
		return (lanes + 1) / 2;
	}
	if (e == VT_I8 && lanes >= 3) {
		*part = VT_V4I8;
		return (lanes + 3) / 4;
	}
	if (e == VT_I8 && lanes == 2) {
		*part = VT_V2I16;
		return 1;
	}
	return lanes * dag_reg_parts(e, part);
}

static bool at_least(const DagFunc *f, u32 sm, u32 ptx) { return f->s->target.sm >= sm && f->s->target.ptx >= ptx; }

static bool half_op(const DagFunc *f, DagOp op, DagVt vt)
{
	bool bf = vt_kind(vt) == VTK_BF16;
	switch (op) {
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL: return bf ? dag_has_bf16_math(f) : dag_has_f16_math(f);
	case DAG_FMA: return bf ? at_least(f, 80, 70) : dag_has_f16_math(f);
	case DAG_FNEG: return bf ? at_least(f, 80, 70) : dag_has_f16_math(f) && f->s->target.ptx >= 60;
	case DAG_FABS: return bf ? at_least(f, 80, 70) : dag_has_f16_math(f) && f->s->target.ptx >= 65;
	case DAG_FMINNUM:
	case DAG_FMAXNUM:
	case DAG_FMINIMUM:
	case DAG_FMAXIMUM: return at_least(f, 80, 70) && (bf || dag_has_f16_math(f));
	case DAG_SETCC: return !vt_is_vec(vt) && (bf ? at_least(f, 90, 78) : dag_has_f16_math(f));
	case DAG_FEXP2: return !bf && !vt_is_vec(vt) && at_least(f, 75, 70) && (f->fp.unsafe);
	case DAG_FCEIL:
	case DAG_FFLOOR:
	case DAG_FTRUNC:
	case DAG_FRINT:
	case DAG_FNEARBYINT:
	case DAG_FROUNDEVEN: return !vt_is_vec(vt) && (bf ? at_least(f, 90, 78) : true);
	default: return false;
	}
}

static bool packed_int_op(const DagFunc *f, DagOp op, DagVt vt)
{
	switch (op) {
	case DAG_ADD:
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_UMIN:
	case DAG_UMAX: return vt == VT_V2I16 && at_least(f, 90, 80);
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: return true;
	default: return false;
	}
}

bool dag_is_legal_op(const DagFunc *f, DagOp op, DagVt vt)
{
	u32 bits = vt_bits(vt);
	if (vt_is_fp(vt) && bits == 16)
		return half_op(f, op, vt);
	if (vt_is_vec(vt))
		return packed_int_op(f, op, vt);
	switch (op) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_SDIV:
	case DAG_UDIV:
	case DAG_SREM:
	case DAG_UREM:
	case DAG_MULHS:
	case DAG_MULHU:
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_UMIN:
	case DAG_UMAX:
	case DAG_ABS:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return bits >= 16;
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR: return true;
	case DAG_CTLZ:
	case DAG_CTPOP:
	case DAG_BITREVERSE: return bits >= 32;
	case DAG_ROTL:
	case DAG_ROTR:
	case DAG_FSHL:
	case DAG_FSHR: return bits == 32 && at_least(f, 32, 31);
	case DAG_SELECT: return bits >= 16;
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FDIV:
	case DAG_FMA:
	case DAG_FNEG:
	case DAG_FABS:
	case DAG_FSQRT:
	case DAG_FMINNUM:
	case DAG_FMAXNUM:
	case DAG_FCEIL:
	case DAG_FFLOOR:
	case DAG_FTRUNC:
	case DAG_FRINT:
	case DAG_FNEARBYINT:
	case DAG_FROUNDEVEN: return true;
	case DAG_FCOPYSIGN: return true;
	case DAG_FMINIMUM:
	case DAG_FMAXIMUM: return vt == VT_F32 && at_least(f, 80, 70);
	case DAG_FREM:
	case DAG_FRSQRT: return vt == VT_F32 || vt == VT_F64;
	case DAG_FSIN:
	case DAG_FCOS:
	case DAG_FEXP2:
	case DAG_FLOG2: return vt == VT_F32;
	default: return false;
	}
}
