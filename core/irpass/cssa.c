/* cssa: conversion to conventional SSA.
 *
 *   then: …                                  then: %pcp = copy.8919 i32 %a
 *         br label %join                           br label %join
 *   else: br label %join             →       else: %pcp1 = copy.8919 i32 %b
 *   join: %x = phi [ %a, %then ],                  br label %join
 *                  [ %b, %else ]             join: %x = phi [ %pcp, %then ], [ %pcp1, %else ]
 *         use %x                                   %pcp2 = copy.8919 i32 %x
 *                                                  use %pcp2
 *
 * SSA is conventional when what a phi joins can live in one register: no two of them are live at once.
 * (Sreedhar, Ju, Gillies and Santhanam call it so; it is also what makes the lost-copy and the swap
 * problem impossible.) Here a copy at the end of each predecessor gives every phi inputs of its own, and
 * one behind the phis gives its readers a value of their own. The copies are PCP instructions, opcode
 * 8919: plain moves that the register coalescer may join only where nothing interferes.
 *
 * Five phases, each a function: numbering the blocks (skipped when the same graph was numbered before),
 * finding the phis and putting copies at the predecessors' terminators, propagating behind the phis block
 * by block, and erasing copies that nobody reads. Erasing waits until all propagation is done.
 *
 * Every phi gets its copies, uniform or not; then cssa-coalesce takes some away again, more with each level
 * (see cssa.h). Those of a phi where paths of a divergent branch meet are kept whatever the level. Linear in
 * instructions and phi operands. */
#include "irpass/cssa.h"

#include "base/sort.h"
#include "ir/builder.h"
#include "ir/text.h"

bool cssa_is_control_flow(u32 opcode) { return opcode - CSSA_CF_FIRST <= CSSA_CF_LAST - CSSA_CF_FIRST; }

u32 cssa_sort_depth_limit(u64 span) { return span ? 2 * u64_log2(span) : 0; }

/* ---- subtarget: machines from sm_80 on merge copies of split edges, from sm_90 on across blocks ---- */

bool cssa_default_split_edges(u32 sm) { return sm >= 80; }
bool cssa_default_span_blocks(u32 sm) { return sm >= 90; }

enum { BY_SUBTARGET, ALWAYS_ON, ALWAYS_OFF };

static bool tri_state(const Session *s, Knob k, bool by_subtarget)
{
	i64 v = knob_int(s, k);
	return v == BY_SUBTARGET ? by_subtarget : v == ALWAYS_ON;
}

CssaOptions cssa_options(const Session *s)
{
	CssaOptions o = {.coalesce = (u32)knob_int(s, KNOB_cssa_coalesce), .verbosity = (u32)knob_int(s, KNOB_cssa_verbosity)};
	if (!s->knobs.set[KNOB_cssa_coalesce] && s->knobs.set[KNOB_CSSACoalescing])
		o.coalesce = (u32)knob_int(s, KNOB_CSSACoalescing);
	o.split_edges = tri_state(s, KNOB_join_splitedges, cssa_default_split_edges(s->target.sm));
	o.span_blocks = tri_state(s, KNOB_join_globalcopies, cssa_default_span_blocks(s->target.sm));
	return o;
}

/* ---- phase 1: numbers ---- */

typedef struct Frame {
	IrRef block;
	u32   next; /* successor to visit */
} Frame;

/* Changes when a block or an edge comes, goes or moves. */
static u64 fingerprint(const IrModule *m, const IrFunc *f)
{
	u64 h = f->n_blocks;
	ir_each_block(m, f, b) {
		h = h * 0x9E3779B97F4A7C15u + b.i;
		for (u32 i = 0, n = ir_n_succs(m, b); i < n; i++)
			h = (h ^ ir_succ(m, b, i).i) * 0xBF58476D1CE4E5B9u;
	}
	return h;
}

