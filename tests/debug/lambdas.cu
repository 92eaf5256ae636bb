#include "cuda.h"
template <class F> AI int app(F f, int x) { return f(x); }
K void                    k(int *p, int n)
{
	int  c = 3;
	auto l = [=] D(int x) {
		int r = x * c + n;
		return r;
	};
	p[0] = app(l, p[1]);
	auto m = [&c] D(int y) mutable {
		c += y;
		return c;
	};
	p[2] = m(4);
	p[3] = c;
}
