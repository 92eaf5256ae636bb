#include "cuda.h"
K void k(int a, long b, float c, double d, short e, char f, int *p)
{
	int    g = a + 1;
	long   h = b * 2;
	float  i = c + 1;
	double j = d * 3;
	short  l = e + 2;
	char   m = f ^ 1;
	p[0] = g + h + i + j + l + m;
}
