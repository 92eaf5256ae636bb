/* cluster.c: clusters of blocks: where they lie in the grid, their shared memory, their barrier.
 *
 * The blocks of a cluster start together. A block's shared memory has the addresses from rank << WINDOW_BITS on, for itself and for the
 * others, so what `mapa` gives, what a variable's address is and what a generic address says agree. Constants that are such addresses
 * have rows of their own for each rank (Block.pool).
 *
 * The barrier has phases. A thread arrives, and later waits until all threads of the cluster that have not exited have arrived:
 *
 *	arrive    Warp.arrived    …all are here:    Warp.passed    wait
 *
 * Accesses to the shared memory of a block that has ended are faults. */
#include "simt/jobs.h"
#include "simt/limit.h"
#include "simt/sanitize.h"

static bool refuse(SimtMachine *m, Str why)
{
	diag_report(&m->s->diags, DIAG_LAUNCH, src_at(0, 0), why.p);
	return false;
}

/* ---- sizes */

/* The constants as blocks of each rank have them. */
static void set_up_pools(SimtMachine *m)
{
	const SimtProgram *p = m->p;
	m->pools[0] = m->pool = p->pool;
	for (u32 rank = 1; rank < m->cluster_size; rank++) {
		m->pools[rank] = p->pool;
		if (!p->shared_rows.n)
			continue;
		size_t bytes = (size_t)p->pool_rows * LANES * sizeof(u32);
		u32   *pool = m->pools[rank] = arena_alloc(&m->arena, bytes, 64);
		memcpy(pool, p->pool, bytes);
		for (u32 i = 0; i < p->shared_rows.n; i++) {
			u32 *row = pool + (size_t)(p->shared_rows.p[i] >> 1) * LANES;
			for (u32 l = 0; l < LANES; l++)
				if (p->shared_rows.p[i] & 1)
					set_lane64(row, l, lane64(row, l) + ((u64)rank << WINDOW_BITS));
				else
					row[l] += rank << WINDOW_BITS;
		}
	}
}

static Str dimensions(SimtMachine *m, const u32 *d) { return arena_fmt(&m->arena, "%u, %u, %u", d[0], d[1], d[2]); }

bool cluster_set_up(SimtMachine *m)
{
	const SimtFunc *f = &m->p->func.p[m->entry];
	SimtLaunch     *l = &m->launch;
	const u32      *d = l->cluster[0] ? l->cluster : f->cluster;
	if (l->cluster[0] && f->cluster[0] && memcmp(l->cluster, f->cluster, sizeof l->cluster) != 0)
		return refuse(m, arena_fmt(&m->arena, "a cluster of %s blocks, but '%.*s' says %s", dimensions(m, l->cluster).p,
		                           STR_ARG(f->name), dimensions(m, f->cluster).p));
	if (!d[0] && (f->explicit_cluster || f->grid_of_clusters))
		return refuse(m, arena_fmt(&m->arena, "'%.*s' wants the launch to say how many blocks a cluster has",
		                           STR_ARG(f->name)));
	m->explicit_cluster = d[0] != 0;
	u64 size = 1;
	for (u32 i = 0; i < 3; i++) {
		m->cluster[i] = d[0] ? PS_MAX(d[i], 1u) : 1;
		size = size_mul(size, m->cluster[i]);
	}
	if (!simt_within(m->s, SIMT_LIMIT_CLUSTER, size, STR("cluster"), 0))
		return false;
	if (f->max_rank && size > f->max_rank)
		return refuse(m, arena_fmt(&m->arena, "a cluster of %llu blocks: '%.*s' allows %u (.maxclusterrank)",
		                           (unsigned long long)size, STR_ARG(f->name), f->max_rank));
	m->cluster_size = (u32)size;
	for (u32 i = 0; i < 3; i++) {
		u64 blocks = f->grid_of_clusters ? size_mul(l->grid[i], m->cluster[i]) : l->grid[i];
		l->grid[i] = size_u32(blocks);
		if (blocks % m->cluster[i])
			return refuse(m, arena_fmt(&m->arena, "a grid of %s blocks is no whole number of clusters of %s",
			                           dimensions(m, l->grid).p, dimensions(m, m->cluster).p));
	}
	set_up_pools(m);
	return true;
}

static u32 clusters_along(const SimtMachine *m, u32 i) { return m->launch.grid[i] / m->cluster[i]; }

void cluster_place(const SimtMachine *m, u32 number, u32 id[3])
{
	u32 x = clusters_along(m, 0), y = clusters_along(m, 1);
	id[0] = number % x * m->cluster[0];
	id[1] = number / x % y * m->cluster[1];
	id[2] = number / x / y * m->cluster[2];
}

u32 cluster_of_block(const SimtMachine *m, u32 block)
{
	const u32 *grid = m->launch.grid;
	u32        x = block % grid[0] / m->cluster[0], y = block / grid[0] % grid[1] / m->cluster[1],
	    z = block / grid[0] / grid[1] / m->cluster[2];
	return (z * clusters_along(m, 1) + y) * clusters_along(m, 0) + x;
}

/* ---- its blocks */

