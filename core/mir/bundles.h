/* bundles.h: edge bundles: which block borders have to agree on where a value is.
 *
 *	bb.0 ──▶ bb.1        The end of bb.0 and the starts of bb.1 and bb.2 are one bundle: on the way from bb.0 nothing can be
 *	   └───▶ bb.2        inserted for one successor alone, so a value is in a register at all of them or at none.
 *
 * Each block has an entry side and an exit side. An edge puts the exit of its source and the entry of its target into one
 * bundle; sides that no edge touches are bundles of their own. Bundles are numbered by their first side along the
 * layout. Spill placement (mir/spillplace.h) decides for each bundle.
 *
 * Analysis AN_MIR_BUNDLES. Almost linear in the edges (union-find). */
#ifndef PS_BUNDLES_H
#define PS_BUNDLES_H

#include "mir/cfg.h"

typedef struct MirBundles {
	u32       n;
	u32      *in, *out; /* by node: the bundle of its entry, of its exit */
	NodeLists entering; /* by bundle: nodes whose exit is in it */
	NodeLists leaving;  /* by bundle: nodes whose entry is in it */
	u32       n_nodes;
} MirBundles;

MirBundles               *mir_bundles_build(const MirCfg *cfg, Arena *a);
static inline MirBundles *mir_bundles(PassCx *cx) { return pass_analysis(cx, AN_MIR_BUNDLES_ID); }

#endif
