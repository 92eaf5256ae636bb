/* branches.c: how a block ends, and changes of that which several passes on control flow make (branch-folder,
 * block-placement, tail duplication, tail merging).
 *
 * A branch that decides whether a loop goes on keeps its guard: ptxas unrolls no loop that goes on or ends by an @!%p, whatever its
 * trip count. SASS instructions of a small loop of unknown trip count (ptxas 13, sm_90; unrolled: more than 40):
 *
 *	                           one block, exit next   one block, exit before   more blocks   tested at the top
 *	@%p bra LOOP                       65                     65                  85                61
 *	@!%p bra LOOP                      21                     21                  24
 *	@%p bra EXIT; bra LOOP             22                     65                  94                61
 *	@!%p bra EXIT; bra LOOP            22                     21                  24                22
 *
 * So the pattern that selection chose stays, as llc keeps it, and ptxas decides; in the third row this costs a branch that is fetched
 * once an iteration. Only a loop that is not to be unrolled (mir_must_not_unroll) is turned: ptxas heeds .pragma "nounroll" in the
 * first row alone. */
#include "ir/ir.h"
#include "mirpass/mirpass.h"

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

bool mirpass_falls_through(const MirFunc *f, MirBlockId b)
{
	MirInstId last = {mir_block(f, b)->last};
	return !last.i || !mir_is(f, last, IF_BARRIER) || mir_desc(f, last)->opc.slot[SLOT_guard];
}

MirInstId mirpass_jump(MirFunc *f, MirBlockId b, MirBlockId to, u32 origin)
{
	PtxOpc bra = {.op = ISA_bra};
	bra.slot[SLOT_flag] = TOK_flag_uni;
	MirInstId jump = mir_build(f, b, (MirInstId){0}, isa_intern(f->module->session, bra));
	mir_inst(f, jump)->origin = origin;
	mir_add_block(f, jump, to);
	return jump;
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

static bool must_not_unroll(const PassCx *cx, const MirCfg *cfg, const Loops *loops, MirBlockId b)
{
	u32 node = cfg->node[b.i], loop = node == GRAPH_NONE ? GRAPH_NONE : loops->of[node];
	return loop != GRAPH_NONE && mir_must_not_unroll(mirpass_func(cx), cx->ir, cfg, loops, loop);
}

/* Does the branch decide whether a loop goes on? One way of it goes back to the header, or leaves. */
static bool decides_loop(const MirCfg *cfg, const Loops *loops, MirBlockId b, const MirBranch *br)
{
	u32 node = cfg->node[b.i], loop = node == GRAPH_NONE ? GRAPH_NONE : loops->of[node];
	if (loop == GRAPH_NONE)
		return false;
	for (u32 k = 0; k < 2; k++) {
		u32 to = cfg->node[k ? br->other.i : br->taken.i];
		if (to == GRAPH_NONE || !loop_contains(loops, loop, to) || to == loops->loop[loop].header)
			return true;
	}
	return false;
}

bool mirpass_tidy_branches(PassCx *cx, const MirCfg *cfg, const Loops *loops, MirBlockId b)
{
	MirFunc   *f = mirpass_func(cx);
	MirBranch  br = mirpass_branch(f, b);
	MirBlockId next = {mir_block(f, b)->next};
	bool       changed = false;
	if (!br.known)
		return false;
	if (br.cond.i && (br.uncond.i ? br.other.i : next.i) == br.taken.i) {
		mir_erase(f, br.cond);
		changed = true;
		br = mirpass_branch(f, b);
	}
	if (br.uncond.i && br.other.i == next.i) {
		mir_erase(f, br.uncond);
		changed = true;
	} else if (br.cond.i && br.uncond.i && br.taken.i == next.i &&
	           (!decides_loop(cfg, loops, b, &br) || must_not_unroll(cx, cfg, loops, b))) {
		turn_round(f, &br);
		changed = true;
	}
	return changed;
}
