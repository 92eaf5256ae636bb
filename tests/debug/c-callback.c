typedef struct {
	unsigned a : 4, b : 4;
	_Bool    c : 1;
} T;
struct fl {
	int n;
	int d[];
};
typedef int (*cb)(const T *, volatile int *, ...);
extern int ex;
int (*fp)(void);
int g(T *t, struct fl *f, cb c)
{
	volatile int v = t->a;
	int          s = 0;
	for (int i = 0; i < f->n; i++)
		s += f->d[i];
	return c(t, &v, s) + ex;
}
