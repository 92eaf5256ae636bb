/* liverange.c: builds the live range of one register from its operands, see liverange.h. Reads and writes are sorted by slot;
 * blocks are walked backward from reads to definitions; values are numbered where different ones meet. */
#include "mir/liverange.h"

#include "base/sort.h"
#include "graph/passages.h"

/* ---- loops that stand together in the layout ---- */

/* Nodes of a MirCfg are numbered along the layout, so such a loop is a range of nodes. */
typedef struct Span {
	u32 first, last; /* nodes; last + 1 - first == size: nothing stands in between */
	u32 size, header;
	u32 up;   /* the next such loop around it, GRAPH_NONE = none */
	u32 jump; /* one further out, so that the way out takes logarithmically many steps (Myers) */
	u32 depth;
} Span;

typedef enum EventKind { EV_USE, EV_DEF, EV_UNDEF } EventKind;

/* An operand of the register at hand, in its block. */
typedef struct Event {
	u32 number; /* of its slot; events are sorted by it, uses first */
	u32 slot, inst, node;
	u32 kind;  /* EventKind */
	u32 value; /* of a definition: number in MirRanges.value */
} Event;
typedef Vec(Event) Events;

/* A block, or a loop without a definition, into which the register lives. */
typedef struct Piece {
	u32 node;  /* the block, or the loop's header */
	u32 loop;  /* GRAPH_NONE: a block */
	u32 holds; /* the event that defines what arrives, MEETS + a piece, or MIR_NO_VALUE */
	u32 value; /* of a meeting: number in MirRanges.value */
	u32 way;   /* the way by which it arrives from in front, GRAPH_NONE: from each predecessor */
} Piece;

typedef struct Mark {
	u32 in, out, def, event; /* stamps: live in, live out, holds definitions, holds operands */
	u32 piece;               /* where live in: its piece */
	u32 last;                /* where it holds definitions: the event of the last one */
} Mark;

typedef struct RangeBuilder {
	Span    *span;    /* by loop */
	u32     *span_of; /* by node: innermost loop that stands together, or GRAPH_NONE */
	Mark    *mark;    /* by node */
	u32     *loop_stamp, *loop_piece;
	u32      stamp;
	Arena   *arena;
	Events   event;    /* these are as large as the largest range needs */
	VecU32   def_node; /* ascending */
	Passages passages;
	Vec(Piece) piece;
	Vec(NodeSpan) way; /* passages without a definition at whose ends the register is read: it is live in all of each */
	VecU32 work;       /* pieces whose predecessors are to be seen */
	Vec(u64) order;
	Vec(MirSegment) found;
} RangeBuilder;

static bool stands_together(const Span *s) { return s->last + 1 - s->first == s->size; }

static u32 *fill_none(Arena *a, u32 n)
{
	u32 *p = arena_array(a, u32, n + 1);
	for (u32 k = 0; k <= n; k++)
		p[k] = GRAPH_NONE;
	return p;
}

static void link_span(Span *span, u32 l, u32 parent)
{
	Span *s = &span[l];
	s->up = parent == GRAPH_NONE || stands_together(&span[parent]) ? parent : span[parent].up;
	s->jump = s->up;
	if (s->up == GRAPH_NONE)
		return;
	const Span *up = &span[s->up];
	s->depth = up->depth + 1;
	if (up->jump != GRAPH_NONE && span[up->jump].jump != GRAPH_NONE &&
	    up->depth - span[up->jump].depth == span[up->jump].depth - span[span[up->jump].jump].depth)
		s->jump = span[up->jump].jump;
}

