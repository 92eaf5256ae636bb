/* dwarf_plan.c: what has to be known of a function before its text is printed: which scopes its instructions are in, from where to
 * where, and which positions need a label.
 *
 *	$L__tmp4:
 *		//DEBUG_VALUE: sq:v <- %r4
 *		.loc	1 3 55                          // a.cu:3:55 @[ a.cu:13:10 ]
 *
 * A scope is a function or a lexical block of it, together with the call where it was inlined. It lasts from the first
 * instruction with a location in it, or in a scope in it, behind the last; DWARF 2 has no ranges with holes. Each of its pieces
 * has labels where it begins and ends, as in LLVM. Positions count
 * instructions in the order of the layout. Linear in instructions, times the depth of scopes. */
#include "mir/debug.h"
#include "ptx/dwarf.h"

/* ---- scopes ---- */

static IrMd plain_scope(const Dwarf *d, IrMd scope)
{
	for (u32 i = 0; i < DW_MAX_SCOPES && str_is(dw_kind(d, scope), "DILexicalBlockFile"); i++)
		scope = dw_node(d, scope, "scope");
	return scope;
}

u32 dw_scope_of(Dwarf *d, DwPlan *p, IrMd scope, IrMd at)
{
	scope = plain_scope(d, scope);
	return (u32)map_or(&p->scope_of, (u64)scope.i << 32 | at.i, 0) - 1;
}

static u32 add_scope(Dwarf *d, DwPlan *p, IrMd scope, IrMd at, u32 depth)
{
	scope = plain_scope(d, scope);
	u32  known = (u32)map_or(&p->scope_of, (u64)scope.i << 32 | at.i, 0);
	bool block = str_is(dw_kind(d, scope), "DILexicalBlock");
	if (known)
		return known - 1;
	if (!scope.i || depth > DW_MAX_SCOPES || (!block && !at.i))
		return 0;
	u32 parent = block ? add_scope(d, p, dw_node(d, scope, "scope"), at, depth + 1)
	                   : add_scope(d, p, dw_node(d, at, "scope"), dw_node(d, at, "inlinedAt"), depth + 1);
	vec_push(d->a->arena, &p->scope, ((DwScope){.node = scope, .at = at, .parent = parent, .begin = ~0u, .open = ~0u}));
	vec_push(d->a->arena, &p->scope.p[parent].child, p->scope.n - 1);
	map_set(&p->scope_of, (u64)scope.i << 32 | at.i, p->scope.n);
	return p->scope.n - 1;
}

static bool is_within(const DwPlan *p, u32 scope, u32 outer)
{
	while (scope && scope != outer)
		scope = p->scope.p[scope].parent;
	return scope == outer;
}

void dw_want_label(DwPlan *p, u32 position, u32 where) { p->wants[position] |= (u8)where; }

/* Ends the piece of the scope, and those of the scopes around it that do not go on; `next` ~0u: none does. */
static void close_scope(DwPlan *p, u32 scope, u32 next)
{
	for (;; scope = p->scope.p[scope].parent) {
		DwScope *s = &p->scope.p[scope];
		dw_want_label(p, s->open, DW_LABEL_BEFORE);
		dw_want_label(p, s->open_end, DW_LABEL_BEHIND);
		s->open = ~0u;
		if (!scope || (next != ~0u && is_within(p, next, s->parent)))
			return;
	}
}

/* Instructions of the scope, all of one location. */
static void enter_scope(DwPlan *p, u32 scope, u32 begin, u32 end, u32 *last)
{
	if (*last != ~0u && !is_within(p, scope, *last))
		close_scope(p, *last, scope);
	*last = scope;
	for (;; scope = p->scope.p[scope].parent) {
		DwScope *s = &p->scope.p[scope];
		s->begin = PS_MIN(s->begin, begin);
		s->end = PS_MAX(s->end, end);
		s->open = PS_MIN(s->open, begin);
		s->open_end = end;
		if (!scope)
			return;
	}
}

static u32 scope_at(Dwarf *d, DwPlan *p, IrMd loc)
{
	return add_scope(d, p, dw_node(d, loc, "scope"), dw_node(d, loc, "inlinedAt"), 0);
}

/* The function that was inlined last comes first. */
static void find_inlined(Dwarf *d, DwPlan *p, IrMd loc, Map *seen)
{
	for (IrMd at; (at = dw_node(d, loc, "inlinedAt")).i; loc = at) {
		bool fresh;
		IrMd scope = dw_function_around(d, dw_node(d, loc, "scope"));
		map_put(seen, scope.i, &fresh);
		if (fresh && scope.i)
			vec_push(d->a->arena, &p->inlined, scope.i);
	}
}

