#include "cuda.h"
struct S {
	static int             cnt;
	static const int       lim = 40;
	static constexpr float f = 2.5f;
	int                    v;
	static D int           inc(int x) { return x + lim; }
};
D int  S::cnt;
K void k(S *s)
{
	S::cnt++;
	s->v = S::inc(S::cnt);
}
