#include "cuda.h"
struct V {
	float x, y, z;
};
struct M {
	V   c[3];
	int n;
};
D V cross(V a, V b)
{
	V r;
	r.x = a.y * b.z - a.z * b.y;
	r.y = a.z * b.x - a.x * b.z;
	r.z = a.x * b.y - a.y * b.x;
	return r;
}
K void k(M *m, V v)
{
	V t = cross(m->c[0], v);
	m->c[1] = t;
	m->n++;
}
