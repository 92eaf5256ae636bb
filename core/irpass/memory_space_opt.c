/* memory-space-opt: finds the address spaces of generic pointers within a function, and adds casts that state them.
 *
 *   %p = load ptr, ptr addrspace(4) @table                %p  = load …
 *   %v = load i32, ptr %p                         →       %p1 = addrspacecast ptr %p to ptr addrspace(1)
 *                                                         %p2 = addrspacecast ptr addrspace(1) %p1 to ptr
 *                                                         %v  = load i32, ptr %p2
 *
 * A generic pointer defined by an argument, load, call, inttoptr or alloca for which analysis/memspace.h finds one
 * possible space gets a pair of casts, to that space and back; infer-address-spaces propagates it to the
 * accesses. The pass runs twice: early, and again after inlining and sroa have exposed more; the second run also
 * folds llvm.nvvm.isspacep where the space is known.
 *
 * mem-space-alg=2 propagates masks of possible spaces forward over the function to a fixed point; any
 * other value runs the backward walk of analysis/memspace.h for each pointer. Both use the same sources. */
#include "analysis/cfg.h"
#include "analysis/memspace.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "irpass/ipmsp.h"
#include "irpass/util.h"
#include "isa/isa.h"

/* Possible spaces of a pointer: bits of isa_space_bit; or this one, where it may be generic and nothing is known. */
#define MASK_OTHER (1u << 31)

static u32 mask_of_space(u32 space)
{
	u32 bit = space == AS_GENERIC ? 0 : isa_space_bit(space);
	return bit ? bit : MASK_OTHER;
}

static bool space_of_mask(u32 mask, u32 *space)
{
	const IsaSpace *s = isa_space_of_bit(mask);
	if (s)
		*space = s->number;
	return s != NULL;
}

typedef struct Mso {
	PassCx    *cx;
	IrModule  *m;
	SpaceRules rules;
	Map        mask; /* value → mask, for mem-space-alg=2 */
	bool       forward;
	bool       second;
} Mso;

static bool is_generic_pointer(const IrModule *m, IrRef v) { return is_ptr(m, v) && value_space(m, v) == AS_GENERIC; }

static bool walk_back(Mso *o, IrRef v, IrRef at, u32 *space, SpaceWalk *w)
{
	SpaceQuery q = {o->m, &o->rules, NULL, o->cx->scratch, at, IR_NO_REF};
	space_walk_init(w, o->cx->scratch);
	return space_of(&q, v, w, space);
}

/* ---- masks, forward ---- */

static u32 mask_of(Mso *o, IrRef v)
{
	IrModule *m = o->m;
	u64      *known = map_get(&o->mask, v.i);
	SpaceWalk w;
	u32       space;
	if (known)
		return (u32)*known;
	if (!is_ptr(m, v))
		return MASK_OTHER;
	if (value_space(m, v) != AS_GENERIC)
		return mask_of_space(value_space(m, v));
	if (ir_is_undef(m, v))
		return 0;
	u32 op = ir_kind(v) == IR_INST ? ir_inst(m, v)->op : 0;
	if (op == IR_PHI || op == IR_GETELEMENTPTR || op == IR_SELECT || op == IR_BITCAST || op == IR_FREEZE)
		return 0; /* not reached by the propagation yet */
	u32 mask = walk_back(o, v, IR_NO_REF, &space, &w) ? mask_of_space(space) : MASK_OTHER;
	map_set(&o->mask, v.i, mask);
	return mask;
}

static u32 transfer(Mso *o, IrRef i)
{
	IrModule *m = o->m;
	u32       mask = 0;
	switch (ir_inst(m, i)->op) {
	case IR_PHI:
		for (u32 k = 0; k < ir_phi_n(m, i); k++)
			mask |= mask_of(o, ir_phi_value(m, i, k));
		return mask;
	case IR_SELECT: return mask_of(o, ir_op(m, i, 1)) | mask_of(o, ir_op(m, i, 2));
	default: return mask_of(o, ir_op(m, i, 0));
	}
}

static void propagate_masks(Mso *o)
{
	IrModule *m = o->m;
	IrCfg    *cfg = ir_cfg(o->cx);
	VecU32    flow = {0};
	for (u32 k = 0; k < cfg->order.n; k++)
		ir_each_inst(m, cfg->block[cfg->order.node[k]], i) {
			u32 op = ir_inst(m, i)->op;
			if ((op == IR_PHI || op == IR_GETELEMENTPTR || op == IR_SELECT || op == IR_BITCAST || op == IR_FREEZE) &&
			    is_generic_pointer(m, i))
				vec_push(o->cx->scratch, &flow, i.i);
		}
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < flow.n; k++) {
			u32 mask = transfer(o, (IrRef){flow.p[k]});
			if (mask == (u32)map_or(&o->mask, flow.p[k], 0))
				continue;
			map_set(&o->mask, flow.p[k], mask);
			again = true;
		}
	}
}

