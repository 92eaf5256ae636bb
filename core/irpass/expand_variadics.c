/* expand-variadics: passes variable arguments in a buffer in memory, through a pointer parameter.
 *
 *   call i32 (i32, ...) @f(i32 1, i8 %b, double %d)    →  %buffer = alloca [16 x i8], align 8
 *                                                         store %b at 0, %d at 8
 *                                                         call i32 @f(i32 1, ptr %buffer)
 *   define i32 @f(i32 %n, ...)                         →  define i32 @f(i32 %n, ptr %varargs)
 *
 * Arguments are laid out in order, each at its natural alignment; a byval argument is copied into the buffer. A
 * va_list is a pointer to the next argument: va_start stores %varargs in it, va_copy copies it, va_end does
 * nothing, va_arg aligns it, loads the argument and advances it. Declarations and indirect calls follow
 * the same convention, because caller and callee must agree. Intrinsics, of other targets too, are left to selection.
 *
 * Linear in instructions and arguments. */
#include "ir/builder.h"
#include "irpass/util.h"

typedef struct Expansion {
	PassCx   *cx;
	IrModule *m;
	bool      changed;
} Expansion;

static bool is_variadic(const IrModule *m, IrType fn) { return ir_type(m, fn)->vararg; }

static IrType plain_type(const Expansion *e, IrType fn)
{
	IrModule *m = e->m;
	u32       n = ir_func_params(m, fn);
	IrType   *params = arena_array(e->cx->scratch, IrType, n + 1);
	for (u32 i = 0; i < n; i++)
		params[i] = ir_func_param(m, fn, i);
	params[n] = ir_ptr_type(m, AS_GENERIC);
	return ir_func_type(m, ir_func_ret(m, fn), params, n + 1, false);
}

/* Only a last argument may be inalloca, which says where it is in a stack of x86. */
static IrAttrs without_inalloca(IrModule *m, IrAttrs a) { return ir_attrs_without(m, a, IRA_INALLOCA); }

/* ---- functions ---- */

/* A function's arguments have consecutive ids, so adding one allocates new ids for all of them. */
static void add_argument(Expansion *e, IrFunc *f)
{
	IrModule *m = e->m;
	IrGlobal *g = ir_global(m, f->ref);
	u32       n = f->n_args, first = pages_new_n(&m->args, n + 1);
	g->type = plain_type(e, g->type);
	for (u32 i = 0; i < n; i++) {
		IrRef  old = ir_func_arg(f, i), now = ir_ref(IR_ARG, first + i);
		IrArg *a = ir_arg(m, now);
		a->func = f->ref;
		a->type = ir_arg(m, old)->type;
		a->attrs = without_inalloca(m, ir_arg(m, old)->attrs);
		a->name = ir_arg(m, old)->name;
		a->number = i;
		ir_replace_all_uses(m, old, now);
	}
	f->first_arg = first;
	f->n_args = n + 1;
	IrArg *last = ir_arg(m, ir_func_arg(f, n));
	last->func = f->ref;
	last->type = ir_ptr_type(m, AS_GENERIC);
	last->number = n;
	if (!ir_is_none(f->first))
		ir_set_name(m, ir_func_arg(f, n), STR("varargs"));
}

/* ---- calls ---- */

