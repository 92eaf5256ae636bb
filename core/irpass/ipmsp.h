/* ipmsp.h: the inside of inter-procedural memory space propagation, for its tests. */
#ifndef PS_IRPASS_IPMSP_H
#define PS_IRPASS_IPMSP_H

#include "analysis/memspace.h"
#include "pass/pass.h"

/* What an argument is known to be while its function is looked at. */
enum {
	SPACE_UNSEEN = 1000, /* no call site so far */
	SPACE_SKIP = 2000,   /* no generic pointer, resolved already, or call sites disagree */
};

/* The work list: a stack in pages of 64 functions. */
enum { WORK_PAGE = 64 };
typedef struct WorkList {
	Arena *arena;
	Vec(u32 *) page;
	u32 n;
} WorkList;

void work_push(WorkList *w, u32 func);
u32  work_pop(WorkList *w);
static inline u32 work_pages(const WorkList *w) { return (w->n + WORK_PAGE - 1) / WORK_PAGE; }

typedef struct IpmspStats {
	u32 processed;  /* functions taken from the work list */
	u32 inferred;   /* walks */
	u32 cache_hits; /* answers of the callee-space cache */
	u32 clones, in_place, returns;
	u32 max_pages;
} IpmspStats;

typedef struct Ipmsp {
	PassCx     *cx;
	IrModule   *m;
	SpaceRules  rules;
	SpaceFacts  facts;
	Map         arg_space;    /* argument → space */
	Map         return_space; /* function → space */
	Map         callee_space; /* actual pointer → space: answers of the walk that hold */
	Map         on_list;      /* function → waiting? */
	Map         scc;          /* function → its component in the call graph, + 1 */
	WorkList    work;
	i64         clone_limit;  /* -1: none */
	bool        trace;
	u64         steps, step_cap;
	IpmspStats  stats;
} Ipmsp;

void ipmsp_init(Ipmsp *p, PassCx *cx, SpaceRules rules);
/* May the function enter the work list? */
bool ipmsp_should_process(const Ipmsp *p, const IrFunc *f);
/* By linkage alone: may all its callers in this module be served by another body? */
bool ipmsp_linkage_allows(IrLinkage l);
/* spaces[i]: a space, SPACE_UNSEEN or SPACE_SKIP. Returns how many arguments are resolved. */
u32  ipmsp_analyze(Ipmsp *p, const IrFunc *f, u32 *spaces);
bool ipmsp_run(Ipmsp *p);

SpaceRules space_rules_ias(const Session *s);     /* the ias- knobs */
SpaceRules space_rules_libnvvm(const Session *s); /* the plain ones */

#endif
