/* ipmsp_match.c: calls of functions without a body. Their argument types stand still; but many intrinsics have
 * a form for each space, and a call is replaced by a call of that form.
 *
 *   call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, …)   →   call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %d1, …)
 *
 * One function at a time. All calls of one callee are settled together. Of two calls that match, what is
 * known of an address of the one counts for the other, if both pass the same value and the first comes
 * before the second on every path. Two calls match if they pass operands that are equivalent (as many as
 * possible: the score) and
 *
 *   - stand in one block, or
 *   - one is the first instruction of the entry, which comes before everything, or
 *   - stand in one innermost loop, and the score is above 1.
 *
 * Of several matches the one of the highest score counts, of equal ones that of the first calls. Calls
 * without a match count for themselves. Sorting is by callee; callees are settled from the last to the first.
 *
 * At most ipmsp-depth-limit calls: pairs are compared, which is quadratic in the calls of one callee. */
#include "analysis/cfg.h"
#include "base/sort.h"
#include "ir/builder.h"
#include "irpass/ipmsp.h"
#include "irpass/respace.h"
#include "irpass/util.h"

enum { EQUIVALENCE_DEPTH = 4 };

void matcher_init(Matcher *t, Ipmsp *p, IrFunc *f)
{
	*t = (Matcher){.p = p, .f = f};
	map_init(&t->seen, p->cx->scratch);
	map_init(&t->inst_space, p->cx->scratch);
	map_init(&t->callee_result, p->cx->scratch);
	map_init(&t->edge_weight, p->cx->scratch);
	map_init(&t->equivalent, p->cx->scratch);
	t->depth_limit = (u32)knob_int(p->cx->s, KNOB_ipmsp_depth_limit);
}

/* ---- collecting ---- */

bool matcher_is_legal(const IrModule *m, IrRef call)
{
	return is_inst(m, call, IR_CALL) && ir_inst(m, call)->sub != IRTAIL_MUSTTAIL && !ir_call(m, call)->n_bundles &&
	       !ir_attrs_has(m, ir_call(m, call)->fn, IRA_NOBUILTIN);
}

static bool is_wanted(const IrModule *m, IrRef call, u32 which)
{
	const Respace *r = respace_of(m, call);
	return which & (r && respace_is_matrix(r) ? MATCH_MATRIX : MATCH_OTHERS);
}

static void add_address(Matcher *t, LeafCall *l, u32 arg)
{
	Ipmsp    *p = t->p;
	IrRef     v = ir_call_arg(p->m, l->call, arg);
	u32       space = SPACE_UNSEEN;
	SpaceWalk w;
	if (!ipmsp_infer(p, v, l->call, IR_NO_REF, &space, &w))
		space = SPACE_UNSEEN;
	l->arg[l->n] = arg;
	l->space[l->n++] = space;
	l->here_only |= w.here_only;
}

/* Addresses of an intrinsic; of any other function its generic pointers. */
static void add_call(Matcher *t, IrRef call, IrRef callee, u32 order)
{
	IrModule      *m = t->p->m;
	const Respace *r = respace_of(m, call);
	LeafCall       l = {.call = call, .callee = callee, .order = order};
	if (!r && ir_is_llvm_name(m, callee))
		return;
	for (u32 i = 0; i < ir_call(m, call)->n_args && l.n < PS_COUNT(l.arg); i++) {
		IrRef v = ir_call_arg(m, call, i);
		if (is_ptr(m, v) && value_space(m, v) == AS_GENERIC && (!r || respace_takes_address(r, i)))
			add_address(t, &l, i);
	}
	if (l.n)
		vec_push(t->p->cx->scratch, &t->users, l);
}

/* What was left by the visit before: is more known now? */
static void ask_again(Matcher *t)
{
	LeafCalls old = t->users;
	t->users = (LeafCalls){0};
	for (u32 i = 0; i < old.n; i++)
		add_call(t, old.p[i].call, old.p[i].callee, old.p[i].order);
}

