#include "cuda.h"
namespace A
{
D int x;
struct S {
	int y;
};
NI int f(int q) { return q + x; }
namespace B
{
D int z;
}
enum E { P };
} // namespace A
using A::f;
using A::x;
AI int il(int a)
{
	using namespace A::B;
	using A::f;
	int r = f(a) + z;
	{
		using A::S;
		S s;
		s.y = r;
		r = s.y + 1;
	}
	return r;
}
AI int il2(int a)
{
	if (a) {
		using namespace A::B;
		a += z;
	}
	return a;
}
K void k(int *o)
{
	{
		using A::S;
		S t;
		t.y = 3;
		o[1] = t.y;
	}
	{
		using namespace A;
		using A::P;
		int w = f(*o);
		o[0] = w + P;
	}
	*o = il(*o) + il2(o[3]);
}
K void k2(int *o)
{
	namespace Q = A::B;
	Q::z = *o;
	if (*o > 3) {
		using Q::z;
		z++;
	}
}
