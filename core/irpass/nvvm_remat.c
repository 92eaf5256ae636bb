/* nvvm-remat: recomputes cheap values, so that fewer of them cross phis and blocks.
 *
 *   then: %x = zext i32 %t to i64                    then: br label %join
 *         br label %join                             else: br label %join
 *   else: %y = zext i32 %t to i64            →       join: %v = zext i32 %t to i64
 *         br label %join
 *   join: %v = phi i64 [ %x, %then ], [ %y, %else ]
 *
 * Phis. All inputs of a phi are one cheap operation, and so are their operands, down to values that are available behind the
 * phi: one that dominates the block, or another phi of the block with the same inputs (a widened counter beside the counter).
 * The tree is computed behind the phis instead, and cssa has one phi less to copy. Where an input itself dominates the block, it
 * is the phi's value. A clone has only the flags that all inputs have.
 *
 * Registers (enable-new-nvvm-remat). A cheap value that lives into blocks where more 32-bit registers are live than
 * the target (ir/budget.h) is computed again in each block that reads it, if its operands live there anyway. What is live is
 * found by walking from each use up to the definition; internal peaks of blocks are not seen. Cheapest first; no clone goes into
 * a deeper loop than the definition. This is the pull-in of Briggs, Cooper, Torczon, "Rematerialization" (1992), on SSA.
 *
 * Calls. What lives across a call is in a register that the function itself has to save and restore, in memory. In a function that is
 * called, a cheap value that lives across calls is computed again behind them, in each block that reads it, if its operands live
 * there anyway; in a loop around the reader, too, where that has a call of its own.
 *
 * Runs before cssa; needs and keeps SSA, touches no block. Only integer and address arithmetic is cloned: nothing that reads
 * memory, may trap or is convergent. Cost: the inputs of phis, and the blocks that values live through, up to a limit per
 * function. It does not see registers that selection needs, and does not split live ranges. */
#include "analysis/cfg.h"
#include "base/bitset.h"
#include "ir/budget.h"
#include "irpass/util.h"

enum {
	MAX_INPUTS = 16, /* of a phi */
	MAX_DEPTH = 3,   /* of the tree that is recomputed */
	MAX_PHIS = 32,   /* of a block that are searched for inputs */
	MAX_COST = 3,    /* instructions of a tree, or clones of a value */
	NEVER = 1000,
};

/* Instructions that a clone costs. */
static u32 clone_cost(const IrModule *m, IrRef v)
{
	const IrInst *i = ir_inst(m, v);
	u64           c;
	if (ir_type_is_vector(m, i->type) || !ir_is_speculatable(m, v))
		return NEVER;
	switch (i->op) {
	case IR_TRUNC:
	case IR_BITCAST:
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR: return 0;
	case IR_ZEXT:
	case IR_SEXT:
	case IR_ADD:
	case IR_SUB:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_ICMP: return 1;
	case IR_MUL: return ir_type(m, i->type)->bits <= 32 || ir_as_int(m, ir_op(m, v, 1), &c) ? 1 : NEVER;
	case IR_GETELEMENTPTR: return i->n_ops == 2 ? 1 : NEVER;
	default: return NEVER;
	}
}

/* ---- phis ---- */

typedef struct Inputs {
	IrRef v[MAX_INPUTS]; /* by entry of the phi */
} Inputs;

typedef struct PhiTree {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom;
	IrRef          phi;
	u32            block, n;
	u32            cost;
	bool           varies;     /* a leaf is a phi of the block */
	bool           same_flags; /* of all inputs, at each level */
} PhiTree;

static bool all_same(const PhiTree *t, const Inputs *in)
{
	u32 k = 1;
	while (k < t->n && ir_same(in->v[k], in->v[0]))
		k++;
	return k == t->n;
}

static bool is_available(const PhiTree *t, IrRef v)
{
	return ir_kind(v) != IR_INST || dom_strictly(t->dom, ir_cfg_of(t->cfg, t->m, v), t->block);
}

