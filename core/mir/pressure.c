/* pressure.c: peaks of live units by block, from live ranges, and their update after single edits, see pressure.h. */
#include "mir/pressure.h"

typedef struct RpaState {
	Arena *arena;
	u32   *touched;   /* by block id: the edit that has touched it last */
	VecU32 reg_stamp; /* by register */
	u32    stamp;
	/* of the instruction at hand: its registers, each once, and where they are live around it */
	VecU32 reg, mask;
	/* of the edit, or the edits between begin and end: registers that may change, and their segments before */
	VecU32 noted, first;
	VecU32 noted_stamp; /* by register: the edit that has noted it last */
	bool   open;
	Vec(MirSegment) before;
} RpaState;

static void weigh(MirPressure *p, u32 cls, i32 count)
{
	p->by_class[cls] += (u32)count;
	p->unit[isa_class_info[cls].file] += (u32)(count * isa_class_info[cls].units);
}

static void raise(MirPressure *most, const MirPressure *p)
{
	for (u32 k = 0; k < FILE_COUNT; k++)
		most->unit[k] = PS_MAX(most->unit[k], p->unit[k]);
	for (u32 k = 0; k < RC_COUNT; k++)
		most->by_class[k] = PS_MAX(most->by_class[k], p->by_class[k]);
}

/* ---- one instruction ---- */

enum { BEFORE = 1, AT = 2 }; /* AT << k: live in slot + k */

static u32 live_mask(const MirRanges *rs, MirReg r, u32 slot)
{
	const MirRange *range = mir_range(rs, r);
	u32             mask = 0, number = mir_slot_number(rs->slots, slot);
	if (!range)
		return 0;
	u32 k = mir_range_behind(rs, range, slot);
	if (k && range->seg.p[k - 1].end == slot)
		mask = BEFORE;
	for (; k < range->seg.n; k++) {
		u32 start = mir_slot_number(rs->slots, range->seg.p[k].start);
		u32 end = mir_slot_number(rs->slots, range->seg.p[k].end);
		if (start >= number + SLOT_STEP)
			break;
		mask |= start < number ? BEFORE : 0;
		for (u32 n = 0; n < SLOT_STEP; n++)
			mask |= start <= number + n && number + n < end ? (u32)AT << n : 0;
	}
	return mask;
}

/* The registers that `i` names, each once, with their masks. */
static void masks(const MirRpa *p, MirInstId i, u32 slot)
{
	RpaState      *s = p->state;
	const MirFunc *f = p->ranges->f;
	const MirOp   *o = mir_ops(f, i);
	s->stamp++;
	s->reg.n = s->mask.n = 0;
	if (s->reg_stamp.n < f->vreg.n)
		vec_extend(s->arena, &s->reg_stamp, f->vreg.n - s->reg_stamp.n);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		MirReg r = mir_op_reg(&o[n]);
		if (!mir_is_virt(r) || s->reg_stamp.p[r.i] == s->stamp)
			continue;
		s->reg_stamp.p[r.i] = s->stamp;
		vec_push(s->arena, &s->reg, r.i);
		vec_push(s->arena, &s->mask, live_mask(p->ranges, r, slot));
	}
}

/* `now` goes from where the mask has the bit `from` to where it has the bit `to`. */
static void pass_over(const MirRpa *p, u32 from, u32 to, MirPressure *now)
{
	const RpaState *s = p->state;
	for (u32 k = 0; k < s->reg.n; k++) {
		i32 d = ((s->mask.p[k] & to) != 0) - ((s->mask.p[k] & from) != 0);
		if (d)
			weigh(now, mir_class(p->ranges->f, (MirReg){s->reg.p[k]}), d);
	}
}

static void scan_inst(const MirRpa *p, MirInstId i, MirPressure *now, MirPressure *peak)
{
	masks(p, i, mir_slot_of(p->ranges->slots, i));
	pass_over(p, BEFORE, AT, now);
	raise(peak, now);
	pass_over(p, AT, AT << SLOT_DEF, now);
	raise(peak, now);
	pass_over(p, AT << SLOT_DEF, AT << (SLOT_DEF + 1), now);
}