static bool find_space(Mso *o, IrRef v, IrRef at, u32 *space, SpaceWalk *w)
{
	if (!o->forward)
		return walk_back(o, v, at, space, w);
	/* A mask holds in the whole function, so it cannot include an llvm.assume, which holds only in the code it dominates:
	 * where the masks leave several spaces, the backward walk takes assumptions at `at` into account. */
	return space_of_mask(mask_of(o, v), space) || walk_back(o, v, at, space, w);
}

/* ---- sources ---- */

#define SOURCES (IR_OPS(LOAD) | IR_OPS(CALL) | IR_OPS(INTTOPTR) | IR_OPS(ALLOCA))

static bool is_source(const IrModule *m, IrRef v)
{
	if (!is_generic_pointer(m, v) || !ir_has_uses(m, v))
		return false;
	if (ir_kind(v) == IR_ARG)
		return true;
	return (ir_ops_of(ir_inst(m, v)->op) & SOURCES) != 0;
}

/* Does the pair of casts exist already: is the pointer's only use an addrspacecast? */
static bool is_marked(const IrModule *m, IrRef v)
{
	u32 u = ir_first_use(m, v);
	return ir_has_one_use(m, v) && is_inst(m, ir_use(m, u)->user, IR_ADDRSPACECAST);
}

static void mark(Mso *o, IrRef v, u32 space)
{
	IrModule *m = o->m;
	IrBuilder b = ir_kind(v) == IR_INST ? build_after(m, v) : build_at_entry(m, pass_func(o->cx));
	IrRef     s = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, space), 1);
	IrRef     g = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
	ir_b_insert(&b, s);
	ir_b_insert(&b, g);
	ir_replace_all_uses(m, v, g);
	ir_set_op(m, s, 0, v);
	ir_set_op(m, g, 0, s);
	name_after(m, s, v, "");
	name_after(m, g, v, "");
	pass_remark(o->cx, REMARK_PASSED, value_line(m, v), "pointer is in address space %u", space);
}

static bool mark_source(Mso *o, IrRef v)
{
	IrModule *m = o->m;
	SpaceWalk w;
	u32       space;
	bool      kernel_arg = ir_kind(v) == IR_ARG && ir_is_kernel(pass_func(o->cx));
	if (!is_source(m, v) || is_marked(m, v))
		return false;
	if (ir_kind(v) == IR_ARG && ir_param_byval(m, pass_func(o->cx), ir_arg(m, v)->number).i)
		return false;
	if (!find_space(o, v, IR_NO_REF, &space, &w)) {
		if (o->second) /* the first time more may come to light */
			pass_remark(o->cx, REMARK_MISSED, value_line(m, v), "pointer stays generic: %s", space_reason(m, &w));
		return false;
	}
	/* nvptx-lower-args adds the casts for kernel arguments; a second pair would leave casts of casts. */
	if (kernel_arg && !o->second)
		return false;
	mark(o, v, space);
	return true;
}

/* ---- assumptions: they hold in the code they dominate ---- */

static bool mark_assumed(Mso *o, IrRef assume)
{
	IrModule *m = o->m;
	IrRef     test = ir_call_arg(m, assume, 0);
	u32       space;
	if (!o->rules.builtin_assume || !isspacep_space(m, test, &space))
		return false;
	IrRef p = ir_call_arg(m, test, 0);
	if (!is_generic_pointer(m, p) || ir_is_const(m, p))
		return false;
	IrCfg   *cfg = ir_cfg(o->cx);
	DomTree *dom = ir_dom(o->cx);
	VecU32   uses = {0};
	ir_each_use(m, p, u) {
		IrRef user = ir_use(m, u)->user;
		if (ir_kind(user) != IR_INST || ir_same(user, test) || is_inst(m, user, IR_ADDRSPACECAST))
			continue;
		IrRef at = user;
		if (ir_inst(m, user)->op == IR_PHI)
			at = ir_term(m, ir_phi_block(m, user, ir_use_index(m, u) / 2));
		if (ir_inst_dominates(m, cfg, dom, assume, at))
			vec_push(o->cx->scratch, &uses, u);
	}
	if (!uses.n)
		return false;
	IrBuilder b = build_after(m, assume);
	IrRef     s = ir_b_cast(&b, IR_ADDRSPACECAST, p, ir_ptr_type(m, space));
	IrRef     g = ir_b_cast(&b, IR_ADDRSPACECAST, s, ir_ptr_type(m, AS_GENERIC));
	for (u32 i = 0; i < uses.n; i++)
		ir_set_use(m, uses.p[i], g);
	if (knob_bool(o->cx->s, KNOB_dump_process_builtin_assume))
		text_f(pass_dump(o->cx), "assume: pointer at line %u is in address space %u\n", value_line(m, p), space);
	return true;
}

/* ---- isspacep ---- */

