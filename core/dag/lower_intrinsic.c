/* lower_intrinsic.c: calls of llvm.*, as the lowering column of ir/intrinsics.def says. */
#include "dag/lower_named.h"
#include "dag/lower_row.h"
#include "dag/lower_target.h"
#include "dag/select.h"
#include "ir/intrinsic.h"
#include "ir/signature.h"
#include "isa/isa.h"
#include "sem/float.h"
#include "sem/int.h"

typedef DagIntrinsicRow Row;

/* ---- handlers ---- */

static DagVal arg(DagFunc *f, IrRef inst, u32 i) { return dag_value(f, ir_call_arg(f->m, inst, i)); }

/* Reported, where the target does not have the instruction. */
static bool lacks(DagFunc *f, IrRef inst, PtxOpc o)
{
	return dag_lacks(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst), isa_intern(f->s, o));
}

static bool intrinsic_unsupported(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	dag_unsupported(f, inst, "this intrinsic");
	return true;
}

static bool intrinsic_first_argument(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	u32     n, at = dag_values(f, ir_call_arg(f->m, inst, 0), &n);
	DagVal *v = arena_array(f->arena, DagVal, n + 1);
	memcpy(v, f->pool.p + at, n * sizeof *v);
	dag_set_values(f, inst, v, n);
	return true;
}

/* The size is not known here: -1, or 0 where the caller asks for a lower bound. */
static bool intrinsic_objectsize(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	u64 least = 0;
	ir_as_int(f->m, ir_call_arg(f->m, inst, 1), &least);
	dag_set_value(f, inst, dag_const(&f->dag, dag_vt_of(f, ir_inst(f->m, inst)->type), least ? 0 : ~(u64)0));
	return true;
}

static bool intrinsic_to_int_sat(DagFunc *f, IrRef inst, const Row *row)
{
	DagVt  vt = dag_vt_of(f, ir_inst(f->m, inst)->type);
	DagVal a = arg(f, inst, 0);
	dag_set_value(f, inst, dag_2(&f->dag, (DagOp)row->op, vt, a, dag_vtype(&f->dag, vt_elem(vt))));
	return true;
}

/* fmuladd: one fma where contraction is allowed, which it is at -O1 and above. */
static bool intrinsic_fmuladd(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal a = arg(f, inst, 0), b = arg(f, inst, 1), c = arg(f, inst, 2);
	DagVt  vt = dag_vt(d, a);
	dag_set_value(f, inst, dag_flagged(d, DAG_FMA, vt, (DagVal[]){a, b, c}, 3, dag_flags_of(f, inst)));
	return true;
}

static bool intrinsic_copy_or_fill(DagFunc *f, IrRef inst, const Row *row)
{
	dag_lower_memory_copy(f, inst, row->op);
	return true;
}

/* Others are branches around stores by now. */
static bool intrinsic_masked_store(DagFunc *f, IrRef inst, const Row *row)
{
	if (!ir_is_store_with_gaps(f->m, inst))
		return intrinsic_unsupported(f, inst, row);
	dag_lower_store_with_gaps(f, inst);
	return true;
}

/* Loops of atomic accesses by now, where there are any of that size. */
static bool intrinsic_copy_elements(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	dag_unsupported(f, inst, "an atomic copy of elements of more than 8 bytes");
	return true;
}

static DagVal chained(DagFunc *f, const DagNode *like, DagVt vt, const DagVal *args, u32 n)
{
	Dag   *d = &f->dag;
	DagVal ops[8];
	DagVt  vts[2];
	u32    k = 0;
	ops[0] = dag_root(f);
	for (u32 i = 0; i < n; i++)
		ops[i + 1] = args[i];
	if (vt != VT_NONE)
		vts[k++] = vt;
	vts[k++] = VT_CHAIN;
	DagVal v = dag_node_like(d, like, vts, k, ops, n + 1);
	d->root = dag_res(v.n, k - 1);
	return v;
}

static bool control(DagFunc *f, DagOp op)
{
	DagNode like = {.opcode = (u16)op, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	chained(f, &like, VT_NONE, NULL, 0);
	return true;
}

static bool intrinsic_trap(DagFunc *f, IrRef inst, const Row *row)
{
	(void)inst;
	return control(f, (DagOp)row->op);
}
/* Where code follows, exit is inline PTX: as an instruction it would end the block before the copies to registers. */
static bool intrinsic_exit(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	Dag *d = &f->dag;
	if (ir_inst(f->m, ir_inst(f->m, inst)->next)->op == IR_UNREACHABLE)
		return control(f, DAG_EXIT);
	DagVal  ops[] = {dag_root(f), dag_text(d, strtab_add(&f->s->strs, STR("exit;")))};
	DagNode like = {.opcode = DAG_INLINEASM, .k = {true, 0}, .props = DP_NO_CSE | DP_SIDE_EFFECT | DP_CONVERGENT};
	d->root = dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, 2);
	return true;
}

