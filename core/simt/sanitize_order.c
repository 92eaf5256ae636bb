/* sanitize_order.c: what happens before what. Each thread has a clock (sanitize_clock.h) of the accesses that are before everything it
 * does from now on; an access is one actor at one time (FastTrack's epochs: Flanagan and Freund, PLDI 2009). Orders come from
 *
 *	bar.sync, barrier                     who waits knows what all who arrived knew; exited threads have arrived
 *	barrier.cluster                       the same in a cluster; .relaxed arrivals hand on what a fence was behind of
 *	bar.arrive                            is known to those who wait, and learns nothing
 *	bar.warp.sync                         the lanes of the mask know what each knew
 *	release … acquire                     by a strong write and a strong read of it, in scopes that hold both; read-modify-writes
 *	                                      continue a release sequence. Fences make releases and acquires of the relaxed accesses
 *	                                      around them
 *	mbarriers                             arrivals release, a wait that finds the phase complete acquires, in scopes that hold both
 *	                                      threads; relaxed ones do so by the fences around them. Where no scope is written the
 *	                                      manual says the block; taken is what reaches the mbarrier, as CUTLASS' pipelines between
 *	                                      blocks write none
 *	asynchronous copies                   are accesses of actors of their own, which begin with what the thread knows; a wait for
 *	                                      the group, or for the mbarrier, makes them known
 *
 * as the memory consistency model of the PTX ISA has it. shfl, vote, match and redux order nothing. Which accesses are visible to the
 * asynchronous proxy is in the clocks, too (ACTOR_VISIBLE). */
#include "simt/jobs.h"
#include "simt/sanitize.h"

u32 order_actor(const SimtMachine *m, const Block *b, u32 thread) { return b->number * m->threads + thread; }

static ThreadClock *thread_at(const Block *b, const Warp *w, u32 lane) { return &b->watch->thread[w->number * LANES + lane]; }

ThreadClock *order_thread(const SimtMachine *m, u32 lane) { return thread_at(m->cur_block, m->cur_warp, lane); }

static u32 actor_of(const SimtMachine *m, const Block *b, const Warp *w, u32 lane)
{
	return order_actor(m, b, w->number * LANES + lane);
}

static bool is_on(const SimtMachine *m) { return m->san && m->san->what & (SANITIZE_RACE | SANITIZE_SYNC); }

bool order_before(const SimtMachine *m, u32 lane, u32 actor, u32 time, bool visible)
{
	const ThreadClock *t = order_thread(m, lane);
	u32                me = actor_of(m, m->cur_block, m->cur_warp, lane);
	if (visible)
		return time <= clock_time(t->known, actor + ACTOR_VISIBLE);
	switch (actor - me) { /* its own accesses and copies */
	case 0: return true;
	case ACTOR_COPY: return time <= t->copy_done;
	case ACTOR_BULK: return time <= t->bulk_done;
	case ACTOR_BULK_READ: return time <= t->bulk_read;
	default: return time <= clock_time(t->known, actor);
	}
}

u32 order_unknown(const SimtMachine *m, u32 lane, Range r)
{
	const ThreadClock *t = order_thread(m, lane);
	while (r.first <= r.last) {
		u32 actor = clock_unknown(t->known, r);
		if (actor == ~0u || !order_before(m, lane, actor, r.time, false))
			return actor;
		if (actor == r.last)
			break;
		r.first = actor + 1;
	}
	return ~0u;
}

/* ---- what lanes know, together */

