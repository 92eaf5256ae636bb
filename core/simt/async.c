/* async.c: mbarriers, and copies that threads do not wait for: cp.async, cp.async.bulk, st.async, red.async.
 *
 * A copy is done when it is issued, which is one of the times that the hardware may choose; its completion is
 * told to the mbarrier at once. Waits for groups find nothing open.
 *
 * An mbarrier's 64 bits, which PTX leaves open: arrivals expected in each phase (bits 0-19), arrivals pending
 * in this one (20-39), transactions pending (40-60, signed), phase (61), and a mark by which a word that nobody
 * has set up is told (62-63). */
#include "simt/machine.h"
#include "simt/op_impl.h"

#include "sem/int.h"

typedef enum AsyncWhat {
	AS_COPY,
	AS_BULK,
	AS_BULK_REDUCE,
	AS_STORE,
	AS_RED,
	AS_FILL,
	AS_INIT,
	AS_INVAL,
	AS_EXPECT,
	AS_COMPLETE,
	AS_ARRIVE,
	AS_TEST,
	AS_TEST_PARITY,
	AS_PENDING
} AsyncWhat;

enum { MB_COUNT_BITS = 20, MB_TX_BITS = 21 };
#define MB_MARK ((u64)2 << 62)

/* ---- decoding */

static AsyncForm form(AsyncWhat what)
{
	return (AsyncForm){.what = (u8)what,
	                   .mbar_space = SPACE_SHARED,
	                   .d = NO_REG,
	                   .to = NO_REG,
	                   .from = NO_REG,
	                   .size = NO_REG,
	                   .mbar = NO_REG,
	                   .b = NO_REG,
	                   .skip = NO_REG};
}

static bool emit_form(OpCx *c, const AsyncForm *x)
{
	u32 at = c->e->p->async.n;
	vec_push(c->e->p->arena, &c->e->p->async, *x);
	emit_insn(c->e, S_ASYNC)->y = at;
	return true;
}

static void address(OpCx *c, u32 k, i32 *base, u32 *offset)
{
	*base = op_in(c, k, 64);
	*offset = k + 1 < c->n ? (u32)c->arg[k + 1].value : 0;
}

static bool present(const OpCx *c, u32 k) { return k < c->n && c->arg[k].kind != ARG_NONE; }

static u32 space_or(u32 token, u32 otherwise) { return token ? simt_space_of(token) : otherwise; }

static bool decode_copy(OpCx *c)
{
	AsyncForm x = form(AS_COPY);
	bool      ignore = c->d->opc.op == ISA_cp_async_ignore, hint = slot(c, SLOT_hint) != 0;
	x.to_space = SPACE_SHARED, x.from_space = SPACE_GLOBAL;
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.from, &x.from_offset);
	x.bytes = (u32)c->arg[4].value;
	if (ignore)
		x.skip = op_in(c, 5, 1);
	else if (present(c, 5) && (!hint || present(c, 6)))
		x.size = op_in(c, 5, 32);
	return emit_form(c, &x);
}

static bool decode_bulk(OpCx *c, AsyncWhat what, bool counted)
{
	AsyncForm x = form(what);
	bool      outward = slot(c, SLOT_space) == TOK_space_global;
	if (isa_has_flag(&c->d->opc, TOK_flag_multicast_cluster) || isa_has_flag(&c->d->opc, TOK_flag_cp_mask) ||
	    isa_has_flag(&c->d->opc, TOK_flag_ignore_oob))
		return false;
	x.to_space = outward ? SPACE_GLOBAL : SPACE_SHARED;
	x.from_space = slot(c, SLOT_space2) == TOK_space_global ? SPACE_GLOBAL : SPACE_SHARED;
	address(c, 0, &x.to, &x.to_offset);
	address(c, 2, &x.from, &x.from_offset);
	x.size = op_in(c, 4, 32);
	if (counted)
		address(c, 5, &x.mbar, &x.mbar_offset);
	if (what == AS_BULK_REDUCE) {
		Ty t = ty(c);
		x.bytes = t.bits / 8u;
		x.atom = op_atom_kind(c);
	}
	return emit_form(c, &x);
}

