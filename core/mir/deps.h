/* deps.h: the dependence graph of a stretch of one block: what must stay in front of what, and by how many cycles.
 *
 *   kind      from → to                                            latency
 *   TRUE      writes a register → reads it                         of the writer (machine.def)
 *   ANTI      reads → writes                                       0
 *   OUTPUT    writes → writes                                      1
 *   MEMORY    two accesses that may alias, one of them writing     writer's, where the reader waits for it; else 0 or 1
 *   BARRIER   fences, barriers, calls against all memory; convergent, volatile, ordered operations and others with
 *             side effects among each other                        0
 *   CONTROL   everything → the terminators, and these in order     0
 *
 * `distance` is in iterations: 0 within one, d where `to` belongs to the d-th iteration behind `from`'s. Distances above 0
 * exist for stretches that are a loop of one block: through phis (or registers that are read before they are written), and
 * for accesses whose addresses are linear in the iteration (mir/linear.h), from the first iteration in which bytes can meet.
 *
 * Only direct dependences are listed: an edge for each pair of neighbours in the uses and definitions of a register, one for
 * each pair of accesses that may alias. Cost: operands times log registers, plus the square of the memory operations between
 * two fences, of which no more than MIR_DEPS_OPEN are kept apart: behind these the next operation waits for all. */
#ifndef PS_MIR_DEPS_H
#define PS_MIR_DEPS_H

#include "graph/graph.h"
#include "isa/machine.h"
#include "mir/mir.h"

enum { MIR_DEPS_OPEN = 256 };

typedef enum MirDepKind { DEP_TRUE, DEP_ANTI, DEP_OUTPUT, DEP_MEMORY, DEP_BARRIER, DEP_CONTROL } MirDepKind;

typedef struct MirDep {
	u32 from, to; /* units */
	u16 latency;
	u8  kind;     /* MirDepKind */
	u8  distance; /* at most 255: a greater one is left out, as nothing overlaps that far */
} MirDep;

typedef struct MirDeps {
	MirInstId *inst; /* by unit: the instructions in their order */
	u32        n;
	Vec(MirDep) dep;
	NodeLists out, in; /* by unit: indices of dep */
} MirDeps;

/* The instructions `first` … `last` of one block (0: from its beginning, to its end). `loop`: of a block that is its own
 * successor, with what one iteration owes the ones before. */
typedef struct MirStretch {
	const MirFunc    *f;
	MirBlockId        block;
	MirInstId         first, last;
	bool              loop;
	const IsaMachine *machine;
} MirStretch;

MirDeps *mir_deps_build(const MirStretch *s, Arena *a);

static inline Nodes mir_deps_out(const MirDeps *d, u32 unit) { return node_list(&d->out, unit); }
static inline Nodes mir_deps_in(const MirDeps *d, u32 unit) { return node_list(&d->in, unit); }

/* Longest paths over dependences of distance 0. */
typedef struct MirDepth {
	u32 *asap;   /* by unit: the first cycle in which it can begin */
	u32 *alap;   /* by unit: the last in which it can, so that the whole takes no longer */
	u32  length; /* cycles from the first beginning to the last result */
} MirDepth;

MirDepth mir_deps_depth(const MirDeps *d, const MirFunc *f, const IsaMachine *machine, Arena *a);

/* What bounds a stretch: its longest path, and the busiest unit of the machine. */
typedef struct MirTrace {
	u32     length;   /* cycles of the longest path */
	u32     busy;     /* cycles of the busiest unit for one warp */
	IsaUnit unit;     /* which that is */
	u32     issued;   /* instructions */
	VecU32  critical; /* units that cannot begin later, in order: the longest paths */
} MirTrace;

MirTrace mir_deps_trace(const MirDeps *d, const MirFunc *f, const IsaMachine *machine, Arena *a);

/* Must these two keep their order, whatever their registers say? (Memory, barriers, side effects.) */
bool mir_is_ordered(const MirFunc *f, MirInstId a, MirInstId b);

#endif
