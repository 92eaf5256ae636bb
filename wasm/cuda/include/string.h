/* <string.h>: what copies and fills memory. */
#pragma once

#include <ptxscope/define.h>

__px_libc void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
__px_libc void *memset(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

__px_libc size_t strlen(const char *text) {
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}

__px_libc int strcmp(const char *a, const char *b) {
	while (*a && *a == *b)
		a++, b++;
	return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

__px_libc int memcmp(const void *a, const void *b, size_t bytes) {
	const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
	for (; bytes; bytes--, p++, q++)
		if (*p != *q)
			return (int)*p - (int)*q;
	return 0;
}
