/* tail_duplicate.c: short blocks are repeated in predecessors that jump to them, for early-tailduplication (SSA form) and
 * tailduplication (behind register allocation).
 *
 *	bb.1: …                                bb.1: …
 *	      GOTO_uni %bb.3                         ST [%q], %1
 *	bb.2: …                          →           Return
 *	bb.3: %5 = PHI %1, %bb.1, %2, %bb.2    bb.2: …
 *	      ST [%q], %5                            GOTO_uni %bb.3
 *	      Return                           bb.3: ST [%q], %2
 *	                                             Return
 *
 * The tail is a block of at most `most` instructions besides phis and branches that several blocks jump to. In each
 * predecessor that ends in a jump alone, the jump is replaced by a copy of the tail; its phis are what they get from there. The
 * copy saves a jump, and its branch may be decided by what the predecessor knows (jump threading follows from a phi of
 * constants, which peephole passes fold).
 *
 * Not repeated: a block with a convergent operation, a call, or anything that may not be copied; the header of a loop, as its copy
 * would be a second entry (so a reducible graph stays so), and the end of one, as ptxas unrolls loops with one way back; a block
 * that ends in a table; a block that branches where something convergent comes before its ways meet again, as threads that met in
 * the block would only meet where its ways do. In SSA form the values of the tail may be read in it and by phis of its successors only: then the graph
 * stays in SSA form with one more input to each of those phis. Others would need new phis, which cost a move on every path.
 * Outside of SSA form the copy writes the same registers.
 *
 * Blocks are visited once, in the order of the layout. Cost: copied instructions and phis. */
#include "base/bitset.h"
#include "base/map.h"
#include "mir/cfg.h"
#include "mir/debug.h"
#include "mirpass/mirpass.h"

typedef struct Duplicator {
	PassCx        *cx;
	MirFunc       *f;
	const Loops   *loops; /* as they were at first: copies get no number, and are no tails themselves */
	const MirCfg  *cfg;
	const DomTree *postdom;    /* as they were at first, too; NULL where nothing is convergent */
	Bitset         convergent; /* nodes with a convergent operation or a call */
	u32            most;
	bool           ssa;
	Map            copy; /* SSA form: register of the tail → that of the copy */
} Duplicator;

static bool is_short(const Duplicator *d, MirBlockId t)
{
	u32 n = 0;
	for (MirInstId i = mir_first_non_phi(d->f, t), end = mir_first_terminator(d->f, t); i.i && i.i != end.i;
	     i = mir_next(d->f, i))
		n++;
	return n <= d->most;
}

static bool may_copy(const Duplicator *d, MirBlockId t)
{
	const u32 never = IF_CONVERGENT | IF_CALL | IF_INDIRECT | IF_ASYNC;
	mir_each_inst(d->f, t, i) {
		if (mir_is(d->f, i, IF_PHI)) {
			for (u32 n = 1; n < mir_inst(d->f, i)->n_ops; n += 2)
				if (mir_op(d->f, i, n)->flags & MOF_UNDEF)
					return false;
			continue;
		}
		if (mir_is(d->f, i, never) || mir_inst(d->f, i)->flags & MIF_NO_DUP || mir_inst(d->f, i)->desc == ISA_INLINEASM)
			return false;
	}
	return true;
}

/* Does anything but the tail itself, and phis behind it that get it from there, read a value of the tail? */
static bool values_stay(const Duplicator *d, MirBlockId t)
{
	MirFunc *f = d->f;
	mir_each_inst(f, t, i)
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
			if (!mir_op_is_def(mir_op(f, i, n)))
				continue;
			MirReg r = mir_op_reg(mir_op(f, i, n));
			if (!mir_is_virt(r))
				return false;
			mir_each_use(f, r, o) {
				MirInstId user = {o->inst};
				bool      phi = mir_is(f, user, IF_PHI);
				if (phi ? mir_op(f, user, mir_op_number(f, o) + 1)->ref != t.i : mir_inst(f, user)->block != t.i)
					return false;
			}
		}
	return true;
}

static u32 node_of(const Duplicator *d, MirBlockId b) { return d->cfg->node[b.i]; }

