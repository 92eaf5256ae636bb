/* sched_groups.c: an order by groups of expressions, each of which loads again what it reads from shared memory.
 *
 *	%a = LD_shared …                      %a = LD_volatile_shared …
 *	%b = LD_shared …                      %b = LD_volatile_shared …
 *	%1 = FMA %1, %a, …                    %1 = FMA %1, %a, …
 *	%2 = FMA %2, %a, …           →        %1 = FMA %1, %b, …
 *	%3 = FMA %3, %a, …                    …             (%1 is finished, and may go to memory)
 *	%1 = FMA %1, %b, …                    %9 = LD_volatile_shared …
 *	…                                     %2 = FMA %2, %9, …
 *
 * Where more values are live at once than there are registers, whatever the order, those that do not fit are stored and loaded for
 * each stretch of accesses. Expressions that meet only in loads can be finished one after the other, so that each value
 * moves once; the price is that loads are repeated. This is the blocking of loops, in straight code: a matter of how much
 * moves between two levels of memory (Hong and Kung, "I/O complexity: the red-blue pebble game", 1981).
 *
 * A load may be repeated where nothing behind it in the region may write its memory. No other thread may either: it would have to
 * synchronise, and regions end at barriers and fences. ptxas merges plain loads of one address and moves them to where
 * it wants, so those that are repeated are volatile. Loads of other spaces are not repeated: volatile loads of global memory pass the
 * cache by, and parameters and constants ptxas loads again by itself.
 *
 * Parts are the connected components of the dependence graph without these loads. A group is begun by the first part in the source,
 * and grows by the one that adds the fewest loads; of equal ones by that whose loads have the fewest readers in the group, which
 * keeps blocks of a product square. It ends where its values exceed the limit, and is cut back to where it has the fewest loads for
 * each part. Parts of a group keep their order among each other, and loads stand in front of their first reader. Orders for two
 * limits are made, and the cheaper one is taken where it costs clearly less than the best one without groups (sched_traffic.c).
 *
 * Cost: parts times parts that have loads in common with them, and some walks over the operands of the region. */
#include "base/sort.h"
#include "ir/ir.h"
#include "mirpass/sched.h"

enum {
	AHEAD = 8 * ISA_UNITS_PER_REG, /* of the limit, what ptxas needs for itself and to load ahead (measured) */
	NEAR_ONE = 1 << 16,
};

typedef struct Part {
	u32 group; /* 1 + its group, 0: none yet */
	u32 has;   /* loads of the group at hand that it reads */
	u32 near;  /* the sum over these of one over their readers in the group, in NEAR_ONE */
} Part;

typedef struct Groups {
	const SchedRegion   *x;
	const MirRegionLive *live;
	const MirDeps       *d;
	Arena               *a;
	Bitset               again; /* units: loads that may be repeated */
	Bitset               first; /* units that these need: in front of all groups */
	u32                  n_parts;
	NodeLists            units;   /* by part, ascending */
	NodeLists            loads;   /* by part: units of `again` that it reads */
	NodeLists            readers; /* by unit of `again`: parts */
	/* of the sequence at hand */
	VecU32 seq;
	u32    limit, n_groups;
	Part  *part;
	/* of the group at hand */
	VecU32 member;  /* parts */
	VecU32 n_loads; /* by the number of members, less one */
	u32   *used;    /* by unit of `again`: members that read it */
	VecU32 touched; /* units of `again` that have been used */
	/* to measure one */
	u32   mark;
	u32  *marked; /* by unit of `again`: the mark of the group that has loaded it */
	u32  *reads;  /* by value */
	bool *is_live;
} Groups;

/* ---- what may be repeated ---- */

static bool is_plain_shared_load(const MirFunc *f, MirInstId i)
{
	const IsaDesc  *d = mir_desc(f, i);
	const MirMem   *m = mir_mem(f, i);
	const IsaSpace *space = isa_space_of_token(d->opc.slot[SLOT_space]);
	const u32 never = IF_STORE | IF_SIDE_EFFECTS | IF_CONVERGENT | IF_ATOMIC | IF_FENCE | IF_CALL | IF_ASYNC | IF_DIVERGENT;
	if (d->eval != EV_ld || !space || space->number != AS_SHARED || d->flags & never || d->opc.slot[SLOT_guard])
		return false;
	if (m && (m->flags & (MMF_VOLATILE | MMF_STORE) || m->ordering > MIR_UNORDERED))
		return false;
	return !(mir_inst(f, i)->flags & (MIF_NO_DUP | MIF_SIDE_EFFECT));
}

