/* emit.h: the InstrEmitter's state, as dag/emit.c and the target's custom inserters (dag/emit_target.c) share it. */
#ifndef PS_DAG_EMIT_H
#define PS_DAG_EMIT_H

#include "dag/func.h"
#include "isa/isa.h"

/* What an emission consists of; --emit=dag counts them. The last three run once for the block. */
#define EMIT_PHASE_ROWS(X)                                                  \
	X(DEAD, "nodes that nothing needs, left out")                       \
	X(GLUE, "nodes that follow the node whose glue they take")          \
	X(DISPATCH, "nodes given to their handlers")                        \
	X(INST, "instructions of the generic path")                         \
	X(CUSTOM, "instructions that the target lacks, expanded")           \
	X(IMPLICIT, "instructions with implicit registers")                 \
	X(COPY, "copies into and out of registers")                         \
	X(IMPLICIT_USE, "implicit registers read")                          \
	X(IMPLICIT_DEAD, "implicit definitions that nothing reads, marked") \
	X(MEM, "memory records")                                            \
	X(RESULT, "results given a register")                               \
	X(DEAD_COPY, "copies that nothing reads, erased")                   \
	X(FED_COPY, "copies that only erased ones read, erased")            \
	X(KILL, "kill flags of copied physical registers, cleared")

typedef enum EmitPhase {
#define X(id, text) EMIT_##id,
	EMIT_PHASE_ROWS(X)
#undef X
		EMIT_PHASES
} EmitPhase;

/* A copy that is erased if nothing reads it. Copies whose value other blocks may read are not listed. */
typedef struct EmittedCopy {
	MirInstId inst;
	MirReg    dst;
} EmittedCopy;

typedef struct EmittedInst {
	MirInstId inst;
	u32       order; /* DagNode.order */
} EmittedInst;

typedef struct Emitter {
	DagFunc *f;
	VecU32   first_reg; /* by node of the block's graph: its first result's place in `reg`; 0: it has none yet */
	VecU32   reg;       /* MirReg.i, the results of a node behind each other */
	Vec(EmittedCopy) copies;
	Vec(EmittedInst) placed; /* in their order; only where the graph has watches */
	Bitset inserted;         /* by IsaOp: a custom inserter exists */
	u32    copied;           /* physical registers that copies read or write, one bit each */
	u32    phase[EMIT_PHASES];
} Emitter;

Emitter *emit_new(DagFunc *f, Arena *a);
/* Expands the instruction, just inserted, if the target lacks it (dag/emit_target.c). */
bool emit_custom(Emitter *e, MirInstId i);
bool emit_replaces(const IsaDesc *d, const Target *t); /* does emit_custom, on this target? */
void emit_list_inserters(Bitset ops);
void dag_place_watches(Emitter *e); /* debug.c */

#endif
