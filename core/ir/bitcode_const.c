/* bitcode_const.c: constants of a bitcode module and of its functions.
 *
 * Records are kept and become constants when they are first needed. That resolves references in both directions, and makes constants in
 * the order in which the text reader does. What nests is made recursively, at most MAX_DEPTH deep, so that the printed text can be read. Linear in the records. */
#include "ir/bitcode.h"

enum {
	SETTYPE = 1,
	NULL_VALUE,
	UNDEF,
	INTEGER,
	WIDE_INTEGER,
	FLOAT,
	AGGREGATE,
	STRING,
	CSTRING,
	CE_BINOP,
	CE_CAST,
	CE_GEP_OLD,
	CE_SELECT,
	CE_EXTRACTELT,
	CE_INSERTELT,
	CE_SHUFFLEVEC,
	CE_CMP,
	INLINEASM_OLD,
	CE_SHUFVEC_EX,
	CE_INBOUNDS_GEP,
	BLOCKADDRESS,
	DATA,
	INLINEASM_OLD2,
	CE_GEP_INDEX_OLD,
	CE_UNOP,
	POISON,
	DSO_LOCAL_EQUIVALENT,
	INLINEASM_OLD3,
	NO_CFI,
	INLINEASM,
	CE_GEP_INRANGE,
	CE_GEP,
	PTRAUTH,
	PTRAUTH2,
};

enum { MAX_DEPTH = 100 };

/* ---- the block ---- */

static bool is_asm(u32 code)
{
	return code == INLINEASM || code == INLINEASM_OLD || code == INLINEASM_OLD2 || code == INLINEASM_OLD3;
}

void bc_const_block(Bc *b)
{
	u32    type = UINT32_MAX;
	IrType t = {0};
	bc_enter(&b->in);
	for (BcEntry e; (e = bc_next(&b->in)) != BC_END;) {
		const BcRecord *r = &b->in.rec;
		if (e == BC_BLOCK) {
			bc_skip(&b->in);
			continue;
		}
		if (r->code == SETTYPE) {
			type = (u32)PS_MIN(bc_op(b, 0), UINT32_MAX - 1);
			t = bc_need(b, 1) ? bc_type(b, type) : t;
			if (!bc_ok(b))
				return;
			continue;
		}
		if (!bc_check(b, type != UINT32_MAX, "a constant has no type"))
			return;
		b->undeferrable |= r->code == BLOCKADDRESS;
		BcConst c = {.type = type, .code = r->code, .first = b->const_ops.n, .n = r->n};
		vec_reserve(b->arena, &b->const_ops, b->const_ops.n + r->n);
		for (u32 i = 0; i < r->n; i++)
			b->const_ops.p[b->const_ops.n++] = r->op[i];
		vec_push(b->arena, &b->consts, c);
		if (!bc_next_value(b, (BcValue){.type = is_asm(c.code) ? IR_TYPE(PTR) : t, .constant = b->consts.n}))
			return;
	}
}

/* ---- the constants ---- */

typedef struct Making {
	Bc            *b;
	const BcConst *c;
	const u64     *op;
	IrType         t;
	u32            depth;   /* of the deepest operand */
	bool           expands; /* what is no constant any more becomes instructions */
} Making;

static IrRef fault(Making *k, const char *what)
{
	bc_error(k->b, "%s", what);
	return IR_NO_REF;
}

/* Nothing is wrong, and nothing is missing that takes instructions. */
static bool good(const Making *k) { return bc_ok(k->b) && !k->b->unkept; }

static u64 op(const Making *k, u32 i) { return i < k->c->n ? k->op[i] : 0; }

static IrRef expanded(Bc *b, u32 index);