/* *to takes in what the lanes know and have done; their next accesses are later ones. */
static void publish(SimtMachine *m, Clock **to, const Block *b, const Warp *w, u32 mask)
{
	ClockPool *p = &m->san->pool;
	u32        time = 0;
	each_lane(mask, l) {
		const ThreadClock *t = thread_at(b, w, l);
		u32                me = actor_of(m, b, w, l);
		clock_join(p, to, t->known);
		time = PS_MAX(time, t->time);
		if (t->copy_done)
			clock_join_range(p, to, (Range){me + ACTOR_COPY, me + ACTOR_COPY, t->copy_done, 0});
		if (t->bulk_done)
			clock_join_range(p, to, (Range){me + ACTOR_BULK, me + ACTOR_BULK, t->bulk_done, 0});
		if (t->bulk_read)
			clock_join_range(p, to, (Range){me + ACTOR_BULK_READ, me + ACTOR_BULK_READ, t->bulk_read, 0});
	}
	/* Equal times make one range of neighbours. A thread's time may be set forward at will. */
	for (u32 rest = mask; rest;) {
		u32 first = first_lane(rest), above = ~(rest >> first), base = actor_of(m, b, w, first);
		u32 n = above ? first_lane(above) : LANES;
		clock_join_range(p, to, (Range){base, base + n - 1, time, 0});
		rest = first + n >= LANES ? 0 : rest >> (first + n) << (first + n);
	}
	each_lane(mask, l)
		thread_at(b, w, l)->time = time + 1;
}

static void learn(SimtMachine *m, const Block *b, const Warp *w, u32 mask, const Clock *what)
{
	each_lane(mask, l)
		clock_join(&m->san->pool, &thread_at(b, w, l)->known, what);
}

void order_lanes_meet(SimtMachine *m, u32 mask)
{
	Clock *all = NULL;
	if (!is_on(m))
		return;
	if (m->o.follow)
		follow_sync(m, m->cur_block, m->cur_warp, mask, m->cur_insn, "warp barrier");
	publish(m, &all, m->cur_block, m->cur_warp, mask);
	learn(m, m->cur_block, m->cur_warp, mask, all);
	clock_drop(&m->san->pool, all);
}

/* ---- barriers */

void order_barrier_arrive(SimtMachine *m, Block *b, const Warp *w, u32 barrier, u32 mask)
{
	if (!is_on(m))
		return;
	publish(m, &b->watch->barrier[barrier], b, w, mask);
	if (m->o.follow && (m->cur_insn->x & 7) == BAR_ARRIVE)
		follow_sync(m, b, w, mask, m->cur_insn, "arrival");
}

void order_lanes_exit(SimtMachine *m, Block *b, const Warp *w, u32 mask)
{
	if (is_on(m))
		publish(m, &b->watch->exited, b, w, mask);
}

/* Those who wait have done nothing since they arrived: with one time for all, they make one range. */
void order_barrier_wake(SimtMachine *m, Block *b, u32 barrier)
{
	if (!is_on(m))
		return;
	Clock **all = &b->watch->barrier[barrier];
	u32     time = 0;
	for (u32 pass = 0; pass < 3; pass++)
		for (u32 k = 0; k < b->n_warps; k++) {
			Warp *w = &b->warp[k];
			for (u32 i = 0; i < w->path.n; i++) {
				const Path *p = &w->path.p[i];
				if (p->state != PATH_AT_BARRIER || p->member != barrier)
					continue;
				if (pass == 0)
					each_lane(p->mask, l)
						time = PS_MAX(time, thread_at(b, w, l)->time);
				if (pass == 1) {
					each_lane(p->mask, l)
						thread_at(b, w, l)->time = time;
					publish(m, all, b, w, p->mask);
				}
				if (pass == 2)
					learn(m, b, w, p->mask, *all);
				if (pass == 2 && m->o.follow)
					follow_sync(m, b, w, p->mask, &m->p->code.p[p->pc], "barrier");
			}
			if (pass == 1 && k + 1 == b->n_warps)
				clock_join(&m->san->pool, all, b->watch->exited);
		}
	clock_assign(&m->san->pool, all, NULL);
}

/* ---- clusters */

void order_cluster_arrive(SimtMachine *m, const Block *b, const Warp *w, u32 mask, bool relaxed)
{
	ClusterWatch *all = b->cluster->watch;
	if (!is_on(m))
		return;
	if (!relaxed) {
		publish(m, &all->arriving, b, w, mask);
		return;
	}
	each_lane(mask, l)
		clock_join(&m->san->pool, &all->arriving, thread_at(b, w, l)->released[SCOPE_CLUSTER]);
}

