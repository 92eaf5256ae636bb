/* memory_fast.c: loads and stores of all 32 lanes whose addresses are equal or follow each other, in lanes 0 to 15 and in 16 to 31
 * (a block of 16 x 16 threads has both), and those of parameters and other fixed addresses. One check is made for 16 lanes. Whatever
 * is not plain (part of a warp, sanitizers, a watched byte, addresses that scatter or are wrong) is left to memory.c, which also
 * reports what is wrong. */
#include "simt/lane_code.h"
#include "simt/machine.h"

#include "sem/int.h"

typedef struct Half {
	u8 *host;
	u32 step; /* bytes from lane to lane: 0, or those of the access; in local memory, of which each lane has its own, beyond that */
} Half;

/* The bytes of the 16 lanes whose lowest address is `at`. NULL: not in one piece of memory. */
static PS_INLINE u8 *bytes_at(SimtMachine *m, u32 space, u64 at, u32 bytes, bool write)
{
	if (space == SPACE_GENERIC) {
		u64 in_windows = at - m->p->windows;
		if (simt_is_shared(in_windows)) {
			space = SPACE_SHARED;
			at = in_windows - SHARED_WINDOW;
		}
	}
	if (space == SPACE_SHARED) {
		at -= m->cur_block->base; /* an address of another block is outside now */
		return at >= SHARED_START && size_holds(m->shared_size, at, bytes) ? m->cur_block->shared + at : NULL;
	}
	if (space != SPACE_GENERIC && space != SPACE_GLOBAL && space != SPACE_CONST)
		return NULL;
	const Region *r = &m->region.p[m->hit];
	if (at - r->base >= r->size) {
		u32 found = region_holding(m, at);
		if (found == ~0u)
			return NULL;
		m->hit = found;
		r = &m->region.p[found];
	}
	return size_holds(r->size, at - r->base, bytes) && !(write && r->read_only) ? r->host + (at - r->base) : NULL;
}

/* The lanes from `first` on reach `bytes` of local memory from `at` on, of which each lane has its own, up to the frame's end. */
static bool local_half(const SimtMachine *m, const Frame *f, u32 space, u64 at, u32 bytes, u32 first, Half *h)
{
	const Warp *w = m->cur_warp;
	u64         in_windows = at - m->p->windows;
	if (space == SPACE_GENERIC && in_windows >> WINDOW_BITS == LOCAL_WINDOW >> WINDOW_BITS)
		at = in_windows - LOCAL_WINDOW;
	else if (space != SPACE_LOCAL)
		return false;
	if (at < LOCAL_START || !size_holds(f->top, at, bytes))
		return false;
	h->host = w->local + (size_t)first * w->local_size + at;
	h->step += w->local_size;
	return true;
}

/* All lanes have one address, which the instruction says. */
static bool fixed_halves(SimtMachine *m, const Frame *f, const SimtInsn *i, bool write, Half *out)
{
	u32 size = (u32)i->mem.bytes * PS_MAX(i->n, 1u), space = i->mem.space;
	u64 at = (u64)(i64)(i32)i->z + (i->mem.flags & SMF_FRAME ? f->base : 0);
	out[0] = out[1] = (Half){0};
	if (at & (((u64)1 << i->mem.align_log2) - 1))
		return false;
	if (space == SPACE_LOCAL)
		return local_half(m, f, space, at, size, 0, &out[0]) && local_half(m, f, space, at, size, HALF_LANES, &out[1]);
	if (space != SPACE_PARAM)
		out->host = bytes_at(m, space, at + (space == SPACE_SHARED ? m->cur_block->base : 0), size, write);
	else if (!write && size_holds(m->param_size, at, size))
		out->host = m->param + at;
	out[1] = out[0];
	return out->host != NULL;
}

