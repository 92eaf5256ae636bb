/* separate-const-offset-from-gep: moves constant addends of gep indices into a separate constant byte offset.
 *
 *   %j = add nsw i32 %i, 5                      %w = sext i32 %i to i64
 *   %w = sext i32 %j to i64              →      %q = getelementptr float, ptr %p, i64 %w
 *   %q = getelementptr float, ptr %p, i64 %w    %r = getelementptr i8, ptr %q, i64 20
 *
 * p[i], p[i+1], … then share one variable address (after early-cse) and differ only in the immediate offset, which a load or store
 * encodes at no cost. The constant may be a minuend (p[6 - i] becomes p[-i] + 24), stand anywhere in a sum of variables, and
 * be multiplied with another one: p[(i + 2) * 5] becomes p[i * 5] + 40.
 *
 * It leaves an extension only if what stays does not wrap in the extension's signedness; find_below has the argument. The sum that
 * stays is extended as a whole. To extend its terms one by one needs no proof, but each of them costs an extension and an addition of
 * 64 bits, which are two machine instructions: the SASS of index arithmetic such as a[i * n + (k + 1)] grows by 2 to 20 %.
 * A constant offset of the base is moved the same way: (p + 4)[i] becomes p[i] + 4, and p + 4 needs no register.
 *
 * clang drops nsw where it reassociates: p[(2 * i + 1) * n + 2] becomes p[sext(add %x, n + 2)]. Such a sum with a constant c > 0 wraps
 * only to one of the c least values, which are 2^31 elements in front of the base. As LLVM does, it is assumed that nothing is accessed
 * there where the address is inbounds; inbounds-offsets=0 leaves it out.
 *
 * Linear in geps; in each index MAX_VISITS operations at most, to a depth of MAX_DEPTH, are searched for a constant. */
#include "ir/builder.h"
#include "irpass/bound.h"
#include "irpass/util.h"

enum { MAX_DEPTH = 8, MAX_VISITS = 32, SIGN_DEPTH = 5, MAX_SHIFT = 31 };

typedef enum Ext { EXT_NONE, EXT_SIGN, EXT_ZERO } Ext;

/* A path from an index through sums and products with constants to a constant addend that can be removed, with at most one
 * extension on the way. */
typedef struct Path {
	IrRef node[MAX_DEPTH];
	u8    operand[MAX_DEPTH]; /* the one that is followed; at the end the constant itself */
	u32   n;
	u32   visits;   /* of nodes, dead ends among them */
	bool  inbounds; /* of the getelementptr, where that is taken to say that the index is not negative */
	u32   below;    /* the first node below the extension */
	Ext   as;       /* what the extension has been found to equal; EXT_NONE: there is none */
	i64   c;        /* what it adds to the index */
} Path;

/* What is known of the sums below an extension, down to the one at hand. */
typedef struct Below {
	u32  wrap;    /* the flags that all have, of those with which the extension is a sum of extensions */
	u32  unknown; /* terms beside the path that may be negative */
	u32  most;    /* that may be unknown where nothing is said of unsigned wrapping */
	bool nonneg;  /* the extension's operand is not negative */
} Below;

/* ---- is a value known not to be negative? ---- */

static bool constant_sign(const IrModule *m, IrRef v, bool *negative)
{
	u64 c;
	u32 w = ir_type(m, ir_type_of(m, v))->bits;
	if (w > 64 || !ir_as_int(m, v, &c))
		return false;
	*negative = c >> (w - 1) & 1;
	return true;
}

/* Through sums and phis, too: a loop's counter that begins at 0 and does not wrap. `phi` is one that is being looked into; as
 * each way around it ends in a value that follows from it, it may be assumed. */
static bool never_negative(const IrModule *m, IrRef v, IrRef phi, u32 depth)
{
	bool negative;
	if (constant_sign(m, v, &negative))
		return !negative;
	if (ir_kind(v) != IR_INST || !depth)
		return false;
	if (is_not_negative(m, v) || ir_same(v, phi))
		return true;
	const IrInst *i = ir_inst(m, v);
	switch (i->op) {
	case IR_ADD:
	case IR_MUL:
		if (!(i->flags & IRF_NSW))
			return false;
		/* fall through */
	case IR_OR: return never_negative(m, ir_op(m, v, 0), phi, depth - 1) && never_negative(m, ir_op(m, v, 1), phi, depth - 1);
	case IR_ASHR: return never_negative(m, ir_op(m, v, 0), phi, depth - 1);
	case IR_SELECT:
		return never_negative(m, ir_op(m, v, 1), phi, depth - 1) && never_negative(m, ir_op(m, v, 2), phi, depth - 1);
	case IR_PHI:
		if (!ir_is_none(phi) || ir_phi_n(m, v) > MAX_DEPTH)
			return false;
		for (u32 k = 0; k < ir_phi_n(m, v); k++)
			if (!never_negative(m, ir_phi_value(m, v, k), v, depth - 1))
				return false;
		return true;
	default: return false;
	}
}

