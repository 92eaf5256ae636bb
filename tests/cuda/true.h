/* true.h: what a program of tests/cuda asserts of values; what it asserts of calls depends on the interface. */
#ifndef TRUE_H
#define TRUE_H

#include <stdio.h>
#include <stdlib.h>

#define TRUE(condition)                                                            \
	do {                                                                       \
		if (!(condition)) {                                                \
			printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                   \
		}                                                                  \
	} while (0)

#endif
