/* layout.c: see layout.h. */
#include "graph/layout.h"

#include "base/sort.h"

/* What an edge of weight 1 is worth from an end at `from` to a start at `to`, in bytes. */
static f64 worth(u64 from, u64 to)
{
	if (from == to)
		return 1;
	if (from < to)
		return to - from < LAYOUT_FORWARD ? 0.1 * (1 - (f64)(to - from) / LAYOUT_FORWARD) : 0;
	return from - to < LAYOUT_BACKWARD ? 0.1 * (1 - (f64)(from - to) / LAYOUT_BACKWARD) : 0;
}

f64 layout_score(const LayoutGraph *l, const u32 *order, Arena *scratch)
{
	u64 *start = arena_array(scratch, u64, l->g->n + 1), at = 0;
	f64  sum = 0;
	for (u32 k = 0; k < l->g->n; k++) {
		start[order[k]] = at;
		at += l->bytes[order[k]];
	}
	for (u32 v = 0; v < l->g->n; v++) {
		Nodes succ = graph_succ(l->g, v);
		for (u32 k = 0; k < succ.n; k++)
			sum += l->weight[l->g->succ.at[v] + k] * worth(start[v] + l->bytes[v], start[succ.p[k]]);
	}
	return sum;
}

/* ---- loops as items of the loop around them ---- */

/* An edge between two items of a level (a loop, or the whole graph). */
typedef struct ItemEdge {
	u32  from, to; /* nodes; while their level is laid out: numbers of its items */
	f64  weight;
	bool falls; /* from the last node of an item to the first one of another */
} ItemEdge;

typedef struct Layout {
	const LayoutGraph *l;
	Arena             *a;                 /* while a level is laid out: until it is */
	u32               *up;                /* by node: towards the first node of its item */
	u32               *next;              /* by node: the one behind it in its item; GRAPH_NONE: the last */
	u32               *last;              /* by first node of an item */
	u64               *bytes;             /* by first node of an item */
	u32               *local;             /* by first node of an item: its number in the level at hand */
	u32               *edge_at, *item_at; /* by level: where its edges and its items begin */
	ItemEdge          *edge;
	u32               *item; /* first nodes of items */
} Layout;

/* A level, its items numbered from 0, the header. */
typedef struct Level {
	Layout   *o;
	u32       n, n_edges;
	u32      *item;
	ItemEdge *edge;
	NodeLists out, in;     /* by item: indices of edge; `in` by falling weight */
	u32      *wanted;      /* by item: how many edges of `in` are from items that have a place */
	u32      *seq, *chain; /* the order that was found, and of each place in it the number of the chain */
	u32       n_chains;
	bool     *placed;
	u32      *waits; /* by item: predecessors that have no place yet */
	VecU32    heap;  /* items without such: the most frequent one first */
} Level;

static u32 first_of(Layout *o, u32 v)
{
	while (o->up[v] != v) {
		o->up[v] = o->up[o->up[v]];
		v = o->up[v];
	}
	return v;
}

/* Levels are numbered as the loops, the whole graph last. */
static u32 level_of(const Loops *loops, u32 loop) { return loop == GRAPH_NONE ? loops->n : loop; }

static bool reached(const Layout *o, u32 v) { return o->l->order->pos[v] != GRAPH_NONE; }

/* The level at which an edge connects two items; GRAPH_NONE where it leads back to the first of them. */
static u32 edge_level(const Layout *o, u32 from, u32 to)
{
	const Loops *loops = o->l->loops;
	u32          l = loops->of[from];
	while (l != GRAPH_NONE && !loop_contains(loops, l, to))
		l = loops->loop[l].parent;
	return from == to || to == 0 || (l != GRAPH_NONE && loops->loop[l].header == to) ? GRAPH_NONE : level_of(loops, l);
}

static void sort_edges(Layout *o)
{
	const Graph *g = o->l->g;
	u32          levels = o->l->loops->n + 1;
	u32         *fill = arena_array(o->a, u32, levels + 1);
	o->edge_at = arena_array(o->a, u32, levels + 1);
	o->edge = arena_array(o->a, ItemEdge, g->succ.at[g->n] + 1);
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 v = 0; v < g->n; v++) {
			Nodes succ = graph_succ(g, v);
			for (u32 k = 0; reached(o, v) && k < succ.n; k++) {
				u32 level = edge_level(o, v, succ.p[k]);
				if (level == GRAPH_NONE)
					continue;
				if (!pass)
					o->edge_at[level + 1]++;
				else
					o->edge[fill[level]++] = (ItemEdge){v, succ.p[k], o->l->weight[g->succ.at[v] + k], false};
			}
		}
		for (u32 k = 0; !pass && k < levels; k++) {
			o->edge_at[k + 1] += o->edge_at[k];
			fill[k] = o->edge_at[k];
		}
	}
}

