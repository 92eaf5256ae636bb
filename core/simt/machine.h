/* machine.h: the state of a running grid; for the files of simt/ alone. */
#ifndef PS_SIMT_MACHINE_H
#define PS_SIMT_MACHINE_H

#include "simt/simt.h"
#include "simt/step.h"
#include "simt/wide.h"

typedef struct Sanitizer  Sanitizer; /* sanitize.h */
typedef struct BlockWatch BlockWatch;
typedef struct Jobs       Jobs; /* jobs.h */
typedef struct Job        Job;

typedef struct Region {
	u64  base, size;
	u8  *host;
	Str  name;
	bool read_only;
} Region;

/* A function that some lanes of a warp are in. Its registers are rows for the whole warp. */
typedef struct Frame {
	u32  func, parent; /* parent: frame number, NO_FRAME at the bottom */
	u32  ret_pc, call; /* where the caller goes on; the call instruction */
	u32  rpc;          /* the caller's meeting point, to be restored */
	u32  mask;         /* lanes that are in it or in what it called */
	u32  base, top;    /* its local memory: first byte; first byte that is free */
	u32  size_class;
	u32 *row;
	u32 *shadow; /* with SANITIZE_INIT: rows whose bits say which of the registers' are uninitialised */
} Frame;
enum { NO_FRAME = UINT32_MAX, NO_PC = UINT32_MAX };

typedef enum PathState { PATH_READY, PATH_AT_BARRIER, PATH_AT_SYNC } PathState;

/* Lanes that go the same way. By meeting points: a stack, the top one runs; an entry's lanes contain
 * those above it. Independent: a ring, everyone runs in turn and their lanes are disjoint. */
typedef struct Path {
	u32 pc, rpc, mask, frame;
	u8  state;  /* PathState */
	u32 member; /* at a sync: the lanes it waits for; at a barrier: its number */
} Path;

/* A copy or reduction that has been issued and has not landed (async.c). */
typedef struct TensorCopy TensorCopy;
typedef struct Block      Block;
typedef struct AsyncPending {
	const SimtInsn *insn; /* which issued it */
	Block          *block;
	u8             *bar; /* the mbarrier that it is told to; NULL: none */
	TensorCopy     *tensor;
	u64             to, from, part;     /* part: bytes that are read, of `bytes`; st.async: the value */
	u32             bytes, group, skip; /* skip: bytes at the front that are left out */
	u16             warp, mask;         /* mask: bytes of each 16 that are copied */
	u8              lane;
	bool            bulk;
} AsyncPending;
/* Of a warp: what groups are for. Of a block: what mbarriers are told. */
typedef struct AsyncQueue {
	Vec(AsyncPending) entry;
	u32 closed[2][LANES]; /* groups that a thread has closed: of cp.async, of bulk copies */
} AsyncQueue;

typedef struct Warp {
	AsyncQueue *queue;                /* NULL until it is wanted */
	u32         number, live, exists; /* lanes that have not exited; lanes there are */
	bool        independent, done;
	u32         turn; /* independent: the path that runs */
	u32         arrived,
		passed; /* lanes that have come to the cluster's barrier: in this phase; in the one before, and have not waited */
	u32 slice;      /* what is left of its slice after an interruption; 0: a whole one */
	u32 alone;      /* instructions since the stack last changed */
	Vec(Path) path;
	Vec(Frame) frame;
	u32 free_frame;
	u8 *local;
	u32 local_size;   /* bytes of a lane */
	u8 *local_poison; /* with SANITIZE_INIT: the same of local memory */
} Warp;

typedef struct Barrier {
	u32 arrived, expected; /* threads; expected 0: all that live */
	u32 op;                /* BarOp of a reduction */
	u32 popc, trues;       /* of the predicates */
	u32 generation;
	u32 last_result[3];
} Barrier;
enum { BARRIERS = 16, CLUSTER_BARRIER = BARRIERS };

/* Blocks that run at the same time and reach each other's shared memory (cluster.c). */
typedef struct Cluster {
	u32                  number;
	u32                  live;              /* blocks that have not ended */
	u32                  arrived;           /* threads, at its barrier */
	bool                 met;               /* all its threads have been there: all of its blocks have started */
	Block               *block[MOST_RANKS]; /* by rank; NULL: it has ended */
	struct ClusterWatch *watch;
	struct Cluster      *next; /* in the list of those that are free */
} Cluster;

