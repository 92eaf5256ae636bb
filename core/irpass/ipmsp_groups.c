/* ipmsp_groups.c: calls that disagree are served in groups that agree, each by a clone of its own.
 *
 *   call @sum(%shared)                      call @sum.ipmsp(ptr addrspace(3) %shared)
 *   call @sum(%global)                 →    call @sum.ipmsp1(ptr addrspace(1) %global)
 *   call @sum(%unknown)                     call @sum(%unknown)
 *
 * A group is the spaces that its calls pass. Only arguments that lead to memory accesses or further calls
 * count: a clone for the sake of a comparison would be code for nothing. Where nothing calls the original
 * any more, it is removed.
 *
 * A call that passes one of two pointers is split where that makes the original superfluous:
 *
 *   %p = select i1 %c, ptr %shared, ptr %global       br i1 %c, label %a, label %b
 *   %r = call @sum(%p)                           →    a: %r1 = call @sum.ipmsp(%shared)
 *                                                     b: %r2 = call @sum.ipmsp1(%global)
 *                                                     %r = phi [ %r1, %a ], [ %r2, %b ]
 *
 * Not where the callee is convergent, and only between groups that exist: no code is made for it.
 *
 * Bounded by ipmsp-clone-groups clones for each function; each clone has fewer generic arguments. */
#include "ir/builder.h"
#include "irpass/ipmsp.h"

#include "irpass/util.h"

enum { MAX_CLONED_INSTS = 4096, MAX_USES_SEEN = 256 };

typedef struct Group {
	const u32 *spaces; /* by argument; SPACE_SKIP: not narrowed */
	VecU32     calls;
	IrFunc    *clone; /* NULL: to be made */
	bool       chosen;
} Group;

/* A call that passes one of two pointers, each of which has a group. */
typedef struct Either {
	IrRef      call, select;
	u32        arg;
	const u32 *spaces[2];
} Either;

typedef struct Grouping {
	Ipmsp  *p;
	IrFunc *f;
	bool   *counts; /* by argument */
	Vec(Group) group;
	Vec(Either) either;
	u32 rest; /* calls that need the original */
} Grouping;

/* ---- which arguments count ---- */

static bool is_address_arithmetic(u32 op)
{
	return op == IR_GETELEMENTPTR || op == IR_PHI || op == IR_SELECT || op == IR_BITCAST || op == IR_FREEZE ||
	       op == IR_ADDRSPACECAST;
}

/* Does the argument reach an access or a call through address arithmetic? */
static bool leads_to_memory(const Ipmsp *p, IrRef arg)
{
	const IrModule *m = p->m;
	VecU32          work = {0};
	Map             seen;
	map_init(&seen, p->cx->scratch);
	vec_push(p->cx->scratch, &work, arg.i);
	while (work.n) {
		IrRef v = {vec_pop(&work)};
		ir_each_use(m, v, u) {
			IrRef user = ir_use(m, u)->user;
			bool  fresh;
			if (ir_kind(user) != IR_INST || is_inst(m, user, IR_ICMP))
				continue;
			if (!is_address_arithmetic(ir_inst(m, user)->op))
				return true;
			map_put(&seen, user.i, &fresh);
			if (seen.live > MAX_USES_SEEN)
				return true;
			if (fresh)
				vec_push(p->cx->scratch, &work, user.i);
		}
	}
	return false;
}

static bool any_counts(Grouping *g)
{
	bool any = false;
	g->counts = arena_array(g->p->cx->scratch, bool, g->f->n_args + 1);
	for (u32 i = 0; i < g->f->n_args; i++) {
		g->counts[i] = ipmsp_is_open(g->p, g->f, i) && leads_to_memory(g->p, ir_func_arg(g->f, i));
		any |= g->counts[i];
	}
	return any;
}

/* ---- grouping ---- */

static u32 space_passed(Ipmsp *p, IrRef call, IrRef actual)
{
	u32       space = value_space(p->m, actual);
	SpaceWalk w;
	if (ir_is_undef(p->m, actual) || (space == AS_GENERIC && !ipmsp_infer(p, actual, call, IR_NO_REF, &space, &w)))
		return SPACE_SKIP;
	return space;
}

static Group *find_group(Grouping *g, const u32 *spaces)
{
	for (u32 i = 0; i < g->group.n; i++)
		if (memcmp(g->group.p[i].spaces, spaces, g->f->n_args * sizeof *spaces) == 0)
			return &g->group.p[i];
	return NULL;
}

static bool is_select_of_pointers(const IrModule *m, IrRef v)
{
	return is_inst(m, v, IR_SELECT) && ir_type_same(ir_type_of(m, ir_op(m, v, 0)), IR_TYPE(I1));
}

