/* pass.h: what a pass is, and the manager that runs passes.
 *
 * A pass is one file that ends in a `const Pass`; its row in passes.def makes it known and its row in
 * pipeline.def gives it a place. The pass only transforms. Everything that is common is done here, once:
 * gating, bisecting, timing, hashing, verifying, dumping, recording, dropping analyses.
 *
 *        pipeline.def ──▶ manager ──▶ run(cx) ──▶ changed?
 *                            │                       │
 *                            ▼                       ▼
 *                 dumps, -stop-after, …        Trace: text, origins, counts, time, remarks
 *
 * Where somebody looks at stages (dumps, --trace, -stop-*, …), a function pass runs over all functions
 * before the next pass starts, so that every stage is a whole module that can be printed and executed.
 * Where nobody does, each function goes its whole way before the next one starts, and what it took is given
 * back: the output is the same, and the memory that of the largest function. */
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
	PASS_LEVELS
} PassLevel;

typedef enum PassScope { PASS_FUNCTION, PASS_MODULE } PassScope;

/* Analyses a function's passes can share. Each is computed on demand, kept until a pass that does not
 * name it in `keeps` changes the function. Rows of analyses.def. */
typedef enum AnalysisId {
#define ANALYSIS(id, level, compute, equal, title) AN_##id##_ID,
#include "pass/analyses.def"
	AN_COUNT
} AnalysisId;

enum {
#define ANALYSIS(id, level, compute, equal, title) AN_##id = 1u << AN_##id##_ID,
#include "pass/analyses.def"
	AN_ALL = 0x7FFFFFFF,
	/* What a pass keeps that changes instructions and leaves the blocks and their edges alone. */
	AN_MIR_CONTROL = AN_MIR_CFG | AN_MIR_DOM | AN_MIR_POSTDOM | AN_MIR_LOOPS,
};

enum {
	PF_REQUIRED = 1u << 0,   /* PTX is wrong or cannot be printed without it: never skipped by bisecting */
	PF_IDEMPOTENT = 1u << 1, /* a second run changes nothing */
	PF_NVIDIA = 1u << 2,     /* NVIDIA's own, not stock LLVM */
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
	/* Function scope, IR: a set of operations (IR_OPS). A function that never had one of them has nothing for the
	 * pass to do, which then does not look. 0: there may always be something. */
	u64 looks_for;
	u32 flags;
	/* Transforms cx->func (function scope) or the whole module; tells whether anything changed. */
	bool (*run)(PassCx *cx);
	/* Function scope, may be NULL: before the first function, and behind the last one. What begin returns is
	 * cx->state of the others. */
	void *(*begin)(PassCx *cx);
	void (*end)(PassCx *cx);
	/* Module scope: has this module anything that the pass would do with bodies of functions? Where no pass
	 * does, bodies are read when their turn comes. NULL: always. */
	bool (*wants_bodies)(PassCx *cx);
};

struct PassCx {
	Session          *s;
	Arena            *scratch; /* poisoned when the pass ends */
	struct IrModule  *ir;
	struct MirModule *mir;
	u32               func;      /* the function, by its id at the pass's level; 0 for module scope */
	u32               made;      /* PASS_DAG says here what it made of it: the id at the level behind */
	void             *state;     /* what the pass's `begin` returned */
	Text             *ptx;       /* PASS_EMIT writes here … */
	VecU32           *ptx_lines; /* … and here, per line, the input line it came from or 0 */
	const Pass       *pass;
	Manager          *manager;
};

/* The function's analysis, computed now unless still good. The pointer is good until the pass ends
 * or pass_invalidate. */
void *pass_analysis(PassCx *cx, AnalysisId id);
/* The pass changed the function in the middle and goes on: drop all analyses but `keep`. */
void pass_invalidate(PassCx *cx, u32 keep);

typedef enum RemarkKind { REMARK_PASSED, REMARK_MISSED, REMARK_ANALYSIS } RemarkKind;
/* Explains a decision; `line` is the input line it is about, or 0. */
void pass_remark(PassCx *cx, RemarkKind kind, u32 line, const char *fmt, ...) PS_PRINTF(4, 5);
bool pass_wants_remarks(const PassCx *cx);
/* Text a pass's debug knobs ask for (dump-…): goes to standard error in order with the other dumps. */
Text *pass_dump(PassCx *cx);

