/* bypass-slow-division: tests at run time whether the operands of a 64-bit division fit 32 bits, as they mostly do,
 * and if so divides in 32 bits.
 *
 *   %q = udiv i64 %a, %b             %or    = or i64 %a, %b
 *   %r = urem i64 %a, %b             %short = icmp ult i64 %or, 4294967296
 *                             →      br i1 %short, label %div.short, label %div.long
 *                                  div.short:  udiv and urem i32 of the lower halves, zero-extended
 *                                  div.long:   the divisions as they were
 *                                  div.end:    %q and %r: phis of both
 *
 * The test leaves out an operand whose known bits show that it fits; if both fit there is no test, only the 32-bit
 * division. Signed divisions use the same test: it fails for negative operands, and non-negative ones can be divided
 * as unsigned. Quotient and remainder of the same operands in one block share the test. Constant divisors are left
 * to instruction selection, which multiplies by the reciprocal; functions with optsize or minsize are left alone.
 * The test costs an or, a compare and a branch; ptxas expands a 64-bit division to a call of some 100 instructions.
 * Linear in instructions. */
#include "base/hash.h"
#include "base/map.h"
#include "ir/builder.h"
#include "irpass/util.h"

enum { SHORT = 32, LONG = 64 };

typedef struct Task {
	IrRef block; /* both were in it when the pass began */
	IrRef a, b;
	bool  is_signed;
	IrRef div, rem; /* one may be none */
	IrRef first;    /* of the two */
} Task;

typedef struct Tasks {
	Vec(Task) all;
	Map last; /* hash of block, operands and sign → the last task of that hash */
} Tasks;

/* ---- which ---- */

static bool fits(const IrModule *m, IrRef v)
{
	u64 k;
	if (ir_as_int(m, v, &k))
		return k >> SHORT == 0;
	if (ir_kind(v) != IR_INST)
		return false;
	switch ((IrOp)ir_inst(m, v)->op) {
	case IR_ZEXT: return ir_size_bits(m, ir_type_of(m, ir_op(m, v, 0))) <= SHORT;
	case IR_AND: return ir_as_int(m, ir_op(m, v, 1), &k) && k >> SHORT == 0;
	case IR_LSHR: return ir_as_int(m, ir_op(m, v, 1), &k) && k >= SHORT;
	default: return false;
	}
}

/* A constant that cannot fit: it is negative or has more than 32 significant bits. */
static bool never_fits(const IrModule *m, IrRef v)
{
	u64 k;
	return ir_as_int(m, v, &k) && k >> SHORT != 0;
}

static void add(PassCx *cx, Tasks *tasks, IrRef inst)
{
	IrModule *m = cx->ir;
	u32       o = ir_inst(m, inst)->op;
	Task t = {ir_inst(m, inst)->block, ir_op(m, inst, 0), ir_op(m, inst, 1), o == IR_SDIV || o == IR_SREM, .first = inst};
	bool rem = o == IR_UREM || o == IR_SREM;
	u64  k;
	if (ir_as_int(m, t.b, &k) || never_fits(m, t.a))
		return;
	bool  fresh;
	u64  *last = map_put(&tasks->last, hash_mix(hash_mix(hash_mix(t.is_signed, t.block.i), t.a.i), t.b.i), &fresh);
	Task *p = fresh ? NULL : &tasks->all.p[*last];
	if (p && ir_same(p->block, t.block) && ir_same(p->a, t.a) && ir_same(p->b, t.b) && p->is_signed == t.is_signed &&
	    ir_is_none(rem ? p->rem : p->div)) {
		*(rem ? &p->rem : &p->div) = inst;
		return;
	}
	*(rem ? &t.rem : &t.div) = inst;
	*last = tasks->all.n;
	vec_push(cx->scratch, &tasks->all, t);
}

/* ---- both ways ---- */

typedef struct Results {
	IrRef div, rem;
} Results;

static Results divide_short(IrModule *m, IrBuilder *b, const Task *t, IrRef x)
{
	IrType  narrow = ir_int_type(m, SHORT), wide = ir_int_type(m, LONG);
	IrRef   p = ir_b_cast(b, IR_TRUNC, x, narrow), q = ir_b_cast(b, IR_TRUNC, t->b, narrow);
	Results r = {IR_NO_REF, IR_NO_REF};
	if (!ir_is_none(t->div))
		r.div = ir_b_cast(b, IR_ZEXT, ir_b_bin(b, IR_UDIV, p, q, 0), wide);
	if (!ir_is_none(t->rem))
		r.rem = ir_b_cast(b, IR_ZEXT, ir_b_bin(b, IR_UREM, p, q, 0), wide);
	return r;
}

