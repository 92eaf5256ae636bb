/* select.c: replaces nodes by instructions.
 *
 * From users to operands: a pattern may cover operands, and those that lose their last use are not selected. Memory accesses,
 * calls, comparisons and conversions, which trees do not express, are selected by code, here and in select_*.c. Needs legal
 * types and operations; a node that nothing selects is reported. Linear in nodes times the patterns of an operation. */
#include "dag/lower_target.h"
#include "dag/pattern.h"
#include "dag/select.h"

u32 dag_desc(DagFunc *f, PtxOpc opc) { return isa_intern(f->s, opc); }

/* ---- leaves */

u32 dag_mov_desc(DagFunc *f, DagVt vt)
{
	u32 type = isa_type_of(vt_size(vt) == 1 ? ISA_KIND_PRED : ISA_KIND_BITS, vt_size(vt));
	return dag_desc(f, (PtxOpc){.op = ISA_mov, .slot = {[SLOT_type] = (u8)type}});
}

static void constant(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVt          vt = n->vt[0];
	DagVal         k = n->opcode == DAG_ConstantFP ? dag_tfp(d, vt, n->k[0]) : dag_tconst(d, vt, n->k[0]);
	dag_become(f, node, dag_mov_desc(f, vt), &k, 1, 0);
}

static void address(DagFunc *f, u32 node, DagOp as)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagNode like = {.opcode = (u16)as, .k = {n.k[0], n.k[1]}};
	DagVal  k = dag_node_like(d, &like, n.vt, 1, NULL, 0);
	dag_at(d, k.n)->order = 0;
	if (as == DAG_TargetFrameIndex)
		dag_become(f, node, ISA_FRAME_ADDR, &k, 1, 0);
	else
		dag_become(f, node, dag_mov_desc(f, n.vt[0]), &k, 1, 0);
}

static void undef(DagFunc *f, u32 node) { dag_become(f, node, ISA_IMPLICIT_DEF, NULL, 0, 0); }

/* ---- comparisons */

static const struct {
	u8 cmp; /* of floats, by IrPred; integers in the second half */
	u8 is_unsigned;
} cmp_of[IRP_COUNT] = {
	[IRP_OEQ] = {TOK_cmp_eq, 0},   [IRP_OGT] = {TOK_cmp_gt, 0},   [IRP_OGE] = {TOK_cmp_ge, 0},
	[IRP_OLT] = {TOK_cmp_lt, 0},   [IRP_OLE] = {TOK_cmp_le, 0},   [IRP_ONE] = {TOK_cmp_ne, 0},
	[IRP_ORD] = {TOK_cmp_num, 0},  [IRP_UNO] = {TOK_cmp_nan, 0},  [IRP_UEQ] = {TOK_cmp_equ, 0},
	[IRP_UGT] = {TOK_cmp_gtu, 0},  [IRP_UGE] = {TOK_cmp_geu, 0},  [IRP_ULT] = {TOK_cmp_ltu, 0},
	[IRP_ULE] = {TOK_cmp_leu, 0},  [IRP_UNE] = {TOK_cmp_neu, 0},  [IRP_I_EQ] = {TOK_cmp_eq, 0},
	[IRP_I_NE] = {TOK_cmp_ne, 0},  [IRP_I_UGT] = {TOK_cmp_gt, 1}, [IRP_I_UGE] = {TOK_cmp_ge, 1},
	[IRP_I_ULT] = {TOK_cmp_lt, 1}, [IRP_I_ULE] = {TOK_cmp_le, 1}, [IRP_I_SGT] = {TOK_cmp_gt, 0},
	[IRP_I_SGE] = {TOK_cmp_ge, 0}, [IRP_I_SLT] = {TOK_cmp_lt, 0}, [IRP_I_SLE] = {TOK_cmp_le, 0},
};

static bool setcc_packed(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	DagVal ops[] = {dag_operand(d, dag_at(d, node), 0), dag_operand(d, dag_at(d, node), 1)};
	u32    cc = (u32)dag_of(d, dag_operand(d, dag_at(d, node), 2))->k[0];
	DagVt  vt = dag_vt(d, ops[0]);
	PtxOpc o = {.op = ISA_setp};
	o.slot[SLOT_form] = 1; /* p|q */
	o.slot[SLOT_cmp] = cmp_of[cc].cmp;
	o.slot[SLOT_type] = vt == VT_V2F16 ? TOK_type_f16x2 : TOK_type_bf16x2;
	if (vt == VT_V2F16 && dag_wants_ftz(f, VT_F16))
		o.slot[SLOT_ftz] = TOK_ftz_ftz;
	dag_become(f, node, dag_desc(f, o), ops, 2, 0);
	return true;
}

