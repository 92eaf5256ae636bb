/* sanitize.h: what watches a grid run (SimtOptions.sanitize), for the files of simt/ alone.
 *
 *	sanitize.c         sets up, makes reports, finds what an address belongs to; leaks
 *	sanitize_order.c   what happens before what: threads' clocks, through barriers, atomics, fences, mbarriers, copies
 *	sanitize_race.c    who accessed which bytes last; two accesses that nothing orders
 *	sanitize_init.c    which bits of registers and memory nobody has written
 *	sanitize_follow.c  what the two threads of a report did
 *	sanitize_sync.c    member masks, waits that nobody can end
 *
 * SimtMachine.san is NULL where nothing watches: then a hook costs one test, and only in instructions that touch memory or other
 * lanes. A report does not end the run: what was found is collected, and each pair of instructions is reported once. */
#ifndef PS_SIMT_SANITIZE_H
#define PS_SIMT_SANITIZE_H

#include "base/map.h"
#include "simt/machine.h"
#include "simt/order.h"
#include "simt/sanitize_clock.h"

/* Actors: threads by number in the grid; then, by the same numbers, the copies that a thread waits for by groups; then one for each
 * mbarrier that copies complete at. What a thread knows to be visible to the asynchronous proxy too is in the same clock, as entries
 * of the actors ACTOR_VISIBLE above its threads. */
enum {
	MOST_ACTORS = 1 << 26,
	ACTOR_COPY = 1 << 26,      /* cp.async */
	ACTOR_BULK = 2 << 26,      /* what bulk copies write */
	ACTOR_BULK_READ = 3 << 26, /* what they read */
	ACTOR_MBAR = 4 << 26,
	ACTOR_VISIBLE = 8 << 26,
};
#define NO_ACTOR 0xffffffffu

/* How far what a thread releases goes: to its block, to its cluster, to the device. */
enum { REACHES = 3 };

typedef struct ThreadClock {
	u32 time;
	u32 copy, copy_done, bulk, bulk_done,
		bulk_read; /* groups: being filled; known to be complete (bulk: of which it was read) */
	u32    polls;      /* of mbarriers, since the last arrival at one of the block */
	Clock *known;
	/* Of fences, by how far they reach: what a relaxed write of the thread releases; what the next fence acquires. */
	Clock *released[REACHES], *unfenced[REACHES];
} ThreadClock;

/* What the writer of a word of memory released, and what an mbarrier passes on. */
typedef struct SyncWord {
	Clock *reach[REACHES]; /* to threads of the block `from[0]`, to those of the cluster `from[1]`, to all */
	u32    from[REACHES];  /* the last is 0 */
	/* mbarriers: of this phase, of those that are complete: what every wait takes, and what those take that reach the cluster */
	Clock *pending[2], *complete[2];
	u32    actor, phase, class;
} SyncWord;

/* Last accesses of a granule of 1 or 4 bytes, and the sets that one epoch does not hold (index + 1). */
typedef struct Epoch {
	u32 actor, time, insn; /* time 0: none */
} Epoch;
typedef struct Cell {
	Epoch write, read;
	u32   more;
} Cell;
_Static_assert(sizeof(Cell) == 28, "the same on every host");

enum { SHADOW_PAGE = 1024 }; /* bytes of memory that a page of cells stands for */
typedef struct CellPage {
	u32 class;
	u8    shift; /* log2 of a granule */
	Cell *cell;
} CellPage;

typedef struct BlockWatch {
	ThreadClock *thread;
	Clock       *barrier[16], *exited;
	Map          words; /* of shared memory: address → SyncWord */
	CellPage    *cells; /* of shared memory */
	u32          n_cells;
	u8          *poison; /* of shared memory */
	u32          pollers;
	Map          visitor; /* actor of another block → index + 1 in `visit` */
	Vec(Epoch) visit;     /* its last access to this block's shared memory */
} BlockWatch;

typedef struct ClusterWatch {
	Clock *arriving, *complete; /* at its barrier: in this phase, in the one before */
	Clock *exited;              /* what was known in blocks that have ended */
} ClusterWatch;

typedef struct AccessSets {
	struct AccessSet {
		Range *r;
		u32    n, room, class;
	} reads, strong_reads, strong_writes;
} AccessSets;

/* malloc and free of a block (heap.c), by its base. */
typedef struct HeapRecord {
	u64             base;
	u32             size;
	bool            freed;
	SimtAccess      by, freed_by;
	const SimtInsn *insn;
} HeapRecord;

