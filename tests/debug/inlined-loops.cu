#include "cuda.h"
AI float dot(const float *a, const float *b, int n)
{
	float s = 0;
	for (int i = 0; i < n; ++i) {
		float m = a[i] * b[i];
		s += m;
	}
	return s;
}
K void k(const float *a, const float *b, float *c, int n)
{
	int r = tid();
	c[r] = dot(a + r * n, b, n) + dot(a, b + r, 3);
}
