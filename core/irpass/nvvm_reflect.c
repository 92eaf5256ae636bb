/* nvvm-reflect: replaces calls of __nvvm_reflect by constants that describe the target.
 *
 *   %v = call i32 @__nvvm_reflect(ptr @.str)      ("__CUDA_ARCH")       →   900 for sm_90
 *
 * Bitcode libraries call __nvvm_reflect("NAME") to choose code for the target. __CUDA_ARCH is ten times the sm number;
 * __CUDA_FTZ, __CUDA_PREC_DIV and __CUDA_PREC_SQRT say how 32-bit floats are computed, by the options -nvptx-f32ftz,
 * -nvptx-prec-divf32 and -nvptx-prec-sqrtf32 or the module flags nvvm-reflect-ftz and nvvm-reflect-prec-sqrt; any other
 * name is 0. -nvvm-reflect-add=NAME=NUMBER gives other answers. Then branches on the result are folded, also at -O0, because the
 * code not chosen need not be valid for the target. Linear in the calls and the instructions that depend on them. */
#include "analysis/fold.h"
#include "ir/builder.h"
#include "irpass/util.h"

/* The text of the constant C string that `v` points to; empty if it is none. */
static Str constant_string(const IrModule *m, IrRef v)
{
	for (u32 op; (op = value_op(m, v)) == IR_GETELEMENTPTR || op == IR_BITCAST || op == IR_ADDRSPACECAST;) {
		i64 offset = 0;
		if (op == IR_GETELEMENTPTR && (!ir_gep_offset(m, v, &offset) || offset))
			return (Str){0};
		v = value_operand(m, v, 0);
	}
	if (ir_kind(v) != IR_GLOBAL || ir_is_none(ir_global_init(m, v)))
		return (Str){0};
	IrRef init = ir_global_init(m, v);
	if (ir_kind(init) != IR_CONST || ir_const(m, init)->kind != IRC_DATA)
		return (Str){0};
	Str s = ir_str(m, ir_const(m, init)->data);
	while (s.n && s.p[s.n - 1] == 0)
		s.n--;
	return s;
}

/* The integer of a module flag; -1: there is none. */
static i64 module_flag(const IrModule *m, const char *name)
{
	const IrNamedMd *flags = ir_named_md(m, "llvm.module.flags");
	for (u32 i = 0; flags && i < flags->n; i++) {
		IrMd node = {m->md_ops.p[flags->first + i]};
		if (ir_md(m, node)->n < 3)
			continue;
		const IrMdNode *key = ir_md(m, ir_md_op(m, node, 1)), *value = ir_md(m, ir_md_op(m, node, 2));
		u64             v;
		if (key->kind == IRMD_STRING && str_is(ir_str(m, key->text), name) && value->kind == IRMD_VALUE &&
		    ir_as_int(m, value->value, &v))
			return (i64)v;
	}
	return -1;
}

/* Options of the command line win over module flags, and these over CUDA's defaults: no flushing, rounded division and square
 * root. */
static u64 answer(PassCx *cx, Str question)
{
	const Session *s = cx->s;
	bool           fast = knob_bool(s, KNOB_enable_unsafe_fp_math);
	i64            given;
	if (knob_number_of(s, KNOB_nvvm_reflect_add, question, &given))
		return (u64)given;
	if (str_is(question, "__CUDA_ARCH"))
		return s->target.sm * 10;
	if (str_is(question, "__CUDA_FTZ")) {
		i64  flag = module_flag(cx->ir, "nvvm-reflect-ftz");
		bool flushes = knob_bool(s, KNOB_nvptx_f32ftz) || knob_int(s, KNOB_denormal_fp_math_f32) == 1;
		return s->knobs.set[KNOB_nvptx_f32ftz] || flag < 0 ? flushes : (u64)flag;
	}
	if (str_is(question, "__CUDA_PREC_DIV")) {
		i64 div = knob_int(s, KNOB_nvptx_prec_divf32);
		return div < 0 ? !fast : div >= 2;
	}
	if (str_is(question, "__CUDA_PREC_SQRT")) {
		i64 set = knob_int(s, KNOB_nvptx_prec_sqrtf32), flag = module_flag(cx->ir, "nvvm-reflect-prec-sqrt");
		return set != KNOB_AS_WRITTEN ? set != 0 : flag >= 0 ? (u64)flag : !fast;
	}
	return 0;
}

/* Folds the instructions that depend on the constant, and the branches on them. */
static void spread(PassCx *cx, IrRef call, IrRef value)
{
	IrModule *m = cx->ir;
	VecU32    work = {0};
	ir_each_use(m, call, u)
		vec_push(cx->scratch, &work, ir_use(m, u)->user.i);
	ir_replace_all_uses(m, call, value);
	ir_remove(m, call);
	for (u32 at = 0; at < work.n; at++) {
		IrRef i = {work.p[at]};
		if (ir_kind(i) != IR_INST || ir_is_none(ir_inst(m, i)->block) || fold_terminator(m, i))
			continue;
		IrRef v = ir_fold(m, i);
		if (ir_is_none(v) || ir_same(v, i))
			continue;
		ir_each_use(m, i, u)
			vec_push(cx->scratch, &work, ir_use(m, u)->user.i);
		ir_replace_all_uses(m, i, v);
		remove_if_dead(cx, i);
	}
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) calls = {0};
	if (!knob_bool(cx->s, KNOB_nvvm_reflect_enable))
		return false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(CALL))
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_CALL)
				continue;
			Str name = callee_name(m, i);
			if (str_is(name, "__nvvm_reflect") || str_is(name, "__nvvm_reflect_ocl") ||
			    calls_family(m, i, IRFAM_REFLECT))
				vec_push(cx->scratch, &calls, i);
		}
	for (u32 i = 0; i < calls.n; i++) {
		Str question = constant_string(m, ir_call_arg(m, calls.p[i], 0));
		if (!question.n) {
			diag_report(&cx->s->diags, DIAG_REFLECT_UNKNOWN, src_at(ir_info(m, calls.p[i])->origin, 1));
			continue;
		}
		u64 v = answer(cx, question);
		pass_remark(cx, REMARK_PASSED, ir_info(m, calls.p[i])->origin, "%.*s is %llu", STR_ARG(question),
		            (unsigned long long)v);
		spread(cx, calls.p[i], ir_const_int(m, ir_inst(m, calls.p[i])->type, v));
	}
	return calls.n != 0;
}

static const Knob knobs[] = {
	KNOB_nvptx_f32ftz,          KNOB_denormal_fp_math_f32, KNOB_nvptx_prec_divf32, KNOB_nvptx_prec_sqrtf32,
	KNOB_enable_unsafe_fp_math, KNOB_nvvm_reflect_enable,  KNOB_nvvm_reflect_add,  KNOB_NONE};

const Pass irpass_nvvm_reflect = {
	.id = "nvvm-reflect",
	.title = "Replace occurrences of __nvvm_reflect() calls with 0/1",
	.summary = "Evaluates __nvvm_reflect for the target and folds the branches that depend on it.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = 0,
	.looks_for = IR_OPS(CALL),
	.knobs = knobs,
	.flags = PF_ANY_SIZE | PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
