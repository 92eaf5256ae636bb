/* bitcode_call.c: call, invoke and callbr.
 *
 *   CALL    [attributes, convention, (flags), (type), callee, argument…]
 *   INVOKE  [attributes, convention, normal, unwind, (type), callee, argument…]
 *   CALLBR  [attributes, convention, fallthrough, n, indirect…, (type), callee, argument…]
 *
 * Arguments of the function type have no types of their own; those behind them (variadic) do. Metadata as an argument is a number like that
 * of a value. Operand bundles stand in records before the call. */
#include "ir/bitcode.h"

enum {
	CC_TAIL = 1 << 0,
	CC_INVOKE_EXPLICIT = 1 << 13,
	CC_MUSTTAIL = 1 << 14,
	CC_EXPLICIT = 1 << 15,
	CC_NOTAIL = 1 << 16,
	CC_FLAGS = 1 << 17,
	MAX_ARGS = 4096,
};

typedef struct Call {
	IrOp op;
	u64  cc;
	u32  flags, n_targets, first_target;
} Call;

/* A function is asked for as what is called: intrinsics may stand nowhere else. */
static inline IrRef callee(Bc *b, IrOp op, u32 *at, IrType *t)
{
	u64 number = bc_number(b, bc_op(b, *at));
	if (op != IR_CALL || number >= b->next_value)
		return bc_operand_and_type(b, at, t);
	++*at;
	*t = b->values.p[number].type;
	IrRef v = bc_value(b, number, *t);
	if (!(ir_kind(v) == IR_GLOBAL && order_is_callee(&b->order, v)) && !b->m->use_lists && bc_ok(b))
		order_operand(&b->order, v, true);
	return v;
}

static PS_NOINLINE IrRef metadata(Bc *b, u64 op) { return ir_ref(IR_MD, bc_md(b, bc_number(b, op)).i); }

/* To b->ops behind the callee. After an error they are read to the end all the same, which does no harm. */
static inline bool arguments(Bc *b, const IrTypeRec *fn, u32 at)
{
	u32        params = fn->n_elems - 1, first = fn->elems + 1;
	const u64 *op = b->in.rec.op + at;
	if (!bc_need(b, at + params) ||
	    !bc_check(b, fn->vararg || at + params == b->in.rec.n, "a call has more arguments than its function takes"))
		return false;
	for (u32 i = 0; i < params; i++) {
		IrType t = {b->m->type_lists.p[first + i]};
		b->ops.p[1 + i] = t.i == IR_TY_METADATA ? metadata(b, op[i]).i : bc_operand_of(b, op[i], t).i;
	}
	b->ops.n = 1 + params;
	if (fn->vararg)
		for (u32 k = at + params; bc_ok(b) && k < b->in.rec.n;)
			vec_push(b->arena, &b->ops, bc_typed_operand(b, &k).i);
	return bc_check(b, b->ops.n <= 1 + MAX_ARGS, "a call has too many arguments");
}

/* Behind the arguments: operands of bundles, then targets. */
static PS_NOINLINE void bundles(Bc *b)
{
	u32 base = b->ops.n;
	for (u32 i = 0; i < b->bundle_ops.n; i++)
		vec_push(b->arena, &b->ops, b->bundle_ops.p[i]);
	for (u32 i = 0; i < b->bundles.n; i++) {
		IrBundle x = b->bundles.p[i];
		x.first += base;
		vec_push(b->arena, &b->m->bundles, x);
	}
	b->bundles.n = b->bundle_ops.n = 0;
}

static void push_targets(Bc *b, const Call *c)
{
	for (u32 i = 0; i < c->n_targets && bc_ok(b); i++)
		if (c->op == IR_INVOKE || i != 1) /* the number of the others among them */
			vec_push(b->arena, &b->ops, bc_target(b, bc_op(b, c->first_target + i)).i);
}

/* From the function type on, at operand `at` of the record. */
static inline void finish(Bc *b, Call c, u32 at)
{
	IrModule         *m = b->m;
	IrType            t = {0}, fn = bc_type(b, bc_op(b, at++));
	const BcAttrList *attrs = bc_attr_list(b, bc_op(b, 0));
	const IrTypeRec  *rec = ir_type(m, fn);
	if (!bc_ok(b) || !bc_check(b, rec->kind == IRT_FUNC, "a call has a type that is no function's"))
		return;
	IrRef f = callee(b, c.op, &at, &t);
	if (!bc_ok(b) || !bc_check(b, ir_type_is_ptr(m, t), "what is called is no function"))
		return;
	if (ir_kind(f) == IR_ASM)
		ir_asm(m, f)->type = fn;
	vec_reserve(b->arena, &b->ops, b->in.rec.n);
	b->ops.p[0] = f.i;
	if (!arguments(b, rec, at) || !bc_ok(b))
		return;
	u32 n_args = b->ops.n - 1;
	if (!bc_check(b, attrs->n_params <= n_args, "attributes are for an argument that a call does not have"))
		return;
	u32 n_bundles = b->bundles.n, first_bundle = m->bundles.n;
	if (n_bundles)
		bundles(b);
	if (c.n_targets)
		push_targets(b, &c);
	u32     params = attrs->n_params ? bc_param_list(b, attrs, n_args) : 0;
	IrInst *i = bc_define(b, c.op, (IrType){m->type_lists.p[rec->elems]}, b->ops.p, b->ops.n);
	if (!i)
		return;
	i->flags = c.flags;
	i->aux = pages_new(&m->calls);
	*pages_of(&m->calls, IrCall, i->aux) = (IrCall){
		.cc = (u16)(c.op == IR_INVOKE ? c.cc & 1023 : c.cc >> 1 & 1023),
		.n_bundles = (u16)n_bundles,
		.n_args = n_args,
		.bundles = first_bundle,
		.type = fn,
		.fn = attrs->fn,
		.ret = attrs->ret,
		.params = params,
	};
	if (c.op == IR_CALL)
		i->sub = c.cc & CC_MUSTTAIL ? IRTAIL_MUSTTAIL
		         : c.cc & CC_NOTAIL ? IRTAIL_NOTAIL
		         : c.cc & CC_TAIL   ? IRTAIL_TAIL
		                            : 0;
}

static bool is_explicit(Bc *b, u64 bit) { return bc_check(b, bit != 0, "a call of LLVM before 3.7 is not read"); }

void bc_call(Bc *b)
{
	u64  cc = bc_op(b, 1);
	Call c = {.op = IR_CALL, .cc = cc};
	if (!bc_need(b, 4) || !is_explicit(b, cc & CC_EXPLICIT))
		return;
	if (cc & CC_FLAGS)
		c.flags = bc_fast_math(bc_op(b, 2));
	finish(b, c, cc & CC_FLAGS ? 3 : 2);
}

void bc_invoke(Bc *b)
{
	Call c = {.op = IR_INVOKE, .cc = bc_op(b, 1), .n_targets = 2, .first_target = 2};
	if (bc_need(b, 4) && is_explicit(b, c.cc & CC_INVOKE_EXPLICIT))
		finish(b, c, 4);
}

void bc_callbr(Bc *b)
{
	Call c = {.op = IR_CALLBR, .cc = bc_op(b, 1), .first_target = 2};
	u64  n = bc_op(b, 3);
	if (!bc_need(b, 4) || !bc_check(b, n < b->in.rec.n, "callbr has more targets than operands") ||
	    !is_explicit(b, c.cc & CC_EXPLICIT))
		return;
	c.n_targets = (u32)n + 2;
	finish(b, c, 2 + c.n_targets);
}