void cssa_number_blocks(const IrModule *m, const IrFunc *f, CssaState *s, Arena *a, u32 hooks)
{
	u64 epoch = fingerprint(m, f);
	s->next_phi_id = 0;
	if (s->blocks_numbered && (s->cfg_epoch == epoch || hooks & CSSA_HOOK_LITERAL_LATCH)) {
		for (u32 i = 0; i < s->n_blocks; i++) /* others may have written their own since */
			ir_block(m, s->block[i])->mark = i;
		return;
	}
	u32 n = f->n_blocks, pre = 0, post = 0;
	s->n_blocks = n;
	s->block = arena_array(a, IrRef, n + 1);
	s->preorder = arena_array(a, u32, n + 1);
	s->rpo_index = arena_array(a, u32, n + 1);
	n = 0;
	ir_each_block(m, f, b) {
		ir_block(m, b)->mark = n;
		s->preorder[n] = s->rpo_index[n] = UINT32_MAX;
		s->block[n++] = b;
	}
	Frame first[CSSA_STACK];
	Vec(Frame) stack = {first, 0, CSSA_STACK};
	Arena frames; /* given back at once */
	arena_init(&frames, a->budget);
	vec_push(&frames, &stack, ((Frame){f->first, 0}));
	s->preorder[0] = pre++;
	while (stack.n) {
		Frame *top = &vec_last(&stack);
		u32    at = ir_block(m, top->block)->mark;
		if (top->next == ir_n_succs(m, top->block)) {
			s->rpo_index[at] = post++; /* turned round below */
			stack.n--;
			continue;
		}
		IrRef succ = ir_succ(m, top->block, top->next++);
		u32   to = ir_block(m, succ)->mark;
		if (s->preorder[to] != UINT32_MAX)
			continue;
		s->preorder[to] = pre++;
		if (stack.n == stack.cap && stack.p == first) { /* out of the inline frames */
			Vec(Frame) grown = {0};
			vec_reserve(&frames, &grown, 2 * CSSA_STACK);
			memcpy(grown.p, first, sizeof first);
			stack.p = grown.p;
			stack.cap = grown.cap;
		}
		vec_push(&frames, &stack, ((Frame){succ, 0}));
	}
	arena_free(&frames);
	for (u32 i = 0; i < n; i++)
		if (s->rpo_index[i] != UINT32_MAX)
			s->rpo_index[i] = post - 1 - s->rpo_index[i];
	s->blocks_numbered = true;
	s->cfg_epoch = epoch;
}

/* ---- making copies ---- */

typedef struct Cssa {
	PassCx     *cx;
	IrModule   *m;
	IrFunc     *f;
	Arena      *a;
	CssaState  *s;
	CssaOptions o;
	Divergence *div; /* only where a level asks for it */
	bool        changed;
} Cssa;

static bool is_copy(const IrModule *m, IrRef v) { return is_inst(m, v, IR_PCP); }

static void record_use(Cssa *c, IrRef user)
{
	u32 id = pages_new(&c->s->use_graph);
	*pages_of(&c->s->use_graph, IrRef, id) = user;
}

static IrRef make_copy(Cssa *c, CopySlot *slot, IrRef source)
{
	IrModule *m = c->m;
	IrRef     copy = ir_inst_new(m, IR_PCP, slot->type, 1);
	ir_set_op(m, copy, 0, source);
	slot->builder.origin = ir_info(m, slot->dst_proxy)->origin;
	slot->builder.dbg = ir_info(m, slot->dst_proxy)->dbg;
	ir_b_insert(&slot->builder, copy);
	ir_set_name(m, copy, STR("pcp"));
	record_use(c, copy);
	c->changed = true;
	return copy;
}

/* At the end of the list; the copies of one phi are noted one behind the other. */
static void note_for_cleanup(Cssa *c, IrRef copy, bool heads_chain)
{
	vec_push(c->a, &c->s->cleanup, ((CleanupNode){copy, heads_chain}));
	c->s->last_fill = ++c->s->clock;
}

/* ---- phase 3: producer copies ---- */

enum { MAX_SHARING_INPUTS = 256 }; /* inputs of two phis are compared one by one */

/* Every other predecessor that two phis have in common must bring both the same value: else the copies for
 * both are live there at once. */
