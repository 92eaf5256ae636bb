/* reach.h: which variables of shared memory a kernel can reach, and where they lie.
 *
 * Kernels do not run at the same time, so a block has the variables that its kernel and what this calls name, and no others: a module
 * may have many kernels that use all of shared memory. A call of an address may lead to each function whose address is taken. */
#ifndef PS_SIMT_REACH_H
#define PS_SIMT_REACH_H

#include "simt/code.h"

typedef struct ReachPair {
	u32 from, to;
} ReachPair;

/* Functions and variables by their numbers in SimtProgram. */
typedef struct Reach {
	Vec(ReachPair) calls, names; /* function → function; function → variable */
	VecU32 kernels;
	VecU32 taken;    /* functions whose address is taken */
	VecU32 indirect; /* functions that call addresses */
	VecU32 common;   /* variables that every kernel has: their addresses are in memory */
} Reach;

/* Gives the static variables of shared memory their addresses, and kernels their ends (SimtFunc.shared_end). What many kernels have
 * comes first, and each begins behind what one of its kernels has already: no kernel's variables overlap. Takes time for what kernels
 * can reach in all; beyond MOST_REACHED, and where r is NULL, each has everything. */
void simt_reach_place(SimtProgram *p, const Reach *r);

#endif
