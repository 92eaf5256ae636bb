/* separate-const-offset-from-gep: moves constant addends of gep indices into a separate constant byte offset.
 *
 *   %j = add nsw i32 %i, 5                      %w = sext i32 %i to i64
 *   %w = sext i32 %j to i64              →      %q = getelementptr float, ptr %p, i64 %w
 *   %q = getelementptr float, ptr %p, i64 %w    %r = getelementptr i8, ptr %q, i64 20
 *
 * p[i], p[i+1], … then share one variable address (after early-cse) and differ only in the immediate offset, which
 * a load or store encodes at no cost. An extension is distributed over an addition that does not wrap in the
 * extension's signedness: sext needs nsw, zext needs nuw, zext of a value known not to be negative
 * needs nsw only; a disjoint or never wraps. A constant offset of the base from a global is moved the same way.
 * A constant minuend moves as well: p[6 - i] becomes p[-i] + 24.
 * An extension is not distributed over a sum of two variables to reach a constant inside: that would extend each of them and add
 * 64 bits at a time, two machine instructions each (measured with ptxas: SASS of index arithmetic as in a[i * n + (k + 1)] grows by
 * 2 to 20 %).
 * Linear in geps; in each index MAX_VISITS operations at most, to a depth of MAX_DEPTH, are searched for a constant. */
#include "ir/builder.h"
#include "irpass/util.h"

enum { MAX_DEPTH = 8, MAX_VISITS = 32 };

typedef enum Ext { EXT_NONE, EXT_SIGN, EXT_ZERO } Ext;

/* A path from an index through additions, subtractions and extensions to a constant addend that can be removed. */
typedef struct Path {
	IrRef node[MAX_DEPTH];
	u8    operand[MAX_DEPTH]; /* the one that is followed; at the end the constant itself */
	u32   n;
	u32   visits; /* of nodes, dead ends among them */
	Ext   ext;    /* of the operands, once they are outside the extensions on the path */
	i64   c;
} Path;

static bool may_distribute(const IrModule *m, IrRef add, Ext ext, bool non_negative)
{
	const IrInst *i = ir_inst(m, add);
	if (i->op == IR_OR)
		return (i->flags & IRF_DISJOINT) != 0; /* its constant is not negative */
	if (i->op != IR_ADD && i->op != IR_SUB)
		return false;
	if (ext == EXT_NONE)
		return true;
	if (ext == EXT_SIGN || non_negative)
		return (i->flags & IRF_NSW) != 0;
	return (i->flags & IRF_NUW) != 0 && i->op == IR_ADD;
}

/* The constant operand of an addition or subtraction, as an addend of its result. */
static bool constant_addend(const IrModule *m, IrRef v, Ext ext, Path *path)
{
	const IrInst *i = ir_inst(m, v);
	u32           w = ir_type(m, i->type)->bits;
	u64           bits;
	u8            side = 1;
	if (!ir_as_int(m, ir_op(m, v, 1), &bits)) {
		if (i->op != IR_SUB || !ir_as_int(m, ir_op(m, v, 0), &bits))
			return false;
		side = 0;
	}
	if (w > 64)
		return false;
	i64 s = w == 64 ? (i64)bits : (i64)(bits << (64 - w)) >> (64 - w);
	if (i->op == IR_OR && s < 0)
		return false;
	path->c = ext == EXT_ZERO ? (i64)bits : s;
	if (i->op == IR_SUB && side == 1)
		path->c = (i64)(0 - (u64)path->c);
	path->operand[path->n++] = side;
	path->ext = ext;
	return path->c != 0;
}

static bool find_constant(const IrModule *m, IrRef v, Ext ext, bool non_negative, Path *path);

static bool find_below(const IrModule *m, IrRef v, u8 side, Ext ext, bool non_negative, Path *path)
{
	path->operand[path->n++] = side;
	if (find_constant(m, ir_op(m, v, side), ext, non_negative, path))
		return true;
	path->n--;
	return false;
}

/* A zext nneg equals a sext, so nsw on the operation inside is sufficient. */
static bool find_in_extension(const IrModule *m, IrRef v, Ext ext, Path *path)
{
	const IrInst *i = ir_inst(m, v);
	if (ext == (i->op == IR_ZEXT ? EXT_SIGN : EXT_ZERO))
		return false; /* the path has one kind of extension: below the zext it would have to be unsigned */
	bool non_negative = i->op == IR_ZEXT && (i->flags & IRF_NNEG) != 0;
	return ir_type_is_int(m, ir_type_of(m, ir_op(m, v, 0))) &&
	       find_below(m, v, 0, i->op == IR_SEXT || non_negative ? EXT_SIGN : EXT_ZERO, non_negative, path);
}

