/* simt.h: the emulator. A kernel that was decoded from IR, MIR or PTX (code.h) runs on a machine of
 * grids, blocks of threads and warps of 32 lanes.
 *
 *	SimtProgram *p = simt_from_ptx(s, arena, ptx);
 *	SimtLaunch  *l = simt_launch_parse(s, arena, json);
 *	SimtMachine *m = simt_new(p, l, &options);           // NULL, with a diagnostic
 *	while (simt_run(m, 1000000) == SIMT_RUNNING)         // a budget of warp instructions
 *		;                                            // report progress, or give up
 *	simt_result_json(m, &out);
 *
 * step.h runs it instruction by instruction and shows what lies in registers and memory.
 *
 * Blocks run in order, one after the other; a block that does not get on while others wait (a grid-wide
 * spin) lets the next ones start. The warps of a block take turns. With one job (jobs.h) all of it is deterministic. */
#ifndef PS_SIMT_H
#define PS_SIMT_H

#include "simt/code.h"

/* ---- launch files */

typedef enum SimtType { ST_I8, ST_U8, ST_I16, ST_U16, ST_I32, ST_U32, ST_I64, ST_U64, ST_F16, ST_F32, ST_F64, ST_COUNT } SimtType;
extern const char *const simt_type_name[ST_COUNT];
u32                      simt_type_bytes(SimtType t);

typedef struct SimtBuffer {
	Str      name;
	SimtType type;
	u32      count;
	u64      size;
	u8      *init;    /* initial contents */
	u64      room;    /* bytes that `init` has; 0: `size` */
	u64      address; /* set by simt_new */
} SimtBuffer;

typedef enum SimtAddressMode { ADDRESS_CLAMP, ADDRESS_WRAP, ADDRESS_MIRROR, ADDRESS_BORDER } SimtAddressMode;

/* What makes a texel's depth pass: how the fetch's own stands to it. */
typedef enum SimtDepth {
	DEPTH_NONE, /* the texture is not compared */
	DEPTH_NEVER,
	DEPTH_LESS,
	DEPTH_EQUAL,
	DEPTH_LESS_EQUAL,
	DEPTH_GREATER,
	DEPTH_NOT_EQUAL,
	DEPTH_GREATER_EQUAL,
	DEPTH_ALWAYS
} SimtDepth;

typedef struct SimtTexture {
	Str      name;
	bool     surface, normalized, linear;
	u8       dim, channels, address[3]; /* SimtAddressMode by direction */
	u8       depth_test;                /* SimtDepth */
	SimtType type;
	u32      width, height, depth, samples, buffer; /* samples: of a texel, 1 at least */
	u8      *host;                                  /* host memory mode: its texels. NULL: those of the buffer */
	u32      row_bytes;                             /* from row to row; 0: the rows follow each other */
	f32      border[4];                             /* what lies outside, by channel */
	/* Levels of half the size each, one behind the other; 1 at least. Which one a fetch is from: its own number and the bias, in limits. */
	u32  levels;
	u64  level_at; /* bytes to the first of its texels */
	bool between;  /* two levels are weighed */
	f32  bias, level_limit[2];
} SimtTexture;

/* Level k of the texture, as a texture of one level. */
SimtTexture simt_texture_level(const SimtTexture *t, u32 k);

/* Bytes of its buffer that it stands for; SIZE_OVER: 2^64 or more. */
u64 simt_texture_bytes(const SimtTexture *t);

/* An argument as bytes, with the places where an address must be filled in. */
typedef struct SimtArg {
	u8 *bytes;
	u32 size, align;
} SimtArg;
typedef struct SimtArgFix {
	u32  arg, at; /* byte in the argument */
	bool texture;
	u32  index; /* buffer or texture */
	u64  offset;
} SimtArgFix;

/* Memory of the host that a program of host memory mode may access, and the address at which it does. */
typedef struct SimtMapped {
	u64  base, size;
	u8  *host;
	bool read_only;
} SimtMapped;

/* What malloc of kernels has given, in the arena `bytes`: it outlives the launches that share it. */
typedef struct SimtHeap SimtHeap;
SimtHeap               *simt_heap_new(Arena *a, Arena *bytes);
/* Takes everything back. */
void simt_heap_clear(SimtHeap *h);
/* Bytes that it may give at the same time; false: it has given some already. */
bool simt_heap_limit(SimtHeap *h, u64 limit);
/* Blocks that launches with the sanitizer of leaks have left and nobody has freed, by the place of the program that got them. */
typedef struct SimtLeak {
	Str kernel;                    /* ends with a 0 */
	u32 block[3], thread[3], line; /* of the first */
	u64 address, bytes, blocks;
} SimtLeak;
void simt_heap_leaks(const SimtHeap *h, void (*tell)(void *user, const SimtLeak *leak), void *user);

