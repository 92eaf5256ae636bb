/* values.c: what one thread computes in registers. Nothing here is poison or undefined for any input:
 * shifts are masked, divisors odd, conversions saturate. The bits of a NaN are nobody's business, so a
 * float becomes an integer only where it is none. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

const TypeInfo type_info[T_COUNT] = {
	[T_I1] = {"i1", "i1", 1, 0, T_I1, false},
	[T_I8] = {"i8", "i8", 8, 0, T_I8, false},
	[T_I16] = {"i16", "i16", 16, 0, T_I16, false},
	[T_I32] = {"i32", "i32", 32, 0, T_I32, false},
	[T_I64] = {"i64", "i64", 64, 0, T_I64, false},
	[T_I128] = {"i128", "i128", 128, 0, T_I128, false},
	[T_I5] = {"i5", "i5", 5, 0, T_I5, false},
	[T_I24] = {"i24", "i24", 24, 0, T_I24, false},
	[T_I33] = {"i33", "i33", 33, 0, T_I33, false},
	[T_I48] = {"i48", "i48", 48, 0, T_I48, false},
	[T_I72] = {"i72", "i72", 72, 0, T_I72, false},
	[T_I100] = {"i100", "i100", 100, 0, T_I100, false},
	[T_HALF] = {"half", "f16", 16, 0, T_HALF, true},
	[T_FLOAT] = {"float", "f32", 32, 0, T_FLOAT, true},
	[T_DOUBLE] = {"double", "f64", 64, 0, T_DOUBLE, true},
	[T_V2I16] = {"<2 x i16>", "v2i16", 32, 2, T_I16, false},
	[T_V4I8] = {"<4 x i8>", "v4i8", 32, 4, T_I8, false},
	[T_V2I32] = {"<2 x i32>", "v2i32", 64, 2, T_I32, false},
	[T_V4I32] = {"<4 x i32>", "v4i32", 128, 4, T_I32, false},
	[T_V2F32] = {"<2 x float>", "v2f32", 64, 2, T_FLOAT, true},
};

static const Type ints[] = {T_I8, T_I16, T_I32, T_I32, T_I64, T_I64}, odd[] = {T_I5, T_I24, T_I33, T_I48, T_I72, T_I100, T_I128};
static const Type vectors[] = {T_V2I16, T_V4I8, T_V2I32, T_V4I32};
static const Type floats[] = {T_FLOAT, T_FLOAT, T_DOUBLE, T_DOUBLE, T_HALF};

static Op constant(Gen *g, Type t)
{
	static const char *const fp[] = {"0.0", "1.0", "-1.5", "0.5", "3.0", "1024.0", "-0.0"};
	u32                      bits = type_info[t].bits;
	if (type_info[t].n)
		return gen_op("zeroinitializer");
	if (type_info[t].is_float)
		return gen_op("%s", pick(g->r, fp));
	if (t == T_I1)
		return gen_op("%s", one_in(g->r, 2) ? "true" : "false");
	u32 w = PS_MIN(bits, 64u);
	u64 top = (u64)1 << (w - 1), all = top | (top - 1), v;
	switch (below(g->r, 9)) {
	case 0: v = 0; break;
	case 1: v = 1; break;
	case 2: v = all; break;
	case 3: v = 2; break;
	case 4: v = 7; break;
	case 5: v = top; break;
	case 6: v = top - 1; break;
	case 7: v = (u64)1 << below(g->r, w); break;
	default: v = rnd(g->r); break;
	}
	v &= all;
	return v & top ? gen_op("%lld", (long long)(v | ~all)) : gen_op("%lld", (long long)v);
}

static Op scalar_int(Gen *g, const Value *v, Type t)
{
	static const char *const extend[] = {"zext", "sext"};
	u32                      from = type_info[v->type].bits, to = type_info[t].bits;
	if (from == to)
		return v->op;
	return gen_let(g, "%s %s %s to %s", to < from ? "trunc" : pick(g->r, extend), TYPE(v->type), v->op.s, TYPE(t));
}

static Op convert(Gen *g, Value v, Type t);

static Op to_vector(Gen *g, const Value *v, Type t)
{
	const TypeInfo *info = &type_info[t];
	Op              x = convert(g, *v, info->elem), y = gen_value(g, info->elem);
	Op a = gen_let(g, "insertelement %s %s, %s %s, i32 0", info->name, info->is_float ? "zeroinitializer" : "poison",
	               TYPE(info->elem), x.s);
	if (info->n == 2)
		return gen_let(g, "insertelement %s %s, %s %s, i32 1", info->name, a.s, TYPE(info->elem), y.s);
	Op b = gen_let(g, "insertelement %s %s, %s %s, i32 3", info->name, a.s, TYPE(info->elem), y.s);
	return gen_let(g, "shufflevector %s %s, %s poison, <4 x i32> <i32 0, i32 3, i32 0, i32 3>", info->name, b.s, info->name);
}

static Op to_float(Gen *g, const Value *v, Type t)
{
	static const char *const from_int[] = {"sitofp", "uitofp"};
	if (type_info[v->type].is_float) {
		bool up = type_info[t].bits > type_info[v->type].bits;
		return gen_let(g, "%s %s %s to %s", up ? "fpext" : "fptrunc", TYPE(v->type), v->op.s, TYPE(t));
	}
	Value x = *v;
	if (type_info[v->type].bits > 64)
		x = (Value){T_I64, scalar_int(g, v, T_I64)};
	return gen_let(g, "%s %s %s to %s", pick(g->r, from_int), TYPE(x.type), x.op.s, TYPE(t));
}

static Op from_float(Gen *g, Value v, Type t)
{
	Type narrow = t == T_I64 || t == T_I16 ? t : T_I32;
	char sign = one_in(g->r, 2) ? 's' : 'u';
	if (v.type == T_HALF)
		v = (Value){T_FLOAT, gen_let(g, "fpext half %s to float", v.op.s)};
	gen_declare(g, "declare %s @llvm.fpto%ci.sat.%s.%s(%s)", TYPE(narrow), sign, TYPE(narrow), type_info[v.type].suffix,
	            TYPE(v.type));
	Value n = {narrow, gen_let(g, "call %s @llvm.fpto%ci.sat.%s.%s(%s %s)", TYPE(narrow), sign, TYPE(narrow),
	                           type_info[v.type].suffix, TYPE(v.type), v.op.s)};
	return convert(g, n, t);
}

static Op convert(Gen *g, Value v, Type t)
{
	static const char *const compare[] = {"slt", "ult", "eq", "sgt"};
	if (v.type == t)
		return v.op;
	if (type_info[v.type].n) {
		Type e = type_info[v.type].elem;
		return convert(g,
		               (Value){e, gen_let(g, "extractelement %s %s, i32 %u", TYPE(v.type), v.op.s,
		                                  below(g->r, type_info[v.type].n))},
		               t);
	}
	if (type_info[t].n)
		return to_vector(g, &v, t);
	if (t == T_I1) {
		Op c = constant(g, v.type);
		return type_info[v.type].is_float
		               ? gen_let(g, "fcmp olt %s %s, 1.0", TYPE(v.type), v.op.s)
		               : gen_let(g, "icmp %s %s %s, %s", pick(g->r, compare), TYPE(v.type), v.op.s, c.s);
	}
	if (type_info[t].is_float)
		return to_float(g, &v, t);
	return type_info[v.type].is_float ? from_float(g, v, t) : scalar_int(g, &v, t);
}

/* One of the pool, a constant, or a conversion of another type's. */
Op gen_value(Gen *g, Type t)
{
	if (!one_in(g->r, 5)) {
		u32 first = below(g->r, g->pool.n);
		for (u32 k = 0; k < g->pool.n; k++) {
			const Value *v = &g->pool.p[(first + k) % g->pool.n];
			if (v->type == t)
				return v->op;
		}
	}
	if (one_in(g->r, 3) && !type_info[t].n)
		return constant(g, t);
	return convert(g, g->pool.p[below(g->r, g->pool.n)], t);
}