/* The buffer with the arguments from `fixed` on, filled before the call. */
static IrRef pack(Expansion *e, IrFunc *f, IrRef call, u32 fixed)
{
	IrModule *m = e->m;
	u32       n = ir_call(m, call)->n_args - fixed, most = 1;
	u64       size = 0, *at = arena_array(e->cx->scratch, u64, n);
	IrType   *types = arena_array(e->cx->scratch, IrType, n);
	for (u32 i = 0; i < n; i++) {
		const IrAttr *byval = ir_call_param_attr(m, call, fixed + i, IRA_BYVAL);
		types[i] = byval ? byval->type : ir_type_of(m, ir_call_arg(m, call, fixed + i));
		u32 align = ir_abi_align(m, types[i]);
		at[i] = align_up(size, align);
		size = at[i] + ir_alloc_size(m, types[i]);
		most = PS_MAX(most, align);
	}
	IrBuilder top = build_at_entry(m, f), b = ir_build_before(m, call);
	top.origin = b.origin;
	IrRef slot = ir_b_alloca(&top, ir_array_type(m, IR_TYPE(I8), size), m->layout.alloca_space, most);
	ir_set_name(m, slot, STR("vararg_buffer"));
	IrRef buffer = cast_to_space(&top, slot, AS_GENERIC);
	for (u32 i = 0; i < n; i++) {
		IrRef to = ir_b_gep_bytes(&b, buffer, (i64)at[i], IRF_INBOUNDS), v = ir_call_arg(m, call, fixed + i);
		if (!ir_call_param_attr(m, call, fixed + i, IRA_BYVAL)) {
			ir_b_store(&b, v, to, ir_abi_align(m, types[i]));
			continue;
		}
		IrRef args[] = {to, v, ir_const_int(m, IR_TYPE(I64), ir_alloc_size(m, types[i])),
		                ir_const_int(m, IR_TYPE(I1), 0)};
		Str   copy = arena_fmt(e->cx->scratch, "llvm.memcpy.p0.p%u.i64", value_space(m, v));
		ir_b_intrinsic(&b, copy, IR_TYPE(VOID), args, 4);
	}
	return buffer;
}

static void expand_call(Expansion *e, IrFunc *f, IrRef call)
{
	IrModule *m = e->m;
	IrInst   *old = ir_inst(m, call);
	IrType    type = plain_type(e, ir_call(m, call)->type);
	u32       fixed = ir_func_params(m, ir_call(m, call)->type);
	bool      forwards = old->sub == IRTAIL_MUSTTAIL; /* the caller's own arguments */
	IrRef     rest = ir_const_zero(m, ir_ptr_type(m, AS_GENERIC));
	if (forwards)
		rest = ir_func_arg(f, f->n_args - 1);
	else if (ir_call(m, call)->n_args > fixed)
		rest = pack(e, f, call, fixed);
	IrRef *args = arena_array(e->cx->scratch, IrRef, fixed + 1);
	u32   *sets = arena_array(e->cx->scratch, u32, fixed + 1);
	for (u32 i = 0; i < fixed; i++) {
		args[i] = ir_call_arg(m, call, i);
		sets[i] = without_inalloca(m, ir_call_param_attrs(m, call, i)).i;
	}
	args[fixed] = rest;
	sets[fixed] = 0;
	IrBuilder     b = ir_build_before(m, call);
	IrRef         now = ir_b_call(&b, type, ir_callee(m, call), args, fixed + 1);
	const IrCall *from = ir_call(m, call);
	IrCall       *to = ir_call(m, now);
	to->cc = from->cc;
	to->fn = from->fn;
	to->ret = from->ret;
	to->params = ir_list_new(m, sets, fixed + 1);
	ir_inst(m, now)->flags = old->flags;
	ir_inst(m, now)->sub = old->sub == IRTAIL_TAIL ? IRTAIL_NONE : old->sub; /* not a tail call: the callee reads our frame */
	ir_take_place(m, now, call);
	ir_replace_all_uses(m, call, now);
	ir_remove(m, call);
}

/* ---- va_list ---- */

static IrRef load_list(const Expansion *e, IrBuilder *b, IrRef list)
{
	return ir_b_load(b, ir_ptr_type(e->m, AS_GENERIC), list, 8);
}

static void expand_va_arg(Expansion *e, IrRef inst)
{
	IrModule *m = e->m;
	IrType    t = ir_inst(m, inst)->type;
	u32       align = ir_abi_align(m, t);
	IrRef     list = ir_op(m, inst, 0);
	IrBuilder b = ir_build_before(m, inst);
	IrRef     cur = load_list(e, &b, list);
	if (align > 1) {
		IrRef args[] = {ir_b_gep_bytes(&b, cur, align - 1, 0), ir_const_sint(m, IR_TYPE(I64), -(i64)align)};
		cur = ir_b_intrinsic(&b, STR("llvm.ptrmask.p0.i64"), ir_ptr_type(m, AS_GENERIC), args, 2);
	}
	ir_b_store(&b, ir_b_gep_bytes(&b, cur, (i64)ir_alloc_size(m, t), IRF_INBOUNDS), list, 8);
	IrRef v = ir_b_load(&b, t, cur, align);
	ir_take_place(m, v, inst);
	ir_replace_all_uses(m, inst, v);
	ir_remove(m, inst);
}

