/* slotlive.c: see slotlive.h. */
#include "mir/slotlive.h"

#include "base/sort.h"
#include "graph/flow.h"

static SlotLive *live_new(MirFunc *f, const MirCfg *cfg, Arena *a)
{
	SlotLive *l = arena_new(a, SlotLive);
	l->f = f;
	l->cfg = cfg;
	l->arena = a;
	l->index = arena_array(a, u32, f->frame.n + 1);
	for (u32 n = 0; n < f->frame.n; n++)
		l->index[n] = ~0u;
	return l;
}

static void look_at(SlotLive *l, u32 object)
{
	if (l->index[object] != ~0u || l->f->frame.p[object].is_dead || l->f->frame.p[object].local_offset)
		return;
	l->index[object] = l->object.n;
	vec_push(l->arena, &l->object, object);
}

/* Segments of one object come in layout order; those that touch become one. */
static void add(SlotLive *l, u32 at, u32 from, u32 to)
{
	SlotUse *u = &l->use[at];
	u32      start = mir_slot_number(mir_slots(l->f), from), end = mir_slot_number(mir_slots(l->f), to);
	if (start >= end)
		return;
	if (u->seg.n && vec_last(&u->seg).end >= start)
		vec_last(&u->seg).end = PS_MAX(vec_last(&u->seg).end, end);
	else
		vec_push(l->arena, &u->seg, ((SlotSegment){start, end}));
}

static bool flow_init(SlotLive *l, SetFlow *flow)
{
	u32 nodes = l->cfg->g.n, bits = l->object.n;
	if ((u64)nodes * bits > SLOT_LIVE_MOST_BITS)
		return false;
	l->use = arena_array(l->arena, SlotUse, bits + 1);
	*flow = (SetFlow){
		.bits = bits, .gen = arena_array(l->arena, Bitset, nodes), .kill = arena_array(l->arena, Bitset, nodes)};
	for (u32 n = 0; n < nodes; n++) {
		flow->gen[n] = bitset_new(l->arena, bits);
		flow->kill[n] = bitset_new(l->arena, bits);
	}
	return true;
}

static void gen(SetFlow *flow, u32 node, u32 at)
{
	bitset_add(flow->gen[node], at);
	bitset_del(flow->kill[node], at);
}

static void kill(SetFlow *flow, u32 node, u32 at)
{
	bitset_add(flow->kill[node], at);
	bitset_del(flow->gen[node], at);
}

/* ---- by markers ---- */

static u32 marked(const SlotLive *l, MirInstId i)
{
	return mir_is_marker(l->f, i) && mir_op(l->f, i, 0)->kind == MO_FRAME ? l->index[mir_op(l->f, i, 0)->ref] : ~0u;
}

/* What is in use at some place of a block, and the slot at which that began or, going upward, ended. */
typedef struct Now {
	Bitset in_use;
	u32   *slot;
} Now;

static Now now_new(const SlotLive *l)
{
	return (Now){bitset_new(l->arena, l->object.n), arena_array(l->arena, u32, l->object.n + 1)};
}

static void now_set(Now *now, Bitset in_use, u32 slot)
{
	bitset_clear(now->in_use);
	if (in_use.w)
		bitset_copy(now->in_use, in_use);
	bitset_each(now->in_use, at)
		now->slot[at] = slot;
}

static void segments_by_markers(SlotLive *l, Now *now, MirBlockId b)
{
	MirSlots *slots = mir_slots(l->f);
	mir_each_inst(l->f, b, i) {
		u32 at = marked(l, i);
		if (at == ~0u)
			continue;
		bool start = mir_inst(l->f, i)->desc == ISA_LIFETIME_START;
		if (start && !bitset_has(now->in_use, at)) {
			now->slot[at] = mir_slot_of(slots, i);
			bitset_add(now->in_use, at);
		} else if (!start && bitset_has(now->in_use, at)) {
			add(l, at, now->slot[at], mir_slot_of(slots, i) + 1);
			bitset_del(now->in_use, at);
		}
	}
	bitset_each(now->in_use, at)
		add(l, at, now->slot[at], mir_slot_end(l->f, slots, b));
}

