/* interfere.c: the segments of a union in a balanced tree ordered by slot, see interfere.h. */
#include "mir/interfere.h"

static u32 number(const MirUnion *u, u32 slot) { return mir_slot_number(u->ranges->slots, slot); }

/* ---- the tree ---- */

static bool comes_before(const MirUnion *u, u32 a, u32 b)
{
	const UnionNode *x = &u->node.p[a], *y = &u->node.p[b];
	return x->start == y->start ? x->reg < y->reg : mir_slot_before(u->ranges->slots, x->start, y->start);
}

static void summarise(MirUnion *u, u32 at)
{
	UnionNode *n = &u->node.p[at];
	n->height = 1;
	n->last = n->end;
	for (u32 side = 0; side < 2; side++) {
		const UnionNode *c = &u->node.p[n->child[side]];
		if (!n->child[side])
			continue;
		n->height = PS_MAX(n->height, c->height + 1);
		if (mir_slot_before(u->ranges->slots, n->last, c->last))
			n->last = c->last;
	}
}

/* The child on `side` takes the place of `at`. */
static u32 rotate(MirUnion *u, u32 at, u32 side)
{
	UnionNode *n = u->node.p;
	u32        up = n[at].child[side];
	n[at].child[side] = n[up].child[!side];
	n[up].child[!side] = at;
	summarise(u, at);
	summarise(u, up);
	return up;
}

static u32 balance(MirUnion *u, u32 at)
{
	UnionNode *n = u->node.p;
	for (u32 side = 0; side < 2; side++) {
		u32 c = n[at].child[side];
		if (n[c].height <= n[n[at].child[!side]].height + 1)
			continue;
		if (n[n[c].child[side]].height < n[n[c].child[!side]].height)
			n[at].child[side] = rotate(u, c, !side);
		return rotate(u, at, side);
	}
	summarise(u, at);
	return at;
}

/* Both recur as deep as the tree is high: 1.44 log2 n. */
static u32 put(MirUnion *u, u32 at, u32 node)
{
	if (!at)
		return node;
	u32 *child = &u->node.p[at].child[!comes_before(u, node, at)];
	*child = put(u, *child, node);
	return balance(u, at);
}

static u32 take(MirUnion *u, u32 at, u32 node)
{
	UnionNode *n = u->node.p;
	if (at != node) {
		u32 *child = &n[at].child[!comes_before(u, node, at)];
		*child = take(u, *child, node);
		return balance(u, at);
	}
	if (!n[at].child[0] || !n[at].child[1])
		return n[at].child[0] ? n[at].child[0] : n[at].child[1];
	u32 next = n[at].child[1];
	while (n[next].child[0])
		next = n[next].child[0];
	n[next].child[1] = take(u, n[at].child[1], next);
	n[next].child[0] = n[at].child[0];
	return balance(u, next);
}

/* ---- members ---- */

MirUnion *mir_union_new(MirRanges *ranges, IsaFile file, Arena *a)
{
	MirUnion *u = arena_new(a, MirUnion);
	*u = (MirUnion){.ranges = ranges, .arena = a, .file = file};
	vec_push(a, &u->node, (UnionNode){0});
	return u;
}

static u32 *by_register(MirUnion *u, VecU32 *v, MirReg r)
{
	if (v->n <= r.i)
		vec_extend(u->arena, v, r.i + 1 - v->n);
	return &v->p[r.i];
}

bool mir_union_has(const MirUnion *u, MirReg r) { return r.i < u->head.n && u->head.p[r.i] != 0; }

void mir_union_add(MirUnion *u, MirReg r)
{
	const MirRange *range = mir_range(u->ranges, r);
	u32             first = 0;

	for (u32 k = 0; range && k < range->seg.n; k++) {
		const MirSegment *s = &range->seg.p[k];
		u32               node = u->unused;
		if (node)
			u->unused = u->node.p[node].next;
		else {
			node = u->node.n;
			vec_push(u->arena, &u->node, (UnionNode){0});
		}
		u->node.p[node] = (UnionNode){s->start, s->end, r.i, s->end, {0, 0}, 1, first};
		u->root = put(u, u->root, node);
		first = node;
	}
	*by_register(u, &u->head, r) = first + 1;
}

void mir_union_remove(MirUnion *u, MirReg r)
{
	for (u32 node = u->head.p[r.i] - 1, next; node; node = next) {
		next = u->node.p[node].next;
		u->root = take(u, u->root, node);
		u->node.p[node].next = u->unused;
		u->unused = node;
	}
	u->head.p[r.i] = 0;
}

/* ---- questions ---- */

static void visit(MirUnion *u, u32 at, u32 from, u32 to, VecU32 *found)
{
	if (!at || number(u, u->node.p[at].last) <= from)
		return;
	const UnionNode *n = &u->node.p[at];
	visit(u, n->child[0], from, to, found);
	if (number(u, n->start) >= to)
		return;
	u32 *stamp = by_register(u, &u->stamp, (MirReg){n->reg});
	if (number(u, n->end) > from && *stamp != u->queries) {
		*stamp = u->queries;
		vec_push(u->arena, found, n->reg);
	}
	visit(u, n->child[1], from, to, found);
}

u32 mir_union_in_way(MirUnion *u, MirReg x, u32 from, u32 to, VecU32 *found)
{
	const MirRange *range = mir_range(u->ranges, x);
	u32             before = found->n, first = number(u, from), end = number(u, to);
	if (!range || first >= end)
		return 0;
	u->queries++;
	*by_register(u, &u->stamp, x) = u->queries;
	for (u32 k = mir_range_behind(u->ranges, range, from); k < range->seg.n; k++) {
		u32 a = number(u, range->seg.p[k].start), b = number(u, range->seg.p[k].end);
		if (a >= end)
			break;
		visit(u, u->root, PS_MAX(a, first), PS_MIN(b, end), found);
	}
	return found->n - before;
}
