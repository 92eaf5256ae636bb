#include "cuda.h"
K void k(int *h, const unsigned char *d, int n)
{
	int i = tid();
	if (i < n) {
		unsigned char v = d[i];
		__atomic_fetch_add(&h[v], 1, __ATOMIC_RELAXED);
	}
}
