#include "cuda.h"
K void k(int *p, int n)
{
	int i = 0;
top:
	if (i >= n)
		goto done;
	{
		int t = p[i];
		if (t == 7)
			goto next;
		p[i] = t + 1;
	}
next:
	i++;
	goto top;
done:
	p[n] = i;
}
