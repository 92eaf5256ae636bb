/* memspace.h: in which address space is what a generic pointer points to? One backward walk over the
 * definitions that the pointer may come from; ipmsp and memory-space-opt share it.
 *
 *   node                    what the walk does
 *   ---------------------   ------------------------------------------------------------------------
 *   pointer of a space      that space
 *   variable                its space (a generic variable will be put in global memory)
 *   gep, bitcast, freeze    follows the base
 *   addrspacecast           the source's space if it has one, else follows it
 *   phi, select             follows all inputs
 *   call                    the callee's return space where it is known; ptrmask and the like: argument
 *   load                    with indir_load: the values stored there, where all stores are known; a pointer in
 *                           kernel parameters or (strong_global) in constant memory is global; else opaque
 *   inttoptr                with int2ptr: follows ptrtoint and additions of constants; else opaque
 *   alloca                  with alloca_local: local; else opaque
 *   argument                its recorded space; a kernel's, with param_global: global; else opaque
 *   undef, poison           fits anything
 *   null, all else          opaque
 *
 * Resolved if every path ends in one and the same space. One opaque source spoils it. */
#ifndef PS_ANALYSIS_MEMSPACE_H
#define PS_ANALYSIS_MEMSPACE_H

#include "base/map.h"
#include "ir/ir.h"

typedef struct SpaceRules {
	bool param_global;  /* kernel pointer parameters point to global memory (an assumption of the CUDA interface) */
	bool strong_global; /* so do pointers kept in constant memory */
	bool alloca_local;
	bool indir_load;
	bool int2ptr;
	bool builtin_assume; /* llvm.assume(llvm.nvvm.isspacep.X(p)) */
	bool wmma;           /* look at the operands of wmma calls too */
} SpaceRules;

/* What other functions are known to pass and return. Maps of IrRef.i → space; any may be NULL. */
typedef struct SpaceFacts {
	const Map *args, *returns;
	const Map *known; /* pointer → space, wherever it is used */
	/* Actual arguments for `arg`, into `out`; false: not all callers are known. Lets the walk see through the
	 * members of a recursion. NULL: arguments that are not in `args` are opaque. */
	bool (*actuals)(void *user, IrRef arg, VecU32 *out);
	void *user;
} SpaceFacts;

/* The working state of one walk: three vectors of what was met, in the order of visiting, and the six
 * sets that keep it finite. Kept by the caller where the answer is to be explained. */
typedef struct SpaceWalk {
	VecU32 loads, geps, calls; /* IrRef.i */
	VecU32 work;
	Map    visited;                 /* cycles of phis */
	Map    users, callees;          /* arguments seen through, functions asked */
	Map    loaded, from_int, slots; /* memory, integers and stack slots followed */
	u32    space, sources;          /* the space so far; how many sources agreed */
	bool   conflict, opaque;
	bool   assumed;   /* it rests on a rule that the language does not guarantee */
	bool   here_only; /* it rests on where it was asked (neutral argument, assumption) */
	IrRef  blame;     /* the source that spoiled it */
} SpaceWalk;

typedef struct SpaceQuery {
	IrModule         *m;
	const SpaceRules *rules;
	const SpaceFacts *facts;
	Arena            *scratch;
	IrRef             at;      /* instruction where the pointer is used; none: anywhere (then assumptions do not count) */
	IrRef             neutral; /* an argument that passes itself through; none */
} SpaceQuery;

/* What `p` points into, behind casts and constant or variable offsets. */
IrRef object_under(const IrModule *m, IrRef p);

void space_walk_init(SpaceWalk *w, Arena *a);
/* True: *space is the one non-generic space. */
bool space_of(const SpaceQuery *q, IrRef pointer, SpaceWalk *w, u32 *space);
/* Why not, for remarks. */
const char *space_reason(const IrModule *m, const SpaceWalk *w);

/* llvm.nvvm.isspacep.NAME: the space it asks for. */
bool isspacep_space(const IrModule *m, IrRef call, u32 *space);

#endif
