#include "cuda.h"
struct Big {
	int   v[8];
	float f;
};
NI int sum(Big b, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += b.v[i];
	return s + (int)b.f;
}
K void k(Big b, int *o) { *o = sum(b, 8) + b.v[2]; }
