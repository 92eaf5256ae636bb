/* atomic-expand: replaces atomic operations that the target has no instruction for by compare-exchange loops, and those on
 * memory of one thread by plain accesses.
 *
 *   %old = atomicrmw nand ptr %p, i8 %v acquire
 *
 *   →    %word  = call ptr @llvm.ptrmask(ptr %p, i64 -4)       the aligned word around the byte
 *        %shift = 8 * (%p & 3)                                 where in it the byte is
 *        %first = load i32, ptr %word
 *      atomicrmw.start:
 *        %loaded = phi i32 [ %first, … ], [ %seen, %atomicrmw.start ]
 *        %new    = %loaded, with the byte at %shift replaced by ~(byte & %v)
 *        %pair   = cmpxchg ptr %word, i32 %loaded, i32 %new acquire acquire
 *        %seen   = the word found in memory; branch back to atomicrmw.start while it differs from %loaded
 *      atomicrmw.end:
 *        %old    = the byte at %shift of %seen
 *
 * The compare-exchange has the ordering and scope of the original. The first load is not ordered: a stale value
 * only costs one more iteration. and, or and xor of part of a word need no loop: the operand is extended with the
 * operation's neutral bits, so one atomicrmw of the whole word leaves the other bytes unchanged. A compare-exchange of
 * part of a word is retried when only the other bytes of the word have changed. Exchanges of floats and of vectors exchange
 * their bits.
 *
 *   %old = atomicrmw add ptr addrspace(5) %p, i32 %v    →    %old = load, %new = add, store: PTX has no atomics on .local,
 *                                                           and no other thread sees it
 *
 * An elementwise operation is one operation for each element.
 * 128-bit integers are left alone before sm_90, which is the first target with a compare-exchange of that width.
 * Those that are not aligned by their size are left alone, too: nothing makes them atomic.
 * Linear in instructions. */
#include "analysis/alignment.h"
#include "ir/builder.h"
#include "ir/signature.h"
#include "irpass/util.h"
#include "isa/isa.h"

enum { WORD = 4 /* bytes of the least compare-exchange */ };

typedef struct Access {
	PassCx   *cx;
	IrModule *m;
	IrRef     inst;         /* the original */
	IrType    type, bits;   /* of its value; the integer of that width */
	IrType    word;         /* what is exchanged */
	IrRef     ptr;          /* of the word */
	bool      part;         /* the value is narrower than the word */
	IrRef     shift;        /* bit offset of the value in the word; none: 0 */
	IrRef     mask, others; /* mask of the value's bits; its complement */
} Access;

/* ---- what is native ---- */

/* Is there an instruction for the operation on values of this type? Subtracting is adding the negative value. */
static bool has_atom(Session *s, u32 op, const IrTypeRec *t, u32 bits)
{
	const struct IrRmwForm *form = &ir_rmw_form[op == IRRMW_SUB ? IRRMW_ADD : op == IRRMW_FSUB ? IRRMW_FADD : op];
	bool                    is_fp = form->kind == ISA_KIND_FLOAT, half = t->kind == IRT_HALF || t->kind == IRT_BFLOAT;
	PtxOpc                  o = {.op = ISA_atom};
	if (!form->op || is_fp != (half || t->kind == IRT_FLOAT || t->kind == IRT_DOUBLE))
		return false;
	o.slot[SLOT_op] = form->op;
	o.slot[SLOT_flag] = half ? TOK_flag_noftz : 0;
	o.slot[SLOT_type] = (u8)(t->kind == IRT_BFLOAT ? (u32)TOK_type_bf16 : isa_type_of((IsaKind)form->kind, bits));
	return isa_has(s, o);
}

static bool is_native(const PassCx *cx, IrRef inst)
{
	const IrModule *m = cx->ir;
	const IrInst   *i = ir_inst(m, inst);
	IrType          t = ir_type_of(m, ir_op(m, inst, 1));
	u64             bits = 8 * ir_store_size(m, t);
	if (value_space(m, ir_op(m, inst, 0)) == AS_LOCAL)
		return false;
	if (!is_atomic_aligned(m, inst)) /* selection says so */
		return true;
	if (ir_type_is_vector(m, t))
		return false;
	if (bits > 64) /* before sm_90 nothing to build on: selection says so */
		return bits != 128 || i->op == IR_CMPXCHG || i->sub == IRRMW_XCHG ||
		       !isa_has(cx->s, ptx_opc(atom, PS(sem, relaxed), PS(scope, sys), PS(op, exch), TY(b128)));
	if (bits < 8 * WORD && i->op == IR_CMPXCHG)
		return false;
	if (i->op == IR_CMPXCHG)
		return true;
	if (bits < 8 * WORD && !ir_type_is_fp(m, t))
		return false;
	return has_atom(cx->s, i->sub, ir_type(m, t), (u32)bits);
}

