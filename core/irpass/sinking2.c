/* sinking2: moves definitions towards their uses, into blocks that execute less often.
 *
 *   a: %x = mul i32 %i, %n                        a: br i1 %c, label %b, label %d
 *      %q = getelementptr i8, ptr %p, i64 64      b: %x = mul i32 %i, %n
 *      br i1 %c, label %b, label %d           →      %q1 = getelementptr i8, ptr %p, i64 64
 *   b: store i32 %x, ptr %q                          store i32 %x, ptr %q1
 *
 * Definitions. An instruction without side effects, all of whose users are in other blocks, moves to the nearest common
 * dominator of its users, or further up until that is in no deeper loop. It moves only if it then executes less often: the new
 * block does not post-dominate the old one, or is outside of a loop that holds the old one. Not into a short block behind a branch,
 * which ptxas executes under a predicate (measured: SASS +0.6 % otherwise, over the example kernels). It does not move
 * - past a convergent operation (a barrier, a shuffle), nor is one moved;
 * - if it loads, past a write that may be to its address space, unless nothing writes the memory while the kernel runs;
 * - if operands that nothing else reads would live on in more registers than the result takes;
 * - if it multiplies, or indexes with, an extended value whose extension stays: both are one mul.wide in one block.
 * Blocks are visited in reverse post order and bottom up, so operands follow their users. The instructions that a move passes
 * are those behind it in its block and the blocks found by a walk from the new block back to the old one, of MAX_BETWEEN blocks
 * at most. What moves out of a loop may read a phi of its header behind the phi's next value: cssa, which runs later, copies it.
 *
 * Constant offsets. A gep with a constant offset is computed again in each block with an access that uses it. Instruction
 * selection works on one block at a time, and folds such an offset into the access's address operand only if the gep is in the
 * same block. Front ends hoist such geps out of loops, where each occupies a register for the whole loop.
 *
 * Extensions. An index that is extended in another block is extended again in front of a gep that scales it, and so are the factors of
 * a product of 64 bits. Selection then has one mul.wide or mul.hi, where the extension from elsewhere would be shifted in two machine
 * instructions, or multiplied as 64 bits in four; machine-cse joins equal ones.
 *
 * Needs and keeps SSA; touches no block. Copies nothing but constant offsets and extensions of indices. Cost: instructions times MAX_BETWEEN,
 * and accesses times the nesting depth of their constant geps. */
#include "analysis/cfg.h"
#include "ir/builder.h"
#include "irpass/util.h"

/* ---- definitions ---- */

enum { SHORT_BLOCK = 8, MAX_BETWEEN = 64, SPACES = 8 /* 1 .. 7, and 0 for generic and all others */ };

/* What stands in a block, or in all blocks between two: may another instruction move past it? */
typedef struct Obstacles {
	bool known;
	bool convergent;
	u32  writes; /* a bit for each address space; bit 0: any may be written */
} Obstacles;

typedef struct Sinker {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom, *postdom;
	const Loops   *loops;
	Obstacles     *in_block; /* by block */
	Obstacles      below;    /* what stands in the block below the instruction that is looked at */
	Obstacles      between;  /* of the blocks between `from` and `to`: the last answer */
	u32            from, to;
	u32           *stamp, stamps; /* blocks that the walk has seen */
	VecU32         walk;
} Sinker;

static u32 space_bit(const IrModule *m, IrRef ptr)
{
	u32 space = value_space(m, ptr);
	return space && space < SPACES ? 1u << space : 1;
}

static void add_obstacle(const IrModule *m, Obstacles *o, IrRef i)
{
	i32 p = pointer_operand(m, i);
	o->convergent |= ir_is_convergent(m, i);
	if (ir_may_write(m, i))
		o->writes |= p >= 0 && ir_inst(m, i)->order <= IRO_MONOTONIC ? space_bit(m, ir_op(m, i, (u32)p)) : 1;
}

static void merge(Obstacles *o, const Obstacles *other)
{
	o->convergent |= other->convergent;
	o->writes |= other->writes;
}

static const Obstacles *block_obstacles(Sinker *s, u32 block)
{
	Obstacles *o = &s->in_block[block];
	if (!o->known) {
		o->known = true;
		ir_each_inst(s->m, s->cfg->block[block], i)
			add_obstacle(s->m, o, i);
	}
	return o;
}