typedef struct SimtLaunch {
	Str kernel;
	u32 grid[3], block[3], shared_bytes;
	u32 cluster[3]; /* blocks of a cluster; 0: what the kernel says, or 1 */
	Vec(SimtBuffer) buffer, symbol;
	Vec(SimtTexture) texture; /* host memory mode: those of width 0 are none */
	Vec(SimtArg) arg;
	Vec(SimtArgFix) fix;
	const void       *params; /* not NULL: parameter memory as the kernel has it, and `arg` counts for nothing */
	u64               params_size;
	const SimtMapped *mapped;
	u32               n_mapped;
	SimtHeap         *heap;               /* NULL: it ends with the launch */
	bool              heap_outlives;      /* other launches free what this one leaves: leaks are told by simt_heap_leaks */
	bool              barrier_of_threads; /* a warp's lanes may come to a barrier one after the other */
	bool              cooperative; /* all blocks run at the same time, and have a workspace in which they count arrivals */
} SimtLaunch;

/* NULL, with a diagnostic that names the place, where the text is no launch description. */
SimtLaunch *simt_launch_parse(Session *s, Arena *arena, Str json);

/* ---- running */

typedef enum FaultKind {
	FAULT_NONE,
#define FAULT(id, text) FAULT_##id,
#include "simt/faults.def"
	FAULT_COUNT
} FaultKind;
const char *simt_fault_name(FaultKind k);

typedef struct SimtFault {
	FaultKind kind;
	u32       thread[3], block[3];
	u32       line, origin; /* of the executed text and of the compiler's input; 0: none */
	u32       insn;         /* UINT32_MAX: none */
	Str       message;
} SimtFault;

/* The place of the source that an instruction comes from; NULL: not known. */
const SimtSource *simt_source_of(const SimtProgram *p, u32 insn);

/* SimtOptions.sanitize, after the tools of compute-sanitizer: sanitize.def. */
enum {
#define SANITIZER(id, bit, word, summary) SANITIZE_##id = (bit),
#include "simt/sanitize.def"
};

u32         simt_sanitizer(Str word); /* the sanitizers that a word of an option asks for; 0: none bears it */
const char *simt_sanitizer_word(u32 bit);

/* One of the accesses that a report is about. */
typedef struct SimtAccess {
	u32 thread[3], block[3], line, origin, insn;
	const char
		*what; /* "read", "write", "atomic access"; "copy": an asynchronous one, which the thread has started; "use", … */
	u32      bytes;
} SimtAccess;

/* Something that a thread of a report did (simt_follow): an access to its bytes, or what may order the thread with others. */
typedef struct SimtEvent {
	u32         moment; /* both threads' events are in its order; a barrier that both have passed has one moment */
	u32         line, origin, insn, bytes, count;
	const char *what;     /* "read", "write", "atomic access", "copy"; "barrier", "fence", "acquire", … */
	bool        reported; /* one of the report's two accesses */
} SimtEvent;

enum { SIMT_EVENTS = 24 };
typedef struct SimtTimeline {
	u32       n, left_out, after; /* left out: before the first; after: behind the report */
	u32       visit;              /* how many times the thread had executed the reported access by then */
	SimtEvent event[SIMT_EVENTS];
} SimtTimeline;

typedef struct SimtReport {
	FaultKind           kind;
	u32                 sanitizer; /* SANITIZE_… */
	SimtAccess          at, other;
	bool                has_other;
	Str                 message;
	Str                 space;           /* empty: it is about no address */
	u64                 address, offset; /* offset: in the allocation */
	u32                 owner;      /* 1 + the number of the block whose shared memory it is; 0: it is no shared memory */
	Str                 allocation; /* the variable, the buffer, malloc; empty: not known */
	u64                 allocation_size;
	u64                 count;    /* of the two instructions, how often it was seen */
	const SimtTimeline *timeline; /* NULL: not followed; [0] of `at`, [1] of `other` */
	const char         *needs;    /* … and what would order them */
} SimtReport;

/* Another order in which warps take turns, which a seed chooses (schedule.c). A preemption is a change of warp that nothing in the
 * program asks for. */
typedef struct SimtSchedule {
	bool      by_seed;
	u64       seed;
	const u8 *skip; /* by preemption: not zero: the warp goes on. NULL: all are made */
	u32       n_skip;
	u32       last; /* preemptions from this one on are not made; UINT32_MAX: no limit */
} SimtSchedule;

