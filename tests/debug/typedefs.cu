#include "cuda.h"
typedef int              I;
typedef I                J;
typedef J               *PJ;
typedef const volatile J CJ;
typedef I                A3[3];
typedef void (*FN)(int, ...);
using L = long;
D CJ   g = 3;
D FN   fn;
K void k(PJ p, A3 *a, L l)
{
	I x = *p;
	for (J j = 0; j < 3; j++)
		(*a)[j] = x + g + (I)l;
}