/* st.async: elements go one after the other, each with its bytes told to the mbarrier. */
static bool decode_store(OpCx *c, AsyncWhat what)
{
	Ty  t = ty(c);
	u32 n = what == AS_STORE ? isa_vec(&c->d->opc) : 1;
	for (u32 k = 0; k < n; k++) {
		AsyncForm x = form(what);
		x.to_space = SPACE_SHARED;
		x.bytes = t.bits / 8u;
		address(c, 0, &x.to, &x.to_offset);
		x.to_offset += k * x.bytes;
		x.b = op_in(c, 2 + k, t.bits);
		x.wide = t.bits > 32;
		x.atom = what == AS_RED ? op_atom_kind(c) : 0;
		address(c, 2 + n, &x.mbar, &x.mbar_offset);
		emit_form(c, &x);
	}
	return true;
}

static bool decode_fill(OpCx *c)
{
	AsyncForm x = form(AS_FILL);
	x.to_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.to, &x.to_offset);
	x.size = op_in(c, 2, 32);
	return emit_form(c, &x);
}

static bool decode_mbarrier(OpCx *c)
{
	u32       op = c->d->opc.op, defs = c->d->n_defs;
	AsyncForm x = form(AS_INIT);
	x.mbar_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	x.d = defs ? taken(c, 0,
	                   op == ISA_mbarrier_pending || op == ISA_mbarrier_test || op == ISA_mbarrier_test_parity ? 32 : 64)
	           : NO_REG;
	if (op == ISA_mbarrier_pending) {
		x.what = AS_PENDING;
		x.b = op_in(c, 1, 64);
		return emit_form(c, &x);
	}
	address(c, defs, &x.mbar, &x.mbar_offset);
	u32 value = defs + 2;
	switch (op) {
	case ISA_mbarrier_init: break;
	case ISA_mbarrier_inval: x.what = AS_INVAL; break;
	case ISA_mbarrier_tx: x.what = slot(c, SLOT_op) == TOK_op_expect_tx ? AS_EXPECT : AS_COMPLETE; break;
	case ISA_mbarrier_test: x.what = AS_TEST; break;
	case ISA_mbarrier_test_parity: x.what = AS_TEST_PARITY; break;
	default:
		x.what = AS_ARRIVE;
		x.drop = slot(c, SLOT_op) == TOK_op_arrive_drop;
		x.expect = op == ISA_mbarrier_arrive_tx;
	}
	if (present(c, value))
		x.b = op_in(c, value, x.what == AS_TEST ? 64 : 32);
	return emit_form(c, &x);
}

/* All copies are done: with .noinc the arrival is one of those expected, else one more is expected first. */
static bool decode_copies_done(OpCx *c)
{
	if (!isa_has_flag(&c->d->opc, TOK_flag_noinc)) {
		emit_insn(c->e, S_NOP);
		return true;
	}
	AsyncForm x = form(AS_ARRIVE);
	x.mbar_space = (u8)space_or(slot(c, SLOT_space), SPACE_GENERIC);
	address(c, 0, &x.mbar, &x.mbar_offset);
	return emit_form(c, &x);
}

bool simt_op_async(OpCx *c)
{
	switch (c->d->opc.op) {
	case ISA_cp_async:
	case ISA_cp_async_ignore: return decode_copy(c);
	case ISA_cp_async_commit:
	case ISA_cp_async_wait:
	case ISA_cp_async_wait_all:
	case ISA_bulk_commit:
	case ISA_bulk_wait: emit_insn(c->e, S_NOP); return true;
	case ISA_cp_async_mbarrier: return decode_copies_done(c);
	case ISA_bulk_in: return decode_bulk(c, AS_BULK, true);
	case ISA_bulk_out: return decode_bulk(c, AS_BULK, false);
	case ISA_bulk_reduce_mbar: return decode_bulk(c, AS_BULK_REDUCE, true);
	case ISA_bulk_reduce: return decode_bulk(c, AS_BULK_REDUCE, false);
	case ISA_st_async: return decode_store(c, AS_STORE);
	case ISA_red_async: return decode_store(c, AS_RED);
	case ISA_st_bulk: return decode_fill(c);
	case ISA_mbarrier_init:
	case ISA_mbarrier_inval:
	case ISA_mbarrier_tx:
	case ISA_mbarrier_arrive:
	case ISA_mbarrier_arrive_tx:
	case ISA_mbarrier_arrive_nc:
	case ISA_mbarrier_pending:
	case ISA_mbarrier_test:
	case ISA_mbarrier_test_parity: return decode_mbarrier(c);
	default: return false;
	}
}

