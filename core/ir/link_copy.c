/* link_copy.c: copies types, constants, attributes, metadata and bodies from one module to another of the same session.
 *
 * Strings are the session's, so names and data need no copy. What is interned (types, constants, attribute sets) is found again in
 * the target module; a named struct is found by its name where its fields agree, else it gets another name. Metadata is a graph:
 * a node gets its copy first, and the copies are filled in from a list, so that cycles end and nothing recurses. Linear in what
 * is copied. Globals are the caller's to decide (Copier.global): link.c. */
#include "ir/link_copy.h"

#include "ir/internal.h"

void copier_init(Copier *c, IrModule *to, IrModule *from, Arena *arena)
{
	*c = (Copier){.to = to, .from = from, .arena = arena};
	map_init(&c->structs, arena);
	map_init(&c->local, arena);
	for (u32 i = 0; i < to->struct_order.n; i++) {
		IrType t = {to->struct_order.p[i]};
		if (ir_type(to, t)->name.i)
			map_set(&c->structs, ir_type(to, t)->name.i, t.i);
	}
}

/* ---- types ---- */

static StrId free_struct_name(Copier *c, StrId name)
{
	for (u32 n = 0;; n++) {
		Str   s = ir_str(c->to, name);
		StrId id = strtab_add(&c->to->s->strs, arena_fmt(c->arena, "%.*s.%u", STR_ARG(s), n));
		if (!map_get(&c->structs, id.i))
			return id;
	}
}

static bool same_fields(const IrModule *m, const IrTypeRec *a, const IrType *elems, u32 n, bool packed)
{
	return !a->opaque && a->n_elems == n && a->packed == packed &&
	       (!n || memcmp(m->type_lists.p + a->elems, elems, n * sizeof *elems) == 0);
}

static IrType copy_named_struct(Copier *c, const IrTypeRec *r, const IrType *elems)
{
	IrModule *m = c->to;
	StrId     name = r->name;
	IrType    known = {(u32)map_or(&c->structs, name.i, 0)};
	if (known.i && (r->opaque || same_fields(m, ir_type(m, known), elems, r->n_elems, r->packed)))
		return known;
	if (known.i && !ir_type(m, known)->opaque)
		name = free_struct_name(c, name);
	if (!known.i || name.i != r->name.i) {
		known = ir_named_struct(m, name, 0);
		map_set(&c->structs, name.i, known.i);
	}
	if (!r->opaque)
		ir_struct_set_body(m, known, elems, r->n_elems, r->packed);
	return known;
}

static IrType make_type(Copier *c, IrType t)
{
	IrModule        *m = c->to;
	const IrTypeRec *r = ir_type(c->from, t);
	u32              n = r->n_elems;
	IrType          *elems = arena_array(c->arena, IrType, n + 1);
	for (u32 i = 0; i < n; i++)
		elems[i] = copy_type(c, (IrType){c->from->type_lists.p[r->elems + i]});
	switch (r->kind) {
	case IRT_INT: return ir_int_type(m, r->bits);
	case IRT_PTR: return ir_ptr_type(m, r->bits);
	case IRT_ARRAY: return ir_array_type(m, elems[0], r->count);
	case IRT_VECTOR:
		return r->bits ? ir_scalable_type(m, elems[0], (u32)r->count) : ir_vector_type(m, elems[0], (u32)r->count);
	case IRT_FUNC: return ir_func_type(m, elems[0], elems + 1, n - 1, r->vararg);
	case IRT_TARGET: return ir_target_type(m, r->name, elems, n, c->from->type_lists.p + r->ints, r->bits);
	case IRT_STRUCT:
		if (r->name.i)
			return copy_named_struct(c, r, elems);
		return ir_struct_type(m, elems, n, r->packed); /* numbered ones become literal */
	default: return t;
	}
}

IrType copy_type(Copier *c, IrType t)
{
	if (t.i < IR_TY_FIXED)
		return t;
	u32 known = *copy_slot(c, &c->types, t.i);
	if (!known) {
		known = make_type(c, t).i;
		*copy_slot(c, &c->types, t.i) = known;
	}
	return (IrType){known};
}

/* ---- values ---- */

static IrRef copy_const(Copier *c, IrRef v)
{
	u32 known = *copy_slot(c, &c->consts, ir_index(v));
	if (known)
		return ir_ref(IR_CONST, known);
	IrConst r = *ir_const(c->from, v);
	IrRef  *ops = arena_array(c->arena, IrRef, r.n_ops + 1);
	for (u32 i = 0; i < r.n_ops; i++)
		ops[i] = copy_value(c, ir_const_op(c->from, v, i));
	r.type = copy_type(c, r.type);
	r.elem = copy_type(c, r.elem);
	IrRef to = ir_const_import(c->to, r, ops);
	*copy_slot(c, &c->consts, ir_index(v)) = ir_index(to);
	return to;
}

