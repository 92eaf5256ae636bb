/* bitcode_inst.c: instructions of a body, but calls. Each rule reads the operands of one record, checks their types as the text reader does,
 * and defines the instruction. */
#include "ir/bitcode_define.h"
#include "ir/bitcode_record.h"

enum {
	BINOP = 2,
	CAST = 3,
	GEP_OLD = 4,
	SELECT = 5,
	EXTRACTELT = 6,
	INSERTELT = 7,
	SHUFFLEVEC = 8,
	CMP = 9,
	RET = 10,
	BR = 11,
	SWITCH = 12,
	INVOKE = 13,
	UNREACHABLE = 15,
	PHI = 16,
	ALLOCA = 19,
	LOAD = 20,
	VAARG = 23,
	EXTRACTVAL = 26,
	INSERTVAL = 27,
	CMP2 = 28,
	VSELECT = 29,
	INBOUNDS_GEP_OLD = 30,
	INDIRECTBR = 31,
	CALL = 34,
	FENCE = 36,
	CMPXCHG_OLD = 37,
	ATOMICRMW_OLD = 38,
	RESUME = 39,
	LOADATOMIC = 41,
	GEP = 43,
	STORE = 44,
	STOREATOMIC = 45,
	CMPXCHG = 46,
	LANDINGPAD = 47,
	CLEANUPRET = 48,
	CATCHRET = 49,
	CATCHPAD = 50,
	CLEANUPPAD = 51,
	CATCHSWITCH = 52,
	DEBUG_LOC_AGAIN = 33,
	DEBUG_LOC = 35,
	OPERAND_BUNDLE = 55,
	UNOP = 56,
	CALLBR = 57,
	FREEZE = 58,
	ATOMICRMW = 59,
};

/* ---- numbers of operations ---- */

u32 bc_binary_op(u64 code, bool fp)
{
	static const u8 ints[] = {IR_ADD, IR_SUB,  IR_MUL,  IR_UDIV, IR_SDIV, IR_UREM, IR_SREM,
	                          IR_SHL, IR_LSHR, IR_ASHR, IR_AND,  IR_OR,   IR_XOR};
	static const u8 fps[] = {IR_FADD, IR_FSUB, IR_FMUL, 0, IR_FDIV, 0, IR_FREM};
	return fp ? (code < PS_COUNT(fps) ? fps[code] : 0) : code < PS_COUNT(ints) ? ints[code] : 0;
}

u32 bc_cast_op(u64 code)
{
	static const u8 casts[] = {IR_TRUNC,   IR_ZEXT,  IR_SEXT,     IR_FPTOUI,   IR_FPTOSI,  IR_UITOFP,        IR_SITOFP,
	                           IR_FPTRUNC, IR_FPEXT, IR_PTRTOINT, IR_INTTOPTR, IR_BITCAST, IR_ADDRSPACECAST, IR_PTRTOADDR};
	return code < PS_COUNT(casts) ? casts[code] : 0;
}

u32 bc_predicate(u64 code, bool fp)
{
	if (fp)
		return code <= 15 ? (u32)code : IRP_COUNT;
	return code >= 32 && code <= 41 ? IRP_I_EQ + (u32)code - 32 : IRP_COUNT;
}

static u32 fast_math(u64 v)
{
	static const u32 bits[] = {IRF_FAST, IRF_NNAN, IRF_NINF, IRF_NSZ, IRF_ARCP, IRF_CONTRACT, IRF_AFN, IRF_REASSOC};
	u32              f = 0;
	for (u32 i = 0; i < PS_COUNT(bits); i++)
		f |= v >> i & 1 ? bits[i] : 0;
	return f;
}

u32 bc_fast_math(u64 v) { return fast_math(v); }

/* The flags in the last operand of a record, which it has or not. */
static u32 flags_of(u32 op, u64 v)
{
	u32 takes = ir_op_info[op].flags, f = 0;
	if (takes & IROF_WRAPS)
		f = (v & 1 ? IRF_NUW : 0) | (v & 2 ? IRF_NSW : 0);
	else if (takes & IROF_EXACT)
		f = v & 1 ? IRF_EXACT : 0;
	else if (takes & IROF_DISJOINT)
		f = v & 1 ? IRF_DISJOINT : 0;
	else if (takes & IROF_NNEG)
		f = v & 1 ? IRF_NNEG : 0;
	else if (takes & IROF_FPMATH)
		f = fast_math(v);
	return f;
}

/* ---- helpers ---- */

static u64 op(const Bc *b, u32 i) { return bc_op(b, i); }