/* ---- mbarriers */

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
static void mbar_check(SimtMachine *m, Mbar *b)
{
	if (b->pending || b->tx)
		return;
	b->phase ^= 1;
	b->pending = b->expected;
	m->cur_block->epoch++;
}

static u8 *mbar_at(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l, bool init)
{
	u64 at = lane64(reg_rows(m, f, x->mbar), l) + (u64)(i64)(i32)x->mbar_offset, v;
	if (at % 8) {
		simt_fail(m, FAULT_MISALIGNED, l, "mbarrier at 0x%llx, which is no multiple of 8", (unsigned long long)at);
		return NULL;
	}
	u8 *p = mem_at(m, x->mbar_space, at, 8, l, init ? ACCESS_WRITE : ACCESS_ATOMIC);
	if (!p || init)
		return p;
	memcpy(&v, p, 8);
	if (v >> 62 == MB_MARK >> 62)
		return p;
	simt_fail(m, FAULT_MBARRIER, l, "the 8 bytes at 0x%llx are no mbarrier: mbarrier.init has not set them up",
	          (unsigned long long)at);
	return NULL;
}

static bool transactions(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l, i64 n)
{
	if (x->mbar == NO_REG)
		return true;
	u8 *p = mbar_at(m, f, x, l, false);
	u64 v;
	if (!p)
		return false;
	memcpy(&v, p, 8);
	Mbar b = mbar_of(v);
	b.tx += n;
	if (n < 0)
		mbar_check(m, &b);
	v = mbar_word(&b);
	memcpy(p, &v, 8);
	return true;
}

static bool arrive(SimtMachine *m, const AsyncForm *x, u8 *p, u32 l, u32 n)
{
	u64 v;
	memcpy(&v, p, 8);
	Mbar b = mbar_of(v);
	u32  count = x->expect ? 1 : n;
	if (x->expect)
		b.tx += n;
	if (count > b.pending)
		return simt_fail(m, FAULT_MBARRIER, l, "%u arrivals at an mbarrier that waits for %u more in this phase", count,
		                 b.pending);
	b.pending -= count;
	if (x->drop)
		b.expected -= PS_MIN(count, b.expected);
	mbar_check(m, &b);
	v = mbar_word(&b);
	memcpy(p, &v, 8);
	return true;
}

static bool mbarrier(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u8  *p = mbar_at(m, f, x, l, x->what == AS_INIT);
	u32 *d = x->d == NO_REG ? NULL : reg_rows(m, f, x->d);
	u32  n = x->b == NO_REG || x->what == AS_TEST ? 1 : reg_rows(m, f, x->b)[l];
	u64  v = 0;
	if (!p)
		return false;
	memcpy(&v, p, 8);
	Mbar b = mbar_of(v);
	switch ((AsyncWhat)x->what) {
	case AS_INIT:
		if (n == 0 || n >= 1u << MB_COUNT_BITS)
			return simt_fail(m, FAULT_MBARRIER, l, "an mbarrier for %u arrivals: 1 to %u are possible", n,
			                 (1u << MB_COUNT_BITS) - 1);
		b = (Mbar){n, n, 0, 0};
		v = mbar_word(&b);
		memcpy(p, &v, 8);
		return true;
	case AS_INVAL: memset(p, 0, 8); return true;
	case AS_TEST:
		if (d)
			d[l] = b.phase != mbar_of(lane64(reg_rows(m, f, x->b), l)).phase;
		return true;
	case AS_TEST_PARITY:
		if (d)
			d[l] = b.phase != (n & 1);
		return true;
	default:
		if (!arrive(m, x, p, l, n))
			return false;
		if (d)
			set_lane64(d, l, v);
		return true;
	}
}

/* ---- copies */

static bool watch(SimtMachine *m, const u8 *p, u64 bytes, u32 l)
{
	if (m->watched && m->watched >= p && m->watched < p + bytes)
		simt_wrote(m, l);
	return true;
}

static bool reduce(SimtMachine *m, const AsyncForm *x, u8 *to, const u8 *from, u64 bytes)
{
	(void)m;
	for (u64 i = 0; i + x->bytes <= bytes; i += x->bytes) {
		u64 old = 0, v = 0;
		memcpy(&old, to + i, x->bytes);
		memcpy(&v, from + i, x->bytes);
		v = mem_rmw(x->atom, 8 * x->bytes, old, v, 0);
		memcpy(to + i, &v, x->bytes);
	}
	return true;
}

