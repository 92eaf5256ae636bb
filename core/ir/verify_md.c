/* verify_md.c: metadata whose form LLVM prescribes: attachments of instructions, functions and variables, module flags,
 * !llvm.ident. Does not check the relations between debug information nodes: LLVM drops invalid debug information without
 * an error. */
#include "ir/verify.h"

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, inst, __VA_ARGS__); \
	} while (0)

static const IrMdNode *node_of(const Verifier *v, IrMd md)
{
	const IrMdNode *n = md.i ? ir_md(v->m, md) : NULL;
	return n && n->kind == IRMD_NODE ? n : NULL;
}

/* Strings and values stand in nodes alone; text has no way to attach them, bitcode has. */
static bool may_be_attached(const Verifier *v, IrMd md)
{
	u8 kind = ir_md(v->m, md)->kind;
	return kind == IRMD_NODE || kind == IRMD_SPEC || kind == IRMD_EXPR;
}

static bool is_string(const Verifier *v, IrMd md) { return md.i && ir_md(v->m, md)->kind == IRMD_STRING; }

static Str string_of(const Verifier *v, IrMd md) { return is_string(v, md) ? ir_str(v->m, ir_md(v->m, md)->text) : (Str){0}; }

/* The constant an operand holds; none: it holds none. */
static IrRef const_of(const Verifier *v, IrMd md)
{
	return md.i && ir_md(v->m, md)->kind == IRMD_VALUE ? ir_md(v->m, md)->value : IR_NO_REF;
}

static bool int_of(const Verifier *v, IrMd md, u64 *bits)
{
	IrRef c = const_of(v, md);
	return c.i && ir_type_is_int(v->m, ir_type_of(v->m, c)) && ir_as_int(v->m, c, bits);
}

/* ---- attachments ---- */

static i64 sign_extend(u64 x, u32 bits) { return bits >= 64 ? (i64)x : (i64)(x << (64 - bits)) >> (64 - bits); }

/* What is wrong with pairs of limits of type `e`; empty: nothing. `all`: -1 to -1 is every number. */
static Str range_fault(Verifier *v, IrMd md, IrType e, bool all)
{
	const IrMdNode *n = node_of(v, md);
	Str             order = str_of("the pairs of a !range are in order and apart from each other");
	i64             last = 0, first_low = 0;
	if (!n || !n->n || n->n % 2)
		return str_of("!range needs pairs: !{i32 0, i32 32}");
	for (u32 k = 0; k < n->n; k += 2) {
		u64   a, b;
		IrRef lo = const_of(v, ir_md_op(v->m, md, k)), hi = const_of(v, ir_md_op(v->m, md, k + 1));
		if (!lo.i || !hi.i || !ir_type_is_int(v->m, ir_type_of(v->m, lo)) || !ir_type_is_int(v->m, ir_type_of(v->m, hi)))
			return str_of("the limits of a !range are integers");
		if (!ir_type_same(ir_type_of(v->m, lo), e) || !ir_type_same(ir_type_of(v->m, hi), e))
			return arena_fmt(v->m->arena, "the !range is of '%.*s', the value of '%.*s'",
			                 STR_ARG(irv_type(v, ir_type_of(v->m, lo))), STR_ARG(irv_type(v, e)));
		if (!ir_as_int(v->m, lo, &a) || !ir_as_int(v->m, hi, &b))
			return (Str){0};
		u32 bits = (u32)ir_size_bits(v->m, e);
		i64 low = sign_extend(a, bits), high = sign_extend(b, bits);
		if (a == b && !(all && low == -1))
			return arena_fmt(v->m->arena, "a !range from %llu to itself", (unsigned long long)a);
		if (k && (low <= last || (high <= low && (k + 2 < n->n || high >= first_low))))
			return order;
		first_low = k ? first_low : low;
		last = high;
	}
	return (Str){0};
}

static bool check_range(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	RULE(i->op == IR_LOAD || (ir_op_info[i->op].flags & IROF_CALLS), "!range stands at loads and calls");
	Str fault = range_fault(v, md, ir_scalar_type(v->m, i->type), false);
	RULE(!fault.n, "%.*s", STR_ARG(fault));
	return true;
}