static IrRef copy_asm(Copier *c, IrRef v)
{
	u32 known = *copy_slot(c, &c->asms, ir_index(v));
	if (!known) {
		const IrAsm *a = ir_asm(c->from, v);
		IrRef to = ir_asm_new(c->to, copy_type(c, a->type), ir_str(c->from, a->text), ir_str(c->from, a->constraints),
		                      a->flags);
		known = ir_index(to);
		*copy_slot(c, &c->asms, ir_index(v)) = known;
	}
	return ir_ref(IR_ASM, known);
}

IrRef copy_value(Copier *c, IrRef v)
{
	switch (ir_kind(v)) {
	case IR_CONST: return copy_const(c, v);
	case IR_GLOBAL: return c->global(c, v);
	case IR_ASM: return copy_asm(c, v);
	case IR_MD: return ir_ref(IR_MD, copy_md(c, (IrMd){ir_index(v)}).i);
	case IR_NONE: return v;
	default: return (IrRef){(u32)map_or(&c->local, v.i, 0)};
	}
}

IrAttrs copy_attrs(Copier *c, IrAttrs set)
{
	if (!set.i)
		return set;
	u32 known = *copy_slot(c, &c->attrs, set.i);
	if (known)
		return (IrAttrs){known};
	u32     n = ir_attrs_count(c->from, set);
	IrAttr *all = arena_array(c->arena, IrAttr, n);
	for (u32 i = 0; i < n; i++) {
		all[i] = *ir_attrs_at(c->from, set, i);
		all[i].type = copy_type(c, all[i].type);
	}
	IrAttrs to = ir_attrs_make(c->to, all, n);
	*copy_slot(c, &c->attrs, set.i) = to.i;
	return to;
}

/* ---- metadata ---- */

static IrMd copy_md_value(Copier *c, const IrMdNode *n)
{
	IrRef v = n->value;
	if (ir_kind(v) == IR_GLOBAL)
		v = c->taken(c, v);
	else
		v = copy_value(c, v);
	return ir_is_none(v) ? (IrMd){0} : ir_md_value(c->to, v);
}

/* The copy of a node; its operands are copied later. */
static IrMd md_of(Copier *c, IrMd id)
{
	const IrMdNode *n = id.i ? ir_md(c->from, id) : NULL;
	if (!n)
		return id;
	if (n->kind == IRMD_STRING)
		return ir_md_string(c->to, ir_str(c->from, n->text));
	if (n->kind == IRMD_VALUE)
		return copy_md_value(c, n);
	u32 known = n->kind == IRMD_ARGS ? 0 : *copy_slot(c, &c->mds, id.i); /* lists of arguments name local values */
	if (known)
		return (IrMd){known};
	IrMd to = {pages_new(&c->to->mds)};
	*ir_md(c->to, to) = *n;
	ir_md(c->to, to)->origin = 0;
	*copy_slot(c, &c->mds, id.i) = to.i;
	vec_push(c->arena, &c->md_work, id.i);
	return to;
}

static void fill_in(Copier *c, IrMd id)
{
	IrModule       *m = c->to;
	IrMd            to = {*copy_slot(c, &c->mds, id.i)};
	const IrMdNode *n = ir_md(c->from, id);
	VecU32          ops = {0};
	if (n->kind == IRMD_SPEC || n->kind == IRMD_EXPR) {
		u32 first = m->md_fields.n;
		for (u32 i = 0; i < n->n; i++)
			vec_push(m->arena, &m->md_fields, c->from->md_fields.p[n->first + i]);
		for (u32 i = first; i < first + n->n; i++)
			if (m->md_fields.p[i].kind == IRMF_MD)
				m->md_fields.p[i].a = md_of(c, (IrMd){m->md_fields.p[i].a}).i;
		ir_md(m, to)->first = first;
		return;
	}
	for (u32 i = 0; i < n->n; i++)
		vec_push(c->arena, &ops, md_of(c, (IrMd){c->from->md_ops.p[n->first + i]}).i);
	ir_md(m, to)->first = m->md_ops.n;
	for (u32 i = 0; i < ops.n; i++)
		vec_push(m->arena, &m->md_ops, ops.p[i]);
}

IrMd copy_md(Copier *c, IrMd id)
{
	IrMd to = md_of(c, id);
	while (c->md_work.n)
		fill_in(c, (IrMd){vec_pop(&c->md_work)});
	return to;
}

u32 copy_attachments(Copier *c, u32 list)
{
	IrModule *m = c->to;
	u32       first = 0, last = 0;
	for (; list; list = ((IrAttach *)pages_at(&c->from->attach, list))->next) {
		const IrAttach *from = pages_at(&c->from->attach, list);
		IrMd            node = copy_md(c, from->node);
		u32             id = pages_new(&m->attach);
		*(IrAttach *)pages_at(&m->attach, id) = (IrAttach){0, from->kind, node};
		if (last)
			((IrAttach *)pages_at(&m->attach, last))->next = id;
		else
			first = id;
		last = id;
	}
	return first;
}

/* ---- bodies ---- */