static IrRef operand(Making *k, u64 number)
{
	Bc     *b = k->b;
	BcValue v = number < b->values.n ? b->values.p[number] : (BcValue){0};
	if (!v.ref.i && !v.constant) {
		bc_error(b, "a constant refers to value %llu, which is none", (unsigned long long)number);
		return IR_NO_REF;
	}
	IrRef r = v.constant ? bc_make_const(b, v.constant - 1) : v.ref;
	if (b->unkept && k->expands)
		return expanded(b, v.constant - 1);
	if (good(k) && ir_kind(r) != IR_CONST && ir_kind(r) != IR_GLOBAL)
		return fault(k, "a constant refers to a value that is no constant");
	if (v.constant)
		k->depth = PS_MAX(k->depth, b->consts.p[v.constant - 1].depth);
	return r;
}

static IrRef zero(Making *k)
{
	u32 kind = ir_type_kind(k->b->m, k->t);
	if (!ir_type_is_first_class(k->b->m, k->t) || kind == IRT_LABEL || kind == IRT_METADATA)
		return fault(k, "a constant has a type that has no zero");
	return ir_const_zero(k->b->m, k->t);
}

static IrRef integer(Making *k)
{
	IrModule *m = k->b->m;
	if (!ir_type_is_int(m, k->t) || !k->c->n)
		return fault(k, "an integer constant has another type");
	if (k->c->code == INTEGER)
		return ir_const_sint(m, k->t, (i64)bc_signed(k->op[0]));
	u32  width = ir_type(m, k->t)->bits, n = PS_MIN(k->c->n, (width + 63) / 64);
	u64 *words = arena_array(k->b->arena, u64, n);
	for (u32 i = 0; i < n; i++)
		words[i] = bc_signed(k->op[i]);
	return ir_const_words(m, k->t, words, n);
}

static IrRef floating(Making *k)
{
	IrModule *m = k->b->m;
	if (!ir_type_is_fp(m, k->t) || !k->c->n)
		return fault(k, "a floating-point constant has another type");
	u64 words[2] = {k->op[0], op(k, 1)};
	if (k->t.i == IR_TY_X86_FP80) { /* the upper 64 of 80 bits come first */
		words[0] = k->op[0] << 16 | (op(k, 1) & 0xFFFF);
		words[1] = k->op[0] >> 48;
	}
	return ir_const_fp_words(m, k->t, words, 2);
}

/* Are all operands constants still? */
static bool are_constants(const IrRef *ops, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (ir_kind(ops[i]) == IR_INST)
			return false;
	return true;
}

/* Puts together an aggregate of which parts are computed. */
static IrRef insertions(Making *k, const IrRef *e, u32 n)
{
	IrModule *m = k->b->m;
	IrRef     whole = ir_const_poison(m, k->t);
	bool      vector = ir_type_is_vector(m, k->t);
	for (u32 i = 0; i < n && bc_ok(k->b); i++) {
		IrRef ops[3] = {whole, e[i], vector ? ir_const_int(m, IR_TYPE(I32), i) : IR_NO_REF};
		u32   op = vector ? IR_INSERTELEMENT : IR_INSERTVALUE;
		whole = bc_expanded_inst(k->b, BCX_PART, op, k->t, ops, vector ? 3 : 2);
		if (!vector && whole.i)
			ir_inst(m, whole)->aux = ir_list_new(m, &i, 1);
	}
	return whole;
}

static IrRef aggregate(Making *k)
{
	IrModule *m = k->b->m;
	u32       kind = ir_type_kind(m, k->t), n = k->c->n;
	if ((kind != IRT_STRUCT && kind != IRT_ARRAY && kind != IRT_VECTOR) || n != ir_type_count(m, k->t) ||
	    ir_type_is_scalable_vector(m, k->t))
		return fault(k, "an aggregate has another number of elements than its type");
	IrRef  few[32];
	IrRef *e = n <= PS_COUNT(few) ? few : arena_array(k->b->arena, IrRef, n);
	for (u32 i = 0; i < n; i++) {
		e[i] = operand(k, k->op[i]);
		if (!good(k))
			return IR_NO_REF;
		if (!ir_type_same(ir_type_of(m, e[i]), ir_type_elem(m, k->t, i)))
			return fault(k, "an element has another type than its place in an aggregate");
	}
	return are_constants(e, n) ? ir_const_agg(m, k->t, e, n) : insertions(k, e, n);
}

