/* verify_intrinsic.c: declarations and calls of llvm.*, against the rows of intrinsics.def. */
#include "ir/lex.h"
#include "ir/signature.h"
#include "ir/upgrade.h"
#include "ir/verify.h"

/* The first place at which the types differ becomes the error. */
static void first_difference(IrModule *m, IrType have, IrType want, IrSignatureError *e)
{
	u32 n = ir_func_params(m, want);
	if (ir_func_params(m, have) != n) {
		*e = (IrSignatureError){.place = IRSIG_COUNT, .param = n};
		return;
	}
	for (u32 i = 0; i <= n; i++)
		if (!ir_type_same(ir_type_elem(m, have, i), ir_type_elem(m, want, i))) {
			*e = (IrSignatureError){i ? IRSIG_PARAM : IRSIG_RESULT, i, ir_type_elem(m, have, i),
			                        ir_type_elem(m, want, i), ""};
			return;
		}
}

static bool report_signature(Verifier *v, IrRef g, const IrSignatureError *e, u32 have_params)
{
	bool result = e->place == IRSIG_RESULT;
	Str  what = result ? str_of("its result") : arena_fmt(v->m->arena, "parameter %u", e->param);
	if (e->place == IRSIG_COUNT)
		return irv_global(v, g, "the intrinsic takes %u argument%s, not %u", e->param, e->param == 1 ? "" : "s",
		                  have_params);
	if (e->want.i)
		return irv_global(v, g, "%.*s has type '%.*s', the intrinsic has '%.*s' there", STR_ARG(what),
		                  STR_ARG(irv_type(v, e->have)), STR_ARG(irv_type(v, e->want)));
	return irv_global(v, g, "%.*s has type '%.*s', the intrinsic needs %s there", STR_ARG(what),
	                  STR_ARG(irv_type(v, e->have)), e->what);
}

bool irv_check_intrinsic(Verifier *v, IrFunc *f)
{
	if (!ir_is_decl(f))
		return irv_global(v, f->ref, "names that begin with llvm. are intrinsics: they cannot be defined");
	ir_each_use(v->m, f->ref, u) {
		u32 kind = ir_kind(ir_use(v->m, u)->user);
		if ((kind == IR_CONST || kind == IR_GLOBAL))
			return irv_global(v, f->ref, "it is an intrinsic: it can only be called");
	}
	return true;
}

/* The declaration against its row: when it is first called. LLVM leaves those that are not called alone. */
static bool check_signature(Verifier *v, IrFunc *f, u32 row)
{
	IrGlobal        *g = ir_global(v->m, f->ref);
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	if (g->flags & IRGF_SIGNATURE_SEEN)
		return !(g->flags & IRGF_SIGNATURE_BAD);
	g->flags |= IRGF_SIGNATURE_SEEN;
	const char *sig = ir_intrinsic_signature(row);
	if (ir_signature_fits(v->m, sig, g->type, over, &e))
		return true;
	g->flags |= IRGF_SIGNATURE_BAD;
	/* Where the name tells the types, it is right and they are wrong. */
	Str    name = ir_str(v->m, g->name), suffix = ir_intrinsic_suffix(name, row);
	IrType want = ir_signature_named(v->m, sig, suffix, over);
	if (want.i)
		first_difference(v->m, g->type, want, &e);
	report_signature(v, f->ref, &e, ir_func_params(v->m, g->type));
	Diags *d = &v->m->s->diags;
	if (want.i && d->list.n) {
		Str right = ir_mangled(v->m, (Str){name.p, name.n - suffix.n}, over);
		diag_hint(d, &d->list.p[d->list.n - 1], "write: %.*s", STR_ARG(ir_declaration_line(v->m, right, want)));
	}
	return false;
}

/* An intrinsic of older versions that is still called: the declaration has another type than it had there, or the call has no constant
 * where it was to have one. Where bodies are only checked, other calls are left as they are. */
