/* from_mir.c: machine IR to machine code, at any stage: in SSA with phis, copies and frame objects, or as
 * it is printed. Variables and functions come from the IR module; parameters lie as mir/abi.h says. */
#include "simt/builtin.h"
#include "simt/inline_ptx.h"
#include "simt/ir_decode.h"

#include "mir/abi.h"
#include "mir/frame.h"
#include "mir/mir.h"
#include "sem/float.h"

typedef struct Reg {
	i32 row;
	u32 bits;
} Reg;

typedef struct Decoder {
	SimtProgram  *p;
	MirModule    *m;
	Session      *s;
	MirFunc      *f;
	SimtEmit      e;
	Ird           ir;
	Reg          *reg; /* by virtual register */
	Reg           phys[MIR_PHYS_COUNT];
	u32          *block_of;   /* by block id */
	Map           local;      /* name → frame offset */
	Map           params;     /* kernel: name → offset in parameter memory */
	u32          *object;     /* frame object → frame offset */
	u64           frame;      /* bytes so far */
	u32           depot;      /* where it begins */
	u32           frame_base; /* what the frame registers hold: where it begins, or ends where it grows downward */
	i32           carry;
	const VecU32 *lines; /* by instruction: its line; NULL: that of the input */
	u32           at;    /* instructions so far */
	bool          is_kernel, failed;
} Decoder;

static Str text_of(const Decoder *d, u32 id) { return strtab_get(&d->s->strs, (StrId){id}); }

static void unsupported(Decoder *d, MirInstId i, const char *what)
{
	Text t;
	text_init(&t, d->p->arena);
	text_s(&t, what);
	mir_print_inst(&t, d->f, i);
	emit_unsupported(&d->e, text_str(&t));
}

/* ---- functions' outsides */

static Str fmt_name(Decoder *d, Str f, const char *what, u32 i, bool numbered)
{
	return numbered ? arena_fmt(d->p->arena, "%.*s%s%u", STR_ARG(f), what, i)
	                : arena_fmt(d->p->arena, "%.*s%s", STR_ARG(f), what);
}

static void name_place(Decoder *d, Map *map, Str name, u64 place) { map_set(map, strtab_add(&d->s->strs, name).i, place); }

static void declare(Decoder *d, MirFunc *f)
{
	IrModule *m = d->m->ir;
	Str       name = text_of(d, f->name.i);
	IrFunc   *fn = ir_func(m, ir_find_global(m, name));
	u32       at = simt_func_find(d->p, name);
	u64       end = 0;
	if (at == ~0u || !fn)
		return;
	SimtFunc *sf = &d->p->func.p[at];
	sf->is_kernel = f->is_kernel;
	ird_cluster(&d->ir, fn, sf);
	sf->by_memory = !f->is_kernel;
	for (u32 i = 0; i < fn->n_args; i++) {
		MirParam p = mir_abi_param(m, fn, i);
		end = size_align(end, PS_MAX(p.align, 1u));
		vec_push(d->p->arena, &sf->arg, ((SimtParam){size_u32(end), size_u32(p.size), p.align, NO_REG, 0, false}));
		end = size_add(end, p.size);
	}
	sf->param_size = end;
	MirParam r = mir_abi_ret(m, fn);
	if (!r.is_void && !f->is_kernel) {
		end = size_align(end, PS_MAX(r.align, 1u));
		vec_push(d->p->arena, &sf->ret, ((SimtParam){size_u32(end), size_u32(r.size), r.align, NO_REG, 0, false}));
		end = size_add(end, r.size);
	}
	sf->local = size_u32(end);
}

static void frame_register(Decoder *d, Reg r, u32 at, bool generic)
{
	SimtInsn *in = emit_insn(&d->e, S_FRAME);
	in->d = r.row, in->rows = (u8)rows_of(r.bits), in->z = at, in->x = generic;
}

/* Behind prologepilog the objects have their offsets; before it they lie one behind the other, those of the local block
 * (localstackalloc) at their offsets in it. */
