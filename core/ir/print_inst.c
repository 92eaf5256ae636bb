/* print_inst.c: one instruction. */
#include "ir/ir_forms.h"
#include "ir/print.h"
#include "ir/text.h"

void irw_flags(Printer *pr, u32 op, u32 flags)
{
	static const struct {
		u32         bit;
		const char *text;
	} all[] = {{IRF_REASSOC, " reassoc"},   {IRF_NNAN, " nnan"},         {IRF_NINF, " ninf"},
	           {IRF_NSZ, " nsz"},           {IRF_ARCP, " arcp"},         {IRF_CONTRACT, " contract"},
	           {IRF_AFN, " afn"},           {IRF_INBOUNDS, " inbounds"}, {IRF_NUSW, " nusw"},
	           {IRF_NUW, " nuw"},           {IRF_NSW, " nsw"},           {IRF_EXACT, " exact"},
	           {IRF_DISJOINT, " disjoint"}, {IRF_NNEG, " nneg"},         {IRF_SAMESIGN, " samesign"}};
	flags = ir_stated_flags(irw_older_flags(pr->m, op, flags));
	if ((flags & IRF_FAST) == IRF_FAST) {
		text_s(pr->out, " fast");
		flags &= ~(u32)IRF_FAST;
	}
	for (u32 i = 0; i < PS_COUNT(all); i++)
		if (flags & all[i].bit)
			text_s(pr->out, all[i].text);
}

static void operands(Printer *pr, IrRef inst, u32 from, const char *before)
{
	for (u32 i = from, n = ir_n_ops(pr->m, inst); i < n; i++) {
		text_s(pr->out, i > from ? ", " : before);
		irw_typed(pr, ir_op(pr->m, inst, i));
	}
}

/* T a, b */
static void same_typed(Printer *pr, IrRef inst)
{
	text_c(pr->out, ' ');
	irw_typed(pr, ir_op(pr->m, inst, 0));
	text_s(pr->out, ", ");
	irw_ref(pr, ir_op(pr->m, inst, 1));
}

static void align(Printer *pr, IrRef inst)
{
	u64 bytes = ir_stated_align(pr->m, inst);
	if (bytes)
		text_f(pr->out, ", align %llu", (unsigned long long)bytes);
}

static void atomic(Printer *pr, IrRef inst)
{
	const IrInst     *i = ir_inst(pr->m, inst);
	const IrInstInfo *info = ir_info(pr->m, inst);
	if (info->scope) {
		text_s(pr->out, " syncscope(");
		irw_string(pr, ir_str(pr->m, (StrId){pr->m->scopes.p[info->scope]}));
		text_c(pr->out, ')');
	}
	if (i->order)
		text_f(pr->out, " %s", ir_ordering_name[i->order]);
	if (info->order_fail)
		text_f(pr->out, " %s", ir_ordering_name[info->order_fail]);
}

static void phi(Printer *pr, IrRef inst)
{
	text_c(pr->out, ' ');
	irw_type(pr, ir_inst(pr->m, inst)->type);
	for (u32 i = 0; i < ir_phi_n(pr->m, inst); i++) {
		text_s(pr->out, i ? ", [ " : " [ ");
		irw_ref(pr, ir_phi_value(pr->m, inst, i));
		text_s(pr->out, ", ");
		irw_ref(pr, ir_phi_block(pr->m, inst, i));
		text_s(pr->out, " ]");
	}
}

static void vector(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	operands(pr, inst, 0, " ");
	if (i->op != IR_SHUFFLEVECTOR)
		return;
	u32        n = ir_list_n(pr->m, i->aux);
	const u32 *mask = ir_list(pr->m, i->aux);
	bool       zero = true, poison = true;
	for (u32 k = 0; k < n; k++) {
		zero &= mask[k] == 0;
		poison &= mask[k] == UINT32_MAX;
	}
	text_f(pr->out, ir_type_is_scalable_vector(pr->m, i->type) ? ", <vscale x %u x i32> " : ", <%u x i32> ", n);
	if (zero || poison) {
		text_s(pr->out, zero ? "zeroinitializer" : "poison");
		return;
	}
	for (u32 k = 0; k < n; k++) {
		text_s(pr->out, k ? ", i32 " : "<i32 ");
		if (mask[k] == UINT32_MAX)
			text_s(pr->out, "poison");
		else
			text_u(pr->out, mask[k]);
	}
	text_c(pr->out, '>');
}

