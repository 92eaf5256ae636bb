/* outline.c: the stubs of machine-outliner, and calls of them. A stub is a .func with an IR function of internal linkage as its
 * signature, as every function has one; parameters and result lie as mir/abi.h says: scalars of 32 and 64 bits. */
#include "ir/builder.h"
#include "ir/ir.h"
#include "mirpass/outliner.h"

static IrType ir_type_of_class(MirClass c)
{
	switch (c) {
	case MIR_B32: return IR_TYPE(I32);
	case MIR_B64: return IR_TYPE(I64);
	case MIR_F32: return IR_TYPE(FLOAT);
	default: return IR_TYPE(DOUBLE);
	}
}

static MirClass class_of(const OutlineStub *s, u32 number) { return mir_class(s->like.f, (MirReg){s->names.reg[number]}); }

/* ---- accesses of parameters ---- */

static MirInstId param_access(const PassCx *cx, MirFunc *f, MirBlockId b, MirInstId before, bool store, MirReg r, StrId symbol)
{
	const IsaClassInfo *c = &isa_class_info[mir_class(f, r)];
	PtxOpc              o = store ? ptx_opc(st, PS(space, param)) : ptx_opc(ld, PS(space, param));
	o.slot[SLOT_type] = c->move;
	MirInstId i = mir_build(f, b, before, isa_intern(cx->s, o));
	if (!store)
		mir_add_def(f, i, r);
	mir_add_symbol(f, i, symbol, 0);
	mir_add_imm(f, i, 0);
	if (store)
		mir_add_use(f, i, r);
	mir_add_mem(f, i,
	            (MirMem){.size = c->bits / 8,
	                     .space = AS_PARAM,
	                     .align_log2 = c->bits == 64 ? 3 : 2,
	                     .flags = store ? MMF_STORE : MMF_LOAD});
	return i;
}

static StrId symbol(const PassCx *cx, const char *fmt, Str stem, u32 n)
{
	return strtab_add(&cx->s->strs, arena_fmt(cx->scratch, fmt, STR_ARG(stem), n));
}

/* ---- the stub ---- */

static IrFunc *make_signature(OutlineStub *s, u32 *number)
{
	IrModule *m = s->cx->ir;
	IrType    param[OUTLINE_MOST_INPUTS];
	IrType    result = s->out == OUTLINE_NONE ? IR_TYPE(VOID) : ir_type_of_class(class_of(s, s->out));
	Str       name;
	for (u32 k = 0; k < s->names.n_in; k++)
		param[k] = ir_type_of_class(class_of(s, s->names.in[k]));
	do
		name = arena_fmt(s->cx->scratch, "OUTLINED_FUNCTION_%u", (*number)++);
	while (!ir_is_none(ir_find_global(m, name)));
	IrFunc   *f = ir_func_new(m, name, ir_func_type(m, result, param, s->names.n_in, false), IRL_INTERNAL);
	IrBuilder b = ir_build_end(m, ir_block_new(m, f, STR("")));
	ir_b_ret(&b, s->out == OUTLINE_NONE ? IR_NO_REF : ir_const_poison(m, result));
	s->name = ir_global(m, f->ref)->name;
	return f;
}

static u32 number_of(const OutlineNames *n, u32 reg)
{
	u32 k = 0;
	while (n->reg[k] != reg)
		k++;
	return k;
}

static void copy_instruction(const OutlineStub *s, MirFunc *f, MirBlockId b, MirInstId i, const MirReg *reg)
{
	const MirFunc *from = s->like.f;
	const MirInst *mi = mir_inst(from, i);
	MirInstId      c = mir_build(f, b, (MirInstId){0}, mi->desc);
	mir_inst(f, c)->flags = mi->flags;
	mir_inst(f, c)->origin = mi->origin;
	mir_inst(f, c)->extra = mi->extra;
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(from, i, n);
		if (o->kind == MO_REG)
			mir_add_reg(f, c, reg[number_of(&s->names, o->ref)], o->flags & (MOF_DEF | MOF_NOT | MOF_EARLY_CLOBBER));
		else
			mir_add_op(f, c, *o);
	}
	if (mi->mem) {
		MirMem m = *mir_mem(from, i);
		m.value = 0, m.offset = 0;
		mir_add_mem(f, c, m);
	}
}

