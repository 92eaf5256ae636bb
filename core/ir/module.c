/* module.c: creates a module with its pages and intern tables; creates, finds, renames and removes globals.
 *
 * The types of the IR_TY_* enumeration are interned first, so that they have fixed ids. */
#include "ir/builder.h"
#include "ir/intern.h"
#include "ir/internal.h"
#include "ir/names.h"
#include "ir/print.h"

void ir_intern_init(Arena *arena, IrIntern *t, u32 slots)
{
	*t = (IrIntern){.slot = arena_array(arena, u32, slots * 2), .mask = slots - 1};
}

static void intern_place(IrIntern *t, u32 hash, u32 id)
{
	u32 at = intern_start(t, hash);
	while (intern_id(t, at))
		at = intern_next(t, at);
	t->slot[2 * at] = hash;
	t->slot[2 * at + 1] = id;
}

void ir_intern_add(Arena *arena, IrIntern *t, u32 hash, u32 id)
{
	if (++t->n * 2 > t->mask) {
		IrIntern old = *t;
		ir_intern_init(arena, t, (old.mask + 1) * 2);
		t->n = old.n;
		for (u32 at = 0; at <= old.mask; at++)
			if (intern_id(&old, at))
				intern_place(t, intern_hash(&old, at), intern_id(&old, at));
	}
	intern_place(t, hash, id);
}

static void init_pages(IrModule *m)
{
	const struct {
		Pages *pages;
		u32    size;
	} all[] = {
		{&m->types, sizeof(IrTypeRec)},  {&m->consts, sizeof(IrConst)},
		{&m->globals, sizeof(IrGlobal)}, {&m->funcs, sizeof(IrFunc)},
		{&m->args, sizeof(IrArg)},       {&m->blocks, sizeof(IrBlock)},
		{&m->insts, sizeof(IrInst)},     {&m->inst_infos, sizeof(IrInstInfo)},
		{&m->asms, sizeof(IrAsm)},       {&m->uses[0], sizeof(IrUse)},
		{&m->uses[1], sizeof(IrUse)},    {&m->mds, sizeof(IrMdNode)},
		{&m->attach, sizeof(IrAttach)},  {&m->calls, sizeof(IrCall)},
		{&m->dbgrecs, sizeof(IrDbgRec)}, {&m->attr_sets, sizeof(IrAttrSet)},
	};
	for (u32 i = 0; i < PS_COUNT(all); i++)
		pages_init(all[i].pages, m->arena, all[i].size);
}

/* The ids of these types are fixed: IR_TY_*. */
static void init_types(IrModule *m)
{
	for (u32 id = IR_TY_VOID; id < IR_TY_FIXED; id++) {
		static const u32 widths[] = {1, 8, 16, 32, 64, 128};
		u32              got = id;
		if (id <= IR_TY_X86_AMX) {
			got = pages_new(&m->types);
			ir_type(m, (IrType){got})->kind = (u8)id;
		} else if (id < IR_TY_PTR) {
			got = ir_int_type(m, widths[id - IR_TY_I1]).i;
		} else {
			got = ir_ptr_type(m, 0).i;
		}
		ICE_UNLESS(m->s, got == id);
	}
}
_Static_assert((int)IR_TY_X86_AMX == (int)IRT_X86_AMX, "the plain types' ids are their kinds");

IrRef ir_inst_take_of_page(IrModule *m)
{
	pages_new(&m->inst_infos);
	return ir_ref(IR_INST, pages_new(&m->insts));
}

IrModule *ir_module_new(Session *s)
{
	IrModule *m = arena_new(&s->arena, IrModule);
	m->s = s;
	m->arena = &s->arena;
	init_pages(m);
	ir_intern_init(m->arena, &m->type_table, 64);
	ir_intern_init(m->arena, &m->const_table, 256);
	ir_intern_init(m->arena, &m->attr_table, 64);
	ir_intern_init(m->arena, &m->md_strings, 64);
	map_init(&m->symbols, m->arena);
	map_init(&m->value_md, m->arena);
	map_init(&m->outdated_at, m->arena);
	vec_extend(m->arena, &m->type_lists, 1);
	vec_extend(m->arena, &m->field_offsets, 1);
	vec_extend(m->arena, &m->lists, 1);
	vec_push(m->arena, &m->scopes, 0);
	vec_push(m->arena, &m->scopes, strtab_add(&s->strs, STR("singlethread")).i);
	m->numbering = arena_new(m->arena, IrNumbering);
	m->annotations = ir_annotations_new(m->arena);
	m->intrinsic_names = ir_name_lists_new(m->arena);
	m->upgrade_names = ir_name_lists_new(m->arena);
	init_types(m);
	ir_layout_default(&m->layout, &s->target);
	return m;
}