/* `spaces` with what the two inputs of the one select among the arguments pass. */
static bool is_either(Grouping *g, IrRef call, const u32 *spaces, Either *e)
{
	Ipmsp    *p = g->p;
	IrModule *m = p->m;
	bool      found = false;
	for (u32 i = 0; i < g->f->n_args; i++) {
		IrRef v = ir_call_arg(m, call, i);
		if (!g->counts[i] || space_is_known(spaces[i]))
			continue;
		if (found || !is_select_of_pointers(m, v))
			return false;
		*e = (Either){.call = call, .select = v, .arg = i};
		for (u32 k = 0; k < 2; k++) {
			u32 *side = arena_array(p->cx->scratch, u32, g->f->n_args + 1);
			memcpy(side, spaces, g->f->n_args * sizeof *side);
			side[i] = space_passed(p, call, ir_op(m, v, k + 1));
			if (!space_is_known(side[i]))
				return false;
			e->spaces[k] = side;
		}
		found = true;
	}
	return found;
}

static void add_call(Grouping *g, IrRef call)
{
	Ipmsp *p = g->p;
	u32   *spaces = arena_array(p->cx->scratch, u32, g->f->n_args + 1);
	bool   any = false;
	Either e;
	for (u32 i = 0; i < g->f->n_args; i++) {
		spaces[i] = g->counts[i] ? space_passed(p, call, ir_call_arg(p->m, call, i)) : SPACE_SKIP;
		any |= space_is_known(spaces[i]);
	}
	if (p->split && is_either(g, call, spaces, &e)) {
		vec_push(p->cx->scratch, &g->either, e);
	} else if (!any) {
		g->rest++;
	} else {
		Group *group = find_group(g, spaces);
		if (!group) {
			vec_push(p->cx->scratch, &g->group, ((Group){.spaces = spaces}));
			group = &vec_last(&g->group);
		}
		vec_push(p->cx->scratch, &group->calls, call.i);
	}
}

/* Calls that f makes to itself pass what its callers pass: they stay with the original. */
static void collect(Grouping *g)
{
	VecU32 calls = {0};
	ipmsp_calls_of(g->p, g->f, &calls);
	for (u32 i = 0; i < calls.n; i++)
		if (!ir_same(ipmsp_caller(g->p->m, (IrRef){calls.p[i]})->ref, g->f->ref))
			add_call(g, (IrRef){calls.p[i]});
}

/* ---- choosing ---- */

static u32 smallest_space(const Grouping *g, const Group *group)
{
	u32 least = SPACE_SKIP;
	for (u32 i = 0; i < g->f->n_args; i++)
		least = PS_MIN(least, group->spaces[i]);
	return least;
}

static u32 clones_made(const Grouping *g)
{
	u32 n = 0;
	for (u32 at = (u32)map_or(&g->p->clones_of, g->f->ref.i, 0); at; at = g->p->clones.p[at - 1].next)
		n++;
	return n;
}

static bool is_too_large(const Grouping *g)
{
	u32 n = 0;
	ir_each_block(g->p->m, g->f, b)
		ir_each_inst(g->p->m, b, i)
			if (++n > MAX_CLONED_INSTS)
				return true;
	return false;
}

static void refuse(Grouping *g, const Group *group, const char *why)
{
	pass_remark(g->p->cx, REMARK_MISSED, value_line(g->p->m, (IrRef){group->calls.p[0]}),
	            "no clone of '%.*s' for this call: %s", STR_ARG(ipmsp_name(g->p, g->f)), why);
}

/* In the order of calls, as many as the limits allow. */
static bool choose(Grouping *g)
{
	u32  made = clones_made(g), least = SPACE_SKIP;
	bool large = is_too_large(g), any = false;
	for (u32 i = 0; i < g->group.n; i++)
		least = PS_MIN(least, smallest_space(g, &g->group.p[i]));
	for (u32 i = 0; i < g->group.n; i++) {
		Group *group = &g->group.p[i];
		group->clone = ipmsp_clone_for(g->p, g->f, group->spaces);
		if (g->p->smallest && smallest_space(g, group) != least)
			continue;
		if (!group->clone && large)
			refuse(g, group, "it is too large");
		else if (!group->clone && made >= g->p->group_limit)
			refuse(g, group, "ipmsp-clone-groups allows no more");
		else if (group->clone || ipmsp_may_clone(g->p, g->f)) {
			made += !group->clone;
			group->chosen = any = true;
		}
	}
	return any;
}

static bool has_chosen(Grouping *g, const u32 *spaces)
{
	Group *group = find_group(g, spaces);
	return group ? group->chosen : ipmsp_clone_for(g->p, g->f, spaces) != NULL;
}

