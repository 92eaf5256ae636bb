/* threads.c: see threads.h. */
#define _POSIX_C_SOURCE 200809L
#include "threads/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { STACK = 4 << 20 };

typedef struct Thread {
	pthread_t thread;
	void (*task)(void *arg, uint32_t i);
	void    *arg;
	uint32_t i;
} Thread;

static void *start(void *thread)
{
	const Thread *t = thread;
	t->task(t->arg, t->i);
	return NULL;
}

static uint32_t run(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg)
{
	Thread        *t = calloc(n, sizeof *t);
	pthread_attr_t attr;
	uint32_t       ran = 1;
	bool           good = t && pthread_attr_init(&attr) == 0;
	(void)user;
	if (good)
		pthread_attr_setstacksize(&attr, STACK);
	for (; good && ran < n; ran++) {
		t[ran] = (Thread){.task = task, .arg = arg, .i = ran};
		if (pthread_create(&t[ran].thread, &attr, start, &t[ran]) != 0)
			break;
	}
	task(arg, 0);
	for (uint32_t i = 1; i < ran; i++)
		pthread_join(t[i].thread, NULL);
	if (good)
		pthread_attr_destroy(&attr);
	free(t);
	return ran;
}

static void let_others(void *user)
{
	(void)user;
	sched_yield();
}

const PsThreadHost host_threads = {.run = run, .pause = let_others};
