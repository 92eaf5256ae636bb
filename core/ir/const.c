/* const.c: makes constants and reads them. Equal constants are one record (a hash table of the module), so two IrRefs of
 * constants are equal exactly where the constants are. Constants are never changed. */
#include "ir/intern.h"
#include "ir/internal.h"
#include "sem/int.h"

static u32 hash_const(const IrConst *c, const IrRef *ops)
{
	u32 h = hash_word(c->type.i, c->kind | (u32)c->op << 8 | (u32)c->sub << 16);
	h = hash_word(hash_word(h, (u32)c->bits), (u32)(c->bits >> 32));
	if (c->kind <= IRC_FP)
		return h;
	h = hash_word(hash_word(hash_word(h, c->data.i), c->flags), c->elem.i);
	for (u32 i = 0; i < c->n_ops; i++)
		h = hash_word(h, ops[i].i);
	return h;
}

static bool same_const(const IrModule *m, const IrConst *a, const IrConst *b, const IrRef *ops)
{
	if (a->type.i != b->type.i || a->kind != b->kind || a->bits != b->bits || a->op != b->op || a->sub != b->sub ||
	    a->data.i != b->data.i || a->flags != b->flags || a->elem.i != b->elem.i || a->n_ops != b->n_ops || a->dead)
		return false;
	for (u32 i = 0; i < a->n_ops; i++)
		if (ir_use(m, a->ops + i)->value.i != ops[i].i)
			return false;
	return true;
}

static IrRef add(IrModule *m, IrConst c, const IrRef *ops, u32 hash)
{
	IrRef    ref = ir_ref(IR_CONST, pages_new(&m->consts));
	IrConst *rec = ir_const(m, ref);
	*rec = c;
	rec->hash = hash;
	rec->ops = c.n_ops ? ir_lasting_uses(m, c.n_ops) : 0;
	for (u32 i = 0; i < c.n_ops; i++) {
		ir_use(m, rec->ops + i)->user = ref;
		ir_set_use(m, rec->ops + i, ops[i]);
	}
	ir_intern_add(m->arena, &m->const_table, hash, ir_index(ref));
	return ref;
}

static IrRef intern(IrModule *m, IrConst c, const IrRef *ops)
{
	u32             hash = hash_const(&c, ops);
	const IrIntern *t = &m->const_table;
	for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at))
		if (intern_hash(t, at) == hash && same_const(m, ir_const(m, ir_ref(IR_CONST, id)), &c, ops))
			return ir_ref(IR_CONST, id);
	return add(m, c, ops, hash);
}

/* ---- numbers ---- */

/* An integer or a floating-point number of at most 64 bits. */
static IrRef plain_number(IrModule *m, IrConst c)
{
	u32             hash = hash_const(&c, NULL);
	const IrIntern *t = &m->const_table;
	for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at)) {
		const IrConst *k = ir_const(m, ir_ref(IR_CONST, id));
		if (intern_hash(t, at) == hash && k->bits == c.bits && k->type.i == c.type.i && k->kind == c.kind && !k->data.i)
			return ir_ref(IR_CONST, id);
	}
	return add(m, c, NULL, hash);
}

IrRef ir_const_number(IrModule *m, IrType t, IrConstKind kind, u64 bits)
{
	return plain_number(m, (IrConst){.kind = (u8)kind, .type = t, .bits = bits});
}

IrRef ir_const_int(IrModule *m, IrType t, u64 bits)
{
	u32 width = ir_type(m, t)->bits;
	if (width > 64)
		return ir_const_words(m, t, &bits, 1);
	return plain_number(m, (IrConst){.kind = IRC_INT, .type = t, .bits = sem_zext(bits, width)});
}

IrRef ir_const_sint(IrModule *m, IrType t, i64 v)
{
	u32 width = ir_type(m, t)->bits;
	if (width <= 64)
		return ir_const_int(m, t, (u64)v);
	u32  n = (width + 63) / 64;
	u64 *words = arena_array(m->arena, u64, n);
	for (u32 i = 0; i < n; i++)
		words[i] = i ? (v < 0 ? ~(u64)0 : 0) : (u64)v;
	return ir_const_words(m, t, words, n);
}

