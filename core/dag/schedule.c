/* schedule.c: puts the nodes of a block in an order.
 *
 * A list scheduler from the block's end upward: of the units whose users are all placed, the one that is last in the source is
 * placed next, so that source order is kept wherever dependences allow. Ties (units of one source instruction, and leaves, which
 * have no place in the source) are broken by register pressure, after Sethi and Ullman, "The generation of optimal code for
 * arithmetic expressions" (1970).
 *
 * Bytes taken out of loaded words have no place either: each is taken where it is used, as a word is one register and its bytes four.
 *
 * A unit is a node together with all nodes that it is glued to. Nothing comes between them but the addresses that they take, as
 * in LLVM: that of a slot stands in front of the `st.param` that has it, not in front of the call. The ready units are a heap:
 * O(n log n) in units, linear in edges. Latencies are not considered: ptxas schedules. */
#include "base/sort.h"
#include "dag/func.h"

typedef struct Unit {
	u32 node;                /* the last of the glued */
	u32 first_pred, n_preds; /* in Sched.edge: units it needs */
	u32 succs_left;          /* users not placed yet */
	u32 n_succs, n_data_preds;
	u32 first_succ;
	u32 order;
	u32 sethi;
	u32 height, depth;
	u32 queue_id;
	u32 slot;     /* when it was placed, counting from the end */
	u32 taken_by; /* of an address: which node of the unit behind it takes it, counted from 1; 0: none */
	u8  is_copy;
	u8  is_address; /* of a slot or a symbol: it has no place in the source and no operands but other addresses */
} Unit;

typedef struct Edge {
	u32 unit;
	u32 data; /* 1: a value; 0: order alone */
} Edge;

typedef struct Sched {
	DagFunc *f;
	Dag     *d;
	Arena   *a;
	Vec(Unit) units; /* 1-based */
	u32 *unit_of;    /* by node */
	Vec(Edge) preds, succs;
	VecU32 ready;
	u32   *seen[2]; /* by unit: the last unit that was given an edge to it; order, data */
	u32    next_queue_id, placed;
} Sched;

/* Nodes that become operands, not instructions, are not scheduled. */
bool dag_is_passive(const DagNode *n)
{
	switch (n->opcode) {
	case DAG_EntryToken:
	case DAG_TargetConstant:
	case DAG_TargetConstantFP:
	case DAG_TargetGlobalAddress:
	case DAG_TargetExternalSymbol:
	case DAG_TargetFrameIndex:
	case DAG_TargetText:
	case DAG_TargetGap:
	case DAG_TargetProto:
	case DAG_TargetSreg:
	case DAG_TargetJumpTable:
	case DAG_Register:
	case DAG_BasicBlock:
	case DAG_CONDCODE:
	case DAG_VALUETYPE: return true;
	default: return false;
	}
}

/* ---- units and edges */

static void make_units(Sched *s, const VecU32 *topo)
{
	Dag *d = s->d;
	s->unit_of = arena_array(s->a, u32, d->n_nodes);
	vec_reserve(s->a, &s->units, topo->n + 1);
	vec_push(s->a, &s->units, (Unit){0});
	for (u32 i = 0; i < topo->n; i++) {
		DagNode *n = dag_at(d, topo->p[i]);
		if (dag_is_passive(n) || s->unit_of[n->id] || dag_glue_user(d, n))
			continue;
		u32  id = s->units.n;
		Unit u = {.node = n->id, .order = n->order};
		u32  steps = 0;
		for (u32 g = n->id; g; g = dag_glue_source(d, dag_at(d, g))) {
			if (s->unit_of[g] || ++steps > d->n_nodes)
				ICE(s->f->s, "glue goes in a circle");
			s->unit_of[g] = id;
			DagNode *x = dag_at(d, g);
			if (x->order && x->order < u.order)
				u.order = x->order;
		}
		u.is_copy = n->opcode == DAG_CopyToReg || n->opcode == DAG_TokenFactor;
		vec_push(s->a, &s->units, u);
	}
	for (u32 i = 0; i < topo->n; i++)
		if (!s->unit_of[topo->p[i]] && !dag_is_passive(dag_at(d, topo->p[i])))
			ICE(s->f->s, "glue is cyclic"); /* no node is the last of its unit */
}