struct Block {
	u32         number, id[3];
	Cluster    *cluster;
	u32         rank;  /* in its cluster */
	u64         base;  /* of its shared memory: the address that its own offset 0 has */
	u32        *pool;  /* the program's constants, as the block has them */
	Block      *next;  /* in the list of those that are free */
	bool        stuck; /* all its threads wait */
	u32         n_warps, warps_done, threads_live;
	u32         turn;
	bool        done;
	u64         steps;   /* since it began */
	u64         quantum; /* what is left of the turn of warp `turn` */
	u64         share;   /* what is left of the block's turn; 0: it has none */
	Warp       *warp;
	u8         *shared;
	BlockWatch *watch;
	Barrier     barrier[BARRIERS];
	u32        *tmem;          /* tensor memory, lane by lane; NULL until it is wanted */
	u16         tmem_taken;    /* a bit for each 32 columns */
	u8          tmem_size[16]; /* of the allocation that begins there, in units of 32 columns */
	bool        tmem_closed;   /* no allocation any more */
	AsyncQueue *queue;         /* NULL until it is wanted */
};

typedef struct FreeRows {
	struct FreeRows *next;
} FreeRows;

/* Memory that malloc gives (heap.c): of a SimtLaunch, or of the machine alone. */
typedef struct HeapPage {
	u64 base;
	u32 first;             /* the page that it belongs to: itself, or the first of several with one slot */
	u32 given, taken;      /* slots */
	u8 class;              /* log2 of a slot's addresses */
	struct HeapSlot *slot; /* NULL: all have been taken back */
} HeapPage;
enum { HEAP_CLASSES = 40 };
/* A block that a launch left to later ones, and who got it: for the sanitizer of leaks. */
typedef struct HeapLeft {
	u64 base;
	u32 page, size, line, block[3], thread[3];
	Str kernel;
} HeapLeft;

struct SimtHeap {
	Arena            *arena;
	u64               limit, live;               /* bytes that may be given at the same time, and that are */
	bool              used;                      /* something has been given */
	struct HeapBytes *spare[HEAP_CLASSES];       /* freed, by class */
	struct HeapSlot  *spare_slots[HEAP_CLASSES]; /* of pages that have come to their end, by class */
	Vec(HeapPage) page;
	u32 open[HEAP_CLASSES]; /* by class: 1 + the page that has slots to give; 0: none */
	Vec(HeapLeft) left;
};

/* What a debugger waits for. */
typedef struct SimtWatch {
	bool armed;       /* stop at SIF_STOP */
	bool single;      /* stop after each instruction of the focus */
	bool focused;     /* only this warp counts */
	u32  block, warp; /* block by number */
} SimtWatch;

enum {
	BLOCK_PATIENCE = 1 << 22, /* instructions of the blocks that run before another one is started */
	MOST_PRINTED = 1 << 20,   /* bytes */
};
#define PRINTED_TOO_MUCH "printf wrote more than 1 MiB"

struct SimtMachine {
	SimtProgram    *p;
	const SimtWide *wide;
	SimtLaunch      launch;
	SimtOptions     o;
	Session        *s;
	Arena           arena;
	u32             entry;                              /* function */
	u32             threads, warps, blocks;             /* of a block, of a block, of the grid */
	u32             cluster[3], cluster_size, clusters; /* blocks of a cluster, in all; clusters of the grid */
	bool            explicit_cluster;                   /* launch or kernel have said so */
	u32            *pools[MOST_RANKS];                  /* constants by a block's rank */
	u32            *pool;                               /* of cur_block */
	u8             *param;
	u64             param_size;
	u64             shared_own, shared_size; /* behind the kernel's variables; behind all, with what the launch asked for */
	u64             workspace; /* of a cooperative launch: its address, which %envreg1 (high) and %envreg2 show; 0 */
	Vec(Region) region;        /* sorted by base */
	u32 hit;                   /* the region used last */
	Vec(u8 *) buffer;          /* contents by buffer */
	SimtHeap  *heap;
	Sanitizer *san;     /* NULL: nothing watches */
	Jobs      *jobs;    /* that execute the launch; NULL: this machine does */
	Job       *job;     /* the machine is one of several; NULL: it is the launch's */
	u32        strong;  /* ORDER_STRONG, where accesses that bear it must be told to other jobs; 0 */
	Vec(Block *) block; /* those that have started and not ended */
	u32                    next_cluster, turn, blocks_done;
	FreeRows              *free_rows[96]; /* by size class */
	Block                 *spare_block;
	Cluster               *spare_cluster;
	TensorCopy            *spare_tensor;
	SimtStats              stats;
	SimtCount             *count;
	Text                   printed;
	SimtFault              fault;
	bool                   faulted;
	bool                   reported; /* the fault is the first report of a sanitizer, and the run went to its end */
	const struct LaneCode *compiled; /* the kernel's, once it may be used */
	SimtWatch              watch;
	bool                   stopped;                /* simt_run was left because of it */
	SimtGoal               goal;                   /* what simt_step runs to */
	bool                   reached;                /* it is */
	bool                   underway;               /* the stop where the goal's warp stood is behind it */
	u32                    from_line;              /* STEP_TO_NEXT_LINE: the line it leaves */
	VecU32                 stops;                  /* instructions that are marked with SIF_STOP */
	u64                    steps;                  /* warp instructions so far */
	u64                    choices;                /* schedule.c */
	u32                    preemptions, preempted; /* that could be made; that were */
	u32                   *scratch;                /* four rows: results of a partly active warp */
	f64                   *matrix;                 /* matrix_room */
	u32                    matrix_room;
	const u8              *watched; /* SimtOptions.watch */
	SimtWriter             writer;
	bool                   written;
	/* of the instruction that runs, for fault reports */
	Block          *cur_block;
	Warp           *cur_warp;
	Path           *cur_path;
	const SimtInsn *cur_insn;
};

