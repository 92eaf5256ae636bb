#include "cuda.h"
NI int leaf(int a, int b)
{
	int c = a * b;
	return c + a;
}
NI int mid(int x)
{
	int y = leaf(x, 3);
	int z = leaf(y, x);
	return y + z;
}
K void k(int *p)
{
	int r = mid(p[0]);
	p[1] = r;
}
