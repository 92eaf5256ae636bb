/* memory.c: state spaces and windows, bounds, alignment, atomics; what a warp's access costs. */
#include "base/redzone.h"
#include "simt/jobs.h"
#include "simt/limit.h"
#include "simt/sanitize.h"

#include "sem/float.h"

/* ---- faults */

static const char *const space_name[SPACE_COUNT] = {"generic", "global", "shared", "local", "constant", "parameter"};
static const char *const access_name[] = {"read", "write", "atomic access"};

static Str region_near(const SimtMachine *m, u64 address)
{
	const Region *below = NULL, *above = NULL;
	Region        heap;
	for (u32 i = 0; i < m->region.n; i++) {
		const Region *r = &m->region.p[i];
		if (r->base <= address)
			below = r;
		else if (!above)
			above = r;
	}
	if (heap_at(m, address, &heap))
		below = &heap;
	Arena *a = (Arena *)&m->arena;
	u64    after = below ? address - (below->base + below->size) : ~(u64)0, before = above ? above->base - address : ~(u64)0;
	if (below && address - below->base < below->size)
		return arena_fmt(a, "it begins %llu bytes before the end of %.*s (%llu bytes)",
		                 (unsigned long long)(below->base + below->size - address), STR_ARG(below->name),
		                 (unsigned long long)below->size);
	if (after <= before && after < 1 << 20)
		return arena_fmt(a, "%llu bytes past the end of %.*s (%llu bytes)", (unsigned long long)after,
		                 STR_ARG(below->name), (unsigned long long)below->size);
	if (before < 1 << 20)
		return arena_fmt(a, "%llu bytes before %.*s (%llu bytes)", (unsigned long long)before, STR_ARG(above->name),
		                 (unsigned long long)above->size);
	return address < 4096 ? STR("a null pointer") : STR("no buffer is near");
}

static u8 *bounds_fault(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access, u64 size)
{
	if (m->san && space == SPACE_GLOBAL && sanitize_freed(m, address, bytes, lane, access))
		return NULL;
	if (space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_GENERIC) {
		Str near = region_near(m, address);
		simt_fail(m, FAULT_BOUNDS, lane, "%u-byte %s at 0x%llx: %.*s", bytes, access_name[access],
		          (unsigned long long)address, STR_ARG(near));
	} else {
		simt_fail(m, FAULT_BOUNDS, lane, "%u-byte %s at 0x%llx of %s memory, which ends at 0x%llx", bytes,
		          access_name[access], (unsigned long long)address, space_name[space], (unsigned long long)size);
	}
	return NULL;
}

/* ---- places */

