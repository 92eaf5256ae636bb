#include "mirpass/images.h"

#include "ir/ir.h"

enum { MAX_REGS = 16 }; /* along copies and phis, for one handle */

bool mirpass_has_images(const MirFunc *f)
{
	static const u16 ops[] = {ISA_tex_unified, ISA_tex,    ISA_tld4_unified, ISA_tld4,    ISA_txq,    ISA_suq,
	                          ISA_suld_b,      ISA_sust_b, ISA_sust_p,       ISA_sured_b, ISA_sured_p};
	for (u32 k = 0; k < PS_COUNT(ops); k++)
		if (mir_may_have(f, ops[k]))
			return true;
	return false;
}

static bool is_param_load(const IsaDesc *d)
{
	return d->opc.op == ISA_ld && d->opc.slot[SLOT_space] == TOK_space_param && !d->opc.slot[SLOT_vec];
}

static bool is_copy(const IsaDesc *d) { return d->flags & IF_COPY || d->opc.op == ISA_mov || d->opc.op == ISA_TEX_HANDLE; }

typedef struct Walk {
	const MirFunc *f;
	u32            reg[MAX_REGS], n;
	bool           found;
	MirOp          named;
} Walk;

/* false: there are too many */
static bool follow(Walk *w, MirReg r)
{
	for (u32 k = 0; k < w->n; k++)
		if (w->reg[k] == r.i)
			return true;
	if (!mir_is_virt(r) || w->n == MAX_REGS)
		return false;
	w->reg[w->n++] = r.i;
	return true;
}

static ImageHandle reach(Walk *w, const MirOp *o)
{
	if ((o->kind != MO_SYMBOL && o->kind != MO_GLOBAL) || o->imm)
		return HANDLE_OPAQUE;
	if (w->found && (w->named.kind != o->kind || w->named.ref != o->ref))
		return HANDLE_SEVERAL;
	w->found = true;
	w->named = *o;
	return HANDLE_FOUND;
}

/* One definition of a register on the way. */
static ImageHandle step(Walk *w, MirInstId i)
{
	const IsaDesc *d = mir_desc(w->f, i);
	if (d->opc.slot[SLOT_guard]) /* guarded-params makes such loads of a choice */
		return is_param_load(d) ? HANDLE_SEVERAL : HANDLE_OPAQUE;
	if (d->flags & IF_PHI) {
		for (u32 n = 1; n < mir_inst(w->f, i)->n_ops; n += 2)
			if (!follow(w, mir_op_reg(mir_op(w->f, i, n))))
				return HANDLE_OPAQUE;
		return HANDLE_FOUND;
	}
	const MirOp *o = mir_op(w->f, i, 1);
	if (is_param_load(d)) {
		const MirOp *offset = mir_op(w->f, i, 2);
		return o->kind == MO_SYMBOL && offset->kind == MO_IMM && !offset->imm ? reach(w, o) : HANDLE_OPAQUE;
	}
	if (!is_copy(d))
		return d->opc.op == ISA_selp ? HANDLE_SEVERAL : HANDLE_OPAQUE;
	if (o->kind != MO_REG)
		return reach(w, o);
	return follow(w, mir_op_reg(o)) ? HANDLE_FOUND : HANDLE_OPAQUE;
}

ImageHandle mirpass_image_handle(const MirFunc *f, MirReg r, MirOp *named)
{
	Walk w = {.f = f};
	if (!follow(&w, r))
		return HANDLE_OPAQUE;
	for (u32 k = 0; k < w.n; k++)
		mir_each_def(f, ((MirReg){w.reg[k]}), o) {
			ImageHandle h = step(&w, (MirInstId){o->inst});
			if (h != HANDLE_FOUND)
				return h;
		}
	*named = w.named;
	return w.found ? HANDLE_FOUND : HANDLE_OPAQUE;
}

/* ---- kinds ---- */

static const struct {
	const char *variable, *parameter;
	ImageKind   kind;
} annotations[] = {
	{"texture", "rdoimage", IMAGE_TEXTURE},
	{"sampler", "sampler", IMAGE_SAMPLER},
	{"surface", "rdwrimage", IMAGE_SURFACE},
	{"surface", "wroimage", IMAGE_SURFACE},
};

static bool notes_parameter(const IrModule *m, IrRef func, const char *key, u32 arg)
{
	u64 v;
	for (u32 nth = 0; ir_annotation(m, func, key, nth, &v); nth++)
		if (v == arg)
			return true;
	return false;
}

