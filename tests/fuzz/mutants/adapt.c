/* adapt.c: types, constants, and values of any type out of values of any other. */
#include "ir/builder.h"
#include "mutate.h"

enum { FIELDS_MAX = 16 };

bool is_plain(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	switch ((IrTypeKind)r->kind) {
	case IRT_HALF:
	case IRT_BFLOAT:
	case IRT_FLOAT:
	case IRT_DOUBLE:
	case IRT_INT:
	case IRT_PTR: return true;
	case IRT_VECTOR: return r->count <= 64 && is_plain(m, ir_type_elem(m, t, 0));
	case IRT_ARRAY: return r->count && r->count <= FIELDS_MAX && is_plain(m, ir_type_elem(m, t, 0));
	case IRT_STRUCT:
		for (u32 i = 0; i < r->n_elems; i++)
			if (!is_plain(m, ir_type_elem(m, t, i)))
				return false;
		return !r->opaque && r->n_elems && r->n_elems <= FIELDS_MAX;
	default: return false;
	}
}

IrType int_type(Mut *mu)
{
	static const u8 usual[] = {1, 1, 8, 16, 16, 32, 32, 32, 32, 64, 64, 64, 128};
	u32             most = mu->defined ? 128 : 200;
	return ir_int_type(mu->m, one_in(mu->r, 3) ? 1 + below(mu->r, most) : pick(mu->r, usual));
}

IrType fp_type(Mut *mu)
{
	static const u8 all[] = {IR_TY_HALF, IR_TY_BFLOAT, IR_TY_FLOAT, IR_TY_FLOAT, IR_TY_DOUBLE, IR_TY_DOUBLE};
	return (IrType){pick(mu->r, all)};
}

static IrType ptr_type(Mut *mu)
{
	static const u8 spaces[] = {0, 0, 0, 1, 1, 3, 3, 4, 5};
	return ir_ptr_type(mu->m, pick(mu->r, spaces));
}

IrType vector_of(Mut *mu, IrType elem)
{
	static const u8 usual[] = {2, 2, 2, 4, 4, 3, 8, 16};
	return ir_vector_type(mu->m, elem, one_in(mu->r, 4) ? 1 + below(mu->r, 9) : pick(mu->r, usual));
}

static IrType scalar_type(Mut *mu)
{
	u32 k = below(mu->r, mu->defined ? 9 : 10);
	return k < 6 ? int_type(mu) : k < 9 ? fp_type(mu) : ptr_type(mu);
}

IrType some_type(Mut *mu)
{
	u32    k = below(mu->r, 16);
	IrType t = scalar_type(mu);
	if (k < 10)
		return t;
	if (k < 14)
		return vector_of(mu, t);
	IrType fields[4] = {t, scalar_type(mu), vector_of(mu, scalar_type(mu)), scalar_type(mu)};
	if (k == 14)
		return ir_array_type(mu->m, fields[2 * below(mu->r, 2)], 1 + below(mu->r, 5));
	if (one_in(mu->r, 3))
		fields[1] = ir_struct_type(mu->m, fields + 2, 2, one_in(mu->r, 2));
	return ir_struct_type(mu->m, fields, 1 + below(mu->r, 4), one_in(mu->r, 4));
}

/* Integers of whole bytes only: what others read back is not defined where something else was written. */
static bool has_odd_ints(const IrModule *m, IrType t)
{
	const IrTypeRec *r = ir_type(m, t);
	if (r->kind == IRT_INT)
		return r->bits % 8;
	for (u32 i = 0; i < r->n_elems; i++)
		if (has_odd_ints(m, ir_type_elem(m, t, i)))
			return true;
	return false;
}

IrType memory_type(Mut *mu)
{
	IrType t = some_type(mu);
	for (u32 i = 0; mu->defined && i < 20 && has_odd_ints(mu->m, t); i++)
		t = some_type(mu);
	return mu->defined && has_odd_ints(mu->m, t) ? IR_TYPE(I32) : t;
}

Str new_name(Mut *mu, const char *base)
{
	Str name;
	do
		name = arena_fmt(mu->m->arena, "%s_%u", base, ++mu->named);
	while (ir_find_global(mu->m, name).i);
	return name;
}

/* ---- constants */