static void place_objects(Decoder *d, MirFunc *f, SimtFunc *sf)
{
	u64 block = 0, block_size = 0;
	d->frame = sf->is_kernel ? 0 : sf->local;
	sf->local_align = 16;
	for (u32 i = 0; i < f->frame.n; i++) {
		const MirFrameObj *o = &f->frame.p[i];
		sf->local_align = PS_MAX(sf->local_align, 1u << o->align_log2);
		if (o->local_offset)
			block_size = PS_MAX(block_size, o->local_offset - 1 + o->size);
	}
	d->frame = size_align(d->frame, sf->local_align);
	block = d->depot = size_u32(d->frame);
	d->frame_base = size_u32(size_add(d->frame, mir_frame_grows_down(f) ? f->frame_size : 0));
	d->object = arena_array(d->p->arena, u32, f->frame.n + 1);
	d->frame = size_add(d->frame, f->props & MP_ALLOCATED ? f->frame_size : block_size);
	for (u32 i = 0; i < f->frame.n; i++) {
		const MirFrameObj *o = &f->frame.p[i];
		if (f->props & MP_ALLOCATED)
			d->object[i] = d->frame_base + (u32)o->offset;
		else if (o->local_offset)
			d->object[i] = size_u32(block + o->local_offset - 1);
		if (f->props & MP_ALLOCATED || o->local_offset || o->is_dead)
			continue;
		d->frame = size_align(d->frame, (u64)1 << o->align_log2);
		d->object[i] = size_u32(d->frame);
		d->frame = size_add(d->frame, o->size);
	}
	sf->local = size_u32(d->frame);
}

static bool begin(Decoder *d, MirFunc *f)
{
	Str name = text_of(d, f->name.i);
	u32 func = simt_func_find(d->p, name);
	if (func == ~0u) {
		Str text = arena_fmt(d->p->arena, "'%.*s', which the module of IR does not declare", STR_ARG(name));
		diag_report(&d->s->diags, DIAG_SIMT_UNSUPPORTED, src_at(0, 0), (int)text.n, text.p);
		d->failed = true;
		return false;
	}
	SimtFunc *sf = &d->p->func.p[func];
	d->f = f;
	d->is_kernel = sf->is_kernel;
	emit_begin(&d->e, d->p, func);
	map_clear(&d->local);
	map_clear(&d->params);
	for (u32 i = 0; i < sf->arg.n; i++)
		name_place(d, sf->is_kernel ? &d->params : &d->local, fmt_name(d, name, "_param_", i, true),
		           simt_extent(sf->arg.p[i].offset, sf->arg.p[i].size));
	if (sf->ret.n) {
		name_place(d, &d->local, STR("func_retval0"), simt_extent(sf->ret.p[0].offset, sf->ret.p[0].size));
		name_place(d, &d->local, fmt_name(d, name, "_retval0", 0, false),
		           simt_extent(sf->ret.p[0].offset, sf->ret.p[0].size));
	}
	place_objects(d, f, sf);
	d->reg = arena_array(d->p->arena, Reg, mir_vregs(f) + 1);
	for (u32 r = 1; r < mir_vregs(f); r++) {
		u32 bits = isa_class_info[mir_class(f, (MirReg){r})].bits;
		d->reg[r] = (Reg){emit_reg(&d->e, bits), bits};
	}
	for (u32 i = 0; i < MIR_PHYS_COUNT; i++)
		d->phys[i] = (Reg){emit_reg(&d->e, 64), d->p->is64 ? 64 : 32};
	/* Between frame layout and the pass that writes the prologue, the frame registers are just there. */
	d->e.fresh = false;
	frame_register(d, d->phys[MIR_PHYS_SP], d->frame_base, true);
	frame_register(d, d->phys[MIR_PHYS_SPL], d->frame_base, false);
	frame_register(d, d->phys[MIR_PHYS_DEPOT], d->depot, false);
	d->carry = emit_reg(&d->e, 32);
	return true;
}

