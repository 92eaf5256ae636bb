#include "cuda.h"
struct S {
	int a[4];
	D   S(const S &o)
	{
		a[0] = o.a[0];
		a[1] = o.a[2];
	}
	D ~S() { a[3] = 0; }
};
NI int f(S s, int q) { return s.a[1] + s.a[q]; }
NI int g(S s, int q)
{
	if (q > 3)
		s.a[0]++;
	else
		s.a[1] = q;
	return s.a[1] + s.a[q];
}
struct R {
	double a, b, c;
};
NI R mk(int q)
{
	R r;
	r.a = q;
	r.b = 2;
	r.c = 3;
	return r;
}
K void k(S *p, int n, R *r)
{
	p->a[2] = f(*p, n) + g(*p, n + 1);
	*r = mk(n);
}