Op gen_index(Gen *g, u32 n)
{
	if (one_in(g->r, 4))
		return gen_op("%u", below(g->r, n));
	Op v = gen_value(g, T_I32);
	Op i = gen_let(g, "and i32 %s, %u", v.s, n - 1);
	return gen_let(g, "zext i32 %s to i64", i.s);
}

Op gen_uniform(Gen *g)
{
	static const char *const ops[] = {"add", "xor", "mul", "sub"};
	Op                       a = g->pool.p[g->uniform.p[below(g->r, g->uniform.n)]].op;
	if (one_in(g->r, 3))
		return a;
	Op b = constant(g, T_I32);
	Op v = gen_let(g, "%s i32 %s, %s", pick(g->r, ops), a.s, b.s);
	vec_push(g->a, &g->uniform, g->pool.n);
	gen_push(g, T_I32, v);
	return v;
}

/* ---- operations */

static void arithmetic(Gen *g, Type t)
{
	static const char *const ops[] = {"add", "sub", "mul", "and", "or", "xor"};
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), TYPE(t), x.s, y.s));
}

/* No overflow: both sides are cut to a quarter of the range first, so that the flags are true. */
static void flagged(Gen *g)
{
	static const char *const ops[] = {"add nuw nsw", "mul nuw nsw", "or disjoint"};
	Type                     t = one_in(g->r, 2) ? T_I32 : T_I64;
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	Op                       a = gen_let(g, "and %s %s, 4080", TYPE(t), x.s);
	Op                       b = gen_let(g, "and %s %s, 15", TYPE(t), y.s);
	gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), TYPE(t), a.s, b.s));
}

