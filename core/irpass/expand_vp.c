/* expand-vp: replaces vector-predicated intrinsics (llvm.vp.*, with a mask and a vector length) by unpredicated operations.
 *
 *   %s = call <4 x i32> @llvm.vp.add.v4i32(<4 x i32> %a, <4 x i32> %b, <4 x i1> %mask, i32 %n)
 *     →  %s = add <4 x i32> %a, %b                   inactive lanes of the result are poison, so they may be computed
 *
 *   call void @llvm.vp.store.v4i32.p0(<4 x i32> %s, ptr %p, <4 x i1> %mask, i32 %n)
 *     →  %below = icmp ult <4 x i32> <0, 1, 2, 3>, (%n in all lanes)
 *        %on = and <4 x i1> %mask, %below
 *        call void @llvm.masked.store.v4i32.p0(<4 x i32> %s, ptr align 16 %p, <4 x i1> %on)
 *
 * In inactive lanes a division divides by one, a reduction uses its neutral element, and memory is not accessed. An
 * intrinsic that exists under the same name without `vp.` is replaced by that one. Handles all of the LLVM LangRef's
 * "Vector Predication Intrinsics" on vectors of fixed length; scalarize-masked-mem-intrin expands the masked memory
 * accesses that this pass creates. Linear in instructions. */
#include "ir/builder.h"
#include "ir/signature.h"
#include "irpass/util.h"

typedef enum Kind {
	NOT_PREDICATED,
	BINARY,
	DIVIDE,
	NEGATE,
	CAST,
	COMPARE,
	SELECT,
	MERGE,
	LOAD,
	STORE,
	STRIDED_LOAD,
	STRIDED_STORE,
	REDUCE,     /* inactive lanes are the start value, which may come in any number of times */
	REDUCE_SUM, /* inactive lanes are 0, or -0.0 */
	REDUCE_PRODUCT,
	ORDERED, /* the start value is an operand of the reduction */
	ORDERED_PRODUCT,
	FIRST,
	REVERSE,
	SPLICE,
	SPLAT,
	ROUND_TO_ZERO,
	NAMED /* the intrinsic of the same name without vp. */
} Kind;

/* Reductions whose elements an intrinsic combines, as there is no instruction for it; behind the values of IrOp. */
typedef enum By { BY_smax = IR_OP_COUNT, BY_smin, BY_umax, BY_umin, BY_maxnum, BY_minnum, BY_maximum, BY_minimum } By;

static const char *const by_name[] = {"smax", "smin", "umax", "umin", "maxnum", "minnum", "maximum", "minimum"};

typedef struct Row {
	u8 kind;
	u8 op; /* IrOp or By */
} Row;

#define VP_OF_NODE(op)                      NOT_PREDICATED, 0
#define VP_OF_INSN(text)                    NOT_PREDICATED, 0
#define VP_OF_INSN_ID(id, text)             NOT_PREDICATED, 0
#define VP_OF_FORM(text)                    NOT_PREDICATED, 0
#define VP_OF_CODE(function, what)          NOT_PREDICATED, 0
#define VP_OF_FORM_FROM(sm, ptx, text)      NOT_PREDICATED, 0
#define VP_OF_LIBM(name, node, how, factor) NOT_PREDICATED, 0
#define VP_OF_VP(kind, op)                  kind, op
#define VP_OF_NOTHING                       NOT_PREDICATED, 0
#define VP_OF_NONE                          NOT_PREDICATED, 0

static const Row rows[] = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering) {VP_OF_##lowering},
#include "ir/intrinsics.def"
};

typedef struct Vp {
	PassCx   *cx;
	IrModule *m;
	IrBuilder b;
	IrRef     call;
	Row       row;
	Str       name;   /* behind llvm.vp. or llvm.experimental.vp.: "add.v4i32" */
	Str       suffix; /* of overloaded types: ".v4i32.p0" */
	u32       n;      /* arguments in front of mask and length */
	u32       lanes;
	IrRef     mask, length;
} Vp;

