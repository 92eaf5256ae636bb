/* bitcode_call.c: call, invoke and callbr.
 *
 *   CALL    [attributes, convention, (flags), (type), callee, argument…]
 *   INVOKE  [attributes, convention, normal, unwind, (type), callee, argument…]
 *   CALLBR  [attributes, convention, fallthrough, n, indirect…, (type), callee, argument…]
 *
 * Arguments of the function type have no types of their own; those behind them (variadic) do. Metadata as an argument is a number like that
 * of a value. Operand bundles stand in records before the call. */
#include "ir/bitcode_define.h"
#include "ir/bitcode_record.h"

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
static IrInst *finish(Bc *b, Call c, u32 at)
{
	IrModule         *m = b->m;
	IrType            t = {0}, fn = bc_type(b, bc_op(b, at++));
	const BcAttrList *attrs = bc_attr_list(b, bc_op(b, 0));
	const IrTypeRec  *rec = ir_type(m, fn);
	if (!bc_ok(b) || !bc_check(b, rec->kind == IRT_FUNC, "a call has a type that is no function's"))
		return NULL;
	IrRef f = callee(b, c.op, &at, &t);
	if (!bc_ok(b) || !bc_check(b, ir_type_is_ptr(m, t), "what is called is no function"))
		return NULL;
	if (ir_kind(f) == IR_ASM)
		ir_asm(m, f)->type = fn;
	vec_reserve(b->arena, &b->ops, b->in.rec.n);
	b->ops.p[0] = f.i;
	if (!arguments(b, rec, at) || !bc_ok(b))
		return NULL;
	u32 n_args = b->ops.n - 1;
	if (!bc_check(b, attrs->n_params <= n_args, "attributes are for an argument that a call does not have"))
		return NULL;
	u32 n_bundles = b->bundles.n, first_bundle = m->bundles.n;
	if (n_bundles)
		bundles(b);
	if (c.n_targets)
		push_targets(b, &c);
	u32     params = attrs->n_params ? bc_param_list(b, attrs, n_args) : 0;
	IrInst *i = bc_define(b, c.op, (IrType){m->type_lists.p[rec->elems]}, b->ops.p, b->ops.n);
	if (!i)
		return NULL;
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
	return i;
}

static bool is_explicit(Bc *b, u64 bit) { return bc_check(b, bit != 0, "a call of LLVM before 3.7 is not read"); }

/* ---- calls like an earlier one ----
 *
 * Records of calls begin alike: code, number of operands, attributes, convention, flags and type of all calls of fma are the same bits.
 * They are compared with those of an earlier call, and only callee and arguments are read. */

static u64 head_of(const Bc *b, u64 at) { return bc_word(b->in.p, at) & (((u64)1 << BC_CALL_HEAD) - 1); }

static BcCalls *calls_of(Bc *b, u64 head) { return &b->calls[head * 0x9E3779B97F4A7C15u >> 58]; }
_Static_assert(BC_CALLS == 1 << (64 - 58), "a place for each hash");

/* Behind a call whose record begins at `at` and has its function type at operand `last`. */
static PS_NOINLINE void note_call(Bc *b, const IrInst *i, u64 at, u32 last)
{
	IrModule        *m = b->m;
	const IrCall    *call = pages_of(&m->calls, IrCall, i->aux);
	const IrTypeRec *fn = ir_type(m, call->type);
	BcSixes          x = {.s = &b->in, .p = b->in.p, .at = at, .care = b->in.care};
	for (u32 k = 0; k < last + 3 && x.at < x.care; k++) /* code and number of operands, operands */
		bc_six(&x);
	u64 n = x.at - at;
	if (!b->version || x.at >= x.care || n < BC_CALL_HEAD || n > 2 * BC_CALL_HEAD || fn->vararg || call->params ||
	    call->n_bundles)
		return;
	for (u32 k = 1; k < fn->n_elems; k++)
		if (m->type_lists.p[fn->elems + k] == IR_TY_METADATA)
			return;
	u64 head = head_of(b, at), mask = ((u64)1 << (n - BC_CALL_HEAD)) - 1;
	*calls_of(b, head) = (BcCalls){.first = head,
	                               .rest = bc_word(b->in.p, at + BC_CALL_HEAD) & mask,
	                               .mask = mask,
	                               .n_bits = (u32)n,
	                               .n_params = fn->n_elems - 1,
	                               .first_param = fn->elems + 1,
	                               .result = i->type,
	                               .flags = i->flags,
	                               .tail = i->sub,
	                               .epoch = b->epoch,
	                               .made = i->aux,
	                               .call = *call};
}

