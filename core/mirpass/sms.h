/* sms.h: what the parts of machine-pipeliner share: swing modulo scheduling on a graph of numbers, and a loop of machine code.
 *
 *	machine_pipeliner.c   finds loops, takes the ten steps, reports
 *	sms_graph.c           steps 1 to 4 and 7: the graph of a loop, RecMII, ResMII, earliest and latest cycles
 *	sms_order.c           step 5: in which order units are scheduled
 *	sms_schedule.c        steps 6, 8 and 10: the table, placement, stages, the check of all dependences
 *	sms_live.c            step 9: the registers of each value; register pressure
 *	sms_expand.c          the code: prologue, kernel, epilogues
 *	sms_dump.c            the schedule as text
 *
 * Source: Llosa, González, Ayguadé, Valero, "Swing modulo scheduling: a lifetime-sensitive approach" (PACT 1996). A unit is an
 * instruction of the loop's block, its terminators left out. The graph knows numbers alone, so that tests can make any. */
#ifndef PS_SMS_H
#define PS_SMS_H

#include "base/map.h"
#include "mir/deps.h"
#include "mir/pressure.h"
#include "mirpass/mirpass.h"

enum { SMS_MOST_UNITS = 256 }; /* of a loop whose dependences are looked at */

/* ---- the graph ---- */

typedef enum SmsKind {
	SMS_DATA,    /* a value */
	SMS_MEMORY,  /* accesses that may meet, operations with an order among them */
	SMS_CONTROL, /* an iteration begins when the one before has decided that it does */
} SmsKind;

/* In iteration k + distance, `to` begins `latency` cycles behind the beginning of `from` in iteration k, or later. */
typedef struct SmsEdge {
	u32 from, to;
	u16 latency;
	u8  distance;
	u8  kind; /* SmsKind */
} SmsEdge;

typedef struct SmsUnit {
	u16 latency;
	u16 busy;     /* cycles that it keeps its pipe */
	u8  pipe;     /* IsaUnit */
	u8  priority; /* of the target: higher ones first where the depth is equal */
	u8  issues;   /* 1: it takes an issue slot; 0: it emits nothing */
} SmsUnit;

typedef struct SmsGraph {
	u32      n;
	SmsUnit *unit;
	Vec(SmsEdge) edge;
	NodeLists out, in; /* by unit: indices of edge */
} SmsGraph;

static inline Nodes sms_out(const SmsGraph *g, u32 unit) { return node_list(&g->out, unit); }
static inline Nodes sms_in(const SmsGraph *g, u32 unit) { return node_list(&g->in, unit); }

/* Makes `out` and `in` from `edge`. Edges of distance 0 go from a unit to a later one. */
void sms_link(SmsGraph *g, Arena *a);

/* ---- bounds (sms_graph.c) ---- */

typedef struct SmsBounds {
	u32     rec, res;
	IsaUnit busiest; /* the pipe that sets `res`; UNIT_NONE: the issue slots */
	Sccs    sccs;
	u32    *scc_rec; /* by component: the interval that its circuits ask for; 0: it has none */
} SmsBounds;

SmsBounds sms_bounds(const SmsGraph *g, Arena *a);

/* Cycles at an interval, by unit. Dependences around recurrences are left out, as each node of one waits for itself. */
typedef struct SmsTimes {
	u32 *asap, *alap, *depth, *height; /* depth: the longest path from above, within an iteration; height: to the end */
	u32  length;
} SmsTimes;

SmsTimes          sms_times(const SmsGraph *g, const SmsBounds *b, u32 ii, Arena *a);
static inline u32 sms_mobility(const SmsTimes *t, u32 unit) { return t->alap[unit] - t->asap[unit]; }

/* ---- order (sms_order.c) ---- */

/* All units, each once. `sets` is how many sets of nodes they were taken from. */
u32 *sms_order(const SmsGraph *g, const SmsBounds *b, const SmsTimes *t, u32 *sets, Arena *a);
/* What the target prefers among instructions of equal depth: loads, then what has few pipes. */
u8 sms_priority(const IsaDesc *d);