/* ---- values in words ---- */

static IrRef word_const(const Access *a, u64 v) { return ir_const_int(a->m, a->word, v); }

static IrRef to_bits(const Access *a, IrBuilder *b, IrRef v)
{
	if (ir_type_same(ir_type_of(a->m, v), a->bits))
		return v;
	return ir_b_cast(b, ir_type_is_ptr(a->m, a->type) ? IR_PTRTOINT : IR_BITCAST, v, a->bits);
}

static IrRef from_bits(const Access *a, IrBuilder *b, IrRef v)
{
	if (ir_type_same(a->type, a->bits))
		return v;
	return ir_b_cast(b, ir_type_is_ptr(a->m, a->type) ? IR_INTTOPTR : IR_BITCAST, v, a->type);
}

/* The value's bits at their place in a word of zeros. */
static IrRef in_place(const Access *a, IrBuilder *b, IrRef value)
{
	IrRef v = to_bits(a, b, value);
	if (!a->part)
		return v;
	if (ir_is_zero(a->m, v))
		return word_const(a, 0);
	v = ir_b_cast(b, IR_ZEXT, v, a->word);
	return ir_is_none(a->shift) ? v : ir_b_bin(b, IR_SHL, v, a->shift, 0);
}

static IrRef extract(const Access *a, IrBuilder *b, IrRef word)
{
	if (a->part) {
		if (!ir_is_none(a->shift))
			word = ir_b_bin(b, IR_LSHR, word, a->shift, 0);
		word = ir_b_cast(b, IR_TRUNC, word, a->bits);
	}
	return from_bits(a, b, word);
}

/* `word` with the bits of `placed` where the value is. */
static IrRef merge(const Access *a, IrBuilder *b, IrRef word, IrRef placed)
{
	if (!a->part)
		return placed;
	if (ir_is_zero(a->m, placed))
		return ir_b_bin(b, IR_AND, word, a->others, 0);
	return ir_b_bin(b, IR_OR, ir_b_bin(b, IR_AND, word, a->others, 0), placed, 0);
}

/* Finds the word around the value: code before the original. */
static void find_word(Access *a, IrBuilder *b)
{
	IrModule *m = a->m;
	u32       bytes = (u32)ir_store_size(m, a->type), align = ir_align_bytes(ir_inst(m, a->inst)->align);
	a->ptr = ir_op(m, a->inst, 0);
	a->bits = a->word = ir_int_type(m, 8 * bytes);
	if (bytes >= WORD)
		return;
	a->part = true;
	a->word = IR_TYPE(I32);
	a->mask = word_const(a, (1u << 8 * bytes) - 1);
	a->others = word_const(a, ~((1u << 8 * bytes) - 1));
	if (align >= WORD)
		return;
	u32    space = value_space(m, a->ptr);
	IrType index = ir_int_type(m, ir_ptr_bits(m, space));
	Str    name = arena_fmt(a->cx->scratch, "llvm.ptrmask.p%u.i%u", space, ir_type(m, index)->bits);
	IrRef  args[] = {a->ptr, ir_const_sint(m, index, -WORD)};
	IrRef  low = ir_b_cast(b, IR_PTRTOINT, a->ptr, a->word);
	a->shift = ir_b_bin(b, IR_SHL, ir_b_bin(b, IR_AND, low, word_const(a, WORD - 1), 0), word_const(a, 3), 0);
	a->ptr = ir_b_intrinsic(b, name, ir_type_of(m, a->ptr), args, 2);
	a->mask = ir_b_bin(b, IR_SHL, a->mask, a->shift, 0);
	a->others = ir_b_bin(b, IR_XOR, a->mask, word_const(a, UINT32_MAX), 0);
}

/* ---- the operations ---- */

static IrRef by_intrinsic(const Access *a, IrBuilder *b, const char *name, IrRef x, IrRef y)
{
	return ir_b_intrinsic(b, ir_mangled(a->m, str_of(name), (IrType[IR_MAX_OVERLOADS]){a->type}), a->type, (IrRef[]){x, y},
	                      2);
}