static bool agree_elsewhere(const IrModule *m, IrRef x, IrRef y, IrRef pred)
{
	for (u32 i = 0; i < ir_phi_n(m, x); i++) {
		IrRef p = ir_phi_block(m, x, i), other = ir_same(p, pred) ? IR_NO_REF : ir_phi_value_for(m, y, p);
		if (!ir_is_none(other) && !ir_same(other, ir_phi_value(m, x, i)))
			return false;
	}
	return true;
}

/* A copy of `v` at `pred` made for a phi of another successor: the two are never live together. Phis pair
 * up, so that no web grows by way of a third. */
static IrRef shared_copy(Cssa *c, IrRef phi, IrRef v, IrRef pred)
{
	const IrModule *m = c->m;
	if (c->o.coalesce < CSSA_SHARE || ir_phi_n(m, phi) > MAX_SHARING_INPUTS)
		return IR_NO_REF;
	u64 *at = map_get(&c->s->value_at, (u64)v.i << 32 | pred.i);
	if (!at || !ir_has_one_use(m, (IrRef){(u32)*at}))
		return IR_NO_REF;
	IrRef copy = {(u32)*at}, other = ir_use(m, ir_first_use(m, copy))->user;
	if (!is_inst(m, other, IR_PHI) || ir_phi_n(m, other) > MAX_SHARING_INPUTS ||
	    ir_same(ir_inst(m, other)->block, ir_inst(m, phi)->block) || map_or(&c->s->partner, phi.i, other.i) != other.i ||
	    map_or(&c->s->partner, other.i, phi.i) != phi.i || !agree_elsewhere(m, phi, other, pred) ||
	    !agree_elsewhere(m, other, phi, pred))
		return IR_NO_REF;
	map_set(&c->s->partner, phi.i, other.i);
	map_set(&c->s->partner, other.i, phi.i);
	return copy;
}

/* The slot before the predecessor's terminator; the edge is split where the terminator makes the value. */
static CopySlot copy_slot(Cssa *c, IrRef phi, IrRef v, IrRef *pred)
{
	IrModule *m = c->m;
	IrRef     term = ir_term(m, *pred);
	if (ir_same(v, term)) {
		u32 k = 0;
		while (!ir_same(ir_succ(m, *pred, k), ir_inst(m, phi)->block))
			k++;
		*pred = ir_split_edge(m, *pred, k, STR("cssa.split"));
		term = ir_term(m, *pred);
	}
	CopySlot slot = {.dst_proxy = phi, .type = ir_inst(m, phi)->type, .builder = ir_build_before(m, term)};
	if (c->o.hooks & CSSA_HOOK_MERGE_BLOCK)
		slot.builder = ir_build_before(m, ir_first_non_phi(m, ir_inst(m, phi)->block));
	return slot;
}

static bool converted_already(const IrModule *m, IrRef v, IrRef pred)
{
	return is_copy(m, v) && ir_same(ir_inst(m, v)->block, pred);
}

static Str name_of(const IrModule *m, IrRef v) { return ir_str(m, ir_name(m, v)); }

/* Where a remark about the phi's input `v` belongs. */
static u32 input_line(const IrModule *m, IrRef phi, IrRef v)
{
	u32 line = value_line(m, v);
	return line && ir_kind(v) != IR_ARG ? line : value_line(m, phi);
}

static IrRef new_copy(Cssa *c, IrRef phi, IrRef v, IrRef *pred, bool first)
{
	IrModule *m = c->m;
	CopySlot  slot = copy_slot(c, phi, v, pred);
	IrRef     copy = make_copy(c, &slot, v);
	note_for_cleanup(c, copy, first);
	c->s->stats.producers++;
	if (pass_wants_remarks(c->cx))
		pass_remark(c->cx, REMARK_ANALYSIS, input_line(m, phi, v), "copied at the end of block %.*s for phi %.*s",
		            STR_ARG(name_of(m, *pred)), STR_ARG(name_of(m, phi)));
	return copy;
}