static IrRef int_const(Mut *mu, IrType t)
{
	u32 bits = ir_type(mu->m, t)->bits, at = below(mu->r, bits), kind = below(mu->r, 3), n = (bits + 63) / 64;
	u64 w[4];
	for (u32 i = 0; i < 4; i++) { /* a single bit, the bits below it, those above */
		u64 bit = at / 64 == i ? (u64)1 << (at & 63) : 0, under = at / 64 > i ? ~(u64)0 : bit ? bit - 1 : 0;
		w[i] = kind == 0 ? bit : kind == 1 ? under : ~under;
	}
	switch (below(mu->r, 8)) {
	case 0: return ir_const_int(mu->m, t, 0);
	case 1: return ir_const_int(mu->m, t, 1);
	case 2: return ir_const_sint(mu->m, t, -1);
	case 3: return ir_const_int(mu->m, t, below(mu->r, 300));
	case 4: return ir_const_int(mu->m, t, (u64)rnd(mu->r) << 32 | rnd(mu->r));
	case 5: return ir_const_sint(mu->m, t, -(i64)below(mu->r, 300));
	default: break;
	}
	if (bits & 63)
		w[n - 1] &= ((u64)1 << (bits & 63)) - 1;
	return ir_const_words(mu->m, t, w, n);
}

static IrRef fp_const(Mut *mu, IrType t)
{
	static const struct {
		u64 one, inf, nan, tiny, sign, most;
	} by[] = {
		{0x3C00, 0x7C00, 0x7E00, 1, 0x8000, 0x7BFF},
		{0x3F80, 0x7F80, 0x7FC0, 1, 0x8000, 0x7F7F},
		{0x3F800000, 0x7F800000, 0x7FC00000, 1, 0x80000000, 0x7F7FFFFF},
		{0x3FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1, 0x8000000000000000, 0x7FEFFFFFFFFFFFFF},
	};
	u32 k = ir_type_kind(mu->m, t) - IRT_HALF;
	u64 v[] = {0, by[k].one, by[k].inf, by[k].tiny, by[k].most, by[k].one + below(mu->r, 7), by[k].nan};
	return ir_const_fp(mu->m, t, v[below(mu->r, mu->defined ? 6 : 7)] | (one_in(mu->r, 3) ? by[k].sign : 0));
}

IrRef some_const(Mut *mu, IrType t)
{
	IrModule *m = mu->m;
	if (!mu->defined && one_in(mu->r, 12))
		return one_in(mu->r, 2) ? ir_const_undef(m, t) : ir_const_poison(m, t);
	IrTypeKind k = ir_type_kind(m, t);
	u32        n = (u32)ir_type_count(m, t);
	if (k == IRT_INT)
		return int_const(mu, t);
	if (k >= IRT_HALF && k <= IRT_DOUBLE)
		return fp_const(mu, t);
	if (k == IRT_VECTOR && one_in(mu->r, 3)) {
		IrRef e = some_const(mu, ir_type_elem(m, t, 0));
		return ir_const_splat(m, t, e);
	}
	if ((k == IRT_VECTOR || k == IRT_ARRAY || k == IRT_STRUCT) && n <= 64 && is_plain(m, t)) {
		IrRef e[64];
		for (u32 i = 0; i < n; i++)
			e[i] = some_const(mu, ir_type_elem(m, t, i));
		return ir_const_agg(m, t, e, n);
	}
	return ir_const_zero(m, t);
}

/* ---- from type to type */

static u32 width(const IrModule *m, IrType t) { return (u32)ir_size_bits(m, t); }

/* A value in range, whatever it is: llvm.fptosi.sat. */
static IrRef saturated(Mut *mu, IrBuilder *b, IrRef v, IrType to, bool is_signed)
{
	const IrType over[8] = {to, ir_type_of(mu->m, v)};
	Str          name = ir_mangled(mu->m, is_signed ? STR("llvm.fptosi.sat") : STR("llvm.fptoui.sat"), over);
	return ir_b_intrinsic(b, name, to, &v, 1);
}