static void find_all_inlined(Dwarf *d, DwPlan *p)
{
	MirFunc *f = d->a->f;
	Map      seen, known; /* subprograms, locations */
	map_init(&seen, d->a->arena);
	map_init(&known, d->a->arena);
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			IrMd loc = {mir_inst(f, i)->dbg};
			bool fresh = false;
			if (loc.i && !mir_is(f, i, IF_META))
				map_put(&known, loc.i, &fresh);
			if (fresh && dw_int(d, loc, "line"))
				find_inlined(d, p, loc, &seen);
		}
}

static void find_scopes(Dwarf *d, DwPlan *p)
{
	MirFunc *f = d->a->f;
	u32      last = ~0u;
	vec_push(d->a->arena, &p->scope, ((DwScope){.node = p->subprogram, .begin = ~0u, .open = ~0u}));
	map_set(&p->scope_of, (u64)p->subprogram.i << 32, 1);
	mir_each_block(f, b) {
		IrMd at = {0}; /* the location of the instructions from `begin` on */
		u32  begin = p->n;
		mir_each_inst(f, b, i) {
			IrMd loc = {mir_inst(f, i)->dbg};
			p->position[i.i] = p->n;
			if (mir_is(f, i, IF_META))
				continue;
			if (loc.i && loc.i != at.i && dw_int(d, loc, "line")) {
				if (at.i)
					enter_scope(p, scope_at(d, p, at), begin, p->n, &last);
				at = loc;
				begin = p->n;
			}
			p->n++;
		}
		if (at.i)
			enter_scope(p, scope_at(d, p, at), begin, p->n, &last);
	}
	if (last != ~0u)
		close_scope(p, last, ~0u);
}

/* ---- variables ---- */

static void add_variable(Dwarf *d, DwPlan *p, IrMd v, IrMd at, IrRef slot, IrMd expression)
{
	bool fresh;
	if (!str_is(dw_kind(d, v), "DILocalVariable"))
		return;
	u64 *known = map_put(&p->variable_of, (u64)v.i << 32 | at.i, &fresh);
	if (!fresh) {
		if (!ir_is_none(slot)) {
			p->variable.p[*known - 1].slot = slot;
			p->variable.p[*known - 1].slot_expression = expression;
		}
		return;
	}
	u32 scope = dw_scope_of(d, p, dw_node(d, v, "scope"), at);
	vec_push(d->a->arena, &p->variable,
	         ((DwVariable){.node = v, .at = at, .scope = scope, .slot = slot, .slot_expression = expression, .part = ~0u}));
	*known = p->variable.n;
	if (scope != ~0u)
		vec_push(d->a->arena, &p->scope.p[scope].variable, p->variable.n - 1);
}

static void variables_of_records(Dwarf *d, DwPlan *p, bool in_frame)
{
	const IrModule *m = d->a->ir;
	ir_each_block(m, d->a->irf, b)
		ir_each_inst(m, b, i)
			for (u32 r = ir_info(m, i)->records; r;) {
				const IrDbgRec *rec = pages_at(&m->dbgrecs, r);
				const IrMdNode *v = rec->arg[0].i ? ir_md(m, rec->arg[0]) : NULL;
				IrRef slot = rec->kind == IRDBG_DECLARE && v && v->kind == IRMD_VALUE ? v->value : IR_NO_REF;
				r = rec->next;
				if (rec->kind != IRDBG_LABEL && (!in_frame || dw_slot_of(d->a, slot).known))
					add_variable(d, p, rec->arg[1], dw_node(d, rec->loc, "inlinedAt"), slot, rec->arg[2]);
			}
}

static void variables_at(Dwarf *d, DwPlan *p, MirBlockId b, MirInstId before)
{
	const MirFunc *f = d->a->f;
	for (u32 id = mir_debug_first(f, b, before); id; id = mir_debug_entry(f, id)->next) {
		const MirDebugEntry *e = mir_debug_entry(f, id);
		if (e->kind != MIR_DEBUG_LABEL)
			add_variable(d, p, (IrMd){e->variable}, dw_node(d, (IrMd){e->loc}, "inlinedAt"), IR_NO_REF, (IrMd){0});
	}
}

/* What lies in the frame, then the others as the code tells of them, then those of which records of the IR or the function's node
 * alone know: in this order they are described. */
