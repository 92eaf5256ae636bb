/* sanitize_race.c: races. Two accesses to a byte race if one is a write, neither happens before the other (sanitize_order.c), and they
 * are not both strong in scopes that hold both threads (PTX ISA, memory consistency model: data races).
 *
 * Memory has cells, each for a word of 4 bytes, or for a byte where a page has been accessed by bytes. A cell has the epochs of the
 * last weak write and of the last weak read, as FastTrack has them; where reads are concurrent, and for strong accesses, which do not
 * exclude each other, it has sets of ranges of actors:
 *
 *	cell   write  actor 37 at 4, by instruction 12        sets   reads         0 … 31 at 5 by 20, 32 … 63 at 5 by 20
 *	       read   –                                              strong writes 0 … 255 at 1 by 8
 *
 * A write of the value that is there already is no race, as with racecheck: one that matters has another effect. Neither is what only
 * sets a thread's own word twice, nor a read that guesses what an atomic operation then makes sure of (is_guess). Pages come into being when they are touched, up to MOST_SHADOW bytes in all; a set holds MOST_RANGES
 * ranges. What has no room is not watched, and the result says so. */
#include "simt/sanitize.h"

enum { MOST_RANGES = 4096, WORD_LOG2 = 2 };
#define MOST_SHADOW ((u64)384 << 20)

/* Ranges of strong accesses have the scope above the number of the instruction. */
enum { INSN_BITS = 28 };
static u32 insn_of(u32 x) { return x & ((1u << INSN_BITS) - 1); }

/* ---- cells */

static void cells_make(Sanitizer *s, CellPage *p, u8 shift)
{
	u32 n = SHADOW_PAGE >> shift;
	p->cell = pool_take(&s->pool, (u64)n * sizeof(Cell), &p->class);
	p->shift = shift;
}

static void set_drop(Sanitizer *s, struct AccessSet *set)
{
	if (set->r)
		pool_give(&s->pool, set->r, set->class);
	*set = (struct AccessSet){0};
}

static void sets_drop(Sanitizer *s, Cell *c)
{
	if (!c->more)
		return;
	AccessSets *sets = &s->sets.p[c->more - 1];
	set_drop(s, &sets->reads);
	set_drop(s, &sets->strong_reads);
	set_drop(s, &sets->strong_writes);
	vec_push(s->pool.arena, &s->spare_sets, c->more);
	c->more = 0;
}

static AccessSets *sets_of(Sanitizer *s, Cell *c)
{
	if (!c->more && s->spare_sets.n)
		c->more = vec_pop(&s->spare_sets);
	if (!c->more) {
		vec_push(s->pool.arena, &s->sets, (AccessSets){0});
		c->more = s->sets.n;
	}
	return &s->sets.p[c->more - 1];
}

void race_clear(Sanitizer *s, CellPage *pages, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (!pages[i].cell)
			continue;
		for (u32 k = 0; k < (u32)SHADOW_PAGE >> pages[i].shift; k++)
			sets_drop(s, &pages[i].cell[k]);
		pool_give(&s->pool, pages[i].cell, pages[i].class);
		pages[i] = (CellPage){0};
	}
}

static void set_copy(Sanitizer *s, struct AccessSet *to, const struct AccessSet *from)
{
	if (!from->n)
		return;
	to->r = pool_take(&s->pool, (u64)from->n * sizeof *to->r, &to->class);
	to->n = to->room = from->n;
	memcpy(to->r, from->r, from->n * sizeof *to->r);
}

/* Cells of bytes in place of those of words. */
static void page_split(Sanitizer *s, CellPage *p)
{
	CellPage old = *p;
	cells_make(s, p, 0);
	for (u32 i = 0; i < SHADOW_PAGE; i++) {
		Cell *c = &p->cell[i];
		*c = old.cell[i >> WORD_LOG2];
		c->more = 0;
		if (!old.cell[i >> WORD_LOG2].more)
			continue;
		AccessSets *to = sets_of(s, c), from = s->sets.p[old.cell[i >> WORD_LOG2].more - 1];
		set_copy(s, &to->reads, &from.reads);
		set_copy(s, &to->strong_reads, &from.strong_reads);
		set_copy(s, &to->strong_writes, &from.strong_writes);
	}
	race_clear(s, &old, 1);
}

