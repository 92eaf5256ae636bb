/* nvptx-lower-ctor-dtor: turns llvm.global_ctors and llvm.global_dtors into symbols and kernels for the module's loader.
 *
 *   @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @foo, ptr null }]
 *
 *   →  @__init_array_object_foo_0b67a2e4_1 = protected addrspace(4) constant ptr @foo, section ".init_array.1"
 *      define weak_odr void @"nvptx$device$init"()     a kernel of one thread: calls the functions from
 *                                                      @__init_array_start to @__init_array_end, in order
 *
 * PTX has no sections, and no code runs before a kernel. The loader of the module finds the entries by their names
 * (function, -nvptx-lower-global-ctor-dtor-id or a hash of the module's name, priority), stores their values in an
 * array ordered by priority, sets the two pointers and launches the kernel. Destructors likewise: __fini_array_…, and
 * nvptx$device$fini, which runs from the end to the start. The kernels compare the two pointers before the first
 * iteration, so an array that the loader did not set is treated as empty. Linear in the entries. */
#include "base/hash.h"
#include "ir/builder.h"
#include "irpass/util.h"

typedef struct List {
	const char *variable, *section, *kernel;
	bool        backwards;
} List;

static const List lists[] = {
	{"llvm.global_ctors", "init", "nvptx$device$init", false},
	{"llvm.global_dtors", "fini", "nvptx$device$fini", true},
};

typedef struct Lowering {
	PassCx   *cx;
	IrModule *m;
	Str       id;
	Vec(IrRef) used; /* new elements of llvm.used */
} Lowering;

static Str module_id(PassCx *cx)
{
	IrModule *m = cx->ir;
	Str given = knob_str(cx->s, KNOB_nvptx_lower_global_ctor_dtor_id), name = ir_str(m, m->id.i ? m->id : m->source_name);
	return given.n ? given : arena_fmt(cx->scratch, "%08x", hash_bytes(name.p, name.n));
}

/* With the type that the tables have, also of a function in another address space. */
static IrRef as_generic(IrModule *m, IrRef p)
{
	IrType t = ir_ptr_type(m, AS_GENERIC);
	return ir_type_of(m, p).i == t.i ? p : ir_const_cast(m, IR_ADDRSPACECAST, p, t);
}

static void add_entry(Lowering *l, const List *list, IrRef entry)
{
	IrModule *m = l->m;
	IrRef     f = ir_const_elem(m, entry, 1);
	u64       priority = 0;
	while (ir_kind(f) == IR_CONST && ir_const(m, f)->kind == IRC_EXPR)
		f = ir_const_op(m, f, 0);
	if (ir_kind(f) != IR_GLOBAL)
		return; /* a null entry calls nothing */
	ir_as_int(m, ir_const_elem(m, entry, 0), &priority);
	Str       name = arena_fmt(l->cx->scratch, "__%s_array_object_%.*s_%.*s_%llu", list->section,
	                           STR_ARG(ir_str(m, ir_global(m, f)->name)), STR_ARG(l->id), (unsigned long long)priority);
	IrRef     v = ir_var_new(m, name, ir_ptr_type(m, AS_GENERIC), AS_CONST, IRL_EXTERNAL, as_generic(m, f));
	IrGlobal *g = ir_global(m, v);
	g->flags |= IRGF_CONSTANT;
	g->visibility = IRV_PROTECTED;
	g->section = strtab_add(&l->cx->s->strs,
	                        arena_fmt(l->cx->scratch, ".%s_array.%llu", list->section, (unsigned long long)priority));
	g->origin = ir_global(m, f)->origin;
	vec_push(l->cx->scratch, &l->used, as_generic(m, v));
}

/* A pointer that the loader sets. */
static IrRef bound(Lowering *l, const List *list, const char *which)
{
	IrModule *m = l->m;
	Str       name = arena_fmt(l->cx->scratch, "__%s_array_%s", list->section, which);
	IrRef     g = ir_find_global(m, name);
	if (ir_is_none(g)) {
		IrType t = ir_ptr_type(m, AS_GENERIC);
		g = ir_var_new(m, name, t, AS_GLOBAL, IRL_WEAK, ir_const_zero(m, t));
		ir_global(m, g)->visibility = IRV_PROTECTED;
	}
	return g;
}

