/* ir_quad.c: what is computed with floats of more than 64 bits in IR. As in selection (dag/lower_quad.c), the sign of an fp128 can be
 * changed; a thread that comes to anything else stops with a fault. The upper 64 bits of an fp128 have their sign where a double
 * has it. */
#include "dag/lower_row.h"
#include "simt/ir_decode.h"

void ird_quad(Ird *d, IrRef inst)
{
	IrModule  *m = d->m;
	u32        op = dag_quad_sign(m, inst);
	bool       negates = op == DAG_FNEG;
	SimtKernel k = negates ? K_fneg_64 : op == DAG_FABS ? K_fabs_64 : K_fcopysign_64;
	if (op == DAG_DELETED) {
		ird_unsupported(d, inst, "");
		return;
	}
	Leaves l = ird_leaves(d, ir_inst(m, inst)->type);
	for (u32 i = 0; i < l.n; i++) {
		i32 to = ird_out(d, inst, i), a = ird_in(d, negates ? ir_op(m, inst, 0) : ir_call_arg(m, inst, 0), i);
		i32 b = op == DAG_FCOPYSIGN ? upper_half(ird_in(d, ir_call_arg(m, inst, 1), i)) : NO_REG;
		emit_move(&d->e, 64, to, a);
		emit_lanes(&d->e, k, upper_half(to), upper_half(a), b, NO_REG, kx_float(SEM_F64, 0));
	}
}
