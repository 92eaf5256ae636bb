/* intervals.c: the slots each register is live in, and the value it holds there. One walk from the last instruction to
 * the first makes segments; then values that meet at the heads of blocks are found to be one or several. */
#include "isa/isa.h"
#include "mir/live.h"

typedef struct Build {
	const MirFunc *f;
	const MirLive *l;
	MirIntervals  *out;
	Bitset         regs;
	u32           *end;  /* by place in out->of: end of the segment that is open below, 0 = not live */
	u32            slot; /* the next ones stand in front of it */
} Build;

static bool wanted(const Build *b, const MirOp *o)
{
	return o->kind == MO_REG && mir_is_virt((MirReg){o->ref}) && bitset_has(b->regs, o->ref);
}

static u32 value_new(Build *b, u32 at, u32 def, u32 inst)
{
	MirInterval *iv = &b->out->of[at];
	vec_push(b->out->arena, &iv->value, ((MirValue){def, inst}));
	return iv->value.n - 1;
}

/* Segments come in falling order and are turned round at the end. */
static void segment(Build *b, u32 at, u32 start, u32 value)
{
	MirInterval *iv = &b->out->of[at];
	vec_push(b->out->arena, &iv->seg, ((MirSegment){start, b->end[at], value}));
	b->end[at] = 0;
}

/* Phis write at the block's start: in front of them all. */
static u32 slot_of_phis(const Build *b, MirInstId phi)
{
	u32 slot = b->slot;
	for (; phi.i; phi = mir_prev(b->f, phi))
		slot -= SLOT_STEP;
	return slot;
}

static void interval_inst(Build *b, MirInstId i, u32 *phis)
{
	const MirInst *mi = mir_inst(b->f, i);
	const MirOp   *o = mir_op_at(b->f, mi->op);
	u32            slot = b->slot -= SLOT_STEP;
	if (mi->desc == ISA_PHI && !*phis)
		*phis = slot_of_phis(b, i);
	u32 def = mi->desc == ISA_PHI ? *phis : slot + SLOT_DEF;
	b->out->slot[i.i] = slot;
	for (u32 n = 0; n < mi->n_ops; n++) {
		if (!(o[n].flags & MOF_DEF) || !wanted(b, &o[n]))
			continue;
		u32 r = b->out->index[o[n].ref];
		if (mi->desc == ISA_IMPLICIT_DEF) { /* any value will do: the register is not taken */
			b->end[r] = 0;
			continue;
		}
		if (!b->end[r])
			b->end[r] = def + 1; /* dead: it still takes a register for a moment */
		u32 at = o[n].flags & MOF_EARLY_CLOBBER ? slot : def;
		segment(b, r, at, value_new(b, r, at, i.i));
	}
	if (mi->desc == ISA_PHI)
		return;
	for (u32 n = 0; n < mi->n_ops; n++)
		if (!(o[n].flags & (MOF_DEF | MOF_UNDEF)) && wanted(b, &o[n])) {
			u32 *end = &b->end[b->out->index[o[n].ref]];
			*end = *end ? *end : slot + 1;
		}
}

/* The values that live into a block are numbered per block here (ids past those of definitions) and
 * unified with what reaches them in values_resolve. */
static void interval_block(Build *b, MirBlockId blk)
{
	const MirLive *l = b->l;
	u32            phis = 0, end = b->out->block_end[blk.i] = b->slot;
	for (u32 k = 0; k < l->out[blk.i].n; k++)
		b->end[b->out->index[l->reg[l->out[blk.i].first + k]]] = end;
	for (MirInstId i = {mir_block(b->f, blk)->last}; i.i; i = mir_prev(b->f, i))
		interval_inst(b, i, &phis);
	u32 start = b->out->block_start[blk.i] = b->slot -= SLOT_STEP;
	for (u32 k = 0; k < l->in[blk.i].n; k++) {
		u32 r = b->out->index[l->reg[l->in[blk.i].first + k]];
		if (b->end[r])
			segment(b, r, start, value_new(b, r, start, 0));
	}
}

/* The block a slot lies in. Starts grow along the layout; for each SEARCH_STEP slots it is known where to begin. */
typedef struct Search {
	const u32 *start; /* by block id */
	u32       *order; /* block ids along the layout */
	u32       *first; /* by slot / SEARCH_STEP: place in `order` of the block that holds the first of these slots */
	u32        n;
} Search;

enum { SEARCH_STEP = 64 };

static Search search_new(const MirFunc *f, const MirIntervals *iv, Arena *a)
{
	Search s = {.start = iv->block_start, .order = arena_array(a, u32, f->n_blocks + 1)};
	u32    slots = iv->block_end[f->last_block], at = 0;
	mir_each_block(f, b)
		s.order[s.n++] = b.i;
	s.first = arena_array(a, u32, slots / SEARCH_STEP + 1);
	for (u32 k = 0; k <= slots / SEARCH_STEP; k++) {
		while (at + 1 < s.n && s.start[s.order[at + 1]] <= k * SEARCH_STEP)
			at++;
		s.first[k] = at;
	}
	return s;
}

static u32 block_of_slot(const Search *s, u32 slot)
{
	u32 at = s->first[slot / SEARCH_STEP];
	while (at + 1 < s->n && s->start[s->order[at + 1]] <= slot)
		at++;
	return s->order[at];
}

