/* matrix.h: the live register matrix: which live ranges have been admitted to a register file, and how many of its units they take
 * at each point (mir/points.h). Registers are virtual, so a file is one pool of units and not a row for each register.
 *
 *	MirMatrix *m = mir_matrix_new(points, limit, arena);
 *	u32 at = mir_matrix_segment(m, 3, 20, owner);                  two segments of one owner, behind each other
 *	mir_matrix_segment(m, 40, 44, owner);
 *	if (mir_matrix_above(m, 3, 20, limit - 2) == MIR_NO_POINT) …   does it fit there?
 *	mir_matrix_admit(m, at, 2, 2);
 *
 * Pressure is in a segment tree: each node knows what has been added to all of its points and the most below it. Segments
 * themselves are listed at their centre, the node of an implicit binary tree over the points that is the first to divide the segment
 * (the centred interval tree of Edelsbrunner). All segments of one list contain one point, so while pressure is bounded by
 * the limit a list has at most so many members. Cost: O(log points) to admit or withdraw a segment and to ask for the pressure; to ask who
 * is there, O(log points) lists. */
#ifndef PS_MATRIX_H
#define PS_MATRIX_H

#include "base/vec.h"

#define MIR_NO_POINT 0xFFFFFFFFu

typedef struct MatrixSegment {
	u32 start, end; /* points: [start, end) */
	u32 owner;
	u32 next, prev; /* in the list of its centre; numbers + 1, 0 = none */
} MatrixSegment;

typedef struct MirMatrix {
	Arena *arena;
	u32    n, leaves; /* points; the power of two that holds them */
	u32   *added;     /* by node of the tree: units added to all points below it; node 1 is the root */
	u32   *most;      /* by node: the most below it, `added` of the node included */
	u32   *head;      /* by centre: the first segment + 1 */
	Vec(MatrixSegment) seg;
} MirMatrix;

MirMatrix *mir_matrix_new(u32 points, Arena *a);
/* A new segment behind the others, not admitted; its number. */
u32  mir_matrix_segment(MirMatrix *m, u32 start, u32 end, u32 owner);
void mir_matrix_admit(MirMatrix *m, u32 first, u32 n, u32 units);
void mir_matrix_withdraw(MirMatrix *m, u32 first, u32 n, u32 units);
/* The most units in use at a point of [start, end). */
u32 mir_matrix_most(const MirMatrix *m, u32 start, u32 end);
/* The first point of [start, end) at which more than `bound` units are in use, or MIR_NO_POINT. */
u32 mir_matrix_above(const MirMatrix *m, u32 start, u32 end, u32 bound);
/* Adds the owners of the admitted segments that contain the point to `owners`. */
void mir_matrix_at(const MirMatrix *m, u32 point, VecU32 *owners);

#endif