static bool expand_list_call(Expansion *e, IrFunc *f, IrRef call)
{
	IrModule *m = e->m;
	IrBuilder b = ir_build_before(m, call);
	if (calls_family(m, call, IRFAM_VA_START) && f->n_args)
		ir_b_store(&b, ir_func_arg(f, f->n_args - 1), ir_call_arg(m, call, 0), 8);
	else if (calls_family(m, call, IRFAM_VA_COPY))
		ir_b_store(&b, load_list(e, &b, ir_call_arg(m, call, 1)), ir_call_arg(m, call, 0), 8);
	else if (!calls_family(m, call, IRFAM_VA_END))
		return false;
	ir_remove(m, call);
	return true;
}

/* An intrinsic has no buffer: a call of one cannot end a function of the same type any more. */
static bool part_from_intrinsic(Expansion *e, IrRef call)
{
	IrInst *i = ir_inst(e->m, call);
	if (i->sub != IRTAIL_MUSTTAIL || !is_variadic(e->m, ir_call(e->m, call)->type))
		return false;
	i->sub = IRTAIL_NONE;
	return true;
}

static void expand_body(Expansion *e, IrFunc *f)
{
	IrModule *m = e->m;
	ir_each_block(m, f, block)
		ir_each_inst(m, block, i) {
			u32 op = ir_inst(m, i)->op;
			if (op == IR_VAARG) {
				expand_va_arg(e, i);
			} else if (op != IR_CALL) {
				continue;
			} else if (is_variadic(m, ir_call(m, i)->type) && ir_kind(ir_callee(m, i)) != IR_ASM &&
			           !ir_is_llvm_name(m, ir_callee(m, i))) {
				expand_call(e, f, i);
			} else if (!expand_list_call(e, f, i) && !part_from_intrinsic(e, i)) {
				continue;
			}
			e->changed = true;
		}
}

/* Is the instruction about an argument, behind the named ones, whose size nobody knows? */
static bool is_unsized(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (i->op == IR_VAARG)
		return ir_type_is_scalable(m, i->type);
	if (i->op != IR_CALL || !is_variadic(m, ir_call(m, inst)->type))
		return false;
	for (u32 k = ir_func_params(m, ir_call(m, inst)->type); k < ir_call(m, inst)->n_args; k++)
		if (ir_type_is_scalable(m, ir_type_of(m, ir_call_arg(m, inst, k))))
			return true;
	return false;
}

/* Reports the first one; then nothing is changed. */
static bool has_unsized(IrModule *m)
{
	ir_each_func(m, f)
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (is_unsized(m, i)) {
					ir_report_scalable(m, f, i, "a buffer of arguments has no room for it");
					return true;
				}
	return false;
}

static bool run(PassCx *cx)
{
	Expansion e = {.cx = cx, .m = cx->ir};
	if (e.m->has_scalable && has_unsized(e.m))
		return false;
	ir_each_func(e.m, f)
		if (is_variadic(e.m, ir_global(e.m, f->ref)->type) && !ir_is_llvm_name(e.m, f->ref)) {
			add_argument(&e, f);
			e.changed = true;
		}
	ir_each_func(e.m, f)
		if (!ir_is_none(f->first))
			expand_body(&e, f);
	return e.changed;
}

static bool wants_bodies(PassCx *cx)
{
	ir_each_func(cx->ir, f)
		if (is_variadic(cx->ir, ir_global(cx->ir, f->ref)->type) && !ir_is_llvm_name(cx->ir, f->ref))
			return true;
	return cx->ir->variadic_bodies;
}

const Pass irpass_expand_variadics = {
	.id = "expand-variadics",
	.title = "Expand variadic functions",
	.summary = "Passes variable arguments in a buffer, by pointer.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_MODULE,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
	.wants_bodies = wants_bodies,
};
