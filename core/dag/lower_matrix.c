/* lower_matrix.c: matrix intrinsics. Their names spell the instruction (isa/matrixname.c), and their arguments are its
 * operands: an address, or the fragments A, B, C, register by register. */
#include "dag/lower_named.h"
#include "dag/lower_row.h"

void dag_named_instruction(DagFunc *f, IrRef inst, PtxOpc o, const DagVal *ops, u32 n, DagEffect effect)
{
	Dag      *d = &f->dag;
	DagLeaves l = {0};
	bool      chain = effect == DAG_MEMORY;
	if (dag_lacks_form(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst), &o))
		return;
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
	like.props = effect == DAG_PURE ? 0
	                                : DP_NO_CSE | (chain ? (u32)DP_SIDE_EFFECT : 0) |
	                                          (desc->flags & IF_CONVERGENT ? (u32)DP_CONVERGENT : 0);
	DagVal r = dag_node_like(d, &like, vts, l.n + chain, all, n + chain);
	if (chain)
		d->root = dag_res(r.n, l.n);
	DagVal *v = arena_array(f->arena, DagVal, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		v[i] = dag_res(r.n, i);
	dag_set_values(f, inst, v, l.n);
}

static bool is_matrix_space(u32 space) { return space == AS_GENERIC || space == AS_GLOBAL || space == AS_SHARED; }

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

bool intrinsic_matrix(DagFunc *f, IrRef inst, const DagIntrinsicRow *row)
{
	(void)row;
	PtxOpc o;
	DagVal ops[MAX_FRAGMENT_REGISTERS];
	bool   address;
	u32    n = 0;
	if (!isa_matrix_intrinsic(dag_nvvm_name(f, inst), &o, &address))
		return false;
	if (o.slot[SLOT_flag] == TOK_flag_aligned && isa_is_wellformed(&o) &&
	    !isa_has(f->s, o)) /* older PTX has wmma without .aligned */
		o.slot[SLOT_flag] = 0;
	if (address) {
		IrRef pointer = ir_call_arg(f->m, inst, 0);
		u32   space = ir_type(f->m, ir_type_of(f->m, pointer))->bits;
		if (!is_matrix_space(space)) {
			dag_not_in_ptx(f, ir_info(f->m, inst)->origin, dag_intrinsic_name(f, inst),
			               "matrices lie in global or shared memory, or at a generic address");
			return true;
		}
		o.slot[SLOT_space] = (u8)isa_space_token(space);
		add_address(f, dag_value(f, pointer), ops, &n);
	}
	n = all_arguments(f, inst, address, ops, n);
	dag_named_instruction(f, inst, o, ops, n, address ? DAG_MEMORY : DAG_TOGETHER);
	return true;
}
