/* ipmsp: inter-procedural memory space propagation.
 *
 *   define internal float @get(ptr %p)        called with pointers to shared memory only
 *     %v = load float, ptr %p            →    define internal float @get(ptr addrspace(3) %p)
 *                                               %p.gen = addrspacecast ptr addrspace(3) %p to ptr
 *
 * A work list of functions, last in first out, to a fixed point. For each: what do its callers in this
 * module pass for each generic pointer? Where all agree on one space, the argument is narrowed: in place
 * if every caller is known (internal linkage, only called), else in a clone of internal linkage that takes
 * over the calls of this module while the original stays for others. Callees are looked at again, because
 * what they are passed is known better now. Where all returns agree, callers learn the space of the
 * result. Casts back to generic at the entry keep the body as it is; infer-address-spaces removes them.
 *
 * Recursion: an argument that is passed through is neutral, and within a cycle of functions whose callers
 * are all known the walk looks through their arguments, so that a cycle agrees with what enters it.
 *
 * Every narrowing fixes an argument or a return for good, so the work is bounded by functions × their
 * arguments; the step cap guards that claim. Kernels keep their signatures. */
#include "irpass/ipmsp.h"

#include "graph/graph.h"
#include "irpass/util.h"

/* ---- work list ---- */

void work_push(WorkList *w, u32 func)
{
	if (w->n == w->page.n * WORK_PAGE)
		vec_push(w->arena, &w->page, arena_array(w->arena, u32, WORK_PAGE));
	w->page.p[w->n / WORK_PAGE][w->n % WORK_PAGE] = func;
	w->n++;
}

u32 work_pop(WorkList *w)
{
	w->n--;
	return w->page.p[w->n / WORK_PAGE][w->n % WORK_PAGE];
}

/* ---- who may be processed ---- */

bool ipmsp_linkage_allows(IrLinkage l)
{
	switch (l) {
	case IRL_EXTERNAL:
	case IRL_PRIVATE:
	case IRL_INTERNAL:
	case IRL_LINKONCE_ODR:
	case IRL_WEAK_ODR: return true;
	default: return false; /* not ours, or another body may be taken at link time */
	}
}

static bool is_generic_ptr_type(const IrModule *m, IrType t)
{
	return ir_type_is_ptr(m, t) && ptr_space(m, t) == AS_GENERIC;
}

static bool has_unresolved_args(const Ipmsp *p, const IrFunc *f)
{
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef a = ir_func_arg(f, i);
		if (is_generic_ptr_type(p->m, ir_type_of(p->m, a)) && !map_get(&p->arg_space, a.i))
			return true;
	}
	return false;
}

static IrType return_type(const IrModule *m, const IrFunc *f) { return ir_func_ret(m, ir_global(m, f->ref)->type); }

bool ipmsp_should_process(const Ipmsp *p, const IrFunc *f)
{
	const IrModule *m = p->m;
	const IrGlobal *g = ir_global(m, f->ref);
	if (ir_is_decl(f) || !ir_has_uses(m, f->ref) || !ipmsp_linkage_allows((IrLinkage)g->linkage) ||
	    str_starts(ir_str(m, g->name), "llvm.") || ir_is_kernel(m, f))
		return false;
	if (is_generic_ptr_type(m, return_type(m, f)) && !map_get(&p->return_space, f->ref.i))
		return true;
	return has_unresolved_args(p, f);
}

/* ---- call sites ---- */

/* The use calls `f` as what it is. */
static bool is_direct_call(const IrModule *m, const IrFunc *f, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	return ir_kind(user) == IR_INST && ir_inst(m, user)->op == IR_CALL && ir_use_index(m, use) == 0 &&
	       ir_inst(m, user)->sub != IRTAIL_MUSTTAIL && ir_type_same(ir_inst(m, user)->elem, ir_global(m, f->ref)->type);
}

/* All callers are in this module and nothing but calls uses it. */
static bool all_callers_known(const IrModule *m, const IrFunc *f)
{
	if (!ir_linkage_is_local(ir_global(m, f->ref)->linkage) || ir_is_kernel(m, f) || ir_is_decl(f) ||
	    ir_type(m, ir_global(m, f->ref)->type)->vararg)
		return false;
	ir_each_use(m, f->ref, u)
		if (!is_direct_call(m, f, u))
			return false;
	return true;
}

