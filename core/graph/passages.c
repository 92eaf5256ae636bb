/* passages.c: finds passages in one walk along the nodes, see passages.h.
 *
 * `first` stays a candidate for the beginning of passages as long as no edge of a node behind it goes or comes from in front of it, and
 * no node is a dead end; candidates that are left are a stack, as what ends one ends those above it. For how far the edges reach forward,
 * each holds the maximum over its nodes up to the next candidate. In front of `node` stands the topmost candidate that is not behind the
 * first predecessor: the others have been ended by the edge from there. Either it is one, or no other is, as these hold its edges too. */
#include "graph/passages.h"

typedef struct Reach {
	u32 low, high; /* the first node and the last one that an edge goes to or comes from; GRAPH_NONE and 0: no edge */
} Reach;

typedef struct Candidate {
	u32 node;
	u32 high; /* of the successors of its nodes, and of the node behind the last predecessor, but for its own predecessors */
} Candidate;

typedef struct Finder {
	const Graph *g;
	bool        *leaves; /* by node: does a way lead from here to a node without successors? */
	Reach       *from;   /* by node: predecessors */
	Vec(Candidate) open;
	Arena *scratch;
} Finder;

static Reach reach_of(Nodes n)
{
	Reach r = {GRAPH_NONE, 0};
	for (u32 k = 0; k < n.n; k++) {
		r.low = PS_MIN(r.low, n.p[k]);
		r.high = PS_MAX(r.high, n.p[k]);
	}
	return r;
}

static void find_leaving(Finder *f)
{
	VecU32 work = {0};
	for (u32 k = 0; k < f->g->n; k++)
		if (!graph_succ(f->g, k).n) {
			f->leaves[k] = true;
			vec_push(f->scratch, &work, k);
		}
	while (work.n) {
		Nodes pred = graph_pred(f->g, vec_pop(&work));
		for (u32 k = 0; k < pred.n; k++)
			if (!f->leaves[pred.p[k]]) {
				f->leaves[pred.p[k]] = true;
				vec_push(f->scratch, &work, pred.p[k]);
			}
	}
}

/* What the node behind `r` says of a passage that holds the node: the last predecessor is in front of its end. */
static u32 behind(const Reach *r) { return r->low == GRAPH_NONE ? 0 : r->high + 1; }

/* Candidates behind `low` end; their nodes go to the one below. */
static void end_behind(Finder *f, u32 low)
{
	while (f->open.n && vec_last(&f->open).node > low) {
		Candidate c = vec_pop(&f->open);
		if (!f->open.n)
			break;
		u32 *high = &vec_last(&f->open).high;
		*high = PS_MAX(*high, PS_MAX(c.high, behind(&f->from[c.node])));
	}
}

static u32 first_before(const Finder *f, u32 node)
{
	if (!f->open.n || f->from[node].low >= node)
		return GRAPH_NONE;
	const Candidate *c = &vec_last(&f->open);
	return c->high <= node ? c->node : GRAPH_NONE;
}

static void add(Finder *f, u32 node)
{
	Nodes succ = graph_succ(f->g, node);
	Reach to = reach_of(succ);
	if (!succ.n || !f->leaves[node]) {
		f->open.n = 0;
		return;
	}
	vec_push(f->scratch, &f->open, ((Candidate){node, to.high}));
	end_behind(f, to.low);
}

/* Is the passage in front of `first` part of the longer ones in front of `node`? Not where an edge goes back to `first` from behind. */
static bool goes_on(const Finder *f, const Passages *p, u32 first, u32 node)
{
	return p->at[first].first != GRAPH_NONE && behind(&f->from[first]) <= node;
}

static void link(const Finder *f, Passages *p, u32 node, u32 first)
{
	Passage *x = &p->at[node];
	*x = (Passage){.first = first, .jump = first, .steps = first != GRAPH_NONE, .wide = 1};
	if (first == GRAPH_NONE || !goes_on(f, p, first, node))
		return;
	const Passage *y = &p->at[first], *z = &p->at[y->jump];
	x->steps = y->steps + 1;
	if (y->wide < y->steps && z->wide == y->wide) {
		x->jump = z->jump;
		x->wide = 1 + y->wide + z->wide;
	}
}

Passages passages_new(const Graph *g, Arena *a)
{
	Passages p = {arena_array(a, Passage, g->n + 1), g->n};
	Arena    scratch;
	arena_init(&scratch, a->budget);
	Finder f = {g, arena_array(&scratch, bool, g->n + 1), arena_array(&scratch, Reach, g->n + 1), {0}, &scratch};
	find_leaving(&f);
	for (u32 node = 0; node < g->n; node++)
		f.from[node] = reach_of(graph_pred(g, node));
	for (u32 node = 0; node < g->n; node++) {
		end_behind(&f, f.from[node].low);
		link(&f, &p, node, first_before(&f, node));
		add(&f, node);
	}
	arena_free(&scratch);
	return p;
}

/* Does one of the holes lie in [first, end)? */
static bool has_hole(Nodes holes, u32 first, u32 end)
{
	u32 low = 0, high = holes.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (holes.p[mid] < first)
			low = mid + 1;
		else
			high = mid;
	}
	return low < holes.n && holes.p[low] < end;
}

u32 passage_before(const Passages *p, u32 node, Nodes holes)
{
	u32 at = node;
	for (u32 steps = p->at[node].steps; steps;) {
		const Passage *x = &p->at[at];
		bool           far = !has_hole(holes, x->jump, at);
		if (!far && has_hole(holes, x->first, at))
			break;
		steps -= far ? x->wide : 1;
		at = far ? x->jump : x->first;
	}
	return at == node ? GRAPH_NONE : at;
}
