/* bitcode_type.c: the type table of a bitcode module.
 *
 * Typed pointers (LLVM before 15) become opaque ones; what they pointed to is kept by number for the few records that need it. Only structs
 * may be used before they are defined. Linear in the block. */
#include "ir/bitcode.h"

enum {
	NUMENTRY = 1,
	VOID,
	FLOAT,
	DOUBLE,
	LABEL,
	OPAQUE,
	INTEGER,
	POINTER,
	FUNCTION_OLD,
	HALF,
	ARRAY,
	VECTOR,
	X86_FP80,
	FP128,
	PPC_FP128,
	METADATA,
	X86_MMX,
	STRUCT_ANON,
	STRUCT_NAME,
	STRUCT_NAMED,
	FUNCTION,
	TOKEN,
	BFLOAT,
	X86_AMX,
	OPAQUE_POINTER,
	TARGET_TYPE,
};

enum { MAX_INT_BITS = 1 << 23, MAX_VECTOR = 1 << 16, MAX_SPACE = (1 << 24) - 1, MAX_DEPTH = 90 };

bool bc_is_value_type(const IrModule *m, IrType t)
{
	u32 k = ir_type_kind(m, t);
	return k != IRT_NONE && k != IRT_VOID && k != IRT_LABEL && k != IRT_METADATA && k != IRT_FUNC;
}

IrType bc_no_type(Bc *b, u64 number)
{
	bc_error(b, "there is no type %llu", (unsigned long long)number);
	return (IrType){0};
}

IrType bc_value_type(Bc *b, u64 number)
{
	IrType t = bc_type(b, number);
	if (bc_ok(b) && !bc_is_value_type(b->m, t))
		bc_error(b, "type %llu is not the type of a value", (unsigned long long)number);
	return t;
}

/* A type within another one, which may be a struct that is defined later. */
static IrType inner(Bc *b, u64 number)
{
	if (number >= b->types.n || !b->types.p[number].t.i) {
		if (number >= b->types.n + bc_left(&b->in)) {
			bc_error(b, "there is no type %llu", (unsigned long long)number);
			return (IrType){0};
		}
		if (number >= b->types.n)
			vec_reserve(b->arena, &b->types, (u32)number + 1);
		while (b->types.n <= number)
			vec_push(b->arena, &b->types, (BcType){0});
		b->types.p[number] = (BcType){.t = ir_named_struct(b->m, (StrId){0}, 0), .awaited = true};
		b->m->struct_order.n--; /* its place is its definition's */
	}
	b->depth_below = PS_MAX(b->depth_below, b->types.p[number].depth);
	return b->types.p[number].t;
}

static IrType element(Bc *b, u64 number)
{
	IrType t = inner(b, number);
	u32    k = ir_type_kind(b->m, t);
	if (bc_ok(b) && (k == IRT_VOID || k == IRT_LABEL || k == IRT_METADATA || k == IRT_FUNC || k == IRT_TOKEN))
		bc_error(b, "type %llu cannot be an element", (unsigned long long)number);
	return t;
}

/* Elements of the record from operand `from` on, in b->ops. */
static u32 elements(Bc *b, u32 from, bool params)
{
	b->ops.n = 0;
	for (u32 i = from; i < b->in.rec.n && bc_ok(b); i++) {
		IrType t = params ? inner(b, b->in.rec.op[i]) : element(b, b->in.rec.op[i]);
		vec_push(b->arena, &b->ops, t.i);
	}
	return b->ops.n;
}

/* The record that a named or numbered struct fills in; its name is used up. */
static IrType named_struct(Bc *b, u32 at)
{
	IrModule *m = b->m;
	StrId     name = b->next_struct;
	IrType    t;
	bool      fresh = true;
	b->next_struct = (StrId){0};
	if (name.i)
		map_put(&b->type_names, name.i, &fresh);
	if (!fresh)
		bc_error(b, "type '%.*s' is defined twice", STR_ARG(ir_str(m, name)));
	if (at < b->types.n && b->types.p[at].awaited) {
		t = b->types.p[at].t;
		b->types.p[at].awaited = false;
		ir_type(m, t)->name = name;
		vec_push(b->arena, &m->struct_order, t.i);
	} else {
		t = ir_named_struct(m, name, 0);
	}
	ir_type(m, t)->number = name.i ? 0 : ++b->numbered_structs;
	return t;
}