/* The page of the address; NULL: there is no room for it. */
static CellPage *page_at(SimtMachine *m, const Block *block, u64 address, bool whole_words)
{
	Sanitizer *s = m->san;
	u64        key = address / SHADOW_PAGE;
	CellPage  *p;
	if (block) {
		p = &block->watch->cells[key];
	} else {
		if (s->last_page != key + 1) {
			bool fresh;
			u64 *at = map_put(&s->cells, key, &fresh);
			if (fresh) {
				*at = s->page.n;
				vec_push(&m->arena, &s->page, (CellPage){0});
			}
			s->last_page = key + 1;
			s->last_index = (u32)*at;
		}
		p = &s->page.p[s->last_index];
	}
	bool split = p->cell && p->shift && !whole_words;
	if ((!p->cell || split) && s->pool.used > MOST_SHADOW) {
		s->limited = true;
		return p->cell && !split ? p : NULL;
	}
	if (!p->cell)
		cells_make(s, p, whole_words ? WORD_LOG2 : 0);
	if (split)
		page_split(s, p);
	return p;
}

void race_forget(SimtMachine *m, u64 base, u64 size)
{
	Sanitizer *s = m->san;
	for (u64 at = base; at < base + size; at += SHADOW_PAGE - at % SHADOW_PAGE) {
		u64      *index = map_get(&s->cells, at / SHADOW_PAGE);
		CellPage *p = index ? &s->page.p[*index] : NULL;
		if (!p || !p->cell)
			continue;
		u64 end = PS_MIN(base + size, at - at % SHADOW_PAGE + SHADOW_PAGE);
		for (u64 b = at; b < end; b += (u64)1 << p->shift) {
			Cell *c = &p->cell[b % SHADOW_PAGE >> p->shift];
			sets_drop(s, c);
			*c = (Cell){0};
		}
	}
}

/* ---- reports */

typedef struct Racer {
	SimtMachine *m;
	const Touch *t;
	u64          at; /* of the granule */
	Epoch        me;
	u32          order;
	bool         strong, writes, copies, found;
} Racer;

/* The thread that an actor's accesses are made for, and whether it is a copy. */
static bool actor_thread(u32 actor, u32 *thread)
{
	*thread = actor % MOST_ACTORS;
	return actor >= ACTOR_COPY;
}

static Str space_text(const Touch *t) { return t->space == SPACE_SHARED ? STR("shared") : STR("global"); }

static FaultKind kind_of(const Racer *r, const Epoch *e, bool hidden)
{
	if (hidden)
		return FAULT_PROXY;
	if (e->actor < ACTOR_COPY)
		return FAULT_RACE;
	/* A copy that its thread has waited for is an access as any other. */
	const SimtMachine *m = r->m;
	u32                thread = e->actor % MOST_ACTORS, kind = e->actor - thread;
	if (kind == ACTOR_MBAR || thread / m->threads != m->cur_block->number)
		return FAULT_WAIT;
	const ThreadClock *t = &m->cur_block->watch->thread[thread % m->threads];
	u32                done = kind == ACTOR_COPY ? t->copy_done : kind == ACTOR_BULK ? t->bulk_done : t->bulk_read;
	return e->time > done ? FAULT_WAIT : FAULT_RACE;
}

static void report(Racer *r, const Epoch *e, Access access, bool hidden)
{
	SimtMachine *m = r->m;
	FaultKind    kind = kind_of(r, e, hidden);
	u32          by = kind == FAULT_RACE ? SANITIZE_RACE : SANITIZE_SYNC | SANITIZE_RACE, thread;
	if (r->found || !(m->san->what & by))
		return;
	r->found = true;
	SimtReport *p = sanitize_report(m, kind, r->t->lane, insn_of(e->insn));
	if (!p)
		return;
	const SimtInsn *in = &m->p->code.p[insn_of(e->insn)];
	bool            copy = actor_thread(e->actor, &thread);
	if (e->actor >= ACTOR_MBAR)
		thread = m->cur_block->number * m->threads; /* the mbarrier knows only what completes at it */
	p->has_other = true;
	p->other = sanitize_access_at(m, thread % m->threads, thread / m->threads, in);
	p->other.what = copy ? "copy" : sanitize_word[access];
	p->other.bytes = in->op == S_ASYNC ? 0 : (u32)in->mem.bytes * PS_MAX(in->n, 1u);
	p->at.what = r->copies ? "copy" : sanitize_word[r->t->access];
	p->at.bytes = r->t->bytes;
	sanitize_place(m, p, r->t);
	Str other = sanitize_thread_text(m, &p->other), where = p->message, space = space_text(r->t);
	Str what = arena_fmt(&m->arena, "%u-byte %s of %.*s memory at 0x%llx%.*s", r->t->bytes, p->at.what, STR_ARG(space),
	                     (unsigned long long)r->t->address, STR_ARG(where));
	if (kind == FAULT_PROXY)
		p->message = arena_fmt(&m->arena, "%.*s: %.*s has written it at line %u, and no fence.proxy.async is between",
		                       STR_ARG(what), STR_ARG(other), in->line);
	else if (kind == FAULT_WAIT)
		p->message = arena_fmt(&m->arena, "%.*s: the copy that %.*s started at line %u may still be under way",
		                       STR_ARG(what), STR_ARG(other), in->line);
	else
		p->message = arena_fmt(&m->arena, "%.*s: nothing orders it and the %s by %.*s at line %u", STR_ARG(what),
		                       p->other.what, STR_ARG(other), in->line);
}