struct Sanitizer {
	u32       what;    /* SANITIZE_… */
	ClockPool pool;    /* of clocks, cells and shadows */
	Map       words;   /* of global memory */
	Map       cells;   /* of global memory: page → index of `page` */
	Map       poisons; /* page → host pointer */
	Vec(CellPage) page;
	u64 last_page; /* key + 1 of the page that was used last */
	u32 last_index;
	Vec(AccessSets) sets;
	VecU32 spare_sets;
	bool   limited, ended;
	u32    n_mbars;
	Vec(SimtReport) report;
	Map reported; /* kind and instructions → index of `report` */
	Vec(HeapRecord) heap;
	Map heap_at;
	/* of the instruction that runs */
	u32 instance;  /* counts instructions of warps that are no pure functions of lanes */
	u32 n_touched; /* stores of it so far */
	struct {
		u32 instance, lane, bytes;
		u64 address;
	} touched[LANES];
	bool landing;           /* a copy lands, whose accesses began when it was issued */
	u32  actor, actor_time; /* a copy, in whose name accesses are made; NO_ACTOR: the thread itself */
	struct Poison {
		u8 *at; /* of what a lane accesses; `clean`: all of it is initialised */
		u64 address;
		u32 space;
	} poison[LANES], poison_before[LANES];
	u8    clean[64];    /* zeros */
	u32  *clean_rows;   /* of constants */
	u32   moved[LANES]; /* poison that a shuffle moves */
	u32   mixed;        /* … of the results of a vote or a reduction */
	u32 **begins;       /* by function: sanitize_init.c */
};

/* ---- sanitize.c */
void sanitize_new(SimtMachine *m);
void sanitize_block_start(SimtMachine *m, Block *b);
void sanitize_block_end(SimtMachine *m, Block *b);
void sanitize_end(SimtMachine *m); /* after the last block: leaks */
/* A new instruction of a warp. */
static inline void sanitize_insn(Sanitizer *s)
{
	s->instance++;
	s->n_touched = 0;
	s->actor = NO_ACTOR;
}

typedef struct Touch {
	u32       space, bytes, lane;
	u64       address; /* in its space */
	Access    access;
	const u8 *host;
	Block    *block; /* whose shared memory it is */
} Touch;
/* SimtReport.owner of its place. */
static inline u32 touch_owner(const Touch *t) { return t->block ? t->block->number + 1 : 0; }
/* A lane is about to access memory that exists. False: it may not (a fault was reported). */
bool sanitize_touch(SimtMachine *m, const Touch *t);

/* A report about `lane` at the current instruction; NULL where this pair of instructions has one already. The caller may complete
 * it. */
SimtReport              *sanitize_report(SimtMachine *m, FaultKind kind, u32 lane, u32 other_insn);
SimtAccess               sanitize_access_at(const SimtMachine *m, u32 thread, u32 block, const SimtInsn *in);
extern const char *const sanitize_word[]; /* by Access */
Str                      sanitize_thread_text(const SimtMachine *m, const SimtAccess *a);
/* Names what the bytes belong to. */
void sanitize_place(const SimtMachine *m, SimtReport *r, const Touch *t);
/* An address where nothing is: the fault of an access to what has been freed; false: it is none. */
bool sanitize_freed(SimtMachine *m, u64 address, u32 bytes, u32 lane, Access access);
/* The same of a second free. */
bool sanitize_freed_twice(SimtMachine *m, u64 base, u32 lane);
void sanitize_malloc(SimtMachine *m, u64 base, u64 size, u32 lane);
void sanitize_free(SimtMachine *m, u64 base, u32 lane);

