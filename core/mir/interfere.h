/* interfere.h: the live ranges of one register file in one structure, and which of them are in the way of another.
 *
 *	MirUnion *u = mir_union_new(ranges, FILE_R, arena);
 *	mir_union_add(u, a);                            a and b live in the file …
 *	mir_union_add(u, b);
 *	mir_union_in_way(u, x, from, to, &found);       … which of them does x meet between these slots?
 *
 * Allocation gives out no names, so there is one union for each register file and not one for each register: it holds what
 * has been admitted so far. Segments are copied from the ranges (mir/liverange.h) when a register is added. A client that
 * edits the range of a member removes the register first and adds it again afterwards; edits of other ranges, and
 * insertions of instructions, do not concern the union, because the order of two slots never changes.
 *
 * Segments are nodes of a balanced tree (Adelson-Velskii and Landis) ordered by start and register, and each node knows the
 * last end in its subtree (an interval tree as in Cormen, Leiserson, Rivest, Stein: "Introduction to Algorithms", 14.3).
 * Cost: to add or remove, O(log n) a segment; a query, O(log n) for each segment of x between the slots and for each
 * segment found. */
#ifndef PS_INTERFERE_H
#define PS_INTERFERE_H

#include "mir/liverange.h"

typedef struct UnionNode {
	u32 start, end; /* slots: [start, end) */
	u32 reg;
	u32 last;     /* the slot that is the last end in the subtree */
	u32 child[2]; /* what comes before, and behind; 0 = none */
	u32 height;   /* of the subtree; a leaf has 1 */
	u32 next;     /* another segment of the register, or another unused node; 0 = none */
} UnionNode;

typedef struct MirUnion {
	MirRanges *ranges;
	Arena     *arena;
	IsaFile    file;
	u32        root, unused;
	Vec(UnionNode) node; /* from 1 */
	VecU32 head;         /* by register: its first node + 1; 1 = a member without segments, 0 = no member */
	VecU32 stamp;        /* by register: the query that has found it */
	u32    queries;
} MirUnion;

MirUnion *mir_union_new(MirRanges *ranges, IsaFile file, Arena *a);
/* A register of the file that is no member becomes one, with the range that it has now; a member is one no longer. */
void mir_union_add(MirUnion *u, MirReg r);
void mir_union_remove(MirUnion *u, MirReg r);
bool mir_union_has(const MirUnion *u, MirReg r);
/* Adds to `found` the members other than `x` that are live in some slot of [from, to) in which `x` is live too: each once,
 * in the order in which x meets them. `x` need not be a member. How many there are. */
u32 mir_union_in_way(MirUnion *u, MirReg x, u32 from, u32 to, VecU32 *found);

#endif