/* Adds up the blocks between; false: they are too many, or `to` is in a cycle without `from`. */
static bool look_between(Sinker *s, u32 from, u32 to)
{
	if (s->from == from && s->to == to)
		return s->between.known;
	s->from = from;
	s->to = to;
	s->between = (Obstacles){0};
	s->walk.n = 0;
	s->stamps++;
	vec_push(s->cx->scratch, &s->walk, to);
	for (u32 k = 0; k < s->walk.n; k++) {
		Nodes preds = graph_pred(&s->cfg->graph, s->walk.p[k]);
		for (u32 p = 0; p < preds.n; p++) {
			u32 b = preds.p[p];
			if (b == from || s->stamp[b] == s->stamps || !ir_cfg_reached(s->cfg, b))
				continue;
			if (b == to || s->walk.n == MAX_BETWEEN)
				return false;
			s->stamp[b] = s->stamps;
			vec_push(s->cx->scratch, &s->walk, b);
			merge(&s->between, block_obstacles(s, b));
		}
	}
	return s->between.known = true;
}

static bool may_sink(const IrModule *m, IrRef i)
{
	const IrInst *r = ir_inst(m, i);
	switch (r->op) {
	case IR_PHI:
	case IR_ALLOCA:
	case IR_PCP: return false;
	case IR_LOAD: return ir_is_plain(m, i);
	case IR_CALL:
		return !ir_may_read(m, i) && !ir_has_side_effects(m, i) && !ir_is_convergent(m, i) && !ir_call(m, i)->n_bundles;
	default: return !ir_may_read(m, i) && !ir_has_side_effects(m, i);
	}
}

/* Does nothing but the end of the function follow a block? */
static bool is_last(const Sinker *s, u32 block)
{
	Nodes succs = graph_succ(&s->cfg->graph, block);
	return !succs.n || (succs.n == 1 && is_inst(s->m, ir_block(s->m, s->cfg->block[succs.p[0]])->first, IR_RET));
}

/* A short block behind a branch, neither in front of a loop nor behind one, which ptxas executes under a predicate: what
 * stands in front of the branch overlaps with the comparison, so nothing is won by moving it behind. speculative-execution
 * moves it to the front for that reason. In front of the end it makes the other threads exit instead. */
static bool is_predicated(const Sinker *s, u32 home, u32 block)
{
	Nodes succs = graph_succ(&s->cfg->graph, block);
	u32   n = 0;
	if (s->loops->of[block] != s->loops->of[home] || graph_pred(&s->cfg->graph, block).n != 1 || succs.n > 1 ||
	    (succs.n && s->loops->of[succs.p[0]] != s->loops->of[block]) || is_last(s, block))
		return false;
	ir_each_inst(s->m, s->cfg->block[block], i)
		if (++n > SHORT_BLOCK)
			return false;
	return true;
}

/* The lowest block that the instruction may move to: GRAPH_NONE where that is its own, or it has no users. */
static u32 lowest_block(const Sinker *s, IrRef i, u32 home)
{
	u32 to = GRAPH_NONE, steps = 0;
	ir_each_use(s->m, i, u) {
		if (ir_kind(ir_use(s->m, u)->user) != IR_INST)
			return GRAPH_NONE;
		u32 b = ir_cfg_use(s->cfg, s->m, u);
		if (b == home || !ir_cfg_reached(s->cfg, b))
			return GRAPH_NONE;
		to = to == GRAPH_NONE ? b : dom_common(s->dom, to, b);
	}
	while (to != GRAPH_NONE && to != home &&
	       (!loop_encloses(s->loops, s->loops->of[to], s->loops->of[home]) || is_predicated(s, home, to)))
		to = ++steps < MAX_BETWEEN ? s->dom->idom[to] : home;
	return to == home ? GRAPH_NONE : to;
}

static bool executes_less_often(const Sinker *s, u32 home, u32 to)
{
	return s->loops->of[to] != s->loops->of[home] || !dom_dominates(s->postdom, to, home);
}

static u64 bits_of(const IrModule *m, IrRef v)
{
	IrType t = ir_type_of(m, v);
	return ir_type_is_sized(m, t) ? ir_size_bits(m, t) : 0;
}

/* Operands that nothing else reads, and that do not follow, live on to the new block. */
static bool shortens_lives(const IrModule *m, IrRef i)
{
	u64 longer = 0;
	for (u32 k = 0; k < ir_n_ops(m, i); k++) {
		IrRef x = ir_op(m, i, k);
		if (ir_kind(x) == IR_INST && ir_has_one_use(m, x) && !may_sink(m, x))
			longer += bits_of(m, x);
	}
	return longer <= bits_of(m, i);
}

/* Does an operand extend another value, and stay where it is for other users? Selection joins a product, or the scaled index of an
 * address, and the extension to one instruction, if it sees both. */
static bool leaves_extension(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	if (op != IR_MUL && op != IR_SHL && op != IR_GETELEMENTPTR)
		return false;
	for (u32 k = 0; k < ir_n_ops(m, i); k++) {
		IrRef x = ir_op(m, i, k);
		if ((is_inst(m, x, IR_SEXT) || is_inst(m, x, IR_ZEXT)) && !ir_has_one_use(m, x) &&
		    ir_same(ir_inst(m, x)->block, ir_inst(m, i)->block))
			return true;
	}
	return false;
}

