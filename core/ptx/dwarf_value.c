/* dwarf_value.c: where each variable is at each position of a function, out of the entries of mir/debug.h.
 *
 *	entry: x is in %5                    x: %r2 from here
 *	%5 = ADD …                           … the next iteration's: x is nowhere
 *	entry: x is 7                        x: 7 from here
 *
 * An entry holds if its register has the value at that place: the register has one definition, which dominates the place or
 * is still to come, in which case the entry holds from there on; or the last definition of it in the block is the one that the entry
 * names; or there is none in the block, and the entry stands at the head with the phis that defined it. Where an instruction
 * gives the register another value, the variable is nowhere until the next entry ("optimised out"), which is said rather than a
 * value that may be wrong.
 *
 * A variable may be in pieces: records that name some of its bits (DW_OP_LLVM_fragment) speak of a part, and end what was said of
 * parts that overlap it. Where several parts are known, the variable is a list of pieces.
 *
 * Forward dataflow over blocks: a part is where all predecessors agree that it is. What a block begins with changes at most
 * twice for each part; above MAX_STATES nothing is known across blocks. */
#include "base/hash.h"
#include "base/sort.h"
#include "isa/isa.h"
#include "mir/cfg.h"
#include "mir/debug.h"
#include "ptx/dwarf.h"

enum { MAX_STATES = 1 << 22, UNSEEN = ~0u };

typedef struct Last {
	u32 def;   /* MirInstId */
	u32 block; /* good for this one */
} Last;

typedef struct Flow {
	Dwarf   *d;
	DwPlan  *p;
	MirFunc *f;
	u32      n;       /* parts of variables */
	u32     *in;      /* by block the state: UNSEEN where no walk has come by; NULL: nothing is known across blocks */
	u32     *now;     /* the state: by part its value, */
	u32     *coming;  /* and the one that it has from the definition of a register on; 0: none */
	Bitset   watched; /* registers that an entry names */
	Last    *last;    /* by register */
	Map      value_of;
	u32     *open; /* by part, in the last walk: where its range begins */
	bool     record;
} Flow;

/* ---- values ---- */

static u32 value_index(Flow *w, DwValue x)
{
	u64 h = hash_mix(hash_mix(x.kind, x.reg), x.bits);
	for (;; h = hash_u64(h + 1)) {
		bool fresh;
		u64 *at = map_put(&w->value_of, h, &fresh);
		if (fresh) {
			vec_push(w->d->a->arena, &w->p->value, x);
			*at = w->p->value.n - 1;
			return w->p->value.n - 1;
		}
		const DwValue *y = &w->p->value.p[*at];
		if (y->kind == x.kind && y->reg == x.reg && y->bits == x.bits &&
		    dw_same_expression(w->d, y->expression, x.expression))
			return (u32)*at;
	}
}

static u32 variable_of(const Flow *w, const MirDebugEntry *e)
{
	IrMd at = dw_node(w->d, (IrMd){e->loc}, "inlinedAt");
	return (u32)map_or(&w->p->variable_of, (u64)e->variable << 32 | at.i, 0) - 1;
}

/* The part that an entry speaks of; ~0u: of no variable that is known. */
static u32 part_of(Flow *w, const MirDebugEntry *e)
{
	u32 v = variable_of(w, e);
	u64 offset = 0, size = 0;
	if (v == ~0u)
		return v;
	dw_fragment(w->d, (IrMd){e->expression}, &offset, &size);
	DwVariable *x = &w->p->variable.p[v];
	for (u32 k = x->part; k != ~0u; k = w->p->part.p[k].next)
		if (w->p->part.p[k].offset == offset && w->p->part.p[k].size == size)
			return k;
	vec_push(w->d->a->arena, &w->p->part,
	         ((DwPart){.variable = v, .next = x->part, .offset = offset, .size = size, .expression = {e->expression}}));
	x->part = w->p->part.n - 1;
	return x->part;
}

