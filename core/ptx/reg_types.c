/* reg_types.c: the floats in registers, by the instructions that compute with them.
 *
 *	ld.global.b32 %r1, [%rd1];      %r1 is f32 by its use
 *	add.rn.f32 %r2, %r1, %r3;       %r2, %r3
 *	mov.b32 %r4, %r2;               %r4 is used by nothing that computes: f32 as %r2 is
 *
 * A register that instructions compute with has the type that all of them name. The others have that of the registers that they are
 * copied to and from: copies (moves, selects, shuffles, packing and unpacking) make classes of them, by union-find, and a class has the
 * type of all typed registers at its border. Loads, stores and copies of an integer type are not taken at their word: nvcc moves halves
 * by .u16. Flow through memory and calls is not followed. One walk over the body for the uses, two for the copies. */
#include "ptx/reg_types.h"

enum { HOLDS_F16 = 1, HOLDS_BF16 = 2, HOLDS_F32 = 4, HOLDS_F64 = 8, HOLDS_OTHER = 16 };

typedef struct Holds {
	const Session *s;
	const PtxFunc *f;
	u8            *own; /* by register: HOLDS_* of what computes with it */
	u8 *class;          /* by the first register of a class: HOLDS_* at its border */
	u32 *first;         /* by register: another of its class, itself: it is the first */
} Holds;

static u8 holds_of(u32 type)
{
	const IsaType *t = isa_type(type);
	if (t->kind == ISA_KIND_UINT || t->kind == ISA_KIND_SINT)
		return HOLDS_OTHER;
	if (t->kind != ISA_KIND_FLOAT)
		return 0;
	switch (type) {
	case TOK_type_f16:
	case TOK_type_f16x2: return HOLDS_F16;
	case TOK_type_bf16:
	case TOK_type_bf16x2: return HOLDS_BF16;
	case TOK_type_f32:
	case TOK_type_tf32:
	case TOK_type_f32x2: return HOLDS_F32;
	case TOK_type_f64: return HOLDS_F64;
	default: return HOLDS_OTHER;
	}
}

static u8 type_of(u8 holds)
{
	switch (holds) {
	case HOLDS_F16: return TOK_type_f16;
	case HOLDS_BF16: return TOK_type_bf16;
	case HOLDS_F32: return TOK_type_f32;
	case HOLDS_F64: return TOK_type_f64;
	default: return TOK_type_none;
	}
}

static bool is_copy(const IsaDesc *d)
{
	switch (d->opc.op) {
	case ISA_mov:
	case ISA_mov_pack:
	case ISA_mov_unpack:
	case ISA_selp:
	case ISA_shfl:
	case ISA_shfl_sync: return true;
	default: return false;
	}
}

/* Is it the copied value, in part or whole, rather than a predicate, a lane or a mask? */
static bool is_copied(const IsaDesc *d, const IsaOperand *o)
{
	bool parts = d->opc.op == ISA_mov_pack || d->opc.op == ISA_mov_unpack;
	return parts || (o->type == d->opc.slot[SLOT_type] && !(o->flags & IOF_MEMBERS));
}

/* Copies of constants that are written as floats name a type, too. */
static u8 holds_by_constants(const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	u8 holds = 0;
	for (u32 i = 0; i < n; i++)
		if (is_copied(d, &d->operand[i]))
			holds |= ops[i].kind == PO_F32 ? HOLDS_F32 : ops[i].kind == PO_F64 ? HOLDS_F64 : 0;
	return holds;
}

static void see_uses(Holds *h, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	bool copy = is_copy(d), by_width = copy || ((d->flags & (IF_LOAD | IF_STORE)) && !(d->flags & IF_ATOMIC));
	u8   constants = copy ? holds_by_constants(d, ops, n) : 0;
	for (u32 i = 0; i < n; i++) {
		u8 holds = holds_of(d->operand[i].type);
		if (ops[i].kind == PO_REG)
			h->own[ops[i].id] |= by_width && holds == HOLDS_OTHER ? 0 : holds;
	}
	if (constants && ops[0].kind == PO_REG)
		h->own[ops[0].id] |= constants;
}

static u32 class_of(Holds *h, u32 r)
{
	while (h->first[r] != r)
		r = h->first[r] = h->first[h->first[r]];
	return r;
}

/* The copied registers that nothing computes with are of one class. */
static void join(Holds *h, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	u32 before = 0;
	for (u32 i = 0; i < n; i++) {
		u32 r = ops[i].id;
		if (ops[i].kind != PO_REG || !is_copied(d, &d->operand[i]) || h->own[r])
			continue;
		if (before)
			h->first[class_of(h, r)] = class_of(h, before);
		before = r;
	}
}

static void see_border(Holds *h, const IsaDesc *d, const PtxOperand *ops, u32 n)
{
	u32 inside = 0;
	u8  border = 0;
	for (u32 i = 0; i < n; i++) {
		if (ops[i].kind != PO_REG || !is_copied(d, &d->operand[i]))
			continue;
		border |= h->own[ops[i].id];
		if (!h->own[ops[i].id])
			inside = ops[i].id;
	}
	if (inside)
		h->class[class_of(h, inside)] |= border;
}

static void each_insn(Holds *h, void (*see)(Holds *, const IsaDesc *, const PtxOperand *, u32), bool copies_only)
{
	for (u32 i = 0; i < h->f->body.n; i++) {
		const PtxStmt *st = &h->f->body.p[i];
		const IsaDesc *d = st->kind == PS_INSN ? isa_desc(h->s, st->desc) : NULL;
		if (d && (!copies_only || is_copy(d)))
			see(h, d, h->f->operands.p + st->operand, PS_MIN(st->n, (u32)d->n_operands));
	}
}

u8 *ptx_reg_types(const Session *s, const PtxFunc *f, Arena *a)
{
	u32   n = f->n_regs + 1;
	Holds h = {.s = s, .f = f, .own = arena_array(a, u8, n), .class = arena_array(a, u8, n), .first = arena_array(a, u32, n)};
	for (u32 r = 0; r < n; r++)
		h.first[r] = r;
	each_insn(&h, see_uses, false);
	each_insn(&h, join, true);
	each_insn(&h, see_border, true);
	for (u32 r = 0; r < n; r++)
		h.own[r] = type_of(h.own[r] ? h.own[r] : h.class[class_of(&h, r)]);
	return h.own;
}
