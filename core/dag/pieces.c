/* pieces.c: divides a long block into pieces, each of which is selected as a graph of its own.
 *
 *	block of 10,000 instructions ─▶ pieces of half the limit to the limit, one behind the other in one machine block
 *
 * A graph that exceeds the processor's caches makes every stage slow, as nodes are the largest records of selection. A piece
 * ends between two instructions. Values that later pieces read get registers, as values that leave the block do, and all chains
 * of a piece end in its root, so memory accesses and side effects keep their order. Nothing is folded across a border, so it is
 * put where the fewest values without registers are live.
 *
 * A value that costs nothing gets no register: a sum of a pointer and a constant, which is part of the address that uses it, and
 * casts without effect. Each piece makes its own from the value at the root of the chain, which lives as long as its last reader:
 *
 *	%g = gep %p, 16; %h = gep %g, 4; load %h      piece 1     [%p + 20]
 *	store %v, %h                                  piece 2     [%p + 20], and not [%h] with %h in a register from here to there
 *
 * Each piece's end is chosen when the piece is reached, from the instructions within the limit, which then are in the caches.
 * Until an instruction is built, DagHome.first is its place in the block. Linear in the block's instructions and uses. */
#include "dag/func.h"

enum { WHOLE_BLOCK = 0xFFFFFFFF };

static u32 *place_of(DagFunc *f, IrRef inst) { return &dag_home(f, inst)->first; }

/* ---- values that cost nothing ---- */

static bool is_scalar(DagFunc *f, IrRef v)
{
	IrTypeKind k = ir_type_kind(f->m, ir_type_of(f->m, v));
	return k == IRT_PTR || k == IRT_INT;
}

/* Is it its first operand, `offset` further on? */
static bool is_moved_operand(DagFunc *f, IrRef inst, i64 *offset)
{
	*offset = 0;
	switch (ir_inst(f->m, inst)->op) {
	case IR_GETELEMENTPTR: return is_scalar(f, inst) && ir_gep_offset(f->m, inst, offset);
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR:
	case IR_BITCAST: {
		IrRef v = ir_op(f->m, inst, 0);
		return is_scalar(f, inst) && is_scalar(f, v) &&
		       dag_vt_of(f, ir_inst(f->m, inst)->type) == dag_vt_of(f, ir_type_of(f->m, v));
	}
	default: return false;
	}
}

const DagFree *dag_free_value(const DagFunc *f, IrRef r)
{
	const u64 *at = f->free.n && ir_kind(r) == IR_INST ? map_get(&f->free_of, r.i) : NULL;
	return at ? &f->free.p[*at] : NULL;
}

static void note_free(DagFunc *f, IrRef inst)
{
	DagFree x = {.base = ir_op(f->m, inst, 0), .flags = IRF_NUW};
	if (!f->optimize || !is_moved_operand(f, inst, &x.offset))
		return;
	if (x.offset)
		x.flags &= (u16)ir_inst(f->m, inst)->flags;
	const DagFree *base = dag_home(f, inst)->reg ? NULL : dag_free_value(f, x.base);
	if (base) {
		x.base = base->base;
		x.offset = (i64)((u64)x.offset + (u64)base->offset);
		x.flags &= base->flags;
	}
	map_set(&f->free_of, inst.i, f->free.n);
	vec_push(f->arena, &f->free, x);
}

/* ---- values that live on ---- */

/* Does the instruction have a value that would need a register at a border, and has none? */
static bool wants_register(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	IrTypeKind    k = ir_type_kind(f->m, i->type);
	return i->op != IR_PHI && k != IRT_VOID && k != IRT_TOKEN && !dag_home(f, inst)->frame && !dag_home(f, inst)->reg &&
	       !dag_free_value(f, inst);
}