static IrFunc *caller_of(const IrModule *m, IrRef call)
{
	return ir_func(m, ir_block(m, ir_inst(m, call)->block)->func);
}

/* SpaceFacts.actuals: what is passed for `arg`, when its function is in a cycle of known callers. */
static bool actuals_in_cycle(void *user, IrRef arg, VecU32 *out)
{
	Ipmsp    *p = user;
	IrModule *m = p->m;
	IrFunc   *f = ir_func(m, ir_arg(m, arg)->func);
	u64      *scc = map_get(&p->scc, f->ref.i);
	if (!scc || !(*scc & 1) || !all_callers_known(m, f))
		return false;
	ir_each_use(m, f->ref, u)
		vec_push(p->cx->scratch, out, ir_call_arg(m, ir_use(m, u)->user, ir_arg(m, arg)->number).i);
	return out->n != 0;
}

static bool infer(Ipmsp *p, IrRef actual, IrRef call, IrRef formal, u32 *space, SpaceWalk *w)
{
	u64 *known = map_get(&p->callee_space, actual.i);
	if (known) {
		p->stats.cache_hits++;
		*space = (u32)*known;
		return true;
	}
	SpaceQuery q = {p->m, &p->rules, &p->facts, p->cx->scratch, call, formal};
	space_walk_init(w, p->cx->scratch);
	p->stats.inferred++;
	if (!space_of(&q, actual, w, space))
		return false;
	if (!w->here_only)
		map_set(&p->callee_space, actual.i, *space);
	return true;
}

/* `in_place`: all callers of f are known. Else an argument is neutral only in calls that f itself makes:
 * what it passes on to others comes back from the original too, with whatever that is given. */
static void see_call(Ipmsp *p, const IrFunc *f, IrRef call, bool in_place, u32 *spaces)
{
	IrModule *m = p->m;
	bool      own = in_place || ir_same(caller_of(m, call)->ref, f->ref);
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef     formal = ir_func_arg(f, i), actual = ir_call_arg(m, call, i);
		u32       space = value_space(m, actual);
		SpaceWalk w;
		if (spaces[i] == SPACE_SKIP || ir_same(actual, formal) || ir_is_undef(m, actual))
			continue;
		if (space == AS_GENERIC && !infer(p, actual, call, own ? formal : IR_NO_REF, &space, &w)) {
			/* Nothing but the argument itself: passed through by way of phis or geps. */
			if (!w.opaque && !w.conflict)
				continue;
			pass_remark(p->cx, REMARK_MISSED, value_line(m, call),
			            "argument %u of '%.*s' stays generic: %s", i,
			            STR_ARG(ir_str(m, ir_global(m, f->ref)->name)), space_reason(m, &w));
			spaces[i] = SPACE_SKIP;
			continue;
		}
		if (spaces[i] == SPACE_UNSEEN) {
			spaces[i] = space;
		} else if (spaces[i] != space) {
			pass_remark(p->cx, REMARK_MISSED, value_line(m, call),
			            "argument %u of '%.*s' stays generic: calls pass address spaces %u and %u", i,
			            STR_ARG(ir_str(m, ir_global(m, f->ref)->name)), spaces[i], space);
			spaces[i] = SPACE_SKIP;
		}
	}
}

u32 ipmsp_analyze(Ipmsp *p, const IrFunc *f, u32 *spaces)
{
	IrModule *m = p->m;
	u32       resolved = 0;
	bool      in_place = all_callers_known(m, f);
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef a = ir_func_arg(f, i);
		bool  open = is_generic_ptr_type(m, ir_type_of(m, a)) && !map_get(&p->arg_space, a.i) &&
		            !ir_param_byval(m, f, i).i;
		spaces[i] = open ? SPACE_UNSEEN : SPACE_SKIP;
	}
	/* Oldest use first: the order of the calls in the module. */
	VecU32 calls = {0};
	ir_each_use(m, f->ref, u)
		if (is_direct_call(m, f, u))
			vec_push(p->cx->scratch, &calls, ir_use(m, u)->user.i);
	while (calls.n)
		see_call(p, f, (IrRef){vec_pop(&calls)}, in_place, spaces);
	for (u32 i = 0; i < f->n_args; i++)
		resolved += spaces[i] != SPACE_UNSEEN && spaces[i] != SPACE_SKIP;
	return resolved;
}

