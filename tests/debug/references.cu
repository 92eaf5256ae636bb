#include "cuda.h"
NI void sw(int &a, int &&b, const float &c)
{
	int t = a;
	a = b + (int)c;
	b = t;
}
K void k(int *p, float *f)
{
	int x = p[0];
	sw(p[1], (int &&)x, *f);
	p[2] = x;
}
