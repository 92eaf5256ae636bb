#include "cuda.h"
K void k(float *a, int n, int m)
{
	for (int i = tid(); i < n; i += 32) {
		float acc = 0;
		for (int j = 0; j < m; ++j) {
			float t = a[i * m + j];
			if (t < 0)
				continue;
			acc += t;
			if (acc > 100)
				break;
		}
		a[i] = acc;
	}
}
