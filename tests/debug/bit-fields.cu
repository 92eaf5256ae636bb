#include "cuda.h"
struct B {
	unsigned           a : 3;
	int                b : 9;
	unsigned long long c : 40;
	int : 0;
	bool          d : 1;
	unsigned char e : 7;
	long long     f : 33;
};
K void k(B *p, int v)
{
	p->a = v;
	p->b += v;
	p->c = p->a + p->b;
	p->f = v;
	p->d = v > 3;
	p->e = v;
}
