/* nvptx-trunc-opts: masks of 0xFFFF that clear nothing.
 *
 *	%2 = ANDb16ri %1, -1                                     (readers of %2 read %1)
 *	%3 = CVT_u32_u16 %1; %4 = ANDb32ri %3, 65535       →     (readers of %4 read %3)
 *
 * Truncation to i16 leaves an AND with 0xFFFF behind, which does nothing where its source fits 16 bits. A 16-bit register always
 * does; a wider one does where its definition says so: an unsigned load or a conversion to integer from 16 unsigned bits or
 * fewer, another mask, a logical shift by enough. Only this mask is looked at.
 *
 * Needs SSA; keeps the control flow. Cost: one look at each instruction, and at most MAX_STEPS definitions for each mask. */
#include "mirpass/mirpass.h"

enum { MASK = 0xFFFF, MAX_STEPS = 16 };

typedef struct Trunc {
	const MirFunc *f;
	u32            steps; /* definitions that may still be looked at */
} Trunc;

static u32 bits_of_reg(Trunc *t, MirReg r);

static u32 bits_of_number(u64 v) { return v ? u64_log2(v) + 1 : 0; }

static u32 bits_of(Trunc *t, MirInstId i, u32 n)
{
	const MirOp *o = mir_op(t->f, i, n);
	if (o->kind == MO_IMM && o->imm >= 0)
		return bits_of_number((u64)o->imm);
	return o->kind == MO_REG ? bits_of_reg(t, mir_op_reg(o)) : 64;
}

/* Of an unsigned type that is read into a wider register; else 64. */
static u32 unsigned_bits(u32 type)
{
	u32 kind = isa_type(type)->kind;
	return kind == ISA_KIND_UINT || kind == ISA_KIND_BITS ? isa_type(type)->bits : 64;
}

static bool is_float(u32 type) { return isa_type(type)->kind == ISA_KIND_FLOAT; }

static u32 bits_of_shift(Trunc *t, MirInstId i, const IsaDesc *d)
{
	const MirOp *by = mir_op(t->f, i, 2);
	u32          bits = bits_of(t, i, 1);
	if (isa_type(d->opc.slot[SLOT_type])->kind == ISA_KIND_SINT || by->kind != MO_IMM || by->imm < 0)
		return 64;
	return (u64)by->imm >= bits ? 0 : bits - (u32)by->imm;
}

/* Bits above this number are zero in what `i` defines. */
static u32 bits_of_inst(Trunc *t, MirInstId i)
{
	const IsaDesc *d = mir_desc(t->f, i);
	u32            a, b;
	if (d->opc.slot[SLOT_guard])
		return 64;
	switch (d->opc.op) {
	case ISA_COPY:
	case ISA_CSSA_COPY: return bits_of(t, i, 1);
	case ISA_mov: return bits_of(t, i, 1);
	case ISA_cvt: return is_float(d->opc.slot[SLOT_type]) ? 64 : unsigned_bits(d->opc.slot[SLOT_stype]);
	case ISA_ld: return d->opc.slot[SLOT_vec] ? 64 : unsigned_bits(d->opc.slot[SLOT_type]);
	case ISA_shr: return bits_of_shift(t, i, d);
	case ISA_and: a = bits_of(t, i, 1), b = bits_of(t, i, 2); return PS_MIN(a, b);
	case ISA_or:
	case ISA_xor:
	case ISA_selp: a = bits_of(t, i, 1), b = bits_of(t, i, 2); return PS_MAX(a, b);
	default: return 64;
	}
}

static u32 bits_of_reg(Trunc *t, MirReg r)
{
	if (!mir_is_virt(r))
		return 64;
	u32 width = isa_class_info[mir_class(t->f, r)].bits, bits = 64;
	if (width > 16 && t->steps && mir_vreg(t->f, r)->n_defs == 1) {
		t->steps--;
		bits = bits_of_inst(t, mir_def_inst(t->f, r));
	}
	return PS_MIN(bits, width);
}

/* The register operand of an AND with 0xFFFF; ~0u: it is none. */
static u32 masked(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->opc.op != ISA_and || d->opc.slot[SLOT_guard] || d->opc.slot[SLOT_type] == TOK_type_pred)
		return ~0u;
	u32 width = isa_type(d->opc.slot[SLOT_type])->bits;
	for (u32 n = 1; n <= 2; n++) {
		const MirOp *mask = mir_op(f, i, n), *value = mir_op(f, i, 3 - n);
		u64          bits = width == 64 ? (u64)mask->imm : (u64)mask->imm & (((u64)1 << width) - 1);
		if (mask->kind == MO_IMM && bits == MASK && value->kind == MO_REG && mir_is_virt(mir_op_reg(value)))
			return 3 - n;
	}
	return ~0u;
}

static bool drop(PassCx *cx, MirFunc *f, MirInstId i)
{
	u32 n = masked(f, i);
	if (n == ~0u)
		return false;
	Trunc  t = {.f = f, .steps = MAX_STEPS};
	MirReg from = mir_op_reg(mir_op(f, i, n)), to = mir_op_reg(mir_op(f, i, 0));
	u32    line = mir_inst(f, i)->origin;
	if (mir_class(f, from) != mir_class(f, to) || mir_vreg(f, from)->n_defs != 1 || bits_of_reg(&t, from) > 16) {
		pass_remark(cx, REMARK_MISSED, line, "the mask 0xFFFF stays: its source is not known to fit 16 bits");
		return false;
	}
	pass_remark(cx, REMARK_PASSED, line, "the mask 0xFFFF clears nothing: its source fits 16 bits");
	mir_erase(f, i);
	mir_replace_uses(f, to, from);
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!mir_may_have(f, ISA_and))
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			changed |= drop(cx, f, i);
	return changed;
}

const Pass mirpass_nvptx_trunc_opts = {
	.id = "nvptx-trunc-opts",
	.title = "Optimize redundant ANDb16ri instrunctions",
	.summary = "Deletes masks of 0xFFFF whose operand is known to fit 16 bits.",
	.group = "isel",
	.level = PASS_MIR,
	.disable = KNOB_disable_nvptx_trunc_opts,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