static bool has_inputs(const PhiTree *t, IrRef q, const Inputs *in)
{
	for (u32 k = 0; k < t->n; k++) {
		IrRef pred = ir_phi_block(t->m, t->phi, k);
		if (!ir_same(ir_phi_block(t->m, q, k), pred) || !ir_same(ir_phi_value(t->m, q, k), in->v[k]))
			return false;
	}
	return true;
}

/* Another phi of the block that has these inputs, or none. */
static IrRef phi_with(const PhiTree *t, const Inputs *in)
{
	u32 n = 0;
	ir_each_inst(t->m, t->cfg->block[t->block], q) {
		if (ir_inst(t->m, q)->op != IR_PHI || ++n > MAX_PHIS)
			break;
		if (!ir_same(q, t->phi) && ir_phi_n(t->m, q) == t->n && has_inputs(t, q, in))
			return q;
	}
	return IR_NO_REF;
}

static bool is_one_operation(PhiTree *t, const Inputs *in)
{
	for (u32 k = 0; k < t->n; k++) {
		if (ir_kind(in->v[k]) != IR_INST || (k && !same_computation(t->m, in->v[0], in->v[k])))
			return false;
		t->same_flags &= ir_inst(t->m, in->v[k])->flags == ir_inst(t->m, in->v[0])->flags;
	}
	return true;
}

static void operands(const PhiTree *t, const Inputs *in, u32 o, Inputs *out)
{
	for (u32 k = 0; k < t->n; k++)
		out->v[k] = ir_op(t->m, in->v[k], o);
}

/* Can what the inputs have in common be computed behind the phis? Adds up its cost. */
static bool match(PhiTree *t, const Inputs *in, u32 depth)
{
	if (all_same(t, in) && is_available(t, in->v[0]))
		return true;
	if (!ir_is_none(phi_with(t, in))) {
		t->varies = true;
		return true;
	}
	if (depth == MAX_DEPTH || !is_one_operation(t, in))
		return false;
	t->cost += clone_cost(t->m, in->v[0]);
	for (u32 o = 0; o < ir_n_ops(t->m, in->v[0]) && t->cost <= MAX_COST; o++) {
		Inputs below;
		operands(t, in, o, &below);
		if (!match(t, &below, depth + 1))
			return false;
	}
	return t->cost <= MAX_COST;
}

static IrRef build(PhiTree *t, const Inputs *in, IrBuilder *b)
{
	if (all_same(t, in) && is_available(t, in->v[0]))
		return in->v[0];
	IrRef q = phi_with(t, in);
	if (!ir_is_none(q))
		return q;
	IrRef clone = ir_inst_clone(t->m, in->v[0]);
	for (u32 k = 1; k < t->n; k++)
		ir_inst(t->m, clone)->flags &= ir_inst(t->m, in->v[k])->flags;
	for (u32 o = 0; o < ir_n_ops(t->m, clone); o++) {
		Inputs below;
		operands(t, in, o, &below);
		ir_set_op(t->m, clone, o, build(t, &below, b));
	}
	return ir_b_insert(b, clone);
}

/* An input that is computed in front of the block, or none. */
static IrRef input_in_front(const PhiTree *t, const Inputs *in)
{
	for (u32 k = 0; k < t->n && !t->varies && t->same_flags; k++)
		if (is_available(t, in->v[k]))
			return in->v[k];
	return IR_NO_REF;
}

