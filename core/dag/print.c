/* print.c: the graph as text and as dot, for --emit=dag. */
#include "dag/dag.h"
#include "isa/isa.h"

void vt_print(Text *out, DagVt t)
{
	if (vt_is_vec(t))
		text_f(out, "v%u", vt_lanes(t));
	switch (vt_kind(t)) {
	case VTK_INT: text_f(out, "i%u", vt_bits(t)); break;
	case VTK_F16: text_s(out, "f16"); break;
	case VTK_BF16: text_s(out, "bf16"); break;
	case VTK_F32: text_s(out, "f32"); break;
	case VTK_F64: text_s(out, "f64"); break;
	case VTK_B128: text_s(out, "b128"); break;
	case VTK_CHAIN: text_s(out, "ch"); break;
	case VTK_GLUE: text_s(out, "glue"); break;
	case VTK_NONE: text_s(out, "none"); break;
	default: text_s(out, "untyped"); break;
	}
}

static void payload(Text *out, const Dag *d, const DagNode *n)
{
	switch ((DagOp)n->opcode) {
	case DAG_Constant:
	case DAG_TargetConstant: text_f(out, "<%lld>", (long long)dag_signed_value(n)); break;
	case DAG_ConstantFP:
	case DAG_TargetConstantFP: text_f(out, "<0x%llx>", (unsigned long long)n->k[0]); break;
	case DAG_GlobalAddress:
	case DAG_TargetGlobalAddress:
		text_f(out, "<@%.*s + %lld>", STR_ARG(ir_str(d->m, ir_global(d->m, (IrRef){(u32)n->k[0]})->name)),
		       (long long)n->k[1]);
		break;
	case DAG_ExternalSymbol:
	case DAG_TargetExternalSymbol:
		text_f(out, "<%.*s + %lld>", STR_ARG(strtab_get(&d->s->strs, (StrId){(u32)n->k[0]})), (long long)n->k[1]);
		break;
	case DAG_TargetText: text_f(out, "<%.*s>", STR_ARG(strtab_get(&d->s->strs, (StrId){(u32)n->k[0]}))); break;
	case DAG_FrameIndex:
	case DAG_TargetFrameIndex: text_f(out, "<%%stack.%u + %lld>", (u32)n->k[0], (long long)n->k[1]); break;
	case DAG_Register:
		text_f(out, mir_is_phys((MirReg){(u32)n->k[0]}) ? "<$%u>" : "<%%%u>", (u32)n->k[0] & 0x7FFFFFFF);
		break;
	case DAG_BasicBlock: text_f(out, "<bb.%u>", (u32)n->k[0] - 1); break;
	case DAG_CONDCODE: text_f(out, "<%s>", ir_pred_name[n->k[0]]); break;
	case DAG_VALUETYPE:
		text_c(out, '<');
		vt_print(out, (DagVt)n->k[0]);
		text_c(out, '>');
		break;
	case DAG_ADDRSPACECAST: text_f(out, "<%u -> %u>", (u32)n->k[0], (u32)n->k[1]); break;
	default: break;
	}
	if (n->mem) {
		const DagMem            *m = dag_mem(d, n);
		static const char *const ext[] = {"", ", anyext", ", zext", ", sext"};
		text_c(out, '<');
		vt_print(out, m->vt);
		text_f(out, "%s, align %u, addrspace %u%s%s>", ext[m->ext], 1u << m->mem.align_log2, m->mem.space,
		       m->mem.flags & MMF_VOLATILE ? ", volatile" : "", m->nc ? ", non-coherent" : "");
	}
}

static void name(Text *out, const Dag *d, const DagNode *n)
{
	if (n->opcode == DAG_MACHINE)
		text_add(out, isa_desc(d->s, n->desc)->mnemonic);
	else
		text_s(out, dag_op_info[n->opcode].name);
}

static void print_node(Text *out, const Dag *d, const DagNode *n)
{
	text_f(out, "  t%u: ", n->id);
	for (u32 r = 0; r < dag_n_results(n); r++) {
		if (r)
			text_c(out, ',');
		vt_print(out, dag_result_vt(d, n, r));
	}
	text_s(out, " = ");
	name(out, d, n);
	payload(out, d, n);
	for (u32 i = 0; i < dag_n_ops(n); i++) {
		DagVal v = dag_operand(d, n, i);
		text_f(out, i ? ", t%u" : " t%u", v.n);
		if (v.r)
			text_f(out, ":%u", v.r);
	}
	if (n->props & DP_DIVERGENT)
		text_s(out, "  # D:1");
	if (n->order)
		text_f(out, "  [%u]", n->order);
	text_c(out, '\n');
}

void dag_print(Text *out, const Dag *d, const char *stage)
{
	text_f(out, "SelectionDAG of %s:\n", stage);
	VecU32 order = {0};
	dag_topological((Dag *)(uintptr_t)d, d->arena, &order);
	for (u32 i = 0; i < order.n; i++)
		print_node(out, d, dag_at(d, order.p[i]));
	text_c(out, '\n');
}

void dag_print_dot(Text *out, const Dag *d, const char *stage)
{
	VecU32 order = {0};
	dag_topological((Dag *)(uintptr_t)d, d->arena, &order);
	text_f(out, "digraph \"%s\" {\n\trankdir=\"BT\";\n\tnode [shape=record];\n", stage);
	for (u32 i = 0; i < order.n; i++) {
		const DagNode *n = dag_at(d, order.p[i]);
		Text           label;
		text_init(&label, d->arena);
		name(&label, d, n);
		payload(&label, d, n);
		text_f(out, "\tt%u [label=\"", n->id);
		for (u32 k = 0; k < label.n; k++) {
			if (strchr("<>{}|\"\\", label.p[k]))
				text_c(out, '\\');
			text_c(out, label.p[k]);
		}
		text_s(out, "\"];\n");
		for (u32 k = 0; k < dag_n_ops(n); k++) {
			DagVal v = dag_operand(d, n, k);
			u32    kind = vt_kind(dag_vt(d, v));
			text_f(out, "\tt%u -> t%u%s;\n", n->id, v.n,
			       kind == VTK_CHAIN  ? " [color=blue, style=dashed]"
			       : kind == VTK_GLUE ? " [color=red]"
			                          : "");
		}
	}
	text_s(out, "}\n");
}