static bool intrinsic_lifetime(DagFunc *f, IrRef inst, const Row *row) { return dag_lower_lifetime(f, inst, row->op); }

static bool intrinsic_stacksave(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	DagNode like = {.opcode = DAG_STACKSAVE, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	dag_set_value(f, inst, chained(f, &like, f->ptr, NULL, 0));
	return true;
}
static bool intrinsic_stackrestore(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	DagNode like = {.opcode = DAG_STACKRESTORE, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	DagVal  p = arg(f, inst, 0);
	chained(f, &like, VT_NONE, &p, 1);
	return true;
}

static bool intrinsic_ptrmask(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	DagVal p = arg(f, inst, 0), m = arg(f, inst, 1);
	DagVt  vt = dag_vt(&f->dag, p);
	dag_set_value(f, inst, dag_2(&f->dag, DAG_AND, vt, p, dag_zext_or_trunc(&f->dag, m, vt)));
	return true;
}

static PtxOpc register_read_opc(u32 sreg, DagVt vt)
{
	const IsaSregRow *r = isa_sreg(sreg);
	PtxOpc            o = {.op = ISA_sreg};
	o.slot[SLOT_type] = r->type == TOK_type_u64 && vt == VT_I32 ? TOK_type_u32 : r->type; /* %gridid was 32 bits wide once */
	o.slot[SLOT_sreg] = (u8)sreg;
	return o;
}

static DagVal special_register(DagFunc *f, u32 sreg, DagVt vt)
{
	Dag              *d = &f->dag;
	const IsaSregRow *r = isa_sreg(sreg);
	DagNode           like = {.opcode = DAG_MACHINE, .desc = isa_intern(f->s, register_read_opc(sreg, vt))};
	if (r->divergence != DIV_VOLATILE) {
		DagVal v = dag_node_like(d, &like, &vt, 1, NULL, 0);
		return r->least <= r->most ? dag_assert_at_most(d, v, r->most) : v;
	}
	like.props = DP_SIDE_EFFECT | DP_NO_CSE;
	return chained(f, &like, vt, NULL, 0);
}

static bool register_read(DagFunc *f, IrRef inst, u32 sreg)
{
	if (!sreg)
		return false;
	DagVt vt = dag_vt_of(f, ir_inst(f->m, inst)->type);
	if (lacks(f, inst, register_read_opc(sreg, vt)))
		return true;
	dag_set_value(f, inst, special_register(f, sreg, vt));
	return true;
}

/* The register of the row, or else the one that the name ends with. */
static bool intrinsic_register(DagFunc *f, IrRef inst, const Row *row)
{
	return register_read(f, inst, row->op ? row->op : ir_call_detail(f->m, inst));
}

/* 32 bits of a:b shifted by c, 32 at most. */
static bool intrinsic_funnel_clamped(DagFunc *f, IrRef inst, const Row *row)
{
	Dag   *d = &f->dag;
	bool   left = row->op == DAG_FSHL;
	DagVal hi = arg(f, inst, 0), lo = arg(f, inst, 1), c = arg(f, inst, 2);
	PtxOpc shf = left ? ptx_opc(shf, PS(op, l), PS(mode, clamp), TY(b32)) : ptx_opc(shf, PS(op, r), PS(mode, clamp), TY(b32));
	if (dag_vt(d, c) != VT_I32)
		return intrinsic_unsupported(f, inst, row);
	if (isa_has(f->s, shf)) {
		DagNode like = {.opcode = DAG_MACHINE, .desc = isa_intern(f->s, shf)};
		dag_set_value(f, inst,
		              dag_node_like(d, &like, (DagVt[]){VT_I32}, 1, (DagVal[]){lo, hi, dag_operand_of(d, c)}, 3));
		return true;
	}
	DagVal wide = dag_2(d, DAG_BUILD_PAIR, VT_I64, lo, hi), n = dag_2(d, DAG_UMIN, VT_I32, c, dag_const(d, VT_I32, 32));
	DagVal r = dag_2(d, left ? DAG_SHL : DAG_SRL, VT_I64, wide, n);
	dag_set_value(f, inst, dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, r, dag_const(d, VT_I32, left)));
	return true;
}

static bool intrinsic_half_of_double(DagFunc *f, IrRef inst, const Row *row)
{
	Dag   *d = &f->dag;
	DagVal x = dag_1(d, DAG_BITCAST, VT_I64, arg(f, inst, 0));
	dag_set_value(f, inst, dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, x, dag_const(d, VT_I32, row->op)));
	return true;
}

