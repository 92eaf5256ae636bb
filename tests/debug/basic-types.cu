#include "cuda.h"
K void k(bool *b, char *c, signed char *sc, unsigned char *uc, short *s, unsigned short *us, unsigned *u, long *l,
         unsigned long *ul, long long *ll, unsigned long long *ull, double *d, wchar_t *w, char16_t *c16, char32_t *c32,
         __int128 *i128, unsigned __int128 *u128, _Float16 *h, void *v)
{
	*b = *c;
	*sc = *uc;
	*s = *us;
	*u = *l;
	*ul = *ll;
	*ull = *d;
	*w = *c16;
	*c32 = *w;
	*i128 = *u128;
	*h = 1;
	*(int *)v = 2;
}
