/* register-coalescer: the two sides of a copy become one register where their values never collide.
 *
 *	%9 = COPY %3                      %3 = …
 *	bb.3:                             bb.3:
 *	  %1 = COPY %9             →
 *	  %2 = ADD %1, -1                   %3 = ADD %3, -1
 *	  %9 = COPY %2
 *
 * For each copy, blocks of the deepest loops first: the two live intervals are laid over each other. Where
 * they overlap, both must hold the same value there, which is so when one of the two was copied from the
 * other (Chaitin's coalescing with value numbers, as in Park and Moon's optimistic form without the undo).
 * Then they are merged, all copies between the two disappear, and the register with more segments keeps its
 * number (of a call result's proxy: what was loaded). Copies that had to stay are tried again when one of their
 * two sides has grown.
 *
 * The copies that cssa made (CSSA_COPY) are joined by the same rule and no other: it looks at whole intervals, on
 * every path, so what threads on another way hold at the time counts as well. Each gets a remark: joined, or
 * why it stays. -usedessa=1 keeps all copies.
 *
 * Registers that are one form a web: its segments, sorted; its copies, in a list. Values of all webs are numbered
 * together, and which of them are one is a union-find forest, so a small web goes into a large one without
 * looking at all of it. Operands are renamed once, at the end.
 *
 * Cost: a join looks for the places of the smaller side's segments in the larger one. Only where values of the
 * larger side become one among themselves are all its segments gone through. Nothing is spilled for it: PTX
 * registers are without number, and ptxas colours them. */
#include "base/sort.h"
#include "mir/cfg.h"
#include "mir/live.h"
#include "mirpass/mirpass.h"

enum { NO_VALUE = 0xFFFFFFFF, NO_NODE = 0xFFFFFFFF };

typedef struct Pair {
	u32 a, b; /* values; `a` is or becomes what `b` is */
} Pair;

typedef struct Web {
	Vec(MirSegment) seg; /* by slot; neighbours that touch have different values */
	u32 reg;             /* the number it keeps */
	u32 first, last, n;  /* list of its copies: nodes 2k (its register is written) and 2k + 1 (read) of copy k */
	u32 changed;         /* at which join it was changed last */
} Web;

typedef struct Joiner {
	PassCx      *cx;
	MirFunc     *f;
	Arena       *arena;
	MirIntervals iv;
	Web         *web;      /* 1 … iv.n */
	u32         *up;       /* by register's place in iv: union-find forest of webs */
	u32         *value_up; /* by value: the same of values */
	u32         *from;     /* by value: what it is copied from in the join at hand, or NO_VALUE */
	MirValue    *value;
	VecU32       copy;  /* in order; 0: gone */
	u32         *tried; /* by copy: the join at which it was tried last */
	u32         *next;  /* by node */
	u32          joins;
	/* of the join at hand */
	VecU32 between;        /* copies between the two sides, by number, whose source has a value */
	Vec(Pair) kept, other; /* the values that they write, by side */
	Vec(Pair) same;        /* values of both sides that are one */
} Joiner;

static bool is_copy(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	return mi->block && (mi->desc == ISA_COPY || mi->desc == ISA_CSSA_COPY || mi->desc == ISA_ProxyReg) && mi->n_ops == 2 &&
	       mir_is_virt(mir_op_reg(mir_op(f, i, 0))) && mir_is_virt(mir_op_reg(mir_op(f, i, 1)));
}

static u32 find(u32 *up, u32 v)
{
	while (up[v] != v)
		v = up[v] = up[up[v]];
	return v;
}

static u32 web_of(Joiner *j, MirReg r) { return find(j->up, j->iv.index[r.i]); }

/* ---- values that are copies ---- */

