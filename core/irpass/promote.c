/* promote.c: promotes stack slots to SSA values.
 *
 * Phis are inserted at the iterated dominance frontier of the stores (Cytron et al. 1991; computed after Sreedhar and Gao 1995),
 * restricted to the blocks in which the slot is live (pruned SSA); a passage (graph/passages.h) counts as one. One walk over the
 * dominator tree then replaces the loads. All slots must satisfy is_promotable. Linear in instructions, in the phis that are inserted
 * and, by slot, in the blocks outside of passages that it is live in. */
#include "irpass/promote.h"

#include "analysis/cfg.h"
#include "base/sort.h"
#include "graph/passages.h"
#include "ir/builder.h"

bool is_lifetime_marker(const IrModule *m, IrRef inst)
{
	return is_inst(m, inst, IR_CALL) && calls_family(m, inst, IRFAM_LIFETIME);
}

static bool is_static_scalar(const IrModule *m, IrRef alloca)
{
	u64 count;
	return ir_n_ops(m, alloca) == 0 || ir_is_none(ir_op(m, alloca, 0)) ||
	       (ir_as_int(m, ir_op(m, alloca, 0), &count) && count == 1);
}

bool is_promotable(const IrModule *m, IrRef alloca)
{
	IrType t = ir_inst(m, alloca)->elem;
	if (!is_static_scalar(m, alloca) || !ir_type_is_first_class(m, t))
		return false;
	ir_each_use(m, alloca, u) {
		IrRef user = ir_use(m, u)->user;
		if (is_inst(m, user, IR_LOAD) && ir_is_plain(m, user) && ir_type_same(ir_inst(m, user)->type, t))
			continue;
		if (is_inst(m, user, IR_STORE) && ir_is_plain(m, user) && ir_use_index(m, u) == 1 &&
		    ir_type_same(ir_type_of(m, ir_op(m, user, 0)), t))
			continue;
		if (!is_lifetime_marker(m, user))
			return false;
	}
	return true;
}

void drop_lifetime_markers(PassCx *cx, IrRef ptr)
{
	ir_each_use(cx->ir, ptr, u)
		if (is_lifetime_marker(cx->ir, ir_use(cx->ir, u)->user))
			ir_remove(cx->ir, ir_use(cx->ir, u)->user);
}

/* ---- placing phis ---- */

typedef struct Phi {
	u32   slot;
	IrRef phi;
	u32   next; /* of the same block, + 1 */
} Phi;

typedef struct Declared {
	u32 record; /* IrDbgRec */
	u32 next;   /* of the same slot, + 1 */
} Declared;

typedef struct Promoter {
	PassCx      *cx;
	IrModule    *m;
	IrCfg       *cfg;
	DomTree     *dom;
	const IrRef *slot;
	u32          n;
	Map          index; /* alloca → slot number */
	Vec(Phi) phis;
	Vec(Declared) record;
	u32        *declared; /* by slot: first in record, + 1 */
	u32        *phi_of;   /* by block: first in phis, + 1 */
	NodeLists   access;   /* by slot: block * 2 + is it a store? */
	DomFrontier frontier;
	Passages    passages;
	/* per slot, cleared after each: */
	VecU32 touched, live, def; /* blocks that access it, that it is live in to, that store it */
	Vec(NodeSpan) span;        /* passages that it is live in to, without a store: as one */
	bool *alive;               /* by block: live in */
	u8   *first;               /* by block: 1 reads before writing, 2 writes first */
	bool *defines;
} Promoter;

enum { READS_FIRST = 1, WRITES_FIRST = 2 };

static u32 slot_of(const Promoter *p, IrRef ptr)
{
	return ir_kind(ptr) == IR_INST ? (u32)map_or(&p->index, ptr.i, GRAPH_NONE) : GRAPH_NONE;
}

/* All accesses in program order, listed by slot: what a block does first is the first one seen. */
static void list_accesses(Promoter *p)
{
	GraphEdges pairs = {0};
	for (u32 b = 0; b < p->cfg->n; b++)
		ir_each_inst(p->m, p->cfg->block[b], i) {
			bool load = ir_inst(p->m, i)->op == IR_LOAD;
			if (!load && ir_inst(p->m, i)->op != IR_STORE)
				continue;
			u32 slot = slot_of(p, ir_op(p->m, i, load ? 0 : 1));
			if (slot != GRAPH_NONE)
				vec_push(p->cx->scratch, &pairs, ((GraphEdge){slot, b * 2 + !load}));
		}
	p->access = node_lists(p->cx->scratch, p->n, pairs.p, pairs.n);
}

