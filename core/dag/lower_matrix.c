/* lower_matrix.c: matrix intrinsics. Their names are the instruction's modifiers in another order:
 *
 *	llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1   wmma.load.a.sync.aligned.row.m16n16k16.global.f16
 *	llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8      mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32
 *	llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3
 *
 * and their arguments are its operands: an address, or the fragments A, B, C, register by register. */
#include "dag/lower_named.h"

void dag_named_instruction(DagFunc *f, IrRef inst, PtxOpc o, const DagVal *ops, u32 n, DagEffect effect)
{
	Dag      *d = &f->dag;
	DagLeaves l = {0};
	bool      chain = effect == DAG_MEMORY;
	u32       sm, ptx;
	isa_needs(&o, &sm, &ptx);
	if (!isa_is_wellformed(&o) || f->s->target.sm < sm || f->s->target.ptx < ptx) {
		dag_unsupported(f, inst, "an intrinsic that this target does not have");
		return;
	}
	DagNode        like = {.opcode = DAG_MACHINE, .desc = isa_intern(f->s, o)};
	const IsaDesc *desc = isa_desc(f->s, like.desc);
	dag_leaves(f, ir_inst(f->m, inst)->type, &l);
	if (desc->n_defs != l.n || (u32)desc->n_operands != l.n + n) {
		dag_unsupported(f, inst, "this form of a matrix or image intrinsic");
		return;
	}
	DagVal *all = arena_array(f->arena, DagVal, n + 1);
	DagVt  *vts = arena_array(f->arena, DagVt, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		vts[i] = l.p[i].vt;
	if (chain)
		all[0] = dag_root(f), vts[l.n] = VT_CHAIN;
	if (n)
		memcpy(all + chain, ops, n * sizeof *ops);
	like.props = effect == DAG_PURE ? 0 : DP_NO_CSE | (chain ? (u32)DP_SIDE_EFFECT : 0) | (desc->flags & IF_CONVERGENT ? (u32)DP_CONVERGENT : 0);
	DagVal r = dag_node_like(d, &like, vts, l.n + chain, all, n + chain);
	if (chain)
		d->root = dag_res(r.n, l.n);
	DagVal *v = arena_array(f->arena, DagVal, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		v[i] = dag_res(r.n, i);
	dag_set_values(f, inst, v, l.n);
}

static u8 space_of(DagFunc *f, IrRef pointer)
{
	switch (ir_type(f->m, ir_type_of(f->m, pointer))->bits) {
	case 1: return TOK_space_global;
	case 3: return TOK_space_shared;
	default: return 0;
	}
}

/* Base and offset of an address. */
static void add_address(DagFunc *f, DagVal p, DagVal *ops, u32 *n)
{
	Dag *d = &f->dag;
	u64  offset = 0;
	if (dag_op(d, p) == DAG_ADD && dag_as_const(d, dag_arg(d, p, 1), &offset) && (i64)offset == (i32)offset)
		p = dag_arg(d, p, 0);
	else
		offset = 0;
	ops[(*n)++] = p;
	ops[(*n)++] = dag_tconst(d, VT_I32, offset);
}

enum { MAX_FRAGMENT_REGISTERS = 64 };

static u32 all_arguments(DagFunc *f, IrRef inst, u32 from, DagVal *ops, u32 n)
{
	u32 n_args = ir_call(f->m, inst)->n_args;
	for (u32 i = from; i < n_args && n < MAX_FRAGMENT_REGISTERS; i++)
		ops[n++] = dag_value(f, ir_call_arg(f->m, inst, i));
	return n;
}

/* wmma is spelled without .aligned before PTX 6.3 */
static void set_aligned(const DagFunc *f, PtxOpc *o)
{
	if (f->s->target.ptx >= 63)
		o->slot[SLOT_flag] = TOK_flag_aligned;
}

static bool lower_transfer(DagFunc *f, IrRef inst, DagWords *w, PtxOpc o)
{
	bool store = dag_take_word(w, "store");
	if (!store && !dag_take_word(w, "load"))
		return false;
	o.op = store ? ISA_wmma_store_d : dag_take_word(w, "a") ? ISA_wmma_load_a : dag_take_word(w, "b") ? ISA_wmma_load_b : ISA_wmma_load_c;
	if ((store && !dag_take_word(w, "d")) || (o.op == ISA_wmma_load_c && !dag_take_word(w, "c")) || !dag_take_token(w, &o, SLOT_layout))
		return false;
	bool stride = dag_take_word(w, "stride");
	if (!dag_take_token(w, &o, SLOT_type))
		return false;
	IrRef pointer = ir_call_arg(f->m, inst, 0);
	o.slot[SLOT_space] = space_of(f, pointer);
	o.slot[SLOT_form] = stride;
	set_aligned(f, &o);
	DagVal ops[MAX_FRAGMENT_REGISTERS];
	u32    n = 0;
	add_address(f, dag_value(f, pointer), ops, &n);
	n = all_arguments(f, inst, 1, ops, n);
	dag_named_instruction(f, inst, o, ops, n, DAG_MEMORY);
	return true;
}

static bool is_half(u32 type) { return type == TOK_type_f16 || type == TOK_type_f32; }

/* The types that a name gives: D and C of products of halves, else A and B, or one for both. */
static void set_types(PtxOpc *o, const u8 *type, u32 n)
{
	bool half = is_half(type[0]);
	o->slot[SLOT_type] = half ? type[0] : type[0] == TOK_type_f64 ? TOK_type_f64 : type[0] == TOK_type_bf16 || type[0] == TOK_type_tf32 ? TOK_type_f32 : TOK_type_s32;
	o->slot[SLOT_stype] = half ? TOK_type_f16 : type[0];
	o->slot[SLOT_type3] = half ? TOK_type_f16 : type[n > 1];
	o->slot[SLOT_type4] = half ? type[n > 1] : o->slot[SLOT_type];
}

static u8 take_bit_operation(DagWords *w)
{
	u8 op = dag_take_word(w, "xor") ? TOK_flag_xor_popc : dag_take_word(w, "and") ? TOK_flag_and_popc : 0;
	if (op)
		dag_take_word(w, "popc");
	return op;
}

static bool lower_product(DagFunc *f, IrRef inst, DagWords *w, PtxOpc o, bool wmma)
{
	u8  bits = take_bit_operation(w), type[2] = {0};
	u32 n_types = 0;
	if ((!wmma && !dag_take_token(w, &o, SLOT_shape)) || !dag_take_token(w, &o, SLOT_layout) || !dag_take_token(w, &o, SLOT_layout2))
		return false;
	dag_take_token(w, &o, SLOT_rnd);
	dag_take_token(w, &o, SLOT_sat);
	for (; n_types < 2 && dag_take_token(w, &o, SLOT_type); n_types++)
		type[n_types] = o.slot[SLOT_type];
	dag_take_token(w, &o, SLOT_sat);
	if (!n_types || w->rest.n)
		return false;
	set_types(&o, type, n_types);
	if (wmma && is_half(type[0]))
		o.op = ISA_wmma_mma_half, o.slot[SLOT_stype] = o.slot[SLOT_type3] = 0;
	else
		o.op = !wmma ? ISA_mma : bits ? ISA_wmma_mma_bit : ISA_wmma_mma;
	if (wmma)
		set_aligned(f, &o);
	if (bits)
		o.slot[wmma ? SLOT_flag2 : SLOT_flag] = bits;
	DagVal ops[MAX_FRAGMENT_REGISTERS];
	dag_named_instruction(f, inst, o, ops, all_arguments(f, inst, 0, ops, 0), DAG_TOGETHER);
	return true;
}

static bool lower_ldmatrix(DagFunc *f, IrRef inst, DagWords *w)
{
	PtxOpc o = {.op = ISA_ldmatrix};
	if (!dag_take_word(w, "sync") || !dag_take_word(w, "aligned") || !dag_take_token(w, &o, SLOT_shape) || !dag_take_token(w, &o, SLOT_vec))
		return false;
	if (dag_take_word(w, "trans"))
		o.slot[SLOT_flag] = TOK_flag_trans;
	if (!dag_take_token(w, &o, SLOT_type))
		return false;
	IrRef  pointer = ir_call_arg(f->m, inst, 0);
	DagVal ops[2];
	u32    n = 0;
	o.slot[SLOT_space] = space_of(f, pointer);
	add_address(f, dag_value(f, pointer), ops, &n);
	dag_named_instruction(f, inst, o, ops, n, DAG_MEMORY);
	return true;
}

bool dag_lower_matrix(DagFunc *f, IrRef inst, Str name)
{
	DagWords w = {.rest = name};
	PtxOpc   o = {0};
	if (dag_take_word(&w, "ldmatrix"))
		return lower_ldmatrix(f, inst, &w);
	if (dag_take_word(&w, "mma"))
		return lower_product(f, inst, &w, o, false);
	if (!dag_take_word(&w, "wmma") || !dag_take_token(&w, &o, SLOT_shape))
		return false;
	return dag_take_word(&w, "mma") ? lower_product(f, inst, &w, o, true) : lower_transfer(f, inst, &w, o);
}
