#include "cuda.h"
D int              g2[3][4][5];
__constant__ float tab[16];
__shared__ double  buf[8];
K void             k(int (*p)[4], int n)
{
	int loc[6] = {1, 2, 3, 4, 5, 6};
	for (int i = 0; i < n; i++) {
		p[i][1] = loc[i % 6] + g2[i][1][2] + (int)tab[i];
		buf[i] = loc[(i + 1) % 6];
	}
}