static void add_pred(Sched *s, u32 unit, u32 from, bool data)
{
	Unit *u = &s->units.p[unit];
	if (s->seen[data][from] == unit)
		return;
	s->seen[data][from] = unit;
	vec_push(s->a, &s->preds, ((Edge){from, data}));
	u->n_preds++;
	u->n_data_preds += data;
}

static void make_edges(Sched *s)
{
	Dag *d = s->d;
	vec_reserve(s->a, &s->preds, 2 * s->units.n);
	s->seen[0] = arena_array(s->a, u32, s->units.n);
	s->seen[1] = arena_array(s->a, u32, s->units.n);
	for (u32 i = 1; i < s->units.n; i++) {
		s->units.p[i].first_pred = s->preds.n;
		for (u32 g = s->units.p[i].node; g; g = dag_glue_source(d, dag_at(d, g))) {
			DagNode *n = dag_at(d, g);
			for (u32 k = 0; k < dag_n_ops(n); k++) {
				DagVal v = dag_operand(d, n, k);
				u32    p = s->unit_of[v.n];
				if (!p || p == i)
					continue;
				add_pred(s, i, p, vt_is_value(dag_vt(d, v)));
			}
		}
	}
	for (u32 i = 0; i < s->preds.n; i++)
		s->units.p[s->preds.p[i].unit].n_succs++;
	u32 at = 0;
	for (u32 i = 1; i < s->units.n; i++) {
		s->units.p[i].first_succ = at;
		at += s->units.p[i].n_succs;
		s->units.p[i].succs_left = 0;
	}
	vec_extend(s->a, &s->succs, at);
	for (u32 i = 1; i < s->units.n; i++)
		for (u32 k = 0; k < s->units.p[i].n_preds; k++) {
			Edge  e = s->preds.p[s->units.p[i].first_pred + k];
			Unit *p = &s->units.p[e.unit];
			s->succs.p[p->first_succ + p->succs_left++] = (Edge){i, e.data};
		}
}

/* ---- priorities */

/* Units come in topological order: operands have lower numbers. */
static void measure(Sched *s)
{
	for (u32 i = 1; i < s->units.n; i++) {
		Unit *u = &s->units.p[i];
		u32   extra = 0;
		u->sethi = 0;
		for (u32 k = 0; k < u->n_preds; k++) {
			Edge  e = s->preds.p[u->first_pred + k];
			Unit *p = &s->units.p[e.unit];
			u->depth = PS_MAX(u->depth, p->depth + 1);
			if (!e.data)
				continue;
			if (p->sethi > u->sethi) {
				u->sethi = p->sethi;
				extra = 0;
			} else if (p->sethi == u->sethi) {
				extra++;
			}
		}
		u->sethi += extra;
		if (!u->sethi)
			u->sethi = 1;
	}
}

static u32 priority(const Unit *u)
{
	if (u->is_copy)
		return 0; /* place it close to its users */
	if (u->n_succs == 0 && u->n_preds != 0)
		return 0xFFFF; /* nothing uses its value: place it right behind its operands */
	if (u->n_preds == 0 && u->n_succs != 0)
		return 0;
	return u->sethi;
}

/* The slot of the user of its value that was placed last; a copy to a register stands for the copy's users. */
static u32 closest_user(const Sched *s, const Unit *u)
{
	u32 max = 0;
	for (u32 k = 0; k < u->n_succs; k++) {
		Edge e = s->succs.p[u->first_succ + k];
		if (!e.data)
			continue;
		const Unit *x = &s->units.p[e.unit];
		u32         h = x->slot;
		if (x->is_copy && dag_at(s->d, x->node)->opcode == DAG_CopyToReg)
			h = closest_user(s, x) + 1;
		max = PS_MAX(max, h);
	}
	return max;
}

