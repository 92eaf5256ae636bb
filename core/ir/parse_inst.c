/* parse_inst.c: one instruction. Each rule reads the operands, then defines the instruction. */
#include "ir/ir_forms.h"
#include "ir/parse.h"

/* Takes a comma if an operand follows it; a comma before metadata attachments is recorded instead. */
static bool more(Parser *p)
{
	if (p->comma_read || !accept(p, ','))
		return false;
	p->comma_read = at(p, T_MD_NAME);
	return !p->comma_read;
}

static u32 flags(Parser *p)
{
	u32 all = 0;
	while (!p->panic && p->t.kind == T_WORD && p->t.word && p->t.word->flag) {
		all |= p->t.word->flag;
		irp_next(p);
	}
	return all;
}

static IrRef define(Parser *p, IrOp op, IrType t, const IrRef *ops, u32 n)
{
	return irp_define_inst(p, op, t, (const u32 *)(const void *)ops, n);
}

static IrInst *inst(Parser *p, IrRef r) { return ir_inst(p->m, r); /* record 0 takes what is written after an error */ }

/* The operands pushed on scratch since `base`. */
static IrRef define_from_scratch(Parser *p, IrOp op, IrType t, u32 base)
{
	IrRef r = irp_define_inst(p, op, t, p->scratch.p + base, p->scratch.n - base);
	p->scratch.n = base;
	return r;
}

static void push(Parser *p, IrRef v) { vec_push(p->arena, &p->scratch, v.i); }

static void operand_error(Parser *p, const Spot *from, IrOp op, IrType t, const char *what)
{
	if (!p->panic)
		irp_hint_operation(PARSE_ERROR(p, irp_range_from(p, from), IR_OPERAND_TYPE, ir_op_info[op].name,
		                               STR_ARG(irp_type_text(p, t)), what),
		                   p->m, op, t);
}

/* ---- arithmetic ---- */

static void binary(Parser *p, IrOp op)
{
	u32    f = flags(p);
	Spot   from = spot(p);
	IrType t = irp_type(p), e = ir_scalar_type(p->m, t);
	bool   fp = (ir_op_info[op].flags & IROF_FPMATH) != 0;
	if (!p->panic && (fp ? !ir_type_is_fp(p->m, e) : !ir_type_is_int(p->m, e))) {
		operand_error(p, &from, op, t, fp ? "a floating-point type" : "an integer type");
		return;
	}
	IrRef a = p->panic ? IR_NO_REF : irp_value(p, t);
	irp_expect(p, ',', "','");
	IrRef b = p->panic ? IR_NO_REF : irp_value(p, t);
	IrRef r = define(p, op, t, (IrRef[]){a, b}, 2);
	inst(p, r)->flags = f;
}

static void unary(Parser *p, IrOp op)
{
	u32   f = flags(p);
	IrRef v = irp_type_value(p);
	IrRef r = define(p, op, ir_type_of(p->m, v), &v, 1);
	inst(p, r)->flags = f;
}

static void cast(Parser *p, IrOp op)
{
	u32   f = flags(p);
	Spot  from = spot(p);
	IrRef v = irp_type_value(p);
	irp_expect_word(p, W_TO, "'to' and a type");
	IrType t = irp_type(p);
	irp_check_cast(p, op, ir_type_of(p->m, v), t, &from);
	IrRef r = define(p, op, t, &v, 1);
	inst(p, r)->flags = op == IR_UITOFP || op == IR_SITOFP ? f & ~(u32)IRF_FAST : f; /* which LLVM 23 writes */
}

static void compare(Parser *p, IrOp op)
{
	u32 f = flags(p);
	u32 pred = p->t.kind == T_WORD && p->t.word ? (op == IR_ICMP ? p->t.word->ipred : p->t.word->fpred) : 0;
	if (!pred) {
		irp_expected_predicate(p, op == IR_FCMP);
		return;
	}
	irp_next(p);
	Spot   from = spot(p);
	IrType t = irp_type(p), e = ir_scalar_type(p->m, t);
	bool   ok = op == IR_FCMP ? ir_type_is_fp(p->m, e) : ir_type_is_int(p->m, e) || ir_type_is_ptr(p->m, e);
	if (!p->panic && !ok)
		operand_error(p, &from, op, t, op == IR_FCMP ? "a floating-point type" : "integers or pointers");
	IrRef a = p->panic ? IR_NO_REF : irp_value(p, t);
	irp_expect(p, ',', "','");
	IrRef b = p->panic ? IR_NO_REF : irp_value(p, t);
	if (p->panic)
		return;
	IrType truth = ir_type_is_vector(p->m, t) ? ir_vector_like(p->m, t, IR_TYPE(I1)) : IR_TYPE(I1);
	IrRef  r = define(p, op, truth, (IrRef[]){a, b}, 2);
	inst(p, r)->flags = f;
	inst(p, r)->sub = (u8)(pred - 1);
}

static void select_inst(Parser *p)
{
	u32   f = flags(p);
	IrRef c = irp_type_value(p);
	irp_expect(p, ',', "','");
	IrRef a = irp_type_value(p);
	irp_expect(p, ',', "','");
	Spot  from = spot(p);
	IrRef b = irp_type_value(p);
	if (!p->panic && !ir_type_same(ir_type_of(p->m, a), ir_type_of(p->m, b)))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_OPERANDS_DIFFER, "select",
		            STR_ARG(irp_type_text(p, ir_type_of(p->m, a))), STR_ARG(irp_type_text(p, ir_type_of(p->m, b))));
	IrRef r = define(p, IR_SELECT, ir_type_of(p->m, a), (IrRef[]){c, a, b}, 3);
	inst(p, r)->flags = f;
}