static Results divide_long(IrBuilder *b, const Task *t, IrRef x)
{
	Results r = {IR_NO_REF, IR_NO_REF};
	if (!ir_is_none(t->div))
		r.div = ir_b_bin(b, t->is_signed ? IR_SDIV : IR_UDIV, x, t->b, 0);
	if (!ir_is_none(t->rem))
		r.rem = ir_b_bin(b, t->is_signed ? IR_SREM : IR_UREM, x, t->b, 0);
	return r;
}

static IrRef joined(IrModule *m, IrBuilder *b, IrRef of_short, IrRef in_short, IrRef of_long, IrRef in_long)
{
	IrRef phi = ir_b_phi(b, ir_int_type(m, LONG));
	ir_phi_add(m, phi, of_short, in_short);
	ir_phi_add(m, phi, of_long, in_long);
	return phi;
}

static void expand(PassCx *cx, const Task *t)
{
	IrModule *m = cx->ir;
	bool      fits_a = fits(m, t->a), fits_b = fits(m, t->b);
	IrBuilder b = ir_build_before(m, t->first);
	Results   r;
	if (fits_a && fits_b) {
		r = divide_short(m, &b, t, t->a);
	} else {
		IrFunc *f = pass_func(cx);
		IrRef   start = b.block, end = ir_split_block(m, t->first, STR("div.end"));
		IrRef   narrow = ir_block_new(m, f, STR("div.short")), full = ir_block_new(m, f, STR("div.long"));
		ir_block_move_after(m, narrow, start);
		ir_block_move_after(m, full, narrow);
		ir_remove(m, ir_block(m, start)->last);
		b.block = start;
		b.before = IR_NO_REF;
		/* Branching on undef or poison is undefined behaviour, so the dividend is frozen. The divisor need not be: dividing
		 * by it was undefined behaviour already. */
		IrRef x = fits_a ? t->a : ir_b_unary(&b, IR_FREEZE, t->a);
		IrRef both = fits_a ? t->b : fits_b ? x : ir_b_bin(&b, IR_OR, x, t->b, 0);
		IrRef limit = ir_const_int(m, ir_int_type(m, LONG), (u64)1 << SHORT);
		ir_b_cond_br(&b, ir_b_cmp(&b, IRP_I_ULT, both, limit), narrow, full);
		b.block = narrow;
		r = divide_short(m, &b, t, x);
		ir_b_br(&b, end);
		b.block = full;
		Results slow = divide_long(&b, t, x);
		ir_b_br(&b, end);
		b = ir_build_before(m, t->first);
		if (!ir_is_none(t->div))
			r.div = joined(m, &b, r.div, narrow, slow.div, full);
		if (!ir_is_none(t->rem))
			r.rem = joined(m, &b, r.rem, narrow, slow.rem, full);
	}
	if (!ir_is_none(t->div))
		replace_inst(m, t->div, r.div);
	if (!ir_is_none(t->rem))
		replace_inst(m, t->rem, r.rem);
}

/* ---- the pass ---- */

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	IrType    wide = ir_int_type(m, LONG);
	Tasks     tasks = {0};
	map_init(&tasks.last, cx->scratch);
	if (ir_fn_has(m, f, IRA_OPTSIZE) || ir_fn_has(m, f, IRA_MINSIZE))
		return false;
	ir_each_block_had(m, f, block, IR_OPS(UDIV))
		ir_each_inst(m, block, i) {
			const IrInst *r = ir_inst(m, i);
			if ((r->op == IR_UDIV || r->op == IR_SDIV || r->op == IR_UREM || r->op == IR_SREM) && r->type.i == wide.i)
				add(cx, &tasks, i);
		}
	/* From the last one backward, as to split a block takes time for the instructions behind. A task's operand may be a division
	 * that is replaced after it, by which the instruction's operand is replaced too. */
	for (u32 i = tasks.all.n; i-- > 0;)
		expand(cx, &tasks.all.p[i]);
	return tasks.all.n != 0;
}

const Pass irpass_bypass_slow_division = {
	.id = "bypass-slow-division",
	.title = "Bypass slow division",
	.summary = "Divides 64-bit integers in 32 bits where both operands fit at run time.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.gate = KNOB_bypass_slow_division,
	.looks_for = IR_OPS(UDIV),
	.run = run,
};
