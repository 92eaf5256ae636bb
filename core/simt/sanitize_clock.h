/* sanitize_clock.h: vector clocks whose entries are ranges of actors.
 *
 * An actor is whoever makes accesses in an order of its own: a thread, or what copies for it (sanitize_order.c). Each counts its own
 * time; a clock says up to which time its owner knows each actor's accesses:
 *
 *	actors    0 … 255   256 … 511   517            everyone else
 *	time         3          7        9                   0
 *
 * Threads that have met at a barrier have equal entries, so a block takes one range where a plain vector would take 1024 entries
 * (the idea of compressed clocks is BARRACUDA's: Eizenberg et al., PLDI 2017). Clocks never change once they are made; threads share
 * them and count references. Joining two takes time for their ranges. */
#ifndef PS_SIMT_SANITIZE_CLOCK_H
#define PS_SIMT_SANITIZE_CLOCK_H

#include "base/arena.h"

/* Actors first .. last at one time. `insn` tells accesses apart in sets of accesses (sanitize_race.c), it is 0 in clocks. */
typedef struct Range {
	u32 first, last, time, insn;
} Range;

typedef struct Clock {
	u32   refs, n, class;
	Range r[];
} Clock;

enum { CLOCK_CLASSES = 32 };
/* Where clocks and sets take their memory. `used` counts what is handed out now. */
typedef struct ClockPool {
	Arena *arena;
	void  *spare[CLOCK_CLASSES]; /* given back, by log2 of the size */
	u64    used;
	Range *work; /* a join's result before it has a place */
	u32    work_cap;
} ClockPool;

void *pool_take(ClockPool *p, u64 bytes, u32 *class);
void  pool_give(ClockPool *p, void *memory, u32 class);
/* Room for n ranges, until the next call. */
Range *pool_work(ClockPool *p, u32 n);

static inline Clock *clock_ref(Clock *c)
{
	if (c)
		c->refs++;
	return c;
}
void clock_drop(ClockPool *p, Clock *c);
/* Takes over the reference to `value` and drops what was there. */
static inline void clock_assign(ClockPool *p, Clock **at, Clock *value)
{
	Clock *old = *at;
	*at = value;
	clock_drop(p, old);
}
/* *at takes in `more` (may be NULL). */
void clock_join(ClockPool *p, Clock **at, const Clock *more);
void clock_join_range(ClockPool *p, Clock **at, Range r);
/* Is anything known of any of these actors? */
bool clock_meets(const Clock *c, u32 first, u32 last);
/* The time of the actor; 0: nothing of it is known. */
u32 clock_time(const Clock *c, u32 actor);
/* The first actor of the range whose accesses up to r.time the clock does not know; ~0: it knows them all. */
u32 clock_unknown(const Clock *c, Range r);
/* *at takes in what `from` says of actors below `limit`, as the actors `shift` above them. */
void clock_join_shifted(ClockPool *p, Clock **at, const Clock *from, u32 limit, u32 shift);

#endif
