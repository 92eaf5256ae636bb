#include "cuda.h"
K void k(int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) {
		int t = p[i];
		{
			int u = t * 2;
			s += u;
			{
				int v = u ^ s;
				p[i] = v;
			}
		}
	}
	{
		long w = s;
		p[0] = (int)w;
	}
}