void order_cluster_phase(SimtMachine *m, const Cluster *c)
{
	ClusterWatch *all = c->watch;
	if (!is_on(m))
		return;
	clock_join(&m->san->pool, &all->arriving, all->exited);
	for (u32 i = 0; i < m->cluster_size; i++)
		if (c->block[i])
			clock_join(&m->san->pool, &all->arriving, c->block[i]->watch->exited);
	clock_assign(&m->san->pool, &all->complete, all->arriving);
	all->arriving = NULL;
}

void order_cluster_wait(SimtMachine *m, const Block *b, const Warp *w, u32 mask, const SimtInsn *in)
{
	if (!is_on(m))
		return;
	if (m->o.follow)
		follow_sync(m, b, w, mask, in, "barrier");
	learn(m, b, w, mask, b->cluster->watch->complete);
}

void order_block_end(SimtMachine *m, const Block *b)
{
	ClusterWatch *all = b->cluster->watch;
	clock_join(&m->san->pool, &all->exited, b->watch->exited);
	if (b->cluster->live > 1)
		return;
	clock_assign(&m->san->pool, &all->arriving, NULL);
	clock_assign(&m->san->pool, &all->complete, NULL);
	clock_assign(&m->san->pool, &all->exited, NULL);
}

/* ---- atomics and fences */

enum { MBAR_WORD = 1 }; /* mbarriers and other words of shared memory have keys of their own */

/* `block`: whose shared memory it is; NULL: global memory. */
static SyncWord *word_at(SimtMachine *m, const Block *block, u64 address, bool make)
{
	Map *words = block ? &block->watch->words : &m->san->words;
	u64 *at = make ? map_put(words, address, NULL) : map_get(words, address);
	u32 class;
	if (at && !*at && make) {
		SyncWord *w = pool_take(&m->san->pool, sizeof *w, &class);
		*w = (SyncWord){.from = {~0u, ~0u, 0}, .class = class};
		*at = (u64)(uintptr_t)w;
	}
	return at ? (SyncWord *)(uintptr_t)*at : NULL;
}

void order_words_drop(SimtMachine *m, Map *words)
{
	ClockPool *p = &m->san->pool;
	map_each(words, e)
	{
		SyncWord *w = (SyncWord *)(uintptr_t)e->value;
		for (u32 k = 0; k < REACHES; k++)
			clock_drop(p, w->reach[k]);
		for (u32 k = 0; k < 2; k++) {
			clock_drop(p, w->pending[k]);
			clock_drop(p, w->complete[k]);
		}
		pool_give(p, w, w->class);
	}
	map_clear(words);
}

static u32 reach_of(u32 order) { return PS_MIN((u32)order_scope(order), REACHES - 1u); }

/* The block, the cluster, the device that the current thread is of. */
static void groups_of(const SimtMachine *m, u32 group[REACHES])
{
	group[0] = m->cur_block->number;
	group[1] = m->cur_block->cluster->number;
	group[2] = 0;
}

/* A reader takes what was written in a scope that holds it by a thread that its own scope holds. */
static void strong_read(SimtMachine *m, const SyncWord *w, u32 lane, u32 order)
{
	ThreadClock *t = order_thread(m, lane);
	u32          group[REACHES];
	groups_of(m, group);
	for (u32 k = 0; k <= reach_of(order); k++)
		if (w->from[k] == group[k])
			clock_join(&m->san->pool, order & ORDER_ACQUIRE ? &t->known : &t->unfenced[k], w->reach[k]);
}

/* A strong write hands on everything, or what the thread's last fence was behind of. */
static void strong_write(SimtMachine *m, SyncWord *w, u32 lane, u32 order, bool continues)
{
	const ThreadClock *t = order_thread(m, lane);
	ClockPool         *p = &m->san->pool;
	Clock             *all = NULL;
	u32                group[REACHES];
	groups_of(m, group);
	if (order & ORDER_RELEASE)
		publish(m, &all, m->cur_block, m->cur_warp, 1u << lane);
	for (u32 k = 0; k < REACHES; k++) {
		if (!continues || w->from[k] != group[k])
			clock_assign(p, &w->reach[k], NULL);
		if (k <= reach_of(order))
			clock_join(p, &w->reach[k], order & ORDER_RELEASE ? all : t->released[k]);
		w->from[k] = group[k];
	}
	clock_drop(p, all);
}