static IrRef arg(const Vp *x, u32 i) { return ir_call_arg(x->m, x->call, i); }
static IrRef index_of(const Vp *x, u64 i) { return ir_const_int(x->m, IR_TYPE(I32), i); }

static IrRef named(Vp *x, const char *name, Str suffix, IrType t, const IrRef *args, u32 n)
{
	IrRef r = ir_b_intrinsic(&x->b, arena_fmt(x->cx->scratch, "llvm.%s%.*s", name, STR_ARG(suffix)), t, args, n);
	ir_inst(x->m, r)->flags |= x->b.flags;
	return r;
}

static IrRef splat(Vp *x, IrRef v)
{
	IrType t = ir_vector_type(x->m, ir_type_of(x->m, v), x->lanes);
	if (ir_kind(v) == IR_CONST)
		return ir_const_splat(x->m, t, v);
	i32  *zeros = arena_array(x->cx->scratch, i32, x->lanes);
	IrRef none = ir_const_poison(x->m, t), first = ir_b_insert_element(&x->b, none, v, index_of(x, 0));
	return ir_b_shuffle(&x->b, first, none, zeros, x->lanes);
}

/* 0, 1, 2 … */
static IrRef numbers(Vp *x, IrType t)
{
	IrRef *e = arena_array(x->cx->scratch, IrRef, x->lanes);
	for (u32 i = 0; i < x->lanes; i++)
		e[i] = ir_const_int(x->m, t, i);
	return ir_const_agg(x->m, ir_vector_type(x->m, t, x->lanes), e, x->lanes);
}

static bool is_all_ones(const Vp *x, IrRef mask)
{
	u64   bit;
	IrRef e = ir_kind(mask) == IR_CONST ? ir_splat_value(x->m, mask) : IR_NO_REF;
	return !ir_is_none(e) && ir_as_int(x->m, e, &bit) && bit;
}

/* The active lanes: those below the vector length whose bit in `mask` is set. A constant where both are constants. */
static IrRef below_length(Vp *x, IrRef mask)
{
	IrModule *m = x->m;
	u64       n;
	if (!ir_as_int(m, x->length, &n)) {
		IrRef all = splat(x, x->length), below = ir_b_cmp(&x->b, IRP_I_ULT, numbers(x, IR_TYPE(I32)), all);
		return is_all_ones(x, mask) ? below : ir_b_bin(&x->b, IR_AND, mask, below, 0);
	}
	if (n >= x->lanes)
		return mask;
	IrRef *e = arena_array(x->cx->scratch, IrRef, x->lanes), no = ir_const_int(m, IR_TYPE(I1), 0),
	      yes = ir_const_int(m, IR_TYPE(I1), 1);
	bool known = ir_kind(mask) == IR_CONST;
	for (u32 i = 0; i < x->lanes; i++) {
		IrRef bit = known ? ir_const_elem(m, mask, i) : yes;
		e[i] = i >= n || ir_is_none(bit) ? no : bit;
	}
	IrRef below = ir_const_agg(m, ir_vector_type(m, IR_TYPE(I1), x->lanes), e, x->lanes);
	return known ? below : ir_b_bin(&x->b, IR_AND, mask, below, 0);
}

static IrRef active(Vp *x) { return below_length(x, x->mask); }

static IrRef where(Vp *x, IrRef mask, IrRef yes, IrRef no)
{
	return is_all_ones(x, mask) ? yes : ir_b_select(&x->b, mask, yes, no);
}

/* ---- memory ---- */

/* The alignment from the pointer's align attribute, else the natural one of `t`, the type accessed at one address. */
static u64 align_of(const Vp *x, u32 ptr, IrType t)
{
	const IrAttr *a = ir_call_param_attr(x->m, x->call, ptr, IRA_ALIGN);
	return a ? a->a : ir_abi_align(x->m, t);
}

static IrRef masked(Vp *x, const char *name, Str suffix, IrType t, IrRef args[3], u64 align)
{
	IrRef r = named(x, name, suffix, t, args, 3);
	ir_call_align_pointers(x->m, r, align);
	return r;
}

