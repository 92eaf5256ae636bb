/* slotlive.h: where stack objects are in use, and which of them share their room.
 *
 *	LIFETIME_START %stack.0        from here …
 *	…
 *	LIFETIME_END %stack.0          … to here %stack.0 is in use
 *
 * There are two ways to know. By markers: an object is in use behind a LIFETIME_START until there has been a LIFETIME_END
 * on every path; one without a LIFETIME_START is in use everywhere. By accesses, for objects whose address does not
 * escape: from a store of the whole object, or of a part that a load may see with other parts, to the last load that may
 * see it. Both are bit-vector problems over the blocks (graph/flow.h). Segments are half-open intervals of slot
 * numbers (mir/slots.h): good until the next insertion.
 *
 * slot_share is greedy: objects in the order given take the first room that nothing uses at the same time, of the first
 * SLOT_MOST_ROOMS. Cost: objects times rooms tried, times the object's segments and the logarithm of the room's. */
#ifndef PS_SLOTLIVE_H
#define PS_SLOTLIVE_H

#include "mir/cfg.h"
#include "mir/frame.h"
#include "mir/slots.h"

typedef struct SlotSegment {
	u32 start, end; /* numbers of slots: [start, end) */
} SlotSegment;

typedef struct SlotUse {
	Vec(SlotSegment) seg; /* growing, disjoint */
} SlotUse;

typedef struct SlotLive {
	MirFunc      *f;
	const MirCfg *cfg;
	Arena        *arena;
	VecU32        object; /* those looked at, ascending */
	u32          *index;  /* by object: its place in `object`; ~0u: not looked at */
	SlotUse      *use;    /* by place in `object` */
} SlotLive;

#define SLOT_MOST_ROOMS 512

/* Sets of objects times blocks above this many bits are not computed: NULL is returned. */
#define SLOT_LIVE_MOST_BITS (1u << 28)

SlotLive *slot_live_by_markers(MirFunc *f, const MirCfg *cfg, Arena *a);
/* Of spill slots. */
SlotLive *slot_live_by_accesses(MirFunc *f, const MirCfg *cfg, const MirFrameUses *uses, Arena *a);

/* For mir_frame_merge: what each object shares the room of, itself where it keeps its own. `order`: places in `object`. */
u32 *slot_share(const SlotLive *l, const VecU32 *order);
/* Places in `object` by size, the largest first, then spill slots by where they are used first, then by number: a smaller object never
 * makes its room larger. */
VecU32 slot_by_size(const SlotLive *l);

#endif
