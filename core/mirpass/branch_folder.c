/* branch-folder: control flow without detours.
 *
 *	bb.1: bra.uni %bb.2          bb.1:                 branch to the next block
 *	bb.2:                   →    bb.2:
 *
 *	@%p bra %bb.3; bra.uni %bb.3  →  bra.uni %bb.3     both ways the same
 *	@%p bra %bb.2; bra.uni %bb.3  →  @!%p bra %bb.3    the first to the next block
 *	bb.1 → bb.2 alone, and bb.2 from nowhere else       one block
 *	bb.2: bra.uni %bb.3                                 its predecessors branch to bb.3
 *	bb.4, never reached                                 goes
 *
 * Repeated until nothing changes. A block's branches are understood when they are [@%p bra A;] [bra.uni B], or @!%p;
 * everything else (brx, ret) is left as it stands. A reducible graph stays so, as edges are only shortened through blocks that
 * do nothing. Before that, with enable-tail-merge, equal ends of blocks are merged (tail_merge.c).
 *
 * The branch of a loop keeps its guard: branches.c says why.
 *
 * Blocks are numbered anew at the start of each round; the labels in PTX are these numbers. */
#include "mir/cfg.h"
#include "mir/debug.h"
#include "mir/slots.h"
#include "mirpass/mirpass.h"

typedef struct Folder {
	PassCx       *cx;
	MirFunc      *f;
	const MirCfg *cfg; /* as the pass found it, with the loops: later rounds remove blocks and make none */
	const Loops  *loops;
	bool          changed; /* in this round */
} Folder;

static MirBlockId next_block(const MirFunc *f, MirBlockId b) { return (MirBlockId){mir_block(f, b)->next}; }

/* Every operand of the terminators of `b` that names `old` names `to`; the edge too. */
static void retarget(MirFunc *f, MirBlockId b, MirBlockId old, MirBlockId to)
{
	for (MirInstId i = mir_first_terminator(f, b); i.i; i = mir_next(f, i))
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
			const MirOp *o = mir_op(f, i, n);
			if (o->kind == MO_BLOCK && o->ref == old.i)
				mir_op_set_block(f, i, n, to);
			else if (o->kind == MO_JUMP_TABLE)
				for (u32 k = 0; k < f->jump_table.p[o->ref].block.n; k++)
					if (f->jump_table.p[o->ref].block.p[k] == old.i)
						f->jump_table.p[o->ref].block.p[k] = to.i;
		}
	mir_edge_redirect(f, b, old, to);
}

static bool branches_by_table(const MirFunc *f, MirBlockId b)
{
	for (MirInstId i = mir_first_terminator(f, b); i.i; i = mir_next(f, i))
		if (mir_is(f, i, IF_INDIRECT))
			return true;
	return false;
}

/* All predecessors but a fallthrough go straight to `to`. */
static bool bypass(Folder *fo, MirBlockId b, MirBlockId to)
{
	MirFunc   *f = fo->f;
	VecU32     preds = {0};
	MirBlockId prev = {mir_block(f, b)->prev};
	mir_each_pred(f, b, e)
		vec_push(fo->cx->scratch, &preds, e->from);
	bool all = true;
	for (u32 k = 0; k < preds.n; k++) {
		MirBlockId p = {preds.p[k]};
		bool       falls = p.i == prev.i && mirpass_falls_through(f, p);
		if (falls && to.i != next_block(f, b).i) {
			all = false;
			continue;
		}
		retarget(f, p, b, to);
		fo->changed = true;
	}
	return all;
}

/* ---- the single steps: true where the block at hand is gone ---- */

static bool drop_unreached(Folder *fo, MirBlockId b)
{
	MirFunc        *f = fo->f;
	const MirBlock *mb = mir_block(f, b);
	if (b.i == f->first_block || mb->n_preds || mb->address_taken)
		return false;
	mir_block_remove(f, b);
	fo->changed = true;
	return true;
}

static bool drop_empty(Folder *fo, MirBlockId b)
{
	MirFunc        *f = fo->f;
	const MirBlock *mb = mir_block(f, b);
	if (mb->first || b.i == f->first_block || mb->address_taken || mb->n_succs != 1 || !mb->next)
		return false;
	MirBlockId to = {mir_edge(f, (MirEdgeId){mb->succ})->to};
	if (to.i != mb->next || to.i == b.i || !bypass(fo, b, to))
		return false;
	mir_block_remove(f, b);
	fo->changed = true;
	return true;
}

