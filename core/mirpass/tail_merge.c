/* tail_merge.c: equal ends of blocks become one block, for branch-folder.
 *
 *	bb.1: … a; b; c; bra %bb.3            bb.1: …
 *	bb.2: … a; b; c; bra %bb.3     →      bb.4: a; b; c; bra %bb.3
 *	                                      bb.2: … bra %bb.4
 *
 * Two blocks have a common tail when they go on to the same block, or both return, and their last instructions are equal: the same
 * opcodes and operands, where registers that occur nowhere but in the tail may have different names. The tail becomes a block
 * behind the first of the two, and the second one jumps to it; where one of the two is nothing but the tail, the other jumps to
 * that.
 *
 * Blocks that go back to the header of their loop take no part, so no loop gets another number of ways back. A block with one
 * successor is in the loops of that, unless it is the first to enter one; of two such blocks neither can then be in a loop that the
 * other is not in. So every cycle through the new block had its header before, which dominates both blocks: a reducible graph
 * stays so, and no region gets a second entry. Convergent operations, calls, inline asm and what else has side effects beyond
 * memory end a tail: it begins behind them.
 *
 * Blocks with the same target and last instructions meet in a table; each is compared with the MOST_COMPARED newest of
 * them. Cost: the instructions of the tails, times that. */
#include "base/hash.h"
#include "base/map.h"
#include "mir/cfg.h"
#include "mirpass/mirpass.h"

enum { MOST_COMPARED = 4 };

typedef struct Entry {
	MirBlockId block;
	u32        next; /* in its bucket */
} Entry;

/* A register of the first tail, and the one of the second that stands for it. */
typedef struct Pair {
	u32 to;
	u32 left; /* occurrences that have not been met yet */
} Pair;

typedef struct Merger {
	PassCx       *cx;
	MirFunc      *f;
	const MirCfg *cfg;
	const Loops  *loops;
	u32           least;
	u64          *key;    /* by block; 0: it takes no part */
	Map           bucket; /* key → 1 + index of the newest entry */
	Map           there;  /* register of the first tail → 1 + index of pair */
	Map           back;   /* register of the second tail → that of the first */
	Vec(Entry) entry;
	Vec(Pair) pair;
	u32  open; /* pairs that occur outside of what has been compared */
	bool changed;
} Merger;

/* ---- which instructions, which blocks ---- */

static bool may_merge(const MirFunc *f, MirInstId i)
{
	const u32 never = IF_CONVERGENT | IF_CALL | IF_SIDE_EFFECTS | IF_META | IF_PHI | IF_VARIADIC | IF_TERMINATOR;
	return !mir_is(f, i, never) && !(mir_inst(f, i)->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP));
}

static MirInstId last_of_body(const MirFunc *f, MirBlockId b)
{
	MirInstId end = mir_first_terminator(f, b);
	return end.i ? mir_prev(f, end) : (MirInstId){mir_block(f, b)->last};
}

/* A register whose only definition is in another block is the same in equal tails; others may have two names. */
static u64 name_of(const MirFunc *f, MirInstId i, MirReg r)
{
	MirInstId def = mir_is_virt(r) ? mir_def_inst(f, r) : i;
	return def.i && mir_inst(f, def)->block != mir_inst(f, i)->block ? r.i : 0;
}

static u64 hash_shape(const MirFunc *f, MirInstId i)
{
	u64 h = hash_mix(mir_inst(f, i)->desc, mir_inst(f, i)->n_ops);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		h = o->kind == MO_REG ? hash_mix(h, name_of(f, i, mir_op_reg(o))) : hash_mix(h, (u64)o->ref << 32 ^ (u64)o->imm);
	}
	return h;
}

/* Blocks that may share a tail have one key; false: the block takes no part. */
static bool key_of(const MirFunc *f, MirBlockId b, u32 least, u64 *key)
{
	const MirBlock *mb = mir_block(f, b);
	MirInstId       end = mir_first_terminator(f, b), i = last_of_body(f, b);
	if (mb->n_succs) {
		u32 to = mir_edge(f, (MirEdgeId){mb->succ})->to;
		if (mb->n_succs > 1 || mir_block(f, (MirBlockId){to})->n_preds < 2) /* nobody else goes there */
			return false;
		MirBranch br = mirpass_branch(f, b);
		if (!br.known || br.cond.i)
			return false;
		*key = hash_u64(to);
	} else {
		if (!end.i || mir_next(f, end).i || !mir_is(f, end, IF_BARRIER) || mir_is(f, end, IF_CONVERGENT))
			return false;
		*key = hash_mix(~(u64)0, hash_shape(f, end));
	}
	for (u32 k = 0; k < least; k++, i = mir_prev(f, i)) {
		if (!i.i || !may_merge(f, i))
			return false;
		*key = hash_mix(*key, hash_shape(f, i));
	}
	return true;
}

