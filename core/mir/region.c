/* region.c: finds the regions of a block, numbers the values of a region, and measures orders, see region.h. */
#include "mir/region.h"

/* ---- where regions end ---- */

static bool is_boundary(const MirFunc *f, MirInstId i)
{
	return mir_is(f, i, IF_TERMINATOR | IF_CALL | IF_FENCE | IF_META | IF_PHI);
}

/* Is `i` part of a call: between Callseq_Start and Callseq_End? */
static bool in_call(const MirFunc *f, MirInstId i, bool *open)
{
	u32  desc = mir_inst(f, i)->desc;
	bool was = *open;
	if (desc == ISA_Callseq_Start)
		*open = true;
	else if (desc == ISA_Callseq_End)
		*open = false;
	return was || *open;
}

void mir_regions(MirRpa *p, MirBlockId b, Arena *a, MirRegions *out)
{
	MirFunc   *f = p->ranges->f;
	MirTracker t = mir_track_start(p, b);
	MirRegion  r = {.f = f, .block = b};
	bool       open = false;
	for (;;) {
		MirInstId i = t.next;
		bool      ends = !i.i || in_call(f, i, &open) || is_boundary(f, i);
		if (ends || r.n == MIR_REGION_MOST) {
			memcpy(r.end, t.now.unit, sizeof r.end);
			if (r.n > 1)
				vec_push(a, out, r);
			r.n = 0;
		}
		if (!mir_track_advance(&t))
			return;
		if (ends)
			continue;
		if (!r.n)
			r.first = i;
		r.last = i;
		r.n++;
	}
}

/* ---- values ---- */

typedef struct ValueMaker {
	const MirRegion *r;
	const MirRanges *ranges;
	u32             *current; /* by register: 1 + the value that it holds; 0: not named yet */
	Arena           *a;
	MirRegionLive   *l;
	Vec(MirRegionValue) value;
	VecU32 last_read; /* by value: 1 + the last unit that reads it */
	Vec(GraphEdge) reads, writes;
} ValueMaker;

static bool is_live(const MirRanges *rs, u32 reg, u32 slot)
{
	const MirRange *range = mir_range(rs, (MirReg){reg});
	return range && mir_range_at(rs, range, slot);
}

static u32 add_value(ValueMaker *m, u32 reg, MirRegionValue v)
{
	const IsaClassInfo *c = &isa_class_info[mir_class(m->r->f, (MirReg){reg})];
	v.reg = reg;
	v.file = (u8)c->file;
	v.units = v.units ? (u8)c->units : 0;
	vec_push(m->a, &m->value, v);
	vec_push(m->a, &m->last_read, 0);
	m->current[reg] = m->value.n;
	return m->value.n - 1;
}

static void read_values(ValueMaker *m, u32 unit)
{
	const MirFunc *f = m->r->f;
	MirInstId      i = m->l->deps->inst[unit];
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (!mir_op_is_use(o) || o->flags & MOF_UNDEF || !mir_is_virt(mir_op_reg(o)))
			continue;
		u32 v = m->current[o->ref];
		if (!v) {
			bool defined = is_live(m->ranges, o->ref, mir_slot_of(m->ranges->slots, m->r->first));
			v = 1 + add_value(m, o->ref, (MirRegionValue){.def = GRAPH_NONE, .units = defined});
		}
		if (m->last_read.p[v - 1] == unit + 1)
			continue;
		m->last_read.p[v - 1] = unit + 1;
		m->value.p[v - 1].readers++;
		vec_push(m->a, &m->reads, ((GraphEdge){unit, v - 1}));
	}
}

static void write_values(ValueMaker *m, u32 unit)
{
	const MirFunc *f = m->r->f;
	MirInstId      i = m->l->deps->inst[unit];
	bool           undefined = mir_inst(f, i)->desc == ISA_IMPLICIT_DEF;
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (!mir_op_is_def(o) || !mir_is_virt(mir_op_reg(o)))
			continue;
		bool early = (o->flags & MOF_EARLY_CLOBBER) != 0;
		u32  v = add_value(m, o->ref, (MirRegionValue){.def = unit, .units = !undefined, .early = early});
		vec_push(m->a, &m->writes, ((GraphEdge){unit, v}));
	}
}

static void find_live_out(ValueMaker *m)
{
	u32 end = mir_slot_of(m->ranges->slots, m->r->last) + SLOT_STEP - 1;
	memcpy(m->l->across, m->r->end, sizeof m->l->across);
	for (u32 v = 0; v < m->value.n; v++) {
		MirRegionValue *x = &m->value.p[v];
		if (m->current[x->reg] != v + 1)
			continue;
		x->live_out = is_live(m->ranges, x->reg, end);
		m->l->across[x->file] -= x->live_out ? x->units : 0;
	}
	for (u32 v = 0; v < m->value.n; v++)
		m->current[m->value.p[v].reg] = 0;
}