static bool intrinsic_double_of_halves(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal p = dag_2(d, DAG_BUILD_PAIR, VT_I64, arg(f, inst, 0), arg(f, inst, 1));
	dag_set_value(f, inst, dag_1(d, DAG_BITCAST, VT_F64, p));
	return true;
}

/* Bits of a half in an i16, and back. */
static bool intrinsic_from_half(DagFunc *f, IrRef inst, const Row *row)
{
	Dag *d = &f->dag;
	if (ir_type_is_vector(f->m, ir_inst(f->m, inst)->type))
		return intrinsic_unsupported(f, inst, row);
	DagVal h = dag_1(d, DAG_BITCAST, VT_F16, arg(f, inst, 0));
	dag_set_value(f, inst, dag_1(d, DAG_FP_EXTEND, dag_vt_of(f, ir_inst(f->m, inst)->type), h));
	return true;
}
static bool intrinsic_to_half(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal h = dag_1(d, DAG_FP_ROUND, VT_F16, arg(f, inst, 0));
	dag_set_value(f, inst, dag_1(d, DAG_BITCAST, VT_I16, h));
	return true;
}

/* mapa, getctarank: addresses as wide as pointers to their space are. */
static bool intrinsic_cluster_address(DagFunc *f, IrRef inst, const Row *row)
{
	Dag   *d = &f->dag;
	u32    op = row->op & ~(u32)CLUSTER_SHARED;
	bool   map = op == ISA_mapa;
	DagVal ops[] = {arg(f, inst, 0), map ? arg(f, inst, 1) : (DagVal){0}};
	DagVt  address = dag_vt(d, ops[0]);
	PtxOpc o = {.op = (u16)op};
	o.slot[SLOT_space] = row->op & CLUSTER_SHARED ? TOK_space_shared_cluster : 0;
	o.slot[SLOT_type] = vt_bits(address) == 64 ? TOK_type_u64 : TOK_type_u32;
	DagNode like = {.opcode = DAG_MACHINE, .desc = isa_intern(f->s, o)};
	if (lacks(f, inst, o))
		return true;
	if (map)
		ops[1] = dag_operand_of(d, ops[1]);
	dag_set_value(f, inst, dag_node_like(d, &like, map ? &address : (DagVt[]){VT_I32}, 1, ops, 1 + map));
	return true;
}

/* ---- memory */

static u32 space_of(DagFunc *f, IrRef p) { return ir_type(f->m, ir_type_of(f->m, p))->bits; }

static bool intrinsic_cached_load(DagFunc *f, IrRef inst, const Row *row)
{
	Dag  *d = &f->dag;
	IrRef ptr = ir_call_arg(f->m, inst, 0);
	DagVt vt = dag_vt_of(f, ir_inst(f->m, inst)->type);
	u64   align = 0;
	if (!ir_as_int(f->m, ir_call_arg(f->m, inst, 1), &align) || !align)
		align = vt_size(vt) / 8;
	DagMem m = {.vt = vt, .nc = (u8)row->op};
	m.mem = (MirMem){.size = (vt_size(vt) + 7) / 8,
	                 .value = ptr.i,
	                 .space = 1,
	                 .align_log2 = (u8)u64_log2(PS_MAX(align, 1u)),
	                 .flags = MMF_LOAD | MMF_INVARIANT};
	dag_set_value(f, inst, dag_load(d, vt, d->entry, arg(f, inst, 0), m));
	return true;
}
/* The names of these intrinsics admit pointer types of other widths than the spaces have. */
static bool widths_differ(DagFunc *f, IrRef inst)
{
	dag_not_in_ptx(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst),
	               "pointers to these spaces are not as wide as those it is about");
	return true;
}

/* move.ptr between two spaces whose pointers are as wide. */
static bool intrinsic_move_pointer(DagFunc *f, IrRef inst, const Row *row)
{
	DagVt result = dag_vt_of(f, ir_inst(f->m, inst)->type);
	return dag_vt(&f->dag, arg(f, inst, 0)) == result ? intrinsic_first_argument(f, inst, row) : widths_differ(f, inst);
}

