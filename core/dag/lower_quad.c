/* lower_quad.c: what is computed with an fp128. It is 128 bits to selection: they are loaded, stored, passed, selected and taken as
 * bits like an i128. The sign is a bit of them:
 *
 *	fneg fp128 %x            xor i128 %x, 1 << 127
 *	fabs fp128 %x            and i128 %x, ~(1 << 127)
 *	copysign fp128 %x, %y    or i128 (fabs %x), (and i128 %y, 1 << 127)
 *
 * PTX has no arithmetic with it, and there is no library of functions to call: everything else is refused. So are x86_fp80 and
 * ppc_fp128 as a whole, which no value in a register can be. */
#include "dag/func.h"
#include "dag/lower_row.h"

enum { SIGN_WORD = 63 }; /* bit of the upper word */

static DagVal mask(Dag *d, DagVt vt, bool sign)
{
	u64    bit = (u64)1 << SIGN_WORD;
	DagVal one = sign ? dag_const2(d, vt_elem(vt), 0, bit) : dag_const2(d, vt_elem(vt), ~(u64)0, ~bit);
	if (!vt_is_vec(vt))
		return one;
	DagVal lanes[VT_MAX_LANES];
	for (u32 i = 0; i < vt_lanes(vt); i++)
		lanes[i] = one;
	return dag_node(d, DAG_BUILD_VECTOR, vt, lanes, vt_lanes(vt));
}

static DagVal masked(Dag *d, DagOp op, DagVal x, bool sign)
{
	DagVt vt = dag_vt(d, x);
	return dag_2(d, op, vt, x, mask(d, vt, sign));
}

u32 dag_quad_sign(const IrModule *m, IrRef inst)
{
	if (ir_type_kind(m, ir_scalar_type(m, ir_inst(m, inst)->type)) != IRT_FP128)
		return DAG_DELETED;
	if (ir_inst(m, inst)->op == IR_FNEG)
		return DAG_FNEG;
	u32 op = ir_inst(m, inst)->op == IR_CALL ? dag_intrinsic_at(ir_call_intrinsic(m, inst)).op : DAG_DELETED;
	return op == DAG_FABS || op == DAG_FCOPYSIGN ? op : DAG_DELETED;
}

void dag_lower_quad(DagFunc *f, IrRef inst)
{
	IrModule *m = f->m;
	Dag      *d = &f->dag;
	u32       op = dag_quad_sign(m, inst);
	if (op == DAG_DELETED) {
		dag_unsupported(f, inst, "arithmetic with floats of more than 64 bits");
		return;
	}
	DagVal x = dag_value(f, op == DAG_FNEG ? ir_op(m, inst, 0) : ir_call_arg(m, inst, 0));
	if (op == DAG_FNEG)
		x = masked(d, DAG_XOR, x, true);
	else
		x = masked(d, DAG_AND, x, false);
	if (op == DAG_FCOPYSIGN)
		x = dag_2(d, DAG_OR, dag_vt(d, x), x, masked(d, DAG_AND, dag_value(f, ir_call_arg(m, inst, 1)), true));
	dag_set_value(f, inst, x);
}
