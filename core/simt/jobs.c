/* jobs.c: see jobs.h. */
#include "simt/jobs.h"

#include "base/sort.h"
#include "simt/async.h"
#include "simt/order.h"

#include <setjmp.h>
#include <stdatomic.h>

enum {
	CHUNK = 1 << 16, /* warp instructions of a job before it looks whether it is to go on */
	ALONE = 1 << 13, /* … of the first job before there are others, unless the options say: as long as waking threads takes */
	CELLS = 1024,
	SPINS = 64, /* looks at a lock before the thread lets others go on */
	MOST_JOBS = 64,
};

/* What a cluster has printed in one piece: bytes of the job's text. */
typedef struct Printed {
	u32 cluster, at, n, job;
} Printed;

struct Job {
	Jobs       *jobs;
	u32         number;
	SimtMachine m;
	MemBudget   memory; /* the launch's */
	bool        ended;
	u64         after; /* warp instructions since it has seen a fault of another job */
	Vec(Printed) printed;
	jmp_buf out;
};

struct Jobs {
	SimtMachine   *of;      /* the launch's machine */
	u32            n, most; /* jobs that there are, and that there may be */
	Job           *job;
	atomic_uint    next_cluster, faulted; /* faulted: the lowest cluster with a fault; NO_CLUSTER: none */
	atomic_bool    stop;                  /* memory has run out */
	_Atomic(Job *) holder;                /* of the lock of memory and heap; NULL: it is free */
	/* under that lock */
	u64         left, share; /* of simt_run's budget; what a job takes of it at once */
	u64         wanted;      /* bytes that there were not */
	atomic_char cell[CELLS];
};
enum { NO_CLUSTER = UINT32_MAX };

/* ---- locks */

static void let_others(const Jobs *js, u32 *spins)
{
	const ThreadHost *h = &js->of->o.threads;
	if (++*spins % SPINS == 0)
		h->pause(h->user);
}

static atomic_char *cell_of(Job *j, const u8 *p) { return &j->jobs->cell[(uintptr_t)p / 16 % CELLS]; }

void jobs_cell_take(Job *j, const u8 *p)
{
	atomic_char *cell = cell_of(j, p);
	u32          spins = 0;
	while (atomic_exchange_explicit(cell, 1, memory_order_acquire))
		let_others(j->jobs, &spins);
}

void jobs_cell_give(Job *j, const u8 *p) { atomic_store_explicit(cell_of(j, p), 0, memory_order_release); }

bool jobs_take(Job *j)
{
	Jobs *js = j->jobs;
	Job  *nobody = NULL;
	u32   spins = 0;
	if (atomic_load_explicit(&js->holder, memory_order_relaxed) == j)
		return false;
	while (!atomic_compare_exchange_weak_explicit(&js->holder, &nobody, j, memory_order_acquire, memory_order_relaxed)) {
		nobody = NULL;
		let_others(js, &spins);
	}
	return true;
}

void jobs_give(Job *j) { atomic_store_explicit(&j->jobs->holder, NULL, memory_order_release); }

void jobs_fence(void) { atomic_thread_fence(memory_order_seq_cst); }

/* ---- memory: that of the launch's budget */

static _Noreturn void leave(Job *j, u64 wanted)
{
	jobs_take(j);
	j->jobs->wanted = wanted;
	jobs_give(j);
	atomic_store(&j->jobs->stop, true);
	longjmp(j->out, 1);
}

/* Whoever asked for more holds the lock. */
static void launch_exhausted(void *user, u64 wanted) { leave(atomic_load(&((Jobs *)user)->holder), wanted); }

static bool enter_memory(void *user) { return jobs_take(user); }
static void leave_memory(void *user) { jobs_give(user); }

/* ---- which launches */

/* Is there something in the program whose result tells how far the other blocks are, though they do not wait for each other? */
static bool looks_at_others(const SimtProgram *p, const SimtInsn *in)
{
	if (in->op == S_ASYNC)
		return p->async.p[in->y].what == AS_CANCEL;
	if (in->op != S_SREG)
		return false;
	switch ((IsaSource)in->x) {
	case SR_CLOCK:
	case SR_CLOCK_HI:
	case SR_CLOCK64:
	case SR_GLOBALTIMER:
	case SR_GLOBALTIMER_LO:
	case SR_GLOBALTIMER_HI: return true;
	default: return false;
	}
}