static DagVal atomic(DagFunc *f, IrRef inst, u32 op)
{
	Dag   *d = &f->dag;
	IrRef  ptr = ir_call_arg(f->m, inst, 0);
	DagVal p = arg(f, inst, 0), a = arg(f, inst, 1);
	DagVt  vt = dag_vt(d, a);
	DagMem m = {.vt = vt};
	bool   cas = op == IRRMW_COUNT;
	u32    space = space_of(f, ptr), bits = vt_bits(vt);
	bool   word = bits == 32 || (bits == 64 && op != IRRMW_UINC_WRAP && op != IRRMW_UDEC_WRAP) ||
	            (vt_is_half(vt) && op == IRRMW_FADD);
	if ((space != 0 && space != 1 && space != 3) || !word || vt_is_vec(vt)) {
		dag_unsupported(f, inst, "this type or address space of an atomic intrinsic");
		return dag_undef(d, vt);
	}
	u32 token = ir_call_detail(f->m, inst);
	if (lacks(f, inst, dag_atomic_opc(op, vt, token)))
		return dag_undef(d, vt);
	m.mem = (MirMem){.size = vt_size(vt) / 8,
	                 .value = ptr.i,
	                 .space = (u16)space_of(f, ptr),
	                 .flags = MMF_LOAD | MMF_STORE,
	                 .align_log2 = (u8)u64_log2(PS_MAX(vt_size(vt) / 8, 1u))};
	DagNode like = {.opcode = cas ? DAG_ATOMIC_CMPXCHG : DAG_ATOMIC_RMW,
	                .props = DP_SIDE_EFFECT | DP_NO_CSE,
	                .mem = dag_mem_new(d, m)};
	like.k[0] = cas ? 0 : op;
	like.k[1] = token;
	DagVal ops[3] = {p, a};
	if (cas)
		ops[2] = arg(f, inst, 2);
	return chained(f, &like, vt, ops, cas ? 3 : 2);
}

static bool intrinsic_atomic(DagFunc *f, IrRef inst, const Row *row)
{
	dag_set_value(f, inst, atomic(f, inst, row->op));
	return true;
}

static bool intrinsic_texsurf_handle(DagFunc *f, IrRef inst, const Row *row)
{
	(void)row;
	u32    n = ir_call(f->m, inst)->n_args;
	IrRef  g = ir_call_arg(f->m, inst, n - 1);
	Dag   *d = &f->dag;
	DagVal v = dag_value(f, g);
	if (f->ptr == VT_I64 && dag_op(d, v) == DAG_GlobalAddress) { /* ptxas takes a handle by mov.b64 for a number */
		DagNode like = {.opcode = DAG_MACHINE, .desc = dag_desc(f, ptx_opc(mov, TY(u64)))};
		DagVt   vt = VT_I64;
		DagVal  symbol = dag_global(d, DAG_TargetGlobalAddress, vt, (IrRef){(u32)dag_of(d, v)->k[0]}, 0);
		v = dag_node_like(d, &like, &vt, 1, &symbol, 1);
	}
	dag_set_value(f, inst, dag_zext_or_trunc(d, v, VT_I64));
	return true;
}

/* Is the magnitude from `from` to `to`? */
static DagVal magnitude_in(Dag *d, DagVal mag, u64 from, u64 to, u64 most)
{
	DagVt it = dag_vt(d, mag);
	if (from == to)
		return dag_setcc(d, mag, dag_const(d, it, from), IRP_I_EQ);
	if (from == 0)
		return to == most ? dag_const(d, VT_I1, 1) : dag_setcc(d, mag, dag_const(d, it, to), IRP_I_ULE);
	if (to == most)
		return dag_setcc(d, mag, dag_const(d, it, from), IRP_I_UGE);
	DagVal off = dag_2(d, DAG_SUB, it, mag, dag_const(d, it, from));
	return dag_setcc(d, off, dag_const(d, it, to - from), IRP_I_ULE);
}

/* The same of a float, both signs: a comparison takes its magnitude without an instruction. none: bits are as good. */
static DagVal float_in(DagFunc *f, DagVal a, u64 from, u64 to, u64 least, u64 inf)
{
	Dag   *d = &f->dag;
	DagVt  vt = dag_vt(d, a);
	DagVal mag = dag_1(d, DAG_FABS, vt, a), top = dag_fp(d, vt, inf);
	if (vt_is_half(vt) && !(vt == VT_F16 ? dag_has_f16_math(f) : dag_has_bf16_math(f)))
		return DAG_NONE;
	if (from == 0 && to == 0)
		return f->fp.ftz ? DAG_NONE : dag_setcc(d, a, dag_fp(d, vt, 0), IRP_OEQ);
	if (from == inf && to == inf)
		return dag_setcc(d, mag, top, IRP_OEQ);
	if (from == 0 && (to == inf - 1 || to == least - 1))
		return dag_setcc(d, mag, dag_fp(d, vt, to + 1), IRP_OLT);
	return DAG_NONE;
}