/* A node is an item of its loop; the header of a loop stands for the loop in the one around it. */
static void sort_items(Layout *o)
{
	const Loops *loops = o->l->loops;
	u32          n = o->l->g->n, levels = loops->n + 1;
	u32         *fill = arena_array(o->a, u32, levels + 1);
	o->item_at = arena_array(o->a, u32, levels + 1);
	o->item = arena_array(o->a, u32, n + loops->n + 1);
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 v = 0; v < n; v++) {
			u32 l = loops->of[v], at[2] = {level_of(loops, l)}, k = 1;
			if (l != GRAPH_NONE && loops->loop[l].header == v)
				at[k++] = level_of(loops, loops->loop[l].parent);
			while (reached(o, v) && k--)
				if (!pass)
					o->item_at[at[k] + 1]++;
				else
					o->item[fill[at[k]]++] = v;
		}
		for (u32 k = 0; !pass && k < levels; k++) {
			o->item_at[k + 1] += o->item_at[k];
			fill[k] = o->item_at[k];
		}
	}
}

/* ---- chains ---- */

static bool is_before(const Level *v, u32 a, u32 b)
{
	f64 x = v->o->l->freq[v->item[a]], y = v->o->l->freq[v->item[b]];
	return x != y ? x > y : a < b;
}

static void heap_push(Level *v, u32 item)
{
	vec_push(v->o->a, &v->heap, item);
	for (u32 k = v->heap.n - 1; k && is_before(v, v->heap.p[k], v->heap.p[(k - 1) / 2]); k = (k - 1) / 2) {
		u32 t = v->heap.p[k];
		v->heap.p[k] = v->heap.p[(k - 1) / 2];
		v->heap.p[(k - 1) / 2] = t;
	}
}

static u32 heap_pop(Level *v)
{
	u32 top = v->heap.p[0], last = vec_pop(&v->heap), k = 0;
	if (!v->heap.n)
		return top;
	for (;;) {
		u32 child = 2 * k + 1;
		if (child + 1 < v->heap.n && is_before(v, v->heap.p[child + 1], v->heap.p[child]))
			child++;
		if (child >= v->heap.n || !is_before(v, v->heap.p[child], last))
			break;
		v->heap.p[k] = v->heap.p[child];
		k = child;
	}
	v->heap.p[k] = last;
	return top;
}

/* Would an item that has no place yet rather be followed by `e->to`? */
static bool is_wanted_more(const Level *v, const ItemEdge *e)
{
	Nodes in = node_list(&v->in, e->to);
	u32  *at = &v->wanted[e->to];
	while (*at < in.n && (v->placed[v->edge[in.p[*at]].from] || !v->edge[in.p[*at]].falls))
		++*at;
	return *at < in.n && v->edge[in.p[*at]].weight >= e->weight;
}

static u32 follower(const Level *v, u32 item)
{
	const ItemEdge *best = NULL;
	Nodes           out = node_list(&v->out, item);
	for (u32 k = 0; k < out.n; k++) {
		const ItemEdge *e = &v->edge[out.p[k]];
		if (e->falls && !v->placed[e->to] && (!best || e->weight > best->weight) && !is_wanted_more(v, e))
			best = e;
	}
	return best ? best->to : GRAPH_NONE;
}

static void place(Level *v, u32 item, u32 at)
{
	Nodes out = node_list(&v->out, item);
	v->placed[item] = true;
	v->seq[at] = item;
	v->chain[at] = v->n_chains - 1;
	for (u32 k = 0; k < out.n; k++)
		if (--v->waits[v->edge[out.p[k]].to] == 0)
			heap_push(v, v->edge[out.p[k]].to);
}

static void make_chains(Level *v)
{
	u32 item = 0, cursor = 0;
	for (u32 k = 0; k < v->n_edges; k++)
		v->waits[v->edge[k].to]++;
	for (u32 at = 0; at < v->n; at++) {
		u32 next = at ? follower(v, item) : 0;
		if (!at || next == GRAPH_NONE)
			v->n_chains++;
		while (next == GRAPH_NONE && v->heap.n) {
			u32 top = heap_pop(v);
			next = v->placed[top] ? GRAPH_NONE : top;
		}
		if (next == GRAPH_NONE) { /* what is left waits for itself */
			while (v->placed[cursor])
				cursor++;
			next = cursor;
		}
		place(v, item = next, at);
	}
}

/* ---- merging chains ---- */