static bool check_older(Verifier *v, IrRef call, IrFunc *f)
{
	IrGlobal        *g = ir_global(v->m, f->ref);
	Str              name = ir_str(v->m, g->name);
	u32              row = ir_upgrade_row(v->m, name);
	IrType           over[IR_MAX_OVERLOADS];
	IrSignatureError e;
	if (!row)
		return true;
	if (!ir_signature_fits(v->m, ir_upgrade_signature(row), g->type, over, &e))
		return report_signature(v, f->ref, &e, ir_func_params(v->m, g->type));
	u32 constant = ir_upgrade_constant(row);
	return !constant ||
	       irv_inst(v, call, "argument %u of '%.*s' must be a constant of those that it takes", constant, STR_ARG(name));
}

static bool is_immediate(const IrModule *m, IrRef a)
{
	IrType t = ir_type_of(m, a);
	if (ir_kind(a) == IR_MD)
		return true;
	if (ir_type_is_int(m, t) || ir_type_is_fp(m, t))
		return ir_kind(a) == IR_CONST && (ir_const(m, a)->kind == IRC_INT || ir_const(m, a)->kind == IRC_FP);
	return ir_is_const(m, a);
}

/* ---- values of arguments ---- */

typedef enum Check {
	CHECK_NONE,
	CHECK_FPCLASS, /* a mask of ten classes */
	CHECK_PREFETCH,
	CHECK_SCALE, /* less than the width (signed) or at most (unsigned) */
	CHECK_UNSIGNED_SCALE,
	CHECK_SPLICE_LEFT,
	CHECK_SPLICE_RIGHT,
	CHECK_STEP,    /* elements of at least 8 bits */
	CHECK_PARTIAL, /* argument 1 has a multiple of the elements of the result */
	CHECK_EXTRACT, /* the index is a multiple of the shorter vector's length, inside the longer one */
	CHECK_INSERT,
	CHECK_PTRMASK,
	CHECK_BSWAP,
	CHECK_CONSTRAINED, /* the last arguments: rounding or a predicate, exceptions */
	CHECK_CONSTRAINED_NARROWS,
	CHECK_CONSTRAINED_WIDENS,
	CHECK_PREDICATE, /* argument 2 */
	CHECK_FPREDICATE,
	CHECK_NARROWS, /* from argument 0 to the result */
	CHECK_WIDENS,
	CHECK_ELEMENTS, /* the size of what is copied at once */
	CHECK_SCOPE_LIST,
	CHECK_ENTRY,
	CHECK_LOOP,
	CHECK_VA_START,
	CHECK_ASSUME,
	CHECK_MATRIX, /* the last arguments: rows and columns of the result, or of what is stored */
	CHECK_PRODUCT,
	CHECK_LANES,    /* argument 1: a number of lanes */
	CHECK_ORDERING, /* -1, 0 and 1 */
	CHECK_REGISTERS,
	CHECK_ROUNDS,  /* the last argument */
	CHECK_PATTERN, /* argument 1 has a size */
	/* in the order of IrvSurroundings */
	CHECK_THREAD_LOCAL,
	CHECK_ESCAPE,
	CHECK_RECOVER,
	CHECK_DEOPT,
	CHECK_DEOPTIMIZE,
	CHECK_COLLECTED,
	CHECK_ROOT,
	CHECK_STATEPOINT,
	CHECK_RESULT,
	CHECK_RELOCATE,
	CHECK_AREA,
	CHECK_TEXT,
	CHECK_POINTEE,
} Check;
_Static_assert(CHECK_POINTEE - CHECK_THREAD_LOCAL == IRV_POINTEE, "one for each of IrvSurroundings");

static const u8 checks[] = {
#define IR_INTRINSIC(names, signature, effect, immediates, family, lowering)      CHECK_NONE,
#define IR_CHECKED(check, names, signature, effect, immediates, family, lowering) CHECK_##check,
#include "ir/intrinsics.def"
};

#define RULE(cond, ...)                                        \
	do {                                                   \
		if (!(cond))                                   \
			return irv_inst(v, call, __VA_ARGS__); \
	} while (0)