static void aggregate(Printer *pr, IrRef inst)
{
	u32 list = ir_inst(pr->m, inst)->aux;
	operands(pr, inst, 0, " ");
	for (u32 i = 0; i < ir_list_n(pr->m, list); i++)
		text_f(pr->out, ", %u", ir_list(pr->m, list)[i]);
}

static void alloca_inst(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	u64           count;
	text_s(pr->out, i->flags & IRF_INALLOCA ? " inalloca " : " ");
	text_s(pr->out, i->flags & IRF_SWIFTERROR ? "swifterror " : "");
	irw_type(pr, i->elem);
	IrRef n = ir_op(pr->m, inst, 0);
	if (!(ir_as_int(pr->m, n, &count) && count == 1 && ir_type_of(pr->m, n).i == IR_TY_I32)) {
		text_s(pr->out, ", ");
		irw_typed(pr, n);
	}
	align(pr, inst);
	u32 space = ir_type(pr->m, i->type)->bits;
	if (space)
		text_f(pr->out, ", addrspace(%u)", space);
}

static void memory(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	text_s(pr->out, i->flags & IRF_ATOMIC ? " atomic" : "");
	text_s(pr->out, i->flags & IRF_WEAK ? " weak" : "");
	text_s(pr->out, i->flags & IRF_VOLATILE ? " volatile " : " ");
	if (i->op == IR_ATOMICRMW)
		text_f(pr->out, "%s%s ", i->flags & IRF_ELEMENTWISE ? "elementwise " : "", ir_rmw_name[i->sub]);
	if (i->op == IR_LOAD) {
		irw_type(pr, i->type);
		text_s(pr->out, ", ");
	}
	operands(pr, inst, 0, "");
	atomic(pr, inst);
	align(pr, inst);
}

void irw_cc(Printer *pr, u32 cc)
{
	if (!cc)
		return;
	switch (cc) {
#define IR_CC_WORD(word, number)           \
	case number:                       \
		text_s(pr->out, " " word); \
		return;
#include "ir/words.def"
	default:
		if (cc >= IRCC_RISCV_VLS && cc <= IRCC_RISCV_VLS_LAST)
			text_f(pr->out, " riscv_vls_cc(%u)", 32u << (cc - IRCC_RISCV_VLS));
		else
			text_f(pr->out, " cc%u", cc);
	}
}

static void bundles(Printer *pr, IrRef inst, const IrCall *c)
{
	if (!c->n_bundles)
		return;
	text_s(pr->out, " [ ");
	for (u32 i = 0; i < c->n_bundles; i++) {
		const IrBundle *b = &pr->m->bundles.p[c->bundles + i];
		text_s(pr->out, i ? ", " : "");
		irw_string(pr, ir_str(pr->m, b->tag));
		text_c(pr->out, '(');
		for (u32 k = 0; k < b->n; k++) {
			text_s(pr->out, k ? ", " : "");
			irw_typed(pr, ir_op(pr->m, inst, b->first + k));
		}
		text_c(pr->out, ')');
	}
	text_s(pr->out, " ]");
}

/* Starts a continuation line with its indentation. */
static void go_on(Printer *pr, IrRef inst, const char *text)
{
	irw_line(pr, ir_info(pr->m, inst)->origin);
	text_f(pr->out, "          %s", text);
}

static void targets(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	IrRef         block = i->block;
	if (i->op == IR_CALL)
		return;
	go_on(pr, inst, "to label ");
	irw_ref(pr, ir_succ(pr->m, block, 0));
	if (i->op == IR_INVOKE) {
		text_s(pr->out, " unwind label ");
		irw_ref(pr, ir_succ(pr->m, block, 1));
		return;
	}
	text_s(pr->out, " [");
	for (u32 k = 1, n = ir_n_succs(pr->m, block); k < n; k++) {
		text_s(pr->out, k > 1 ? ", label " : "label ");
		irw_ref(pr, ir_succ(pr->m, block, k));
	}
	text_c(pr->out, ']');
}