static const char *obstacle(Sinker *s, IrRef i, u32 home, u32 to)
{
	const IrModule *m = s->m;
	if (!shortens_lives(m, i))
		return "its operands would live on in more registers";
	if (leaves_extension(m, i))
		return "the extension of its operand stays, and selection joins both";
	if (!look_between(s, home, to))
		return "too many blocks are between, or a cycle is";
	Obstacles o = s->below;
	merge(&o, &s->between);
	if (o.convergent)
		return "a convergent operation is between";
	if (ir_inst(m, i)->op != IR_LOAD || reads_constant_memory(m, i))
		return NULL;
	u32 bit = space_bit(m, ir_op(m, i, 0));
	return o.writes && (bit == 1 || o.writes & (bit | 1)) ? "a write between may be to what it loads" : NULL;
}

static bool sink_definition(Sinker *s, IrRef i, u32 home)
{
	IrModule *m = s->m;
	i64       offset;
	if (!may_sink(m, i) || (ir_inst(m, i)->op == IR_GETELEMENTPTR && ir_gep_offset(m, i, &offset)))
		return false;
	u32 to = lowest_block(s, i, home);
	if (to == GRAPH_NONE || !executes_less_often(s, home, to))
		return false;
	const char *why = obstacle(s, i, home, to), *op = ir_op_info[ir_inst(m, i)->op].name;
	IrRef       before = ir_first_non_phi(m, s->cfg->block[to]);
	Str         name = ir_str(m, ir_name(m, i));
	if (why) {
		pass_remark(s->cx, REMARK_MISSED, value_line(m, i), "%s %.*s does not move to the block at line %u: %s", op,
		            STR_ARG(name), value_line(m, s->cfg->block[to]), why);
		return false;
	}
	pass_remark(s->cx, REMARK_PASSED, value_line(m, i), "%s %.*s moves to the block at line %u, which executes less often",
	            op, STR_ARG(name), value_line(m, s->cfg->block[to]));
	ir_move_before(m, i, before);
	return true;
}

static bool sink_definitions(PassCx *cx)
{
	IrModule *m = cx->ir;
	Sinker    s = {.cx = cx, .m = m, .cfg = ir_cfg(cx), .from = GRAPH_NONE, .to = GRAPH_NONE};
	bool      changed = false;
	if (s.cfg->order.n < 2)
		return false;
	s.dom = ir_dom(cx);
	s.postdom = ir_postdom(cx);
	s.loops = ir_loops(cx);
	s.in_block = arena_array(cx->scratch, Obstacles, s.cfg->n + 1);
	s.stamp = arena_array(cx->scratch, u32, s.cfg->n + 1);
	for (u32 n = 0; n < s.cfg->order.n; n++) {
		u32   home = s.cfg->order.node[n];
		IrRef prev;
		s.below = (Obstacles){0};
		for (IrRef i = ir_block(m, s.cfg->block[home])->last; !ir_is_none(i); i = prev) {
			prev = ir_inst(m, i)->prev;
			if (sink_definition(&s, i, home))
				changed = true;
			else
				add_obstacle(m, &s.below, i);
		}
	}
	return changed;
}

/* ---- constant offsets ---- */

static IrRef address(IrModule *m, IrRef before, IrRef base, i64 offset, IrType type)
{
	IrBuilder b = ir_build_before(m, before);
	IrRef     r = ir_inst_new(m, IR_GETELEMENTPTR, type, 2);
	ir_inst(m, r)->elem = IR_TYPE(I8);
	ir_b_insert(&b, r);
	ir_set_op(m, r, 0, base);
	ir_set_op(m, r, 1, ir_const_sint(m, ir_int_type(m, ir_index_bits(m, ptr_space(m, type))), offset));
	return r;
}

/* `here`: base and offset → the gep that this block already has for it. */
static bool sink(PassCx *cx, IrRef access, u32 operand, Map *here)
{
	IrModule *m = cx->ir;
	IrRef     p = ir_op(m, access, operand);
	i64       offset;
	if (!is_inst(m, p, IR_GETELEMENTPTR) || ir_same(ir_inst(m, p)->block, ir_inst(m, access)->block))
		return false;
	IrType type = ir_inst(m, p)->type;
	IrRef  base = strip_constant_offset(m, p, &offset);
	if (ir_same(base, p) || offset != (i32)offset || !ir_type_same(ir_type_of(m, base), type))
		return false;
	u64 *known = map_put(here, (u64)base.i << 32 | (u32)offset, NULL);
	if (!*known)
		*known = address(m, access, base, offset, type).i;
	ir_set_op(m, access, operand, (IrRef){(u32)*known});
	remove_if_dead(cx, p);
	return true;
}

