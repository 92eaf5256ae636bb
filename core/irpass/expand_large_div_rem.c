/* expand-large-div-rem: expands divisions of integers wider than 128 bits to shift-and-subtract loops, and those of more than
 * 64 bits by powers of two to shifts.
 *
 *   %q = udiv i256 %a, %b       udiv-start:  %a < %b: quotient 0, remainder %a
 *                               udiv-bits:   %n = ctlz %b - ctlz %a; %d0 = shl %b, %n
 *                          →    udiv-do:     %r = phi [%a], [%r']   %d = phi [%d0], [%d']   %k = phi [0], [%q']
 *                                            %r' = %r < %d ? %r : %r - %d
 *                                            %q' = %k << 1 | %r >= %d;  %d' = %d >> 1;  repeated %n times
 *                               udiv-end:    quotient and remainder
 *
 * Restoring division, one quotient bit per iteration. Signed divisions divide the absolute values and then correct the
 * signs. A division by a power of two becomes a shift; constants of 32 bits are left to instruction selection, which
 * divides digit by digit without a loop. Vectors are scalarised. Linear in instructions. */
#include "ir/builder.h"
#include "irpass/util.h"
#include "sem/int.h"

enum { WORD = 64, WIDEST = 128 /* bits that selection divides itself */, DIGIT = 32, MOST_WORDS = 128 };

typedef struct Div {
	PassCx   *cx;
	IrModule *m;
	IrBuilder b;
	IrType    type;
	IrOp      op;
	u32       bits;
} Div;

static IrRef k(Div *x, u64 v) { return ir_const_int(x->m, x->type, v); }
static IrRef op(Div *x, IrOp o, IrRef p, IrRef q) { return ir_b_bin(&x->b, o, p, q, 0); }
static IrRef sign_of(Div *x, IrRef v) { return op(x, IR_ASHR, v, k(x, x->bits - 1)); }
static IrRef negate_where(Div *x, IrRef v, IrRef sign) { return op(x, IR_SUB, op(x, IR_XOR, v, sign), sign); }

static IrRef leading_zeros(Div *x, IrRef v)
{
	Text  name;
	IrRef args[] = {v, ir_const_int(x->m, ir_int_type(x->m, 1), 0)};
	text_init(&name, x->cx->scratch);
	text_f(&name, "llvm.ctlz.i%u", x->bits);
	return ir_b_intrinsic(&x->b, text_str(&name), x->type, args, 2);
}

/* ---- constants ---- */

typedef struct Constant {
	bool  known, negative;
	IrRef magnitude; /* the absolute value */
	u32   bits;      /* its significant bits */
	bool  power;     /* it is 1 << (bits - 1) */
} Constant;

static Constant constant_of(const Div *x, IrRef v, bool is_signed)
{
	u64 words[MOST_WORDS] = {0};
	u32 n = (x->bits + 63) / 64, ones = 0;
	if (ir_kind(v) != IR_CONST || ir_const(x->m, v)->kind != IRC_INT || n > PS_COUNT(words))
		return (Constant){0};
	ir_const_word(x->m, v, words, n);
	Constant c = {.known = true, .negative = is_signed && (words[(x->bits - 1) / 64] >> ((x->bits - 1) % 64) & 1)};
	u64      carry = 1;
	for (u32 i = 0; i < n; i++) {
		if (c.negative) {
			words[i] = ~words[i] + carry;
			carry = carry && !words[i];
		}
		words[i] &= sem_mask_word(x->bits, i);
		if (words[i])
			c.bits = 64 * i + (u32)u64_log2(words[i]) + 1;
		ones += words[i] ? (words[i] & (words[i] - 1) ? 2u : 1u) : 0;
	}
	c.power = ones == 1;
	c.magnitude = ir_const_words(x->m, x->type, words, n);
	return c;
}

/* A mask of the bits below `bit`, or of `bit` and those above it. */
static IrRef mask(Div *x, u32 bit, bool above)
{
	u64 words[MOST_WORDS];
	u32 n = (x->bits + 63) / 64;
	for (u32 i = 0; i < n; i++)
		words[i] = above ? ~sem_mask_word(bit, i) : sem_mask_word(bit, i);
	return ir_const_words(x->m, x->type, words, n);
}

static IrRef by_power(Div *x, IrRef a, u32 bit, bool is_signed, bool negative, bool rem)
{
	IrRef shift = k(x, bit), below = mask(x, bit, false);
	if (!is_signed)
		return rem ? op(x, IR_AND, a, below) : op(x, IR_LSHR, a, shift);
	/* sdiv rounds towards zero, an arithmetic shift towards minus infinity: add divisor - 1 to negative dividends. */
	IrRef biased = op(x, IR_ADD, a, op(x, IR_AND, sign_of(x, a), below));
	if (rem)
		return op(x, IR_SUB, a, op(x, IR_AND, biased, mask(x, bit, true)));
	IrRef q = op(x, IR_ASHR, biased, shift);
	return negative ? op(x, IR_SUB, k(x, 0), q) : q;
}

/* ---- the loop ---- */

