#include "cuda.h"
D int gg[4];
D int fn(int x) { return x; }
struct S {
	int          a;
	int          b;
	int          m();
	static D int st;
};
__shared__ int sh;
template <int *P> struct A {
	int x;
};
template <int (*F)(int)> struct B {
	int y;
};
template <int S::*M> struct C {
	int z;
};
template <int &R> struct E {
	int w;
};
template <int *P> struct G {
	int q;
};
K void k(A<gg> *a, B<fn> *b, C<&S::b> *c, E<S::st> *e, A<nullptr> *n, G<&sh> *g) { a->x = b->y + c->z + e->w + n->x + g->q; }