static bool overlap(const DwPart *x, const DwPart *y)
{
	return !x->size || !y->size || (x->offset < y->offset + y->size && y->offset < x->offset + x->size);
}

/* Does the register have the entry's value there? *later: from its definition on, which has been moved behind it. */
static bool holds(Flow *w, const MirDebugEntry *e, bool *later)
{
	MirReg      r = {e->reg};
	MirInstId   def = mir_def_inst(w->f, r);
	const Last *last = &w->last[r.i];
	if (def.i) {
		const MirCfg *cfg = w->d->a->cfg;
		u32           from = mir_inst(w->f, def)->block;
		*later = from == e->block ? last->block != e->block
		                          : !dom_dominates(mir_dom(w->d->a->cx), cfg->node[from], cfg->node[e->block]);
		return true;
	}
	if (!mir_vreg(w->f, r)->n_defs)
		return false;
	return last->block == e->block ? last->def == e->def : !e->def && e->home == e->block;
}

/* ---- one block ---- */

/* A parameter that is first said to be no register: so that it is there where the function is entered, before that is said. */
static bool begins_function(const Flow *w, u32 part)
{
	const DwPart     *x = &w->p->part.p[part];
	const DwVariable *v = &w->p->variable.p[x->variable];
	return !x->noted && !v->at.i && !v->scope && w->p->value.p[w->now[part]].kind > MIR_DEBUG_REG &&
	       dw_int(w->d, v->node, "arg");
}

/* `behind`: the instruction in front of the position is why. */
static void set(Flow *w, u32 v, u32 value, u32 position, bool behind)
{
	DwPart *x = &w->p->part.p[v];
	if (w->now[v] == value)
		return;
	if (w->record && w->now[v] && position > w->open[v])
		vec_push(w->d->a->arena, &x->range, ((DwRange){w->open[v], position, w->now[v], behind}));
	w->now[v] = value;
	w->open[v] = w->record && begins_function(w, v) ? 0 : position;
}

static void note(Flow *w, u32 position, u32 v, u32 value)
{
	if (!w->record)
		return;
	vec_push(w->d->a->arena, &w->p->note, ((DwNote){position, v, value}));
	w->p->part.p[v].noted = true;
}

/* What was said of bits of which something else is said now. */
static void end_others(Flow *w, u32 part, u32 position)
{
	const DwPart *x = &w->p->part.p[part];
	for (u32 k = w->p->variable.p[x->variable].part; k != ~0u; k = w->p->part.p[k].next)
		if (k != part && overlap(x, &w->p->part.p[k])) {
			set(w, k, 0, position, false);
			w->coming[k] = 0;
		}
}

/* Bits of a variable that is in memory are said to be there, which is known already. */
static bool is_known(const Flow *w, const MirDebugEntry *e, u32 part)
{
	const DwPart *x = &w->p->part.p[part];
	if (e->kind != MIR_DEBUG_FRAME || !(e->bits & 1) || !x->size)
		return false;
	for (u32 k = w->p->variable.p[x->variable].part; k != ~0u; k = w->p->part.p[k].next) {
		const DwValue *all = &w->p->value.p[w->now[k]];
		if (!w->p->part.p[k].size)
			return all->kind == MIR_DEBUG_FRAME && all->bits & 1 && all->reg == e->reg &&
			       all->bits + (x->offset / 8 << 1) == e->bits;
	}
	return false;
}

