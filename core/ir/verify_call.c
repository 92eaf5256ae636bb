/* verify_call.c: intrinsics whose rules are about what surrounds the call: the function, its collector of garbage, operand bundles, the
 * instruction behind it, variables and allocas that are named. Each is linear in the call, but a statepoint's in its bundles too. */
#include "ir/verify.h"

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, call, __VA_ARGS__); \
	} while (0)

static IrRef arg(const Verifier *v, IrRef call, u32 i) { return ir_call_arg(v->m, call, i); }

/* Of a size that is known when the function begins. */
static bool is_static_alloca(const Verifier *v, IrRef r)
{
	r = ir_alloca_of(v->m, r);
	return r.i && ir_is_const(v->m, ir_op(v->m, r, 0)) && ir_same(ir_inst(v->m, r)->block, v->f->first);
}

static bool is_null(const Verifier *v, IrRef r) { return ir_is_const(v->m, r) && ir_is_zero(v->m, r); }

/* The one bundle of that name; NULL: there is none, or more than one. */
static const IrBundle *bundle_of(const IrModule *m, IrRef call, const char *tag)
{
	const IrCall   *c = ir_call(m, call);
	const IrBundle *found = NULL;
	for (u32 i = 0; i < c->n_bundles; i++) {
		const IrBundle *b = &m->bundles.p[c->bundles + i];
		if (!str_is(ir_str(m, b->tag), tag))
			continue;
		if (found)
			return NULL;
		found = b;
	}
	return found;
}

/* ---- thread-local variables, exceptions ---- */

static bool check_thread_local(Verifier *v, IrRef call)
{
	IrRef x = arg(v, call, 0);
	RULE(ir_kind(x) == IR_GLOBAL && ir_global(v->m, x)->tls, "argument 1 must be a variable that is thread_local");
	return true;
}

static bool is_call_of(const IrModule *m, IrRef i, const char *name)
{
	IrRef callee = ir_inst(m, i)->op == IR_CALL ? ir_callee(m, i) : IR_NO_REF;
	return ir_kind(callee) == IR_GLOBAL && str_is(ir_str(m, ir_name(m, callee)), name);
}

/* The call of llvm.localescape in the entry block; none: there is none. */
static IrRef escape_of(const IrModule *m, const IrFunc *f)
{
	if (f->first.i)
		ir_each_inst(m, f->first, i)
			if (is_call_of(m, i, "llvm.localescape"))
				return i;
	return IR_NO_REF;
}

static bool check_escape(Verifier *v, IrRef call)
{
	RULE(ir_same(ir_inst(v->m, call)->block, v->f->first), "it can only stand in the entry block");
	RULE(ir_same(escape_of(v->m, v->f), call), "it stands once in a function");
	for (u32 i = 0; i < ir_call(v->m, call)->n_args; i++)
		RULE(is_static_alloca(v, arg(v, call, i)) || is_null(v, arg(v, call, i)),
		     "argument %u must be an alloca of a constant size in the entry block, or null", i + 1);
	return true;
}

static bool check_recover(Verifier *v, IrRef call)
{
	IrModule *m = v->m;
	IrFunc   *f = ir_func(m, arg(v, call, 0));
	u64       at = 0;
	RULE(f && !ir_is_decl(f), "argument 1 must be a function with a body");
	IrRef escape = f->body == IRB_HERE ? escape_of(m, f) : IR_NO_REF;
	u32   n = escape.i ? ir_call(m, escape)->n_args : 0;
	RULE(f->body != IRB_HERE || !ir_as_int(m, arg(v, call, 2), &at) || at < n,
	     "index %llu: '@%.*s' has %u allocas in its call of llvm.localescape", (unsigned long long)at,
	     STR_ARG(ir_str(m, ir_name(m, f->ref))), n);
	return true;
}

/* ---- deoptimization ---- */

static bool check_deopt(Verifier *v, IrRef call)
{
	RULE(ir_inst(v->m, call)->op != IR_INVOKE, "it cannot be invoked");
	RULE(bundle_of(v->m, call, "deopt"), "it needs one operand bundle \"deopt\"");
	return true;
}