static void name_registers(Decoder *d)
{
	SimtFunc *sf = &d->p->func.p[d->e.func];
	for (u32 r = 1; r < mir_vregs(d->f); r++) {
		MirClass c = mir_class(d->f, (MirReg){r});
		u32      type = isa_type(isa_class_info[c].type)->kind;
		char     kind = type == ISA_KIND_PRED ? 'p' : type == ISA_KIND_FLOAT ? 'f' : 'b';
		vec_push(d->p->arena, &sf->reg,
		         ((SimtReg){
				 .id = r, .number = NO_NUMBER, .row = d->reg[r].row, .kind = kind, .bits = (u8)d->reg[r].bits}));
	}
}

/* A variable of a call sequence. */
static u32 sequence_variable(Decoder *d, u32 name, u32 size)
{
	SimtFunc *sf = &d->p->func.p[d->e.func];
	d->frame = size_align(d->frame, 16);
	u32 at = size_u32(d->frame);
	map_set(&d->local, name, simt_extent(at, size));
	d->frame = size_add(d->frame, PS_MAX(size, 16u));
	sf->local = PS_MAX(sf->local, size_u32(d->frame));
	return at;
}

/* ---- operands */

static Reg reg_of(const Decoder *d, MirReg r) { return mir_is_phys(r) ? d->phys[r.i & ~MIR_PHYS_BIT] : d->reg[r.i]; }

static OpArg frame_arg(u64 at, bool generic)
{
	return (OpArg){.kind = ARG_FRAME, .bits = 64, .value = at, .space = generic ? SPACE_GENERIC : SPACE_LOCAL};
}

static OpArg symbol_arg(Decoder *d, MirInstId i, const MirOp *o)
{
	Str   name = text_of(d, o->ref);
	OpArg a = {.kind = ARG_IMM, .bits = 64};
	u64  *at = map_get(&d->local, o->ref);
	bool  generic = (o->flags & MOF_GENERIC) != 0;
	if (at)
		return frame_arg((u32)*at + (u64)o->imm, generic);
	if (str_starts(name, "__local_depot"))
		return frame_arg(d->depot + (u64)o->imm, generic);
	at = map_get(&d->params, o->ref);
	if (at) {
		a.value = (u32)*at + (u64)o->imm;
		a.space = SPACE_PARAM;
		return a;
	}
	IrRef g = ir_find_global(d->m->ir, name);
	if (ir_is_none(g)) {
		unsupported(d, i, "an unknown name: ");
		return a;
	}
	a.value = ird_address(&d->ir, g);
	if (generic && ir_global(d->m->ir, g)->kind == IRG_VAR)
		a.value = simt_generic((u8)ird_space(&d->ir, ir_global(d->m->ir, g)->addrspace), a.value);
	a.shared = ird_rank_terms(&d->ir, g) == 1;
	a.value += (u64)o->imm;
	return a;
}

static OpArg arg_of(Decoder *d, MirInstId i, const MirOp *o)
{
	switch ((MirOpKind)o->kind) {
	case MO_REG: {
		Reg   r = reg_of(d, mir_op_reg(o));
		OpArg a = op_reg(r.row, r.bits);
		if (mir_is_phys(mir_op_reg(o)) && (mir_op_reg(o).i & ~MIR_PHYS_BIT) == MIR_PHYS_NONE)
			a.kind = ARG_NONE;
		a.negated = (o->flags & MOF_NOT) != 0;
		return a;
	}
	case MO_IMM: return op_imm((u64)o->imm);
	case MO_FPIMM:
		if (o->type == MIR_FP32 || o->type == MIR_FP64)
			return (OpArg){
				.kind = ARG_IMM, .is_float = true, .bits = o->type == MIR_FP64 ? 64 : 32, .value = (u64)o->imm};
		return op_imm((u64)o->imm & 0xffff);
	case MO_FRAME: return frame_arg(d->object[o->ref] + (u64)o->imm, true);
	case MO_GLOBAL:
	case MO_SYMBOL: return symbol_arg(d, i, o);
	default: return (OpArg){.kind = ARG_NONE};
	}
}

/* The guard stands behind the results, where the opcode says so. */
static u32 guard_of(const IsaDesc *desc)
{
	for (u32 k = 0; k < desc->n_operands; k++)
		if (desc->operand[k].flags & IOF_GUARD)
			return k;
	return ~0u;
}

/* ---- calls */