typedef struct Merger {
	Level  *v;
	VecU32 *chain; /* items by chain; empty: merged into another */
	u32    *of;    /* by item */
	u64    *start; /* by item, in the arrangement that is being looked at */
	u32    *seen;  /* by item: the arrangement that it was last in */
	u32     arrangement;
	VecU32  try;
	f64    *score;                                         /* by chain */
	f64     gain[LAYOUT_MOST_CHAINS][LAYOUT_MOST_CHAINS];  /* of merging two; 0: none */
	u32     split[LAYOUT_MOST_CHAINS][LAYOUT_MOST_CHAINS]; /* how many items of the first stand in front of the second */
} Merger;

static f64 score_of(Merger *m, const VecU32 *items)
{
	Level *v = m->v;
	u64    at = 0;
	f64    sum = 0;
	m->arrangement++;
	for (u32 k = 0; k < items->n; k++) {
		m->seen[items->p[k]] = m->arrangement;
		m->start[items->p[k]] = at;
		at += v->o->bytes[v->item[items->p[k]]];
	}
	for (u32 k = 0; k < items->n; k++) {
		Nodes out = node_list(&v->out, items->p[k]);
		for (u32 j = 0; j < out.n; j++) {
			const ItemEdge *e = &v->edge[out.p[j]];
			if (m->seen[e->to] != m->arrangement)
				continue;
			u64 end = m->start[e->from] + v->o->bytes[v->item[e->from]];
			sum += e->weight * (end == m->start[e->to] && !e->falls ? 0.1 : worth(end, m->start[e->to]));
		}
	}
	return sum;
}

static void arrange(Merger *m, u32 x, u32 y, u32 split)
{
	const VecU32 *a = &m->chain[x], *b = &m->chain[y];
	m->try.n = 0;
	for (u32 k = 0; k < a->n + b->n; k++)
		vec_push(m->v->o->a, &m->try, k < split ? a->p[k] : k < split + b->n ? b->p[k - split] : a->p[k - b->n]);
}

static bool are_connected(const Merger *m, u32 x, u32 y)
{
	const VecU32 *a = &m->chain[x];
	for (u32 k = 0; k < a->n; k++) {
		Nodes out = node_list(&m->v->out, a->p[k]);
		for (u32 j = 0; j < out.n; j++)
			if (m->of[m->v->edge[out.p[j]].to] == y)
				return true;
	}
	return false;
}

/* The best way to put chain y behind or into chain x. The chain of the header, 0, stays in front. */
static void evaluate(Merger *m, u32 x, u32 y)
{
	m->gain[x][y] = 0;
	if (x == y || y == 0 || !m->chain[x].n || !m->chain[y].n || (!are_connected(m, x, y) && !are_connected(m, y, x)))
		return;
	u32 n = m->chain[x].n, least = n <= LAYOUT_MOST_SPLIT ? 1 : n;
	f64 before = m->score[x] + m->score[y], best = before * 1e-9;
	for (u32 split = n; split >= least; split--) {
		arrange(m, x, y, split);
		f64 gain = score_of(m, &m->try) - before;
		if (gain > best) {
			best = m->gain[x][y] = gain;
			m->split[x][y] = split;
		}
	}
}

static bool merge_best(Merger *m)
{
	u32 n = m->v->n_chains, x = 0, y = 0;
	for (u32 a = 0; a < n; a++)
		for (u32 b = 0; b < n; b++)
			if (m->gain[a][b] > m->gain[x][y])
				x = a, y = b;
	if (m->gain[x][y] <= 0)
		return false;
	arrange(m, x, y, m->split[x][y]);
	m->chain[x].n = m->chain[y].n = 0;
	for (u32 k = 0; k < m->try.n; k++) {
		vec_push(m->v->o->a, &m->chain[x], m->try.p[k]);
		m->of[m->try.p[k]] = x;
	}
	m->score[x] = score_of(m, &m->chain[x]);
	for (u32 k = 0; k < n; k++) {
		evaluate(m, x, k);
		evaluate(m, k, x);
		m->gain[y][k] = m->gain[k][y] = 0;
	}
	return true;
}

static void merge_chains(Level *v)
{
	Arena  *a = v->o->a;
	Merger *m = arena_new(a, Merger);
	u32     at = 0;
	m->v = v;
	m->chain = arena_array(a, VecU32, v->n_chains);
	m->of = arena_array(a, u32, v->n);
	m->start = arena_array(a, u64, v->n);
	m->seen = arena_array(a, u32, v->n);
	m->score = arena_array(a, f64, v->n_chains);
	for (u32 k = 0; k < v->n; k++) {
		vec_push(a, &m->chain[v->chain[k]], v->seq[k]);
		m->of[v->seq[k]] = v->chain[k];
	}
	for (u32 k = 0; k < v->n_chains; k++)
		m->score[k] = score_of(m, &m->chain[k]);
	for (u32 x = 0; x < v->n_chains; x++)
		for (u32 y = 0; y < v->n_chains; y++)
			evaluate(m, x, y);
	while (merge_best(m)) {
	}
	for (u32 k = 0; k < v->n_chains; k++)
		for (u32 j = 0; j < m->chain[k].n; j++)
			v->seq[at++] = m->chain[k].p[j];
}

