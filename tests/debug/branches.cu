#include "cuda.h"
K void k(int *p, int n)
{
	if (n > 2) {
		int a = p[0];
		p[1] = a;
	} else {
		int b = p[2];
		p[3] = b + n;
	}
	switch (n) {
	case 1: {
		int c = p[4];
		p[5] = c;
		break;
	}
	case 2: {
		int d = p[6];
		p[7] = d * d;
		break;
	}
	default: {
		int e = 1;
		p[8] = e;
	}
	}
}
