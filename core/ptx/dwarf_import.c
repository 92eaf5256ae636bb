/* dwarf_import.c: entries of what using directives, using declarations and aliases of namespaces name, in a unit or in a function.
 *
 *	{ using N::x; … }     →     DW_TAG_lexical_block
 *	                              DW_TAG_imported_declaration, DW_AT_import: the entry of N::x
 *
 * Those of a function are made when the module ends, behind what else is in their block; in the abstract entry alone where the
 * function was inlined. A block whose code is gone has none. Linear in the imports. */
#include "ptx/dwarf.h"

static void fill(Dwarf *d, DwUnit *u, Die *die, IrMd n)
{
	IrMd entity = dw_node(d, n, "entity");
	Str  kind = dw_kind(d, entity);
	Die *to = NULL;
	if (str_is(kind, "DISubprogram"))
		to = dw_subprogram(d, u, entity);
	else if (str_is(kind, "DINamespace"))
		to = dw_scope(d, u, entity);
	else if (str_is(kind, "DIGlobalVariable"))
		to = dw_find(d, entity);
	else if (entity.i)
		to = dw_type(d, u, entity);
	dw_place(d, die, n);
	if (to)
		dw_ref(d, die, DW_AT_import, to);
	dw_text(d, die, DW_AT_name, DW_FORM_string, dw_str(d, n, "name"));
}

static u32 tag_of(const Dwarf *d, IrMd n)
{
	return str_is(dw_word(d, n, "tag"), "DW_TAG_imported_module") ? DW_TAG_imported_module : DW_TAG_imported_declaration;
}

bool dw_is_import(const Dwarf *d, IrMd n) { return str_is(dw_kind(d, n), "DIImportedEntity"); }

void dw_import(Dwarf *d, DwUnit *u, IrMd n)
{
	if (dw_is_import(d, n))
		fill(d, u, dw_new(d, dw_scope(d, u, dw_node(d, n, "scope")), tag_of(d, n)), n);
}

void dw_import_into(Dwarf *d, Die *scope, IrMd n, bool abstract)
{
	vec_push(d->arena, &d->import, ((DwLater){.node = n, .die = scope, .index = abstract}));
}

void dw_local_imports(Dwarf *d)
{
	for (u32 i = 0; i < d->import.n; i++) {
		const DwLater *l = &d->import.p[i];
		IrMd           sp = dw_function_around(d, dw_node(d, l->node, "scope"));
		if (l->index || !dw_abstract_find(d, sp))
			fill(d, l->die->unit, dw_new(d, l->die, tag_of(d, l->node)), l->node);
	}
}