/* A function that is called as it is; none: it is another value. */
static inline IrRef plain_callee(const Bc *b, u32 number)
{
	IrRef r = number < b->n_globals ? b->values.p[number].ref : IR_NO_REF;
	return ir_kind(r) == IR_GLOBAL && order_is_callee(&b->order, r) ? r : IR_NO_REF;
}

static inline IrRef argument(Bc *b, const BcCalls *x, BcSixes *bits, u32 k)
{
	u32 number = b->next_value - (u32)bc_six(bits); /* version 1 and later: note_call */
	return bc_value_here(b, number, (IrType){b->m->type_lists.p[x->first_param + k]});
}

/* Callee and arguments go where the instruction has its operands. */
static inline IrInst *define_again(Bc *b, const BcCalls *x, BcSixes *bits, IrRef callee)
{
	IrModule *m = b->m;
	u32       n = 1 + x->n_params, first = pages_new_n(&m->uses[0], n);
	IrUse    *use = ir_inst_use(m, first);
	bool      apart = n > PAGE_RECORDS - (first & (PAGE_RECORDS - 1));
	use->value = callee;
	for (u32 k = 1; k < n; k++) {
		IrRef v = argument(b, x, bits, k - 1);
		use = apart ? ir_inst_use(m, first + k) : use + 1;
		use->value = v;
	}
	if (!bc_ok(b))
		return NULL;
	IrRef r = x->result.i != IR_TY_VOID ? bc_value_record(b, x->result) : ir_inst_take(m);
	bc_note_inst(b, r);
	return order_link_uses(&b->order, r, IR_CALL, x->result, first, n);
}

/* … where values have lists of uses. */
static PS_NOINLINE IrInst *define_again_listed(Bc *b, const BcCalls *x, BcSixes bits, IrRef callee, u64 *end)
{
	b->ops.n = 0;
	vec_reserve(b->arena, &b->ops, 1 + x->n_params);
	b->ops.p[0] = callee.i;
	for (u32 k = 0; k < x->n_params; k++)
		b->ops.p[1 + k] = argument(b, x, &bits, k).i;
	*end = bits.at;
	return bc_define(b, IR_CALL, x->result, b->ops.p, 1 + x->n_params);
}

/* Calls of one body share it where nothing changes it. */
static inline u32 call_record(Bc *b, BcCalls *x)
{
	if (!b->m->use_lists && x->epoch == b->epoch)
		return x->made;
	x->epoch = b->epoch;
	x->made = pages_new(&b->m->calls);
	*pages_of(&b->m->calls, IrCall, x->made) = x->call;
	return x->made;
}

bool bc_call_again(Bc *b, u64 at)
{
	BcStream *in = &b->in;
	u64       head = head_of(b, at);
	BcCalls  *x = calls_of(b, head);
	if (head != x->first || at + BC_CALL_HEAD >= in->care || (bc_word(in->p, at + BC_CALL_HEAD) & x->mask) != x->rest)
		return false;
	BcSixes bits = {.s = in, .p = in->p, .at = at + x->n_bits, .care = in->care};
	IrRef   callee = plain_callee(b, b->next_value - (u32)bc_six(&bits));
	if (!callee.i || b->bundles.n || !b->block.i || !bc_ok(b))
		return false;
	IrInst *i;
	u64     end;
	if (b->m->use_lists) {
		i = define_again_listed(b, x, bits, callee, &end);
	} else {
		i = define_again(b, x, &bits, callee);
		end = bits.at;
	}
	if (!bc_ok(b))
		return true;
	in->at = end;
	i->flags = x->flags;
	i->sub = (u8)x->tail;
	i->aux = call_record(b, x);
	bc_within(in);
	return true;
}

void bc_call(Bc *b)
{
	const u64 *op = b->in.rec.op;
	if (!bc_need(b, 4) || !is_explicit(b, op[1] & CC_EXPLICIT))
		return;
	u32     last = op[1] & CC_FLAGS ? 3 : 2;
	Call    c = {.op = IR_CALL, .cc = op[1], .flags = last == 3 ? bc_fast_math(op[2]) : 0};
	IrInst *i = finish(b, c, last);
	if (i && b->in.rec.sixes)
		note_call(b, i, b->in.rec.sixes, last);
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
