/* greedy_rewrite.c: puts the decisions of greedy into the code. A part of a register that begins where nothing defines it gets a
 * reload there; definitions from which a reload can be reached without passing another definition are stored.
 *
 *	  %1 = …               part [0, 1)             %1 = …
 *	                                               ST_local_u32 %stack.0, 0, %1
 *	  …                                      →     …
 *	                                               %30 = LD_local_u32 %stack.0, 0
 *	  … = %1               part [40, 41)           … = %30
 *
 * What is to be computed again is decided for all registers before anything is inserted: it needs operands in registers.
 * Stores are found by walking from each reload upwards, over the blocks without definitions: linear in the blocks in
 * which the value is in memory. */
#include "base/sort.h"
#include "mirpass/greedy.h"

typedef struct Reload {
	u32 point, node, reg, again;
} Reload;

typedef struct Rewriter {
	Greedy *g;
	Vec(Reload) reload; /* by register */
	VecU32 first;       /* by register with parts: its first reload */
	VecU32 regs;        /* registers with parts, ascending */
	/* of the register at hand */
	Accesses access;
	VecU32   starts; /* of its parts */
	VecU32   event;  /* definitions and loads: 4 * point, + 1 for a definition, + 2 where it must be stored */
	u32     *asked;  /* by node: the register for which its entry was asked last */
	VecU32   work;
} Rewriter;

/* ---- reloads ---- */

static bool is_live(void *user, MirReg r, MirBlockId b, MirInstId at)
{
	const Greedy   *g = user;
	const MirRange *range = mir_range(g->ranges, r);
	const MirSlots *s = g->ranges->slots;
	u32             slot = at.i ? mir_slot_of(s, at) : mir_slot_last(g->f, s, b);
	if (isa_class_info[mir_class(g->f, r)].file == g->file && g->of[r.i])
		return false;
	return range && mir_range_at(g->ranges, range, slot);
}

static bool defines(const Rewriter *w, u32 point)
{
	u32 low = 0, high = w->access.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (w->access.p[mid] < 4 * point + 1)
			low = mid + 1;
		else
			high = mid;
	}
	return low < w->access.n && w->access.p[low] == 4 * point + 1;
}

static void list_starts(Rewriter *w, u32 r)
{
	const Greedy *g = w->g;
	VecU32       *starts = &w->starts;
	starts->n = 0;
	for (u32 n = g->of[r]; n; n = g->item.p[n - 1].next) {
		const Item *i = &g->item.p[n - 1];
		for (u32 k = i->first; i->state == ITEM_ADMITTED && k < i->first + i->n; k++)
			vec_push(g->cx->scratch, starts, g->matrix->seg.p[k].start);
	}
	sort_u32(g->cx->scratch, starts->p, starts->n);
}

static void find_reloads(Rewriter *w, u32 r)
{
	Greedy *g = w->g;
	w->access = greedy_accesses(g, (MirReg){r});
	list_starts(w, r);
	vec_push(g->cx->scratch, &w->first, w->reload.n);
	for (u32 k = 0; k < w->starts.n; k++) {
		u32 point = w->starts.p[k], node = mir_points_node(g->points, point);
		if (point == g->points->start[node] || defines(w, point))
			continue;
		MirBlockId b = {g->cfg->block[node]};
		MirInstId  at = {g->points->at[point]};
		Reload     x = {point, node, r, spill_again(g->spiller, (MirReg){r}, b, at, is_live, g).i};
		vec_push(g->cx->scratch, &w->reload, x);
	}
}

/* ---- stores ---- */

/* The event in front of number `k` in the same block. */
static u32 event_before(const Rewriter *w, u32 k, u32 node)
{
	return k && w->event.p[k - 1] / 4 >= w->g->points->start[node] ? k - 1 : GRAPH_NONE;
}

/* The last event of a block. */
static u32 last_event(const Rewriter *w, u32 node)
{
	u32 low = 0, high = w->event.n, end = w->g->points->start[node + 1];
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (w->event.p[mid] / 4 < end)
			low = mid + 1;
		else
			high = mid;
	}
	return event_before(w, low, node);
}

/* The slot is read behind event `k` of the block, or behind its start where there is none. */
static void need(Rewriter *w, u32 k, u32 node, u32 reg)
{
	if (k != GRAPH_NONE) {
		if (w->event.p[k] & 1)
			w->event.p[k] |= 2;
		return;
	}
	if (w->asked[node] == reg)
		return;
	w->asked[node] = reg;
	vec_push(w->g->cx->scratch, &w->work, node);
}

