/* build.c: makes the nodes of a block of IR, or of a piece of it.
 *
 * Memory is ordered by chains. Loads take the chain of the last store, and are collected until the next store; copies to
 * registers are collected until the terminator:
 *
 *	entry ─▶ store ─┬▶ load ─┬▶ TokenFactor ─▶ store ─▶ … ─┬▶ TokenFactor ─▶ br
 *	                └▶ load ─┘              CopyToReg … ───┘
 *
 * Needs the registers of values that cross blocks or pieces (DagHome.reg). Nodes get the instruction's place in the block, its
 * line and, where the operation is the instruction's own, its flags. What is not supported is reported once for the function,
 * which is then not selected. Linear in instructions and operands. */
#include "dag/param.h"
#include "ir/intrinsic.h"
#include "mir/freq.h"

/* ---- chains ---- */

static DagVal joined_root(DagFunc *f, DagVal *chains, u32 n)
{
	Dag   *d = &f->dag;
	DagVal root = d->root;
	if (!n)
		return root;
	bool follows = root.n == d->entry.n;
	for (u32 i = 0; i < n && !follows; i++)
		follows = dag_n_ops(dag_of(d, chains[i])) && dag_same(dag_arg(d, chains[i], 0), root);
	DagVal *all = arena_array(f->arena, DagVal, n + 1);
	memcpy(all, chains, n * sizeof *all);
	if (!follows)
		all[n++] = root;
	return d->root = dag_tokens(d, all, n);
}

DagVal dag_root(DagFunc *f)
{
	DagVal r = joined_root(f, f->loads.p, f->loads.n);
	f->loads.n = 0;
	return r;
}

DagVal dag_control_root(DagFunc *f)
{
	for (u32 i = 0; i < f->loads.n; i++)
		vec_push(f->arena, &f->exports, f->loads.p[i]);
	f->loads.n = 0;
	DagVal r = joined_root(f, f->exports.p, f->exports.n);
	f->exports.n = 0;
	return r;
}

void dag_copy_to_reg(DagFunc *f, u32 reg, DagVal v)
{
	Dag   *d = &f->dag;
	DagVt  part;
	DagVal ops[] = {d->entry, dag_reg(d, dag_vt(d, v), (MirReg){reg}), v};
	for (u32 k = dag_reg_parts(dag_vt(d, v), &part); k-- > 0;) {
		while (f->uniform.n <= reg + k)
			vec_push(f->arena, &f->uniform, (u8)0);
		f->uniform.p[reg + k] = !(dag_of(d, v)->props & DP_DIVERGENT);
	}
	DagNode like = {.opcode = DAG_CopyToReg, .props = DP_SIDE_EFFECT | DP_NO_CSE, .aux = f->export_kind};
	vec_push(f->arena, &f->exports, dag_node_like(d, &like, (DagVt[]){VT_CHAIN}, 1, ops, 3));
}

static bool is_cssa_copy(const DagFunc *f, IrRef v) { return ir_kind(v) == IR_INST && ir_inst(f->m, v)->op == IR_PCP; }

static void copy_values_to(DagFunc *f, IrRef v, u32 reg)
{
	u32 n, at = dag_values(f, v, &n);
	f->export_kind = is_cssa_copy(f, v) ? DAG_COPY_CSSA : DAG_COPY_PLAIN;
	for (u32 i = 0; i < n; i++) {
		DagVt  part;
		DagVal x = f->pool.p[at + i];
		dag_copy_to_reg(f, reg, x);
		reg += dag_reg_parts(dag_vt(&f->dag, x), &part);
	}
	f->export_kind = DAG_COPY_PLAIN;
}