/* llvm.is.fpclass: comparisons of the bits, one for each run of classes asked for; NaNs are not equal to themselves. */
static void fpclass_lane(DagFunc *f, IrRef inst, const Row *row, const DagVal *args, DagVal *out)
{
	(void)row;
	Dag   *d = &f->dag;
	DagVal a = args[0];
	DagVt  vt = dag_vt(d, a), it = vt_as_int(vt);
	u64    mask = 0;
	ir_as_int(f->m, ir_call_arg(f->m, inst, 1), &mask);
	SemFmt fmt = dag_sem_fmt(vt);
	u64    sign = sem_fsign_bit(fmt), inf = sem_inf(fmt, false), quiet = sem_fquiet_bit(fmt), least = 2 * quiet;
	DagVal x = dag_1(d, DAG_BITCAST, it, a), mag = dag_2(d, DAG_AND, it, x, dag_const(d, it, sign - 1));
	DagVal neg = dag_setcc(d, x, dag_const(d, it, 0), IRP_I_SLT), r = dag_const(d, VT_I1, 0);
	/* Classes by rising magnitude, [from, to]; bit of the negative, bit of the positive; NaNs have no sign. */
	const struct {
		u64 from, to;
		u32 neg_bit, pos_bit;
	} classes[] = {{0, 0, 5, 6},
	               {1, least - 1, 4, 7},
	               {least, inf - 1, 3, 8},
	               {inf, inf, 2, 9},
	               {inf + 1, inf + quiet - 1, 0, 0},
	               {inf + quiet, sign - 1, 1, 1}};
	for (u32 i = 0; i < PS_COUNT(classes); i++) {
		bool n = mask >> classes[i].neg_bit & 1, p = mask >> classes[i].pos_bit & 1;
		u64  from = classes[i].from;
		if (!n && !p)
			continue;
		while (i + 1 < PS_COUNT(classes) && n == (mask >> classes[i + 1].neg_bit & 1) &&
		       p == (mask >> classes[i + 1].pos_bit & 1))
			i++;
		u64    to = classes[i].to;
		DagVal both = n && p ? float_in(f, a, from, to, least, inf) : DAG_NONE;
		if (dag_is(both)) {
			r = dag_2(d, DAG_OR, VT_I1, r, both);
			continue;
		}
		if (from == to && !(n && p)) { /* one number */
			r = dag_2(d, DAG_OR, VT_I1, r, dag_setcc(d, x, dag_const(d, it, n ? from | sign : from), IRP_I_EQ));
			continue;
		}
		DagVal in = from == inf + 1 && to == sign - 1  ? dag_setcc(d, a, a, IRP_UNO)
		            : from == 0 && to == inf && n && p ? dag_setcc(d, a, a, IRP_ORD)
		                                               : magnitude_in(d, mag, from, to, sign - 1);
		if (!n || !p)
			in = dag_2(d, DAG_AND, VT_I1, in, n ? neg : dag_not(d, neg));
		r = dag_2(d, DAG_OR, VT_I1, r, in);
	}
	out[0] = r;
}

static bool intrinsic_fpclass(DagFunc *f, IrRef inst, const Row *row)
{
	u64 mask;
	if (!ir_as_int(f->m, ir_call_arg(f->m, inst, 1), &mask))
		return intrinsic_unsupported(f, inst, row);
	return dag_by_lanes(f, inst, row, 1, 1, fpclass_lane);
}

/* ---- the table ---- */

typedef bool Code(DagFunc *f, IrRef inst, const Row *row);

static Code *const codes[] = {
#define IR_FUNCTION(id) intrinsic_##id,
#include "ir/intrinsics.def"
};

#define ROW_OF_NODE(op)                      DAG_##op, DAG_ROW_NODE, 0, 0, 0
#define ROW_OF_INSN(text)                    0, DAG_ROW_INSN, 0, 0, 0
#define ROW_OF_INSN_ID(id, text)             0, DAG_ROW_INSN, 0, 0, 0
#define ROW_OF_FORM(text)                    0, DAG_ROW_FORM, 0, 0, 0
#define ROW_OF_FORM_FROM(sm, ptx, text)      0, DAG_ROW_FORM, 0, sm, ptx
#define ROW_OF_CODE(function, what)          what, DAG_ROW_CODE, FUNC_##function, 0, 0
#define ROW_OF_LIBM(name, node, how, factor) DAG_##node, DAG_ROW_LIBM, 0, 0, 0
#define ROW_OF_VP(kind, op)                  0, DAG_ROW_NONE, 0, 0, 0
#define ROW_OF_NOTHING                       0, DAG_ROW_NOTHING, 0, 0, 0
#define ROW_OF_NONE                          0, DAG_ROW_NONE, 0, 0, 0

