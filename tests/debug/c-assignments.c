extern void use(int *);
int         f(int n, int *p)
{
	int a[4];
	int v = n;
	use(&v);
	a[0] = n;
	a[1] = v;
	v = v + 1;
	for (int i = 0; i < 4; i++)
		a[i] += p[i];
	struct {
		int x, y;
	} s;
	s.x = a[n];
	s.y = v;
	use(&s.x);
	int w = 5;
	if (n) {
		w = a[n];
		use(&w);
	}
	volatile int q = 3;
	q = w;
	return s.y + w + q;
}
