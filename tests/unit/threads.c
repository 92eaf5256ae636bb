/* The host's threads: made once, for all runs. */
#include "unit.h"

#if !defined(__wasm__)
#include "threads/threads.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 8 };

typedef struct Seen {
	atomic_uint  here, times[MOST];
	u32          n;
	pthread_t    thread[MOST];
	PsThreadHost host;
	u32          inner;
} Seen;

static void count(void *arg, u32 i)
{
	Seen *s = arg;
	atomic_fetch_add(&s->times[i], 1);
	s->thread[i] = pthread_self();
}

/* Goes on when all are there: each is in a thread of its own. */
static void meet(void *arg, u32 i)
{
	Seen *s = arg;
	count(s, i);
	atomic_fetch_add(&s->here, 1);
	while (atomic_load(&s->here) < s->n)
		s->host.pause(s->host.user);
}

static void run_inside(void *arg, u32 i)
{
	Seen *s = arg, inner = {0};
	if (i == 0) {
		s->inner = s->host.run(s->host.user, 3, count, &inner);
		EXPECT_EQ(inner.times[0], 1);
		EXPECT_EQ(inner.times[1] + inner.times[2], 0);
	}
}

TEST(threads, runs_have_the_same_threads)
{
	Threads     *t = threads_new();
	PsThreadHost host = threads_host(t);
	pthread_t    first[MOST] = {0};
	EXPECT_EQ(threads_made(t), 0);
	for (u32 round = 0; round < 200; round++) {
		u32  n = round < 100 ? 4 : 2 + round % 3;
		Seen s = {.n = n, .host = host};
		EXPECT_EQ(host.run(host.user, n, meet, &s), n);
		EXPECT(pthread_equal(s.thread[0], pthread_self()));
		for (u32 i = 0; i < MOST; i++)
			EXPECT_EQ(s.times[i], i < n);
		for (u32 i = 1; i < n; i++) {
			EXPECT(!pthread_equal(s.thread[i], pthread_self()));
			EXPECT(!round || pthread_equal(s.thread[i], first[i]));
			first[i] = s.thread[i];
		}
	}
	EXPECT_EQ(threads_made(t), 3);
	threads_free(t);
}

TEST(threads, a_run_inside_another_has_the_callers_thread_alone)
{
	Threads *t = threads_new();
	Seen     s = {.host = threads_host(t)};
	EXPECT_EQ(s.host.run(s.host.user, 2, run_inside, &s), 2);
	EXPECT_EQ(s.inner, 1);
	threads_free(t);
}

TEST(threads, none_where_there_is_no_memory)
{
	PsThreadHost host = threads_host(NULL);
	EXPECT(!host.run && !host.pause);
	threads_free(NULL);
}
#endif

UNIT_MAIN