/* ---- narrowing ---- */

/* `pointer` as one of `space`: what a cast to generic was made from, or a cast. */
static IrRef in_space(IrModule *m, IrRef call, IrRef pointer, u32 space)
{
	if (value_space(m, pointer) == space)
		return pointer;
	if (value_op(m, pointer) == IR_ADDRSPACECAST && value_space(m, value_operand(m, pointer, 0)) == space)
		return value_operand(m, pointer, 0);
	if (ir_is_const(m, pointer))
		return ir_is_undef(m, pointer) ? ir_const_poison(m, ir_ptr_type(m, space))
		                               : ir_const_cast(m, IR_ADDRSPACECAST, pointer, ir_ptr_type(m, space));
	IrBuilder b = ir_build_before(m, call);
	return ir_b_cast(&b, IR_ADDRSPACECAST, pointer, ir_ptr_type(m, space));
}

/* Arguments get their spaces; the body sees them through casts to generic at its entry. */
static void narrow_signature(Ipmsp *p, IrFunc *f, const u32 *spaces)
{
	IrModule *m = p->m;
	IrGlobal *g = ir_global(m, f->ref);
	IrType   *types = arena_array(p->cx->scratch, IrType, f->n_args + 1);
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef a = ir_func_arg(f, i);
		types[i] = ir_type_of(m, a);
		if (spaces[i] >= SPACE_UNSEEN)
			continue;
		types[i] = ir_ptr_type(m, spaces[i]);
		map_set(&p->arg_space, a.i, spaces[i]);
		if (ir_has_uses(m, a)) {
			IrBuilder b = build_at_entry(m, f);
			IrRef     back = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
			ir_b_insert(&b, back);
			ir_replace_all_uses(m, a, back);
			ir_set_op(m, back, 0, a);
			name_after(m, back, a, ".gen");
		}
		ir_arg(m, a)->type = types[i];
	}
	g->type = ir_func_type(m, ir_func_ret(m, g->type), types, f->n_args, ir_type(m, g->type)->vararg);
}

static void retarget(Ipmsp *p, IrRef call, const IrFunc *to, const u32 *spaces)
{
	IrModule *m = p->m;
	for (u32 i = 0; i < to->n_args; i++)
		if (spaces[i] < SPACE_UNSEEN)
			ir_set_op(m, call, i + 1, in_space(m, call, ir_call_arg(m, call, i), spaces[i]));
	ir_set_op(m, call, 0, to->ref);
	ir_inst(m, call)->elem = ir_global(m, to->ref)->type;
}

static void direct_calls(Ipmsp *p, const IrFunc *f, VecU32 *out)
{
	ir_each_use(p->m, f->ref, u)
		if (is_direct_call(p->m, f, u))
			vec_push(p->cx->scratch, out, ir_use(p->m, u)->user.i);
}

static void explain(Ipmsp *p, const IrFunc *f, const u32 *spaces, const char *how)
{
	for (u32 i = 0; i < f->n_args; i++)
		if (spaces[i] < SPACE_UNSEEN)
			pass_remark(p->cx, REMARK_PASSED, ir_global(p->m, f->ref)->origin,
			            "argument %u of '%.*s' points to address space %u: %s", i,
			            STR_ARG(ir_str(p->m, ir_global(p->m, f->ref)->name)), spaces[i], how);
}

static void specialize_in_place(Ipmsp *p, IrFunc *f, const u32 *spaces)
{
	VecU32 calls = {0};
	direct_calls(p, f, &calls);
	explain(p, f, spaces, "all its calls agree");
	narrow_signature(p, f, spaces);
	for (u32 i = 0; i < calls.n; i++)
		retarget(p, (IrRef){calls.p[i]}, f, spaces);
	p->stats.in_place++;
}

static Str name_of(const Ipmsp *p, const IrFunc *f) { return ir_str(p->m, ir_global(p->m, f->ref)->name); }

static void note(Ipmsp *p, const char *fmt, ...) PS_PRINTF(2, 3);
static void note(Ipmsp *p, const char *fmt, ...)
{
	if (!p->trace)
		return;
	va_list ap;
	va_start(ap, fmt);
	Str s = arena_vfmt(p->cx->scratch, fmt, ap);
	va_end(ap);
	text_add(pass_dump(p->cx), s);
	text_c(pass_dump(p->cx), '\n');
}