static void insert_copies(Cssa *c, IrRef phi)
{
	IrModule *m = c->m;
	bool      first = true;
	if (c->o.hooks & CSSA_HOOK_SKIP_UNIFORM && c->div && !is_divergent(c->div, phi))
		return;
	for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
		IrRef v = ir_phi_value(m, phi, i), pred = ir_phi_block(m, phi, i);
		bool  several = ir_n_succs(m, pred) > 1; /* edges: only then is a copy looked for again */
		u64  *known = several ? map_get(&c->s->copy_at, (u64)phi.i << 32 | pred.i) : NULL;
		if (known) { /* a switch that comes here twice */
			ir_set_op(m, phi, 2 * i, (IrRef){(u32)*known});
			continue;
		}
		if (converted_already(m, v, pred))
			continue;
		IrRef copy = several ? shared_copy(c, phi, v, pred) : IR_NO_REF;
		if (!ir_is_none(copy)) {
			c->s->stats.shared++;
			pass_remark(c->cx, REMARK_PASSED, input_line(m, phi, v), "one copy serves phis of two successors");
		} else {
			copy = new_copy(c, phi, v, &pred, first);
			first = false;
		}
		if (several) {
			map_set(&c->s->copy_at, (u64)phi.i << 32 | pred.i, copy.i);
			map_set(&c->s->value_at, (u64)v.i << 32 | pred.i, copy.i);
		}
		if (c->o.hooks & CSSA_HOOK_INTERLEAVE)
			cssa_clean_up(m, c->s);
		if (!(c->o.hooks & (CSSA_HOOK_NO_REWIRE | CSSA_HOOK_MERGE_BLOCK)))
			ir_set_op(m, phi, 2 * i, copy);
	}
}

/* ---- phase 2 ---- */

/* Room for as much as there can be: large tables that grow leave as much behind as they hold. */
static void make_room(Cssa *c)
{
	const IrModule *m = c->m;
	u32             phis = 0, inputs = 0;
	ir_each_block(m, c->f, b)
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_PHI)
				break;
			phis++;
			inputs += ir_phi_n(m, i);
		}
	map_reserve(&c->s->phi_map, phis);
	vec_reserve(c->a, &c->s->cleanup, inputs + phis);
}

static void discover_phis(Cssa *c)
{
	IrModule *m = c->m;
	ir_each_block(m, c->f, b)
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_PHI) {
				record_use(c, i);
				continue;
			}
			map_set(&c->s->phi_map, i.i, c->s->next_phi_id++);
			c->s->stats.phis++;
			insert_copies(c, i);
		}
}

/* ---- phase 4: consumer copies ---- */

static bool is_read_by_phi(const IrModule *m, IrRef v)
{
	ir_each_use(m, v, u)
		if (is_inst(m, ir_use(m, u)->user, IR_PHI))
			return true;
	return false;
}

/* A copy among those behind the phis of its block; no phi reads it, as one made for a successor would have. */
static bool is_consumer(const IrModule *m, IrRef copy)
{
	IrRef before = ir_inst(m, copy)->prev;
	return !ir_is_none(before) && (is_inst(m, before, IR_PHI) || is_copy(m, before)) && !is_read_by_phi(m, copy);
}

static bool has_other_users(const IrModule *m, IrRef phi)
{
	u32 others = 0, copies_here = 0;
	ir_each_use(m, phi, u) {
		IrRef user = ir_use(m, u)->user;
		if (is_inst(m, user, IR_PHI))
			continue;
		others++;
		copies_here +=
			is_copy(m, user) && ir_same(ir_inst(m, user)->block, ir_inst(m, phi)->block) && is_consumer(m, user);
	}
	/* Converted before: its one reader is the copy behind the phis. */
	return others && !(others == 1 && copies_here == 1);
}

typedef struct Record {
	u32   rpo, id;
	IrRef phi, terminator;
} Record;

