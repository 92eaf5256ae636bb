/* order.h: what decoders tell of how a memory access is ordered. Of one job memory is in order: then sanitizers alone look at it. */
#ifndef PS_SIMT_ORDER_H
#define PS_SIMT_ORDER_H

#include "base/base.h"

/* Flags of SimtInsn.x of S_LD, S_ST, S_ATOM and S_FENCE. None: a weak access. */
enum {
	ORDER_STRONG = 1 << 20,  /* atomic, volatile or relaxed at least */
	ORDER_ACQUIRE = 1 << 21, /* … of a fence: it is one of acquire, or both */
	ORDER_RELEASE = 1 << 22,
	ORDER_SCOPE_SHIFT = 23, /* 2 bits: Scope */
	ORDER_PROXY = 1 << 25,  /* a fence between the generic proxy and the one of asynchronous copies */
};
typedef enum Scope { SCOPE_BLOCK, SCOPE_CLUSTER, SCOPE_DEVICE, SCOPE_SYSTEM } Scope;
static inline u32   order_of(u32 flags, Scope s) { return flags | (u32)s << ORDER_SCOPE_SHIFT; }
static inline Scope order_scope(u32 x) { return (Scope)(x >> ORDER_SCOPE_SHIFT & 3); }

#endif
