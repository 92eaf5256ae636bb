struct p {
	int       x;
	struct p *n;
};
enum e { A1 = -1, B1 };
union u {
	long   l;
	double d;
};
static int st;
const char str[] = "hi";
int        arr[];
int        f();
int        f2(void);
int        use(void *);
int        g(struct p *q, enum e v, union u w, int n)
{
	static int   cnt;
	register int r = n;
	int          vla[4];
	int *restrict rp = vla;
	_Atomic int at;
	vla[0] = q->x + v + cnt++ + st;
	use(vla);
	use(&at);
	f();
	f2();
	return rp[0] + r + (int)w.l;
}