/* STRING, CSTRING, DATA: the elements' bits */
static IrRef data(Making *k)
{
	IrModule *m = k->b->m;
	u32       kind = ir_type_kind(m, k->t), n = k->c->n + (k->c->code == CSTRING);
	IrType    e = ir_type_elem(m, k->t, 0);
	u32       width = e.i && (ir_type_is_int(m, e) || ir_type_is_fp(m, e)) ? (u32)ir_size_bits(m, e) : 0;
	if ((kind != IRT_ARRAY && kind != IRT_VECTOR) || n != ir_type_count(m, k->t) || width > 64 || width % 8 || !width ||
	    ir_type_is_scalable_vector(m, k->t))
		return fault(k, "constant data does not fit its type");
	width /= 8;
	char *p = arena_alloc(k->b->arena, PS_MAX((u64)n * width, 1u), 1);
	for (u32 i = 0; i < k->c->n; i++)
		for (u32 byte = 0; byte < width; byte++)
			p[i * width + byte] = (char)(u8)(k->op[i] >> byte * 8);
	if (!n)
		return ir_const_zero(m, k->t);
	if (width == 1 || width == 2 || width == 4 || width == 8)
		return ir_const_data(m, k->t, (Str){p, n * width});
	return fault(k, "constant data has elements of an odd width");
}

/* ---- expressions ---- */

/* LLVM 22 has no constant expressions of the operation: instructions take their place, where there may be some. */
static IrRef unkept(Making *k, u32 code)
{
	k->b->unkept = code;
	return IR_NO_REF;
}

/* An instruction in place of an expression. */
static IrRef instead(Making *k, u32 code, u32 sub, u32 flags, const IrRef *ops, u32 n, IrType t)
{
	IrModule *m = k->b->m;
	u32       mask = 0;
	if (code == IR_SHUFFLEVECTOR) {
		if (ir_kind(ops[2]) != IR_CONST)
			return fault(k, "a constant expression has operands of wrong types");
		mask = ir_shuffle_mask(m, ops[2]);
		n = 2;
	}
	IrRef r = bc_expanded_inst(k->b, BCX_VALUE, code, t, ops, n);
	if (!r.i)
		return r;
	ir_inst(m, r)->sub = (u8)sub;
	ir_inst(m, r)->flags = flags;
	if (mask)
		ir_inst(m, r)->aux = mask;
	return r;
}

static IrRef plain(Making *k, u32 code, u32 sub, u32 flags, const IrRef *ops, u32 n, IrType t)
{
	IrModule *m = k->b->m;
	u64       v;
	bool      constant = are_constants(ops, n);
	if (constant && !(code == IR_SHL && !ir_as_int(m, ops[0], &v))) { /* a shift of an address becomes a product in text */
		IrRef folded = ir_expr_fold(m, code, sub, t, ops, n);
		if (folded.i)
			return folded;
	}
	if (constant && ir_expr_is_kept(code) && code != IR_MUL)
		return ir_const_expr(m, code, t, sub, flags, ops, n);
	return k->expands ? instead(k, code, sub, flags, ops, n, t) : unkept(k, code);
}

/* [operation, a, (flags)] */
static IrRef unary(Making *k)
{
	IrModule *m = k->b->m;
	IrRef     v = operand(k, op(k, 1));
	if (!good(k))
		return IR_NO_REF;
	if (op(k, 0) != 0 || !ir_type_is_fp(m, ir_scalar_type(m, k->t)) || !ir_type_same(ir_type_of(m, v), k->t))
		return fault(k, "a constant expression has operands of wrong types");
	return k->expands ? instead(k, IR_FNEG, 0, 0, &v, 1, k->t) : unkept(k, IR_FNEG);
}