static u64 named(const Decoder *d, const char *what, u32 i)
{
	Str   s = arena_fmt(d->p->arena, "%s%u", what, i);
	StrId id = strtab_find(&d->s->strs, s);
	return map_or(&d->local, id.i, 0);
}

static i32 load_local(Decoder *d, u64 at, u32 bits)
{
	i32       r = emit_reg(&d->e, bits);
	SimtInsn *in = emit_insn(&d->e, S_LD);
	in->d = r;
	in->rows = (u8)rows_of(bits);
	in->mem = (SimtMem){SPACE_LOCAL, (u8)(bits / 8), 0, (u8)(SMF_FRAME | (bits == 64 ? SMF_WIDE : 0))};
	in->z = (u32)at;
	return r;
}

/* A pointer or a size, as 64 bits. */
static i32 load_pointer(Decoder *d, u64 at)
{
	i32       r = emit_reg(&d->e, 64);
	SimtInsn *in = emit_insn(&d->e, S_LD);
	in->d = r;
	in->rows = 2;
	in->mem = (SimtMem){SPACE_LOCAL, d->p->is64 ? 8 : 4, 0, SMF_FRAME | SMF_WIDE};
	in->z = (u32)at;
	return r;
}

static bool call_builtin(Decoder *d, Str name, u32 n_rets, u32 n_args)
{
	if (str_is(name, "vprintf") && n_args == 2) {
		i32 format = load_pointer(d, (u32)named(d, "param", 0)), values = load_pointer(d, (u32)named(d, "param", 1)),
		    result = emit_reg(&d->e, 32);
		SimtInsn *in = emit_insn(&d->e, S_PRINTF);
		in->d = result, in->a = format, in->b = values, in->rows = 1;
		if (n_rets) {
			in = emit_insn(&d->e, S_ST);
			in->b = result;
			in->mem = (SimtMem){SPACE_LOCAL, 4, 0, SMF_FRAME};
			in->z = (u32)named(d, "retval", 0);
		}
		return true;
	}
	if (str_is(name, "__assertfail") && n_args >= 4) {
		u32 words[4];
		for (u32 i = 0; i < 4; i++)
			words[i] = (u32)(i == 2 ? load_local(d, (u32)named(d, "param", i), 32)
			                        : load_pointer(d, (u32)named(d, "param", i)));
		u32 at = emit_ext(d->p, words, 4);
		emit_insn(&d->e, S_ASSERT)->y = at;
		return true;
	}
	Builtin b;
	if (simt_builtin_find(name, &b) && n_rets == (b.result != 0)) {
		i32 in[4] = {0}, result = emit_reg(&d->e, 64);
		u32 bits = simt_builtin_bits(b.result), bytes = b.op != S_NOP && !d->p->is64 ? 4 : bits / 8;
		for (u32 i = 0; i < 4 && b.arg[i] && i < n_args; i++)
			in[i] = b.op == S_NOP ? load_local(d, (u32)named(d, "param", i), simt_builtin_bits(b.arg[i]))
			                      : load_pointer(d, (u32)named(d, "param", i));
		simt_builtin_emit(d->s, &d->e, &b, in, result);
		if (!n_rets)
			return true;
		SimtInsn *st = emit_insn(&d->e, S_ST);
		st->b = result;
		st->mem = (SimtMem){SPACE_LOCAL, (u8)bytes, 0, (u8)(SMF_FRAME | (bits == 64 ? SMF_WIDE : 0))};
		st->z = (u32)named(d, "retval", 0);
		return true;
	}
	return false;
}