static bool recompute_phi(PassCx *cx, const IrCfg *cfg, const DomTree *dom, u32 block, IrRef phi)
{
	IrModule *m = cx->ir;
	PhiTree   t = {
		  .cx = cx, .m = m, .cfg = cfg, .dom = dom, .phi = phi, .block = block, .n = ir_phi_n(m, phi), .same_flags = true};
	Inputs in;
	if (t.n < 2 || t.n > MAX_INPUTS)
		return false;
	for (u32 k = 0; k < t.n; k++)
		in.v[k] = ir_phi_value(m, phi, k);
	if (!is_one_operation(&t, &in) || clone_cost(m, in.v[0]) == NEVER)
		return false;
	Str name = ir_str(m, ir_name(m, phi));
	if (!match(&t, &in, 0)) {
		pass_remark(cx, REMARK_MISSED, value_line(m, phi), "phi %.*s stays: what its inputs are computed from %s",
		            STR_ARG(name), t.cost > MAX_COST ? "takes too many instructions" : "is not at hand behind it");
		return false;
	}
	IrBuilder b = ir_build_before(m, ir_first_non_phi(m, cfg->block[block]));
	IrRef     by = input_in_front(&t, &in);
	b.origin = value_line(m, phi);
	b.dbg = ir_info(m, phi)->dbg;
	pass_remark(cx, REMARK_PASSED, value_line(m, phi), "phi %.*s is %s: its %u inputs are the same computation",
	            STR_ARG(name), ir_is_none(by) ? "recomputed" : "its first input", t.n);
	if (ir_is_none(by))
		by = build(&t, &in, &b);
	ir_replace_all_uses(m, phi, by);
	if (ir_kind(by) == IR_INST && ir_inst(m, by)->op != IR_PHI)
		ir_take_place(m, by, phi);
	ir_remove(m, phi);
	for (u32 k = 0; k < t.n; k++)
		remove_if_dead(cx, in.v[k]);
	return true;
}

static bool recompute_phis(PassCx *cx)
{
	IrModule      *m = cx->ir;
	const IrCfg   *cfg = ir_cfg(cx);
	const DomTree *dom = ir_dom(cx);
	bool           changed = false;
	Vec(IrRef) phis = {0};
	for (u32 b = 0; b < cfg->n; b++) {
		if (!ir_cfg_reached(cfg, b))
			continue;
		phis.n = 0;
		ir_each_inst(m, cfg->block[b], i) {
			if (ir_inst(m, i)->op != IR_PHI)
				break;
			vec_push(cx->scratch, &phis, i);
		}
		for (u32 k = 0; k < phis.n; k++)
			if (!ir_is_none(ir_inst(m, phis.p[k])->block))
				changed |= recompute_phi(cx, cfg, dom, b, phis.p[k]);
	}
	return changed;
}

/* ---- registers ---- */

enum { MAX_WALK = 1 << 22 }; /* blocks that values live through, and instructions in front of readers, before the pass gives up */

typedef struct Live {
	PassCx      *cx;
	IrModule    *m;
	const IrCfg *cfg;
	Loops       *loops;
	u32         *stamp;    /* by block: the last walk that came to it */
	u32         *pressure; /* by block: 32-bit registers of what lives into it */
	VecU32       blocks;   /* what the last walk found: the value lives into these */
	u32          walks, walked, target;
	Bitset       calls; /* blocks with a call; empty: those of a kernel do not matter, as nobody wants its registers back */
} Live;

static u32 registers(const IrModule *m, IrType t)
{
	if (!ir_type_is_sized(m, t))
		return 0;
	u64 bits = ir_size_bits(m, t);
	return bits == 1 ? 0 : (u32)((bits + 31) / 32); /* i1 is a predicate */
}

static u32 home(const Live *l, IrRef v) { return ir_kind(v) == IR_INST ? ir_cfg_of(l->cfg, l->m, v) : 0; }

/* Asked of every value: blocks are compared, not their numbers. */
static bool is_read_elsewhere(const Live *l, IrRef v)
{
	IrRef own = ir_kind(v) == IR_INST ? ir_inst(l->m, v)->block : l->cfg->block[0];
	ir_each_use(l->m, v, u) {
		IrRef user = ir_use(l->m, u)->user;
		if (ir_kind(user) != IR_INST)
			continue;
		const IrInst *i = ir_inst(l->m, user);
		IrRef         at = i->op == IR_PHI ? ir_op(l->m, user, ir_use_index(l->m, u) + 1) : i->block;
		if (!ir_same(at, own))
			return true;
	}
	return false;
}