static const struct {
	u16 op; /* of a node; what, of code */
	u8  kind, function, sm, ptx;
} rows[] = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) {ROW_OF_##lowering},
#include "ir/intrinsics.def"
};

DagIntrinsicRow dag_intrinsic_at(u32 number)
{
	if (!number)
		return (Row){.text = "", .kind = DAG_ROW_NONE};
	u32 i = number - 1;
	return (Row){.text = ir_intrinsic_insn(number),
	             .number = number,
	             .op = rows[i].op,
	             .kind = rows[i].kind,
	             .function = rows[i].function,
	             .sm = rows[i].sm,
	             .ptx = rows[i].ptx};
}

static void make_node(DagFunc *f, IrRef inst, const Row *row)
{
	DagVt  vt = dag_vt_of(f, ir_inst(f->m, inst)->type);
	u32    n = ir_call(f->m, inst)->n_args, used = 0;
	DagVal ops[4];
	/* The second argument of abs, ctlz and cttz only says what is poison. */
	bool one = row->op == DAG_ABS || row->op == DAG_CTLZ || row->op == DAG_CTTZ;
	for (u32 i = 0; i < n && i < 4 && !(one && i); i++) {
		/* Metadata of constrained operations: rounding to nearest, no exceptions. */
		if (ir_type_kind(f->m, ir_type_of(f->m, ir_call_arg(f->m, inst, i))) == IRT_METADATA)
			break;
		ops[used++] = arg(f, inst, i);
	}
	if (row->op == DAG_FSHL || row->op == DAG_FSHR || row->op == DAG_SSHLSAT || row->op == DAG_USHLSAT) {
		u32   last = used - 1;
		DagVt of = dag_vt(&f->dag, ops[last]);
		/* Reduce the amount modulo the width before it is truncated. */
		if (row->op == DAG_FSHL || row->op == DAG_FSHR)
			ops[last] = (vt_bits(of) & (vt_bits(of) - 1)) == 0
			                    ? dag_2(&f->dag, DAG_AND, of, ops[last], dag_const(&f->dag, of, vt_bits(of) - 1))
			                    : dag_2(&f->dag, DAG_UREM, of, ops[last], dag_const(&f->dag, of, vt_bits(of)));
		ops[last] = dag_zext_or_trunc(&f->dag, ops[last], vt_with(of, VT_I32));
	}
	dag_set_value(f, inst, dag_flagged(&f->dag, (DagOp)row->op, vt, ops, used, dag_flags_of(f, inst)));
}

/* The opcode of a row that has so many results; 0: PTX has none. An address is two operands. */
static u32 row_desc(DagFunc *f, const Row *row, u32 results)
{
	const char *p = row->text;
	u32         n = 0;
	u64         bases = 0;
	while (*p && *p != ' ')
		p++;
	Str mnemonic = {row->text, (u32)(p - row->text)};
	for (bool begins = true; *p; begins = *p == ' ' || *p == ',', p++) {
		if (*p == '[')
			bases |= (u64)1 << n++;
		n += begins && *p != ' ' && *p != ',';
	}
	return isa_intern_form(f->s, mnemonic, &(IsaShape){results, results + n, bases});
}

static bool is_number(const Dag *d, DagVal v, u64 *bits)
{
	*bits = dag_op(d, v) == DAG_TargetConstant ? (u64)dag_of(d, v)->k[0] : 0;
	return dag_op(d, v) == DAG_TargetConstant || dag_as_const(d, v, bits);
}

bool dag_known_prmt(DagFunc *f, u32 desc, const DagVal *ops, u64 *r)
{
	const Dag *d = &f->dag;
	u64        a, b, selector;
	if (!f->optimize || isa_op(f->s, desc) != ISA_prmt || !is_number(d, ops[0], &a) || !is_number(d, ops[1], &b) ||
	    !is_number(d, ops[2], &selector))
		return false;
	u32 mode = isa_slot(f->s, desc, SLOT_op);
	*r = sem_prmt(a, b, selector, mode ? (SemPrmt)(mode - TOK_op_f4e + SEM_PRMT_F4E) : SEM_PRMT);
	return true;
}

