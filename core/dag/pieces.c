/* pieces.c: a long block goes through selection piece by piece.
 *
 *	block of 10,000 instructions ─▶ pieces of half the limit to the limit: each a graph of its own, one behind
 *	                                the other in the same machine block
 *
 * A graph that no longer fits the caches makes every stage slow, and its nodes are the largest records there
 * are. A piece ends between two instructions; what later pieces read of it gets registers as what leaves the
 * block does, and all of its chains end in its root, so memory and side effects keep their order. Folding does
 * not see over a border: it is put where the fewest values that have no register yet are alive.
 *
 * The piece of an instruction is kept in DagValues.first until it is built. Linear in the block's instructions
 * and uses. */
#include "dag/func.h"

static u32 *number_of(DagFunc *f, IrRef inst) { return &f->mod->insts.first[ir_index(inst)]; }

/* Something to put in a register that it does not have yet. */
static bool wants_register(DagFunc *f, IrRef inst)
{
	const IrInst *i = ir_inst(f->m, inst);
	IrTypeKind    k = ir_type_kind(f->m, i->type);
	return i->op != IR_PHI && k != IRT_VOID && k != IRT_TOKEN && !f->mod->insts.frame[ir_index(inst)] && !f->mod->insts.reg[ir_index(inst)];
}

/* The highest number among the users in the block; 0: none. */
static u32 last_user(DagFunc *f, IrRef block, IrRef inst)
{
	u32 last = 0;
	ir_each_use(f->m, inst, u) {
		IrRef user = ir_use(f->m, u)->user;
		if (ir_kind(user) == IR_INST && ir_same(ir_inst(f->m, user)->block, block))
			last = PS_MAX(last, *number_of(f, user));
	}
	return last;
}

/* By place: how many values without a register are alive in front of the instruction there. Places count from 1. */
static u32 *count_alive(DagFunc *f, IrRef block, Arena *a, u32 n)
{
	u32 *alive = arena_array(a, u32, n + 2), place = 0;
	ir_each_inst(f->m, block, i)
		*number_of(f, i) = ir_inst(f->m, i)->op == IR_PHI ? 0 : ++place;
	ir_each_inst(f->m, block, i) {
		u32 at = *number_of(f, i), last = wants_register(f, i) ? last_user(f, block, i) : 0;
		if (last > at) {
			alive[at + 1]++;
			alive[last + 1]--; /* the sum is never negative */
		}
	}
	for (u32 i = 1; i <= n; i++)
		alive[i] += alive[i - 1];
	return alive;
}

/* The place that begins the piece behind the one that begins at `from`; n + 1: there is none. A last piece is no
 * scrap: the terminator and its condition stay together. */
static u32 next_border(const u32 *alive, u32 from, u32 n, u32 limit)
{
	u32 left = n + 1 - from;
	if (left <= limit)
		return n + 1;
	u32 last = from + PS_MIN(limit, left - limit / 4), best = last;
	for (u32 at = last; at > from && at >= from + limit / 2; at--)
		if (alive[at] < alive[best])
			best = at;
	return best;
}

static void number_pieces(DagFunc *f, IrRef block, const u32 *alive, u32 n, u32 limit)
{
	u32 border = next_border(alive, 1, n, limit), piece = 0;
	ir_each_inst(f->m, block, i) {
		u32 *number = number_of(f, i);
		if (*number == border) {
			piece++;
			border = next_border(alive, border, n, limit);
		}
		*number = piece;
	}
	f->n_pieces = piece + 1;
}

static bool is_longer(DagFunc *f, IrRef block, u32 limit, u32 *n)
{
	*n = 0;
	ir_each_inst(f->m, block, i)
		*n += ir_inst(f->m, i)->op != IR_PHI;
	return *n > limit;
}

void dag_cut_block(DagFunc *f, IrRef block)
{
	u32 limit = (u32)knob_int(f->s, KNOB_isel_piece_limit), n;
	f->piece = 0;
	f->n_pieces = 1;
	if (!limit || !is_longer(f, block, limit, &n))
		return;
	Arena a;
	arena_init(&a, &f->s->budget);
	number_pieces(f, block, count_alive(f, block, &a, n), n, limit);
	arena_free(&a);
	ir_each_inst(f->m, block, i) {
		f->line_of = i;
		if (wants_register(f, i) && last_user(f, block, i) > *number_of(f, i))
			dag_export_reg(f, i);
	}
	f->line_of = IR_NO_REF;
}

bool dag_piece_has(DagFunc *f, IrRef inst) { return f->n_pieces == 1 || *number_of(f, inst) == f->piece; }
