/* points.c: numbers the points of a function, see points.h. */
#include "mir/points.h"

static u32 count(const MirFunc *f)
{
	u32 n = 0;
	mir_each_block(f, b) {
		n += 2;
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			n += 2;
	}
	return n;
}

MirPoints *mir_points_new(MirFunc *f, const MirCfg *cfg, Arena *a)
{
	MirPoints      *p = arena_new(a, MirPoints);
	const MirSlots *s = mir_slots(f);
	u32             n = 0;
	*p = (MirPoints){.f = f, .cfg = cfg, .n = count(f)};
	p->inst = arena_array(a, u32, f->inst.n);
	p->at = arena_array(a, u32, p->n + 1);
	p->start = arena_array(a, u32, cfg->g.n + 1);
	p->end = arena_array(a, u32, cfg->g.n + 1);
	p->tail = arena_array(a, u32, cfg->g.n + 1);
	p->of_position = arena_array(a, u32, PS_MAX(s->n, s->end / SLOT_STEP + 1) + 1);
	for (u32 node = 0; node < cfg->g.n; node++) {
		MirBlockId b = {cfg->block[node]};
		MirInstId  first = mir_first_terminator(f, b);
		p->of_position[mir_slot_start(s, b) / SLOT_STEP] = n;
		p->start[node] = n++;
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
			p->of_position[mir_slot_of(s, i) / SLOT_STEP] = p->inst[i.i] = n;
			p->at[n] = p->at[n + 1] = i.i;
			n += 2;
		}
		p->end[node] = n++;
		p->tail[node] = first.i ? p->inst[first.i] : p->end[node];
	}
	p->start[cfg->g.n] = p->of_position[s->end / SLOT_STEP] = n;
	return p;
}

u32 mir_points_node(const MirPoints *p, u32 point)
{
	u32 low = 0, high = p->cfg->g.n;
	while (high - low > 1) {
		u32 mid = low + (high - low) / 2;
		if (p->start[mid] <= point)
			low = mid;
		else
			high = mid;
	}
	return low;
}