static void make_instruction(DagFunc *f, IrRef inst, const Row *row)
{
	Dag      *d = &f->dag;
	u32       n = ir_call(f->m, inst)->n_args, k = 0;
	DagVal    ops[20];
	DagVt     vts[20];
	DagLeaves l = {0};
	DagNode   like = {.opcode = DAG_INTRINSIC, .aux = row->number};
	bool      convergent = ir_is_convergent(f->m, inst), chains = convergent || ir_call_memory(f->m, inst);
	if (chains) {
		like.props = DP_SIDE_EFFECT | DP_NO_CSE | (convergent ? (u32)DP_CONVERGENT : 0);
		ops[k++] = dag_root(f);
	}
	for (u32 i = 0; i < n && k < PS_COUNT(ops); i++)
		ops[k++] = arg(f, inst, i);
	dag_leaves(f, ir_inst(f->m, inst)->type, &l);
	u32 desc = row_desc(f, row, l.n);
	if (!desc)
		dag_not_in_ptx(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst), NULL);
	if (!desc || dag_lacks(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst), desc))
		return;
	u64 known;
	if (dag_known_prmt(f, desc, ops, &known)) {
		dag_set_value(f, inst, dag_const(d, VT_I32, known));
		return;
	}
	for (u32 i = 0; i < l.n && i < PS_COUNT(vts) - 1; i++)
		vts[i] = l.p[i].vt;
	if (chains)
		vts[l.n] = VT_CHAIN;
	DagVal r = dag_node_like(d, &like, vts, l.n + chains, ops, k);
	if (chains)
		d->root = dag_res(r.n, l.n);
	DagVal *v = arena_array(f->arena, DagVal, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		v[i] = dag_res(r.n, i);
	dag_set_values(f, inst, v, l.n);
}

/* A function of the math library that lower-libm has left: one instruction where an approximation will do. ex2.approx is within 2
 * units in the last place, which is enough for exp2. */
static void library_function(DagFunc *f, IrRef inst, const Row *row)
{
	DagVt vt = vt_elem(dag_vt_of(f, ir_inst(f->m, inst)->type));
	bool  fast = dag_computes_roughly(f, row->op, dag_flags_of(f, inst));
	if (row->op != DAG_DELETED && fast && (vt == VT_F32 || vt_is_half(vt))) {
		make_node(f, inst, row);
		return;
	}
	Str name = dag_intrinsic_name(f, inst);
	u32 line = ir_info(f->m, inst)->origin;
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_NEEDS_LIBRARY, (SrcRange){line, 0, line, 0}, STR_ARG(f->name), STR_ARG(name));
	f->failed = true;
}

bool dag_lower_intrinsic(DagFunc *f, IrRef inst)
{
	Row row = dag_intrinsic_at(ir_call_intrinsic(f->m, inst));
	switch ((DagRowKind)row.kind) {
	case DAG_ROW_NONE: return false;
	case DAG_ROW_NODE: make_node(f, inst, &row); return true;
	case DAG_ROW_INSN: make_instruction(f, inst, &row); return true;
	case DAG_ROW_FORM: dag_lower_form(f, inst, &row); return true;
	case DAG_ROW_LIBM: library_function(f, inst, &row); return true;
	case DAG_ROW_CODE: return codes[row.function](f, inst, &row);
	case DAG_ROW_NOTHING: {
		DagLeaves l = {0};
		dag_leaves(f, ir_inst(f->m, inst)->type, &l);
		DagVal *v = arena_array(f->arena, DagVal, l.n + 1);
		for (u32 i = 0; i < l.n; i++)
			v[i] = dag_undef(&f->dag, l.p[i].vt);
		dag_set_values(f, inst, v, l.n);
		return true;
	}
	}
	return false;
}

bool dag_is_intrinsic(const Dag *d, DagVal v, u32 row)
{
	const DagNode *n = dag_of(d, v);
	return n->opcode == DAG_INTRINSIC && n->aux == row;
}

DagVal dag_pure_intrinsic(Dag *d, u32 row, DagVt vt, const DagVal *ops, u32 n)
{
	DagNode like = {.opcode = DAG_INTRINSIC, .aux = row};
	return dag_node_like(d, &like, &vt, 1, ops, n);
}

/* ---- selection: the text of the row, letters replaced by operands ---- */

