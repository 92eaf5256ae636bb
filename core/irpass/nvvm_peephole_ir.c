/* nvvm-peephole-ir: cheaper forms of single instructions, from what is known about the sizes of their operands.
 *
 *   %x = zext i32 %a to i64                   %q = udiv i32 %a, %b
 *   %y = zext i32 %b to i64            →      %z = zext i32 %q to i64
 *   %z = udiv i64 %x, %y
 *
 * The rules, tried in the order of the table for every instruction:
 *   - divisions and remainders of 64 bits whose operands fit 32 bits are of 32 bits (a 64-bit division is a call of some 70
 *     instructions, a 32-bit one takes 20);
 *   - signed divisions and remainders of what is not negative are unsigned, so that powers of two become shifts and masks;
 *   - comparisons of two values that are extended alike compare what was extended;
 *   - a test of the bits of c << y in x is one of those of c in x >> y: the mask is a constant, and tests of one x share the shift;
 *   - whether two values are equal is asked of their exclusive or or difference, where that lives on anyway and they may not;
 *   - and, or, xor and lshr of 64 bits whose operands are zero-extended are of 32 bits;
 *   - what is compared or converted to float is not truncated first where the truncation loses nothing (nuw, nsw);
 *   - a sign extension of what is not negative is a zero extension, which costs no instruction.
 *
 * The DAG's combiner has such rules, too, but sees one block. bound.c says what a value may be at most. Instructions are visited in
 * reverse post order of the blocks, so operands are simplified before their users. Needs and keeps SSA. Cost: instructions times at
 * most 16 operands. nvptx-peephole is another pass, on machine code. */
#include "analysis/cfg.h"
#include "ir/builder.h"
#include "irpass/bound.h"
#include "irpass/util.h"
#include "sem/int.h"

enum { MAX_USERS = 8 };

/* ---- operands ---- */

static bool is_width(const IrModule *m, IrRef v, u32 width)
{
	IrType t = ir_type_of(m, v);
	return ir_type_is_int(m, t) && ir_type(m, t)->bits == width;
}

static bool fits_32(const IrModule *m, IrRef v) { return value_at_most(m, v) <= UINT32_MAX; }

/* The lower 32 bits of a value that fits them. */
static IrRef narrow(IrBuilder *b, IrRef v)
{
	u64 c;
	if (ir_as_int(b->m, v, &c))
		return ir_const_int(b->m, IR_TYPE(I32), c);
	if (is_inst(b->m, v, IR_ZEXT) && is_width(b->m, ir_op(b->m, v, 0), 32))
		return ir_op(b->m, v, 0);
	return ir_b_cast(b, IR_TRUNC, v, IR_TYPE(I32));
}

static IrRef in_32_bits(IrModule *m, IrRef i, IrOp op, u32 flags)
{
	IrBuilder b = ir_build_before(m, i);
	IrRef     x = narrow(&b, ir_op(m, i, 0)), y = narrow(&b, ir_op(m, i, 1));
	return ir_b_cast(&b, IR_ZEXT, ir_b_bin(&b, op, x, y, flags), ir_inst(m, i)->type);
}

/* ---- the rules: what the instruction becomes, or none ---- */

static IrRef narrow_division(IrModule *m, IrRef i)
{
	if (!is_width(m, i, 64) || !fits_32(m, ir_op(m, i, 0)) || !fits_32(m, ir_op(m, i, 1)))
		return IR_NO_REF;
	u32 op = ir_inst(m, i)->op;
	return in_32_bits(m, i, op == IR_SDIV ? IR_UDIV : op == IR_SREM ? IR_UREM : (IrOp)op, ir_inst(m, i)->flags & IRF_EXACT);
}

static IrRef unsigned_division(IrModule *m, IrRef i)
{
	if (!is_not_negative(m, ir_op(m, i, 0)) || !is_not_negative(m, ir_op(m, i, 1)))
		return IR_NO_REF;
	IrBuilder b = ir_build_before(m, i);
	return ir_b_bin(&b, ir_inst(m, i)->op == IR_SDIV ? IR_UDIV : IR_UREM, ir_op(m, i, 0), ir_op(m, i, 1),
	                ir_inst(m, i)->flags & IRF_EXACT);
}

