/* sanitize_sync.c: member masks that name lanes which cannot come, and waits at mbarriers that nobody can end. (Barriers that are
 * reached by some lanes of a warp, by wrong counts or by too few threads are faults in any run.) */
#include "simt/sanitize.h"

static bool is_on(const SimtMachine *m) { return m->san->what & SANITIZE_SYNC; }

void sync_members(SimtMachine *m, u32 lane, u32 member, u32 here)
{
	const Warp *w = m->cur_warp;
	u32         exited = member & w->exists & ~w->live, elsewhere = member & w->live & ~here;
	if (!is_on(m) || (!exited && !elsewhere))
		return;
	SimtReport *r = sanitize_report(m, FAULT_SYNC_MASK, lane, 0);
	if (r && exited)
		r->message = arena_fmt(&m->arena, "the mask 0x%08x names lanes 0x%08x, which have exited", member, exited);
	else if (r)
		r->message = arena_fmt(&m->arena, "the mask 0x%08x names lanes 0x%08x, which do not execute the instruction",
		                       member, elsewhere);
	if (r)
		r->at.what = "synchronisation";
}

/* A shuffle that reads a lane which is not there gives an undefined value. */
void sync_shuffle(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	u32 from[LANES];
	if (!is_on(m))
		return;
	warp_shuffle_sources(m, f, i, mask, from);
	each_lane(mask, l) {
		if (mask >> from[l] & 1)
			continue;
		SimtReport *r = sanitize_report(m, FAULT_SYNC_MASK, l, 0);
		if (!r)
			return;
		r->at.what = "synchronisation";
		r->message = arena_fmt(&m->arena, "the shuffle reads lane %u, which does not take part: its value is undefined",
		                       from[l]);
		return;
	}
}

/* ---- mbarriers */

void sync_progress(SimtMachine *m)
{
	for (u32 i = 0; i < m->cluster_size; i++) {
		const Block *block = m->cur_block->cluster->block[i];
		BlockWatch  *b = block ? block->watch : NULL;
		if (!b || !b->pollers)
			continue;
		for (u32 t = 0; t < m->threads; t++)
			b->thread[t].polls = 0;
		b->pollers = 0;
	}
}

/* Threads of the block that poll in vain or wait at a barrier. */
static u32 waiting_in(const Block *b)
{
	u32 waiting = b->watch->pollers;
	for (u32 k = 0; k < b->n_warps; k++)
		for (u32 i = 0; i < b->warp[k].path.n; i++)
			if (b->warp[k].path.p[i].state == PATH_AT_BARRIER)
				waiting += lane_count(b->warp[k].path.p[i].mask);
	return waiting;
}

/* All threads that live poll mbarriers or wait at barriers, and none has arrived anywhere since each of them polled POLLS times:
 * nobody is left to complete a phase. False, after the fault. */
bool sync_poll(SimtMachine *m, u32 lane, bool over, SharedPlace mbar)
{
	enum { POLLS = 64 };
	if (!is_on(m))
		return true;
	Block       *b = m->cur_block;
	ThreadClock *t = order_thread(m, lane);
	u32          waiting = 0, alive = cluster_threads(b->cluster);
	if (over) {
		sync_progress(m);
		return true;
	}
	if (++t->polls == POLLS)
		b->watch->pollers++;
	if (t->polls < POLLS || b->watch->pollers == 0)
		return true;
	for (u32 i = 0; i < m->cluster_size; i++)
		waiting += b->cluster->block[i] ? waiting_in(b->cluster->block[i]) : 0;
	if (waiting < alive)
		return true;
	return simt_fail(m, FAULT_DEADLOCK, lane,
	                 "the mbarrier at 0x%llx cannot complete its phase: all %u threads of the %s wait, and nobody arrives",
	                 (unsigned long long)mbar.at, alive, m->cluster_size > 1 ? "cluster" : "block");
}