/* ---- levels ---- */

static int by_weight(const void *a, const void *b, void *user)
{
	const Level *v = user;
	f64          x = v->edge[*(const u32 *)a].weight, y = v->edge[*(const u32 *)b].weight;
	return (x < y) - (x > y);
}

/* The edges between two different items, by number; an item's first node is where an edge arrives, or else it is no fall-through. */
static void number_edges(Level *v)
{
	Layout    *o = v->o;
	GraphEdges out = {0}, in = {0};
	u32        n = 0, *sorted = arena_array(o->a, u32, v->n_edges + 1);
	for (u32 k = 0; k < v->n_edges; k++) {
		ItemEdge e = v->edge[k];
		u32      from = first_of(o, e.from), to = first_of(o, e.to);
		if (from == to || to == v->item[0])
			continue;
		v->edge[n] = (ItemEdge){o->local[from], o->local[to], e.weight, o->last[from] == e.from && to == e.to};
		vec_push(o->a, &out, ((GraphEdge){v->edge[n].from, n}));
		sorted[n] = n;
		n++;
	}
	v->n_edges = n;
	sort_stable(o->a, sorted, n, sizeof(u32), by_weight, v);
	for (u32 k = 0; k < n; k++)
		vec_push(o->a, &in, ((GraphEdge){v->edge[sorted[k]].to, sorted[k]}));
	v->out = node_lists(o->a, v->n, out.p, out.n);
	v->in = node_lists(o->a, v->n, in.p, in.n);
}

static void lay_out(Layout *o, u32 level, u32 header, bool refine)
{
	u32   first = o->item_at[level], n = o->item_at[level + 1] - first;
	Level v = {.o = o, .n = n, .item = o->item + first};
	v.edge = o->edge + o->edge_at[level];
	v.n_edges = o->edge_at[level + 1] - o->edge_at[level];
	for (u32 k = 0; k < n; k++)
		if (v.item[k] == header) {
			memmove(v.item + 1, v.item, k * sizeof(u32));
			v.item[0] = header;
		}
	for (u32 k = 0; k < n; k++)
		o->local[v.item[k]] = k;
	number_edges(&v);
	v.seq = arena_array(o->a, u32, n);
	v.chain = arena_array(o->a, u32, n);
	v.placed = arena_array(o->a, bool, n);
	v.waits = arena_array(o->a, u32, n);
	v.wanted = arena_array(o->a, u32, n);
	make_chains(&v);
	if (refine && v.n_chains > 1 && v.n_chains <= LAYOUT_MOST_CHAINS && n <= LAYOUT_MOST_ITEMS)
		merge_chains(&v);
	for (u32 k = 1; k < n; k++) {
		u32 item = v.item[v.seq[k]];
		o->next[o->last[header]] = item;
		o->last[header] = o->last[item];
		o->bytes[header] += o->bytes[item];
		o->up[item] = header;
	}
}

u32 *layout_order(const LayoutGraph *l, bool refine, Arena *a)
{
	Arena  scratch, level;
	u32    n = l->g->n, at = 0;
	u32   *order = arena_array(a, u32, n + 1);
	Layout o = {.l = l, .a = &scratch};
	arena_init(&scratch, a->budget);
	o.up = arena_array(&scratch, u32, n + 1);
	o.next = arena_array(&scratch, u32, n + 1);
	o.last = arena_array(&scratch, u32, n + 1);
	o.local = arena_array(&scratch, u32, n + 1);
	o.bytes = arena_array(&scratch, u64, n + 1);
	for (u32 v = 0; v < n; v++) {
		o.up[v] = o.last[v] = v;
		o.next[v] = GRAPH_NONE;
		o.bytes[v] = l->bytes[v];
	}
	sort_edges(&o);
	sort_items(&o);
	arena_init(&level, a->budget);
	o.a = &level;
	for (u32 k = l->loops->n; k-- > 0;) {
		lay_out(&o, k, l->loops->loop[k].header, refine);
		arena_free(&level);
	}
	if (n)
		lay_out(&o, l->loops->n, 0, refine);
	arena_free(&level);
	for (u32 v = n ? 0 : GRAPH_NONE; v != GRAPH_NONE; v = o.next[v])
		order[at++] = v;
	for (u32 v = 0; v < n; v++)
		if (!reached(&o, v))
			order[at++] = v;
	arena_free(&scratch);
	return order;
}