static IrRef binary(Making *k)
{
	static const u32 wraps[] = {IRF_NUW, IRF_NSW};
	IrModule        *m = k->b->m;
	bool             fp = ir_type_is_fp(m, ir_scalar_type(m, k->t));
	u32              code = bc_binary_op(op(k, 0), fp);
	IrRef            ops[2];
	ops[0] = operand(k, op(k, 1));
	ops[1] = operand(k, op(k, 2));
	if (!good(k))
		return IR_NO_REF;
	if (!code || !(fp || ir_type_is_int(m, ir_scalar_type(m, k->t))) || !ir_type_same(ir_type_of(m, ops[0]), k->t) ||
	    !ir_type_same(ir_type_of(m, ops[1]), k->t))
		return fault(k, "a constant expression has operands of wrong types");
	u32 flags = (ir_op_info[code].flags & IROF_WRAPS) ? (op(k, 3) & 1 ? wraps[0] : 0) | (op(k, 3) & 2 ? wraps[1] : 0) : 0;
	return plain(k, code, 0, flags, ops, 2, k->t);
}

static IrRef cast(Making *k)
{
	IrModule *m = k->b->m;
	u32       code = bc_cast_op(op(k, 0));
	IrRef     v = operand(k, op(k, 2));
	if (!good(k))
		return IR_NO_REF;
	if ((code == IR_BITCAST || code == IR_ADDRSPACECAST) && ir_type_same(ir_type_of(m, v), k->t))
		return v;
	if (!code || !ir_cast_fits(m, code, ir_type_of(m, v), k->t))
		return fault(k, "a constant cast does not fit its types");
	return plain(k, code, 0, 0, &v, 1, k->t);
}

/* [type (value type value)*] behind `from` operands; `elem`: number of the source type, or none: the base's pointee */
static IrRef gep(Making *k, u32 from, IrType elem, u32 flags, StrId range)
{
	Bc       *b = k->b;
	IrModule *m = b->m;
	u32       n = (k->c->n - from) / 2;
	if (k->c->n < from + 2 || !elem.i)
		return fault(k, "a getelementptr expression is too short");
	IrRef  few[8];
	IrRef *ops = n <= PS_COUNT(few) ? few : arena_array(b->arena, IrRef, n);
	for (u32 i = 0; i < n; i++) {
		ops[i] = operand(k, k->op[from + 2 * i + 1]);
		if (!good(k))
			return IR_NO_REF;
	}
	if (!ir_type_is_ptr(m, ir_scalar_type(m, ir_type_of(m, ops[0]))))
		return fault(k, "the base of a getelementptr expression is no pointer");
	if (ir_type_is_scalable(m, elem))
		return fault(k, "a getelementptr expression steps over a scalable vector");
	IrType all = ir_gep_result(m, ops, n), to = elem;
	for (u32 i = 1; i < n; i++) {
		IrType t = ir_type_of(m, ops[i]);
		if (ir_gep_step(m, &to, ops[i], i == 1) || (ir_type_is_vector(m, t) && ir_lanes(m, t) != ir_lanes(m, all)))
			return fault(k, "an index of a getelementptr expression does not fit its type");
	}
	if (are_constants(ops, n))
		return ir_const_gep_or_base(m, elem, flags, range, ops, n);
	IrRef r = bc_expanded_inst(b, BCX_VALUE, IR_GETELEMENTPTR, all, ops, n);
	if (r.i) {
		ir_inst(m, r)->elem = elem;
		ir_inst(m, r)->flags = flags;
	}
	return r;
}

u32 bc_gep_flags(u64 v)
{
	u32 f = v & 1 ? IRF_INBOUNDS : v & 2 ? IRF_NUSW : 0;
	return f | (v & 4 ? IRF_NUW : 0);
}

static IrType pointee(Making *k)
{
	Bc *b = k->b;
	u64 base = op(k, 0);
	u32 of = base < b->types.n ? b->types.p[base].pointee : 0;
	return of ? bc_type(b, of - 1) : (IrType){0};
}

