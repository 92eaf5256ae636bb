/* sanitize.c: sets up what watches a grid, collects reports, and says what an address belongs to. */
#include "simt/sanitize.h"

enum { MOST_REPORTS = 100 };

const char *const sanitize_word[] = {"read", "write", "atomic access"};

Str sanitize_thread_text(const SimtMachine *m, const SimtAccess *a)
{
	return arena_fmt((Arena *)&m->arena, "thread (%u,%u,%u) of block (%u,%u,%u)", a->thread[0], a->thread[1], a->thread[2],
	                 a->block[0], a->block[1], a->block[2]);
}

void sanitize_new(SimtMachine *m)
{
	Sanitizer *s = arena_new(&m->arena, Sanitizer);
	s->what = m->o.sanitize;
	s->pool.arena = &m->arena;
	s->actor = NO_ACTOR;
	s->clean_rows = arena_array(&m->arena, u32, 4 * LANES);
	map_init(&s->words, &m->arena);
	map_init(&s->cells, &m->arena);
	map_init(&s->poisons, &m->arena);
	map_init(&s->reported, &m->arena);
	map_init(&s->heap_at, &m->arena);
	/* Actors have numbers for so many threads; of more, accesses cannot be told apart. */
	if ((u64)m->blocks * m->threads > MOST_ACTORS && s->what & (SANITIZE_RACE | SANITIZE_SYNC)) {
		s->what &= ~(u32)(SANITIZE_RACE | SANITIZE_SYNC);
		s->limited = true;
	}
	m->san = s;
}

static const struct {
	u32         bit;
	const char *word;
} sanitizers[] = {
#define SANITIZER(id, bit, word, summary) {bit, word},
#include "simt/sanitize.def"
};

u32 simt_sanitizer(Str word)
{
	u32 all = 0;
	for (u32 i = 0; i < PS_COUNT(sanitizers); i++) {
		all |= sanitizers[i].bit;
		if (str_is(word, sanitizers[i].word))
			return sanitizers[i].bit;
	}
	return str_is(word, "all") ? all : 0;
}

const char *simt_sanitizer_word(u32 bit)
{
	for (u32 i = 0; i < PS_COUNT(sanitizers); i++)
		if (sanitizers[i].bit == bit)
			return sanitizers[i].word;
	return "";
}

/* ---- blocks */

static BlockWatch *watch_new(SimtMachine *m)
{
	BlockWatch *w = arena_new(&m->arena, BlockWatch);
	w->thread = arena_array(&m->arena, ThreadClock, m->threads);
	w->n_cells = (u32)(m->shared_size / SHADOW_PAGE + 1);
	w->cells = arena_array(&m->arena, CellPage, w->n_cells);
	if (m->san->what & SANITIZE_INIT)
		w->poison = arena_alloc(&m->arena, m->shared_size, 16);
	map_init(&w->words, &m->arena);
	map_init(&w->visitor, &m->arena);
	return w;
}

void sanitize_block_start(SimtMachine *m, Block *b)
{
	if (!b->watch)
		b->watch = watch_new(m);
	if (!b->cluster->watch)
		b->cluster->watch = arena_new(&m->arena, ClusterWatch);
	for (u32 t = 0; t < m->threads; t++)
		b->watch->thread[t] = (ThreadClock){.time = 1};
	if (b->watch->poison)
		memset(b->watch->poison, 0xff, (size_t)m->shared_size);
	sync_progress(m);
}

void sanitize_block_end(SimtMachine *m, Block *b)
{
	BlockWatch *w = b->watch;
	ClockPool  *p = &m->san->pool;
	order_block_end(m, b);
	race_visits_end(m, b);
	for (u32 t = 0; t < m->threads; t++) {
		ThreadClock *c = &w->thread[t];
		clock_drop(p, c->known);
		for (u32 k = 0; k < REACHES; k++) {
			clock_drop(p, c->released[k]);
			clock_drop(p, c->unfenced[k]);
		}
	}
	for (u32 k = 0; k < PS_COUNT(w->barrier); k++)
		clock_assign(p, &w->barrier[k], NULL);
	clock_assign(p, &w->exited, NULL);
	order_words_drop(m, &w->words);
	race_clear(m->san, w->cells, w->n_cells);
}

/* ---- accesses */

static bool has_symbol(const SimtMachine *m, const SimtSymbol *s)
{
	for (u32 i = 0; i < s->kernels.n; i++)
		if (s->kernels.p[i] == m->entry)
			return true;
	return !s->some;
}