/* The clone serves the calls of this module, but not those that the original makes to itself: there the
 * argument is whatever others pass. */
static IrFunc *specialize_clone(Ipmsp *p, IrFunc *f, const u32 *spaces)
{
	IrModule *m = p->m;
	VecU32    calls = {0};
	direct_calls(p, f, &calls);
	Str     name = arena_fmt(p->cx->scratch, "%.*s.ipmsp", STR_ARG(name_of(p, f)));
	IrFunc *c = ir_func_clone(m, f, name);
	ir_global(m, c->ref)->linkage = IRL_INTERNAL;
	ir_global(m, c->ref)->visibility = IRV_DEFAULT;
	ir_global(m, c->ref)->comdat = 0;
	narrow_signature(p, c, spaces);
	for (u32 i = 0; i < calls.n; i++)
		if (!ir_same(caller_of(m, (IrRef){calls.p[i]})->ref, f->ref))
			retarget(p, (IrRef){calls.p[i]}, c, spaces);
	ir_each_block(m, c, b)
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && ir_same(ir_callee(m, i), f->ref) &&
			    ir_type_same(ir_inst(m, i)->elem, ir_global(m, f->ref)->type))
				retarget(p, i, c, spaces);
	explain(p, f, spaces, "in a clone for the calls of this module");
	note(p, "%.*s is cloned", STR_ARG(name_of(p, f)));
	p->stats.clones++;
	return c;
}

/* ---- the work list ---- */

static bool push(Ipmsp *p, const IrFunc *f)
{
	bool fresh;
	if (!ipmsp_should_process(p, f))
		return false;
	u64 *waiting = map_put(&p->on_list, f->ref.i, &fresh);
	if (*waiting)
		return false;
	*waiting = 1;
	work_push(&p->work, f->ref.i);
	p->stats.max_pages = PS_MAX(p->stats.max_pages, work_pages(&p->work));
	return true;
}

/* How many functions are passed something that may be known better now; those that wait already count. */
static u32 push_callees(Ipmsp *p, const IrFunc *f)
{
	u32 affected = 0;
	Map seen;
	map_init(&seen, p->cx->scratch, &map_default);
	ir_each_block(p->m, f, b)
		ir_each_inst(p->m, b, i) {
			IrFunc *callee = ir_inst(p->m, i)->op == IR_CALL ? ir_called(p->m, i) : NULL;
			bool    fresh = false;
			if (callee && ipmsp_should_process(p, callee))
				map_put(&seen, callee->ref.i, &fresh);
			affected += fresh;
			if (fresh)
				push(p, callee);
		}
	return affected;
}

/* ---- returns ---- */

/* The call's result, known to be in `space`: said by a pair of casts. */
static void mark_result(Ipmsp *p, IrRef call, u32 space)
{
	IrModule *m = p->m;
	if (!ir_has_uses(m, call))
		return;
	IrBuilder b = build_after(m, call);
	IrRef     s = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, space), 1);
	IrRef     g = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
	ir_b_insert(&b, s);
	ir_b_insert(&b, g);
	ir_replace_all_uses(m, call, g);
	ir_set_op(m, s, 0, call);
	ir_set_op(m, g, 0, s);
	name_after(m, s, call, ".as");
	name_after(m, g, call, ".gen");
}

/* One walk for all returns together, and results of calls to itself are neutral. */
static bool find_return_space(Ipmsp *p, const IrFunc *f, u32 *space)
{
	IrModule *m = p->m;
	u32       agreed = SPACE_UNSEEN;
	ir_each_block(m, f, b) {
		IrRef t = ir_term(m, b);
		if (ir_is_none(t) || ir_inst(m, t)->op != IR_RET || !ir_n_ops(m, t))
			continue;
		IrRef      v = ir_op(m, t, 0);
		SpaceWalk  w;
		SpaceQuery q = {m, &p->rules, &p->facts, p->cx->scratch, t, IR_NO_REF};
		u32        s;
		if (ir_kind(v) == IR_INST && ir_inst(m, v)->op == IR_CALL && ir_same(ir_callee(m, v), f->ref))
			continue;
		space_walk_init(&w, p->cx->scratch);
		if (!space_of(&q, v, &w, &s)) {
			pass_remark(p->cx, REMARK_MISSED, value_line(m, t), "what '%.*s' returns stays generic: %s",
			            STR_ARG(name_of(p, f)), space_reason(m, &w));
			return false;
		}
		if (agreed != SPACE_UNSEEN && agreed != s)
			return false;
		agreed = s;
	}
	*space = agreed;
	return agreed != SPACE_UNSEEN;
}

