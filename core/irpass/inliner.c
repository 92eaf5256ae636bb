/* inliner: copies functions to where they are called, callees before their callers.
 *
 *   define internal float @f(float %x) { … }
 *   %r = call float @f(float %a)                →    %r = … %a …
 *
 * This file also has the driver of always-inliner, which copies functions with alwaysinline whatever they cost.
 *
 * inliner looks at functions that came out of a library (-inliner=linked), which no other compiler has inlined; with
 * -inliner=all at all of them. The order is that of the strongly connected components of the call graph, callees first, so
 * what is copied has been inlined into and simplified before, and no copy is looked at again: linear in the instructions that
 * are made. A call within a component is recursive and stays.
 *
 * Cost, after LLVM's documentation: 5 for an instruction, more for a call (25, and 5 for an argument), nothing for what makes no
 * code; from this are taken the call itself, and instructions that a constant argument will fold. A function with one call and
 * nobody else to see it costs nothing. Thresholds: inline-threshold, inlinehint-threshold, inline-cold-threshold. A caller
 * grows by inline-budget instructions at most.
 *
 * What came out of a library and is not needed any more is dropped. Functions of the module itself stay, as from llc;
 * -globaldce=all drops them. */
#include "graph/graph.h"
#include "irpass/inline.h"
#include "irpass/simplify_cfg.h"
#include "irpass/util.h"

enum { INLINE_LINKED, INLINE_ALL, INLINE_OFF };                                  /* values of the knob `inliner` */
enum { COST_INST = 5, COST_CALL = 25, COST_LAST_CALL = 15000, COST_SCALE = 11 }; /* PTX has no cheap calls: LLVM's factor */

typedef struct Inliner {
	PassCx   *cx;
	IrModule *m;
	bool      forced; /* always-inliner */
	Vec(IrFunc *) funcs;
	Map        index; /* function → its place in funcs */
	GraphEdges edges;
	Graph      graph;
	Sccs       sccs;
	u32       *size;  /* by function: instructions that make code; 0: not counted since it changed */
	u32       *grown; /* by function: instructions that were inlined into it */
	bool      *lost;  /* by function: a call of it was inlined */
	bool       changed;
} Inliner;

static bool is_forced(const IrModule *m, IrRef call, const IrFunc *callee)
{
	return ir_fn_has(m, callee, IRA_ALWAYSINLINE) || ir_attrs_has(m, ir_call(m, call)->fn, IRA_ALWAYSINLINE);
}

static bool is_linked(const IrModule *m, IrRef g) { return (ir_global(m, g)->flags & IRGF_LINKED) != 0; }

/* ---- cost ---- */

static bool makes_no_code(const IrModule *m, IrRef i)
{
	const IrInst *x = ir_inst(m, i);
	switch (x->op) {
	case IR_PHI:
	case IR_RET:
	case IR_BITCAST:
	case IR_UNREACHABLE:
	case IR_FREEZE: return true;
	case IR_ALLOCA: return ir_kind(ir_op(m, i, 0)) == IR_CONST;
	case IR_BR: return x->n_ops == 1;
	case IR_CALL: return calls_family(m, i, IRFAM_LIFETIME) || str_starts(callee_name(m, i), "llvm.dbg.");
	default: return false;
	}
}

static u32 size_of(Inliner *x, u32 f)
{
	if (x->size[f])
		return x->size[f];
	u32 cost = 0;
	ir_each_block(x->m, x->funcs.p[f], b)
		ir_each_inst(x->m, b, i) {
			if (makes_no_code(x->m, i))
				continue;
			cost += COST_INST;
			if (ir_inst(x->m, i)->op == IR_CALL && !ir_call_intrinsic(x->m, i))
				cost += COST_CALL + COST_INST * ir_call(x->m, i)->n_args;
		}
	return x->size[f] = PS_MAX(cost, 1u);
}

/* What constant arguments will fold: the instructions that use them directly, twice where these are branches or compares. */
static u32 saved_by_constants(const IrModule *m, IrRef call, const IrFunc *callee)
{
	u32 saved = 0;
	for (u32 a = 0; a < callee->n_args; a++) {
		if (ir_kind(ir_call_arg(m, call, a)) != IR_CONST)
			continue;
		ir_each_use(m, ir_func_arg(callee, a), u) {
			IrRef user = ir_use(m, u)->user;
			u32   op = ir_kind(user) == IR_INST ? ir_inst(m, user)->op : IR_OP_NONE;
			saved += op == IR_ICMP || op == IR_FCMP || op == IR_BR || op == IR_SWITCH ? 2 * COST_INST : COST_INST;
		}
	}
	return saved;
}

