/* remat_live.c: what is live at the ends of blocks: how much, in which blocks more than the target, and which registers. */
#include "mirpass/remat_block.h"

bool remat_inside(const Remat *x) { return x->knob.in_block || x->f->n_blocks == 1; }

u32 remat_pressure(const Remat *x, u32 node)
{
	u32 inside = remat_inside(x) ? x->rpa->block[x->cfg->block[node]].peak.unit[FILE_R] : 0;
	return remat_registers(PS_MAX(inside, x->out[node]));
}

void remat_runs(Remat *x, RematRound *r, MirReg reg, RematRunFn *fn)
{
	const MirRanges *rs = x->ranges;
	const MirRange  *range = mir_range(rs, reg);
	for (u32 k = 0; range && k < range->seg.n; k++) {
		MirSegment s = range->seg.p[k];
		u32        from = x->cfg->node[mir_ranges_block(rs, s.start).i];
		u32        to = s.end == rs->slots->end ? x->cfg->g.n : x->cfg->node[mir_ranges_block(rs, s.end).i];
		if (from < to)
			fn(x, r, reg, from, to);
	}
}

static void each_live_out(Remat *x, RematRound *r, RematRunFn *fn)
{
	for (u32 k = 0; k < r->crossing.n; k++)
		remat_runs(x, r, (MirReg){r->crossing.p[k]}, fn);
}

/* Differences first: + where the register begins to be live out, - behind the last. */
static void count_live_out(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to)
{
	u32 units = isa_class_info[mir_class(x->f, reg)].units;
	if (!r->blocks[reg.i])
		vec_push(x->cx->scratch, &r->crossing, reg.i);
	r->blocks[reg.i] += to - from;
	x->out[from] += units;
	x->out[to] -= units;
}

void remat_measure(Remat *x, RematRound *r)
{
	u32 n = x->cfg->g.n;
	x->n_regs = x->f->vreg.n;
	memset(x->out, 0, (n + 1) * sizeof *x->out);
	r->blocks = arena_array(x->cx->scratch, u32, x->n_regs);
	for (u32 reg = 1; reg < x->n_regs; reg++)
		if (isa_class_info[mir_class(x->f, (MirReg){reg})].file == FILE_R)
			remat_runs(x, r, (MirReg){reg}, count_live_out);
	x->max_live = 0;
	for (u32 node = 0; node < n; node++) {
		x->out[node] += node ? x->out[node - 1] : 0;
		x->max_live = PS_MAX(x->max_live, remat_pressure(x, node));
	}
}

/* The first block of `over` that is not in front of the node. */
static u32 first_over(const RematRound *r, u32 node)
{
	u32 low = 0, high = r->over.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (r->over.p[mid].node < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void count_over(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to)
{
	(void)x, (void)reg;
	for (u32 k = first_over(r, from); k < r->over.n && r->over.p[k].node < to; k++)
		r->over.p[k].n++;
}

static void list_over(Remat *x, RematRound *r, MirReg reg, u32 from, u32 to)
{
	(void)x;
	for (u32 k = first_over(r, from); k < r->over.n && r->over.p[k].node < to; k++)
		r->live.p[r->over.p[k].first + r->over.p[k].n++] = reg.i;
}

/* The blocks above the target with what is live at their ends. */
void remat_find_over(Remat *x, RematRound *r)
{
	u32 total = 0;
	for (u32 node = 0; node < x->cfg->g.n; node++)
		if (remat_pressure(x, node) > x->budget.target)
			vec_push(x->cx->scratch, &r->over, ((RematOver){.node = node}));
	each_live_out(x, r, count_over);
	for (u32 k = 0; k < r->over.n; k++) {
		r->over.p[k].first = total;
		total += r->over.p[k].n;
		r->over.p[k].n = 0;
	}
	vec_extend(x->cx->scratch, &r->live, total);
	each_live_out(x, r, list_over);
}

bool remat_may_exceed(const Remat *x)
{
	const MirFunc *f = x->f;
	u32            units = 0;
	for (u32 r = 1; r < f->vreg.n && remat_registers(units) <= x->budget.target; r++) {
		const MirVReg *v = mir_vreg(f, (MirReg){r});
		u32            block = v->defs ? mir_inst(f, (MirInstId){mir_op_at(f, v->defs)->inst})->block : 0;
		bool           crosses = v->n_defs > 1;
		for (u32 o = v->uses; o && !crosses; o = mir_op_at(f, o)->next)
			crosses = mir_inst(f, (MirInstId){mir_op_at(f, o)->inst})->block != block;
		units += crosses && isa_class_info[v->cls].file == FILE_R ? isa_class_info[v->cls].units : 0;
	}
	return remat_registers(units) > x->budget.target;
}