static bool check_bytes(Verifier *v, IrRef inst, const IrInst *i, IrMd md, bool align)
{
	const IrMdNode *n = node_of(v, md);
	const char     *name = align ? "!align" : "!dereferenceable";
	u64             bytes = 0;
	RULE(ir_type_is_ptr(v->m, i->type), "%s needs a pointer, not '%.*s'", name, STR_ARG(irv_type(v, i->type)));
	RULE(i->op == IR_LOAD || (!align && i->op == IR_INTTOPTR), "%s stands at loads; calls have attributes", name);
	IrRef c = n && n->n == 1 ? const_of(v, ir_md_op(v->m, md, 0)) : IR_NO_REF;
	RULE(c.i && ir_type_of(v->m, c).i == IR_TY_I64 && ir_as_int(v->m, c, &bytes), "%s needs one i64: !{i64 16}", name);
	RULE(!align || (bytes && !(bytes & (bytes - 1))), "%llu is no power of two", (unsigned long long)bytes);
	RULE(!align || bytes <= 1ull << 32, "%llu is more than the greatest alignment, 4294967296", (unsigned long long)bytes);
	return true;
}

static bool check_empty(Verifier *v, IrRef inst, const IrInst *i, IrMd md, const char *name)
{
	const IrMdNode *n = node_of(v, md);
	bool            nonnull = str_is(str_of(name), "nonnull");
	RULE(!nonnull || ir_type_is_ptr(v->m, i->type), "!nonnull needs a pointer, not '%.*s'", STR_ARG(irv_type(v, i->type)));
	RULE(i->op == IR_LOAD || (!nonnull && (ir_op_info[i->op].flags & IROF_CALLS)) || !nonnull,
	     "!nonnull stands at loads; calls have attributes");
	RULE(!nonnull || (n && !n->n), "!%s has no operands: !{}", name);
	return true;
}

static bool check_fpmath(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	IrRef           c = n && n->n == 1 ? const_of(v, ir_md_op(v->m, md, 0)) : IR_NO_REF;
	u64             bits = 0;
	RULE(ir_type_is_fp(v->m, ir_scalar_type(v->m, i->type)), "!fpmath needs a floating-point result");
	RULE(c.i && ir_as_fp(v->m, c, &bits) && ir_type_of(v->m, c).i == IR_TY_FLOAT, "!fpmath needs one float: !{float 2.5}");
	RULE(bits && bits < 0x7F800000, "!fpmath needs a positive number");
	return true;
}

/* Kind, sum, and pairs of a value and how often it was seen. */
static bool check_value_profile(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	u64             kind = 0, number;
	RULE(n->n >= 5 && n->n % 2, "!prof of values is a kind, a sum, and pairs of a value and its count");
	for (u32 k = 1; k < n->n; k++)
		RULE(int_of(v, ir_md_op(v->m, md, k), k == 1 ? &kind : &number), "!prof of values has numbers");
	RULE(kind <= 2, "!prof of values is of the kind 0, 1 or 2, not %llu", (unsigned long long)kind);
	RULE(kind == 2 || (ir_op_info[i->op].flags & IROF_CALLS), "!prof of called functions or of sizes stands at calls");
	return true;
}

static bool check_prof(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(n && n->n >= 2, "!prof needs a kind and numbers: !{!\"branch_weights\", i32 1, i32 2}");
	RULE(is_string(v, ir_md_op(v->m, md, 0)), "the first operand of !prof is its kind, a string");
	Str kind = string_of(v, ir_md_op(v->m, md, 0));
	if (str_is(kind, "VP"))
		return check_value_profile(v, inst, i, md);
	bool ways = i->op == IR_SELECT || i->op == IR_CALL || ir_op_is_terminator(i->op);
	if (str_is(kind, "unknown")) {
		RULE(n->n == 2 && string_of(v, ir_md_op(v->m, md, 1)).n,
		     "!prof of the kind \"unknown\" has one more string: the pass that did not know");
		RULE(ways, "!prof stands at branches, calls and selects");
		return true;
	}
	RULE(str_is(kind, "branch_weights"), "!prof is of the kind \"branch_weights\", \"VP\" or \"unknown\", not \"%.*s\"",
	     STR_ARG(kind));
	u32 from = is_string(v, ir_md_op(v->m, md, 1)) ? 2 : 1, have = n->n - from;
	u32 want = i->op == IR_CALL ? 1 : i->op == IR_SELECT || i->op == IR_INVOKE ? 2 : ways ? ir_n_succs(v->m, i->block) : 0;
	RULE(ways, "branch weights stand at branches, calls and selects");
	RULE(have == want || (i->op == IR_INVOKE && have == 1),
	     i->op == IR_CALL ? "%u branch weights, a call has one" : "%u branch weights, %u ways to go", have, want);
	for (u32 k = from; k < n->n; k++) {
		IrRef c = const_of(v, ir_md_op(v->m, md, k));
		RULE(c.i && ir_type_is_int(v->m, ir_type_of(v->m, c)), "branch weights are integers");
	}
	return true;
}

