/* divergence.h: which registers and branches of a machine function may differ between the threads of a warp?
 *
 * Sources, by the rows of isa/: special registers that tell threads apart or change from read to read (sregs.def),
 * atomics and what is marked IF_DIVERGENT (ptx.def), loads from local and generic addresses and volatile ones, parameters
 * (a kernel's own are the same for all threads), other reads of memory, exchanges between lanes, inline asm, reloads. From
 * there divergence spreads
 *   - along operands: a definition by an instruction that reads a divergent register is divergent. Results that are the
 *     same for all threads that take part (IF_UNIFORM) depend on who takes part (IOF_MEMBERS) alone;
 *   - through the carry flag, from the instruction that writes it to those behind it in the block;
 *   - by control (graph/diverge.h): to phis where the paths of a divergent branch meet; to reads outside of a cycle
 *     that threads leave in different iterations; and to registers of which a use may see several definitions, or
 *     one or none, where a definition is in the region of a divergent branch.
 * The result is the least fixed point of these rules; uniform means: proven to be the same for all threads of a warp that
 * are there. The function may be in SSA form or not. Physical registers hold the frame's address and are uniform.
 * Cost: operands, and for each divergent branch its region; outside of SSA form a dominance query for each use.
 *
 * Analysis AN_MIR_DIVERGENCE. It reads instructions as well as edges: a pass that changes either does not keep it, unless
 * what it adds or removes is uniform and no use is left in another cycle than before. */
#ifndef PS_MIR_DIVERGENCE_H
#define PS_MIR_DIVERGENCE_H

#include "graph/diverge.h"
#include "mir/cfg.h"

typedef struct MirDivergence {
	Bitset        value;   /* by register number: divergent where it is defined */
	Diverge       control; /* by node of `cfg`: divergent branches, joins of their paths, cycles left */
	const MirCfg *cfg;
} MirDivergence;

typedef struct MirControl {
	const MirCfg  *cfg;
	const DomTree *dom, *postdom;
	const Loops   *loops;
} MirControl;

MirDivergence               *mir_divergence_build(const MirFunc *f, const MirControl *c, Arena *a);
static inline MirDivergence *mir_divergence(PassCx *cx) { return pass_analysis(cx, AN_MIR_DIVERGENCE_ID); }

/* Does `i` itself make its results differ, or its branch, whatever its operands are? */
bool mir_is_divergence_source(const MirFunc *f, MirInstId i);
/* May the register differ between threads that define it together? True for registers made after the analysis. */
static inline bool mir_is_divergent(const MirDivergence *d, MirReg r)
{
	return mir_is_virt(r) && (r.i >= d->value.bits || bitset_has(d->value, r.i));
}
/* May it differ between threads that run `at`, which reads it, together? */
bool mir_is_divergent_at(const MirDivergence *d, const MirFunc *f, MirReg r, MirInstId at);
/* May threads that come to the end of the block together go different ways? */
static inline bool mir_branch_is_divergent(const MirDivergence *d, MirBlockId b)
{
	u32 node = d->cfg->node[b.i];
	return node != GRAPH_NONE && bitset_has(d->control.branch, node);
}

#endif
