/* busy.c: an address that several blocks compute is computed once in front of them, for common-base-elim.
 *
 *   head: …                                          head: %i = add i32 %j, %k
 *   x:    %i = add i32 %j, %k                              %p = getelementptr float, ptr %a, i64 sext(%i)
 *         %p = getelementptr float, ptr %a, i64 sext(%i)   …
 *   y:    %r = add i32 %j, %k                    →   x:    … %p …
 *         %q = getelementptr float, ptr %a, i64 sext(%r)
 *   z:    …                                          y:    … %p …
 *
 * No block need dominate another, so early-cse finds nothing: the cases of an unrolled loop that tests a bit each are such (cuRAND's
 * initialisation has 16 of them). The address goes to the end of the nearest block that dominates all of them, if that is in the
 * same loop, and not in an inner one, which would compute it again and again. Where fewer than COPIES blocks compute it, it is
 * rather computed for nothing than saved.
 *
 * What moves are the getelementptr and the operations in its block that it alone is computed by, at most DEPTH one above the other,
 * all without effects and traps. They lose their flags, as they are executed where they were not. (Code hoisting: Briggs, Cooper,
 * "Effective partial redundancy elimination", 1994, call such expressions very busy.) Linear in getelementptrs. */
#include "irpass/busy.h"

#include "analysis/cfg.h"
#include "base/hash.h"
#include "irpass/util.h"

enum { COPIES = 3, DEPTH = 4, MOST_MEMBERS = 64 };

typedef struct Member {
	IrRef gep;
	u32   next; /* with the same hash, the next one: its number + 1; 0: none */
} Member;

typedef struct Busy {
	PassCx        *cx;
	IrModule      *m;
	const IrCfg   *cfg;
	const DomTree *dom;
	const Loops   *loops;
	Map            by_hash; /* → number of a group + 1 */
	VecU32         group;   /* its first member + 1, in the order of the function */
	VecU32         last;    /* its last member + 1 */
	Vec(Member) members;
} Busy;

/* May it be executed anywhere? Then it can be part of what moves. */
static bool is_movable(const IrModule *m, IrRef v)
{
	const IrInst *i = ir_inst(m, v);
	return (ir_op_is_binary(i->op) || ir_op_is_cast(i->op) || i->op == IR_GETELEMENTPTR) && ir_is_speculatable(m, v) &&
	       !ir_type_is_vector(m, i->type);
}

/* Is the operand computed beside `inst`? */
static bool is_inner(const IrModule *m, IrRef inst, IrRef operand)
{
	return ir_kind(operand) == IR_INST && ir_same(ir_inst(m, operand)->block, ir_inst(m, inst)->block);
}

/* The hash of what it computes from values of other blocks; false: it needs one of its own block that has to stay there. */
static bool hash_tree(const IrModule *m, IrRef v, u32 depth, u64 *h)
{
	if (!depth || !is_movable(m, v))
		return false;
	const IrInst *i = ir_inst(m, v);
	*h = hash_mix(*h, (u64)i->type.i << 32 | (u64)i->op << 8 | i->n_ops);
	*h = hash_mix(*h, i->op == IR_GETELEMENTPTR ? i->elem.i : i->sub);
	for (u32 k = 0; k < i->n_ops; k++) {
		IrRef o = ir_op(m, v, k);
		if (!is_inner(m, v, o))
			*h = hash_mix(*h, o.i);
		else if (!hash_tree(m, o, depth - 1, h))
			return false;
	}
	return true;
}

static bool same_tree(const IrModule *m, IrRef a, IrRef b, u32 depth)
{
	if (!depth || !is_movable(m, b) || !same_computation(m, a, b))
		return false;
	for (u32 k = 0; k < ir_n_ops(m, a); k++) {
		IrRef x = ir_op(m, a, k), y = ir_op(m, b, k);
		if (!ir_same(x, y) && (!is_inner(m, a, x) || !is_inner(m, b, y) || !same_tree(m, x, y, depth - 1)))
			return false;
	}
	return true;
}

