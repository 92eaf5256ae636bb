/* func.h: selection of one function: what its blocks share, and who does what.
 *
 *	select_func   frame objects, registers of values that cross blocks, then each block in reverse
 *	              post-order: dag_build_piece ▶ combine ▶ legalize ▶ select ▶ schedule ▶ emit
 *
 * The files that turn IR into nodes have one entry each: build.c (the block), value.c (operands and
 * constants), lower_args.c, lower_call.c, lower_mem.c, lower_switch.c, lower_asm.c, lower_intrinsic.c. */
#ifndef PS_DAG_FUNC_H
#define PS_DAG_FUNC_H

#include "dag/dag.h"

/* Where the values of an IR instruction or argument are. */
typedef struct DagHome {
	u32 first; /* into pool; of a block that is cut, until it is built: its place there */
	u32 epoch; /* the block it is good for */
	u32 reg;   /* first virtual register of a value that crosses blocks; 0 = none */
	u32 frame; /* static alloca: frame object + 1 */
} DagHome;

/* By index; one table for the module, reused by each function. */
typedef struct DagValues {
	DagHome *of;
	u32      cap;
	VecU32   stay; /* those with a register or a frame object */
} DagValues;

/* A value of a cut block that costs nothing: `base` and a constant. */
typedef struct DagFree {
	IrRef base;
	u16   flags; /* IRF_NUW: the sum does not wrap */
	i64   offset;
} DagFree;

/* One leaf of an IR type. */
typedef struct DagLeaf {
	DagVt  vt;
	IrType type;
	u64    offset; /* bytes from the start of the type */
} DagLeaf;
typedef Vec(DagLeaf) DagLeaves;

typedef enum DagStage {
	DAG_STAGE_BUILT,
	DAG_STAGE_COMBINED,
	DAG_STAGE_TYPES,
	DAG_STAGE_OPS,
	DAG_STAGE_COMBINED_2,
	DAG_STAGE_SELECTED,
	DAG_STAGE_SCHEDULED,
	DAG_STAGES
} DagStage;
extern const char *const dag_stage_name[DAG_STAGES];

/* What the knobs and the function's attributes ask of floats. */
typedef enum DagFusion { FUSE_NONE, FUSE_ALLOWED /* by contract flags */, FUSE_ALL } DagFusion;
typedef struct DagFloat {
	DagFusion fusion;
	bool      ftz; /* f32 subnormals are flushed */
	u32       div; /* 0 approx, 1 full, 2 rounded, 3 rounded and never flushed */
	bool      sqrt_rn;
	bool      div_asked, sqrt_asked;    /* by a knob: afn does not count */
	bool      unsafe;                   /* unsafe-fp-math of the function */
	bool      no_f16;                   /* -nvptx-no-f16-math */
	bool      no_f32x2;                 /* -nvptx-no-f32x2 */
	bool      rough_log2;               /* -nvptx-approx-log2f32 */
	bool      no_nans, no_signed_zeros; /* no-nans-fp-math, no-signed-zeros-fp-math of the function */
} DagFloat;

typedef struct DagModule {
	PassCx             *cx;
	Session            *s;
	Arena               arena; /* of what functions share */
	IrModule           *m;
	MirModule          *mir;
	DagValues           insts, args;
	u32                 epoch;
	struct DagPatterns *patterns;
	Text               *print; /* --emit=dag; NULL: not asked for */
	bool                dot;
	u32                 n_callseqs;
} DagModule;