/* The header of a loop, or a block from which a loop starts again. */
static bool turns_a_loop(const Duplicator *d, MirBlockId t)
{
	u32 node = node_of(d, t), loop = node == GRAPH_NONE ? GRAPH_NONE : d->loops->of[node];
	if (node == GRAPH_NONE)
		return true;
	if (loop == GRAPH_NONE)
		return false;
	if (d->loops->loop[loop].header == node)
		return true;
	mir_each_succ(d->f, t, e)
		if (node_of(d, (MirBlockId){e->to}) == d->loops->loop[loop].header)
			return true;
	return false;
}

/* Is something convergent between the block and where its ways meet? Linear in the blocks between. */
static bool splits_convergence(const Duplicator *d, MirBlockId t)
{
	u32    end = d->postdom->idom[node_of(d, t)];
	VecU32 open = {0};
	Bitset seen = bitset_new(d->cx->scratch, d->cfg->g.n);
	vec_push(d->cx->scratch, &open, node_of(d, t));
	while (open.n) {
		Nodes succ = graph_succ(&d->cfg->g, vec_pop(&open));
		for (u32 k = 0; k < succ.n; k++) {
			u32 to = succ.p[k];
			if (to == end || bitset_has(seen, to))
				continue;
			if (bitset_has(d->convergent, to))
				return true;
			bitset_add(seen, to);
			vec_push(d->cx->scratch, &open, to);
		}
	}
	return false;
}

/* Why the block is not repeated; NULL: it may be. */
static const char *reason_against(const Duplicator *d, MirBlockId t)
{
	MirInstId last = {mir_block(d->f, t)->last};
	if (!mirpass_branch(d->f, t).known && !(mir_block(d->f, t)->n_succs == 0 && last.i && mir_is(d->f, last, IF_TERMINATOR)))
		return "its end is no branch";
	if (!may_copy(d, t))
		return "something in it may not be copied";
	if (turns_a_loop(d, t))
		return "it begins or ends a loop";
	if (d->postdom && mir_block(d->f, t)->n_succs > 1 && splits_convergence(d, t))
		return "threads have to meet in it for what is convergent behind it";
	return !d->ssa || values_stay(d, t) ? NULL : "its values are read behind it";
}

/* ---- copying ---- */

static MirReg in_copy(const Duplicator *d, MirReg r) { return (MirReg){(u32)map_or(&d->copy, r.i, r.i)}; }

/* The tail's phis are what they get from `p`, which they forget. */
static void read_phis(Duplicator *d, MirBlockId t, MirBlockId p)
{
	MirFunc *f = d->f;
	mir_each_inst(f, t, i) {
		if (!mir_is(f, i, IF_PHI))
			break;
		u32 n = mir_phi_incoming(f, i, p);
		map_set(&d->copy, mir_op_reg(mir_op(f, i, 0)).i, mir_op_reg(mir_op(f, i, n)).i);
		mir_op_remove(f, i, n + 1);
		mir_op_remove(f, i, n);
	}
}

static void copy_instruction(Duplicator *d, MirInstId i, MirBlockId p)
{
	MirFunc  *f = d->f;
	MirInstId c = mir_clone(f, i, p, (MirInstId){0});
	for (u32 n = 0; n < mir_inst(f, c)->n_ops; n++) {
		MirReg r = mir_op_reg(mir_op(f, c, n));
		if (!mir_is_virt(r))
			continue;
		if (mir_op_is_def(mir_op(f, c, n)) && d->ssa) {
			MirReg fresh = mir_reg_new(f, mir_class(f, r));
			map_set(&d->copy, r.i, fresh.i);
			mir_op_set_reg(f, c, n, fresh);
		} else if (in_copy(d, r).i != r.i) {
			mir_op_set_reg(f, c, n, in_copy(d, r));
		}
	}
}

/* Phis behind the tail get from `p` what they get from the tail. */
static void extend_phis(Duplicator *d, MirBlockId t, MirBlockId p, MirBlockId succ)
{
	MirFunc *f = d->f;
	mir_each_inst(f, succ, i) {
		if (!mir_is(f, i, IF_PHI))
			break;
		MirOp value = *mir_op(f, i, mir_phi_incoming(f, i, t));
		u32   at = mir_inst(f, i)->n_ops;
		mir_add_op(f, i, value);
		mir_add_block(f, i, p);
		if (mir_is_virt(mir_op_reg(&value)))
			mir_op_set_reg(f, i, at, in_copy(d, mir_op_reg(&value)));
	}
}