static void call(Decoder *d, MirInstId i)
{
	const MirOp *o = mir_ops(d->f, i) + (d->e.guard == NO_REG ? 0 : 1);
	u32          n_rets = (u32)o[1].imm, n_args = (u32)o[2].imm, func = ~0u;
	i32          target = NO_REG;
	if (o[0].kind == MO_REG) {
		target = reg_of(d, mir_op_reg(&o[0])).row;
	} else {
		Str name = text_of(d, o[0].ref);
		func = simt_func_find(d->p, name);
		IrFunc *fn = ir_func(d->m->ir, ir_find_global(d->m->ir, name));
		if ((!fn || ir_is_decl(fn)) && call_builtin(d, name, n_rets, n_args))
			return;
		if (func == ~0u)
			func = simt_func_add(d->p, name);
	}
	VecU32 words = {0};
	vec_push(d->p->arena, &words, n_args);
	vec_push(d->p->arena, &words, n_rets);
	for (u32 k = 0; k < n_args + n_rets; k++) {
		u64 place = k < n_args ? named(d, "param", k) : named(d, "retval", k - n_args);
		vec_push(d->p->arena, &words, (u32)place);
		vec_push(d->p->arena, &words, (u32)(place >> 32));
	}
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, target == NO_REG ? S_CALL : S_CALLI);
	in->x = func, in->y = at, in->a = target;
}

/* ---- inline PTX: outputs, the template, inputs */

/* An operand of the statement: a register of the function that the text becomes, or a number in it. */
static void asm_operand(Decoder *d, MirInstId i, const MirOp *o, SimtAsm *a)
{
	if (o->kind == MO_IMM) {
		simt_asm_int(a, o->imm);
		return;
	}
	if (o->kind == MO_FPIMM) {
		u32 width = o->type == MIR_FP64 ? 64 : o->type == MIR_FP32 ? 32 : 16;
		simt_asm_float(a, width, (u64)o->imm & sem_mask(width));
		return;
	}
	OpArg arg = arg_of(d, i, o);
	OpCx  c = {.e = &d->e, .arg = &arg, .n = 1};
	bool  is_reg = o->kind == MO_REG && arg.kind == ARG_REG;
	u32   bits = is_reg ? arg.bits : 64;
	MirClass class = is_reg && !mir_is_phys(mir_op_reg(o)) ? mir_class(d->f, mir_op_reg(o)) : MIR_NO_CLASS;
	i32 row = op_in(&c, 0, bits);
	if (o->tie && mir_op_is_use(o)) { /* two-address-instruction has not been here yet */
		i32 def = reg_of(d, mir_op_reg(mir_op(d->f, i, o->tie - 1u))).row;
		if (def != row)
			emit_move(&d->e, bits, def, row);
		row = def;
	}
	/* As PTX declares it: a float in a register of bits suits instructions on either. */
	u32 type = class != MIR_NO_CLASS ? isa_class_info[isa_class_info[class].as].type
	                                 : isa_type_of(bits == 1 ? ISA_KIND_PRED : ISA_KIND_BITS, bits);
	simt_asm_reg(a, isa_token_text(SLOT_type, type), row);
}

static void inline_asm(Decoder *d, MirInstId i)
{
	const MirInst *mi = mir_inst(d->f, i);
	const MirOp   *o = mir_ops(d->f, i);
	SimtAsm        a;
	u32            at = 0;
	while (at < mi->n_ops && o[at].kind != MO_TEXT)
		at++;
	if (at == mi->n_ops)
		return;
	simt_asm_init(&a, d->p->arena);
	for (u32 k = 0; k < mi->n_ops; k++)
		if (k != at && !(o[k].flags & MOF_IMPLICIT) && o[k].kind != MO_TEXT)
			asm_operand(d, i, &o[k], &a);
	if (!simt_asm_emit(d->s, d->p, &d->e, &a, text_of(d, o[at].ref), i.i))
		unsupported(d, i, "inline assembly: ");
}

/* ---- control flow */

static bool has_phis(const Decoder *d, u32 block)
{
	u32 first = mir_block(d->f, (MirBlockId){block})->first;
	return first && isa_op(d->s, mir_inst(d->f, (MirInstId){first})->desc) == ISA_PHI;
}

