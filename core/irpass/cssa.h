/* cssa.h: the inside of the conversion to conventional SSA, for its tests. */
#ifndef PS_IRPASS_CSSA_H
#define PS_IRPASS_CSSA_H

#include "analysis/divergence.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum { /* which copies are spared: each level spares what the lower ones do */
       CSSA_KEEP_ALL = 0,
       CSSA_SHARE = 1,       /* one value for phis of different successors: one copy */
       CSSA_SPLIT_EDGES = 2, /* copies in blocks that hold nothing else, of what the block before computed for this phi */
       CSSA_SPAN_BLOCKS = 3, /* copies of what was computed in the predecessor for this phi alone */
};

typedef struct CssaCopy {
	IrRef inst;
	bool  heads_chain; /* first copy of its phi; the phi's other copies follow it */
} CssaCopy;
typedef Vec(CssaCopy) CssaCopies;

/* The numbers that phase 1 computes, valid while the CFG does not change. Arrays are indexed by the block's position in
 * the function, which its `mark` holds. UINT32_MAX: unreachable from the entry. */
typedef struct CssaNumbers {
	u64  cfg_epoch; /* fingerprint of blocks and edges */
	u32  n_blocks;
	u32 *preorder, *rpo_index;
} CssaNumbers;

typedef struct CssaStats {
	u32 blocks, phis, producers, consumers, shared, spared, erased;
} CssaStats;

typedef struct CssaState {
	CssaNumbers numbers;
	CssaCopies  cleanup; /* phases 3 and 4 fill it, phase 5 alone reads it */
	CssaStats   stats;
} CssaState;

typedef struct CssaOptions {
	u32  coalesce; /* CSSA_KEEP_ALL … */
	u32  verbosity;
	bool split_edges, span_blocks; /* allowed by the subtarget or the user */
} CssaOptions;

CssaOptions cssa_options(const Session *s);
/* Do newer machines merge more? Rows of the subtarget table. */
bool cssa_default_split_edges(u32 sm);
bool cssa_default_span_blocks(u32 sm);

void cssa_number_blocks(const IrModule *m, const IrFunc *f, CssaNumbers *n, Arena *a); /* phase 1 */
/* Phase 5: erases copies without users; returns how many it erased. */
u32 cssa_clean_up(IrModule *m, const CssaCopies *copies);
/* All phases. `state` may be used again for the same function. */
bool cssa_run(PassCx *cx, IrFunc *f, CssaState *state, CssaOptions o, Arena *a);
/* First thing that is not conventional, or NULL: copies at the ends of predecessors, phis that read
 * nothing else, non-phi users that read copies. */
const char *cssa_check(const IrModule *m, const IrFunc *f);

#endif