static void source_label(Flow *w, const MirDebugEntry *e, u32 position)
{
	DwPlan *p = w->p;
	IrMd    node = {e->variable}, at = dw_node(w->d, (IrMd){e->loc}, "inlinedAt");
	bool    fresh;
	if (!w->record || !str_is(dw_kind(w->d, node), "DILabel"))
		return;
	*map_put(&p->variable_of, (u64)node.i << 32 | at.i, &fresh) = 1;
	if (!fresh)
		return;
	u32 scope = dw_scope_of(w->d, p, dw_node(w->d, node, "scope"), at);
	vec_push(w->d->a->arena, &p->source_label, ((DwSourceLabel){node, at, position}));
	vec_push(w->d->a->arena, &p->note, ((DwNote){position, ~0u, p->source_label.n - 1}));
	dw_want_label(p, position, DW_LABEL_BEFORE);
	if (scope != ~0u)
		vec_push(w->d->a->arena, &p->scope.p[scope].label, p->source_label.n - 1);
}

static void entries(Flow *w, MirBlockId b, MirInstId before, u32 position)
{
	for (u32 id = mir_debug_first(w->f, b, before); id;) {
		const MirDebugEntry *e = mir_debug_entry(w->f, id);
		bool                 later = false;
		id = e->next;
		if (e->kind == MIR_DEBUG_LABEL) {
			source_label(w, e, position);
			continue;
		}
		u32 v = part_of(w, e), value = 0;
		if (v == ~0u || is_known(w, e, v))
			continue;
		end_others(w, v, position);
		if (e->kind != MIR_DEBUG_NOWHERE && (e->kind != MIR_DEBUG_REG || holds(w, e, &later)))
			value = value_index(w, (DwValue){e->kind, e->reg, e->bits, {e->expression}});
		w->coming[v] = later ? value : 0;
		bool say = !later && (w->now[v] != value || !w->p->part.p[v].noted);
		set(w, v, later ? 0 : value, position, false);
		if (say)
			note(w, position, v, value);
	}
}

static void defined(Flow *w, MirReg r, MirInstId by, u32 position)
{
	w->last[r.i] = (Last){by.i, mir_inst(w->f, by)->block};
	for (u32 v = 0; v < w->n; v++) {
		const DwValue *x = &w->p->value.p[w->now[v]], *y = &w->p->value.p[w->coming[v]];
		if (w->now[v] && x->kind == MIR_DEBUG_REG && x->reg == r.i)
			set(w, v, 0, position, true);
		if (w->coming[v] && y->reg == r.i) {
			set(w, v, w->coming[v], position, true);
			note(w, position, v, w->coming[v]);
			w->coming[v] = 0;
		}
	}
}

static void walk_block(Flow *w, MirBlockId b, u32 position)
{
	MirFunc *f = w->f;
	mir_each_inst(f, b, i) {
		position = w->p->position[i.i];
		entries(w, b, i, position);
		position += !mir_is(f, i, IF_META);
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++) {
			const MirOp *o = mir_op(f, i, k);
			if (mir_op_is_def(o) && mir_is_virt(mir_op_reg(o)) && bitset_has(w->watched, o->ref))
				defined(w, mir_op_reg(o), i, position);
		}
	}
	entries(w, b, (MirInstId){0}, position);
}

/* ---- all of them ---- */

static u32 *state(const Flow *w, MirBlockId b) { return w->in + (u64)w->d->a->cfg->node[b.i] * 2 * w->n; }

static bool meet(const Flow *w, MirBlockId b)
{
	u32 *in = state(w, b);
	bool changed = false;
	for (u32 v = 0; v < 2 * w->n; v++) {
		u32 to = in[v] == UNSEEN || in[v] == w->now[v] ? w->now[v] : 0;
		changed |= to != in[v];
		in[v] = to;
	}
	return changed;
}

static void enter(Flow *w, MirBlockId b)
{
	for (u32 v = 0; v < 2 * w->n; v++)
		w->now[v] = w->in && state(w, b)[v] != UNSEEN ? state(w, b)[v] : 0;
}

static void solve(Flow *w)
{
	MirFunc *f = w->f;
	bool     changed = w->in != NULL && w->n;
	while (changed) {
		changed = false;
		mir_each_block(f, b) {
			if (state(w, b)[0] == UNSEEN)
				continue;
			enter(w, b);
			walk_block(w, b, 0);
			mir_each_succ(f, b, e)
				changed |= meet(w, (MirBlockId){e->to});
		}
	}
}