/* The half that a float is extended from, or none. */
static DagVal half_of(const Dag *d, DagVal v)
{
	DagVal half = dag_op(d, v) == DAG_FP_EXTEND ? dag_operand(d, dag_of(d, v), 0) : DAG_NONE;
	return half.n && vt_is_half(dag_vt(d, half)) && !vt_is_vec(dag_vt(d, half)) ? half : DAG_NONE;
}

/* add.rz a, -b ─▶ sub.rz a, b, the same for every rounding. */
static u32 difference_form(DagFunc *f, u32 desc, DagVal *ops)
{
	const Dag *d = &f->dag;
	PtxOpc     opc = isa_desc(f->s, desc)->opc;
	u8         type = opc.slot[SLOT_type];
	if (!f->optimize || opc.op != ISA_add || (type != TOK_type_f32 && type != TOK_type_f64))
		return desc;
	u32 negated = dag_op(d, ops[1]) == DAG_FNEG;
	if (dag_op(d, ops[negated]) != DAG_FNEG)
		return desc;
	DagVal a = ops[1 - negated], b = dag_operand(d, dag_of(d, ops[negated]), 0);
	opc.op = ISA_sub;
	ops[0] = a, ops[1] = b;
	return dag_desc(f, opc);
}

u32 dag_mixed_form(DagFunc *f, u32 desc, DagVal *ops)
{
	Dag   *d = &f->dag;
	PtxOpc from = isa_desc(f->s, desc)->opc, to = {0};
	bool   sum = from.op == ISA_add, fma = from.op == ISA_fma;
	to.op = sum ? ISA_add_mixed : from.op == ISA_sub ? ISA_sub_mixed : fma ? ISA_fma_mixed : 0;
	if (!to.op || from.slot[SLOT_type] != TOK_type_f32 || from.slot[SLOT_ftz] || from.slot[SLOT_flag])
		return difference_form(f, desc, ops);
	DagVal a = half_of(d, ops[0]), b = half_of(d, ops[1]);
	bool   crossed = sum && !a.n;
	if (crossed)
		a = b, b = ops[0];
	else if (!fma)
		b = ops[1];
	if (sum && a.n && dag_op(d, b) == DAG_FNEG)
		to.op = ISA_sub_mixed, b = dag_operand(d, dag_of(d, b), 0);
	if (!a.n || !b.n || (fma ? dag_vt(d, a) != dag_vt(d, b) : dag_op(d, b) == DAG_TargetConstantFP))
		return difference_form(f, desc, ops);
	to.slot[SLOT_rnd] = from.slot[SLOT_rnd];
	to.slot[SLOT_sat] = from.slot[SLOT_sat];
	to.slot[SLOT_type] = TOK_type_f32;
	to.slot[SLOT_stype] = dag_vt(d, a) == VT_F16 ? TOK_type_f16 : TOK_type_bf16;
	if (!isa_has(f->s, to))
		return difference_form(f, desc, ops);
	ops[0] = a, ops[1] = b;
	return dag_desc(f, to);
}

bool dag_select_intrinsic(DagFunc *f, u32 node)
{
	Dag        *d = &f->dag;
	DagNode     n = *dag_at(d, node);
	Row         row = dag_intrinsic_at(n.aux);
	const char *p = row.text;
	u32         first = dag_result_vt(d, &n, dag_n_results(&n) - 1) == VT_CHAIN, k = 0;
	DagVal      ops[20];
	while (*p && *p != ' ')
		p++;
	u32    results = dag_n_results(&n) - first;
	bool   address = false;
	DagVal at[2] = {{0}}; /* base and offset of an address */
	for (; *p && k < 18; p++) {
		address |= *p == '[';
		if (*p == ' ' || *p == ',' || *p == '[')
			continue;
		bool in_register = *p == '%';
		p += in_register;
		if (*p == ']') {
			ops[k++] = at[1];
			address = false;
			continue;
		}
		if (*p >= '0' && *p <= '9') {
			u64 v = 0;
			while (*p >= '0' && *p <= '9')
				v = v * 10 + (u64)(*p++ - '0');
			p--;
			ops[k++] = dag_tconst(d, VT_I32, v);
			continue;
		}
		DagVal v = dag_operand(d, dag_at(d, node), first + (u32)(*p - 'a'));
		if (address) { /* ptxas accepts no number as a base */
			dag_split_address(d, v, true, at);
			ops[k++] = at[0];
			continue;
		}
		ops[k++] = in_register ? v : dag_operand_of(d, v);
	}
	u32 desc = dag_mixed_form(f, row_desc(f, &row, results), ops);
	if (first)
		ops[k++] = dag_operand(d, dag_at(d, node), 0);
	dag_become(f, node, desc, ops, k, 0);
	return true;
}