MirRegionLive *mir_region_live(const MirRegion *r, const MirDeps *deps, const MirRanges *ranges, u32 *current, Arena *a)
{
	MirRegionLive *l = arena_new(a, MirRegionLive);
	ValueMaker     m = {.r = r, .ranges = ranges, .current = current, .a = a, .l = l};
	l->deps = deps;
	for (u32 u = 0; u < deps->n; u++) {
		read_values(&m, u);
		write_values(&m, u);
	}
	find_live_out(&m);
	l->value = m.value.p;
	l->n_values = m.value.n;
	l->reads = node_lists(a, deps->n, m.reads.p, m.reads.n);
	l->writes = node_lists(a, deps->n, m.writes.p, m.writes.n);
	for (u32 k = 0; k < m.reads.n; k++)
		m.reads.p[k] = (GraphEdge){m.reads.p[k].to, m.reads.p[k].from};
	l->readers = node_lists(a, l->n_values, m.reads.p, m.reads.n);
	return l;
}

/* ---- orders ---- */

static void raise(MirRegionPeak *peak, const u32 *now)
{
	for (u32 k = 0; k < FILE_COUNT; k++)
		peak->unit[k] = PS_MAX(peak->unit[k], now[k]);
}

static void pass_unit(const MirRegionLive *l, u32 unit, u32 *left, u32 *now, MirRegionPeak *peak)
{
	Nodes reads = node_list(&l->reads, unit), writes = node_list(&l->writes, unit);
	for (u32 k = 0; k < writes.n; k++)
		now[l->value[writes.p[k]].file] += l->value[writes.p[k]].early ? l->value[writes.p[k]].units : 0;
	raise(peak, now);
	for (u32 k = 0; k < reads.n; k++) {
		const MirRegionValue *v = &l->value[reads.p[k]];
		if (--left[reads.p[k]] == 0 && !v->live_out)
			now[v->file] -= v->units;
	}
	for (u32 k = 0; k < writes.n; k++)
		now[l->value[writes.p[k]].file] += l->value[writes.p[k]].early ? 0 : l->value[writes.p[k]].units;
	raise(peak, now);
	for (u32 k = 0; k < writes.n; k++) {
		const MirRegionValue *v = &l->value[writes.p[k]];
		if (!v->readers && !v->live_out)
			now[v->file] -= v->units;
	}
}

MirRegionPeak mir_region_peak(const MirRegionLive *l, const u32 *order, Arena *scratch)
{
	MirRegionPeak peak = {{0}};
	u32           now[FILE_COUNT], *left = arena_array(scratch, u32, l->n_values + 1);
	memcpy(now, l->across, sizeof now);
	for (u32 v = 0; v < l->n_values; v++) {
		left[v] = l->value[v].readers;
		now[l->value[v].file] += l->value[v].def == GRAPH_NONE ? l->value[v].units : 0;
	}
	raise(&peak, now);
	for (u32 k = 0; k < l->deps->n; k++)
		pass_unit(l, order ? order[k] : k, left, now, &peak);
	return peak;
}

u32 mir_region_cycles(const MirDeps *d, const u32 *latency, const u32 *order, Arena *scratch)
{
	u32 *start = arena_array(scratch, u32, d->n + 1), clock = 0, end = 0;
	for (u32 k = 0; k < d->n; k++) {
		u32   u = order ? order[k] : k;
		Nodes in = mir_deps_in(d, u);
		for (u32 j = 0; j < in.n; j++)
			clock = PS_MAX(clock, start[d->dep.p[in.p[j]].from] + d->dep.p[in.p[j]].latency);
		start[u] = clock;
		end = PS_MAX(end, clock + latency[u]);
		clock++;
	}
	return end;
}

bool mir_region_is_order(const MirDeps *d, const u32 *order, Arena *scratch)
{
	u32 *place = arena_array(scratch, u32, d->n + 1);
	for (u32 k = 0; k < d->n; k++) {
		if (order[k] >= d->n || place[order[k]])
			return false;
		place[order[k]] = k + 1;
	}
	for (u32 k = 0; k < d->dep.n; k++)
		if (!d->dep.p[k].distance && place[d->dep.p[k].from] >= place[d->dep.p[k].to])
			return false;
	return true;
}

void mir_region_apply(const MirRegion *r, const u32 *inst, u32 n)
{
	MirFunc  *f = r->f;
	MirInstId behind = mir_next(f, r->last);
	mir_slots_forget(f);
	for (u32 k = 0; k < n; k++) {
		mir_move(f, (MirInstId){inst[k]}, r->block, behind);
		for (u32 o = 0; f->has_kills && o < mir_inst(f, (MirInstId){inst[k]})->n_ops; o++)
			mir_op(f, (MirInstId){inst[k]}, o)->flags &= (u16)~MOF_KILL; /* another reader may be the last one now */
	}
}