static bool goes_to_header(const Merger *m, MirBlockId b)
{
	u32 edge = mir_block(m->f, b)->succ, node = m->cfg->node[b.i], loop = m->loops->of[node];
	return edge && loop != GRAPH_NONE && m->loops->loop[loop].header == m->cfg->node[mir_edge(m->f, (MirEdgeId){edge})->to];
}

/* ---- comparing ---- */

static bool same_memory(const MirFunc *f, MirInstId x, MirInstId y)
{
	const MirMem *a = mir_mem(f, x), *b = mir_mem(f, y);
	return !a == !b && (!a || (a->size == b->size && a->space == b->space && a->flags == b->flags &&
	                           a->ordering == b->ordering && a->scope == b->scope));
}

static u32 occurrences(const MirFunc *f, MirReg r) { return mir_vreg(f, r)->n_uses + mir_vreg(f, r)->n_defs; }

/* Does `y` stand for `x`? Each name for one name, the other way round too. */
static bool same_register(Merger *m, MirReg x, MirReg y)
{
	u64 *there = map_get(&m->there, x.i), *back = map_get(&m->back, y.i);
	if (there || back) {
		if (!there || !back || *back != x.i || m->pair.p[*there - 1].to != y.i)
			return false;
		Pair *p = &m->pair.p[*there - 1];
		if (x.i != y.i && !--p->left)
			m->open--;
		return true;
	}
	if (x.i != y.i &&
	    (!mir_is_virt(x) || !mir_is_virt(y) || !mir_alike(m->f, x, y) || occurrences(m->f, x) != occurrences(m->f, y)))
		return false;
	vec_push(m->cx->scratch, &m->pair, ((Pair){y.i, x.i == y.i ? 0 : occurrences(m->f, x) - 1}));
	map_set(&m->there, x.i, m->pair.n);
	map_set(&m->back, y.i, x.i);
	m->open += x.i != y.i && vec_last(&m->pair).left;
	return true;
}

/* A register with two names begins with a definition, or it would hold what the tail left in it the time before. */
static bool begins_well(const Merger *m, MirInstId x)
{
	const MirFunc *f = m->f;
	for (u32 n = 0; n < mir_inst(f, x)->n_ops; n++) {
		const MirOp *o = mir_op(f, x, n);
		if (o->kind != MO_REG)
			continue;
		const Pair *p = &m->pair.p[map_or(&m->there, o->ref, 0) - 1];
		if (p->to != o->ref && !p->left && (!mir_op_is_def(o) || mir_desc(f, x)->opc.slot[SLOT_guard]))
			return false;
	}
	return true;
}

static bool same_instruction(Merger *m, MirInstId x, MirInstId y)
{
	enum { FLAGS = MOF_DEF | MOF_UNDEF | MOF_IMPLICIT | MOF_EARLY_CLOBBER | MOF_NOT | MOF_GENERIC };
	const MirFunc *f = m->f;
	const MirInst *a = mir_inst(f, x), *b = mir_inst(f, y);
	if (a->desc != b->desc || a->n_ops != b->n_ops || a->extra != b->extra || !may_merge(f, x) || !may_merge(f, y) ||
	    !same_memory(f, x, y))
		return false;
	for (u32 n = 0; n < a->n_ops; n++) {
		const MirOp *o = mir_op(f, x, n), *p = mir_op(f, y, n);
		if (o->kind != p->kind || o->type != p->type || o->tie != p->tie || ((o->flags ^ p->flags) & FLAGS))
			return false;
		if (o->kind == MO_REG ? !same_register(m, mir_op_reg(o), mir_op_reg(p)) : o->ref != p->ref || o->imm != p->imm)
			return false;
	}
	return begins_well(m, x);
}

/* How many instructions in front of the terminators the two have in common, so that they can be one. */
static u32 common_tail(Merger *m, MirBlockId p, MirBlockId q)
{
	u32 n = 0, good = 0;
	map_clear(&m->there);
	map_clear(&m->back);
	m->pair.n = m->open = 0;
	for (MirInstId x = last_of_body(m->f, p), y = last_of_body(m->f, q); x.i && y.i && same_instruction(m, x, y);
	     x = mir_prev(m->f, x), y = mir_prev(m->f, y)) {
		n++;
		if (!m->open && !mir_is(m->f, x, IF_CARRY_IN))
			good = n;
	}
	return good;
}

/* ---- merging ---- */

/* What is said of instruction `x` holds for `y` too. */
static void generalise(const MirFunc *f, MirInstId x, MirInstId y)
{
	MirMem *a = mir_mem(f, x), *b = mir_mem(f, y);
	mir_inst(f, x)->flags &=
		mir_inst(f, y)->flags | (u16) ~(MIF_FAST | MIF_NUW | MIF_NSW | MIF_EXACT | MIF_DISJOINT | MIF_NNEG);
	if (mir_inst(f, x)->dbg != mir_inst(f, y)->dbg)
		mir_inst(f, x)->dbg = 0;
	if (!a)
		return;
	a->align_log2 = PS_MIN(a->align_log2, b->align_log2);
	if (a->value != b->value || a->offset != b->offset)
		a->value = 0, a->offset = 0;
}

