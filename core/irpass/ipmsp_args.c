/* ipmsp_args.c: what the calls of a function pass for its generic pointers.
 *
 *   call @f(%shared, %x)       spaces of @f:   argument 0   SPACE_UNSEEN → 3 → 3
 *   call @f(%shared, %global)                  argument 1   SPACE_UNSEEN → SPACE_SKIP (nothing known of %x)
 *
 * An argument that a function passes on to itself is neutral; within a cycle of functions whose callers are
 * all known the walk looks through their arguments, so that a cycle agrees with what enters it. */
#include "irpass/ipmsp.h"

#include "irpass/util.h"

static bool is_direct_call(const IrModule *m, const IrFunc *f, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	return ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_use_index(m, use) == 0 &&
	       ir_inst(m, user)->sub != IRTAIL_MUSTTAIL && ir_type_same(ir_call(m, user)->type, ir_global(m, f->ref)->type);
}

bool ipmsp_all_callers_known(const IrModule *m, const IrFunc *f)
{
	if (!ir_linkage_is_local(ir_global(m, f->ref)->linkage) || ir_is_kernel(f) || ir_is_decl(f) ||
	    ir_type(m, ir_global(m, f->ref)->type)->vararg)
		return false;
	ir_each_use(m, f->ref, u)
		if (!is_direct_call(m, f, u))
			return false;
	return true;
}

void ipmsp_calls_of(const Ipmsp *p, const IrFunc *f, VecU32 *out)
{
	u32 first = out->n;
	ir_each_use(p->m, f->ref, u)
		if (is_direct_call(p->m, f, u))
			vec_push(p->cx->scratch, out, ir_use(p->m, u)->user.i);
	for (u32 i = first, k = out->n; i + 1 < k; i++) {
		u32 last = out->p[--k];
		out->p[k] = out->p[i];
		out->p[i] = last;
	}
}

IrFunc *ipmsp_caller(const IrModule *m, IrRef call) { return ir_func(m, ir_block(m, ir_inst(m, call)->block)->func); }

bool ipmsp_is_open(const Ipmsp *p, const IrFunc *f, u32 arg)
{
	IrRef a = ir_func_arg(f, arg);
	return is_ptr(p->m, a) && value_space(p->m, a) == AS_GENERIC && !map_get(&p->arg_space, a.i) &&
	       !map_get(&p->fixed, f->ref.i) && !ir_param_byval(p->m, f, arg).i;
}

bool ipmsp_actuals_in_cycle(void *user, IrRef arg, VecU32 *out)
{
	Ipmsp    *p = user;
	IrModule *m = p->m;
	IrFunc   *f = ir_func(m, ir_arg(m, arg)->func);
	u64      *scc = map_get(&p->scc, f->ref.i);
	if (!p->through_cycles || !scc || !(*scc & 1) || !ipmsp_all_callers_known(m, f))
		return false;
	ir_each_use(m, f->ref, u)
		vec_push(p->cx->scratch, out, ir_call_arg(m, ir_use(m, u)->user, ir_arg(m, arg)->number).i);
	return out->n != 0;
}

bool ipmsp_infer(Ipmsp *p, IrRef actual, IrRef call, IrRef formal, u32 *space, SpaceWalk *w)
{
	u64 *known = map_get(&p->callee_space, actual.i);
	space_walk_init(w, p->cx->scratch);
	if (known) {
		p->stats.cache_hits++;
		*space = (u32)*known;
		return true;
	}
	SpaceQuery q = {p->m, &p->rules, &p->facts, p->cx->scratch, call, formal};
	if (p->shallow && value_op(p->m, actual) != IR_ADDRSPACECAST) {
		w->opaque = true;
		w->blame = actual;
		return false;
	}
	p->stats.inferred++;
	if (!space_of(&q, actual, w, space))
		return false;
	if (!w->here_only)
		map_set(&p->callee_space, actual.i, *space);
	return true;
}

static void stays_generic(Ipmsp *p, const IrFunc *f, IrRef call, u32 arg, const char *why)
{
	pass_remark(p->cx, REMARK_MISSED, value_line(p->m, call), "argument %u of '%.*s' stays generic: %s", arg,
	            STR_ARG(ipmsp_name(p, f)), why);
}

/* One call, one argument: the next state. `formal`: neutral, or none. */
static u32 next_state(Ipmsp *p, const IrFunc *f, IrRef call, u32 arg, IrRef formal, u32 state)
{
	IrModule *m = p->m;
	IrRef     actual = ir_call_arg(m, call, arg);
	u32       space = value_space(m, actual);
	SpaceWalk w;
	if (ir_same(actual, ir_func_arg(f, arg)) || ir_is_undef(m, actual))
		return state;
	if (space == AS_GENERIC && !ipmsp_infer(p, actual, call, formal, &space, &w)) {
		/* Nothing but the argument itself: passed through by way of phis or geps. */
		if (!w.opaque && !w.conflict)
			return state;
		stays_generic(p, f, call, arg, space_reason(m, &w));
		return SPACE_SKIP;
	}
	if (state == SPACE_UNSEEN || state == space)
		return space;
	stays_generic(p, f, call, arg, arena_fmt(p->cx->scratch, "calls pass address spaces %u and %u", state, space).p);
	return SPACE_SKIP;
}

u32 ipmsp_analyze(Ipmsp *p, const IrFunc *f, u32 *spaces)
{
	IrModule *m = p->m;
	u32       open = 0, resolved = 0;
	bool      in_place = ipmsp_all_callers_known(m, f);
	VecU32    calls = {0};
	for (u32 i = 0; i < f->n_args; i++) {
		spaces[i] = ipmsp_is_open(p, f, i) ? SPACE_UNSEEN : SPACE_SKIP;
		open += spaces[i] == SPACE_UNSEEN;
	}
	ipmsp_calls_of(p, f, &calls);
	for (u32 k = 0; k < calls.n && open; k++) {
		IrRef call = {calls.p[k]};
		/* Where f is seen by others, an argument is neutral only in calls that f itself makes: what it
		 * passes on to other functions comes back from the original too, whatever that is given. */
		bool neutral = in_place || ir_same(ipmsp_caller(m, call)->ref, f->ref);
		for (u32 i = 0; i < f->n_args; i++) {
			if (spaces[i] == SPACE_SKIP)
				continue;
			spaces[i] = next_state(p, f, call, i, neutral ? ir_func_arg(f, i) : IR_NO_REF, spaces[i]);
			open -= spaces[i] == SPACE_SKIP;
		}
	}
	for (u32 i = 0; i < f->n_args; i++)
		resolved += space_is_known(spaces[i]);
	return resolved;
}
