/* threads.h: the host's threads (PsThreadHost) by POSIX, for the command line and the stand-ins for CUDA's libraries.
 *
 *	Threads     *t = threads_new();
 *	PsThreadHost host = threads_host(t);    // for as long as t lives
 *	…
 *	threads_free(t);
 *
 * Threads are made when a run first wants them, and wait for the next run between two: waking one takes a tenth of what making one
 * takes. Of two runs at the same time the second one has the thread that calls it alone. */
#ifndef PS_THREADS_THREADS_H
#define PS_THREADS_THREADS_H

#include "api/ptxscope.h"

typedef struct Threads Threads;
Threads               *threads_new(void);       /* NULL: there is no memory */
PsThreadHost           threads_host(Threads *); /* of NULL: no threads */
void                   threads_free(Threads *); /* nothing runs */
uint32_t               threads_made(const Threads *);

#endif