static Str md_text(const IrModule *m, IrRef r)
{
	IrMdNode *n = ir_kind(r) == IR_MD && ir_index(r) ? ir_md(m, (IrMd){ir_index(r)}) : NULL;
	return n && n->kind == IRMD_STRING ? ir_str(m, n->text) : (Str){0};
}

static bool is_one_of(Str s, const char *const *words, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (str_is(s, words[i]))
			return true;
	return false;
}

static bool check_predicate(Verifier *v, IrRef call, u32 at, bool fp)
{
	Str  p = md_text(v->m, ir_call_arg(v->m, call, at));
	bool known = false;
	for (u32 i = fp ? IRP_OEQ : IRP_I_EQ; i <= (fp ? IRP_UNE : IRP_I_SLE) && !known; i++)
		known = str_is(p, ir_pred_name[i]);
	RULE(known, "argument %u must be a predicate of %s", at + 1,
	     fp ? "fcmp: !\"oeq\", !\"une\", …" : "icmp: !\"eq\", !\"slt\", …");
	return true;
}

/* From argument 0 to the result. */
static bool check_width(Verifier *v, IrRef call, bool narrows)
{
	IrType from = ir_type_of(v->m, ir_call_arg(v->m, call, 0)), to = ir_inst(v->m, call)->type;
	u64    bits = ir_size_bits(v->m, ir_scalar_type(v->m, from)), now = ir_size_bits(v->m, ir_scalar_type(v->m, to));
	RULE(narrows ? now < bits : now > bits, "its result must be %s than its argument: '%.*s' to '%.*s'",
	     narrows ? "narrower" : "wider", STR_ARG(irv_type(v, from)), STR_ARG(irv_type(v, to)));
	return true;
}

static const char *const roundings[] = {"round.dynamic", "round.tonearest",  "round.downward",
                                        "round.upward",  "round.towardzero", "round.tonearestaway"};

static bool check_constrained(Verifier *v, IrRef call, u32 n)
{
	static const char *const exceptions[] = {"fpexcept.ignore", "fpexcept.maytrap", "fpexcept.strict"};
	IrModule                *m = v->m;
	IrRef                    mode = ir_call_arg(m, call, n - 2);
	bool                     compares = ir_scalar_type(m, ir_inst(m, call)->type).i == IR_TY_I1;
	if (ir_kind(mode) == IR_MD && compares && !check_predicate(v, call, n - 2, true))
		return false;
	RULE(ir_kind(mode) != IR_MD || compares || is_one_of(md_text(m, mode), roundings, PS_COUNT(roundings)),
	     "argument %u must be a rounding: !\"round.tonearest\", .downward, .upward, .towardzero, .tonearestaway or .dynamic",
	     n - 1);
	RULE(is_one_of(md_text(m, ir_call_arg(m, call, n - 1)), exceptions, PS_COUNT(exceptions)),
	     "argument %u must be !\"fpexcept.ignore\", !\"fpexcept.maytrap\" or !\"fpexcept.strict\"", n);
	return true;
}

/* Elements are copied as atomic operations of their size: what they are in is aligned by it. */
static bool check_elements(Verifier *v, IrRef call, u64 size)
{
	IrModule *m = v->m;
	RULE(size && (size & (size - 1)) == 0, "the element size %llu is no power of two", (unsigned long long)size);
	for (u32 i = 0; i < 2; i++) {
		const IrAttr *align = ir_call_param_attr(m, call, i, IRA_ALIGN);
		if (ir_type_is_ptr(m, ir_type_of(m, ir_call_arg(m, call, i))))
			RULE(align && align->a >= size, "argument %u needs the alignment of its elements: align %llu", i + 1,
			     (unsigned long long)size);
	}
	return true;
}

