/* points.h: the places of a machine function at which the pressure of a register file can have its maximum, numbered densely along
 * the layout: the start and the end of each block, and for each instruction the point at which it reads and the one at which
 * it writes.
 *
 *	bb.0:            start[0]
 *	  %1 = …         inst, inst + 1
 *	  … = %1         inst, inst + 1
 *	                 end[0]
 *
 * A live range (mir/liverange.h) covers a point if it has a segment at the corresponding slot. Between two points no
 * range begins without being live at the one behind it, so what holds at the points holds everywhere. Points are numbered once
 * and are those of the instructions that were there then: code that is inserted later belongs to the point of the
 * instruction that it serves. Reloads in front of an instruction are covered by its reading point, stores behind it by its
 * writing point. Cost: linear, and constant per query but for mir_points_node. */
#ifndef PS_POINTS_H
#define PS_POINTS_H

#include "mir/liverange.h"

typedef struct MirPoints {
	const MirFunc *f;
	const MirCfg  *cfg;
	u32            n;
	u32           *inst;        /* by instruction id: its reading point; the writing point is the next */
	u32           *at;          /* by point: the instruction, 0 at the start and the end of a block */
	u32           *start, *end; /* by node; start[number of nodes] == n */
	u32           *tail;        /* by node: the reading point of its first terminator; its end where there is none */
	u32           *of_position; /* by position of a slot: its first point */
} MirPoints;

MirPoints *mir_points_new(MirFunc *f, const MirCfg *cfg, Arena *a);
/* The first point at or behind a slot. A segment [start, end) covers the points from that of `start` up to that of `end`. */
static inline u32 mir_point_of(const MirPoints *p, u32 slot)
{
	return p->of_position[slot / SLOT_STEP] + (slot % SLOT_STEP + 1) / 2;
}
/* The node whose block holds a point. O(log blocks). */
u32 mir_points_node(const MirPoints *p, u32 point);

#endif
