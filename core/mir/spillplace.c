/* spillplace.c: relaxation over edge bundles, see spillplace.h. */
#include "mir/spillplace.h"

SpillPlace *spill_place_new(const MirBundles *b, Arena *a)
{
	SpillPlace *p = arena_new(a, SpillPlace);
	*p = (SpillPlace){.bundles = b, .arena = a, .of = arena_array(a, SpillBundle, b->n + 1)};
	return p;
}

void spill_place_begin(SpillPlace *p)
{
	p->stamp++;
	p->named.n = p->link.n = 0;
}

static SpillBundle *bundle(SpillPlace *p, u32 n)
{
	SpillBundle *b = &p->of[n];
	if (b->stamp != p->stamp) {
		*b = (SpillBundle){.stamp = p->stamp, .group = n, .run = GRAPH_NONE, .chosen = true};
		vec_push(p->arena, &p->named, n);
	}
	return b;
}

void spill_place_name(SpillPlace *p, u32 n) { bundle(p, n); }
void spill_place_enter(SpillPlace *p, u32 node, f64 saves) { bundle(p, p->bundles->in[node])->gain += saves; }
void spill_place_leave(SpillPlace *p, u32 node, f64 costs) { bundle(p, p->bundles->out[node])->cost += costs; }
void spill_place_never(SpillPlace *p, u32 node) { bundle(p, p->bundles->out[node])->never = true; }

void spill_place_pass(SpillPlace *p, u32 node, f64 costs)
{
	u32          entry = p->bundles->in[node], exit = p->bundles->out[node];
	SpillBundle *in = bundle(p, entry), *out = bundle(p, exit);
	vec_push(p->arena, &p->link, ((SpillLink){entry, exit, costs, in->links_in, out->links_out}));
	in->links_in = out->links_out = p->link.n;
}

/* What memory at bundle `n` saves, less what it costs, as its neighbours are now. */
static f64 better_in_memory(const SpillPlace *p, u32 n)
{
	const SpillBundle *b = &p->of[n];
	f64                x = b->cost - b->gain;
	for (u32 k = b->links_out; k; k = p->link.p[k - 1].next_of_exit)
		if (p->link.p[k - 1].entry != n && !p->of[p->link.p[k - 1].entry].chosen)
			x += p->link.p[k - 1].cost;
	for (u32 k = b->links_in; k; k = p->link.p[k - 1].next_of_entry)
		if (p->link.p[k - 1].exit != n && p->of[p->link.p[k - 1].exit].chosen)
			x -= p->link.p[k - 1].cost;
	return x;
}

static void to_memory(SpillPlace *p, u32 n)
{
	SpillBundle *b = &p->of[n];
	b->chosen = false;
	for (u32 k = b->links_out; k; k = p->link.p[k - 1].next_of_exit)
		vec_push(p->arena, &p->work, p->link.p[k - 1].entry);
	for (u32 k = b->links_in; k; k = p->link.p[k - 1].next_of_entry)
		vec_push(p->arena, &p->work, p->link.p[k - 1].exit);
}

static void relax(SpillPlace *p)
{
	while (p->work.n) {
		u32 n = vec_pop(&p->work);
		if (p->of[n].chosen && (p->of[n].never || better_in_memory(p, n) > 0))
			to_memory(p, n);
	}
}

static u32 group_of(SpillPlace *p, u32 n)
{
	while (p->of[n].group != n)
		n = p->of[n].group = p->of[p->of[n].group].group;
	return n;
}

/* Sums of the connected bundles that are left, at their representatives; those that gain nothing change over. */
static void drop_groups(SpillPlace *p)
{
	for (u32 k = 0; k < p->link.n; k++) {
		const SpillLink *l = &p->link.p[k];
		if (p->of[l->entry].chosen && p->of[l->exit].chosen)
			p->of[group_of(p, l->exit)].group = group_of(p, l->entry);
	}
	for (u32 k = 0; k < p->link.n; k++) {
		const SpillLink *l = &p->link.p[k];
		if (p->of[l->exit].chosen && !p->of[l->entry].chosen)
			p->of[l->exit].cost += l->cost;
	}
	for (u32 k = 0; k < p->named.n; k++) {
		u32 n = p->named.p[k], g = group_of(p, n);
		if (g == n || !p->of[n].chosen)
			continue;
		p->of[g].gain += p->of[n].gain;
		p->of[g].cost += p->of[n].cost;
	}
	for (u32 k = 0; k < p->named.n; k++) {
		u32                n = p->named.p[k];
		const SpillBundle *g = &p->of[group_of(p, n)];
		p->of[n].never |= g->gain <= g->cost;
	}
	for (u32 k = 0; k < p->named.n; k++)
		p->of[p->named.p[k]].chosen &= !p->of[p->named.p[k]].never;
}

void spill_place_solve(SpillPlace *p)
{
	for (u32 k = p->named.n; k-- > 0;)
		vec_push(p->arena, &p->work, p->named.p[k]);
	relax(p);
	drop_groups(p);
}

bool spill_place_chosen(const SpillPlace *p, u32 n) { return p->of[n].stamp == p->stamp && p->of[n].chosen; }