static bool halves(SimtMachine *m, const Frame *f, const SimtInsn *i, bool write, Half *out)
{
	u32 size = (u32)i->mem.bytes * PS_MAX(i->n, 1u);
	u64 offset = (u64)(i64)(i32)i->z, mask = ((u64)1 << i->mem.align_log2) - 1;
	if (i->a == NO_REG)
		return fixed_halves(m, f, i, write, out);
	const u32 *a = reg_rows(m, f, i->a);
	for (u32 h = 0; h < 2; h++) {
		u32 first = h * HALF_LANES;
		u32 step = i->narrow ? m->wide->step32(a + first, size)
		                     : m->wide->step64((const u64 *)(const void *)a + first, size);
		u64 at = i->narrow ? (u32)(a[first] + (u32)offset) : lane64(a, first) + offset;
		if (step == LANES_SCATTER || (at & mask))
			return false;
		out[h].step = step;
		if (i->narrow && at + (u64)out[h].step * (HALF_LANES - 1) > UINT32_MAX)
			return false;
		u32 bytes = step * (HALF_LANES - 1) + size;
		out[h].host = bytes_at(m, i->mem.space, at, bytes, write);
		if (!out[h].host && !local_half(m, f, i->mem.space, at, bytes, first, &out[h]))
			return false;
	}
	return true;
}

static bool is_plain(const SimtMachine *m, const SimtInsn *i, u32 mask)
{
	return mask == ALL_LANES && !(i->a != NO_REG && i->mem.flags & SMF_FRAME) && !access_is_strong(m, i) &&
	       i->mem.bytes <= 8 && !m->o.sanitize && !m->watched;
}

/* ---- loads */

/* Vectors anywhere in memory. Copies of a constant size would be calls in WebAssembly, of which engines make slow ones. */
typedef u32 Four __attribute__((vector_size(16), aligned(1)));

static inline void copy_fours(void *to, const void *from, u32 n)
{
	for (u32 i = 0; i < n; i++)
		((Four *)to)[i] = ((const Four *)from)[i];
}
static inline u64 bytes_get(const u8 *p, u32 n)
{
	u64 v = 0;
	switch (n) {
	case 1: return *p;
	case 2: memcpy(&v, p, 2); break;
	case 4: memcpy(&v, p, 4); break;
	case 8: memcpy(&v, p, 8); break;
	default: memcpy(&v, p, n); break;
	}
	return v;
}
static inline void bytes_put(u8 *p, u64 v, u32 n)
{
	switch (n) {
	case 1: *p = (u8)v; break;
	case 2: memcpy(p, &v, 2); break;
	case 4: memcpy(p, &v, 4); break;
	case 8: memcpy(p, &v, 8); break;
	default: memcpy(p, &v, n); break;
	}
}
static inline void fill_half(u32 *d, u32 v)
{
	for (u32 i = 0; i < HALF_LANES / 4; i++)
		((Four *)(void *)d)[i] = (Four){v, v, v, v};
}

static void load32(u32 *d, const Half *h, u32 skip)
{
	for (u32 k = 0; k < 2; k++, d += HALF_LANES, h++) {
		u32 v;
		memcpy(&v, h->host + skip, 4);
		if (h->step == 4)
			copy_fours(d, h->host, HALF_LANES / 4);
		else if (h->step == 0)
			fill_half(d, v);
		else
			for (u32 l = 0; l < HALF_LANES; l++)
				memcpy(&d[l], h->host + skip + (size_t)l * h->step, 4);
	}
}

static void load64(u64 *d, const Half *h, u32 skip)
{
	for (u32 k = 0; k < 2; k++, d += HALF_LANES, h++) {
		if (h->step == 8)
			copy_fours(d, h->host, HALF_LANES / 2);
		else
			for (u32 l = 0; l < HALF_LANES; l++)
				memcpy(&d[l], h->host + skip + (size_t)l * h->step, 8);
	}
}