/* ---- checks */

/* The bytes of the granule that lane l is about to write. False: they are not known. */
static bool value_of(const Racer *r, u32 lane, u64 address, u8 *out, u32 n)
{
	const SimtInsn *i = r->m->cur_insn;
	u8              all[64];
	if (i->op != S_ST || (u32)i->mem.bytes * PS_MAX(i->n, 1u) > sizeof all)
		return false;
	mem_store_bytes(r->m, &r->m->cur_warp->frame.p[r->m->cur_path->frame], i, lane, all);
	memcpy(out, all + (r->at - address), n);
	return true;
}

/* Would the write leave what is there? Another lane of this very instruction has not written yet: its value counts then. */
static bool same_value(const Racer *r, const Epoch *e, u32 n)
{
	SimtMachine     *m = r->m;
	const Sanitizer *s = m->san;
	u8               mine[4], other[4];
	u32              first = order_actor(m, m->cur_block, m->cur_warp->number * LANES);
	if (r->at < r->t->address || !value_of(r, r->t->lane, r->t->address, mine, n))
		return false;
	if (e->actor - first < LANES)
		for (u32 k = 0; k < s->n_touched; k++)
			if (s->touched[k].lane == e->actor - first && r->at - s->touched[k].address < s->touched[k].bytes)
				return value_of(r, s->touched[k].lane, s->touched[k].address, other, n) &&
				       memcmp(mine, other, n) == 0;
	return memcmp(mine, r->t->host + (r->at - r->t->address), n) == 0;
}

/* Does one of both read a word weakly that the other one changes by an atomic operation which does nothing where the word is another by
 * then (compare and swap), or where it was done already (min, max, and, or)? Programs read first what to compare with, as CUDA's guide
 * does for operations that the device does not have, or whether the operation can be left out. Both may be in functions of their own. */
static bool is_guess(const Racer *r, u32 other)
{
	enum {
		CHECKED = 1 << ATOM_CAS | 1 << ATOM_MIN | 1 << ATOM_MAX | 1 << ATOM_UMIN | 1 << ATOM_UMAX | 1 << ATOM_FMIN |
		          1 << ATOM_FMAX | 1 << ATOM_AND | 1 << ATOM_OR
	};
	const SimtInsn *code = r->m->p->code.p, *here = &code[insn_of(r->me.insn)], *there = &code[insn_of(other)];
	const SimtInsn *read = here->op == S_LD ? here : there, *atom = here->op == S_LD ? there : here;
	return !r->copies && read->op == S_LD && atom->op == S_ATOM && (CHECKED >> (atom->x & 0xff) & 1) &&
	       read->mem.bytes == atom->mem.bytes && read->n <= 1;
}

static void check_epoch(Racer *r, const Epoch *e, Access access, u32 n)
{
	bool visible =
		r->copies && access == ACCESS_WRITE && e->actor < ACTOR_COPY && !r->writes && r->m->san->actor >= ACTOR_BULK;
	if (!e->time || (e->actor == r->me.actor && !visible))
		return;
	if (!order_before(r->m, r->t->lane, e->actor, e->time, false)) {
		if (access == ACCESS_WRITE ? !(r->writes && !r->strong && same_value(r, e, n))
		                           : !(r->strong && is_guess(r, e->insn)))
			report(r, e, access, false);
	} else if (visible && !order_before(r->m, r->t->lane, e->actor, e->time, true)) {
		report(r, e, access, true);
	}
}

/* Strong accesses are no races with each other where both threads are in both scopes. */
static bool excused(const Racer *r, const Range *other)
{
	const SimtMachine *m = r->m;
	u32                scope = PS_MIN(other->insn >> INSN_BITS & 3, (u32)order_scope(r->order)), here = m->cur_block->number;
	u32                first = other->first / m->threads, last = other->last / m->threads;
	if (!r->strong || scope >= SCOPE_DEVICE || (first == here && last == here))
		return r->strong;
	for (u32 b = first; scope == SCOPE_CLUSTER && b <= last; b++)
		if (cluster_of_block(m, b) != m->cur_block->cluster->number)
			return false;
	return scope == SCOPE_CLUSTER;
}

