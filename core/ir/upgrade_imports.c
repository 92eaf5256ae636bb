/* upgrade_imports.c: moves what is imported into functions from compile units to these functions, as LLVM does with bitcode.
 *
 *   !DICompileUnit(imports: !{!1, !2})                  →  !DICompileUnit(imports: !{!2})
 *   !1 = !DIImportedEntity(scope: !3, …)                   !DISubprogram(retainedNodes: !{!1})
 *   !3 = !DILexicalBlock(scope: a !DISubprogram)
 *
 * LLVM before 17 wrote the former. Time n log n in the imports, times the depth of their scopes, which has a limit. */
#include "base/sort.h"
#include "ir/internal.h"
#include "ir/md_older.h"

enum { MAX_BLOCKS = 1000 }; /* inside each other; they may be so in a circle */

typedef struct Import {
	u32 function; /* a !DISubprogram */
	u32 entity;
} Import;

static bool is_node(const IrModule *m, IrMd md, const char *name)
{
	return md.i && ir_md(m, md)->kind == IRMD_SPEC && str_is(ir_str(m, ir_md(m, md)->text), name);
}

static bool is_block(const IrModule *m, IrMd md)
{
	return is_node(m, md, "DILexicalBlock") || is_node(m, md, "DILexicalBlockFile");
}

/* The function in which the scope of an import is; none: it is of the unit. */
static IrMd function_of(const IrModule *m, IrMd entity)
{
	IrMd scope = is_node(m, entity, "DIImportedEntity") ? ir_md_field_node(m, entity, "scope") : (IrMd){0};
	for (u32 steps = MAX_BLOCKS; steps && is_block(m, scope); steps--)
		scope = ir_md_field_node(m, scope, "scope");
	return is_node(m, scope, "DISubprogram") ? scope : (IrMd){0};
}

static void set_nodes(IrModule *m, IrMd node, u32 at, IrMd list)
{
	IrMdField *f = &m->md_fields.p[ir_md(m, node)->first + at];
	f->kind = IRMF_MD;
	f->a = list.i;
}

/* The place of a field of a function; one that is not there is added, in front of those that are printed behind it. */
static u32 field_of(IrModule *m, IrMd node, const char *name)
{
	IrMdNode *n = ir_md(m, node);
	u32       first = n->first, place = n->n, to = m->md_fields.n;
	for (u32 i = n->n; i--;) {
		Str field = ir_str(m, m->md_fields.p[first + i].name);
		if (str_is(field, name))
			return i;
		if (str_is_among(" thrownTypes annotations targetFuncName keyInstructions ", field))
			place = i;
	}
	for (u32 i = 0; i <= n->n; i++) {
		IrMdField f = {.kind = IRMF_MD, .name = strtab_add(&m->s->strs, str_of(name))};
		if (i != place)
			f = m->md_fields.p[first + i - (i > place)];
		vec_push(m->arena, &m->md_fields, f);
	}
	n->first = to;
	n->n++;
	return place;
}

/* Adds the entities of some imports to what the function retains. */
static void retain(IrModule *m, IrMd function, const Import *imports, u32 count)
{
	u32   at = field_of(m, function, "retainedNodes");
	IrMd  had = {m->md_fields.p[ir_md(m, function)->first + at].a};
	u32   n = had.i && ir_md(m, had)->kind == IRMD_NODE ? ir_md(m, had)->n : 0;
	IrMd *all = arena_array(m->arena, IrMd, n + count);
	for (u32 i = 0; i < n; i++)
		all[i] = ir_md_op(m, had, i);
	for (u32 i = 0; i < count; i++)
		all[n + i] = (IrMd){imports[i].entity};
	set_nodes(m, function, at, ir_md_node(m, all, n + count, false));
}

static int by_function(const void *a, const void *b, void *user)
{
	u32 x = ((const Import *)a)->function, y = ((const Import *)b)->function;
	(void)user;
	return (x > y) - (x < y);
}

static void move_imports(IrModule *m, IrMd unit)
{
	IrMd    list = ir_md_field_node(m, unit, "imports");
	u32     n = list.i && ir_md(m, list)->kind == IRMD_NODE ? ir_md(m, list)->n : 0, moved = 0, kept = 0;
	Import *imports = arena_array(m->arena, Import, n + 1);
	IrMd   *stay = arena_array(m->arena, IrMd, n + 1);
	for (u32 i = 0; i < n; i++) {
		IrMd entity = ir_md_op(m, list, i), function = function_of(m, entity);
		if (function.i)
			imports[moved++] = (Import){function.i, entity.i};
		else
			stay[kept++] = entity;
	}
	if (!moved)
		return;
	set_nodes(m, unit, (u32)(ir_md_field(m, unit, "imports") - &m->md_fields.p[ir_md(m, unit)->first]),
	          ir_md_node(m, stay, kept, false));
	sort_stable(m->arena, imports, moved, sizeof *imports, by_function, NULL);
	for (u32 i = 0, end; i < moved; i = end) {
		for (end = i + 1; end < moved && imports[end].function == imports[i].function; end++) {
		}
		retain(m, (IrMd){imports[i].function}, imports + i, end - i);
	}
}

void ir_md_upgrade_imports(IrModule *m)
{
	const IrNamedMd *units = ir_named_md(m, "llvm.dbg.cu");
	for (u32 i = 0; units && i < units->n; i++) {
		IrMd unit = {m->md_ops.p[units->first + i]};
		if (is_node(m, unit, "DICompileUnit"))
			move_imports(m, unit);
	}
}
