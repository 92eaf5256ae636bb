/* liverange_edit.c: live ranges follow single edits of the function. What a use adds is added where it stands; whatever
 * else changes a register makes its range be found again, unless the edit cannot have changed it. */
#include "mir/liverange.h"

/* ---- one more use ---- */

static bool is_single(const MirFunc *f, MirReg r)
{
	const MirVReg *v = mir_vreg(f, r);
	return v->n_defs == 1 && mir_inst(f, (MirInstId){mir_op_at(f, v->defs)->inst})->desc != ISA_IMPLICIT_DEF;
}

/* How many segments start in front of `end`. */
static u32 starts_before(const MirRanges *rs, const MirRange *range, u32 end)
{
	u32 low = 0, high = range->seg.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (mir_slot_before(rs->slots, range->seg.p[mid].start, end))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Makes a register of one value live from what holds it in block `b` up to `end`; false: nothing does, it must live in. */
static bool reach_in_block(MirRanges *rs, MirRange *range, MirBlockId b, u32 end)
{
	u32 start = mir_slot_start(rs->slots, b), at = starts_before(rs, range, end);
	if (!at)
		return false;
	MirSegment s = range->seg.p[at - 1];
	if (!mir_slot_before(rs->slots, start, s.end)) /* it ends in front of the block */
		return false;
	if (mir_slot_before(rs->slots, s.end, end))
		mir_range_add(rs, range, (MirSegment){s.end, end, s.value});
	return true;
}

/* The only value is live up to `end`, a slot of block `b`: blocks are added from there up to where it is live already. */
static void extend_single(MirRanges *rs, MirRange *range, MirBlockId b, u32 end)
{
	VecU32 work = {0};
	Arena  a;
	u32    value = range->seg.p[0].value;
	arena_init(&a, rs->arena->budget);
	for (;;) {
		if (!reach_in_block(rs, range, b, end)) {
			mir_range_add(rs, range, (MirSegment){mir_slot_start(rs->slots, b), end, value});
			Nodes pred = graph_pred(&rs->cfg->g, rs->cfg->node[b.i]);
			for (u32 k = 0; k < pred.n; k++)
				vec_push(&a, &work, rs->cfg->block[pred.p[k]]);
		}
		if (!work.n)
			break;
		b.i = vec_pop(&work);
		end = mir_slot_end(rs->f, rs->slots, b);
	}
	arena_free(&a);
}

void mir_ranges_extend(MirRanges *rs, MirReg r, u32 slot)
{
	MirRange *range = mir_range(rs, r);
	if (!range || !range->seg.n || !is_single(rs->f, r)) {
		mir_ranges_update(rs, r);
		return;
	}
	const MirSegment *s = mir_range_at(rs, range, slot);
	if (!s)
		extend_single(rs, range, mir_ranges_block(rs, slot), slot + 1);
	else if (s->start == slot) /* read by the very instruction that writes it early */
		mir_ranges_update(rs, r);
}

void mir_ranges_extend_out(MirRanges *rs, MirReg r, MirBlockId b)
{
	MirRange *range = mir_range(rs, r);
	if (!range || !range->seg.n || !is_single(rs->f, r))
		mir_ranges_update(rs, r);
	else
		extend_single(rs, range, b, mir_slot_end(rs->f, rs->slots, b));
}

/* ---- instructions ---- */

/* A register that an instruction names. */
typedef struct Named {
	MirReg r;
	bool   written, read;
} Named;
typedef Vec(Named) NamedRegs;

static void list_named(const MirFunc *f, MirInstId i, Arena *a, NamedRegs *out)
{
	const MirOp *o = mir_ops(f, i);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(&o[n]);
		u32    k = 0;
		if (!mir_is_virt(r))
			continue;
		while (k < out->n && out->p[k].r.i != r.i)
			k++;
		if (k == out->n)
			vec_push(a, out, ((Named){.r = r}));
		out->p[k].written |= mir_op_is_def(&o[n]);
		out->p[k].read |= mir_op_is_use(&o[n]) && !(o[n].flags & MOF_UNDEF);
	}
}

static bool is_phi(const MirFunc *f, MirInstId i) { return mir_inst(f, i)->desc == ISA_PHI; }

static void read_in(MirRanges *rs, MirInstId i, MirReg r)
{
	if (!is_phi(rs->f, i)) {
		mir_ranges_extend(rs, r, mir_slot_of(rs->slots, i));
		return;
	}
	const MirOp *o = mir_ops(rs->f, i);
	for (u32 n = 1; n + 1 < mir_inst(rs->f, i)->n_ops; n += 2)
		if (mir_op_reg(&o[n]).i == r.i)
			mir_ranges_extend_out(rs, r, (MirBlockId){o[n + 1].ref});
}

/* Extends the ranges of what `i` reads, where it stands now, and computes those of what it writes. */
static void place(MirRanges *rs, MirInstId i, const NamedRegs *named)
{
	for (u32 k = 0; k < named->n; k++)
		if (named->p[k].written)
			mir_ranges_update(rs, named->p[k].r);
		else if (named->p[k].read)
			read_in(rs, i, named->p[k].r);
}

void mir_ranges_insert(MirRanges *rs, MirInstId i)
{
	NamedRegs named = {0};
	Arena     a;
	arena_init(&a, rs->arena->budget);
	list_named(rs->f, i, &a, &named);
	place(rs, i, &named);
	arena_free(&a);
}

static bool is_on_cycle(MirRanges *rs, u32 node)
{
	if (!rs->cyclic.w) {
		const Graph *g = &rs->cfg->g;
		Sccs         sccs = graph_sccs(g, rs->arena);
		rs->cyclic = bitset_new(rs->arena, g->n);
		for (u32 n = 0; n < g->n; n++)
			if (scc_is_cyclic(g, &sccs, sccs.of[n]))
				bitset_add(rs->cyclic, n);
	}
	return bitset_has(rs->cyclic, node);
}