static bool setcc(DagFunc *f, u32 node)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	DagVal  a = dag_operand(d, dag_at(d, node), 0), b = dag_operand(d, dag_at(d, node), 1);
	u32     cc = (u32)dag_of(d, dag_operand(d, dag_at(d, node), 2))->k[0];
	DagVt   vt = dag_vt(d, a);
	PtxOpc  o = {.op = ISA_setp};
	if (vt_is_vec(vt) || cc == IRP_FALSE || cc == IRP_TRUE)
		return false;
	o.slot[SLOT_cmp] = cmp_of[cc].cmp;
	if (vt_is_fp(vt)) {
		o.slot[SLOT_type] = (u8)(vt == VT_F64   ? TOK_type_f64
		                         : vt == VT_F32 ? TOK_type_f32
		                         : vt == VT_F16 ? TOK_type_f16
		                                        : TOK_type_bf16);
		if (dag_wants_ftz(f, vt))
			o.slot[SLOT_ftz] = TOK_ftz_ftz;
	} else if (vt == VT_I1) {
		return false;
	} else {
		IsaKind k = cmp_of[cc].is_unsigned ? ISA_KIND_UINT : ISA_KIND_SINT;
		/* Of 16 bits, ptxas extends the operands of s16 and u16, which equality does not need. llc-22 writes .b32 and .b64,
		 * too, of which ptxas makes 0.2 % more instructions over the kernels of the corpus. */
		if (vt_bits(vt) == 16 && (cc == IRP_I_EQ || cc == IRP_I_NE))
			k = ISA_KIND_BITS;
		o.slot[SLOT_type] = (u8)isa_type_of(k, vt_bits(vt));
	}
	DagVal ops[2];
	bool   half = vt_is_half(vt);
	ops[0] = half ? a : dag_operand_of(d, a);
	ops[1] = half ? b : dag_operand_of(d, b);
	/* At most one of them is an immediate. */
	if (ops[1].n != b.n && ops[0].n != a.n)
		ops[0] = a;
	(void)n;
	dag_become(f, node, dag_desc(f, o), ops, 2, 0);
	return true;
}

/* ---- conversions between integers and floats, and between floats */

static u32 fp_token(DagVt vt)
{
	return vt == VT_F64 ? TOK_type_f64 : vt == VT_F32 ? TOK_type_f32 : vt == VT_F16 ? TOK_type_f16 : TOK_type_bf16;
}

static bool convert(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         a = dag_operand(d, n, 0);
	DagVt          vt = n->vt[0], from = dag_vt(d, a);
	PtxOpc         o = {.op = ISA_cvt};
	if (vt_is_vec(vt) || vt_is_vec(from))
		return false;
	switch (n->opcode) {
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP:
		o.slot[SLOT_rnd] = TOK_rnd_rn;
		o.slot[SLOT_type] = (u8)fp_token(vt);
		o.slot[SLOT_stype] = (u8)isa_type_of(n->opcode == DAG_SINT_TO_FP ? ISA_KIND_SINT : ISA_KIND_UINT, vt_bits(from));
		break;
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
		o.slot[SLOT_rnd] = TOK_rnd_rzi;
		o.slot[SLOT_type] = (u8)isa_type_of(n->opcode == DAG_FP_TO_SINT ? ISA_KIND_SINT : ISA_KIND_UINT, vt_bits(vt));
		o.slot[SLOT_stype] = (u8)fp_token(from);
		break;
	case DAG_FP_ROUND:
		o.slot[SLOT_rnd] = TOK_rnd_rn;
		o.slot[SLOT_type] = (u8)fp_token(vt);
		o.slot[SLOT_stype] = (u8)fp_token(from);
		if (f->fp.ftz && from == VT_F64 && vt == VT_F32)
			o.slot[SLOT_ftz] = TOK_ftz_ftz;
		break;
	default:
		o.slot[SLOT_type] = (u8)fp_token(vt);
		o.slot[SLOT_stype] = (u8)fp_token(from);
		break;
	}
	if (f->fp.ftz && (from == VT_F32 || (vt == VT_F32 && vt_is_half(from) && n->opcode == DAG_FP_EXTEND)) &&
	    n->opcode != DAG_FP_ROUND)
		o.slot[SLOT_ftz] = TOK_ftz_ftz;
	if (from == VT_BF16 && !isa_has(f->s, o)) /* before sm_90 */
		o.slot[SLOT_ftz] = 0;
	dag_become(f, node, dag_desc(f, o), &a, 1, 0);
	return true;
}