typedef struct DagFunc {
	DagModule         *mod;
	PassCx            *cx;
	Session           *s;
	IrModule          *m;
	MirModule         *mirm;
	IrFunc            *ir;
	MirFunc           *mir;
	Arena             *arena;   /* scratch of this function */
	Arena              scratch; /* of the stages of this block */
	Dag                dag;
	DagVt              ptr; /* generic pointers */
	bool               is_kernel;
	bool               optimize; /* -O1 and above */
	DagFloat           fp;
	Str                name;
	u32               *block_of; /* MirBlockId by position of the IR block */
	struct DagAssigns *assigns;  /* NULL: no #dbg_assign */
	Vec(DagVal) pool;            /* of DagValues.first */
	Vec(u8) uniform;             /* by virtual register: it is the same in all threads of a warp */

	/* the block being built */
	IrRef block;
	u32   piece;               /* of the block: the one being built */
	u32   n_places, piece_end; /* instructions of a block that is cut; the place behind the piece */
	IrRef cut;                 /* that block */
	Map   free_of;             /* its values that cost nothing → free */
	Vec(DagFree) free;
	VecU32     walk;
	MirBlockId mir_block, next_block; /* next in the layout, 0 = none */
	VecU32     dbg;                   /* by order of a node: IrMd of its instruction's location; as far as one has one */
	Vec(DagVal) loads;                /* chains of loads not yet ordered before anything */
	Vec(DagVal) exports;              /* chains of copies to registers */
	u32    export_kind;               /* of the CopyToReg nodes made now: DAG_COPY_* */
	Map    leaf_count;                /* aggregate type → its leaves */
	Map    field_leaf;                /* struct → its run in field_leaves: by field, how many leaves are before it */
	VecU32 field_leaves;
	Map    const_regs; /* IrRef.i of a constant → register that holds it for phis */
	Vec(DagVal) phi_in;
	VecU32    succs;     /* IrRef.i: dag_distinct_succs */
	bool      failed;    /* something is not supported: the function gets a trap */
	bool      marks;     /* lifetime markers are selected … */
	bool      lost_mark; /* … but one was about nobody knows which object */
	DagLeaves leaves;    /* scratch */
	/* emission */
	MirInstId       before; /* 0: at the end of mir_block */
	struct Emitter *emitter;
	Vec(u32) phis; /* MirInstId of each leaf register of each phi, in order of the phis */
	IrRef line_of; /* instruction being lowered */
} DagFunc;

static inline DagValues *dag_values_of(DagFunc *f, IrRef r) { return ir_kind(r) == IR_ARG ? &f->mod->args : &f->mod->insts; }
static inline DagHome   *dag_home(DagFunc *f, IrRef r) { return &dag_values_of(f, r)->of[ir_index(r)]; }

/* The flags of an instruction that nodes have as well. */
static inline u16 dag_flags_of(const DagFunc *f, IrRef inst) { return (u16)(ir_inst(f->m, inst)->flags & (IRF_VOLATILE - 1)); }

/* ---- value.c */
void  dag_leaves(DagFunc *f, IrType t, DagLeaves *out); /* out is cleared */
DagVt dag_vt_of(DagFunc *f, IrType t);                  /* of a first-class type that is no aggregate */
u32   dag_leaf_count(DagFunc *f, IrType t);
/* The values of an IR value's leaves: `n` of them, at the returned index of f->pool. */
u32                dag_values(DagFunc *f, IrRef r, u32 *n);
DagVal             dag_value(DagFunc *f, IrRef r); /* of a value of one leaf */
void               dag_set_values(DagFunc *f, IrRef r, const DagVal *v, u32 n);
static inline void dag_set_value(DagFunc *f, IrRef r, DagVal v) { dag_set_values(f, r, &v, 1); }
/* Registers of the legal parts of a leaf: how many, and the type in each. */
u32      dag_reg_parts(DagVt vt, DagVt *part);
MirClass dag_class_of(DagVt legal);
bool     dag_reg_is_uniform(const DagFunc *f, u32 reg);
u32      dag_export_reg(DagFunc *f, IrRef r); /* first register, made where there is none yet */
void     dag_values_reserve(DagModule *mod);  /* for the ids there are now */
void     dag_values_forget(DagModule *mod);   /* the last function's registers and frame objects */

/* ---- frame.c */
void dag_make_frame(DagFunc *f);
void dag_end_frame(DagFunc *f);
bool dag_lower_lifetime(DagFunc *f, IrRef call, bool end);

/* ---- pieces.c */
void dag_cut_block(DagFunc *f, IrRef block);
void dag_next_piece(DagFunc *f, IrRef first); /* its end, and registers for what later ones read */
bool dag_piece_has(DagFunc *f, IrRef inst);   /* of an instruction of the block not built yet: is it in this piece? */
bool dag_lives_on(DagFunc *f, IrRef value);   /* is it, or what costs nothing and is made of it, read behind this piece? */
const DagFree *dag_free_value(const DagFunc *f, IrRef r); /* NULL: it is none of the block that is cut */

/* ---- build.c */
/* The nodes of the block's piece that begins at `from`; returns the instruction behind it. */
IrRef  dag_build_piece(DagFunc *f, IrRef block, IrRef from);
DagVal dag_root(DagFunc *f);         /* all loads are behind it */
DagVal dag_control_root(DagFunc *f); /* and all copies to registers */
void   dag_unsupported(DagFunc *f, IrRef inst, const char *what);
/* ---- lacks.c: what the target does not have is reported at the line, and true comes back. `name` is what the user wrote. */
bool dag_lacks(DagFunc *f, u32 line, Str name, u32 desc);
/* The same of what needs at least this architecture and version as well. */
bool dag_lacks_from(DagFunc *f, u32 line, Str name, u32 desc, u32 sm, u32 ptx);
bool dag_lacks_form(DagFunc *f, u32 line, Str name, const PtxOpc *o);
void dag_not_in_ptx(DagFunc *f, u32 line, Str name, const char *hint); /* NULL: none */
Str  dag_intrinsic_name(DagFunc *f, IrRef call);

