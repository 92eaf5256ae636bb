#include "choice.h"

static u8 next(Choice *c)
{
	if (!c->n)
		return 0;
	c->n--;
	return *c->p++;
}

static u64 bytes(Choice *c, u32 n)
{
	u64 v = 0;
	for (u32 i = 0; i < n; i++)
		v = v << 8 | next(c);
	return v;
}

u32 choose(Choice *c, u32 n) { return n <= 1 ? 0 : (u32)(bytes(c, n <= 256 ? 1 : 4) % n); }

i32 choose_small(Choice *c) { return (i8)next(c); }

u64 choose_number(Choice *c)
{
	switch (choose(c, 6)) {
	case 0: return next(c);
	case 1: return (u64)(i64)choose_small(c);
	case 2: return ((u64)1 << choose(c, 64)) + (u64)(i64)(i32)choose(c, 5) - 2;
	case 3: return bytes(c, 2);
	case 4: return bytes(c, 4);
	default: return bytes(c, 8);
	}
}

u64 choose_size(Choice *c, u32 at) { return chance(c, 12) ? choose_number(c) : choose(c, at); }