static void shift(Gen *g, Type t)
{
	static const char *const ops[] = {"shl", "lshr", "ashr"};
	u32                      mask = 1;
	while (2 * mask <= type_info[t].bits)
		mask *= 2;
	Op x = gen_value(g, t), y = gen_value(g, t);
	Op by = one_in(g->r, 2) ? gen_op("%u", below(g->r, PS_MIN(mask, 15u)))
	                        : gen_let(g, "and %s %s, %u", TYPE(t), y.s, PS_MIN(mask, 64u) - 1);
	if (t == T_I5)
		by = gen_op("%u", below(g->r, 5));
	gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), TYPE(t), x.s, by.s));
}

static void divide(Gen *g, Type t)
{
	static const char *const ops[] = {"udiv", "urem", "sdiv", "srem"};
	static const char *const divisors[] = {"3", "7", "8", "10", "-4", "13", "-5"};
	if (t == T_I5 || (type_info[t].bits > 64 && !one_in(g->r, 8)))
		return;
	Op x = gen_value(g, t), d = gen_op("%s", pick(g->r, divisors));
	if (!one_in(g->r, 3)) {
		Op y = gen_value(g, t);
		Op p = gen_let(g, "and %s %s, 14", TYPE(t), y.s);
		d = gen_let(g, "or %s %s, 1", TYPE(t), p.s);
	}
	gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), TYPE(t), x.s, d.s));
}

static void compare(Gen *g, Type t)
{
	static const char *const preds[] = {"eq", "ne", "slt", "sle", "ult", "uge", "sgt", "ugt"};
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_push(g, T_I1, gen_let(g, "icmp %s %s %s, %s", pick(g->r, preds), TYPE(t), x.s, y.s));
}

static void choose(Gen *g, Type t)
{
	Op c = gen_value(g, T_I1), x = gen_value(g, t), y = gen_value(g, t);
	gen_push(g, t, gen_let(g, "select i1 %s, %s %s, %s %s", c.s, TYPE(t), x.s, TYPE(t), y.s));
}

static void intrinsic_one(Gen *g)
{
	static const char *const names[] = {"ctpop", "bitreverse", "ctlz", "cttz", "abs", "bswap"};
	Type                     t = pick(g->r, ints);
	const char              *name = pick(g->r, names);
	if (t == T_I8 && strcmp(name, "bswap") == 0)
		return;
	bool flag = strcmp(name, "ctlz") == 0 || strcmp(name, "cttz") == 0 || strcmp(name, "abs") == 0;
	Op   x = gen_value(g, t);
	gen_declare(g, "declare %s @llvm.%s.%s(%s%s)", TYPE(t), name, TYPE(t), TYPE(t), flag ? ", i1" : "");
	gen_push(g, t,
	         gen_let(g, "call %s @llvm.%s.%s(%s %s%s)", TYPE(t), name, TYPE(t), TYPE(t), x.s, flag ? ", i1 false" : ""));
}

static void intrinsic_two(Gen *g)
{
	static const char *const names[] = {"smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"};
	Type                     t = pick(g->r, ints);
	const char              *name = pick(g->r, names);
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_declare(g, "declare %s @llvm.%s.%s(%s, %s)", TYPE(t), name, TYPE(t), TYPE(t), TYPE(t));
	gen_push(g, t, gen_let(g, "call %s @llvm.%s.%s(%s %s, %s %s)", TYPE(t), name, TYPE(t), TYPE(t), x.s, TYPE(t), y.s));
}

