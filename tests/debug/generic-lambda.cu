#include "cuda.h"
K void k(int *p)
{
	auto gen = [] D(auto a, auto b) { return a + b; };
	p[0] = gen(p[1], 2) + (int)gen(1.5, 2.5f);
}
