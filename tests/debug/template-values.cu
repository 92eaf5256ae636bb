#include "cuda.h"
template <int *P, bool B, char C, long long L, decltype(nullptr) N> struct T {
	int x;
};
D int gg;
template <auto V> struct W {
	decltype(V) y;
};
template <template <class> class Q> struct R {
	Q<int> q;
};
template <class T> struct I {
	T t;
};
K void k(T<&gg, true, 65, -5, nullptr> *t, W<7u> *w, R<I> *r) { t->x = w->y + r->q.t; }
