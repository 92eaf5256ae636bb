#include "cuda.h"
#pragma pack(push, 1)
struct B {
	unsigned char      x;
	unsigned           a : 17;
	unsigned           b : 15;
	unsigned long long c : 63;
	char               t;
};
#pragma pack(pop)
K void k(B *p, int v)
{
	p->a = v;
	p->b += v;
	p->c = p->a + p->b;
	p->t = v;
}