/* Depth first, the left operand before the right one, because front ends nest sums to the left. */
static bool find_constant(const IrModule *m, IrRef v, Ext ext, bool non_negative, Path *path)
{
	if (ir_kind(v) != IR_INST || path->n == MAX_DEPTH || path->visits == MAX_VISITS)
		return false;
	const IrInst *i = ir_inst(m, v);
	path->visits++;
	path->node[path->n] = v;
	if (i->op == IR_SEXT || i->op == IR_ZEXT)
		return find_in_extension(m, v, ext, path);
	if (!may_distribute(m, v, ext, non_negative))
		return false;
	if (i->op == IR_OR && non_negative && path->n == 1)
		ext = EXT_ZERO; /* a zext is equal here, and the geps of neighbouring elements usually have one of the same value */
	u32 n = path->n;
	if (constant_addend(m, v, ext, path))
		return true;
	path->n = n;
	if (i->op == IR_OR || ext != EXT_NONE)
		return false;
	if (find_below(m, v, 0, ext, non_negative, path))
		return true;
	if (!find_below(m, v, 1, ext, non_negative, path))
		return false;
	if (i->op == IR_SUB)
		path->c = (i64)(0 - (u64)path->c);
	return true;
}

/* Is the top bit of `v` known to be 0? Then sext and zext are equal, and zext is the one that front ends emit. */
static bool is_non_negative(const IrModule *m, IrRef v)
{
	u64 c;
	if (ir_kind(v) != IR_INST)
		return false;
	u32 w = ir_type(m, ir_inst(m, v)->type)->bits;
	switch (ir_inst(m, v)->op) {
	case IR_ZEXT: return true;
	case IR_LSHR: return ir_as_int(m, ir_op(m, v, 1), &c) && c > 0;
	case IR_AND: return w <= 64 && ir_as_int(m, ir_op(m, v, 1), &c) && !(c >> (w - 1) & 1);
	case IR_CALL: {
		const IrAttr *r = ir_attrs_find(m, ir_call(m, v)->ret, IRA_RANGE);
		return r && w <= 64 && r->a < r->b && !((r->b - 1) >> (w - 1) & 1);
	}
	default: return false;
	}
}

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
	if (ext == EXT_SIGN && is_non_negative(b->m, v)) {
		IrRef z = ir_b_cast(b, IR_ZEXT, v, t);
		ir_inst(b->m, z)->flags |= IRF_NNEG;
		return z;
	}
	return ir_b_cast(b, ext == EXT_SIGN ? IR_SEXT : IR_ZEXT, v, t);
}

/* Rebuilds the index without the constant in type t: the operations along the path are repeated on extended operands. */
static IrRef without_constant(IrBuilder *b, const Path *path, IrType t)
{
	IrModule *m = b->m;
	Ext       ext = path->ext == EXT_NONE ? EXT_SIGN : path->ext;
	IrRef     node = path->node[path->n - 1];
	u8        constant = path->operand[path->n - 1];
	IrRef     v = extended(b, ir_op(m, node, 1 - constant), ext, t);
	if (constant == 0)
		v = ir_b_bin(b, IR_SUB, ir_const_int(m, t, 0), v, 0); /* the constant was a minuend */
	for (u32 k = path->n - 1; k-- > 0;) {
		node = path->node[k];
		u32 op = ir_inst(m, node)->op;
		if (op == IR_SEXT || op == IR_ZEXT)
			continue;
		IrRef other = extended(b, ir_op(m, node, 1 - path->operand[k]), ext, t);
		v = path->operand[k] == 0 ? ir_b_bin(b, (IrOp)op, v, other, 0) : ir_b_bin(b, (IrOp)op, other, v, 0);
	}
	return v;
}

static bool split_index(PassCx *cx, IrRef gep, u32 k, u64 size, i64 *bytes)
{
	IrModule *m = cx->ir;
	IrRef     index = ir_op(m, gep, k);
	u32       width = ir_index_bits(m, value_space(m, gep)), have = ir_type(m, ir_type_of(m, index))->bits;
	Path      path = {0};
	if (!ir_type_is_int(m, ir_type_of(m, index)) || have > width ||
	    !find_constant(m, index, have < width ? EXT_SIGN : EXT_NONE, false, &path))
		return false;
	IrType    t = path.ext == EXT_NONE ? ir_type_of(m, index) : ir_int_type(m, width);
	IrBuilder b = ir_build_before(m, gep);
	ir_set_op(m, gep, k, without_constant(&b, &path, t));
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
	if (ir_kind(ir_op(m, gep, 0)) == IR_CONST) { /* @table + 4, as folding of @table[i].y leaves it */
		IrRef base = strip_constant_offset(m, ir_op(m, gep, 0), &bytes);
		if ((found = !ir_same(base, ir_op(m, gep, 0))))
			ir_set_op(m, gep, 0, base);
	}
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
