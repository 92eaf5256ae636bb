/* freq.h: how likely each edge of a machine function is, and how often each block runs.
 *
 * Probabilities. What the input says (`!prof`, from selection on in MirEdge.prob) is taken as it is, scaled to a sum of one.
 * Blocks whose edges say nothing are estimated from their code (prob.c): heuristics of Ball and Larus ("Branch
 * prediction for free", 1993), their hit rates combined by the Dempster-Shafer rule as Wu and Larus do ("Static
 * branch frequency and program profile analysis", 1994).
 *
 * Frequencies. freq(entry) = 1 + what flows back into it; freq(b) = sum over predecessors p of freq(p) * prob(p, b).
 * The system is solved by eliminating one block after the other (state elimination, which is Gaussian elimination on a
 * sparse flow graph), inner loops first and within a loop in reverse post order, so that a reducible graph gains
 * few edges; cycles with several headers need no special treatment. Pivots are sums of the other outgoing
 * weights, never differences (Grassmann, Taksar, Heyman 1985). Cost: edges times loop depth for reducible graphs.
 *
 * Analysis AN_MIR_FREQ. It reads instructions as well as edges: a pass that changes either does not keep it. */
#ifndef PS_MIR_FREQ_H
#define PS_MIR_FREQ_H

#include "mir/cfg.h"

typedef struct MirFreq {
	f64 *block; /* by block id: executions for each execution of the function; 0 where not reached */
	u32 *prob;  /* by edge id, of 1 << 31: those of a block's edges sum to MIR_PROB_ONE exactly */
	u32  n_blocks, n_edges;
} MirFreq;

/* A cycle that cannot be left counts as leaving once in so many iterations. */
#define MIR_FREQ_ENDLESS 4096.0

MirFreq               *mir_freq_build(const MirFunc *f, const MirCfg *cfg, const DomTree *postdom, const Loops *loops, Arena *a);
static inline MirFreq *mir_freq(PassCx *cx) { return pass_analysis(cx, AN_MIR_FREQ_ID); }

/* Weights of any size to probabilities whose sum is MIR_PROB_ONE; none is 0, so that no block is thought dead. False
 * where the weights say nothing: none is above 0. */
bool mir_prob_of_weights(const u64 *weight, u32 n, u32 *prob);
/* The probabilities of a function's edges, by edge id: stated or estimated. */
u32 *mir_prob_build(const MirFunc *f, const MirCfg *cfg, const DomTree *postdom, const Loops *loops, Arena *a);

#endif
