/* sanitize_clock.c: vector clocks of ranges (sanitize_clock.h). */
#include "simt/sanitize_clock.h"

#include "base/checked.h"

void *pool_take(ClockPool *p, u64 bytes, u32 *class)
{
	u32 k = PS_MAX(u64_log2(PS_MAX(bytes, (u64)16) - 1) + 1, 4u);
	*class = k;
	p->used += (u64)1 << k;
	void *taken = p->spare[k];
	if (!taken)
		return arena_alloc(p->arena, (u64)1 << k, 16);
	memcpy(&p->spare[k], taken, sizeof(void *));
	memset(taken, 0, (size_t)1 << k);
	return taken;
}

void pool_give(ClockPool *p, void *memory, u32 class)
{
	p->used -= (u64)1 << class;
	memcpy(memory, &p->spare[class], sizeof(void *));
	p->spare[class] = memory;
}

Range *pool_work(ClockPool *p, u32 n)
{
	if (p->work_cap < n) {
		p->work_cap = 2 * n;
		p->work = arena_array(p->arena, Range, p->work_cap);
	}
	return p->work;
}

void clock_drop(ClockPool *p, Clock *c)
{
	if (c && --c->refs == 0)
		pool_give(p, c, c->class);
}

static Clock *clock_of(ClockPool *p, const Range *r, u32 n)
{
	u32 class;
	Clock *c = pool_take(p, sizeof(Clock) + (u64)n * sizeof *r, &class);
	c->refs = 1, c->n = n, c->class = class;
	memcpy(c->r, r, n * sizeof *r);
	return c;
}

/* Adds a range behind those of `out`; joins it with the last one where they touch and are equal. */
static u32 append(Range *out, u32 n, u32 first, u32 last, u32 time)
{
	if (n && out[n - 1].time == time && out[n - 1].last + 1 == first)
		out[n - 1].last = last;
	else
		out[n++] = (Range){first, last, time, 0};
	return n;
}

/* Sweeps both lists from the lowest actor up: from each place to the next place where either list begins or ends a range, the entry
 * is the larger of the two. */
static u32 join(Range *out, const Range *a, u32 n_a, const Range *b, u32 n_b)
{
	u32 n = 0, i = 0, k = 0;
	u64 at = 0;
	while (i < n_a || k < n_b) {
		u64 a_first = i < n_a ? a[i].first : (u64)1 << 33, b_first = k < n_b ? b[k].first : (u64)1 << 33;
		at = PS_MAX(at, PS_MIN(a_first, b_first));
		bool in_a = a_first <= at, in_b = b_first <= at;
		u64  end = (u64)1 << 33;
		end = PS_MIN(end, in_a ? (u64)a[i].last + 1 : a_first);
		end = PS_MIN(end, in_b ? (u64)b[k].last + 1 : b_first);
		u32 time = PS_MAX(in_a ? a[i].time : 0, in_b ? b[k].time : 0);
		n = append(out, n, (u32)at, (u32)(end - 1), time);
		at = end;
		i += in_a && a[i].last < at;
		k += in_b && b[k].last < at;
	}
	return n;
}

static void join_ranges(ClockPool *p, Clock **at, const Range *more, u32 n)
{
	const Clock *c = *at;
	Range       *out = pool_work(p, 2 * ((c ? c->n : 0) + n) + 1);
	u32          joined = join(out, c ? c->r : NULL, c ? c->n : 0, more, n);
	if (c && joined == c->n && memcmp(out, c->r, joined * sizeof *out) == 0)
		return;
	clock_assign(p, at, clock_of(p, out, joined));
}

void clock_join(ClockPool *p, Clock **at, const Clock *more)
{
	if (!more || more == *at)
		return;
	if (!*at) {
		*at = (Clock *)more;
		(*at)->refs++;
		return;
	}
	join_ranges(p, at, more->r, more->n);
}

void clock_join_range(ClockPool *p, Clock **at, Range r) { join_ranges(p, at, &r, 1); }

/* The first range that ends at the actor or behind it. */
static u32 range_at(const Clock *c, u32 actor)
{
	u32 lo = 0, hi = c ? c->n : 0;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (c->r[mid].last < actor)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool clock_meets(const Clock *c, u32 first, u32 last)
{
	for (u32 i = 0; c && i < c->n; i++)
		if (c->r[i].first <= last && c->r[i].last >= first)
			return true;
	return false;
}

u32 clock_time(const Clock *c, u32 actor)
{
	u32 i = range_at(c, actor);
	return c && i < c->n && c->r[i].first <= actor ? c->r[i].time : 0;
}

u32 clock_unknown(const Clock *c, Range r)
{
	u64 at = r.first;
	for (u32 i = range_at(c, r.first); at <= r.last; i++) {
		if (!c || i == c->n || c->r[i].first > at || c->r[i].time < r.time)
			return (u32)at;
		at = (u64)c->r[i].last + 1;
	}
	return ~0u;
}

void clock_join_shifted(ClockPool *p, Clock **at, const Clock *from, u32 limit, u32 shift)
{
	u32    n = 0, class;
	Range *moved = from ? pool_take(p, from->n * sizeof *moved, &class) : NULL;
	for (u32 i = 0; from && i < from->n && from->r[i].first < limit; i++)
		moved[n++] = (Range){from->r[i].first + shift, PS_MIN(from->r[i].last, limit - 1) + shift, from->r[i].time, 0};
	if (n)
		join_ranges(p, at, moved, n);
	if (moved)
		pool_give(p, moved, class);
}
