/* mirpass.h: what the machine passes share, and the contract that each of them keeps.
 *
 * Form. Machine code is in SSA form (MP_SSA) from selection to phi-node-elimination, and not afterwards. Registers are
 * virtual to the end: allocation keeps within budgets of register files and gives out no names.
 *
 * Convergent operations (IF_CONVERGENT: barriers, votes, shuffles, calls of convergent functions) are not moved into or out
 * of a branch or a loop, nor copied or merged: the conditions under which one executes stay what they were.
 *
 * Control flow. A graph that was reducible at selection (MP_REDUCIBLE) stays so; the verifier looks. Edges that are
 * redirected or split take their probabilities along (MirEdge.prob).
 *
 * Provenance. An instruction that replaces another takes over its `origin`, from which dumps, the trace and the PTX text
 * have the line of the input.
 *
 * Liveness. MOF_KILL and MOF_DEAD are notes of whoever set them and may be out of date. A pass that wants to know where a
 * value ends asks for live ranges (mir/liverange.h) or register pressure (mir/pressure.h).
 *
 * Analyses. `keeps` names what is still right when the pass has changed something: AN_MIR_CONTROL where no block or edge was
 * touched. A pass that keeps AN_MIR_RANGES or AN_MIR_RPA has made its edits through their headers, or has told them which
 * registers to look at again. --check-claims and -verify-machineinstrs compute what was kept anew and compare. */
#ifndef PS_MIRPASS_H
#define PS_MIRPASS_H

#include "mir/cfg.h"
#include "mir/mir.h"
#include "pass/pass.h"

/* What a pass builds has no line of the source, until it gives it one. */
static inline MirFunc *mirpass_func(const PassCx *cx)
{
	MirFunc *f = mir_pass_func(cx);
	f->dbg = 0;
	return f;
}

/* The full mode of usedessa: with scheduling in front of allocation, colouring of stack slots, and copies of phis merged. */
static inline bool mirpass_full_mode(const Session *s) { return knob_int(s, KNOB_usedessa) != 1; }

/* A copy becomes a mov, or nothing where both sides are one register. */
void mirpass_expand_copy(Session *s, MirFunc *f, MirInstId i);

/* Puts `to = COPY from` in front of an instruction, whose line it gets. */
void mirpass_copy_before(MirFunc *f, MirInstId before, MirReg to, MirReg from);

/* Is it an unconditional COPY or mov of one virtual register to another, or the same, of its class? */
bool mirpass_is_move(const MirFunc *f, MirInstId i);
/* Erases a move, in SSA form or of a register to itself: who read the result reads the source. Takes time for the uses of the result. */
void mirpass_forward_move(MirFunc *f, MirInstId i);

/* Comparisons fused with their branches become setp and bra again. */
bool mirpass_split_branches(Session *s, MirFunc *f);

/* May the instruction be executed wherever its operands hold the same values, as often as one likes? Its results have one
 * definition and depend on its operands and on memory that nobody writes; it has no other effect and is not convergent.
 * Copies are not movable: where they stand is what they are for. */
bool mirpass_is_movable(const MirFunc *f, MirInstId i);
/* The same, also where the program would not have executed it: it cannot fault either. */
bool mirpass_may_speculate(const MirFunc *f, MirInstId i);

/* machine-sink, of all blocks or of the entry alone; the knobs it reads. */
bool              mirpass_sink(PassCx *cx, bool entry_only);
extern const Knob mirpass_sink_knobs[];

/* Stack objects share room where they are never in use at once, with remarks that say which and why not. Did any? */
struct SlotLive;
bool mirpass_share_slots(PassCx *cx, MirFunc *f, const struct SlotLive *l);

/* Accesses that take base, slice and stride become mad and a plain access. */
bool mirpass_split_accesses(PassCx *cx, MirFunc *f);

/* How a block ends: [@%p bra taken;] [bra.uni other]. */
typedef struct MirBranch {
	bool       known; /* false: it ends in something else */
	MirInstId  cond, uncond;
	MirBlockId taken, other;
} MirBranch;
MirBranch mirpass_branch(const MirFunc *f, MirBlockId b);
/* May control go on to the next block of the layout? */
bool mirpass_falls_through(const MirFunc *f, MirBlockId b);
/* Appends `bra.uni to`. */
MirInstId mirpass_jump(MirFunc *f, MirBlockId b, MirBlockId to, u32 origin);
/* No branch to the next block of the layout, but for one that decides whether a loop goes on, which keeps its guard; one branch where
 * both ways are the same. Changed? `cfg` and `loops` may be older than the layout, not than the edges. */
bool mirpass_tidy_branches(PassCx *cx, const MirCfg *cfg, const Loops *loops, MirBlockId b);

/* tail_duplicate.c: blocks of at most `most` instructions are repeated in predecessors that jump to them. */
bool mirpass_duplicate_tails(PassCx *cx, u32 most);
/* tail_merge.c: equal ends of blocks become one block. */
bool mirpass_merge_tails(PassCx *cx, u32 least);
/* licm.c: computes in front of loops what is the same in each iteration; the knobs it reads. */
bool              mirpass_hoist(PassCx *cx);
extern const Knob mirpass_hoist_knobs[];
/* machine_cp.c */
bool mirpass_propagate_copies(PassCx *cx);

#endif
