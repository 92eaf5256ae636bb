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
 * SSA is conventional when the values that a phi joins can share one register: no two of them are live at the same
 * time (Sreedhar, Ju, Gillies, Santhanam: "Translating out of static single assignment form", 1999; this is their method
 * I). A producer copy at the end of each predecessor gives the phi an input that nothing else reads, and a consumer copy
 * after the phis gives other users a value separate from the phi, so neither the lost-copy nor the swap problem can
 * arise. The copies are PCP instructions, printed copy.8919: moves that the register coalescer joins only where the live
 * ranges do not interfere.
 *
 * Five phases: number the blocks (skipped where the same graph was numbered before); visit phis in block and
 * instruction order; insert producer copies before the terminators of the predecessors; insert consumer copies after the
 * phis, block by block; erase copies without users, after the last insertion. Every phi gets its copies,
 * uniform or not; then cssa-coalesce removes some, more with each level (cssa.h), except those of a phi where
 * paths of a divergent branch meet. Linear in instructions and phi operands. */
#include "irpass/cssa.h"

#include "ir/builder.h"
#include "ir/text.h"

#define each_phi(m, b, i)                          \
	ir_each_inst((m), (b), i)                  \
		if (ir_inst((m), i)->op != IR_PHI) \
			break;                     \
		else

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

/* A hash of the blocks and edges in order: it changes when one is added, removed or moved. */
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

/* Depth first from the entry, without recursion. */
static void walk(const IrModule *m, const IrFunc *f, CssaNumbers *s, Arena *a)
{
	Vec(Frame) stack = {0};
	u32 pre = 0, post = 0;
	vec_push(a, &stack, ((Frame){f->first, 0}));
	s->preorder[0] = pre++;
	while (stack.n) {
		Frame *top = &vec_last(&stack);
		if (top->next == ir_n_succs(m, top->block)) {
			s->rpo_index[ir_block(m, top->block)->mark] = post++; /* reversed below */
			stack.n--;
			continue;
		}
		IrRef succ = ir_succ(m, top->block, top->next++);
		u32   to = ir_block(m, succ)->mark;
		if (s->preorder[to] != UINT32_MAX)
			continue;
		s->preorder[to] = pre++;
		vec_push(a, &stack, ((Frame){succ, 0}));
	}
	for (u32 i = 0; i < s->n_blocks; i++)
		if (s->rpo_index[i] != UINT32_MAX)
			s->rpo_index[i] = post - 1 - s->rpo_index[i];
}

void cssa_number_blocks(const IrModule *m, const IrFunc *f, CssaNumbers *s, Arena *a)
{
	u64   epoch = fingerprint(m, f);
	u32   n = 0;
	Arena frames; /* given back at once */
	ir_each_block(m, f, b)
		ir_block(m, b)->mark = n++; /* other passes may have overwritten the marks */
	if (s->preorder && s->cfg_epoch == epoch)
		return;
	*s = (CssaNumbers){epoch, n, arena_array(a, u32, n + 1), arena_array(a, u32, n + 1)};
	memset(s->preorder, 0xFF, (n + 1) * sizeof(u32));
	memset(s->rpo_index, 0xFF, (n + 1) * sizeof(u32));
	arena_init(&frames, a->budget);
	walk(m, f, s, &frames);
	arena_free(&frames);
}

/* ---- making copies ---- */

typedef struct Cssa {
	PassCx     *cx;
	IrModule   *m;
	IrFunc     *f;
	Arena      *a;
	CssaState  *s;
	CssaOptions o;
	Divergence *div;      /* only where a level asks for it */
	Map         copy_at;  /* phi and predecessor → copy */
	Map         value_at; /* value and predecessor → the last copy made of it there */
	Map         partner;  /* phi → the phi of another successor that it shares copies with */
	bool        changed;
} Cssa;

static bool is_copy(const IrModule *m, IrRef v) { return is_inst(m, v, IR_PCP); }

/* A copy of `source` for `phi`, in front of `before`. */
static IrRef make_copy(Cssa *c, IrRef phi, IrRef before, IrRef source)
{
	IrModule *m = c->m;
	IrRef     copy = ir_inst_new(m, IR_PCP, ir_inst(m, phi)->type, 1);
	IrBuilder b = ir_build_before(m, before);
	ir_set_op(m, copy, 0, source);
	b.origin = ir_info(m, phi)->origin;
	b.dbg = ir_info(m, phi)->dbg;
	ir_b_insert(&b, copy);
	ir_set_name(m, copy, STR("pcp"));
	c->changed = true;
	return copy;
}