static u8 copy_scope(Copier *c, u8 scope)
{
	if (scope <= IR_SCOPE_SINGLETHREAD)
		return scope;
	u32 name = c->from->scopes.p[scope];
	for (u32 i = 0; i < c->to->scopes.n; i++)
		if (c->to->scopes.p[i] == name)
			return (u8)i;
	vec_push(c->to->arena, &c->to->scopes, name);
	return (u8)(c->to->scopes.n - 1);
}

static u32 copy_call(Copier *c, IrRef inst)
{
	IrModule *m = c->to;
	IrCall    r = *ir_call(c->from, inst);
	u32       bundles = r.bundles, params = r.params;
	r.type = copy_type(c, r.type);
	r.fn = copy_attrs(c, r.fn);
	r.ret = copy_attrs(c, r.ret);
	if (params) {
		u32  n = ir_list_n(c->from, params);
		u32 *sets = arena_array(c->arena, u32, n + 1);
		for (u32 i = 0; i < n; i++)
			sets[i] = copy_attrs(c, (IrAttrs){ir_list(c->from, params)[i]}).i;
		r.params = ir_list_new(m, sets, n);
	}
	r.bundles = m->bundles.n;
	for (u32 i = 0; i < r.n_bundles; i++)
		vec_push(m->arena, &m->bundles, c->from->bundles.p[bundles + i]);
	return ir_call_new(m, r);
}

static IrRef copy_inst(Copier *c, IrRef from, IrRef block)
{
	IrModule     *m = c->to;
	const IrInst *r = ir_inst(c->from, from);
	IrRef         to = ir_inst_new(m, (IrOp)r->op, copy_type(c, r->type), r->n_ops);
	IrInst       *i = ir_inst(m, to);
	i->sub = r->sub;
	i->align = r->align;
	i->order = r->order;
	i->flags = r->flags;
	if (r->op == IR_GETELEMENTPTR || r->op == IR_ALLOCA)
		i->elem = copy_type(c, r->elem);
	else if (ir_op_info[r->op].flags & IROF_CALLS)
		i->aux = copy_call(c, from);
	else if (r->aux)
		i->aux = ir_list_new(m, ir_list(c->from, r->aux), ir_list_n(c->from, r->aux));
	const IrInstInfo *f = ir_info(c->from, from);
	IrInstInfo       *info = ir_info(m, to);
	info->order_fail = f->order_fail;
	info->scope = copy_scope(c, f->scope);
	ir_insert_end(m, to, block);
	StrId name = ir_name(c->from, from);
	if (name.i)
		ir_set_name(m, to, ir_str(c->from, name));
	map_set(&c->local, from.i, to.i);
	return to;
}

static u32 copy_records(Copier *c, u32 from)
{
	IrModule *m = c->to;
	u32       first = 0, last = 0;
	for (; from; from = ((IrDbgRec *)pages_at(&c->from->dbgrecs, from))->next) {
		IrDbgRec r = *(IrDbgRec *)pages_at(&c->from->dbgrecs, from);
		r.next = r.origin = 0;
		for (u32 i = 0; i < PS_COUNT(r.arg); i++)
			r.arg[i] = copy_md(c, r.arg[i]);
		r.loc = copy_md(c, r.loc);
		u32 id = pages_new(&m->dbgrecs);
		*(IrDbgRec *)pages_at(&m->dbgrecs, id) = r;
		if (last)
			((IrDbgRec *)pages_at(&m->dbgrecs, last))->next = id;
		else
			first = id;
		last = id;
	}
	return first;
}

/* Operands, debug locations and attachments, once all instructions have copies. */
static void fill_in_inst(Copier *c, IrRef from, IrRef to)
{
	IrModule         *m = c->to;
	const IrInstInfo *f = ir_info(c->from, from);
	u32               ops = ir_inst(m, to)->ops;
	for (u32 k = 0; k < ir_n_ops(c->from, from); k++)
		ir_set_use(m, ops + k, copy_value(c, ir_op(c->from, from, k)));
	IrMd dbg = copy_md(c, f->dbg);
	u32  md = copy_attachments(c, f->md), records = copy_records(c, f->records);
	ir_info(m, to)->dbg = dbg;
	ir_info(m, to)->md = md;
	ir_info(m, to)->records = records;
}

void copy_body(Copier *c, IrFunc *f, IrFunc *to)
{
	IrModule *m = c->to;
	map_clear(&c->local);
	for (u32 i = 0; i < f->n_args; i++) {
		StrId name = ir_name(c->from, ir_func_arg(f, i));
		map_set(&c->local, ir_func_arg(f, i).i, ir_func_arg(to, i).i);
		ir_arg(m, ir_func_arg(to, i))->name = name;
	}
	ir_names_changed(m);
	ir_each_block(c->from, f, b) {
		IrRef copy = ir_block_new(m, to, ir_str(c->from, ir_block(c->from, b)->name));
		map_set(&c->local, b.i, copy.i);
	}
	ir_each_block(c->from, f, b)
		ir_each_inst(c->from, b, i)
			copy_inst(c, i, copy_value(c, b));
	ir_each_block(c->from, f, b)
		ir_each_inst(c->from, b, i)
			fill_in_inst(c, i, copy_value(c, i));
}
