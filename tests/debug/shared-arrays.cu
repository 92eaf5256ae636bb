#include "cuda.h"
template <int N> D void red(float *o)
{
	__shared__ float s[N];
	int              i = tid();
	s[i] = o[i];
	for (int k = N / 2; k; k >>= 1) {
		if (i < k)
			s[i] += s[i + k];
	}
	if (!i)
		*o = s[0];
}
K void k(float *o) { red<32>(o); }
K void k2(float *o) { red<64>(o + 1); }
