#include "cuda.h"
struct A {
	int a;
};
struct B : virtual A {
	int b;
};
struct C : virtual A {
	int c;
};
struct E : B, C {
	int        e;
	friend int fr(E *);
};
K void k(E *e, int *o) { *o = e->a + e->b + e->e; }