/* ---- sanitize_order.c */
u32          order_actor(const SimtMachine *m, const Block *b, u32 thread);
ThreadClock *order_thread(const SimtMachine *m, u32 lane);
/* Is the access before everything that the lane does now? `visible`: and visible to asynchronous copies. */
bool order_before(const SimtMachine *m, u32 lane, u32 actor, u32 time, bool visible);
/* The first actor of a range that is not; ~0: all are. */
u32  order_unknown(const SimtMachine *m, u32 lane, Range r);
void order_barrier_arrive(SimtMachine *m, Block *b, const Warp *w, u32 barrier, u32 mask);
void order_barrier_wake(SimtMachine *m, Block *b, u32 barrier);
void order_lanes_exit(SimtMachine *m, Block *b, const Warp *w, u32 mask);
void order_cluster_arrive(SimtMachine *m, const Block *b, const Warp *w, u32 mask, bool relaxed);
void order_cluster_phase(SimtMachine *m, const Cluster *c); /* all have arrived */
void order_cluster_wait(SimtMachine *m, const Block *b, const Warp *w, u32 mask, const SimtInsn *in);
void order_block_end(SimtMachine *m, const Block *b);
void order_lanes_meet(SimtMachine *m, u32 mask);
void order_words_drop(SimtMachine *m, Map *words);
void order_strong(SimtMachine *m, const Touch *t, u32 order); /* before the access */
bool order_fence(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);

/* ---- asynchronous copies and mbarriers (sanitize_order.c); all do nothing where nothing watches */
typedef enum CopyEnd { COPY_GROUP, COPY_BULK_GROUP, COPY_MBAR } CopyEnd; /* what tells that the copy is complete */
/* Accesses from here on, until the instruction ends or the call below, are the copy's. `mbar`: where the mbarrier lies. */
void order_copy_begin(SimtMachine *m, u32 lane, CopyEnd end, SharedPlace mbar);
void order_copy_end(SimtMachine *m, u32 lane, CopyEnd end, SharedPlace mbar);
void order_commit(SimtMachine *m, u32 mask, CopyEnd end);
/* Until at most `pending` groups are open; `read`: their sources have been read. */
void order_wait(SimtMachine *m, u32 mask, CopyEnd end, u32 pending, bool read);
void order_wait_all(SimtMachine *m, u32 mask); /* of COPY_GROUP, in no group yet too */
/* The lane's copies by COPY_GROUP so far arrive at the mbarrier when they are complete. */
void order_copies_arrive(SimtMachine *m, u32 lane, SharedPlace mbar);
void order_mbar_init(SimtMachine *m, SharedPlace mbar);
void order_mbar_arrive(SimtMachine *m, u32 lane, const AsyncForm *x, SharedPlace mbar);
void order_mbar_phase(SimtMachine *m, SharedPlace mbar); /* it is complete: the next one begins */
/* A thread looks whether the phase is complete. False after a fault: it can never be. */
bool order_mbar_wait(SimtMachine *m, u32 lane, const AsyncForm *x, SharedPlace mbar, bool over);

/* ---- sanitize_race.c */
void race_touch(SimtMachine *m, const Touch *t, u32 order);
/* A block ends: accesses of others to its shared memory that may come later. */
void race_visits_end(SimtMachine *m, Block *b);
void race_forget(SimtMachine *m, u64 base, u64 size); /* memory of malloc that is given out */
void race_clear(Sanitizer *s, CellPage *pages, u32 n);

/* ---- sanitize_init.c: the hooks of loads, stores, atomics and copies do nothing without SANITIZE_INIT */
void init_touch(SimtMachine *m, const Touch *t);
void init_poison(SimtMachine *m, u64 base, u64 size); /* of global memory */
void init_lanes(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
void init_guard(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
void init_special(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask); /* before it runs */
void init_results(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask); /* after it has */
void init_loaded(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
void init_stored(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
void init_atomic(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 lane);
void init_copied(SimtMachine *m, u32 lane, u32 bytes); /* to what the lane touched last from what it touched before */
void init_frame(SimtMachine *m, Warp *w, Frame *f, u32 mask);
void init_copy_rows(SimtMachine *m, const Frame *to, i32 d, const Frame *from, i32 s, u32 rows, u32 mask);

/* ---- sanitize_sync.c */
void sync_members(SimtMachine *m, u32 lane, u32 member, u32 here);
void sync_shuffle(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask);
bool sync_poll(SimtMachine *m, u32 lane, bool over, SharedPlace mbar); /* a thread asks whether a phase is over */
void sync_progress(SimtMachine *m);

/* ---- sanitize_follow.c: where SimtOptions.follow is not NULL */
typedef struct SimtFollow SimtFollow;
void                      follow_touch(SimtMachine *m, const Touch *t);
void follow_sync(SimtMachine *m, const Block *b, const Warp *w, u32 mask, const SimtInsn *i, const char *what);
void follow_strong(SimtMachine *m, const Touch *t, u32 order);
void follow_found(SimtMachine *m, FaultKind kind, u32 other_insn); /* a report has been made */

#endif