/* A scope names itself or has a string, then its domain, which does the same. */
static bool is_self_or_named(const Verifier *v, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	return n && n->n && (ir_md_op(v->m, md, 0).i == md.i || is_string(v, ir_md_op(v->m, md, 0)));
}

static bool check_scopes(Verifier *v, IrRef inst, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(n, "alias scopes come in a list: !{!1, !2}");
	for (u32 k = 0; k < n->n; k++) {
		IrMd            scope = ir_md_op(v->m, md, k);
		const IrMdNode *s = node_of(v, scope);
		RULE(s, "element %u of the list of alias scopes is no node", k);
		RULE((s->n == 2 || s->n == 3) && is_self_or_named(v, scope),
		     "an alias scope is distinct !{itself, !domain} or !{!\"name\", !domain}");
		RULE(s->n < 3 || is_string(v, ir_md_op(v->m, scope, 2)), "the third operand of an alias scope is its name");
		IrMd            domain = ir_md_op(v->m, scope, 1);
		const IrMdNode *d = node_of(v, domain);
		RULE(d && (d->n == 1 || d->n == 2) && is_self_or_named(v, domain),
		     "a domain of alias scopes is distinct !{itself} or !{!\"name\"}");
	}
	return true;
}

/* A scalar type of TBAA: !{!"name", !parent} or !{!"name", !parent, i64 0}. */
static bool is_scalar_type(const Verifier *v, IrMd md)
{
	for (u32 depth = 0; depth < 100; depth++) {
		const IrMdNode *n = node_of(v, md);
		u64             zero = 0;
		if (!n || n->n > 3 || (depth == 0 && n->n < 2))
			return false;
		if (n->n < 2)
			return true; /* the root */
		if (!is_string(v, ir_md_op(v->m, md, 0)) || (n->n == 3 && (!int_of(v, ir_md_op(v->m, md, 2), &zero) || zero)))
			return depth > 0 && n->n != 3;
		md = ir_md_op(v->m, md, 1);
	}
	return false;
}

/* Does the path from a base type to an access type lead through a field at the offset? */
static bool leads_to(const Verifier *v, IrMd base, IrMd access, u64 offset)
{
	for (u32 depth = 0; depth < 100; depth++) {
		const IrMdNode *n = node_of(v, base);
		u64             at = 0, field = 0;
		u32             found = 0;
		if (base.i == access.i)
			return offset == 0;
		if (n && n->n == 2) { /* a scalar type leads to its parent */
			base = ir_md_op(v->m, base, 1);
			continue;
		}
		for (u32 k = 1; n && k + 1 < n->n; k += 2) {
			u64 next;
			if (!node_of(v, ir_md_op(v->m, base, k)) || !int_of(v, ir_md_op(v->m, base, k + 1), &next) ||
			    (k > 1 && next < field))
				return false;
			field = next;
			if (next <= offset) {
				found = k;
				at = next;
			}
		}
		if (!found)
			return false;
		base = ir_md_op(v->m, base, found);
		offset -= at;
	}
	return false;
}