static int by_number(const void *x, const void *y, void *user)
{
	const Record *a = x, *b = y;
	(void)user;
	if (a->rpo != b->rpo)
		return a->rpo < b->rpo ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Which phis do the terminators of the predecessors bring values to? Keyed by the phi, in a map of this
 * block's own; a phi once mapped is never mapped again, so an edge from the block to itself ends here. */
static void propagate_block(Cssa *c, IrRef block)
{
	IrModule *m = c->m;
	Arena     scratch;
	Map       local;
	Vec(Record) records = {0};
	arena_init(&scratch, c->a->budget);
	map_init(&local, &scratch);
	c->s->stats.local_maps++;
	ir_each_inst(m, block, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
			IrRef term = ir_term(m, ir_phi_block(m, phi, i));
			bool  fresh = true;
			c->s->stats.steps++;
			if (ir_is_none(term) || !(ir_op_info[ir_inst(m, term)->op].flags & IROF_TERMINATOR))
				continue;
			if (!(c->o.hooks & CSSA_HOOK_NO_FILTER))
				map_put(&local, phi.i, &fresh);
			if (!fresh)
				continue;
			u32 at = ir_block(m, block)->mark;
			vec_push(&scratch, &records,
			         ((Record){c->s->rpo_index[at], (u32)map_or(&c->s->phi_map, phi.i, 0), phi, term}));
		}
	}
	sort_stable(&scratch, records.p, records.n, sizeof(Record), by_number, NULL);
	IrRef behind = ir_first_non_phi(m, block);
	for (u32 i = 0; i < records.n; i++) {
		IrRef phi = records.p[i].phi;
		if (c->o.hooks & CSSA_HOOK_NO_REWIRE)
			break;
		if (!(c->o.hooks & CSSA_HOOK_NO_FILTER) && !has_other_users(m, phi))
			continue;
		CopySlot slot = {phi, ir_inst(m, phi)->type, ir_build_before(m, behind)};
		IrRef    copy = make_copy(c, &slot, phi);
		ir_each_use(m, phi, u) {
			IrRef user = ir_use(m, u)->user;
			if (!is_inst(m, user, IR_PHI) && !ir_same(user, copy))
				ir_set_use(m, u, copy);
		}
		note_for_cleanup(c, copy, true);
		c->s->stats.consumers++;
		if (pass_wants_remarks(c->cx))
			pass_remark(c->cx, REMARK_ANALYSIS, value_line(m, phi), "readers of phi %.*s read a copy behind it",
			            STR_ARG(name_of(m, phi)));
	}
	arena_free(&scratch);
}

static void propagate(Cssa *c)
{
	ir_each_block(c->m, c->f, b)
		propagate_block(c, b);
}

/* ---- coalescing: copies that may go again ---- */

/* The predecessor holds nothing but copies and its branch, and has one edge in and one out. */
static bool is_split_edge(const IrModule *m, IrRef block)
{
	if (ir_n_succs(m, block) != 1 || ir_is_none(ir_single_pred(m, block)))
		return false;
	ir_each_inst(m, block, i)
		if (!is_copy(m, i) && !ir_op_is_terminator(ir_inst(m, i)->op))
			return false;
	return true;
}

/* Is another input of the phi made in `block`? */
static bool has_input_in(const IrModule *m, IrRef phi, u32 but, IrRef block)
{
	for (u32 k = 0; k < ir_phi_n(m, phi); k++) {
		IrRef v = ir_phi_value(m, phi, k);
		if (!ir_same(v, ir_phi_value(m, phi, but)) && ir_kind(v) == IR_INST && ir_same(ir_inst(m, v)->block, block))
			return true;
	}
	return false;
}

/* Why the copy that is input `i` has to stay; NULL: the phi may read its source. For that the source must be
 * computed for this phi alone, so that it lives from there to the end of the predecessor and nowhere else (the
 * phi itself dies at the head of its block, where its consumer copy reads it), and no thread may come from
 * another path in between. */