Cluster *cluster_start(SimtMachine *m)
{
	u32 number;
	if (!m->job)
		number = m->next_cluster++;
	else if (!jobs_next_cluster(m->job, &number))
		return NULL;
	Cluster *c = m->spare_cluster ? m->spare_cluster : arena_new(&m->arena, Cluster);
	m->spare_cluster = m->spare_cluster ? c->next : NULL;
	struct ClusterWatch *watch = c->watch;
	*c = (Cluster){.number = number, .watch = watch};
	return c;
}

void cluster_join(SimtMachine *m, Cluster *c, Block *b, u32 rank)
{
	const u32 *d = m->cluster;
	u32        in[3] = {rank % d[0], rank / d[0] % d[1], rank / d[0] / d[1]};
	cluster_place(m, c->number, b->id);
	for (u32 i = 0; i < 3; i++)
		b->id[i] += in[i];
	b->number = (b->id[2] * m->launch.grid[1] + b->id[1]) * m->launch.grid[0] + b->id[0];
	b->cluster = c;
	b->rank = rank;
	b->base = (u64)rank << WINDOW_BITS;
	b->pool = m->pools[rank];
	b->stuck = false;
	c->block[rank] = b;
	c->live++;
}

void cluster_leave(SimtMachine *m, Block *b)
{
	Cluster *c = b->cluster;
	c->block[b->rank] = NULL;
	if (--c->live)
		return;
	c->next = m->spare_cluster;
	m->spare_cluster = c;
}

SharedPlace shared_place(const SimtMachine *m, u64 address)
{
	u64 rank = address >> WINDOW_BITS;
	return (SharedPlace){rank < MOST_RANKS ? m->cur_block->cluster->block[rank] : NULL, address % WINDOW_SIZE};
}

SharedPlace shared_place_of(const SimtMachine *m, const u8 *p)
{
	const Cluster *c = m->cur_block->cluster;
	for (u32 i = 0; i < m->cluster_size; i++) {
		Block *b = c->block[i];
		if (b && (uintptr_t)p - (uintptr_t)b->shared < m->shared_size)
			return (SharedPlace){b, (u64)(p - b->shared)};
	}
	return (SharedPlace){NULL, 0};
}

bool cluster_is_stuck(const Cluster *c)
{
	for (u32 i = 0; i < MOST_RANKS; i++)
		if (c->block[i] && !c->block[i]->stuck)
			return false;
	return true;
}

/* ---- the barrier */

u32 cluster_threads(const Cluster *c)
{
	u32 n = 0;
	for (u32 i = 0; i < MOST_RANKS; i++)
		n += c->block[i] ? c->block[i]->threads_live : 0;
	return n;
}

/* Lanes that wait, and have all arrived in phases that are over, go on. */
static void wake_block(SimtMachine *m, Block *b)
{
	for (u32 k = 0; k < b->n_warps; k++) {
		Warp *w = &b->warp[k];
		w->passed |= w->arrived;
		w->arrived = 0;
		for (u32 i = 0; i < w->path.n; i++) {
			Path *p = &w->path.p[i];
			if (p->state != PATH_AT_BARRIER || p->member != CLUSTER_BARRIER)
				continue;
			if (m->san)
				order_cluster_wait(m, b, w, p->mask, &m->p->code.p[p->pc]);
			w->passed &= ~p->mask;
			p->state = PATH_READY;
			p->pc++;
		}
	}
}

void cluster_check(SimtMachine *m, Cluster *c)
{
	if (!c->arrived || c->arrived < cluster_threads(c))
		return;
	if (m->san)
		order_cluster_phase(m, c);
	for (u32 i = 0; i < m->cluster_size; i++)
		if (c->block[i])
			wake_block(m, c->block[i]);
	c->arrived = 0;
	c->met = true;
	m->stats.barriers++;
}

static bool arrive(SimtMachine *m, const Arrival *a)
{
	Warp *w = a->warp;
	u32   again = a->mask & (w->arrived | w->passed);
	if (again)
		return simt_fail(m, FAULT_BARRIER, first_lane(again),
		                 "the thread arrives at the cluster's barrier a second time and has not waited in between");
	w->arrived |= a->mask;
	a->block->cluster->arrived += lane_count(a->mask);
	if (m->san)
		order_cluster_arrive(m, a->block, w, a->mask, a->insn->x & BAR_RELAXED);
	a->path->pc++;
	cluster_check(m, a->block->cluster);
	return true;
}

bool cluster_arrive(SimtMachine *m, const Arrival *a, bool *waits)
{
	Warp *w = a->warp;
	*waits = false;
	if ((a->insn->x & BAR_OP) == BAR_CLUSTER_ARRIVE)
		return arrive(m, a);
	u32 early = a->mask & ~(w->arrived | w->passed);
	if (early)
		return simt_fail(m, FAULT_BARRIER, first_lane(early),
		                 "the thread waits at the cluster's barrier, at which it has not arrived");
	if (a->mask & w->arrived) {
		a->path->state = PATH_AT_BARRIER;
		a->path->member = CLUSTER_BARRIER;
		return *waits = true;
	}
	if (m->san)
		order_cluster_wait(m, a->block, w, a->mask, a->insn);
	w->passed &= ~a->mask;
	a->path->pc++;
	return true;
}