/* `short` elements from `index` on, of `all`. */
static bool check_subvector(Verifier *v, IrRef call, u64 index, IrType part, IrType whole)
{
	u64 n = ir_type_count(v->m, part), all = ir_type_count(v->m, whole);
	RULE(ir_type_same(ir_scalar_type(v->m, part), ir_scalar_type(v->m, whole)), "both vectors must have the same elements");
	RULE(index % n == 0, "the index %llu must be a multiple of the part's length, %llu", (unsigned long long)index,
	     (unsigned long long)n);
	/* How many of a scalable vector's elements a fixed one overlaps is known when the program runs. */
	bool known = ir_type_is_scalable_vector(v->m, part) == ir_type_is_scalable_vector(v->m, whole);
	RULE(!known || (n <= all && index <= all - n), "%llu elements from %llu on are not in '%.*s'", (unsigned long long)n,
	     (unsigned long long)index, STR_ARG(irv_type(v, whole)));
	return true;
}

/* The result begins at an element of the first vector, or has as many of its last ones. Of a scalable vector only so many are there that
 * the function's vscale_range promises. */
static bool check_splice(Verifier *v, IrRef call, Check check, i64 at)
{
	IrType        t = ir_inst(v->m, call)->type;
	const IrAttr *range = ir_attrs_find(v->m, v->f->fn, IRA_VSCALE_RANGE);
	i64           lanes = (i64)ir_type_count(v->m, t), most;
	if (ir_type_is_scalable_vector(v->m, t) && range && range->a)
		lanes *= (i64)range->a;
	most = check == CHECK_SPLICE_RIGHT ? lanes : lanes - 1;
	RULE(at >= 0 && at <= most, "the index must be in 0 ... %lld", (long long)most);
	return true;
}

static bool check_steps(Verifier *v, IrRef call)
{
	RULE(ir_size_bits(v->m, ir_scalar_type(v->m, ir_inst(v->m, call)->type)) >= 8, "its elements need at least 8 bits");
	return true;
}

/* `t`: of the sums, which are also argument 0. */
static bool check_partial(Verifier *v, IrRef call, IrType t)
{
	u64 all = ir_type_count(v->m, ir_type_of(v->m, ir_call_arg(v->m, call, 1))), sums = ir_type_count(v->m, t);
	RULE(all % sums == 0, "the %llu elements of argument 2 are no multiple of the %llu of its result",
	     (unsigned long long)all, (unsigned long long)sums);
	return true;
}

static bool check_shape(Verifier *v, IrRef call, IrType t, u64 rows, u64 columns, const char *what)
{
	RULE(rows * columns == ir_type_count(v->m, t), "%s is '%.*s', which has not %llu rows of %llu elements", what,
	     STR_ARG(irv_type(v, t)), (unsigned long long)rows, (unsigned long long)columns);
	return true;
}

static bool check_matrix(Verifier *v, IrRef call, u32 n, bool product)
{
	IrModule *m = v->m;
	IrType    result = ir_inst(m, call)->type, t = result.i == IR_TY_VOID ? ir_type_of(m, ir_call_arg(m, call, 0)) : result;
	IrType    elem = ir_scalar_type(m, t);
	u64       rows = 0, inner = 0, columns = 0, stride = 0;
	ir_as_int(m, ir_call_arg(m, call, product ? 2 : n - 2), &rows);
	ir_as_int(m, ir_call_arg(m, call, n - 1), &columns);
	RULE(ir_type_is_int(m, elem) || ir_type_is_fp(m, elem), "a matrix has integers or floating-point numbers, not '%.*s'",
	     STR_ARG(irv_type(v, elem)));
	for (u32 i = 0; i < 2 && product; i++) {
		IrType arg = ir_type_of(m, ir_call_arg(m, call, i));
		ir_as_int(m, ir_call_arg(m, call, 3), &inner);
		RULE(ir_type_same(ir_scalar_type(m, arg), elem), "argument %u must have elements of '%.*s'", i + 1,
		     STR_ARG(irv_type(v, elem)));
		if (!check_shape(v, call, arg, i ? inner : rows, i ? columns : inner, i ? "argument 2" : "argument 1"))
			return false;
	}
	RULE(n < 5 || product || !ir_as_int(m, ir_call_arg(m, call, n - 4), &stride) || stride >= rows,
	     "the stride must be at least the %llu rows", (unsigned long long)rows);
	return check_shape(v, call, t, rows, columns, result.i == IR_TY_VOID ? "argument 1" : "its result");
}

