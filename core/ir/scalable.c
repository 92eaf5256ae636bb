/* scalable.c: finds scalable vectors (<vscale x 4 x i32>) in a function. They are read, verified and printed; PTX and the emulator have no
 * registers of a length that only the machine knows. Linear in the function, and only where the module has such a type at all. */
#include "ir/ir.h"

static bool has(const IrModule *m, IrType t) { return t.i && ir_type_is_scalable(m, t); }

/* A value, or what is passed by value behind a pointer. */
static bool takes(const IrModule *m, IrType t, const IrAttr *byval) { return has(m, t) || (byval && has(m, byval->type)); }

bool ir_signature_is_scalable(const IrModule *m, const IrFunc *f)
{
	IrType t = ir_global(m, f->ref)->type;
	if (!m->has_scalable)
		return false;
	for (u32 i = 0; i < ir_func_params(m, t); i++)
		if (takes(m, ir_func_param(m, t, i), ir_param_attr(m, f, i, IRA_BYVAL)))
			return true;
	return has(m, ir_func_ret(m, t));
}

static bool is_scalable(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	bool          states = i->op == IR_ALLOCA || i->op == IR_GETELEMENTPTR;
	if (has(m, i->type) || (states && has(m, i->elem)))
		return true;
	for (u32 k = 0; k < i->n_ops; k++)
		if (has(m, ir_type_of(m, ir_op(m, inst, k))))
			return true;
	bool calls = ir_op_info[i->op].flags & IROF_CALLS;
	for (u32 k = 0; calls && k < ir_call(m, inst)->n_args; k++) {
		const IrAttr *byval = ir_call_param_attr(m, inst, k, IRA_BYVAL);
		if (byval && has(m, byval->type))
			return true;
	}
	return false;
}

IrRef ir_first_scalable(const IrModule *m, const IrFunc *f)
{
	if (ir_signature_is_scalable(m, f))
		return f->ref;
	if (m->has_scalable)
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (is_scalable(m, i))
					return i;
	return IR_NO_REF;
}

void ir_report_scalable(IrModule *m, const IrFunc *f, IrRef at, const char *why)
{
	bool is_inst = ir_kind(at) == IR_INST;
	u32  line = is_inst ? ir_info(m, at)->origin : ir_global(m, f->ref)->origin;
	Str  what = is_inst ? str_of(ir_op_info[ir_inst(m, at)->op].name) : STR("its signature");
	diag_report(&m->s->diags, DIAG_SCALABLE, (SrcRange){line, 0, line, 0}, STR_ARG(ir_str(m, ir_global(m, f->ref)->name)),
	            STR_ARG(what), why);
}

bool ir_refuse_scalable(IrModule *m, const IrFunc *f, const char *why)
{
	IrRef at = ir_first_scalable(m, f);
	if (at.i)
		ir_report_scalable(m, f, at, why);
	return at.i != 0;
}