static void overflow(Gen *g)
{
	static const char *const names[] = {"sadd", "uadd", "ssub", "usub", "smul", "umul"};
	Type                     t = pick(g->r, ints);
	const char              *name = pick(g->r, names);
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_declare(g, "declare { %s, i1 } @llvm.%s.with.overflow.%s(%s, %s)", TYPE(t), name, TYPE(t), TYPE(t), TYPE(t));
	Op both = gen_let(g, "call { %s, i1 } @llvm.%s.with.overflow.%s(%s %s, %s %s)", TYPE(t), name, TYPE(t), TYPE(t), x.s,
	                  TYPE(t), y.s);
	gen_push(g, t, gen_let(g, "extractvalue { %s, i1 } %s, 0", TYPE(t), both.s));
	gen_push(g, T_I1, gen_let(g, "extractvalue { %s, i1 } %s, 1", TYPE(t), both.s));
}

static void funnel(Gen *g)
{
	Type t = one_in(g->r, 2) ? T_I32 : T_I64;
	char side = one_in(g->r, 2) ? 'l' : 'r';
	Op   x = gen_value(g, t), y = gen_value(g, t), s = gen_value(g, t);
	gen_declare(g, "declare %s @llvm.fsh%c.%s(%s, %s, %s)", TYPE(t), side, TYPE(t), TYPE(t), TYPE(t), TYPE(t));
	gen_push(g, t,
	         gen_let(g, "call %s @llvm.fsh%c.%s(%s %s, %s %s, %s %s)", TYPE(t), side, TYPE(t), TYPE(t), x.s, TYPE(t), y.s,
	                 TYPE(t), s.s));
}

/* The high half of a product, and a multiplication of narrow parts. */
static void wide_product(Gen *g)
{
	const char *extend = one_in(g->r, 2) ? "zext" : "sext";
	Type t = one_in(g->r, 3) ? T_I64 : one_in(g->r, 2) ? T_I16 : T_I32, w = t == T_I64 ? T_I128 : t == T_I32 ? T_I64 : T_I32;
	Op   x = gen_value(g, t), y = gen_value(g, t);
	Op   a = gen_let(g, "%s %s %s to %s", extend, TYPE(t), x.s, TYPE(w));
	Op   b = gen_let(g, "%s %s %s to %s", extend, TYPE(t), y.s, TYPE(w));
	Op   p = gen_let(g, "mul %s %s, %s", TYPE(w), a.s, b.s);
	if (one_in(g->r, 2)) {
		Op h = gen_let(g, "lshr %s %s, %u", TYPE(w), p.s, type_info[t].bits);
		gen_push(g, t, gen_let(g, "trunc %s %s to %s", TYPE(w), h.s, TYPE(t)));
	} else {
		Op c = gen_value(g, w);
		gen_push(g, w, gen_let(g, "add %s %s, %s", TYPE(w), p.s, c.s));
	}
}

static void float_arithmetic(Gen *g, Type t)
{
	static const char *const ops[] = {"fadd", "fsub", "fmul", "fdiv"};
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), TYPE(t), x.s, y.s));
}

static void float_intrinsic(Gen *g)
{
	static const char *const one[] = {"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint"}, *const two[] = {
														  "minnum",
														  "maxnum",
														  "copysign"};
	Type        t = one_in(g->r, 2) ? T_FLOAT : T_DOUBLE;
	const char *name, *sfx = type_info[t].suffix;
	Op          x = gen_value(g, t), y = gen_value(g, t), z = gen_value(g, t);
	switch (below(g->r, 4)) {
	case 0:
		gen_declare(g, "declare %s @llvm.fma.%s(%s, %s, %s)", TYPE(t), sfx, TYPE(t), TYPE(t), TYPE(t));
		gen_push(g, t,
		         gen_let(g, "call %s @llvm.fma.%s(%s %s, %s %s, %s %s)", TYPE(t), sfx, TYPE(t), x.s, TYPE(t), y.s,
		                 TYPE(t), z.s));
		return;
	case 1:
		name = pick(g->r, two);
		gen_declare(g, "declare %s @llvm.%s.%s(%s, %s)", TYPE(t), name, sfx, TYPE(t), TYPE(t));
		if (strcmp(name, "copysign") == 0) /* a NaN's sign would show */
			y = constant(g, t);
		gen_push(g, t, gen_let(g, "call %s @llvm.%s.%s(%s %s, %s %s)", TYPE(t), name, sfx, TYPE(t), x.s, TYPE(t), y.s));
		return;
	case 2: gen_push(g, t, gen_let(g, "fneg %s %s", TYPE(t), x.s)); return;
	default:
		name = pick(g->r, one);
		gen_declare(g, "declare %s @llvm.%s.%s(%s)", TYPE(t), name, sfx, TYPE(t));
		gen_push(g, t, gen_let(g, "call %s @llvm.%s.%s(%s %s)", TYPE(t), name, sfx, TYPE(t), x.s));
	}
}