static void find_stores(Rewriter *w, const Reload *x, u32 n)
{
	Greedy *g = w->g;
	bool    any = false, all = g->work >= g->most_work;
	w->event.n = 0;
	for (u32 k = 0; k < w->access.n; k++)
		if (w->access.p[k] & 1)
			vec_push(g->cx->scratch, &w->event, w->access.p[k]);
	for (u32 k = 0; k < n; k++)
		if (!x[k].again) {
			vec_push(g->cx->scratch, &w->event, 4 * x[k].point);
			any = true;
		}
	sort_u32(g->cx->scratch, w->event.p, w->event.n);
	for (u32 k = 0; k < w->event.n && any; k++) {
		if (w->event.p[k] & 1) {
			w->event.p[k] |= all ? 2 : 0;
		} else if (!all) {
			u32 node = mir_points_node(g->points, w->event.p[k] / 4);
			need(w, event_before(w, k, node), node, x->reg);
		}
	}
	while (w->work.n) {
		u32   node = vec_pop(&w->work);
		Nodes pred = graph_pred(&g->cfg->g, node);
		for (u32 k = 0; k < pred.n; k++)
			need(w, last_event(w, pred.p[k]), pred.p[k], x->reg);
	}
}

/* ---- one register ---- */

/* What became of a register. */
typedef struct Told {
	u32 line, stores, loads, again;
} Told;

static u32 line_of(const MirFunc *f, MirReg r)
{
	u32 def = mir_vreg(f, r)->defs;
	return def ? mir_inst(f, (MirInstId){mir_op_at(f, def)->inst})->origin : 0;
}

static void say(const Greedy *g, MirReg r, const Told *t, Str names)
{
	Str name = mir_reg_text(g->f, r, g->cx->scratch);
	if (t->loads)
		pass_remark_fate(g->cx, FATE_SPILLED, t->line, names,
		                 "%.*s is in memory where there is no room: %u store%s, %u reload%s, computed again %u time%s",
		                 STR_ARG(name), t->stores, t->stores == 1 ? "" : "s", t->loads, t->loads == 1 ? "" : "s",
		                 t->again, t->again == 1 ? "" : "s");
	else if (t->again)
		pass_remark_fate(g->cx, FATE_REMATERIALISED, t->line, names,
		                 "%.*s is computed again %u time%s, where there is no room to keep it", STR_ARG(name), t->again,
		                 t->again == 1 ? "" : "s");
}

/* Once parts have names: each register with the parts that it has become. */
static void say_all(const Rewriter *w, const Told *told, u32 n_regs)
{
	const Greedy *g = w->g;
	Arena        *a = g->cx->scratch;
	if (!pass_wants_remarks(g->cx))
		return;
	Text *names = arena_array(a, Text, n_regs);
	for (u32 k = 0; k < w->regs.n; k++) {
		text_init(&names[w->regs.p[k]], a);
		mir_print_reg(&names[w->regs.p[k]], g->f, (MirReg){w->regs.p[k]});
	}
	for (u32 r = n_regs; r < g->f->vreg.n && r < g->spiller->part_of.n; r++) {
		u32 of = g->spiller->part_of.p[r];
		if (!of || of >= n_regs || !names[of].arena)
			continue;
		text_c(&names[of], ' ');
		mir_print_reg(&names[of], g->f, (MirReg){r});
	}
	for (u32 k = 0; k < w->regs.n; k++)
		say(g, (MirReg){w->regs.p[k]}, &told[k], text_str(&names[w->regs.p[k]]));
}

static void rewrite(Rewriter *w, u32 k, Told *t)
{
	Greedy *g = w->g;
	MirReg  r = {w->regs.p[k]};
	u32     first = w->first.p[k], last = k + 1 < w->first.n ? w->first.p[k + 1] : w->reload.n;
	u32     stores = g->spiller->n_stores, loads = g->spiller->n_reloads, again = g->spiller->n_again;
	if (first == last)
		return;
	t->line = line_of(g->f, r);
	w->access = greedy_accesses(g, r);
	find_stores(w, w->reload.p + first, last - first);
	for (u32 n = first; n < last; n++) {
		const Reload *x = &w->reload.p[n];
		spill_reload(g->spiller, r, (MirBlockId){g->cfg->block[x->node]}, (MirInstId){g->points->at[x->point]},
		             (MirInstId){x->again});
	}
	for (u32 n = 0; n < w->event.n; n++)
		if (w->event.p[n] & 2)
			spill_store(g->spiller, r, (MirInstId){g->points->at[w->event.p[n] / 4]});
	g->spiller->n_split++;
	t->stores = g->spiller->n_stores - stores;
	t->loads = g->spiller->n_reloads - loads;
	t->again = g->spiller->n_again - again;
}

void greedy_rewrite(Greedy *g)
{
	Rewriter w = {.g = g, .asked = arena_array(g->cx->scratch, u32, g->cfg->g.n + 1)};
	u32      n_regs = g->f->vreg.n; /* rewriting makes more */
	for (u32 r = 1; r < n_regs; r++)
		if (g->of[r]) {
			vec_push(g->cx->scratch, &w.regs, r);
			find_reloads(&w, r);
		}
	Told *told = arena_array(g->cx->scratch, Told, w.regs.n);
	for (u32 k = 0; k < w.regs.n; k++)
		rewrite(&w, k, &told[k]);
	if (w.regs.n)
		spill_rename(g->spiller, &w.regs, (MirFlow){g->f, g->cfg, mir_loops(g->cx)});
	say_all(&w, told, n_regs);
}
