/* jobs.h: several jobs that execute the clusters of one launch at the same time, in threads of the host.
 *
 * Each job is a machine of its own (blocks, registers, statistics, arena) that shares the launch's program, memory and heap with the
 * others and takes the next cluster when it has none that gets on. The first one runs alone for the first instructions, in the caller's
 * thread: most launches of real programs end before another thread would have begun. What blocks may do to each other goes through here:
 *
 *	the next cluster      an atomic counter
 *	strong accesses       the lock of the 16 bytes around the address: those to one place happen one after the other, and what a
 *	                      thread did before is there for those who read its value. Shared memory has none: a cluster is in one job
 *	memory, malloc, free  one lock, whose holder it knows, since running out of memory leaves through setjmp in the holder's thread
 *
 * The rest is put together in the order of clusters when all have ended: what was printed, and of several faults the one in the
 * lowest cluster, which one job would have come to first. */
#ifndef PS_SIMT_JOBS_H
#define PS_SIMT_JOBS_H

#include "simt/machine.h"

/* Of the launch's machine: does it run with several jobs? Decided when it runs for the first time. */
bool       jobs_start(SimtMachine *m);
SimtStatus jobs_run(SimtMachine *m, u64 budget);
void       jobs_free(Jobs *js);

/* Of a job's machine. */
bool jobs_next_cluster(Job *j, u32 *number);
bool jobs_has_cluster(const Job *j);
/* The lock of the bytes at p. */
void jobs_cell_take(Job *j, const u8 *p);
void jobs_cell_give(Job *j, const u8 *p);
/* The lock of memory and heap. False: the job has it already, and is not to give it back. */
bool jobs_take(Job *j);
void jobs_give(Job *j);
void jobs_fence(void);
/* `n` bytes were printed by the current block. */
void jobs_printed(SimtMachine *m, u32 n);

/* May threads of other jobs access the byte? */
static inline bool cell_is_open(const SimtMachine *m, const u8 *p)
{
	return m->job && (size_t)(p - m->cur_block->shared) >= m->shared_size;
}
static inline void cell_take(const SimtMachine *m, const u8 *p)
{
	if (cell_is_open(m, p))
		jobs_cell_take(m->job, p);
}
static inline void cell_give(const SimtMachine *m, const u8 *p)
{
	if (cell_is_open(m, p))
		jobs_cell_give(m->job, p);
}

#endif