static IrRef choose(IrBuilder *b, IrPred p, IrRef x, IrRef y) { return ir_b_select(b, ir_b_cmp(b, p, x, y), x, y); }

/* The new value that the operation computes from `old`. */
static IrRef apply(const Access *a, IrBuilder *b, u32 op, IrRef old, IrRef v)
{
	IrModule *m = a->m;
	IrType    t = ir_type_of(m, v);
	switch (op) {
	case IRRMW_ADD: return ir_b_bin(b, IR_ADD, old, v, 0);
	case IRRMW_SUB: return ir_b_bin(b, IR_SUB, old, v, 0);
	case IRRMW_AND: return ir_b_bin(b, IR_AND, old, v, 0);
	case IRRMW_OR: return ir_b_bin(b, IR_OR, old, v, 0);
	case IRRMW_XOR: return ir_b_bin(b, IR_XOR, old, v, 0);
	case IRRMW_NAND: return ir_b_bin(b, IR_XOR, ir_b_bin(b, IR_AND, old, v, 0), ir_const_sint(m, t, -1), 0);
	case IRRMW_MAX: return choose(b, IRP_I_SGT, old, v);
	case IRRMW_MIN: return choose(b, IRP_I_SLE, old, v);
	case IRRMW_UMAX: return choose(b, IRP_I_UGT, old, v);
	case IRRMW_UMIN: return choose(b, IRP_I_ULE, old, v);
	case IRRMW_FADD: return ir_b_bin(b, IR_FADD, old, v, 0);
	case IRRMW_FSUB: return ir_b_bin(b, IR_FSUB, old, v, 0);
	case IRRMW_FMAX: return by_intrinsic(a, b, "llvm.maxnum", old, v);
	case IRRMW_FMIN: return by_intrinsic(a, b, "llvm.minnum", old, v);
	case IRRMW_FMAXIMUM: return by_intrinsic(a, b, "llvm.maximum", old, v);
	case IRRMW_FMINIMUM: return by_intrinsic(a, b, "llvm.minimum", old, v);
	case IRRMW_UINC_WRAP: {
		IrRef next = ir_b_bin(b, IR_ADD, old, ir_const_int(m, t, 1), 0);
		return ir_b_select(b, ir_b_cmp(b, IRP_I_UGE, old, v), ir_const_int(m, t, 0), next);
	}
	case IRRMW_UDEC_WRAP: {
		IrRef next = ir_b_bin(b, IR_SUB, old, ir_const_int(m, t, 1), 0);
		IrRef zero = ir_b_cmp(b, IRP_I_EQ, old, ir_const_int(m, t, 0));
		return ir_b_select(b, ir_b_bin(b, IR_OR, zero, ir_b_cmp(b, IRP_I_UGT, old, v), 0), v, next);
	}
	case IRRMW_USUB_COND: {
		IrRef enough = ir_b_cmp(b, IRP_I_UGE, old, v);
		return ir_b_select(b, enough, ir_b_bin(b, IR_SUB, old, v, 0), old);
	}
	case IRRMW_USUB_SAT: return ir_b_bin(b, IR_SUB, choose(b, IRP_I_UGT, old, v), v, 0);
	default: return v; /* xchg */
	}
}

/* Computes the new word. These operations are done on the shifted value in the whole word; bits that a carry or borrow
 * changes outside the value are masked off. */
static IrRef new_word(const Access *a, IrBuilder *b, u32 op, IrRef loaded, IrRef placed)
{
	if (op == IRRMW_XCHG)
		return merge(a, b, loaded, placed);
	if (a->part && (op == IRRMW_ADD || op == IRRMW_SUB || op == IRRMW_NAND)) {
		IrRef v = ir_b_bin(b, IR_AND, apply(a, b, op, loaded, placed), a->mask, 0);
		return merge(a, b, loaded, v);
	}
	IrRef v = apply(a, b, op, extract(a, b, loaded), ir_op(a->m, a->inst, 1));
	return merge(a, b, loaded, in_place(a, b, v));
}

/* ---- blocks ---- */

static void like_original(const Access *a, IrRef inst, IrType t)
{
	const IrInst *from = ir_inst(a->m, a->inst);
	IrInst       *i = ir_inst(a->m, inst);
	i->order = from->order;
	ir_info(a->m, inst)->scope = ir_info(a->m, a->inst)->scope;
	i->flags |= from->flags & (IRF_VOLATILE | IRF_WEAK);
	i->align = ir_align_of(PS_MAX((u64)ir_align_bytes(from->align), ir_store_size(a->m, t)));
}

