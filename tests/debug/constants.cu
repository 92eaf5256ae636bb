#include "cuda.h"
K void k(int *p, float *f)
{
	const int c = 42;
	int       neg = -7;
	unsigned  big = 4000000000u;
	long long ll = -5000000000ll;
	float     fl = 1.5f;
	double    db = 2.25;
	bool      t = true;
	char      ch = 65;
	p[0] = c + neg + big + ll + t + ch;
	f[0] = fl + db;
	int *np = nullptr;
	if (np)
		p[1] = 2;
}