static bool kernel_looks_at_others(const SimtMachine *m)
{
	const SimtProgram *p = m->p;
	for (u32 i = 0; i < p->func.n; i++) {
		const SimtFunc *f = &p->func.p[i];
		for (u32 pc = f->start; f->has_body && (!f->is_kernel || i == m->entry) && pc < f->end; pc++)
			if (looks_at_others(p, &p->code.p[pc]))
				return true;
	}
	return false;
}

u32 simt_jobs(const SimtMachine *m, const char **why)
{
	const SimtOptions *o = &m->o;
	const char        *reason = NULL;
	if (o->jobs <= 1)
		return 1;
	if (!o->threads.run)
		reason = "this host has no threads";
	else if (o->sanitize)
		reason = "--sanitize follows the order of all accesses";
	else if (o->schedule.by_seed)
		reason = "--schedule chooses one order of all blocks";
	else if (o->profile)
		reason = "--profile counts by instruction of all blocks";
	else if (o->watch)
		reason = "who writes a byte last is asked for";
	else if (kernel_looks_at_others(m))
		reason = "the kernel reads a clock or takes clusters off the grid";
	if (why)
		*why = reason;
	return reason ? 1 : PS_MIN(PS_MIN(o->jobs, (u32)MOST_JOBS), m->clusters);
}

static void job_new(Jobs *js, u32 i)
{
	Job         *j = &js->job[i];
	SimtMachine *m = &j->m;
	*j = (Job){.jobs = js, .number = i, .m = *js->of};
	j->memory = (MemBudget){.of = js->of->arena.budget, .enter = enter_memory, .leave = leave_memory, .user = j};
	arena_init(&m->arena, &j->memory);
	text_init(&m->printed, &m->arena);
	m->job = j;
	m->jobs = NULL;
	m->stats = (SimtStats){0}; /* those of the jobs before are summed up there */
	m->steps = m->blocks_done = 0;
	m->scratch = NULL;              /* of its own arena, when it runs */
	m->o.compiled = COMPILED_NEVER; /* the program is for reading alone */
	m->o.max_steps = UINT64_MAX;    /* those of all jobs count */
	m->strong = ORDER_STRONG;
}

bool jobs_start(SimtMachine *m)
{
	bool begun = m->block.n || m->steps || m->blocks_done;
	u32  n = m->jobs || m->job || begun ? 1 : simt_jobs(m, NULL);
	if (n <= 1)
		return m->jobs != NULL;
	Jobs *js = m->jobs = arena_new(&m->arena, Jobs);
	*js = (Jobs){.of = m, .n = 1, .most = n, .job = arena_array(&m->arena, Job, n), .faulted = NO_CLUSTER};
	job_new(js, 0);
	return true;
}

void jobs_free(Jobs *js)
{
	for (u32 i = 0; i < js->n; i++)
		arena_free(&js->job[i].m.arena);
}

/* ---- clusters */

bool jobs_has_cluster(const Job *j) { return atomic_load_explicit(&j->jobs->next_cluster, memory_order_relaxed) < j->m.clusters; }

bool jobs_next_cluster(Job *j, u32 *number)
{
	u32 next = atomic_load_explicit(&j->jobs->next_cluster, memory_order_relaxed);
	while (next < j->m.clusters)
		if (atomic_compare_exchange_weak(&j->jobs->next_cluster, &next, next + 1))
			return *number = next, true;
	return false;
}

/* ---- running */

/* The next piece of the budget; 0: it is used up. */
static u64 draw(Job *j)
{
	Jobs *js = j->jobs;
	jobs_take(j);
	u64 n = PS_MIN(js->share, js->left);
	js->left -= n;
	jobs_give(j);
	return n;
}