static IrRef gep_expr(Making *k)
{
	Bc *b = k->b;
	switch (k->c->code) {
	case CE_GEP: return gep(k, 2, bc_value_type(b, op(k, 0)), bc_gep_flags(op(k, 1)), (StrId){0});
	case CE_GEP_INDEX_OLD: return gep(k, 2, bc_value_type(b, op(k, 0)), op(k, 1) & 1 ? IRF_INBOUNDS : 0, (StrId){0});
	case CE_GEP_INRANGE: {
		u64 width = op(k, 2);
		if (width == 0 || width > 64)
			return fault(k, "the range of a getelementptr expression has a width that is not allowed");
		i64 lo = (i64)bc_signed(op(k, 3)), hi = (i64)bc_signed(op(k, 4));
		if (lo >= hi)
			return fault(k, "the range of a getelementptr expression is empty");
		Str text = arena_fmt(b->arena, "inrange(%lld, %lld)", (long long)lo, (long long)hi);
		return gep(k, 5, bc_value_type(b, op(k, 0)), bc_gep_flags(op(k, 1)), strtab_add(&b->s->strs, text));
	}
	default: {
		u32    odd = k->c->n & 1;
		IrType elem = odd ? bc_value_type(b, op(k, 0)) : pointee(k);
		return gep(k, odd, elem, k->c->code == CE_INBOUNDS_GEP ? IRF_INBOUNDS : 0, (StrId){0});
	}
	}
}

/* i1 or a vector of as many as the other type has elements */
static bool is_truth(const IrModule *m, IrType t, IrType of)
{
	if (!ir_type_is_vector(m, of))
		return t.i == IR_TY_I1;
	return ir_type_is_vector(m, t) && ir_scalar_type(m, t).i == IR_TY_I1 && ir_lanes(m, t) == ir_lanes(m, of);
}

static IrRef compare(Making *k)
{
	IrModule *m = k->b->m;
	IrRef     ops[2];
	ops[0] = operand(k, op(k, 1));
	ops[1] = operand(k, op(k, 2));
	if (!good(k))
		return IR_NO_REF;
	IrType t = ir_type_of(m, ops[0]);
	bool   fp = ir_type_is_fp(m, ir_scalar_type(m, t));
	u32    pred = bc_predicate(op(k, 3), fp);
	if (pred == IRP_COUNT || !ir_type_same(t, ir_type_of(m, ops[1])) || !is_truth(m, k->t, t))
		return fault(k, "a constant comparison has operands of wrong types");
	return plain(k, fp ? IR_FCMP : IR_ICMP, pred, 0, ops, 2, k->t);
}