/* Do only the edges of these kinds lead there? */
static bool has_only(const Groups *g, Nodes edges, u32 kinds)
{
	for (u32 k = 0; k < edges.n; k++)
		if (!(kinds >> g->d->dep.p[edges.p[k]].kind & 1))
			return false;
	return true;
}

static bool may_repeat(const Groups *g, u32 unit)
{
	const MirFunc *f = g->x->s->f;
	MirInstId      i = g->d->inst[unit];
	Nodes          writes = node_list(&g->live->writes, unit);
	u32            readers = 0;
	if (!is_plain_shared_load(f, i) || !has_only(g, mir_deps_in(g->d, unit), 1 << DEP_TRUE | 1 << DEP_MEMORY) ||
	    !has_only(g, mir_deps_out(g->d, unit), 1 << DEP_TRUE))
		return false;
	for (u32 k = 0; k < writes.n; k++) {
		if (g->live->value[writes.p[k]].live_out)
			return false;
		readers += g->live->value[writes.p[k]].readers;
	}
	for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++) {
		MirReg r = mir_op_reg(mir_op(f, i, n));
		if (!mir_is_virt(r) || mir_vreg(f, r)->n_defs != 1)
			return false;
	}
	return readers > 1;
}

/* What a load stands behind is in front of all groups; loads among that are not repeated. */
static void find_loads(Groups *g)
{
	VecU32 work = {0};
	g->again = bitset_new(g->a, g->d->n);
	g->first = bitset_new(g->a, g->d->n);
	for (u32 u = 0; u < g->d->n; u++)
		if (may_repeat(g, u)) {
			bitset_add(g->again, u);
			vec_push(g->a, &work, u);
		}
	while (work.n) {
		Nodes in = mir_deps_in(g->d, vec_pop(&work));
		for (u32 k = 0; k < in.n; k++) {
			u32 from = g->d->dep.p[in.p[k]].from;
			if (bitset_has(g->first, from))
				continue;
			bitset_add(g->first, from);
			bitset_del(g->again, from);
			vec_push(g->a, &work, from);
		}
	}
}

/* ---- parts ---- */

static bool in_part(const Groups *g, u32 u) { return !bitset_has(g->again, u) && !bitset_has(g->first, u); }

/* The load that has written the value, if it may be repeated; else GRAPH_NONE. */
static u32 load_of(const Groups *g, u32 value)
{
	u32 def = g->live->value[value].def;
	return def != GRAPH_NONE && bitset_has(g->again, def) ? def : GRAPH_NONE;
}

static u32 find(u32 *up, u32 u)
{
	while (up[u] != u)
		u = up[u] = up[up[u]];
	return u;
}

static void find_parts(Groups *g)
{
	u32 n = g->d->n, *up = arena_array(g->a, u32, n + 1), *number = arena_array(g->a, u32, n + 1);
	Vec(GraphEdge) units = {0};
	for (u32 u = 0; u < n; u++)
		up[u] = u;
	for (u32 k = 0; k < g->d->dep.n; k++) {
		const MirDep *x = &g->d->dep.p[k];
		if (!in_part(g, x->from) || !in_part(g, x->to))
			continue;
		u32 p = find(up, x->from), q = find(up, x->to);
		up[PS_MAX(p, q)] = PS_MIN(p, q);
	}
	for (u32 u = 0; u < n; u++) /* the least of its units stands for a part */
		if (in_part(g, u)) {
			number[u] = find(up, u) == u ? g->n_parts++ : number[find(up, u)];
			vec_push(g->a, &units, ((GraphEdge){number[u], u}));
		}
	g->units = node_lists(g->a, g->n_parts, units.p, units.n);
}

static void find_readers(Groups *g)
{
	u32 *seen = arena_array(g->a, u32, g->d->n + 1); /* by load: 1 + the part that was found to read it last */
	Vec(GraphEdge) loads = {0}, readers = {0};
	for (u32 p = 0; p < g->n_parts; p++) {
		Nodes units = node_list(&g->units, p);
		for (u32 k = 0; k < units.n; k++) {
			Nodes reads = node_list(&g->live->reads, units.p[k]);
			for (u32 j = 0; j < reads.n; j++) {
				u32 load = load_of(g, reads.p[j]);
				if (load == GRAPH_NONE || seen[load] == p + 1)
					continue;
				seen[load] = p + 1;
				vec_push(g->a, &loads, ((GraphEdge){p, load}));
				vec_push(g->a, &readers, ((GraphEdge){load, p}));
			}
		}
	}
	g->loads = node_lists(g->a, g->n_parts, loads.p, loads.n);
	g->readers = node_lists(g->a, g->d->n, readers.p, readers.n);
}

