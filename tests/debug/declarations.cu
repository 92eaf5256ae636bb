#include "cuda.h"
struct Fwd;
struct Part {
	Fwd *f;
};
extern D int ext;
D int        user(Fwd *);
K void       k(Part *p, int *o) { *o = user(p->f) + ext; }