void dag_unsupported(DagFunc *f, IrRef inst, const char *what)
{
	bool is_inst = ir_kind(inst) == IR_INST;
	u32  line = is_inst ? ir_info(f->m, inst)->origin : 0;
	Str  name = is_inst ? str_of(ir_op_info[ir_inst(f->m, inst)->op].name) : STR("the signature");
	if (is_inst && ir_inst(f->m, inst)->op == IR_CALL && ir_kind(ir_callee(f->m, inst)) == IR_GLOBAL)
		name = arena_fmt(f->arena, "call of @%.*s", STR_ARG(ir_str(f->m, ir_global(f->m, ir_callee(f->m, inst))->name)));
	if (!f->failed)
		diag_report(&f->s->diags, DIAG_CANNOT_SELECT, (SrcRange){line, 0, line, 0}, STR_ARG(f->name), what,
		            STR_ARG(name));
	f->failed = true;
}

MirBlockId dag_mir_block(DagFunc *f, IrRef block) { return (MirBlockId){f->block_of[ir_block(f->m, block)->mark]}; }

/* ---- arithmetic ---- */

static const u16 binary_op[IR_OP_COUNT] = {
	[IR_ADD] = DAG_ADD,   [IR_FADD] = DAG_FADD, [IR_SUB] = DAG_SUB,   [IR_FSUB] = DAG_FSUB, [IR_MUL] = DAG_MUL,
	[IR_FMUL] = DAG_FMUL, [IR_UDIV] = DAG_UDIV, [IR_SDIV] = DAG_SDIV, [IR_FDIV] = DAG_FDIV, [IR_UREM] = DAG_UREM,
	[IR_SREM] = DAG_SREM, [IR_FREM] = DAG_FREM, [IR_SHL] = DAG_SHL,   [IR_LSHR] = DAG_SRL,  [IR_ASHR] = DAG_SRA,
	[IR_AND] = DAG_AND,   [IR_OR] = DAG_OR,     [IR_XOR] = DAG_XOR,
};

static DagVal op_value(DagFunc *f, IrRef inst, u32 i) { return dag_value(f, ir_op(f->m, inst, i)); }

/* Shift amounts have 32 bits. An amount that does not fit them is larger than any width, so the shift is poison. */
DagVal dag_shift_amount(Dag *d, DagVal amount, DagVt of)
{
	DagVt vt = vt_with(of, VT_I32);
	return dag_vt(d, amount) == vt ? amount : dag_zext_or_trunc(d, amount, vt);
}

static void binary(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	DagOp         op = (DagOp)binary_op[i->op];
	DagVal        a = op_value(f, inst, 0), b = op_value(f, inst, 1);
	DagVt         vt = dag_vt(&f->dag, a);
	if (op == DAG_SHL || op == DAG_SRL || op == DAG_SRA)
		b = dag_shift_amount(&f->dag, b, vt);
	dag_set_value(f, inst, dag_flagged(&f->dag, op, vt, (DagVal[]){a, b}, 2, dag_flags_of(f, inst)));
}

static void cast(DagFunc *f, IrRef inst)
{
	static const u16 op_of[IR_OP_COUNT] = {
		[IR_TRUNC] = DAG_TRUNCATE,    [IR_ZEXT] = DAG_ZERO_EXTEND,  [IR_SEXT] = DAG_SIGN_EXTEND,
		[IR_FPTRUNC] = DAG_FP_ROUND,  [IR_FPEXT] = DAG_FP_EXTEND,   [IR_FPTOUI] = DAG_FP_TO_UINT,
		[IR_FPTOSI] = DAG_FP_TO_SINT, [IR_UITOFP] = DAG_UINT_TO_FP, [IR_SITOFP] = DAG_SINT_TO_FP,
	};
	const IrInst *i = ir_inst(f->m, inst);
	Dag          *d = &f->dag;
	DagVal        a = op_value(f, inst, 0);
	DagVt         vt = dag_vt_of(f, i->type), from = dag_vt(d, a);
	if (vt == VT_NONE || from == VT_NONE) {
		dag_unsupported(f, inst, "a value of this type");
		return;
	}
	DagVal r;
	switch ((IrOp)i->op) {
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR: r = dag_zext_or_trunc(d, a, vt); break;
	case IR_BITCAST: r = from == vt ? a : dag_1(d, DAG_BITCAST, vt, a); break;
	case IR_ADDRSPACECAST: {
		IrRef p = ir_op(f->m, inst, 0);
		u32   from_space = ir_type(f->m, ir_scalar_type(f->m, ir_type_of(f->m, p)))->bits;
		u32   to_space = ir_type(f->m, ir_scalar_type(f->m, i->type))->bits;
		if ((to_space == AS_LOCAL || to_space == AS_PARAM) &&
		    dag_is_byval_arg(f, p)) /* its name, and not the register that holds that elsewhere */
			a = dag_byval_address(f, ir_arg(f->m, p)->number);
		r = dag_pointer_cast(f, a, from_space, to_space);
		break;
	}
	default: r = dag_flagged(d, (DagOp)op_of[i->op], vt, &a, 1, dag_flags_of(f, inst)); break;
	}
	dag_set_value(f, inst, r);
}