/* Ranges go on over blocks that follow each other in the layout. */
static void make_ranges(Flow *w)
{
	MirFunc *f = w->f;
	u32      position = 0;
	w->record = true;
	for (u32 v = 0; v < w->n; v++)
		w->now[v] = 0;
	mir_each_block(f, b) {
		if (mir_block(f, b)->first)
			position = w->p->position[mir_block(f, b)->first];
		for (u32 v = 0; v < w->n; v++) {
			u32 in = w->in ? state(w, b)[v] : 0;
			in = in == UNSEEN ? 0 : in;
			set(w, v, in, position, false);
			if (in)
				note(w, position, v, in);
			in = w->in ? state(w, b)[w->n + v] : 0;
			w->coming[v] = in == UNSEEN ? 0 : in;
		}
		walk_block(w, b, position);
		if (mir_block(f, b)->last)
			position =
				w->p->position[mir_block(f, b)->last] + !mir_is(f, (MirInstId){mir_block(f, b)->last}, IF_META);
		for (u32 v = 0; v < w->n && mir_block(f, b)->next; v++) /* registers are said anew for each block */
			if (w->p->value.p[w->now[v]].kind == MIR_DEBUG_REG)
				set(w, v, 0, position, true);
	}
	for (u32 v = 0; v < w->n; v++)
		set(w, v, 0, w->p->n, false);
}

/* ---- pieces ---- */

typedef struct Piece {
	u64 offset;
	u32 value;
} Piece;

static int by_offset(const void *a, const void *b, void *user)
{
	const Piece *x = a, *y = b;
	(void)user;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_number(const void *a, const void *b, void *user)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	(void)user;
	return x < y ? -1 : x > y;
}

static bool same_pieces(const DwPlan *p, u32 value, const Piece *piece, u32 n)
{
	const DwValue *x = &p->value.p[value];
	if (x->kind != DW_PIECES || x->bits != n)
		return false;
	for (u32 i = 0; i < n; i++)
		if (p->piece.p[x->reg + i] != piece[i].value)
			return false;
	return true;
}

/* The parts that are known from `begin` on become one range. */
static void join_at(Flow *w, DwVariable *v, u32 begin, u32 end, u32 *next)
{
	Arena  *a = w->d->a->arena;
	DwPlan *p = w->p;
	Vec(Piece) piece = {0};
	for (u32 k = v->part; k != ~0u; k = p->part.p[k].next) {
		const DwPart *x = &p->part.p[k];
		while (next[k] < x->range.n && x->range.p[next[k]].end <= begin)
			next[k]++;
		if (next[k] < x->range.n && x->range.p[next[k]].begin <= begin)
			vec_push(a, &piece, ((Piece){x->offset, x->range.p[next[k]].value}));
	}
	if (!piece.n)
		return;
	sort_stable(a, piece.p, piece.n, sizeof(Piece), by_offset, NULL);
	DwRange *last = v->range.n ? &vec_last(&v->range) : NULL;
	u64      offset, size;
	bool     whole = !dw_fragment(w->d, p->value.p[piece.p[0].value].expression, &offset, &size);
	if (last && last->end == begin &&
	    (whole ? last->value == piece.p[0].value : same_pieces(p, last->value, piece.p, piece.n))) {
		last->end = end;
		return;
	}
	u32 value = piece.p[0].value;
	if (!whole) {
		value = p->value.n;
		vec_push(a, &p->value, ((DwValue){.kind = DW_PIECES, .reg = p->piece.n, .bits = piece.n}));
		for (u32 i = 0; i < piece.n; i++)
			vec_push(a, &p->piece, piece.p[i].value);
	}
	vec_push(a, &v->range, ((DwRange){begin, end, value, false}));
}