MirBlockId dag_mir_block(DagFunc *f, IrRef block);
DagVal     dag_moved(DagFunc *f, DagVal p, u64 by, u16 flags); /* p + by, with sums of constants as one */
void       dag_copy_to_reg(DagFunc *f, u32 reg, DagVal v);     /* of all its legal parts, from `reg` on */
DagVal     dag_pointer_cast(DagFunc *f, DagVal p, u32 from, u32 to);

/* ---- debug.c */
void dag_watch_records(DagFunc *f, IrRef inst); /* what stands in front of it */

/* ---- debug_assign.c: which #dbg_assign find their variable in memory */
typedef struct DagAssignEvent {
	u32   record;
	IrRef slot; /* the alloca, and how many bytes behind its beginning */
	i64   offset;
	u32   next; /* the next of the same store, + 1 */
} DagAssignEvent;

typedef struct DagAssigns {
	Map memory; /* IrDbgRec of those that do → event + 1 */
	Map behind; /* store, behind which others do → first event + 1 */
	Vec(DagAssignEvent) event;
} DagAssigns;

void dag_find_assigns(DagFunc *f);
bool dag_in_memory(DagFunc *f, u32 record, DagWatch *w); /* false: it is the record's value */
void dag_watch_behind(DagFunc *f, IrRef store);

/* ---- lower_*.c */
void dag_lower_args(DagFunc *f);
void dag_lower_byval_args(DagFunc *f); /* in further pieces of the entry block */
void dag_lower_ret(DagFunc *f, IrRef inst);
void dag_lower_call(DagFunc *f, IrRef inst);
bool dag_lower_intrinsic(DagFunc *f, IrRef inst); /* false: it is none that we know */
void dag_lower_load(DagFunc *f, IrRef inst);
void dag_lower_store(DagFunc *f, IrRef inst);
void dag_lower_alloca(DagFunc *f, IrRef inst);
void dag_lower_atomic(DagFunc *f, IrRef inst); /* atomicrmw, cmpxchg, fence */
void dag_lower_store_with_gaps(DagFunc *f, IrRef inst);
void dag_lower_memory_copy(DagFunc *f, IrRef inst, bool set);
void dag_lower_va(DagFunc *f, IrRef inst);
/* The address that a gep makes of `p`; of a constant expression, too. flags: IRF_NUW. */
DagVal dag_gep(DagFunc *f, IrRef gep, DagVal p, u16 flags);
void   dag_lower_quad(DagFunc *f, IrRef inst); /* ir_computes_wide_float */
void   dag_lower_switch(DagFunc *f, IrRef inst);
void   dag_branch_weights(DagFunc *f, IrRef inst, u32 *prob, u32 n);
/* An i128 as one register of 128 bits, and back: lower_asm.c. */
DagVal dag_pack_b128(DagFunc *f, DagVal v);
DagVal dag_unpack_b128(DagFunc *f, DagVal v);
void   dag_lower_asm(DagFunc *f, IrRef inst);

/* ---- the stages; each works on f->dag */
void dag_combine(DagFunc *f, bool legal);
bool dag_legalize_types(DagFunc *f); /* was there anything to do? */
void dag_legalize_ops(DagFunc *f);
void dag_select(DagFunc *f);
void dag_schedule(DagFunc *f, VecU32 *order);
bool dag_is_passive(const DagNode *n); /* gives no instruction of its own: an operand */
void dag_emit(DagFunc *f, const VecU32 *order);
/* What the emission of the block did, phase by phase: the last part of --emit=dag. */
void dag_emit_report(const DagFunc *f, Text *out, Str title);
/* All of them, at the end of f->mir_block. */
void dag_run_stages(DagFunc *f);

bool dag_is_legal_vt(DagVt vt);
/* Does PTX have the operation on this type? (dag/legal.c) */
bool dag_is_legal_op(const DagFunc *f, DagOp op, DagVt vt);
/* The operation on pairs of singles that does `op` twice; DAG_DELETED: the target has none. */
DagOp dag_pair_op(const DagFunc *f, DagOp op);

bool dag_phi_goes_on(DagFunc *f, IrRef phi, u32 register_number); /* has it that many registers and more? */

extern const Pass dag_isel;

/* The successors of the block, each once, in the order of its terminator: f->succs, until the next call. */
const VecU32 *dag_distinct_succs(DagFunc *f, IrRef block);

#endif