static IrRef vector_expr(Making *k)
{
	IrModule *m = k->b->m;
	IrRef     ops[3];
	u32       n, code;
	switch (k->c->code) {
	case CE_SELECT:
		code = IR_SELECT;
		n = 3;
		for (u32 i = 0; i < 3; i++)
			ops[i] = operand(k, op(k, i));
		break;
	case CE_EXTRACTELT: /* [vector type, vector, (index type,) index] */
		code = IR_EXTRACTELEMENT;
		n = 2;
		ops[0] = operand(k, op(k, 1));
		ops[1] = operand(k, op(k, k->c->n > 3 ? 3 : 2));
		break;
	case CE_INSERTELT: /* [vector, element, (index type,) index] */
		code = IR_INSERTELEMENT;
		n = 3;
		ops[0] = operand(k, op(k, 0));
		ops[1] = operand(k, op(k, 1));
		ops[2] = operand(k, op(k, k->c->n > 3 ? 3 : 2));
		break;
	default: /* SHUFFLEVEC [a, b, mask], SHUFVEC_EX [type, a, b, mask] */
		code = IR_SHUFFLEVECTOR;
		n = 3;
		for (u32 i = 0; i < 3; i++)
			ops[i] = operand(k, op(k, i + (k->c->code == CE_SHUFVEC_EX)));
	}
	if (!good(k))
		return IR_NO_REF;
	IrType t = ir_type_of(m, ops[0]), last = ir_type_of(m, ops[n - 1]);
	bool   fits = code == IR_SELECT ? ir_type_same(ir_type_of(m, ops[1]), last) && ir_type_same(last, k->t) &&
                                                (t.i == IR_TY_I1 || (ir_type_is_vector(m, t) && is_truth(m, t, last)))
	                                : ir_type_is_vector(m, t);
	if (code == IR_EXTRACTELEMENT || code == IR_INSERTELEMENT)
		fits = fits && ir_type_is_int(m, last);
	if (code == IR_EXTRACTELEMENT)
		fits = fits && ir_type_same(k->t, ir_scalar_type(m, t));
	if (code == IR_INSERTELEMENT)
		fits = fits && ir_type_same(ir_type_of(m, ops[1]), ir_scalar_type(m, t)) && ir_type_same(k->t, t);
	if (code == IR_SHUFFLEVECTOR)
		fits = fits && ir_type_same(t, ir_type_of(m, ops[1])) && ir_type_is_vector(m, last) &&
		       ir_scalar_type(m, last).i == IR_TY_I32 && ir_type_is_vector(m, k->t) &&
		       ir_type_same(ir_scalar_type(m, k->t), ir_scalar_type(m, t)) && ir_lanes(m, k->t) == ir_lanes(m, last) &&
		       ir_shuffle_fits(m, t, ops[2]);
	return fits ? plain(k, code, 0, 0, ops, n, k->t) : fault(k, "a constant expression has operands of wrong types");
}

/* ---- addresses, inline assembly ---- */

static IrRef block_of(const IrModule *m, const IrFunc *f, u64 number)
{
	ir_each_block(m, f, x)
		if (ir_block(m, x)->mark != UINT32_MAX && !number--)
			return x;
	return IR_NO_REF;
}

static IrRef block_address(Making *k)
{
	Bc           *b = k->b;
	IrRef         g = operand(k, op(k, 1));
	const IrFunc *f = good(k) ? ir_func(b->m, g) : NULL;
	if (good(k) && (!f || k->c->n < 3))
		return fault(k, "blockaddress names no function");
	if (!good(k))
		return IR_NO_REF;
	if (f == b->func && op(k, 2) < b->blocks.n) {
		if (!op(k, 2))
			return fault(k, "the entry block has no address");
		return ir_const_block_address(b->m, g, (IrRef){b->blocks.p[op(k, 2)]});
	}
	IrRef          ops[2] = {g, ir_const_int(b->m, IR_TYPE(I64), b->addresses.n + 1)};
	BcBlockAddress a = {.func = g, .block = op(k, 2)};
	a.stand_in = ir_const_expr(b->m, 0, ir_type_of(b->m, g), 0, 0, ops, 2);
	vec_push(b->arena, &b->addresses, a);
	return a.stand_in;
}

void bc_resolve_addresses(Bc *b)
{
	for (u32 i = 0; i < b->addresses.n && bc_ok(b); i++) {
		BcBlockAddress a = b->addresses.p[i];
		IrRef          to = block_of(b->m, ir_func(b->m, a.func), a.block);
		if (bc_check(b, to.i && a.block, "blockaddress names a block that has no address"))
			ir_replace_all_uses(b->m, a.stand_in, ir_const_block_address(b->m, a.func, to));
	}
}

/* [flags, n, characters, n, characters], behind the function type since LLVM 14. One for each use, as in text. */
static IrRef inline_asm(Making *k)
{
	Bc   *b = k->b;
	u32   at = k->c->code == INLINEASM;
	u64   flags = op(k, at), n[2];
	Str   s[2];
	char *chars = arena_alloc(b->arena, (u64)k->c->n + 1, 1);
	at++;
	for (u32 part = 0; part < 2; part++) {
		n[part] = op(k, at++);
		if (at > k->c->n || n[part] > k->c->n - at)
			return fault(k, "inline assembly is cut off");
		for (u32 i = 0; i < n[part]; i++)
			chars[i] = (char)(u8)k->op[at + i];
		at += (u32)n[part];
		s[part] = (Str){chars, (u32)n[part]};
		chars += n[part];
	}
	return ir_asm_new(b->m, (IrType){0}, s[0], s[1], (u32)flags & 15);
}

