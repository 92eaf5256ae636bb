/* effect.c: what an instruction may do to memory and to the other lanes. */
#include "ir/ir.h"

static bool is_call(const IrInst *i) { return (ir_op_info[i->op].flags & IROF_CALLS) != 0; }

/* Inline asm without sideeffect computes its results from its operands, unless it names memory. */
static bool asm_touches_memory(const IrModule *m, IrRef call, const IrAsm *a)
{
	if (a->flags & IRASM_SIDEEFFECT)
		return true;
	Str c = ir_str(m, a->constraints);
	for (u32 i = 0; i + 8 <= c.n; i++)
		if (memcmp(c.p + i, "{memory}", 8) == 0)
			return true;
	return (ir_call_memory(m, call) & IRM_ALL) != 0 && ir_attrs_has(m, ir_call(m, call)->fn, IRA_MEMORY);
}

static u32 call_memory(const IrModule *m, IrRef inst)
{
	IrRef callee = ir_callee(m, inst);
	if (ir_kind(callee) == IR_ASM)
		return asm_touches_memory(m, inst, ir_asm(m, callee)) ? IRM_ALL : 0;
	return ir_call_memory(m, inst);
}

static bool is_wide_float(const IrModule *m, IrType t)
{
	u32 k = ir_type_kind(m, ir_scalar_type(m, t));
	return k == IRT_X86_FP80 || k == IRT_FP128 || k == IRT_PPC_FP128;
}

static bool calls_with_wide_float(const IrModule *m, IrRef inst)
{
	IrType t = ir_call(m, inst)->type;
	if (!ir_call_intrinsic(m, inst))
		return false;
	for (u32 i = 0; i < ir_type(m, t)->n_elems; i++)
		if (is_wide_float(m, ir_type_elem(m, t, i)))
			return true;
	return false;
}

bool ir_computes_wide_float(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	switch ((IrOp)i->op) {
	case IR_FNEG:
	case IR_FADD:
	case IR_FSUB:
	case IR_FMUL:
	case IR_FDIV:
	case IR_FREM:
	case IR_FPEXT:
	case IR_UITOFP:
	case IR_SITOFP: return is_wide_float(m, i->type);
	case IR_FPTRUNC:
	case IR_FPTOUI:
	case IR_FPTOSI:
	case IR_FCMP: return is_wide_float(m, ir_type_of(m, ir_op(m, inst, 0)));
	case IR_ATOMICRMW: return i->sub != IRRMW_XCHG && is_wide_float(m, i->type);
	case IR_INVOKE:
	case IR_CALL: return calls_with_wide_float(m, inst);
	default: return false;
	}
}

static bool memory_has(u32 memory, u32 bit) { return (memory & bit * IRM_EACH) != 0; }

static bool is_ordered(const IrInst *i) { return i->order > IRO_UNORDERED || (i->flags & IRF_VOLATILE) != 0; }

bool ir_may_read(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (is_call(i))
		return memory_has(call_memory(m, inst), IRM_READ);
	return (ir_op_info[i->op].flags & IROF_READS) != 0 || (i->op == IR_STORE && is_ordered(i));
}

bool ir_may_write(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (is_call(i))
		return memory_has(call_memory(m, inst), IRM_WRITE);
	return (ir_op_info[i->op].flags & IROF_WRITES) != 0 || (i->op == IR_LOAD && is_ordered(i));
}

bool ir_has_side_effects(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (ir_op_is_terminator(i->op))
		return true;
	if (!is_call(i))
		return ir_may_write(m, inst) || ir_op_info[i->op].form == 0;
	if (memory_has(call_memory(m, inst), IRM_WRITE))
		return true;
	if (ir_kind(ir_callee(m, inst)) == IR_ASM)
		return false;
	return !(ir_call_fn_attr(m, inst, IRA_WILLRETURN) && ir_call_fn_attr(m, inst, IRA_NOUNWIND));
}

bool ir_is_convergent(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	return is_call(i) && ir_call_fn_attr(m, inst, IRA_CONVERGENT) != NULL;
}

bool ir_is_speculatable(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	u32           flags = ir_op_info[i->op].flags;
	if (is_call(i))
		return i->op == IR_CALL && ir_call_fn_attr(m, inst, IRA_SPECULATABLE) && ir_call_memory(m, inst) == 0;
	if (flags & (IROF_READS | IROF_WRITES | IROF_TERMINATOR) || i->op == IR_PHI || i->op == IR_ALLOCA)
		return false;
	if (!(flags & IROF_TRAPS))
		return true;
	/* A division by a constant other than 0 and -1 cannot trap or overflow. */
	i64 d;
	return ir_as_sint(m, ir_op(m, inst, 1), &d) && d != 0 && (d != -1 || i->op == IR_UDIV || i->op == IR_UREM);
}