/* ---- globals ---- */

IrRef ir_next_global(const IrModule *m, u32 *at)
{
	while (*at < m->order.n) {
		IrRef g = ir_ref(IR_GLOBAL, m->order.p[(*at)++]);
		if (!(ir_global(m, g)->flags & IRGF_DEAD))
			return g;
	}
	return IR_NO_REF;
}

IrFunc *ir_next_func(const IrModule *m, u32 *at)
{
	for (IrRef g; !ir_is_none(g = ir_next_global(m, at));) {
		IrFunc *f = ir_func(m, g);
		if (f)
			return f;
	}
	return NULL;
}

IrRef ir_find_global(const IrModule *m, Str name)
{
	StrId id = strtab_find(&m->s->strs, name);
	u64   g = id.i ? map_or(&m->symbols, id.i, 0) : 0;
	return g ? ir_ref(IR_GLOBAL, (u32)g) : IR_NO_REF;
}

static IrRef global_new(IrModule *m, IrGlobalKind kind, Str name, IrType type, u32 addrspace, IrLinkage linkage)
{
	u32       id = pages_new(&m->globals);
	IrRef     ref = ir_ref(IR_GLOBAL, id);
	IrGlobal *g = ir_global(m, ref);
	g->kind = (u8)kind;
	g->linkage = (u8)linkage;
	g->addrspace = addrspace;
	g->type = type;
	g->ptr = ir_ptr_type(m, addrspace);
	g->flags = IRGF_DECLARED;
	vec_push(m->arena, &m->order, id);
	ir_set_name(m, ref, name);
	return ref;
}

IrRef ir_var_new(IrModule *m, Str name, IrType type, u32 addrspace, IrLinkage linkage, IrRef init)
{
	IrRef g = global_new(m, IRG_VAR, name, type, addrspace, linkage);
	ir_global_set_init(m, g, init);
	return g;
}

IrFunc *ir_func_make(IrModule *m, IrRef ref, IrType type)
{
	u32     id = pages_new(&m->funcs);
	IrFunc *f = pages_at(&m->funcs, id);
	ir_global(m, ref)->func = id;
	f->ref = ref;
	f->n_args = ir_func_params(m, type);
	f->first_arg = pages_new_n(&m->args, f->n_args);
	for (u32 i = 0; i < f->n_args; i++) {
		IrArg *a = ir_arg(m, ir_func_arg(f, i));
		a->func = ref;
		a->type = ir_func_param(m, type, i);
		a->number = i;
	}
	return f;
}

IrFunc *ir_func_new(IrModule *m, Str name, IrType type, IrLinkage linkage)
{
	return ir_func_make(m, global_new(m, IRG_FUNC, name, type, m->layout.program_space, linkage), type);
}

IrRef ir_declare(IrModule *m, Str name, IrType type)
{
	IrRef g = ir_find_global(m, name);
	return ir_is_none(g) ? ir_func_new(m, name, type, IRL_EXTERNAL)->ref : g;
}

IrRef ir_global_init(const IrModule *m, IrRef g)
{
	u32 use = ir_global(m, g)->init;
	return use ? ir_use(m, use)->value : IR_NO_REF;
}

void ir_global_set_init(IrModule *m, IrRef g, IrRef v)
{
	IrGlobal *rec = ir_global(m, g);
	if (ir_is_none(v)) {
		if (rec->init)
			ir_set_use(m, rec->init, v);
		rec->init = 0;
		return;
	}
	if (!rec->init) {
		rec->init = ir_lasting_uses(m, 1);
		ir_use(m, rec->init)->user = g;
	}
	ir_set_use(m, rec->init, v);
}

void ir_global_remove(IrModule *m, IrRef g)
{
	IrGlobal *rec = ir_global(m, g);
	IrFunc   *f = ir_func(m, g);
	if (ir_has_uses(m, g))
		ir_replace_all_uses(m, g, ir_const_poison(m, rec->ptr));
	if (f)
		ir_func_drop_body(m, f);
	ir_global_set_init(m, g, IR_NO_REF);
	if (rec->name.i)
		map_remove(&m->symbols, rec->name.i);
	rec->flags |= IRGF_DEAD;
}

bool ir_linkage_is_weak(u32 l)
{
	return l == IRL_LINKONCE || l == IRL_WEAK || l == IRL_COMMON || l == IRL_EXTERN_WEAK || l == IRL_LINKONCE_ODR ||
	       l == IRL_WEAK_ODR || l == IRL_AVAILABLE_EXTERNALLY;
}
