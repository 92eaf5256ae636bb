/* matrix.c: pressure by segment tree, and the admitted segments by their centres, see matrix.h. */
#include "mir/matrix.h"

MirMatrix *mir_matrix_new(u32 points, Arena *a)
{
	MirMatrix *m = arena_new(a, MirMatrix);
	*m = (MirMatrix){.arena = a, .n = points, .leaves = 1};
	while (m->leaves < points)
		m->leaves *= 2;
	m->added = arena_array(a, u32, 2 * (u64)m->leaves);
	m->most = arena_array(a, u32, 2 * (u64)m->leaves);
	m->head = arena_array(a, u32, 2 * (u64)m->leaves + 2);
	return m;
}

/* ---- pressure ---- */

/* The points below one node of the tree. */
typedef struct Span {
	u32 node, from, to;
} Span;

static Span root_of(const MirMatrix *m) { return (Span){1, 0, m->leaves}; }
static Span half_of(Span s, u32 side)
{
	u32 mid = s.from + (s.to - s.from) / 2;
	return side ? (Span){2 * s.node + 1, mid, s.to} : (Span){2 * s.node, s.from, mid};
}

/* Recursion as deep as the tree: at most 32. */
static void add(MirMatrix *m, Span s, u32 start, u32 end, u32 units)
{
	if (end <= s.from || s.to <= start)
		return;
	if (start <= s.from && s.to <= end) {
		m->added[s.node] += units;
		m->most[s.node] += units;
		return;
	}
	add(m, half_of(s, 0), start, end, units);
	add(m, half_of(s, 1), start, end, units);
	m->most[s.node] = m->added[s.node] + PS_MAX(m->most[2 * s.node], m->most[2 * s.node + 1]);
}

static u32 most(const MirMatrix *m, Span s, u32 start, u32 end)
{
	if (end <= s.from || s.to <= start)
		return 0;
	if (start <= s.from && s.to <= end)
		return m->most[s.node];
	u32 a = most(m, half_of(s, 0), start, end), b = most(m, half_of(s, 1), start, end);
	return m->added[s.node] + PS_MAX(a, b);
}

u32 mir_matrix_most(const MirMatrix *m, u32 start, u32 end) { return start < end ? most(m, root_of(m), start, end) : 0; }

/* `above`: what the nodes over this one have added. */
static u32 first_above(const MirMatrix *m, Span s, u32 start, u32 end, u64 bound)
{
	if (end <= s.from || s.to <= start || m->most[s.node] <= bound)
		return MIR_NO_POINT;
	if (s.to - s.from == 1)
		return s.from;
	if (m->added[s.node] > bound) /* every point below is */
		return PS_MAX(s.from, start);
	u64 below = bound - m->added[s.node];
	u32 at = first_above(m, half_of(s, 0), start, end, below);
	return at != MIR_NO_POINT ? at : first_above(m, half_of(s, 1), start, end, below);
}

u32 mir_matrix_above(const MirMatrix *m, u32 start, u32 end, u32 bound)
{
	return start < end ? first_above(m, root_of(m), start, end, bound) : MIR_NO_POINT;
}

/* ---- who is there ---- */

/* A segment of one point has the leaf as its centre, 2 * point + 1; another the boundary that divides it on the highest level. */
static u32 centre_of(const MatrixSegment *s)
{
	u32 last = s->end - 1, k = s->start ^ last;
	if (!k)
		return 2 * last + 1;
	k = 31 - (u32)__builtin_clz(k);
	return 2 * (last >> k << k);
}

u32 mir_matrix_segment(MirMatrix *m, u32 start, u32 end, u32 owner)
{
	vec_push(m->arena, &m->seg, ((MatrixSegment){start, end, owner, 0, 0}));
	return m->seg.n - 1;
}

void mir_matrix_admit(MirMatrix *m, u32 first, u32 n, u32 units)
{
	for (u32 k = first; k < first + n; k++) {
		MatrixSegment *s = &m->seg.p[k];
		u32           *head = &m->head[centre_of(s)];
		s->prev = 0;
		s->next = *head;
		if (*head)
			m->seg.p[*head - 1].prev = k + 1;
		*head = k + 1;
		add(m, root_of(m), s->start, s->end, units);
	}
}

void mir_matrix_withdraw(MirMatrix *m, u32 first, u32 n, u32 units)
{
	for (u32 k = first; k < first + n; k++) {
		MatrixSegment *s = &m->seg.p[k];
		if (s->next)
			m->seg.p[s->next - 1].prev = s->prev;
		*(s->prev ? &m->seg.p[s->prev - 1].next : &m->head[centre_of(s)]) = s->next;
		add(m, root_of(m), s->start, s->end, 0u - units);
	}
}

static void list(const MirMatrix *m, u32 centre, u32 point, VecU32 *owners)
{
	for (u32 k = m->head[centre]; k; k = m->seg.p[k - 1].next)
		if (m->seg.p[k - 1].start <= point && point < m->seg.p[k - 1].end)
			vec_push(m->arena, owners, m->seg.p[k - 1].owner);
}

void mir_matrix_at(const MirMatrix *m, u32 point, VecU32 *owners)
{
	list(m, 2 * point + 1, point, owners);
	for (u32 size = 1; size < m->leaves; size *= 2)
		list(m, 2 * (point / (2 * size) * (2 * size) + size), point, owners);
}
