#include "cuda.h"
struct Node {
	Node         *next;
	struct Other *o;
	int           v;
};
struct Other {
	Node *back;
};
NI int len(Node *n)
{
	int c = 0;
	while (n) {
		c += n->v;
		n = n->next;
	}
	return c;
}
K void k(Node *n, int *o) { *o = len(n) + (n->o->back == n); }