static const char *why_kept(const Cssa *c, IrRef phi, u32 i)
{
	const IrModule *m = c->m;
	IrRef           copy = ir_phi_value(m, phi, i), v = ir_op(m, copy, 0), pred = ir_phi_block(m, phi, i);
	if (c->o.hooks & CSSA_HOOK_BLIND_COALESCE)
		return NULL;
	if (ir_kind(v) != IR_INST)
		return "its source is no instruction's value";
	if (!ir_has_one_use(m, copy) || map_get(&c->s->partner, phi.i))
		return "two phis share copies";
	if (ir_inst(m, v)->op == IR_PHI || is_copy(m, v) || !ir_has_one_use(m, v))
		return "its source lives on";
	if (bitset_has(c->div->join, ir_block(m, ir_inst(m, phi)->block)->mark))
		return "paths of a divergent branch meet at the phi";
	IrRef home = ir_inst(m, v)->block;
	if (is_split_edge(m, pred) && ir_same(home, ir_single_pred(m, pred))) {
		if (!c->o.split_edges)
			return "this target keeps copies on split edges (join-splitedges)";
		return has_input_in(m, phi, i, home) ? "another input is live in the same block" : NULL;
	}
	if (c->o.coalesce < CSSA_SPAN_BLOCKS)
		return "it is on no split edge (cssa-coalesce=3 goes on)";
	if (!c->o.span_blocks)
		return "this target keeps copies that span blocks (join-globalcopies)";
	return ir_same(home, pred) ? NULL : "its source is computed further up";
}

static void coalesce_phi(Cssa *c, IrRef phi)
{
	IrModule *m = c->m;
	for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
		IrRef copy = ir_phi_value(m, phi, i);
		if (!converted_already(m, copy, ir_phi_block(m, phi, i)))
			continue;
		IrRef       v = ir_op(m, copy, 0);
		const char *why = why_kept(c, phi, i);
		if (why) {
			pass_remark(c->cx, REMARK_MISSED, input_line(m, phi, v), "copy for phi %.*s stays: %s",
			            STR_ARG(name_of(m, phi)), why);
			continue;
		}
		pass_remark(c->cx, REMARK_PASSED, input_line(m, phi, v), "phi %.*s needs no copy of this: nothing interferes",
		            STR_ARG(name_of(m, phi)));
		for (u32 k = 0; k < ir_phi_n(m, phi); k++)
			if (ir_same(ir_phi_value(m, phi, k), copy))
				ir_set_op(m, phi, 2 * k, v);
		if (ir_has_uses(m, copy))
			continue;
		ir_remove(m, copy);
		c->s->stats.spared++;
	}
}

static void coalesce(Cssa *c)
{
	if (c->o.coalesce < CSSA_SPLIT_EDGES)
		return;
	ir_each_block(c->m, c->f, b)
		ir_each_inst(c->m, b, phi) {
			if (ir_inst(c->m, phi)->op != IR_PHI)
				break;
			coalesce_phi(c, phi);
		}
}

/* ---- phase 5: copies that nobody reads ---- */

/* Forward only. A chain stops at its first live copy, and what becomes dead behind it stays. What coalescing
 * took away is passed by. */
void cssa_clean_up(IrModule *m, CssaState *s)
{
	if (!s->first_read)
		s->first_read = ++s->clock;
	bool live = false; /* met in the chain at hand */
	for (u32 n = 0; n < s->cleanup.n; n++) {
		IrRef copy = s->cleanup.p[n].inst;
		live &= !s->cleanup.p[n].heads_chain;
		if (live || ir_is_none(ir_inst(m, copy)->block))
			continue;
		live = ir_has_uses(m, copy);
		if (live)
			continue;
		ir_remove(m, copy);
		s->stats.erased++;
	}
}

/* ---- all of it ---- */

static void report(const Cssa *c, Str name)
{
	const CssaStats *t = &c->s->stats;
	if (!c->o.verbosity)
		return;
	Text *out = pass_dump(c->cx);
	text_f(out, "cssa %.*s: %u phis, %u producer copies, %u consumer copies, %u shared, %u spared, %u erased\n",
	       STR_ARG(name), t->phis, t->producers, t->consumers, t->shared, t->spared, t->erased);
	for (u32 i = 0; c->o.verbosity > 1 && i < c->s->cleanup.n; i++) {
		IrRef copy = c->s->cleanup.p[i].inst;
		if (ir_is_none(ir_inst(c->m, copy)->block))
			continue;
		text_s(out, "  ");
		ir_print_inst(out, c->m, copy);
		text_c(out, '\n');
	}
}