static void phi(Parser *p)
{
	u32    f = flags(p), base = p->scratch.n;
	IrType t = irp_type(p);
	bool   none = at(p, ',') || (p->t.line != p->last_line && !at(p, '[')); /* in a block that nothing leads to */
	if (p->panic)
		return;
	if (!none)
		do {
			if (!irp_expect(p, '[', "'[' value, label ']'"))
				return;
			IrRef v = irp_value(p, t);
			irp_expect(p, ',', "','");
			IrRef b = p->panic ? IR_NO_REF : irp_block_ref(p);
			irp_expect(p, ']', "']'");
			push(p, v);
			push(p, b);
		} while (more(p) && !p->panic);
	IrRef r = define_from_scratch(p, IR_PHI, t, base);
	inst(p, r)->flags = f;
}

/* ---- vectors and aggregates ---- */

static void shuffle(Parser *p)
{
	IrRef a = irp_type_value(p);
	irp_expect(p, ',', "','");
	IrRef b = irp_type_value(p);
	irp_expect(p, ',', "','");
	Spot  from = spot(p);
	IrRef mask = irp_type_value(p);
	if (p->panic)
		return;
	IrType v = ir_type_of(p->m, a), mt = ir_type_of(p->m, mask);
	if (!ir_type_is_vector(p->m, v) || !ir_type_same(v, ir_type_of(p->m, b))) {
		operand_error(p, &from, IR_SHUFFLEVECTOR, v, "two vectors of one type");
		return;
	}
	if (!ir_type_is_vector(p->m, mt) || ir_scalar_type(p->m, mt).i != IR_TY_I32 || ir_kind(mask) != IR_CONST ||
	    !ir_shuffle_fits(p->m, v, mask)) {
		operand_error(p, &from, IR_SHUFFLEVECTOR, mt, "a constant mask of i32, zeros or poison where it is scalable");
		return;
	}
	IrRef r = define(p, IR_SHUFFLEVECTOR, ir_vector_like(p->m, mt, ir_scalar_type(p->m, v)), (IrRef[]){a, b}, 2);
	u32   list = ir_shuffle_mask(p->m, mask);
	inst(p, r)->aux = list;
}

static void vector_inst(Parser *p, IrOp op)
{
	if (op == IR_SHUFFLEVECTOR) {
		shuffle(p);
		return;
	}
	Spot  from = spot(p);
	IrRef ops[3], v = ops[0] = irp_type_value(p);
	u32   n = op == IR_EXTRACTELEMENT ? 2 : 3;
	for (u32 i = 1; i < n; i++) {
		irp_expect(p, ',', "','");
		ops[i] = irp_type_value(p);
	}
	IrType t = ir_type_of(p->m, v);
	if (p->panic)
		return;
	if (!ir_type_is_vector(p->m, t) || !ir_type_is_int(p->m, ir_type_of(p->m, ops[n - 1])))
		operand_error(p, &from, op, t, "a vector and an integer index");
	else if (n == 3 && !ir_type_same(ir_type_of(p->m, ops[1]), ir_scalar_type(p->m, t)))
		operand_error(p, &from, op, ir_type_of(p->m, ops[1]), "the type of the vector's elements");
	define(p, op, op == IR_EXTRACTELEMENT ? ir_scalar_type(p->m, t) : t, ops, n);
}

/* Indices behind an aggregate: the list, and the type they lead to. */
static u32 indices(Parser *p, IrType *t)
{
	u32 base = p->scratch.n;
	if (!at(p, ','))
		irp_expected(p, "',' and an index");
	while (more(p)) {
		Spot from = spot(p);
		u32  i = 0;
		irp_u32(p, UINT32_MAX, "an index", &i);
		if (p->panic)
			break;
		if (!ir_type_is_aggregate(p->m, *t) || i >= ir_type_count(p->m, *t)) {
			PARSE_ERROR(p, irp_range_from(p, &from), IR_BAD_INDEX, i, STR_ARG(irp_type_text(p, *t)));
			break;
		}
		*t = ir_type_elem(p->m, *t, i);
		vec_push(p->arena, &p->scratch, i);
	}
	u32 list = ir_list_new(p->m, p->scratch.p + base, p->scratch.n - base);
	p->scratch.n = base;
	return list;
}

static void aggregate_inst(Parser *p, IrOp op)
{
	IrRef ops[2];
	Spot  from = spot(p);
	ops[0] = irp_type_value(p);
	if (op == IR_INSERTVALUE) {
		irp_expect(p, ',', "','");
		from = spot(p);
		ops[1] = irp_type_value(p);
	}
	SrcRange place = irp_range_from(p, &from);
	IrType   agg = ir_type_of(p->m, ops[0]), part = agg;
	u32      list = indices(p, &part);
	if (p->panic)
		return;
	if (op == IR_INSERTVALUE && !ir_type_same(part, ir_type_of(p->m, ops[1]))) {
		PARSE_ERROR(p, place, IR_OPERANDS_DIFFER, "insertvalue", STR_ARG(irp_type_text(p, part)),
		            STR_ARG(irp_type_text(p, ir_type_of(p->m, ops[1]))));
		return;
	}
	IrRef r = define(p, op, op == IR_EXTRACTVALUE ? part : agg, ops, op == IR_EXTRACTVALUE ? 1 : 2);
	inst(p, r)->aux = list;
}