static u32 unsigned_pred(u32 pred) { return pred >= IRP_I_SGT && pred <= IRP_I_SLE ? pred - IRP_I_SGT + IRP_I_UGT : pred; }
_Static_assert(IRP_I_SLE - IRP_I_SGT == IRP_I_ULE - IRP_I_UGT, "the orders stand in the same order");

/* ---- truncations that lose nothing ---- */

/* Does `v` truncate at most 32 bits, of which those that are lost are zeros (IRF_NUW) or copies of the sign (IRF_NSW)? */
static bool is_lossless(const IrModule *m, IrRef v, u32 flag)
{
	if (!is_inst(m, v, IR_TRUNC) || !(ir_inst(m, v)->flags & flag))
		return false;
	IrRef x = ir_op(m, v, 0);
	return ir_type_is_int(m, ir_type_of(m, x)) && ir_type(m, ir_type_of(m, x))->bits <= 32;
}

static IrRef compare_untruncated(IrModule *m, IrRef i)
{
	IrRef a = ir_op(m, i, 0), b = ir_op(m, i, 1);
	u32   pred = ir_inst(m, i)->sub;
	bool  is_signed = pred >= IRP_I_SGT && pred <= IRP_I_SLE, is_unsigned = pred >= IRP_I_UGT && pred <= IRP_I_ULE;
	i64   k = 0;
	u32   flag = !is_signed && is_lossless(m, a, IRF_NUW) ? IRF_NUW : IRF_NSW;
	if ((is_unsigned && flag == IRF_NSW) || !is_lossless(m, a, flag))
		return IR_NO_REF;
	IrType t = ir_type_of(m, ir_op(m, a, 0));
	bool   constant = ir_as_sint(m, b, &k);
	if (!constant && (!is_lossless(m, b, flag) || !ir_type_same(ir_type_of(m, ir_op(m, b, 0)), t)))
		return IR_NO_REF;
	u64       zeros = (u64)k & sem_mask(ir_type(m, ir_type_of(m, a))->bits);
	IrRef     y = constant ? ir_const_int(m, t, flag == IRF_NUW ? zeros : (u64)k) : ir_op(m, b, 0);
	IrBuilder at = ir_build_before(m, i);
	return ir_b_cmp(&at, pred, ir_op(m, a, 0), y);
}

static IrRef convert_untruncated(IrModule *m, IrRef i)
{
	u32   op = ir_inst(m, i)->op;
	IrRef a = ir_op(m, i, 0);
	if (!is_lossless(m, a, op == IR_UITOFP ? IRF_NUW : IRF_NSW))
		return IR_NO_REF;
	IrBuilder at = ir_build_before(m, i);
	return ir_b_cast(&at, op, ir_op(m, a, 0), ir_inst(m, i)->type);
}

/* Is the constant what the extension makes of one of 32 bits? Zero-extended values are compared without a sign. */
static bool is_extended(const IrModule *m, IrRef v, u32 ext)
{
	i64 c;
	if (is_inst(m, v, (IrOp)ext))
		return is_width(m, ir_op(m, v, 0), 32);
	return ir_as_sint(m, v, &c) && (ext == IR_SEXT ? c == (i32)c : c == (i64)(u32)c);
}

static IrRef narrow_comparison(IrModule *m, IrRef i)
{
	IrRef x = ir_op(m, i, 0), y = ir_op(m, i, 1);
	u32   ext = value_op(m, ir_kind(x) == IR_INST ? x : y), pred = ir_inst(m, i)->sub;
	i64   c;
	if (!is_width(m, x, 64) || (ext != IR_SEXT && ext != IR_ZEXT) || !is_extended(m, x, ext) || !is_extended(m, y, ext))
		return IR_NO_REF;
	IrBuilder b = ir_build_before(m, i);
	IrRef     a = ir_as_sint(m, x, &c) ? ir_const_int(m, IR_TYPE(I32), (u64)c) : ir_op(m, x, 0);
	IrRef     d = ir_as_sint(m, y, &c) ? ir_const_int(m, IR_TYPE(I32), (u64)c) : ir_op(m, y, 0);
	return ir_b_cmp(&b, (IrPred)(ext == IR_ZEXT ? unsigned_pred(pred) : pred), a, d);
}