/* The variable of shared memory that the address is in, or behind of: by address. NULL: none. */
static const SimtSymbol *shared_below(const SimtMachine *m, u64 address)
{
	const SimtSymbol *best = NULL;
	for (u32 i = 0; i < m->p->symbol.n; i++) {
		const SimtSymbol *s = &m->p->symbol.p[i];
		bool              below = s->space == SPACE_SHARED && s->address <= address && has_symbol(m, s);
		/* Dynamic shared memory has no size of its own, and several names. */
		if (below && (!best || s->address > best->address || (s->address == best->address && best->size == 0)))
			best = s;
	}
	return best;
}

/* Static variables lie in front of dynamic shared memory, which is one for this purpose. */
static bool in_variable(SimtMachine *m, const Touch *t)
{
	const SimtSymbol *s = shared_below(m, t->address);
	if (t->space != SPACE_SHARED || !s || s->dynamic || t->address >= m->p->shared_end ||
	    size_holds(s->size, t->address - s->address, t->bytes))
		return true;
	u64 past = t->address - s->address;
	if (past >= s->size)
		return simt_fail(m, FAULT_BOUNDS, t->lane,
		                 "%u-byte %s at 0x%llx of shared memory: %llu bytes past the end of %.*s (%llu bytes)", t->bytes,
		                 sanitize_word[t->access], (unsigned long long)t->address, (unsigned long long)(past - s->size),
		                 STR_ARG(s->name), (unsigned long long)s->size);
	return simt_fail(m, FAULT_BOUNDS, t->lane,
	                 "%u-byte %s at 0x%llx of shared memory: it begins %llu bytes before the end of %.*s (%llu bytes)",
	                 t->bytes, sanitize_word[t->access], (unsigned long long)t->address, (unsigned long long)(s->size - past),
	                 STR_ARG(s->name), (unsigned long long)s->size);
}

/* The frame that the address is in decides; where its function says nothing of its variables, anything goes. Parameters that lie in
 * front of them are no variables. */
static bool in_local_variable(SimtMachine *m, const Touch *t)
{
	const Warp  *w = m->cur_warp;
	const Frame *f = &w->frame.p[m->cur_path->frame];
	while (t->address < f->base && f->parent != NO_FRAME)
		f = &w->frame.p[f->parent];
	const SimtFunc *func = &m->p->func.p[f->func];
	u64             at = t->address - f->base;
	if (!func->variable.n || at < func->variable.p[0].at || at >= func->local)
		return true;
	for (u32 i = 0; i < func->variable.n; i++)
		if (size_holds(func->variable.p[i].bytes, at - func->variable.p[i].at, t->bytes) && at >= func->variable.p[i].at)
			return true;
	return simt_fail(m, FAULT_BOUNDS, t->lane, "%u-byte %s at 0x%llx of local memory: between two variables of %.*s",
	                 t->bytes, sanitize_word[t->access], (unsigned long long)t->address, STR_ARG(func->name));
}

/* ld.shared and its kin are .shared::cta. */
static bool may_leave(SimtMachine *m, const Touch *t)
{
	const SimtInsn *i = m->cur_insn;
	if ((i->op != S_LD && i->op != S_ST && i->op != S_ATOM) || !(i->mem.flags & SMF_OWN))
		return true;
	return simt_fail(
		m, FAULT_BOUNDS, t->lane,
		"%u-byte %s of the shared memory of the cluster's block %u: .shared is the block's own, .shared::cluster that "
		"of all",
		t->bytes, sanitize_word[t->access], t->block->rank);
}

bool sanitize_touch(SimtMachine *m, const Touch *t)
{
	Sanitizer *s = m->san;
	u32        op = m->cur_insn->op, order = op == S_LD || op == S_ST || op == S_ATOM ? m->cur_insn->x : 0;
	bool       ordered = t->space == SPACE_SHARED || t->space == SPACE_GLOBAL;
	if (s->what & SANITIZE_MEMORY && t->block && t->block != m->cur_block && !may_leave(m, t))
		return false;
	if (s->what & SANITIZE_MEMORY && t->space == SPACE_SHARED && !in_variable(m, t))
		return false;
	if (s->what & SANITIZE_MEMORY && t->space == SPACE_LOCAL && !in_local_variable(m, t))
		return false;
	if (t->access == ACCESS_ATOMIC && op != S_ATOM)
		order = order_of(ORDER_STRONG, s->actor == NO_ACTOR ? SCOPE_SYSTEM : SCOPE_DEVICE);
	if (ordered && !s->landing && s->what & (SANITIZE_RACE | SANITIZE_SYNC)) {
		if (order & ORDER_STRONG && op != S_ASYNC)
			order_strong(m, t, order);
		race_touch(m, t, order);
	}
	if (s->what & SANITIZE_INIT && s->actor == NO_ACTOR)
		init_touch(m, t);
	return true;
}