void order_strong(SimtMachine *m, const Touch *t, u32 order)
{
	const ThreadClock *me = order_thread(m, t->lane);
	bool               writes = t->access != ACCESS_READ, reads = t->access != ACCESS_WRITE;
	/* What reaches farther reaches the block, too. */
	bool      releases = writes && (order & ORDER_RELEASE || me->released[0]);
	SyncWord *w = word_at(m, t->block, t->address << MBAR_WORD, releases);
	if (m->o.follow)
		follow_strong(m, t, order);
	if (!w)
		return;
	if (reads)
		strong_read(m, w, t->lane, order);
	if (writes)
		strong_write(m, w, t->lane, order, reads);
}

bool order_fence(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	(void)f;
	if (m->job)
		jobs_fence();
	if (!is_on(m))
		return true;
	ClockPool *p = &m->san->pool;
	u32        reach = reach_of(i->x);
	if (m->o.follow)
		follow_sync(m, m->cur_block, m->cur_warp, mask, i, i->x & ORDER_PROXY ? "proxy fence" : "fence");
	each_lane(mask, l) {
		ThreadClock *t = order_thread(m, l);
		for (u32 k = 0; i->x & ORDER_ACQUIRE && k <= reach; k++) {
			clock_join(p, &t->known, t->unfenced[k]);
			clock_assign(p, &t->unfenced[k], NULL);
		}
		if (i->x & ORDER_RELEASE) {
			Clock *mine = NULL;
			publish(m, &mine, m->cur_block, m->cur_warp, 1u << l);
			for (u32 k = 0; k <= reach; k++)
				clock_assign(p, &t->released[k], clock_ref(mine));
			clock_drop(p, mine);
		}
		if (i->x & ORDER_PROXY) {
			Clock *mine = NULL;
			publish(m, &mine, m->cur_block, m->cur_warp, 1u << l);
			clock_join_shifted(p, &t->known, mine, MOST_ACTORS, ACTOR_VISIBLE);
			clock_drop(p, mine);
		}
	}
	return true;
}

/* ---- mbarriers and asynchronous copies */

/* Of SyncWord.pending and .complete: from threads of the mbarrier's own block and from copies; from those of other blocks. */
enum { NEAR, FAR };

static SyncWord *mbar_word_at(SimtMachine *m, SharedPlace mbar) { return word_at(m, mbar.block, mbar.at << MBAR_WORD | 1, true); }

static u32 mbar_actor(Sanitizer *s, SyncWord *w)
{
	if (!w->actor)
		w->actor = ACTOR_MBAR + PS_MIN(++s->n_mbars, (u32)MOST_ACTORS - 1);
	return w->actor;
}

void order_copy_begin(SimtMachine *m, u32 lane, CopyEnd end, SharedPlace mbar)
{
	if (!is_on(m))
		return;
	const ThreadClock *t = order_thread(m, lane);
	Sanitizer         *s = m->san;
	u32                me = actor_of(m, m->cur_block, m->cur_warp, lane);
	s->actor = me + (end == COPY_GROUP ? ACTOR_COPY : ACTOR_BULK);
	s->actor_time = (end == COPY_GROUP ? t->copy : t->bulk) + 1;
	if (end == COPY_MBAR) {
		SyncWord *w = mbar_word_at(m, mbar);
		s->actor = mbar_actor(s, w);
		s->actor_time = w->phase + 1;
	}
}

void order_copy_end(SimtMachine *m, u32 lane, CopyEnd end, SharedPlace mbar)
{
	if (!is_on(m))
		return;
	Sanitizer *s = m->san;
	u32        actor = s->actor, time = s->actor_time;
	s->actor = NO_ACTOR;
	if (end != COPY_MBAR)
		return;
	SyncWord *w = mbar_word_at(m, mbar);
	publish(m, &w->pending[NEAR], m->cur_block, m->cur_warp, 1u << lane);
	clock_join_range(&s->pool, &w->pending[NEAR], (Range){actor, actor, time, 0});
}

void order_commit(SimtMachine *m, u32 mask, CopyEnd end)
{
	if (!is_on(m))
		return;
	each_lane(mask, l) {
		ThreadClock *t = order_thread(m, l);
		if (end == COPY_GROUP)
			t->copy++;
		else
			t->bulk++;
	}
}

