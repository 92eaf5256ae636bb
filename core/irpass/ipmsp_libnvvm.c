/* ipmsp-libnvvm: the other variant of ipmsp, with the same narrowing: three phases over the module.
 *
 *   A  collects the functions whose arguments are to be looked at
 *   B  resolves their arguments and results, round after round until nothing changes
 *   C  specialises calls of intrinsics: first those of the tensor cores, then the others
 *
 * Each phase has a level (knobs ipmsp-libnvvm-…). It obeys the knobs without ias-. A function whose loops
 * step on more than five pointers is looked at more deeply: the space of each is found out once, in place
 * of once for each pointer that is made of it.
 *
 * ipmsp-variant=libnvvm runs it in place of ipmsp. */
#include "analysis/cfg.h"
#include "irpass/ipmsp.h"
#include "irpass/util.h"

static void enter_phase(Libnvvm *v, char phase, i64 level)
{
	if (v->stats.n_phases < PS_COUNT(v->stats.phases))
		v->stats.phases[v->stats.n_phases++] = (u32)phase;
	ipmsp_note(&v->p, "phase %c : level %d", phase, (int)level);
}

/* ---- phase A: collecting ---- */

/* By the level: 1 only called, and from here; 2 seen by others; 3 with its address taken. */
static i64 level_of(const IrModule *m, const IrFunc *f)
{
	if (ipmsp_all_callers_known(m, f))
		return 1;
	return ir_linkage_is_local(ir_global(m, f->ref)->linkage) ? 3 : 2;
}

static bool has_too_many_calls(Libnvvm *v, const IrFunc *f)
{
	VecU32 calls = {0};
	ipmsp_calls_of(&v->p, f, &calls);
	if (calls.n <= v->call_sites)
		return false;
	pass_remark(v->p.cx, REMARK_MISSED, ir_global(v->p.m, f->ref)->origin,
	            "'%.*s' has %u call sites: ipmsp-libnvvm-call-sites allows %u", STR_ARG(ipmsp_name(&v->p, f)), calls.n,
	            v->call_sites);
	v->stats.left_out++;
	return true;
}

static void collect(Libnvvm *v, const IrFunc *f)
{
	bool fresh;
	if (!ipmsp_should_process(&v->p, f) || level_of(v->p.m, f) > v->collect)
		return;
	map_put(&v->collected, f->ref.i, &fresh);
	if (fresh && !has_too_many_calls(v, f))
		vec_push(v->p.cx->scratch, &v->funcs, f->ref.i);
}

/* Callers first: what they pass is known before it is asked for. */
static void phase_a(Libnvvm *v)
{
	VecU32 order = {0};
	ipmsp_find_cycles(&v->p, &order);
	enter_phase(v, 'A', v->collect);
	for (u32 i = order.n; i-- > 0;) {
		const IrFunc *f = ir_func(v->p.m, (IrRef){order.p[i]});
		v->p.arguments += f->n_args + 2u;
		collect(v, f);
	}
	ipmsp_note(&v->p, "Initial work list size : %u", v->funcs.n);
}

/* ---- pointers that loops step on ---- */

/* Header phis of generic pointers; returns the most that one loop has. */
static u32 stepped_pointers(Libnvvm *v, const IrFunc *f, VecU32 *phis)
{
	IrModule *m = v->p.m;
	Arena    *a = v->p.cx->scratch;
	IrCfg    *cfg = ir_cfg_build(m, f, a);
	DomTree   dom = dom_build(&cfg->graph, a, 0);
	Loops     loops = loops_build(&cfg->graph, &cfg->order, &dom, a);
	u32       most = 0;
	for (u32 l = 0; l < loops.n; l++) {
		u32 n = 0;
		ir_each_inst(m, cfg->block[loops.loop[l].header], i) {
			if (ir_inst(m, i)->op != IR_PHI)
				break;
			if (!is_ptr(m, i) || value_space(m, i) != AS_GENERIC)
				continue;
			vec_push(a, phis, i.i);
			n++;
		}
		most = PS_MAX(most, n);
	}
	return most;
}