static i64 cost_of(Inliner *x, IrRef call, u32 callee)
{
	IrModule *m = x->m;
	IrFunc   *f = x->funcs.p[callee];
	i64       cost = (i64)size_of(x, callee) - COST_CALL - COST_INST - (i64)COST_INST * f->n_args;
	cost -= saved_by_constants(m, call, f);
	if (ir_linkage_is_local(ir_global(m, f->ref)->linkage) && ir_has_one_use(m, f->ref))
		cost -= COST_LAST_CALL;
	return cost;
}

static i64 threshold_of(const Inliner *x, IrRef call, const IrFunc *callee)
{
	const Session  *s = x->cx->s;
	const IrModule *m = x->m;
	if (ir_call_fn_attr(m, call, IRA_COLD))
		return knob_int(s, KNOB_inline_cold_threshold);
	i64 t = knob_int(s, ir_fn_has(m, callee, IRA_INLINEHINT) ? KNOB_inlinehint_threshold : KNOB_inline_threshold);
	return t * COST_SCALE;
}

/* ---- one call ---- */

static void remark(const Inliner *x, IrRef call, const IrFunc *callee, RemarkKind kind, const char *fmt, ...) PS_PRINTF(5, 6);
static void remark(const Inliner *x, IrRef call, const IrFunc *callee, RemarkKind kind, const char *fmt, ...)
{
	if (!pass_wants_remarks(x->cx))
		return;
	const IrModule *m = x->m;
	va_list         ap;
	va_start(ap, fmt);
	Str why = arena_vfmt(x->cx->scratch, fmt, ap);
	va_end(ap);
	Str f = ir_str(m, ir_global(m, callee->ref)->name);
	Str to = ir_str(m, ir_global(m, ir_block(m, ir_inst(m, call)->block)->func)->name);
	pass_remark(x->cx, kind, ir_info(m, call)->origin, "'%.*s' %sinlined into '%.*s'%.*s", STR_ARG(f),
	            kind == REMARK_PASSED ? "" : "not ", STR_ARG(to), STR_ARG(why));
}

static bool is_worth_it(Inliner *x, IrRef call, u32 callee)
{
	IrFunc *f = x->funcs.p[callee];
	if (x->forced)
		return true;
	if (knob_int(x->cx->s, KNOB_inliner) != INLINE_ALL && !is_linked(x->m, f->ref))
		return false;
	i64 cost = cost_of(x, call, callee), threshold = threshold_of(x, call, f);
	if (cost > threshold)
		remark(x, call, f, REMARK_MISSED, " because too costly to inline (cost=%lld, threshold=%lld)", (long long)cost,
		       (long long)threshold);
	return cost <= threshold;
}

static void try_call(Inliner *x, u32 caller, IrRef call)
{
	IrModule *m = x->m;
	IrFunc   *f = ir_called(m, call);
	u64      *at = f ? map_get(&x->index, f->ref.i) : NULL;
	if (!at || is_forced(m, call, f) != x->forced)
		return;
	u32 callee = (u32)*at;
	if (!is_worth_it(x, call, callee))
		return;
	const char *why = x->sccs.of[callee] == x->sccs.of[caller] ? "it is recursive" : inline_obstacle(m, call, f, x->forced);
	if (!why && !x->forced && x->grown[caller] > (u32)knob_int(x->cx->s, KNOB_inline_budget))
		why = "the caller's budget is used up";
	if (why) {
		remark(x, call, f, REMARK_MISSED, ": %s", why);
		return;
	}
	if (x->forced)
		remark(x, call, f, REMARK_PASSED, ": it is alwaysinline");
	else
		remark(x, call, f, REMARK_PASSED, " with (cost=%lld, threshold=%lld)", (long long)cost_of(x, call, callee),
		       (long long)threshold_of(x, call, f));
	u32 n = ir_count_insts(m, f);
	inline_call(x->cx, call);
	x->grown[caller] += n;
	x->size[caller] = 0;
	x->changed = true;
}

static bool inline_into(Inliner *x, u32 caller)
{
	IrModule *m = x->m;
	Vec(IrRef) calls = {0};
	u32 before = x->grown[caller];
	ir_each_block_had(m, x->funcs.p[caller], b, IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && ir_called(m, i))
				vec_push(x->cx->scratch, &calls, i);
	for (u32 i = 0; i < calls.n; i++)
		try_call(x, caller, calls.p[i]);
	return x->grown[caller] != before;
}

/* ---- what is left over ---- */

