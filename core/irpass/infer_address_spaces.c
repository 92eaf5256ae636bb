/* infer-address-spaces: rewrites generic addresses whose address space can be inferred to that space.
 *
 *   %g = addrspacecast ptr addrspace(1) %p to ptr
 *   %q = getelementptr i32, ptr %g, i64 %i       →   %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
 *   %v = load i32, ptr %q                            %v = load i32, ptr addrspace(1) %q
 *
 * An optimistic dataflow analysis over address expressions (geps, casts, phis, selects): an expression is in the
 * space that all its inputs have in common; a cast from a specific space is in that space; undef and null are in any
 * space; arguments, loads and calls are generic. The fixed point starts from the top of the lattice, so that cycles of
 * phis resolve. Then each resolved expression is rebuilt in its space, accesses use the new address, and uses that
 * need the generic address get a cast back. Intrinsics that have variants for address spaces (respace.def) are replaced
 * by them; wmma operands only with wmma-memory-space-opt or msp-for-wmma. Linear in expressions and uses (the lattice
 * has height 2). */
#include "ir/builder.h"
#include "irpass/respace.h"
#include "irpass/util.h"

#define SPACE_TOP  UINT32_MAX
#define NOT_LISTED UINT32_MAX

typedef struct Expr {
	IrRef v;
	u32   space;    /* SPACE_TOP: any space is still possible */
	IrRef in_space; /* the expression rebuilt in that space */
	IrRef back;     /* cast of in_space to generic, made when needed */
} Expr;

typedef struct Inferrer {
	PassCx   *cx;
	IrModule *m;
	Vec(Expr) expr; /* operands before users, but for phis */
	Map    index;   /* value → place in expr */
	bool   matrix;  /* also rewrite the addresses of wmma loads and stores */
	VecU32 call;    /* calls of intrinsics that have variants for address spaces: memcpy, atomics, … */
} Inferrer;

static bool is_generic_ptr(const IrModule *m, IrRef v) { return is_ptr(m, v) && value_space(m, v) == AS_GENERIC; }

/* PTX has ld.volatile, st.volatile and atom for generic, global and shared addresses only. Volatile accesses and atomics of
 * other spaces stay generic: the access would lose its volatility, and the atomic could not be selected. */
static bool may_move(const IrModule *m, IrRef access, u32 space)
{
	const IrInst *i = ir_inst(m, access);
	bool          special = i->flags & IRF_VOLATILE || i->op == IR_ATOMICRMW || i->op == IR_CMPXCHG;
	return !special || has_volatile_form(space);
}

/* Instructions through which an address flows. */
static bool is_address_expr(const IrModule *m, IrRef v)
{
	if (ir_kind(v) != IR_INST || !is_generic_ptr(m, v))
		return false;
	switch (ir_inst(m, v)->op) {
	case IR_GETELEMENTPTR:
	case IR_PHI:
	case IR_SELECT: return true;
	case IR_BITCAST:
	case IR_ADDRSPACECAST: return is_ptr(m, ir_op(m, v, 0));
	default: return false;
	}
}

/* Operands that are addresses: [first, end) in steps. */
typedef struct AddrOps {
	u32 first, end, step;
} AddrOps;

static AddrOps addr_ops(const IrModule *m, IrRef v)
{
	switch (ir_inst(m, v)->op) {
	case IR_PHI: return (AddrOps){0, ir_n_ops(m, v), 2};
	case IR_SELECT: return (AddrOps){1, 3, 1};
	default: return (AddrOps){0, 1, 1};
	}
}

/* ---- collecting ---- */

typedef struct Visit {
	IrRef v;
	u32   at;
} Visit;

/* Lists `root` and the address expressions it depends on, operands before users. Phis are deferred to `later`: every cycle
 * contains one, so the others can be ordered. */