static void load_other(u32 *d, const Half *h, u32 skip, const SimtMem *mem)
{
	for (u32 l = 0; l < LANES; l++) {
		const Half *half = h + l / HALF_LANES;
		u64         v = bytes_get(half->host + skip + (size_t)(l % HALF_LANES) * half->step, mem->bytes);
		if (mem->flags & SMF_SIGNED)
			v = (u64)sem_sext(v, 8u * mem->bytes);
		if (mem->flags & SMF_WIDE)
			set_lane64(d, l, v);
		else
			d[l] = mem->flags & SMF_NARROW16 ? (u16)v : (u32)v;
	}
}

bool mem_load_fast(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Half h[2];
	if (!is_plain(m, i, mask) || !halves(m, f, i, false, h))
		return false;
	for (u32 k = 0; k < PS_MAX(i->n, 1u); k++) {
		i32 reg = i->n <= 1 ? i->d : (i32)m->p->ext.p[i->y + k];
		u32 skip = k * i->mem.bytes;
		if (reg == NO_REG)
			continue;
		u32 *d = reg_rows(m, f, reg);
		if (i->mem.bytes == 4 && !(i->mem.flags & (SMF_WIDE | SMF_SIGNED)))
			load32(d, h, skip);
		else if (i->mem.bytes == 8)
			load64((u64 *)(void *)d, h, skip);
		else
			load_other(d, h, skip, &i->mem);
	}
	return true;
}

/* ---- stores: of lanes with one address the last one's value stays */

bool mem_store_fast(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Half h[2];
	if (!is_plain(m, i, mask) || !halves(m, f, i, true, h))
		return false;
	for (u32 k = 0; k < PS_MAX(i->n, 1u); k++) {
		const u32 *v = reg_rows(m, f, i->n <= 1 ? i->b : (i32)m->p->ext.p[i->y + k]);
		bool       wide = i->mem.flags & SMF_WIDE;
		for (u32 half = 0; half < 2; half++) {
			u32 first = half * HALF_LANES, step = h[half].step;
			u8 *to = h[half].host + k * i->mem.bytes;
			if (step == i->mem.bytes && step == (wide ? 8 : 4)) {
				copy_fours(to, v + (wide ? 2 * first : first), step * HALF_LANES / 16);
				continue;
			}
			for (u32 l = step ? 0 : HALF_LANES - 1; l < HALF_LANES; l++) {
				bytes_put(to + (size_t)l * step, wide ? lane64(v, first + l) : v[first + l], i->mem.bytes);
			}
		}
	}
	return true;
}

/* ---- places, for compiled code */

/* One piece of memory: `host` is the address `base`; each lane has its own, so far apart. */
typedef struct Room {
	u64 base, size;
	u8 *host;
	u32 apart;
} Room;

static bool room_of(SimtMachine *m, const Frame *f, u32 space, u64 at, bool write, Room *r)
{
	const Block *b = m->cur_block;
	const Warp  *w = m->cur_warp;
	u64          window = 0, in_windows = at - m->p->windows;
	if (space == SPACE_GENERIC && simt_is_shared(in_windows))
		space = SPACE_SHARED, window = m->p->windows + SHARED_WINDOW;
	if (space == SPACE_GENERIC && in_windows >> WINDOW_BITS == LOCAL_WINDOW >> WINDOW_BITS)
		space = SPACE_LOCAL, window = m->p->windows + LOCAL_WINDOW;
	switch (space) {
	case SPACE_SHARED:
		*r = (Room){window + b->base + SHARED_START, m->shared_size - SHARED_START, b->shared + SHARED_START, 0};
		return true;
	case SPACE_LOCAL:
		*r = (Room){window + LOCAL_START, f->top - LOCAL_START, w->local + LOCAL_START, w->local_size};
		return true;
	case SPACE_PARAM: *r = (Room){0, m->param_size, m->param, 0}; return !write;
	case SPACE_GENERIC:
	case SPACE_GLOBAL:
	case SPACE_CONST: break;
	default: return false;
	}
	u32 hit = m->hit;
	if (at - m->region.p[hit].base >= m->region.p[hit].size && (hit = region_holding(m, at)) == ~0u)
		return false;
	m->hit = hit;
	const Region *region = &m->region.p[hit];
	*r = (Room){region->base, region->size, region->host, 0};
	return !(write && region->read_only);
}