SlotLive *slot_live_by_markers(MirFunc *f, const MirCfg *cfg, Arena *a)
{
	SlotLive *l = live_new(f, cfg, a);
	SetFlow   flow;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_inst(f, i)->desc == ISA_LIFETIME_START && mir_op(f, i, 0)->kind == MO_FRAME)
				look_at(l, mir_op(f, i, 0)->ref);
	if (!flow_init(l, &flow))
		return NULL;
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			u32 at = marked(l, i);
			if (at == ~0u)
				continue;
			if (mir_inst(f, i)->desc == ISA_LIFETIME_START)
				gen(&flow, cfg->node[b.i], at);
			else
				kill(&flow, cfg->node[b.i], at);
		}
	set_flow_solve(&flow, &cfg->g, &cfg->order, a);
	Now now = now_new(l);
	mir_each_block(f, b)
		if (cfg->order.pos[cfg->node[b.i]] != GRAPH_NONE) {
			now_set(&now, flow.in[cfg->node[b.i]], mir_slot_start(mir_slots(f), b));
			segments_by_markers(l, &now, b);
		}
	return l;
}

/* ---- by accesses ---- */

typedef struct Access {
	u32  at;   /* object */
	u32  next; /* of the same instruction; 0 = none */
	bool load, whole;
} Access;

typedef struct Accesses {
	Vec(Access) of; /* from 1 */
	u32 *first;     /* by instruction id */
} Accesses;

static Accesses by_instruction(SlotLive *l, const MirFrameUses *uses)
{
	Accesses c = {.first = arena_array(l->arena, u32, l->f->inst.n + 1)};
	vec_push(l->arena, &c.of, ((Access){0}));
	for (u32 at = 0; at < l->object.n; at++)
		mir_each_frame_access(uses, l->object.p[at], x)
		{
			bool   whole = x->store && x->plain && x->offset == 0 && x->size == l->f->frame.p[l->object.p[at]].size;
			Access y = {at, c.first[x->inst.i], !x->store || !x->plain, whole};
			vec_push(l->arena, &c.of, y);
			c.first[x->inst.i] = c.of.n - 1;
		}
	return c;
}

typedef struct Piece {
	u32 at, start, end;
} Piece;

/* Upward through a block, from what is in use at its end. The last segment of the block is the first of `back`. */
static void segments_by_accesses(SlotLive *l, const Accesses *c, Now *now, MirBlockId b)
{
	MirSlots *slots = mir_slots(l->f);
	Vec(Piece) back = {0};
	mir_each_inst_up(l->f, b, i)
		for (u32 k = c->first[i.i]; k; k = c->of.p[k].next) {
			const Access *x = &c->of.p[k];
			u32           slot = mir_slot_of(slots, i);
			bool          unread = !bitset_has(now->in_use, x->at);
			if (unread) {
				now->slot[x->at] = slot + (x->load ? 0 : SLOT_DEF) + 1;
				bitset_add(now->in_use, x->at);
			}
			/* A store that nothing reads needs its room for itself; in front of a whole one nothing is kept. */
			if (!x->load && (x->whole || unread)) {
				vec_push(l->arena, &back, ((Piece){x->at, slot + SLOT_DEF, now->slot[x->at]}));
				bitset_del(now->in_use, x->at);
			}
		}
	bitset_each(now->in_use, at)
		vec_push(l->arena, &back, ((Piece){at, mir_slot_start(slots, b), now->slot[at]}));
	for (u32 k = back.n; k-- > 0;)
		add(l, back.p[k].at, back.p[k].start, back.p[k].end);
}