/* ---- memory ---- */

static void gep(Parser *p)
{
	u32 base = p->scratch.n, f = flags(p);
	if (at_word(p, W_INRANGE)) {
		PARSE_ERROR(p, irp_token_range(p), IR_UNSUPPORTED, "inrange on an instruction");
		return;
	}
	Spot   from = spot(p);
	IrType elem = irp_type(p);
	if (!p->panic && at(p, T_LOCAL)) {
		Token to = p->t;
		irp_expected(p, "',' after the type of the elements");
		diag_hint(&p->s->diags, &vec_last(&p->s->diags.list),
		          "getelementptr names the type it steps over first: getelementptr float, ptr %.*s, i64 1",
		          (int)(to.end - to.p), to.p);
		return;
	}
	if (!irp_expect(p, ',', "','"))
		return;
	IrRef  b = irp_type_value(p);
	IrType t = ir_type_of(p->m, b);
	if (!p->panic && !ir_type_is_ptr(p->m, ir_scalar_type(p->m, t)))
		operand_error(p, &from, IR_GETELEMENTPTR, t, "a pointer as the base");
	push(p, b);
	while (more(p) && !p->panic) {
		IrRef  i = irp_type_value(p);
		IrType it = ir_type_of(p->m, i);
		if (!p->panic && !ir_type_is_int(p->m, ir_scalar_type(p->m, it)))
			operand_error(p, &from, IR_GETELEMENTPTR, it, "integers as indices");
		if (ir_type_is_vector(p->m, it) && !ir_type_is_vector(p->m, t))
			t = ir_vector_like(p->m, it, t);
		push(p, i);
	}
	IrRef r = define_from_scratch(p, IR_GETELEMENTPTR, t, base);
	inst(p, r)->elem = elem;
	inst(p, r)->flags = f;
}

static void alloca_inst(Parser *p)
{
	u32 f = accept_word(p, W_INALLOCA) ? IRF_INALLOCA : 0;
	f |= accept_word(p, W_SWIFTERROR) ? IRF_SWIFTERROR : 0;
	IrType elem = irp_type(p);
	IrRef  count = ir_const_int(p->m, IR_TYPE(I32), 1);
	u8     align = 0;
	u32    space = 0; /* whatever the data layout says */
	for (u32 had = 0, part; more(p); had = part) {
		part = at_word(p, W_ALIGN) ? 2 : at_word(p, W_ADDRSPACE) ? 3 : 1;
		if (part <= had)
			irp_expected(p, had == 3 ? "metadata" : "what follows in this order: align, addrspace, metadata");
		else if (accept_word(p, W_ALIGN))
			align = irp_align_value(p);
		else if (part == 3)
			space = irp_addrspace(p);
		else
			count = irp_type_value(p);
		if (p->panic)
			return;
	}
	IrRef r = define(p, IR_ALLOCA, ir_ptr_type(p->m, space), &count, 1);
	inst(p, r)->elem = elem;
	inst(p, r)->align = align;
	inst(p, r)->flags = f;
}

static u8 scope(Parser *p)
{
	StrId name;
	if (!accept_word(p, W_SYNCSCOPE))
		return IR_SCOPE_SYSTEM;
	irp_expect(p, '(', "'(' after syncscope");
	if (!irp_string(p, &name))
		return 0;
	irp_expect(p, ')', "')'");
	for (u32 i = 0; i < p->m->scopes.n; i++)
		if (p->m->scopes.p[i] == name.i)
			return (u8)i;
	if (p->m->scopes.n == 255) {
		PARSE_ERROR(p, irp_token_range(p), IR_LIMIT, "synchronisation scopes", 255u);
		return 0;
	}
	vec_push(p->arena, &p->m->scopes, name.i);
	return (u8)(p->m->scopes.n - 1);
}

static u8 ordering(Parser *p, const char *what)
{
	if (!at(p, T_WORD) || !p->t.word || !p->t.word->ordering) {
		if (!p->panic)
			PARSE_ERROR(p, irp_here(p), IR_NEEDS_ORDERING, what);
		return 0;
	}
	u8 o = p->t.word->ordering;
	irp_next(p);
	return o;
}

static u8 align_suffix(Parser *p)
{
	u8 align = 0;
	while (more(p) && !p->panic) {
		if (accept_word(p, W_ALIGN))
			align = irp_align_value(p);
		else
			irp_expected(p, "'align' or metadata");
	}
	return align;
}

static u32 volatile_atomic(Parser *p)
{
	u32 f = 0;
	for (;;) {
		if (accept_word(p, W_ATOMIC))
			f |= IRF_ATOMIC;
		else if (accept_word(p, W_VOLATILE))
			f |= IRF_VOLATILE;
		else
			return f;
	}
}

