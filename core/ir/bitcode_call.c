/* bitcode_call.c: call, invoke and callbr.
 *
 *   CALL    [attributes, convention, (flags), (type), callee, argument…]
 *   INVOKE  [attributes, convention, normal, unwind, (type), callee, argument…]
 *   CALLBR  [attributes, convention, fallthrough, n, indirect…, (type), callee, argument…]
 *
 * Arguments of the function type have no types of their own; those behind them (variadic) do. Metadata as an argument is a number like that
 * of a value. Operand bundles stand in records before the call. */
#include "ir/bitcode.h"

enum { CALL = 34, INVOKE = 13 };
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
	IrOp              op;
	const BcAttrList *attrs;
	u64               cc;
	u32               at; /* operand of the record */
	u32               fast_math, n_targets, first_target;
	IrType            fn;
	IrRef             callee;
	u32               n_args;
} Call;

static u32 call_cc(const Call *c) { return c->op == IR_INVOKE ? (u32)c->cc & 1023 : (u32)c->cc >> 1 & 1023; }

static void targets(Bc *b, Call *c)
{
	c->first_target = c->at;
	if (c->op == IR_INVOKE) {
		c->n_targets = 2;
	} else if (c->op == IR_CALLBR) {
		u64 n = bc_op(b, c->at + 1);
		if (!bc_check(b, n < b->in.rec.n, "callbr has more targets than operands"))
			return;
		c->n_targets = (u32)n + 2; /* the number of the others among them */
	}
	c->at += c->n_targets;
}

static void head(Bc *b, Call *c)
{
	bool is_explicit = c->op == IR_INVOKE ? c->cc & CC_INVOKE_EXPLICIT : c->cc & CC_EXPLICIT;
	if (c->op == IR_CALL && c->cc & CC_FLAGS)
		c->fast_math = bc_fast_math(bc_op(b, c->at++));
	targets(b, c);
	if (!bc_check(b, is_explicit, "a call of LLVM before 3.7 is not read"))
		return;
	c->fn = bc_type(b, bc_op(b, c->at++));
	if (bc_ok(b) && bc_check(b, ir_type_kind(b->m, c->fn) == IRT_FUNC, "a call has a type that is no function's"))
		c->callee = bc_typed_operand(b, &c->at);
	if (bc_ok(b))
		bc_check(b, ir_type_is_ptr(b->m, ir_type_of(b->m, c->callee)), "what is called is no function");
	if (bc_ok(b) && ir_kind(c->callee) == IR_ASM)
		ir_asm(b->m, c->callee)->type = c->fn;
}

static IrRef argument(Bc *b, Call *c, IrType t)
{
	if (ir_type_kind(b->m, t) != IRT_METADATA)
		return bc_operand(b, &c->at, t);
	u64  number = b->version ? (u32)(b->next_value - (u32)bc_op(b, c->at)) : bc_op(b, c->at);
	IrMd md = bc_md(b, number);
	c->at++;
	return ir_ref(IR_MD, md.i);
}

/* Pushed on b->ops behind the callee. */
static void arguments(Bc *b, Call *c)
{
	u32 params = ir_func_params(b->m, c->fn);
	for (u32 i = 0; i < params && bc_ok(b) && bc_need(b, c->at + 1); i++)
		vec_push(b->arena, &b->ops, argument(b, c, ir_func_param(b->m, c->fn, i)).i);
	if (bc_ok(b) && !ir_type(b->m, c->fn)->vararg)
		bc_check(b, c->at == b->in.rec.n, "a call has more arguments than its function takes");
	while (bc_ok(b) && c->at < b->in.rec.n)
		vec_push(b->arena, &b->ops, bc_typed_operand(b, &c->at).i);
	c->n_args = b->ops.n - 1;
	bc_check(b, c->n_args <= MAX_ARGS, "a call has too many arguments");
}

/* Behind the arguments: operands of bundles, then targets. */
static u32 bundles(Bc *b)
{
	u32 first = b->m->bundles.n, base = b->ops.n;
	for (u32 i = 0; i < b->bundle_ops.n; i++)
		vec_push(b->arena, &b->ops, b->bundle_ops.p[i]);
	for (u32 i = 0; i < b->bundles.n; i++) {
		IrBundle x = b->bundles.p[i];
		x.first += base;
		vec_push(b->arena, &b->m->bundles, x);
	}
	b->bundles.n = b->bundle_ops.n = 0;
	return first;
}

static void push_targets(Bc *b, const Call *c)
{
	for (u32 i = 0; i < c->n_targets && bc_ok(b); i++)
		if (c->op == IR_INVOKE || i != 1)
			vec_push(b->arena, &b->ops, bc_block_ref(b, bc_op(b, c->first_target + i)).i);
}

void bc_call(Bc *b)
{
	u32  code = b->in.rec.code;
	Call c = {.op = code == CALL ? IR_CALL : code == INVOKE ? IR_INVOKE : IR_CALLBR, .cc = bc_op(b, 1), .at = 2};
	c.attrs = bc_attr_list(b, bc_op(b, 0));
	if (!bc_ok(b) || !bc_need(b, 4))
		return;
	head(b, &c);
	b->ops.n = 0;
	vec_push(b->arena, &b->ops, c.callee.i);
	if (bc_ok(b))
		arguments(b, &c);
	if (!bc_ok(b))
		return;
	if (!bc_check(b, c.attrs->n_params <= c.n_args, "attributes are for an argument that a call does not have"))
		return;
	IrCall rec = {.cc = (u16)call_cc(&c), .n_args = c.n_args, .type = c.fn, .fn = c.attrs->fn, .ret = c.attrs->ret};
	rec.n_bundles = (u16)b->bundles.n;
	rec.bundles = bundles(b);
	push_targets(b, &c);
	rec.params = bc_param_list(b, c.attrs, c.n_args);
	IrRef r = bc_ok(b) ? bc_define(b, c.op, ir_func_ret(b->m, c.fn), b->ops.p, b->ops.n) : IR_NO_REF;
	if (!r.i)
		return;
	IrInst *i = ir_inst(b->m, r);
	i->aux = ir_call_new(b->m, rec);
	i->flags = c.fast_math;
	if (c.op == IR_CALL)
		i->sub = c.cc & CC_MUSTTAIL ? IRTAIL_MUSTTAIL
		         : c.cc & CC_NOTAIL ? IRTAIL_NOTAIL
		         : c.cc & CC_TAIL   ? IRTAIL_TAIL
		                            : 0;
}