/* ---- vectors in one register */

/* The word whose upper half `v` is; none: it is no such. */
static DagVal word_of_upper_half(const Dag *d, DagVal v)
{
	u64 k;
	if (dag_op(d, v) == DAG_BITCAST)
		v = dag_arg(d, v, 0);
	if (dag_op(d, v) == DAG_EXTRACT_ELEMENT && dag_as_const(d, dag_arg(d, v, 1), &k) && k == 1 &&
	    dag_vt(d, dag_arg(d, v, 0)) == VT_I32)
		return dag_arg(d, v, 0);
	if (dag_op(d, v) == DAG_TRUNCATE && dag_op(d, v = dag_arg(d, v, 0)) == DAG_SRL && dag_vt(d, v) == VT_I32 &&
	    dag_as_const(d, dag_arg(d, v, 1), &k) && k == 16)
		return dag_arg(d, v, 0);
	return DAG_NONE;
}

bool dag_packed_constant(const Dag *d, DagVal v, u64 *bits)
{
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_BITCAST)
		n = dag_of(d, dag_operand(d, n, 0));
	if (n->opcode != DAG_BUILD_VECTOR || vt_size(n->vt[0]) != 32 || vt_bits(n->vt[0]) != 16)
		return false;
	*bits = 0;
	for (u32 i = 0; i < 2; i++) {
		DagVal e = dag_operand(d, n, i);
		u64    b = 0;
		if (!dag_as_const(d, e, &b) && !dag_as_fp(d, e, &b) && !dag_is_undef(d, e))
			return false;
		*bits |= (b & 0xFFFF) << i * 16;
	}
	return true;
}

static bool build_vector(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVt          vt = n->vt[0];
	u64            bits;
	if (vt_size(vt) != 32 || vt_bits(vt) != 16)
		return false;
	DagVal e[] = {dag_operand(d, n, 0), dag_operand(d, n, 1)};
	if (dag_packed_constant(d, dag_res(node, 0), &bits)) {
		DagVal k = dag_tconst(d, VT_I32, bits);
		dag_become(f, node, dag_desc(f, ptx_opc(mov, TY(b32))), &k, 1, 0);
		return true;
	}
	DagVal lo = word_of_upper_half(d, e[0]), hi = word_of_upper_half(d, e[1]);
	if (dag_is(lo) && dag_is(hi) && !dag_same(lo, hi)) {
		DagVal ops[] = {lo, hi, dag_tconst(d, VT_I32, 0x7632)};
		dag_become(f, node, dag_desc(f, ptx_opc(prmt, TY(b32))), ops, 3, 0);
		return true;
	}
	dag_become(f, node, dag_desc(f, ptx_opc(mov_pack, PS(vec, v2), TY(b32))), e, 2, 0);
	return true;
}

/* mov.b32 {lo, hi}, a: one instruction for both elements. */
static bool extract_element(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         v = dag_operand(d, n, 0);
	DagVt          vt = dag_vt(d, v), e = n->vt[0];
	u64            i;
	if (vt_size(vt) != 32 || vt_bits(vt) != 16 || !dag_as_const(d, dag_operand(d, n, 1), &i))
		return false;
	DagNode like = {.opcode = DAG_MACHINE, .desc = dag_desc(f, ptx_opc(mov_unpack, PS(vec, v2), TY(b32)))};
	d->order = n->order;
	d->origin = n->origin;
	DagVal u = dag_node_like(d, &like, (DagVt[]){e, e}, 2, &v, 1);
	dag_replace(d, dag_res(node, 0), dag_res(u.n, (u32)i & 1));
	return true;
}

/* The integer of two registers: mov.b64 {lo, hi}. */
static bool build_pair(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         e[] = {dag_operand(d, n, 0), dag_operand(d, n, 1)};
	DagVt          vt = n->vt[0];
	if (vt != VT_I64 && vt != VT_I32)
		return false;
	PtxOpc o = ptx_opc(mov_pack, PS(vec, v2));
	o.slot[SLOT_type] = vt == VT_I64 ? TOK_type_b64 : TOK_type_b32;
	dag_become(f, node, dag_desc(f, o), e, 2, 0);
	return true;
}

