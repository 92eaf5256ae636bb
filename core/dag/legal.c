/* legal.c: which types fit a register of PTX, and which operations on a type the target computes.
 *
 * For half types, packed types and rotations an operation is legal if patterns.def has a pattern for it on this target. Others:
 *   - integers of 16 to 64 bits, f32 and f64, whose instructions exist on every target, are decided by code, also because
 *     combining asks before types are legal (a product of i24 or i128 counts as legal until its type is expanded);
 *   - comparisons, which select.c selects by code, ask isa/ for setp;
 *   - a selection between packed values, which has patterns, is legal with one condition for all lanes only. */
#include "dag/lower_target.h"
#include "dag/pattern.h"

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

static bool has_compare(const DagFunc *f, DagVt vt)
{
	PtxOpc o = ptx_opc(setp, PS(cmp, lt), TY(f16));
	if (vt == VT_BF16)
		o = ptx_opc(setp, PS(cmp, lt), TY(bf16));
	return !vt_is_vec(vt) && isa_has(f->s, o) && !(vt == VT_F16 && f->fp.no_f16);
}

/* Of half types and of packed integers. */
static bool short_op(const DagFunc *f, DagOp op, DagVt vt)
{
	switch (op) {
	case DAG_ADD:
	case DAG_SMIN:
	case DAG_SMAX:
	case DAG_UMIN:
	case DAG_UMAX:
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR:
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FMA:
	case DAG_FNEG:
	case DAG_FABS:
	case DAG_FMINNUM:
	case DAG_FMAXNUM:
	case DAG_FMINIMUM:
	case DAG_FMAXIMUM:
	case DAG_FEXP2_APPROX:
	case DAG_FCEIL:
	case DAG_FFLOOR:
	case DAG_FTRUNC:
	case DAG_FRINT:
	case DAG_FNEARBYINT:
	case DAG_FROUNDEVEN: return dag_has_pattern(f, op, vt);
	case DAG_SETCC: return has_compare(f, vt);
	default: return false;
	}
}

DagOp dag_pair_op(const DagFunc *f, DagOp op)
{
	DagOp pair = op == DAG_FADD   ? DAG_FADD_X2
	             : op == DAG_FSUB ? DAG_FSUB_X2
	             : op == DAG_FMUL ? DAG_FMUL_X2
	             : op == DAG_FMA  ? DAG_FMA_X2
	                              : DAG_DELETED;
	return pair != DAG_DELETED && !f->fp.no_f32x2 && dag_has_pattern(f, pair, VT_I64) ? pair : DAG_DELETED;
}

bool dag_is_legal_op(const DagFunc *f, DagOp op, DagVt vt)
{
	u32 bits = vt_bits(vt);
	if (vt_is_vec(vt) && vt_elem(vt) == VT_F32) /* cut into pairs */
		return dag_pair_op(f, op) != DAG_DELETED;
	if (vt_is_half(vt) && vt_is_vec(vt)) /* longer vectors are cut into packed pairs */
		vt = vt_vec(vt, 2);
	if (vt_is_half(vt) || vt_is_vec(vt))
		return short_op(f, op, vt);
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
	case DAG_FSHR: return dag_has_pattern(f, op, vt);
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
	case DAG_FMAXIMUM: return dag_has_pattern(f, op, vt);
	case DAG_FDIV_APPROX:
	case DAG_FSQRT_APPROX: return vt == VT_F32;
	case DAG_FREM:
	case DAG_FRSQRT: return vt == VT_F32 || vt == VT_F64;
	case DAG_FSIN:
	case DAG_FCOS:
	case DAG_FEXP2:
	case DAG_FLOG2: return vt == VT_F32;
	default: return false;
	}
}