static IrType vector_or_array(Bc *b)
{
	u64    n = bc_op(b, 0);
	IrType e = bc_need(b, 2) ? element(b, bc_op(b, 1)) : (IrType){0};
	if (!bc_ok(b))
		return e;
	if (b->in.rec.code == ARRAY)
		return ir_array_type(b->m, e, n);
	u32 k = ir_type_kind(b->m, e);
	if (n == 0 || n > MAX_VECTOR)
		bc_error(b, "a vector has %llu elements", (unsigned long long)n);
	else if (k != IRT_INT && k != IRT_PTR && !ir_type_is_fp(b->m, e) && !(ir_target_type_may(b->m, e) & IRTT_ELEMENT))
		bc_error(b, "a vector has elements of a type that is not allowed");
	return !bc_ok(b) ? e : bc_op(b, 2) ? ir_scalable_type(b->m, e, (u32)n) : ir_vector_type(b->m, e, (u32)n);
}

static IrType pointer(Bc *b, u64 space)
{
	return bc_check(b, space <= MAX_SPACE, "an address space is too large") ? ir_ptr_type(b->m, (u32)space) : (IrType){0};
}

/* [type, (address space)]; *pointee is the number of the type + 1 */
static IrType typed_pointer(Bc *b, u32 *pointee)
{
	u32 depth = b->depth_below; /* it is no part of the text */
	if (!bc_need(b, 1) || !inner(b, bc_op(b, 0)).i)
		return (IrType){0};
	b->depth_below = depth;
	*pointee = (u32)bc_op(b, 0) + 1;
	return pointer(b, bc_op(b, 1));
}

static IrType function(Bc *b, u32 result)
{
	if (!bc_need(b, result + 1))
		return (IrType){0};
	u32    n = elements(b, result, true);
	IrType ret = n ? (IrType){b->ops.p[0]} : (IrType){0};
	u32    k = ir_type_kind(b->m, ret);
	if (bc_ok(b) && (k == IRT_LABEL || k == IRT_METADATA || k == IRT_FUNC))
		bc_error(b, "a function type has a result that is not allowed");
	for (u32 i = 1; i < n && bc_ok(b); i++) {
		k = ir_type_kind(b->m, (IrType){b->ops.p[i]});
		bc_check(b, k != IRT_VOID && k != IRT_FUNC && k != IRT_LABEL,
		         "a function type has a parameter that is not allowed");
	}
	const u32 *p = b->ops.p;
	return bc_ok(b) ? ir_func_type(b->m, ret, (const IrType *)(const void *)(p + 1), n - 1, bc_op(b, 0) != 0) : ret;
}

/* [types, types…, integers…] under the name that came before */
static IrType target_type(Bc *b)
{
	u64   n = bc_op(b, 0);
	StrId name = b->next_struct;
	b->next_struct = (StrId){0};
	if (!bc_need(b, 1) || !bc_check(b, n < b->in.rec.n && name.i, "a target type is malformed"))
		return (IrType){0};
	b->ops.n = 0;
	for (u32 i = 1; i < b->in.rec.n && bc_ok(b); i++)
		vec_push(b->arena, &b->ops, i <= n ? bc_type(b, bc_op(b, i)).i : (u32)bc_op(b, i));
	if (!bc_ok(b))
		return (IrType){0};
	u32 *p = b->ops.p, ints = b->in.rec.n - 1 - (u32)n;
	return ir_target_type(b->m, name, (const IrType *)(void *)p, (u32)n, ints ? p + n : NULL, ints);
}