static void collect(Busy *b, IrRef gep)
{
	u64 h = b->loops->of[ir_cfg_of(b->cfg, b->m, gep)];
	i64 constant;
	if (!is_ptr(b->m, gep) || ir_gep_offset(b->m, gep, &constant) || !hash_tree(b->m, gep, DEPTH, &h))
		return;
	u64 *g = map_put(&b->by_hash, h, NULL);
	vec_push(b->cx->scratch, &b->members, ((Member){.gep = gep}));
	if (!*g) {
		vec_push(b->cx->scratch, &b->group, b->members.n);
		vec_push(b->cx->scratch, &b->last, b->members.n);
		*g = b->group.n;
		return;
	}
	b->members.p[b->last.p[*g - 1] - 1].next = b->members.n;
	b->last.p[*g - 1] = b->members.n;
}

/* In front of the terminator `to`, operands first. */
static void move_tree(Busy *b, IrRef v, IrRef to)
{
	IrModule *m = b->m;
	for (u32 k = 0; k < ir_n_ops(m, v); k++)
		if (is_inner(m, v, ir_op(m, v, k)))
			move_tree(b, ir_op(m, v, k), to);
	ir_inst(m, v)->flags &= ~(u32)IRF_WORDS;
	ir_move_before(m, v, to);
}

/* Every operation of the tree at `b` becomes that of the tree at `a`, which has moved. */
static void merge_tree(IrModule *m, IrRef a, IrRef b)
{
	for (u32 k = 0; k < ir_n_ops(m, a); k++)
		if (!ir_same(ir_op(m, a, k), ir_op(m, b, k)))
			merge_tree(m, ir_op(m, a, k), ir_op(m, b, k));
	ir_replace_all_uses(m, b, a);
}

static bool is_there(const Busy *b, const Member *x) { return !ir_is_none(ir_inst(b->m, x->gep)->block); }

static bool hoist(Busy *b, u32 first)
{
	IrModule *m = b->m;
	IrRef     same[MOST_MEMBERS];
	u32       n = 0, above = GRAPH_NONE, blocks = 0, before = GRAPH_NONE, loop = GRAPH_NONE;
	for (u32 k = first; k && n < MOST_MEMBERS; k = b->members.p[k - 1].next) {
		const Member *x = &b->members.p[k - 1];
		u64           h = 0;
		if (!is_there(b, x) || !hash_tree(m, x->gep, DEPTH, &h))
			continue;
		u32 block = ir_cfg_of(b->cfg, m, x->gep);
		if (n && (b->loops->of[block] != loop || !same_tree(m, same[0], x->gep, DEPTH)))
			continue;
		above = n ? dom_common(b->dom, above, block) : block;
		loop = b->loops->of[block];
		blocks += block != before;
		before = block;
		same[n++] = x->gep;
	}
	if (blocks < COPIES || above == GRAPH_NONE || b->loops->of[above] != loop)
		return false;
	for (u32 k = 0; k < n; k++)
		if (ir_cfg_of(b->cfg, m, same[k]) == above)
			return false; /* it is there already */
	pass_remark(b->cx, REMARK_PASSED, value_line(m, same[0]), "the address of %u blocks is computed in front of them",
	            blocks);
	move_tree(b, same[0], ir_term(m, b->cfg->block[above]));
	for (u32 k = 1; k < n; k++) {
		merge_tree(m, same[0], same[k]);
		remove_if_dead(b->cx, same[k]);
	}
	return true;
}

bool hoist_busy_addresses(PassCx *cx)
{
	Busy b = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .dom = ir_dom(cx), .loops = ir_loops(cx)};
	bool changed = false;
	map_init(&b.by_hash, cx->scratch);
	for (u32 n = 0; n < b.cfg->order.n; n++)
		ir_each_inst(b.m, b.cfg->block[b.cfg->order.node[n]], i)
			if (ir_inst(b.m, i)->op == IR_GETELEMENTPTR)
				collect(&b, i);
	for (u32 g = 0; g < b.group.n; g++)
		if (b.group.p[g] != b.last.p[g])
			changed |= hoist(&b, b.group.p[g]);
	return changed;
}