static IrRef of_global(Making *k, IrConstKind kind)
{
	IrRef g = operand(k, op(k, 1));
	if (good(k) && ir_kind(g) != IR_GLOBAL)
		return fault(k, "a constant is about something that is no global");
	return good(k) ? ir_const_of_global(k->b->m, kind, g) : IR_NO_REF;
}

/* [pointer, key, discriminator, address, (deactivation symbol)] */
static IrRef signed_pointer(Making *k)
{
	IrRef ops[5], r = IR_NO_REF;
	u32   n = k->c->n;
	if (n != (k->c->code == PTRAUTH ? 4 : 5))
		return fault(k, "a signed pointer has another number of operands");
	for (u32 i = 0; i < n; i++)
		ops[i] = operand(k, op(k, i));
	const char *wrong = good(k) ? ir_const_signed(k->b->m, ops, n, &r) : NULL;
	return wrong ? fault(k, wrong) : r;
}

/* ---- making ---- */

static IrRef make(Making *k)
{
	Bc *b = k->b;
	switch (k->c->code) {
	case NULL_VALUE: return zero(k);
	case UNDEF: return ir_const_undef(b->m, k->t);
	case POISON: return ir_const_poison(b->m, k->t);
	case INTEGER:
	case WIDE_INTEGER: return integer(k);
	case FLOAT: return floating(k);
	case AGGREGATE: return aggregate(k);
	case STRING:
	case CSTRING:
	case DATA: return data(k);
	case CE_UNOP: return unary(k);
	case CE_BINOP: return binary(k);
	case CE_CAST: return cast(k);
	case CE_GEP_OLD:
	case CE_INBOUNDS_GEP:
	case CE_GEP_INDEX_OLD:
	case CE_GEP_INRANGE:
	case CE_GEP: return gep_expr(k);
	case CE_CMP: return compare(k);
	case CE_SELECT:
	case CE_EXTRACTELT:
	case CE_INSERTELT:
	case CE_SHUFFLEVEC:
	case CE_SHUFVEC_EX: return vector_expr(k);
	case BLOCKADDRESS: return block_address(k);
	case INLINEASM_OLD:
	case INLINEASM_OLD2:
	case INLINEASM_OLD3:
	case INLINEASM: return inline_asm(k);
	case DSO_LOCAL_EQUIVALENT: return of_global(k, IRC_DSO_LOCAL_EQUIVALENT);
	case NO_CFI: return of_global(k, IRC_NO_CFI);
	case PTRAUTH:
	case PTRAUTH2: return signed_pointer(k);
	default: bc_unknown(b, "constant", k->c->code); return IR_NO_REF;
	}
}

/* Of a number of at most 64 bits, as most constants are; none: it is none. */
static inline IrRef plain_number_of(Bc *b, const BcConst *c)
{
	IrType t = bc_type(b, c->type);
	u64    v = b->const_ops.p[c->first];
	if (c->code == FLOAT && (t.i == IR_TY_FLOAT || t.i == IR_TY_DOUBLE))
		return ir_const_number(b->m, t, IRC_FP, t.i == IR_TY_FLOAT ? (u32)v : v);
	if (c->code == INTEGER && (t.i == IR_TY_I32 || t.i == IR_TY_I64))
		return ir_const_number(b->m, t, IRC_INT, t.i == IR_TY_I32 ? (u32)bc_signed(v) : bc_signed(v));
	return IR_NO_REF;
}