DagVal dag_pointer_cast(DagFunc *f, DagVal p, u32 from, u32 to)
{
	Dag  *d = &f->dag;
	DagVt vt = vt_with(dag_vt(d, p), VT_INT(ir_ptr_bits(f->m, to)));
	if (from == to)
		return p;
	if (dag_is_undef(d, p))
		return dag_undef(d, vt);
	const DagNode *x = dag_of(d, p);
	/* The address of a parameter is its name, in .param too. */
	if (x->opcode == DAG_ExternalSymbol && x->aux && to == AS_PARAM && vt == x->vt[0])
		return p;
	/* A cast back to the space that it came from; the name of a parameter is in none. */
	if (x->opcode == DAG_ADDRSPACECAST && x->k[0] == to && x->k[1] == from &&
	    dag_op(d, dag_operand(d, x, 0)) != DAG_ExternalSymbol)
		return dag_operand(d, x, 0);
	/* Shared memory of the thread block and of its cluster: one is part of the other, and PTX goes by way of a generic address. */
	const IsaSpace *a = isa_space(from), *b = isa_space(to);
	if (from != AS_GENERIC && to != AS_GENERIC && a && b && a->memory == b->memory)
		return dag_pointer_cast(f, dag_pointer_cast(f, p, from, AS_GENERIC), AS_GENERIC, to);
	if (from != AS_GENERIC && to != AS_GENERIC) {
		diag_report(&f->s->diags, DIAG_CAST_APART, (SrcRange){d->origin, 0, d->origin, 0}, STR_ARG(f->name), from, to);
		return dag_undef(d, vt);
	}
	DagNode like = {.opcode = DAG_ADDRSPACECAST, .k = {from, to}};
	return dag_node_like(d, &like, &vt, 1, &p, 1);
}

static void compare(DagFunc *f, IrRef inst)
{
	DagCond c = (DagCond)ir_inst(f->m, inst)->sub;
	DagVal  ops[] = {op_value(f, inst, 0), op_value(f, inst, 1), dag_cond(&f->dag, c)};
	DagVt   vt = vt_with(dag_vt(&f->dag, ops[0]), VT_I1);
	dag_set_value(f, inst, dag_flagged(&f->dag, DAG_SETCC, vt, ops, 3, dag_flags_of(f, inst)));
}

static void select(DagFunc *f, IrRef inst)
{
	DagVal  c = op_value(f, inst, 0);
	u32     n, n2;
	u32     a = dag_values(f, ir_op(f->m, inst, 1), &n), b = dag_values(f, ir_op(f->m, inst, 2), &n2);
	DagVal *r = arena_array(f->arena, DagVal, n + 1);
	DagOp   op = vt_is_vec(dag_vt(&f->dag, c)) ? DAG_VSELECT : DAG_SELECT;
	for (u32 i = 0; i < n; i++) {
		DagVal x = f->pool.p[a + i], y = f->pool.p[b + i];
		r[i] = dag_flagged(&f->dag, op, dag_vt(&f->dag, x), (DagVal[]){c, x, y}, 3, dag_flags_of(f, inst));
	}
	dag_set_values(f, inst, r, n);
}