/* Does the register live on behind its read by `i`, for another one's sake? Then it does not matter that this one goes.
 * It may be live behind for the sake of `i` alone where a path leads back to it without a definition. */
static bool lives_on(MirRanges *rs, MirInstId i, MirReg r)
{
	const MirRange   *range = mir_range(rs, r);
	u32               slot = mir_slot_of(rs->slots, i);
	MirBlockId        b = {mir_inst(rs->f, i)->block};
	const MirSegment *s = range && !is_phi(rs->f, i) ? mir_range_at(rs, range, slot) : NULL;
	if (!s || !mir_slot_before(rs->slots, slot + 1, s->end))
		return false;
	return mir_slot_before(rs->slots, mir_slot_start(rs->slots, b), s->start) || !is_on_cycle(rs, rs->cfg->node[b.i]);
}

/* Registers that the loss of an instruction leaves as they are leave the list. */
static void drop_unmoved(MirRanges *rs, MirInstId i, NamedRegs *named)
{
	u32 n = 0;
	for (u32 k = 0; k < named->n; k++)
		if (named->p[k].written || (named->p[k].read && !lives_on(rs, i, named->p[k].r)))
			named->p[n++] = named->p[k];
	named->n = n;
}

void mir_ranges_erase(MirRanges *rs, MirInstId i)
{
	NamedRegs named = {0};
	Arena     a;
	arena_init(&a, rs->arena->budget);
	list_named(rs->f, i, &a, &named);
	drop_unmoved(rs, i, &named);
	mir_erase(rs->f, i);
	for (u32 k = 0; k < named.n; k++)
		mir_ranges_update(rs, named.p[k].r);
	arena_free(&a);
}

void mir_ranges_move(MirRanges *rs, MirInstId i, MirBlockId b, MirInstId before)
{
	NamedRegs named = {0};
	Arena     a;
	arena_init(&a, rs->arena->budget);
	list_named(rs->f, i, &a, &named);
	for (u32 k = 0; k < named.n; k++)
		named.p[k].written |= !lives_on(rs, i, named.p[k].r); /* found anew */
	mir_move(rs->f, i, b, before);
	place(rs, i, &named);
	arena_free(&a);
}

void mir_ranges_set_reg(MirRanges *rs, MirInstId i, u32 op, MirReg r)
{
	MirReg had = mir_op_reg(mir_op(rs->f, i, op));
	bool   written = mir_op_is_def(mir_op(rs->f, i, op)), same = written || !mir_is_virt(had) || !lives_on(rs, i, had);
	mir_op_set_reg(rs->f, i, op, r);
	if (mir_is_virt(had) && same)
		mir_ranges_update(rs, had);
	if (!mir_is_virt(r))
		return;
	if (written)
		mir_ranges_update(rs, r);
	else if (!(mir_op(rs->f, i, op)->flags & MOF_UNDEF))
		read_in(rs, i, r);
}

void mir_ranges_replace_uses(MirRanges *rs, MirReg from, MirReg to)
{
	mir_replace_uses(rs->f, from, to);
	mir_ranges_update(rs, from);
	mir_ranges_update(rs, to);
}

/* ---- splitting ---- */

static void put_copy(MirRanges *rs, MirInstId before, MirBlockId b, MirReg to, MirReg from)
{
	MirInstId i = mir_build(rs->f, b, before, ISA_COPY);
	mir_inst(rs->f, i)->origin = before.i ? mir_inst(rs->f, before)->origin : 0;
	mir_add_def(rs->f, i, to);
	mir_add_use(rs->f, i, from);
}

static bool is_live(const MirRanges *rs, MirReg r, u32 slot)
{
	const MirRange *range = mir_range(rs, r);
	return range && mir_range_at(rs, range, slot);
}

/* Is it live in front of the instruction at `slot`? */
static bool is_live_before(const MirRanges *rs, MirReg r, u32 slot)
{
	const MirRange *range = mir_range(rs, r);
	u32             n = range ? starts_before(rs, range, slot) : 0;
	return n && !mir_slot_before(rs->slots, range->seg.p[n - 1].end, slot);
}

MirReg mir_ranges_split(MirRanges *rs, MirReg r, MirInstId at, MirInstId until)
{
	MirFunc   *f = rs->f;
	MirBlockId b = {mir_inst(f, at)->block};
	MirReg new = mir_reg_new(f, mir_class(f, r));
	MirInstId end = until.i ? until : mir_first_terminator(f, b), last_write = {0};
	bool      copy_in = is_live_before(rs, r, mir_slot_of(rs->slots, at));
	for (MirInstId i = at; i.i && i.i != end.i; i = mir_next(f, i))
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
			const MirOp *o = mir_op(f, i, n);
			if (mir_op_reg(o).i != r.i)
				continue;
			last_write = mir_op_is_def(o) && mir_inst(f, i)->desc != ISA_IMPLICIT_DEF ? i : last_write;
			mir_op_set_reg(f, i, n, new);
		}
	if (copy_in)
		put_copy(rs, at, b, new, r);
	mir_ranges_update(rs, r);
	mir_ranges_update(rs, new);
	/* What was written last is read behind the part where `r` still lives into what follows. */
	if (last_write.i && is_live(rs, r, end.i ? mir_slot_of(rs->slots, end) : mir_slot_last(f, rs->slots, b))) {
		put_copy(rs, end, b, r, new);
		f->props &= ~(u32)MP_SSA;
		mir_ranges_update(rs, r);
		mir_ranges_update(rs, new);
	}
	return new;
}