/* Tags of the form that names an access type: !{base, access, offset[, constant]}; the newer one with sizes is taken. */
static bool check_tbaa(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	bool memory = i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_CALL || i->op == IR_VAARG || i->op == IR_ATOMICRMW ||
	              i->op == IR_CMPXCHG || i->op == IR_INVOKE;
	u64 flag = 0, offset = 0;
	RULE(memory, "!tbaa stands at accesses of memory");
	if (n && n->n && is_string(v, ir_md_op(v->m, md, 0))) {   /* a type in place of a tag: LLVM 3 */
		IrMd up = n->n == 3 ? ir_md_op(v->m, md, 1) : md; /* the third operand is whether the memory is constant */
		const IrMdNode *parent = node_of(v, up);
		RULE(n->n != 3 || (int_of(v, ir_md_op(v->m, md, 2), &flag) && flag < 2),
		     "the third operand of an old !tbaa type is 0 or 1: whether the memory is constant");
		RULE(parent && (is_scalar_type(v, up) || (n->n == 3 && parent->n == 1)),
		     "an old !tbaa type is !{!\"name\", !parent}");
		return true;
	}
	RULE(n && n->n >= 3 && node_of(v, ir_md_op(v->m, md, 0)), "a !tbaa tag is !{!base, !access, i64 offset}");
	const IrMdNode *base = node_of(v, ir_md_op(v->m, md, 0));
	if (base->n >= 3 && node_of(v, ir_md_op(v->m, ir_md_op(v->m, md, 0), 0)))
		return true; /* types with their sizes */
	RULE(n->n <= 4 && (n->n < 4 || (int_of(v, ir_md_op(v->m, md, 3), &flag) && flag < 2)),
	     "the fourth operand of a !tbaa tag is 0 or 1: whether the memory is constant");
	RULE(int_of(v, ir_md_op(v->m, md, 2), &offset), "the third operand of a !tbaa tag is an offset");
	RULE(is_scalar_type(v, ir_md_op(v->m, md, 1)),
	     "the second operand of a !tbaa tag is a scalar type: !{!\"name\", !parent, i64 0}");
	RULE(leads_to(v, ir_md_op(v->m, md, 0), ir_md_op(v->m, md, 1), offset),
	     "the base type of the !tbaa tag has no field of the access type at offset %llu", (unsigned long long)offset);
	return true;
}

static bool are_strings(const Verifier *v, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	for (u32 k = 0; n && k < n->n; k++)
		if (!is_string(v, ir_md_op(v->m, md, k)))
			return false;
	return n;
}

static bool check_annotation(Verifier *v, IrRef inst, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(n && n->n, "!annotation needs at least one string: !{!\"name\"}");
	for (u32 k = 0; k < n->n; k++)
		RULE(is_string(v, ir_md_op(v->m, md, k)) || are_strings(v, ir_md_op(v->m, md, k)),
		     "the operands of !annotation are strings");
	return true;
}

/* A group is distinct !{}; there may be a list of them. */
static bool check_access_groups(Verifier *v, IrRef inst, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	for (u32 k = 0; n && k < n->n; k++) {
		const IrMdNode *group = node_of(v, ir_md_op(v->m, md, k));
		RULE(group && group->distinct && !group->n, "access groups are nodes: distinct !{}");
	}
	return true;
}

/* ---- attachments: memory profiles, memory model ---- */

/* Numbers of frames. */
static bool is_call_stack(const Verifier *v, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	u64             frame;
	for (u32 k = 0; n && k < n->n; k++)
		if (!int_of(v, ir_md_op(v->m, md, k), &frame))
			return false;
	return n && n->n;
}

static bool is_size_pair(const Verifier *v, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	u64             number;
	return n && n->n == 2 && int_of(v, ir_md_op(v->m, md, 0), &number) && int_of(v, ir_md_op(v->m, md, 1), &number);
}

static bool check_memprof(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(ir_op_info[i->op].flags & IROF_CALLS, "!memprof stands at calls");
	RULE(n && n->n, "!memprof needs at least one block: !{!{!stack, !\"cold\"}}");
	for (u32 k = 0; k < n->n; k++) {
		IrMd            block = ir_md_op(v->m, md, k);
		const IrMdNode *b = node_of(v, block);
		RULE(b && b->n >= 2 && is_call_stack(v, ir_md_op(v->m, block, 0)) && is_string(v, ir_md_op(v->m, block, 1)),
		     "a block of !memprof is a stack and a string: !{!{i64 1}, !\"cold\"}");
		for (u32 j = 2; j < b->n; j++)
			RULE(is_size_pair(v, ir_md_op(v->m, block, j)),
			     "behind the string of a block of !memprof stand pairs of a context and its size: !{i64 1, i64 2}");
	}
	return true;
}

static bool check_callsite(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	RULE(ir_op_info[i->op].flags & IROF_CALLS, "!callsite stands at calls");
	RULE(is_call_stack(v, md), "!callsite is a list of integers: !{i64 1, i64 2}");
	return true;
}

static bool is_mmra_tag(const Verifier *v, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	return n && n->n == 2 && are_strings(v, md);
}