static IrInst *define(Bc *b, IrOp code, IrType t, const IrRef *ops, u32 n)
{
	return bc_define(b, code, t, (const u32 *)(const void *)ops, n);
}

static PS_INLINE IrInst *define_here(Bc *b, BcPlace place, IrOp code, IrType t, const IrRef *ops, u32 n)
{
	return bc_define_here(b, place, code, t, (const u32 *)(const void *)ops, n);
}

/* With flags from the operand at `at`, if there is one. */
static PS_INLINE void define_flagged(Bc *b, IrOp code, IrType t, const IrRef *ops, u32 n, u32 at)
{
	u32     f = at < b->in.rec.n ? flags_of(code, op(b, at)) : 0;
	IrInst *i = define_here(b, BC_INSIDE, code, t, ops, n);
	if (i)
		i->flags = f;
}

static IrRef address(Bc *b, u32 *at)
{
	IrType t = {0};
	IrRef  r = bc_operand_and_type(b, at, &t);
	return bc_ok(b) && bc_check(b, ir_type_is_ptr(b->m, t), "an address is no pointer") ? r : IR_NO_REF;
}

static bool wrong_operand(Bc *b, IrOp code) { return bc_error(b, "%s: an operand has a wrong type", ir_op_info[code].name); }

/* ---- arithmetic ---- */

/* Reads [a, b] of one type, with another operand behind them at *at; false after an error. */
static inline bool two_alike(Bc *b, u32 *at, IrRef *ops, IrType *t)
{
	*at = 0;
	ops[0] = bc_operand_and_type(b, at, t);
	ops[1] = bc_operand(b, at, *t);
	return bc_ok(b) && bc_need(b, *at + 1);
}

/* [a, b, operation, (flags)] */
static void binary(Bc *b)
{
	u32    at;
	IrRef  ops[2];
	IrType t;
	if (!two_alike(b, &at, ops, &t))
		return;
	IrType e = ir_scalar_type(b->m, t);
	bool   fp = ir_type_is_fp(b->m, e);
	u32    code = bc_binary_op(op(b, at), fp);
	if (!code)
		bc_unknown(b, "operation", op(b, at));
	else if (!fp && !ir_type_is_int(b->m, e))
		wrong_operand(b, (IrOp)code);
	define_flagged(b, (IrOp)code, t, ops, 2, at + 1);
}

/* [a, operation, (flags)]; freeze: [a] */
static void unary(Bc *b)
{
	u32    at = 0;
	IrType t = {0};
	IrRef  v = bc_operand_and_type(b, &at, &t);
	bool   freeze = b->in.rec.code == FREEZE;
	if (!bc_ok(b) || !(freeze || bc_check(b, op(b, at) == 0, "an unknown operation of one operand")))
		return;
	if (!freeze && !ir_type_is_fp(b->m, ir_scalar_type(b->m, t)))
		wrong_operand(b, IR_FNEG);
	define_flagged(b, freeze ? IR_FREEZE : IR_FNEG, t, &v, 1, freeze ? UINT32_MAX : at + 1);
}

/* [a, type, operation, (flags)] */
static void cast(Bc *b)
{
	u32    at = 0;
	IrType from = {0};
	IrRef  v = bc_operand_and_type(b, &at, &from);
	IrType t = bc_ok(b) && bc_need(b, at + 2) ? bc_value_type(b, op(b, at)) : (IrType){0};
	u32    code = bc_cast_op(op(b, at + 1));
	if (!bc_ok(b))
		return;
	if (!code) {
		bc_unknown(b, "cast", op(b, at + 1));
	} else if (code == IR_BITCAST && ir_type_is_ptr(b->m, from) && ir_type_is_ptr(b->m, t) && !ir_type_same(from, t)) {
		code = IR_ADDRSPACECAST; /* before LLVM 3.5 */
	} else if (!ir_cast_fits(b->m, code, from, t)) {
		bc_error(b, "%s does not fit its types", ir_op_info[code].name);
	}
	define_flagged(b, (IrOp)code, t, &v, 1, at + 2);
}

static IrType truth_type(Bc *b, IrType t)
{
	return ir_type_is_vector(b->m, t) ? ir_vector_like(b->m, t, IR_TYPE(I1)) : IR_TYPE(I1);
}

