#include "cuda.h"
typedef float f4 __attribute__((ext_vector_type(4)));
typedef int   i2 __attribute__((vector_size(8)));
K void        k(f4 *v, i2 *w, float s)
{
	f4 t = *v * s;
	t.x += t.w;
	*v = t;
	i2 u = *w;
	u[1] = 4;
	*w = u;
}