void outline_make_stub(OutlineStub *s, u32 *number)
{
	PassCx    *cx = s->cx;
	IrFunc    *ir = make_signature(s, number);
	MirFunc   *f = mir_func_new(cx->mir, s->name, ir_index(ir->ref));
	MirBlockId b = mir_block_new(f, (StrId){0}, ~0u);
	Str        name = strtab_get(&cx->s->strs, s->name);
	MirReg     reg[OUTLINE_MOST_REGS];
	u32        origin = mir_inst(s->like.f, s->like.first)->origin;
	f->props = MP_NO_PHIS | MP_ALLOCATED | MP_REDUCIBLE;
	f->origin = origin;
	for (u32 k = 0; k < s->names.n; k++)
		reg[k] = mir_reg_new(f, class_of(s, k));
	for (u32 k = 0; k < s->names.n_in; k++) {
		StrId     param = symbol(cx, "%.*s_param_%u", name, k);
		MirInstId i = param_access(cx, f, b, (MirInstId){0}, false, reg[s->names.in[k]], param);
		mir_mem(f, i)->flags |= MMF_INVARIANT | MMF_DEREFERENCEABLE;
	}
	MirInstId at = s->like.first;
	for (u32 k = 0; k < s->length; k++, at = mir_next(s->like.f, at))
		copy_instruction(s, f, b, at, reg);
	if (s->out != OUTLINE_NONE)
		param_access(cx, f, b, (MirInstId){0}, true, reg[s->out], strtab_add(&cx->s->strs, STR("func_retval0")));
	mir_build(f, b, (MirInstId){0}, isa_intern(cx->s, ptx_opc(ret)));
	f->origin = 0;
}

/* ---- a call ---- */

static void declare(OutlinePlace at, StrId name, MirReg r)
{
	MirInstId i = mir_build(at.f, (MirBlockId){mir_inst(at.f, at.first)->block}, at.first, ISA_DeclareParam);
	mir_add_symbol(at.f, i, name, 0);
	mir_add_imm(at.f, i, 0);
	mir_add_imm(at.f, i, isa_class_info[mir_class(at.f, r)].bits);
}

static void bracket(OutlinePlace at, u32 desc, u32 callseq)
{
	MirInstId i = mir_build(at.f, (MirBlockId){mir_inst(at.f, at.first)->block}, at.first, desc);
	mir_add_imm(at.f, i, callseq);
	mir_add_imm(at.f, i, 0);
}

void outline_call(const OutlineStub *s, OutlinePlace at, const OutlineNames *names, u32 callseq)
{
	PassCx    *cx = s->cx;
	MirFunc   *f = at.f;
	MirBlockId b = {mir_inst(f, at.first)->block};
	bool       result = s->out != OUTLINE_NONE;
	StrId      retval = strtab_add(&cx->s->strs, STR("retval0"));
	PtxOpc     call = {.op = ISA_call};
	call.slot[SLOT_flag] = TOK_flag_uni;
	f->origin = mir_inst(f, at.first)->origin;
	f->dbg = mir_inst(f, at.first)->dbg;
	bracket(at, ISA_Callseq_Start, callseq);
	for (u32 k = 0; k < names->n_in; k++)
		declare(at, symbol(cx, "%.*s%u", STR("param"), k), (MirReg){names->reg[names->in[k]]});
	if (result)
		declare(at, retval, (MirReg){names->reg[s->out]});
	for (u32 k = 0; k < names->n_in; k++)
		param_access(cx, f, b, at.first, true, (MirReg){names->reg[names->in[k]]}, symbol(cx, "%.*s%u", STR("param"), k));
	MirInstId i = mir_build(f, b, at.first, isa_intern(cx->s, call));
	mir_inst(f, i)->flags |= MIF_NO_DUP | MIF_SIDE_EFFECT;
	mir_add_global(f, i, s->name, 0);
	mir_add_imm(f, i, result);
	mir_add_imm(f, i, names->n_in);
	if (result)
		param_access(cx, f, b, at.first, false, (MirReg){names->reg[s->out]}, retval);
	bracket(at, ISA_Callseq_End, callseq);
	f->origin = f->dbg = 0;
	for (u32 k = 0; k < s->length; k++) {
		MirInstId gone = at.first;
		at.first = mir_next(f, gone);
		mir_erase(f, gone);
	}
}