static void float_compare(Gen *g, Type t)
{
	static const char *const preds[] = {"oeq", "olt", "ole", "une", "ugt", "ord", "uno", "ueq", "one", "ult", "oge", "uge"};
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	gen_push(g, T_I1, gen_let(g, "fcmp %s %s %s, %s", pick(g->r, preds), TYPE(t), x.s, y.s));
}

static Op float_bits(Gen *g, Type t, Op v)
{
	Op ok = gen_let(g, "fcmp ord %s %s, %s", TYPE(t), v.s, v.s);
	Op clean = gen_let(g, "select i1 %s, %s %s, %s 2.0", ok.s, TYPE(t), v.s, TYPE(t));
	return gen_let(g, "bitcast %s %s to i%u", TYPE(t), clean.s, type_info[t].bits);
}

static void cast_bits(Gen *g)
{
	static const Type of_bits[][2] = {{T_I16, T_HALF}, {T_I32, T_FLOAT}, {T_I64, T_DOUBLE}};
	const Type       *pair = pick(g->r, of_bits);
	if (one_in(g->r, 2)) {
		Op x = gen_value(g, pair[0]);
		gen_push(g, pair[1], gen_let(g, "bitcast %s %s to %s", TYPE(pair[0]), x.s, TYPE(pair[1])));
	} else if (one_in(g->r, 2)) {
		Op x = gen_value(g, pair[1]);
		gen_push(g, pair[0], float_bits(g, pair[1], x));
	} else {
		Type v = one_in(g->r, 2) ? T_V4I8 : T_V2I16;
		Op   x = gen_value(g, v);
		gen_push(g, T_I32, gen_let(g, "bitcast %s %s to i32", TYPE(v), x.s));
	}
}

static void vector(Gen *g)
{
	static const char *const ops[] = {"add", "sub", "mul", "and", "or", "xor"};
	Type                     t = pick(g->r, vectors);
	const TypeInfo          *info = &type_info[t];
	Op                       x = gen_value(g, t), y = gen_value(g, t);
	switch (below(g->r, 4)) {
	case 0: {
		Op e = gen_value(g, info->elem), i = gen_index(g, info->n);
		gen_push(g, t, gen_let(g, "insertelement %s %s, %s %s, i64 %s", info->name, x.s, TYPE(info->elem), e.s, i.s));
		return;
	}
	case 1: {
		Op i = gen_index(g, info->n);
		gen_push(g, info->elem, gen_let(g, "extractelement %s %s, i64 %s", info->name, x.s, i.s));
		return;
	}
	default: gen_push(g, t, gen_let(g, "%s %s %s, %s", pick(g->r, ops), info->name, x.s, y.s));
	}
}

static void aggregate(Gen *g)
{
	Op x = gen_value(g, T_I32), y = gen_value(g, T_I64), c = gen_value(g, T_I1);
	Op a = gen_let(g, "insertvalue { i32, [2 x i64] } zeroinitializer, i32 %s, 0", x.s);
	Op b = gen_let(g, "insertvalue { i32, [2 x i64] } %s, i64 %s, 1, 1", a.s, y.s);
	Op s = gen_let(g, "select i1 %s, { i32, [2 x i64] } %s, { i32, [2 x i64] } %s", c.s, a.s, b.s);
	gen_push(g, T_I64, gen_let(g, "extractvalue { i32, [2 x i64] } %s, 1, 1", s.s));
}