static void scan_accesses(Promoter *p, u32 slot)
{
	Nodes access = node_list(&p->access, slot);
	for (u32 i = 0; i < access.n; i++) {
		u32  b = access.p[i] / 2;
		bool store = access.p[i] % 2;
		if (!p->first[b]) {
			p->first[b] = store ? WRITES_FIRST : READS_FIRST;
			vec_push(p->cx->scratch, &p->touched, b);
		}
		p->defines[b] |= store;
	}
}

static void live_into(Promoter *p, u32 b)
{
	if (p->alive[b])
		return;
	p->alive[b] = true;
	vec_push(p->cx->scratch, &p->live, b);
}

/* Live into `b`, so it is live in what is in front: a passage of several blocks as a whole, or each predecessor. */
static void live_before(Promoter *p, u32 b)
{
	Nodes pred = graph_pred(&p->cfg->graph, b);
	u32   first = passage_before(&p->passages, b, (Nodes){p->def.p, p->def.n});
	if (first != GRAPH_NONE && first + 1 < b) {
		vec_push(p->cx->scratch, &p->span, ((NodeSpan){first, b - 1}));
		live_into(p, first);
	} else {
		first = GRAPH_NONE;
	}
	for (u32 i = 0; i < pred.n; i++)
		if (!p->defines[pred.p[i]] && (first == GRAPH_NONE || pred.p[i] >= b))
			live_into(p, pred.p[i]);
}

static int by_first(const void *a, const void *b, void *user)
{
	const NodeSpan *x = a, *y = b;
	(void)user;
	return (x->first > y->first) - (x->first < y->first);
}

static void find_live_in(Promoter *p)
{
	for (u32 i = 0; i < p->touched.n; i++)
		if (p->first[p->touched.p[i]] == READS_FIRST)
			live_into(p, p->touched.p[i]);
	for (u32 k = 0; k < p->live.n; k++)
		live_before(p, p->live.p[k]);
	if (p->span.n < 2)
		return;
	u32 n = 0;
	sort_stable(p->cx->scratch, p->span.p, p->span.n, sizeof *p->span.p, by_first, NULL);
	for (u32 k = 0; k < p->span.n; k++) {
		NodeSpan s = p->span.p[k], *before = n ? &p->span.p[n - 1] : NULL;
		if (before && s.first <= before->last + 1)
			before->last = PS_MAX(before->last, s.last);
		else
			p->span.p[n++] = s;
	}
	p->span.n = n;
}

static void place_phis(Promoter *p, u32 slot)
{
	Arena *a = p->cx->scratch;
	scan_accesses(p, slot);
	for (u32 i = 0; i < p->touched.n; i++)
		if (p->defines[p->touched.p[i]])
			vec_push(a, &p->def, p->touched.p[i]);
	find_live_in(p);
	DomAlive alive = {p->alive, p->span.p, p->span.n};
	Nodes    where = dom_iterated_frontier(&p->frontier, (Nodes){p->def.p, p->def.n}, &alive);
	for (u32 i = 0; i < where.n; i++) {
		IrBuilder b = ir_build_before(p->m, ir_block(p->m, p->cfg->block[where.p[i]])->first);
		u32       last = p->phi_of[where.p[i]]; /* behind it: others need not be passed */
		IrType    type = ir_inst(p->m, p->slot[slot])->elem;
		IrRef     phi;
		if (last) {
			phi = ir_inst_new(p->m, IR_PHI, type, 0);
			b.before = ir_inst(p->m, p->phis.p[last - 1].phi)->next;
			ir_b_insert(&b, phi);
		} else {
			phi = ir_b_phi(&b, type);
		}
		name_after(p->m, phi, p->slot[slot], "");
		vec_push(a, &p->phis, ((Phi){slot, phi, p->phi_of[where.p[i]]}));
		p->phi_of[where.p[i]] = p->phis.n;
	}
	for (u32 i = 0; i < p->touched.n; i++)
		p->first[p->touched.p[i]] = p->defines[p->touched.p[i]] = false;
	for (u32 i = 0; i < p->live.n; i++)
		p->alive[p->live.p[i]] = false;
	p->touched.n = p->live.n = p->def.n = p->span.n = 0;
}