/* [a, b, predicate, (flags)] */
static void compare(Bc *b)
{
	u32    at;
	IrRef  ops[2];
	IrType t;
	if (!two_alike(b, &at, ops, &t))
		return;
	IrType e = ir_scalar_type(b->m, t);
	bool   fp = ir_type_is_fp(b->m, e);
	u32    pred = bc_predicate(op(b, at), fp);
	if (at + 1 < b->in.rec.n)
		bc_ends(b, at + 2);
	if (pred == IRP_COUNT || (!fp && !ir_type_is_int(b->m, e) && !ir_type_is_ptr(b->m, e)))
		bc_error(b, "a comparison has a predicate that does not fit its operands");
	IrInst *i = define_here(b, BC_INSIDE, fp ? IR_FCMP : IR_ICMP, truth_type(b, t), ops, 2);
	if (!i)
		return;
	i->sub = (u8)pred;
	if (at + 1 < b->in.rec.n)
		i->flags = fp ? fast_math(op(b, at + 1)) : op(b, at + 1) & 1 ? IRF_SAMESIGN : 0;
}

/* [a, b, condition, (flags)]; SELECT: the condition is i1 */
static void select_inst(Bc *b)
{
	u32    at = 0;
	IrRef  ops[3];
	IrType t = {0};
	ops[1] = bc_operand_and_type(b, &at, &t);
	ops[2] = bc_ok(b) ? bc_operand(b, &at, t) : IR_NO_REF;
	if (bc_ok(b))
		ops[0] = b->in.rec.code == SELECT ? bc_operand(b, &at, IR_TYPE(I1)) : bc_typed_operand(b, &at);
	if (bc_ok(b))
		define_flagged(b, IR_SELECT, t, ops, 3, at);
}

/* Is it plain that a value is there at the end of block `from`? */
static inline bool is_at_end(const BcValue *v, u64 from)
{
	IrKind kind = ir_kind(v->ref);
	return kind == IR_CONST || (kind == IR_INST && (v->block == from || !v->block));
}

/* The value of a phi's entry, which is noted where that is not plain. */
static inline IrRef phi_value(Bc *b, u64 number, u64 from, IrType t)
{
	const BcValue *v = number < b->values.n ? &b->values.p[number] : NULL;
	if (v && v->ref.i && ir_type_same(v->type, t) && is_at_end(v, from))
		return v->ref;
	b->phi_from = from + 1;
	IrRef r = bc_value(b, number, t);
	if (!b->m->use_lists && bc_ok(b))
		order_phi_entry(&b->order, r, bc_block_ref(b, from));
	return r;
}

/* [type, (value, block)*, (flags)]; values are signed: they may be behind the phi */
static void phi(Bc *b)
{
	if (!bc_need(b, 1))
		return;
	const u64 *op = b->in.rec.op;
	IrType     t = bc_value_type(b, op[0]);
	u32        n = b->in.rec.n, pairs = (n - 1) / 2;
	vec_reserve(b->arena, &b->ops, 2 * pairs);
	if (!b->m->use_lists && b->block.i)
		order_phi_begins(&b->order);
	for (u32 i = 0; i < pairs; i++) {
		u64 v = op[1 + 2 * i], from = op[2 + 2 * i];
		b->ops.p[2 * i] = phi_value(b, b->version ? bc_number(b, bc_signed(v)) : v, from, t).i;
		b->ops.p[2 * i + 1] = from < b->blocks.n ? b->blocks.p[from] : bc_block_ref(b, from).i;
	}
	b->ops.n = 2 * pairs;
	b->phi_from = 0;
	IrInst *i = bc_ok(b) ? bc_define_here(b, BC_INSIDE, IR_PHI, t, b->ops.p, b->ops.n) : NULL;
	if (i && !(n & 1))
		i->flags = fast_math(op[n - 1]);
}

/* ---- vectors and aggregates ---- */

static void extract_element(Bc *b)
{
	u32   at = 0;
	IrRef ops[2];
	for (u32 i = 0; i < 2 && bc_ok(b); i++)
		ops[i] = bc_typed_operand(b, &at);
	if (!bc_ok(b))
		return;
	IrType t = ir_type_of(b->m, ops[0]);
	if (!ir_type_is_vector(b->m, t) || !ir_type_is_int(b->m, ir_type_of(b->m, ops[1])))
		wrong_operand(b, IR_EXTRACTELEMENT);
	define(b, IR_EXTRACTELEMENT, ir_scalar_type(b->m, t), ops, 2);
}