static void resolve_return(Ipmsp *p, const IrFunc *f)
{
	IrModule *m = p->m;
	u32       space;
	/* A function that may be replaced, or narrowed for this module alone, still returns what it returns. */
	if (!is_generic_ptr_type(m, return_type(m, f)) || map_get(&p->return_space, f->ref.i) ||
	    !find_return_space(p, f, &space))
		return;
	map_set(&p->return_space, f->ref.i, space);
	p->stats.returns++;
	note(p, "%.*s : return memory space is resolved : %u", STR_ARG(name_of(p, f)), space);
	pass_remark(p->cx, REMARK_PASSED, ir_global(m, f->ref)->origin, "'%.*s' returns a pointer to address space %u",
	            STR_ARG(name_of(p, f)), space);
	VecU32 calls = {0};
	direct_calls(p, f, &calls);
	for (u32 i = 0; i < calls.n; i++) {
		IrFunc *caller = caller_of(m, (IrRef){calls.p[i]});
		mark_result(p, (IrRef){calls.p[i]}, space);
		push(p, caller);
		push_callees(p, caller);
	}
}

/* ---- the driver ---- */

static bool narrow(Ipmsp *p, IrFunc *f)
{
	IrModule *m = p->m;
	u32      *spaces = arena_array(p->cx->scratch, u32, f->n_args + 1);
	u32       resolved = ipmsp_analyze(p, f, spaces);
	bool      in_place = all_callers_known(m, f);
	if (!resolved) {
		if (!in_place && has_unresolved_args(p, f))
			note(p, "avoid cloning of %.*s", STR_ARG(name_of(p, f)));
		return false;
	}
	IrFunc *narrowed = f;
	if (!in_place && (ir_type(m, ir_global(m, f->ref)->type)->vararg ||
	                  (p->clone_limit >= 0 && p->stats.clones >= (u64)p->clone_limit))) {
		note(p, "avoid cloning of %.*s", STR_ARG(name_of(p, f)));
		pass_remark(p->cx, REMARK_MISSED, ir_global(m, f->ref)->origin,
		            "'%.*s' is not cloned: do-clone-for-ip-msp allows %lld", STR_ARG(name_of(p, f)),
		            (long long)p->clone_limit);
		return false;
	}
	note(p, "%.*s : changed in argument memory space (%u arguments)", STR_ARG(name_of(p, f)), resolved);
	if (in_place)
		specialize_in_place(p, f, spaces);
	else
		narrowed = specialize_clone(p, f, spaces);
	u32 affected = push_callees(p, narrowed);
	note(p, "%u callees are affected", affected);
	push(p, narrowed);
	return true;
}

/* Components of the call graph: is a function on a cycle? */
static void find_cycles(Ipmsp *p)
{
	IrModule  *m = p->m;
	Arena     *a = p->cx->scratch;
	Map        number;
	VecU32     func = {0};
	GraphEdges edges = {0};
	map_init(&number, a, &map_default);
	ir_each_func(m, f)
		if (!ir_is_decl(f)) {
			map_set(&number, f->ref.i, func.n);
			vec_push(a, &func, f->ref.i);
		}
	for (u32 i = 0; i < func.n; i++)
		ir_each_use(m, ((IrRef){func.p[i]}), u)
			if (ir_kind(ir_use(m, u)->user) == IR_INST) {
				u64 *from = map_get(&number, caller_of(m, ir_use(m, u)->user)->ref.i);
				if (from)
					vec_push(a, &edges, ((GraphEdge){(u32)*from, i}));
			}
	Graph g;
	graph_build(&g, a, func.n, edges.p, edges.n);
	Sccs s = graph_sccs(&g, a);
	for (u32 i = 0; i < func.n; i++)
		map_set(&p->scc, func.p[i], (u64)s.of[i] << 1 | scc_is_cyclic(&g, &s, s.of[i]));
}