/* ---- schedules (sms_schedule.c) ---- */

typedef struct SmsStage {
	u32 first, last; /* cycles, of the first and the last unit */
	u32 units;
} SmsStage;

typedef struct SmsSchedule {
	bool      found;
	u32       ii;
	u32      *cycle;  /* by unit; the first is 0 */
	u32      *rank;   /* by unit: its place among the instructions of the kernel */
	u32      *at;     /* by rank: the unit */
	u32       stages; /* (last cycle - first cycle) / ii: iterations that overlap, less one */
	SmsStage *stage;  /* stages + 1 */
	u32       n;
} SmsSchedule;

static inline u32 sms_stage(const SmsSchedule *s, u32 unit) { return s->cycle[unit] / s->ii; }
static inline u32 sms_row(const SmsSchedule *s, u32 unit) { return s->cycle[unit] % s->ii; }

/* Places the units in the order given; found is false where one has no free cycle in its window. */
SmsSchedule sms_place(const SmsGraph *g, const SmsTimes *t, const u32 *order, u32 ii, Arena *a);
/* Does each dependence hold modulo the interval, and is no pipe taken twice? */
bool sms_verify(const SmsGraph *g, const SmsSchedule *s, Arena *a);

/* ---- a loop of machine code ---- */

/* A register that the loop defines. In iteration k it goes by one of `names` registers. */
typedef struct SmsValue {
	MirReg  reg;
	u32     unit;     /* that defines it */
	bool    carried;  /* an iteration reads what the one before has written */
	bool    live_out; /* read behind the loop */
	u32     names;    /* registers that it needs; see sms_expand.c */
	u32     last;     /* the cycle in which it is read last, counted from the beginning of the iteration that defines it */
	MirReg *name;
} SmsValue;

typedef struct SmsLoop {
	PassCx           *cx;
	Arena            *temp; /* for what planning needs; in the pass's scratch is what is wanted later */
	MirFunc          *f;
	const IsaMachine *machine;
	MirBlockId        block, exit;
	MirBranch         branch;
	MirReg            guard;
	bool              goes_on_where; /* the guard's value for another iteration */
	MirInstId        *inst;          /* by unit */
	bool              too_long;      /* more than SMS_MOST_UNITS: the graph has no edges */
	u32               n_deps;        /* dependences before those that renaming removes */
	SmsGraph          graph;
	Vec(SmsValue) value;
	Map value_of; /* by register: 1 + the index of its value */
	u32 copies;   /* of the kernel */
} SmsLoop;

/* The graph of the loop: dependences less those that renaming removes. */
void sms_graph(SmsLoop *l);
/* The value of a register: an index of `value`; GRAPH_NONE where the loop does not define it. */
static inline u32 sms_value_of(const SmsLoop *l, MirReg r) { return (u32)map_or(&l->value_of, r.i, 0) - 1; }
/* Iterations between the definition and the reader: 1 where the reader comes first. */
static inline u32 sms_distance(const SmsValue *v, u32 reader) { return reader <= v->unit; }

void sms_values(SmsLoop *l);
/* How many registers each value needs, and how many copies of the kernel. */
void sms_count_names(SmsLoop *l, const SmsSchedule *s, bool expand);

/* What is live at most in the steady state, with what is live through the loop; the limit that the budget leaves. */
typedef struct SmsPressure {
	bool on; /* pipeliner-register-pressure */
	u32  live[FILE_COUNT], limit[FILE_COUNT];
	u32  through[FILE_COUNT]; /* units of what is live through the loop and not defined in it */
} SmsPressure;

void sms_pressure_begin(SmsLoop *l, SmsPressure *p);
bool sms_pressure_fits(const SmsLoop *l, const SmsSchedule *s, SmsPressure *p);

typedef enum SmsBackEnd { SMS_MVE, SMS_PEEL } SmsBackEnd;

void sms_expand(SmsLoop *l, const SmsSchedule *s, SmsBackEnd how);
/* "LSU" */
const char *sms_pipe_name(u32 pipe);
void        sms_dump(const SmsLoop *l, const SmsSchedule *s, Text *out);

#endif