static void enter(Live *l, IrRef v, u32 block)
{
	if (block == home(l, v) || l->stamp[block] == l->walks)
		return;
	l->stamp[block] = l->walks;
	vec_push(l->cx->scratch, &l->blocks, block);
}

/* Finds the blocks into which the value lives. */
static void walk(Live *l, IrRef v)
{
	l->blocks.n = 0;
	l->walks++;
	ir_each_use(l->m, v, u)
		if (ir_kind(ir_use(l->m, u)->user) == IR_INST)
			enter(l, v, ir_cfg_use(l->cfg, l->m, u));
	for (u32 k = 0; k < l->blocks.n; k++) {
		Nodes preds = graph_pred(&l->cfg->graph, l->blocks.p[k]);
		for (u32 p = 0; p < preds.n; p++)
			enter(l, v, preds.p[p]);
	}
	l->walked += l->blocks.n;
}

/* Do values that cross blocks fill more registers than the target, all together? Otherwise they do so in no block. */
static bool is_worth_a_walk(const Live *l)
{
	const IrFunc *f = pass_func(l->cx);
	u32           sum = 0;
	for (u32 a = 0; a < f->n_args; a++)
		sum += registers(l->m, ir_type_of(l->m, ir_func_arg(f, a)));
	for (u32 b = 0; b < l->cfg->n; b++)
		ir_each_inst(l->m, l->cfg->block[b], i)
			if (is_read_elsewhere(l, i) && (sum += registers(l->m, ir_inst(l->m, i)->type)) > l->target)
				return true;
	return false;
}

static void add_up(Live *l, IrRef v, VecU32 *candidates)
{
	u32 width = registers(l->m, ir_type_of(l->m, v));
	if (!width || !is_read_elsewhere(l, v) || l->walked > MAX_WALK)
		return;
	walk(l, v);
	for (u32 k = 0; k < l->blocks.n; k++)
		l->pressure[l->blocks.p[k]] += width;
	if (ir_kind(v) == IR_INST && clone_cost(l->m, v) <= 1)
		vec_push(l->cx->scratch, candidates, v.i);
}

/* Blocks that read the value and are not its own, each once; false: a clone in one of them would cost too much, as it is in a loop
 * deeper than `depth`. */
static bool reading_blocks(Live *l, IrRef v, u32 depth, VecU32 *out)
{
	u32 at = home(l, v);
	out->n = 0;
	ir_each_use(l->m, v, u) {
		u32 b = ir_cfg_use(l->cfg, l->m, u), k = 0;
		while (k < out->n && out->p[k] != b)
			k++;
		if (b == at || k < out->n)
			continue;
		if (loop_depth(l->loops, b) > depth || out->n == MAX_COST)
			return false;
		vec_push(l->cx->scratch, out, b);
	}
	return out->n != 0;
}

static bool is_over(const Live *l)
{
	for (u32 k = 0; k < l->blocks.n; k++)
		if (l->pressure[l->blocks.p[k]] > l->target)
			return true;
	return false;
}

static bool operands_live_into(Live *l, IrRef v, const VecU32 *blocks)
{
	for (u32 o = 0; o < ir_n_ops(l->m, v); o++) {
		IrRef x = ir_op(l->m, v, o);
		if (ir_kind(x) != IR_INST && ir_kind(x) != IR_ARG)
			continue;
		walk(l, x);
		for (u32 k = 0; k < blocks->n; k++)
			if (l->stamp[blocks->p[k]] != l->walks)
				return false;
	}
	return true;
}

/* The first instruction of the block that reads the value, or the terminator, behind which phis read it. */
static IrRef first_reader(Live *l, IrRef block, IrRef v)
{
	const IrModule *m = l->m;
	ir_each_inst(m, block, i) {
		l->walked++;
		for (u32 o = 0; o < ir_n_ops(m, i) && ir_inst(m, i)->op != IR_PHI; o++)
			if (ir_same(ir_op(m, i, o), v))
				return i;
	}
	return ir_term(m, block);
}