/* Behind the phis: what they write and nobody reads is gone. */
static MirInstId scan_phis(const MirRpa *p, MirBlockId b, MirPressure *now)
{
	const MirFunc *f = p->ranges->f;
	MirInstId      i = {mir_block(f, b)->first};
	u32            start = mir_slot_start(p->ranges->slots, b);
	for (; i.i && mir_inst(f, i)->desc == ISA_PHI; i = mir_next(f, i)) {
		MirReg r = mir_op_reg(mir_op(f, i, 0));
		u32    mask = live_mask(p->ranges, r, start);
		if (!(mask & AT) || mask & (AT << 1))
			continue;
		bool first = true; /* another phi of the block may write it too */
		for (MirInstId k = {mir_block(f, b)->first}; k.i != i.i && first; k = mir_next(f, k))
			first = mir_op_reg(mir_op(f, k, 0)).i != r.i;
		if (first)
			weigh(now, mir_class(f, r), -1);
	}
	return i;
}

static void scan_block(const MirRpa *p, MirBlockId b)
{
	MirBlockPressure *bp = &p->block[b.i];
	MirPressure       now = bp->start;
	bp->peak = now;
	for (MirInstId i = scan_phis(p, b, &now); i.i; i = mir_next(p->ranges->f, i))
		scan_inst(p, i, &now, &bp->peak);
}

/* ---- everything ---- */

static u32 start_number(const MirRpa *p, u32 node)
{
	return mir_slot_number(p->ranges->slots, p->ranges->slots->block[p->ranges->cfg->block[node]]);
}

