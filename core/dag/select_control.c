/* select_control.c: selects branches, calls, and the instructions of call sequences. */
#include "dag/lower_call.h"
#include "dag/lower_target.h"
#include "dag/select.h"

#define PLAIN(op_) ((PtxOpc){.op = ISA_##op_}) /* without any modifier */

static DagVal arg(DagFunc *f, u32 node, u32 i) { return dag_operand(&f->dag, dag_at(&f->dag, node), i); }

static void to_chain(DagFunc *f, u32 node, PtxOpc o)
{
	DagVal chain = arg(f, node, 0);
	dag_become(f, node, dag_desc(f, o), &chain, 1, 0);
}

static void branch(DagFunc *f, u32 node)
{
	DagVal ops[] = {arg(f, node, 1), arg(f, node, 0)};
	dag_become(f, node, dag_desc(f, ptx_opc(bra, FLAG(uni))), ops, 2, 0);
}

/* @p bra, or @!p bra where the condition is a negation that nothing else needs. */
static void branch_if(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	DagVal c = arg(f, node, 1);
	bool   negated = false;
	if (dag_op(d, c) == DAG_XOR && dag_is_all_ones(d, dag_arg(d, c, 1)) && dag_has_one_use(d, c)) {
		c = dag_arg(d, c, 0);
		negated = true;
	}
	DagVal ops[] = {c, arg(f, node, 2), arg(f, node, 0)};
	dag_become(f, node, dag_desc(f, isa_guarded(PLAIN(bra), negated)), ops, 3, 0);
}

static void branch_table(DagFunc *f, u32 node)
{
	DagVal ops[] = {arg(f, node, 1), arg(f, node, 2), arg(f, node, 0)};
	dag_become(f, node, dag_desc(f, PLAIN(brx_idx)), ops, 3, 0);
}

/* Chain and glue go behind the operands of the instruction. */
static u32 tail(DagFunc *f, u32 node, u32 glue_at, DagVal *ops, u32 n)
{
	u32 total = dag_n_ops(dag_at(&f->dag, node));
	ops[n++] = arg(f, node, 0);
	if (glue_at < total)
		ops[n++] = arg(f, node, glue_at);
	return n;
}

static void call_sequence(DagFunc *f, u32 node, u32 desc)
{
	Dag   *d = &f->dag;
	DagVal ops[4];
	ops[0] = dag_tconst(d, VT_I32, dag_at(d, node)->k[0]);
	ops[1] = dag_tconst(d, VT_I32, 0);
	dag_become(f, node, desc, ops, tail(f, node, 1, ops, 2), 0);
}

static void declare(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	DagVal ops[5];
	ops[0] = arg(f, node, 1);
	ops[1] = dag_tconst(d, VT_I64, dag_at(d, node)->k[0]);
	ops[2] = dag_tconst(d, VT_I64, dag_at(d, node)->k[1]);
	dag_become(f, node, ISA_DeclareParam, ops, tail(f, node, 2, ops, 3), 0);
}

static void call(DagFunc *f, u32 node)
{
	Dag   *d = &f->dag;
	u64    k0 = dag_at(d, node)->k[0];
	u32    proto = dag_at(d, node)->aux, n = 0;
	DagVal ops[8];
	ops[n++] = arg(f, node, 1);
	ops[n++] = dag_tconst(d, VT_I32, k0 >> 32);
	ops[n++] = dag_tconst(d, VT_I32, (u32)k0);
	if (proto) {
		DagNode like = {.opcode = DAG_TargetProto, .k = {proto - 1, 0}};
		DagVt   vt = VT_OF(VTK_UNTYPED, 0, 0);
		ops[n++] = dag_node_like(d, &like, &vt, 1, NULL, 0);
	}
	n = tail(f, node, 2, ops, n);
	dag_become(f, node, dag_desc(f, proto ? PLAIN(call) : ptx_opc(call, FLAG(uni))), ops, n, 0);
}

static void proxy(DagFunc *f, u32 node)
{
	DagVal ops[4] = {arg(f, node, 1)};
	dag_become(f, node, ISA_ProxyReg, ops, tail(f, node, 2, ops, 1), 0);
}

bool dag_select_control(DagFunc *f, u32 node)
{
	switch ((DagOp)dag_at(&f->dag, node)->opcode) {
	case DAG_BR: branch(f, node); return true;
	case DAG_BRCOND: branch_if(f, node); return true;
	case DAG_BRX: branch_table(f, node); return true;
	case DAG_RET: to_chain(f, node, PLAIN(ret)); return true;
	case DAG_EXIT: to_chain(f, node, PLAIN(exit)); return true;
	case DAG_TRAP: to_chain(f, node, PLAIN(trap)); return true;
	case DAG_DEBUGTRAP: to_chain(f, node, PLAIN(brkpt)); return true;
	case DAG_CALLSEQ_START: call_sequence(f, node, ISA_Callseq_Start); return true;
	case DAG_CALLSEQ_END: call_sequence(f, node, ISA_Callseq_End); return true;
	case DAG_DECLARE_PARAM: declare(f, node); return true;
	case DAG_CALL: call(f, node); return true;
	case DAG_PROXY: proxy(f, node); return true;
	case DAG_INTRINSIC: return dag_select_intrinsic(f, node);
	default: return false;
	}
}