static Access access_of(const SimtInsn *i) { return i->op == S_LD ? ACCESS_READ : i->op == S_ST ? ACCESS_WRITE : ACCESS_ATOMIC; }

static void check_set(Racer *r, const struct AccessSet *set, bool strong)
{
	for (u32 i = 0; i < set->n; i++) {
		Range x = set->r[i];
		if (strong && excused(r, &x))
			continue;
		u32 actor = order_unknown(r->m, r->t->lane, (Range){x.first, x.last, x.time, 0});
		if (actor != ~0u && actor != r->me.actor && !(strong != r->strong && is_guess(r, x.insn)))
			report(r, &(Epoch){actor, x.time, x.insn},
			       strong ? access_of(&r->m->p->code.p[insn_of(x.insn)]) : ACCESS_READ, false);
	}
}

/* ---- what is remembered */

/* Behind the ranges of `out`, joined with the last where they touch and are equal. */
static u32 set_put(Range *out, u32 n, Range x)
{
	Range *low = n ? &out[n - 1] : NULL;
	if (low && low->last + 1 == x.first && low->time == x.time && low->insn == x.insn)
		low->last = x.last;
	else
		out[n++] = x;
	return n;
}

/* The actor at its new time: cut out of the range that it was in, and joined with a neighbour that is equal. */
static void set_add(Sanitizer *s, struct AccessSet *set, const Epoch *e)
{
	u32    n = 0, me = e->actor;
	Range *out = pool_work(&s->pool, set->n + 2), one = {me, me, e->time, e->insn};
	bool   placed = false;
	for (u32 i = 0; i < set->n; i++) {
		Range x = set->r[i];
		if (x.first <= me && x.last >= me && x.time == e->time && x.insn == e->insn)
			return;
		if (!placed && x.first > me)
			n = set_put(out, n, one), placed = true;
		if (x.first < me)
			n = set_put(out, n, (Range){x.first, PS_MIN(x.last, me - 1), x.time, x.insn});
		if (!placed && x.last >= me)
			n = set_put(out, n, one), placed = true;
		if (x.last > me)
			n = set_put(out, n, (Range){PS_MAX(x.first, me + 1), x.last, x.time, x.insn});
	}
	if (!placed)
		n = set_put(out, n, one);
	if (n > MOST_RANGES || (n > set->room && s->pool.used > MOST_SHADOW)) {
		s->limited = true;
		return;
	}
	if (n > set->room) {
		struct AccessSet old = *set;
		set->room = PS_MAX(2 * n, 4u);
		set->r = pool_take(&s->pool, (u64)set->room * sizeof *set->r, &set->class);
		if (old.r)
			pool_give(&s->pool, old.r, old.class);
	}
	memcpy(set->r, out, n * sizeof *out);
	set->n = n;
}

static void remember(Racer *r, Cell *c)
{
	Sanitizer *s = r->m->san;
	Epoch      strong = r->me;
	strong.insn |= (u32)order_scope(r->order) << INSN_BITS;
	if (r->strong) {
		AccessSets *sets = sets_of(s, c);
		set_add(s, r->writes ? &sets->strong_writes : &sets->strong_reads, &strong);
	} else if (r->writes) {
		sets_drop(s, c);
		c->read = (Epoch){0};
		c->write = r->me;
	} else if (c->more && s->sets.p[c->more - 1].reads.n) {
		set_add(s, &s->sets.p[c->more - 1].reads, &r->me);
	} else if (!c->read.time || c->read.actor == r->me.actor ||
	           order_before(r->m, r->t->lane, c->read.actor, c->read.time, false)) {
		c->read = r->me;
	} else {
		AccessSets *sets = sets_of(s, c);
		set_add(s, &sets->reads, &c->read);
		set_add(s, &sets->reads, &r->me);
		c->read = (Epoch){0};
	}
}

static bool same(const Epoch *a, const Epoch *b) { return a->actor == b->actor && a->time == b->time; }

static void touch_cell(Racer *r, Cell *c, u32 n)
{
	if (!r->strong && !r->writes && (same(&c->read, &r->me) || same(&c->write, &r->me)) && !c->more)
		return;
	if (!r->strong && r->writes && same(&c->write, &r->me) && !c->read.time && !c->more)
		return;
	const AccessSets none = {0}, *sets = c->more ? &r->m->san->sets.p[c->more - 1] : &none;
	check_epoch(r, &c->write, ACCESS_WRITE, n);
	check_set(r, &sets->strong_writes, true);
	if (r->writes) {
		check_epoch(r, &c->read, ACCESS_READ, n);
		check_set(r, &sets->reads, false);
		check_set(r, &sets->strong_reads, true);
	}
	remember(r, c);
}

