#include "cuda.h"
struct N {
	struct In {
		int q;
		enum Z { P, Q } z;
	};
	In i;
	union {
		int   u1;
		float u2;
	};
	struct {
		int anon;
	} na;
	typedef In *PI;
	PI          pi;
};
K void k(N *n)
{
	N::In t = n->i;
	t.z = N::In::Q;
	n->u1 = t.q + n->na.anon;
	n->i = t;
	n->pi = &n->i;
}