/* The node whose block holds the slot of this number. */
static u32 node_at(const MirRpa *p, u32 number)
{
	u32 low = 0, high = p->ranges->cfg->g.n;
	while (high - low > 1) {
		u32 mid = low + (high - low) / 2;
		if (start_number(p, mid) <= number)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Each segment counts at the starts of the blocks that it covers: + 1 at the first, - 1 behind the last. */
static void count_starts(MirRpa *p)
{
	const MirRanges *rs = p->ranges;
	u32              n = rs->cfg->g.n;
	Arena            a;
	arena_init(&a, p->state->arena->budget);
	i32 *delta = arena_array(&a, i32, (u64)(n + 1) * RC_COUNT);
	for (u32 r = 1; r < rs->index.n; r++) {
		const MirRange *range = mir_range(rs, (MirReg){r});
		for (u32 k = 0; range && k < range->seg.n; k++) {
			u32 from = mir_slot_number(rs->slots, range->seg.p[k].start);
			u32 to = mir_slot_number(rs->slots, range->seg.p[k].end), node = node_at(p, from);
			node += start_number(p, node) != from;
			if (node == n || start_number(p, node) >= to)
				continue;
			u32 cls = mir_class(rs->f, (MirReg){r});
			delta[node * RC_COUNT + cls]++;
			delta[(node_at(p, to - 1) + 1) * RC_COUNT + cls]--;
		}
	}
	MirPressure now = {{0}, {0}};
	for (u32 node = 0; node < n; node++) {
		for (u32 cls = 1; cls < RC_COUNT; cls++)
			weigh(&now, cls, delta[node * RC_COUNT + cls]);
		p->block[rs->cfg->block[node]].start = now;
	}
	arena_free(&a);
}

static void compute(MirRpa *p)
{
	count_starts(p);
	mir_each_block(p->ranges->f, b)
		scan_block(p, b);
	p->full++;
}

MirRpa *mir_rpa_new(MirRanges *ranges, Arena *a)
{
	const MirFunc *f = ranges->f;
	MirRpa        *p = arena_new(a, MirRpa);
	p->ranges = ranges;
	p->block = arena_array(a, MirBlockPressure, f->block.n);
	p->state = arena_new(a, RpaState);
	p->state->arena = a;
	p->state->touched = arena_array(a, u32, f->block.n);
	compute(p);
	return p;
}

void mir_rpa_recompute(MirRpa *p)
{
	const MirFunc *f = p->ranges->f;
	for (u32 r = 1; r < f->vreg.n; r++)
		mir_ranges_update(p->ranges, (MirReg){r});
	compute(p);
}

MirPressure mir_rpa_most(const MirRpa *p)
{
	MirPressure most = {{0}, {0}};
	mir_each_block(p->ranges->f, b)
		raise(&most, &p->block[b.i].peak);
	return most;
}

/* ---- edits ---- */

static void note(MirRpa *p, MirReg r)
{
	RpaState       *s = p->state;
	const MirRange *range = mir_range(p->ranges, r);
	if (s->noted_stamp.n <= r.i)
		vec_extend(s->arena, &s->noted_stamp, p->ranges->f->vreg.n - s->noted_stamp.n);
	if (s->noted_stamp.p[r.i] == p->edits)
		return;
	s->noted_stamp.p[r.i] = p->edits;
	vec_push(s->arena, &s->noted, r.i);
	vec_push(s->arena, &s->first, s->before.n);
	for (u32 k = 0; range && k < range->seg.n; k++)
		vec_push(s->arena, &s->before, range->seg.p[k]);
}

static void note_inst(MirRpa *p, MirInstId i)
{
	masks(p, i, mir_slot_of(p->ranges->slots, i)); /* lists each once */
	for (u32 k = 0; k < p->state->reg.n; k++)
		note(p, (MirReg){p->state->reg.p[k]});
}

static void begin_edit(MirRpa *p)
{
	if (p->state->open)
		return;
	p->state->noted.n = p->state->first.n = p->state->before.n = p->touched.n = 0;
	p->edits++;
}

static void touch(MirRpa *p, u32 node)
{
	u32 b = p->ranges->cfg->block[node];
	if (p->state->touched[b] == p->edits)
		return;
	p->state->touched[b] = p->edits;
	vec_push(p->state->arena, &p->touched, b);
}

/* The register has become live (d = 1), or is no longer (-1), in the slots of these numbers. */
static void changed(MirRpa *p, u32 cls, u32 from, u32 to, i32 d)
{
	u32 n = p->ranges->cfg->g.n;
	for (u32 node = node_at(p, from); node < n && start_number(p, node) < to; node++) {
		touch(p, node);
		if (start_number(p, node) >= from)
			weigh(&p->block[p->ranges->cfg->block[node]].start, cls, d);
	}
}

/* A list of segments, walked along. */
typedef struct Walk {
	const MirSegment *p;
	u32               n;
} Walk;

static u32 walk_start(const MirSlots *s, const Walk *w, u32 at)
{
	return w->n ? PS_MAX(mir_slot_number(s, w->p->start), at) : 0xFFFFFFFF;
}
static u32 walk_end(const MirSlots *s, const Walk *w, u32 at, u32 start)
{
	return !w->n ? 0xFFFFFFFF : start == at ? mir_slot_number(s, w->p->end) : start;
}
static void walk_on(const MirSlots *s, Walk *w, u32 at)
{
	if (w->n && mir_slot_number(s, w->p->end) <= at) {
		w->p++;
		w->n--;
	}
}

/* Where only one of the two lists has segments, the register has changed. */
static void compare(MirRpa *p, u32 cls, Walk old, Walk new)
{
	const MirSlots *s = p->ranges->slots;
	for (u32 at = 0; old.n || new.n;) {
		u32 a = walk_start(s, &old, at), b = walk_start(s, &new, at);
		at = PS_MIN(a, b);
		u32 end = PS_MIN(walk_end(s, &old, at, a), walk_end(s, &new, at, b));
		if ((a == at) != (b == at))
			changed(p, cls, at, end, b == at ? 1 : -1);
		at = end;
		walk_on(s, &old, at);
		walk_on(s, &new, at);
	}
}

static void end_edit(MirRpa *p)
{
	RpaState *s = p->state;
	if (s->open)
		return;
	for (u32 k = 0; k < s->noted.n; k++) {
		MirReg          r = {s->noted.p[k]};
		const MirRange *range = mir_range(p->ranges, r);
		u32             last = k + 1 < s->noted.n ? s->first.p[k + 1] : s->before.n;
		Walk            old = {s->before.p + s->first.p[k], last - s->first.p[k]};
		compare(p, mir_class(p->ranges->f, r), old, range ? (Walk){range->seg.p, range->seg.n} : (Walk){NULL, 0});
	}
	for (u32 k = 0; k < p->touched.n; k++)
		scan_block(p, (MirBlockId){p->touched.p[k]});
}

void mir_rpa_begin(MirRpa *p)
{
	begin_edit(p);
	p->state->open = true;
}

void mir_rpa_end(MirRpa *p)
{
	p->state->open = false;
	end_edit(p);
}

void mir_rpa_insert(MirRpa *p, MirInstId i)
{
	begin_edit(p);
	note_inst(p, i);
	mir_ranges_insert(p->ranges, i);
	end_edit(p);
}

void mir_rpa_erase(MirRpa *p, MirInstId i)
{
	begin_edit(p);
	note_inst(p, i);
	mir_ranges_erase(p->ranges, i);
	end_edit(p);
}

void mir_rpa_move(MirRpa *p, MirInstId i, MirBlockId b, MirInstId before)
{
	begin_edit(p);
	note_inst(p, i);
	mir_ranges_move(p->ranges, i, b, before);
	end_edit(p);
}

void mir_rpa_update(MirRpa *p, const u32 *regs, u32 n)
{
	begin_edit(p);
	for (u32 k = 0; k < n; k++)
		note(p, (MirReg){regs[k]});
	for (u32 k = 0; k < n; k++)
		mir_ranges_update(p->ranges, (MirReg){regs[k]});
	end_edit(p);
}

/* ---- a walk along a block ---- */

MirTracker mir_track_start(MirRpa *p, MirBlockId b)
{
	MirTracker t = {.rpa = p, .block = b, .now = p->block[b.i].start};
	t.peak = t.now;
	t.next = scan_phis(p, b, &t.now);
	return t;
}

MirTracker mir_track_end(MirRpa *p, MirBlockId b)
{
	MirTracker t = mir_track_start(p, b);
	while (mir_track_advance(&t))
		;
	t.peak = t.now;
	return t;
}

bool mir_track_advance(MirTracker *t)
{
	if (!t->next.i)
		return false;
	scan_inst(t->rpa, t->next, &t->now, &t->peak);
	t->next = mir_next(t->rpa->ranges->f, t->next);
	return true;
}

bool mir_track_recede(MirTracker *t)
{
	const MirFunc *f = t->rpa->ranges->f;
	MirInstId      i = t->next.i ? mir_prev(f, t->next) : (MirInstId){mir_block(f, t->block)->last};
	if (!i.i || mir_inst(f, i)->desc == ISA_PHI)
		return false;
	masks(t->rpa, i, mir_slot_of(t->rpa->ranges->slots, i));
	pass_over(t->rpa, AT << (SLOT_DEF + 1), AT << SLOT_DEF, &t->now);
	raise(&t->peak, &t->now);
	pass_over(t->rpa, AT << SLOT_DEF, AT, &t->now);
	raise(&t->peak, &t->now);
	pass_over(t->rpa, AT, BEFORE, &t->now);
	t->next = i;
	return true;
}

MirPressure mir_track_peek(const MirTracker *t, MirInstId i)
{
	MirPressure now = t->now, peak = t->now;
	scan_inst(t->rpa, i, &now, &peak);
	return peak;
}

/* ---- verification ---- */

bool mir_rpa_equal(const MirRpa *a, const MirRpa *b)
{
	mir_each_block(a->ranges->f, k)
		if (memcmp(&a->block[k.i], &b->block[k.i], sizeof a->block[k.i]))
			return false;
	return true;
}

bool mir_rpa_verify(MirRpa *p, Text *detail)
{
	static const char *const name[FILE_COUNT] = {[FILE_R] = "R", [FILE_P] = "P"};
	MirFunc                 *f = p->ranges->f;
	Arena                    a;
	arena_init(&a, p->state->arena->budget);
	MirRpa *full = mir_rpa_new(mir_ranges_all((MirFlow){f, p->ranges->cfg, p->ranges->loops}, &a), &a);
	bool    same = mir_rpa_equal(p, full);
	p->full++;
	if (!same && detail)
		mir_each_block(f, b)
			for (u32 file = FILE_R; file < FILE_COUNT; file++) {
				u32 have = mir_pressure_regs(&p->block[b.i].peak, (IsaFile)file);
				u32 want = mir_pressure_regs(&full->block[b.i].peak, (IsaFile)file);
				if (have != want)
					text_f(detail, "BB#%u class %s: incremental %u full %u\n", mir_block(f, b)->number,
					       name[file], have, want);
			}
	arena_free(&a);
	return same;
}

void mir_rpa_check(PassCx *cx, MirRpa *p)
{
	if (!knob_bool(cx->s, KNOB_verify_update_mcse))
		return;
	Text *detail = knob_bool(cx->s, KNOB_print_verify) && cx->manager ? pass_dump(cx) : NULL;
	if (!mir_rpa_verify(p, detail))
		diag_report(&cx->s->diags, DIAG_PRESSURE_UPDATE, (SrcRange){0});
}

/* ---- the manager's row (pass/analyses.def) ---- */

void *mir_rpa_compute(PassCx *cx, Arena *arena);
bool  mir_rpa_same(const void *a, const void *b);

void *mir_rpa_compute(PassCx *cx, Arena *arena) { return mir_rpa_new(mir_ranges(cx), arena); }

bool mir_rpa_same(const void *a, const void *b) { return mir_rpa_equal(a, b); }

/* ---- clients ---- */

void mir_max_pressure(PassCx *cx, Pressure *out)
{
	MirPressure most = mir_rpa_most(mir_rpa(cx));
	*out = (Pressure){0};
	for (u32 rc = 1; rc < RC_COUNT; rc++)
		out->column[isa_class_info[rc].column] += isa_class_info[rc].weight * most.by_class[rc];
	out->registers = mir_pressure_regs(&most, FILE_R);
}
