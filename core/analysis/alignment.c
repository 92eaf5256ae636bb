#include "analysis/alignment.h"

enum {
	MOST = 1 << 20, /* bytes: more is of no use to any access */
	STEPS = 64,     /* to the base: in unreachable code a pointer may depend on itself */
};

/* The alignment of a byval argument is that of the parameter, which the caller fills. */
static u64 argument_align(const IrModule *m, IrRef arg)
{
	const IrFunc *f = ir_func(m, ir_arg(m, arg)->func);
	u32           number = ir_arg(m, arg)->number, given = PS_MAX(ir_param_align(m, f, number), 1u);
	IrType        byval = ir_param_byval(m, f, number);
	if (!byval.i)
		return given;
	u32 least = !ir_is_kernel(f) && ir_all_callers_seen(m, f) ? IR_PRIVATE_PARAM_ALIGN : 1;
	return PS_MAX(PS_MAX(given, least), PS_MIN(ir_abi_align(m, byval), 128u));
}

static u64 base_align(const IrModule *m, IrRef base)
{
	if (ir_kind(base) == IR_GLOBAL) {
		const IrGlobal *g = ir_global(m, base);
		return g->align ? ir_align_bytes(g->align) : ir_type_is_sized(m, g->type) ? ir_abi_align(m, g->type) : 1;
	}
	if (ir_kind(base) == IR_INST && ir_inst(m, base)->op == IR_ALLOCA)
		return ir_align_bytes(ir_inst(m, base)->align);
	return ir_kind(base) == IR_ARG ? argument_align(m, base) : 1;
}

/* What `p` is a constant distance from; false: it is no gep by a constant and no cast. */
static bool step_to_base(const IrModule *m, IrRef *p, u64 *offset)
{
	bool is_inst = ir_kind(*p) == IR_INST;
	i64  step = 0;
	if (!is_inst && (ir_kind(*p) != IR_CONST || ir_const(m, *p)->kind != IRC_EXPR))
		return false;
	u32 op = is_inst ? ir_inst(m, *p)->op : ir_const(m, *p)->op;
	if (op == IR_GETELEMENTPTR ? !ir_gep_offset(m, *p, &step) : op != IR_BITCAST && op != IR_ADDRSPACECAST)
		return false;
	*offset += (u64)step;
	*p = is_inst ? ir_op(m, *p, 0) : ir_const_op(m, *p, 0);
	return true;
}

u32 pointer_align(const IrModule *m, IrRef p)
{
	u64 offset = 0;
	for (u32 steps = STEPS; steps && step_to_base(m, &p, &offset); steps--)
		;
	u64 align = PS_MIN(PS_MAX(base_align(m, p), (u64)1), (u64)MOST);
	return (u32)(offset ? PS_MIN(align, offset & (0 - offset)) : align);
}

u32 pointer_arg_align(const IrModule *m, IrRef call, u32 arg)
{
	const IrAttr *a = ir_call_param_attr(m, call, arg, IRA_ALIGN);
	u32           known = pointer_align(m, ir_call_arg(m, call, arg));
	return a ? (u32)PS_MAX(PS_MIN(a->a, (u64)MOST), (u64)known) : known;
}

u64 atomic_size(const IrModule *m, IrRef access)
{
	const IrInst *i = ir_inst(m, access);
	if (i->flags & IRF_ELEMENTWISE)
		return ir_store_size(m, ir_scalar_type(m, i->type));
	return ir_store_size(m, i->op == IR_LOAD ? i->type : ir_type_of(m, ir_op(m, access, i->op == IR_STORE ? 0 : 1)));
}

u32 atomic_align(const IrModule *m, IrRef access)
{
	const IrInst *i = ir_inst(m, access);
	u32           stated = i->align ? ir_align_bytes(i->align) : (u32)PS_MIN(atomic_size(m, access), (u64)MOST);
	return PS_MAX(stated, pointer_align(m, ir_op(m, access, i->op == IR_STORE)));
}

bool is_atomic_aligned(const IrModule *m, IrRef access) { return atomic_align(m, access) >= atomic_size(m, access); }