/* All calls have a clone then, and no convergent operation is put under a condition. */
static bool may_split(Grouping *g)
{
	const IrModule *m = g->p->m;
	if (!g->either.n || g->rest || !ipmsp_all_callers_known(m, g->f))
		return false;
	for (u32 i = 0; i < g->group.n; i++)
		if (!g->group.p[i].chosen)
			return false;
	for (u32 i = 0; i < g->either.n; i++) {
		const Either *e = &g->either.p[i];
		const IrCall *c = ir_call(m, e->call);
		if (!has_chosen(g, e->spaces[0]) || !has_chosen(g, e->spaces[1]) || c->n_bundles)
			return false;
		if (ir_is_convergent(m, e->call) || ir_call_fn_attr(m, e->call, IRA_NODUPLICATE)) {
			pass_remark(g->p->cx, REMARK_MISSED, value_line(m, e->call),
			            "call of '%.*s' is not split: it is convergent", STR_ARG(ipmsp_name(g->p, g->f)));
			return false;
		}
	}
	return true;
}

/* ---- splitting ---- */

static IrRef call_on_side(Grouping *g, const Either *e, IrRef rest, u32 side)
{
	IrModule *m = g->p->m;
	IrRef     block = ir_block_new(m, ipmsp_caller(m, e->call), side ? STR("split.false") : STR("split.true"));
	IrRef     call = ir_inst_clone(m, e->call);
	ir_block_move_after(m, block, ir_block(m, rest)->prev);
	ir_block(m, block)->origin = ir_info(m, e->call)->origin;
	ir_insert_end(m, call, block);
	ir_set_op(m, call, e->arg + 1, ir_op(m, e->select, side + 1));
	IrBuilder b = ir_build_end(m, block);
	b.origin = ir_info(m, e->call)->origin;
	b.dbg = ir_info(m, e->call)->dbg;
	ir_b_br(&b, rest);
	ipmsp_retarget(g->p, call, ipmsp_clone_for(g->p, g->f, e->spaces[side]), e->spaces[side]);
	return call;
}

static void split(Grouping *g, const Either *e)
{
	IrModule *m = g->p->m;
	IrRef     above = ir_inst(m, e->call)->block, rest = ir_split_block(m, e->call, STR("split.done"));
	IrRef     call[2];
	for (u32 side = 0; side < 2; side++)
		call[side] = call_on_side(g, e, rest, side);
	IrRef     old = ir_term(m, above);
	IrBuilder b = ir_build_before(m, old);
	ir_b_cond_br(&b, ir_op(m, e->select, 0), ir_inst(m, call[0])->block, ir_inst(m, call[1])->block);
	ir_remove(m, old);
	if (ir_has_uses(m, e->call)) {
		IrBuilder top = ir_build_before(m, e->call);
		IrRef     phi = ir_b_phi(&top, ir_type_of(m, e->call));
		for (u32 side = 0; side < 2; side++)
			ir_phi_add(m, phi, call[side], ir_inst(m, call[side])->block);
		ir_replace_all_uses(m, e->call, phi);
		ir_take_place(m, phi, e->call);
	}
	pass_remark(g->p->cx, REMARK_PASSED, value_line(m, e->call),
	            "call of '%.*s' is split: its pointer is in address space %u or %u", STR_ARG(ipmsp_name(g->p, g->f)),
	            e->spaces[0][e->arg], e->spaces[1][e->arg]);
	ir_remove(m, e->call);
	remove_if_dead(g->p->cx, e->select);
	g->p->stats.splits++;
}

/* ---- narrowing ---- */

static void serve(Grouping *g, Group *group)
{
	Ipmsp *p = g->p;
	if (group->clone) {
		for (u32 i = 0; i < group->calls.n; i++)
			ipmsp_retarget(p, (IrRef){group->calls.p[i]}, group->clone, group->spaces);
		return;
	}
	u32 resolved = 0;
	for (u32 i = 0; i < g->f->n_args; i++)
		resolved += space_is_known(group->spaces[i]);
	ipmsp_note(p, "%.*s : changed in argument memory space (%u arguments)", STR_ARG(ipmsp_name(p, g->f)), resolved);
	group->clone = ipmsp_narrow_clone(p, g->f, group->spaces, &group->calls, "in a clone for the calls that agree");
	ipmsp_note(p, "%u callees are affected", ipmsp_push_callees(p, group->clone));
	ipmsp_push(p, group->clone);
}

bool ipmsp_narrow_groups(Ipmsp *p, IrFunc *f)
{
	Grouping g = {.p = p, .f = f};
	if (!p->group_limit || ir_type(p->m, ir_global(p->m, f->ref)->type)->vararg || !any_counts(&g))
		return false;
	collect(&g);
	if (!g.group.n || !choose(&g))
		return false;
	bool splits = may_split(&g);
	for (u32 i = 0; i < g.group.n; i++)
		if (g.group.p[i].chosen)
			serve(&g, &g.group.p[i]);
	for (u32 i = 0; splits && i < g.either.n; i++)
		split(&g, &g.either.p[i]);
	/* A clone may call f: with what it was passed, for which there is a clone. */
	if (!ipmsp_remove_if_unused(p, f) && ir_has_uses(p->m, f->ref))
		ipmsp_push(p, f);
	return true;
}
