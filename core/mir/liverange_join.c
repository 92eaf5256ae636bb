/* liverange_join.c: two live ranges become one, for the coalescer. Values of both are numbered together and which of them
 * are one is a union-find forest, so that a small range goes into a large one without looking at all of it (Chaitin's
 * coalescing with value numbers, as in Park and Moon's optimistic form without the undo). */
#include "mir/liverange.h"

/* ---- do they collide? ---- */

static void note_sources(MirRanges *rs, const MirValuePairs *copies, bool on)
{
	for (u32 k = 0; k < copies->n; k++)
		rs->value.p[copies->p[k].a].from = on ? copies->p[k].b : MIR_NO_VALUE;
}

/* The same value, as one was copied from the other; or both are what meets at the start of a block, which is the same
 * where the values that meet are. A predecessor in which one of the two is undefined does not matter. */
static bool agree(MirRanges *rs, u32 a, u32 b, MirValuePairs *same)
{
	const MirValue *x = &rs->value.p[a], *y = &rs->value.p[b];
	if (x->from == b || y->from == a)
		return true;
	if (x->inst || y->inst || x->def != y->def)
		return false;
	vec_push(rs->arena, same, ((MirValuePair){a, b}));
	return true;
}

static bool overlay(MirRanges *rs, const MirRange *a, const MirRange *b, MirValuePairs *same)
{
	const MirSlots *s = rs->slots;
	if (!a->seg.n || !b->seg.n)
		return false;
	u32 i = mir_range_behind(rs, a, b->seg.p[0].start), k = mir_range_behind(rs, b, a->seg.p[0].start);
	while (i < a->seg.n && k < b->seg.n) {
		const MirSegment *x = &a->seg.p[i], *y = &b->seg.p[k];
		if (!mir_slot_before(s, y->start, x->end))
			i++;
		else if (!mir_slot_before(s, x->start, y->end))
			k++;
		else if (!agree(rs, mir_value(rs, x->value), mir_value(rs, y->value), same))
			return true;
		else if (mir_slot_before(s, x->end, y->end))
			i++;
		else
			k++;
	}
	return false;
}

bool mir_ranges_collide(MirRanges *rs, const MirRange *a, const MirRange *b, const MirValuePairs *copies, MirValuePairs *same)
{
	same->n = 0;
	note_sources(rs, copies, true);
	bool collide = overlay(rs, a, b, same);
	note_sources(rs, copies, false);
	return collide;
}

/* ---- merging ---- */

static bool one_value(MirRanges *rs, const MirSegment *a, const MirSegment *b)
{
	return mir_value(rs, a->value) == mir_value(rs, b->value);
}

static u32 earlier(const MirRanges *rs, u32 a, u32 b) { return mir_slot_before(rs->slots, b, a) ? b : a; }
static u32 later(const MirRanges *rs, u32 a, u32 b) { return mir_slot_before(rs->slots, a, b) ? b : a; }

void mir_range_add(MirRanges *rs, MirRange *w, MirSegment s)
{
	u32 from = mir_range_behind(rs, w, s.start), to;
	if (from && w->seg.p[from - 1].end == s.start && one_value(rs, &w->seg.p[from - 1], &s))
		from--;
	for (to = from;
	     to < w->seg.n && !mir_slot_before(rs->slots, s.end, w->seg.p[to].start) && one_value(rs, &w->seg.p[to], &s); to++) {
		s.start = earlier(rs, s.start, w->seg.p[to].start);
		s.end = later(rs, s.end, w->seg.p[to].end);
	}
	u32 tail = w->seg.n - to;
	if (to == from)
		vec_extend(rs->arena, &w->seg, 1);
	memmove(w->seg.p + from + 1, w->seg.p + to, tail * sizeof s);
	w->seg.p[from] = s;
	w->seg.n = from + 1 + tail;
}

/* Neighbours that have come to hold the same value become one. */
static void close_up(MirRanges *rs, MirRange *w)
{
	u32 n = 0;
	for (u32 i = 0; i < w->seg.n; i++) {
		MirSegment s = w->seg.p[i], *before = n ? &w->seg.p[n - 1] : NULL;
		if (before && !mir_slot_before(rs->slots, before->end, s.start) && one_value(rs, before, &s))
			before->end = later(rs, before->end, s.end);
		else
			w->seg.p[n++] = s;
	}
	w->seg.n = n;
}

/* The segments of `small` go in between, from the end. */
static void interleave(MirRanges *rs, MirRange *large, const MirRange *small)
{
	u32 i = large->seg.n, k = small->seg.n, at = i + k;
	vec_extend(rs->arena, &large->seg, k);
	while (k) {
		bool first = i && mir_slot_before(rs->slots, small->seg.p[k - 1].start, large->seg.p[i - 1].start);
		large->seg.p[--at] = first ? large->seg.p[--i] : small->seg.p[--k];
	}
	close_up(rs, large);
}

/* `a` is `b` from here on; 1 where both were values of their own. */
static u32 unite(MirRanges *rs, u32 a, u32 b)
{
	u32 x = mir_value(rs, a), y = mir_value(rs, b);
	rs->value.p[x].up = y;
	return x != y;
}

void mir_ranges_join(MirRanges *rs, MirRange *keep, MirRange *gone, const MirValuePairs *copies, const MirValuePairs *same)
{
	bool      keeps_more = keep->seg.n >= gone->seg.n;
	MirRange *large = keeps_more ? keep : gone, *small = keeps_more ? gone : keep;
	u32       united = 0;
	for (u32 k = 0; k < copies->n; k++)
		united += unite(rs, copies->p[k].a, copies->p[k].b);
	for (u32 k = 0; k < same->n; k++)
		united += unite(rs, same->p[k].b, same->p[k].a);
	/* A single union cannot make two values of one side the same. */
	if (united > 1 || small->seg.n > large->seg.n / 8)
		interleave(rs, large, small);
	else
		for (u32 k = 0; k < small->seg.n; k++)
			mir_range_add(rs, large, small->seg.p[k]);
	if (large == gone)
		memcpy(&keep->seg, &gone->seg, sizeof keep->seg);
	memset(&gone->seg, 0, sizeof gone->seg);
}