static void load(Parser *p)
{
	u32    f = volatile_atomic(p);
	IrType t = irp_type(p);
	if (!p->panic && at(p, T_LOCAL)) {
		Token to = p->t;
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_EXPECTED, "',' after the type to load",
		                      STR_ARG(arena_fmt(p->arena, "'%.*s'", (int)(to.end - to.p), to.p)));
		diag_hint(&p->s->diags, d, "load names the type it reads first: load %.*s, ptr %.*s",
		          STR_ARG(ir_type_is_ptr(p->m, t) ? STR("i32") : irp_type_text(p, t)), (int)(to.end - to.p), to.p);
		return;
	}
	irp_expect(p, ',', "',' after the type to load");
	Spot  from = spot(p);
	IrRef v = irp_type_value(p);
	if (!p->panic && !ir_type_is_ptr(p->m, ir_type_of(p->m, v)))
		operand_error(p, &from, IR_LOAD, ir_type_of(p->m, v), "a pointer");
	u8    sc = f & IRF_ATOMIC ? scope(p) : 0;
	u8    o = f & IRF_ATOMIC ? ordering(p, "an atomic load") : 0;
	u8    align = align_suffix(p);
	IrRef r = define(p, IR_LOAD, t, &v, 1);
	inst(p, r)->flags = f;
	ir_info(p->m, r)->scope = sc;
	inst(p, r)->order = o;
	inst(p, r)->align = align;
}

static void store(Parser *p)
{
	u32   f = volatile_atomic(p);
	IrRef v = irp_type_value(p);
	irp_expect(p, ',', "','");
	Spot  from = spot(p);
	IrRef to = irp_type_value(p);
	if (!p->panic && !ir_type_is_ptr(p->m, ir_type_of(p->m, to)))
		operand_error(p, &from, IR_STORE, ir_type_of(p->m, to), "a pointer");
	u8    sc = f & IRF_ATOMIC ? scope(p) : 0;
	u8    o = f & IRF_ATOMIC ? ordering(p, "an atomic store") : 0;
	u8    align = align_suffix(p);
	IrRef r = define(p, IR_STORE, IR_TYPE(VOID), (IrRef[]){v, to}, 2);
	inst(p, r)->flags = f;
	ir_info(p->m, r)->scope = sc;
	inst(p, r)->order = o;
	inst(p, r)->align = align;
}

static void fence(Parser *p)
{
	u8    sc = scope(p), o = ordering(p, "fence");
	IrRef r = define(p, IR_FENCE, IR_TYPE(VOID), NULL, 0);
	ir_info(p->m, r)->scope = sc;
	inst(p, r)->order = o;
}

static void cmpxchg(Parser *p)
{
	u32   f = accept_word(p, W_WEAK) ? IRF_WEAK : 0;
	IrRef ops[3];
	f |= accept_word(p, W_VOLATILE) ? IRF_VOLATILE : 0u;
	for (u32 i = 0; i < 3; i++) {
		if (i)
			irp_expect(p, ',', "','");
		ops[i] = irp_type_value(p);
	}
	u8     sc = scope(p), o = ordering(p, "cmpxchg"), of = ordering(p, "cmpxchg"), align = align_suffix(p);
	IrType fields[2] = {ir_type_of(p->m, ops[1]), IR_TYPE(I1)};
	if (p->panic)
		return;
	IrRef r = define(p, IR_CMPXCHG, ir_struct_type(p->m, fields, 2, false), ops, 3);
	inst(p, r)->flags = f;
	ir_info(p->m, r)->scope = sc;
	inst(p, r)->order = o;
	ir_info(p->m, r)->order_fail = of;
	inst(p, r)->align = align;
}

static void atomicrmw(Parser *p)
{
	u32 f = accept_word(p, W_VOLATILE) ? IRF_VOLATILE : 0;
	f |= accept_word(p, W_ELEMENTWISE) ? IRF_ELEMENTWISE : 0u;
	if (!at(p, T_WORD) || !p->t.word || !p->t.word->rmw) {
		irp_expected(p, "an operation: xchg, add, sub, and, or, xor, max, min, fadd, …");
		return;
	}
	u8 op = (u8)(p->t.word->rmw - 1);
	irp_next(p);
	IrRef ptr = irp_type_value(p);
	irp_expect(p, ',', "','");
	IrRef v = irp_type_value(p);
	u8    sc = scope(p), o = ordering(p, "atomicrmw"), align = align_suffix(p);
	IrRef r = define(p, IR_ATOMICRMW, ir_type_of(p->m, v), (IrRef[]){ptr, v}, 2);
	inst(p, r)->sub = op;
	inst(p, r)->flags = f;
	ir_info(p->m, r)->scope = sc;
	inst(p, r)->order = o;
	inst(p, r)->align = align;
}

/* ---- calls ---- */

enum { MAX_ARGS = 4096 };

/* Is "..." at the end of the arguments that of a musttail call in a function that has it, and is it there? */
static void check_rest(Parser *p, IrTail tail, bool rest)
{
	if (rest != (tail == IRTAIL_MUSTTAIL && ir_type(p->m, ir_global(p->m, p->func->ref)->type)->vararg))
		irp_expected(p, rest ? "... in a musttail call in a function that has it alone"
		                     : "... at the end of the arguments of a musttail call in a function that has it");
}