static void find_variables(Dwarf *d, DwPlan *p)
{
	const IrModule *m = d->a->ir;
	MirFunc        *f = d->a->f;
	IrMd            retained = dw_node(d, p->subprogram, "retainedNodes");
	variables_of_records(d, p, true);
	mir_each_block(f, b) {
		mir_each_inst(f, b, i)
			variables_at(d, p, b, i);
		variables_at(d, p, b, (MirInstId){0});
	}
	variables_of_records(d, p, false);
	for (u32 i = 0; retained.i && i < ir_md(m, retained)->n; i++)
		add_variable(d, p, ir_md_op(m, retained, i), (IrMd){0}, IR_NO_REF, (IrMd){0});
}

/* What using directives and declarations in it name. */
static void find_imports(Dwarf *d, DwPlan *p)
{
	IrMd retained = dw_node(d, p->subprogram, "retainedNodes");
	for (u32 i = 0; retained.i && i < ir_md(d->a->ir, retained)->n; i++) {
		IrMd n = ir_md_op(d->a->ir, retained, i);
		u32  scope = dw_is_import(d, n) ? dw_scope_of(d, p, dw_node(d, n, "scope"), (IrMd){0}) : ~0u;
		if (scope != ~0u)
			vec_push(d->a->arena, &p->scope.p[scope].import, n.i);
	}
}

/* ---- labels ---- */

/* Labels of the source whose record is gone. */
static void find_lost_labels(Dwarf *d, DwPlan *p)
{
	IrMd retained = dw_node(d, p->subprogram, "retainedNodes");
	for (u32 i = 0; retained.i && i < ir_md(d->a->ir, retained)->n; i++) {
		IrMd n = ir_md_op(d->a->ir, retained, i);
		if (!str_is(dw_kind(d, n), "DILabel") || map_or(&p->variable_of, (u64)n.i << 32, 0))
			continue;
		u32 scope = dw_scope_of(d, p, dw_node(d, n, "scope"), (IrMd){0});
		vec_push(d->a->arena, &p->source_label, ((DwSourceLabel){.node = n, .position = ~0u}));
		if (scope != ~0u)
			vec_push(d->a->arena, &p->scope.p[scope].label, p->source_label.n - 1);
	}
}

static void number_labels(Dwarf *d, DwPlan *p)
{
	for (u32 i = 1; i <= p->n; i++) /* the first is $L__func_begin0 */
		if (p->wants[i])
			p->label[i] = ++d->n_labels;
}

Str dw_label_at(const Dwarf *d, u32 position)
{
	const DwPlan *p = d->plan;
	if (!position)
		return arena_fmt(d->arena, "$L__func_begin%u", d->a->f->number);
	return arena_fmt(d->arena, "$L__tmp%u", p->label[position] - 1);
}

void dw_plan(Dwarf *d)
{
	Asm *a = d->a;
	IrMd sp = ir_attached(a->ir, a->irf->ref, "dbg");
	d->plan = NULL;
	if (!sp.i || asm_debug_of(a, dw_node(d, sp, "unit")) == ASM_DEBUG_NONE) /* units without entries have the labels, too */
		return;
	DwPlan *p = d->plan = arena_new(a->arena, DwPlan);
	p->subprogram = sp;
	p->position = arena_array(a->arena, u32, a->f->inst.n + 1);
	map_init(&p->scope_of, a->arena);
	map_init(&p->variable_of, a->arena);
	p->label = arena_array(a->arena, u32, a->f->inst.n + 1);
	p->wants = arena_array(a->arena, u8, a->f->inst.n + 1);
	find_all_inlined(d, p);
	find_scopes(d, p);
	find_variables(d, p);
	find_imports(d, p);
	dw_find_values(d, p);
	find_lost_labels(d, p);
	number_labels(d, p);
}

static void print_labels(Dwarf *d, u32 to)
{
	for (DwPlan *p = d->plan; p->printed <= to; p->printed++)
		if (p->label[p->printed])
			text_f(d->a->out, "%.*s:\n", STR_ARG(dw_label_at(d, p->printed)));
}

/* No instruction: the end of the function. */
bool dw_before(Dwarf *d, MirInstId i)
{
	DwPlan *p = d->plan;
	if (!p)
		return false;
	u32 at = i.i ? p->position[i.i] : p->n;
	print_labels(d, at);
	for (; p->next_note < p->note.n && p->note.p[p->next_note].position <= at; p->next_note++)
		dw_print_note(d, &p->note.p[p->next_note]);
	return p->label[at] != 0;
}

void dw_behind(Dwarf *d, MirInstId i)
{
	DwPlan *p = d->plan;
	if (p && !mir_is(d->a->f, i, IF_META) && p->wants[p->position[i.i] + 1] & DW_LABEL_BEHIND)
		print_labels(d, p->position[i.i] + 1);
}