/* ---- addresses ---- */

static DagVal scaled_index(DagFunc *f, DagVal index, DagVt vt, u64 size)
{
	Dag *d = &f->dag;
	index = dag_sext_or_trunc(d, index, vt);
	if (size == 1)
		return index;
	if ((size & (size - 1)) == 0)
		return dag_2(d, DAG_SHL, vt, index, dag_const(d, vt_with(vt, VT_I32), u64_log2(size)));
	return dag_2(d, DAG_MUL, vt, index, dag_const(d, vt, size));
}

static DagVal splat_to(DagFunc *f, DagVal v, u32 lanes)
{
	Dag  *d = &f->dag;
	DagVt vt = dag_vt(d, v);
	if (!lanes || vt_is_vec(vt))
		return v;
	DagVal *e = arena_array(f->arena, DagVal, lanes);
	for (u32 i = 0; i < lanes; i++)
		e[i] = v;
	return dag_node(d, DAG_BUILD_VECTOR, vt_vec(vt, lanes), e, lanes);
}

/* p + by. The sum of a sum with a constant is made one sum, so that long chains of pointers stay flat; it does not wrap
 * (IRF_NUW) where neither of the two did. */
DagVal dag_moved(DagFunc *f, DagVal p, u64 by, u16 flags)
{
	Dag  *d = &f->dag;
	DagVt vt = dag_vt(d, p);
	u64   before;
	if (!by)
		return p;
	if (f->optimize && dag_op(d, p) == DAG_ADD && dag_as_const(d, dag_arg(d, p, 1), &before)) {
		by += before;
		flags &= dag_of(d, p)->flags;
		p = dag_arg(d, p, 0);
	}
	return dag_flagged(d, DAG_ADD, vt, (DagVal[]){p, dag_const(d, vt, by)}, 2, flags);
}

DagVal dag_gep(DagFunc *f, IrRef gep, DagVal p, u16 flags)
{
	Dag   *d = &f->dag;
	u32    lanes = vt_lanes(dag_vt_of(f, ir_type_of(f->m, gep)));
	DagVt  vt = dag_vt(d, p = splat_to(f, p, lanes));
	IrType t = {0};
	for (u32 k = 1; k < ir_gep_n_ops(f->m, gep); k++) {
		IrGepTerm s = ir_gep_term(f->m, gep, k, &t);
		if (ir_is_none(s.index)) {
			p = dag_moved(f, p, (u64)s.bytes, flags);
			continue;
		}
		if (!s.bytes)
			continue;
		DagVal x = splat_to(f, dag_value(f, s.index), lanes);
		p = dag_flagged(d, DAG_ADD, vt, (DagVal[]){p, scaled_index(f, x, vt, (u64)s.bytes)}, 2, flags);
	}
	return p;
}

/* ---- aggregates and vectors ---- */

/* How many leaves a struct has before the field. */
static u32 leaves_before(DagFunc *f, IrType t, u32 field)
{
	bool fresh;
	u64 *first = map_put(&f->field_leaf, t.i, &fresh);
	u32  n = (u32)ir_type_count(f->m, t);
	if (fresh) {
		*first = f->field_leaves.n;
		for (u32 k = 0, at = 0; k < n; k++) {
			vec_push(f->arena, &f->field_leaves, at);
			at += dag_leaf_count(f, ir_type_elem(f->m, t, k));
		}
	}
	return f->field_leaves.p[*first + field];
}

/* The first leaf of the element that the indices select, and the element's type. */
static u32 leaf_at(DagFunc *f, IrType t, const u32 *index, u32 n, IrType *elem)
{
	u32 at = 0;
	for (u32 i = 0; i < n; i++) {
		if (ir_type_kind(f->m, t) == IRT_ARRAY) {
			t = ir_type_elem(f->m, t, 0);
			at += index[i] * dag_leaf_count(f, t);
			continue;
		}
		at += leaves_before(f, t, index[i]);
		t = ir_type_elem(f->m, t, index[i]);
	}
	*elem = t;
	return at;
}