/* Of the ranges of its parts those of the variable. */
static void join_parts(Flow *w, DwVariable *v, u32 *next)
{
	Arena *a = w->d->a->arena;
	VecU32 edge = {0};
	for (u32 k = v->part; k != ~0u; k = w->p->part.p[k].next)
		for (u32 i = 0; i < w->p->part.p[k].range.n; i++) {
			vec_push(a, &edge, w->p->part.p[k].range.p[i].begin);
			vec_push(a, &edge, w->p->part.p[k].range.p[i].end);
		}
	sort_stable(a, edge.p, edge.n, sizeof(u32), by_number, NULL);
	for (u32 i = 0; i + 1 < edge.n; i++)
		if (edge.p[i] < edge.p[i + 1])
			join_at(w, v, edge.p[i], edge.p[i + 1], next);
}

/* Where nothing of its scope is executed, nobody asks for a variable. */
static void leave_scope(const DwPlan *p, DwPart *x)
{
	const DwVariable *v = &p->variable.p[x->variable];
	u32               kept = 0;
	if (!v->scope || v->scope == ~0u)
		return;
	for (u32 i = 0; i < x->range.n; i++)
		if (x->range.p[i].end > p->scope.p[v->scope].begin && x->range.p[i].begin < p->scope.p[v->scope].end)
			x->range.p[kept++] = x->range.p[i];
	x->range.n = kept;
}

/* Where ranges begin and end, and where a variable is said to be nowhere. */
static void want_labels(DwPlan *p)
{
	for (u32 k = 0; k < p->part.n; k++)
		for (u32 i = 0; i < p->part.p[k].range.n; i++) {
			const DwRange *r = &p->part.p[k].range.p[i];
			dw_want_label(p, r->begin, DW_LABEL_BEFORE);
			if (r->end < p->n)
				dw_want_label(p, r->end, r->behind ? DW_LABEL_BEHIND : DW_LABEL_BEFORE);
		}
	for (u32 i = 0; i < p->note.n; i++)
		if (p->note.p[i].part != ~0u && !p->note.p[i].value)
			dw_want_label(p, p->note.p[i].position, DW_LABEL_BEFORE);
}

void dw_find_values(Dwarf *d, DwPlan *p)
{
	Arena   *a = d->a->arena;
	MirFunc *f = d->a->f;
	Flow     w = {.d = d, .p = p, .f = f};
	vec_push(a, &p->value, ((DwValue){0}));
	if (!f->debug)
		return;
	for (u32 e = 1; e < f->debug->entry.n; e++)
		if (mir_debug_entry(f, e)->kind != MIR_DEBUG_LABEL)
			part_of(&w, mir_debug_entry(f, e));
	w.n = p->part.n;
	w.now = arena_array(a, u32, (u64)2 * w.n);
	w.coming = w.now + w.n;
	w.open = arena_array(a, u32, w.n);
	w.watched = bitset_new(a, mir_vregs(f) + 1);
	w.last = arena_array(a, Last, mir_vregs(f) + 1);
	map_init(&w.value_of, a);
	for (u32 e = 1; e < f->debug->entry.n; e++)
		if (mir_debug_entry(f, e)->kind == MIR_DEBUG_REG)
			bitset_add(w.watched, mir_debug_entry(f, e)->reg);
	u64 states = (u64)f->n_blocks * 2 * w.n;
	if (states <= MAX_STATES) {
		w.in = arena_array(a, u32, states);
		for (u64 i = 0; i < states; i++)
			w.in[i] = i < 2 * w.n ? 0 : UNSEEN; /* the entry: nowhere */
	}
	solve(&w);
	make_ranges(&w);
	u32 *next = arena_array(a, u32, w.n);
	for (u32 k = 0; k < p->part.n; k++)
		leave_scope(p, &p->part.p[k]);
	want_labels(p);
	for (u32 v = 0; v < p->variable.n; v++)
		join_parts(&w, &p->variable.p[v], next);
}