static u32 root(u32 *up, u32 v)
{
	while (up[v] != v) {
		up[v] = up[up[v]];
		v = up[v];
	}
	return v;
}

static bool has_live_in(const MirInterval *iv)
{
	for (u32 v = 0; v < iv->value.n; v++)
		if (!iv->value.p[v].inst)
			return true;
	return false;
}

/* A live-in value that is met by one and the same value from every predecessor is that value. Optimistic:
 * start with every live-in undecided, let definitions flow, split where two meet. */
static void values_resolve(const MirFunc *f, const MirIntervals *out, MirInterval *iv, const Search *search, u32 *by_block,
                           Arena *scratch)
{
	enum { UNDECIDED = 0xFFFFFFFF };
	u32 n = iv->value.n;
	if (n < 2 || !has_live_in(iv))
		return;
	/* by_block[b]: 1 + segment that lives out of block b */
	for (u32 s = 0; s < iv->seg.n; s++) {
		u32 b = block_of_slot(search, iv->seg.p[s].start);
		if (iv->seg.p[s].end == out->block_end[b])
			by_block[b] = s + 1;
	}
	u32 *is = arena_array(scratch, u32, n);
	for (u32 v = 0; v < n; v++)
		is[v] = iv->value.p[v].inst ? v : UNDECIDED;
	/* Segments stand in falling order still: from the last to the first goes along the layout, as values flow. */
	for (bool changed = true; changed;) {
		changed = false;
		for (u32 s = iv->seg.n; s-- > 0;) {
			u32 v = iv->seg.p[s].value;
			if (iv->value.p[v].inst || is[v] == v)
				continue;
			MirBlockId b = {block_of_slot(search, iv->seg.p[s].start)};
			u32        met = UNDECIDED;
			/* From a predecessor where it is not defined comes no value at all: they meet here. */
			mir_each_pred(f, b, e) {
				u32 from = by_block[e->from] ? is[iv->seg.p[by_block[e->from] - 1].value] : v;
				if (from == UNDECIDED || from == met)
					continue;
				met = met == UNDECIDED ? from : v;
			}
			if (met != is[v]) {
				is[v] = met;
				changed = true;
			}
		}
	}
	for (u32 s = 0; s < iv->seg.n; s++) {
		u32 v = iv->seg.p[s].value;
		if (is[v] != UNDECIDED)
			iv->seg.p[s].value = root(is, v);
		u32 b = block_of_slot(search, iv->seg.p[s].start);
		by_block[b] = 0;
	}
}

/* Rising order; neighbours that touch and hold the same value become one. */
static void segments_finish(MirInterval *iv)
{
	for (u32 i = 0; i < iv->seg.n / 2; i++) {
		MirSegment t = iv->seg.p[i];
		iv->seg.p[i] = iv->seg.p[iv->seg.n - 1 - i];
		iv->seg.p[iv->seg.n - 1 - i] = t;
	}
	u32 n = 0;
	for (u32 i = 0; i < iv->seg.n; i++) {
		MirSegment s = iv->seg.p[i];
		if (n && iv->seg.p[n - 1].end == s.start && iv->seg.p[n - 1].value == s.value)
			iv->seg.p[n - 1].end = s.end;
		else
			iv->seg.p[n++] = s;
	}
	iv->seg.n = n;
}

MirIntervals mir_intervals_new(const MirFunc *f, Bitset regs, Arena *a)
{
	u32          n = 1 + bitset_count(regs);
	MirIntervals out = {
		.arena = a,
		.of = arena_array(a, MirInterval, n),
		.index = arena_array(a, u32, f->vreg.n),
		.slot = arena_array(a, u32, f->inst.n),
		.block_start = arena_array(a, u32, f->block.n),
		.block_end = arena_array(a, u32, f->block.n),
	};
	bitset_each(regs, r)
		out.index[r] = ++out.n;
	Arena scratch;
	arena_init(&scratch, a->budget);
	MirLive live = mir_live_of(f, regs, &scratch);
	Build   b = {f, &live, &out, regs, arena_array(&scratch, u32, n), SLOT_STEP * (f->inst.n + f->n_blocks + 1)};
	for (MirBlockId blk = {f->last_block}; blk.i; blk.i = mir_block(f, blk)->prev)
		interval_block(&b, blk);
	Search search = search_new(f, &out, &scratch);
	u32   *by_block = arena_array(&scratch, u32, f->block.n);
	for (u32 k = 1; k < n; k++) {
		values_resolve(f, &out, &out.of[k], &search, by_block, &scratch);
		segments_finish(&out.of[k]);
	}
	arena_free(&scratch);
	return out;
}

const MirSegment *mir_interval_at(const MirInterval *iv, u32 slot)
{
	u32 low = 0, high = iv->seg.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (slot < iv->seg.p[mid].start)
			high = mid;
		else if (slot >= iv->seg.p[mid].end)
			low = mid + 1;
		else
			return &iv->seg.p[mid];
	}
	return NULL;
}

bool mir_intervals_overlap(const MirInterval *a, const MirInterval *b)
{
	for (u32 i = 0, k = 0; i < a->seg.n && k < b->seg.n;) {
		const MirSegment *x = &a->seg.p[i], *y = &b->seg.p[k];
		if (x->end <= y->start)
			i++;
		else if (y->end <= x->start)
			k++;
		else
			return true;
	}
	return false;
}
