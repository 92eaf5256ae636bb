#include "cuda.h"
AI int sq(int x)
{
	int y = x * x;
	return y;
}
AI int cube(int x)
{
	int z = sq(x) * x;
	return z;
}
K void k(int *p)
{
	int i = tid();
	p[i] = cube(p[i]) + sq(i);
}