static IrRef compare_exchange(const Access *a, IrBuilder *b, IrRef expected, IrRef new, u8 order_fail)
{
	IrModule *m = a->m;
	IrRef     x = ir_inst_new(m, IR_CMPXCHG, ir_struct_type(m, (IrType[]){a->word, IR_TYPE(I1)}, 2, false), 3);
	ir_set_op(m, x, 0, a->ptr);
	ir_set_op(m, x, 1, expected);
	ir_set_op(m, x, 2, new);
	like_original(a, x, a->word);
	ir_info(m, x)->order_fail = order_fail;
	return ir_b_insert(b, x);
}

static IrRef first_load(const Access *a, IrBuilder *b)
{
	IrRef load = ir_b_load(b, a->word, a->ptr, (u32)ir_store_size(a->m, a->word));
	ir_inst(a->m, load)->flags |= ir_inst(a->m, a->inst)->flags & IRF_VOLATILE;
	return load;
}

static void replace(Access *a, IrRef by)
{
	ir_take_place(a->m, by, a->inst);
	ir_replace_all_uses(a->m, a->inst, by);
	ir_remove(a->m, a->inst);
}

/* Splits before the original; `b` goes on at the end of the upper half, which has no terminator. */
static IrRef split(Access *a, IrBuilder *b, const char *name)
{
	IrRef above = ir_inst(a->m, a->inst)->block;
	IrRef below = ir_split_block(a->m, a->inst, str_of(name));
	ir_remove(a->m, ir_term(a->m, above));
	b->block = above;
	b->before = IR_NO_REF;
	return below;
}

static IrBuilder loop_block(Access *a, const IrBuilder *above, const char *name)
{
	IrBuilder b = *above;
	b.block = ir_block_new(a->m, pass_func(a->cx), str_of(name));
	ir_block_move_after(a->m, b.block, above->block);
	return b;
}

static void rmw_loop(Access *a, IrBuilder *b, IrRef placed)
{
	static const u8 order_fail[IRO_COUNT] = {
		[IRO_UNORDERED] = IRO_MONOTONIC, [IRO_MONOTONIC] = IRO_MONOTONIC, [IRO_ACQUIRE] = IRO_ACQUIRE,
		[IRO_RELEASE] = IRO_MONOTONIC,   [IRO_ACQ_REL] = IRO_ACQUIRE,     [IRO_SEQ_CST] = IRO_SEQ_CST,
	};
	IrModule     *m = a->m;
	const IrInst *i = ir_inst(m, a->inst);
	IrRef         end = split(a, b, "atomicrmw.end"), first = first_load(a, b);
	IrBuilder     l = loop_block(a, b, "atomicrmw.start");
	ir_b_br(b, l.block);
	IrRef loaded = ir_b_phi(&l, a->word);
	ir_set_name(m, loaded, STR("loaded"));
	IrRef pair = compare_exchange(a, &l, loaded, new_word(a, &l, i->sub, loaded, placed), order_fail[i->order]);
	IrRef won = ir_b_extract_value(&l, pair, 1), seen = ir_b_extract_value(&l, pair, 0);
	ir_phi_add(m, loaded, first, b->block);
	ir_phi_add(m, loaded, seen, l.block);
	ir_b_cond_br(&l, won, end, l.block);
	IrBuilder e = ir_build_before(m, a->inst);
	replace(a, a->part || !ir_type_same(a->type, a->bits) ? extract(a, &e, seen) : seen);
}

/* One atomicrmw of the whole word, whose operand is neutral outside of the value. */
static void rmw_of_word(Access *a, IrBuilder *b, IrRef placed)
{
	IrModule *m = a->m;
	u8        op = ir_inst(m, a->inst)->sub;
	IrRef     whole = ir_inst_new(m, IR_ATOMICRMW, a->word, 2);
	ir_set_op(m, whole, 0, a->ptr);
	ir_set_op(m, whole, 1, a->part && op == IRRMW_AND ? ir_b_bin(b, IR_OR, placed, a->others, 0) : placed);
	ir_inst(m, whole)->sub = op;
	like_original(a, whole, a->word);
	replace(a, extract(a, b, ir_b_insert(b, whole)));
}