static bool check_mmra(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	bool memory = i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_ATOMICRMW || i->op == IR_CMPXCHG || i->op == IR_FENCE;
	RULE(memory || (ir_op_info[i->op].flags & IROF_CALLS), "!mmra stands at accesses of memory, fences and calls");
	RULE(n, "!mmra is a tag, !{!\"prefix\", !\"suffix\"}, or a list of tags");
	for (u32 k = 0; k < n->n && !is_mmra_tag(v, md); k++)
		RULE(is_mmra_tag(v, ir_md_op(v->m, md, k)), "!mmra is a tag, !{!\"prefix\", !\"suffix\"}, or a list of tags");
	return true;
}

/* What a store of a pointer lets others know of it. */
static bool check_captures(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(i->op == IR_STORE && ir_type_is_ptr(v->m, ir_type_of(v->m, ir_op(v->m, inst, 0))),
	     "!captures stands at stores of pointers");
	RULE(n && n->n, "!captures is a list of strings, which is not empty");
	for (u32 k = 0; k < n->n; k++)
		RULE(str_is_among(" address_is_null address read_provenance provenance ", string_of(v, ir_md_op(v->m, md, k))),
		     "!captures has \"address\", \"address_is_null\", \"provenance\" and \"read_provenance\"");
	return true;
}

/* Address spaces in which the memory does not lie: pairs, as of a range. */
static bool check_spaces(Verifier *v, IrRef inst, IrMd md)
{
	Str fault = range_fault(v, md, IR_TYPE(I32), false);
	RULE(!fault.n, "!noalias.addrspace: %.*s", STR_ARG(fault));
	return true;
}

/* Types of functions that may be called: !{!{i64 0, !"name.generalized"}} */
static bool check_callee_types(Verifier *v, IrRef inst, const IrInst *i, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	RULE(ir_op_info[i->op].flags & IROF_CALLS, "!callee_type stands at calls");
	RULE(n, "!callee_type is a list of types: !{!{i64 0, !\"name.generalized\"}}");
	for (u32 k = 0; k < n->n; k++) {
		IrMd            type = ir_md_op(v->m, md, k);
		const IrMdNode *t = node_of(v, type);
		u64             zero = 1;
		Str             name = t && t->n == 2 ? string_of(v, ir_md_op(v->m, type, 1)) : (Str){0};
		RULE(name.n > 12 && memcmp(name.p + name.n - 12, ".generalized", 12) == 0 &&
		             int_of(v, ir_md_op(v->m, type, 0), &zero) && zero == 0,
		     "a type of !callee_type is !{i64 0, !\"name.generalized\"}");
	}
	return true;
}

typedef enum Form {
	FORM_RANGE,
	FORM_ALIGN,
	FORM_DEREFERENCEABLE,
	FORM_NONNULL,
	FORM_NOUNDEF,
	FORM_FPMATH,
	FORM_PROF,
	FORM_SCOPES,
	FORM_TBAA,
	FORM_ANNOTATION,
	FORM_GROUP,
	FORM_MEMPROF,
	FORM_CALLSITE,
	FORM_MMRA,
	FORM_INVARIANT,
	FORM_NOFREE,
	FORM_CAPTURES,
	FORM_SPACES,
	FORM_CALLEE
} Form;

static bool check_form(Verifier *v, IrRef inst, const IrInst *i, IrMd md, Form form)
{
	switch (form) {
	case FORM_RANGE: return check_range(v, inst, i, md);
	case FORM_ALIGN: return check_bytes(v, inst, i, md, true);
	case FORM_DEREFERENCEABLE: return check_bytes(v, inst, i, md, false);
	case FORM_NONNULL: return check_empty(v, inst, i, md, "nonnull");
	case FORM_NOUNDEF: return check_empty(v, inst, i, md, "noundef");
	case FORM_FPMATH: return check_fpmath(v, inst, i, md);
	case FORM_PROF: return check_prof(v, inst, i, md);
	case FORM_SCOPES: return check_scopes(v, inst, md);
	case FORM_TBAA: return check_tbaa(v, inst, i, md);
	case FORM_ANNOTATION: return check_annotation(v, inst, md);
	case FORM_GROUP: return check_access_groups(v, inst, md);
	case FORM_MEMPROF: return check_memprof(v, inst, i, md);
	case FORM_CALLSITE: return check_callsite(v, inst, i, md);
	case FORM_MMRA: return check_mmra(v, inst, i, md);
	case FORM_INVARIANT: RULE(i->op == IR_LOAD || i->op == IR_STORE, "!invariant.group stands at loads and stores"); break;
	case FORM_NOFREE:
		RULE(i->op == IR_INTTOPTR, "!nofree stands at inttoptr");
		RULE(node_of(v, md) && !node_of(v, md)->n, "!nofree has no operands: !{}");
		break;
	case FORM_CAPTURES: return check_captures(v, inst, i, md);
	case FORM_SPACES: return check_spaces(v, inst, md);
	case FORM_CALLEE: return check_callee_types(v, inst, i, md);
	}
	return true;
}