static void extract_value(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	IrRef         agg = ir_op(f->m, inst, 0);
	IrType        t;
	u32           n, leaf = leaf_at(f, ir_type_of(f->m, agg), ir_list(f->m, i->aux), ir_list_n(f->m, i->aux), &t);
	u32           at = dag_values(f, agg, &n), count = dag_leaf_count(f, t);
	DagVal       *v = arena_array(f->arena, DagVal, count + 1);
	for (u32 k = 0; k < count; k++)
		v[k] = f->pool.p[at + leaf + k];
	dag_set_values(f, inst, v, count);
}

/* Where the values of an aggregate lie that nothing but its user can ask for: the user may change them in place. */
static bool is_ours_alone(DagFunc *f, IrRef agg)
{
	if (ir_kind(agg) != IR_INST || ir_inst(f->m, agg)->op != IR_INSERTVALUE)
		return false;
	const DagHome *home = dag_home(f, agg);
	u32            use = ir_first_use(f->m, agg);
	return home->epoch == f->mod->epoch && !home->reg && !ir_use(f->m, use)->next;
}

/* A chain of them that fills an aggregate of n values takes n steps and room for n values. */
static void insert_value(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	IrRef         agg = ir_op(f->m, inst, 0);
	IrType        t;
	u32           n, m, leaf = leaf_at(f, ir_type_of(f->m, agg), ir_list(f->m, i->aux), ir_list_n(f->m, i->aux), &t);
	u32           at = dag_values(f, agg, &n);
	u32           from = dag_values(f, ir_op(f->m, inst, 1), &m);
	if (is_ours_alone(f, agg)) {
		dag_home(f, inst)->first = at;
		dag_home(f, inst)->epoch = f->mod->epoch;
	} else {
		dag_set_values(f, inst, f->pool.p + at, n);
		at = dag_home(f, inst)->first;
	}
	memcpy(f->pool.p + at + leaf, f->pool.p + from, m * sizeof(DagVal));
}

static void vector_element(DagFunc *f, IrRef inst)
{
	Dag   *d = &f->dag;
	bool   insert = ir_inst(f->m, inst)->op == IR_INSERTELEMENT;
	DagVal v = op_value(f, inst, 0), x = op_value(f, inst, 1);
	if (insert) {
		DagVal index = dag_zext_or_trunc(d, op_value(f, inst, 2), VT_I32);
		dag_set_value(f, inst, dag_3(d, DAG_INSERT_VECTOR_ELT, dag_vt(d, v), v, x, index));
	} else {
		DagVal index = dag_zext_or_trunc(d, x, VT_I32);
		dag_set_value(f, inst, dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(dag_vt(d, v)), v, index));
	}
}

/* The mask of a shuffle is constant: build the vector from the elements. */
static void shuffle(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	Dag          *d = &f->dag;
	DagVal        a = op_value(f, inst, 0), b = op_value(f, inst, 1);
	DagVt         from = dag_vt(d, a), vt = dag_vt_of(f, i->type);
	u32           n = ir_list_n(f->m, i->aux), lanes = vt_lanes(from);
	DagVal       *e = arena_array(f->arena, DagVal, n + 1);
	for (u32 k = 0; k < n; k++) {
		u32 m = ir_list(f->m, i->aux)[k];
		if ((i32)m < 0)
			e[k] = dag_undef(d, vt_elem(vt));
		else
			e[k] = dag_2(d, DAG_EXTRACT_VECTOR_ELT, vt_elem(vt), m < lanes ? a : b,
			             dag_const(d, VT_I32, m < lanes ? m : m - lanes));
	}
	dag_set_value(f, inst, dag_node(d, DAG_BUILD_VECTOR, vt, e, n));
}

/* ---- control ---- */