static void compare_exchange_part(Access *a, IrBuilder *b)
{
	IrModule     *m = a->m;
	const IrInst *i = ir_inst(m, a->inst);
	bool          weak = (i->flags & IRF_WEAK) != 0;
	IrRef         expected = in_place(a, b, ir_op(m, a->inst, 1)), new = in_place(a, b, ir_op(m, a->inst, 2));
	IrRef         end = split(a, b, "partword.cmpxchg.end");
	IrRef         first = ir_b_bin(b, IR_AND, first_load(a, b), a->others, 0);
	IrBuilder     l = loop_block(a, b, "partword.cmpxchg.loop");
	ir_b_br(b, l.block);
	IrRef around = ir_b_phi(&l, a->word);
	ir_phi_add(m, around, first, b->block);
	IrRef old_word = ir_is_zero(a->m, expected) ? around : ir_b_bin(&l, IR_OR, around, expected, 0);
	IrRef word = ir_is_zero(a->m, new) ? around : ir_b_bin(&l, IR_OR, around, new, 0);
	IrRef pair = compare_exchange(a, &l, old_word, word, ir_info(m, a->inst)->order_fail);
	IrRef seen = ir_b_extract_value(&l, pair, 0), won = ir_b_extract_value(&l, pair, 1);
	if (weak) { /* may fail for no reason, so for this one too */
		ir_b_br(&l, end);
	} else {
		IrBuilder r = loop_block(a, &l, "partword.cmpxchg.failure");
		ir_b_cond_br(&l, won, end, r.block);
		IrRef now = ir_b_bin(&r, IR_AND, seen, a->others, 0);
		ir_phi_add(m, around, now, r.block);
		ir_b_cond_br(&r, ir_b_cmp(&r, IRP_I_NE, around, now), l.block, end);
	}
	IrBuilder e = ir_build_before(m, a->inst);
	IrRef     both = ir_b_insert_value(&e, ir_const_poison(m, ir_inst(m, a->inst)->type), extract(a, &e, seen), 0);
	replace(a, ir_b_insert_value(&e, both, won, 1));
}

/* ---- memory of one thread ---- */

static void plainly(PassCx *cx, IrRef inst)
{
	IrModule *m = cx->ir;
	Access    a = {.cx = cx, .m = m, .inst = inst, .type = ir_type_of(m, ir_op(m, inst, 1))};
	IrBuilder b = ir_build_before(m, inst);
	u32       align = ir_align_bytes(ir_inst(m, inst)->align);
	IrRef     ptr = ir_op(m, inst, 0), x = ir_op(m, inst, 1), old = ir_b_load(&b, a.type, ptr, align), new, result = old;
	if (ir_inst(m, inst)->op == IR_CMPXCHG) {
		IrRef equal = ir_b_cmp(&b, IRP_I_EQ, old, x);
		new = ir_b_select(&b, equal, ir_op(m, inst, 2), old);
		result = ir_b_insert_value(&b, ir_const_poison(m, ir_inst(m, inst)->type), old, 0);
		result = ir_b_insert_value(&b, result, equal, 1);
	} else {
		new = apply(&a, &b, ir_inst(m, inst)->sub, old, x);
	}
	IrRef store = ir_b_store(&b, new, ptr, align);
	ir_inst(m, old)->flags |= ir_inst(m, inst)->flags & IRF_VOLATILE;
	ir_inst(m, store)->flags |= ir_inst(m, inst)->flags & IRF_VOLATILE;
	replace(&a, result);
}

/* ---- the pass ---- */

static void expand(PassCx *cx, IrRef inst);

/* An operation of each element, in their order. */
static void by_elements(PassCx *cx, IrRef inst)
{
	IrModule *m = cx->ir;
	IrType    t = ir_inst(m, inst)->type, e = ir_scalar_type(m, t);
	Access    a = {.cx = cx, .m = m, .inst = inst, .type = t};
	IrBuilder b = ir_build_before(m, inst);
	u32       lanes = (u32)ir_type(m, t)->count, align = ir_align_bytes(ir_inst(m, inst)->align);
	u64       size = ir_store_size(m, e);
	IrRef     old = ir_const_poison(m, t), *one = arena_array(cx->scratch, IrRef, lanes);
	for (u32 i = 0; i < lanes; i++) {
		u64 at = i * size;
		one[i] = ir_inst_new(m, IR_ATOMICRMW, e, 2);
		ir_set_op(m, one[i], 0, ir_b_gep_bytes(&b, ir_op(m, inst, 0), (i64)at, 0));
		ir_set_op(m, one[i], 1, ir_b_extract_element(&b, ir_op(m, inst, 1), ir_const_int(m, IR_TYPE(I32), i)));
		ir_inst(m, one[i])->sub = ir_inst(m, inst)->sub;
		like_original(&a, one[i], e);
		ir_inst(m, one[i])->align = ir_inst(m, inst)->align ? ir_align_of(at ? PS_MIN(align, at & (0 - at)) : align) : 0;
		old = ir_b_insert_element(&b, old, ir_b_insert(&b, one[i]), ir_const_int(m, IR_TYPE(I32), i));
	}
	replace(&a, old);
	for (u32 i = lanes; i-- > 0;)
		if (!is_native(cx, one[i]))
			expand(cx, one[i]);
}

