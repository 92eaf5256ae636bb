/* reach.c: see reach.h. */
#include "simt/reach.h"

#include "base/sort.h"
#include "simt/emit.h"

enum { MOST_REACHED = 1 << 26 };

/* What functions lead to, by function: to[first[f]] to to[first[f + 1]]. */
typedef struct Lists {
	u32 *first, *to;
} Lists;

typedef struct Walk {
	SimtProgram *p;
	const Reach *r;
	Arena        a;
	Lists        calls, names;
	u8          *indirect; /* by function */
	u32         *seen;     /* by function: 1 + the kernel that has it */
	u32         *has;      /* by symbol, the same */
	VecU32       open;
	u32          work;
	Vec(ReachPair) reached; /* kernel, as a number in r->kernels, and symbol */
} Walk;

static bool is_static_shared(const SimtSymbol *s) { return s->space == SPACE_SHARED && !s->dynamic; }

static Lists lists_of(Arena *a, const ReachPair *p, u32 n, u32 functions)
{
	Lists l = {arena_array(a, u32, functions + 2), arena_array(a, u32, n + 1)};
	for (u32 i = 0; i < n; i++)
		l.first[p[i].from + 2]++;
	for (u32 f = 0; f < functions; f++)
		l.first[f + 2] += l.first[f + 1];
	for (u32 i = 0; i < n; i++)
		l.to[l.first[p[i].from + 1]++] = p[i].to;
	return l;
}

static void visit(Walk *w, u32 kernel, u32 func)
{
	if (w->seen[func] == kernel + 1)
		return;
	w->seen[func] = kernel + 1;
	vec_push(&w->a, &w->open, func);
}

static void reach(Walk *w, u32 kernel, u32 symbol)
{
	if (w->has[symbol] == kernel + 1 || !is_static_shared(&w->p->symbol.p[symbol]))
		return;
	w->has[symbol] = kernel + 1;
	vec_push(&w->a, &w->reached, ((ReachPair){kernel, symbol}));
}

static void walk_kernel(Walk *w, u32 kernel)
{
	bool taken = false;
	for (u32 i = 0; i < w->r->common.n; i++)
		reach(w, kernel, w->r->common.p[i]);
	visit(w, kernel, w->r->kernels.p[kernel]);
	while (w->open.n && w->work < MOST_REACHED) {
		u32 f = vec_pop(&w->open), end = w->calls.first[f + 1], last = w->names.first[f + 1];
		w->work += 1 + end - w->calls.first[f] + last - w->names.first[f];
		for (u32 i = w->calls.first[f]; i < end; i++)
			visit(w, kernel, w->calls.to[i]);
		for (u32 i = w->names.first[f]; i < last; i++)
			reach(w, kernel, w->names.to[i]);
		for (u32 i = 0; w->indirect[f] && !taken && i < w->r->taken.n; i++, w->work++)
			visit(w, kernel, w->r->taken.p[i]);
		taken |= w->indirect[f];
	}
}

/* Symbols of shared memory and how many kernels have them. */
typedef struct Placed {
	u32 symbol, kernels;
} Placed;

static int by_kernels(const void *a, const void *b, void *user)
{
	u32 x = ((const Placed *)a)->kernels, y = ((const Placed *)b)->kernels;
	(void)user;
	return (x < y) - (x > y);
}

static void place(Walk *w, const Lists *kernels, const Placed *order, u32 n)
{
	SimtProgram *p = w->p;
	u32          all = w->r->kernels.n;
	u64         *end = arena_array(&w->a, u64, all + 1), most = SHARED_START;
	for (u32 k = 0; k < all; k++)
		end[k] = SHARED_START;
	for (u32 i = 0; i < n && !p->too_large; i++) {
		SimtSymbol *s = &p->symbol.p[order[i].symbol];
		const u32  *of = kernels->to + kernels->first[order[i].symbol];
		u64         behind = SHARED_START;
		for (u32 k = 0; k < order[i].kernels; k++)
			behind = PS_MAX(behind, end[of[k]]);
		behind = simt_symbol_place(p, s, behind);
		for (u32 k = 0; k < order[i].kernels; k++)
			end[of[k]] = behind;
		most = PS_MAX(most, behind);
		if (order[i].kernels == all)
			continue;
		s->kernels = (VecU32){0};
		s->some = true;
		for (u32 k = 0; k < order[i].kernels; k++)
			vec_push(p->arena, &s->kernels, w->r->kernels.p[of[k]]);
	}
	for (u32 k = 0; k < all; k++)
		p->func.p[w->r->kernels.p[k]].shared_end = end[k];
	p->shared_end = most;
}

/* So much can be reached that all kernels have everything. */
static void reach_everything(Walk *w)
{
	u64 end = SHARED_START;
	for (u32 i = 0; i < w->p->symbol.n && !w->p->too_large; i++)
		if (is_static_shared(&w->p->symbol.p[i]))
			end = simt_symbol_place(w->p, &w->p->symbol.p[i], end);
	w->p->shared_end = end;
}

void simt_reach_place(SimtProgram *p, const Reach *r)
{
	Walk    w = {.p = p, .r = r, .work = MOST_REACHED};
	Placed *order;
	u32     n = 0;
	if (!r) {
		reach_everything(&w);
		return;
	}
	w.work = 0;
	arena_init(&w.a, &p->s->budget);
	w.calls = lists_of(&w.a, r->calls.p, r->calls.n, p->func.n);
	w.names = lists_of(&w.a, r->names.p, r->names.n, p->func.n);
	w.indirect = arena_array(&w.a, u8, p->func.n + 1);
	w.seen = arena_array(&w.a, u32, p->func.n + 1);
	w.has = arena_array(&w.a, u32, p->symbol.n + 1);
	order = arena_array(&w.a, Placed, p->symbol.n + 1);
	for (u32 i = 0; i < r->indirect.n; i++)
		w.indirect[r->indirect.p[i]] = 1;
	for (u32 k = 0; k < r->kernels.n && w.work < MOST_REACHED; k++)
		walk_kernel(&w, k);
	for (u32 i = 0; i < w.reached.n; i++)
		w.reached.p[i] = (ReachPair){w.reached.p[i].to, w.reached.p[i].from};
	Lists kernels = lists_of(&w.a, w.reached.p, w.reached.n, p->symbol.n);
	for (u32 i = 0; i < p->symbol.n; i++)
		if (is_static_shared(&p->symbol.p[i]))
			order[n++] = (Placed){i, kernels.first[i + 1] - kernels.first[i]};
	sort_stable(&w.a, order, n, sizeof *order, by_kernels, NULL);
	if (w.work < MOST_REACHED)
		place(&w, &kernels, order, n);
	else
		reach_everything(&w);
	arena_free(&w.a);
}
