/* dwarf_plan.c: what has to be known of a function before its text is printed: which scopes its instructions are in, from where to
 * where, and which positions need a label.
 *
 *	$L__tmp4:
 *		//DEBUG_VALUE: sq:v <- %r4
 *		.loc	1 3 55                          // a.cu:3:55 @[ a.cu:13:10 ]
 *
 * A scope is a function or a lexical block of it, together with the call where it was inlined. It lasts from the first
 * instruction with a location in it, or in a scope in it, behind the last; DWARF 2 has no ranges with holes. Positions count
 * instructions in the order of the layout. Linear in instructions, times the depth of scopes. */
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
	vec_push(d->a->arena, &p->scope, ((DwScope){.node = scope, .at = at, .parent = parent, .begin = ~0u}));
	vec_push(d->a->arena, &p->scope.p[parent].child, p->scope.n - 1);
	map_set(&p->scope_of, (u64)scope.i << 32 | at.i, p->scope.n);
	return p->scope.n - 1;
}

static void extend(DwPlan *p, u32 scope, u32 position)
{
	for (;; scope = p->scope.p[scope].parent) {
		DwScope *s = &p->scope.p[scope];
		s->begin = PS_MIN(s->begin, position);
		s->end = PS_MAX(s->end, position + 1);
		if (!scope)
			return;
	}
}

/* The function that was inlined last comes first. */
static void find_inlined(Dwarf *d, DwPlan *p, IrMd loc, Map *seen)
{
	for (IrMd at; (at = dw_node(d, loc, "inlinedAt")).i; loc = at) {
		bool fresh;
		IrMd scope = dw_node(d, loc, "scope");
		for (u32 i = 0; i < DW_MAX_SCOPES && scope.i && !str_is(dw_kind(d, scope), "DISubprogram"); i++)
			scope = dw_node(d, scope, "scope");
		map_put(seen, scope.i, &fresh);
		if (fresh && scope.i)
			vec_push(d->a->arena, &p->inlined, scope.i);
	}
}

static void find_scopes(Dwarf *d, DwPlan *p)
{
	MirFunc *f = d->a->f;
	Map      seen, known; /* subprograms, locations */
	map_init(&seen, d->a->arena);
	map_init(&known, d->a->arena);
	vec_push(d->a->arena, &p->scope, ((DwScope){.node = p->subprogram, .begin = ~0u}));
	map_set(&p->scope_of, (u64)p->subprogram.i << 32, 1);
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			IrMd loc = {mir_inst(f, i)->dbg};
			p->position[i.i] = p->n;
			if (mir_is(f, i, IF_META))
				continue;
			bool fresh = false;
			if (loc.i)
				map_put(&known, loc.i, &fresh);
			if (fresh && dw_int(d, loc, "line"))
				find_inlined(d, p, loc, &seen);
			if (loc.i && dw_int(d, loc, "line"))
				extend(p, add_scope(d, p, dw_node(d, loc, "scope"), dw_node(d, loc, "inlinedAt"), 0), p->n);
			p->n++;
		}
}

/* ---- variables ---- */

static void add_variable(Dwarf *d, DwPlan *p, IrMd v, IrMd at, IrRef slot)
{
	bool fresh;
	u64 *known = map_put(&p->variable_of, (u64)v.i << 32 | at.i, &fresh);
	if (!str_is(dw_kind(d, v), "DILocalVariable"))
		return;
	if (!fresh) {
		if (!ir_is_none(slot))
			p->variable.p[*known - 1].slot = slot;
		return;
	}
	u32 scope = dw_scope_of(d, p, dw_node(d, v, "scope"), at);
	vec_push(d->a->arena, &p->variable, ((DwVariable){.node = v, .at = at, .scope = scope, .slot = slot, .part = ~0u}));
	*known = p->variable.n;
	if (scope != ~0u)
		vec_push(d->a->arena, &p->scope.p[scope].variable, p->variable.n - 1);
}

static void find_variables(Dwarf *d, DwPlan *p)
{
	const IrModule *m = d->a->ir;
	IrMd            retained = dw_node(d, p->subprogram, "retainedNodes");
	ir_each_block(m, d->a->irf, b)
		ir_each_inst(m, b, i)
			for (u32 r = ir_info(m, i)->records; r;) {
				const IrDbgRec *rec = pages_at(&m->dbgrecs, r);
				const IrMdNode *v = rec->arg[0].i ? ir_md(m, rec->arg[0]) : NULL;
				bool slot = rec->kind == IRDBG_DECLARE && v && v->kind == IRMD_VALUE && rec->arg[2].i &&
				            ir_md(m, rec->arg[2])->n == 0;
				r = rec->next;
				if (rec->kind != IRDBG_LABEL)
					add_variable(d, p, rec->arg[1], dw_node(d, rec->loc, "inlinedAt"),
					             slot ? v->value : IR_NO_REF);
			}
	for (u32 i = 0; retained.i && i < ir_md(m, retained)->n; i++)
		add_variable(d, p, ir_md_op(m, retained, i), (IrMd){0}, IR_NO_REF);
}

/* ---- labels ---- */

static void number_labels(Dwarf *d, DwPlan *p)
{
	for (u32 i = 1; i < p->scope.n; i++) {
		const DwScope *s = &p->scope.p[i];
		if (s->begin == ~0u)
			continue;
		p->label[s->begin] = p->label[s->end] = 1;
	}
	for (u32 i = 0; i < p->variable.n; i++)
		for (u32 k = 0; d->places && k < p->variable.p[i].range.n; k++) {
			const DwRange *r = &p->variable.p[i].range.p[k];
			p->label[r->begin] = p->label[r->end] = 1;
		}
	p->label[0] = p->label[p->n] = 0; /* $L__func_begin0, $L__func_end0 */
	for (u32 i = 0; i < p->n; i++)
		if (p->label[i])
			p->label[i] = ++d->n_labels;
}

Str dw_label_at(const Dwarf *d, u32 position)
{
	const DwPlan *p = d->plan;
	if (position == 0 || position == p->n)
		return arena_fmt(d->arena, position ? "$L__func_end%u" : "$L__func_begin%u", d->a->f->number);
	return arena_fmt(d->arena, "$L__tmp%u", p->label[position] - 1);
}

void dw_plan(Dwarf *d)
{
	Asm    *a = d->a;
	IrMd    sp = ir_attached(a->ir, a->irf->ref, "dbg");
	DwUnit *u = sp.i ? dw_unit_of(d, dw_node(d, sp, "unit")) : NULL;
	d->plan = NULL;
	if (!u || !u->full)
		return;
	DwPlan *p = d->plan = arena_new(a->arena, DwPlan);
	p->subprogram = sp;
	p->position = arena_array(a->arena, u32, a->f->inst.n + 1);
	map_init(&p->scope_of, a->arena);
	map_init(&p->variable_of, a->arena);
	find_scopes(d, p);
	find_variables(d, p);
	dw_find_values(d, p);
	p->label = arena_array(a->arena, u32, p->n + 1);
	number_labels(d, p);
}

/* No instruction: the end of the function. */
void dw_before(Dwarf *d, MirInstId i)
{
	DwPlan *p = d->plan;
	if (!p)
		return;
	u32 at = i.i ? p->position[i.i] : p->n;
	for (; p->printed <= at; p->printed++)
		if (p->label[p->printed])
			text_f(d->a->out, "%.*s:\n", STR_ARG(dw_label_at(d, p->printed)));
	for (; p->next_note < p->note.n && p->note.p[p->next_note].position <= at; p->next_note++)
		dw_print_note(d, &p->note.p[p->next_note]);
}