u32 region_holding(const SimtMachine *m, u64 address)
{
	u32 lo = 0, hi = m->region.n;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (m->region.p[mid].base <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && address - m->region.p[lo - 1].base < m->region.p[lo - 1].size ? lo - 1 : ~0u;
}

/* Makes the region that holds the address the one that is tried first. */
static bool region_find(SimtMachine *m, u64 address)
{
	u32 at = region_holding(m, address);
	if (at != ~0u)
		m->hit = at;
	return at != ~0u;
}

static u8 *region_at(SimtMachine *m, u64 address, u32 bytes, u32 lane, Access access)
{
	Region        heap;
	bool          in_heap = heap_at(m, address, &heap);
	const Region *r = &heap;
	if (!in_heap && !region_find(m, address))
		return bounds_fault(m, SPACE_GLOBAL, address, bytes, lane, access, 0);
	if (!in_heap)
		r = &m->region.p[m->hit];
	if (!size_holds(r->size, address - r->base, bytes))
		return bounds_fault(m, SPACE_GLOBAL, address, bytes, lane, access, 0);
	if (r->read_only && access != ACCESS_READ) {
		simt_fail(m, FAULT_READ_ONLY, lane, "%u-byte %s at 0x%llx in %.*s, which is constant", bytes, access_name[access],
		          (unsigned long long)address, STR_ARG(r->name));
		return NULL;
	}
	return r->host + (address - r->base);
}

static u8 *shared_fault(SimtMachine *m, u64 address, u32 bytes, u32 lane, Access access)
{
	u64         rank = address >> WINDOW_BITS;
	SharedPlace s = shared_place(m, address);
	if (s.block == m->cur_block)
		return bounds_fault(m, SPACE_SHARED, s.at, bytes, lane, access, m->shared_size);
	if (s.block)
		simt_fail(m, FAULT_BOUNDS, lane,
		          "%u-byte %s at 0x%llx of the shared memory of the cluster's block %u, which ends at 0x%llx", bytes,
		          access_name[access], (unsigned long long)s.at, (u32)rank, (unsigned long long)m->shared_size);
	else if (rank < m->cluster_size)
		simt_fail(m, FAULT_EXITED, lane,
		          "%u-byte %s at 0x%llx of the shared memory of the cluster's block %u, which has exited", bytes,
		          access_name[access], (unsigned long long)s.at, (u32)rank);
	else
		return bounds_fault(m, SPACE_SHARED, address, bytes, lane, access, m->shared_size);
	return NULL;
}

/* The bytes that an address names, before anybody watches: NULL after a fault. *t gets its place in its state space. */
static u8 *place_at(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access, Touch *t)
{
	Warp       *w = m->cur_warp;
	SharedPlace s;
	u32         top;
	if (space == SPACE_GENERIC) {
		u64  in_windows = address - m->p->windows, window = in_windows >> WINDOW_BITS << WINDOW_BITS;
		bool shared = simt_is_shared(in_windows);
		space = shared                   ? SPACE_SHARED
		        : window == LOCAL_WINDOW ? SPACE_LOCAL
		        : window == PARAM_WINDOW ? SPACE_PARAM
		                                 : SPACE_GLOBAL;
		if (space != SPACE_GLOBAL)
			address = in_windows - (shared ? SHARED_WINDOW : window);
	}
	*t = (Touch){.space = space, .bytes = bytes, .lane = lane, .address = address, .access = access};
	switch (space) {
	case SPACE_SHARED:
		s = shared_place(m, address);
		if (!s.block || s.at < SHARED_START || !size_holds(m->shared_size, s.at, bytes))
			return shared_fault(m, address, bytes, lane, access);
		t->block = s.block;
		t->address = s.at;
		return shared_bytes(s);
	case SPACE_LOCAL:
		/* Above the frame that runs there is nothing, though the warp has room there for frames to come. */
		top = w->frame.p[m->cur_path->frame].top;
		if (address < LOCAL_START || !size_holds(top, address, bytes))
			return bounds_fault(m, space, address, bytes, lane, access, top);
		return w->local + (size_t)lane * w->local_size + address;
	case SPACE_PARAM:
		if (!size_holds(m->param_size, address, bytes))
			return bounds_fault(m, space, address, bytes, lane, access, m->param_size);
		if (access != ACCESS_READ) {
			simt_fail(m, FAULT_READ_ONLY, lane, "%u-byte %s of the kernel's parameters", bytes, access_name[access]);
			return NULL;
		}
		return m->param + address;
	default: return region_at(m, address, bytes, lane, access);
	}
}

u8 *mem_at(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access)
{
	Touch t;
	u8   *host = place_at(m, space, address, bytes, lane, access, &t);
	t.host = host;
	return !m->san || !host || sanitize_touch(m, &t) ? host : NULL;
}

void mem_touch(SimtMachine *m, u32 space, u64 address, u32 bytes, u32 lane, Access access)
{
	Region heap;
	Touch  t = {.space = SPACE_GLOBAL, .bytes = bytes, .lane = lane, .address = address, .access = access};
	if (!m->san || !bytes)
		return;
	if (space == SPACE_SHARED || (space == SPACE_GENERIC && simt_is_shared(address - m->p->windows))) {
		SharedPlace s = shared_place(m, space == SPACE_SHARED ? address : address - m->p->windows - SHARED_WINDOW);
		if (!s.block || s.at < SHARED_START || !size_holds(m->shared_size, s.at, bytes))
			return; /* the access is a fault */
		t.space = SPACE_SHARED, t.address = s.at, t.block = s.block, t.host = shared_bytes(s);
	} else if (!heap_at(m, address, &heap) && region_holding(m, address) == ~0u) {
		return;
	}
	sanitize_touch(m, &t);
}

void mem_local_reserve(SimtMachine *m, Warp *w, u32 bytes)
{
	if (bytes <= w->local_size)
		return;
	u32 size = (u32)align_up(PS_MAX(bytes, PS_MIN(w->local_size * 2, (u32)MOST_LOCAL)), 256);
	u8 *fresh = arena_alloc(&m->arena, (size_t)size * LANES, 16);
	u8 *poison = m->o.sanitize & SANITIZE_INIT ? arena_alloc(&m->arena, (size_t)size * LANES, 16) : NULL;
	for (u32 l = 0; l < LANES; l++)
		red_zone(fresh + (size_t)l * size, LOCAL_START);
	for (u32 l = 0; l < LANES && w->local_size; l++) {
		memcpy(fresh + (size_t)l * size + LOCAL_START, w->local + (size_t)l * w->local_size + LOCAL_START,
		       w->local_size - LOCAL_START);
		if (poison)
			memcpy(poison + (size_t)l * size, w->local_poison + (size_t)l * w->local_size, w->local_size);
	}
	w->local = fresh;
	w->local_poison = poison;
	w->local_size = size;
}

/* ---- lanes' addresses */

typedef struct Lanes {
	const u32 *a;
	bool       narrow;
	u64        offset;
	u32        space, size; /* bytes of the whole access */
	u64        align;
} Lanes;

static Lanes lanes_of(const SimtMachine *m, const Frame *f, const SimtInsn *i)
{
	Lanes s = {.a = i->a == NO_REG ? NULL : reg_rows(m, f, i->a),
	           .narrow = i->narrow,
	           .offset = (u64)(i64)(i32)i->z,
	           .space = i->mem.space,
	           .size = (u32)i->mem.bytes * PS_MAX(i->n, 1u),
	           .align = (u64)1 << i->mem.align_log2};
	if (i->mem.flags & SMF_FRAME)
		s.offset += f->base;
	if (!s.a && s.space == SPACE_SHARED) /* in the block's own */
		s.offset += m->cur_block->base;
	return s;
}

static inline u64 lane_address(const Lanes *s, u32 l)
{
	if (!s->a)
		return s->offset;
	return s->narrow ? (u32)(s->a[l] + (u32)s->offset) : lane64(s->a, l) + s->offset;
}

/* The common cases without a call; anything odd goes through mem_at, which reports it. */
static inline u8 *lane_at(SimtMachine *m, const Lanes *s, u64 address, u32 l, Access access)
{
	if (address & (s->align - 1)) {
		simt_fail(m, FAULT_MISALIGNED, l, "%u-byte %s at 0x%llx, which is no multiple of %llu", s->size,
		          access_name[access], (unsigned long long)address, (unsigned long long)s->align);
		return NULL;
	}
	const Region *r = &m->region.p[m->hit];
	if (!m->san && s->space <= SPACE_GLOBAL && address - r->base < r->size && address - r->base + s->size <= r->size &&
	    (access == ACCESS_READ || !r->read_only))
		return r->host + (address - r->base);
	return mem_at(m, s->space, address, s->size, l, access);
}

/* ---- the common case: all lanes in one region (or in shared memory), aligned */

typedef struct Span {
	u8 *host;
	u32 off[LANES]; /* of lanes that are not active: some valid offset */
} Span;

/* False: lane by lane, then, so that what is wrong is reported. */
static bool span_of(SimtMachine *m, const Lanes *s, u32 mask, Access access, Span *out)
{
	u64 base, size;
	u32 on[LANES];
	if (!s->a || m->san)
		return false;
	u64 first = lane_address(s, first_lane(mask));
	if (s->space == SPACE_SHARED || (s->space == SPACE_GENERIC && simt_is_shared(first - m->p->windows))) {
		base = m->cur_block->base + SHARED_START + (s->space == SPACE_SHARED ? 0 : m->p->windows + SHARED_WINDOW);
		size = m->shared_size - SHARED_START;
		out->host = m->cur_block->shared + SHARED_START;
	} else if (s->space == SPACE_GENERIC || s->space == SPACE_GLOBAL || s->space == SPACE_CONST) {
		const Region *r = &m->region.p[m->hit];
		if (first - r->base >= r->size && !region_find(m, first))
			return false;
		r = &m->region.p[m->hit];
		if (r->read_only && access != ACCESS_READ)
			return false;
		base = r->base;
		size = r->size;
		out->host = r->host;
	} else {
		return false;
	}
	if (size < s->size || size >> 32) /* offsets have 32 bits */
		return false;
	if (mask != ALL_LANES)
		m->wide->spread(on, mask);
	WidePlaces p = {s->a, s->narrow, s->offset, base, size - s->size, first, s->align - 1, mask == ALL_LANES ? NULL : on};
	return m->wide->places(&p, out->off);
}

/* ---- what an access costs (with profile) */

static u32 count_distinct(u64 *v, u32 n)
{
	u32 distinct = 0;
	for (u32 i = 0; i < n; i++) {
		u32 k = 0;
		while (k < distinct && v[k] != v[i])
			k++;
		if (k == distinct)
			v[distinct++] = v[i];
	}
	return distinct;
}

static void measure(SimtMachine *m, const Lanes *s, const SimtInsn *in, u32 mask)
{
	SimtCount *c = &m->count[in - m->p->code.p];
	u64        key[LANES * 4];
	u32        n = 0;
	u64        first = lane_address(s, first_lane(mask));
	u32        space = s->space;
	if (space == SPACE_GENERIC) {
		u64 in_windows = first - m->p->windows;
		space = simt_is_shared(in_windows) ? SPACE_SHARED : in_windows >= CONST_WINDOW ? SPACE_GLOBAL : SPACE_LOCAL;
	}
	if (space == SPACE_GLOBAL) {
		each_lane(mask, l) {
			u64 at = lane_address(s, l);
			key[n++] = at / 32;
			if ((at + s->size - 1) / 32 != at / 32)
				key[n++] = (at + s->size - 1) / 32;
		}
		u32 sectors = count_distinct(key, n);
		c->sectors += sectors, c->requests++;
		m->stats.global_sectors += sectors, m->stats.global_requests++;
	} else if (space == SPACE_SHARED) {
		/* Different words of one bank take a pass each; wide accesses go in halves and quarters of the warp. */
		u32 bank[32] = {0}, most = 1;
		each_lane(mask, l)
			key[n++] = lane_address(s, l) / 4;
		n = count_distinct(key, n);
		for (u32 k = 0; k < n; k++) {
			u32 words = ++bank[key[k] % 32];
			most = PS_MAX(most, words);
		}
		u32 extra = s->size <= 4 ? most - 1 : 0;
		c->conflicts += extra, c->requests++;
		m->stats.shared_conflicts += extra, m->stats.shared_requests++;
	}
}

/* ---- load and store */

static inline u64 load_bytes(const u8 *p, u32 bytes)
{
	u64 v = 0;
	switch (bytes) {
	case 1: return *p;
	case 2: {
		u16 x;
		memcpy(&x, p, 2);
		return x;
	}
	case 4: {
		u32 x;
		memcpy(&x, p, 4);
		return x;
	}
	case 8: memcpy(&v, p, 8); return v;
	default: memcpy(&v, p, bytes); return v;
	}
}

static inline void load_element(u32 *d, u32 l, const u8 *p, const SimtMem *mem)
{
	if (mem->bytes > 8) {
		set_lane64(d, l, load_bytes(p, 8));
		set_lane64(d + 2 * LANES, l, load_bytes(p + 8, mem->bytes - 8u));
		return;
	}
	u64 v = load_bytes(p, mem->bytes);
	if (mem->flags & SMF_SIGNED)
		v = (u64)sem_sext(v, 8u * mem->bytes);
	if (mem->flags & SMF_WIDE)
		set_lane64(d, l, v);
	else
		d[l] = mem->flags & SMF_NARROW16 ? (u16)v : (u32)v;
}

static inline void store_element(u8 *p, const u32 *s, u32 l, const SimtMem *mem)
{
	if (mem->bytes > 8) {
		u64 lo = lane64(s, l), hi = lane64(s + 2 * LANES, l);
		memcpy(p, &lo, 8);
		memcpy(p + 8, &hi, mem->bytes - 8u);
		return;
	}
	u64 v = mem->flags & SMF_WIDE ? lane64(s, l) : s[l];
	memcpy(p, &v, mem->bytes);
}

void mem_load_element(u32 *d, u32 l, const u8 *p, const SimtMem *mem) { load_element(d, l, p, mem); }
void mem_store_element(u8 *p, const u32 *s, u32 l, const SimtMem *mem) { store_element(p, s, l, mem); }

/* One element of every active lane. */
static void load_span(u32 *d, const Span *s, u32 skip, u32 mask, const SimtMem *mem)
{
	const u8 *host = s->host + skip;
	if (mem->bytes == 4 && !(mem->flags & (SMF_WIDE | SMF_SIGNED))) {
		if (mask == ALL_LANES)
			for (u32 l = 0; l < LANES; l++)
				memcpy(d + l, host + s->off[l], 4);
		else
			each_lane(mask, l)
				memcpy(d + l, host + s->off[l], 4);
		return;
	}
	if (mem->bytes == 1 && !(mem->flags & (SMF_WIDE | SMF_SIGNED))) {
		each_lane(mask, l)
			d[l] = host[s->off[l]];
		return;
	}
	if (mem->bytes == 8 && mem->flags & SMF_WIDE) {
		each_lane(mask, l)
			memcpy(d + 2 * l, host + s->off[l], 8);
		return;
	}
	each_lane(mask, l)
		load_element(d, l, host + s->off[l], mem);
}

/* What mem_load_fast leaves. A strong access, where there are other jobs, takes each element under its lock. */
static bool load_lanes(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Lanes s = lanes_of(m, f, i);
	Span  span;
	bool  strong = access_is_strong(m, i);
	if (!strong && span_of(m, &s, mask, ACCESS_READ, &span)) {
		if (i->n <= 1)
			load_span(reg_rows(m, f, i->d), &span, 0, mask, &i->mem);
		for (u32 k = 0; k < i->n && i->n > 1; k++)
			if ((i32)m->p->ext.p[i->y + k] != NO_REG)
				load_span(reg_rows(m, f, (i32)m->p->ext.p[i->y + k]), &span, k * i->mem.bytes, mask, &i->mem);
		return true;
	}
	/* A result may be the address register: all addresses are taken first. */
	const u8 *at[LANES];
	each_lane(mask, l)
		if (!(at[l] = lane_at(m, &s, lane_address(&s, l), l, ACCESS_READ)))
			return false;
	for (u32 k = 0; k < PS_MAX(i->n, 1u); k++) {
		i32 r = i->n <= 1 ? i->d : (i32)m->p->ext.p[i->y + k];
		if (r == NO_REG)
			continue;
		u32 *d = reg_rows(m, f, r);
		each_lane(mask, l) {
			const u8 *p = at[l] + k * i->mem.bytes;
			if (strong)
				cell_take(m, p);
			load_element(d, l, p, &i->mem);
			if (strong)
				cell_give(m, p);
		}
	}
	if (m->san)
		init_loaded(m, f, i, mask);
	return true;
}

static void count_access(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Lanes s = lanes_of(m, f, i);
	measure(m, &s, i, mask);
}

bool mem_load(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	if (m->count)
		count_access(m, f, i, mask);
	return mem_load_fast(m, f, i, mask) || load_lanes(m, f, i, mask);
}

/* Of lanes with one address the last one's value stays. */
static void store_span(const u32 *v, const Span *s, u32 skip, u32 mask, const SimtMem *mem)
{
	u8 *host = s->host + skip;
	if (mem->bytes == 4 && !(mem->flags & SMF_WIDE)) {
		if (mask == ALL_LANES)
			for (u32 l = 0; l < LANES; l++)
				memcpy(host + s->off[l], v + l, 4);
		else
			each_lane(mask, l)
				memcpy(host + s->off[l], v + l, 4);
		return;
	}
	if (mem->bytes == 8 && mem->flags & SMF_WIDE) {
		each_lane(mask, l)
			memcpy(host + s->off[l], v + 2 * l, 8);
		return;
	}
	if (mem->bytes == 1 && !(mem->flags & SMF_WIDE)) {
		each_lane(mask, l)
			host[s->off[l]] = (u8)v[l];
		return;
	}
	each_lane(mask, l)
		store_element(host + s->off[l], v, l, mem);
}

static bool store_lanes(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Lanes s = lanes_of(m, f, i);
	Span  span;
	u8   *at[LANES];
	bool  strong = access_is_strong(m, i);
	bool  within = span_of(m, &s, mask, ACCESS_WRITE, &span);
	if (within && !strong && !m->watched) { /* without sanitizers, then */
		for (u32 k = 0; k < PS_MAX(i->n, 1u); k++)
			store_span(reg_rows(m, f, i->n <= 1 ? i->b : (i32)m->p->ext.p[i->y + k]), &span, k * i->mem.bytes, mask,
			           &i->mem);
		return true;
	}
	if (within)
		each_lane(mask, l)
			at[l] = span.host + span.off[l];
	else
		each_lane(mask, l)
			if (!(at[l] = lane_at(m, &s, lane_address(&s, l), l, ACCESS_WRITE)))
				return false;
	if (m->watched)
		each_lane(mask, l)
			if (m->watched >= at[l] && m->watched < at[l] + s.size)
				simt_wrote(m, l);
	for (u32 k = 0; k < PS_MAX(i->n, 1u); k++) {
		const u32 *v = reg_rows(m, f, i->n <= 1 ? i->b : (i32)m->p->ext.p[i->y + k]);
		each_lane(mask, l) {
			u8 *p = at[l] + k * i->mem.bytes;
			if (strong)
				cell_take(m, p);
			store_element(p, v, l, &i->mem);
			if (strong)
				cell_give(m, p);
		}
	}
	if (m->san)
		init_stored(m, f, i, mask);
	return true;
}

bool mem_store(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	if (m->count)
		count_access(m, f, i, mask);
	return mem_store_fast(m, f, i, mask) || store_lanes(m, f, i, mask);
}

void mem_store_bytes(const SimtMachine *m, const Frame *f, const SimtInsn *i, u32 lane, u8 *out)
{
	for (u32 k = 0; k < PS_MAX(i->n, 1u); k++)
		store_element(out + k * i->mem.bytes, reg_rows(m, f, i->n <= 1 ? i->b : (i32)m->p->ext.p[i->y + k]), lane,
		              &i->mem);
}

/* ---- atomics */

static u64 rmw(u32 x, u32 w, u64 old, u64 v, u64 swap)
{
	SemFmt    fmt = (SemFmt)(x >> ATOM_FMT_SHIFT & 0xff);
	SemFpMode m = x & ATOM_FTZ ? SEM_FTZ : 0;
	switch ((AtomOp)(x & 0xff)) {
	case ATOM_ADD: return old + v;
	case ATOM_SUB: return old - v;
	case ATOM_MIN: return sem_smin2(w, old, v);
	case ATOM_MAX: return sem_smax2(w, old, v);
	case ATOM_UMIN: return sem_umin(old, v);
	case ATOM_UMAX: return sem_umax(old, v);
	case ATOM_AND: return old & v;
	case ATOM_OR: return old | v;
	case ATOM_XOR: return old ^ v;
	case ATOM_NAND: return ~(old & v);
	case ATOM_EXCH: return v;
	case ATOM_CAS: return old == v ? swap : old;
	case ATOM_INC: return old >= v ? 0 : old + 1;
	case ATOM_DEC: return old == 0 || old > v ? v : old - 1;
	case ATOM_FADD: return sem_fadd(fmt, old, v, m);
	case ATOM_FSUB: return sem_fsub(fmt, old, v, m);
	case ATOM_FMIN: return sem_fmin(fmt, old, v, m);
	case ATOM_FMAX: return sem_fmax(fmt, old, v, m);
	case ATOM_FMINIMUM: return sem_fmin(fmt, old, v, m | SEM_NAN_WINS);
	case ATOM_FMAXIMUM: return sem_fmax(fmt, old, v, m | SEM_NAN_WINS);
	case ATOM_USUB_COND: return old >= v ? old - v : old;
	case ATOM_USUB_SAT: return old >= v ? old - v : 0;
	}
	return old;
}

/* No float is that wide. */
static SemU128 rmw128(u32 op, SemU128 old, SemU128 v, SemU128 swap)
{
	const SemU128 zero = {0, 0};
	switch ((AtomOp)op) {
	case ATOM_ADD: return u128_add(old, v);
	case ATOM_SUB: return u128_sub(old, v);
	case ATOM_MIN: return u128_slt(v, old) ? v : old;
	case ATOM_MAX: return u128_slt(old, v) ? v : old;
	case ATOM_UMIN: return u128_lt(v, old) ? v : old;
	case ATOM_UMAX: return u128_lt(old, v) ? v : old;
	case ATOM_AND: return u128_and(old, v);
	case ATOM_OR: return u128_or(old, v);
	case ATOM_XOR: return u128_xor(old, v);
	case ATOM_NAND: return u128_not(u128_and(old, v));
	case ATOM_CAS: return u128_eq(old, v) ? swap : old;
	case ATOM_INC: return u128_lt(old, v) ? u128_add(old, u128(0, 1)) : zero;
	case ATOM_DEC: return u128_is_zero(old) || u128_lt(v, old) ? v : u128_sub(old, u128(0, 1));
	case ATOM_USUB_COND: return u128_lt(old, v) ? old : u128_sub(old, v);
	case ATOM_USUB_SAT: return u128_lt(old, v) ? zero : u128_sub(old, v);
	default: return v;
	}
}

static SemU128 lane128(const u32 *rows, u32 l) { return u128(lane64(rows + 2 * LANES, l), lane64(rows, l)); }

static void atomic128(const SimtMachine *m, u8 *p, const SimtInsn *i, u32 *d, const u32 *b, const u32 *c, u32 l)
{
	SemU128 old;
	cell_take(m, p);
	memcpy(&old, p, 16);
	SemU128 r = rmw128(i->x & 0xff, old, lane128(b, l), lane128(c, l));
	memcpy(p, &r, 16);
	cell_give(m, p);
	if (d) {
		set_lane64(d, l, old.lo);
		set_lane64(d + 2 * LANES, l, old.hi);
	}
}

u64 mem_rmw(u32 x, u32 w, u64 old, u64 v, u64 swap)
{
	if (x & ATOM_PACKED)
		return (rmw(x, 16, old & 0xffff, v & 0xffff, 0) & 0xffff) | rmw(x, 16, old >> 16, v >> 16, 0) << 16;
	return rmw(x, w, old, v, swap);
}

/* What most programs do: on 32 bits, in one piece of memory that no other job accesses. False: it is something else. */
static bool atomic32(u32 op, const Span *s, u32 mask, u32 *d, const u32 *b, const u32 *c)
{
	switch (op) {
#define EACH(id, value)                                       \
	case id:                                              \
		each_lane(mask, l) {                          \
			u32 old, v = b[l], r;                 \
			memcpy(&old, s->host + s->off[l], 4); \
			r = (value);                          \
			memcpy(s->host + s->off[l], &r, 4);   \
			if (d)                                \
				d[l] = old;                   \
		}                                             \
		return true;
		EACH(ATOM_ADD, old + v)
		EACH(ATOM_UMIN, PS_MIN(old, v))
		EACH(ATOM_UMAX, PS_MAX(old, v))
		EACH(ATOM_AND, old & v)
		EACH(ATOM_OR, old | v)
		EACH(ATOM_EXCH, v)
		EACH(ATOM_CAS, old == v ? c[l] : old)
#undef EACH
	default: return false;
	}
}

bool mem_atomic(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	Lanes      s = lanes_of(m, f, i);
	u32        w = 8u * i->mem.bytes;
	bool       wide = w > 32;
	u32       *d = i->d == NO_REG ? NULL : reg_rows(m, f, i->d);
	const u32 *b = reg_rows(m, f, i->b), *c = i->c == NO_REG ? b : reg_rows(m, f, i->c);
	Span       span;
	if (m->count)
		measure(m, &s, i, mask);
	bool within = span_of(m, &s, mask, ACCESS_ATOMIC, &span);
	if (within && w == 32 && !m->san && !m->watched && !cell_is_open(m, span.host + span.off[first_lane(mask)]) &&
	    !(i->x & ATOM_PACKED) && atomic32(i->x & 0xff, &span, mask, d, b, c))
		return true;
	each_lane(mask, l) {
		u8 *p = within ? span.host + span.off[l] : lane_at(m, &s, lane_address(&s, l), l, ACCESS_ATOMIC);
		if (!p)
			return false;
		if (m->watched && m->watched >= p && m->watched < p + i->mem.bytes)
			simt_wrote(m, l);
		if (m->san)
			init_atomic(m, f, i, l);
		if (w == 128) {
			atomic128(m, p, i, d, b, c, l);
			continue;
		}
		cell_take(m, p);
		u64 old = load_bytes(p, i->mem.bytes), v = wide ? lane64(b, l) : b[l], swap = wide ? lane64(c, l) : c[l],
		    r = mem_rmw(i->x, w, old, v, swap);
		memcpy(p, &r, i->mem.bytes);
		cell_give(m, p);
		if (d && wide)
			set_lane64(d, l, old);
		else if (d)
			d[l] = (u32)old;
	}
	return true;
}

/* ---- blocks of bytes */

bool mem_copy(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *to = reg_rows(m, f, i->a), *from = reg_rows(m, f, i->b), *n = reg_rows(m, f, i->c);
	each_lane(mask, l) {
		u64 bytes = lane64(n, l), a = lane64(to, l), b = lane64(from, l);
		if (bytes == 0)
			continue;
		if (bytes > 1u << 30)
			return simt_fail(m, FAULT_BOUNDS, l, "copy of %llu bytes", (unsigned long long)bytes);
		const u8 *p = mem_at(m, i->x >> 4 & 15, b, (u32)bytes, l, ACCESS_READ);
		u8       *q = p ? mem_at(m, i->x & 15, a, (u32)bytes, l, ACCESS_WRITE) : NULL;
		if (!q)
			return false;
		memmove(q, p, (size_t)bytes);
		if (m->san)
			init_copied(m, l, (u32)bytes);
	}
	return true;
}

bool mem_fill(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *to = reg_rows(m, f, i->a), *v = reg_rows(m, f, i->b), *n = reg_rows(m, f, i->c);
	each_lane(mask, l) {
		u64 bytes = lane64(n, l);
		if (bytes == 0)
			continue;
		if (bytes > 1u << 30)
			return simt_fail(m, FAULT_BOUNDS, l, "fill of %llu bytes", (unsigned long long)bytes);
		u8 *p = mem_at(m, i->x & 15, lane64(to, l), (u32)bytes, l, ACCESS_WRITE);
		if (!p)
			return false;
		memset(p, (int)(v[l] & 0xff), (size_t)bytes);
	}
	return true;
}

bool mem_string(SimtMachine *m, u64 address, u32 lane, char *text, u32 cap, Str *out)
{
	u32 n = 0;
	for (; n < cap; n++) {
		const u8 *p = mem_at(m, SPACE_GENERIC, address + n, 1, lane, ACCESS_READ);
		if (!p)
			return false;
		if (*p == 0)
			break;
		text[n] = (char)*p;
	}
	*out = (Str){text, n};
	return true;
}
