/* ipmsp.h: the inside of inter-procedural memory space propagation, for its rooms and for their tests.
 *
 *   ipmsp.c           the pass: work list, eligibility, fixed point; the knobs
 *   ipmsp_args.c      what calls pass: one state for each argument
 *   ipmsp_narrow.c    signatures, clones, calls that are sent elsewhere
 *   ipmsp_groups.c    calls that disagree: a clone for each group that agrees
 *   ipmsp_returns.c   what functions return
 *   ipmsp_match.c     calls of functions without a body: matching, merging, specialised instructions
 *   ipmsp_libnvvm.c   the other variant: three phases over the module in place of a work list */
#ifndef PS_IRPASS_IPMSP_H
#define PS_IRPASS_IPMSP_H

#include "analysis/memspace.h"
#include "graph/loops.h"
#include "pass/pass.h"

/* What an argument is known to be while its function is looked at. */
enum {
	SPACE_UNSEEN = 1000, /* no call site so far */
	SPACE_SKIP = 2000,   /* no generic pointer, resolved already, or call sites disagree */
};

static inline bool space_is_known(u32 state) { return state < SPACE_UNSEEN; }

/* The work list: a stack in pages of 64 functions. */
enum { WORK_PAGE = 64 };
typedef struct WorkList {
	Arena *arena;
	Vec(u32 *) page;
	u32 n;
} WorkList;

void              work_push(WorkList *w, u32 func);
u32               work_pop(WorkList *w);
static inline u32 work_pages(const WorkList *w) { return (w->n + WORK_PAGE - 1) / WORK_PAGE; }

typedef struct IpmspStats {
	u32 processed;  /* functions taken from the work list */
	u32 inferred;   /* walks */
	u32 cache_hits; /* answers of the callee-space cache */
	u32 clones, in_place, returns;
	u32 splits;  /* calls split in two by a select of pointers */
	u32 removed; /* functions that nothing calls since their calls went to clones */
	u32 max_pages;
} IpmspStats;

typedef struct IpmspClone {
	u32 of, clone; /* IrRef.i */
	u32 next;      /* the clone of the same function made before, + 1 */
} IpmspClone;

typedef struct Ipmsp {
	PassCx    *cx;
	IrModule  *m;
	SpaceRules rules;
	SpaceFacts facts;
	Map        arg_space;    /* argument → space */
	Map        return_space; /* function → space */
	Map        callee_space; /* actual pointer → space: answers of the walk that hold */
	Map        on_list;      /* function → waiting? */
	Map        scc;          /* function → its component in the call graph << 1 | is it on a cycle? */
	Vec(IpmspClone) clones;
	Map        clones_of; /* function → its last clone, + 1 */
	Map        fixed;     /* functions with a musttail call: their type is their callee's */
	WorkList   work;
	i64        clone_limit;    /* -1: none */
	u32        group_limit;    /* clones of one function for calls that disagree; 0: none */
	bool       smallest;       /* … and only for the group of the smallest space */
	bool       split;          /* split calls that pass one of two pointers */
	bool       shallow;        /* of an actual pointer only the cast that made it counts */
	bool       through_cycles; /* look through the arguments of a recursion */
	bool       trace;
	u64        steps, arguments; /* arguments and results of all functions: what can be fixed */
	IpmspStats stats;
} Ipmsp;

/* ---- ipmsp.c ---- */
void ipmsp_init(Ipmsp *p, PassCx *cx, SpaceRules rules);
/* May the function enter the work list? */
bool ipmsp_should_process(const Ipmsp *p, const IrFunc *f);
/* By linkage alone: may all its callers in this module be served by another body? */
bool ipmsp_linkage_allows(IrLinkage l);
bool ipmsp_has_open_args(const Ipmsp *p, const IrFunc *f);
bool ipmsp_run(Ipmsp *p);
/* Which functions are in a recursion; `order` gets all with a body, callees first. */
void ipmsp_find_cycles(Ipmsp *p, VecU32 *order);
/* Something was settled: an internal error where that has no end. */
void ipmsp_count_step(Ipmsp *p);
/* False: it need not be looked at, or waits already. */
bool ipmsp_push(Ipmsp *p, const IrFunc *f);
/* Settles what can be settled of f's open arguments; true: something was. */
bool ipmsp_narrow(Ipmsp *p, IrFunc *f);
/* Looks again at what f calls. How many functions may know more now; those that wait already count. */
u32 ipmsp_push_callees(Ipmsp *p, const IrFunc *f);
/* A line of the dump, under dump-ip-msp. */
void ipmsp_note(Ipmsp *p, const char *fmt, ...) PS_PRINTF(2, 3);
Str  ipmsp_name(const Ipmsp *p, const IrFunc *f);

SpaceRules space_rules_ias(const Session *s);     /* the ias- knobs */
SpaceRules space_rules_libnvvm(const Session *s); /* the plain ones */

