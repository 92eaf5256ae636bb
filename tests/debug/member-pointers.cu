#include "cuda.h"
struct S {
	int         a, b;
	float       m(int) const;
	virtual int vf();
};
K void k(S *s, int S::*p, float (S::*f)(int) const, int *o)
{
	*o = s->*p;
	int S::*q = &S::b;
	s->*q = 3;
}