typedef u32 Words __attribute__((vector_size(16)));
typedef i32 Signs __attribute__((vector_size(16)));
typedef u64 Wides __attribute__((vector_size(32)));
typedef i64 WideSigns __attribute__((vector_size(32)));

/* What the lanes' addresses have in common, four by four. */
typedef struct Common {
	Wides outside; /* the top bit: some offset is */
	Words low;     /* bits of offsets */
	Words apart, off_row;
} Common;

/* Offsets into the room, where each may be at most `last`. */
static inline void four_places(Common *c, Wides offset, u64 last, u32 host, Words steps, u32 *at)
{
	Words word = __builtin_convertvector(offset, Words);
	Words place = word + host, away = place - place[0];
	c->outside |= offset | (last - offset);
	c->low |= word;
	c->apart |= away;
	c->off_row |= away ^ steps;
	memcpy(at, &place, sizeof place);
}

static inline bool any_word(Words v) { return (v[0] | v[1] | v[2] | v[3]) != 0; }

u32 mem_places(SimtMachine *m, const Frame *f, const SimtInsn *i, const LaneSpan *s)
{
	const u32 *a = i->a == NO_REG ? NULL : reg_rows(m, f, i->a);
	u32        lane = first_lane(s->mask), size = (u32)i->mem.bytes * PS_MAX(i->n, 1u);
	u64        low = (u64)(i64)(i32)s->low, align = ((u64)1 << i->mem.align_log2) - 1;
	Room       room;
	low += i->mem.flags & SMF_FRAME ? f->base : 0;
	low += !a && i->mem.space == SPACE_SHARED ? m->cur_block->base : 0;
	u64 first = !a ? low : i->narrow ? (u32)(a[lane] + (u32)low) : lane64(a, lane) + low;
	if (m->o.sanitize || m->watched || !room_of(m, f, i->mem.space, first, s->write, &room))
		return LANES_NOWHERE;
	if (room.size < s->bytes || room.size >> 32 || (room.base & align))
		return LANES_NOWHERE;
	Common      c = {0};
	const u64   last = room.size - s->bytes;
	const u32   host = (u32)(uintptr_t)room.host;
	const Words steps = {0, size, 2 * size, 3 * size};
	for (u32 l = 0; l < LANES; l += 4) {
		Wides offset = {0};
		if (!a) {
			offset += first - room.base;
		} else if (i->narrow) {
			Words v;
			memcpy(&v, a + l, sizeof v);
			offset = __builtin_convertvector(v + (u32)low, Wides) - room.base;
		} else {
			memcpy(&offset, (const u64 *)(const void *)a + l, sizeof offset);
			offset += low - room.base;
		}
		if (s->on) {
			Signs on;
			memcpy(&on, s->on + l, sizeof on);
			Wides keep = (Wides) __builtin_convertvector(on, WideSigns);
			offset = (offset & keep) | (~keep & (first - room.base));
		}
		four_places(&c, offset, last, host, steps, s->at + l);
	}
	if ((c.outside[0] | c.outside[1] | c.outside[2] | c.outside[3]) >> 63)
		return LANES_NOWHERE;
	if ((c.low[0] | c.low[1] | c.low[2] | c.low[3]) & align)
		return LANES_NOWHERE;
	for (u32 l = 0; room.apart && l < LANES; l++)
		s->at[l] += l * room.apart;
	return room.apart            ? LANES_ANYWHERE
	       : !any_word(c.apart)  ? LANES_EQUAL
	       : any_word(c.off_row) ? LANES_ANYWHERE
	                             : LANES_IN_A_ROW;
}