/* Uses by constants that nobody uses do not count. */
static bool is_used(const IrModule *m, IrRef v, u32 depth)
{
	if (depth > 8)
		return true;
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_CONST || is_used(m, user, depth + 1))
			return true;
	}
	return false;
}

static bool may_go(const IrModule *m, IrRef g)
{
	const IrFunc *f = ir_func(m, g);
	u32           l = ir_global(m, g)->linkage;
	return ir_linkage_is_local(l) && !map_get(&m->value_md, g.i) && !(f && ir_is_kernel(f)) && !is_used(m, g, 0);
}

static void drop(Inliner *x, IrRef g)
{
	IrModule *m = x->m;
	pass_remark(x->cx, REMARK_PASSED, ir_global(m, g)->origin, "'%.*s' is dropped: nothing refers to it",
	            STR_ARG(ir_str(m, ir_global(m, g)->name)));
	ir_global_remove(m, g);
	x->changed = true;
}

/* Callers first: what only they call goes with them. */
static void sweep(Inliner *x)
{
	IrModule *m = x->m;
	for (u32 c = x->sccs.n; c-- > 0;) {
		Nodes members = node_list(&x->sccs.member, c);
		for (u32 i = 0; i < members.n; i++) {
			u32   f = members.p[i];
			IrRef g = x->funcs.p[f]->ref;
			if (is_linked(m, g) && may_go(m, g))
				drop(x, g);
		}
	}
	ir_each_global(m, g)
		if (ir_global(m, g)->kind == IRG_VAR && is_linked(m, g) && may_go(m, g))
			drop(x, g);
}

/* ---- the passes ---- */

static void build_graph(Inliner *x)
{
	IrModule *m = x->m;
	Arena    *a = x->cx->scratch;
	map_init(&x->index, a);
	ir_each_func(m, f)
		if (!ir_is_none(f->first)) {
			map_set(&x->index, f->ref.i, x->funcs.n);
			vec_push(a, &x->funcs, f);
		}
	for (u32 f = 0; f < x->funcs.n; f++)
		ir_each_block_had(m, x->funcs.p[f], b, IR_OPS(CALL))
			ir_each_inst(m, b, i) {
				IrFunc *callee = ir_inst(m, i)->op == IR_CALL ? ir_called(m, i) : NULL;
				u64    *to = callee ? map_get(&x->index, callee->ref.i) : NULL;
				if (to)
					vec_push(a, &x->edges, ((GraphEdge){f, (u32)*to}));
			}
	graph_build(&x->graph, a, x->funcs.n, x->edges.p, x->edges.n);
	x->sccs = graph_sccs(&x->graph, a);
	x->size = arena_array(a, u32, x->funcs.n + 1);
	x->grown = arena_array(a, u32, x->funcs.n + 1);
}

bool inline_all(PassCx *cx, bool forced)
{
	Inliner x = {.cx = cx, .m = cx->ir, .forced = forced};
	build_graph(&x);
	for (u32 c = 0; c < x.sccs.n; c++) {
		Nodes members = node_list(&x.sccs.member, c);
		for (u32 i = 0; i < members.n; i++) {
			IrFunc *f = x.funcs.p[members.p[i]];
			bool    grown = inline_into(&x, members.p[i]);
			/* What nvvm-reflect has decided is not to be copied. */
			if (cx->s->opt_level && (grown || is_linked(x.m, f->ref)))
				x.changed |= simplify_cfg(cx, f);
		}
	}
	sweep(&x);
	return x.changed;
}

static bool inliner_wants_bodies(PassCx *cx)
{
	if (knob_int(cx->s, KNOB_inliner) == INLINE_ALL)
		return true;
	ir_each_func(cx->ir, f)
		if (is_linked(cx->ir, f->ref) && !ir_is_decl(f))
			return true;
	return false;
}

static bool run(PassCx *cx) { return inliner_wants_bodies(cx) && inline_all(cx, false); }
static bool gated(const Session *s) { return knob_int(s, KNOB_inliner) != INLINE_OFF; }

static const Knob knobs[] = {KNOB_inliner,
                             KNOB_inline_threshold,
                             KNOB_inlinehint_threshold,
                             KNOB_inline_cold_threshold,
                             KNOB_inline_budget,
                             KNOB_phi_node_folding_threshold,
                             KNOB_NONE};

const Pass irpass_inliner = {
	.id = "inliner",
	.title = "Function Integration/Inlining",
	.summary = "Copies small functions to where they are called: by default those that --link brought.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gated = gated,
	.knobs = knobs,
	.run = run,
	.wants_bodies = inliner_wants_bodies,
};