static bool copy(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64 to = lane64(reg_rows(m, f, x->to), l) + (u64)(i64)(i32)x->to_offset,
	    from = lane64(reg_rows(m, f, x->from), l) + (u64)(i64)(i32)x->from_offset;
	u64 all = x->what == AS_COPY ? x->bytes : reg_rows(m, f, x->size)[l], part = all, align = x->what == AS_COPY ? all : 16;
	if (x->what == AS_COPY && x->size != NO_REG)
		part = PS_MIN(all, (u64)reg_rows(m, f, x->size)[l]);
	if (x->what == AS_COPY && x->skip != NO_REG && (reg_rows(m, f, x->skip)[l] & 1))
		part = 0;
	if (align == 0 || (to | from) % align || (x->what != AS_COPY && all % 16))
		return simt_fail(
			m, FAULT_MISALIGNED, l, "copy of %llu bytes from 0x%llx to 0x%llx: not all are multiples of %llu",
			(unsigned long long)all, (unsigned long long)from, (unsigned long long)to, (unsigned long long)align);
	if (all == 0)
		return true;
	u8       *q = mem_at(m, x->to_space, to, (u32)all, l, x->what == AS_BULK_REDUCE ? ACCESS_ATOMIC : ACCESS_WRITE);
	const u8 *p = q && part ? mem_at(m, x->from_space, from, (u32)part, l, ACCESS_READ) : NULL;
	if (!q || (part && !p))
		return false;
	watch(m, q, all, l);
	if (x->what == AS_BULK_REDUCE)
		return reduce(m, x, q, p, all) && transactions(m, f, x, l, -(i64)all);
	if (part)
		memmove(q, p, (size_t)part);
	memset(q + part, 0, (size_t)(all - part));
	return transactions(m, f, x, l, -(i64)all);
}

static bool store(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64 at = lane64(reg_rows(m, f, x->to), l) + (u64)(i64)(i32)x->to_offset, v, old = 0;
	if (at % x->bytes)
		return simt_fail(m, FAULT_MISALIGNED, l, "%u-byte write at 0x%llx, which is no multiple of %u", x->bytes,
		                 (unsigned long long)at, x->bytes);
	u8 *p = mem_at(m, x->to_space, at, x->bytes, l, ACCESS_ATOMIC);
	if (!p)
		return false;
	v = x->wide ? lane64(reg_rows(m, f, x->b), l) : reg_rows(m, f, x->b)[l];
	memcpy(&old, p, x->bytes);
	if (x->what == AS_RED)
		v = mem_rmw(x->atom, 8 * x->bytes, old, v, 0);
	memcpy(p, &v, x->bytes);
	return transactions(m, f, x, l, -(i64)x->bytes);
}

static bool fill(SimtMachine *m, const Frame *f, const AsyncForm *x, u32 l)
{
	u64 at = lane64(reg_rows(m, f, x->to), l) + (u64)(i64)(i32)x->to_offset;
	u32 n = reg_rows(m, f, x->size)[l];
	u8 *p = n ? mem_at(m, x->to_space, at, n, l, ACCESS_WRITE) : NULL;
	if (p)
		memset(p, 0, n);
	return !n || p;
}

bool async_run(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const AsyncForm *x = &m->p->async.p[i->y];
	each_lane(mask, l) {
		bool ok;
		switch ((AsyncWhat)x->what) {
		case AS_COPY:
		case AS_BULK:
		case AS_BULK_REDUCE: ok = copy(m, f, x, l); break;
		case AS_STORE:
		case AS_RED: ok = store(m, f, x, l); break;
		case AS_FILL: ok = fill(m, f, x, l); break;
		case AS_EXPECT: ok = transactions(m, f, x, l, reg_rows(m, f, x->b)[l]); break;
		case AS_COMPLETE: ok = transactions(m, f, x, l, -(i64)reg_rows(m, f, x->b)[l]); break;
		case AS_PENDING:
			if (x->d != NO_REG)
				reg_rows(m, f, x->d)[l] = mbar_of(lane64(reg_rows(m, f, x->b), l)).pending;
			ok = true;
			break;
		default: ok = mbarrier(m, f, x, l); break;
		}
		if (!ok)
			return false;
	}
	return true;
}