/* What a bundle of llvm.assume says with an attribute's name: of a value, of a value and a number, of the place. */
enum {
	ASSUMED_FLAG = 0,
	ASSUMED_TYPE = 0,
	ASSUMED_RANGE = 0,
	ASSUMED_RANGES = 0,
	ASSUMED_CAPTURES = 0,
	ASSUMED_INT = 2,
	ASSUMED_OPTINT = 2,
	ASSUMED_ALIGN = 2,
	ASSUMED_STRING = 2,
	ASSUMED_PAIR = 2,
	ASSUMED_MEMORY = 2,
	ASSUMED_FPCLASS = 2,
	ASSUMED_UWTABLE = 2,
	ASSUMED_FPENV = 2,
	ASSUMED_SCALE = 2,
};
enum { F = 0, P = 1, R = 0, V = 0 };
static const u8 assumed[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = ASSUMED_##form ? ASSUMED_##form : ((places)&P),
#include "ir/attrs.def"
};

/* Bitcode is read without them. */
static const Words *words_of(IrModule *m)
{
	if (!m->words) {
		Words *words = arena_new(m->arena, Words);
		ir_words_init(m->arena, words);
		m->words = words;
	}
	return m->words;
}

static bool check_assumption(Verifier *v, IrRef call, const IrBundle *b)
{
	IrModule   *m = v->m;
	Str         tag = ir_str(m, b->tag);
	const Word *w = ir_word_find(words_of(m), tag);
	IrRef       op[3] = {0};
	for (u32 i = 0; i < b->n && i < 3; i++)
		op[i] = ir_op(m, call, b->first + i);
	if (str_is(tag, "separate_storage")) {
		RULE(b->n == 2 && ir_type_is_ptr(m, ir_type_of(m, op[0])) && ir_type_is_ptr(m, ir_type_of(m, op[1])),
		     "\"separate_storage\" takes two pointers");
		return true;
	}
	RULE(str_is(tag, "ignore") || (w && w->attr), "a bundle of llvm.assume is an attribute; there is no \"%.*s\"",
	     STR_ARG(tag));
	if (str_is(tag, "align")) {
		RULE(b->n == 2 || b->n == 3, "\"align\" takes a pointer, an integer and perhaps an offset");
		for (u32 i = 0; i < b->n; i++)
			RULE(i ? ir_type_is_int(m, ir_type_of(m, op[i])) : ir_type_is_ptr(m, ir_type_of(m, op[i])),
			     "operand %u of \"align\" must be %s", i + 1, i ? "an integer" : "a pointer");
		return true;
	}
	RULE(b->n <= 2, "a bundle of llvm.assume has at most two operands");
	if (!w || str_is(tag, "ignore"))
		return true;
	u32 n = assumed[w->attr];
	RULE(b->n == n, "\"%.*s\" takes %u operand%s here, not %u", STR_ARG(tag), n, n == 1 ? "" : "s", b->n);
	if (str_is(tag, "dereferenceable")) {
		RULE(ir_type_is_ptr(m, ir_type_of(m, op[0])) && ir_type_is_int(m, ir_type_of(m, op[1])),
		     "\"dereferenceable\" takes a pointer and an integer");
		return true;
	}
	RULE(n < 2 || (ir_type_is_int(m, ir_type_of(m, op[1])) && is_immediate(m, op[1])),
	     "the second operand of \"%.*s\" must be a constant integer", STR_ARG(tag));
	return true;
}

/* `arg`: the first that must be a constant. */
static bool check_registers(Verifier *v, IrRef call, u64 n)
{
	RULE(n % 8 == 0 && n >= 24 && n <= 256, "the number of registers is a multiple of 8 from 24 to 256");
	return true;
}