/* (TYPE ATTRS VALUE, …). Pushes the values on scratch and their attribute sets on arg_attrs. */
static u32 arguments(Parser *p, IrRef callee, IrTail tail, bool *any)
{
	u32  n = 0;
	bool rest = false;
	if (!irp_expect(p, '(', "'(' and the arguments"))
		return 0;
	if (at(p, ')')) {
		if (tail == IRTAIL_MUSTTAIL)
			check_rest(p, tail, false);
		irp_next(p);
		return 0;
	}
	do {
		if (at(p, T_ELLIPSIS)) {
			rest = true;
			irp_next(p);
			break;
		}
		IrType t = irp_any_type(p);
		u32    from = p->attrs.n;
		if ((at(p, T_WORD) || at(p, T_STRING)) && t.i != IR_TY_METADATA)
			irp_attrs(p, PLACE_PARAM);
		IrAttrs a = irp_take_attrs(p, from);
		if (!p->panic && t.i != IR_TY_METADATA && at(p, T_WORD) && !p->t.word && p->t.text.n &&
		    !(p->t.text.n > 2 && p->t.text.p[1] == '0'))
			irp_unknown_attr(p);
		IrRef v = p->panic ? IR_NO_REF : irp_value(p, t);
		if (!n && t.i == IR_TY_METADATA && !p->panic && !irp_debug_call(p, callee))
			return n;
		if (n == MAX_ARGS) {
			PARSE_ERROR(p, irp_token_range(p), IR_LIMIT, "arguments", (u32)MAX_ARGS);
			return n;
		}
		*any |= a.i != 0;
		vec_push(p->arena, &p->arg_attrs, a.i);
		n++;
		push(p, v);
	} while (accept(p, ',') && !p->panic);
	if (!p->panic && (rest || tail == IRTAIL_MUSTTAIL))
		check_rest(p, tail, rest);
	irp_expect(p, ')', "',' or ')' in the arguments");
	return n;
}

/* ["tag"(TYPE VALUE, …), …]: operands on scratch. */
static u32 bundles(Parser *p, u32 first_op, u16 *count)
{
	u32 first = p->m->bundles.n, base = p->scratch.n;
	if (!accept(p, '['))
		return 0;
	do {
		IrBundle b = {.first = first_op + p->scratch.n - base};
		if (!irp_string(p, &b.tag) || !irp_expect(p, '(', "'('"))
			return first;
		if (!accept(p, ')')) {
			do
				push(p, irp_type_value(p));
			while (accept(p, ',') && !p->panic);
			irp_expect(p, ')', "',' or ')'");
		}
		b.n = first_op + p->scratch.n - base - b.first;
		vec_push(p->arena, &p->m->bundles, b);
		++*count;
	} while (accept(p, ',') && !p->panic && *count < 1000);
	irp_expect(p, ']', "']' after operand bundles");
	return first;
}

typedef struct CallHead {
	IrType  fn, ret;
	IrType  written; /* TYPE (…)*: the callee's type, for LLVM before 4; else what it returns */
	IrAttrs ret_attrs;
	u16     cc;
	u32     flags;
	u32     space;
} CallHead;

static CallHead call_head(Parser *p)
{
	CallHead h = {.flags = flags(p)};
	h.cc = irp_cc(p);
	u32 from = p->attrs.n;
	p->pointee = (IrType){0};
	irp_attrs(p, PLACE_RET);
	h.ret_attrs = irp_take_attrs(p, from);
	h.space = at_word(p, W_ADDRSPACE) ? irp_addrspace(p) : p->m->layout.program_space;
	IrType t = irp_any_type(p);
	if (ir_type_kind(p->m, t) == IRT_FUNC)
		h.fn = t;
	else if (ir_type_is_ptr(p->m, t) && p->pointee.i && ir_type_kind(p->m, p->pointee) == IRT_FUNC)
		h.written = p->pointee;
	h.ret = h.fn.i ? ir_func_ret(p->m, h.fn) : t;
	return h;
}

static IrRef callee_value(Parser *p, const CallHead *h)
{
	if (at_word(p, W_ASM))
		return irp_asm(p, (IrType){0});
	return irp_value(p, ir_ptr_type(p->m, h->space));
}

/* Printers before LLVM 4 wrote the whole type of functions that are variadic or return a pointer. */
static void settle_written(const Parser *p, CallHead *h, IrRef callee)
{
	const IrGlobal *g = ir_kind(callee) == IR_GLOBAL ? ir_global(p->m, callee) : NULL;
	bool            known = g && g->kind == IRG_FUNC;
	if (known ? ir_type_same(g->type, h->written)
	          : ir_type(p->m, h->written)->vararg || ir_type_is_ptr(p->m, ir_func_ret(p->m, h->written))) {
		h->fn = h->written;
		h->ret = ir_func_ret(p->m, h->fn);
	}
}

static Str callee_text(Parser *p, IrRef callee)
{
	StrId name = ir_name(p->m, callee);
	return name.i ? arena_fmt(p->arena, "%c%.*s", ir_kind(callee) == IR_GLOBAL ? '@' : '%', STR_ARG(ir_str(p->m, name)))
	              : STR("the callee");
}

static void check_arguments(Parser *p, const CallHead *h, IrRef callee, u32 base, u32 n, const Spot *from)
{
	u32  want = ir_func_params(p->m, h->fn);
	bool vararg = ir_type(p->m, h->fn)->vararg;
	if (vararg ? n < want : n != want) {
		PARSE_ERROR(p, irp_range_from(p, from), IR_ARG_COUNT, STR_ARG(callee_text(p, callee)), vararg ? "at least " : "",
		            want, want == 1 ? "" : "s", n);
		return;
	}
	for (u32 i = 0; i < want; i++) {
		IrType have = ir_type_of(p->m, (IrRef){p->scratch.p[base + i]}), need = ir_func_param(p->m, h->fn, i);
		if (!ir_type_same(have, need)) {
			PARSE_ERROR(p, irp_range_from(p, from), IR_ARG_TYPE, i + 1, STR_ARG(irp_type_text(p, have)),
			            STR_ARG(irp_type_text(p, need)));
			return;
		}
	}
}