static bool drop_trampoline(Folder *fo, MirBlockId b)
{
	MirFunc        *f = fo->f;
	const MirBlock *mb = mir_block(f, b);
	MirBranch       br = mirpass_branch(f, b);
	MirBlockId      prev = {mb->prev};
	if (!br.known || br.cond.i || !br.uncond.i || mb->first != br.uncond.i || br.other.i == b.i || mb->address_taken ||
	    b.i == f->first_block)
		return false;
	if (mirpass_falls_through(f, prev) && mir_has_edge(f, prev, b) && mirpass_branch(f, prev).known) {
		mir_clone(f, br.uncond, prev, (MirInstId){0});
		fo->changed = true;
	}
	if (!bypass(fo, b, br.other))
		return false;
	mir_block_remove(f, b);
	fo->changed = true;
	return true;
}

/* `b` goes behind the instructions of the block before it. */
static bool merge_into_previous(Folder *fo, MirBlockId b)
{
	MirFunc        *f = fo->f;
	const MirBlock *mb = mir_block(f, b);
	MirBlockId      p = {mb->prev};
	if (!p.i || mb->n_preds != 1 || mb->address_taken || mir_edge(f, (MirEdgeId){mb->pred})->from != p.i ||
	    mir_block(f, p)->n_succs != 1 || mir_first_terminator(f, p).i)
		return false;
	mir_debug_joined(f, b, p);
	mir_slots_forget(f); /* the numbering ends with the block: nothing that moves needs a place in it */
	while (mb->first)
		mir_move(f, (MirInstId){mb->first}, p, (MirInstId){0});
	mir_edge_remove(f, p, b);
	mir_each_succ(f, b, e)
		mir_edge_add(f, p, (MirBlockId){e->to}, e->prob);
	mir_block_remove(f, b);
	fo->changed = true;
	return true;
}

/* ---- blocks in a better place ---- */

/* A block that nobody falls into and that falls nowhere moves behind a predecessor that ends in a branch to it. */
static void find_place(Folder *fo, MirBlockId b)
{
	MirFunc   *f = fo->f;
	MirBlockId prev = {mir_block(f, b)->prev};
	if (!prev.i || mirpass_falls_through(f, prev) || mirpass_falls_through(f, b) || mir_block(f, b)->address_taken)
		return;
	mir_each_pred(f, b, e) {
		MirBlockId p = {e->from};
		MirBranch  br = mirpass_branch(f, p);
		if (p.i == b.i || p.i == prev.i || !br.known || br.cond.i || !br.uncond.i || br.other.i != b.i)
			continue;
		mir_block_move(f, b, next_block(f, p));
		fo->changed = true;
		return;
	}
}

static void fold(Folder *fo, MirBlockId b)
{
	MirFunc *f = fo->f;
	if (drop_unreached(fo, b) || drop_empty(fo, b))
		return;
	fo->changed |= mirpass_tidy_branches(fo->cx, fo->cfg, fo->loops, b);
	if (merge_into_previous(fo, b) || (!branches_by_table(f, b) && drop_trampoline(fo, b)))
		return;
	find_place(fo, b);
}

static bool fold_all(PassCx *cx)
{
	Folder fo = {.cx = cx, .f = mirpass_func(cx), .cfg = mir_cfg(cx), .loops = mir_loops(cx)};
	bool   any = false;
	u32    rounds = 0, limit = fo.f->n_blocks + 8;
	do {
		fo.changed = false;
		any |= mir_renumber(fo.f);
		/* Backwards first: a chain of empty blocks would hand its predecessors on from block to block. */
		for (MirBlockId b = {fo.f->last_block}, prev; b.i; b = prev) {
			prev.i = mir_block(fo.f, b)->prev;
			drop_empty(&fo, b);
		}
		for (MirBlockId b = {fo.f->first_block}, next; b.i; b = next) {
			next = next_block(fo.f, b);
			fold(&fo, b);
		}
		any |= fo.changed;
	} while (fo.changed && ++rounds < limit);
	return any;
}

/* Tails first: the analyses are those of the function as it was found. */
static bool run(PassCx *cx)
{
	bool merged =
		knob_bool(cx->s, KNOB_enable_tail_merge) && mirpass_merge_tails(cx, (u32)knob_int(cx->s, KNOB_tail_merge_size));
	if (merged)
		pass_invalidate(cx, 0);
	return fold_all(cx) || merged;
}

static const Knob knobs[] = {KNOB_enable_tail_merge, KNOB_tail_merge_size, KNOB_NONE};

const Pass mirpass_branch_folder = {
	.id = "branch-folder",
	.title = "Control Flow Optimizer",
	.summary = "Removes empty blocks and redundant branches, and merges blocks.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.disable = KNOB_disable_branch_fold,
	.knobs = knobs,
	.run = run,
};