/* ---- the search ---- */

static bool is_sum(const IrInst *i)
{
	return i->op == IR_ADD || i->op == IR_SUB || (i->op == IR_OR && (i->flags & IRF_DISJOINT));
}

/* The constant operand of a sum, as an addend of its result. */
static bool constant_addend(const IrModule *m, IrRef v, Path *path)
{
	const IrInst *i = ir_inst(m, v);
	u8            side = 1;
	if (!ir_as_sint(m, ir_op(m, v, 1), &path->c)) {
		if (i->op != IR_SUB || !ir_as_sint(m, ir_op(m, v, 0), &path->c))
			return false;
		side = 0;
	}
	if (i->op == IR_OR && path->c < 0)
		return false;
	if (i->op == IR_SUB && side == 1)
		path->c = (i64)(0 - (u64)path->c);
	path->operand[path->n++] = side;
	return path->c != 0;
}

static bool visit(IrRef v, Path *path)
{
	if (ir_kind(v) != IR_INST || path->n == MAX_DEPTH || path->visits == MAX_VISITS)
		return false;
	path->visits++;
	path->node[path->n] = v;
	return true;
}

/* A product with a constant, of which some constant times what adds to the first operand can be moved. The product is computed again
 * where something else needs it, so only where that is rare. */
static bool is_scaled(const IrModule *m, IrRef v, i64 *times) { return constant_multiple(m, v, times) && only_addresses(m, v); }

static bool scale(Path *path, i64 times)
{
	if (path->c >= (i64)1 << MAX_SHIFT || path->c <= -((i64)1 << MAX_SHIFT))
		return false;
	path->c *= times;
	return true;
}

/* Below an extension. The sum N is ext(N), and without its constant it is ext(N - c), which is ext(N) - c unless N - c wraps.
 * Where c is the only other term, N - c is a value of the type. Otherwise, with c > 0: without unsigned wrap N is at least c; without
 * signed wrap N - c is a sum of terms of which at most one is negative, so it is no less than the least value. A multiple of N - c
 * that is no less than 0 lies between 0 and that of N, and does not wrap, either. */
static bool find_below(const IrModule *m, IrRef v, Below b, Path *path)
{
	i64 times;
	if (!visit(v, path))
		return false;
	const IrInst *i = ir_inst(m, v);
	u32           n = path->n;
	bool          top = n == path->below;
	if (is_scaled(m, v, &times)) {
		b.wrap &= i->flags & (IRF_NSW | IRF_NUW);
		b.most = 0;
		path->operand[path->n++] = 0;
		if (b.wrap && find_below(m, ir_op(m, v, 0), b, path) && scale(path, times))
			return true;
		path->n = n;
		return false;
	}
	if (!is_sum(i))
		return false;
	b.wrap &= i->op == IR_OR ? IRF_NSW | IRF_NUW : i->op == IR_SUB ? i->flags & IRF_NSW : i->flags & (IRF_NSW | IRF_NUW);
	if (!b.wrap) {
		if (top && b.nonneg && i->op == IR_ADD && constant_addend(m, v, path) && path->c > 0) {
			path->as = EXT_SIGN;
			return true;
		}
		path->n = n;
		return false;
	}
	path->as = b.wrap & IRF_NUW ? EXT_ZERO : EXT_SIGN;
	if (constant_addend(m, v, path)) {
		u8 side = path->operand[n];
		b.unknown += !never_negative(m, ir_op(m, v, 1u - side), (IrRef){0}, SIGN_DEPTH);
		if (top && (path->as == EXT_SIGN || path->c > 0))
			return true;
		if (!top && path->c > 0 && side == 1 && (path->as == EXT_ZERO || b.unknown <= b.most))
			return true;
	}
	for (u8 side = 0; side < (i->op == IR_ADD ? 2 : i->op == IR_SUB ? 1 : 0); side++) {
		Below next = b;
		next.unknown += i->op == IR_SUB || !never_negative(m, ir_op(m, v, 1u - side), (IrRef){0}, SIGN_DEPTH);
		path->n = n;
		path->operand[path->n++] = side;
		if (next.unknown <= b.most || b.wrap & IRF_NUW)
			if (find_below(m, ir_op(m, v, side), next, path))
				return true;
	}
	path->n = n;
	return false;
}