/* The type accessed at one address: the element for gather and scatter, else the whole vector. */
static IrType accessed(const Vp *x, bool each, IrType t) { return each ? ir_scalar_type(x->m, t) : t; }

static IrRef load(Vp *x)
{
	IrType t = ir_inst(x->m, x->call)->type;
	bool   each = ir_type_is_vector(x->m, ir_type_of(x->m, arg(x, 0)));
	IrRef  args[] = {arg(x, 0), active(x), ir_const_poison(x->m, t)};
	return masked(x, each ? "masked.gather" : "masked.load", x->suffix, t, args, align_of(x, 0, accessed(x, each, t)));
}

static IrRef store(Vp *x)
{
	bool  each = ir_type_is_vector(x->m, ir_type_of(x->m, arg(x, 1)));
	IrRef args[] = {arg(x, 0), arg(x, 1), active(x)};
	return masked(x, each ? "masked.scatter" : "masked.store", x->suffix, IR_TYPE(VOID), args,
	              align_of(x, 1, accessed(x, each, ir_type_of(x->m, arg(x, 0)))));
}

/* A vector of pointers, one for each lane, `stride` bytes apart. */
static IrRef strided(Vp *x, bool is_store)
{
	IrModule *m = x->m;
	u32       at = is_store ? 1 : 0, space = value_space(m, arg(x, at)), end = 1;
	IrRef     stride = splat(x, arg(x, at + 1)), lane = numbers(x, ir_type_of(m, arg(x, at + 1)));
	IrRef     offset = ir_b_bin(&x->b, IR_MUL, lane, stride, 0), p = ir_b_gep(&x->b, IR_TYPE(I8), arg(x, at), &offset, 1, 0);
	IrType    t = is_store ? ir_type_of(m, arg(x, 0)) : ir_inst(m, x->call)->type;
	u64       align = align_of(x, at, accessed(x, true, t));
	IrRef     on = active(x);
	while (end < x->suffix.n && x->suffix.p[end] != '.')
		end++;
	Str suffix = arena_fmt(x->cx->scratch, "%.*s.v%up%u", (int)end, x->suffix.p, x->lanes, space);
	if (!is_store)
		return masked(x, "masked.gather", suffix, t, (IrRef[]){p, on, ir_const_poison(m, t)}, align);
	return masked(x, "masked.scatter", suffix, IR_TYPE(VOID), (IrRef[]){arg(x, 0), p, on}, align);
}

/* ---- reductions ---- */

static u64 fp_one(const IrModule *m, IrType t)
{
	switch (ir_type_kind(m, t)) {
	case IRT_HALF: return 0x3C00;
	case IRT_BFLOAT: return 0x3F80;
	case IRT_FLOAT: return 0x3F800000;
	default: return 0x3FF0000000000000;
	}
}

/* The value that inactive lanes of a reduction get: the operation's neutral element, or the start value where combining
 * it twice does not change the result (and, or, min, max). */
static IrRef neutral(Vp *x, IrRef start)
{
	IrModule *m = x->m;
	IrType    t = ir_type_of(m, start);
	switch (x->row.kind) {
	case REDUCE_SUM: return ir_const_int(m, t, 0);
	case REDUCE_PRODUCT: return ir_const_int(m, t, 1);
	case ORDERED: return ir_const_fp(m, t, (u64)1 << (ir_size_bits(m, t) - 1));
	case ORDERED_PRODUCT: return ir_const_fp(m, t, fp_one(m, t));
	default: return start;
	}
}

static IrRef reduce(Vp *x)
{
	IrRef  start = arg(x, 0), on = active(x), others = splat(x, neutral(x, start)), v = where(x, on, arg(x, 1), others);
	IrType t = ir_type_of(x->m, start);
	if (x->row.kind == ORDERED || x->row.kind == ORDERED_PRODUCT)
		return named(x, "vector.", x->name, t, (IrRef[]){start, v}, 2);
	IrRef r = named(x, "vector.", x->name, t, &v, 1);
	if (x->row.op < IR_OP_COUNT)
		return ir_b_bin(&x->b, (IrOp)x->row.op, start, r, 0);
	u32 scalar = 2; /* ".v4i32": the element's type behind the digits */
	while (scalar < x->suffix.n && x->suffix.p[scalar] >= '0' && x->suffix.p[scalar] <= '9')
		scalar++;
	Str suffix = arena_fmt(x->cx->scratch, ".%.*s", (int)(x->suffix.n - scalar), x->suffix.p + scalar);
	return named(x, by_name[x->row.op - BY_smax], suffix, t, (IrRef[]){start, r}, 2);
}