/* f_param_2 is argument 2; ~0u: it is no parameter of the function. */
static u32 argument_of(const MirFunc *f, const MirOp *named)
{
	const Session *s = f->module->session;
	IrFunc        *of = ir_func(f->module->ir, ir_ref(IR_GLOBAL, f->ir));
	Str            name = strtab_get(&s->strs, (StrId){named->ref}), fn = strtab_get(&s->strs, f->name);
	u32            n = 0, at = fn.n + 7;
	if (!of || name.n <= at || memcmp(name.p, fn.p, fn.n) || memcmp(name.p + fn.n, "_param_", 7))
		return ~0u;
	for (; at < name.n && n < of->n_args; at++)
		n = n * 10 + (u32)(name.p[at] - '0');
	return n < of->n_args ? n : ~0u;
}

ImageKind mirpass_image_kind(const MirFunc *f, const MirOp *named)
{
	const IrModule *m = f->module->ir;
	u64             v;
	if (!m || !f->ir)
		return IMAGE_UNKNOWN;
	if (named->kind == MO_GLOBAL) {
		IrRef g = ir_find_global(m, strtab_get(&f->module->session->strs, (StrId){named->ref}));
		for (u32 k = 0; !ir_is_none(g) && k < PS_COUNT(annotations); k++)
			if (ir_annotation(m, g, annotations[k].variable, 0, &v))
				return annotations[k].kind;
		return IMAGE_NONE;
	}
	u32 arg = argument_of(f, named);
	for (u32 k = 0; arg != ~0u && k < PS_COUNT(annotations); k++)
		if (notes_parameter(m, ir_ref(IR_GLOBAL, f->ir), annotations[k].parameter, arg))
			return annotations[k].kind;
	return IMAGE_UNKNOWN;
}

/* ---- the check ---- */

/* Which of the image operands of its instruction is operand `n`? */
static u32 handle_number(const IsaDesc *d, u32 n)
{
	u32 before = 0;
	for (u32 k = 0; k < n; k++)
		before += d->operand[k].kind == IO_IMAGE;
	return before;
}

static bool takes(const IsaDesc *d, u32 n, ImageKind kind)
{
	if (d->flags & IF_SURFACE)
		return kind == IMAGE_SURFACE;
	if (d->eval == EV_query)
		return kind == IMAGE_TEXTURE || kind == IMAGE_SAMPLER;
	return kind == (handle_number(d, n) ? IMAGE_SAMPLER : IMAGE_TEXTURE);
}

/* As the messages spell it. */
static const char *family(const IsaDesc *d)
{
	switch (d->opc.op) {
	case ISA_suld_b: return ".suld";
	case ISA_sust_b:
	case ISA_sust_p: return ".sust";
	case ISA_sured_b:
	case ISA_sured_p: return ".sured";
	case ISA_suq: return "suq.";
	case ISA_txq: return "txq.";
	default: return ".tex";
	}
}

static bool report_kind(PassCx *cx, const MirFunc *f, MirInstId i, u32 n, ImageKind kind)
{
	static const char *const is[] = {"", "", "a texture", "a sampler", "a surface"};
	const IsaDesc           *d = mir_desc(f, i);
	const char              *wants = d->flags & IF_SURFACE ? "a surface" : handle_number(d, n) ? "a sampler" : "a texture";
	Diags                   *diags = &cx->s->diags;
	Diag                    *diag = diag_report(diags, DIAG_IMAGE_TYPE, src_at(mir_inst(f, i)->origin, 1), family(d));
	diag_hint(diags, diag, "this is %s, where %.*s takes %s", is[kind], STR_ARG(d->mnemonic), wants);
	return false;
}

bool mirpass_image_check(PassCx *cx, const MirFunc *f, MirInstId i, u32 n)
{
	MirOp named = *mir_op(f, i, n);
	if (named.kind == MO_REG && mirpass_image_handle(f, mir_op_reg(&named), &named) != HANDLE_FOUND)
		return true;
	ImageKind kind = mirpass_image_kind(f, &named);
	if (kind == IMAGE_UNKNOWN || takes(mir_desc(f, i), n, kind))
		return true;
	if (kind != IMAGE_NONE)
		return report_kind(cx, f, i, n, kind);
	Diags *diags = &cx->s->diags;
	Diag  *diag = diag_report(diags, DIAG_IMAGE_HANDLE, src_at(mir_inst(f, i)->origin, 1));
	diag_hint(diags, diag, "'%.*s' is no texture, sampler or surface: !nvvm.annotations says which variables are",
	          STR_ARG(strtab_get(&cx->s->strs, (StrId){named.ref})));
	return false;
}