static void make_kernel(Lowering *l, const List *list)
{
	IrModule *m = l->m;
	IrType    table = ir_ptr_type(m, AS_GLOBAL), entry = ir_ptr_type(m, AS_GENERIC),
	       callback_type = ir_func_type(m, IR_TYPE(VOID), NULL, 0, false);
	IrRef   start = bound(l, list, "start"), end = bound(l, list, "end");
	IrFunc *f = ir_func_new(m, str_of(list->kernel), callback_type, IRL_WEAK_ODR);
	IrRef   first = ir_block_new(m, f, STR("entry")), loop = ir_block_new(m, f, STR("while.entry")),
	      last = ir_block_new(m, f, STR("while.end"));

	IrBuilder b = ir_build_end(m, first);
	IrRef     begin = ir_b_load(&b, table, start, 8), stop = ir_b_load(&b, table, end, 8);
	IrRef     any = ir_b_cmp(&b, IRP_I_NE, begin, stop);
	ir_b_cond_br(&b, any, loop, last);

	b = ir_build_end(m, loop);
	IrRef at = ir_b_phi(&b, table), step = ir_const_sint(m, IR_TYPE(I64), list->backwards ? -1 : 1);
	IrRef here = list->backwards ? ir_b_gep(&b, entry, at, &step, 1, 0) : at;
	IrRef callback = ir_b_load(&b, entry, here, 8);
	ir_b_call(&b, callback_type, callback, NULL, 0);
	IrRef next = list->backwards ? here : ir_b_gep(&b, entry, at, &step, 1, 0);
	IrRef done = ir_b_cmp(&b, IRP_I_EQ, next, list->backwards ? begin : stop);
	ir_b_cond_br(&b, done, last, loop);
	ir_phi_add(m, at, list->backwards ? stop : begin, first);
	ir_phi_add(m, at, next, loop);

	b = ir_build_end(m, last);
	ir_b_ret(&b, IR_NO_REF);
	ir_set_name(m, begin, STR("begin"));
	ir_set_name(m, stop, STR("stop"));
	ir_set_name(m, at, STR("ptr"));
	ir_set_name(m, callback, STR("callback"));
	ir_set_name(m, next, STR("next"));
	ir_set_name(m, done, STR("end"));
	f->cc = IRCC_PTX_KERNEL;
	f->fn = ir_attrs_with(m, f->fn, ir_attr_string(m, "nvvm.maxntid", STR("1")));
	f->fn = ir_attrs_with(m, f->fn, ir_attr_string(m, "nvvm.maxclusterrank", STR("1")));
}

static bool lower(Lowering *l, const List *list)
{
	IrModule *m = l->m;
	IrRef     g = ir_find_global(m, str_of(list->variable)), init = ir_is_none(g) ? g : ir_global_init(m, g);
	u64       n = ir_is_none(init) ? 0 : ir_type_count(m, ir_type_of(m, init));
	if (!n)
		return false;
	for (u32 i = 0; i < n; i++)
		add_entry(l, list, ir_const_elem(m, init, i));
	ir_global_remove(m, g);
	if (knob_bool(l->cx->s, KNOB_nvptx_emit_init_fini_kernel))
		make_kernel(l, list);
	return true;
}

/* Adds the entries to llvm.used, because nothing in the module refers to them. */
static void keep(Lowering *l)
{
	IrModule *m = l->m;
	IrRef     old = ir_find_global(m, STR("llvm.used")), init = ir_is_none(old) ? old : ir_global_init(m, old);
	u64       had = ir_is_none(init) ? 0 : ir_type_count(m, ir_type_of(m, init));
	Vec(IrRef) all = {0};
	for (u32 i = 0; i < had; i++)
		vec_push(l->cx->scratch, &all, as_generic(m, ir_const_elem(m, init, i)));
	for (u32 i = 0; i < l->used.n; i++)
		vec_push(l->cx->scratch, &all, l->used.p[i]);
	if (!ir_is_none(old))
		ir_global_remove(m, old);
	IrType t = ir_array_type(m, ir_ptr_type(m, AS_GENERIC), all.n);
	IrRef  g = ir_var_new(m, STR("llvm.used"), t, AS_GENERIC, IRL_APPENDING, ir_const_agg(m, t, all.p, all.n));
	ir_global(m, g)->section = strtab_add(&l->cx->s->strs, STR("llvm.metadata"));
}

static bool run(PassCx *cx)
{
	Lowering l = {.cx = cx, .m = cx->ir, .id = module_id(cx)};
	bool     changed = false;
	for (u32 i = 0; i < PS_COUNT(lists); i++)
		changed |= lower(&l, &lists[i]);
	if (l.used.n)
		keep(&l);
	return changed;
}

/* The kernels that it makes are new bodies. */
static bool wants_bodies(PassCx *cx)
{
	for (u32 i = 0; i < PS_COUNT(lists); i++)
		if (!ir_is_none(ir_find_global(cx->ir, str_of(lists[i].variable))))
			return true;
	return false;
}

static bool is_asked_for(const Session *s) { return knob_bool(s, KNOB_nvptx_lower_global_ctor_dtor); }

const Pass irpass_nvptx_lower_ctor_dtor = {
	.id = "nvptx-lower-ctor-dtor",
	.title = "Lower ctors and dtors for NVPTX",
	.summary = "Lowers global constructors and destructors to tables of function pointers and kernels that call them.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.gate = KNOB_nvptx_lower_global_ctor_dtor,
	.gated = is_asked_for,
	.knobs = (const Knob[]){KNOB_nvptx_lower_global_ctor_dtor_id, KNOB_nvptx_emit_init_fini_kernel, KNOB_NONE},
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
	.wants_bodies = wants_bodies,
};