static bool check_scope_list(Verifier *v, IrRef call)
{
	IrMd list = {ir_index(ir_call_arg(v->m, call, 0))};
	RULE(list.i && ir_md(v->m, list)->kind == IRMD_NODE && ir_md(v->m, list)->n == 1,
	     "the argument must be a list of one scope: !{!scope}");
	return true;
}

static bool check_assumptions(Verifier *v, IrRef call)
{
	for (u32 i = 0; i < ir_call(v->m, call)->n_bundles; i++)
		if (!check_assumption(v, call, &v->m->bundles.p[ir_call(v->m, call)->bundles + i]))
			return false;
	return true;
}

/* `t`: of the pointer. */
static bool check_mask(Verifier *v, IrRef call, IrType t)
{
	u32    index = ir_index_bits(v->m, ir_type(v->m, ir_scalar_type(v->m, t))->bits);
	IrType mask = ir_type_of(v->m, ir_call_arg(v->m, call, 1));
	RULE(ir_size_bits(v->m, ir_scalar_type(v->m, mask)) == index, "the mask must have the %u bits of an index into '%.*s'",
	     index, STR_ARG(irv_type(v, t)));
	return true;
}

static bool check_values(Verifier *v, IrRef call, Check check, IrRef arg)
{
	IrModule *m = v->m;
	u32       n = ir_call(m, call)->n_args;
	u64       x = 0;
	IrType    t = n ? ir_type_of(m, ir_call_arg(m, call, 0)) : IR_TYPE(VOID);
	bool      known = arg.i && ir_as_int(m, arg, &x);
	u64       bits = ir_size_bits(m, ir_scalar_type(m, t));
	switch (check) {
	case CHECK_FPCLASS: RULE(!known || x < 1 << 10, "the mask has bits past the ten classes (0 to 1023)"); break;
	case CHECK_PREFETCH:
		for (u32 i = 1; i < 4; i++)
			RULE(!ir_as_int(m, ir_call_arg(m, call, i), &x) || x < (i == 2 ? 4 : 2),
			     "argument %u must be less than %u", i + 1, i == 2 ? 4u : 2u);
		break;
	case CHECK_SCALE:
		RULE(!known || x < bits, "the scale must be less than the %llu bits of the type", (unsigned long long)bits);
		break;
	case CHECK_UNSIGNED_SCALE:
		RULE(!known || x <= bits, "the scale must be at most the %llu bits of the type", (unsigned long long)bits);
		break;
	case CHECK_SPLICE_LEFT:
	case CHECK_SPLICE_RIGHT: return !known || check_splice(v, call, check, (i32)(u32)x);
	case CHECK_STEP: return check_steps(v, call);
	case CHECK_PARTIAL: return check_partial(v, call, t);
	case CHECK_EXTRACT: return check_subvector(v, call, x, ir_inst(m, call)->type, t);
	case CHECK_INSERT: return check_subvector(v, call, x, ir_type_of(m, ir_call_arg(m, call, 1)), t);
	case CHECK_PTRMASK: return check_mask(v, call, t);
	case CHECK_BSWAP: RULE(bits % 16 == 0, "bswap needs an even number of bytes, not '%.*s'", STR_ARG(irv_type(v, t))); break;
	case CHECK_CONSTRAINED: return check_constrained(v, call, n);
	case CHECK_CONSTRAINED_NARROWS:
	case CHECK_CONSTRAINED_WIDENS:
		return check_constrained(v, call, n) && check_width(v, call, check == CHECK_CONSTRAINED_NARROWS);
	case CHECK_PREDICATE:
	case CHECK_FPREDICATE: return check_predicate(v, call, 2, check == CHECK_FPREDICATE);
	case CHECK_NARROWS:
	case CHECK_WIDENS: return check_width(v, call, check == CHECK_NARROWS);
	case CHECK_ELEMENTS: return check_elements(v, call, x);
	case CHECK_SCOPE_LIST: return check_scope_list(v, call);
	case CHECK_ENTRY:
		RULE(ir_fn_has(m, v->f, IRA_CONVERGENT), "it can only stand in a convergent function");
		RULE(ir_same(ir_inst(m, call)->block, v->f->first), "it can only stand in the entry block");
		break;
	case CHECK_LOOP:
		RULE(ir_call(m, call)->n_bundles, "it needs the token of another: [ \"convergencectrl\"(token %%t) ]");
		break;
	case CHECK_VA_START:
		RULE(ir_type(m, ir_global(m, v->f->ref)->type)->vararg, "its function takes no variable number of arguments");
		break;
	case CHECK_ASSUME: return check_assumptions(v, call);
	case CHECK_MATRIX:
	case CHECK_PRODUCT: return check_matrix(v, call, n, check == CHECK_PRODUCT);
	case CHECK_LANES: RULE(!known || (i32)(u32)x > 0, "the number of lanes must be positive"); break;
	case CHECK_ORDERING:
		RULE(ir_size_bits(m, ir_scalar_type(m, ir_inst(m, call)->type)) > 1, "its result needs two bits for -1, 0 and 1");
		break;
	case CHECK_REGISTERS: return !known || check_registers(v, call, x);
	case CHECK_ROUNDS:
		RULE(is_one_of(md_text(m, ir_call_arg(m, call, n - 1)), roundings + 1, PS_COUNT(roundings) - 1),
		     "argument %u must be a rounding: !\"round.tonearest\", .downward, .upward, .towardzero or .tonearestaway",
		     n);
		break;
	case CHECK_PATTERN:
		RULE(ir_type_is_sized(m, ir_type_of(m, ir_call_arg(m, call, 1))), "'%.*s' has no size",
		     STR_ARG(irv_type(v, ir_type_of(m, ir_call_arg(m, call, 1)))));
		break;
	case CHECK_NONE: break;
	default: return irv_check_surroundings(v, call, (IrvSurroundings)(check - CHECK_THREAD_LOCAL));
	}
	return true;
}