/* Makes the constant of a record, or instructions instead. */
static IrRef made_of(Making *k, BcConst *c)
{
	Bc *b = k->b;
	if (c->busy || b->const_depth == MAX_DEPTH)
		return fault(k, c->busy ? "a constant contains itself" : "constants are nested too deeply");
	BcConst copy = *c;
	k->c = &copy;
	k->op = b->const_ops.n ? b->const_ops.p + copy.first : NULL;
	k->t = bc_type(b, copy.type);
	if (bc_ok(b) && !bc_is_value_type(b->m, k->t))
		bc_error(b, "a constant has a type that no value has");
	c->busy = true;
	b->const_depth++;
	IrRef r = bc_ok(b) ? make(k) : IR_NO_REF;
	b->const_depth--;
	c->busy = false;
	if (k->depth >= MAX_DEPTH)
		bc_error(b, "constants are nested too deeply");
	if (!good(k) || ir_kind(r) == IR_ASM)
		return r;
	return ir_type_same(ir_type_of(b->m, r), k->t) ? r : fault(k, "a constant has another type than its block says");
}

IrRef bc_make_const(Bc *b, u32 index)
{
	BcConst *c = &b->consts.p[index];
	if (c->made.i)
		return c->made;
	if (c->n == 1 && bc_ok(b)) {
		c->made = plain_number_of(b, c);
		if (c->made.i) {
			c->depth = 1;
			return c->made;
		}
	}
	if (c->unkept) {
		b->unkept = c->unkept;
		return IR_NO_REF;
	}
	Making k = {.b = b};
	u32    before = b->unkept; /* of an operand that stands in front of this one */
	b->unkept = 0;
	IrRef r = made_of(&k, c);
	c->unkept = (u8)b->unkept;
	if (!good(&k))
		return IR_NO_REF;
	b->unkept = before;
	if (ir_kind(r) == IR_ASM)
		return r;
	c->made = r;
	c->depth = (u16)(k.depth + 1);
	return r;
}

/* Of the use that is expanded; once for each. */
static IrRef expanded(Bc *b, u32 index)
{
	BcConst *c = &b->consts.p[index];
	Making   k = {.b = b, .expands = true};
	b->unkept = 0;
	if (c->of_use != b->expanded_uses) {
		c->expanded = made_of(&k, c);
		c->of_use = b->expanded_uses;
	}
	return c->expanded;
}

static IrRef no_constant(Bc *b, u32 code)
{
	bc_error(b, "a constant expression '%s' that is no plain number is not supported", ir_op_info[code].name);
	return IR_NO_REF;
}

IrRef bc_expand(Bc *b, u32 index)
{
	u32 code = b->unkept;
	b->unkept = 0;
	if (!b->block.i)
		return no_constant(b, code);
	if (!b->m->use_lists) { /* the body is read once more */
		b->order.unsure = true;
		return ir_const_poison(b->m, bc_type(b, b->consts.p[index].type));
	}
	b->expanded_uses++;
	return expanded(b, index);
}

bool bc_is_unkept(Bc *b, u64 number)
{
	u32 constant = number < b->values.n && !b->values.p[number].ref.i ? b->values.p[number].constant : 0;
	if (constant)
		bc_make_const(b, constant - 1);
	bool is = b->unkept;
	b->unkept = 0;
	return is;
}

IrRef bc_const(Bc *b, u64 number)
{
	BcValue v = number < b->values.n ? b->values.p[number] : (BcValue){0};
	if (!v.ref.i && !v.constant) {
		bc_error(b, "there is no value %llu", (unsigned long long)number);
		return IR_NO_REF;
	}
	IrRef r = v.constant ? bc_make_const(b, v.constant - 1) : v.ref;
	if (b->unkept)
		return no_constant(b, b->unkept);
	if (bc_ok(b) && ir_kind(r) != IR_CONST && ir_kind(r) != IR_GLOBAL)
		bc_error(b, "value %llu is no constant", (unsigned long long)number);
	return r;
}
