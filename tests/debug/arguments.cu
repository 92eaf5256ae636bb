#include "cuda.h"
K void k1(float a, float *x, float *y, int i) { y[i] = a * x[i]; }
K void k2(float *x, float *y, int i) { y[i] = x[i]; }
K void k3(float a, float *x, float *y, float *z, int i)
{
	y[i] = a * x[i];
	z[i] = 2;
}
K void k4(int i, float a, float *x, float *y, float *z)
{
	y[i] = a * x[i];
	z[i] = 2;
}
K void k5(int i, float a, float b, float c, float *x) { x[i] = a + b + c; }
K void k6(int i, float a, float b, float c, float *x, float *y)
{
	x[i] = a + b + c;
	y[i] = a;
}
K void k7(float *x, float a, float b, float c, float d) { *x = (a + b) * (c + d); }
K void k8(float *x, float a, float b, float c, float *y, float d)
{
	*x = (a + b) * (c + d);
	*y = d;
}
K void k9(float a, int b, long c, int *p) { *p = b + (int)c + (int)a; }
K void k10(int b, long c, int *p, int *q, int d)
{
	*p = b + (int)c;
	*q = d;
}
extern "C" D void f1(int b, long c, int *p, int *q, int d)
{
	*p = b + (int)c;
	*q = d;
}
extern "C" D void f2(float b, float *x, float *p, int q, int d) { p[q] = b * x[d]; }