/* The words of `width` bits as an interned string, bytes little-endian on every host. */
static StrId words_data(IrModule *m, const u64 *words, u32 n, u32 width)
{
	u32 bytes = (width + 63) / 64 * 8;
	u8  few[64];
	u8 *p = bytes <= sizeof few ? few : arena_alloc(m->arena, bytes, 1);
	for (u32 i = 0; i < bytes; i++) {
		u64 w = i / 8 < n ? words[i / 8] : 0;
		if (i / 8 == width / 64)
			w = sem_zext(w, width % 64);
		p[i] = (u8)(w >> i % 8 * 8);
	}
	return strtab_add(&m->s->strs, (Str){(const char *)p, bytes});
}

static IrRef const_words(IrModule *m, IrConstKind kind, IrType t, const u64 *words, u32 n, u32 width)
{
	IrConst c = {.kind = (u8)kind, .type = t, .bits = n ? sem_zext(words[0], width) : 0};
	if (width <= 64)
		return plain_number(m, c);
	c.data = words_data(m, words, n, width);
	return intern(m, c, NULL);
}

IrRef ir_const_words(IrModule *m, IrType t, const u64 *words, u32 n)
{
	return const_words(m, IRC_INT, t, words, n, ir_type(m, t)->bits);
}

IrRef ir_const_fp(IrModule *m, IrType t, u64 bits) { return ir_const_fp_words(m, t, &bits, 1); }

IrRef ir_const_fp_words(IrModule *m, IrType t, const u64 *words, u32 n)
{
	return const_words(m, IRC_FP, t, words, n, (u32)ir_size_bits(m, t));
}

u32 ir_const_word(const IrModule *m, IrRef r, u64 *words, u32 cap)
{
	const IrConst *c = ir_const(m, r);
	if (!c->data.i) {
		words[0] = c->bits;
		return 1;
	}
	Str s = ir_str(m, c->data);
	u32 n = s.n / 8;
	for (u32 i = 0; i < n && i < cap; i++) {
		words[i] = 0;
		for (u32 b = 0; b < 8; b++)
			words[i] |= (u64)(u8)s.p[i * 8 + b] << b * 8;
	}
	return n;
}

/* ---- plain ones ---- */

static IrRef plain(IrModule *m, IrConstKind kind, IrType t) { return intern(m, (IrConst){.kind = (u8)kind, .type = t}, NULL); }

IrRef ir_const_zero(IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	u64 zero = 0;
	if (k == IRT_INT)
		return ir_const_int(m, t, 0);
	if (ir_type_is_fp(m, t))
		return ir_const_fp_words(m, t, &zero, 1);
	return plain(m, k == IRT_PTR ? IRC_NULL : k == IRT_TOKEN ? IRC_TOKEN : IRC_ZERO, t);
}

IrRef ir_const_undef(IrModule *m, IrType t) { return plain(m, IRC_UNDEF, t); }
IrRef ir_const_poison(IrModule *m, IrType t) { return plain(m, IRC_POISON, t); }
IrRef ir_const_token(IrModule *m) { return plain(m, IRC_TOKEN, IR_TYPE(TOKEN)); }

/* ---- aggregates ---- */

/* Bytes of an element that IRC_DATA can hold; 0: it cannot. */
static u32 data_width(const IrModule *m, IrType elem)
{
	switch (elem.i) {
	case IR_TY_I8: return 1;
	case IR_TY_I16:
	case IR_TY_HALF:
	case IR_TY_BFLOAT: return 2;
	case IR_TY_I32:
	case IR_TY_FLOAT: return 4;
	case IR_TY_I64:
	case IR_TY_DOUBLE: return 8;
	}
	(void)m;
	return 0;
}

IrRef ir_const_data(IrModule *m, IrType t, Str bytes)
{
	u32 i = 0;
	while (i < bytes.n && !bytes.p[i])
		i++;
	if (i == bytes.n)
		return ir_const_zero(m, t);
	return intern(m, (IrConst){.kind = IRC_DATA, .type = t, .data = strtab_add(&m->s->strs, bytes)}, NULL);
}