static void collect_tree(Inferrer *in, IrRef root, VecU32 *later)
{
	IrModule *m = in->m;
	Arena    *a = in->cx->scratch;
	Vec(Visit) path = {0};
	map_set(&in->index, root.i, NOT_LISTED);
	vec_push(a, &path, ((Visit){root, addr_ops(m, root).first}));
	while (path.n) {
		Visit  *top = &vec_last(&path);
		AddrOps ops = addr_ops(m, top->v);
		if (top->at >= ops.end) {
			map_set(&in->index, top->v.i, in->expr.n);
			vec_push(a, &in->expr, ((Expr){.v = top->v, .space = SPACE_TOP}));
			path.n--;
			continue;
		}
		IrRef op = ir_op(m, top->v, top->at);
		top->at += ops.step;
		if (!is_address_expr(m, op) || map_get(&in->index, op.i))
			continue;
		if (ir_inst(m, op)->op == IR_PHI) {
			vec_push(a, later, op.i);
		} else {
			map_set(&in->index, op.i, NOT_LISTED);
			vec_push(a, &path, ((Visit){op, addr_ops(m, op).first}));
		}
	}
}

static void collect(Inferrer *in, IrRef root)
{
	VecU32 later = {0};
	vec_push(in->cx->scratch, &later, root.i);
	while (later.n) {
		IrRef v = {vec_pop(&later)};
		if (is_address_expr(in->m, v) && !map_get(&in->index, v.i))
			collect_tree(in, v, &later);
	}
}

static const Respace *row_of(const Inferrer *in, IrRef call)
{
	const Respace *r = respace_of(in->m, call);
	return r && (in->matrix || !respace_is_matrix(r)) ? r : NULL;
}

static void collect_from(Inferrer *in, IrRef i)
{
	IrModule *m = in->m;
	i32       p = pointer_operand(m, i);
	if (p >= 0) {
		collect(in, ir_op(m, i, (u32)p));
	} else if (ir_inst(m, i)->op == IR_ADDRSPACECAST) {
		collect(in, ir_op(m, i, 0));
	} else if (ir_inst(m, i)->op == IR_ICMP) {
		collect(in, ir_op(m, i, 0));
		collect(in, ir_op(m, i, 1));
	} else if (row_of(in, i)) {
		vec_push(in->cx->scratch, &in->call, i.i);
		for (u32 k = 0; k < ir_call(m, i)->n_args; k++)
			if (respace_takes_address(row_of(in, i), k))
				collect(in, ir_call_arg(m, i, k));
	}
}

/* ---- the fixed point ---- */

static u32 join(u32 a, u32 b)
{
	if (a == SPACE_TOP || a == b)
		return b;
	return b == SPACE_TOP ? a : AS_GENERIC;
}

static u32 constant_space(const IrModule *m, IrRef c)
{
	for (;;) {
		if (!ir_type_is_ptr(m, ir_type_of(m, c)))
			return AS_GENERIC;
		if (value_space(m, c) != AS_GENERIC)
			return value_space(m, c);
		if (ir_kind(c) == IR_CONST && (ir_is_undef(m, c) || ir_const(m, c)->kind == IRC_NULL))
			return SPACE_TOP;
		u32 op = value_op(m, c);
		if (op != IR_GETELEMENTPTR && op != IR_BITCAST && op != IR_ADDRSPACECAST)
			return AS_GENERIC;
		c = value_operand(m, c, 0);
	}
}

static u32 operand_space(const Inferrer *in, IrRef v)
{
	if (ir_is_const(in->m, v))
		return constant_space(in->m, v);
	if (value_space(in->m, v) != AS_GENERIC)
		return value_space(in->m, v);
	const u64 *at = ir_kind(v) == IR_INST ? map_get(&in->index, v.i) : NULL;
	return at ? in->expr.p[*at].space : AS_GENERIC;
}

/* Lowers the lattice values to the fixed point. `all`: the space given to expressions that are still at the top. */
static void settle(Inferrer *in, u32 all)
{
	for (bool again = true; again;) {
		again = false;
		for (u32 i = 0; i < in->expr.n; i++) {
			Expr   *e = &in->expr.p[i];
			AddrOps ops = addr_ops(in->m, e->v);
			u32     s = SPACE_TOP;
			for (u32 k = ops.first; k < ops.end; k += ops.step)
				s = join(s, operand_space(in, ir_op(in->m, e->v, k)));
			s = s == SPACE_TOP ? all : s;
			again |= s != e->space;
			e->space = s;
		}
	}
}

