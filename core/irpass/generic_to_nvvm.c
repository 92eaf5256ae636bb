/* generic-to-nvvm: moves global variables from the generic address space to the global one.
 *
 *   @g = global i32 1                          @g = addrspace(1) global i32 1
 *   store i32 2, ptr @g               →        store i32 2, ptr addrspacecast (ptr addrspace(1) @g to ptr)
 *
 * PTX has no generic variables. Every variable of address space 0 gets a clone in space 1 with the same
 * type, initialiser, linkage, alignment, section, attributes and place in the module; uses see the clone
 * through a cast, initialisers of other variables included (infer-address-spaces removes the casts that
 * code can do without). The clone takes the name when the original is gone. Textures, samplers and
 * surfaces are handles, not memory, and stay; so does what is called llvm.*. llvm.threadlocal.address takes a variable itself and no
 * cast: it is called for an address in space 1, and its result is cast.
 *
 * Linear in variables and their uses. */
#include "irpass/util.h"

static bool is_handle(const IrModule *m, IrRef g)
{
	u64 v;
	return ir_annotation(m, g, "texture", 0, &v) || ir_annotation(m, g, "sampler", 0, &v) ||
	       ir_annotation(m, g, "surface", 0, &v);
}

static bool is_generic_variable(const IrModule *m, IrRef g)
{
	const IrGlobal *r = ir_global(m, g);
	return r->kind == IRG_VAR && r->addrspace == AS_GENERIC && !ir_is_llvm_name(m, g) && !is_handle(m, g);
}

static IrRef clone_in_global_space(IrModule *m, IrRef g)
{
	IrGlobal *old = ir_global(m, g);
	IrRef     c = ir_var_new(m, STR(""), old->type, AS_GLOBAL, (IrLinkage)old->linkage, ir_global_init(m, g));
	IrGlobal *r = ir_global(m, c);
	r->visibility = old->visibility;
	r->tls = old->tls;
	r->unnamed_addr = old->unnamed_addr;
	r->align = old->align;
	r->flags = old->flags | IRGF_WAS_GENERIC;
	r->section = old->section;
	r->partition = old->partition;
	r->comdat = old->comdat;
	r->md = old->md;
	r->attrs = old->attrs;
	r->origin = old->origin;
	return c;
}

/* The clone, which was appended to the module, changes places with the original, which goes. Originals come in the order of
 * the module: `*at` is behind the place of the one before. */
static void take_place_in_order(IrModule *m, IrRef g, IrRef clone, u32 *at)
{
	VecU32 *o = &m->order;
	while (o->p[*at] != ir_index(g))
		++*at;
	o->p[*at] = ir_index(clone);
	o->p[o->n - 1] = ir_index(g);
}

/* Makes !nvvm.annotations name the new variable itself, not a cast of it. */
static void fix_metadata(IrModule *m, IrRef cast, IrRef clone)
{
	u64 *node = map_get(&m->value_md, cast.i);
	if (!node)
		return;
	u64 id = *node;
	ir_md(m, (IrMd){(u32)id})->value = clone;
	map_remove(&m->value_md, cast.i);
	map_set(&m->value_md, clone.i, id);
	ir_annotations_changed(m);
}

static void name_in_calls(PassCx *cx, IrRef cast, IrRef clone)
{
	IrModule *m = cx->ir;
	Vec(IrRef) calls = {0};
	ir_each_use(m, cast, u)
		if (ir_kind(ir_use(m, u)->user) == IR_INST && calls_family(m, ir_use(m, u)->user, IRFAM_THREAD_LOCAL))
			vec_push(cx->scratch, &calls, ir_use(m, u)->user);
	for (u32 i = 0; i < calls.n; i++) {
		IrBuilder b = ir_build_before(m, calls.p[i]);
		IrType    space = ir_ptr_type(m, AS_GLOBAL);
		IrRef     p = ir_b_intrinsic(&b, STR("llvm.threadlocal.address.p1"), space, &clone, 1);
		replace_inst(m, calls.p[i], ir_b_cast(&b, IR_ADDRSPACECAST, p, ir_type_of(m, calls.p[i])));
	}
}

static void move_to_global(PassCx *cx, IrRef g, u32 *place)
{
	IrModule *m = cx->ir;
	Str       name = arena_str(cx->scratch, ir_str(m, ir_global(m, g)->name));
	IrRef     clone = clone_in_global_space(m, g);
	IrRef     cast = ir_const_cast(m, IR_ADDRSPACECAST, clone, ir_ptr_type(m, AS_GENERIC));
	take_place_in_order(m, g, clone, place);
	ir_replace_all_uses(m, g, cast);
	if (ir_global(m, clone)->tls)
		name_in_calls(cx, cast, clone);
	fix_metadata(m, cast, clone);
	ir_global_remove(m, g);
	if (name.n)
		ir_set_name(m, clone, name);
	pass_remark(cx, REMARK_PASSED, ir_global(m, clone)->origin, "'%.*s' is in global memory", STR_ARG(name));
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) list = {0};
	ir_each_global(m, g)
		if (is_generic_variable(m, g))
			vec_push(cx->scratch, &list, g);
	for (u32 i = 0, place = 0; i < list.n; i++)
		move_to_global(cx, list.p[i], &place);
	return list.n != 0;
}

static bool wants_bodies(PassCx *cx)
{
	ir_each_global(cx->ir, g)
		if (is_generic_variable(cx->ir, g))
			return true;
	return false;
}

const Pass irpass_generic_to_nvvm = {
	.id = "generic-to-nvvm",
	.title = "Ensure that the global variables are in the global address space",
	.summary = "Moves variables from the generic to the global address space and casts their uses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.keeps = AN_ALL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
	.wants_bodies = wants_bodies,
};