static IrRef constant_mask(IrModule *m, IrRef i)
{
	IrRef bits = ir_op(m, i, 0), zero = ir_op(m, i, 1);
	u64   c;
	if (ir_inst(m, i)->sub > IRP_I_NE || !is_inst(m, bits, IR_AND) || !ir_has_one_use(m, bits) || !ir_as_int(m, zero, &c) ||
	    c || (!is_width(m, bits, 32) && !is_width(m, bits, 64)))
		return IR_NO_REF;
	for (u32 at = 0; at < 2; at++) {
		IrRef mask = ir_op(m, bits, at), x = ir_op(m, bits, 1 - at);
		if (!is_inst(m, mask, IR_SHL) || !ir_has_one_use(m, mask) || !ir_as_int(m, ir_op(m, mask, 0), &c))
			continue;
		IrBuilder b = ir_build_before(m, i);
		IrRef     low = ir_b_bin(&b, IR_LSHR, x, ir_op(m, mask, 1), 0);
		return ir_b_cmp(&b, (IrPred)ir_inst(m, i)->sub, ir_b_bin(&b, IR_AND, low, ir_op(m, mask, 0), 0), zero);
	}
	return IR_NO_REF;
}

/* An exclusive or or difference of the two, in front of the comparison in its block, that lives on behind the block. */
static IrRef known_difference(const IrModule *m, IrRef i, IrRef x, IrRef y)
{
	IrRef block = ir_inst(m, i)->block;
	u32   looked_at = 0;
	ir_each_use(m, x, u) {
		IrRef d = ir_use(m, u)->user;
		if (looked_at++ == MAX_USERS)
			break;
		if ((!is_inst(m, d, IR_XOR) && !is_inst(m, d, IR_SUB)) || !ir_same(ir_inst(m, d)->block, block) ||
		    !ir_same(ir_op(m, d, ir_use_index(m, u) ? 0 : 1), y))
			continue;
		bool lives_on = false;
		ir_each_use(m, d, v) {
			IrRef user = ir_use(m, v)->user;
			lives_on |= ir_kind(user) == IR_INST &&
			            (ir_inst(m, user)->op == IR_PHI || !ir_same(ir_inst(m, user)->block, block));
		}
		for (IrRef at = ir_inst(m, d)->next; lives_on && !ir_is_none(at); at = ir_inst(m, at)->next)
			if (ir_same(at, i))
				return d;
	}
	return IR_NO_REF;
}

static IrRef test_of_difference(IrModule *m, IrRef i)
{
	IrRef x = ir_op(m, i, 0), y = ir_op(m, i, 1);
	if (ir_inst(m, i)->sub > IRP_I_NE || ir_kind(x) != IR_INST || ir_kind(y) != IR_INST || ir_same(x, y) ||
	    !ir_type_is_int(m, ir_type_of(m, x)))
		return IR_NO_REF;
	IrRef d = known_difference(m, i, x, y);
	if (ir_is_none(d))
		return d;
	/* What the flags of a difference promise need not hold where only its being zero was asked for. */
	ir_inst(m, d)->flags &= (u16) ~(IRF_NUW | IRF_NSW);
	IrBuilder b = ir_build_before(m, i);
	return ir_b_cmp(&b, (IrPred)ir_inst(m, i)->sub, d, ir_const_int(m, ir_inst(m, d)->type, 0));
}

static IrRef narrow_logic(IrModule *m, IrRef i)
{
	u64   c;
	u32   op = ir_inst(m, i)->op;
	IrRef x = ir_op(m, i, 0), y = ir_op(m, i, 1);
	if (!is_width(m, i, 64) || !is_extended(m, x, IR_ZEXT) || ir_kind(x) != IR_INST)
		return IR_NO_REF;
	if (op == IR_LSHR ? !ir_as_int(m, y, &c) || c >= 32 : !is_extended(m, y, IR_ZEXT))
		return IR_NO_REF;
	return in_32_bits(m, i, (IrOp)op, ir_inst(m, i)->flags & (IRF_EXACT | IRF_DISJOINT));
}