/* A zext nneg equals a sext; where a sum below it wraps neither way it is a zext, as those of neighbouring elements usually are. */
static bool find_in_extension(const IrModule *m, IrRef v, Path *path)
{
	const IrInst *i = ir_inst(m, v);
	Below         b = {.most = 1, .wrap = i->op == IR_SEXT ? IRF_NSW : i->flags & IRF_NNEG ? IRF_NSW | IRF_NUW : IRF_NUW};
	b.nonneg = i->op == IR_SEXT ? path->inbounds : (i->flags & IRF_NNEG) != 0;
	path->operand[path->n++] = 0;
	path->below = path->n;
	if (ir_type_is_int(m, ir_type_of(m, ir_op(m, v, 0))) && find_below(m, ir_op(m, v, 0), b, path))
		return true;
	path->n--;
	path->as = EXT_NONE;
	return false;
}

/* In the width of an address, where wrapping does no harm. Depth first, the left operand before the right one, because front ends
 * nest sums to the left. */
static bool find_constant(const IrModule *m, IrRef v, Path *path)
{
	if (!visit(v, path))
		return false;
	const IrInst *i = ir_inst(m, v);
	if (i->op == IR_SEXT || i->op == IR_ZEXT)
		return find_in_extension(m, v, path);
	u32 n = path->n;
	i64 times;
	if (is_scaled(m, v, &times)) {
		path->operand[path->n++] = 0;
		if (find_constant(m, ir_op(m, v, 0), path) && scale(path, times))
			return true;
		path->n = n;
		return false;
	}
	if (!is_sum(i))
		return false;
	if (constant_addend(m, v, path))
		return true;
	for (u8 side = 0; side < (i->op == IR_OR ? 0 : 2); side++) {
		path->n = n;
		path->operand[path->n++] = side;
		if (!find_constant(m, ir_op(m, v, side), path))
			continue;
		if (i->op == IR_SUB && side == 1)
			path->c = (i64)(0 - (u64)path->c);
		return true;
	}
	path->n = n;
	return false;
}

/* ---- the change ---- */

static IrRef extended(IrBuilder *b, IrRef v, Ext ext, IrType t)
{
	if (ir_type_same(ir_type_of(b->m, v), t))
		return v;
	if (ir_kind(v) == IR_CONST) {
		i64 s;
		u64 u;
		if (ext == EXT_SIGN && ir_as_sint(b->m, v, &s))
			return ir_const_sint(b->m, t, s);
		if (ext == EXT_ZERO && ir_as_int(b->m, v, &u))
			return ir_const_int(b->m, t, u);
	}
	return extend_value(b, ext == EXT_SIGN ? IR_SEXT : IR_ZEXT, v, t);
}

/* Rebuilds the index in type t without the constant: the sums below an extension in their own width, those above it in t. */
static IrRef without_constant(IrBuilder *b, const Path *path, IrType t)
{
	IrModule *m = b->m;
	u32       k = path->n - 1;
	IrRef     node = path->node[k], v = ir_op(m, node, 1u - path->operand[k]);
	if (path->operand[k] == 0) { /* the constant was a minuend */
		v = path->as == EXT_NONE ? v : extended(b, v, path->as, t);
		v = ir_b_bin(b, IR_SUB, ir_const_int(m, ir_type_of(m, v), 0), v, 0);
	}
	while (k-- > 0) {
		node = path->node[k];
		u32 op = ir_inst(m, node)->op;
		if (op == IR_SEXT || op == IR_ZEXT) {
			v = extended(b, v, path->as, t);
			continue;
		}
		IrRef other = ir_op(m, node, 1 - path->operand[k]);
		v = path->operand[k] == 0 ? ir_b_bin(b, (IrOp)op, v, other, 0) : ir_b_bin(b, (IrOp)op, other, v, 0);
	}
	return path->as == EXT_NONE ? v : extended(b, v, path->as, t);
}