static bool is_user(const Matcher *t, IrRef call)
{
	for (u32 i = 0; i < t->users.n; i++)
		if (ir_same(t->users.p[i].call, call))
			return true;
	return false;
}

/* Only the first visit starts from nothing: later ones go on with what was left. */
void matcher_collect(Matcher *t, u32 which)
{
	IrModule *m = t->p->m;
	u32       order = 0;
	if (t->visited)
		ask_again(t);
	else
		t->users.n = 0;
	bool again = t->users.n != 0;
	t->visited = true;
	ir_each_block(m, t->f, b)
		ir_each_inst(m, b, i) {
			IrFunc *callee = ir_inst(m, i)->op == IR_CALL ? ir_called(m, i) : NULL;
			bool    fresh;
			order++;
			if (!callee)
				continue;
			map_put(&t->seen, callee->ref.i, &fresh);
			if (fresh)
				vec_push(t->p->cx->scratch, ir_is_decl(callee) ? &t->leaves : &t->waiting, callee->ref.i);
			if (ir_is_decl(callee) && is_wanted(m, i, which) && !(again && is_user(t, i)))
				add_call(t, i, callee->ref, order);
		}
}

/* ---- matching ---- */

static bool is_same_operation(const IrModule *m, IrRef a, IrRef b)
{
	const IrInst *x = ir_inst(m, a), *y = ir_inst(m, b);
	return x->op == y->op && x->sub == y->sub && x->flags == y->flags && x->aux == y->aux && x->n_ops == y->n_ops &&
	       ir_type_same(x->type, y->type) && x->op != IR_PHI && x->op != IR_ALLOCA && !ir_may_read(m, a) &&
	       !ir_has_side_effects(m, a);
}

/* Do both compute the same from the same? Bounded by its depth; answers are kept. */
static bool are_equivalent(Matcher *t, IrRef a, IrRef b, u32 depth)
{
	IrModule *m = t->p->m;
	if (ir_same(a, b))
		return true;
	if (ir_kind(a) != IR_INST || ir_kind(b) != IR_INST || !depth)
		return false;
	u64  key = (u64)a.i << 32 | b.i;
	u64 *known = map_get(&t->equivalent, key);
	if (known)
		return *known == 1;
	bool same = is_same_operation(m, a, b);
	for (u32 i = 0; same && i < ir_n_ops(m, a); i++)
		same = are_equivalent(t, ir_op(m, a, i), ir_op(m, b, i), depth - 1);
	map_set(&t->equivalent, key, same ? 1 : 2);
	return same;
}

static u32 coverage(Matcher *t, IrRef a, IrRef b)
{
	IrModule *m = t->p->m;
	u32       n = PS_MIN(ir_call(m, a)->n_args, ir_call(m, b)->n_args), score = 0;
	for (u32 i = 0; i < n; i++)
		score += are_equivalent(t, ir_call_arg(m, a, i), ir_call_arg(m, b, i), EQUIVALENCE_DEPTH);
	return score;
}

static void build_control_flow(Matcher *t)
{
	Arena *a = t->p->cx->scratch;
	if (t->cfg)
		return;
	t->cfg = ir_cfg_build(t->p->m, t->f, a);
	t->dom = dom_build(&t->cfg->graph, a, 0);
	t->loops = loops_build(&t->cfg->graph, &t->cfg->order, &t->dom, a);
}

static bool in_one_loop(const Matcher *t, IrRef a, IrRef b)
{
	const IrModule *m = t->p->m;
	u32             x = t->loops.of[ir_cfg_of(t->cfg, m, a)];
	u32             y = t->loops.of[ir_cfg_of(t->cfg, m, b)];
	return x == y && x != GRAPH_NONE;
}

/* Whoever dominates a call from outside its block and is the first thing that happens. */
static bool is_first_instruction(const Matcher *t, IrRef call)
{
	const IrModule *m = t->p->m;
	return ir_same(ir_block(m, t->f->first)->first, call);
}

