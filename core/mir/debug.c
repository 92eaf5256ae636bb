/* debug.c: keeps the entries of debug.h while instructions, blocks and registers change. */
#include "mir/debug.h"

static MirDebugEntry *entry(MirFunc *f, u32 e) { return &f->debug->entry.p[e]; }

static u64 place_of(MirBlockId b, MirInstId before) { return before.i ? before.i : (u64)b.i << 32; }

u32 mir_debug_first(const MirFunc *f, MirBlockId b, MirInstId before)
{
	return f->debug ? (u32)map_or(&f->debug->at, place_of(b, before), 0) : 0;
}

/* Puts the list from `first` on in front of what the place has, or behind it. */
static void put(MirFunc *f, u32 first, MirBlockId b, MirInstId before, bool behind)
{
	u32 last = first, old = mir_debug_first(f, b, before);
	for (u32 e = first; e; e = entry(f, e)->next) {
		entry(f, e)->block = b.i;
		entry(f, e)->before = before.i;
		last = e;
	}
	if (!old || !behind) {
		entry(f, last)->next = old;
		map_set(&f->debug->at, place_of(b, before), first);
		return;
	}
	while (entry(f, old)->next)
		old = entry(f, old)->next;
	entry(f, old)->next = first;
}

/* Empties a place; returns its list. */
static u32 take(MirFunc *f, MirBlockId b, MirInstId before)
{
	u32 first = mir_debug_first(f, b, before);
	if (first)
		map_remove(&f->debug->at, place_of(b, before));
	return first;
}

void mir_debug_add(MirFunc *f, MirDebugEntry e)
{
	if (!f->debug) {
		f->debug = arena_new(f->arena, MirDebug);
		map_init(&f->debug->at, f->arena);
		map_init(&f->debug->of_reg, f->arena);
		vec_push(f->arena, &f->debug->entry, ((MirDebugEntry){0}));
	}
	u32 id = f->debug->entry.n;
	e.next = e.next_reg = 0;
	if (e.kind == MIR_DEBUG_REG) {
		e.next_reg = (u32)map_or(&f->debug->of_reg, e.reg, 0);
		map_set(&f->debug->of_reg, e.reg, id);
	}
	vec_push(f->arena, &f->debug->entry, e);
	put(f, id, (MirBlockId){e.block}, (MirInstId){e.before}, true);
}

void mir_debug_leaves(MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	u32            first = mir_debug_first(f, (MirBlockId){mi->block}, i);
	if (!first || entry(f, first)->block != mi->block) /* of the block that this one joins */
		return;
	MirBlockId b = {mi->block};
	MirInstId  next = {mi->next};
	if (!next.i) { /* a branch that others replace, which have been put in front of it */
		next = mir_first_terminator(f, b);
		next.i = next.i == i.i ? 0 : next.i;
	}
	take(f, b, i);
	put(f, first, b, next, false);
}

/* The variables that block `from` tells about are nowhere at the given place. */
static void lose(MirFunc *f, MirBlockId from, MirBlockId b, MirInstId before)
{
	u32 n = f->debug->entry.n, found = 0;
	Map seen;
	map_init(&seen, f->arena);
	for (u32 e = 1; e < n; e++) {
		MirDebugEntry x = *entry(f, e);
		bool          fresh = false;
		if (x.block == from.i && x.kind != MIR_DEBUG_LABEL)
			map_put(&seen, (u64)x.variable << 32 | x.loc, &fresh);
		if (!fresh)
			continue;
		MirDebugEntry y = {.variable = x.variable, .loc = x.loc}; /* all of it, whichever bits x names */
		y.block = b.i, y.before = before.i;
		vec_push(f->arena, &f->debug->entry, y);
		u32 id = f->debug->entry.n - 1;
		entry(f, id)->next = found;
		found = id;
	}
	if (found)
		put(f, found, b, before, before.i == 0);
}

void mir_debug_block_leaves(MirFunc *f, MirBlockId b)
{
	if (!f->debug || !mir_block(f, b)->succ)
		return;
	mir_each_succ(f, b, e)
		if (e->to != b.i)
			lose(f, b, (MirBlockId){e->to}, mir_first_non_phi(f, (MirBlockId){e->to}));
	take(f, b, (MirInstId){0});
	for (u32 e = 1; e < f->debug->entry.n; e++)
		if (entry(f, e)->block == b.i)
			entry(f, e)->block = 0;
}

/* Drops what is said of the same bits of a variable again at the same place. */
static void drop_superseded(MirFunc *f, MirBlockId b, MirInstId before)
{
	u32 first = mir_debug_first(f, b, before);
	for (u32 e = first, prev = 0; e; e = entry(f, e)->next) {
		const MirDebugEntry *x = entry(f, e);
		u32                  later = x->kind == MIR_DEBUG_LABEL ? 0 : x->next;
		while (later && (entry(f, later)->kind == MIR_DEBUG_LABEL || entry(f, later)->variable != x->variable ||
		                 entry(f, later)->loc != x->loc || entry(f, later)->expression != x->expression))
			later = entry(f, later)->next;
		if (!later)
			prev = e;
		else if (prev)
			entry(f, prev)->next = x->next;
		else
			map_set(&f->debug->at, place_of(b, before), x->next);
	}
}

void mir_debug_joined(MirFunc *f, MirBlockId from, MirBlockId to)
{
	if (!f->debug)
		return;
	u32 end = take(f, to, (MirInstId){0}), rest = take(f, from, (MirInstId){0});
	for (u32 e = 1; e < f->debug->entry.n; e++)
		if (entry(f, e)->block == from.i)
			entry(f, e)->block = to.i;
	if (rest)
		put(f, rest, to, (MirInstId){0}, true);
	if (end) {
		put(f, end, to, (MirInstId){mir_block(f, from)->first}, false);
		drop_superseded(f, to, (MirInstId){mir_block(f, from)->first});
	}
}

void mir_debug_copied(MirFunc *f, MirBlockId from, MirBlockId to)
{
	if (f->debug)
		lose(f, from, to, (MirInstId){0});
}

void mir_debug_earlier(MirFunc *f, MirInstId i, MirInstId earlier)
{
	MirBlockId b = {mir_inst(f, i)->block};
	u32        first = f->debug ? take(f, b, i) : 0;
	if (first)
		put(f, first, b, earlier, true);
}

void mir_debug_forget(MirFunc *f) { f->debug = NULL; }

void mir_debug_renamed(MirFunc *f, MirReg from, MirReg to)
{
	u32 first = (u32)map_or(&f->debug->of_reg, from.i, 0), last = 0;
	if (!first)
		return;
	for (u32 e = first; e; e = entry(f, e)->next_reg) {
		entry(f, e)->reg = to.i;
		if (!mir_is_virt(to))
			entry(f, e)->kind = MIR_DEBUG_NOWHERE;
		last = e;
	}
	map_remove(&f->debug->of_reg, from.i);
	if (!mir_is_virt(to))
		return;
	entry(f, last)->next_reg = (u32)map_or(&f->debug->of_reg, to.i, 0);
	map_set(&f->debug->of_reg, to.i, first);
}