SlotLive *slot_live_by_accesses(MirFunc *f, const MirCfg *cfg, const MirFrameUses *uses, Arena *a)
{
	SlotLive *l = live_new(f, cfg, a);
	SetFlow   flow;
	for (u32 n = 0; n < f->frame.n; n++)
		if (f->frame.p[n].is_spill && !uses->object[n].escapes && uses->object[n].first)
			look_at(l, n);
	if (!flow_init(l, &flow))
		return NULL;
	Accesses c = by_instruction(l, uses);
	mir_each_block(f, b)
		mir_each_inst_up(f, b, i)
			for (u32 k = c.first[i.i]; k; k = c.of.p[k].next) {
				if (c.of.p[k].load)
					gen(&flow, cfg->node[b.i], c.of.p[k].at);
				else if (c.of.p[k].whole)
					kill(&flow, cfg->node[b.i], c.of.p[k].at);
			}
	Graph up = graph_reversed(&cfg->g);
	Order order = flow_backward_order(&cfg->g, a, 0);
	set_flow_solve(&flow, &up, &order, a);
	Now now = now_new(l);
	mir_each_block(f, b) {
		now_set(&now, flow.in[cfg->node[b.i]], mir_slot_end(f, mir_slots(f), b));
		segments_by_accesses(l, &c, &now, b);
	}
	return l;
}

/* ---- sharing ---- */

static int larger_first(const void *a, const void *b, void *user)
{
	const SlotLive *l = user;
	const u32      *x = a, *y = b;
	u64             s = l->f->frame.p[l->object.p[*x]].size, t = l->f->frame.p[l->object.p[*y]].size;
	if (s != t || !l->f->frame.p[l->object.p[*x]].is_spill || !l->f->frame.p[l->object.p[*y]].is_spill)
		return s != t ? (s > t ? -1 : 1) : 0;
	u32 p = l->use[*x].seg.n ? l->use[*x].seg.p[0].start : 0, q = l->use[*y].seg.n ? l->use[*y].seg.p[0].start : 0;
	return (p > q) - (p < q); /* so that a room grows at its end */
}

VecU32 slot_by_size(const SlotLive *l)
{
	VecU32 order = {0};
	for (u32 at = 0; at < l->object.n; at++)
		vec_push(l->arena, &order, at);
	sort_stable(l->arena, order.p, order.n, sizeof *order.p, larger_first, (void *)l);
	return order;
}

/* The first segment that ends behind a slot's number. */
static u32 first_behind(const SlotUse *u, u32 number)
{
	u32 low = 0, high = u->seg.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (u->seg.p[mid].end <= number)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool meet(const SlotUse *room, const SlotUse *one)
{
	for (u32 i = 0; i < one->seg.n; i++) {
		u32 k = first_behind(room, one->seg.p[i].start);
		if (k < room->seg.n && room->seg.p[k].start < one->seg.p[i].end)
			return true;
	}
	return false;
}

/* Segments behind those of the room are added to it; others are put between them. */
static void join(Arena *a, SlotUse *room, const SlotUse *more)
{
	SlotUse both = {0};
	if (!room->seg.n || !more->seg.n || vec_last(&room->seg).end <= more->seg.p[0].start) {
		for (u32 k = 0; k < more->seg.n; k++)
			vec_push(a, &room->seg, more->seg.p[k]);
		return;
	}
	for (u32 i = 0, k = 0; i < room->seg.n || k < more->seg.n;) {
		bool mine = k == more->seg.n || (i < room->seg.n && room->seg.p[i].start < more->seg.p[k].start);
		vec_push(a, &both.seg, mine ? room->seg.p[i++] : more->seg.p[k++]);
	}
	*room = both;
}

typedef struct Room {
	u32     object;
	SlotUse use;
} Room;

u32 *slot_share(const SlotLive *l, const VecU32 *order)
{
	u32 *into = arena_array(l->arena, u32, l->f->frame.n + 1);
	Vec(Room) room = {0};
	for (u32 n = 0; n < l->f->frame.n; n++)
		into[n] = n;
	for (u32 k = 0; k < order->n; k++) {
		u32 at = order->p[k], r = 0;
		u32 tried = PS_MIN(room.n, SLOT_MOST_ROOMS);
		while (r < tried && meet(&room.p[r].use, &l->use[at]))
			r++;
		if (r == tried) {
			r = room.n;
			vec_push(l->arena, &room, ((Room){l->object.p[at], {{0}}}));
		}
		into[l->object.p[at]] = room.p[r].object;
		join(l->arena, &room.p[r].use, &l->use[at]);
	}
	return into;
}
