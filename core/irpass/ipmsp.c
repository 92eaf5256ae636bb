/* ipmsp: inter-procedural memory space propagation.
 *
 *   define internal float @get(ptr %p)        called with pointers to shared memory only
 *     %v = load float, ptr %p            →    define internal float @get(ptr addrspace(3) %p)
 *                                               %p.gen = addrspacecast ptr addrspace(3) %p to ptr
 *
 * A work list of functions, last in first out, to a fixed point. For each: what do its callers in this
 * module pass for each generic pointer? Where all agree on one space, the argument is narrowed: in place
 * if every caller is known (internal linkage, only called), else in a clone of internal linkage that takes
 * over the calls of this module while the original stays for others. Where they disagree, each group of
 * calls that agree gets a clone (ipmsp_groups.c). Callees are looked at again, because what they are passed
 * is known better now. Where all returns agree, callers learn the space of the result. In the end the
 * pointers that functions without a body are passed are looked at (ipmsp_match.c).
 *
 * Every narrowing fixes an argument or a return for good, so the work is bounded by functions × their
 * arguments; the step cap guards that claim. The list is filled callees first, so that callers are taken
 * first and each function is seen a few times at most. Kernels keep their signatures. */
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

bool ipmsp_has_open_args(const Ipmsp *p, const IrFunc *f)
{
	for (u32 i = 0; i < f->n_args; i++)
		if (ipmsp_is_open(p, f, i))
			return true;
	return false;
}

bool ipmsp_should_process(const Ipmsp *p, const IrFunc *f)
{
	const IrModule *m = p->m;
	const IrGlobal *g = ir_global(m, f->ref);
	if (ir_is_decl(f) || !ir_has_uses(m, f->ref) || !ipmsp_linkage_allows((IrLinkage)g->linkage) ||
	    ir_is_llvm_name(m, f->ref) || ir_is_kernel(f))
		return false;
	IrType ret = ir_func_ret(m, g->type);
	if (ir_type_is_ptr(m, ret) && ptr_space(m, ret) == AS_GENERIC && !map_get(&p->return_space, f->ref.i))
		return true;
	return ipmsp_has_open_args(p, f);
}

Str ipmsp_name(const Ipmsp *p, const IrFunc *f) { return ir_str(p->m, ir_global(p->m, f->ref)->name); }

void ipmsp_note(Ipmsp *p, const char *fmt, ...)
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

/* ---- the fixed point ---- */

bool ipmsp_push(Ipmsp *p, const IrFunc *f)
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

u32 ipmsp_push_callees(Ipmsp *p, const IrFunc *f)
{
	u32 affected = 0;
	Map seen;
	map_init(&seen, p->cx->scratch);
	ir_each_block(p->m, f, b)
		ir_each_inst(p->m, b, i) {
			IrFunc *callee = ir_inst(p->m, i)->op == IR_CALL ? ir_called(p->m, i) : NULL;
			bool    fresh = false;
			if (callee && ipmsp_should_process(p, callee))
				map_put(&seen, callee->ref.i, &fresh);
			affected += fresh;
			if (fresh)
				ipmsp_push(p, callee);
		}
	return affected;
}

static u32 *analyzed(Ipmsp *p, const IrFunc *f, u32 *resolved)
{
	u32 *spaces = arena_array(p->cx->scratch, u32, f->n_args + 1);
	*resolved = ipmsp_analyze(p, f, spaces);
	for (u32 i = 0; i < f->n_args; i++)
		if (spaces[i] == SPACE_UNSEEN)
			spaces[i] = SPACE_SKIP;
	return spaces;
}

/* Calls from outside f: what f passes to itself is for others to say. */
static void calls_from_outside(const Ipmsp *p, const IrFunc *f, VecU32 *out)
{
	ipmsp_calls_of(p, f, out);
	u32 n = 0;
	for (u32 i = 0; i < out->n; i++)
		if (!ir_same(ipmsp_caller(p->m, (IrRef){out->p[i]})->ref, f->ref))
			out->p[n++] = out->p[i];
	out->n = n;
}

/* In the clone all calls agree, its own included. */
static IrFunc *clone_for_module(Ipmsp *p, IrFunc *f, const u32 *spaces, const VecU32 *calls)
{
	VecU32  own = {0};
	IrFunc *clone = ipmsp_clone_for(p, f, spaces);
	if (!clone)
		clone = ipmsp_narrow_clone(p, f, spaces, calls, "in a clone for the calls of this module");
	else
		for (u32 i = 0; i < calls->n; i++)
			ipmsp_retarget(p, (IrRef){calls->p[i]}, clone, spaces);
	calls_from_outside(p, f, &own); /* those of the clone's body */
	for (u32 i = 0; i < own.n; i++)
		ipmsp_retarget(p, (IrRef){own.p[i]}, clone, spaces);
	return clone;
}