/* A host's threads. `run` calls task(arg, i) for i from 0 on, in a thread of its own each and all at the same time, and returns for how
 * many of n it did, when they have returned. `pause` lets other threads go on. Both NULL: there are none. */
typedef struct ThreadHost {
	void *user;
	u32 (*run)(void *user, u32 n, void (*task)(void *arg, u32 i), void *arg);
	void (*pause)(void *user);
} ThreadHost;

/* Whether functions are made of a program's code, where there is a host that makes them. */
typedef enum SimtCompiled { COMPILED_LATE /* of what runs for longer */, COMPILED_ALWAYS, COMPILED_NEVER } SimtCompiled;

typedef struct SimtOptions {
	SimtCompiled       compiled;
	u64                max_steps;      /* warp instructions; 0: 2^32 */
	u32                quantum;        /* warp instructions of a warp before the next one's turn; 0: 2048 */
	bool               independent;    /* every path on its own from the start, scheduled fairly */
	bool               warp_registers; /* the teaching model: one register per warp */
	bool               profile;
	ThreadHost         threads;
	u32                jobs; /* that execute blocks at the same time, where nothing speaks against it (simt_jobs); 0: 1 */
	u64                jobs_after; /* warp instructions of the first one before there are others; 0: 8192 */
	u32                sanitize;
	struct SimtFollow *follow; /* of simt_follow */
	SimtSchedule       schedule;
	bool               watch; /* remember who wrote this byte of a buffer last */
	u32                watch_buffer;
	u64                watch_byte;
} SimtOptions;

typedef struct SimtWriter {
	u32 thread[3], block[3], line, origin;
} SimtWriter;

typedef enum SimtStatus { SIMT_RUNNING, SIMT_DONE, SIMT_FAULTED } SimtStatus;

typedef struct SimtMachine SimtMachine;

typedef struct SimtStats {
	u64 thread_instructions, warp_instructions, divergent_branches, barriers;
	u64 global_sectors, global_requests;   /* with profile */
	u64 shared_conflicts, shared_requests; /* extra passes over the banks, with profile */
} SimtStats;

/* Counts of one decoded instruction, with profile. */
typedef struct SimtCount {
	u64 executions, lanes, divergent, sectors, requests, conflicts;
} SimtCount;

SimtMachine *simt_new(SimtProgram *p, const SimtLaunch *l, const SimtOptions *o);
/* Has it ended without a fault while blocks of malloc were not free? Then the next launch may use them. */
bool simt_keeps_heap(const SimtMachine *m);
/* How many jobs execute the launch: in *why, why it is one though more were asked for (else NULL). With several, what race-free kernels
 * compute, print and count is what one job makes of them; after a fault, which is that of one job, buffers may have what later blocks
 * wrote. */
u32        simt_jobs(const SimtMachine *m, const char **why);
SimtStatus simt_run(SimtMachine *m, u64 warp_instructions);
void       simt_free(SimtMachine *m);

/* What the sanitizers found; where they did and no fault ended the run, its fault is the first of them. */
u32               simt_report_count(const SimtMachine *m);
const SimtReport *simt_report(const SimtMachine *m, u32 i);
bool              simt_fault_is_report(const SimtMachine *m);  /* nothing ended the run early */
bool              simt_sanitize_limited(const SimtMachine *m); /* not all of it fitted: more may be wrong than was found */
/* Runs the launch again and gives the reports about two accesses their timelines. */
void              simt_follow(SimtMachine *m, const SimtLaunch *l);
u32               simt_preemptions(const SimtMachine *m); /* that SimtSchedule could make or skip */
const SimtFault  *simt_fault(const SimtMachine *m);       /* NULL: none */
const SimtStats  *simt_stats(const SimtMachine *m);
const SimtCount  *simt_counts(const SimtMachine *m);            /* by instruction; NULL without profile */
Str               simt_printed(const SimtMachine *m);           /* what the kernel wrote by printf */
u8               *simt_buffer(const SimtMachine *m, u32 index); /* contents now */
const SimtSource *simt_source(const SimtMachine *m, u32 insn);
const SimtWriter *simt_writer(const SimtMachine *m);   /* of the watched byte; NULL: nobody */
f64               simt_progress(const SimtMachine *m); /* blocks finished, 0 .. 1 */

/* {"buffers", "stats", "faults", "printf"} as contract.md has it; profile adds "profile". */
void simt_result_json(const SimtMachine *m, Text *out);
void simt_values_json(Text *out, SimtType type, const u8 *bytes, u32 count);
void simt_value_text(Text *out, SimtType type, const u8 *bytes);

#endif
