/* remat_pull.c: computes a value again at its places, and deletes definitions that nobody reads any more.
 *
 * Ranges stay right, and pressure where it has been computed: what is told of an edit are the registers that it concerns. A
 * clone has the line of the definition. */
#include "mir/remat.h"
#include "mirpass/remat_block.h"

/* ---- live registers at the ends of blocks ---- */

static void add_out(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to)
{
	(void)r;
	for (u32 node = from; node < to; node++)
		x->out[node] += isa_class_info[mir_class(x->f, reg)].units;
}

static void take_out(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to)
{
	(void)r;
	for (u32 node = from; node < to; node++)
		x->out[node] -= isa_class_info[mir_class(x->f, reg)].units;
}

/* ---- clones ---- */

/* Clones the definition of chain[k]; `copy` has the new registers of those before it. */
static MirReg clone(Remat *x, u32 k, const MirReg *copy, RematPlace place)
{
	MirFunc  *f = x->f;
	MirReg    old = {x->chain.p[k]}, fresh = mir_reg_new(f, mir_class(f, old));
	MirInstId i = mir_clone(f, (MirInstId){x->def[old.i]}, remat_block(x, place.node), place.at);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		MirOp *o = mir_op(f, i, n);
		MirReg r = mir_op_reg(o);
		if (!mir_is_virt(r))
			continue;
		if (mir_op_is_def(o))
			mir_op_set_reg(f, i, n, fresh);
		else if (r.i < x->n_regs && x->chain_stamp[r.i] == x->chain_now && x->chain_at[r.i] < k)
			mir_op_set_reg(f, i, n, copy[x->chain_at[r.i]]);
		else
			mir_forget_kills(f, r);
	}
	vec_push(x->cx->scratch, &x->changed, fresh.i);
	return fresh;
}

/* The readers of `r` in the block, from the place on, read `fresh`. */
static void serve(Remat *x, MirReg r, MirReg fresh, RematPlace place)
{
	MirFunc *f = x->f;
	mir_each_use(f, r, o) {
		MirInstId i = {o->inst};
		if (remat_node(x, i) == place.node && (i.i == place.at.i || mir_before(f, place.at, i)))
			mir_op_set_reg(f, i, mir_op_number(f, o), fresh);
	}
}

/* The ranges of these registers are found again. */
static void update(Remat *x, const VecU32 *regs)
{
	if (x->rpa)
		mir_rpa_update(x->rpa, regs->p, regs->n);
	else
		for (u32 k = 0; k < regs->n; k++)
			mir_ranges_update(x->ranges, (MirReg){regs->p[k]});
}

void remat_pull(Remat *x, MirReg r)
{
	remat_runs(x, NULL, r, take_out);
	x->changed.n = 0;
	vec_push(x->cx->scratch, &x->changed, r.i);
	for (u32 p = 0; p < x->place.n; p++) {
		RematPlace place = x->place.p[p];
		if (!remat_chain(x, r, place))
			continue; /* the readers there keep the old register */
		MirReg *copy = arena_array(x->cx->scratch, MirReg, x->chain.n);
		for (u32 k = 0; k < x->chain.n; k++)
			copy[k] = clone(x, k, copy, place);
		serve(x, r, copy[x->chain.n - 1], place);
	}
	update(x, &x->changed);
	remat_runs(x, NULL, r, add_out);
	vec_push(x->cx->scratch, &x->pulled, r.i);
	x->n_pulled++;
}

/* ---- dead definitions ---- */

void remat_delete_dead(Remat *x)
{
	MirFunc *f = x->f;
	while (x->pulled.n) {
		MirReg    r = {vec_pop(&x->pulled)};
		MirInstId i = {mir_vreg(f, r)->n_uses ? 0 : x->def[r.i]};
		if (!i.i || !mir_inst(f, i)->block || mir_repeat(f, i) == MIR_REPEAT_NEVER)
			continue;
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
			const MirOp *o = mir_op(f, i, n);
			if (mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)) && mir_op_reg(o).i < x->n_regs)
				vec_push(x->cx->scratch, &x->pulled, mir_op_reg(o).i);
		}
		if (x->rpa)
			mir_rpa_erase(x->rpa, i);
		else
			mir_ranges_erase(x->ranges, i);
	}
}