bool irv_looks_at_arguments(const Verifier *v, const IrFunc *f)
{
	u32 row = ir_intrinsic_of(v->m, f->ref);
	return row && (ir_intrinsic_constants(row) || checks[row - 1] != CHECK_NONE); /* of older ones, none is */
}

bool irv_check_intrinsic_call(Verifier *v, IrRef call, IrFunc *f)
{
	IrModule *m = v->m;
	Str       name = ir_str(m, ir_global(m, f->ref)->name);
	u32       row = ir_intrinsic_of(m, f->ref), n = ir_call(m, call)->n_args;
	u64       value, least, most;
	if (!ir_type_same(ir_call(m, call)->type, ir_global(m, f->ref)->type))
		return irv_inst(v, call, "the call is of type '%.*s', '@%.*s' of '%.*s'",
		                STR_ARG(irv_type(v, ir_call(m, call)->type)), STR_ARG(name),
		                STR_ARG(irv_type(v, ir_global(m, f->ref)->type)));
	if (!row)
		return irv_check_exclusive(v, call, name) && check_older(v, call, f);
	if (!check_signature(v, f, row))
		return false;
	IrRef first = IR_NO_REF;
	u32   constants = ir_intrinsic_constants(row);
	for (u32 i = 0; i < n && constants >> i; i++) {
		IrRef arg = ir_call_arg(m, call, i);
		if (!(constants >> i & 1))
			continue;
		if (!is_immediate(m, arg))
			return irv_inst(v, call, "argument %u of '%.*s' must be a constant", i + 1, STR_ARG(name));
		if (ir_as_int(m, arg, &value) && ir_intrinsic_range(row, i, &least, &most) && (value < least || value > most))
			return irv_inst(v, call, "argument %u of '%.*s' must be in %llu ... %llu", i + 1, STR_ARG(name),
			                (unsigned long long)least, (unsigned long long)most);
		first = ir_is_none(first) ? arg : first;
	}
	return checks[row - 1] == CHECK_NONE || check_values(v, call, (Check)checks[row - 1], first);
}
