#include "cuda.h"
NI int pick(int a, int b, bool c)
{
	int r;
	if (c)
		r = a * 3;
	else
		r = b - 7;
	int q = r + 1;
	return q;
}
K void k(int *p, int n)
{
	int x = pick(p[0], p[1], n > 3);
	p[2] = x;
}