static bool infer(Inferrer *in)
{
	bool any = false, top = false;
	settle(in, SPACE_TOP);
	for (u32 i = 0; i < in->expr.n; i++)
		if (in->expr.p[i].space == SPACE_TOP) {
			in->expr.p[i].space = AS_GENERIC;
			top = true;
		}
	if (top) /* addresses built on null alone: they stay generic, and what they flow into */
		settle(in, AS_GENERIC);
	for (u32 i = 0; i < in->expr.n; i++)
		any |= in->expr.p[i].space != AS_GENERIC;
	return any;
}

/* ---- rebuilding ---- */

static IrRef constant_in(IrModule *m, IrRef c, u32 space)
{
	IrType t = ir_ptr_type(m, space);
	if (value_space(m, c) == space)
		return c;
	if (ir_kind(c) == IR_CONST && ir_is_undef(m, c))
		return ir_const(m, c)->kind == IRC_UNDEF ? ir_const_undef(m, t) : ir_const_poison(m, t);
	u32 op = value_op(m, c);
	if (op == IR_ADDRSPACECAST || op == IR_BITCAST)
		return constant_in(m, value_operand(m, c, 0), space);
	if (op != IR_GETELEMENTPTR)
		return ir_const_cast(m, IR_ADDRSPACECAST, c, t);
	const IrConst *k = ir_const(m, c);
	IrRef          ops[16];
	if (k->n_ops > 16)
		return ir_const_cast(m, IR_ADDRSPACECAST, c, t);
	for (u32 i = 0; i < k->n_ops; i++)
		ops[i] = i ? ir_const_op(m, c, i) : constant_in(m, ir_const_op(m, c, 0), space);
	return ir_const_gep(m, t, k->elem, k->flags, k->data, ops, k->n_ops);
}

/* `v`, as seen in the space of the expression that uses it; none: not built yet (a phi's later input). */
static IrRef operand_in(Inferrer *in, IrRef v, u32 space)
{
	if (ir_is_const(in->m, v))
		return constant_in(in->m, v, space);
	if (value_space(in->m, v) == space)
		return v;
	const u64 *at = map_get(&in->index, v.i);
	return in->expr.p[*at].in_space;
}

static void rebuild(Inferrer *in, Expr *e)
{
	IrModule *m = in->m;
	if (ir_inst(m, e->v)->op == IR_ADDRSPACECAST || ir_inst(m, e->v)->op == IR_BITCAST) {
		e->in_space = operand_in(in, ir_op(m, e->v, 0), e->space);
		return;
	}
	IrRef n = ir_inst_clone(m, e->v);
	ir_inst(m, n)->type = ir_ptr_type(m, e->space);
	ir_insert_before(m, n, e->v);
	e->in_space = n;
	AddrOps ops = addr_ops(m, e->v);
	if (ir_inst(m, e->v)->op == IR_PHI)
		return; /* its operands are set when all are built */
	for (u32 k = ops.first; k < ops.end; k += ops.step)
		ir_set_op(m, n, k, operand_in(in, ir_op(m, e->v, k), e->space));
}

/* Builds phis first, without inputs, so that every operand exists when an expression is built; sets their inputs last. */
static void rebuild_all(Inferrer *in)
{
	IrModule *m = in->m;
	for (u32 i = 0; i < in->expr.n; i++)
		if (in->expr.p[i].space != AS_GENERIC && ir_inst(m, in->expr.p[i].v)->op == IR_PHI)
			rebuild(in, &in->expr.p[i]);
	for (u32 i = 0; i < in->expr.n; i++)
		if (in->expr.p[i].space != AS_GENERIC && ir_inst(m, in->expr.p[i].v)->op != IR_PHI)
			rebuild(in, &in->expr.p[i]);
	for (u32 i = 0; i < in->expr.n; i++) {
		Expr *e = &in->expr.p[i];
		if (e->space == AS_GENERIC || ir_inst(m, e->v)->op != IR_PHI)
			continue;
		for (u32 k = 0; k < ir_n_ops(m, e->v); k += 2)
			ir_set_op(m, e->in_space, k, operand_in(in, ir_op(m, e->v, k), e->space));
	}
}

