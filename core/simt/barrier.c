/* barrier.c: the sixteen barriers of a block.
 *
 * Threads arrive by warps; a barrier opens when as many have arrived as were asked for, or, without a
 * count, all threads of the block that have not exited. Who waits is woken with the reduction's result. */
#include "simt/sanitize.h"

static void wake(SimtMachine *m, Block *b, u32 number)
{
	Barrier *bar = &b->barrier[number];
	if (m->san)
		order_barrier_wake(m, b, number);
	for (u32 k = 0; k < b->n_warps; k++) {
		Warp *w = &b->warp[k];
		for (u32 i = 0; i < w->path.n; i++) {
			Path *p = &w->path.p[i];
			if (p->state != PATH_AT_BARRIER || p->member != number)
				continue;
			const SimtInsn *in = &m->p->code.p[p->pc];
			if (in->d != NO_REG) {
				u32  op = in->x & BAR_OP;
				u32  r = op == BAR_RED_POPC  ? bar->trues
				         : op == BAR_RED_AND ? bar->trues == bar->popc
				                             : bar->trues != 0;
				u32 *d = reg_rows(m, &w->frame.p[p->frame], in->d);
				each_lane(p->mask, l)
					d[l] = r;
			}
			p->state = PATH_READY;
			p->pc++;
		}
	}
	*bar = (Barrier){.generation = bar->generation + 1};
	m->stats.barriers++;
}

void barrier_check(SimtMachine *m, Block *b, u32 number)
{
	Barrier *bar = &b->barrier[number];
	if (bar->arrived && bar->arrived >= (bar->expected ? bar->expected : b->threads_live))
		wake(m, b, number);
}

bool barrier_arrive(SimtMachine *m, const Arrival *a, bool *waits)
{
	Block          *b = a->block;
	Path           *path = a->path;
	const Frame    *f = &a->warp->frame.p[path->frame];
	const SimtInsn *i = a->insn;
	u32             mask = a->mask, lane = first_lane(mask), number = reg_rows(m, f, i->a)[lane];
	if (number >= BARRIERS)
		return simt_fail(m, FAULT_BARRIER, lane, "barrier %u: there are %u", number, (u32)BARRIERS);
	Barrier *bar = &b->barrier[number];
	u32      count = i->b == NO_REG ? 0 : reg_rows(m, f, i->b)[lane];
	if (bar->arrived && bar->expected != count)
		return simt_fail(m, FAULT_BARRIER, lane, "barrier %u for %u threads, but others came to it for %u", number, count,
		                 bar->expected);
	if (count % LANES)
		return simt_fail(m, FAULT_BARRIER, lane, "barrier %u for %u threads: the count must be a multiple of 32", number,
		                 count);
	bar->expected = count;
	/* With a count, a whole warp counts as 32, however many threads it has. */
	bar->arrived += count && mask == a->warp->live ? (u32)LANES : lane_count(mask);
	if (i->c != NO_REG) {
		const u32 *c = reg_rows(m, f, i->c);
		each_lane(mask, l)
			bar->trues += c[l] & 1;
	}
	bar->popc += lane_count(mask);
	*waits = (i->x & BAR_OP) != BAR_ARRIVE;
	if (m->san)
		order_barrier_arrive(m, b, a->warp, number, mask);
	if (*waits) {
		path->state = PATH_AT_BARRIER;
		path->member = number;
	} else {
		path->pc++;
	}
	barrier_check(m, b, number);
	if (path->state == PATH_READY)
		*waits = false;
	return true;
}
