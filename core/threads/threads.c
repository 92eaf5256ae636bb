/* threads.c: see threads.h. */
#define _POSIX_C_SOURCE 200809L
#include "threads/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { STACK = 4 << 20, MOST = 63 /* as many as jobs, less the caller */ };

typedef struct Worker {
	Threads  *of;
	uint32_t  number; /* the task that it does, from 1 on */
	uint64_t  seen;   /* the last run that it knows of */
	pthread_t thread;
} Worker;

struct Threads {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t  begin, done;
	bool            busy, ends;
	uint32_t        made, left; /* workers; those that have not done their part of the run */
	uint64_t        runs;
	uint32_t        n; /* tasks of the run */
	void (*task)(void *arg, uint32_t i);
	void  *arg;
	Worker worker[MOST];
};

static void *work(void *worker)
{
	Worker  *w = worker;
	Threads *t = w->of;
	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (t->runs == w->seen && !t->ends)
			pthread_cond_wait(&t->begin, &t->lock);
		if (t->ends)
			break;
		w->seen = t->runs;
		if (w->number >= t->n)
			continue;
		pthread_mutex_unlock(&t->lock);
		t->task(t->arg, w->number);
		pthread_mutex_lock(&t->lock);
		if (--t->left == 0)
			pthread_cond_signal(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* As many as there can be, up to `n`. */
static void make(Threads *t, uint32_t n)
{
	pthread_attr_t attr;
	if (t->made >= n || pthread_attr_init(&attr) != 0)
		return;
	pthread_attr_setstacksize(&attr, STACK);
	for (; t->made < n; t->made++) {
		Worker *w = &t->worker[t->made];
		*w = (Worker){.of = t, .number = t->made + 1, .seen = t->runs};
		if (pthread_create(&w->thread, &attr, work, w) != 0)
			break;
	}
	pthread_attr_destroy(&attr);
}

static uint32_t run(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg)
{
	Threads *t = user;
	uint32_t ran = 1;
	pthread_mutex_lock(&t->lock);
	bool mine = !t->busy;
	if (mine) {
		make(t, n - 1 < MOST ? n - 1 : MOST);
		ran = n - 1 < t->made ? n : t->made + 1;
		t->busy = true;
		t->task = task, t->arg = arg, t->n = ran, t->left = ran - 1;
		t->runs++;
		pthread_cond_broadcast(&t->begin);
	}
	pthread_mutex_unlock(&t->lock);
	task(arg, 0);
	if (!mine)
		return 1;
	pthread_mutex_lock(&t->lock);
	while (t->left)
		pthread_cond_wait(&t->done, &t->lock);
	t->busy = false;
	pthread_mutex_unlock(&t->lock);
	return ran;
}

static void let_others(void *user)
{
	(void)user;
	sched_yield();
}

Threads *threads_new(void)
{
	Threads *t = calloc(1, sizeof *t);
	if (t) {
		pthread_mutex_init(&t->lock, NULL);
		pthread_cond_init(&t->begin, NULL);
		pthread_cond_init(&t->done, NULL);
	}
	return t;
}

PsThreadHost threads_host(Threads *t)
{
	return t ? (PsThreadHost){.user = t, .run = run, .pause = let_others} : (PsThreadHost){0};
}

uint32_t threads_made(const Threads *t) { return t->made; }

void threads_free(Threads *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->ends = true;
	pthread_cond_broadcast(&t->begin);
	pthread_mutex_unlock(&t->lock);
	for (uint32_t i = 0; i < t->made; i++)
		pthread_join(t->worker[i].thread, NULL);
	pthread_cond_destroy(&t->done);
	pthread_cond_destroy(&t->begin);
	pthread_mutex_destroy(&t->lock);
	free(t);
}