/* Appends the copy to the list; the copies of one phi are appended consecutively. */
static void note_for_cleanup(Cssa *c, IrRef copy, bool heads_chain)
{
	vec_push(c->a, &c->s->cleanup, ((CssaCopy){copy, heads_chain}));
}

/* ---- phase 3: producer copies ---- */

enum { MAX_SHARING_INPUTS = 256 }; /* inputs of two phis are compared one by one */

/* At every other predecessor that two phis have in common, both must have the same input: otherwise the copies for the
 * two phis are live there at the same time. */
static bool agree_elsewhere(const IrModule *m, IrRef x, IrRef y, IrRef pred)
{
	for (u32 i = 0; i < ir_phi_n(m, x); i++) {
		IrRef p = ir_phi_block(m, x, i), other = ir_same(p, pred) ? IR_NO_REF : ir_phi_value_for(m, y, p);
		if (!ir_is_none(other) && !ir_same(other, ir_phi_value(m, x, i)))
			return false;
	}
	return true;
}

/* Finds a copy of `v` at `pred` made for a phi of another successor of `pred`; the two phis are never live together, so
 * they can share it. A phi shares with one partner only, so that the phi web stays at two phis. */
static IrRef shared_copy(Cssa *c, IrRef phi, IrRef v, IrRef pred)
{
	const IrModule *m = c->m;
	if (c->o.coalesce < CSSA_SHARE || ir_phi_n(m, phi) > MAX_SHARING_INPUTS)
		return IR_NO_REF;
	u64 *at = map_get(&c->value_at, (u64)v.i << 32 | pred.i);
	if (!at || !ir_has_one_use(m, (IrRef){(u32)*at}))
		return IR_NO_REF;
	IrRef copy = {(u32)*at}, other = ir_use(m, ir_first_use(m, copy))->user;
	if (!is_inst(m, other, IR_PHI) || ir_phi_n(m, other) > MAX_SHARING_INPUTS ||
	    ir_same(ir_inst(m, other)->block, ir_inst(m, phi)->block) || map_or(&c->partner, phi.i, other.i) != other.i ||
	    map_or(&c->partner, other.i, phi.i) != phi.i || !agree_elsewhere(m, phi, other, pred) ||
	    !agree_elsewhere(m, other, phi, pred))
		return IR_NO_REF;
	map_set(&c->partner, phi.i, other.i);
	map_set(&c->partner, other.i, phi.i);
	return copy;
}

/* The terminator before which the copy is inserted. If the terminator itself defines the value (invoke, callbr), the edge
 * is split and the copy goes into the new block. */
static IrRef copy_place(Cssa *c, IrRef phi, IrRef v, IrRef *pred)
{
	IrModule *m = c->m;
	IrRef     term = ir_term(m, *pred);
	if (!ir_same(v, term))
		return term;
	u32 k = 0;
	while (!ir_same(ir_succ(m, *pred, k), ir_inst(m, phi)->block))
		k++;
	*pred = ir_split_edge(m, *pred, k, STR("cssa.split"));
	return ir_term(m, *pred);
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
	IrRef     copy = make_copy(c, phi, copy_place(c, phi, v, pred), v);
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
	for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
		IrRef v = ir_phi_value(m, phi, i), pred = ir_phi_block(m, phi, i);
		bool  several = ir_n_succs(m, pred) > 1; /* only then can a phi of another successor share the copy */
		u64  *known = several ? map_get(&c->copy_at, (u64)phi.i << 32 | pred.i) : NULL;
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
			map_set(&c->copy_at, (u64)phi.i << 32 | pred.i, copy.i);
			map_set(&c->value_at, (u64)v.i << 32 | pred.i, copy.i);
		}
		ir_set_op(m, phi, 2 * i, copy);
	}
}

/* ---- phase 2 ---- */

/* Reserves the largest number of copies possible, because a vector that grows in an arena wastes its old storage. */
static void make_room(Cssa *c)
{
	const IrModule *m = c->m;
	u32             copies = 0;
	ir_each_block(m, c->f, b)
		each_phi(m, b, i) copies += 1 + ir_phi_n(m, i);
	vec_reserve(c->a, &c->s->cleanup, copies);
}