static bool check_deoptimize(Verifier *v, IrRef call)
{
	IrRef next = ir_inst(v->m, call)->next;
	RULE(ir_inst(v->m, call)->op != IR_INVOKE, "it cannot be invoked");
	RULE(bundle_of(v->m, call, "deopt"), "it needs one operand bundle \"deopt\"");
	RULE(next.i && ir_inst(v->m, next)->op == IR_RET, "it must be followed by ret");
	RULE(!ir_inst(v->m, next)->n_ops || ir_same(ir_op(v->m, next, 0), call), "its result must be returned");
	return true;
}

/* ---- collectors of garbage ---- */

static bool check_collected(Verifier *v, IrRef call)
{
	RULE(v->f->gc.i, "its function names no collector: define void @f() gc \"name\"");
	return true;
}

static bool check_root(Verifier *v, IrRef call)
{
	IrRef slot = ir_alloca_of(v->m, arg(v, call, 0)), what = arg(v, call, 1);
	RULE(slot.i, "argument 1 must be an alloca");
	RULE(ir_is_const(v->m, what) || ir_kind(what) == IR_GLOBAL, "argument 2 must be a constant");
	RULE(ir_type_is_ptr(v->m, ir_inst(v->m, slot)->elem) || !is_null(v, what),
	     "argument 1 is an alloca of a pointer, or argument 2 says what is in it");
	return check_collected(v, call);
}

enum { POINT_CALLEE = 2, POINT_COUNT = 3, POINT_FLAGS = 4, POINT_ARGS = 5 };

/* The type of the function that a statepoint calls; none: it does not say. */
static IrType wrapped_type(const IrModule *m, IrRef call)
{
	const IrAttr *a = ir_call_param_attr(m, call, POINT_CALLEE, IRA_ELEMENTTYPE);
	return a && a->type.i && ir_type_kind(m, a->type) == IRT_FUNC ? a->type : (IrType){0};
}

static bool check_statepoint(Verifier *v, IrRef call)
{
	IrModule *m = v->m;
	IrType    fn = wrapped_type(m, call);
	u32       n = ir_call(m, call)->n_args;
	u64       bytes = 0, count = 0, flags = 0, more = 0;
	ir_as_int(m, arg(v, call, 1), &bytes);
	ir_as_int(m, arg(v, call, POINT_COUNT), &count);
	ir_as_int(m, arg(v, call, POINT_FLAGS), &flags);
	RULE((i32)(u32)bytes >= 0, "the number of bytes to patch must not be negative");
	RULE(fn.i, "argument 3 needs the type of the function: elementtype(void (i32))");
	u32 params = ir_func_params(m, fn);
	RULE(ir_type(m, fn)->vararg ? count >= params : count == params, "%llu arguments for a function of %u",
	     (unsigned long long)count, params);
	RULE(flags < 4, "its flags are less than 4");
	RULE(n >= POINT_ARGS + count + 2, "behind the arguments of the function stand two zeros");
	for (u32 i = 0; i < params; i++)
		RULE(ir_type_same(ir_type_of(m, arg(v, call, POINT_ARGS + i)), ir_func_param(m, fn, i)),
		     "argument %u has another type than the function's", POINT_ARGS + i + 1);
	for (u32 i = 0; i < 2; i++)
		RULE(ir_as_int(m, arg(v, call, POINT_ARGS + (u32)count + i), &more) && more == 0,
		     "behind the arguments of the function stand two zeros");
	RULE(n == POINT_ARGS + count + 2, "too many arguments");
	return check_collected(v, call);
}

/* The statepoint that a token is of; behind an invoke's unwinding it is the landing pad's. */
static bool is_point(const IrModule *m, IrRef token)
{
	IrRef callee = ir_kind(token) == IR_INST && ir_op_info[ir_inst(m, token)->op].flags & IROF_CALLS ? ir_callee(m, token)
	                                                                                                 : IR_NO_REF;
	return ir_kind(callee) == IR_GLOBAL && str_starts(ir_str(m, ir_name(m, callee)), "llvm.experimental.gc.statepoint");
}

static bool check_result(Verifier *v, IrRef call)
{
	IrRef token = arg(v, call, 0);
	RULE(is_point(v->m, token) || ir_is_undef(v->m, token), "argument 1 must be the token of a statepoint");
	IrType fn = is_point(v->m, token) ? wrapped_type(v->m, token) : (IrType){0};
	RULE(!fn.i || ir_type_same(ir_func_ret(v->m, fn), ir_inst(v->m, call)->type),
	     "its type must be that of the function's result, '%.*s'", STR_ARG(irv_type(v, ir_func_ret(v->m, fn))));
	return check_collected(v, call);
}