/* ---- variables of the source ----
 *
 *	#dbg_declare(ptr %slot, !x, …)                   #dbg_value(i32 undef, !x, …)
 *	store i32 %v, ptr %slot                    →     #dbg_value(i32 %v, !x, …)
 *	                                                 #dbg_value(i32 %phi, !x, …)        behind each phi of the slot */

/* The slot that a record declares a variable to be in. */
static u32 declared_slot(const Promoter *p, const IrDbgRec *rec)
{
	const IrMdNode *v = rec->arg[0].i ? ir_md(p->m, rec->arg[0]) : NULL;
	return rec->kind == IRDBG_DECLARE && v && v->kind == IRMD_VALUE ? slot_of(p, v->value) : GRAPH_NONE;
}

static void find_declared(Promoter *p)
{
	IrModule *m = p->m;
	p->declared = arena_array(p->cx->scratch, u32, p->n);
	if (m->dbgrecs.n <= 1)
		return;
	for (u32 b = 0; b < p->cfg->n; b++)
		ir_each_inst(m, p->cfg->block[b], i)
			for (u32 r = ir_info(m, i)->records, at; (at = r) != 0;) {
				const IrDbgRec *rec = pages_at(&m->dbgrecs, r);
				u32             slot = declared_slot(p, rec);
				r = rec->next;
				if (slot == GRAPH_NONE)
					continue;
				vec_push(p->cx->scratch, &p->record, ((Declared){at, p->declared[slot]}));
				p->declared[slot] = p->record.n;
			}
}

/* A declaration in front of `inst` goes, as the store or the phi has told of the value. Where there is none, it tells so. */
static void end_declarations(Promoter *p, IrRef inst, const IrRef *value)
{
	IrModule *m = p->m;
	for (u32 *link = p->record.n ? &ir_info(m, inst)->records : NULL; link && *link;) {
		IrDbgRec *rec = pages_at(&m->dbgrecs, *link);
		u32       slot = declared_slot(p, rec);
		if (slot != GRAPH_NONE && !ir_is_undef(m, value[slot])) {
			*link = rec->next;
			continue;
		}
		if (slot != GRAPH_NONE) {
			rec->arg[0] = ir_md_value(m, value[slot]);
			rec->kind = IRDBG_VALUE;
		}
		link = &rec->next;
	}
}

/* The variables in the slot have the value from in front of `before` on. */
static void note_value(Promoter *p, u32 slot, IrRef value, IrRef before)
{
	IrModule *m = p->m;
	for (u32 k = p->declared[slot]; k; k = p->record.p[k - 1].next) {
		u32       id = pages_new(&m->dbgrecs);
		IrDbgRec *rec = pages_at(&m->dbgrecs, id);
		*rec = *(IrDbgRec *)pages_at(&m->dbgrecs, p->record.p[k - 1].record);
		rec->kind = IRDBG_VALUE;
		rec->arg[0] = ir_md_value(m, value);
		rec->next = ir_info(m, before)->records;
		ir_info(m, before)->records = id;
	}
}

/* ---- renaming: one walk over the dominator tree for all slots ---- */

typedef struct Undo {
	u32   slot;
	IrRef old;
} Undo;

typedef struct Renamer {
	Promoter *p;
	IrRef    *value; /* by slot */
	Vec(Undo) undo;
} Renamer;

static void set_value(Renamer *r, u32 slot, IrRef v)
{
	vec_push(r->p->cx->scratch, &r->undo, ((Undo){slot, r->value[slot]}));
	r->value[slot] = v;
}