/* ---- sequences: a load occurs once for each group ---- */

static void emit(Groups *g, u32 unit)
{
	Nodes reads = node_list(&g->live->reads, unit);
	for (u32 k = 0; k < reads.n; k++) {
		u32 load = load_of(g, reads.p[k]);
		if (load == GRAPH_NONE || g->marked[load] == g->mark)
			continue;
		g->marked[load] = g->mark;
		vec_push(g->a, &g->seq, load);
	}
	vec_push(g->a, &g->seq, unit);
}

/* The first n members, behind what the sequence has. */
static void emit_group(Groups *g, u32 n)
{
	Arena  a;
	VecU32 unit = {0};
	arena_init(&a, g->a->budget);
	for (u32 k = 0; k < n; k++) {
		Nodes units = node_list(&g->units, g->member.p[k]);
		for (u32 j = 0; j < units.n; j++)
			vec_push(&a, &unit, units.p[j]);
	}
	sort_u32(&a, unit.p, unit.n);
	g->mark++;
	for (u32 k = 0; k < unit.n; k++)
		emit(g, unit.p[k]);
	arena_free(&a);
}

/* Over the values that a unit names. */
#define each_name(g, unit, v)                                                                         \
	for (u32 v##_s = 0; v##_s < 2; v##_s++)                                                       \
		for (Nodes v##_l = node_list(v##_s ? &(g)->live->writes : &(g)->live->reads, (unit)); \
		     v##_l.n && ((v) = *v##_l.p, true); v##_l.p++, v##_l.n--)

/* What is read elsewhere, or lives out, is live at the end. */
static bool lives_on(const Groups *g, u32 v)
{
	const MirRegionValue *x = &g->live->value[v];
	return x->live_out || (load_of(g, v) == GRAPH_NONE && x->readers > g->reads[v]);
}

/* The most units that are live at once of the values that a part of the sequence names. */
static u32 peak_of(Groups *g, IsaFile file, const u32 *unit, u32 n)
{
	u32 now = 0, peak, v;
	for (u32 k = 0; k < n; k++) {
		Nodes reads = node_list(&g->live->reads, unit[k]);
		for (u32 j = 0; j < reads.n; j++)
			g->reads[reads.p[j]]++;
	}
	for (u32 k = 0; k < n; k++)
		each_name(g, unit[k], v)
		{
			now += !g->is_live[v] && lives_on(g, v) ? sched_weight(&g->live->value[v], file) : 0;
			g->is_live[v] |= lives_on(g, v);
		}
	peak = now;
	for (u32 k = n; k-- > 0;) {
		Nodes reads = node_list(&g->live->reads, unit[k]), writes = node_list(&g->live->writes, unit[k]);
		for (u32 j = 0; j < writes.n; j++) {
			now -= g->is_live[writes.p[j]] ? sched_weight(&g->live->value[writes.p[j]], file) : 0;
			g->is_live[writes.p[j]] = false;
		}
		for (u32 j = 0; j < reads.n; j++) {
			now += g->is_live[reads.p[j]] ? 0 : sched_weight(&g->live->value[reads.p[j]], file);
			g->is_live[reads.p[j]] = true;
		}
		peak = PS_MAX(peak, now);
	}
	for (u32 k = 0; k < n; k++)
		each_name(g, unit[k], v)
		{
			g->is_live[v] = false;
			g->reads[v] = 0;
		}
	return peak;
}

/* ---- groups ---- */

static bool fits(Groups *g, u32 n)
{
	u32 at = g->seq.n;
	emit_group(g, n);
	bool ok = peak_of(g, FILE_R, g->seq.p + at, g->seq.n - at) <= g->limit;
	g->seq.n = at;
	return ok;
}

static void add_member(Groups *g, u32 part)
{
	Nodes loads = node_list(&g->loads, part);
	u32   n_loads = g->member.n ? vec_last(&g->n_loads) : 0;
	g->part[part].group = g->n_groups + 1;
	for (u32 k = 0; k < loads.n; k++) {
		u32   before = g->used[loads.p[k]]++;
		Nodes readers = node_list(&g->readers, loads.p[k]);
		for (u32 j = 0; j < readers.n; j++) {
			Part *p = &g->part[readers.p[j]];
			p->has += !before;
			p->near += NEAR_ONE / (before + 1) - (before ? NEAR_ONE / before : 0);
		}
		if (!before)
			vec_push(g->a, &g->touched, loads.p[k]);
		n_loads += !before;
	}
	vec_push(g->a, &g->member, part);
	vec_push(g->a, &g->n_loads, n_loads);
}

static u32 fresh(const Groups *g, u32 part) { return node_list(&g->loads, part).n - g->part[part].has; }

/* The part that is added next; GRAPH_NONE: none reads what the group has loaded. */
static u32 best_part(const Groups *g)
{
	u32 best = GRAPH_NONE;
	for (u32 p = 0; p < g->n_parts; p++) {
		if (g->part[p].group || !g->part[p].has)
			continue;
		if (best == GRAPH_NONE || fresh(g, p) < fresh(g, best) ||
		    (fresh(g, p) == fresh(g, best) && g->part[p].near > g->part[best].near))
			best = p;
	}
	return best;
}

/* Adds parts while they fit, twice as many each time; returns how many of them do. */
static u32 grow(Groups *g)
{
	u32 low = 1, part;
	for (;;) {
		while (g->member.n < 2 * low && (part = best_part(g)) != GRAPH_NONE)
			add_member(g, part);
		if (g->member.n == low)
			return low;
		if (!fits(g, g->member.n))
			break;
		low = g->member.n;
	}
	for (u32 high = g->member.n; high - low > 1;) {
		u32 mid = low + (high - low) / 2;
		if (fits(g, mid))
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* How many members have the fewest loads for each of them. */
static u32 cut(const Groups *g, u32 n)
{
	u32 best = 1;
	for (u32 k = 2; k <= n; k++)
		if ((u64)g->n_loads.p[k - 1] * best < (u64)g->n_loads.p[best - 1] * k)
			best = k;
	return best;
}

static void add_group(Groups *g, u32 seed)
{
	g->member.n = g->n_loads.n = 0;
	add_member(g, seed);
	u32 n = cut(g, grow(g));
	for (u32 k = n; k < g->member.n; k++)
		g->part[g->member.p[k]].group = 0;
	emit_group(g, n);
	for (; g->touched.n; g->touched.n--) {
		u32   load = vec_last(&g->touched);
		Nodes readers = node_list(&g->readers, load);
		for (u32 j = 0; j < readers.n; j++)
			g->part[readers.p[j]].has = g->part[readers.p[j]].near = 0;
		g->used[load] = 0;
	}
	g->n_groups++;
}

static void make_sequence(Groups *g, u32 limit)
{
	g->seq = (VecU32){0};
	g->limit = limit;
	g->n_groups = 0;
	memset(g->part, 0, g->n_parts * sizeof *g->part);
	for (u32 u = bitset_next(g->first, 0); u < g->d->n; u = bitset_next(g->first, u + 1))
		vec_push(g->a, &g->seq, u);
	for (u32 p = 0; p < g->n_parts; p++)
		if (!g->part[p].group)
			add_group(g, p);
}

static void open_groups(Groups *g)
{
	u32 n = g->d->n, n_values = g->live->n_values;
	find_readers(g);
	g->part = arena_array(g->a, Part, g->n_parts);
	g->used = arena_array(g->a, u32, n);
	g->marked = arena_array(g->a, u32, n);
	g->reads = arena_array(g->a, u32, n_values + 1);
	g->is_live = arena_array(g->a, bool, n_values + 1);
}

SchedSequence sched_in_groups(const SchedRegion *x, const u32 *order, u32 limit)
{
	SchedSequence best = {0};
	Groups        g = {.x = x, .live = x->live, .d = x->deps, .a = &x->s->arena};
	u32           size = limit > 2 * AHEAD ? limit - AHEAD : limit / 2;
	u32          *source = arena_array(g.a, u32, x->deps->n);
	find_loads(&g);
	if (!bitset_count(g.again))
		return best;
	find_parts(&g);
	if (g.n_parts < 2)
		return best;
	open_groups(&g);
	for (u32 k = 0; k < x->deps->n; k++)
		source[k] = k;
	u32 predicates = peak_of(&g, FILE_P, source, x->deps->n);
	best.before = sched_traffic(x, source, x->deps->n, limit);
	if (order)
		best.before = PS_MIN(best.before, sched_traffic(x, order, x->deps->n, limit));
	best.after = best.before - best.before / 8;
	for (u32 k = 0; k < 2; k++) {
		make_sequence(&g, k ? size - size / 4 : size);
		u32 cost = sched_traffic(x, g.seq.p, g.seq.n, limit);
		if (cost < best.after && peak_of(&g, FILE_P, g.seq.p, g.seq.n) <= predicates)
			best = (SchedSequence){g.seq.p, g.seq.n, g.n_groups, best.before, cost};
	}
	return best;
}