static void insert_element(Bc *b)
{
	u32   at = 0;
	IrRef ops[3];
	ops[0] = bc_typed_operand(b, &at);
	IrType t = bc_ok(b) ? ir_type_of(b->m, ops[0]) : (IrType){0};
	if (!bc_ok(b) || !bc_check(b, ir_type_is_vector(b->m, t), "insertelement: an operand has a wrong type"))
		return;
	ops[1] = bc_operand(b, &at, ir_scalar_type(b->m, t));
	ops[2] = bc_ok(b) ? bc_typed_operand(b, &at) : IR_NO_REF;
	if (bc_ok(b) && !ir_type_is_int(b->m, ir_type_of(b->m, ops[2])))
		wrong_operand(b, IR_INSERTELEMENT);
	define(b, IR_INSERTELEMENT, t, ops, 3);
}

static void shuffle(Bc *b)
{
	IrModule *m = b->m;
	u32       at;
	IrRef     ops[2];
	IrType    t, mt = {0};
	IrRef     mask = two_alike(b, &at, ops, &t) ? bc_operand_and_type(b, &at, &mt) : IR_NO_REF;
	if (!bc_ok(b))
		return;
	if (!ir_type_is_vector(m, t) || !ir_type_is_vector(m, mt) || ir_scalar_type(m, mt).i != IR_TY_I32 ||
	    ir_kind(mask) != IR_CONST || !ir_shuffle_fits(m, t, mask)) {
		wrong_operand(b, IR_SHUFFLEVECTOR);
		return;
	}
	IrInst *i = define(b, IR_SHUFFLEVECTOR, ir_vector_like(m, mt, ir_scalar_type(m, t)), ops, 2);
	if (i)
		i->aux = ir_shuffle_mask(m, mask);
}

/* Indices from operand `at` on: the list, and the type they lead to. */
static u32 indices(Bc *b, u32 at, IrType *t)
{
	IrModule *m = b->m;
	b->ops.n = 0;
	bc_check(b, at < b->in.rec.n, "an aggregate is accessed without an index");
	for (; at < b->in.rec.n && bc_ok(b); at++) {
		u64 i = op(b, at);
		if (!bc_check(b, ir_type_is_aggregate(m, *t) && i < ir_type_count(m, *t) && i < UINT32_MAX,
		              "an index into an aggregate is out of range"))
			return 0;
		*t = ir_type_elem(m, *t, (u32)i);
		vec_push(b->arena, &b->ops, (u32)i);
	}
	return bc_ok(b) ? ir_list_new(m, b->ops.p, b->ops.n) : 0;
}

static void aggregate(Bc *b)
{
	bool  insert = b->in.rec.code == INSERTVAL;
	u32   at = 0;
	IrRef ops[2] = {bc_typed_operand(b, &at)};
	if (insert && bc_ok(b))
		ops[1] = bc_typed_operand(b, &at);
	if (!bc_ok(b))
		return;
	IrType agg = ir_type_of(b->m, ops[0]), part = agg;
	u32    list = indices(b, at, &part);
	if (!bc_ok(b))
		return;
	if (insert && !ir_type_same(part, ir_type_of(b->m, ops[1])))
		wrong_operand(b, IR_INSERTVALUE);
	IrInst *i = define(b, insert ? IR_INSERTVALUE : IR_EXTRACTVALUE, insert ? agg : part, ops, insert ? 2 : 1);
	if (i)
		i->aux = list;
}

/* ---- memory ---- */

/* [flags, type, base, index…] */
static void gep(Bc *b)
{
	IrModule *m = b->m;
	bool      old = b->in.rec.code != GEP;
	if (old && !bc_error(b, "a getelementptr of LLVM before 3.7 is not read"))
		return;
	IrType elem = bc_need(b, 3) ? bc_value_type(b, op(b, 1)) : (IrType){0};
	u32    at = 2;
	b->ops.n = 0;
	IrType t = {0};
	while (at < b->in.rec.n && bc_ok(b)) {
		IrType vt = {0};
		IrRef  v = bc_operand_and_type(b, &at, &vt);
		if (!bc_ok(b))
			return;
		IrType e = ir_scalar_type(m, vt);
		if (b->ops.n ? !ir_type_is_int(m, e) : !ir_type_is_ptr(m, e))
			wrong_operand(b, IR_GETELEMENTPTR);
		if (!b->ops.n)
			t = vt;
		else if (ir_type_is_vector(m, vt) && !ir_type_is_vector(m, t))
			t = ir_vector_like(m, vt, t);
		vec_push(b->arena, &b->ops, v.i);
	}
	IrInst *i = bc_ok(b) ? bc_define(b, IR_GETELEMENTPTR, t, b->ops.p, b->ops.n) : NULL;
	if (!i)
		return;
	i->elem = elem;
	i->flags = bc_gep_flags(op(b, 0));
}