/* `older`: the form of the call in an older version, or NULL. */
static void arguments(Printer *pr, IrRef inst, u32 n, const IrwOlderCall *older)
{
	i64 number;
	for (u32 k = 0; k < n; k++) {
		IrRef   a = ir_call_arg(pr->m, inst, k);
		IrAttrs attrs = ir_call_param_attrs(pr->m, inst, k);
		text_s(pr->out, k ? ", " : "");
		if (older && k == older->at) {
			irw_older_argument(pr, inst, older);
			text_s(pr->out, ", ");
		}
		irw_type(pr, ir_type_of(pr->m, a));
		irw_attrs(pr, older && older->at == k + 1 ? ir_attrs_without(pr->m, attrs, IRA_ALIGN) : attrs, false);
		text_c(pr->out, ' ');
		if (older && older->at == IRW_NEGATED && k + 1 == n && ir_as_sint(pr->m, a, &number))
			text_f(pr->out, "%lld", -(long long)number);
		else
			irw_ref(pr, a);
	}
}

static void call(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	const IrCall *c = ir_call(pr->m, inst);
	IrRef         callee = ir_callee(pr->m, inst);
	u32           space = ir_type(pr->m, ir_type_of(pr->m, callee))->bits;
	irw_cc(pr, c->cc);
	irw_attrs(pr, c->ret, false);
	if (ir_kind(callee) != IR_ASM && (space || pr->m->layout.program_space))
		text_f(pr->out, " addrspace(%u)", space);
	text_c(pr->out, ' ');
	irw_type(pr, ir_type(pr->m, c->type)->vararg ? c->type : ir_func_ret(pr->m, c->type));
	text_c(pr->out, ' ');
	irw_ref(pr, callee);
	text_c(pr->out, '(');
	arguments(pr, inst, c->n_args, irw_older_call(pr->m, callee));
	if (i->sub == IRTAIL_MUSTTAIL && ir_type(pr->m, c->type)->vararg)
		text_s(pr->out, c->n_args ? ", ..." : "...");
	text_c(pr->out, ')');
	irw_group(pr, c->fn);
	bundles(pr, inst, c);
	targets(pr, inst);
}

static void br(Printer *pr, IrRef inst) { operands(pr, inst, 0, " "); }

static void switch_inst(Printer *pr, IrRef inst)
{
	text_c(pr->out, ' ');
	irw_typed(pr, ir_op(pr->m, inst, 0));
	text_s(pr->out, ", ");
	irw_typed(pr, ir_op(pr->m, inst, 1));
	text_s(pr->out, " [");
	for (u32 i = 2; i < ir_n_ops(pr->m, inst); i += 2) {
		irw_line(pr, ir_info(pr->m, inst)->origin);
		text_s(pr->out, "    ");
		irw_typed(pr, ir_op(pr->m, inst, i));
		text_s(pr->out, ", ");
		irw_typed(pr, ir_op(pr->m, inst, i + 1));
	}
	irw_line(pr, ir_info(pr->m, inst)->origin);
	text_s(pr->out, "  ]");
}

static void landingpad(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	text_c(pr->out, ' ');
	irw_type(pr, i->type);
	if (i->flags & IRF_CLEANUP)
		go_on(pr, inst, "cleanup");
	for (u32 k = 0; k < i->n_ops; k++) {
		go_on(pr, inst, ir_list(pr->m, i->aux)[k] ? "filter " : "catch ");
		irw_typed(pr, ir_op(pr->m, inst, k));
	}
}

static void unwind_target(Printer *pr, IrRef block)
{
	text_s(pr->out, " unwind ");
	if (block.i)
		irw_typed(pr, block);
	else
		text_s(pr->out, "to caller");
}