/* Is it a function type that is not variadic and has exactly these parameters? */
static bool takes_arguments(const Parser *p, IrType fn, IrType ret, u32 base, u32 n)
{
	const IrTypeRec *r = ir_type(p->m, fn);
	if (r->kind != IRT_FUNC || r->vararg || r->n_elems != n + 1)
		return false;
	const u32 *elem = p->m->type_lists.p + r->elems;
	bool       same = elem[0] == ret.i;
	for (u32 i = 0; i < n && same; i++)
		same = elem[i + 1] == ir_type_of(p->m, (IrRef){p->scratch.p[base + i]}).i;
	return same;
}

static IrType type_of_arguments(Parser *p, IrRef callee, IrType ret, u32 base, u32 n)
{
	IrType declared = ir_kind(callee) == IR_GLOBAL ? ir_global(p->m, callee)->type : (IrType){0};
	if (takes_arguments(p, declared, ret, base, n))
		return declared;
	IrType few[64], *params = n <= 64 ? few : arena_array(p->arena, IrType, n);
	for (u32 i = 0; i < n; i++)
		params[i] = ir_type_of(p->m, (IrRef){p->scratch.p[base + i]});
	return ir_func_type(p->m, ret, params, n, false);
}

/* to label %a unwind label %b; to label %a [label %b, …] */
static void call_targets(Parser *p, IrOp op)
{
	if (op == IR_CALL)
		return;
	irp_expect_word(p, W_TO, "'to'");
	push(p, irp_label_operand(p));
	if (op == IR_INVOKE) {
		irp_expect_word(p, W_UNWIND, "'unwind'");
		push(p, irp_label_operand(p));
		return;
	}
	irp_expect(p, '[', "'['");
	if (!at(p, ']') && !p->panic)
		do
			push(p, irp_label_operand(p));
		while (accept(p, ',') && !p->panic);
	irp_expect(p, ']', "']'");
}

static void call(Parser *p, IrOp op, IrTail tail)
{
	u32      sets = p->arg_attrs.n;
	u32      base = p->scratch.n;
	CallHead h = call_head(p);
	Spot     from = spot(p);
	if (p->panic)
		return;
	IrRef callee = callee_value(p, &h);
	push(p, callee);
	bool any = false;
	u32  n = p->panic ? 0 : arguments(p, callee, tail, &any);
	if (p->panic)
		return;
	if (h.written.i)
		settle_written(p, &h, callee);
	if (!h.fn.i)
		h.fn = type_of_arguments(p, callee, h.ret, base + 1, n);
	else
		check_arguments(p, &h, callee, base + 1, n, &from);
	if (ir_kind(callee) == IR_ASM)
		ir_asm(p->m, callee)->type = h.fn;
	IrCall c = {.cc = h.cc, .n_args = n, .type = h.fn, .ret = h.ret_attrs};
	u32    groups = p->group_stack.n;
	c.fn = irp_fn_attrs(p, PLACE_CALL);
	c.bundles = bundles(p, n + 1, &c.n_bundles);
	call_targets(p, op);
	c.params = any ? ir_list_new(p->m, p->arg_attrs.p + sets, n) : 0;
	p->arg_attrs.n = sets;
	IrRef r = define_from_scratch(p, op, h.ret, base);
	if (!r.i)
		return;
	u32 id = ir_call_new(p->m, c);
	inst(p, r)->aux = id;
	inst(p, r)->flags = h.flags;
	inst(p, r)->sub = (u8)tail;
	if (p->group_stack.n > groups)
		irp_fixup(p, FIX_CALL, id, groups);
}

static void vaarg(Parser *p)
{
	IrRef list = irp_type_value(p);
	irp_expect(p, ',', "','");
	IrType t = irp_type(p);
	define(p, IR_VAARG, t, &list, 1);
}

/* ---- terminators ---- */

static void ret(Parser *p)
{
	if (p->t.line != p->last_line && !p->panic) {
		irp_expected(p, "void, or a type and a value");
		diag_hint(&p->s->diags, &vec_last(&p->s->diags.list), "a function without a result ends in: ret void");
		return;
	}
	Spot   from = spot(p);
	IrType t = irp_type_or_void(p), want = ir_func_ret(p->m, ir_global(p->m, p->func->ref)->type);
	IrRef  v = p->panic || t.i == IR_TY_VOID ? IR_NO_REF : irp_value(p, t);
	if (!p->panic && !ir_type_same(t, want)) {
		PARSE_ERROR(p, irp_range_from(p, &from), IR_TYPE_MISMATCH, 3, "ret", STR_ARG(irp_type_text(p, t)),
		            STR_ARG(irp_type_text(p, want)));
		return;
	}
	define(p, IR_RET, IR_TYPE(VOID), &v, v.i ? 1 : 0);
}