/* Should `b` be placed before (that is: below) `a`? */
static bool is_worse(const Sched *s, const Unit *a, const Unit *b)
{
	if ((a->order || b->order) && a->order != b->order)
		return a->order != 0 && (a->order < b->order || b->order == 0);
	u32 pa = priority(a), pb = priority(b);
	if (pa != pb)
		return pa > pb;
	u32 ca = closest_user(s, a), cb = closest_user(s, b);
	if (ca != cb)
		return ca < cb;
	if (a->n_data_preds != b->n_data_preds)
		return a->n_data_preds > b->n_data_preds;
	if (a->height != b->height)
		return a->height > b->height;
	if (a->depth != b->depth)
		return a->depth < b->depth;
	return a->queue_id > b->queue_id;
}

/* ---- the ready queue: a heap. The keys of a unit do not change while it is in the heap. */

static bool above(const Sched *s, u32 a, u32 b) { return is_worse(s, &s->units.p[b], &s->units.p[a]); }

static void push_ready(Sched *s, u32 unit)
{
	s->units.p[unit].queue_id = ++s->next_queue_id;
	vec_push(s->a, &s->ready, unit);
	u32 i = s->ready.n - 1;
	while (i && above(s, s->ready.p[i], s->ready.p[(i - 1) / 2])) {
		u32 t = s->ready.p[i];
		s->ready.p[i] = s->ready.p[(i - 1) / 2];
		s->ready.p[(i - 1) / 2] = t;
		i = (i - 1) / 2;
	}
}

static u32 pop_ready(Sched *s)
{
	u32 top = s->ready.p[0], n = --s->ready.n, i = 0;
	s->ready.p[0] = s->ready.p[n];
	for (;;) {
		u32 best = i, l = 2 * i + 1, r = l + 1;
		if (l < n && above(s, s->ready.p[l], s->ready.p[best]))
			best = l;
		if (r < n && above(s, s->ready.p[r], s->ready.p[best]))
			best = r;
		if (best == i)
			return top;
		u32 t = s->ready.p[i];
		s->ready.p[i] = s->ready.p[best];
		s->ready.p[best] = t;
		i = best;
	}
}

static void place(Sched *s, u32 unit)
{
	Unit *u = &s->units.p[unit];
	u->slot = s->placed++;
	for (u32 k = 0; k < u->n_preds; k++) {
		Edge  e = s->preds.p[u->first_pred + k];
		Unit *p = &s->units.p[e.unit];
		p->height = PS_MAX(p->height, u->height + 1);
		if (--p->succs_left == 0)
			push_ready(s, e.unit);
	}
}

/* Nodes of a unit in order: each behind the one whose glue it takes. */
static void write_unit(Sched *s, u32 unit, VecU32 *out)
{
	Dag *d = s->d;
	u32  first = out->n;
	for (u32 g = s->units.p[unit].node, next; g; g = next) {
		next = dag_glue_source(d, dag_at(d, g));
		vec_push(s->a, out, g);
	}
	for (u32 a = first, b = out->n; a + 1 < b; a++, b--) {
		u32 t = out->p[a];
		out->p[a] = out->p[b - 1];
		out->p[b - 1] = t;
	}
}

/* Units come in topological order. */
static void find_addresses(Sched *s)
{
	for (u32 i = 1; i < s->units.n; i++) {
		Unit          *u = &s->units.p[i];
		const DagNode *n = dag_at(s->d, u->node);
		u->is_address = !u->order && !u->is_copy && dag_n_results(n) == 1 && vt_is_value(dag_result_vt(s->d, n, 0));
		for (u32 k = 0; k < u->n_preds; k++)
			u->is_address &= s->units.p[s->preds.p[u->first_pred + k].unit].is_address;
	}
}

static bool is_part_of(const Unit *u, const Unit *whole)
{
	return u->order && u->order == whole->order && !u->is_copy && u->n_preds == 1 && u->n_data_preds == 1;
}