static bool may_pair(Matcher *t, const LeafCall *a, const LeafCall *b, u32 score)
{
	const IrModule *m = t->p->m;
	if (!score || !matcher_is_legal(m, a->call) || !matcher_is_legal(m, b->call))
		return false;
	if (ir_same(ir_inst(m, a->call)->block, ir_inst(m, b->call)->block))
		return true;
	build_control_flow(t);
	if (is_first_instruction(t, a->call) || is_first_instruction(t, b->call))
		return true;
	return score > 1 && in_one_loop(t, a->call, b->call);
}

LeafMatch matcher_best(Matcher *t, IrRef callee)
{
	LeafMatch best = {0};
	for (u32 a = 0; a < t->users.n; a++) {
		if (!ir_same(t->users.p[a].callee, callee))
			continue;
		for (u32 b = a + 1; b < t->users.n; b++) {
			const LeafCall *x = &t->users.p[a], *y = &t->users.p[b];
			if (!ir_same(y->callee, callee))
				continue;
			u32 score = coverage(t, x->call, y->call);
			if (score > best.score && may_pair(t, x, y, score))
				best = (LeafMatch){a, b, score};
		}
	}
	return best;
}

/* ---- specialised calls ---- */

static void refuse(Matcher *t, const LeafCall *l, const char *why)
{
	IrModule *m = t->p->m;
	for (u32 i = 0; i < l->n; i++)
		if (space_is_known(l->space[i]))
			pass_remark(t->p->cx, REMARK_MISSED, value_line(m, l->call),
			            "argument %u of '%.*s' is passed as a generic pointer, though it is in address space %u: %s",
			            l->arg[i], STR_ARG(callee_name(m, l->call)), l->space[i], why);
	t->stats.refused++;
}

static IrRef address_in(IrModule *m, IrRef call, IrRef v, u32 space)
{
	if (value_op(m, v) == IR_ADDRSPACECAST && value_space(m, value_operand(m, v, 0)) == space)
		return value_operand(m, v, 0);
	if (ir_is_const(m, v))
		return ir_const_cast(m, IR_ADDRSPACECAST, v, ir_ptr_type(m, space));
	IrBuilder b = ir_build_before(m, call);
	return ir_b_cast(&b, IR_ADDRSPACECAST, v, ir_ptr_type(m, space));
}

static bool specialize(Matcher *t, const LeafCall *l)
{
	Ipmsp         *p = t->p;
	IrModule      *m = p->m;
	const Respace *r = respace_of(m, l->call);
	u32            n = ir_call(m, l->call)->n_args, space = 0;
	IrRef         *args = arena_array(p->cx->scratch, IrRef, n + 1);
	if (!r || !matcher_is_legal(m, l->call)) {
		refuse(t, l, r ? "the call may not be replaced" : "the type of the function is fixed");
		return false;
	}
	if (respace_is_volatile(r, m, l->call)) {
		refuse(t, l, "the access is volatile");
		return false;
	}
	for (u32 i = 0; i < n; i++)
		args[i] = ir_call_arg(m, l->call, i);
	for (u32 i = 0; i < l->n; i++) {
		if (!space_is_known(l->space[i]) || !respace_has_form(r, l->space[i]))
			continue;
		args[l->arg[i]] = address_in(m, l->call, args[l->arg[i]], l->space[i]);
		space = l->space[i];
		pass_remark(p->cx, REMARK_PASSED, value_line(m, l->call), "argument %u of '%.*s' is in address space %u",
		            l->arg[i], STR_ARG(callee_name(m, l->call)), space);
	}
	if (!space)
		return false;
	IrRef call = respace_call(m, p->cx->scratch, l->call, args);
	map_set(&t->inst_space, call.i, space);
	map_set(&t->callee_result, l->callee.i, space);
	++*map_put(&t->edge_weight, l->callee.i, NULL);
	t->stats.specialized++;
	return true;
}

/* ---- merging ---- */