bool cssa_run(PassCx *cx, IrFunc *f, CssaState *state, CssaOptions o, Arena *a)
{
	IrModule *m = cx->ir;
	Cssa      c = {.cx = cx, .m = m, .f = f, .a = a, .s = state, .o = o};
	if (ir_is_decl(f))
		return false;
	if (o.coalesce >= CSSA_SPLIT_EDGES || o.hooks & CSSA_HOOK_SKIP_UNIFORM) {
		IrCfg  *cfg = ir_cfg_build(m, f, a);
		DomTree dom = dom_build(&cfg->graph, a, 0), postdom = postdom_build(&cfg->graph, a, 0);
		Loops   loops = loops_build(&cfg->graph, &cfg->order, &dom, a);
		c.div = divergence_build(m, f, cfg, &postdom, &loops, a);
	}
	map_init(&state->phi_map, a);
	pages_init(&state->use_graph, a, sizeof(IrRef));
	map_init(&state->copy_at, a);
	map_init(&state->value_at, a);
	map_init(&state->partner, a);
	state->cleanup.n = 0;
	state->clock = state->last_fill = state->first_read = 0;
	state->stats = (CssaStats){0};
	cssa_number_blocks(m, f, state, a, o.hooks);
	make_room(&c);
	discover_phis(&c); /* and phase 3, phi by phi */
	if (fingerprint(m, f) != state->cfg_epoch)
		cssa_number_blocks(m, f, state, a, o.hooks); /* an edge was split */
	propagate(&c);
	coalesce(&c);
	cssa_clean_up(m, state);
	report(&c, ir_str(m, ir_global(m, f->ref)->name));
	return c.changed && state->stats.erased + state->stats.spared < state->stats.producers + state->stats.consumers;
}

/* ---- the check ---- */

const char *cssa_check(const IrModule *m, const IrFunc *f)
{
	ir_each_block(m, f, b)
		ir_each_inst(m, b, phi) {
			if (ir_inst(m, phi)->op != IR_PHI)
				break;
			for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
				IrRef v = ir_phi_value(m, phi, i), pred = ir_phi_block(m, phi, i);
				if (!is_copy(m, v))
					return "a phi reads what is no copy";
				if (!ir_same(ir_inst(m, v)->block, pred))
					return "a copy is not at the end of the predecessor";
				for (IrRef n = ir_inst(m, v)->next; !ir_is_none(n); n = ir_inst(m, n)->next)
					if (!is_copy(m, n) && !ir_op_is_terminator(ir_inst(m, n)->op))
						return "something follows a copy before the terminator";
				ir_each_use(m, v, u)
					if (!is_inst(m, ir_use(m, u)->user, IR_PHI))
						return "a producer copy has another reader";
			}
			ir_each_use(m, phi, u)
				if (!is_copy(m, ir_use(m, u)->user))
					return "a phi is read by what is no copy";
		}
	return NULL;
}

static void *begin(PassCx *cx)
{
	if (knob_bool(cx->s, KNOB_dump_before_cssa)) {
		text_s(pass_dump(cx), "IR Module before CSSA:\n");
		ir_print_module(pass_dump(cx), cx->ir, NULL);
	}
	return NULL;
}

static bool run(PassCx *cx)
{
	CssaState state = {0};
	return cssa_run(cx, ir_func(cx->ir, (IrRef){cx->func}), &state, cssa_options(cx->s), cx->scratch);
}

static const Knob knobs[] = {
	KNOB_cssa_coalesce,   KNOB_CSSACoalescing,    KNOB_cssa_verbosity, KNOB_dump_before_cssa,
	KNOB_join_splitedges, KNOB_join_globalcopies, KNOB_NONE,
};

const Pass irpass_cssa = {
	.id = "cssa",
	.title = "CSSA",
	.summary = "Gives every phi copies of its own, so that what it joins can live in one register.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.gate = KNOB_do_cssa,
	.knobs = knobs,
	.keeps = 0,
	.looks_for = IR_OPS(PHI),
	.flags = PF_NVIDIA | PF_IDEMPOTENT,
	.begin = begin,
	.run = run,
};