static void pull_into(Live *l, IrRef v, u32 block)
{
	IrModule *m = l->m;
	IrRef     clone = ir_inst_clone(m, v);
	ir_insert_before(m, clone, first_reader(l, l->cfg->block[block], v));
	name_after(m, clone, v, ".remat");
	ir_each_use(m, v, u)
		if (ir_kind(ir_use(m, u)->user) == IR_INST && ir_cfg_use(l->cfg, l->m, u) == block)
			ir_set_use(m, u, clone);
}

static bool pull_in(Live *l, IrRef v, VecU32 *readers)
{
	IrModule *m = l->m;
	walk(l, v);
	if (!is_over(l))
		return false;
	const char *why = !reading_blocks(l, v, loop_depth(l->loops, home(l, v)), readers)
	                          ? "too many blocks read it, or a deeper loop does"
	                  : !operands_live_into(l, v, readers) ? "an operand would live longer"
	                                                       : NULL;
	if (why) {
		pass_remark(l->cx, REMARK_MISSED, value_line(m, v), "%.*s stays live among more than %u registers: %s",
		            STR_ARG(ir_str(m, ir_name(m, v))), l->target, why);
		return false;
	}
	u32 width = registers(m, ir_inst(m, v)->type);
	walk(l, v);
	for (u32 k = 0; k < l->blocks.n; k++)
		l->pressure[l->blocks.p[k]] -= width;
	pass_remark(l->cx, REMARK_PASSED, value_line(m, v),
	            "%.*s is computed again where other blocks read it (%u): more than %u registers are live",
	            STR_ARG(ir_str(m, ir_name(m, v))), readers->n, l->target);
	for (u32 k = 0; k < readers->n; k++)
		pull_into(l, v, readers->p[k]);
	remove_if_dead(l->cx, v);
	return true;
}

static bool is_own_call(const IrModule *m, IrRef i)
{
	return ir_inst(m, i)->op == IR_CALL && !ir_call_intrinsic(m, i) && ir_kind(ir_callee(m, i)) != IR_ASM;
}

static void find_calls(Live *l)
{
	l->calls = bitset_new(l->cx->scratch, l->cfg->n);
	if (ir_is_kernel(pass_func(l->cx)) || !(ir_func_had(l->m, pass_func(l->cx)) & IR_OPS(CALL)))
		return;
	for (u32 b = 0; b < l->cfg->n; b++)
		ir_each_inst(l->m, l->cfg->block[b], i)
			if (is_own_call(l->m, i))
				bitset_add(l->calls, b);
}

/* Does the value that `walk` was for live into a block with a call and into what follows it? */
static bool lives_across_call(const Live *l)
{
	for (u32 k = 0; k < l->blocks.n; k++) {
		if (!bitset_has(l->calls, l->blocks.p[k]))
			continue;
		Nodes succ = graph_succ(&l->cfg->graph, l->blocks.p[k]);
		for (u32 n = 0; n < succ.n; n++)
			if (l->stamp[succ.p[n]] == l->walks)
				return true;
	}
	return false;
}

/* Is each reader in no loop that the definition is not in, or has the innermost such loop a call? A reader's own block has none. */
static bool may_compute_there(const Live *l, u32 at, const VecU32 *readers)
{
	for (u32 k = 0; k < readers->n; k++) {
		u32 loop = l->loops->of[readers->p[k]];
		if (bitset_has(l->calls, readers->p[k]))
			return false;
		if (loop_contains(l->loops, loop, at))
			continue;
		Nodes in = loop_nodes(l->loops, loop);
		bool  calls = false;
		for (u32 n = 0; n < in.n && !calls; n++)
			calls = bitset_has(l->calls, in.p[n]);
		if (!calls)
			return false;
	}
	return true;
}