static void br(Parser *p)
{
	if (at_word(p, W_LABEL)) {
		IrRef to = irp_label_operand(p);
		define(p, IR_BR, IR_TYPE(VOID), &to, 1);
		return;
	}
	if (at(p, T_LOCAL)) {
		Token to = p->t;
		irp_expected(p, "'label', or the type of the condition");
		diag_hint(&p->s->diags, &vec_last(&p->s->diags.list),
		          "br label %.*s, or: br i1 %%condition, label %%then, label %%else", (int)(to.end - to.p), to.p);
		return;
	}
	Spot  from = spot(p);
	IrRef c = irp_type_value(p);
	if (!p->panic && ir_type_of(p->m, c).i != IR_TY_I1)
		operand_error(p, &from, IR_BR, ir_type_of(p->m, c), "a condition of type i1");
	irp_expect(p, ',', "','");
	IrRef yes = irp_label_operand(p);
	irp_expect(p, ',', "','");
	IrRef no = p->panic ? IR_NO_REF : irp_label_operand(p);
	define(p, IR_BR, IR_TYPE(VOID), (IrRef[]){c, yes, no}, 3);
}

static void switch_inst(Parser *p)
{
	u32    base = p->scratch.n;
	Spot   from = spot(p);
	IrRef  v = irp_type_value(p);
	IrType t = ir_type_of(p->m, v);
	if (!p->panic && !ir_type_is_int(p->m, t))
		operand_error(p, &from, IR_SWITCH, t, "an integer");
	irp_expect(p, ',', "','");
	IrRef other = p->panic ? IR_NO_REF : irp_label_operand(p);
	push(p, v);
	push(p, other);
	irp_expect(p, '[', "'[' and the cases");
	while (!at(p, ']') && !p->panic) {
		IrType ct = irp_type(p);
		IrRef  c = p->panic ? IR_NO_REF : irp_const(p, ct);
		if (!p->panic && !ir_type_same(ct, t))
			operand_error(p, &from, IR_SWITCH, ct, "cases of the type of the value");
		irp_expect(p, ',', "','");
		IrRef to = p->panic ? IR_NO_REF : irp_label_operand(p);
		push(p, c);
		push(p, to);
	}
	irp_expect(p, ']', "']'");
	define_from_scratch(p, IR_SWITCH, IR_TYPE(VOID), base);
}

static void indirectbr(Parser *p)
{
	u32 base = p->scratch.n;
	push(p, irp_type_value(p));
	irp_expect(p, ',', "','");
	irp_expect(p, '[', "'['");
	if (!at(p, ']') && !p->panic)
		do
			push(p, irp_label_operand(p));
		while (accept(p, ',') && !p->panic);
	irp_expect(p, ']', "']'");
	define_from_scratch(p, IR_INDIRECTBR, IR_TYPE(VOID), base);
}

static void resume(Parser *p)
{
	IrRef v = irp_type_value(p);
	define(p, IR_RESUME, IR_TYPE(VOID), &v, 1);
}

/* landingpad T [cleanup] (catch T v | filter T v)*; which are filters: a list in aux */
static void landingpad(Parser *p)
{
	u32    base = p->scratch.n, f = 0, n = 0, kinds[64];
	IrType t = irp_type(p);
	if (accept_word(p, W_CLEANUP))
		f = IRF_CLEANUP;
	while ((at_word(p, W_CATCH) || at_word(p, W_FILTER)) && n < PS_COUNT(kinds)) {
		kinds[n++] = at_word(p, W_FILTER);
		irp_next(p);
		push(p, irp_type_value(p));
	}
	IrRef r = define_from_scratch(p, IR_LANDINGPAD, t, base);
	u32   list = ir_list_new(p->m, kinds, n);
	inst(p, r)->flags = f;
	inst(p, r)->aux = list;
}

/* ---- funclets ---- */

/* TYPE VALUE, …: what a pad is given, in brackets. */
static void pad_arguments(Parser *p)
{
	if (!irp_expect(p, '[', "'['") || accept(p, ']'))
		return;
	do
		push(p, irp_type_value(p));
	while (accept(p, ',') && !p->panic);
	irp_expect(p, ']', "',' or ']'");
}

/* `unwind to caller` names no block; else it is pushed. */
static bool unwind_target(Parser *p)
{
	if (accept_word(p, W_TO)) {
		irp_expect_word(p, W_CALLER, "'caller'");
		return false;
	}
	push(p, irp_label_operand(p));
	return true;
}

/* within %pad [label %a, label %b] unwind …; in memory the unwind destination is the first of the blocks, and `sub` says that there is one */
static void catchswitch(Parser *p, u32 base)
{
	irp_expect(p, '[', "'[' and the handlers");
	u32 handlers = p->scratch.n;
	do
		push(p, irp_label_operand(p));
	while (accept(p, ',') && !p->panic);
	irp_expect(p, ']', "',' or ']'");
	irp_expect_word(p, W_UNWIND, "'unwind'");
	u32  end = p->scratch.n;
	bool unwinds = unwind_target(p);
	if (p->panic)
		return;
	if (unwinds) {
		u32 to = p->scratch.p[end];
		memmove(p->scratch.p + handlers + 1, p->scratch.p + handlers, (end - handlers) * sizeof(u32));
		p->scratch.p[handlers] = to;
	}
	IrRef r = define_from_scratch(p, IR_CATCHSWITCH, IR_TYPE(TOKEN), base);
	inst(p, r)->sub = unwinds;
}