static void copy_into(Duplicator *d, MirBlockId t, MirBlockId p, MirInstId jump)
{
	MirFunc *f = d->f;
	u32      origin = 0;
	map_clear(&d->copy);
	read_phis(d, t, p);
	if (jump.i) {
		origin = mir_inst(f, jump)->origin;
		mir_erase(f, jump);
	}
	for (MirInstId i = mir_first_non_phi(f, t); i.i; i = mir_next(f, i))
		copy_instruction(d, i, p);
	mir_debug_copied(f, t, p);
	MirBranch br = mirpass_branch(f, t);
	if (mir_block(f, t)->n_succs && !br.uncond.i)
		mirpass_jump(f, p, (MirBlockId){mir_block(f, t)->next}, origin);
	mir_edge_remove(f, p, t);
	mir_each_succ(f, t, e) {
		mir_edge_add(f, p, (MirBlockId){e->to}, e->prob);
		extend_phis(d, t, p, (MirBlockId){e->to});
	}
}

/* ---- tails ---- */

/* Ends the block in nothing but a way to `t`? *jump: the jump, or 0 where it falls through. */
static bool jumps_to(const Duplicator *d, MirBlockId p, MirBlockId t, MirInstId *jump)
{
	MirBranch br = mirpass_branch(d->f, p);
	*jump = br.uncond;
	return br.known && !br.cond.i && mir_block(d->f, p)->n_succs == 1 && p.i != t.i && br.uncond.i;
}

/* A phi with one input is that input. */
static void fold_phis(MirFunc *f, MirBlockId t)
{
	mir_each_inst(f, t, i) {
		if (!mir_is(f, i, IF_PHI))
			break;
		if (mir_inst(f, i)->n_ops != 3)
			continue;
		MirReg from = mir_op_reg(mir_op(f, i, 0)), to = mir_op_reg(mir_op(f, i, 1));
		mir_erase(f, i);
		mir_replace_uses(f, from, to);
	}
}

static bool duplicate(Duplicator *d, MirBlockId t)
{
	MirFunc *f = d->f;
	VecU32   preds = {0};
	u32      copies = 0, number = mir_block(f, t)->number, line = 0;
	if (mir_block(f, t)->n_preds < 2 || mir_block(f, t)->address_taken || t.i == f->first_block || !is_short(d, t))
		return false;
	MirInstId jump, first = mir_first_non_phi(f, t);
	mir_each_pred(f, t, e)
		if (jumps_to(d, (MirBlockId){e->from}, t, &jump))
			vec_push(d->cx->scratch, &preds, e->from);
	if (!preds.n)
		return false;
	line = first.i ? mir_inst(f, first)->origin : 0;
	const char *why = reason_against(d, t);
	if (why) {
		pass_remark(d->cx, REMARK_MISSED, line, "bb.%u is not repeated in its predecessors: %s", number, why);
		return false;
	}
	for (u32 k = 0; k < preds.n && mir_block(f, t)->n_preds > 1; k++, copies++) {
		jumps_to(d, (MirBlockId){preds.p[k]}, t, &jump);
		copy_into(d, t, (MirBlockId){preds.p[k]}, jump);
	}
	fold_phis(f, t);
	pass_remark(d->cx, REMARK_PASSED, line, "bb.%u is repeated in %u of its predecessors", number, copies);
	return copies != 0;
}

static void find_convergent(Duplicator *d)
{
	d->convergent = bitset_new(d->cx->scratch, d->cfg->g.n);
	mir_each_block(d->f, b)
		mir_each_inst(d->f, b, i)
			if (mir_is(d->f, i, IF_CONVERGENT | IF_CALL) && node_of(d, b) != GRAPH_NONE) {
				bitset_add(d->convergent, node_of(d, b));
				d->postdom = mir_postdom(d->cx);
				break;
			}
}

bool mirpass_duplicate_tails(PassCx *cx, u32 most)
{
	Duplicator d = {.cx = cx, .f = mirpass_func(cx), .most = most};
	bool       changed = false;
	if (!mir_may_have(d.f, ISA_bra))
		return false;
	d.ssa = (d.f->props & MP_SSA) != 0;
	d.cfg = mir_cfg(cx);
	d.loops = mir_loops(cx);
	map_init(&d.copy, cx->scratch);
	find_convergent(&d);
	mir_each_block(d.f, t)
		changed |= duplicate(&d, t);
	return changed;
}