static DagVal chain_node(DagFunc *f, DagOp op, const DagVal *ops, u32 n)
{
	DagNode like = {.opcode = (u16)op, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	return f->dag.root = dag_node_like(&f->dag, &like, (DagVt[]){VT_CHAIN}, 1, ops, n);
}

/* The probabilities of a terminator's `n` ways from its !prof; unknown where it has none, or one that says nothing. */
void dag_branch_weights(DagFunc *f, IrRef inst, u32 *prob, u32 n)
{
	u64   *w = arena_array(f->arena, u64, n);
	IrProf p = ir_branch_weights(f->m, inst, w, n);
	if (p == IR_PROF_WEIGHTS && mir_prob_of_weights(w, n, prob))
		return;
	for (u32 k = 0; k < n; k++)
		prob[k] = MIR_PROB_UNKNOWN;
	if (p != IR_PROF_NONE) {
		u32 line = ir_info(f->m, inst)->origin;
		diag_report(&f->s->diags, DIAG_PROF_IGNORED, (SrcRange){line, 0, line, 0}, STR_ARG(f->name),
		            p == IR_PROF_ZERO ? "are all 0" : "do not fit the branch");
	}
}

/* A comparison that only the branch needs, so that its opposite can be had instead; that of a compare-exchange is one. */
static bool is_own_comparison(const DagFunc *f, IrRef c)
{
	u32  op = ir_kind(c) == IR_INST ? ir_inst(f->m, c)->op : IR_OP_COUNT;
	bool compares = op == IR_ICMP || op == IR_FCMP;
	if (op == IR_EXTRACTVALUE)
		compares = ir_kind(ir_op(f->m, c, 0)) == IR_INST && ir_inst(f->m, ir_op(f->m, c, 0))->op == IR_CMPXCHG;
	return compares && ir_has_one_use(f->m, c);
}

/* The way to the next block is fallen through; but a branch back does not get a negated guard: ptxas does not unroll such a loop
 * (mirpass/branches.c has the figures). */
static void branch(DagFunc *f, IrRef inst)
{
	Dag       *d = &f->dag;
	DagVal     root = dag_control_root(f);
	MirBlockId next = f->next_block;
	if (ir_n_ops(f->m, inst) == 1) {
		MirBlockId to = dag_mir_block(f, ir_op(f->m, inst, 0));
		mir_edge_add(f->mir, f->mir_block, to, MIR_PROB_ONE);
		if (to.i != next.i || !f->optimize)
			chain_node(f, DAG_BR, (DagVal[]){root, dag_block(d, to)}, 2);
		return;
	}
	DagVal     c = op_value(f, inst, 0);
	MirBlockId yes = dag_mir_block(f, ir_op(f->m, inst, 1)), no = dag_mir_block(f, ir_op(f->m, inst, 2));
	u32        prob[2];
	dag_branch_weights(f, inst, prob, 2);
	mir_edge_add(f->mir, f->mir_block, yes, prob[0]);
	mir_edge_add(f->mir, f->mir_block, no, prob[1]);
	bool undefined = dag_is_undef(d, c); /* either way will do */
	if (yes.i == next.i && (undefined || no.i > f->mir_block.i || is_own_comparison(f, ir_op(f->m, inst, 0)))) {
		MirBlockId t = yes;
		yes = no;
		no = t;
		c = undefined ? c : dag_not(d, c);
	}
	root = chain_node(f, DAG_BRCOND, (DagVal[]){root, c, dag_block(d, yes)}, 3);
	chain_node(f, DAG_BR, (DagVal[]){root, dag_block(d, no)}, 2);
}

static void unreachable(DagFunc *f, IrRef inst)
{
	bool  trap = knob_bool(f->s, KNOB_trap_unreachable);
	IrRef prev = ir_inst(f->m, inst)->prev;
	if (!trap || ir_is_exit(f->m, prev) || ir_is_trap(f->m, prev))
		return;
	DagVal root = chain_node(f, DAG_TRAP, (DagVal[]){dag_control_root(f)}, 1);
	/* ptxas of these versions assumes that control continues behind a trap. */
	if (!isa_target_has(&f->s->target, ISA_FEATURE_TRAP_ENDS))
		chain_node(f, DAG_EXIT, &root, 1);
}

/* ---- phis of the blocks that follow ---- */

static u32 constant_register(DagFunc *f, IrRef v)
{
	u64 *known = map_get(&f->const_regs, v.i);
	if (known)
		return (u32)*known;
	u32 first = 0, n, at = dag_values(f, v, &n);
	for (u32 i = 0; i < n; i++) {
		DagVt part;
		u32   parts = dag_reg_parts(dag_vt(&f->dag, f->pool.p[at + i]), &part);
		for (u32 k = 0; k < parts; k++) {
			MirReg r = mir_reg_new(f->mir, dag_class_of(part));
			if (!first)
				first = r.i;
		}
	}
	copy_values_to(f, v, first);
	map_set(&f->const_regs, v.i, first);
	return first;
}

/* The register in which `v` reaches a successor's phi. */
static u32 incoming_register(DagFunc *f, IrRef v)
{
	if (ir_kind(v) == IR_INST || ir_kind(v) == IR_ARG) {
		const DagHome *home = dag_home(f, v);
		if (home->reg)
			return home->reg;
		if (!home->frame) {
			u32 reg = dag_export_reg(f, v);
			copy_values_to(f, v, reg);
			return reg;
		}
	}
	return constant_register(f, v);
}

const VecU32 *dag_distinct_succs(DagFunc *f, IrRef block)
{
	u32  n = ir_n_succs(f->m, block);
	bool few = n <= 8;
	Map  seen;
	if (!few)
		map_init(&seen, f->arena);
	f->succs.n = 0;
	for (u32 s = 0; s < n; s++) {
		u32  succ = ir_succ(f->m, block, s).i, k = 0;
		bool fresh = true;
		while (few && k < f->succs.n && f->succs.p[k] != succ)
			k++;
		if (few)
			fresh = k == f->succs.n;
		else
			map_put(&seen, succ, &fresh);
		if (fresh)
			vec_push(f->arena, &f->succs, succ);
	}
	return &f->succs;
}

static void successors_phis(DagFunc *f, IrRef block)
{
	f->phi_in.n = 0;
	const VecU32 *succs = dag_distinct_succs(f, block);
	for (u32 s = 0; s < succs->n; s++) {
		IrRef succ = {succs->p[s]};
		ir_each_inst(f->m, succ, phi) {
			if (ir_inst(f->m, phi)->op != IR_PHI)
				break;
			if (!ir_has_uses(f->m, phi))
				continue;
			u32 reg = incoming_register(f, ir_phi_value_for(f->m, phi, block));
			vec_push(f->arena, &f->phi_in, ((DagVal){reg, 0}));
		}
	}
}

/* ---- the block ---- */

/* A copy that cssa made: its users in this block take the source; a CSSA_COPY writes the register that other blocks read. */
static void same_values(DagFunc *f, IrRef inst)
{
	u32     n, at = dag_values(f, ir_op(f->m, inst, 0), &n);
	DagVal *v = arena_array(f->arena, DagVal, n + 1);
	for (u32 k = 0; k < n; k++)
		v[k] = f->pool.p[at + k];
	dag_set_values(f, inst, v, n);
}

static void instruction(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	if (ir_computes_wide_float(f->m, inst)) {
		dag_lower_quad(f, inst);
		return;
	}
	if (ir_op_is_binary(i->op)) {
		binary(f, inst);
		return;
	}
	if (ir_op_is_cast(i->op)) {
		cast(f, inst);
		return;
	}
	switch ((IrOp)i->op) {
	case IR_FNEG: {
		DagVal a = op_value(f, inst, 0);
		dag_set_value(f, inst, dag_flagged(&f->dag, DAG_FNEG, dag_vt(&f->dag, a), &a, 1, dag_flags_of(f, inst)));
		break;
	}
	case IR_PCP: same_values(f, inst); break;
	case IR_FREEZE: {
		u32     n, at = dag_values(f, ir_op(f->m, inst, 0), &n);
		DagVal *v = arena_array(f->arena, DagVal, n + 1);
		for (u32 k = 0; k < n; k++)
			v[k] = dag_1(&f->dag, DAG_FREEZE, dag_vt(&f->dag, f->pool.p[at + k]), f->pool.p[at + k]);
		dag_set_values(f, inst, v, n);
		break;
	}
	case IR_ICMP:
	case IR_FCMP: compare(f, inst); break;
	case IR_SELECT: select(f, inst); break;
	case IR_GETELEMENTPTR: dag_set_value(f, inst, dag_gep(f, inst, op_value(f, inst, 0), (u16)(i->flags & IRF_NUW))); break;
	case IR_EXTRACTVALUE: extract_value(f, inst); break;
	case IR_INSERTVALUE: insert_value(f, inst); break;
	case IR_EXTRACTELEMENT:
	case IR_INSERTELEMENT: vector_element(f, inst); break;
	case IR_SHUFFLEVECTOR: shuffle(f, inst); break;
	case IR_LOAD: dag_lower_load(f, inst); break;
	case IR_STORE: dag_lower_store(f, inst); break;
	case IR_ALLOCA: dag_lower_alloca(f, inst); break;
	case IR_FENCE:
	case IR_CMPXCHG:
	case IR_ATOMICRMW: dag_lower_atomic(f, inst); break;
	case IR_VAARG: dag_lower_va(f, inst); break;
	case IR_CALL: dag_lower_call(f, inst); break;
	case IR_RET: dag_lower_ret(f, inst); break;
	case IR_BR: branch(f, inst); break;
	case IR_SWITCH: dag_lower_switch(f, inst); break;
	case IR_UNREACHABLE: unreachable(f, inst); break;
	default: dag_unsupported(f, inst, "this instruction"); break;
	}
}

static void export_value(DagFunc *f, IrRef inst)
{
	u32 reg = dag_home(f, inst)->reg;
	if (reg)
		copy_values_to(f, inst, reg);
}

static void note_location(DagFunc *f, IrRef inst)
{
	u32 dbg = ir_info(f->m, inst)->dbg.i;
	if (!dbg)
		return;
	if (f->dbg.n <= f->dag.order)
		vec_extend(f->arena, &f->dbg, f->dag.order + 1 - f->dbg.n);
	f->dbg.p[f->dag.order] = dbg;
}

IrRef dag_build_piece(DagFunc *f, IrRef block, IrRef from)
{
	Dag  *d = &f->dag;
	IrRef inst = from;
	dag_reset(d);
	f->mod->epoch++;
	f->block = block;
	f->pool.n = f->loads.n = f->exports.n = 0;
	vec_reserve(f->arena, &f->pool, 1); /* so that it is never NULL: a value of an empty type is copied like others */
	map_clear(&f->const_regs);
	d->order = 1;
	f->dbg.n = d->watch.n = 0;
	if (ir_same(block, f->ir->first)) {
		if (f->piece == 0)
			dag_lower_args(f);
		else
			dag_lower_byval_args(f);
	}
	for (; !ir_is_none(inst) && dag_piece_has(f, inst); inst = ir_inst(f->m, inst)->next) {
		IrInst *i = ir_inst(f->m, inst);
		if (i->op == IR_PHI)
			continue;
		if (ir_info(f->m, inst)->records)
			dag_watch_records(f, inst);
		if (ir_op_is_terminator(i->op))
			successors_phis(f, block);
		d->order++;
		d->origin = ir_info(f->m, inst)->origin;
		note_location(f, inst);
		f->line_of = inst;
		instruction(f, inst);
		if (!ir_op_is_terminator(i->op))
			export_value(f, inst);
		if (f->assigns)
			dag_watch_behind(f, inst);
	}
	dag_control_root(f);
	f->line_of = IR_NO_REF;
	return inst;
}