static bool extract_half(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         v = dag_operand(d, n, 0);
	DagVt          vt = dag_vt(d, v), e = n->vt[0];
	u64            i;
	if (vt_size(vt) != 2 * vt_size(e) || !dag_as_const(d, dag_operand(d, n, 1), &i))
		return false;
	PtxOpc o = ptx_opc(mov_unpack, PS(vec, v2));
	o.slot[SLOT_type] = vt == VT_I64 ? TOK_type_b64 : TOK_type_b32;
	DagNode like = {.opcode = DAG_MACHINE, .desc = dag_desc(f, o)};
	d->order = n->order;
	d->origin = n->origin;
	DagVal u = dag_node_like(d, &like, (DagVt[]){e, e}, 2, &v, 1);
	dag_replace(d, dag_res(node, 0), dag_res(u.n, (u32)i & 1));
	return true;
}

/* A cast between what PTX keeps in the same registers: the operand. */
static bool same_register(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	DagVal         a = dag_operand(d, n, 0);
	if (n->opcode == DAG_BITCAST && !isa_alike(dag_class_of(n->vt[0]), dag_class_of(dag_vt(d, a))))
		return false;
	dag_replace(d, dag_res(node, 0), a);
	return true;
}

static void unselected(DagFunc *f, u32 node)
{
	Dag           *d = &f->dag;
	const DagNode *n = dag_at(d, node);
	Text           t;
	text_init(&t, f->arena);
	text_f(&t, "%s of type ", dag_op_info[n->opcode].name);
	vt_print(&t, dag_n_results(n) ? dag_result_vt(d, n, 0) : VT_NONE);
	if (dag_n_ops(n)) {
		text_s(&t, " from ");
		vt_print(&t, dag_vt(d, dag_operand(d, n, 0)));
	}
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_CANNOT_SELECT_NODE, (SrcRange){n->origin, 0, n->origin, 0}, STR_ARG(f->name),
		            STR_ARG(text_str(&t)));
	f->failed = true;
}

static bool select_node(DagFunc *f, u32 node)
{
	const DagNode *n = dag_at(&f->dag, node);
	switch ((DagOp)n->opcode) {
	case DAG_Constant:
	case DAG_ConstantFP: constant(f, node); return true;
	case DAG_GlobalAddress: address(f, node, DAG_TargetGlobalAddress); return true;
	case DAG_ExternalSymbol: address(f, node, DAG_TargetExternalSymbol); return true;
	case DAG_FrameIndex: address(f, node, DAG_TargetFrameIndex); return true;
	case DAG_UNDEF:
	case DAG_POISON: undef(f, node); return true;
	case DAG_SETCC: return setcc(f, node);
	case DAG_SETP2: return setcc_packed(f, node);
	case DAG_SINT_TO_FP:
	case DAG_UINT_TO_FP:
	case DAG_FP_TO_SINT:
	case DAG_FP_TO_UINT:
	case DAG_FP_ROUND:
	case DAG_FP_EXTEND: return convert(f, node);
	case DAG_BUILD_VECTOR: return dag_match(f, node) || build_vector(f, node);
	case DAG_EXTRACT_VECTOR_ELT: return extract_element(f, node);
	case DAG_BUILD_PAIR: return build_pair(f, node);
	case DAG_EXTRACT_ELEMENT: return extract_half(f, node);
	case DAG_BITCAST: return same_register(f, node) || dag_match(f, node);
	case DAG_FREEZE:
	case DAG_ASSERT_SEXT:
	case DAG_ASSERT_ZEXT: return same_register(f, node);
	default: return dag_select_memory(f, node) || dag_select_control(f, node) || dag_match(f, node);
	}
}

static bool stays(const DagNode *n)
{
	switch (n->opcode) {
	case DAG_DELETED:
	case DAG_CopyToReg:
	case DAG_CopyFromReg:
	case DAG_TokenFactor:
	case DAG_INLINEASM:
	case DAG_EH_LABEL:
	case DAG_LIFETIME:
	case DAG_PSEUDO_PROBE:
	case DAG_IMPLICIT_DEF:
	case DAG_MACHINE: return true;
	default: return dag_is_passive(n);
	}
}

void dag_select(DagFunc *f)
{
	Dag   *d = &f->dag;
	VecU32 order = {0};
	dag_topological(d, &f->scratch, &order);
	for (u32 i = order.n; i-- > 0;) {
		u32      node = order.p[i];
		DagNode *n = dag_at(d, node);
		if (stays(n))
			continue;
		if (n->use_count == 0 && node != d->root.n) {
			dag_drop(d, node);
			continue;
		}
		if (!select_node(f, node)) {
			unselected(f, node);
			return;
		}
	}
	/* Constants that selection needs in registers. */
	for (u32 n = 1; n < d->n_nodes; n++) {
		DagNode *x = dag_at(d, n);
		if (!stays(x) && (x->use_count || n == d->root.n) && !select_node(f, n)) {
			unselected(f, n);
			return;
		}
	}
	dag_sweep(d);
}
