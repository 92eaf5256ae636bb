#include "cuda.h"
D int f(int x) { return x; }
D int f(float x) { return (int)x; }
D int f(int x, int y) { return x + y; }
struct O {
	int        v;
	D O        operator+(const O &o) const { return O{v + o.v}; }
	D explicit operator int() const { return v; }
	D int      operator()(int a) { return a + v; }
};
K void k(int *p)
{
	O a{p[0]}, b{p[1]};
	O c = a + b;
	p[2] = (int)c + f(1) + f(2.f) + f(1, p[3]) + c(4);
}
