/* session.h: the session of a unit test, for sm_90 and PTX 8.5 at -O3. */
#ifndef PS_UNIT_SESSION_H
#define PS_UNIT_SESSION_H

#include "config/session.h"
#include "unit.h"

/* Begins a session whose internal errors and want of memory end the program with a message. */
#define unit_session(s, out_)                                                      \
	do {                                                                       \
		session_init((s), (u64)1 << 30);                                   \
		(s)->out = (out_);                                                 \
		(s)->opt_level = 3;                                                \
		(s)->target.sm = 90;                                               \
		(s)->target.ptx = 85;                                              \
		(s)->target.is64 = true;                                           \
		if (setjmp(*(out_))) {                                             \
			printf("# internal error: %.*s\n", STR_ARG((s)->failure)); \
			exit(1);                                                   \
		}                                                                  \
	} while (0)

#endif
