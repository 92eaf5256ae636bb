#include "cuda.h"
extern __shared__ int dyn[];
K void                k(int *p)
{
	int i = tid();
	dyn[i] = p[i];
	p[i] = dyn[i ^ 1];
}