void ipmsp_init(Ipmsp *p, PassCx *cx, SpaceRules rules)
{
	*p = (Ipmsp){.cx = cx, .m = cx->ir, .rules = rules};
	map_init(&p->arg_space, cx->scratch, &map_default);
	map_init(&p->return_space, cx->scratch, &map_default);
	map_init(&p->callee_space, cx->scratch, &map_ipmsp);
	map_init(&p->on_list, cx->scratch, &map_default);
	map_init(&p->scc, cx->scratch, &map_default);
	p->facts = (SpaceFacts){&p->arg_space, &p->return_space, actuals_in_cycle, p};
	p->work.arena = cx->scratch;
	p->clone_limit = knob_int(cx->s, KNOB_do_clone_for_ip_msp);
	p->trace = knob_int(cx->s, KNOB_dump_ip_msp) != 0;
}

bool ipmsp_run(Ipmsp *p)
{
	IrModule *m = p->m;
	u64       args = 1;
	bool      changed = false;
	find_cycles(p);
	ir_each_func(m, f) {
		args += f->n_args + 2u;
		push(p, f);
	}
	note(p, "Initial work list size : %u", p->work.n);
	/* Each time a function is pushed again, an argument or a return somewhere was fixed, at most twice over
	 * for the clone; and then each of its callees is. */
	p->step_cap = (args + 1) * (args + 1) * 4;
	while (p->work.n) {
		IrRef   ref = {work_pop(&p->work)};
		IrFunc *f = ir_func(m, ref);
		map_set(&p->on_list, ref.i, 0);
		p->stats.processed++;
		if (++p->steps > p->step_cap)
			ICE(p->cx->s, "no fixed point after %llu steps", (unsigned long long)p->steps);
		changed |= has_unresolved_args(p, f) && narrow(p, f);
		u32 before = p->stats.returns;
		resolve_return(p, f);
		changed |= p->stats.returns != before;
	}
	return changed;
}

SpaceRules space_rules_ias(const Session *s)
{
	return (SpaceRules){
		.param_global = knob_bool(s, KNOB_ias_param_always_point_to_global) && !s->target.nvcl,
		.strong_global = knob_bool(s, KNOB_ias_strong_global_assumptions),
		.alloca_local = knob_bool(s, KNOB_process_alloca_always),
		.indir_load = knob_bool(s, KNOB_ias_track_indir_load),
		.int2ptr = knob_bool(s, KNOB_ias_track_int2ptr),
		.builtin_assume = knob_bool(s, KNOB_process_builtin_assume),
		.wmma = knob_bool(s, KNOB_ias_wmma_memory_space_opt),
	};
}

SpaceRules space_rules_libnvvm(const Session *s)
{
	return (SpaceRules){
		.param_global = knob_bool(s, KNOB_param_always_point_to_global) && !s->target.nvcl,
		.strong_global = knob_bool(s, KNOB_strong_global_assumptions),
		.alloca_local = knob_bool(s, KNOB_process_alloca_always),
		.indir_load = knob_bool(s, KNOB_track_indir_load),
		.int2ptr = knob_bool(s, KNOB_track_int2ptr),
		.builtin_assume = knob_bool(s, KNOB_process_builtin_assume),
		.wmma = knob_bool(s, KNOB_wmma_memory_space_opt),
	};
}

static bool gated(const Session *s)
{
	return !knob_bool(s, KNOB_emit_optix_ir);
}

static bool run(PassCx *cx)
{
	Ipmsp p;
	ipmsp_init(&p, cx, space_rules_ias(cx->s));
	return ipmsp_run(&p);
}

static const Knob knobs[] = {
	KNOB_do_clone_for_ip_msp, KNOB_dump_ip_msp, KNOB_emit_optix_ir, KNOB_ias_param_always_point_to_global,
	KNOB_ias_strong_global_assumptions, KNOB_ias_track_indir_load, KNOB_ias_track_int2ptr,
	KNOB_ias_wmma_memory_space_opt, KNOB_process_alloca_always, KNOB_process_builtin_assume, KNOB_NONE,
};

const Pass irpass_ipmsp = {
	.id = "ipmsp",
	.title = "Inter-Procedural Memory Space Propagation",
	.summary = "Pointer arguments on whose space all calls agree are narrowed, in place or in a clone.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gate = KNOB_do_ip_msp,
	.disable = KNOB_disable_MemorySpaceOptPass,
	.gated = gated,
	.knobs = knobs,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_NVIDIA,
	.run = run,
};
