/* abi.c: sizes, alignments and widths of parameters and results in .param space, see abi.h. */
#include "mir/abi.h"

enum { MAX_ALIGN = 128 };

static u32 scalar_bits(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	switch (r->kind) {
	case IRT_INT: return r->bits <= 64 ? r->bits : 0;
	case IRT_FLOAT: return 32;
	case IRT_DOUBLE: return 64;
	case IRT_PTR: return ir_ptr_bits(m, r->bits);
	default: return 0;
	}
}

/* A power of two of at least `least` that holds `bits`. */
static u32 widen(u32 bits, u32 least)
{
	u32 w = least;
	while (w < bits)
		w *= 2;
	return w;
}

static MirParam param_of(const IrModule *m, IrType t, u32 least_bits)
{
	u32 bits = scalar_bits(m, t);
	if (ir_type_kind(m, t) == IRT_VOID)
		return (MirParam){.type = t, .is_void = true};
	if (bits) {
		bits = widen(bits, least_bits);
		return (MirParam){.size = bits / 8, .align = bits / 8, .bits = bits, .type = t};
	}
	return (MirParam){.size = ir_alloc_size(m, t), .align = PS_MIN(ir_abi_align(m, t), (u32)MAX_ALIGN), .type = t};
}

static u32 least_byval_align(const IrModule *m, bool kernel)
{
	return !kernel && knob_bool(m->s, KNOB_nvptx_force_min_byval_param_align) ? 4 : 1;
}

static u32 least_bits(bool kernel) { return kernel ? 8 : 32; }

static u32 attr_align(const IrAttr *a) { return a ? (u32)a->a : 0; }

MirParam mir_abi_param(const IrModule *m, const IrFunc *f, u32 arg)
{
	bool     kernel = ir_is_kernel(f);
	IrType   byval = ir_param_byval(m, f, arg);
	IrType   t = byval.i ? byval : ir_arg(m, ir_func_arg(f, arg))->type;
	MirParam p = param_of(m, t, least_bits(kernel));
	if (byval.i) {
		u32 given = ir_param_align(m, f, arg);
		p.byval = true;
		p.bits = 0;
		p.size = ir_alloc_size(m, byval);
		p.align = PS_MAX(PS_MAX(given, least_byval_align(m, kernel)), PS_MIN(ir_abi_align(m, byval), (u32)MAX_ALIGN));
	}
	if (p.bits)
		return p;
	u32 stack = attr_align(ir_param_attr(m, f, arg, IRA_ALIGNSTACK));
	if (ir_all_callers_seen(m, f) && !kernel)
		p.align = PS_MAX(p.align, (u32)IR_PRIVATE_PARAM_ALIGN);
	if (stack)
		p.align = PS_MAX(stack, byval.i ? p.align : 0);
	return p;
}

MirParam mir_abi_ret(const IrModule *m, const IrFunc *f)
{
	MirParam p = param_of(m, ir_func_ret(m, ir_global(m, f->ref)->type), least_bits(false));
	if (p.bits || p.is_void)
		return p;
	u32 stack = attr_align(ir_attrs_find(m, f->ret, IRA_ALIGNSTACK));
	if (ir_all_callers_seen(m, f))
		p.align = PS_MAX(p.align, (u32)IR_PRIVATE_PARAM_ALIGN);
	if (stack)
		p.align = stack;
	return p;
}

/* A callee whose own declaration decides: same type as the call's. */
static IrFunc *known_callee(const IrModule *m, IrRef call)
{
	IrFunc *f = ir_called(m, call);
	return f && ir_type_same(ir_global(m, f->ref)->type, ir_call(m, call)->type) ? f : NULL;
}

/* !callalign of a call: number of the parameter (0 the result) << 16 | bytes. */
static u32 call_align(const IrModule *m, IrRef call, u32 number)
{
	IrMd node = ir_attached(m, call, "callalign");
	if (!node.i)
		return 0;
	for (u32 i = 0; i < ir_md(m, node)->n; i++) {
		IrMd op = ir_md_op(m, node, i);
		u64  v;
		if (op.i && ir_md(m, op)->kind == IRMD_VALUE && ir_as_int(m, ir_md(m, op)->value, &v) && v >> 16 == number)
			return (u32)(v & 0xFFFF);
	}
	return 0;
}

MirParam mir_abi_call_param(const IrModule *m, IrRef call, u32 arg)
{
	IrFunc *f = known_callee(m, call);
	if (f && arg < f->n_args)
		return mir_abi_param(m, f, arg);
	const IrAttr *byval = ir_call_param_attr(m, call, arg, IRA_BYVAL);
	IrType        t = byval ? byval->type : ir_type_of(m, ir_call_arg(m, call, arg));
	MirParam      p = param_of(m, t, least_bits(false));
	u32           noted = call_align(m, call, arg + 1);
	if (byval) {
		p.byval = true;
		p.bits = 0;
		p.size = ir_alloc_size(m, t);
		u32 given = attr_align(ir_call_param_attr(m, call, arg, IRA_ALIGN));
		p.align = PS_MAX(PS_MAX(given, least_byval_align(m, false)), PS_MIN(ir_abi_align(m, t), (u32)MAX_ALIGN));
	}
	u32 stack = attr_align(ir_call_param_attr(m, call, arg, IRA_ALIGNSTACK));
	if (!p.bits && (stack || noted))
		p.align = PS_MAX(stack, noted);
	return p;
}

MirParam mir_abi_call_ret(const IrModule *m, IrRef call)
{
	IrFunc *f = known_callee(m, call);
	if (f)
		return mir_abi_ret(m, f);
	MirParam p = param_of(m, ir_type_of(m, call), least_bits(false));
	u32      noted = call_align(m, call, 0);
	if (!p.bits && !p.is_void && noted)
		p.align = noted;
	return p;
}

static void prototype_param(Text *out, const MirParam *p)
{
	if (p->bits)
		text_f(out, ".param .b%u _", p->bits);
	else
		text_f(out, ".param .align %u .b8 _[%llu]", p->align, (unsigned long long)p->size);
}

void mir_abi_prototype(Text *out, const IrModule *m, IrRef call)
{
	MirParam ret = mir_abi_call_ret(m, call);
	text_c(out, '(');
	if (!ret.is_void)
		prototype_param(out, &ret);
	text_s(out, ret.is_void ? ")_ (" : ") _ (");
	IrType fn = ir_call(m, call)->type;
	for (u32 i = 0; i < ir_func_params(m, fn); i++) {
		MirParam p = mir_abi_call_param(m, call, i);
		text_s(out, i ? ", " : "");
		prototype_param(out, &p);
	}
	if (ir_type(m, fn)->vararg)
		text_s(out, ir_func_params(m, fn) ? ", .param .align 8 .b8 _[]" : ".param .align 8 .b8 _[]");
	text_c(out, ')');
	const Target *t = &m->s->target;
	if (ir_call_fn_attr(m, call, IRA_NORETURN) && ret.is_void && t->ptx >= 64 && t->sm >= 30)
		text_s(out, " .noreturn");
}