/* What is left of f's calls agrees with those that a clone took over. */
static void join_clone(Ipmsp *p, IrFunc *f, const IrFunc *clone, const u32 *spaces)
{
	VecU32 calls = {0};
	ipmsp_calls_of(p, f, &calls);
	for (u32 i = 0; i < calls.n; i++)
		ipmsp_retarget(p, (IrRef){calls.p[i]}, clone, spaces);
	ipmsp_remove_if_unused(p, f);
}

bool ipmsp_narrow(Ipmsp *p, IrFunc *f)
{
	u32  resolved;
	u32 *spaces = analyzed(p, f, &resolved);
	bool in_place = ipmsp_all_callers_known(p->m, f);
	if (!resolved && ipmsp_narrow_groups(p, f))
		return true;
	if (!resolved) {
		if (!in_place && ipmsp_has_open_args(p, f))
			ipmsp_note(p, "avoid cloning of %.*s", STR_ARG(ipmsp_name(p, f)));
		return false;
	}
	IrFunc *narrowed = f, *clone = ipmsp_clone_for(p, f, spaces);
	if (in_place && clone) {
		join_clone(p, f, clone, spaces);
		return true;
	}
	VecU32 calls = {0};
	calls_from_outside(p, f, &calls);
	if (!in_place && (!calls.n || !ipmsp_may_clone(p, f)))
		return false;
	ipmsp_note(p, "%.*s : changed in argument memory space (%u arguments)", STR_ARG(ipmsp_name(p, f)), resolved);
	if (in_place)
		ipmsp_narrow_in_place(p, f, spaces);
	else
		narrowed = clone_for_module(p, f, spaces, &calls);
	ipmsp_note(p, "%u callees are affected", ipmsp_push_callees(p, narrowed));
	ipmsp_push(p, narrowed);
	return true;
}

void ipmsp_find_cycles(Ipmsp *p, VecU32 *order)
{
	IrModule  *m = p->m;
	Arena     *a = p->cx->scratch;
	Map        number;
	VecU32     func = {0};
	GraphEdges edges = {0};
	Graph      g;
	map_init(&number, a);
	ir_each_func(m, f)
		if (!ir_is_decl(f)) {
			map_set(&number, f->ref.i, func.n);
			vec_push(a, &func, f->ref.i);
		}
	for (u32 i = 0; i < func.n; i++)
		ir_each_use(m, ((IrRef){func.p[i]}), u)
			if (ir_kind(ir_use(m, u)->user) == IR_INST) {
				u64 *from = map_get(&number, ipmsp_caller(m, ir_use(m, u)->user)->ref.i);
				if (from)
					vec_push(a, &edges, ((GraphEdge){(u32)*from, i}));
			}
	graph_build(&g, a, func.n, edges.p, edges.n);
	Sccs s = graph_sccs(&g, a);
	for (u32 c = 0; c < s.n; c++) {
		bool  cyclic = scc_is_cyclic(&g, &s, c);
		Nodes members = node_list(&s.member, c);
		for (u32 i = 0; i < members.n; i++) {
			map_set(&p->scc, func.p[members.p[i]], (u64)c << 1 | cyclic);
			vec_push(a, order, func.p[members.p[i]]);
		}
	}
}

static void find_fixed(Ipmsp *p)
{
	IrModule *m = p->m;
	map_init(&p->fixed, p->cx->scratch);
	ir_each_func(m, f)
		ir_each_block(m, f, b) {
			IrRef last = ir_block(m, b)->last, before = ir_is_none(last) ? last : ir_inst(m, last)->prev;
			if (!ir_is_none(before) && ir_inst(m, before)->op == IR_CALL &&
			    ir_inst(m, before)->sub == IRTAIL_MUSTTAIL)
				map_set(&p->fixed, f->ref.i, 1);
		}
}