/* The rows of a register. */
static inline u32 *reg_rows(const SimtMachine *m, const Frame *f, i32 r)
{
	return r >= 0 ? f->row + (size_t)r * LANES : m->pool + (size_t)-r * LANES;
}
static inline u64  lane64(const u32 *row, u32 l) { return ((const u64 *)(const void *)row)[l]; }
static inline void set_lane64(u32 *row, u32 l, u64 v) { ((u64 *)(void *)row)[l] = v; }
static inline u32  lane_count(u32 mask)
{
#if defined(__wasm__) || defined(__POPCNT__)
	return (u32)__builtin_popcount(mask);
#else /* that would be a call */
	mask -= mask >> 1 & 0x55555555;
	mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
	return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
#endif
}
static inline u32 first_lane(u32 mask) { return (u32)__builtin_ctz(mask); }
#define each_lane(mask, l) for (u32 l##_m = (mask), l; l##_m && (l = first_lane(l##_m), true); l##_m &= l##_m - 1)

/* memory.c: bytes behind an address of a space, as lane l sees it; NULL after a fault was reported. */
typedef enum Access { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } Access;
u8 *mem_at(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access);
/* For sanitizers: the lane's accesses to these bytes begin, if there are such bytes. */
void mem_touch(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access);
bool mem_load(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool mem_store(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* memory_fast.c: false: nothing was done. */
bool mem_load_fast(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool mem_store_fast(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* Bytes `low` to `low` + `bytes` from what each lane's address register says, for lane_code.c: of the lanes that are on, and, for the
 * others, those of the first of them. at: 32-bit addresses of the host by lane. Returns a LaneKind. */
typedef struct LaneSpan {
	u32        low, bytes, mask;
	bool       write;
	const u32 *on; /* NULL: all */
	u32       *at;
} LaneSpan;
u32  mem_places(SimtMachine *m, const Frame *f, const SimtInsn *i, const LaneSpan *s);
bool mem_atomic(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* What an atomic operation (SimtInsn.x of S_ATOM) on `w` bits leaves in memory. */
u64 mem_rmw(u32 x, u32 w, u64 old, u64 v, u64 swap);
/* The bytes that a store writes for a lane. */
void mem_store_bytes(const SimtMachine *m, const Frame *f, const SimtInsn *i, u32 lane, u8 *out);
void mem_load_element(u32 *d, u32 l, const u8 *p, const SimtMem *mem);
void mem_store_element(u8 *p, const u32 *s, u32 l, const SimtMem *mem);
bool mem_copy(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool mem_fill(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* Makes room for `bytes` of local memory per lane. */
void mem_local_reserve(SimtMachine *m, Warp *w, u32 bytes);
/* A NUL-terminated string of generic memory, at most `cap` bytes of it, into `text`. */
bool mem_string(SimtMachine *m, u64 address, u32 lane, char *text, u32 cap, Str *out);

/* heap.c */
/* The block of malloc that the address is in, or just behind of. */
/* The region that holds the address; ~0: none. Regions are in the order of their addresses and do not overlap. */
u32  region_holding(const SimtMachine *m, u64 address);
bool heap_at(const SimtMachine *m, u64 address, Region *out);
void heap_leave(SimtMachine *m, u64 base, u32 size, const SimtAccess *by, Str kernel);
bool heap_malloc(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool heap_free(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);

/* warpops.c */
bool warp_sreg(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool warp_collective(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* The lane that each lane of a shuffle reads. */
void warp_shuffle_sources(const SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask, u32 *from);
bool warp_printf(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool warp_assert(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* texture.c, mma.c, async.c, big.c */
bool big_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool tex_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool mma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool wgmma_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool tensor_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
void tmem_forget(Block *b);
bool async_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
/* Whatever the block's threads have not waited for lands. */
bool async_finish(SimtMachine *m, Block *b);
void async_forget(Block *b);

/* Must other jobs be told of the access? A cluster is in one job, and so is its shared memory. */
static inline bool access_is_strong(const SimtMachine *m, const SimtInsn *i)
{
	return (i->x & m->strong) && i->mem.space != SPACE_SHARED;
}

/* step.c: makes the next instruction to run the current one, for a fault report. */
void simt_locate(SimtMachine *m);
/* The block whose turn it is; starts one where none is resident. NULL: other jobs have the rest. */
Block *simt_block(SimtMachine *m);
void   simt_wrote(SimtMachine *m, u32 lane); /* the watched byte */
/* The lane writes these bytes: is the watched one among them? */
static inline void simt_watch(SimtMachine *m, const u8 *p, u64 bytes, u32 lane)
{
	if (m->watched && m->watched >= p && m->watched < p + bytes)
		simt_wrote(m, lane);
}
/* Records the fault of `lane` at the current instruction. Always false, to be returned. */
bool simt_fail(SimtMachine *m, FaultKind kind, u32 lane, const char *fmt, ...) PS_PRINTF(4, 5);
u32 *rows_take(SimtMachine *m, u32 rows, u32 *size_class);
void rows_give(SimtMachine *m, u32 *rows, u32 size_class);

/* schedule.c: without a seed, the default: `otherwise`, yes, the next one, no. */
u64  schedule_quantum(SimtMachine *m, u64 otherwise);
bool schedule_preempts(SimtMachine *m);
u32  schedule_next(SimtMachine *m, u32 now, u32 n);
bool schedule_starts_block(SimtMachine *m);

/* exec.c: so many more instructions were executed: have the kernel's code compiled, if that is worth it by now. */
void simt_compile(SimtMachine *m, u64 instructions);

/* exec.c: runs the block's warp until it must wait, ends, faults, stops, or the budget is used up. */
typedef enum Ran { RAN_BUDGET, RAN_WAITS, RAN_ENDED, RAN_FAULT } Ran;
Ran  warp_run(SimtMachine *m, Block *b, Warp *w, u64 *budget);
void warp_start(SimtMachine *m, Warp *w);
/* Lanes that wait at a barrier and have not arrived elsewhere go on (barrier.c). */
void barrier_check(SimtMachine *m, Block *b, u32 barrier);
/* Lanes of a path that come to the barrier its instruction names. */
typedef struct Arrival {
	Block          *block;
	Warp           *warp;
	Path           *path;
	const SimtInsn *insn;
	u32             mask;
} Arrival;
bool barrier_arrive(SimtMachine *m, const Arrival *a, bool *waits);

/* cluster.c */
/* Sizes and constants; false, with a diagnostic. */
bool cluster_set_up(SimtMachine *m);
/* Where a cluster lies in the grid: the coordinates of its first block. */
void cluster_place(const SimtMachine *m, u32 number, u32 id[3]);
u32  cluster_of_block(const SimtMachine *m, u32 block); /* by its number in the grid */
/* Makes the block of the rank a part of it. */
void     cluster_join(SimtMachine *m, Cluster *c, Block *b, u32 rank);
void     cluster_leave(SimtMachine *m, Block *b);
Cluster *cluster_start(SimtMachine *m); /* the next one; NULL: another job has taken it */
/* Threads of it may have exited: does its barrier open? */
void cluster_check(SimtMachine *m, Cluster *c);
bool cluster_arrive(SimtMachine *m, const Arrival *a, bool *waits);
u32  cluster_threads(const Cluster *c); /* that live */
/* All blocks of it wait. */
bool cluster_is_stuck(const Cluster *c);

/* A place in the shared memory of a block. */
typedef struct SharedPlace {
	Block *block; /* NULL: of none in the cluster that runs */
	u64    at;    /* in its shared memory */
} SharedPlace;
SharedPlace shared_place(const SimtMachine *m, u64 address);
/* Of bytes that lie in the cluster's shared memory. */
SharedPlace       shared_place_of(const SimtMachine *m, const u8 *p);
static inline u8 *shared_bytes(SharedPlace s) { return s.block->shared + s.at; }

static inline void block_enter(SimtMachine *m, Block *b)
{
	m->cur_block = b;
	m->pool = b->pool;
}

#endif