/* ---- other blocks' shared memory: it is there from the block's start to its end */

static void report_start(SimtMachine *m, const Touch *t)
{
	SimtReport *r = sanitize_report(m, FAULT_WAIT, t->lane, 0);
	if (!r)
		return;
	r->at.what = sanitize_word[t->access], r->at.bytes = t->bytes;
	sanitize_place(m, r, t);
	r->message = arena_fmt(&m->arena,
	                       "%u-byte %s of shared memory at 0x%llx%.*s: that block may not have started, nothing waits for it",
	                       t->bytes, r->at.what, (unsigned long long)t->address, STR_ARG(r->message));
}

static void visit(SimtMachine *m, const Touch *t, const Epoch *e)
{
	BlockWatch  *w = t->block->watch;
	const Clock *known = order_thread(m, t->lane)->known;
	u32          first = order_actor(m, t->block, 0);
	bool         fresh;
	if (!t->block->cluster->met && !clock_meets(known, first, first + m->threads - 1) && m->san->what & SANITIZE_SYNC)
		report_start(m, t);
	u64 *at = map_put(&w->visitor, e->actor, &fresh);
	if (fresh) {
		vec_push(&m->arena, &w->visit, *e);
		*at = w->visit.n;
	}
	w->visit.p[*at - 1] = *e;
}

void race_visits_end(SimtMachine *m, Block *b)
{
	BlockWatch     *w = b->watch;
	const SimtInsn *insn = m->cur_insn;
	for (u32 i = 0; i < w->visit.n && m->san->what & SANITIZE_SYNC; i++) {
		const Epoch *e = &w->visit.p[i];
		u32          thread;
		if (e->time <= clock_time(w->exited, e->actor))
			continue;
		m->cur_insn = &m->p->code.p[e->insn];
		SimtReport *r = sanitize_report(m, FAULT_EXITED, 0, 0);
		actor_thread(e->actor, &thread);
		if (r && e->actor < ACTOR_MBAR)
			r->at = sanitize_access_at(m, thread % m->threads, thread / m->threads, m->cur_insn);
		if (r) {
			r->at.what = sanitize_word[access_of(m->cur_insn)];
			r->message = arena_fmt(
				&m->arena,
				"access to the shared memory of block (%u,%u,%u), which may have exited by then: nothing "
				"makes it wait",
				b->id[0], b->id[1], b->id[2]);
		}
	}
	m->cur_insn = insn;
	w->visit.n = 0;
	map_clear(&w->visitor);
}

void race_touch(SimtMachine *m, const Touch *t, u32 order)
{
	Sanitizer *s = m->san;
	u32        thread = m->cur_warp->number * LANES + t->lane, insn = (u32)(m->cur_insn - m->p->code.p);
	Racer r = {.m = m, .t = t, .order = order, .strong = (order & ORDER_STRONG) != 0, .writes = t->access != ACCESS_READ};
	r.me = (Epoch){order_actor(m, m->cur_block, thread), m->cur_block->watch->thread[thread].time, insn};
	if (s->actor != NO_ACTOR) {
		r.copies = true;
		r.me.actor = s->actor >= ACTOR_BULK && s->actor < ACTOR_BULK_READ && !r.writes
		                     ? s->actor + (ACTOR_BULK_READ - ACTOR_BULK)
		                     : s->actor;
		r.me.time = s->actor_time;
	}
	if (m->o.follow)
		follow_touch(m, t);
	if (t->block && t->block != m->cur_block)
		visit(m, t, &r.me);
	u64 end = t->address + t->bytes;
	for (u64 at = t->address; at < end;) {
		u64       page_end = PS_MIN(end, at - at % SHADOW_PAGE + SHADOW_PAGE);
		CellPage *p = page_at(m, t->block, at, at % 4 == 0 && page_end % 4 == 0);
		for (; p && at < page_end; at += (u64)1 << p->shift) {
			r.at = at;
			touch_cell(&r, &p->cell[at % SHADOW_PAGE >> p->shift], 1u << p->shift);
		}
		at = page_end;
	}
	if (t->access == ACCESS_WRITE && s->n_touched < LANES) {
		s->touched[s->n_touched].lane = t->lane;
		s->touched[s->n_touched].address = t->address;
		s->touched[s->n_touched++].bytes = t->bytes;
	}
}
