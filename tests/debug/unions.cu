#include "cuda.h"
union U {
	int           i;
	float         f;
	unsigned char b[4];
	struct {
		short lo, hi;
	} s;
};
K void k(U *u, float f)
{
	U t;
	t.f = f;
	u->i = t.i ^ 0x80000000;
	u->s.lo = t.s.hi;
}