/* Is a pointer of space `is` in the window of `asked`? -1: not known. */
static i32 isspacep_answer(u32 is, u32 asked)
{
	if (is == AS_PARAM || is == AS_GENERIC || mask_of_space(is) == MASK_OTHER)
		return -1;
	if (is == AS_CLUSTER)
		return asked == AS_CLUSTER ? 1 : asked == AS_SHARED ? -1 : 0;
	return asked == is || (asked == AS_CLUSTER && is == AS_SHARED);
}

static bool fold_isspacep(Mso *o, IrRef call)
{
	IrModule *m = o->m;
	SpaceWalk w;
	u32       asked, is;
	if (!isspacep_space(m, call, &asked) || !ir_has_uses(m, call))
		return false;
	ir_each_use(m, call, u) /* not the assumption itself */
		if (is_inst(m, ir_use(m, u)->user, IR_CALL) && calls_family(m, ir_use(m, u)->user, IRFAM_ASSUME))
			return false;
	if (!find_space(o, ir_call_arg(m, call, 0), call, &is, &w))
		return false;
	i32 answer = isspacep_answer(is, asked);
	if (answer < 0)
		return false;
	pass_remark(o->cx, REMARK_PASSED, value_line(m, call), "isspacep is %s: the pointer is in address space %u",
	            answer ? "true" : "false", is);
	ir_replace_all_uses(m, call, ir_const_int(m, IR_TYPE(I1), (u64)answer));
	ir_remove(m, call);
	return true;
}

/* ---- the pass ---- */

static void dump(const Mso *o, Knob knob, const char *when)
{
	if (!knob_bool(o->cx->s, knob))
		return;
	text_f(pass_dump(o->cx), "IR %s memory-space-opt (%s):\n", when, o->second ? "second-time" : "first-time");
	ir_print_func(pass_dump(o->cx), o->m, pass_func(o->cx), NULL);
}

static bool optimize(PassCx *cx, bool second)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	Mso       o = {.cx = cx, .m = m, .rules = space_rules_libnvvm(cx->s), .second = second};
	bool      changed = false;
	VecU32    list = {0};
	o.forward = knob_int(cx->s, KNOB_mem_space_alg) == 2;
	map_init(&o.mask, cx->scratch);
	dump(&o, KNOB_dump_ir_before_memory_space_opt, "before");
	for (u32 i = 0; i < f->n_args; i++)
		if (is_source(m, ir_func_arg(f, i)))
			vec_push(cx->scratch, &list, ir_func_arg(f, i).i);
	ir_each_block_had(m, f, b, SOURCES)
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL || is_source(m, i))
				vec_push(cx->scratch, &list, i.i);
	if (o.forward && list.n)
		propagate_masks(&o);
	for (u32 k = 0; k < list.n; k++) {
		IrRef v = {list.p[k]};
		if (second && ir_kind(v) == IR_INST && ir_inst(m, v)->op == IR_CALL && fold_isspacep(&o, v)) {
			changed = true;
			continue;
		}
		changed |= mark_source(&o, v);
	}
	for (u32 k = 0; k < list.n; k++) {
		IrRef v = {list.p[k]};
		if (ir_kind(v) == IR_INST && !ir_is_none(ir_inst(m, v)->block) && ir_inst(m, v)->op == IR_CALL &&
		    calls_family(m, v, IRFAM_ASSUME))
			changed |= mark_assumed(&o, v);
	}
	dump(&o, KNOB_dump_ir_after_memory_space_opt, "after");
	return changed;
}

static bool run_first(PassCx *cx) { return optimize(cx, false); }
static bool run_second(PassCx *cx) { return optimize(cx, true); }

static const Knob knobs[] = {
	KNOB_param_always_point_to_global,
	KNOB_strong_global_assumptions,
	KNOB_process_alloca_always,
	KNOB_track_indir_load,
	KNOB_track_int2ptr,
	KNOB_mem_space_alg,
	KNOB_process_builtin_assume,
	KNOB_dump_ir_before_memory_space_opt,
	KNOB_dump_ir_after_memory_space_opt,
	KNOB_dump_process_builtin_assume,
	KNOB_NONE,
};

#define MEMORY_SPACE_OPT(which, run_fn)                                                                                        \
	{                                                                                                                      \
		.id = "memory-space-opt:" which, .title = "Memory space optimization (" which ")",                             \
		.summary = "Resolves address spaces of pointers, and folds queries of them.", .group = "ir", .level = PASS_IR, \
		.scope = PASS_FUNCTION, .disable = KNOB_disable_MemorySpaceOptPass, .knobs = knobs,                            \
		.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS, .flags = PF_NVIDIA, .run = run_fn,                           \
	}

const Pass irpass_memory_space_opt_first = MEMORY_SPACE_OPT("first-time", run_first);
const Pass irpass_memory_space_opt_second = MEMORY_SPACE_OPT("second-time", run_second);