static bool split_index(PassCx *cx, IrRef gep, u32 k, u64 size, i64 *bytes)
{
	IrModule *m = cx->ir;
	IrRef     index = ir_op(m, gep, k);
	u32       width = ir_index_bits(m, value_space(m, gep)), have = ir_type(m, ir_type_of(m, index))->bits;
	Path      path = {.inbounds = ir_inst(m, gep)->flags & IRF_INBOUNDS && knob_bool(cx->s, KNOB_inbounds_offsets)};
	if (!ir_type_is_int(m, ir_type_of(m, index)) || have > width ||
	    !(have < width ? find_below(m, index, (Below){.wrap = IRF_NSW, .most = 1, .nonneg = path.inbounds}, &path)
	                   : find_constant(m, index, &path)))
		return false;
	IrBuilder b = ir_build_before(m, gep);
	ir_set_op(m, gep, k, without_constant(&b, &path, ir_int_type(m, width)));
	*bytes = (i64)((u64)*bytes + (u64)path.c * size);
	remove_if_dead(cx, index);
	return true;
}

/* Walks the indices with the types they step through. */
static bool split_gep(PassCx *cx, IrRef gep)
{
	IrModule *m = cx->ir;
	IrType    t = ir_inst(m, gep)->elem;
	i64       bytes = 0;
	bool      found = false, variable = false;
	if (!is_ptr(m, gep))
		return false;
	for (u32 k = 1; k < ir_n_ops(m, gep); k++)
		variable |= ir_kind(ir_op(m, gep, k)) != IR_CONST;
	if (!variable)
		return false;
	/* @table + 4, as folding of @table[i].y leaves it, or one that an earlier getelementptr adds */
	IrRef base = strip_constant_offset(m, ir_op(m, gep, 0), &bytes);
	if ((found = !ir_same(base, ir_op(m, gep, 0)) && ir_type_same(ir_type_of(m, base), ir_inst(m, gep)->type)))
		ir_set_op(m, gep, 0, base);
	else
		bytes = 0;
	for (u32 k = 1; k < ir_n_ops(m, gep); k++) {
		i64 c;
		if (k > 1) {
			IrTypeKind kind = ir_type_kind(m, t);
			u64        field;
			if (kind == IRT_STRUCT) {
				ir_as_int(m, ir_op(m, gep, k), &field);
				t = ir_type_elem(m, t, (u32)field);
				continue;
			}
			t = ir_type_elem(m, t, 0);
		}
		u64 size = ir_alloc_size(m, t);
		if (ir_as_sint(m, ir_op(m, gep, k), &c)) {
			if (!c)
				continue;
			bytes = (i64)((u64)bytes + (u64)c * size);
			ir_set_op(m, gep, k, ir_const_int(m, ir_type_of(m, ir_op(m, gep, k)), 0));
			found = true;
		} else {
			found |= split_index(cx, gep, k, size, &bytes);
		}
	}
	if (!found)
		return false;
	ir_inst(m, gep)->flags &= ~(u32)(IRF_INBOUNDS | IRF_NUSW | IRF_NUW);
	if (bytes) {
		IrBuilder b = build_after(m, gep);
		IrRef     c = ir_const_sint(m, ir_int_type(m, ir_index_bits(m, value_space(m, gep))), bytes);
		IrRef     r = ir_inst_new(m, IR_GETELEMENTPTR, ir_inst(m, gep)->type, 2);
		ir_inst(m, r)->elem = IR_TYPE(I8);
		ir_b_insert(&b, r);
		ir_replace_all_uses(m, gep, r);
		ir_set_op(m, r, 0, gep);
		ir_set_op(m, r, 1, c);
	}
	return true;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) geps = {0};
	bool changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(GETELEMENTPTR))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_GETELEMENTPTR)
				vec_push(cx->scratch, &geps, i);
	for (u32 i = 0; i < geps.n; i++)
		if (!ir_is_none(ir_inst(m, geps.p[i])->block))
			changed |= split_gep(cx, geps.p[i]);
	return changed;
}

const Pass irpass_separate_const_offset_from_gep = {
	.id = "separate-const-offset-from-gep",
	.title = "Split GEPs to a variadic base and a constant offset for better CSE",
	.summary = "Splits constant offsets from variable indices of address computations.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_separate_const_offset_from_gep,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(GETELEMENTPTR),
	.run = run,
};