/* ---- reports */

SimtAccess sanitize_access_at(const SimtMachine *m, u32 thread, u32 block, const SimtInsn *in)
{
	const u32 *dim = m->launch.block, *grid = m->launch.grid;
	return (SimtAccess){.thread = {thread % dim[0], thread / dim[0] % dim[1], thread / dim[0] / dim[1]},
	                    .block = {block % grid[0], block / grid[0] % grid[1], block / grid[0] / grid[1]},
	                    .line = in->line,
	                    .origin = in->origin,
	                    .what = "",
	                    .insn = (u32)(in - m->p->code.p)};
}

static u32 sanitizer_of(FaultKind k)
{
	switch (k) {
	case FAULT_RACE: return SANITIZE_RACE;
	case FAULT_UNINIT: return SANITIZE_INIT;
	case FAULT_LEAK: return SANITIZE_LEAK;
	case FAULT_SYNC_MASK:
	case FAULT_WAIT:
	case FAULT_EXITED:
	case FAULT_PROXY: return SANITIZE_SYNC;
	default: return SANITIZE_MEMORY;
	}
}

SimtReport *sanitize_report(SimtMachine *m, FaultKind kind, u32 lane, u32 other_insn)
{
	Sanitizer *s = m->san;
	u64        here = (u64)(m->cur_insn - m->p->code.p), other = other_insn & 0xfffffff;
	u64        key = PS_MAX(here, other) << 36 | PS_MIN(here, other) << 8 | kind; /* of either order one */
	bool       fresh;
	u64       *at = map_put(&s->reported, key, &fresh);
	if (!fresh) {
		if (*at < s->report.n)
			s->report.p[*at].count++;
		return NULL;
	}
	*at = s->report.n;
	if (s->report.n == MOST_REPORTS)
		return s->limited = true, NULL;
	SimtReport r = {.kind = kind, .sanitizer = sanitizer_of(kind), .count = 1};
	r.at = sanitize_access_at(m, m->cur_warp->number * LANES + lane, m->cur_block->number, m->cur_insn);
	vec_push(&m->arena, &s->report, r);
	if (m->o.follow)
		follow_found(m, kind, other_insn);
	return &vec_last(&s->report);
}

void sanitize_place(const SimtMachine *m, SimtReport *r, const Touch *t)
{
	Region            heap;
	const SimtSymbol *symbol = t->space == SPACE_SHARED ? shared_below(m, t->address) : NULL;
	u32               region = t->space == SPACE_GLOBAL ? region_holding(m, t->address) : ~0u;
	r->space = t->space == SPACE_SHARED ? STR("shared") : STR("global");
	r->address = t->address;
	r->owner = touch_owner(t);
	if (symbol) {
		r->allocation = symbol->name;
		r->allocation_size = symbol->dynamic ? m->shared_size - symbol->address : symbol->size;
		r->offset = t->address - symbol->address;
	} else if (t->space == SPACE_GLOBAL && heap_at(m, t->address, &heap)) {
		r->allocation = heap.name, r->allocation_size = heap.size, r->offset = t->address - heap.base;
	} else if (region != ~0u) {
		const Region *g = &m->region.p[region];
		r->allocation = g->name, r->allocation_size = g->size, r->offset = t->address - g->base;
	}
	Arena *a = (Arena *)&m->arena;
	if (r->allocation.n)
		r->message = arena_fmt(a, " (%.*s + %llu)", STR_ARG(r->allocation), (unsigned long long)r->offset);
	if (t->block && t->block != m->cur_block)
		r->message = arena_fmt(a, " of block (%u,%u,%u)%.*s", t->block->id[0], t->block->id[1], t->block->id[2],
		                       STR_ARG(r->message));
}

u32               simt_report_count(const SimtMachine *m) { return m->san ? m->san->report.n : 0; }
const SimtReport *simt_report(const SimtMachine *m, u32 i) { return &m->san->report.p[i]; }
bool              simt_fault_is_report(const SimtMachine *m) { return m->reported; }
bool              simt_sanitize_limited(const SimtMachine *m) { return m->san && m->san->limited; }

/* ---- memory of malloc */

void sanitize_malloc(SimtMachine *m, u64 base, u64 size, u32 lane)
{
	Sanitizer *s = m->san;
	map_set(&s->heap_at, base, s->heap.n);
	HeapRecord r = {.base = base, .size = (u32)size, .insn = m->cur_insn};
	r.by = sanitize_access_at(m, m->cur_warp->number * LANES + lane, m->cur_block->number, m->cur_insn);
	vec_push(&m->arena, &s->heap, r);
	init_poison(m, base, size);
}