/* What is found out of the phis is known to all later walks. */
static void analyze_loops(Libnvvm *v, const IrFunc *f)
{
	VecU32    phis = {0};
	u32       most = stepped_pointers(v, f, &phis), space;
	SpaceWalk w;
	if (v->dump_loops)
		text_f(pass_dump(v->p.cx), "phi maxLoopInd = %u: Function %.*s\n", most, STR_ARG(ipmsp_name(&v->p, f)));
	if (most <= DEEPER_ANALYSIS_ABOVE)
		return;
	v->stats.deeper++;
	for (u32 i = 0; i < phis.n; i++)
		ipmsp_infer(&v->p, (IrRef){phis.p[i]}, (IrRef){phis.p[i]}, IR_NO_REF, &space, &w);
}

/* ---- phase B: resolving ---- */

static bool resolve(Libnvvm *v, IrFunc *f)
{
	bool changed = ipmsp_has_open_args(&v->p, f) && ipmsp_narrow(&v->p, f);
	return (!ir_is_decl(f) && ipmsp_resolve_return(&v->p, f)) || changed;
}

/* What the narrowing asks to be looked at again is looked at in the next round; clones join. */
static void take_up_clones(Libnvvm *v)
{
	while (v->p.work.n) {
		IrRef   ref = {work_pop(&v->p.work)};
		IrFunc *f = ir_func(v->p.m, ref);
		map_set(&v->p.on_list, ref.i, 0);
		if (!ir_is_decl(f))
			collect(v, f);
	}
}

static bool phase_b(Libnvvm *v)
{
	bool changed = false;
	enter_phase(v, 'B', v->resolve);
	if (!v->resolve)
		return false;
	ir_each_func(v->p.m, f)
		if (!ir_is_decl(f))
			analyze_loops(v, f);
	for (bool again = true; again;) {
		again = false;
		v->stats.rounds++;
		for (u32 i = 0; i < v->funcs.n; i++) {
			IrFunc *f = ir_func(v->p.m, (IrRef){v->funcs.p[i]});
			if (ir_is_decl(f) || !ipmsp_should_process(&v->p, f) || !resolve(v, f))
				continue;
			ipmsp_count_step(&v->p);
			again = true;
		}
		take_up_clones(v);
		changed |= again;
	}
	ipmsp_remove_unused(&v->p);
	return changed;
}

/* ---- phase C: intrinsics ---- */

/* The second visit of each matcher goes on with what the first has left. */
static bool phase_c(Libnvvm *v)
{
	Vec(Matcher) all = {0};
	bool changed = false;
	enter_phase(v, 'C', v->matrix);
	ir_each_func(v->p.m, f) {
		Matcher t;
		if (ir_is_decl(f))
			continue;
		matcher_init(&t, &v->p, f);
		vec_push(v->p.cx->scratch, &all, t);
	}
	for (i64 visit = 0; visit < v->matrix; visit++) {
		u32 wmma_mode = visit == 0;
		v->stats.modes[v->stats.n_modes++] = wmma_mode;
		for (u32 i = 0; i < all.n; i++)
			if (!wmma_mode || v->p.rules.wmma)
				changed |= matcher_visit(&all.p[i], wmma_mode ? MATCH_MATRIX : MATCH_OTHERS);
	}
	return changed;
}

/* ---- before and after ---- */

static void count_generic(Libnvvm *v, const char *when)
{
	IrModule *m = v->p.m;
	u32       args = 0, accesses = 0;
	if (!v->pre_post)
		return;
	ir_each_func(m, f) {
		for (u32 i = 0; i < f->n_args && !ir_is_decl(f); i++)
			args += is_ptr(m, ir_func_arg(f, i)) && value_space(m, ir_func_arg(f, i)) == AS_GENERIC;
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i) {
				i32 at = pointer_operand(m, i);
				accesses += at >= 0 && value_space(m, ir_op(m, i, (u32)at)) == AS_GENERIC;
			}
	}
	v->stats.hooks++;
	ipmsp_note(&v->p, "%s : %u generic arguments, %u generic accesses", when, args, accesses);
	pass_remark(v->p.cx, REMARK_ANALYSIS, 0, "%s: %u generic pointer arguments, %u generic accesses", when, args, accesses);
}

