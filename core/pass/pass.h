/* pass.h: what a pass is: its descriptor, what it is given, and the tables of passes and of the pipeline.
 *
 * A pass is one file that ends in a `const Pass`. Its row in passes.def makes it known, its rows in pipeline.def
 * say when it runs. The pass only transforms. What is common to all passes (gating, bisecting, timing, verifying,
 * dumping, recording, dropping analyses) is done by the manager: pass/manager.h. */
#ifndef PS_PASS_H
#define PS_PASS_H

#include "base/text.h"
#include "base/vec.h"
#include "config/session.h"
#include "isa/isa.h"

struct IrModule;
struct MirModule;

typedef struct Pass    Pass;
typedef struct PassCx  PassCx;
typedef struct Trace   Trace;
typedef struct Manager Manager;

typedef enum PassLevel {
	PASS_IR,   /* transforms cx->ir */
	PASS_DAG,  /* reads cx->ir, makes cx->mir: instruction selection */
	PASS_MIR,  /* transforms cx->mir */
	PASS_EMIT, /* writes cx->ptx */
	PASS_LEVELS,
	PASS_ANALYSIS = PASS_LEVELS, /* in the list of passes only */
} PassLevel;

typedef enum PassScope { PASS_FUNCTION, PASS_MODULE } PassScope;

/* Analyses a function's passes can share. Each is computed on demand, kept until a pass that does not
 * name it in `keeps` changes the function. Rows of analyses.def. */
typedef enum AnalysisId {
#define ANALYSIS(id, level, holds, compute, equal, title) AN_##id##_ID,
#include "pass/analyses.def"
	AN_COUNT
} AnalysisId;

enum {
#define ANALYSIS(id, level, holds, compute, equal, title) AN_##id = 1u << AN_##id##_ID,
#include "pass/analyses.def"
	AN_ALL = 0x7FFFFFFF,
	/* What a pass keeps that changes instructions and leaves the blocks and their edges alone. */
	AN_MIR_CONTROL = AN_MIR_CFG | AN_MIR_DOM | AN_MIR_POSTDOM | AN_MIR_LOOPS,
};

enum {
	PF_REQUIRED = 1u << 0,   /* PTX is wrong or cannot be printed without it: never skipped by bisecting */
	PF_IDEMPOTENT = 1u << 1, /* a second run changes nothing */
	PF_NVIDIA = 1u << 2,     /* NVIDIA's own, not stock LLVM */
	PF_DOCUMENTED = 1u << 3, /* -pipeline=documented runs it although its gate is closed by default */
	PF_ANY_SIZE = 1u << 4,   /* of IR functions: asks of no type how large it is */
};

/* Forms of a program that a pass may need (Pass.needs); the first two are of machine code. */
enum {
	PN_SSA = 1u << 0,     /* SSA form: from selection to phi-node-elimination */
	PN_NO_PHIS = 1u << 1, /* out of SSA form, and without phis */
	PN_FIXED = 1u << 2,   /* IR without scalable vectors, whose size nobody knows: all but passes with PF_ANY_SIZE need it */
};

struct Pass {
	const char *id, *title, *summary;
	const char *group; /* "ir", "isel", "pre-ra", "ra", "post-ra", "emission" */
	PassLevel   level;
	PassScope   scope;
	Knob        gate;               /* runs only when this bool is true; KNOB_NONE: no gate */
	Knob        disable;            /* does not run when this bool is true */
	bool (*gated)(const Session *); /* further condition; NULL: none. true: run */
	const Knob *knobs;              /* other knobs it reads, ending in KNOB_NONE; may be NULL */
	u32         keeps;              /* analyses that survive a change: AN_x | … */
	u32         needs;              /* PN_x: a function in another form is left alone; naming the pass is an error then */
	/* Function scope, IR: a set of operations (IR_OPS). A function that never had one of them has nothing for the
	 * pass to do, which then does not look. 0: there may always be something. */
	u64 looks_for;
	u32 flags;
	/* Transforms cx->func (function scope) or the whole module; tells whether anything changed. */
	bool (*run)(PassCx *cx);
	/* Function scope, may be NULL: called before the first function and after the last one. What begin returns
	 * is cx->state of run and end. */
	void *(*begin)(PassCx *cx);
	void (*end)(PassCx *cx);
	/* Module scope: does the pass read or change bodies of functions in this module? If no pass of the schedule
	 * does, bodies may be read one at a time (ir/defer.c). NULL: it does. */
	bool (*wants_bodies)(PassCx *cx);
};

struct PassCx {
	Session          *s;
	Arena            *scratch; /* poisoned when the pass ends */
	struct IrModule  *ir;
	struct MirModule *mir;
	u32               func;      /* the function, by its id at the pass's level; 0 for module scope */
	u32               made;      /* set by PASS_DAG: id of the machine function that it made of `func` */
	void             *state;     /* what the pass's `begin` returned */
	Text             *ptx;       /* PASS_EMIT writes here … */
	VecU32           *ptx_lines; /* … and here, per line, the input line it came from or 0 */
	const Pass       *pass;
	Manager          *manager;
};