void sanitize_free(SimtMachine *m, u64 base, u32 lane)
{
	u64 *at = map_get(&m->san->heap_at, base);
	if (!at)
		return;
	HeapRecord *r = &m->san->heap.p[*at];
	r->freed = true;
	r->freed_by = sanitize_access_at(m, m->cur_warp->number * LANES + lane, m->cur_block->number, m->cur_insn);
}

bool sanitize_freed_twice(SimtMachine *m, u64 base, u32 lane)
{
	u64 *at = m->san->what & SANITIZE_MEMORY ? map_get(&m->san->heap_at, base) : NULL;
	if (!at || !m->san->heap.p[*at].freed)
		return false;
	const SimtAccess *by = &m->san->heap.p[*at].freed_by;
	simt_fail(m, FAULT_DOUBLE_FREE, lane, "free of 0x%llx, which %s freed at line %u", (unsigned long long)base,
	          sanitize_thread_text(m, by).p, by->line);
	return true;
}

bool sanitize_freed(SimtMachine *m, u64 address, u32 bytes, u32 lane, Access access)
{
	const HeapRecord *r = NULL;
	for (u32 i = 0; m->san->what & SANITIZE_MEMORY && i < m->san->heap.n && !r; i++)
		if (address - m->san->heap.p[i].base < m->san->heap.p[i].size)
			r = &m->san->heap.p[i];
	if (!r || !r->freed)
		return false;
	simt_fail(m, FAULT_FREED, lane,
	          "%u-byte %s at 0x%llx: %s freed it at line %u, %llu bytes into a block of %u bytes that malloc gave at line %u",
	          bytes, sanitize_word[access], (unsigned long long)address, sanitize_thread_text(m, &r->freed_by).p,
	          r->freed_by.line, (unsigned long long)(address - r->base), r->size, r->by.line);
	return true;
}

static void leaks(SimtMachine *m)
{
	Sanitizer *s = m->san;
	for (u32 i = 0; i < s->heap.n; i++) {
		const HeapRecord *h = &s->heap.p[i];
		bool              fresh;
		u64               bytes = 0, blocks = 0, key = (u64)(h->insn - m->p->code.p) << 36 | FAULT_LEAK;
		if (h->freed || s->report.n == MOST_REPORTS)
			continue;
		map_put(&s->reported, key, &fresh);
		for (u32 k = i; fresh && k < s->heap.n; k++)
			if (!s->heap.p[k].freed && s->heap.p[k].insn == h->insn)
				bytes += s->heap.p[k].size, blocks++;
		if (!fresh)
			continue;
		SimtReport r = {.kind = FAULT_LEAK, .sanitizer = SANITIZE_LEAK, .at = h->by, .count = blocks};
		r.at.what = "allocation", r.at.bytes = h->size;
		r.space = STR("global"), r.address = h->base, r.allocation = STR("memory of malloc"), r.allocation_size = h->size;
		r.message = arena_fmt(&m->arena, "%llu bytes of malloc in %llu %s, the first at 0x%llx, are never freed",
		                      (unsigned long long)bytes, (unsigned long long)blocks, blocks == 1 ? "block" : "blocks",
		                      (unsigned long long)h->base);
		vec_push(&m->arena, &s->report, r);
	}
}

/* A later launch may free what this one has got. */
static void leave(SimtMachine *m)
{
	Str kernel = {0};
	for (u32 i = 0; i < m->san->heap.n; i++) {
		const HeapRecord *h = &m->san->heap.p[i];
		if (h->freed)
			continue;
		if (!kernel.p)
			kernel = arena_str(m->heap->arena, m->launch.kernel);
		heap_leave(m, h->base, h->size, &h->by, kernel);
	}
}

void sanitize_end(SimtMachine *m)
{
	if (m->san->ended)
		return;
	m->san->ended = true;
	if (m->san->what & SANITIZE_LEAK)
		m->launch.heap_outlives ? leave(m) : leaks(m);
	if (!m->san->report.n)
		return;
	const SimtReport *r = &m->san->report.p[0];
	m->fault = (SimtFault){
		.kind = r->kind, .line = r->at.line, .origin = r->at.origin, .insn = r->at.insn, .message = r->message};
	memcpy(m->fault.thread, r->at.thread, sizeof r->at.thread);
	memcpy(m->fault.block, r->at.block, sizeof r->at.block);
	m->faulted = m->reported = true;
}