static void rename_block(Renamer *r, u32 block)
{
	Promoter *p = r->p;
	IrModule *m = p->m;
	for (u32 k = p->phi_of[block]; k; k = p->phis.p[k - 1].next) {
		set_value(r, p->phis.p[k - 1].slot, p->phis.p[k - 1].phi);
		note_value(p, p->phis.p[k - 1].slot, p->phis.p[k - 1].phi, ir_first_non_phi(m, p->cfg->block[block]));
	}
	ir_each_inst(m, p->cfg->block[block], i) {
		u32 op = ir_inst(m, i)->op;
		end_declarations(p, i, r->value);
		if (op == IR_LOAD) {
			u32 slot = slot_of(p, ir_op(m, i, 0));
			if (slot == GRAPH_NONE)
				continue;
			ir_replace_all_uses(m, i, r->value[slot]);
			ir_remove(m, i);
		} else if (op == IR_STORE) {
			u32 slot = slot_of(p, ir_op(m, i, 1));
			if (slot == GRAPH_NONE)
				continue;
			set_value(r, slot, ir_op(m, i, 0));
			note_value(p, slot, ir_op(m, i, 0), ir_inst(m, i)->next);
			ir_remove(m, i);
		}
	}
	Nodes s = graph_succ(&p->cfg->graph, block);
	for (u32 i = 0; i < s.n; i++)
		for (u32 k = p->phi_of[s.p[i]]; k; k = p->phis.p[k - 1].next)
			ir_phi_add(m, p->phis.p[k - 1].phi, r->value[p->phis.p[k - 1].slot], p->cfg->block[block]);
}

static void rename_all(Promoter *p)
{
	Arena  *a = p->cx->scratch;
	Renamer r = {.p = p, .value = arena_array(a, IrRef, p->n)};
	u32    *next = arena_array(a, u32, p->cfg->n + 1), *mark = arena_array(a, u32, p->cfg->n + 1);
	VecU32  path = {0};
	for (u32 i = 0; i < p->n; i++)
		r.value[i] = ir_const_undef(p->m, ir_inst(p->m, p->slot[i])->elem);
	vec_push(a, &path, 0);
	rename_block(&r, 0);
	while (path.n) {
		u32   b = vec_last(&path);
		Nodes c = node_list(&p->dom->child, b);
		if (next[b] < c.n) {
			u32 child = c.p[next[b]++];
			mark[child] = r.undo.n;
			vec_push(a, &path, child);
			rename_block(&r, child);
			continue;
		}
		path.n--;
		while (r.undo.n > mark[b]) {
			Undo u = vec_pop(&r.undo);
			r.value[u.slot] = u.old;
		}
	}
}

/* What no path reaches: loads are undef, and phis need an entry for edges from there. */
static void finish_unreached(Promoter *p)
{
	for (u32 i = 0; i < p->n; i++)
		ir_each_use(p->m, p->slot[i], u) {
			IrRef user = ir_use(p->m, u)->user;
			if (is_inst(p->m, user, IR_LOAD))
				ir_replace_all_uses(p->m, user, ir_const_undef(p->m, ir_inst(p->m, user)->type));
			ir_remove(p->m, user);
		}
	for (u32 b = 0; b < p->cfg->n; b++) {
		if (ir_cfg_reached(p->cfg, b))
			continue;
		Nodes s = graph_succ(&p->cfg->graph, b);
		for (u32 i = 0; i < s.n; i++)
			for (u32 k = p->phi_of[s.p[i]]; k; k = p->phis.p[k - 1].next) {
				IrRef phi = p->phis.p[k - 1].phi;
				ir_phi_add(p->m, phi, ir_const_poison(p->m, ir_inst(p->m, phi)->type), p->cfg->block[b]);
			}
	}
}

void promote_allocas(PassCx *cx, const IrRef *slot, u32 n)
{
	Promoter p = {.cx = cx, .m = cx->ir, .cfg = ir_cfg(cx), .dom = ir_dom(cx), .slot = slot, .n = n};
	if (!n)
		return;
	map_init(&p.index, cx->scratch);
	p.phi_of = arena_array(cx->scratch, u32, p.cfg->n + 1);
	p.frontier = dom_frontier_new(p.dom, &p.cfg->graph, cx->scratch);
	p.passages = passages_new(&p.cfg->graph, cx->scratch);
	p.alive = arena_array(cx->scratch, bool, p.cfg->n + 1);
	p.first = arena_array(cx->scratch, u8, p.cfg->n + 1);
	p.defines = arena_array(cx->scratch, bool, p.cfg->n + 1);
	for (u32 i = 0; i < n; i++) {
		map_set(&p.index, slot[i].i, i);
		drop_lifetime_markers(cx, slot[i]);
	}
	list_accesses(&p);
	find_declared(&p);
	for (u32 i = 0; i < n; i++)
		place_phis(&p, i);
	rename_all(&p);
	finish_unreached(&p);
	for (u32 i = 0; i < n; i++)
		ir_remove(cx->ir, slot[i]);
}
