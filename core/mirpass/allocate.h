/* allocate.h: what both allocators (greedy, regallocfast) ask before they begin, and say when they are done. */
#ifndef PS_ALLOCATE_H
#define PS_ALLOCATE_H

#include "mirpass/spill.h"

typedef enum AllocateNeed {
	ALLOCATE_NOT,        /* the function keeps within the limit, or nobody holds it to one */
	ALLOCATE_NEEDED,     /* it may exceed it */
	ALLOCATE_IMPOSSIBLE, /* one instruction alone exceeds it: reported */
} AllocateNeed;

AllocateNeed allocate_need(PassCx *cx, MirFunc *f, IsaFile file);
/* Block by block: values of several blocks live in .local (regallocfast.c). */
void allocate_fast(MirFunc *f, IsaFile file, Spiller *s);
/* Says what was inserted. */
void allocate_say(PassCx *cx, const MirFunc *f, const Spiller *s);

#endif