/* The values that a load gives; 0: it is no load. */
static u32 n_loaded(const Sched *s, const Unit *u)
{
	const DagNode *n = dag_at(s->d, u->node);
	u32            values = 0;
	bool           chain = false;
	for (u32 k = 0; k < dag_n_results(n); k++)
		if (dag_result_vt(s->d, n, k) == VT_CHAIN)
			chain = true;
		else
			values += vt_is_value(dag_result_vt(s->d, n, k));
	return chain ? values : 0;
}

static void delay_parts(Sched *s, const Unit *whole)
{
	for (u32 k = 0; k < whole->n_succs; k++) {
		Unit *u = &s->units.p[s->succs.p[whole->first_succ + k].unit];
		if (!is_part_of(u, whole))
			continue;
		delay_parts(s, u);
		u->order = 0;
	}
}

/* Parts of what is loaded, where they are more than the loaded registers. */
static void delay_loaded_parts(Sched *s)
{
	for (u32 i = 1; i < s->units.n; i++) {
		const Unit *whole = &s->units.p[i];
		u32         values = n_loaded(s, whole), parts = 0;
		for (u32 k = 0; k < whole->n_succs && values; k++)
			parts += is_part_of(&s->units.p[s->succs.p[whole->first_succ + k].unit], whole);
		if (parts > values)
			delay_parts(s, whole);
	}
}

static int by_taker(const void *a, const void *b, void *user)
{
	const Unit *units = user;
	u32         x = units[*(const u32 *)a].taken_by, y = units[*(const u32 *)b].taken_by;
	return x < y ? -1 : x > y;
}

static void taken_by(Unit *address, u32 node)
{
	if (!address->taken_by || node < address->taken_by)
		address->taken_by = node;
}

/* A unit, and the addresses right in front of it: each goes in front of the node that takes it. */
static void write_with_addresses(Sched *s, VecU32 *address, u32 unit, VecU32 *out)
{
	VecU32 node = {0};
	u32    next = 0;
	write_unit(s, unit, &node);
	for (u32 i = 0; i < node.n; i++)
		for (u32 k = 0; k < dag_n_ops(dag_at(s->d, node.p[i])); k++)
			taken_by(&s->units.p[s->unit_of[dag_operand(s->d, dag_at(s->d, node.p[i]), k).n]], i + 1);
	for (u32 i = address->n; i-- > 0;) {
		const Unit *u = &s->units.p[address->p[i]];
		for (u32 k = 0; k < u->n_preds && u->taken_by; k++)
			taken_by(&s->units.p[s->preds.p[u->first_pred + k].unit], u->taken_by);
	}
	sort_stable(s->a, address->p, address->n, sizeof(u32), by_taker, s->units.p);
	for (u32 i = 0; i < node.n; i++) {
		for (; next < address->n && s->units.p[address->p[next]].taken_by <= i + 1; next++)
			write_unit(s, address->p[next], out);
		vec_push(s->a, out, node.p[i]);
	}
	address->n = 0;
}

void dag_schedule(DagFunc *f, VecU32 *order)
{
	Sched  s = {.f = f, .d = &f->dag, .a = &f->scratch};
	VecU32 topo = {0}, line = {0}, address = {0};
	dag_topological(s.d, s.a, &topo);
	make_units(&s, &topo);
	make_edges(&s);
	measure(&s);
	find_addresses(&s);
	delay_loaded_parts(&s);
	for (u32 i = 1; i < s.units.n; i++)
		if (!s.units.p[i].n_succs)
			push_ready(&s, i);
	vec_reserve(s.a, &line, s.units.n);
	while (s.ready.n) {
		u32 u = pop_ready(&s);
		vec_push(s.a, &line, u);
		place(&s, u);
	}
	if (line.n + 1 != s.units.n)
		ICE(f->s, "the graph has a circle: %u of %u units placed", line.n, s.units.n - 1);
	order->n = 0;
	vec_reserve(s.a, order, topo.n);
	for (u32 i = line.n; i-- > 0;)
		if (i && s.units.p[line.p[i]].is_address)
			vec_push(s.a, &address, line.p[i]);
		else if (address.n)
			write_with_addresses(&s, &address, line.p[i], order);
		else
			write_unit(&s, line.p[i], order);
}
