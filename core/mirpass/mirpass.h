/* mirpass.h: what the machine passes share. */
#ifndef PS_MIRPASS_H
#define PS_MIRPASS_H

#include "mir/cfg.h"
#include "mir/mir.h"
#include "pass/pass.h"

static inline MirFunc *mirpass_func(const PassCx *cx) { return mir_pass_func(cx); }

/* A copy becomes a mov, or nothing where both sides are one register. */
void mirpass_expand_copy(Session *s, MirFunc *f, MirInstId i);

/* How a block ends: [@%p bra taken;] [bra.uni other]. */
typedef struct MirBranch {
	bool       known; /* false: it ends in something else */
	MirInstId  cond, uncond;
	MirBlockId taken, other;
} MirBranch;
MirBranch mirpass_branch(const MirFunc *f, MirBlockId b);

#endif