static void tell_fault(Job *j)
{
	Jobs *js = j->jobs;
	u32   at = j->m.cur_block->cluster->number, lowest = atomic_load(&js->faulted);
	while (at < lowest && !atomic_compare_exchange_weak(&js->faulted, &lowest, at))
		;
	atomic_store(&js->next_cluster, j->m.clusters);
}

/* After a fault, those below it go on, since theirs would come first, but no longer than they would have run alone. */
static bool gives_up(Job *j, u64 used)
{
	u32 fault = atomic_load(&j->jobs->faulted);
	if (atomic_load(&j->jobs->stop))
		return true;
	if (fault == NO_CLUSTER)
		return false;
	bool below = false;
	for (u32 i = 0; i < j->m.block.n; i++)
		below |= j->m.block.p[i]->cluster->number < fault;
	return !below || (j->after += used) > BLOCK_PATIENCE;
}

static void run_job(Job *j, u64 budget)
{
	SimtMachine *m = &j->m;
	if (!m->scratch)
		m->scratch = arena_array(&m->arena, u32, 4 * LANES);
	for (; budget && !j->ended; budget = j->ended ? 0 : draw(j)) {
		u64        before = m->steps;
		SimtStatus s = simt_run(m, budget);
		j->ended = s != SIMT_RUNNING;
		if (s == SIMT_FAULTED)
			tell_fault(j);
		else if (gives_up(j, m->steps - before))
			j->ended = true;
	}
}

static void run_task(void *arg, u32 i)
{
	Jobs *js = arg;
	Job  *j = &js->job[i];
	if (setjmp(j->out) == 0)
		run_job(j, js->share);
	else
		j->ended = true;
}

/* The first job, until the launch has proved to be long enough for others; returns what is left of the budget. */
static u64 run_alone(Jobs *js, u64 budget)
{
	Job *j = &js->job[0];
	u64  before = j->m.steps, alone = js->of->o.jobs_after ? js->of->o.jobs_after : ALONE;
	js->left = 0;
	js->share = PS_MIN(budget, alone - PS_MIN(before, alone));
	if (js->n > 1 || !js->share)
		return budget;
	run_task(js, 0);
	return j->ended ? 0 : budget - (j->m.steps - before);
}

/* One more for each cluster that is left. */
static void start_others(Jobs *js)
{
	u32 left = js->of->clusters - atomic_load(&js->next_cluster), wanted = PS_MIN(js->most, 1 + left);
	for (; js->n < wanted; js->n++)
		job_new(js, js->n);
}

/* Each gets a share of the budget, so that none waits for one that never runs. */
static void run_together(Jobs *js, u64 budget)
{
	const ThreadHost *h = &js->of->o.threads;
	start_others(js);
	js->share = PS_MAX(PS_MIN(budget / js->n / 4, (u64)CHUNK), 1u);
	js->left = budget - PS_MIN(budget, js->share * js->n);
	for (u32 ran = js->n > 1 ? h->run(h->user, js->n, run_task, js) : 0; ran < js->n; ran++)
		run_task(js, ran); /* there was no thread for it */
}

static void redirect(MemBudget *b, void (*exhausted)(void *user, u64 wanted), void *user)
{
	b->exhausted = exhausted;
	b->user = user;
}

/* All jobs until the budget is used up or all have ended. The heap may have a budget of its own, which outlives the launch: to run out
 * of it, too, ends the job in the job's thread. */
static void run_all(Jobs *js, u64 budget)
{
	MemBudget *b = js->of->arena.budget, own = *b, *heap = js->of->heap->arena->budget, of_heap = *heap;
	redirect(b, launch_exhausted, js);
	redirect(heap, launch_exhausted, js);
	budget = run_alone(js, budget);
	if (budget)
		run_together(js, budget);
	redirect(heap, of_heap.exhausted, of_heap.user);
	redirect(b, own.exhausted, own.user);
	if (atomic_load(&js->stop))
		b->exhausted(b->user, js->wanted);
}

/* ---- what came of it */