bool irv_check_attachments(Verifier *v, IrRef inst)
{
	static const struct {
		const char *kind;
		u8          form;
	} forms[] = {{"range", FORM_RANGE},
	             {"align", FORM_ALIGN},
	             {"dereferenceable", FORM_DEREFERENCEABLE},
	             {"dereferenceable_or_null", FORM_DEREFERENCEABLE},
	             {"nonnull", FORM_NONNULL},
	             {"noundef", FORM_NOUNDEF},
	             {"fpmath", FORM_FPMATH},
	             {"prof", FORM_PROF},
	             {"alias.scope", FORM_SCOPES},
	             {"noalias", FORM_SCOPES},
	             {"tbaa", FORM_TBAA},
	             {"annotation", FORM_ANNOTATION},
	             {"llvm.access.group", FORM_GROUP},
	             {"memprof", FORM_MEMPROF},
	             {"callsite", FORM_CALLSITE},
	             {"mmra", FORM_MMRA},
	             {"invariant.group", FORM_INVARIANT},
	             {"nofree", FORM_NOFREE},
	             {"captures", FORM_CAPTURES},
	             {"noalias.addrspace", FORM_SPACES},
	             {"callee_type", FORM_CALLEE}};
	const IrInst *i = ir_inst(v->m, inst);
	for (u32 at = ir_info(v->m, inst)->md; at;) {
		const IrAttach *a = pages_at(&v->m->attach, at);
		Str             kind = ir_str(v->m, a->kind);
		RULE(may_be_attached(v, a->node), "what is attached as !%.*s is no node of metadata", STR_ARG(kind));
		for (u32 k = 0; k < PS_COUNT(forms); k++)
			if (str_is(kind, forms[k].kind) && !check_form(v, inst, i, a->node, (Form)forms[k].form))
				return false;
		at = a->next;
	}
	return true;
}

/* ---- attachments of functions and variables ---- */

static bool check_entry_count(Verifier *v, IrRef g, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	Str             kind = n && n->n >= 2 ? string_of(v, ir_md_op(v->m, md, 0)) : (Str){0};
	u64             count;
	if (ir_is_decl(ir_func(v->m, g)))
		return irv_global(v, g, "a declaration has no !prof");
	if (str_is(kind, "unknown"))
		return (n->n == 2 && string_of(v, ir_md_op(v->m, md, 1)).n) ||
		       irv_global(v, g, "!prof of the kind \"unknown\" has one more string: the pass that did not know");
	if (!str_is(kind, "function_entry_count") && !str_is(kind, "synthetic_function_entry_count"))
		return irv_global(v, g, "the !prof of a function is !{!\"function_entry_count\", i64 1}");
	return int_of(v, ir_md_op(v->m, md, 1), &count) || irv_global(v, g, "the count in !prof is an integer");
}

static bool check_kcfi_type(Verifier *v, IrRef g, IrMd md)
{
	const IrMdNode *n = node_of(v, md);
	IrRef           type = n && n->n == 1 ? const_of(v, ir_md_op(v->m, md, 0)) : IR_NO_REF;
	return (type.i && ir_kind(type) == IR_CONST && ir_type_of(v->m, type).i == IR_TY_I32) ||
	       irv_global(v, g, "!kcfi_type needs one i32: !{i32 1}");
}

/* A node that names another symbol by a pointer; what is said where it is none, and where it is the symbol itself. */
static bool check_other(Verifier *v, IrRef g, IrMd md, const char *none, const char *itself)
{
	const IrMdNode *n = node_of(v, md);
	IrRef           to = n && n->n == 1 ? const_of(v, ir_md_op(v->m, md, 0)) : IR_NO_REF;
	if (!to.i || !ir_type_is_ptr(v->m, ir_type_of(v->m, to)))
		return irv_global(v, g, "%s", none);
	return !ir_same(to, g) || irv_global(v, g, "%s", itself);
}

