/* alike.c: what both ways of a branch compute is computed in front of it, for early-cse.
 *
 *   a: br i1 %c, label %b, label %d        a: %x = call i32 @ntid()
 *   b: %x = call i32 @ntid() …       →        br i1 %c, label %b, label %d
 *   d: %y = call i32 @ntid() …             b: … %x …
 *                                          d: … %x …
 *
 * A phi of %x and %y keeps ptxas from seeing that it is one value. Only what may be executed anywhere moves, and only where nothing
 * else leads to the two blocks. The one that stays promises what both did. Inner branches come first, so an instruction passes as
 * many as it can. Linear: each branch compares the first MOST_ALIKE instructions of its ways. */
#include "irpass/alike.h"

#include "ir/builder.h"
#include "irpass/util.h"

enum { MOST_ALIKE = 8 };

/* Calls that differ in what they promise of the result at most. */
static bool same_call(const IrModule *m, IrRef a, IrRef b)
{
	if (ir_inst(m, a)->op != IR_CALL)
		return true;
	const IrCall *x = ir_call(m, a), *y = ir_call(m, b);
	return x->cc == y->cc && x->fn.i == y->fn.i && x->params == y->params && !x->n_bundles && !y->n_bundles;
}

/* `a` promises what both do. */
static void keep_common_promises(IrModule *m, IrRef a, IrRef b)
{
	ir_inst(m, a)->flags &= ir_inst(m, b)->flags;
	keep_common_attributes(m, a, b);
}

static bool promises_by_metadata(const IrModule *m, IrRef i)
{
	return ir_attached(m, i, "range").i || ir_attached(m, i, "noundef").i || ir_attached(m, i, "fpmath").i;
}

static bool same_value(const IrModule *m, IrRef a, IrRef b)
{
	if (!same_computation(m, a, b) || !same_call(m, a, b))
		return false;
	for (u32 k = 0; k < ir_n_ops(m, a); k++)
		if (!ir_same(ir_op(m, a, k), ir_op(m, b, k)))
			return false;
	return true;
}

/* May it be computed in front of the branch behind which it stands? Not a comparison: selection fuses it with its branch. */
static bool may_hoist(const IrModule *m, IrRef i)
{
	return ir_is_speculatable(m, i) && !ir_is_convergent(m, i) && !promises_by_metadata(m, i) &&
	       ir_inst(m, i)->op != IR_ICMP && ir_inst(m, i)->op != IR_FCMP;
}

static IrRef find_alike(const IrModule *m, IrRef i, IrRef way)
{
	u32 n = 0;
	for (IrRef k = ir_block(m, way)->first; k.i && n < MOST_ALIKE; k = ir_inst(m, k)->next, n++)
		if (same_value(m, i, k))
			return k;
	return IR_NO_REF;
}

static bool hoist(IrModule *m, IrRef block)
{
	IrRef t = ir_term(m, block);
	if (!t.i || ir_inst(m, t)->op != IR_BR || ir_n_ops(m, t) != 3)
		return false;
	IrRef yes = ir_op(m, t, 1), no = ir_op(m, t, 2);
	if (ir_same(yes, no) || !ir_same(ir_single_pred(m, yes), block) || !ir_same(ir_single_pred(m, no), block))
		return false;
	bool changed = false;
	u32  n = 0;
	for (IrRef i = ir_block(m, yes)->first, next; i.i && n < MOST_ALIKE; i = next, n++) {
		next = ir_inst(m, i)->next;
		IrRef twin = may_hoist(m, i) ? find_alike(m, i, no) : IR_NO_REF;
		if (!twin.i)
			continue;
		keep_common_promises(m, i, twin);
		ir_move_before(m, i, t);
		ir_replace_all_uses(m, twin, i);
		ir_remove(m, twin);
		changed = true;
	}
	return changed;
}

bool hoist_alike(PassCx *cx, const IrCfg *cfg, const DomTree *dom)
{
	bool changed = false;
	for (u32 k = dom->reached; k-- > 0;)
		changed |= hoist(cx->ir, cfg->block[dom->pre[k]]);
	return changed;
}
