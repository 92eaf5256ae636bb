#include "cuda.h"
struct R {
	double a, b;
	int    c;
};
NI R make(int x)
{
	R r;
	r.a = x;
	r.b = x * 2;
	r.c = x + 3;
	return r;
}
K void k(double *o, int n)
{
	R r = make(n);
	o[0] = r.a + r.b + r.c;
}