static bool all_of(const IrModule *m, const IrRef *elems, u32 n, IrConstKind kind)
{
	for (u32 i = 0; i < n; i++)
		if (ir_kind(elems[i]) != IR_CONST || ir_const(m, elems[i])->kind != kind)
			return false;
	return true;
}

static bool all_zero(const IrModule *m, const IrRef *elems, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!ir_is_zero(m, elems[i]))
			return false;
	return true;
}

static IrRef pack_data(IrModule *m, IrType t, const IrRef *elems, u32 n, u32 width)
{
	char  few[64];
	u32   bytes = n * width;
	char *p = bytes <= sizeof few ? few : arena_alloc(m->arena, bytes, 1);
	for (u32 i = 0; i < n; i++) {
		u64 bits = ir_const(m, elems[i])->bits;
		for (u32 b = 0; b < width; b++)
			p[i * width + b] = (char)(u8)(bits >> b * 8);
	}
	return ir_const_data(m, t, (Str){p, bytes});
}

IrRef ir_const_agg(IrModule *m, IrType t, const IrRef *elems, u32 n)
{
	if (n == 0 || all_zero(m, elems, n))
		return ir_const_zero(m, t);
	if (all_of(m, elems, n, IRC_POISON))
		return ir_const_poison(m, t);
	if (all_of(m, elems, n, IRC_UNDEF))
		return ir_const_undef(m, t);
	u32 width = ir_type_kind(m, t) == IRT_STRUCT ? 0 : data_width(m, ir_type_elem(m, t, 0));
	if (width && n <= (u32)1 << 28 && (all_of(m, elems, n, IRC_INT) || all_of(m, elems, n, IRC_FP)))
		return pack_data(m, t, elems, n, width);
	return intern(m, (IrConst){.kind = IRC_AGG, .type = t, .n_ops = n}, elems);
}

IrRef ir_const_splat(IrModule *m, IrType vector, IrRef elem)
{
	if (ir_type_is_scalable_vector(m, vector)) {
		u32 kind = ir_kind(elem) == IR_CONST ? ir_const(m, elem)->kind : IRC_NONE;
		return ir_is_zero(m, elem)  ? ir_const_zero(m, vector)
		       : kind == IRC_POISON ? ir_const_poison(m, vector)
		       : kind == IRC_UNDEF  ? ir_const_undef(m, vector)
		                            : intern(m, (IrConst){.kind = IRC_SPLAT, .type = vector, .n_ops = 1}, &elem);
	}
	u32    n = (u32)ir_type_count(m, vector);
	IrRef *elems = arena_array(m->arena, IrRef, n);
	for (u32 i = 0; i < n; i++)
		elems[i] = elem;
	return ir_const_agg(m, vector, elems, n);
}

IrRef ir_const_elem(IrModule *m, IrRef r, u32 i)
{
	if (ir_kind(r) != IR_CONST)
		return IR_NO_REF;
	const IrConst *c = ir_const(m, r);
	IrType         e = ir_type_elem(m, c->type, i);
	if (!e.i || i >= ir_type_count(m, c->type))
		return IR_NO_REF;
	switch (c->kind) {
	case IRC_ZERO: return ir_const_zero(m, e);
	case IRC_UNDEF: return ir_const_undef(m, e);
	case IRC_POISON: return ir_const_poison(m, e);
	case IRC_AGG: return ir_const_op(m, r, i);
	case IRC_SPLAT: return ir_const_op(m, r, 0);
	case IRC_DATA: {
		u32 width = data_width(m, e);
		Str s = ir_str(m, c->data);
		u64 bits = 0;
		for (u32 b = 0; b < width; b++)
			bits |= (u64)(u8)s.p[i * width + b] << b * 8;
		return ir_type_is_int(m, e) ? ir_const_int(m, e, bits) : ir_const_fp(m, e, bits);
	}
	default: return IR_NO_REF;
	}
}