/* ---- users ---- */

static Expr *expr_of(Inferrer *in, IrRef v)
{
	const u64 *at = ir_kind(v) == IR_INST ? map_get(&in->index, v.i) : NULL;
	return at && in->expr.p[*at].space != AS_GENERIC ? &in->expr.p[*at] : NULL;
}

static IrRef cast_back(Inferrer *in, Expr *e)
{
	IrModule *m = in->m;
	if (ir_inst(m, e->v)->op == IR_ADDRSPACECAST)
		return e->v; /* it is such a cast */
	if (ir_is_none(e->back)) {
		IrBuilder b = ir_kind(e->in_space) == IR_INST ? build_after(m, e->in_space) : ir_build_before(m, e->v);
		e->back = ir_b_cast(&b, IR_ADDRSPACECAST, e->in_space, ir_ptr_type(m, AS_GENERIC));
	}
	return e->back;
}

/* An address operand in the space inferred for it, else unchanged. */
static IrRef best_address(Inferrer *in, IrRef v)
{
	Expr *e = expr_of(in, v);
	if (e)
		return e->in_space;
	u32 space = ir_is_const(in->m, v) ? constant_space(in->m, v) : AS_GENERIC;
	return space == SPACE_TOP || space == AS_GENERIC ? v : constant_in(in->m, v, space);
}

/* An intrinsic's name contains its address spaces, so the call is replaced by a call of another declaration. */
static bool rebuild_call(Inferrer *in, IrRef call)
{
	IrModule      *m = in->m;
	const Respace *r = row_of(in, call);
	u32            n = ir_call(m, call)->n_args, line = value_line(m, call);
	IrRef         *args = arena_array(in->cx->scratch, IrRef, n + 1);
	bool           changed = false;
	for (u32 i = 0; i < n; i++) {
		args[i] = ir_call_arg(m, call, i);
		IrRef best = respace_takes_address(r, i) ? best_address(in, args[i]) : args[i];
		if (ir_same(best, args[i]) || !respace_has_form(r, value_space(m, best)))
			continue;
		if (respace_is_volatile(r, m, call) && !has_volatile_form(value_space(m, best)))
			continue;
		args[i] = best;
		changed = true;
		pass_remark(in->cx, REMARK_PASSED, line, "argument %u of '%.*s' is in address space %u", i,
		            STR_ARG(callee_name(m, call)), value_space(m, best));
	}
	if (changed)
		respace_call(m, in->cx->scratch, call, args);
	return changed;
}

/* Two addresses of the same space are compared in that space. */
static bool rebuild_compare(Inferrer *in, IrRef cmp)
{
	IrModule *m = in->m;
	Expr     *x = expr_of(in, ir_op(m, cmp, 0)), *y = expr_of(in, ir_op(m, cmp, 1));
	if (!x || !y || x->space != y->space)
		return false;
	ir_set_op(m, cmp, 0, x->in_space);
	ir_set_op(m, cmp, 1, y->in_space);
	return true;
}

static void rewrite_use(Inferrer *in, Expr *e, u32 use)
{
	IrModule *m = in->m;
	IrRef     user = ir_use(m, use)->user;
	if (expr_of(in, user))
		return; /* goes */
	if (pointer_operand(m, user) == (i32)ir_use_index(m, use) && may_move(m, user, e->space)) {
		ir_set_use(m, use, e->in_space);
		pass_remark(in->cx, REMARK_PASSED, value_line(m, user), "%s goes to address space %u",
		            ir_op_info[ir_inst(m, user)->op].name, e->space);
	} else if (is_inst(m, user, IR_ICMP) && rebuild_compare(in, user)) {
		;
	} else if (is_inst(m, user, IR_ADDRSPACECAST) && value_space(m, user) == e->space) {
		for (u32 i = 0; i < in->expr.n; i++) /* a cast of the cast was to be seen as it */
			if (ir_same(in->expr.p[i].in_space, user))
				in->expr.p[i].in_space = e->in_space;
		ir_replace_all_uses(m, user, e->in_space);
		ir_remove(m, user);
	} else {
		IrRef back = cast_back(in, e);
		if (!ir_same(back, e->v))
			ir_set_use(m, use, back);
	}
}

