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
 * everything else (brx, ret) is left as it stands. Tails are not merged: that would break the
 * structure of the control flow and duplicate nothing worth having on a GPU. Blocks keep a reducible graph
 * reducible, as edges are only shortened through blocks that do nothing.
 *
 * A branch that decides whether a loop goes on keeps its guard: ptxas unrolls no loop that goes on or ends by an @!%p, whatever its
 * trip count. Seen with ptxas 13 for sm_90, SASS instructions of a small loop of unknown trip count (unrolled: more than 40):
 *
 *	                           one block, exit next   one block, exit before   more blocks   tested at the top
 *	@%p bra LOOP                       65                     65                  85                61
 *	@!%p bra LOOP                      21                     21                  24
 *	@%p bra EXIT; bra LOOP             22                     65                  94                61
 *	@!%p bra EXIT; bra LOOP            22                     21                  24                22
 *
 * So the pattern that selection chose stays, as llc keeps it, and ptxas decides; in the third row this costs a branch that is fetched
 * once an iteration. Only a loop that the program asks not to unroll is turned: ptxas heeds .pragma "nounroll" in the first row alone.
 *
 * Blocks are numbered anew at the start of each round; the labels in PTX are these numbers. */
#include "ir/ir.h"
#include "mir/cfg.h"
#include "mirpass/mirpass.h"

typedef struct Folder {
	PassCx       *cx;
	MirFunc      *f;
	const MirCfg *cfg; /* as the pass found it, with the loops: later rounds remove blocks and make none */
	const Loops  *loops;
	bool          changed; /* in this round */
} Folder;

MirBranch mirpass_branch(const MirFunc *f, MirBlockId b)
{
	MirBranch r = {.known = true};
	for (MirInstId i = mir_first_terminator(f, b); i.i; i = mir_next(f, i)) {
		const IsaDesc *d = mir_desc(f, i);
		const MirInst *mi = mir_inst(f, i);
		bool           guarded = d->opc.slot[SLOT_guard] != 0;
		if (d->opc.op != ISA_bra || r.uncond.i || (guarded && r.cond.i)) {
			r.known = false;
			return r;
		}
		u32 target = mir_op(f, i, mi->n_ops - 1u)->ref;
		if (guarded) {
			r.cond = i;
			r.taken.i = target;
		} else {
			r.uncond = i;
			r.other.i = target;
		}
	}
	return r;
}

static MirBlockId next_block(const MirFunc *f, MirBlockId b) { return (MirBlockId){mir_block(f, b)->next}; }

static bool falls_through(const MirFunc *f, MirBlockId b)
{
	MirInstId last = {mir_block(f, b)->last};
	return !last.i || !mir_is(f, last, IF_BARRIER) || mir_desc(f, last)->opc.slot[SLOT_guard];
}

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
		bool       falls = p.i == prev.i && falls_through(f, p);
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
	if (falls_through(f, prev) && mir_has_edge(f, prev, b) && mirpass_branch(f, prev).known) {
		mir_clone(f, br.uncond, prev, (MirInstId){0});
		fo->changed = true;
	}
	if (!bypass(fo, b, br.other))
		return false;
	mir_block_remove(f, b);
	fo->changed = true;
	return true;
}

/* Where the condition holds control falls through: the branch is taken where it does not. */
static void turn_round(MirFunc *f, const MirBranch *br)
{
	const MirInst *mi = mir_inst(f, br->cond);
	PtxOpc         o = mir_desc(f, br->cond)->opc;
	mir_op_set_block(f, br->cond, mi->n_ops - 1u, br->other);
	mir_set_desc(f, br->cond, isa_intern(f->module->session, isa_guarded(o, o.slot[SLOT_guard] == 1)));
	mir_erase(f, br->uncond);
}

static bool must_not_unroll(const Folder *fo, MirBlockId b)
{
	const IrModule *m = fo->cx->ir;
	u32             ir = mir_block(fo->f, b)->ir;
	IrRef           term = m && ir && ir != ~0u ? ir_term(m, ir_ref(IR_BLOCK, ir)) : (IrRef){0};
	return !ir_is_none(term) && ir_says_no_unroll(m, term);
}

/* Does the branch decide whether a loop goes on? One way of it goes back to the header, or leaves. */
static bool decides_loop(const Folder *fo, MirBlockId b, const MirBranch *br)
{
	u32 node = fo->cfg->node[b.i], loop = node == GRAPH_NONE ? GRAPH_NONE : fo->loops->of[node];
	if (loop == GRAPH_NONE)
		return false;
	for (u32 k = 0; k < 2; k++) {
		u32 to = fo->cfg->node[k ? br->other.i : br->taken.i];
		if (to == GRAPH_NONE || !loop_contains(fo->loops, loop, to) || to == fo->loops->loop[loop].header)
			return true;
	}
	return false;
}

static void tidy_branches(Folder *fo, MirBlockId b)
{
	MirFunc   *f = fo->f;
	MirBranch  br = mirpass_branch(f, b);
	MirBlockId next = next_block(f, b);
	if (!br.known)
		return;
	if (br.cond.i && (br.uncond.i ? br.other.i : next.i) == br.taken.i) {
		mir_erase(f, br.cond);
		fo->changed = true;
		br = mirpass_branch(f, b);
	}
	if (br.uncond.i && br.other.i == next.i) {
		mir_erase(f, br.uncond);
		fo->changed = true;
	} else if (br.cond.i && br.uncond.i && br.taken.i == next.i && (!decides_loop(fo, b, &br) || must_not_unroll(fo, b))) {
		turn_round(f, &br);
		fo->changed = true;
	}
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
	if (!prev.i || falls_through(f, prev) || falls_through(f, b) || mir_block(f, b)->address_taken)
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
	tidy_branches(fo, b);
	if (merge_into_previous(fo, b) || (!branches_by_table(f, b) && drop_trampoline(fo, b)))
		return;
	find_place(fo, b);
}

static bool run(PassCx *cx)
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

const Pass mirpass_branch_folder = {
	.id = "branch-folder",
	.title = "Control Flow Optimizer",
	.summary = "Removes empty blocks and redundant branches, and merges blocks.",
	.group = "post-ra",
	.level = PASS_MIR,
	.needs = PN_NO_PHIS,
	.disable = KNOB_disable_branch_fold,
	.run = run,
};