static void funclet_inst(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	text_s(pr->out, i->op == IR_CATCHRET || i->op == IR_CLEANUPRET ? " from " : " within ");
	irw_ref(pr, ir_op(pr->m, inst, 0));
	if (i->op == IR_CATCHRET) {
		operands(pr, inst, 1, " to ");
	} else if (i->op == IR_CLEANUPRET) {
		unwind_target(pr, ir_pad_unwind(pr->m, inst));
	} else {
		text_s(pr->out, " [");
		operands(pr, inst, i->op == IR_CATCHSWITCH ? 1 + i->sub : 1, "");
		text_c(pr->out, ']');
		if (i->op == IR_CATCHSWITCH)
			unwind_target(pr, ir_pad_unwind(pr->m, inst));
	}
}

static void by_form(Printer *pr, IrRef inst)
{
	const IrInst *i = ir_inst(pr->m, inst);
	switch ((IrForm)ir_op_info[i->op].form) {
	case IRFORM_BIN: same_typed(pr, inst); break;
	case IRFORM_CMP:
		text_f(pr->out, " %s", ir_pred_name[i->sub]);
		same_typed(pr, inst);
		break;
	case IRFORM_CAST:
		operands(pr, inst, 0, " ");
		text_s(pr->out, " to ");
		irw_type(pr, i->type);
		break;
	case IRFORM_PHI: phi(pr, inst); break;
	case IRFORM_VECTOR: vector(pr, inst); break;
	case IRFORM_AGG: aggregate(pr, inst); break;
	case IRFORM_GEP:
		text_c(pr->out, ' ');
		irw_type(pr, i->elem);
		operands(pr, inst, 0, ", ");
		break;
	case IRFORM_ALLOCA: alloca_inst(pr, inst); break;
	case IRFORM_LOAD:
	case IRFORM_STORE:
	case IRFORM_CMPXCHG:
	case IRFORM_RMW: memory(pr, inst); break;
	case IRFORM_FENCE: atomic(pr, inst); break;
	case IRFORM_CALL: call(pr, inst); break;
	case IRFORM_VAARG:
		operands(pr, inst, 0, " ");
		text_s(pr->out, ", ");
		irw_type(pr, i->type);
		break;
	case IRFORM_RET:
		if (i->n_ops)
			operands(pr, inst, 0, " ");
		else
			text_s(pr->out, " void");
		break;
	case IRFORM_BR: br(pr, inst); break;
	case IRFORM_SWITCH: switch_inst(pr, inst); break;
	case IRFORM_INDBR:
		text_c(pr->out, ' ');
		irw_typed(pr, ir_op(pr->m, inst, 0));
		text_s(pr->out, ", [");
		operands(pr, inst, 1, "");
		text_c(pr->out, ']');
		break;
	case IRFORM_PAD: landingpad(pr, inst); break;
	case IRFORM_EHPAD: funclet_inst(pr, inst); break;
	default: operands(pr, inst, 0, " ");
	}
}

void irw_inst(Printer *pr, IrRef inst)
{
	static const char *const tails[] = {"", "tail ", "musttail ", "notail "};
	const IrInst            *i = ir_inst(pr->m, inst);
	text_s(pr->out, "  ");
	if (i->type.i != IR_TY_VOID) {
		irw_ref(pr, inst);
		text_s(pr->out, " = ");
	}
	if (i->op == IR_CALL)
		text_s(pr->out, tails[i->sub]);
	if (ir_op_is_cast(i->op))
		text_s(pr->out, irw_cast_name(pr->m, i->op, ir_type_of(pr->m, ir_op(pr->m, inst, 0)), i->type));
	else
		text_s(pr->out, ir_op_info[i->op].name);
	irw_flags(pr, i->op, i->flags);
	by_form(pr, inst);
	irw_attachments(pr, ir_info(pr->m, inst)->md, ir_info(pr->m, inst)->dbg, ", ");
}

void ir_print_inst(Text *out, IrModule *m, IrRef inst)
{
	Printer pr = {.out = out, .m = m};
	irw_inst(&pr, inst);
}