static void phi_copies(Decoder *d, u32 from, u32 to)
{
	Vec(EmitMove) moves = {0};
	mir_each_inst(d->f, (MirBlockId){to}, i) {
		const MirInst *mi = mir_inst(d->f, i);
		const MirOp   *o = mir_ops(d->f, i);
		if (isa_op(d->s, mi->desc) != ISA_PHI)
			break;
		for (u32 k = 1; k + 1 < mi->n_ops; k += 2) {
			if (o[k + 1].ref != from || (o[k].flags & MOF_UNDEF))
				continue;
			Reg   r = reg_of(d, mir_op_reg(&o[0]));
			OpArg a = arg_of(d, i, &o[k]);
			OpCx  c = {.e = &d->e, .arg = &a, .n = 1};
			vec_push(d->p->arena, &moves, ((EmitMove){r.row, op_in(&c, 0, r.bits), r.bits}));
			break;
		}
	}
	d->e.fresh = false;
	emit_moves(&d->e, moves.p, moves.n);
}

static u32 edge(Decoder *d, u32 from, u32 to) { return has_phis(d, to) ? emit_edge(&d->e, from, to) : d->block_of[to]; }

static void branch_table(Decoder *d, MirInstId i, u32 here)
{
	const MirOp        *o = mir_ops(d->f, i);
	const MirJumpTable *t = &d->f->jump_table.p[o[1].ref];
	VecU32              words = {0};
	vec_push(d->p->arena, &words, t->block.n);
	vec_push(d->p->arena, &words, edge(d, here, t->block.p[0]));
	for (u32 k = 0; k < t->block.n; k++) {
		vec_push(d->p->arena, &words, k);
		vec_push(d->p->arena, &words, 0);
		vec_push(d->p->arena, &words, edge(d, here, t->block.p[k]));
	}
	i32       a = reg_of(d, mir_op_reg(&o[0])).row;
	u32       at = emit_ext(d->p, words.p, words.n);
	SimtInsn *in = emit_insn(&d->e, S_SWITCH);
	in->a = a, in->x = 32, in->y = at;
}

/* ---- instructions */

static bool generic(Decoder *d, MirInstId i, u32 op)
{
	const MirInst *mi = mir_inst(d->f, i);
	const MirOp   *o = mir_ops(d->f, i);
	switch (op) {
	case ISA_PHI:
	case ISA_IMPLICIT_DEF:
	case ISA_KILL:
	case ISA_DBG_VALUE:
	case ISA_DBG_VALUE_LIST:
	case ISA_DBG_LABEL:
	case ISA_LIFETIME_START:
	case ISA_LIFETIME_END:
	case ISA_PSEUDO_PROBE:
	case ISA_MEMBARRIER:
	case ISA_FAKE_USE:
	case ISA_CFI_INSTRUCTION:
	case ISA_EH_LABEL:
	case ISA_ANNOTATION_LABEL:
	case ISA_Callseq_Start:
	case ISA_Callseq_End: return true;
	case ISA_COPY:
	case ISA_CSSA_COPY:
	case ISA_ProxyReg:
	case ISA_COPY_TO_REGCLASS:
	case ISA_ARITH_FENCE: {
		Reg   r = reg_of(d, mir_op_reg(&o[0]));
		OpArg a = arg_of(d, i, &o[1]);
		OpCx  c = {.e = &d->e, .arg = &a, .n = 1};
		emit_move(&d->e, r.bits, r.row, op_in(&c, 0, r.bits));
		return true;
	}
	case ISA_DeclareParam: {
		u32 align = (u32)o[1].imm, size = (u32)o[2].imm;
		sequence_variable(d, o[0].ref, align ? size : (size + 7) / 8);
		return true;
	}
	case ISA_FRAME_ADDR:
	case ISA_FRAME_ADDR_LOCAL: {
		Reg       r = reg_of(d, mir_op_reg(&o[0]));
		u64       at = o[1].kind == MO_FRAME ? d->object[o[1].ref] + (u64)o[1].imm : d->object[o[1].imm];
		SimtInsn *in = emit_insn(&d->e, S_FRAME);
		in->d = r.row, in->rows = (u8)rows_of(r.bits), in->z = (u32)at, in->x = op == ISA_FRAME_ADDR;
		return true;
	}
	case ISA_SPILL:
	case ISA_RELOAD: {
		bool      store = op == ISA_SPILL;
		Reg       r = reg_of(d, mir_op_reg(&o[0]));
		u32       object = o[1].kind == MO_FRAME ? o[1].ref : (u32)o[1].imm, bytes = r.bits == 1 ? 1 : r.bits / 8;
		SimtInsn *in = emit_insn(&d->e, store ? S_ST : S_LD);
		in->mem = (SimtMem){SPACE_LOCAL, (u8)bytes, 0, (u8)(SMF_FRAME | (bytes == 8 ? SMF_WIDE : 0))};
		in->z = d->object[object];
		in->rows = (u8)rows_of(r.bits);
		in->b = in->d = r.row;
		return true;
	}
	case ISA_INLINEASM: inline_asm(d, i); return true;
	case ISA_TEX_HANDLE: {
		Reg       r = reg_of(d, mir_op_reg(&o[0]));
		OpArg     a = arg_of(d, i, &o[1]);
		OpCx      c = {.e = &d->e, .arg = &a, .n = 1};
		i32       at = op_in(&c, 0, 64);
		SimtInsn *in = emit_insn(&d->e, S_LD);
		in->d = r.row, in->a = at, in->rows = 2;
		in->mem = (SimtMem){SPACE_GLOBAL, 8, 3, SMF_WIDE};
		return true;
	}
	default: (void)mi; return false;
	}
}