static bool check_associated(Verifier *v, IrRef g, IrMd md)
{
	return check_other(v, g, md, "!associated needs one pointer to a global: !{ptr @x}", "it is !associated with itself");
}

static bool check_implicit_ref(Verifier *v, IrRef g, IrMd md)
{
	return check_other(v, g, md, "!implicit.ref needs one pointer: !{ptr @x}", "its !implicit.ref is itself");
}

bool irv_check_global_attachments(Verifier *v, IrRef g)
{
	bool func = ir_global(v->m, g)->kind == IRG_FUNC;
	for (u32 at = ir_global(v->m, g)->md; at;) {
		const IrAttach *a = pages_at(&v->m->attach, at);
		Str             kind = ir_str(v->m, a->kind);
		if (!may_be_attached(v, a->node))
			return irv_global(v, g, "what is attached as !%.*s is no node of metadata", STR_ARG(kind));
		if (func && str_is(kind, "prof") && !check_entry_count(v, g, a->node))
			return false;
		if (func && str_is(kind, "kcfi_type") && !check_kcfi_type(v, g, a->node))
			return false;
		if (str_is(kind, "associated") && !check_associated(v, g, a->node))
			return false;
		if (!func && str_is(kind, "implicit.ref") && !check_implicit_ref(v, g, a->node))
			return false;
		Str fault = !func && str_is(kind, "absolute_symbol") ? range_fault(v, a->node, IR_TYPE(I64), true) : (Str){0};
		if (fault.n)
			return irv_global(v, g, "!absolute_symbol: %.*s", STR_ARG(fault));
		at = a->next;
	}
	return true;
}

/* ---- named metadata ---- */

bool irv_md(Verifier *v, u32 line, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str rule = arena_vfmt(v->m->arena, fmt, ap);
	va_end(ap);
	v->failures++;
	diag_report(&v->m->s->diags, DIAG_IR_INVALID_MD, line ? src_at(line, 1) : (SrcRange){0}, name, STR_ARG(rule));
	return false;
}

/* Calls from one function to another, and how often: !{ptr @f, ptr @g, i64 7} */
static bool is_call_profile(const Verifier *v, IrMd list)
{
	for (u32 i = 0; i < node_of(v, list)->n; i++) {
		IrMd            call = ir_md_op(v->m, list, i);
		const IrMdNode *n = node_of(v, call);
		u64             count;
		if (!n || n->n != 3 || !int_of(v, ir_md_op(v->m, call, 2), &count))
			return false;
		for (u32 k = 0; k < 2; k++) {
			IrMd f = ir_md_op(v->m, call, k);
			if (f.i && !ir_func(v->m, const_of(v, f)))
				return false;
		}
	}
	return true;
}

static bool check_flag(Verifier *v, IrMd flag, Map *seen)
{
	const IrMdNode *n = node_of(v, flag);
	u32             line = n ? n->origin : 0;
	u64             behavior = 0, value = 0;
	bool            fresh = true;
	if (!n || n->n != 3)
		return irv_md(v, line, "llvm.module.flags", "a flag is !{i32 behavior, !\"name\", value}");
	IrMd id = ir_md_op(v->m, flag, 1), what = ir_md_op(v->m, flag, 2);
	if (!int_of(v, ir_md_op(v->m, flag, 0), &behavior) || behavior < 1 || behavior > 8)
		return irv_md(v, line, "llvm.module.flags", "the behavior of a flag is i32 1 to i32 8");
	if (!is_string(v, id))
		return irv_md(v, line, "llvm.module.flags", "the second operand of a flag is its name, a string");
	Str name = string_of(v, id);
	if (behavior == 3)
		return (node_of(v, what) && node_of(v, what)->n == 2 && is_string(v, ir_md_op(v->m, what, 0))) ||
		       irv_md(v, line, "llvm.module.flags", "\"%.*s\": a requirement is !{!\"name\", value}", STR_ARG(name));
	map_put(seen, ir_md(v->m, id)->text.i, &fresh);
	if (!fresh)
		return irv_md(v, line, "llvm.module.flags", "the flag \"%.*s\" is given twice", STR_ARG(name));
	if ((behavior == 5 || behavior == 6) && !node_of(v, what))
		return irv_md(v, line, "llvm.module.flags", "\"%.*s\": the value of a flag that is appended to is a node",
		              STR_ARG(name));
	if (str_is(name, "Linker Options"))
		return irv_md(v, line, "llvm.module.flags", "\"Linker Options\" are !llvm.linker.options since LLVM 5");
	if (str_is(name, "CG Profile") && node_of(v, what) && !is_call_profile(v, what))
		return irv_md(v, line, "llvm.module.flags",
		              "\"CG Profile\" is a list of two functions and a number each: !{ptr @f, ptr @g, i64 7}");
	if ((behavior == 7 || behavior == 8 || str_is_among(" wchar_size SemanticInterposition ", name)) &&
	    !int_of(v, what, &value))
		return irv_md(v, line, "llvm.module.flags", "\"%.*s\": the value must be an integer", STR_ARG(name));
	if (behavior == 8 && sign_extend(value, 32) < 0)
		return irv_md(v, line, "llvm.module.flags", "\"%.*s\": the value must not be negative", STR_ARG(name));
	return true;
}