IrRef ir_splat_value(IrModule *m, IrRef r)
{
	if (ir_kind(r) != IR_CONST || !ir_type_is_vector(m, ir_const(m, r)->type))
		return IR_NO_REF;
	u64   n = ir_type_count(m, ir_const(m, r)->type);
	IrRef first = ir_const_elem(m, r, 0);
	if (ir_const(m, r)->kind == IRC_DATA || ir_const(m, r)->kind == IRC_AGG)
		for (u32 i = 1; i < n; i++)
			if (!ir_same(ir_const_elem(m, r, i), first))
				return IR_NO_REF;
	return first;
}

bool ir_shuffle_fits(const IrModule *m, IrType vector, IrRef mask)
{
	if (ir_type_is_scalable_vector(m, vector) != ir_type_is_scalable_vector(m, ir_type_of(m, mask)))
		return false;
	return !ir_type_is_scalable_vector(m, vector) || ir_is_zero(m, mask) || ir_is_undef(m, mask);
}

u32 ir_shuffle_mask(IrModule *m, IrRef mask)
{
	u32  n = (u32)ir_type_count(m, ir_type_of(m, mask));
	u32 *list = arena_array(m->arena, u32, n);
	for (u32 i = 0; i < n; i++) {
		u64   v;
		IrRef e = ir_const_elem(m, mask, i);
		list[i] = e.i && ir_as_int(m, e, &v) ? (u32)v : UINT32_MAX;
	}
	return ir_list_new(m, list, n);
}

/* ---- expressions ---- */

IrRef ir_const_gep(IrModule *m, IrType t, IrType elem, u32 flags, StrId range, const IrRef *ops, u32 n)
{
	IrConst c = {
		.kind = IRC_EXPR, .op = IR_GETELEMENTPTR, .flags = flags, .type = t, .elem = elem, .data = range, .n_ops = n};
	return intern(m, c, ops);
}

IrType ir_gep_result(IrModule *m, const IrRef *ops, u32 n)
{
	IrType t = ir_type_of(m, ops[0]);
	for (u32 i = 1; i < n && !ir_type_is_vector(m, t); i++)
		if (ir_type_is_vector(m, ir_type_of(m, ops[i])))
			t = ir_vector_like(m, ir_type_of(m, ops[i]), t);
	return t;
}

IrRef ir_const_gep_or_base(IrModule *m, IrType elem, u32 flags, StrId range, const IrRef *ops, u32 n)
{
	IrType t = ir_gep_result(m, ops, n);
	bool   none = !range.i && !ir_type_is_vector(m, t);
	for (u32 i = 1; i < n && none; i++)
		none = ir_is_zero(m, ops[i]);
	return none || n == 1 ? ops[0] : ir_const_gep(m, t, elem, flags, range, ops, n);
}

IrRef ir_const_expr(IrModule *m, u32 op, IrType t, u32 sub, u32 flags, const IrRef *ops, u32 n)
{
	IrConst c = {.kind = IRC_EXPR, .op = (u8)op, .sub = (u8)sub, .flags = flags, .type = t, .n_ops = n};
	return intern(m, c, ops);
}

IrRef ir_const_block_address(IrModule *m, IrRef func, IrRef block)
{
	IrRef   ops[2] = {func, block};
	IrConst c = {.kind = IRC_BLOCKADDR, .type = ir_global(m, func)->ptr, .n_ops = 2};
	return intern(m, c, ops);
}

IrRef ir_const_of_global(IrModule *m, IrConstKind kind, IrRef global)
{
	return intern(m, (IrConst){.kind = (u8)kind, .type = ir_type_of(m, global), .n_ops = 1}, &global);
}