/* log2 + 1 */
static u8 alignment(Bc *b, u64 v)
{
	bc_check(b, v <= 33, "an alignment is too large");
	return (u8)PS_MIN(v, 33u);
}

/* [type, type of the count, count, alignment and flags, (address space)]; the count is no relative number */
static void alloca_inst(Bc *b)
{
	enum { INALLOCA = 1 << 5, EXPLICIT = 1 << 6, SWIFTERROR = 1 << 7 };
	if (!bc_lengths(b, BC_LENGTHS(4, 5)))
		return;
	u64    bits = op(b, 3), type = op(b, 0);
	u32    pointee = !(bits & EXPLICIT) && type < b->types.n ? b->types.p[type].pointee : 0;
	u64    space = b->in.rec.n > 4 ? op(b, 4) : b->m->layout.alloca_space;
	IrType elem = pointee ? bc_value_type(b, pointee - 1) : bc_value_type(b, type);
	IrRef  count = bc_ok(b) ? bc_value_here(b, op(b, 2), bc_value_type(b, op(b, 1))) : IR_NO_REF;
	u8     align = alignment(b, (bits & 31) | (bits >> 8 & 7) << 5);
	if (!bc_ok(b) || !bc_check(b, space < 1 << 24, "an address space is too large"))
		return;
	if (!ir_type_is_int(b->m, ir_type_of(b->m, count)))
		wrong_operand(b, IR_ALLOCA);
	IrInst *i = define(b, IR_ALLOCA, ir_ptr_type(b->m, (u32)space), &count, 1);
	if (!i)
		return;
	i->elem = elem;
	i->align = align;
	i->flags = (bits & INALLOCA ? IRF_INALLOCA : 0) | (bits & SWIFTERROR ? IRF_SWIFTERROR : 0);
}

/* Volatility, ordering and scope of an access; `at` is the operand of the first. */
static void set_access(Bc *b, IrInst *i, u32 at, bool atomic, u64 align)
{
	if (!i)
		return;
	u64 order = atomic ? op(b, at + 1) : 0, scope = atomic ? op(b, at + 2) : 0;
	if (!bc_check(b, order < IRO_COUNT, "an ordering is unknown") ||
	    !bc_check(b, !atomic || scope < b->scopes.n, "a synchronisation scope is unknown"))
		return;
	i->align = alignment(b, align);
	i->flags = (op(b, at) ? IRF_VOLATILE : 0) | (atomic ? IRF_ATOMIC : 0);
	i->order = (u8)order;
	if (atomic)
		ir_info(b->m, bc_last_inst(b))->scope = (u8)b->scopes.p[scope];
}

/* [address, type, alignment, volatile, (ordering, scope)] */
static void load(Bc *b)
{
	bool  atomic = b->in.rec.code == LOADATOMIC;
	u32   at = 0;
	IrRef p = address(b, &at);
	if (!p.i || !bc_ends(b, at + (atomic ? 5 : 3)))
		return;
	IrType t = bc_value_type(b, op(b, at));
	if (bc_ok(b))
		set_access(b, define_here(b, BC_INSIDE, IR_LOAD, t, &p, 1), at + 2, atomic, op(b, at + 1));
}

/* [address, value, alignment, volatile, (ordering, scope)] */
static void store(Bc *b)
{
	bool  atomic = b->in.rec.code == STOREATOMIC;
	u32   at = 0;
	IrRef ops[2];
	ops[1] = address(b, &at);
	if (!ops[1].i)
		return;
	ops[0] = bc_typed_operand(b, &at);
	if (bc_ok(b) && bc_ends(b, at + (atomic ? 4 : 2)))
		set_access(b, define_here(b, BC_INSIDE, IR_STORE, IR_TYPE(VOID), ops, 2), at + 1, atomic, op(b, at));
}

/* [ordering, scope] */
static void fence(Bc *b)
{
	if (!bc_ends(b, 2) || !bc_check(b, op(b, 0) < IRO_COUNT && op(b, 1) < b->scopes.n, "a fence is malformed"))
		return;
	IrInst *i = define(b, IR_FENCE, IR_TYPE(VOID), NULL, 0);
	if (!i)
		return;
	i->order = (u8)op(b, 0);
	ir_info(b->m, bc_last_inst(b))->scope = (u8)b->scopes.p[op(b, 1)];
}