/* ---- the pass ---- */

void libnvvm_init(Libnvvm *v, PassCx *cx)
{
	const Session *s = cx->s;
	*v = (Libnvvm){0};
	ipmsp_init(&v->p, cx, space_rules_libnvvm(s));
	v->collect = knob_int(s, KNOB_ipmsp_libnvvm_collect);
	v->resolve = knob_int(s, KNOB_ipmsp_libnvvm_resolve);
	v->matrix = knob_int(s, KNOB_ipmsp_libnvvm_matrix);
	v->call_sites = (u32)knob_int(s, KNOB_ipmsp_libnvvm_call_sites);
	v->pre_post = knob_bool(s, KNOB_ipmsp_libnvvm_pre_post);
	v->dump_loops = knob_bool(s, KNOB_dump_ip_msp_loops);
	map_init(&v->p.arg_space, cx->scratch);
	map_init(&v->p.return_space, cx->scratch);
	map_init(&v->p.callee_space, cx->scratch);
	map_init(&v->collected, cx->scratch);
	v->p.shallow = v->resolve == 1;
	v->p.through_cycles = v->collect >= 4;
	v->p.smallest = knob_bool(s, KNOB_ipmsp_libnvvm_smallest);
	if (v->p.smallest)
		v->p.group_limit = 1;
}

bool libnvvm_run(Libnvvm *v)
{
	/* The maps of the facts are v's own: v may have moved since it was made. */
	v->p.facts = (SpaceFacts){&v->p.arg_space, &v->p.return_space, &v->p.callee_space, ipmsp_actuals_in_cycle, &v->p};
	count_generic(v, "before");
	phase_a(v);
	bool changed = phase_b(v);
	changed |= phase_c(v);
	count_generic(v, "after");
	return changed;
}

static bool gated(const Session *s) { return !knob_bool(s, KNOB_emit_optix_ir) && knob_int(s, KNOB_ipmsp_variant) == 1; }

static bool run(PassCx *cx)
{
	Libnvvm v;
	libnvvm_init(&v, cx);
	return libnvvm_run(&v);
}

static const Knob knobs[] = {
	KNOB_do_clone_for_ip_msp,
	KNOB_dump_ip_msp,
	KNOB_dump_ip_msp_loops,
	KNOB_emit_optix_ir,
	KNOB_ipmsp_clone_groups,
	KNOB_ipmsp_depth_limit,
	KNOB_ipmsp_libnvvm_call_sites,
	KNOB_ipmsp_libnvvm_collect,
	KNOB_ipmsp_libnvvm_matrix,
	KNOB_ipmsp_libnvvm_pre_post,
	KNOB_ipmsp_libnvvm_resolve,
	KNOB_ipmsp_libnvvm_smallest,
	KNOB_ipmsp_split_calls,
	KNOB_ipmsp_variant,
	KNOB_param_always_point_to_global,
	KNOB_process_alloca_always,
	KNOB_process_builtin_assume,
	KNOB_strong_global_assumptions,
	KNOB_track_indir_load,
	KNOB_track_int2ptr,
	KNOB_wmma_memory_space_opt,
	KNOB_NONE,
};

const Pass irpass_ipmsp_libnvvm = {
	.id = "ipmsp-libnvvm",
	.title = "Inter-Procedural Memory Space Propagation (LIBNVVM)",
	.summary = "Specialises pointer arguments as libNVVM does, in three phases over the module.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gate = KNOB_do_ip_msp,
	.disable = KNOB_disable_MemorySpaceOptPass,
	.gated = gated,
	.knobs = knobs,
	.flags = PF_NVIDIA,
	.run = run,
};
