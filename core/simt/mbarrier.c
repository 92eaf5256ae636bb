/* mbarrier.c: mbarriers.
 *
 * Their 64 bits, which PTX leaves open: arrivals expected in each phase (bits 0-19), arrivals pending in this one
 * (20-39), transactions pending (40-60, signed), phase (61), and a mark by which a word that nobody has set up is told
 * (62-63).
 *
 * What an mbarrier is told of lands when somebody looks whether the phase is complete, so a thread that does not look
 * reads the bytes of before (async_land.c). */
#include "simt/async.h"
#include "simt/sanitize.h"

#include "sem/int.h"

enum { MB_COUNT_BITS = 20, MB_TX_BITS = 21 };
#define MB_MARK ((u64)2 << 62)

typedef struct Mbar {
	u32 expected, pending, phase;
	i64 tx;
} Mbar;

static Mbar mbar_of(u64 v)
{
	u64 mask = sem_mask(MB_COUNT_BITS);
	return (Mbar){(u32)(v & mask), (u32)(v >> MB_COUNT_BITS & mask), (u32)(v >> 61 & 1),
	              sem_sext(v >> 2 * MB_COUNT_BITS & sem_mask(MB_TX_BITS), MB_TX_BITS)};
}

static u64 mbar_word(const Mbar *b)
{
	return b->expected | (u64)b->pending << MB_COUNT_BITS | ((u64)b->tx & sem_mask(MB_TX_BITS)) << 2 * MB_COUNT_BITS |
	       (u64)b->phase << 61 | MB_MARK;
}

/* The phase ends when nothing is pending: the next one begins, and what was written is there for all to see. */
static void mbar_check(SimtMachine *m, const u8 *p, Mbar *b)
{
	if (b->pending || b->tx)
		return;
	b->phase ^= 1;
	b->pending = b->expected;
	if (m->san)
		order_mbar_phase(m, shared_place_of(m, p));
}

static Mbar mbar_read(const u8 *p)
{
	u64 v;
	memcpy(&v, p, 8);
	return mbar_of(v);
}

static void mbar_write(u8 *p, const Mbar *b)
{
	u64 v = mbar_word(b);
	memcpy(p, &v, 8);
}

u64 mbar_address(const SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	return lane64(reg_rows(m, f, x->mbar), l) + (u64)(i64)(i32)x->mbar_offset;
}

u8 *mbar_at(SimtMachine *m, u32 space, u64 at, u32 l, bool init)
{
	u64 v;
	if (at % 8) {
		simt_fail(m, FAULT_MISALIGNED, l, "mbarrier at 0x%llx, which is no multiple of 8", (unsigned long long)at);
		return NULL;
	}
	u8 *p = mem_at(m, space, at, 8, l, init ? ACCESS_WRITE : ACCESS_ATOMIC);
	if (p && !shared_place_of(m, p).block) {
		simt_fail(m, FAULT_MBARRIER, l, "mbarrier at 0x%llx, which is not in shared memory", (unsigned long long)at);
		return NULL;
	}
	if (!p || init)
		return p;
	memcpy(&v, p, 8);
	if (v >> 62 == MB_MARK >> 62)
		return p;
	simt_fail(m, FAULT_MBARRIER, l, "the 8 bytes at 0x%llx are no mbarrier: mbarrier.init has not set them up",
	          (unsigned long long)at);
	return NULL;
}

void mbar_transactions(SimtMachine *m, u8 *p, i64 n)
{
	Mbar b = mbar_read(p);
	b.tx += n;
	if (n < 0)
		mbar_check(m, p, &b);
	mbar_write(p, &b);
}

void mbar_expect(u8 *p, u32 n)
{
	Mbar b = mbar_read(p);
	b.pending += n;
	mbar_write(p, &b);
}

static bool arrive(SimtMachine *m, const AsyncForm *x, u8 *p, u32 l, u32 n)
{
	Mbar b = mbar_read(p);
	u32  count = x->expect ? 1 : n;
	if (count > b.pending && b.tx) { /* the phase may have ended, though nobody has looked */
		if (!async_land_at(m, p))
			return false;
		b = mbar_read(p);
	}
	if (x->expect)
		b.tx += n;
	if (count > b.pending)
		return simt_fail(m, FAULT_MBARRIER, l, "%u arrivals at an mbarrier that waits for %u more in this phase", count,
		                 b.pending);
	b.pending -= count;
	if (x->drop)
		b.expected -= PS_MIN(count, b.expected);
	if (m->san)
		order_mbar_arrive(m, l, x, shared_place_of(m, p));
	mbar_check(m, p, &b);
	mbar_write(p, &b);
	return true;
}

bool mbar_arrive(SimtMachine *m, u8 *p, u32 l, u32 n)
{
	static const AsyncForm plain = {.what = AS_ARRIVE};
	return arrive(m, &plain, p, l, n);
}

static bool set_up(SimtMachine *m, u8 *p, u32 l, u32 n)
{
	if (n == 0 || n >= 1u << MB_COUNT_BITS)
		return simt_fail(m, FAULT_MBARRIER, l, "an mbarrier for %u arrivals: 1 to %u are possible", n,
		                 (1u << MB_COUNT_BITS) - 1);
	mbar_write(p, &(Mbar){n, n, 0, 0});
	if (m->san)
		order_mbar_init(m, shared_place_of(m, p));
	return true;
}

bool mbar_run(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u32 *d = x->d == NO_REG ? NULL : reg_rows(m, f, x->d);
	if (x->what == AS_PENDING) {
		if (d)
			d[l] = mbar_of(lane64(reg_rows(m, f, x->b), l)).pending;
		return true;
	}
	u64 at = mbar_address(m, f, x, l);
	u8 *p = mbar_at(m, x->mbar_space, at, l, x->what == AS_INIT);
	u32 n = x->b == NO_REG || x->what == AS_TEST ? 1 : reg_rows(m, f, x->b)[l];
	u64 v = 0;
	u32 over;
	if (!p)
		return false;
	if (x->what != AS_ARRIVE && x->what != AS_EXPECT && x->what != AS_COMPLETE && shared_place_of(m, p).block != m->cur_block)
		return simt_fail(m, FAULT_MBARRIER, l,
		                 "the mbarrier at 0x%llx is another block's: that block alone sets it up and waits at it",
		                 (unsigned long long)at);
	switch ((AsyncWhat)x->what) {
	case AS_INIT: return set_up(m, p, l, n);
	case AS_INVAL:
		if (!async_land_at(m, p))
			return false;
		memset(p, 0, 8);
		return true;
	case AS_EXPECT: mbar_transactions(m, p, n); return true;
	case AS_COMPLETE: mbar_transactions(m, p, -(i64)n); return true;
	case AS_TEST:
	case AS_TEST_PARITY:
		if (!async_land_at(m, p))
			return false;
		over = mbar_read(p).phase != (x->what == AS_TEST ? mbar_of(lane64(reg_rows(m, f, x->b), l)).phase : (n & 1));
		if (d)
			d[l] = over;
		return !m->san || order_mbar_wait(m, l, x, shared_place_of(m, p), over);
	default:
		memcpy(&v, p, 8);
		if (!arrive(m, x, p, l, n))
			return false;
		if (d)
			set_lane64(d, l, v);
		return true;
	}
}