/* [address, expected, new, volatile, ordering, scope, ordering of failure, weak, (alignment)] */
static void cmpxchg(Bc *b)
{
	u32   at = 0;
	IrRef ops[3] = {address(b, &at)};
	if (!ops[0].i)
		return;
	ops[1] = bc_typed_operand(b, &at);
	IrType t = bc_ok(b) ? ir_type_of(b->m, ops[1]) : (IrType){0};
	ops[2] = bc_ok(b) ? bc_operand(b, &at, t) : IR_NO_REF;
	if (!bc_ok(b) || !bc_need(b, at + 5) || (b->in.rec.n > at + 5 && !bc_ends(b, at + 6)) ||
	    !bc_check(b, op(b, at + 3) < IRO_COUNT, "an ordering is unknown"))
		return;
	IrType  fields[2] = {t, IR_TYPE(I1)};
	IrInst *i = define(b, IR_CMPXCHG, ir_struct_type(b->m, fields, 2, false), ops, 3);
	set_access(b, i, at, true, op(b, at + 5));
	if (!i)
		return;
	i->flags = (i->flags & IRF_VOLATILE) | (op(b, at + 4) ? IRF_WEAK : 0);
	ir_info(b->m, bc_last_inst(b))->order_fail = (u8)op(b, at + 3);
}

/* The operand at *at, which is defined before and has its type from there; before LLVM 12 it was what the address points to. */
static IrRef known_operand(Bc *b, u32 *at)
{
	if (bc_need(b, *at + 1) && bc_check(b, bc_number(b, op(b, *at)) < b->next_value,
	                                    "an atomic operation of LLVM before 12 has a value that is defined later"))
		return bc_typed_operand(b, at);
	return IR_NO_REF;
}

/* [address, value, operation, volatile, ordering, scope, (alignment)] */
static void atomicrmw(Bc *b)
{
	static const u8 ops_of[] = {
		IRRMW_XCHG, IRRMW_ADD,       IRRMW_SUB,       IRRMW_AND,       IRRMW_NAND,     IRRMW_OR,       IRRMW_XOR,
		IRRMW_MAX,  IRRMW_MIN,       IRRMW_UMAX,      IRRMW_UMIN,      IRRMW_FADD,     IRRMW_FSUB,     IRRMW_FMAX,
		IRRMW_FMIN, IRRMW_UINC_WRAP, IRRMW_UDEC_WRAP, IRRMW_USUB_COND, IRRMW_USUB_SAT, IRRMW_FMAXIMUM, IRRMW_FMINIMUM};
	u32   at = 0;
	IrRef ops[2] = {address(b, &at)};
	if (!ops[0].i)
		return;
	ops[1] = b->in.rec.code == ATOMICRMW ? bc_typed_operand(b, &at) : known_operand(b, &at);
	if (!bc_ok(b) || !bc_need(b, at + 4) || (b->in.rec.n > at + 4 && !bc_ends(b, at + 5)))
		return;
	u64 what = op(b, at);
	if (what >= PS_COUNT(ops_of)) {
		bc_unknown(b, "atomic operation", what);
		return;
	}
	IrInst *i = define(b, IR_ATOMICRMW, ir_type_of(b->m, ops[1]), ops, 2);
	set_access(b, i, at + 1, true, op(b, at + 4));
	if (!i)
		return;
	i->sub = ops_of[what];
	i->flags &= IRF_VOLATILE;
}

static void vaarg(Bc *b)
{
	if (!bc_need(b, 3))
		return;
	IrRef  list = bc_operand_of(b, op(b, 1), bc_value_type(b, op(b, 0)));
	IrType t = bc_value_type(b, op(b, 2));
	if (bc_ok(b))
		define(b, IR_VAARG, t, &list, 1);
}

/* ---- terminators ---- */

static void ret(Bc *b)
{
	IrType want = ir_func_ret(b->m, ir_global(b->m, b->func->ref)->type), t = IR_TYPE(VOID);
	u32    at = 0;
	IrRef  v = b->in.rec.n ? bc_operand_and_type(b, &at, &t) : IR_NO_REF;
	if (!bc_ok(b))
		return;
	bc_ends(b, at);
	bc_check(b, ir_type_same(want, t), "a function returns a value of another type");
	define(b, IR_RET, IR_TYPE(VOID), &v, v.i ? 1 : 0);
}

/* [block] */
static void jump(Bc *b)
{
	IrRef to = bc_target(b, op(b, 0));
	define_here(b, BC_AT_END, IR_BR, IR_TYPE(VOID), &to, 1);
}

/* [if so, if not, condition] */
static void branch(Bc *b)
{
	IrRef ops[3];
	if (!bc_ends(b, 3))
		return;
	ops[0] = bc_operand_of(b, op(b, 2), IR_TYPE(I1));
	ops[1] = bc_target(b, op(b, 0));
	ops[2] = bc_target(b, op(b, 1));
	define_here(b, BC_AT_END, IR_BR, IR_TYPE(VOID), ops, 3);
}