static bool pull_behind_calls(Live *l, IrRef v, VecU32 *readers)
{
	IrModule *m = l->m;
	walk(l, v);
	if (!lives_across_call(l) || !reading_blocks(l, v, ~0u, readers) || !may_compute_there(l, home(l, v), readers) ||
	    !operands_live_into(l, v, readers))
		return false;
	pass_remark(l->cx, REMARK_PASSED, value_line(m, v), "%.*s is computed again behind calls, so that it lives across none",
	            STR_ARG(ir_str(m, ir_name(m, v))));
	for (u32 k = 0; k < readers->n; k++)
		pull_into(l, v, readers->p[k]);
	remove_if_dead(l->cx, v);
	return true;
}

static bool free_saved_registers(Live *l)
{
	VecU32 readers = {0}, candidates = {0};
	bool   changed = false;
	for (u32 b = 0; b < l->cfg->n; b++)
		ir_each_inst(l->m, l->cfg->block[b], i)
			if (clone_cost(l->m, i) <= 1 && registers(l->m, ir_inst(l->m, i)->type) && is_read_elsewhere(l, i))
				vec_push(l->cx->scratch, &candidates, i.i);
	for (u32 k = 0; k < candidates.n && l->walked <= MAX_WALK; k++)
		changed |= pull_behind_calls(l, (IrRef){candidates.p[k]}, &readers);
	return changed;
}

static bool lower_pressure(PassCx *cx)
{
	IrModule    *m = cx->ir;
	const IrCfg *cfg = ir_cfg(cx);
	Live         l = {.cx = cx, .m = m, .cfg = cfg, .target = ir_budget(cx->s, m, pass_func(cx), FILE_R).target};
	VecU32       candidates = {0}, readers = {0};
	bool         changed = false;
	if (cfg->n < 3)
		return false;
	find_calls(&l);
	bool calls = bitset_count(l.calls) != 0, full = is_worth_a_walk(&l);
	if (!calls && !full)
		return false;
	l.loops = ir_loops(cx);
	l.stamp = arena_array(cx->scratch, u32, cfg->n + 1);
	changed = calls && free_saved_registers(&l);
	if (!full)
		return changed;
	l.pressure = arena_array(cx->scratch, u32, cfg->n + 1);
	const IrFunc *f = pass_func(cx);
	for (u32 a = 0; a < f->n_args; a++)
		add_up(&l, ir_func_arg(f, a), &candidates);
	for (u32 b = 0; b < cfg->n; b++)
		ir_each_inst(m, cfg->block[b], i)
			add_up(&l, i, &candidates);
	for (u32 cost = 0; cost <= 1; cost++)
		for (u32 k = 0; k < candidates.n && l.walked <= MAX_WALK; k++) {
			IrRef v = {candidates.p[k]};
			if (!ir_is_none(ir_inst(m, v)->block) && clone_cost(m, v) == cost)
				changed |= pull_in(&l, v, &readers);
		}
	if (l.walked > MAX_WALK)
		pass_remark(cx, REMARK_MISSED, value_line(m, f->ref),
		            "registers are not counted: values live through too many blocks");
	return changed;
}

/* ---- all of it ---- */

static bool run(PassCx *cx)
{
	bool changed = recompute_phis(cx);
	return (knob_bool(cx->s, KNOB_enable_new_nvvm_remat) && lower_pressure(cx)) || changed;
}

static const Knob knobs[] = {KNOB_enable_new_nvvm_remat, KNOB_nv_remat_default_max_reg, KNOB_maxreg, KNOB_reg_target_adjust,
                             KNOB_NONE};

const Pass irpass_nvvm_remat = {
	.id = "nvvm-remat",
	.title = "Rematerialization (IR level)",
	.summary = "Recomputes cheap values, so that fewer cross phis and blocks.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_nv_disable_remat,
	.knobs = knobs,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(BR) | IR_OPS(SWITCH) | IR_OPS(INDIRECTBR),
	.flags = PF_NVIDIA,
	.run = run,
};
