/* ipmsp_narrow.c: arguments get their spaces, calls pass them.
 *
 *   define internal float @get(ptr %p)         define internal float @get(ptr addrspace(3) %p)
 *     …                                   →      %p.gen = addrspacecast ptr addrspace(3) %p to ptr
 *                                                … %p.gen for %p …
 *   call float @get(ptr %g)                    call float @get(ptr addrspace(3) %s)
 *
 * Casts back to generic at the entry keep the body as it is; infer-address-spaces removes them. What a
 * pointer of one space cannot promise is taken back: address 0 of shared memory is a place like any other,
 * so `nonnull` goes. */
#include "ir/builder.h"
#include "irpass/ipmsp.h"

#include "irpass/util.h"

/* ---- signatures ---- */

static void narrow_signature(Ipmsp *p, IrFunc *f, const u32 *spaces)
{
	IrModule *m = p->m;
	IrGlobal *g = ir_global(m, f->ref);
	IrType   *types = arena_array(p->cx->scratch, IrType, f->n_args + 1);
	for (u32 i = 0; i < f->n_args; i++) {
		IrRef a = ir_func_arg(f, i);
		types[i] = ir_type_of(m, a);
		if (!space_is_known(spaces[i]))
			continue;
		types[i] = ir_ptr_type(m, spaces[i]);
		map_set(&p->arg_space, a.i, spaces[i]);
		if (ir_has_uses(m, a)) {
			IrBuilder b = build_at_entry(m, f);
			IrRef     back = ir_inst_new(m, IR_ADDRSPACECAST, ir_ptr_type(m, AS_GENERIC), 1);
			ir_b_insert(&b, back);
			ir_replace_all_uses(m, a, back);
			ir_set_op(m, back, 0, a);
			name_after(m, back, a, ".gen");
		}
		ir_arg(m, a)->type = types[i];
		ir_arg(m, a)->attrs = ir_attrs_without(m, ir_arg(m, a)->attrs, IRA_NONNULL);
	}
	g->type = ir_func_type(m, ir_func_ret(m, g->type), types, f->n_args, ir_type(m, g->type)->vararg);
}

/* ---- calls ---- */

/* `pointer` as one of `space`: what a cast to generic was made from, or a cast. */
static IrRef in_space(IrModule *m, IrRef call, IrRef pointer, u32 space)
{
	if (value_space(m, pointer) == space)
		return pointer;
	if (value_op(m, pointer) == IR_ADDRSPACECAST && value_space(m, value_operand(m, pointer, 0)) == space)
		return value_operand(m, pointer, 0);
	if (ir_is_const(m, pointer))
		return ir_is_undef(m, pointer) ? ir_const_poison(m, ir_ptr_type(m, space))
		                               : ir_const_cast(m, IR_ADDRSPACECAST, pointer, ir_ptr_type(m, space));
	IrBuilder b = ir_build_before(m, call);
	return ir_b_cast(&b, IR_ADDRSPACECAST, pointer, ir_ptr_type(m, space));
}

static void drop_nonnull(Ipmsp *p, IrRef call, u32 n_args, const u32 *spaces)
{
	IrModule *m = p->m;
	bool      any = false;
	u32      *sets = arena_array(p->cx->scratch, u32, n_args + 1);
	for (u32 i = 0; i < n_args; i++) {
		IrAttrs old = ir_call_param_attrs(m, call, i);
		sets[i] = space_is_known(spaces[i]) ? ir_attrs_without(m, old, IRA_NONNULL).i : old.i;
		any |= sets[i] != old.i;
	}
	if (any)
		ir_call(m, call)->params = ir_list_new(m, sets, n_args);
}

void ipmsp_retarget(Ipmsp *p, IrRef call, const IrFunc *to, const u32 *spaces)
{
	IrModule *m = p->m;
	for (u32 i = 0; i < to->n_args; i++)
		if (space_is_known(spaces[i]))
			ir_set_op(m, call, i + 1, in_space(m, call, ir_call_arg(m, call, i), spaces[i]));
	drop_nonnull(p, call, to->n_args, spaces);
	ir_set_op(m, call, 0, to->ref);
	ir_call(m, call)->type = ir_global(m, to->ref)->type;
}

static void explain(Ipmsp *p, const IrFunc *f, const u32 *spaces, const char *how)
{
	for (u32 i = 0; i < f->n_args; i++)
		if (space_is_known(spaces[i]))
			pass_remark(p->cx, REMARK_PASSED, ir_global(p->m, f->ref)->origin,
			            "argument %u of '%.*s' points to address space %u: %s", i, STR_ARG(ipmsp_name(p, f)),
			            spaces[i], how);
}

void ipmsp_narrow_in_place(Ipmsp *p, IrFunc *f, const u32 *spaces)
{
	VecU32 calls = {0};
	ipmsp_calls_of(p, f, &calls);
	explain(p, f, spaces, "all its calls agree");
	narrow_signature(p, f, spaces);
	for (u32 i = 0; i < calls.n; i++)
		ipmsp_retarget(p, (IrRef){calls.p[i]}, f, spaces);
	p->stats.in_place++;
}

/* ---- clones ---- */

bool ipmsp_may_clone(Ipmsp *p, const IrFunc *f)
{
	bool vararg = ir_type(p->m, ir_global(p->m, f->ref)->type)->vararg;
	if (!vararg && (p->clone_limit < 0 || p->stats.clones < (u64)p->clone_limit))
		return true;
	ipmsp_note(p, "avoid cloning of %.*s", STR_ARG(ipmsp_name(p, f)));
	if (vararg)
		pass_remark(p->cx, REMARK_MISSED, ir_global(p->m, f->ref)->origin,
		            "'%.*s' is not cloned: it takes variable arguments", STR_ARG(ipmsp_name(p, f)));
	else
		pass_remark(p->cx, REMARK_MISSED, ir_global(p->m, f->ref)->origin,
		            "'%.*s' is not cloned: do-clone-for-ip-msp allows %lld", STR_ARG(ipmsp_name(p, f)),
		            (long long)p->clone_limit);
	return false;
}