/* [type, value, default, (case, block)*]; cases are no relative numbers */
static void switch_inst(Bc *b)
{
	IrType t = bc_need(b, 3) ? bc_value_type(b, op(b, 0)) : (IrType){0};
	if (!bc_ok(b) || !bc_check(b, b->in.rec.n & 1, "a case of a switch has no block"))
		return;
	if (!ir_type_is_int(b->m, t))
		wrong_operand(b, IR_SWITCH);
	b->ops.n = 0;
	vec_push(b->arena, &b->ops, bc_operand_of(b, op(b, 1), t).i);
	vec_push(b->arena, &b->ops, bc_target(b, op(b, 2)).i);
	for (u32 i = 3; i + 1 < b->in.rec.n && bc_ok(b); i += 2) {
		IrRef c = bc_value(b, op(b, i), t);
		bc_check(b, ir_kind(c) == IR_CONST, "a case of a switch is no constant");
		vec_push(b->arena, &b->ops, c.i);
		vec_push(b->arena, &b->ops, bc_target(b, op(b, i + 1)).i);
	}
	bc_define(b, IR_SWITCH, IR_TYPE(VOID), b->ops.p, b->ops.n);
}

/* [type, address, block…] */
static void indirectbr(Bc *b)
{
	IrType t = bc_need(b, 2) ? bc_value_type(b, op(b, 0)) : (IrType){0};
	b->ops.n = 0;
	if (bc_ok(b))
		vec_push(b->arena, &b->ops, bc_operand_of(b, op(b, 1), t).i);
	for (u32 i = 2; i < b->in.rec.n && bc_ok(b); i++)
		vec_push(b->arena, &b->ops, bc_target(b, op(b, i)).i);
	bc_define(b, IR_INDIRECTBR, IR_TYPE(VOID), b->ops.p, b->ops.n);
}

static void resume(Bc *b)
{
	u32   at = 0;
	IrRef v = bc_typed_operand(b, &at);
	if (bc_ok(b))
		define(b, IR_RESUME, IR_TYPE(VOID), &v, 1);
}

/* [type, cleanup, clauses, (filter, value)*] */
static void landingpad(Bc *b)
{
	u32    kinds[64], n = 0, at = 3;
	IrType t = bc_need(b, 3) ? bc_value_type(b, op(b, 0)) : (IrType){0};
	b->ops.n = 0;
	while (at < b->in.rec.n && bc_ok(b) && bc_check(b, n < PS_COUNT(kinds), "a landing pad has too many clauses")) {
		kinds[n++] = op(b, at++) != 0;
		vec_push(b->arena, &b->ops, bc_typed_operand(b, &at).i);
	}
	IrInst *i = bc_ok(b) ? bc_define(b, IR_LANDINGPAD, t, b->ops.p, b->ops.n) : NULL;
	if (!i)
		return;
	i->flags = op(b, 1) ? IRF_CLEANUP : 0;
	i->aux = ir_list_new(b->m, kinds, n);
}

/* ---- funclets ---- */

/* The pad that operand 0 names, which starts the list of operands. */
static void begin_with_pad(Bc *b)
{
	b->ops.n = 0;
	if (bc_need(b, 1))
		vec_push(b->arena, &b->ops, bc_operand_of(b, op(b, 0), IR_TYPE(TOKEN)).i);
}

/* [pad, arguments, (argument)*] */
static void funclet_pad(Bc *b, IrOp code)
{
	u32 at = 2;
	begin_with_pad(b);
	if (!bc_ok(b) || !bc_need(b, 2))
		return;
	for (u64 n = op(b, 1); n && at < b->in.rec.n && bc_ok(b); n--)
		vec_push(b->arena, &b->ops, bc_typed_operand(b, &at).i);
	if (bc_ok(b) && bc_check(b, b->ops.n == op(b, 1) + 1, "a pad has fewer arguments than it says") && bc_ends(b, at))
		bc_define(b, code, IR_TYPE(TOKEN), b->ops.p, b->ops.n);
}

