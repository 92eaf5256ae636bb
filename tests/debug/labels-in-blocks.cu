#include "cuda.h"
static AI int f(int n)
{
	{
	again:
		n--;
		if (n > 3)
			goto again;
	}
	return n;
}
K void k(int *p, int n)
{
	if (n > 1) {
	l:
		*p += n;
		n--;
		if (*p < 100)
			goto l;
	}
	p[1] = f(n);
}