void order_wait(SimtMachine *m, u32 mask, CopyEnd end, u32 pending, bool read)
{
	if (!is_on(m))
		return;
	if (m->o.follow)
		follow_sync(m, m->cur_block, m->cur_warp, mask, m->cur_insn, "wait");
	each_lane(mask, l) {
		ThreadClock *t = order_thread(m, l);
		u32          groups = end == COPY_GROUP ? t->copy : t->bulk, done = groups - PS_MIN(pending, groups);
		if (end == COPY_GROUP)
			t->copy_done = PS_MAX(t->copy_done, done);
		else
			t->bulk_read = PS_MAX(t->bulk_read, done);
		if (end == COPY_BULK_GROUP && !read)
			t->bulk_done = PS_MAX(t->bulk_done, done);
	}
}

void order_wait_all(SimtMachine *m, u32 mask)
{
	order_commit(m, mask, COPY_GROUP);
	order_wait(m, mask, COPY_GROUP, 0, false);
}

void order_copies_arrive(SimtMachine *m, u32 lane, SharedPlace mbar)
{
	if (!is_on(m))
		return;
	ThreadClock *t = order_thread(m, lane);
	u32          actor = actor_of(m, m->cur_block, m->cur_warp, lane) + ACTOR_COPY;
	clock_join_range(&m->san->pool, &mbar_word_at(m, mbar)->pending[NEAR], (Range){actor, actor, ++t->copy, 0});
}

void order_mbar_init(SimtMachine *m, SharedPlace mbar)
{
	if (!is_on(m))
		return;
	SyncWord *w = mbar_word_at(m, mbar);
	for (u32 k = 0; k < 2; k++) {
		clock_assign(&m->san->pool, &w->pending[k], NULL);
		clock_assign(&m->san->pool, &w->complete[k], NULL);
	}
}

void order_mbar_arrive(SimtMachine *m, u32 lane, const AsyncForm *x, SharedPlace mbar)
{
	bool remote = mbar.block != m->cur_block;
	sync_progress(m);
	if (!is_on(m) || m->san->landing) /* copies have said what they know when they were issued */
		return;
	if (m->o.follow)
		follow_sync(m, m->cur_block, m->cur_warp, 1u << lane, m->cur_insn, x->relaxed ? "relaxed arrival" : "arrival");
	if (remote && x->reach == REACH_BLOCK)
		return;
	Clock **to = &mbar_word_at(m, mbar)->pending[remote ? FAR : NEAR];
	if (x->relaxed)
		clock_join(&m->san->pool, to, order_thread(m, lane)->released[remote ? SCOPE_CLUSTER : SCOPE_BLOCK]);
	else
		publish(m, to, m->cur_block, m->cur_warp, 1u << lane);
}

void order_mbar_phase(SimtMachine *m, SharedPlace mbar)
{
	sync_progress(m);
	if (!is_on(m))
		return;
	SyncWord *w = mbar_word_at(m, mbar);
	for (u32 k = 0; k < 2; k++) {
		clock_join(&m->san->pool, &w->complete[k], w->pending[k]);
		clock_assign(&m->san->pool, &w->pending[k], NULL);
	}
	w->phase++;
}

bool order_mbar_wait(SimtMachine *m, u32 lane, const AsyncForm *x, SharedPlace mbar, bool over)
{
	if (is_on(m) && over) {
		ThreadClock    *t = order_thread(m, lane);
		const SyncWord *w = mbar_word_at(m, mbar);
		if (m->o.follow)
			follow_sync(m, m->cur_block, m->cur_warp, 1u << lane, m->cur_insn, x->relaxed ? "relaxed wait" : "wait");
		clock_join(&m->san->pool, x->relaxed ? &t->unfenced[SCOPE_BLOCK] : &t->known, w->complete[NEAR]);
		if (x->reach != REACH_BLOCK)
			clock_join(&m->san->pool, x->relaxed ? &t->unfenced[SCOPE_CLUSTER] : &t->known, w->complete[FAR]);
	}
	return sync_poll(m, lane, over, mbar);
}