/* The last place in the block where the value is read, or one that is made of it; 0: none. */
static u32 last_read(DagFunc *f, IrRef value)
{
	u32 last = 0;
	f->walk.n = 0;
	vec_push(f->arena, &f->walk, value.i);
	while (f->walk.n) {
		IrRef v = {vec_pop(&f->walk)};
		ir_each_use(f->m, v, u) {
			IrRef user = ir_use(f->m, u)->user;
			if (ir_kind(user) != IR_INST || !ir_same(ir_inst(f->m, user)->block, f->cut))
				continue;
			last = PS_MAX(last, *place_of(f, user));
			if (dag_free_value(f, user) && !dag_home(f, user)->reg)
				vec_push(f->arena, &f->walk, user.i);
		}
	}
	return last;
}

bool dag_lives_on(DagFunc *f, IrRef value) { return f->piece_end != WHOLE_BLOCK && last_read(f, value) >= f->piece_end; }

/* ---- borders ---- */

static bool is_longer(DagFunc *f, IrRef block, u32 limit)
{
	u32 n = 0;
	for (IrRef i = ir_block(f->m, block)->first; !ir_is_none(i) && n <= limit; i = ir_inst(f->m, i)->next)
		n += ir_inst(f->m, i)->op != IR_PHI;
	return n > limit;
}

void dag_cut_block(DagFunc *f, IrRef block)
{
	u32 limit = (u32)knob_int(f->s, KNOB_isel_piece_limit), place = 0;
	f->piece = f->n_places = f->free.n = 0;
	f->piece_end = WHOLE_BLOCK;
	if (!limit || !is_longer(f, block, limit))
		return;
	f->cut = block;
	map_init(&f->free_of, f->arena);
	ir_each_inst(f->m, block, i) {
		*place_of(f, i) = ir_inst(f->m, i)->op == IR_PHI ? 0 : ++place;
		note_free(f, i);
	}
	f->n_places = place;
	f->piece_end = 1;
}

/* The border at which the fewest values are live, half a limit or more behind `from` and at most at `last`. `until`: for each
 * place from `from` on, where its value is last read. */
static u32 best_border(const u32 *until, u32 from, u32 last, u32 limit, Arena *a)
{
	u32 *ends = arena_array(a, u32, last + 2 - from), alive = 0, best = last, fewest = ~0u;
	for (u32 at = from; at < last; at++) {
		if (until[at - from] > at) {
			alive++;
			ends[PS_MIN(until[at - from], last) - from]++;
		}
		/* The border is in front of at + 1: values that are read there are live. */
		bool may = at + 1 > from && at + 1 >= from + limit / 2;
		if (may && alive <= fewest) {
			fewest = alive;
			best = at + 1;
		}
		alive -= at + 1 < last ? ends[at + 1 - from] : 0;
	}
	return best;
}

void dag_next_piece(DagFunc *f, IrRef first)
{
	u32 limit = (u32)knob_int(f->s, KNOB_isel_piece_limit), from = f->piece_end;
	if (f->piece_end == WHOLE_BLOCK)
		return;
	while (ir_inst(f->m, first)->op == IR_PHI)
		first = ir_inst(f->m, first)->next;
	u32 left = f->n_places + 1 - from;
	f->piece_end = f->n_places + 1;
	if (left <= limit)
		return;
	u32   last = from + PS_MIN(limit, left - limit / 4);
	Arena a;
	arena_init(&a, &f->s->budget);
	u32  *until = arena_array(&a, u32, last - from);
	IrRef i = first;
	for (u32 at = from; at < last; at++, i = ir_inst(f->m, i)->next)
		until[at - from] = wants_register(f, i) ? last_read(f, i) : 0;
	f->piece_end = best_border(until, from, last, limit, &a);
	i = first;
	for (u32 at = from; at < f->piece_end; at++, i = ir_inst(f->m, i)->next) {
		f->line_of = i;
		if (until[at - from] >= f->piece_end)
			dag_export_reg(f, i);
	}
	f->line_of = IR_NO_REF;
	arena_free(&a);
}

bool dag_piece_has(DagFunc *f, IrRef inst) { return f->piece_end == WHOLE_BLOCK || *place_of(f, inst) < f->piece_end; }