/* Scalars, or vectors of equally many. */
static IrRef cast(Mut *mu, IrBuilder *b, IrRef v, IrType to)
{
	IrModule  *m = mu->m;
	IrType     from = ir_type_of(m, v), fs = ir_scalar_type(m, from), ts = ir_scalar_type(m, to);
	IrTypeKind fk = ir_type_kind(m, fs), tk = ir_type_kind(m, ts);
	u32        fw = width(m, fs), tw = width(m, ts);
	bool       coin = one_in(mu->r, 2);
	if (ir_type_same(from, to))
		return v;
	if (fk == IRT_INT && tk == IRT_INT)
		return ir_b_cast(b, fw > tw ? IR_TRUNC : coin ? IR_ZEXT : IR_SEXT, v, to);
	if (fk == IRT_PTR && tk == IRT_PTR)
		return ir_b_cast(b, IR_ADDRSPACECAST, v, to);
	if (fk == IRT_INT && tk == IRT_PTR)
		return ir_b_cast(b, IR_INTTOPTR, v, to);
	if (fk == IRT_PTR && tk == IRT_INT)
		return ir_b_cast(b, IR_PTRTOINT, v, to);
	if (fk == IRT_PTR || tk == IRT_PTR) {
		IrType i = ir_int_type(m, fk == IRT_PTR ? tw : fw);
		if (ir_type_is_vector(m, from))
			i = ir_vector_type(m, i, (u32)ir_type_count(m, from));
		v = fk == IRT_PTR ? ir_b_cast(b, IR_PTRTOINT, v, i) : ir_b_cast(b, IR_BITCAST, v, i);
		return cast(mu, b, v, to);
	}
	if (fk == IRT_INT)
		return fw == tw && coin ? ir_b_cast(b, IR_BITCAST, v, to) : ir_b_cast(b, coin ? IR_UITOFP : IR_SITOFP, v, to);
	if (tk == IRT_INT) {
		if (fw == tw && (coin || mu->defined))
			return ir_b_cast(b, IR_BITCAST, v, to);
		return mu->defined || coin ? saturated(mu, b, v, to, one_in(mu->r, 2))
		                           : ir_b_cast(b, one_in(mu->r, 2) ? IR_FPTOUI : IR_FPTOSI, v, to);
	}
	if (fw == tw) /* half and bfloat */
		return ir_b_cast(b, IR_BITCAST, v, to);
	return ir_b_cast(b, fw > tw ? IR_FPTRUNC : IR_FPEXT, v, to);
}

static IrRef lane_index(Mut *mu, u32 n)
{
	return ir_const_int(mu->m, one_in(mu->r, 2) ? IR_TYPE(I32) : IR_TYPE(I64), below(mu->r, n));
}

static IrRef to_aggregate(Mut *mu, IrBuilder *b, IrRef v, IrType to)
{
	IrModule *m = mu->m;
	u32       n = (u32)ir_type_count(m, to), some = 1 + below(mu->r, 2);
	IrRef     agg = mu->defined ? ir_const_zero(m, to) : some_const(mu, to);
	for (u32 k = 0; k < some; k++) {
		u32   i = below(mu->r, n);
		IrRef e = adapt(mu, b, v, ir_type_elem(m, to, i));
		agg = ir_b_insert_value(b, agg, e, i);
	}
	return agg;
}

static IrRef to_vector(Mut *mu, IrBuilder *b, IrRef v, IrType to)
{
	IrModule *m = mu->m;
	u32       n = (u32)ir_type_count(m, to);
	i32       mask[64];
	IrRef     e = adapt(mu, b, v, ir_type_elem(m, to, 0)), x = some_const(mu, to), i = lane_index(mu, n);
	u64       at = 0;
	ir_as_int(m, i, &at);
	x = ir_b_insert_element(b, x, e, i);
	if (one_in(mu->r, 2))
		return x;
	for (u32 k = 0; k < n; k++)
		mask[k] = one_in(mu->r, 3) ? (i32)below(mu->r, n) : (i32)at;
	IrRef y = mu->defined || one_in(mu->r, 2) ? x : ir_const_poison(m, to);
	return ir_b_shuffle(b, x, y, mask, n);
}

IrRef adapt(Mut *mu, IrBuilder *b, IrRef v, IrType to)
{
	IrModule *m = mu->m;
	IrType    from = ir_type_of(m, v);
	if (ir_type_same(from, to))
		return v;
	if (!is_plain(m, to) || !is_plain(m, from))
		return is_plain(m, to) ? some_const(mu, to) : ir_const_zero(m, to);
	if (mu->defined && !ir_type_is_aggregate(m, from) && !ir_type_is_aggregate(m, to) &&
	    ir_type_holds_ptr(m, from) != ir_type_holds_ptr(m, to))
		return some_const(mu, to); /* addresses are nobody's business */
	if (ir_type_is_aggregate(m, from)) {
		u32 i = below(mu->r, (u32)ir_type_count(m, from));
		v = ir_b_extract_value(b, v, i);
		return adapt(mu, b, v, to);
	}
	if (ir_type_is_aggregate(m, to))
		return to_aggregate(mu, b, v, to);
	bool fv = ir_type_is_vector(m, from), tv = ir_type_is_vector(m, to);
	if ((fv || tv) && width(m, from) == width(m, to) && !ir_type_holds_ptr(m, from) && !ir_type_holds_ptr(m, to))
		return ir_b_cast(b, IR_BITCAST, v, to);
	if (fv && tv && ir_type_count(m, from) == ir_type_count(m, to))
		return cast(mu, b, v, to);
	if (fv) {
		IrRef i = lane_index(mu, (u32)ir_type_count(m, from));
		v = ir_b_extract_element(b, v, i);
		return adapt(mu, b, v, to);
	}
	return tv ? to_vector(mu, b, v, to) : cast(mu, b, v, to);
}