/* A block that is never reached may branch into the middle of a loop: then no loop is taken as a whole. */
static void spans_new(const MirCfg *cfg, const Loops *l, RangeBuilder *b, Arena *a)
{
	b->span_of = fill_none(a, cfg->g.n);
	if (!l || cfg->order.n < cfg->g.n)
		return;
	b->span = arena_array(a, Span, l->n + 1);
	b->loop_stamp = arena_array(a, u32, l->n + 1);
	b->loop_piece = arena_array(a, u32, l->n + 1);
	for (u32 k = 0; k < l->n; k++)
		b->span[k] = (Span){.first = GRAPH_NONE, .header = l->loop[k].header};
	for (u32 node = 0; node < cfg->g.n; node++) {
		if (l->of[node] == GRAPH_NONE)
			continue;
		Span *s = &b->span[l->of[node]];
		s->first = PS_MIN(s->first, node);
		s->last = PS_MAX(s->last, node);
		s->size++;
	}
	for (u32 k = l->n; k-- > 0;) {
		if (l->loop[k].parent == GRAPH_NONE)
			continue;
		Span *s = &b->span[l->loop[k].parent];
		s->first = PS_MIN(s->first, b->span[k].first);
		s->last = PS_MAX(s->last, b->span[k].last);
		s->size += b->span[k].size;
	}
	for (u32 k = 0; k < l->n; k++)
		link_span(b->span, k, l->loop[k].parent);
	for (u32 node = 0; node < cfg->g.n; node++) {
		u32 of = l->of[node];
		b->span_of[node] = of == GRAPH_NONE || stands_together(&b->span[of]) ? of : b->span[of].up;
	}
}

static bool span_has_def(const RangeBuilder *b, const Span *s)
{
	u32 low = 0, high = b->def_node.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (b->def_node.p[mid] < s->first)
			low = mid + 1;
		else
			high = mid;
	}
	return low < b->def_node.n && b->def_node.p[low] <= s->last;
}

/* The outermost loop around `node` without a definition of the register at hand. */
static u32 free_loop(const RangeBuilder *b, u32 node)
{
	u32 at = b->span_of[node];
	if (at == GRAPH_NONE || span_has_def(b, &b->span[at]))
		return GRAPH_NONE;
	for (;;) {
		const Span *s = &b->span[at];
		if (s->up == GRAPH_NONE)
			return at;
		if (!span_has_def(b, &b->span[s->jump]))
			at = s->jump;
		else if (!span_has_def(b, &b->span[s->up]))
			at = s->up;
		else
			return at;
	}
}

/* ---- operands of one register ---- */

static u32 start_of(const MirRanges *rs, u32 node) { return rs->slots->block[rs->cfg->block[node]]; }
static u32 end_of(const MirRanges *rs, u32 node) { return node + 1 < rs->cfg->g.n ? start_of(rs, node + 1) : rs->slots->end; }

