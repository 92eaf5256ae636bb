#include "cuda.h"
namespace A
{
namespace B
{
D int x;
struct S {
	int y;
};
} // namespace B
inline namespace C
{
D float z;
}
namespace
{
D int hid;
}
NI int f(B::S *s) { return s->y + B::x; }
} // namespace A
namespace AB = A::B;
using namespace A;
using A::B::S;
K void k(S *s, int *o)
{
	AB::x = 3;
	*o = A::f(s) + (int)z + hid;
	using A::B::x;
	*o += x;
}