static bool comes_before(Matcher *t, const LeafCall *a, const LeafCall *b)
{
	build_control_flow(t);
	return ir_inst_dominates(t->p->m, t->cfg, &t->dom, a->call, b->call);
}

/* What is known of the one for the other: the same value, seen later. */
static void share(Matcher *t, const LeafCall *from, LeafCall *to)
{
	IrModule *m = t->p->m;
	for (u32 i = 0; i < to->n; i++)
		for (u32 k = 0; k < from->n; k++)
			if (!space_is_known(to->space[i]) && space_is_known(from->space[k]) &&
			    ir_same(ir_call_arg(m, from->call, from->arg[k]), ir_call_arg(m, to->call, to->arg[i])) &&
			    comes_before(t, from, to)) {
				to->space[i] = from->space[k];
				to->here_only = true;
			}
}

static bool is_known(const LeafCall *l)
{
	for (u32 i = 0; i < l->n; i++)
		if (space_is_known(l->space[i]))
			return true;
	return false;
}

/* Calls that nothing is known of wait for another visit. */
static bool settle(Matcher *t, const LeafCall *l, LeafCalls *rest)
{
	if (is_known(l))
		return specialize(t, l);
	vec_push(t->p->cx->scratch, rest, *l);
	return false;
}

/* The calls of the last callee. */
static bool settle_callee(Matcher *t, LeafCalls *rest)
{
	IrRef     callee = vec_last(&t->users).callee;
	LeafMatch match = matcher_best(t, callee);
	u32       first = t->users.n;
	bool      changed = false;
	while (first && ir_same(t->users.p[first - 1].callee, callee))
		first--;
	for (u32 i = first; match.score && i < t->users.n; i++) {
		share(t, &t->users.p[match.a], &t->users.p[i]);
		share(t, &t->users.p[match.b], &t->users.p[i]);
	}
	t->stats.matched += match.score != 0;
	t->stats.alone += match.score == 0;
	vec_push(t->p->cx->scratch, &t->merged, callee.i);
	for (u32 i = first; i < t->users.n; i++) {
		LeafCall l = t->users.p[i];
		changed |= settle(t, &l, rest);
	}
	t->users.n = first;
	return changed;
}

static int by_callee(const void *a, const void *b, PS_UNUSED void *user)
{
	const LeafCall *x = a, *y = b;
	if (x->callee.i != y->callee.i)
		return x->callee.i < y->callee.i ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

bool matcher_merge(Matcher *t)
{
	LeafCalls rest = {0};
	bool      changed = false;
	sort_stable(t->p->cx->scratch, t->users.p, t->users.n, sizeof *t->users.p, by_callee, NULL);
	while (t->users.n)
		changed |= settle_callee(t, &rest);
	t->users = rest;
	return changed;
}

/* One call: nothing to compare it with. */
static bool settle_single(Matcher *t)
{
	LeafCalls rest = {0};
	LeafCall  l = t->users.p[0];
	bool      changed = settle(t, &l, &rest);
	t->stats.single++;
	t->users = rest;
	return changed;
}

bool matcher_visit(Matcher *t, u32 which)
{
	matcher_collect(t, which);
	if (t->users.n > t->depth_limit) {
		pass_remark(t->p->cx, REMARK_MISSED, ir_global(t->p->m, t->f->ref)->origin,
		            "'%.*s' has %u calls of functions without a body: ipmsp-depth-limit allows %u",
		            STR_ARG(ipmsp_name(t->p, t->f)), t->users.n, t->depth_limit);
		return false;
	}
	return t->users.n > 1 ? matcher_merge(t) : t->users.n == 1 && settle_single(t);
}

bool ipmsp_match_leaves(Ipmsp *p, u32 which)
{
	bool changed = false;
	ir_each_func(p->m, f) {
		Matcher t;
		if (ir_is_decl(f))
			continue;
		matcher_init(&t, p, f);
		changed |= matcher_visit(&t, which);
	}
	return changed;
}