/* Emits the loop at the builder's position and moves the builder to the block after the loop. */
static IrRef divide_bits(Div *x, IrRef a, IrRef b, bool rem)
{
	IrModule *m = x->m;
	IrFunc   *f = pass_func(x->cx);
	IrType    index = ir_int_type(m, 32);
	IrRef     at = x->b.before, start = ir_inst(m, at)->block;
	IrRef     end = ir_split_block(m, at, STR("udiv-end")), prepare = ir_block_new(m, f, STR("udiv-bits")),
	      loop = ir_block_new(m, f, STR("udiv-do"));
	ir_block_move_after(m, prepare, start);
	ir_block_move_after(m, loop, prepare);
	ir_remove(m, ir_block(m, start)->last);

	IrBuilder *n = &x->b;
	n->block = start;
	n->before = IR_NO_REF;
	ir_b_cond_br(n, ir_b_cmp(n, IRP_I_ULT, a, b), end, prepare);

	n->block = prepare;
	IrRef zeros_b = leading_zeros(x, b), zeros_a = leading_zeros(x, a);
	IrRef by = op(x, IR_SUB, zeros_b, zeros_a), d0 = op(x, IR_SHL, b, by), count = ir_b_cast(n, IR_TRUNC, by, index);
	ir_b_br(n, loop);

	n->block = loop;
	IrRef r = ir_b_phi(n, x->type), d = ir_b_phi(n, x->type), q = ir_b_phi(n, x->type), i = ir_b_phi(n, index);
	IrRef fits = ir_b_cmp(n, IRP_I_UGE, r, d), less = op(x, IR_SUB, r, d), r1 = ir_b_select(n, fits, less, r);
	IrRef bit = ir_b_cast(n, IR_ZEXT, fits, x->type), q1 = op(x, IR_OR, op(x, IR_SHL, q, k(x, 1)), bit),
	      d1 = op(x, IR_LSHR, d, k(x, 1));
	IrRef i1 = op(x, IR_SUB, i, ir_const_int(m, index, 1)), last = ir_b_cmp(n, IRP_I_EQ, i, ir_const_int(m, index, 0));
	ir_b_cond_br(n, last, end, loop);
	const IrRef phis[] = {r, d, q, i}, first[] = {a, d0, k(x, 0), count}, next[] = {r1, d1, q1, i1};
	for (u32 p = 0; p < PS_COUNT(phis); p++) {
		ir_phi_add(m, phis[p], first[p], prepare);
		ir_phi_add(m, phis[p], next[p], loop);
	}

	n->block = end;
	n->before = at;
	IrRef result = ir_b_phi(n, x->type);
	ir_phi_add(m, result, rem ? a : k(x, 0), start);
	ir_phi_add(m, result, rem ? r1 : q1, loop);
	return result;
}

/* ---- one division ---- */

static IrRef divide(void *user, const IrRef *ops)
{
	Div     *x = user;
	IrOp     o = x->op;
	IrRef    a = ops[0], b = ops[1];
	bool     is_signed = o == IR_SDIV || o == IR_SREM, rem = o == IR_UREM || o == IR_SREM;
	Constant c = constant_of(x, b, is_signed);
	if (c.known && c.power)
		return by_power(x, a, c.bits - 1, is_signed, c.negative, rem);
	/* Freeze the operands: each is used many times, and every use of an undef has to see the same value. */
	a = ir_b_unary(&x->b, IR_FREEZE, a);
	if (!c.known)
		b = ir_b_unary(&x->b, IR_FREEZE, b);
	if (!is_signed)
		return c.known && c.bits <= DIGIT ? op(x, o, a, b) : divide_bits(x, a, b, rem);
	IrRef sa = sign_of(x, a), sb = c.known ? ir_const_sint(x->m, x->type, c.negative ? -1 : 0) : sign_of(x, b);
	a = negate_where(x, a, sa);
	b = c.known ? c.magnitude : negate_where(x, b, sb);
	IrRef r = c.known && c.bits <= DIGIT ? op(x, rem ? IR_UREM : IR_UDIV, a, b) : divide_bits(x, a, b, rem);
	return negate_where(x, r, rem ? sa : op(x, IR_XOR, sa, sb));
}

static void expand(PassCx *cx, IrRef inst)
{
	IrModule *m = cx->ir;
	IrType    t = ir_inst(m, inst)->type, e = ir_scalar_type(m, t);
	Div       x = {.cx = cx,
	               .m = m,
	               .b = ir_build_before(m, inst),
	               .type = e,
	               .op = (IrOp)ir_inst(m, inst)->op,
	               .bits = (u32)ir_size_bits(m, e)};
	IrRef     ops[] = {ir_op(m, inst, 0), ir_op(m, inst, 1)};
	replace_inst(m, inst, element_by_element(&x.b, t, ops, 2, divide, &x));
}

/* Is the division left to selection: narrow, or by a constant of one digit? */
static bool is_left(PassCx *cx, IrRef inst)
{
	const IrModule *m = cx->ir;
	u32             o = ir_inst(m, inst)->op;
	bool            is_signed = o == IR_SDIV || o == IR_SREM;
	Div             x = {.cx = cx, .m = cx->ir, .type = ir_inst(m, inst)->type};
	x.bits = (u32)ir_size_bits(m, ir_scalar_type(m, x.type));
	if (x.bits <= WORD)
		return true;
	Constant c = ir_type_is_vector(m, x.type) ? (Constant){0} : constant_of(&x, ir_op(m, inst, 1), is_signed);
	if (c.known && c.power)
		return false;
	return x.bits <= WIDEST || (!is_signed && c.known && c.bits <= DIGIT);
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) found = {0};
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(UDIV))
		ir_each_inst(m, b, i) {
			u32 o = ir_inst(m, i)->op;
			if (o != IR_UDIV && o != IR_SDIV && o != IR_UREM && o != IR_SREM)
				continue;
			if (!is_left(cx, i))
				vec_push(cx->scratch, &found, i);
		}
	for (u32 i = found.n; i-- > 0;) /* as to split a block takes time for the instructions behind */
		expand(cx, found.p[i]);
	return found.n != 0;
}

const Pass irpass_expand_large_div_rem = {
	.id = "expand-large-div-rem",
	.title = "Expand large div/rem",
	.summary = "Expands divisions of integers wider than 128 bits to loops.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.looks_for = IR_OPS(UDIV),
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
