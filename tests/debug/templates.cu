#include "cuda.h"
template <class T> struct Box {
	T                      v;
	template <class U> D U as() const { return (U)v; }
};
template <class T, int N> struct Arr {
	T    d[N];
	D T &operator[](int i) { return d[i]; }
};
template <class T> D T mx(T a, T b) { return a > b ? a : b; }
K void                 k(Box<float> *b, Arr<int, 4> *a)
{
	(*a)[1] = mx<int>((*a)[0], b->as<int>());
	b->v = mx(b->v, 2.0f);
}
