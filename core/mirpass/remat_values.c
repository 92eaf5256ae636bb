/* remat_values.c: which registers nvptx-remat-block may compute again: one definition, no effects, operands of the same kind.
 *
 * One walk over the dominator tree: the definitions of an instruction's operands have been seen before it, so the depth of a
 * chain of operands is one more than the deepest of them. A definition that nobody reads (one in a debug
 * record, say) does not count. Cost: operands. */
#include "mir/remat.h"
#include "mirpass/remat_block.h"

static bool is_dead_def(const Remat *x, MirReg r, MirInstId i)
{
	const MirRanges  *rs = x->ranges;
	const MirRange   *range = mir_range(rs, r);
	u32               slot = mir_slot_of(rs->slots, i) + SLOT_DEF;
	const MirSegment *s = range ? mir_range_at(rs, range, slot) : NULL;
	return s && mir_slot_number(rs->slots, s->end) == mir_slot_number(rs->slots, slot) + 1;
}

/* The one definition of `r` that counts, 0 where there are several. */
static MirInstId one_def(const Remat *x, MirReg r)
{
	MirInstId found = {0};
	if (mir_vreg(x->f, r)->n_defs == 1)
		return mir_def_inst(x->f, r);
	mir_each_def(x->f, r, o) {
		MirInstId i = {o->inst};
		if (is_dead_def(x, r, i))
			continue;
		if (found.i)
			return (MirInstId){0};
		found = i;
	}
	return found;
}

bool remat_dominates(const Remat *x, MirInstId a, MirInstId i) { return mir_inst_dominates(x->f, x->cfg, x->dom, a, i); }

static bool is_tied(const MirFunc *f, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
		if (mir_op(f, i, n)->tie)
			return true;
	return false;
}

/* What the instruction itself says. */
static RematWhy why_of_inst(const Remat *x, MirInstId i)
{
	const IsaDesc *d = mir_desc(x->f, i);
	MirRepeat      repeat = mir_repeat(x->f, i);
	if (repeat == MIR_REPEAT_NEVER || is_tied(x->f, i) || (d->flags & IF_GENERIC && !(d->flags & IF_REMAT)))
		return WHY_EFFECT;
	if (repeat == MIR_REPEAT_UNWRITTEN)
		return WHY_MEMORY;
	if (d->flags & IF_LOAD && !x->knob.loads)
		return WHY_LOAD;
	if (d->opc.op == ISA_cvta && x->knob.keep_addresses)
		return WHY_ADDRESS;
	if (d->opc.op == ISA_sreg && (i64)x->max_live - (i64)x->budget.target < x->knob.special)
		return WHY_SPECIAL;
	return WHY_NONE;
}

/* The chain of operands: its depth goes to *depth. */
static RematWhy why_of_operands(const Remat *x, MirInstId i, u32 *depth)
{
	*depth = 1;
	for (u32 n = 0; n < mir_inst(x->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(x->f, i, n);
		MirReg       r = mir_op_reg(o);
		if (!mir_op_is_use(o) || o->flags & MOF_UNDEF || mir_is_phys(r))
			continue;
		if (x->why[r.i] == WHY_DEEP)
			return WHY_DEEP;
		if (x->why[r.i] || !remat_dominates(x, (MirInstId){x->def[r.i]}, i))
			return WHY_OPERAND;
		*depth = PS_MAX(*depth, x->depth[r.i] + 1u);
	}
	return *depth > REMAT_MOST_DEPTH ? WHY_DEEP : WHY_NONE;
}

static void classify(Remat *x, MirReg r, MirInstId i)
{
	u32       depth = 0;
	RematWhy  why;
	MirInstId def = one_def(x, r);
	if (def.i && def.i != i.i) /* this one does not count */
		return;
	if (!def.i)
		why = WHY_DEFS;
	else if (r.i >= x->first_clone)
		why = WHY_CLONE;
	else
		why = why_of_inst(x, i);
	x->def[r.i] = def.i;
	if (!why)
		why = why_of_operands(x, i, &depth);
	x->why[r.i] = (u8)why;
	x->depth[r.i] = (u8)depth;
}

void remat_classify(Remat *x)
{
	const MirFunc *f = x->f;
	Arena         *a = x->cx->scratch;
	x->n_regs = f->vreg.n;
	x->why = arena_array(a, u8, x->n_regs);
	x->depth = arena_array(a, u8, x->n_regs);
	x->def = arena_array(a, u32, x->n_regs);
	x->promoted = bitset_new(a, x->n_regs);
	x->chain_stamp = arena_array(a, u32, x->n_regs);
	x->chain_at = arena_array(a, u32, x->n_regs);
	x->chain_now = 0;
	memset(x->why, WHY_UNSEEN, x->n_regs);
	for (u32 k = 0; k < x->dom->reached; k++) {
		MirBlockId b = remat_block(x, x->dom->pre[k]);
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
				const MirOp *o = mir_op(f, i, n);
				if (mir_op_is_def(o) && mir_is_virt(mir_op_reg(o)))
					classify(x, mir_op_reg(o), i);
			}
	}
}