static void funclet_inst(Parser *p, IrOp op)
{
	u32  base = p->scratch.n;
	bool leaves = op == IR_CATCHRET || op == IR_CLEANUPRET;
	irp_expect_word(p, leaves ? W_FROM : W_WITHIN, leaves ? "'from'" : "'within'");
	if (p->panic)
		return;
	push(p, irp_value(p, IR_TYPE(TOKEN)));
	switch (op) {
	case IR_CATCHSWITCH: catchswitch(p, base); return;
	case IR_CATCHRET:
		irp_expect_word(p, W_TO, "'to'");
		push(p, irp_label_operand(p));
		break;
	case IR_CLEANUPRET:
		irp_expect_word(p, W_UNWIND, "'unwind'");
		unwind_target(p);
		break;
	default: pad_arguments(p);
	}
	define_from_scratch(p, op, leaves ? IR_TYPE(VOID) : IR_TYPE(TOKEN), base);
}

/* ---- the instruction ---- */

static IrTail tail_marker(Parser *p)
{
	if (accept_word(p, W_TAIL))
		return IRTAIL_TAIL;
	if (accept_word(p, W_MUSTTAIL))
		return IRTAIL_MUSTTAIL;
	return accept_word(p, W_NOTAIL) ? IRTAIL_NOTAIL : IRTAIL_NONE;
}

static void by_form(Parser *p, IrOp op, IrTail tail)
{
	switch ((IrForm)ir_op_info[op].form) {
	case IRFORM_BIN: binary(p, op); break;
	case IRFORM_UNARY: unary(p, op); break;
	case IRFORM_CAST: cast(p, op); break;
	case IRFORM_CMP: compare(p, op); break;
	case IRFORM_SELECT: select_inst(p); break;
	case IRFORM_PHI: phi(p); break;
	case IRFORM_VECTOR: vector_inst(p, op); break;
	case IRFORM_AGG: aggregate_inst(p, op); break;
	case IRFORM_GEP: gep(p); break;
	case IRFORM_ALLOCA: alloca_inst(p); break;
	case IRFORM_LOAD: load(p); break;
	case IRFORM_STORE: store(p); break;
	case IRFORM_FENCE: fence(p); break;
	case IRFORM_CMPXCHG: cmpxchg(p); break;
	case IRFORM_RMW: atomicrmw(p); break;
	case IRFORM_CALL: call(p, op, tail); break;
	case IRFORM_VAARG: vaarg(p); break;
	case IRFORM_RET: ret(p); break;
	case IRFORM_BR: br(p); break;
	case IRFORM_SWITCH: switch_inst(p); break;
	case IRFORM_INDBR: indirectbr(p); break;
	case IRFORM_RESUME: resume(p); break;
	case IRFORM_PLAIN: define(p, op, IR_TYPE(VOID), NULL, 0); break;
	case IRFORM_PAD: landingpad(p); break;
	case IRFORM_EHPAD: funclet_inst(p, op); break;
	case IRFORM_NONE: break;
	}
}

static void unknown_instruction(Parser *p)
{
	if (!at(p, T_WORD)) {
		irp_unexpected(p, p->has_def ? "an instruction" : "an instruction, a label or '}'");
		return;
	}
	Str         s = p->t.text;
	Diag       *d = PARSE_ERROR(p, irp_token_range(p), IR_UNKNOWN_INST, STR_ARG(s));
	const char *near = ir_word_nearest(&p->words, s, false);
	if (irp_hint_word(d, s))
		return;
	const char *behind = s.p + s.n;
	while (behind < p->lexer.end && (*behind == ' ' || *behind == '\t' || *behind == '\r'))
		behind++;
	if (near)
		diag_hint(&p->s->diags, d, "did you mean '%s'?", near);
	else if (behind == p->lexer.end || *behind == '\n')
		diag_hint(&p->s->diags, d, "a label ends in a colon: %.*s:", STR_ARG(s));
}

void irp_inst(Parser *p)
{
	p->line = p->t.line;
	p->col = (u32)(p->t.p - p->lexer.line_start) + 1;
	const char *start = p->t.p;
	p->has_def = at(p, T_LOCAL) || at(p, T_LOCAL_NUM);
	p->comma_read = false;
	if (p->has_def) {
		p->def = p->t;
		irp_next(p);
		irp_expect(p, '=', "'='");
	}
	IrTail tail = p->panic ? IRTAIL_NONE : tail_marker(p);
	IrOp   op = p->t.kind == T_WORD && p->t.word ? (IrOp)p->t.word->op : IR_OP_NONE;
	if (op == IR_OP_NONE) {
		if (!p->panic)
			unknown_instruction(p);
		irp_define_failed(p);
		return;
	}
	IrRef before = ir_block(p->m, p->block)->last;
	irp_next(p);
	by_form(p, op, tail);
	IrRef made = ir_block(p->m, p->block)->last;
	if (p->panic) {
		if (ir_same(before, made))
			irp_define_failed(p);
		return;
	}
	IrInstInfo *i = ir_info(p->m, made);
	i->col = (u16)PS_MIN(p->col, 65535u);
	i->end_col = (u16)(p->last_line == p->line ? PS_MIN((u32)(p->last_end - start) + p->col, 65535u) : 0);
	if (p->comma_read || at(p, ',')) {
		u32 md = irp_attachments(p, &i->dbg, true);
		i->md = md;
	}
}
