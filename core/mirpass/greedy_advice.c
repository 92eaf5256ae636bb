/* greedy_advice.c: in which order live ranges are allocated (regalloc-priority), and which of them makes room for another
 * (regalloc-evict). */
#include "mirpass/greedy.h"

enum {
	MOST_EVICTIONS = 6, /* of one item, for others' sake */
	MOST_VICTIMS = 24,  /* for one item */
};

/* ---- order ---- */

static bool comes_before(Queued a, Queued b)
{
	if (a.rank != b.rank)
		return a.rank > b.rank;
	return a.key != b.key ? a.key > b.key : a.item < b.item;
}

static Queued ranked(const Greedy *g, u32 item)
{
	const Item          *i = &g->item.p[item];
	const MatrixSegment *s = &g->matrix->seg.p[i->first];
	u32                  size = 0;
	if (i->evictions || i->local)
		return (Queued){i->evictions ? 0 : 1, 0xFFFFFFFF - s->start, item};
	for (u32 k = 0; k < i->n; k++)
		size += s[k].end - s[k].start;
	return (Queued){2, size, item};
}

void greedy_push(Greedy *g, u32 item)
{
	g->item.p[item].state = ITEM_QUEUED;
	vec_push(g->arena, &g->queue, ranked(g, item));
	Queued *q = g->queue.p;
	for (u32 k = g->queue.n - 1; k && comes_before(q[k], q[(k - 1) / 2]); k = (k - 1) / 2) {
		Queued t = q[k];
		q[k] = q[(k - 1) / 2];
		q[(k - 1) / 2] = t;
	}
}

u32 greedy_pop(Greedy *g)
{
	Queued *q = g->queue.p, first = q[0], last = vec_pop(&g->queue);
	u32     n = g->queue.n, k = 0;
	if (!n)
		return first.item;
	for (u32 child; (child = 2 * k + 1) < n; k = child) {
		if (child + 1 < n && comes_before(q[child + 1], q[child]))
			child++;
		if (!comes_before(q[child], last))
			break;
		q[k] = q[child];
	}
	q[k] = last;
	return first.item;
}

/* ---- room ---- */

void greedy_admit(Greedy *g, u32 item)
{
	Item *i = &g->item.p[item];
	i->state = ITEM_ADMITTED;
	mir_matrix_admit(g->matrix, i->first, i->n, item_units(g, i));
}

static void withdraw(Greedy *g, u32 item)
{
	const Item *i = &g->item.p[item];
	mir_matrix_withdraw(g->matrix, i->first, i->n, item_units(g, i));
}

/* Notes the registers that the instruction of the point names there: they would come back as reloads. */
static void note_operands(Greedy *g, u32 point)
{
	MirInstId i = {g->points->at[point]};
	bool      ends = i.i && mir_is(g->f, i, IF_TERMINATOR), writes = i.i && g->points->inst[i.i] != point;
	for (; i.i; i = ends ? mir_next(g->f, i) : (MirInstId){0})
		for (u32 n = 0; n < mir_inst(g->f, i)->n_ops; n++) {
			const MirOp *o = mir_op(g->f, i, n);
			if (mir_is_virt(mir_op_reg(o)) && (mir_op_is_def(o) == writes || o->flags & MOF_EARLY_CLOBBER))
				g->named[o->ref] = point + 1;
		}
}

/* The lightest item at the point that may go; GRAPH_NONE: none. */
static u32 lightest(Greedy *g, u32 point, f64 below, bool forced)
{
	u32 best = GRAPH_NONE;
	g->there.n = 0;
	mir_matrix_at(g->matrix, point, &g->there);
	g->work += g->there.n;
	for (u32 k = 0; k < g->there.n; k++) {
		u32         n = g->there.p[k];
		const Item *i = &g->item.p[n];
		if (i->tiny || bitset_has(g->pinned, i->reg) || g->named[i->reg] == point + 1)
			continue;
		if (!forced && (i->weight >= below || i->evictions >= MOST_EVICTIONS))
			continue;
		if (best == GRAPH_NONE || i->weight < g->item.p[best].weight || (i->weight == g->item.p[best].weight && n < best))
			best = n;
	}
	return best;
}

static void queue_again(Greedy *g, u32 item)
{
	g->item.p[item].evictions++;
	greedy_push(g, item);
}

void greedy_relieve(Greedy *g, u32 point)
{
	note_operands(g, point);
	while (mir_matrix_most(g->matrix, point, point + 1) > g->limit) {
		u32 victim = lightest(g, point, 0, true);
		if (victim == GRAPH_NONE) {
			g->stuck = true;
			return;
		}
		withdraw(g, victim);
		queue_again(g, victim);
	}
}

/* The first point at which the item does not fit. */
static u32 crowded(const Greedy *g, const Item *i)
{
	for (u32 k = i->first; k < i->first + i->n; k++) {
		const MatrixSegment *s = &g->matrix->seg.p[k];
		u32                  at = mir_matrix_above(g->matrix, s->start, s->end, g->limit - item_units(g, i));
		if (at != MIR_NO_POINT)
			return at;
	}
	return MIR_NO_POINT;
}

bool greedy_evict(Greedy *g, u32 item)
{
	u32 victim[MOST_VICTIMS], n = 0, at;
	while ((at = crowded(g, &g->item.p[item])) != MIR_NO_POINT) {
		note_operands(g, at);
		u32 v = n < MOST_VICTIMS ? lightest(g, at, g->item.p[item].weight, false) : GRAPH_NONE;
		if (v == GRAPH_NONE) {
			while (n)
				greedy_admit(g, victim[--n]);
			return false;
		}
		withdraw(g, v);
		victim[n++] = v;
	}
	for (u32 k = 0; k < n; k++)
		queue_again(g, victim[k]);
	return true;
}
