/* cssa.h: the inside of the conversion to conventional SSA, for its tests. */
#ifndef PS_IRPASS_CSSA_H
#define PS_IRPASS_CSSA_H

#include "analysis/divergence.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum {
	CSSA_OPC_PHI = 0x54,
	CSSA_OPC_DIV_SAFE_COPY = 0x22D7, /* 8919: IR_PCP */
	CSSA_CF_FIRST = 30,
	CSSA_CF_LAST = 40, /* control flow: ret 30 … callbr 40, as LLVM numbers values */
	CSSA_STACK = 32,   /* frames of the numbering that need no growth */
};

enum { /* which copies are spared: each level spares what the lower ones do */
       CSSA_KEEP_ALL = 0,
       CSSA_SHARE = 1,       /* one value for phis of different successors: one copy */
       CSSA_SPLIT_EDGES = 2, /* copies in blocks that hold nothing else, of what the block before computed for this phi */
       CSSA_SPAN_BLOCKS = 3, /* copies of what was computed in the predecessor for this phi alone */
};

/* What a naive implementation would do: for tests that must catch it. */
enum {
	CSSA_HOOK_MERGE_BLOCK = 1 << 0,    /* copies in the merge block */
	CSSA_HOOK_BLIND_COALESCE = 1 << 1, /* spares copies without looking at interference */
	CSSA_HOOK_SKIP_UNIFORM = 1 << 2,   /* no copies for phis thought uniform */
	CSSA_HOOK_NO_REWIRE = 1 << 3,      /* copies that nobody reads */
	CSSA_HOOK_LITERAL_LATCH = 1 << 4,  /* numbers stay although the graph changed */
	CSSA_HOOK_NO_FILTER = 1 << 5,      /* consumer copies without remembering what was mapped */
	CSSA_HOOK_INTERLEAVE = 1 << 6,     /* cleans up while copies are still being put in */
};

/* Where a copy goes, and of what. */
typedef struct CopySlot {
	IrRef     dst_proxy; /* the phi that will read it */
	IrType    type;
	IrBuilder builder; /* before the predecessor's terminator */
} CopySlot;

typedef struct CleanupNode {
	IrRef inst;
	bool  heads_chain; /* the copies of one phi follow each other */
} CleanupNode;

typedef struct CssaStats {
	u32 phis, producers, consumers, shared, spared, erased, local_maps, steps;
} CssaStats;

typedef struct CssaState {
	/* phase 1: a latch, good for as long as the graph stays the same */
	bool   blocks_numbered;
	u64    cfg_epoch; /* fingerprint of blocks and edges */
	u32    n_blocks;
	IrRef *block;
	u32   *preorder, *rpo_index; /* as `block`, by the blocks' marks; UINT32_MAX: not reached */
	u32    next_phi_id;
	/* phase 2 */
	Map   phi_map;   /* phi → id */
	Pages use_graph; /* of IrRef: users met, and every copy made, in that order */
	/* phases 3 and 4 fill it, phase 5 alone reads it */
	Vec(CleanupNode) cleanup;
	Map       copy_at;                      /* phi and predecessor → copy */
	Map       value_at;                     /* value and predecessor → the last copy made of it there */
	Map       partner;                      /* phi → the phi of another successor that it shares copies with */
	u32       clock, last_fill, first_read; /* of the cleanup list: all of it is filled before it is read */
	CssaStats stats;
} CssaState;

typedef struct CssaOptions {
	u32  coalesce; /* CSSA_KEEP_ALL … */
	u32  verbosity;
	bool split_edges, span_blocks; /* allowed by the subtarget or the user */
	u32  hooks;
} CssaOptions;

CssaOptions cssa_options(const Session *s);
/* Do newer machines merge more? Rows of the subtarget table. */
bool cssa_default_split_edges(u32 sm);
bool cssa_default_span_blocks(u32 sm);

void cssa_number_blocks(const IrModule *m, const IrFunc *f, CssaState *s, Arena *a, u32 hooks); /* phase 1 */
void cssa_clean_up(IrModule *m, CssaState *s);                                                  /* phase 5 */
/* All phases. `state` may be used again for the same function. */
bool cssa_run(PassCx *cx, IrFunc *f, CssaState *state, CssaOptions o, Arena *a);
/* First thing that is not conventional, or NULL: copies at the ends of predecessors, phis that read
 * nothing else, non-phi users that read copies. */
const char *cssa_check(const IrModule *m, const IrFunc *f);
bool        cssa_is_control_flow(u32 opcode);
u32         cssa_sort_depth_limit(u64 span); /* 2 * (63 - clz) */

#endif