void ipmsp_init(Ipmsp *p, PassCx *cx, SpaceRules rules)
{
	*p = (Ipmsp){.cx = cx, .m = cx->ir, .rules = rules};
	map_init(&p->arg_space, cx->scratch);
	map_init(&p->return_space, cx->scratch);
	map_init(&p->callee_space, cx->scratch);
	map_init(&p->on_list, cx->scratch);
	map_init(&p->scc, cx->scratch);
	map_init(&p->clones_of, cx->scratch);
	find_fixed(p);
	p->facts = (SpaceFacts){&p->arg_space, &p->return_space, &p->callee_space, ipmsp_actuals_in_cycle, p};
	p->through_cycles = true;
	p->work.arena = cx->scratch;
	p->clone_limit = knob_int(cx->s, KNOB_do_clone_for_ip_msp);
	p->group_limit = (u32)knob_int(cx->s, KNOB_ipmsp_clone_groups);
	p->split = knob_bool(cx->s, KNOB_ipmsp_split_calls);
	p->trace = knob_int(cx->s, KNOB_dump_ip_msp) != 0;
}

/* Each time a function is pushed again, an argument or a return somewhere was fixed, at most twice over for
 * the clone; and then each of its callees is. */
void ipmsp_count_step(Ipmsp *p)
{
	if (++p->steps > (p->arguments + 1) * (p->arguments + 1) * 4)
		ICE(p->cx->s, "no fixed point after %llu steps", (unsigned long long)p->steps);
}

bool ipmsp_run(Ipmsp *p)
{
	IrModule *m = p->m;
	VecU32    order = {0};
	bool      changed = false;
	ipmsp_find_cycles(p, &order);
	for (u32 i = 0; i < order.n; i++) {
		IrFunc *f = ir_func(m, (IrRef){order.p[i]});
		p->arguments += f->n_args + 2u;
		ipmsp_push(p, f);
	}
	ipmsp_note(p, "Initial work list size : %u", p->work.n);
	while (p->work.n) {
		IrRef   ref = {work_pop(&p->work)};
		IrFunc *f = ir_func(m, ref);
		map_set(&p->on_list, ref.i, 0);
		p->stats.processed++;
		ipmsp_count_step(p);
		if (ir_is_decl(f)) /* removed while it waited */
			continue;
		changed |= ipmsp_has_open_args(p, f) && ipmsp_narrow(p, f);
		changed |= !ir_is_decl(f) && ipmsp_resolve_return(p, f);
	}
	ipmsp_remove_unused(p);
	changed |= ipmsp_match_leaves(p, p->rules.wmma ? MATCH_OTHERS | MATCH_MATRIX : MATCH_OTHERS);
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

static bool gated(const Session *s) { return !knob_bool(s, KNOB_emit_optix_ir) && knob_int(s, KNOB_ipmsp_variant) == 0; }

static bool run(PassCx *cx)
{
	Ipmsp p;
	ipmsp_init(&p, cx, space_rules_ias(cx->s));
	return ipmsp_run(&p);
}

static const Knob knobs[] = {
	KNOB_do_clone_for_ip_msp,
	KNOB_dump_ip_msp,
	KNOB_emit_optix_ir,
	KNOB_ias_param_always_point_to_global,
	KNOB_ias_strong_global_assumptions,
	KNOB_ias_track_indir_load,
	KNOB_ias_track_int2ptr,
	KNOB_ias_wmma_memory_space_opt,
	KNOB_ipmsp_clone_groups,
	KNOB_ipmsp_depth_limit,
	KNOB_ipmsp_split_calls,
	KNOB_ipmsp_variant,
	KNOB_process_alloca_always,
	KNOB_process_builtin_assume,
	KNOB_NONE,
};

/* Only functions that others call learn something, and only of generic pointers that they take or return. */
static bool wants_bodies(PassCx *cx)
{
	IrModule *m = cx->ir;
	ir_each_func(m, f) {
		if (ir_is_decl(f) || ir_is_kernel(f))
			continue;
		IrType t = ir_func_ret(m, ir_global(m, f->ref)->type);
		if (ir_type_is_ptr(m, t) && ptr_space(m, t) == AS_GENERIC)
			return true;
		for (u32 i = 0; i < f->n_args; i++)
			if (is_ptr(m, ir_func_arg(f, i)) && value_space(m, ir_func_arg(f, i)) == AS_GENERIC)
				return true;
	}
	return false;
}

const Pass irpass_ipmsp = {
	.id = "ipmsp",
	.title = "Inter-Procedural Memory Space Propagation",
	.summary = "Specialises pointer arguments to the address space on which the calls agree, in place or in clones.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gate = KNOB_do_ip_msp,
	.disable = KNOB_disable_MemorySpaceOptPass,
	.gated = gated,
	.knobs = knobs,
	.flags = PF_NVIDIA,
	.run = run,
	.wants_bodies = wants_bodies,
};