static IrType integer(Bc *b)
{
	u64 bits = bc_op(b, 0);
	if (!bc_check(b, bits > 0 && bits <= MAX_INT_BITS, "an integer type has a width that is not allowed"))
		return (IrType){0};
	return ir_int_type(b->m, (u32)bits);
}

static IrType struct_type(Bc *b, u32 at)
{
	bool   named = b->in.rec.code == STRUCT_NAMED;
	IrType t = named ? named_struct(b, at) : (IrType){0};
	u32    n = bc_need(b, 1) ? elements(b, 1, false) : 0;
	if (!bc_ok(b))
		return (IrType){0};
	const IrType *fields = (const IrType *)(const void *)b->ops.p;
	if (!named)
		return ir_struct_type(b->m, fields, n, bc_op(b, 0) != 0);
	ir_struct_set_body(b->m, t, fields, n, bc_op(b, 0) != 0);
	return t;
}

static IrType type_record(Bc *b, u32 at, u32 *pointee)
{
	switch (b->in.rec.code) {
	case VOID: return IR_TYPE(VOID);
	case FLOAT: return IR_TYPE(FLOAT);
	case DOUBLE: return IR_TYPE(DOUBLE);
	case LABEL: return IR_TYPE(LABEL);
	case HALF: return IR_TYPE(HALF);
	case X86_FP80: return IR_TYPE(X86_FP80);
	case FP128: return IR_TYPE(FP128);
	case PPC_FP128: return IR_TYPE(PPC_FP128);
	case METADATA: return IR_TYPE(METADATA);
	case TOKEN: return IR_TYPE(TOKEN);
	case BFLOAT: return IR_TYPE(BFLOAT);
	case X86_AMX: return IR_TYPE(X86_AMX);
	case X86_MMX: return ir_vector_type(b->m, IR_TYPE(I64), 1);
	case INTEGER: return integer(b);
	case OPAQUE: return named_struct(b, at);
	case POINTER: return typed_pointer(b, pointee);
	case OPAQUE_POINTER: return bc_lengths(b, BC_LENGTHS(1, 1)) ? pointer(b, bc_op(b, 0)) : (IrType){0};
	case ARRAY:
	case VECTOR: return vector_or_array(b);
	case STRUCT_ANON:
	case STRUCT_NAMED: return struct_type(b, at);
	case FUNCTION_OLD: return function(b, 2);
	case FUNCTION: return function(b, 1);
	case TARGET_TYPE: return target_type(b);
	default: bc_unknown(b, "type record", b->in.rec.code); return (IrType){0};
	}
}

void bc_type_block(Bc *b)
{
	u32 at = 0;
	u64 expected = 0;
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		u32 pointee = 0;
		b->depth_below = 0;
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (b->in.rec.code == NUMENTRY) {
			expected = bc_need(b, 1) ? bc_op(b, 0) : 0;
			continue;
		}
		if (b->in.rec.code == STRUCT_NAME) {
			b->next_struct = bc_chars(b, 0);
			continue;
		}
		IrType t = type_record(b, at, &pointee);
		if (!bc_ok(b))
			return;
		if (at == b->types.n)
			vec_push(b->arena, &b->types, (BcType){0});
		bool taken = b->types.p[at].t.i && !ir_type_same(b->types.p[at].t, t);
		if (!bc_check(b, !taken, "a type that is no struct is used before it is defined"))
			return;
		u8 depth = b->in.rec.code == STRUCT_NAMED ? 0 : (u8)(b->depth_below + 1);
		if (!bc_check(b, depth <= MAX_DEPTH, "types are nested too deeply"))
			return;
		b->types.p[at++] = (BcType){.t = t, .pointee = pointee, .depth = depth};
	}
	if (bc_ok(b))
		bc_check(b, at == expected, "there are more or fewer types than their block says");
	for (u32 i = 0; i < b->types.n && bc_ok(b); i++)
		if (!b->types.p[i].t.i || b->types.p[i].awaited)
			bc_error(b, "type %u is used and not defined", i);
}