/* Base, slice and stride of an access become a register; the opcode that takes it. */
static const IsaDesc *plain_access(Decoder *d, const IsaDesc *desc, OpArg *args, u32 *n)
{
	PtxOpc o = desc->opc, mad = {.op = ISA_mad_lo};
	u32    k = desc->n_defs;
	OpArg  sum = op_reg(emit_reg(&d->e, 64), 64), source[4] = {sum, args[k + 1], args[k + 2], args[k]};
	mad.slot[SLOT_op] = o.slot[SLOT_stype] == TOK_type_s64 ? TOK_op_lo : TOK_op_wide;
	mad.slot[SLOT_type] = o.slot[SLOT_stype];
	OpCx c = {.e = &d->e, .d = isa_desc(d->s, isa_intern(d->s, mad)), .arg = source, .n = 4, .is_kernel = d->is_kernel};
	d->failed |= !simt_op(&c);
	args[k] = sum;
	memmove(&args[k + 1], &args[k + 3], (*n - k - 3) * sizeof *args);
	*n -= 2;
	o.op = o.op == ISA_ld_slice ? ISA_ld : ISA_st;
	o.slot[SLOT_stype] = 0;
	return isa_desc(d->s, isa_intern(d->s, o));
}

static void instruction(Decoder *d, MirInstId i)
{
	const MirInst *mi = mir_inst(d->f, i);
	const IsaDesc *desc = isa_desc(d->s, mi->desc);
	OpArg          args[48];
	u32            n = 0, guard = guard_of(desc);
	if (desc->flags & IF_GENERIC) {
		if (!generic(d, i, desc->opc.op))
			unsupported(d, i, "");
		return;
	}
	if (desc->eval == EV_call) {
		call(d, i);
		return;
	}
	if (desc->eval == EV_ret) {
		emit_return(&d->e);
		return;
	}
	for (u32 k = 0; k < mi->n_ops && n < PS_COUNT(args); k++) {
		const MirOp *o = mir_op(d->f, i, k);
		if ((o->flags & MOF_IMPLICIT) || k == guard)
			continue;
		args[n++] = arg_of(d, i, o);
	}
	if (desc->opc.op == ISA_ld_slice || desc->opc.op == ISA_st_slice)
		desc = plain_access(d, desc, args, &n);
	OpCx c = {.e = &d->e, .d = desc, .arg = args, .n = n, .carry = d->carry, .is_kernel = d->is_kernel};
	if (!d->failed && !simt_op(&c))
		unsupported(d, i, "");
}

static void set_guard(Decoder *d, MirInstId i)
{
	const IsaDesc *desc = isa_desc(d->s, mir_inst(d->f, i)->desc);
	u32            g = guard_of(desc);
	d->e.guard = g == ~0u ? NO_REG : reg_of(d, mir_op_reg(mir_op(d->f, i, g))).row;
	d->e.guard_not = desc->opc.slot[SLOT_guard] == 2;
}