static void rewrite_uses(Inferrer *in)
{
	IrModule *m = in->m;
	for (u32 i = 0; i < in->expr.n; i++) {
		Expr  *e = &in->expr.p[i];
		VecU32 uses = {0};
		if (e->space == AS_GENERIC)
			continue;
		/* Rewriting one use can rewrite another of the list (both sides of a compare). */
		ir_each_use(m, e->v, u)
			vec_push(in->cx->scratch, &uses, u);
		for (u32 k = 0; k < uses.n; k++)
			if (ir_same(ir_use(m, uses.p[k])->value, e->v))
				rewrite_use(in, e, uses.p[k]);
	}
}

/* Removes the old expressions: their only users are each other, except for casts that are still needed. */
static void remove_old(Inferrer *in)
{
	IrModule *m = in->m;
	for (u32 i = 0; i < in->expr.n; i++) {
		Expr *e = &in->expr.p[i];
		if (e->space == AS_GENERIC)
			continue;
		u32 op = ir_inst(m, e->v)->op;
		if (op == IR_ADDRSPACECAST)
			continue;
		if (op != IR_BITCAST)
			ir_take_place(m, e->in_space, e->v);
		ir_remove(m, e->v);
	}
	for (u32 i = 0; i < in->expr.n; i++)
		if (in->expr.p[i].space != AS_GENERIC)
			remove_if_dead(in->cx, in->expr.p[i].v); /* a cast */
}

/* Direct constant operands: load i32, ptr addrspacecast (ptr addrspace(1) @g to ptr). */
static bool rewrite_constant_addresses(PassCx *cx, IrRef i)
{
	IrModule *m = cx->ir;
	i32       p = pointer_operand(m, i);
	if (p < 0)
		return false;
	IrRef c = ir_op(m, i, (u32)p);
	if (ir_kind(c) != IR_CONST || ir_const(m, c)->kind != IRC_EXPR || !is_generic_ptr(m, c))
		return false;
	u32 space = constant_space(m, c);
	if (space == SPACE_TOP || space == AS_GENERIC || !may_move(m, i, space))
		return false;
	ir_set_op(m, i, (u32)p, constant_in(m, c, space));
	return true;
}

/* Collects the address operands of accesses, compares and intrinsics. */
#define LOOKS_FOR                                                                                                     \
	(IR_OPS(LOAD) | IR_OPS(STORE) | IR_OPS(ATOMICRMW) | IR_OPS(CMPXCHG) | IR_OPS(VAARG) | IR_OPS(ADDRSPACECAST) | \
	 IR_OPS(ICMP) | IR_OPS(CALL))

static bool run(PassCx *cx)
{
	Inferrer in = {.cx = cx, .m = cx->ir};
	bool     changed = false;
	in.matrix = knob_bool(cx->s, KNOB_wmma_memory_space_opt) || knob_bool(cx->s, KNOB_msp_for_wmma);
	map_init(&in.index, cx->scratch);
	ir_each_block_had(cx->ir, pass_func(cx), b, LOOKS_FOR)
		ir_each_inst(cx->ir, b, i) {
			changed |= rewrite_constant_addresses(cx, i);
			collect_from(&in, i);
		}
	bool any = infer(&in);
	if (any)
		rebuild_all(&in);
	for (u32 i = 0; i < in.call.n; i++)
		changed |= rebuild_call(&in, (IrRef){in.call.p[i]});
	if (!any)
		return changed;
	rewrite_uses(&in);
	remove_old(&in);
	return true;
}

static const Knob knobs[] = {KNOB_wmma_memory_space_opt, KNOB_msp_for_wmma, KNOB_NONE};

const Pass irpass_infer_address_spaces = {
	.id = "infer-address-spaces",
	.title = "Infer address spaces",
	.summary = "Rewrites generic accesses to the specific address space where it can be inferred.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_MemorySpaceOptPass,
	.knobs = knobs,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = LOOKS_FOR,
	.flags = 0,
	.run = run,
};