/* Loads, stores and atomics, and instructions of PTX that are intrinsics: cp.async, ldmatrix, wmma, mbarrier, … */
static bool sink_all(PassCx *cx, IrRef i, Map *here)
{
	IrModule *m = cx->ir;
	i32       k = pointer_operand(m, i);
	bool      changed = false;
	if (k >= 0)
		return sink(cx, i, (u32)k, here);
	if (ir_inst(m, i)->op != IR_CALL || !ir_call_is_nvvm(m, i) || ir_is_speculatable(m, i))
		return false;
	for (u32 n = ir_call(m, i)->n_args, a = 0; a < n; a++)
		if (is_ptr(m, ir_call_arg(m, i, a)))
			changed |= sink(cx, i, a + 1, here);
	return changed;
}

static bool sink_offsets(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	Map       here;
	map_init(&here, cx->scratch);
	ir_each_block_had(m, pass_func(cx), b,
	                  IR_OPS(LOAD) | IR_OPS(STORE) | IR_OPS(ATOMICRMW) | IR_OPS(CMPXCHG) | IR_OPS(CALL)) {
		map_clear(&here);
		ir_each_inst(m, b, i)
			changed |= sink_all(cx, i, &here);
	}
	return changed;
}

/* ---- extensions ---- */

static bool is_extension(const IrModule *m, IrRef v, u32 op)
{
	return is_inst(m, v, (IrOp)op) && ir_type_same(ir_type_of(m, ir_op(m, v, 0)), IR_TYPE(I32)) &&
	       ir_type_same(ir_type_of(m, v), IR_TYPE(I64));
}

/* base + scale × an extension of 32 bits to 64 that stands in another block */
static bool scales_extension(const IrModule *m, IrRef gep)
{
	IrRef x = ir_op(m, gep, 1);
	return ir_n_ops(m, gep) == 2 && (is_extension(m, x, IR_SEXT) || is_extension(m, x, IR_ZEXT)) &&
	       !ir_same(ir_inst(m, x)->block, ir_inst(m, gep)->block) && ir_alloc_size(m, ir_inst(m, gep)->elem) > 1;
}

/* Operands, as a mask, that are extended in another block and that the instruction would join if they were not: a product of 64 bits of
 * two numbers of 32. */
static u32 joins_extensions(const IrModule *m, IrRef i)
{
	u32 mask = 0, n = 0;
	if (ir_inst(m, i)->op == IR_GETELEMENTPTR)
		return scales_extension(m, i) ? 2 : 0;
	if (ir_inst(m, i)->op != IR_MUL || !ir_type_same(ir_inst(m, i)->type, IR_TYPE(I64)))
		return 0;
	u32 op = is_inst(m, ir_op(m, i, 0), IR_SEXT) ? IR_SEXT : IR_ZEXT;
	for (u32 k = 0; k < 2; k++) {
		IrRef x = ir_op(m, i, k);
		bool  extended = is_extension(m, x, op);
		n += extended;
		mask |= extended && !ir_same(ir_inst(m, x)->block, ir_inst(m, i)->block) ? 1u << k : 0;
	}
	return n == 2 ? mask : 0;
}

static bool sink_extensions(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	Map       here; /* extension → the same of this block */
	map_init(&here, cx->scratch);
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(GETELEMENTPTR) | IR_OPS(MUL)) {
		map_clear(&here);
		ir_each_inst(m, b, i) {
			u32 mask = joins_extensions(m, i);
			for (u32 k = 0; mask >> k; k++) {
				IrRef x = ir_op(m, i, k);
				if (!(mask >> k & 1))
					continue;
				u64 *known = map_put(&here, x.i, NULL);
				if (!*known) {
					IrBuilder at = ir_build_before(m, i);
					*known = ir_b_cast(&at, ir_inst(m, x)->op, ir_op(m, x, 0), ir_type_of(m, x)).i;
				}
				ir_set_op(m, i, k, (IrRef){(u32)*known});
				remove_if_dead(cx, x);
				changed = true;
			}
		}
	}
	return changed;
}

static bool run(PassCx *cx)
{
	bool definitions = knob_bool(cx->s, KNOB_sinking2_definitions) && sink_definitions(cx);
	bool offsets = sink_offsets(cx);
	return sink_extensions(cx) || offsets || definitions;
}

static const Knob knobs[] = {KNOB_sinking2_definitions, KNOB_NONE};

const Pass irpass_sinking2 = {
	.id = "sinking2",
	.title = "Sinking2",
	.summary = "Moves definitions, and constant address offsets, towards their uses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_sinking2,
	.knobs = knobs,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_NVIDIA,
	.run = run,
};