static void expand(PassCx *cx, IrRef inst)
{
	if (ir_inst(cx->ir, inst)->flags & IRF_ELEMENTWISE) {
		by_elements(cx, inst);
		return;
	}
	if (value_space(cx->ir, ir_op(cx->ir, inst, 0)) == AS_LOCAL) {
		plainly(cx, inst);
		return;
	}
	IrModule *m = cx->ir;
	Access    a = {.cx = cx, .m = m, .inst = inst, .type = ir_type_of(m, ir_op(m, inst, 1))};
	IrBuilder b = ir_build_before(m, inst);
	u32       op = ir_inst(m, inst)->sub;
	find_word(&a, &b);
	if (ir_inst(m, inst)->op == IR_CMPXCHG) {
		compare_exchange_part(&a, &b);
		return;
	}
	bool  in_word = op == IRRMW_XCHG || op == IRRMW_ADD || op == IRRMW_SUB || op == IRRMW_NAND;
	bool  neutral = a.part ? op == IRRMW_AND || op == IRRMW_OR || op == IRRMW_XOR : op == IRRMW_XCHG;
	IrRef placed = in_word || neutral ? in_place(&a, &b, ir_op(m, inst, 1)) : IR_NO_REF;
	if (neutral)
		rmw_of_word(&a, &b, placed);
	else
		rmw_loop(&a, &b, placed);
}

#define LOOKS_FOR (IR_OPS(ATOMICRMW) | IR_OPS(CMPXCHG))

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) found = {0};
	ir_each_block_had(m, pass_func(cx), b, LOOKS_FOR)
		ir_each_inst(m, b, i)
			if ((ir_inst(m, i)->op == IR_ATOMICRMW || ir_inst(m, i)->op == IR_CMPXCHG) && !is_native(cx, i))
				vec_push(cx->scratch, &found, i);
	for (u32 i = found.n; i-- > 0;) /* as to split a block takes time for the instructions behind */
		expand(cx, found.p[i]);
	return found.n != 0;
}

/* Since which version LLVM has the operation. */
static u32 since(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (i->op != IR_ATOMICRMW)
		return 0;
	if (i->flags & IRF_ELEMENTWISE || (i->sub == IRRMW_XCHG && ir_type_is_vector(m, i->type)))
		return 23;
	return i->sub == IRRMW_USUB_COND || i->sub == IRRMW_USUB_SAT  ? 20
	       : i->sub == IRRMW_FMAXIMUM || i->sub == IRRMW_FMINIMUM ? 21
	                                                              : 0;
}

void atomic_expand_newer(IrModule *m, Arena *scratch, u32 version)
{
	if (version >= 23)
		return;
	Vec(IrRef) found = {0};
	ir_each_func(m, f)
		ir_each_block(m, f, b)
			ir_each_inst(m, b, i)
				if (since(m, i) > version)
					vec_push(scratch, &found, i);
	for (u32 i = 0; i < found.n; i++) {
		const IrInst     *inst = ir_inst(m, found.p[i]);
		const IrInstInfo *info = ir_info(m, found.p[i]);
		SrcRange          at = {info->origin, PS_MAX(info->col, 1), info->origin, PS_MAX(info->end_col, 2)};
		PassCx            cx = {.s = m->s, .ir = m, .scratch = scratch, .func = ir_block(m, inst->block)->func.i};
		diag_report(&m->s->diags, DIAG_IR_NEWER_ATOMIC, at, ir_rmw_name[inst->sub], version);
		expand(&cx, found.p[i]);
	}
}

const Pass irpass_atomic_expand = {
	.id = "atomic-expand",
	.title = "Expand Atomic instructions",
	.summary = "Expands atomic operations that the target lacks to compare-exchange loops.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.looks_for = LOOKS_FOR,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