/* The function's analysis, computed now unless still good. The pointer is good until the pass ends
 * or pass_invalidate. */
void *pass_analysis(PassCx *cx, AnalysisId id);
/* The same where it has been computed and is still good; NULL otherwise. */
void *pass_analysis_if_known(PassCx *cx, AnalysisId id);
/* The pass changed the function in the middle and goes on: drop all analyses but `keep`. */
void pass_invalidate(PassCx *cx, u32 keep);

typedef enum RemarkKind { REMARK_PASSED, REMARK_MISSED, REMARK_ANALYSIS } RemarkKind;
/* Explains a decision; `line` is the input line it is about, or 0. */
void pass_remark(PassCx *cx, RemarkKind kind, u32 line, const char *fmt, ...) PS_PRINTF(4, 5);

/* What a pass did to a value whose register it took. */
typedef enum Fate { FATE_NONE, FATE_SPILLED, FATE_REMATERIALISED } Fate;

/* A remark of kind REMARK_PASSED about a register, and those that the pass has made of it: "%12", "%12 %20 %21". */
void pass_remark_fate(PassCx *cx, Fate fate, u32 line, Str value, const char *fmt, ...) PS_PRINTF(5, 6);
bool pass_wants_remarks(const PassCx *cx);
/* Text that a pass's debug knobs ask for (dump-…); it goes to standard error, in order with the other dumps. */
Text *pass_dump(PassCx *cx);

/* ---- what the manager asks of a level of the program (IR, machine code); the tables are in api/levels.c ---- */

typedef struct Pressure {
	u32 column[PRESSURE_COLUMNS]; /* as in isa/classes.def, each at its own fullest place */
	u32 registers;                /* of 32 bits, live at once at the fullest place */
} Pressure;

typedef struct LevelOps {
	u32 (*functions)(PassCx *cx, const u32 **ids); /* those with a body, in order; array in cx->scratch */
	Str (*name)(PassCx *cx, u32 func);
	u64 (*hash)(PassCx *cx, u32 func); /* func 0: what is outside functions */
	/* func 0: the module without function bodies. One origin is pushed per line; origins may be NULL. */
	void (*print)(PassCx *cx, u32 func, Text *out, VecU32 *origins);
	void (*print_module)(PassCx *cx, Text *out, VecU32 *origins);
	bool (*verify)(PassCx *cx, u32 func, Text *errors); /* func 0: everything */
	u32 (*instructions)(PassCx *cx, u32 func);
	u32 (*form)(PassCx *cx, u32 func); /* PN_x, for Pass.needs; NULL: the level has one form only */
	u64 (*had)(PassCx *cx, u32 func);  /* for Pass.looks_for: what the function has, or had once; may be NULL */
	/* Are bodies still to be read? NULL: the level has no such. */
	bool (*deferred)(PassCx *cx);
	bool (*take_up)(PassCx *cx, u32 func);               /* reads and verifies a deferred body; false: it has errors */
	void (*give_back)(PassCx *cx, u32 func);             /* frees a body, which nobody looks at again */
	void (*pressure)(PassCx *cx, u32 func, Pressure *p); /* NULL: not measured at this level */
} LevelOps;

/* ---- the pipeline ---- */

typedef struct PipelineStep {
	const Pass *pass;
	u32         levels; /* bit L set: runs at -OL */
} PipelineStep;

/* What -print-after-all says behind a group of passes. */
typedef struct PipelineBanner {
	const char *text;
	const char *passes; /* ids, with a blank between two */
} PipelineBanner;

/* Banner number `nth` behind step number `step`. */
bool               pipeline_banner(u32 step, u32 nth, PipelineBanner *out);
u32                pipeline_steps(const PipelineStep **steps);
const Pass        *pass_find(Str id);    /* NULL where unknown or not built */
const Pass *const *pass_all(u32 *count); /* passes.def, in table order */

/* A row of pipeline.def, for those who list it: a step, or what the documents name and the manager does not run. */
typedef struct PassListing {
	const Pass *pass; /* run is NULL where the manager does not run it */
	u32         levels;
	u32         instance; /* of a pass that runs more than once, from 0 */
	bool        built;
	const char *within; /* the id of the pass that does it; "" where it is one itself */
} PassListing;

/* In the order of the rows; then passes that run by name only. Quadratic in the rows. */
u32 pass_listing(Arena *arena, const PassListing **list);
/* Is it the id of a row that is not built? */
bool pass_is_planned(Str id);
/* The reason of the first ORDER row that the pipeline breaks, or an id in one that is no pass of the pipeline; NULL: all
 * hold. A unit test checks it. */
const char *pipeline_broken_order(void);

#endif
