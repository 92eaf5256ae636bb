#include "cuda.h"
template <class... T> struct Tup;
template <> struct Tup<> {
};
template <class H, class... T> struct Tup<H, T...> : Tup<T...> {
	H h;
};
template <class... A> D int count(A... a) { return sizeof...(A) + (0 + ... + (int)a); }
K void                      k(Tup<int, float, char> *t, int *o) { o[0] = count(t->h, 2.0f, (short)3); }
