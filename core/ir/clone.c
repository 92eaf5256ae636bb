/* clone.c: copies blocks and functions.
 *
 * Operands that refer to copied values are remapped to the copies; all others stay. Debug records are copied; lists of
 * attachments are shared with the original until one is edited (md.c). Linear in the instructions copied. */
#include "ir/builder.h"
#include "ir/internal.h"

static IrRef mapped(const Map *map, IrRef v)
{
	u64 *to = map_get(map, v.i);
	return to ? (IrRef){(u32)*to} : v;
}

static StrId with_suffix(IrModule *m, StrId name, Str suffix)
{
	if (!name.i || !suffix.n)
		return name;
	Str s = ir_str(m, name);
	return strtab_add(&m->s->strs, arena_fmt(m->arena, "%.*s%.*s", STR_ARG(s), STR_ARG(suffix)));
}

/* Metadata operands that refer to local values are remapped to the copies. */
static IrMd mapped_md(IrModule *m, const Map *map, IrMd n)
{
	const IrMdNode *node = n.i ? ir_md(m, n) : NULL;
	if (!node || node->kind != IRMD_VALUE)
		return n;
	IrRef to = mapped(map, node->value);
	return ir_same(to, node->value) ? n : ir_md_value(m, to);
}

static u32 clone_records(IrModule *m, u32 from, const Map *map)
{
	u32 first = 0, last = 0;
	for (; from; from = ((IrDbgRec *)pages_at(&m->dbgrecs, from))->next) {
		u32       id = pages_new(&m->dbgrecs);
		IrDbgRec *r = pages_at(&m->dbgrecs, id);
		*r = *(IrDbgRec *)pages_at(&m->dbgrecs, from);
		r->next = 0;
		for (u32 i = 0; i < PS_COUNT(r->arg); i++)
			r->arg[i] = mapped_md(m, map, r->arg[i]);
		if (last)
			((IrDbgRec *)pages_at(&m->dbgrecs, last))->next = id;
		else
			first = id;
		last = id;
	}
	return first;
}

static void clone_insts(IrModule *m, IrRef from, IrRef to, Map *map, Str suffix)
{
	ir_each_inst(m, from, i) {
		IrRef copy = ir_inst_clone(m, i);
		ir_insert_end(m, copy, to);
		if (ir_info(m, i)->name.i)
			ir_set_name(m, copy, ir_str(m, with_suffix(m, ir_name(m, i), suffix)));
		map_set(map, i.i, copy.i);
	}
}

static void remap_block(IrModule *m, IrRef from, IrRef to, const Map *map)
{
	IrRef old = ir_block(m, from)->first;
	ir_each_inst(m, to, i) {
		for (u32 k = 0, n = ir_n_ops(m, i); k < n; k++) {
			IrRef v = ir_op(m, i, k), w = mapped(map, v);
			if (ir_kind(v) == IR_MD)
				w = ir_ref(IR_MD, mapped_md(m, map, (IrMd){ir_index(v)}).i);
			if (!ir_same(v, w))
				ir_set_op(m, i, k, w);
		}
		ir_info(m, i)->records = clone_records(m, ir_info(m, old)->records, map);
		old = ir_inst(m, old)->next;
	}
}

void ir_clone_blocks(IrModule *m, const IrRef *blocks, u32 n, IrFunc *into, Map *map, Str suffix)
{
	for (u32 i = 0; i < n; i++) {
		StrId name = with_suffix(m, ir_block(m, blocks[i])->name, suffix);
		IrRef copy = ir_block_new(m, into, ir_str(m, name));
		ir_block(m, copy)->origin = ir_block(m, blocks[i])->origin;
		map_set(map, blocks[i].i, copy.i);
	}
	for (u32 i = 0; i < n; i++)
		clone_insts(m, blocks[i], mapped(map, blocks[i]), map, suffix);
	for (u32 i = 0; i < n; i++)
		remap_block(m, blocks[i], mapped(map, blocks[i]), map);
}

IrFunc *ir_func_clone(IrModule *m, IrFunc *f, Str name)
{
	IrGlobal *g = ir_global(m, f->ref);
	IrFunc   *copy = ir_func_new(m, name, g->type, (IrLinkage)g->linkage);
	IrGlobal *to = ir_global(m, copy->ref);
	to->visibility = g->visibility;
	to->unnamed_addr = g->unnamed_addr;
	to->align = g->align;
	to->flags = g->flags;
	to->section = g->section;
	to->comdat = g->comdat;
	to->md = g->md;
	to->origin = g->origin;
	copy->cc = f->cc;
	copy->fn = f->fn;
	copy->ret = f->ret;
	copy->gc = f->gc;
	copy->end_line = f->end_line;
	Map map;
	map_init(&map, m->arena);
	for (u32 i = 0; i < f->n_args; i++) {
		IrArg *a = ir_arg(m, ir_func_arg(copy, i)), *from = ir_arg(m, ir_func_arg(f, i));
		a->attrs = from->attrs;
		a->name = from->name;
		map_set(&map, ir_func_arg(f, i).i, ir_func_arg(copy, i).i);
	}
	VecU32 blocks = {0};
	ir_each_block(m, f, b)
		vec_push(m->arena, &blocks, b.i);
	ir_clone_blocks(m, (const IrRef *)blocks.p, blocks.n, copy, &map, STR(""));
	return copy;
}