const char *ir_const_signed(IrModule *m, const IrRef *ops, u32 n, IrRef *out)
{
	IrType types[5];
	for (u32 i = 0; i < n && i < PS_COUNT(types); i++)
		types[i] = ir_type_of(m, ops[i]);
	if (n < 2 || n > PS_COUNT(types))
		return "a signed pointer has a pointer and a key, and up to three operands behind them";
	if (!ir_type_is_ptr(m, types[0]))
		return "a signed pointer is a pointer";
	if (types[1].i != IR_TY_I32 || !ir_as_int(m, ops[1], &(u64){0}))
		return "the key of a signed pointer is an i32 constant";
	if (n > 2 && (types[2].i != IR_TY_I64 || !ir_as_int(m, ops[2], &(u64){0})))
		return "the discriminator of a signed pointer is an i64 constant";
	if (n > 3 && !ir_type_is_ptr(m, types[3]))
		return "the address that discriminates a signed pointer is a pointer";
	if (n > 4 && !(ir_type_is_ptr(m, types[4]) && (ir_kind(ops[4]) == IR_GLOBAL || ir_is_zero(m, ops[4]))))
		return "the deactivation symbol of a signed pointer is a global value or null";
	while (n > 2 && ir_is_zero(m, ops[n - 1]))
		n--;
	*out = intern(m, (IrConst){.kind = IRC_PTRAUTH, .type = types[0], .n_ops = n}, ops);
	return NULL;
}

IrRef ir_const_cast(IrModule *m, u32 op, IrRef v, IrType t)
{
	return ir_type_same(ir_type_of(m, v), t) ? v : ir_const_expr(m, op, t, 0, 0, &v, 1);
}

/* A copy of `c` with `from` among its operands replaced: what replacing a use within a constant means. */
IrRef ir_const_rebuild(IrModule *m, IrRef r, IrRef from, IrRef to)
{
	IrConst c = *ir_const(m, r);
	IrRef  *ops = arena_array(m->arena, IrRef, c.n_ops);
	for (u32 i = 0; i < c.n_ops; i++) {
		IrRef v = ir_use(m, c.ops + i)->value;
		ops[i] = ir_same(v, from) ? to : v;
	}
	if (c.kind == IRC_AGG)
		return ir_const_agg(m, c.type, ops, c.n_ops);
	if (c.kind == IRC_SPLAT)
		return ir_const_splat(m, c.type, ops[0]);
	c.ops = c.uses = 0;
	return intern(m, c, ops);
}

IrRef ir_const_import(IrModule *m, IrConst c, const IrRef *ops)
{
	if (c.kind == IRC_AGG)
		return ir_const_agg(m, c.type, ops, c.n_ops);
	if (c.kind == IRC_SPLAT)
		return ir_const_splat(m, c.type, ops[0]);
	c.ops = c.uses = 0;
	return c.kind <= IRC_FP && !c.data.i ? plain_number(m, c) : intern(m, c, ops);
}

/* ---- questions ---- */

bool ir_is_const(const IrModule *m, IrRef r)
{
	(void)m;
	return ir_kind(r) == IR_CONST || ir_kind(r) == IR_GLOBAL;
}

bool ir_as_int(const IrModule *m, IrRef r, u64 *bits)
{
	if (ir_kind(r) != IR_CONST)
		return false;
	const IrConst *c = ir_const(m, r);
	if (c->kind != IRC_INT || c->data.i)
		return false;
	*bits = c->bits;
	return true;
}

bool ir_as_sint(const IrModule *m, IrRef r, i64 *v)
{
	u64 bits;
	if (!ir_as_int(m, r, &bits))
		return false;
	*v = sem_sext(bits, ir_type(m, ir_const(m, r)->type)->bits);
	return true;
}

bool ir_as_fp(const IrModule *m, IrRef r, u64 *bits)
{
	if (ir_kind(r) != IR_CONST)
		return false;
	const IrConst *c = ir_const(m, r);
	if (c->kind != IRC_FP || c->data.i)
		return false;
	*bits = c->bits;
	return true;
}

bool ir_is_zero(const IrModule *m, IrRef r)
{
	if (ir_kind(r) != IR_CONST)
		return false;
	const IrConst *c = ir_const(m, r);
	switch (c->kind) {
	case IRC_INT:
	case IRC_FP: {
		Str s = ir_str(m, c->data);
		for (u32 i = 0; i < s.n; i++)
			if (s.p[i])
				return false;
		return c->bits == 0;
	}
	case IRC_NULL:
	case IRC_ZERO: return true;
	default: return false;
	}
}

bool ir_is_undef(const IrModule *m, IrRef r)
{
	return ir_kind(r) == IR_CONST && (ir_const(m, r)->kind == IRC_UNDEF || ir_const(m, r)->kind == IRC_POISON);
}