/* ---- ipmsp_args.c ---- */
/* All callers are in this module and nothing but calls uses it. */
bool ipmsp_all_callers_known(const IrModule *m, const IrFunc *f);
/* Calls of f as what it is, the oldest first: in a module that was read, in its order. */
void    ipmsp_calls_of(const Ipmsp *p, const IrFunc *f, VecU32 *out);
IrFunc *ipmsp_caller(const IrModule *m, IrRef call);
/* A generic pointer argument that nothing is known of. */
bool ipmsp_is_open(const Ipmsp *p, const IrFunc *f, u32 arg);
/* Asks the walk, or the cache. */
bool ipmsp_infer(Ipmsp *p, IrRef actual, IrRef call, IrRef formal, u32 *space, SpaceWalk *w);
/* spaces[i]: a space, SPACE_UNSEEN or SPACE_SKIP. Returns how many arguments are resolved. */
u32 ipmsp_analyze(Ipmsp *p, const IrFunc *f, u32 *spaces);
/* SpaceFacts.actuals: what is passed for `arg`, where its function is in a cycle of known callers. */
bool ipmsp_actuals_in_cycle(void *user, IrRef arg, VecU32 *out);

/* ---- ipmsp_narrow.c ---- */
/* May another clone be made? Says so where not. */
bool ipmsp_may_clone(Ipmsp *p, const IrFunc *f);
void ipmsp_narrow_in_place(Ipmsp *p, IrFunc *f, const u32 *spaces);
/* The clone of f that was made for these spaces, or NULL. */
IrFunc *ipmsp_clone_for(const Ipmsp *p, const IrFunc *f, const u32 *spaces);
/* A new one, which takes over `calls`. */
IrFunc *ipmsp_narrow_clone(Ipmsp *p, IrFunc *f, const u32 *spaces, const VecU32 *calls, const char *why);
void    ipmsp_retarget(Ipmsp *p, IrRef call, const IrFunc *to, const u32 *spaces);
/* Removes f where it was cloned and nothing else calls it any more. */
bool ipmsp_remove_if_unused(Ipmsp *p, IrFunc *f);
/* Removes functions that were cloned and that only one another call. */
void ipmsp_remove_unused(Ipmsp *p);

/* ---- ipmsp_groups.c ---- */
/* For calls that disagree. True: some of them were served. */
bool ipmsp_narrow_groups(Ipmsp *p, IrFunc *f);

/* ---- ipmsp_returns.c ---- */
/* True: it was found out now; callers know. */
bool ipmsp_resolve_return(Ipmsp *p, const IrFunc *f);

/* ---- ipmsp_match.c ---- */
/* A call of a function without a body, as far as it takes addresses that are generic. */
typedef struct LeafCall {
	IrRef call, callee;
	u32   order;            /* of the call in its function */
	u32   n;                /* addresses */
	u32   arg[4], space[4]; /* which arguments; SPACE_UNSEEN: not known */
	bool  here_only;        /* what is known holds at the call, not everywhere */
} LeafCall;

typedef Vec(LeafCall) LeafCalls;

typedef struct LeafMatch {
	u32 a, b;  /* places in Matcher.users; a comes first */
	u32 score; /* operands that are equivalent; 0: there is no match */
} LeafMatch;

typedef struct MatchStats {
	u32 matched, alone, single, specialized, refused;
} MatchStats;

/* One function's calls of leaves. Visited again it goes on with what it could not settle before. */
typedef struct Matcher {
	Ipmsp        *p;
	IrFunc       *f;
	bool          visited;
	LeafCalls     users;
	VecU32        leaves;        /* callees without a body, as they were met; IrRef.i */
	VecU32        waiting;       /* callees with one: the work list has them */
	VecU32        merged;        /* callees in the order in which they were settled */
	Map           seen;          /* callees */
	Map           inst_space;    /* specialised call → its first address's space */
	Map           callee_result; /* callee → space of its last specialised call */
	Map           edge_weight;   /* callee → specialised calls */
	Map           equivalent;    /* pair of values → 1: equivalent, 2: not */
	struct IrCfg *cfg;           /* made when two calls are compared first */
	DomTree       dom;
	Loops         loops;
	u32           depth_limit;
	MatchStats    stats;
} Matcher;

/* Which calls: of the tensor cores, all others, or both. */
enum { MATCH_OTHERS = 1, MATCH_MATRIX = 2 };

void matcher_init(Matcher *t, Ipmsp *p, IrFunc *f);
/* Collects the calls, settles what can be settled. True: something was specialised. */
bool matcher_visit(Matcher *t, u32 which);
/* Its parts, for tests. */
void      matcher_collect(Matcher *t, u32 which);
bool      matcher_merge(Matcher *t);
LeafMatch matcher_best(Matcher *t, IrRef callee);
/* May `call` be replaced by one with another callee? */
bool matcher_is_legal(const IrModule *m, IrRef call);
/* Over all functions, in one visit. */
bool ipmsp_match_leaves(Ipmsp *p, u32 which);

/* ---- ipmsp_libnvvm.c ---- */
enum { DEEPER_ANALYSIS_ABOVE = 5 }; /* pointers that a loop steps on */

typedef struct LibnvvmStats {
	u32 phases[8], n_phases; /* 'A', 'B', 'C' as they ran */
	u32 modes[4], n_modes;   /* wmma_mode of phase C's visits */
	u32 left_out;            /* functions of too many call sites */
	u32 rounds, deeper, hooks;
} LibnvvmStats;

typedef struct Libnvvm {
	Ipmsp        p;
	i64          collect, resolve, matrix; /* levels of the phases */
	u32          call_sites;
	bool         pre_post, dump_loops;
	VecU32       funcs; /* collected; IrRef.i */
	Map          collected;
	LibnvvmStats stats;
} Libnvvm;

void libnvvm_init(Libnvvm *v, PassCx *cx);
bool libnvvm_run(Libnvvm *v);

#endif
