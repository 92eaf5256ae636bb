/* bound.c: upper bounds of integers, from masks, shifts, extensions and the ranges that calls state. */
#include "irpass/bound.h"

#include "sem/int.h"

enum { MAX_DEPTH = 4 };

static u64 at_most(const IrModule *m, IrRef v, u32 depth);

/* The largest number of as many bits. */
static u64 filled(u64 x) { return x ? sem_mask(u64_log2(x) + 1) : 0; }

static u64 call_at_most(const IrModule *m, IrRef call, u64 all)
{
	const IrAttr *r = ir_call_ret_attr(m, call, IRA_RANGE);
	return r && r->a < r->b ? r->b - 1 : all;
}

static u64 sum_at_most(u64 x, u64 y, u64 all) { return x > all - y ? all : x + y; }

static u64 inst_at_most(const IrModule *m, IrRef v, u64 all, u32 depth)
{
	const IrInst *i = ir_inst(m, v);
	u64           c = 0, x;
	bool          constant = i->n_ops == 2 && ir_as_int(m, ir_op(m, v, 1), &c);
	switch (i->op) {
	case IR_ZEXT:
	case IR_TRUNC: return PS_MIN(at_most(m, ir_op(m, v, 0), depth), all);
	case IR_AND: x = at_most(m, ir_op(m, v, 0), depth); return PS_MIN(x, at_most(m, ir_op(m, v, 1), depth));
	case IR_OR:
	case IR_XOR: return filled(at_most(m, ir_op(m, v, 0), depth) | at_most(m, ir_op(m, v, 1), depth));
	case IR_ADD: return sum_at_most(at_most(m, ir_op(m, v, 0), depth), at_most(m, ir_op(m, v, 1), depth), all);
	case IR_LSHR: return constant && c < 64 ? at_most(m, ir_op(m, v, 0), depth) >> c : at_most(m, ir_op(m, v, 0), depth);
	case IR_SHL: x = at_most(m, ir_op(m, v, 0), depth); return constant && c < 64 && x <= all >> c ? x << c : all;
	case IR_MUL: x = at_most(m, ir_op(m, v, 0), depth); return constant && c && x <= all / c ? x * c : all;
	case IR_UDIV: return constant && c ? at_most(m, ir_op(m, v, 0), depth) / c : at_most(m, ir_op(m, v, 0), depth);
	case IR_UREM: x = at_most(m, ir_op(m, v, 1), depth); return x ? PS_MIN(x - 1, at_most(m, ir_op(m, v, 0), depth)) : all;
	case IR_SELECT: x = at_most(m, ir_op(m, v, 1), depth); return PS_MAX(x, at_most(m, ir_op(m, v, 2), depth));
	case IR_CALL: return call_at_most(m, v, all);
	default: return all;
	}
}

static u64 at_most(const IrModule *m, IrRef v, u32 depth)
{
	IrType t = ir_type_of(m, v);
	u64    c;
	if (!ir_type_is_int(m, t) || ir_type(m, t)->bits > 64)
		return UINT64_MAX;
	u64 all = sem_mask(ir_type(m, t)->bits);
	if (ir_as_int(m, v, &c))
		return c;
	return ir_kind(v) == IR_INST && depth < MAX_DEPTH ? PS_MIN(inst_at_most(m, v, all, depth + 1), all) : all;
}

u64 value_at_most(const IrModule *m, IrRef v) { return at_most(m, v, 0); }

bool is_not_negative(const IrModule *m, IrRef v)
{
	IrType t = ir_type_of(m, v);
	return ir_type_is_int(m, t) && ir_type(m, t)->bits <= 64 && at_most(m, v, 0) <= sem_mask(ir_type(m, t)->bits) >> 1;
}

IrRef extend_value(IrBuilder *b, IrOp ext, IrRef v, IrType t)
{
	bool  zeros = ext == IR_SEXT && is_not_negative(b->m, v);
	IrRef r = ir_b_cast(b, zeros ? IR_ZEXT : ext, v, t);
	if (zeros && ir_kind(r) == IR_INST)
		ir_inst(b->m, r)->flags |= IRF_NNEG;
	return r;
}