/* `bra`: with a guard to a block or that of the edge; without one the copies are made here. */
static void branch(Decoder *d, MirInstId i, u32 here)
{
	u32  to = mir_op(d->f, i, d->e.guard == NO_REG ? 0 : 1)->ref;
	i32  guard = d->e.guard;
	bool negate = d->e.guard_not, fresh = d->e.fresh;
	if (guard != NO_REG) {
		emit_branch(&d->e, edge(d, here, to), guard, negate);
		return;
	}
	if (has_phis(d, to))
		phi_copies(d, here, to);
	d->e.fresh = fresh;
	emit_branch(&d->e, d->block_of[to], NO_REG, false);
}

/* The comparison, then the branch that reads it. */
static void compare_and_branch(Decoder *d, MirInstId i, u32 here)
{
	const MirOp *o = mir_ops(d->f, i);
	instruction(d, i);
	emit_branch(&d->e, edge(d, here, o[3].ref), reg_of(d, mir_op_reg(&o[0])).row, false);
}

static void block(Decoder *d, u32 b)
{
	bool open = true; /* does control reach the end? */
	emit_block(&d->e, d->block_of[b]);
	mir_each_inst(d->f, (MirBlockId){b}, i) {
		const MirInst *mi = mir_inst(d->f, i);
		const IsaDesc *desc = isa_desc(d->s, mi->desc);
		if (d->failed)
			return;
		emit_at(&d->e, d->lines ? d->lines->p[d->at] : mi->origin, mi->origin);
		ird_source(&d->ir, &d->e, (IrMd){mi->dbg});
		d->at++;
		set_guard(d, i);
		if (desc->opc.op == ISA_bra)
			branch(d, i, b);
		else if (desc->opc.op == ISA_bra_setp)
			compare_and_branch(d, i, b);
		else if (desc->opc.op == ISA_brx_idx)
			branch_table(d, i, b);
		else
			instruction(d, i);
		if (desc->eval == EV_bra || desc->eval == EV_ret || desc->eval == EV_exit)
			open = d->e.guard != NO_REG;
		d->e.guard = NO_REG;
		d->e.guard_not = false;
	}
	u32 next = mir_block(d->f, (MirBlockId){b})->next;
	if (open && next && mir_has_edge(d->f, (MirBlockId){b}, (MirBlockId){next}) && has_phis(d, next))
		phi_copies(d, b, next);
}

static void body(Decoder *d, MirFunc *f)
{
	if (!begin(d, f))
		return;
	name_registers(d);
	d->block_of = arena_array(d->p->arena, u32, f->block.n + 1);
	mir_each_block(f, b)
		d->block_of[b.i] = emit_block_new(&d->e);
	mir_each_block(f, b)
		block(d, b.i);
	d->e.fresh = false;
	if (d->p->code.n > d->p->func.p[d->e.func].start && d->e.edge.n)
		emit_return(&d->e); /* the last block does not fall into the block of an edge */
	for (const EmitEdge *at; (at = emit_next_edge(&d->e)) != NULL;) {
		phi_copies(d, at->from, at->to);
		emit_branch(&d->e, d->block_of[at->to], NO_REG, false);
	}
	emit_end(&d->e);
}

SimtProgram *simt_from_mir(Session *s, Arena *arena, MirModule *m, const VecU32 *lines)
{
	Decoder d = {.p = simt_program_new(s, arena, "mir"), .m = m, .s = s, .lines = lines};
	if (!m->ir) {
		diag_report(&s->diags, DIAG_SIMT_UNSUPPORTED, src_at(0, 0), 38, "machine code without its module of IR.");
		return NULL;
	}
	d.p->mir = m;
	map_init(&d.local, arena);
	map_init(&d.params, arena);
	ird_init(&d.ir, d.p, m->ir);
	ird_globals(&d.ir);
	for (u32 i = 0; i < m->func.n && !d.ir.failed; i++)
		declare(&d, m->func.p[i]);
	for (u32 i = 0; i < m->func.n && !d.failed && !d.ir.failed; i++)
		body(&d, m->func.p[i]);
	return d.failed || d.ir.failed || d.p->too_large ? NULL : d.p;
}
