/* threads.h: the host's threads (PsThreadHost) by POSIX, for the command line and the stand-ins for CUDA's libraries. */
#ifndef PS_THREADS_THREADS_H
#define PS_THREADS_THREADS_H

#include "api/ptxscope.h"

extern const PsThreadHost host_threads;

#endif