static void remember_clone(Ipmsp *p, const IrFunc *f, const IrFunc *clone)
{
	u64 *last = map_put(&p->clones_of, f->ref.i, NULL);
	ir_global(p->m, f->ref)->flags |= IRGF_REPLACED;
	vec_push(p->cx->scratch, &p->clones, ((IpmspClone){f->ref.i, clone->ref.i, (u32)*last}));
	*last = p->clones.n;
	p->arguments += f->n_args + 2u;
	p->stats.clones++;
}

/* Is it f with these spaces, as both are now? Either may have been narrowed further in place. */
static bool takes(const Ipmsp *p, const IrFunc *clone, const IrFunc *f, const u32 *spaces)
{
	IrModule *m = p->m;
	for (u32 i = 0; i < f->n_args; i++) {
		IrType t = space_is_known(spaces[i]) ? ir_ptr_type(m, spaces[i]) : ir_type_of(m, ir_func_arg(f, i));
		if (!ir_type_same(t, ir_type_of(m, ir_func_arg(clone, i))))
			return false;
	}
	return true;
}

IrFunc *ipmsp_clone_for(const Ipmsp *p, const IrFunc *f, const u32 *spaces)
{
	for (u32 at = (u32)map_or(&p->clones_of, f->ref.i, 0); at; at = p->clones.p[at - 1].next) {
		IrFunc *c = ir_func(p->m, (IrRef){p->clones.p[at - 1].clone});
		if (takes(p, c, f, spaces))
			return c;
	}
	return NULL;
}

IrFunc *ipmsp_narrow_clone(Ipmsp *p, IrFunc *f, const u32 *spaces, const VecU32 *calls, const char *why)
{
	IrModule *m = p->m;
	Str       name = arena_fmt(p->cx->scratch, "%.*s.ipmsp", STR_ARG(ipmsp_name(p, f)));
	IrFunc   *c = ir_func_clone(m, f, name);
	ir_global(m, c->ref)->linkage = IRL_INTERNAL;
	ir_global(m, c->ref)->visibility = IRV_DEFAULT;
	ir_global(m, c->ref)->comdat = 0;
	narrow_signature(p, c, spaces);
	for (u32 i = 0; i < calls->n; i++)
		ipmsp_retarget(p, (IrRef){calls->p[i]}, c, spaces);
	explain(p, f, spaces, why);
	ipmsp_note(p, "%.*s is cloned", STR_ARG(ipmsp_name(p, f)));
	remember_clone(p, f, c);
	return c;
}

/* ---- what clones leave behind ---- */

static bool may_go(const Ipmsp *p, const IrFunc *f)
{
	const IrModule *m = p->m;
	const IrGlobal *g = ir_global(m, f->ref);
	if (ir_is_decl(f) || !ir_linkage_is_local(g->linkage) || ir_is_kernel(f) || map_get(&m->value_md, f->ref.i))
		return false;
	ir_each_use(m, f->ref, u)
		if (ir_kind(ir_use(m, u)->user) != IR_INST)
			return false;
	return true;
}

static void remove_unused(Ipmsp *p, IrRef f)
{
	IrModule *m = p->m;
	pass_remark(p->cx, REMARK_PASSED, ir_global(m, f)->origin, "'%.*s' is removed: its clones serve all its calls",
	            STR_ARG(ir_str(m, ir_global(m, f)->name)));
	ir_global_remove(m, f);
	p->stats.removed++;
}

bool ipmsp_remove_if_unused(Ipmsp *p, IrFunc *f)
{
	IrModule *m = p->m;
	if (!may_go(p, f))
		return false;
	ir_each_use(m, f->ref, u)
		if (!ir_same(ipmsp_caller(m, ir_use(m, u)->user)->ref, f->ref))
			return false;
	/* Its callees are passed less from now on. */
	ipmsp_push_callees(p, f);
	ir_func_drop_body(m, f);
	remove_unused(p, f->ref);
	return true;
}

/* Functions whose calls all went to clones, as far as they are not called by what stays. */
static void find_unused(const Ipmsp *p, Map *unused)
{
	IrModule *m = p->m;
	for (u32 i = 0; i < p->clones.n; i++)
		if (!(ir_global(m, (IrRef){p->clones.p[i].of})->flags & IRGF_DEAD) &&
		    may_go(p, ir_func(m, (IrRef){p->clones.p[i].of})))
			map_set(unused, p->clones.p[i].of, 1);
	for (bool again = true; again;) {
		again = false;
		map_each(unused, e) ir_each_use(m, ((IrRef){(u32)e->key}),
		                                u) if (!map_get(unused, ipmsp_caller(m, ir_use(m, u)->user)->ref.i))
		{
			again |= map_remove(unused, e->key);
			break;
		}
	}
}

void ipmsp_remove_unused(Ipmsp *p)
{
	IrModule *m = p->m;
	Map       unused;
	if (!p->clones.n)
		return;
	map_init(&unused, p->cx->scratch);
	find_unused(p, &unused);
	map_each(&unused, e) ir_func_drop_body(m, ir_func(m, (IrRef){(u32)e->key}));
	map_each(&unused, e) remove_unused(p, (IrRef){(u32)e->key});
}