static void sum_up(Jobs *js)
{
	SimtMachine *m = js->of;
	m->stats = (SimtStats){0};
	m->steps = m->blocks_done = 0;
	for (u32 i = 0; i < js->n; i++) {
		const SimtMachine *one = &js->job[i].m;
		m->stats.thread_instructions += one->stats.thread_instructions;
		m->stats.warp_instructions += one->stats.warp_instructions;
		m->stats.divergent_branches += one->stats.divergent_branches;
		m->stats.barriers += one->stats.barriers;
		m->steps += one->steps;
		m->blocks_done += one->blocks_done;
	}
}

static void take_fault(SimtMachine *m, const SimtMachine *from)
{
	m->faulted = true;
	m->fault = from->fault;
	m->fault.message = arena_str(&m->arena, from->fault.message);
}

void jobs_printed(SimtMachine *m, u32 n)
{
	Job *j = m->job;
	u32  cluster = m->cur_block->cluster->number;
	if (j->printed.n && vec_last(&j->printed).cluster == cluster)
		vec_last(&j->printed).n += n;
	else
		vec_push(&m->arena, &j->printed, ((Printed){cluster, m->printed.n - n, n, j->number}));
}

static int by_cluster(const void *a, const void *b, void *user)
{
	u32 x = ((const Printed *)a)->cluster, y = ((const Printed *)b)->cluster;
	(void)user;
	return (x > y) - (x < y);
}

/* A cluster's is in one job, in the order in which it was printed. What is behind a fault was not printed. */
static void join_printed(Jobs *js)
{
	SimtMachine *m = js->of;
	Vec(Printed) all = {0};
	for (u32 i = 0; i < js->n; i++)
		for (u32 k = 0; k < js->job[i].printed.n; k++)
			vec_push(&m->arena, &all, js->job[i].printed.p[k]);
	if (all.n)
		sort_stable(&m->arena, all.p, all.n, sizeof *all.p, by_cluster, NULL);
	for (u32 i = 0; i < all.n && all.p[i].cluster <= js->faulted; i++) {
		const Printed *p = &all.p[i];
		if (m->printed.n > MOST_PRINTED) {
			m->fault.kind = FAULT_MEMORY, m->faulted = true;
			m->fault.message = STR(PRINTED_TOO_MUCH);
			break;
		}
		text_add(&m->printed, (Str){js->job[p->job].m.printed.p + p->at, p->n});
	}
}

static SimtStatus finish(Jobs *js)
{
	SimtMachine *m = js->of;
	for (u32 i = 0; i < js->n; i++) {
		const SimtMachine *one = &js->job[i].m;
		if (one->faulted && one->cur_block->cluster->number == js->faulted)
			take_fault(m, one);
	}
	join_printed(js);
	m->next_cluster = m->clusters;
	return m->faulted ? SIMT_FAULTED : SIMT_DONE;
}

/* The job that has the lowest cluster is the one whose place is shown. */
static SimtStatus too_many_steps(Jobs *js)
{
	Job *at = NULL;
	for (u32 i = 0; i < js->n; i++) {
		SimtMachine *one = &js->job[i].m;
		if (one->block.n && (!at || one->block.p[0]->cluster->number < at->m.block.p[0]->cluster->number))
			at = &js->job[i];
	}
	SimtMachine *m = at ? &at->m : &js->job[0].m;
	simt_locate(m);
	simt_fail(m, FAULT_STEPS, 0, "stopped after %llu warp instructions", (unsigned long long)js->of->steps);
	take_fault(js->of, m);
	join_printed(js);
	return SIMT_FAULTED;
}

SimtStatus jobs_run(SimtMachine *m, u64 budget)
{
	Jobs *js = m->jobs;
	if (m->faulted || m->next_cluster == m->clusters)
		return m->faulted ? SIMT_FAULTED : SIMT_DONE;
	if (budget == 0)
		return SIMT_RUNNING;
	if (m->steps >= m->o.max_steps)
		return too_many_steps(js);
	run_all(js, PS_MIN(budget, m->o.max_steps - m->steps));
	sum_up(js);
	for (u32 i = 0; i < js->n && m->blocks_done < m->blocks; i++)
		if (!js->job[i].ended)
			return SIMT_RUNNING;
	return finish(js);
}