static int by_number(const void *a, const void *b, void *user)
{
	(void)user;
	const Event *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

enum { FEW_BLOCKS = 3 }; /* no way through them is long */

/* With scratch memory that is given back. */
static void sort_apart(RangeBuilder *b, void *base, u32 n, u32 size, SortCompare compare)
{
	Arena a;
	arena_init(&a, b->arena->budget);
	sort_stable(&a, base, n, size, compare, NULL);
	arena_free(&a);
}

static void add_event(MirRanges *rs, const MirOp *o, u32 kind, u32 part)
{
	const MirInst *mi = mir_inst(rs->f, (MirInstId){o->inst});
	u32            slot = mi->desc == ISA_PHI ? rs->slots->block[mi->block] : rs->slots->inst.p[o->inst] + part;
	Event          e = {mir_slot_number(rs->slots, slot), slot, o->inst, rs->cfg->node[mi->block], kind, MIR_NO_VALUE};
	vec_push(rs->arena, &rs->builder->event, e);
}

static void list_events(MirRanges *rs, MirReg r)
{
	RangeBuilder *b = rs->builder;
	b->event.n = 0;
	mir_each_def(rs->f, r, d) {
		bool undef = mir_inst(rs->f, (MirInstId){d->inst})->desc == ISA_IMPLICIT_DEF;
		add_event(rs, d, undef ? EV_UNDEF : EV_DEF, d->flags & MOF_EARLY_CLOBBER ? 0 : SLOT_DEF);
	}
	mir_each_use(rs->f, r, u)
		if (!(u->flags & MOF_UNDEF) && mir_inst(rs->f, (MirInstId){u->inst})->desc != ISA_PHI)
			add_event(rs, u, EV_USE, 0);
	sort_apart(b, b->event.p, b->event.n, sizeof *b->event.p, by_number);
}

/* Marks the blocks that hold operands; true where one definition is all there is. */
static bool mark_events(RangeBuilder *b)
{
	u32 defs = 0, undefs = 0;
	b->def_node.n = 0;
	for (u32 k = 0; k < b->event.n; k++) {
		const Event *e = &b->event.p[k];
		Mark        *m = &b->mark[e->node];
		m->event = b->stamp;
		if (e->kind == EV_USE)
			continue;
		if (m->def != b->stamp)
			vec_push(b->arena, &b->def_node, e->node);
		m->def = b->stamp;
		m->last = k;
		defs += e->kind == EV_DEF;
		undefs += e->kind == EV_UNDEF;
	}
	return defs == 1 && !undefs;
}

/* ---- where it is live ---- */

static void live_in(MirRanges *rs, u32 node)
{
	RangeBuilder *b = rs->builder;
	Mark         *m = &b->mark[node];
	if (m->in == b->stamp)
		return;
	m->in = b->stamp;
	u32 loop = free_loop(b, node);
	if (loop != GRAPH_NONE && b->loop_stamp[loop] == b->stamp) {
		m->piece = b->loop_piece[loop];
		return;
	}
	m->piece = b->piece.n;
	if (loop != GRAPH_NONE) {
		b->loop_stamp[loop] = b->stamp;
		b->loop_piece[loop] = b->piece.n;
		node = b->span[loop].header;
	}
	vec_push(b->arena, &b->piece, ((Piece){node, loop, MIR_NO_VALUE, MIR_NO_VALUE, GRAPH_NONE}));
	vec_push(b->arena, &b->work, b->piece.n - 1);
}

static void live_out(MirRanges *rs, u32 node)
{
	RangeBuilder *b = rs->builder;
	if (b->mark[node].out == b->stamp)
		return;
	b->mark[node].out = b->stamp;
	if (b->mark[node].def != b->stamp)
		live_in(rs, node);
}

static bool is_inside(const RangeBuilder *b, const Piece *p, u32 node)
{
	return p->loop != GRAPH_NONE && b->span[p->loop].first <= node && node <= b->span[p->loop].last;
}

/* The register lives into piece `k`: by way of a passage of several blocks, which is one step, or of each predecessor. */
static void live_before(MirRanges *rs, u32 k)
{
	RangeBuilder *b = rs->builder;
	Piece         p = b->piece.p[k];
	Nodes         pred = graph_pred(&rs->cfg->g, p.node);
	u32 first = b->passages.n ? passage_before(&b->passages, p.node, (Nodes){b->def_node.p, b->def_node.n}) : GRAPH_NONE;
	if (first != GRAPH_NONE && first + 1 < p.node) {
		b->piece.p[k].way = b->way.n;
		vec_push(b->arena, &b->way, ((NodeSpan){first, p.node - 1}));
		live_in(rs, first);
	} else {
		first = GRAPH_NONE;
	}
	for (u32 n = 0; n < pred.n; n++)
		if (!is_inside(b, &p, pred.p[n]) && (first == GRAPH_NONE || pred.p[n] >= p.node))
			live_out(rs, pred.p[n]);
}

static void walk_up(MirRanges *rs, MirReg r)
{
	RangeBuilder *b = rs->builder;
	b->piece.n = b->way.n = b->work.n = 0;
	mir_each_use(rs->f, r, u)
		if (!(u->flags & MOF_UNDEF) && mir_inst(rs->f, (MirInstId){u->inst})->desc == ISA_PHI)
			live_out(rs, rs->cfg->node[u[1].ref]);
	for (u32 k = 0; k < b->event.n; k++) {
		const Event *e = &b->event.p[k];
		if (e->kind == EV_USE && (!k || b->event.p[k - 1].node != e->node))
			live_in(rs, e->node);
	}
	while (b->work.n)
		live_before(rs, vec_pop(&b->work));
}

/* ---- values that meet ---- */

enum { MEETS = 1u << 31 }; /* + number of a piece: different values meet at its start */

static int by_key(const void *a, const void *b, void *user)
{
	(void)user;
	u64 x = *(const u64 *)a, y = *(const u64 *)b;
	return (x > y) - (x < y);
}

/* The pieces in reverse post order of their blocks. */
static void order_pieces(const MirRanges *rs)
{
	RangeBuilder *b = rs->builder;
	b->order.n = 0;
	for (u32 k = 0; k < b->piece.n; k++)
		vec_push(b->arena, &b->order, (u64)rs->cfg->order.pos[b->piece.p[k].node] << 32 | k);
	sort_apart(b, b->order.p, b->order.n, sizeof *b->order.p, by_key);
}

/* What leaves `node`; `self` where it is undefined there. */
static u32 leaves(const RangeBuilder *b, u32 node, u32 self)
{
	const Mark *m = &b->mark[node];
	if (m->def != b->stamp)
		return b->piece.p[m->piece].holds;
	return b->event.p[m->last].kind == EV_DEF ? m->last : self;
}

static u32 meet(const MirRanges *rs, u32 k)
{
	const RangeBuilder *b = rs->builder;
	const Piece        *p = &b->piece.p[k];
	Nodes               pred = graph_pred(&rs->cfg->g, p->node);
	u32                 met = MIR_NO_VALUE;
	if (p->way != GRAPH_NONE)
		met = b->piece.p[b->mark[b->way.p[p->way].first].piece].holds;
	for (u32 n = 0; n < pred.n; n++) {
		if (p->way != GRAPH_NONE && pred.p[n] < p->node)
			continue;
		u32 from = is_inside(b, p, pred.p[n]) ? MIR_NO_VALUE : leaves(b, pred.p[n], MEETS + k);
		if (from != MIR_NO_VALUE && from != met)
			met = met == MIR_NO_VALUE ? from : MEETS + k;
	}
	return met;
}

/* Optimistic: nothing is known of any piece, definitions flow in reverse post order, and where two meet a value begins.
 * From a predecessor where the register is undefined comes no value: it meets the others too. */
static void resolve_pieces(MirRanges *rs)
{
	RangeBuilder *b = rs->builder;
	order_pieces(rs);
	for (bool changed = true; changed;) {
		changed = false;
		for (u32 n = 0; n < b->order.n; n++) {
			u32    k = (u32)b->order.p[n];
			Piece *p = &b->piece.p[k];
			u32    met = p->holds == MEETS + k ? p->holds : meet(rs, k);
			changed |= met != p->holds;
			p->holds = met;
		}
	}
}

/* Room for `n` values, where the last ones of this register were if they suffice. */
static void values_reserve(MirRanges *rs, MirRange *range, u32 n)
{
	if (range->cap_values < n) {
		range->first_value = rs->value.n;
		range->cap_values = n;
		vec_extend(rs->arena, &rs->value, n);
	}
	range->n_values = 0;
}

static u32 value_new(MirRanges *rs, MirRange *range, u32 def, u32 inst)
{
	u32 v = range->first_value + range->n_values++;
	rs->value.p[v] = (MirValue){def, inst, v, MIR_NO_VALUE};
	return v;
}

/* Numbers for the values of all definitions and meetings. */
static void number_values(MirRanges *rs, MirRange *range)
{
	RangeBuilder *b = rs->builder;
	u32           n = 0;
	for (u32 k = 0; k < b->event.n; k++)
		n += b->event.p[k].kind == EV_DEF;
	for (u32 k = 0; k < b->piece.n; k++)
		n += b->piece.p[k].holds == MIR_NO_VALUE || b->piece.p[k].holds == MEETS + k;
	values_reserve(rs, range, n);
	for (u32 k = 0; k < b->event.n; k++)
		if (b->event.p[k].kind == EV_DEF)
			b->event.p[k].value = value_new(rs, range, b->event.p[k].slot, b->event.p[k].inst);
	for (u32 k = 0; k < b->piece.n; k++) {
		Piece *p = &b->piece.p[k];
		if (p->holds == MIR_NO_VALUE) /* no definition reaches it */
			p->holds = MEETS + k;
		if (p->holds == MEETS + k)
			p->value = value_new(rs, range, start_of(rs, p->node), 0);
	}
}

static u32 value_of_piece(const RangeBuilder *b, u32 k)
{
	u32 holds = b->piece.p[k].holds;
	return holds >= MEETS ? b->piece.p[holds - MEETS].value : b->event.p[holds].value;
}

/* ---- segments ---- */

static void found(RangeBuilder *b, u32 start, u32 end, u32 value)
{
	vec_push(b->arena, &b->found, ((MirSegment){start, end, value}));
}

/* The events first … last of one block, from the last to the first. */
static void segments_of_block(MirRanges *rs, u32 first, u32 last)
{
	RangeBuilder *b = rs->builder;
	u32           node = b->event.p[first].node, end = b->mark[node].out == b->stamp ? end_of(rs, node) : 0, written = 0;
	for (u32 k = last + 1; k-- > first;) {
		const Event *e = &b->event.p[k];
		if (e->kind == EV_USE) {
			/* An early-clobber result of the same instruction takes the register over at once. */
			end = end ? end : e->slot + (written != e->slot);
			continue;
		}
		if (e->kind == EV_DEF && written != e->slot) /* a second definition by one instruction is the same */
			found(b, e->slot, end ? end : e->slot + 1, e->value);
		written = e->slot;
		end = 0;
	}
	if (end)
		found(b, start_of(rs, node), end, value_of_piece(b, b->mark[node].piece));
}

static void find_segments(MirRanges *rs)
{
	RangeBuilder *b = rs->builder;
	b->found.n = 0;
	for (u32 k = 0; k < b->piece.n; k++) {
		const Piece *p = &b->piece.p[k];
		if (p->loop != GRAPH_NONE)
			found(b, start_of(rs, b->span[p->loop].first), end_of(rs, b->span[p->loop].last), value_of_piece(b, k));
		else if (b->mark[p->node].event != b->stamp)
			found(b, start_of(rs, p->node), end_of(rs, p->node), value_of_piece(b, k));
	}
	for (u32 k = 0; k < b->way.n; k++) {
		const NodeSpan *w = &b->way.p[k];
		found(b, start_of(rs, w->first), end_of(rs, w->last), value_of_piece(b, b->mark[w->first].piece));
	}
	for (u32 k = 0, last; k < b->event.n; k = last + 1) {
		const Mark *m = &b->mark[b->event.p[k].node];
		for (last = k; last + 1 < b->event.n && b->event.p[last + 1].node == b->event.p[k].node;)
			last++;
		if (m->in != b->stamp || b->piece.p[m->piece].loop == GRAPH_NONE)
			segments_of_block(rs, k, last);
	}
}

/* Sorted; neighbours that touch and hold one value become one, and what a way holds as well goes. Nothing is written in a way, so two
 * that overlap hold one value; only if nothing writes the register at all, one for each place that reads it. */
static void take_segments(MirRanges *rs, MirRange *range)
{
	RangeBuilder *b = rs->builder;
	b->order.n = 0;
	for (u32 k = 0; k < b->found.n; k++)
		vec_push(b->arena, &b->order, (u64)mir_slot_number(rs->slots, b->found.p[k].start) << 32 | k);
	sort_apart(b, b->order.p, b->order.n, sizeof *b->order.p, by_key);
	for (u32 k = 0; k < b->order.n; k++) {
		MirSegment  s = b->found.p[(u32)b->order.p[k]];
		MirSegment *before = range->seg.n ? &vec_last(&range->seg) : NULL;
		if (before && mir_slot_before(rs->slots, s.start, before->end)) {
			if (!mir_slot_before(rs->slots, before->end, s.end))
				continue;
			s.start = before->end;
		}
		if (before && before->end == s.start && before->value == s.value)
			before->end = s.end;
		else
			vec_push(rs->arena, &range->seg, s);
	}
}

/* ---- one register ---- */

/* One definition, and all uses behind it in its block: one segment. */
static bool update_local(MirRanges *rs, MirReg r, MirRange *range)
{
	const MirVReg *v = mir_vreg(rs->f, r);
	if (v->n_defs != 1)
		return false;
	const MirOp   *d = mir_op_at(rs->f, v->defs);
	const MirInst *mi = mir_inst(rs->f, (MirInstId){d->inst});
	u32            def = mi->desc == ISA_PHI ? rs->slots->block[mi->block]
	                                         : rs->slots->inst.p[d->inst] + (d->flags & MOF_EARLY_CLOBBER ? 0 : SLOT_DEF);
	u32            last = def, number = mir_slot_number(rs->slots, def), last_number = number;
	if (mi->desc == ISA_IMPLICIT_DEF)
		return false;
	mir_each_use(rs->f, r, u) {
		const MirInst *ui = mir_inst(rs->f, (MirInstId){u->inst});
		if (u->flags & MOF_UNDEF)
			continue;
		u32 slot = rs->slots->inst.p[u->inst], n = mir_slot_number(rs->slots, slot);
		if (ui->desc == ISA_PHI || ui->block != mi->block || n <= number)
			return false;
		if (n > last_number) {
			last_number = n;
			last = slot;
		}
	}
	values_reserve(rs, range, 1);
	vec_push(rs->arena, &range->seg, ((MirSegment){def, last + 1, value_new(rs, range, def, d->inst)}));
	return true;
}

static MirRange *range_of(MirRanges *rs, MirReg r)
{
	if (r.i >= rs->index.n)
		vec_extend(rs->arena, &rs->index, rs->f->vreg.n - rs->index.n);
	if (!rs->index.p[r.i]) {
		rs->index.p[r.i] = rs->of.n;
		vec_extend(rs->arena, &rs->of, 1);
	}
	return &rs->of.p[rs->index.p[r.i]];
}

void mir_ranges_update(MirRanges *rs, MirReg r)
{
	RangeBuilder *b = rs->builder;
	MirRange     *range = range_of(rs, r);
	range->seg.n = 0;
	if (update_local(rs, r, range))
		return;
	b->stamp++;
	list_events(rs, r);
	bool one = mark_events(b);
	walk_up(rs, r);
	if (one) /* it is what every piece holds */
		for (u32 k = 0; k < b->piece.n; k++)
			b->piece.p[k].holds = b->mark[b->def_node.p[0]].last;
	else
		resolve_pieces(rs);
	number_values(rs, range);
	find_segments(rs);
	take_segments(rs, range);
}

/* ---- all of them ---- */

MirRanges *mir_ranges_new(MirFlow flow, Bitset regs, Arena *a)
{
	MirFunc      *f = flow.f;
	const MirCfg *cfg = flow.cfg;
	MirRanges    *rs = arena_new(a, MirRanges);
	*rs = (MirRanges){.f = f,
	                  .slots = mir_slots(f),
	                  .cfg = cfg,
	                  .loops = flow.loops,
	                  .arena = a,
	                  .builder = arena_new(a, RangeBuilder)};
	rs->builder->arena = a;
	rs->builder->mark = arena_array(a, Mark, cfg->g.n + 1);
	spans_new(cfg, flow.loops, rs->builder, a);
	if (cfg->g.n > FEW_BLOCKS)
		rs->builder->passages = passages_new(&cfg->g, a);
	vec_reserve(a, &rs->of, 1 + bitset_count(regs));
	vec_extend(a, &rs->of, 1);
	vec_extend(a, &rs->index, f->vreg.n);
	bitset_each(regs, r)
		mir_ranges_update(rs, (MirReg){r});
	return rs;
}

MirRanges *mir_ranges_all(MirFlow flow, Arena *a)
{
	const MirFunc *f = flow.f;
	Bitset         regs = bitset_new(a, f->vreg.n);
	for (u32 r = 1; r < f->vreg.n; r++)
		if (mir_vreg(f, (MirReg){r})->n_defs || mir_vreg(f, (MirReg){r})->n_uses)
			bitset_add(regs, r);
	return mir_ranges_new(flow, regs, a);
}

/* ---- asking ---- */

u32 mir_range_behind(const MirRanges *rs, const MirRange *range, u32 slot)
{
	u32 low = 0, high = range->seg.n, number = mir_slot_number(rs->slots, slot);
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (mir_slot_number(rs->slots, range->seg.p[mid].end) <= number)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const MirSegment *mir_range_at(const MirRanges *rs, const MirRange *range, u32 slot)
{
	u32 at = mir_range_behind(rs, range, slot);
	return at < range->seg.n && !mir_slot_before(rs->slots, slot, range->seg.p[at].start) ? &range->seg.p[at] : NULL;
}

bool mir_ranges_overlap(const MirRanges *rs, const MirRange *a, const MirRange *b)
{
	for (u32 i = 0, k = 0; i < a->seg.n && k < b->seg.n;) {
		const MirSegment *x = &a->seg.p[i], *y = &b->seg.p[k];
		if (!mir_slot_before(rs->slots, y->start, x->end))
			i++;
		else if (!mir_slot_before(rs->slots, x->start, y->end))
			k++;
		else
			return true;
	}
	return false;
}

MirBlockId mir_ranges_block(const MirRanges *rs, u32 slot)
{
	u32 low = 0, high = rs->cfg->g.n, number = mir_slot_number(rs->slots, slot);
	while (high - low > 1) {
		u32 mid = low + (high - low) / 2;
		if (mir_slot_number(rs->slots, start_of(rs, mid)) <= number)
			low = mid;
		else
			high = mid;
	}
	return (MirBlockId){rs->cfg->block[low]};
}

u32 mir_value(MirRanges *rs, u32 value)
{
	MirValue *v = rs->value.p;
	while (v[value].up != value)
		value = v[value].up = v[v[value].up].up;
	return value;
}

u32 mir_range_value(MirRanges *rs, const MirRange *range, u32 slot)
{
	const MirSegment *s = mir_range_at(rs, range, slot);
	return s ? mir_value(rs, s->value) : MIR_NO_VALUE;
}

/* ---- verification ---- */

typedef struct Check {
	MirRanges *have, *want;
	VecU32     is; /* by value of `have`: the value of `want` that it stands for, + 1 */
	Arena     *arena;
} Check;

/* The same slots, cut in other places perhaps; what has one value here has one value there. */
static const char *difference(Check *c, const MirRange *x, const MirRange *y)
{
	const MirSlots *s = c->have->slots;
	u32             i = 0, k = 0, at = 0;
	while (i < x->seg.n && k < y->seg.n) {
		const MirSegment *a = &x->seg.p[i], *b = &y->seg.p[k];
		u32               from = PS_MAX(mir_slot_number(s, a->start), at), value = mir_value(c->have, a->value);
		u32               a_end = mir_slot_number(s, a->end), b_end = mir_slot_number(s, b->end);
		if (from != PS_MAX(mir_slot_number(s, b->start), at))
			return "is not live where it should be";
		if (!c->is.p[value])
			c->is.p[value] = b->value + 1;
		if (c->is.p[value] != b->value + 1)
			return "has one value where it should have several";
		at = PS_MIN(a_end, b_end);
		i += a_end == at;
		k += b_end == at;
	}
	return i < x->seg.n || k < y->seg.n ? "is live where it should not be, or is not where it should be" : NULL;
}

static void print_range(Text *out, const MirRanges *rs, const MirRange *range)
{
	for (u32 k = 0; k < range->seg.n; k++)
		text_f(out, " [%u,%u:%u)", mir_slot_number(rs->slots, range->seg.p[k].start),
		       mir_slot_number(rs->slots, range->seg.p[k].end), range->seg.p[k].value);
}

/* Are the ranges of all registers that either side has the same? Temporary memory is taken from `a`. */
static bool ranges_equal(MirRanges *have, MirRanges *want, Arena *a, Text *errors)
{
	static const MirRange none;
	bool                  good = true;
	Check                 c = {.have = have, .want = want, .arena = a};
	vec_extend(a, &c.is, have->value.n);
	for (u32 r = 1; r < PS_MAX(have->index.n, want->index.n); r++) {
		const MirRange *x = mir_range(have, (MirReg){r}), *y = mir_range(want, (MirReg){r});
		const char     *what = x || y ? difference(&c, x ? x : &none, y ? y : &none) : NULL;
		good &= !what;
		if (!what || !errors)
			continue;
		text_f(errors, "%%%u %s: its live range is", r - 1, what);
		print_range(errors, have, x ? x : &none);
		text_s(errors, " instead of");
		print_range(errors, want, y ? y : &none);
		text_c(errors, '\n');
	}
	return good;
}

bool mir_ranges_verify(MirRanges *rs, Text *errors)
{
	Arena a;
	arena_init(&a, rs->arena->budget);
	Bitset regs = bitset_new(&a, rs->f->vreg.n);
	for (u32 r = 1; r < rs->index.n; r++)
		if (rs->index.p[r])
			bitset_add(regs, r);
	bool good = ranges_equal(rs, mir_ranges_new((MirFlow){rs->f, rs->cfg, rs->loops}, regs, &a), &a, errors);
	arena_free(&a);
	return good;
}

/* ---- the manager's row (pass/analyses.def) ---- */

void *mir_ranges_compute(PassCx *cx, Arena *arena);
bool  mir_ranges_equal(const void *a, const void *b);

void *mir_ranges_compute(PassCx *cx, Arena *arena)
{
	return mir_ranges_all((MirFlow){mir_pass_func(cx), mir_cfg(cx), mir_loops(cx)}, arena);
}

bool mir_ranges_equal(const void *a, const void *b)
{
	MirRanges *x = (MirRanges *)a, *y = (MirRanges *)b; /* mir_value shortens the paths it follows */
	Arena      scratch;
	arena_init(&scratch, x->arena->budget);
	bool same = mir_slots_are_ordered(x->f) && ranges_equal(x, y, &scratch, NULL);
	arena_free(&scratch);
	return same;
}
