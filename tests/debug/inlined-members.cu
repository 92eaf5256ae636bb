#include "cuda.h"
struct S {
	int     v;
	AI int  get() const { return v; }
	AI void set(int n)
	{
		int old = v;
		v = n + (old & 1);
	}
};
AI void swap(S &a, S &b)
{
	int t = a.get();
	a.set(b.get());
	b.set(t);
}
K void k(S *s)
{
	int i = tid();
	swap(s[i], s[i + 1]);
}