/* The first segment that ends behind `slot`. */
static u32 segment_behind(const Web *w, u32 slot)
{
	u32 low = 0, high = w->seg.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (w->seg.p[mid].end <= slot)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static u32 value_at(Joiner *j, const Web *w, u32 slot)
{
	u32 at = segment_behind(w, slot);
	return at < w->seg.n && w->seg.p[at].start <= slot ? find(j->value_up, w->seg.p[at].value) : NO_VALUE;
}

/* The other end of the copy that `node` is an end of; 0: it is gone. */
static u32 other_end(Joiner *j, u32 node)
{
	MirInstId i = {j->copy.p[node / 2]};
	if (!i.i || !is_copy(j->f, i))
		return 0;
	return web_of(j, mir_op_reg(mir_op(j->f, i, node & 1 ? 0 : 1)));
}

/* All copies between two webs, found in the shorter of their lists; copies that are gone leave the list. */
static void copies_between(Joiner *j, u32 keep, u32 gone)
{
	u32  by = j->web[keep].n < j->web[gone].n ? keep : gone, other = by == keep ? gone : keep, before = NO_NODE;
	Web *w = &j->web[by];
	j->between.n = j->kept.n = j->other.n = 0;
	for (u32 node = w->first, next; node != NO_NODE; node = next) {
		u32 end = other_end(j, node);
		next = j->next[node];
		if (!end) {
			*(before == NO_NODE ? &w->first : &j->next[before]) = next;
			w->last = next == NO_NODE ? before : w->last;
			w->n--;
			continue;
		}
		before = node;
		if (end != other)
			continue;
		u32  slot = j->iv.slot[j->copy.p[node / 2]], dst = node & 1 ? other : by, src = node & 1 ? by : other;
		Pair p = {value_at(j, &j->web[dst], slot + SLOT_DEF), value_at(j, &j->web[src], slot)};
		if (p.a == NO_VALUE || p.b == NO_VALUE)
			continue;
		vec_push(j->arena, &j->between, node / 2);
		if (dst == keep)
			vec_push(j->arena, &j->kept, p);
		else
			vec_push(j->arena, &j->other, p);
	}
}

static void note_sources(Joiner *j, bool on)
{
	for (u32 k = 0; k < j->kept.n; k++)
		j->from[j->kept.p[k].a] = on ? j->kept.p[k].b : NO_VALUE;
	for (u32 k = 0; k < j->other.n; k++)
		j->from[j->other.p[k].a] = on ? j->other.p[k].b : NO_VALUE;
}

/* ---- do they collide? ---- */

/* The same value, as one was copied from the other; or both are what meets at the head of a block. Those are
 * the same where the values that meet are, and these overlap at the ends of the predecessors, where they are
 * looked at as well; a predecessor in which one of the two is undefined does not matter. */
static bool agree(Joiner *j, u32 a, u32 b)
{
	const MirValue *x = &j->value[a], *y = &j->value[b];
	if (j->from[a] == b || j->from[b] == a)
		return true;
	if (x->inst || y->inst || x->def != y->def)
		return false;
	vec_push(j->arena, &j->same, ((Pair){a, b}));
	return true;
}

static bool collide(Joiner *j, const Web *keep, const Web *gone)
{
	j->same.n = 0;
	if (!keep->seg.n || !gone->seg.n)
		return false;
	u32 i = segment_behind(keep, gone->seg.p[0].start), k = segment_behind(gone, keep->seg.p[0].start);
	while (i < keep->seg.n && k < gone->seg.n) {
		const MirSegment *x = &keep->seg.p[i], *y = &gone->seg.p[k];
		if (x->end <= y->start)
			i++;
		else if (y->end <= x->start)
			k++;
		else if (!agree(j, find(j->value_up, x->value), find(j->value_up, y->value)))
			return true;
		else if (x->end < y->end)
			i++;
		else
			k++;
	}
	return false;
}

/* ---- merging ---- */

static bool one_value(Joiner *j, const MirSegment *a, const MirSegment *b)
{
	return find(j->value_up, a->value) == find(j->value_up, b->value);
}

/* Puts `s` in; what it touches of the same value becomes one with it. */
static void insert(Joiner *j, Web *w, MirSegment s)
{
	u32 from = segment_behind(w, s.start), to;
	if (from && w->seg.p[from - 1].end == s.start && one_value(j, &w->seg.p[from - 1], &s))
		from--;
	for (to = from; to < w->seg.n && w->seg.p[to].start <= s.end && one_value(j, &w->seg.p[to], &s); to++) {
		s.start = PS_MIN(s.start, w->seg.p[to].start);
		s.end = PS_MAX(s.end, w->seg.p[to].end);
	}
	u32 tail = w->seg.n - to;
	if (to == from)
		vec_extend(j->arena, &w->seg, 1);
	memmove(w->seg.p + from + 1, w->seg.p + to, tail * sizeof s);
	w->seg.p[from] = s;
	w->seg.n = from + 1 + tail;
}

/* Neighbours that have come to hold the same value become one. */
static void close_up(Joiner *j, Web *w)
{
	u32 n = 0;
	for (u32 i = 0; i < w->seg.n; i++) {
		MirSegment s = w->seg.p[i], *before = n ? &w->seg.p[n - 1] : NULL;
		if (before && s.start <= before->end && one_value(j, before, &s))
			before->end = PS_MAX(before->end, s.end);
		else
			w->seg.p[n++] = s;
	}
	w->seg.n = n;
}

/* The segments of `small` go in between, from the end. */
static void interleave(Joiner *j, Web *large, const Web *small)
{
	u32 i = large->seg.n, k = small->seg.n, at = i + k;
	vec_extend(j->arena, &large->seg, k);
	while (k) {
		bool first = i && large->seg.p[i - 1].start > small->seg.p[k - 1].start;
		large->seg.p[--at] = first ? large->seg.p[--i] : small->seg.p[--k];
	}
	close_up(j, large);
}

/* `a` is `b` from here on; true where both were values of their own. */
static bool unite(Joiner *j, Pair p)
{
	u32 a = find(j->value_up, p.a), b = find(j->value_up, p.b);
	j->value_up[a] = b;
	return a != b;
}

static u32 unite_values(Joiner *j)
{
	u32 n = 0;
	for (u32 k = 0; k < j->kept.n; k++)
		n += unite(j, j->kept.p[k]);
	for (u32 k = 0; k < j->other.n; k++)
		n += unite(j, j->other.p[k]);
	for (u32 k = 0; k < j->same.n; k++)
		n += unite(j, (Pair){j->same.p[k].b, j->same.p[k].a});
	return n;
}

/* The gaps between the read and the write of the copies go, and the copies. */
static void bridge(Joiner *j, Web *w)
{
	for (u32 k = 0; k < j->between.n; k++) {
		MirInstId i = {j->copy.p[j->between.p[k]]};
		u32       slot = j->iv.slot[i.i];
		insert(j, w, (MirSegment){slot, slot + SLOT_DEF + 1, value_at(j, w, slot)});
		mir_erase(j->f, i);
	}
}

static void merge(Joiner *j, u32 keep, u32 gone)
{
	bool keeps_more = j->web[keep].seg.n >= j->web[gone].seg.n;
	Web *large = &j->web[keeps_more ? keep : gone], *small = &j->web[keeps_more ? gone : keep];
	/* A single union cannot make two values of one side the same. */
	if (unite_values(j) > 1 || small->seg.n > large->seg.n / 8)
		interleave(j, large, small);
	else
		for (u32 k = 0; k < small->seg.n; k++)
			insert(j, large, small->seg.p[k]);
	bridge(j, large);
	j->web[keep].seg = large->seg;
	memset(&j->web[gone].seg, 0, sizeof j->web[gone].seg);
}

static void append_copies(Joiner *j, Web *w, Web *gone)
{
	if (gone->first == NO_NODE)
		return;
	*(w->first == NO_NODE ? &w->first : &j->next[w->last]) = gone->first;
	w->last = gone->last;
	w->n += gone->n;
}

/* True where the copy is gone. */
static bool join(Joiner *j, MirInstId copy)
{
	MirFunc *f = j->f;
	MirReg   d = mir_op_reg(mir_op(f, copy, 0)), s = mir_op_reg(mir_op(f, copy, 1));
	u32      dst = web_of(j, d), src = web_of(j, s), keep = dst, gone = src;
	if (dst == src) {
		mir_erase(f, copy);
		return true;
	}
	if (mir_op(f, copy, 1)->flags & MOF_UNDEF)
		return false;
	bool cssa = mir_inst(f, copy)->desc == ISA_CSSA_COPY;
	if (mir_inst(f, copy)->desc == ISA_ProxyReg || j->web[src].seg.n > j->web[dst].seg.n) {
		keep = src;
		gone = dst;
	}
	copies_between(j, keep, gone);
	note_sources(j, true);
	bool no = collide(j, &j->web[keep], &j->web[gone]);
	note_sources(j, false);
	if (no)
		return false;
	if (cssa)
		pass_remark(j->cx, REMARK_PASSED, mir_inst(f, copy)->origin,
		            "copy of cssa joined: %%%u and %%%u are never live with different values", j->web[dst].reg - 1,
		            j->web[src].reg - 1);
	merge(j, keep, gone);
	append_copies(j, &j->web[keep], &j->web[gone]);
	j->up[gone] = keep;
	j->web[keep].changed = ++j->joins;
	return true;
}

static void rename_registers(Joiner *j, Bitset regs)
{
	bitset_each(regs, r) {
		u32 keep = j->web[web_of(j, (MirReg){r})].reg;
		if (keep != r)
			mir_replace_reg(j->f, (MirReg){r}, (MirReg){keep});
	}
}

/* Every register a web of its own. */
static void webs_new(Joiner *j, Bitset regs)
{
	u32 n = j->iv.n + 1, n_values = 0, k = 0;
	for (u32 w = 1; w < n; w++)
		n_values += j->iv.of[w].value.n;
	j->web = arena_array(j->arena, Web, n);
	j->up = arena_array(j->arena, u32, n);
	j->value = arena_array(j->arena, MirValue, n_values + 1);
	j->value_up = arena_array(j->arena, u32, n_values + 1);
	j->from = arena_array(j->arena, u32, n_values + 1);
	bitset_each(regs, r) {
		u32          w = j->iv.index[r];
		MirInterval *iv = &j->iv.of[w];
		j->up[w] = w;
		j->web[w] = (Web){.reg = r, .first = NO_NODE, .last = NO_NODE};
		memcpy(&j->web[w].seg, &iv->seg, sizeof iv->seg);
		for (u32 s = 0; s < iv->seg.n; s++)
			iv->seg.p[s].value += k;
		for (u32 v = 0; v < iv->value.n; v++, k++) {
			j->value[k] = iv->value.p[v];
			j->value_up[k] = k;
			j->from[k] = NO_VALUE;
		}
	}
}

static void add_end(Joiner *j, MirReg r, u32 node)
{
	Web *w = &j->web[j->iv.index[r.i]];
	j->next[node] = NO_NODE;
	*(w->first == NO_NODE ? &w->first : &j->next[w->last]) = node;
	w->last = node;
	w->n++;
}

static void list_copies(Joiner *j)
{
	j->next = arena_array(j->arena, u32, 2 * (u64)j->copy.n);
	j->tried = arena_array(j->arena, u32, j->copy.n);
	for (u32 k = 0; k < j->copy.n; k++) {
		const MirOp *o = mir_ops(j->f, (MirInstId){j->copy.p[k]});
		if (mir_class(j->f, mir_op_reg(&o[0])) != mir_class(j->f, mir_op_reg(&o[1])))
			continue;
		add_end(j, mir_op_reg(&o[0]), 2 * k);
		add_end(j, mir_op_reg(&o[1]), 2 * k + 1);
	}
}

/* Has either side changed since the copy was tried? Sides of different classes have no webs, and stay. */
static bool worth_trying(Joiner *j, u32 k)
{
	const MirOp *o = mir_ops(j->f, (MirInstId){j->copy.p[k]});
	if (mir_class(j->f, mir_op_reg(&o[0])) != mir_class(j->f, mir_op_reg(&o[1])))
		return false;
	u32 last = j->tried[k];
	j->tried[k] = j->joins + 1;
	return !last || j->web[web_of(j, mir_op_reg(&o[0]))].changed >= last ||
	       j->web[web_of(j, mir_op_reg(&o[1]))].changed >= last;
}

static bool join_all(Joiner *j)
{
	bool changed = false;
	for (bool again = true; again;) {
		again = false;
		for (u32 k = 0; k < j->copy.n; k++) {
			MirInstId i = {j->copy.p[k]};
			if (!i.i || (is_copy(j->f, i) && (!worth_trying(j, k) || !join(j, i))))
				continue;
			j->copy.p[k] = 0;
			again = changed = true;
		}
	}
	return changed;
}

/* ---- order of the copies ---- */

typedef struct BlockRank {
	u32 block, depth, edges, number;
} BlockRank;

static int by_rank(const void *a, const void *b, void *user)
{
	(void)user;
	const BlockRank *x = a, *y = b;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	if (x->edges != y->edges)
		return x->edges > y->edges ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void copies_in_order(PassCx *cx, MirFunc *f, VecU32 *out)
{
	const MirCfg *cfg = mir_cfg(cx);
	const Loops  *loops = mir_loops(cx);
	BlockRank    *rank = arena_array(cx->scratch, BlockRank, f->n_blocks + 1);
	u32           n = 0;
	mir_each_block(f, b) {
		const MirBlock *mb = mir_block(f, b);
		rank[n] = (BlockRank){b.i, loop_depth(loops, cfg->node[b.i]), mb->n_preds + mb->n_succs, n};
		n++;
	}
	sort_stable(cx->scratch, rank, n, sizeof *rank, by_rank, NULL);
	/* Copies of cssa first: what is left then is one carrier for each phi, as if they had never been. */
	VecU32 others = {0};
	for (u32 k = 0; k < n; k++)
		for (MirInstId i = {mir_block(f, (MirBlockId){rank[k].block})->first}; i.i; i = mir_next(f, i))
			if (is_copy(f, i))
				vec_push(cx->scratch, mir_inst(f, i)->desc == ISA_CSSA_COPY ? out : &others, i.i);
	for (u32 k = 0; k < others.n; k++)
		vec_push(cx->scratch, out, others.p[k]);
}

/* The registers whose intervals are looked at. */
static Bitset copied_registers(const MirFunc *f, const VecU32 *copies, Arena *a)
{
	Bitset regs = bitset_new(a, f->vreg.n);
	for (u32 k = 0; k < copies->n; k++) {
		const MirOp *o = mir_ops(f, (MirInstId){copies->p[k]});
		if (mir_class(f, mir_op_reg(&o[0])) != mir_class(f, mir_op_reg(&o[1])))
			continue;
		bitset_add(regs, o[0].ref);
		bitset_add(regs, o[1].ref);
	}
	return regs;
}

/* An undefined value says nothing in a register that others write. */
static bool drop_undefs(MirFunc *f)
{
	bool changed = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_inst(f, i)->desc == ISA_IMPLICIT_DEF && mir_is_virt(mir_op_reg(mir_op(f, i, 0))) &&
			    (mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_defs > 1 ||
			     !mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_uses)) {
				mir_erase(f, i);
				changed = true;
			}
	return changed;
}

static void remark_kept(PassCx *cx, const MirFunc *f, const VecU32 *copies)
{
	for (u32 k = 0; k < copies->n; k++) {
		MirInstId i = {copies->p[k]};
		if (i.i && is_copy(f, i) &&
		    mir_class(f, mir_op_reg(mir_op(f, i, 0))) == mir_class(f, mir_op_reg(mir_op(f, i, 1))))
			pass_remark(cx, REMARK_MISSED, mir_inst(f, i)->origin,
			            "copy stays: %%%u and %%%u are live at once with different values", mir_op(f, i, 0)->ref - 1,
			            mir_op(f, i, 1)->ref - 1);
	}
}

/* Registers written but not read any more once copies are gone are left to dead-mi-elimination. */
static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	VecU32   copies = {0};
	if (mir_may_have(f, ISA_COPY) || mir_may_have(f, ISA_CSSA_COPY) || mir_may_have(f, ISA_ProxyReg))
		copies_in_order(cx, f, &copies);
	if (!copies.n)
		return mir_may_have(f, ISA_IMPLICIT_DEF) && drop_undefs(f);
	Bitset regs = copied_registers(f, &copies, cx->scratch);
	Joiner j = {.cx = cx, .f = f, .arena = cx->scratch, .copy = copies, .iv = mir_intervals_new(f, regs, cx->scratch)};
	webs_new(&j, regs);
	list_copies(&j);
	bool changed = join_all(&j);
	rename_registers(&j, regs);
	remark_kept(cx, f, &j.copy);
	return changed;
}

static bool merges(const Session *s) { return knob_int(s, KNOB_usedessa) != 1; }

static const Knob knobs[] = {KNOB_usedessa, KNOB_NONE};

const Pass mirpass_register_coalescer = {
	.id = "register-coalescer",
	.title = "Register Coalescer",
	.summary = "Merges the registers on both sides of a copy where their values never collide",
	.group = "ra",
	.level = PASS_MIR,
	.gated = merges,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