/* The `n` last instructions of `q` in front of its terminators go, and those too; it jumps to `t`, which has the same. */
static void jump_instead(Merger *m, MirBlockId q, MirBlockId t, u32 n)
{
	MirFunc  *f = m->f;
	MirInstId end = mir_first_terminator(f, q), x = last_of_body(f, t), y = last_of_body(f, q);
	u32       origin = end.i ? mir_inst(f, end)->origin : y.i ? mir_inst(f, y)->origin : 0;
	for (u32 k = 0; k < n; k++, x = mir_prev(f, x)) {
		MirInstId gone = y;
		y = mir_prev(f, y);
		generalise(f, x, gone);
		mir_erase(f, gone);
	}
	if (end.i)
		mir_erase(f, end);
	if (mir_block(f, q)->n_succs)
		mir_edge_remove(f, q, (MirBlockId){mir_edge(f, (MirEdgeId){mir_block(f, q)->succ})->to});
	mir_edge_add(f, q, t, MIR_PROB_ONE);
	mirpass_jump(f, q, t, origin);
}

/* The `n` last instructions of `p` in front of its terminators, and those, become a block behind it. */
static MirBlockId split(Merger *m, MirBlockId p, u32 n)
{
	MirFunc   *f = m->f;
	MirBlockId t = mir_block_new(f, (StrId){0}, mir_block(f, p)->ir);
	MirInstId  first = last_of_body(f, p);
	mir_block_move(f, t, (MirBlockId){mir_block(f, p)->next});
	while (--n)
		first = mir_prev(f, first);
	for (MirInstId i = first, next; i.i; i = next) {
		next = mir_next(f, i);
		mir_move(f, i, t, (MirInstId){0});
	}
	if (mir_block(f, p)->n_succs) {
		MirBlockId to = {mir_edge(f, (MirEdgeId){mir_block(f, p)->succ})->to};
		mir_edge_remove(f, p, to);
		mir_edge_add(f, t, to, MIR_PROB_ONE);
	}
	mir_edge_add(f, p, t, MIR_PROB_ONE);
	return t;
}

static bool is_all_tail(const MirFunc *f, MirBlockId b, u32 n)
{
	MirInstId i = last_of_body(f, b);
	while (--n)
		i = mir_prev(f, i);
	return b.i != f->first_block && i.i == mir_block(f, b)->first;
}

/* The block that has the common tail now. */
static MirBlockId merge(Merger *m, MirBlockId p, MirBlockId q, u32 n)
{
	MirFunc   *f = m->f;
	u32        line = mir_inst(f, last_of_body(f, q))->origin, first = mir_block(f, p)->number;
	MirBlockId t = is_all_tail(f, p, n) ? p : is_all_tail(f, q, n) ? q : split(m, p, n);
	jump_instead(m, t.i == q.i ? p : q, t, n);
	pass_remark(m->cx, REMARK_PASSED, line, "bb.%u and bb.%u end in the same %u instructions, which are merged", first,
	            mir_block(f, q)->number, n);
	m->changed = true;
	return t;
}

static void visit(Merger *m, MirBlockId b)
{
	u64 key = m->key[b.i];
	if (!key || goes_to_header(m, b))
		return;
	u64 *newest = map_put(&m->bucket, key, NULL);
	u32  at = (u32)*newest;
	for (u32 k = 0; at && k < MOST_COMPARED; k++) {
		Entry *e = &m->entry.p[at - 1];
		u32    n = common_tail(m, e->block, b);
		if (n >= m->least) {
			e->block = merge(m, e->block, b, n);
			return;
		}
		at = e->next;
	}
	vec_push(m->cx->scratch, &m->entry, ((Entry){b, (u32)*newest}));
	*newest = m->entry.n;
}

/* Have two blocks one key? Most functions are done with when this has been asked. */
static bool has_equal_keys(Merger *m)
{
	bool fresh = true, any = false;
	m->key = arena_array(m->cx->scratch, u64, m->f->block.n);
	mir_each_block(m->f, b)
		if (key_of(m->f, b, m->least, &m->key[b.i])) {
			map_put(&m->bucket, m->key[b.i], &fresh);
			any |= !fresh;
		} else {
			m->key[b.i] = 0;
		}
	map_clear(&m->bucket);
	return any;
}

bool mirpass_merge_tails(PassCx *cx, u32 least)
{
	Merger m = {.cx = cx, .f = mirpass_func(cx), .least = PS_MAX(least, 1u)};
	map_init(&m.bucket, cx->scratch);
	if (!has_equal_keys(&m))
		return false;
	m.cfg = mir_cfg(cx);
	m.loops = mir_loops(cx);
	map_init(&m.there, cx->scratch);
	map_init(&m.back, cx->scratch);
	for (u32 v = 0; v < m.cfg->g.n; v++)
		visit(&m, (MirBlockId){m.cfg->block[v]});
	return m.changed;
}