static void visit_phis(Cssa *c)
{
	ir_each_block(c->m, c->f, b)
		each_phi(c->m, b, i)
		{
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

/* Is it a consumer copy: among the copies after the phis of its block, and read by no phi (a producer copy for a
 * successor's phi would be)? */
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
	/* Already converted: the phi's only user is its consumer copy. */
	return others && !(others == 1 && copies_here == 1);
}

/* Users of the phi that are not phis read a consumer copy inserted after the phis of its block. Each phi is visited once,
 * whatever its number of incoming edges, so a block that is its own predecessor needs no special case. */
static void copy_result(Cssa *c, IrRef phi, IrRef behind)
{
	IrModule *m = c->m;
	if (!has_other_users(m, phi))
		return;
	IrRef copy = make_copy(c, phi, behind, phi);
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

static void propagate(Cssa *c)
{
	ir_each_block(c->m, c->f, b) {
		IrRef behind = ir_first_non_phi(c->m, b);
		c->s->stats.blocks++;
		each_phi(c->m, b, phi) copy_result(c, phi, behind);
	}
}

/* ---- coalescing: removes producer copies that are not needed ---- */

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

/* Is another input of the phi defined in `block`? */
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
	if (ir_kind(v) != IR_INST)
		return "its source is no instruction's value";
	if (!ir_has_one_use(m, copy) || map_get(&c->partner, phi.i))
		return "two phis share copies";
	if (ir_inst(m, v)->op == IR_PHI || is_copy(m, v) || !ir_has_one_use(m, v))
		return "its source lives on";
	if (bitset_has(c->div->control.join, ir_block(m, ir_inst(m, phi)->block)->mark))
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
		each_phi(c->m, b, phi) coalesce_phi(c, phi);
}

/* ---- phase 5: copies without users ---- */

/* One forward walk over the list. A phi's chain is erased up to its first live copy; copies after that one stay even if
 * they are dead. Copies that coalescing already removed are skipped. */
u32 cssa_clean_up(IrModule *m, const CssaCopies *copies)
{
	u32  erased = 0;
	bool live = false; /* a live copy was found in the current chain */
	for (u32 n = 0; n < copies->n; n++) {
		IrRef copy = copies->p[n].inst;
		live &= !copies->p[n].heads_chain;
		if (live || ir_is_none(ir_inst(m, copy)->block))
			continue;
		live = ir_has_uses(m, copy);
		if (live)
			continue;
		ir_remove(m, copy);
		erased++;
	}
	return erased;
}

/* ---- all of it ---- */

static void report(const Cssa *c, Str name)
{
	const CssaStats *t = &c->s->stats;
	if (!c->o.verbosity)
		return;
	Text *out = pass_dump(c->cx);
	text_f(out, "cssa %.*s: %u phis, %u producer copies, %u consumer copies, %u shared, %u spared, %u erased, %u blocks\n",
	       STR_ARG(name), t->phis, t->producers, t->consumers, t->shared, t->spared, t->erased, t->blocks);
	for (u32 i = 0; c->o.verbosity > 1 && i < c->s->cleanup.n; i++) {
		IrRef copy = c->s->cleanup.p[i].inst;
		if (ir_is_none(ir_inst(c->m, copy)->block))
			continue;
		text_f(out, "  block %u:", c->s->numbers.rpo_index[ir_block(c->m, ir_inst(c->m, copy)->block)->mark]);
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
	if (o.coalesce >= CSSA_SPLIT_EDGES) {
		IrCfg  *cfg = ir_cfg_build(m, f, a);
		DomTree dom = dom_build(&cfg->graph, a, 0), postdom = postdom_build(&cfg->graph, a, 0);
		Loops   loops = loops_build(&cfg->graph, &cfg->order, &dom, a);
		c.div = divergence_build(m, f, cfg, &postdom, &loops, a);
	}
	map_init(&c.copy_at, a);
	map_init(&c.value_at, a);
	map_init(&c.partner, a);
	state->cleanup.n = 0;
	state->stats = (CssaStats){0};
	cssa_number_blocks(m, f, &state->numbers, a);
	make_room(&c);
	visit_phis(&c); /* and phase 3, phi by phi */
	if (fingerprint(m, f) != state->numbers.cfg_epoch)
		cssa_number_blocks(m, f, &state->numbers, a); /* an edge was split */
	propagate(&c);
	coalesce(&c);
	state->stats.erased = cssa_clean_up(m, &state->cleanup);
	report(&c, ir_str(m, ir_global(m, f->ref)->name));
	return c.changed && state->stats.erased + state->stats.spared < state->stats.producers + state->stats.consumers;
}

/* ---- the check ---- */

const char *cssa_check(const IrModule *m, const IrFunc *f)
{
	ir_each_block(m, f, b)
		each_phi(m, b, phi)
		{
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
	.summary = "Makes SSA conventional: inserts copies so that the values of a phi web do not interfere.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.gate = KNOB_do_cssa,
	.knobs = knobs,
	.keeps = 0,
	.looks_for = IR_OPS(PHI),
	.flags = PF_ANY_SIZE | PF_NVIDIA | PF_IDEMPOTENT,
	.begin = begin,
	.run = run,
};