/* ---- what a level of the program can do for the manager: tables in ir/, mir/ (see api/levels.c) ---- */

typedef struct Pressure {
	u32 column[PRESSURE_COLUMNS]; /* as in isa/classes.def */
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
	u64 (*had)(PassCx *cx, u32 func); /* for Pass.looks_for: what the function has, or had once; may be NULL */
	/* Bodies that are still to be read, where the level has such; may be NULL. */
	bool (*deferred)(PassCx *cx);
	bool (*take_up)(PassCx *cx, u32 func);               /* reads and verifies one; false: there is something to report */
	void (*give_back)(PassCx *cx, u32 func);             /* the body is not looked at again */
	void (*pressure)(PassCx *cx, u32 func, Pressure *p); /* NULL: not measured at this level */
} LevelOps;

/* ---- the pipeline ---- */

typedef struct PipelineStep {
	const Pass *pass;
	u32         levels; /* bit L set: runs at -OL */
} PipelineStep;

u32                pipeline_steps(const PipelineStep **steps);
const Pass        *pass_find(Str id);    /* NULL where unknown */
const Pass *const *pass_all(u32 *count); /* passes.def, in table order */
/* The reason of the first ORDER row that the pipeline breaks, or an id in one that is no pass of the pipeline; NULL: all
 * hold. A unit test checks it. */
const char *pipeline_broken_order(void);

/* ---- the manager ---- */

typedef struct DumpOptions {
	VecStr print_before, print_after;
	bool   print_before_all, print_after_all, print_changed, print_isel_input;
	VecStr functions; /* -filter-print-funcs; empty: all */
} DumpOptions;

typedef struct RunOptions {
	DumpOptions dump;
	Str         stop_after, stop_before, start_after, start_before; /* pass ids; empty: none */
	VecStr      run_pass;                                           /* only these, in this order */
	bool        whole;                                              /* each stage over all functions, though nobody looks */
	bool        verify;        /* after every pass (-verify-machineinstrs, -verify-each) */
	bool        check_claims;  /* that "unchanged" and `keeps` are true */
	i64         bisect_limit;  /* -1: none */
	f64 (*now_ms)(void *user); /* NULL: times are 0 */
	void *now_user;
	Str   remarks; /* -pass-remarks=REGEX for standard error; "" none */
	/* Called after each step, once the module is whole again; false stops the pipeline. */
	bool (*stage)(void *user, PassCx *cx, u32 step, const Pass *pass, bool changed);
	void *stage_user;
} RunOptions;

typedef enum RunEnd {
	RUN_COMPLETE,
	RUN_STOPPED, /* by -stop-* */
	RUN_FAILED,  /* errors reported */
	RUN_AGAIN,   /* there is something to report: run the input again, `whole`, to say it in the order of stages */
} RunEnd;

struct Manager {
	Session        *s;
	const LevelOps *ops[PASS_LEVELS];
	RunOptions      options;
	PassCx          cx;
	Text           *dump;                     /* standard error */
	Trace          *trace;                    /* never NULL while running */
	bool            keep_texts, keep_remarks; /* into the trace */
	/* inside */
	struct AnalysisCache *cache;
	Arena                 scratch;
	u32                   said;     /* diagnostics when the functions were started */
	PassLevel             at;       /* level of the program now: IR before selection, MIR after */
	u32                   had_func; /* whose operations `had` are; 0: nobody's */
	u64                   had;
	bool                  debugging; /* a debug knob is set: passes have more to say than what they change */
	u32                   runs;      /* pass executions, for bisecting */
	struct TimeTable     *times;
};

/* Does anybody see more of the way than its end? Else functions go one by one. */
bool manager_is_observed(const Manager *m);
/* May the program in cx->ir, whose bodies are deferred, run that way? */
bool   manager_can_defer(Manager *m);
void   manager_init(Manager *m, Session *s, Text *dump);
RunEnd manager_run(Manager *m);
void   manager_free(Manager *m);
/* --time-passes: a table, slowest first. */
void manager_print_times(Manager *m, Text *out);
/* --stats: runs and changes by pass. */
void manager_print_stats(Manager *m, Text *out);

#endif