static bool check_relocate(Verifier *v, IrRef call)
{
	IrModule *m = v->m;
	IrRef     token = arg(v, call, 0);
	IrType    t = ir_inst(m, call)->type;
	bool      pad = ir_kind(token) == IR_INST && ir_inst(m, token)->op == IR_LANDINGPAD;
	RULE(ir_type_is_ptr(m, ir_scalar_type(m, t)), "its result is a pointer or a vector of pointers, not '%.*s'",
	     STR_ARG(irv_type(v, t)));
	RULE(is_point(m, token) || pad || ir_is_undef(m, token), "argument 1 must be the token of a statepoint");
	const IrBundle *live = is_point(m, token) ? bundle_of(m, token, "gc-live") : NULL;
	for (u32 i = 1; i < 3 && is_point(m, token); i++) {
		u64 at = 0;
		RULE(live && (!ir_as_int(m, arg(v, call, i), &at) || at < live->n),
		     "argument %u: there is no operand %llu in the statepoint's bundle \"gc-live\"", i + 1,
		     (unsigned long long)at);
		IrType held = ir_type_of(m, ir_op(m, token, live->first + (u32)at));
		RULE(ir_type_is_ptr(m, ir_scalar_type(m, held)), "argument %u: the operand is no pointer", i + 1);
		RULE(i == 1 ||
		             (ir_lanes(m, held) == ir_lanes(m, t) && ir_type_same(ir_scalar_type(m, held), ir_scalar_type(m, t))),
		     "its result and what it stands for are of one kind of pointer");
	}
	return check_collected(v, call);
}

/* ---- the rest ---- */

static bool check_area(Verifier *v, IrRef call)
{
	u32 bits = ir_ptr_bits(v->m, v->m->layout.alloca_space);
	RULE(ir_size_bits(v->m, ir_inst(v->m, call)->type) == bits, "its result must have the %u bits of an address of an alloca",
	     bits);
	return true;
}

static bool check_text(Verifier *v, IrRef call)
{
	IrRef a = arg(v, call, 0);
	RULE(ir_kind(a) == IR_MD && ir_index(a) && ir_md(v->m, (IrMd){ir_index(a)})->kind == IRMD_STRING,
	     "the argument must be a string: metadata !\"name\"");
	return true;
}

static bool check_elements(Verifier *v, IrRef call)
{
	RULE(ir_call_param_attr(v->m, call, 0, IRA_ELEMENTTYPE), "argument 1 needs what it points to: elementtype(i32)");
	return true;
}

bool irv_check_exclusive(Verifier *v, IrRef call, Str name)
{
	static const struct {
		const char *start;
		u8          address; /* argument */
	} rows[] = {{"llvm.aarch64.ldxr.", 0}, {"llvm.aarch64.ldaxr.", 0}, {"llvm.aarch64.stxr.", 1}, {"llvm.aarch64.stlxr.", 1},
	            {"llvm.arm.ldrex.", 0},    {"llvm.arm.ldaex.", 0},     {"llvm.arm.strex.", 1},    {"llvm.arm.stlex.", 1}};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (str_starts(name, rows[i].start))
			RULE(ir_call_param_attr(v->m, call, rows[i].address, IRA_ELEMENTTYPE),
			     "argument %u needs what it points to: elementtype(i32)", rows[i].address + 1u);
	return true;
}

bool irv_check_surroundings(Verifier *v, IrRef call, IrvSurroundings what)
{
	switch (what) {
	case IRV_THREAD_LOCAL: return check_thread_local(v, call);
	case IRV_ESCAPE: return check_escape(v, call);
	case IRV_RECOVER: return check_recover(v, call);
	case IRV_DEOPT: return check_deopt(v, call);
	case IRV_DEOPTIMIZE: return check_deoptimize(v, call);
	case IRV_COLLECTED: return check_collected(v, call);
	case IRV_ROOT: return check_root(v, call);
	case IRV_STATEPOINT: return check_statepoint(v, call);
	case IRV_RESULT: return check_result(v, call);
	case IRV_RELOCATE: return check_relocate(v, call);
	case IRV_AREA: return check_area(v, call);
	case IRV_TEXT: return check_text(v, call);
	case IRV_POINTEE: return check_elements(v, call);
	}
	return true;
}