static void assembly(Gen *g)
{
	Op x = gen_value(g, T_I32), y = gen_value(g, T_I32);
	if (one_in(g->r, 2))
		gen_push(g, T_I32,
		         gen_let(g, "call i32 asm \"lop3.b32 $0, $1, $2, 85, 0x%02x;\", \"=r,r,r\"(i32 %s, i32 %s)",
		                 below(g->r, 256), x.s, y.s));
	else
		gen_push(g, T_I32,
		         gen_let(g,
		                 "call i32 asm \"{ .reg .b32 t; add.s32 t, $1, $2; shl.b32 $0, t, 3; }\", \"=r,r,r\"(i32 %s, i32 "
		                 "%s)",
		                 x.s, y.s));
}

/* What only this target has. */
static void target_operation(Gen *g)
{
	Op x = gen_value(g, T_I32), y = gen_value(g, T_I32), z = gen_value(g, T_I32);
	switch (below(g->r, 5)) {
	case 0:
		gen_declare(g, "declare i32 @llvm.nvvm.prmt(i32, i32, i32)");
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.prmt(i32 %s, i32 %s, i32 %s)", x.s, y.s, z.s));
		return;
	case 1:
		gen_declare(g, "declare i32 @llvm.nvvm.mulhi.i(i32, i32)");
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.mulhi.i(i32 %s, i32 %s)", x.s, y.s));
		return;
	case 2:
		gen_declare(g, "declare i32 @llvm.nvvm.sad.i(i32, i32, i32)");
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.sad.i(i32 %s, i32 %s, i32 %s)", x.s, y.s, z.s));
		return;
	case 3:
		gen_declare(g, "declare i32 @llvm.nvvm.mul24.ui(i32, i32)");
		gen_push(g, T_I32, gen_let(g, "call i32 @llvm.nvvm.mul24.ui(i32 %s, i32 %s)", x.s, y.s));
		return;
	default:
		gen_declare(g, "declare float @llvm.nvvm.add.rz.f(float, float)");
		Op a = gen_value(g, T_FLOAT), b = gen_value(g, T_FLOAT);
		gen_push(g, T_FLOAT, gen_let(g, "call float @llvm.nvvm.add.rz.f(float %s, float %s)", a.s, b.s));
	}
}

void gen_compute(Gen *g)
{
	Type t = one_in(g->r, 8) ? pick(g->r, odd) : pick(g->r, ints), f = pick(g->r, floats);
	switch (below(g->r, 32)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4: arithmetic(g, t); return;
	case 5: flagged(g); return;
	case 6:
	case 7: shift(g, t); return;
	case 8: divide(g, t); return;
	case 9:
	case 10: compare(g, t); return;
	case 11: choose(g, one_in(g->r, 4) ? f : one_in(g->r, 4) ? pick(g->r, vectors) : t); return;
	case 12: intrinsic_one(g); return;
	case 13: intrinsic_two(g); return;
	case 14: overflow(g); return;
	case 15: funnel(g); return;
	case 16: wide_product(g); return;
	case 17:
	case 18: float_arithmetic(g, f); return;
	case 19: float_intrinsic(g); return;
	case 20: float_compare(g, f); return;
	case 21: cast_bits(g); return;
	case 22: vector(g); return;
	case 23: aggregate(g); return;
	case 24: target_operation(g); return;
	case 25:
		if (one_in(g->r, 4))
			assembly(g);
		return;
	default: gen_memory(g);
	}
}

/* ---- all of it as one number */

Op gen_digest(Gen *g)
{
	enum { SHOWN = 48 };
	Op  sum = gen_op("0");
	u32 end = g->pool.n;
	for (u32 i = end > SHOWN ? end - SHOWN : 0; i < end; i++) {
		Value v = g->pool.p[i];
		if (type_info[v.type].n)
			v = (Value){type_info[v.type].elem, gen_let(g, "extractelement %s %s, i32 1", TYPE(v.type), v.op.s)};
		Op  n = v.op;
		u32 bits = type_info[v.type].bits;
		if (type_info[v.type].is_float)
			n = float_bits(g, v.type, n);
		if (bits != 64)
			n = gen_let(g, "%s i%u %s to i64", bits < 64 ? "zext" : "trunc", bits, n.s);
		Op m = gen_let(g, "mul i64 %s, 31", sum.s);
		sum = gen_let(g, "add i64 %s, %s", m.s, n.s);
	}
	return sum;
}