/* ---- lanes that change places ---- */

/* The number of the first active lane with a bit; the length, where there is none. */
static IrRef first_lane(Vp *x)
{
	IrModule *m = x->m;
	IrType    t = ir_inst(m, x->call)->type;
	u64       bits = ir_size_bits(m, t);
	IrRef     on = active(x), set = ir_b_bin(&x->b, IR_AND, arg(x, 0), on, 0);
	IrRef     none = bits == 32 ? x->length : ir_b_cast(&x->b, bits > 32 ? IR_ZEXT : IR_TRUNC, x->length, t);
	IrRef     v = ir_b_select(&x->b, set, numbers(x, t), splat(x, none));
	return named(x, "vector.reduce.umin", arena_fmt(x->cx->scratch, ".v%ui%u", x->lanes, (u32)bits), t, &v, 1);
}

static IrRef reverse(Vp *x)
{
	IrRef r = ir_const_poison(x->m, ir_inst(x->m, x->call)->type);
	for (u32 i = 0; i < x->lanes; i++) {
		IrRef from = ir_b_bin(&x->b, IR_SUB, x->length, index_of(x, i + 1), 0),
		      e = ir_b_extract_element(&x->b, arg(x, 0), from);
		r = ir_b_insert_element(&x->b, r, e, index_of(x, i));
	}
	return r;
}

/* Of the first vector's active lanes and the second's behind them, those from a place on; a negative one counts from
 * the end of the first. */
static IrRef splice(Vp *x)
{
	IrModule *m = x->m;
	IrRef     first = arg(x, 0), second = arg(x, 1), count = arg(x, x->n); /* mask, length of each */
	IrRef     r = ir_const_poison(m, ir_inst(m, x->call)->type);
	i64       from = 0;
	ir_as_sint(m, arg(x, 2), &from);
	for (u32 i = 0; i < x->lanes; i++) {
		IrRef at = ir_const_sint(m, IR_TYPE(I32), from + i);
		if (from < 0)
			at = ir_b_bin(&x->b, IR_ADD, count, at, 0);
		IrRef in_first = ir_b_cmp(&x->b, IRP_I_ULT, at, count), behind = ir_b_bin(&x->b, IR_SUB, at, count, 0);
		IrRef p = ir_b_extract_element(&x->b, first, at), q = ir_b_extract_element(&x->b, second, behind);
		IrRef e = ir_b_select(&x->b, in_first, p, q);
		r = ir_b_insert_element(&x->b, r, e, index_of(x, i));
	}
	return r;
}

/* ---- the rest ---- */

static IrRef compare(Vp *x)
{
	IrMd md = {ir_kind(arg(x, 2)) == IR_MD ? ir_index(arg(x, 2)) : 0};
	Str  name = md.i ? ir_str(x->m, ir_md(x->m, md)->text) : (Str){0};
	bool is_int = x->row.op == IR_ICMP;
	for (u32 p = is_int ? IRP_I_EQ : IRP_FALSE; p < (is_int ? (u32)IRP_COUNT : (u32)IRP_I_EQ); p++)
		if (str_is(name, ir_pred_name[p]))
			return ir_b_cmp(&x->b, (IrPred)p, arg(x, 0), arg(x, 1));
	return IR_NO_REF;
}

/* A call of llvm.NAME, NAME in two parts, with the same arguments. */
static IrRef as_named(Vp *x, const char *name, Str suffix)
{
	IrRef *args = arena_array(x->cx->scratch, IrRef, x->n + 1);
	for (u32 i = 0; i < x->n; i++)
		args[i] = arg(x, i);
	return named(x, name, suffix, ir_inst(x->m, x->call)->type, args, x->n);
}