/* Lists of nodes of one string. */
static void check_strings(Verifier *v, const IrNamedMd *list, const char *name)
{
	for (u32 i = 0; i < list->n; i++) {
		IrMd            md = {v->m->md_ops.p[list->first + i]};
		const IrMdNode *n = node_of(v, md);
		if (!n || n->n != 1 || !is_string(v, ir_md_op(v->m, md, 0)))
			irv_md(v, n ? n->origin : list->origin, name, "each entry is one string: !{!\"...\"}");
	}
}

/* Is there a flag of that name which is a number? */
static bool has_number(const Verifier *v, const IrNamedMd *flags, const char *name)
{
	u64 value;
	for (u32 i = 0; flags && i < flags->n; i++) {
		IrMd flag = {v->m->md_ops.p[flags->first + i]};
		if (node_of(v, flag) && node_of(v, flag)->n == 3 && str_is(string_of(v, ir_md_op(v->m, flag, 1)), name))
			return int_of(v, ir_md_op(v->m, flag, 2), &value);
	}
	return false;
}

static void check_platform(Verifier *v, const IrNamedMd *flags)
{
	if (has_number(v, flags, "aarch64-elf-pauthabi-platform") != has_number(v, flags, "aarch64-elf-pauthabi-version"))
		irv_md(v, flags->origin, "llvm.module.flags",
		       "\"aarch64-elf-pauthabi-platform\" and \"aarch64-elf-pauthabi-version\" are given both or not at all");
}

/* What errno is to TBAA: tags. */
static void check_errno(Verifier *v)
{
	const IrNamedMd *list = ir_named_md(v->m, "llvm.errno.tbaa");
	u64              offset;
	if (list && !list->n)
		irv_md(v, list->origin, "llvm.errno.tbaa", "it has at least one tag");
	for (u32 i = 0; list && i < list->n; i++) {
		IrMd            md = {v->m->md_ops.p[list->first + i]};
		const IrMdNode *n = node_of(v, md);
		if (!n || n->n < 3 || !node_of(v, ir_md_op(v->m, md, 0)) || !node_of(v, ir_md_op(v->m, md, 1)) ||
		    !int_of(v, ir_md_op(v->m, md, 2), &offset))
			irv_md(v, n ? n->origin : list->origin, "llvm.errno.tbaa", "a tag is !{!base, !access, i64 offset}");
	}
}

void irv_check_named_md(Verifier *v)
{
	irv_check_nodes(v);
	const IrNamedMd *flags = ir_named_md(v->m, "llvm.module.flags");
	const IrNamedMd *ident = ir_named_md(v->m, "llvm.ident"), *line = ir_named_md(v->m, "llvm.commandline");
	Map              seen;
	map_init(&seen, &v->scratch);
	for (u32 i = 0; flags && i < flags->n; i++)
		check_flag(v, (IrMd){v->m->md_ops.p[flags->first + i]}, &seen);
	check_platform(v, flags);
	check_errno(v);
	if (ident)
		check_strings(v, ident, "llvm.ident");
	if (line)
		check_strings(v, line, "llvm.commandline");
	if (!v->failures)
		irv_check_debug(v);
}