static IrRef zero_extension(IrModule *m, IrRef i)
{
	if (!is_not_negative(m, ir_op(m, i, 0)))
		return IR_NO_REF;
	IrBuilder b = ir_build_before(m, i);
	IrRef     z = ir_b_cast(&b, IR_ZEXT, ir_op(m, i, 0), ir_inst(m, i)->type);
	ir_inst(m, z)->flags |= IRF_NNEG;
	return z;
}

static const struct Rule {
	u32 op;
	IrRef (*rewrite)(IrModule *m, IrRef i);
	const char *becomes, *missed; /* missed: why not, where somebody may wonder */
} rules[] = {
	{IR_UDIV, narrow_division, "a division of 32 bits", "its operands may have more than 32 bits"},
	{IR_UREM, narrow_division, "a remainder of 32 bits", "its operands may have more than 32 bits"},
	{IR_SDIV, narrow_division, "a division of 32 bits", NULL},
	{IR_SREM, narrow_division, "a remainder of 32 bits", NULL},
	{IR_SDIV, unsigned_division, "an unsigned division", "its operands may be negative"},
	{IR_SREM, unsigned_division, "an unsigned remainder", "its operands may be negative"},
	{IR_ICMP, narrow_comparison, "a comparison of 32 bits", NULL},
	{IR_ICMP, compare_untruncated, "a comparison of what was truncated", NULL},
	{IR_UITOFP, convert_untruncated, "a conversion of what was truncated", NULL},
	{IR_SITOFP, convert_untruncated, "a conversion of what was truncated", NULL},
	{IR_ICMP, constant_mask, "a comparison of bits that are shifted down", NULL},
	{IR_ICMP, test_of_difference, "a test of their difference, which is there already", NULL},
	{IR_AND, narrow_logic, "an operation of 32 bits", NULL},
	{IR_OR, narrow_logic, "an operation of 32 bits", NULL},
	{IR_XOR, narrow_logic, "an operation of 32 bits", NULL},
	{IR_LSHR, narrow_logic, "a shift of 32 bits", NULL},
	{IR_SEXT, zero_extension, "a zero extension", NULL},
};

static bool visit(PassCx *cx, IrRef i)
{
	IrModule *m = cx->ir;
	for (u32 k = 0; k < PS_COUNT(rules); k++) {
		if (rules[k].op != ir_inst(m, i)->op)
			continue;
		u32   line = value_line(m, i);
		IrRef by = rules[k].rewrite(m, i);
		if (ir_is_none(by)) {
			if (rules[k].missed)
				pass_remark(cx, REMARK_MISSED, line, "%s stays: %s", ir_op_info[rules[k].op].name,
				            rules[k].missed);
			continue;
		}
		pass_remark(cx, REMARK_PASSED, line, "%s becomes %s", ir_op_info[rules[k].op].name, rules[k].becomes);
		ir_replace_all_uses(m, i, by);
		ir_take_place(m, by, i);
		remove_if_dead(cx, i);
		return true;
	}
	return false;
}

static bool run(PassCx *cx)
{
	IrModule    *m = cx->ir;
	const IrCfg *cfg = ir_cfg(cx);
	bool         changed = false;
	for (u32 n = 0; n < cfg->order.n; n++) {
		IrRef next;
		for (IrRef i = ir_block(m, cfg->block[cfg->order.node[n]])->first; !ir_is_none(i); i = next) {
			next = ir_inst(m, i)->next;
			changed |= visit(cx, i);
		}
	}
	return changed;
}

const Pass irpass_nvvm_peephole_ir = {
	.id = "nvvm-peephole-ir",
	.title = "NVVM Peephole",
	.summary = "Cheaper forms of divisions, comparisons and extensions whose operands are small.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_nvvm_peephole_ir,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_NVIDIA,
	.run = run,
};