static IrRef divide(Vp *x)
{
	IrType t = ir_type_of(x->m, arg(x, 1));
	IrRef  one = ir_const_splat(x->m, t, ir_const_int(x->m, ir_scalar_type(x->m, t), 1)), on = active(x);
	return ir_b_bin(&x->b, (IrOp)x->row.op, arg(x, 0), where(x, on, arg(x, 1), one), 0);
}

/* Returns none where the call cannot be expanded; instruction selection then reports it. */
static IrRef expansion(Vp *x)
{
	IrRef mask;
	switch ((Kind)x->row.kind) {
	case BINARY: return ir_b_bin(&x->b, (IrOp)x->row.op, arg(x, 0), arg(x, 1), 0);
	case DIVIDE: return divide(x);
	case NEGATE: return ir_b_unary(&x->b, IR_FNEG, arg(x, 0));
	case CAST: return ir_b_cast(&x->b, (IrOp)x->row.op, arg(x, 0), ir_inst(x->m, x->call)->type);
	case COMPARE: return compare(x);
	case SELECT: return ir_b_select(&x->b, arg(x, 0), arg(x, 1), arg(x, 2));
	case MERGE: mask = below_length(x, arg(x, 0)); return ir_b_select(&x->b, mask, arg(x, 1), arg(x, 2));
	case LOAD: return load(x);
	case STORE: return store(x);
	case STRIDED_LOAD: return strided(x, false);
	case STRIDED_STORE: return strided(x, true);
	case FIRST: return first_lane(x);
	case REVERSE: return reverse(x);
	case SPLICE: return splice(x);
	case SPLAT: return splat(x, arg(x, 0));
	case ROUND_TO_ZERO: return as_named(x, "trunc", x->suffix);
	case NAMED: return as_named(x, "", x->name);
	default: return reduce(x);
	}
}

/* False: no such call, or of scalable vectors, or one that has no meaning. */
static bool describe(PassCx *cx, IrRef call, Vp *x)
{
	IrModule *m = cx->ir;
	u32       number = ir_call_intrinsic(m, call), n = ir_call(m, call)->n_args;
	if (!number || rows[number - 1].kind == NOT_PREDICATED || n < 2)
		return false;
	Str name = callee_name(m, call);
	u32 start = (u32)strlen(str_starts(name, "llvm.vp.") ? "llvm.vp." : "llvm.experimental.vp.");
	*x = (Vp){.cx = cx, .m = m, .call = call, .row = rows[number - 1], .n = n - 2, .length = ir_call_arg(m, call, n - 1)};
	x->name = (Str){name.p + start, name.n - start};
	x->suffix = ir_intrinsic_suffix(name, number);
	bool chooses = x->row.kind == SELECT || x->row.kind == MERGE; /* the mask is operand 0 and there is no other mask */
	x->n += chooses;
	x->mask = chooses ? arg(x, 0) : ir_call_arg(m, call, n - 2);
	if (x->row.kind == SPLICE)
		x->mask = arg(x, n - 3);
	IrType mask = ir_type_of(m, x->mask);
	if (!ir_type_is_vector(m, mask) || !ir_type_is_int(m, ir_type_of(m, x->length)))
		return false;
	x->lanes = (u32)ir_type_count(m, mask);
	return true;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) found = {0};
	Vp   x;
	bool changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(CALL))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_CALL && describe(cx, i, &x))
				vec_push(cx->scratch, &found, i);
	for (u32 i = 0; i < found.n; i++) {
		describe(cx, found.p[i], &x);
		x.b = ir_build_before(m, x.call);
		x.b.flags = ir_inst(m, x.call)->flags & IRF_FAST;
		IrRef r = expansion(&x);
		if (ir_is_none(r))
			continue;
		replace_inst(m, x.call, r);
		changed = true;
	}
	return changed;
}

const Pass irpass_expand_vp = {
	.id = "expand-vp",
	.title = "Expand vector predication intrinsics",
	.summary = "Expands vector-predicated intrinsics to plain vector operations and masked accesses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.looks_for = IR_OPS(CALL),
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