/* [pad, handlers, block…, (unwind destination)] */
static void catchswitch(Bc *b)
{
	begin_with_pad(b);
	u64  handlers = bc_ok(b) && bc_need(b, 2) ? op(b, 1) : 0;
	bool unwinds = b->in.rec.n == handlers + 3;
	if (!bc_ok(b) ||
	    !bc_check(b, handlers <= b->in.rec.n && (unwinds || b->in.rec.n == handlers + 2), "a catchswitch is malformed"))
		return;
	if (unwinds)
		vec_push(b->arena, &b->ops, bc_target(b, op(b, (u32)handlers + 2)).i);
	for (u32 i = 0; i < handlers; i++)
		vec_push(b->arena, &b->ops, bc_target(b, op(b, 2 + i)).i);
	IrInst *i = bc_ok(b) ? bc_define(b, IR_CATCHSWITCH, IR_TYPE(TOKEN), b->ops.p, b->ops.n) : NULL;
	if (i)
		i->sub = unwinds;
}

/* catchret: [pad, block]; cleanupret: [pad, (unwind destination)] */
static void leave_pad(Bc *b, IrOp code)
{
	begin_with_pad(b);
	if (code == IR_CATCHRET || b->in.rec.n > 1) {
		bc_ends(b, 2);
		vec_push(b->arena, &b->ops, bc_target(b, op(b, 1)).i);
	}
	if (bc_ok(b))
		bc_define(b, code, IR_TYPE(VOID), b->ops.p, b->ops.n);
}

static PS_INLINE void record(Bc *b)
{
	switch (b->in.rec.code) {
	case BINOP: binary(b); break;
	case CAST: cast(b); break;
	case UNOP:
	case FREEZE: unary(b); break;
	case CMP:
	case CMP2: compare(b); break;
	case SELECT:
	case VSELECT: select_inst(b); break;
	case PHI: phi(b); break;
	case EXTRACTELT: extract_element(b); break;
	case INSERTELT: insert_element(b); break;
	case SHUFFLEVEC: shuffle(b); break;
	case EXTRACTVAL:
	case INSERTVAL: aggregate(b); break;
	case GEP_OLD:
	case INBOUNDS_GEP_OLD:
	case GEP: gep(b); break;
	case ALLOCA: alloca_inst(b); break;
	case LOAD:
	case LOADATOMIC: load(b); break;
	case STORE:
	case STOREATOMIC: store(b); break;
	case FENCE: fence(b); break;
	case CMPXCHG: cmpxchg(b); break;
	case ATOMICRMW_OLD:
	case ATOMICRMW: atomicrmw(b); break;
	case VAARG: vaarg(b); break;
	case RET: ret(b); break;
	case BR: b->in.rec.n == 1 ? jump(b) : branch(b); break;
	case SWITCH: switch_inst(b); break;
	case INDIRECTBR: indirectbr(b); break;
	case UNREACHABLE: define(b, IR_UNREACHABLE, IR_TYPE(VOID), NULL, 0); break;
	case RESUME: resume(b); break;
	case LANDINGPAD: landingpad(b); break;
	case CALL: bc_call(b); break;
	case INVOKE: bc_invoke(b); break;
	case CALLBR: bc_callbr(b); break;
	case CMPXCHG_OLD: bc_error(b, "a cmpxchg of LLVM before 3.6 is not read"); break;
	case CLEANUPRET: leave_pad(b, IR_CLEANUPRET); break;
	case CATCHRET: leave_pad(b, IR_CATCHRET); break;
	case CATCHPAD: funclet_pad(b, IR_CATCHPAD); break;
	case CLEANUPPAD: funclet_pad(b, IR_CLEANUPPAD); break;
	case CATCHSWITCH: catchswitch(b); break;
	default: bc_other_record(b);
	}
}

static bool is_call(u32 code) { return code == CALL || code == INVOKE || code == CALLBR; }

/* Debug information and the like stand where they want. */
static bool is_inst(u32 code)
{
	return code > 1 && code != DEBUG_LOC && code != DEBUG_LOC_AGAIN && code != OPERAND_BUNDLE && code < 60;
}

BcEntry bc_insts(Bc *b)
{
	BcStream *in = &b->in;
	BcScope  *c = &in->scope[in->depth - 1];
	for (;;) {
		u64     at;
		u32     id;
		BcEntry e = bc_begin(in, c, &id, &at);
		if (e != BC_RECORD)
			return e;
		if (id == 3 && at < in->care && (bc_word(in->p, at) & BC_CALL_MASK) == BC_CALL_BITS && bc_call_again(b, at))
			continue;
		if (bc_record(in, c, id, at) == BC_END)
			return BC_END;
		u32 code = in->rec.code;
		if (b->bundles.n && is_inst(code) && !is_call(code))
			bc_error(b, "an operand bundle stands before something that is no call");
		else
			record(b);
	}
}
