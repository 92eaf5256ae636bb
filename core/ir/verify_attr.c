/* verify_attr.c: checks attributes against the type they apply to, against each other, and against the function. */
#include "ir/upgrade.h"
#include "ir/verify.h"

/* Where a set of attributes stands: a parameter or the result, of a function or of a call. */
typedef struct Site {
	IrRef inst; /* a call; none: a function */
	IrRef func;
	u32   param; /* counted from 1; 0: the result */
} Site;

static bool fail(Verifier *v, const Site *s, const char *fmt, ...) PS_PRINTF(3, 4);
static bool fail(Verifier *v, const Site *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str rule = arena_vfmt(v->m->arena, fmt, ap);
	va_end(ap);
	Str where = s->param ? arena_fmt(v->m->arena, "parameter %u", s->param) : str_of("the result");
	if (s->inst.i)
		return irv_inst(v, s->inst, "%.*s: %.*s", STR_ARG(where), STR_ARG(rule));
	return irv_global(v, s->func, "%.*s: %.*s", STR_ARG(where), STR_ARG(rule));
}

/* ---- types ---- */

typedef enum Need { NEED_ANY, NEED_PTR, NEED_PTRS, NEED_INT, NEED_INTS, NEED_FP } Need;

static const char *const need_text[] = {"",
                                        "a pointer",
                                        "a pointer or a vector of pointers",
                                        "an integer",
                                        "an integer or a vector of integers",
                                        "a floating-point type"};

static const struct {
	u8          kind, need;
	const char *name;
} needs[] = {
	{IRA_BYVAL, NEED_PTR, "byval"},
	{IRA_SRET, NEED_PTR, "sret"},
	{IRA_BYREF, NEED_PTR, "byref"},
	{IRA_INALLOCA, NEED_PTR, "inalloca"},
	{IRA_PREALLOCATED, NEED_PTR, "preallocated"},
	{IRA_NOALIAS, NEED_PTR, "noalias"},
	{IRA_CAPTURES, NEED_PTR, "captures"},
	{IRA_NONNULL, NEED_PTR, "nonnull"},
	{IRA_DEREFERENCEABLE, NEED_PTR, "dereferenceable"},
	{IRA_DEREFERENCEABLE_OR_NULL, NEED_PTR, "dereferenceable_or_null"},
	{IRA_ALIGN, NEED_PTRS, "align"},
	{IRA_READNONE, NEED_PTR, "readnone"},
	{IRA_READONLY, NEED_PTR, "readonly"},
	{IRA_WRITABLE, NEED_PTR, "writable"},
	{IRA_DEAD_ON_UNWIND, NEED_PTR, "dead_on_unwind"},
	{IRA_DEAD_ON_RETURN, NEED_PTR, "dead_on_return"},
	{IRA_INITIALIZES, NEED_PTR, "initializes"},
	{IRA_NEST, NEED_PTR, "nest"},
	{IRA_SWIFTERROR, NEED_PTR, "swifterror"},
	{IRA_ALLOCPTR, NEED_PTR, "allocptr"},
	{IRA_ELEMENTTYPE, NEED_PTR, "elementtype"},
	{IRA_ALLOCALIGN, NEED_INT, "allocalign"},
	{IRA_SIGNEXT, NEED_INT, "signext"},
	{IRA_ZEROEXT, NEED_INT, "zeroext"},
	{IRA_RANGE, NEED_INTS, "range"},
	{IRA_NOFPCLASS, NEED_FP, "nofpclass"},
};

static bool is_fp_or_made_of_it(const IrModule *m, IrType t)
{
	for (u32 depth = 0; depth < 16 && (ir_type_kind(m, t) == IRT_ARRAY || ir_type_is_vector(m, t)); depth++)
		t = ir_type_elem(m, t, 0);
	if (ir_type_kind(m, t) == IRT_STRUCT) {
		for (u64 i = 0; i < ir_type_count(m, t); i++)
			if (!ir_type_is_fp(m, ir_scalar_type(m, ir_type_elem(m, t, (u32)i))))
				return false;
		return ir_type_count(m, t) > 0;
	}
	return ir_type_is_fp(m, t);
}

static bool type_is(const IrModule *m, u32 need, IrType t)
{
	switch ((Need)need) {
	case NEED_PTR: return ir_type_is_ptr(m, t);
	case NEED_PTRS: return ir_type_is_ptr(m, ir_scalar_type(m, t));
	case NEED_INT: return ir_type_is_int(m, t);
	case NEED_INTS: return ir_type_is_int(m, ir_scalar_type(m, t));
	case NEED_FP: return is_fp_or_made_of_it(m, t);
	default: return true;
	}
}

/* ---- one set ---- */

static bool both(const IrModule *m, IrAttrs s, IrAttrKind a, IrAttrKind b)
{
	return ir_attrs_has(m, s, a) && ir_attrs_has(m, s, b);
}

static bool check_pairs(Verifier *v, const Site *s, IrAttrs a)
{
	static const struct {
		u8          a, b;
		const char *text;
	} pairs[] = {
		{IRA_ZEROEXT, IRA_SIGNEXT, "zeroext and signext"},       {IRA_READNONE, IRA_READONLY, "readnone and readonly"},
		{IRA_READNONE, IRA_WRITEONLY, "readnone and writeonly"}, {IRA_READONLY, IRA_WRITEONLY, "readonly and writeonly"},
		{IRA_SRET, IRA_RETURNED, "sret and returned"},           {IRA_WRITABLE, IRA_READNONE, "writable and readnone"},
		{IRA_WRITABLE, IRA_READONLY, "writable and readonly"},   {IRA_INALLOCA, IRA_READONLY, "inalloca and readonly"}};
	static const u8 passing[] = {IRA_BYVAL, IRA_INALLOCA, IRA_PREALLOCATED, IRA_NEST, IRA_BYREF, IRA_SRET};
	for (u32 i = 0; i < PS_COUNT(pairs); i++)
		if (both(v->m, a, (IrAttrKind)pairs[i].a, (IrAttrKind)pairs[i].b))
			return fail(v, s, "%s contradict each other", pairs[i].text);
	u32 ways = ir_attrs_has(v->m, a, IRA_INREG) && !ir_attrs_has(v->m, a, IRA_SRET);
	for (u32 i = 0; i < PS_COUNT(passing); i++)
		ways += ir_attrs_has(v->m, a, (IrAttrKind)passing[i]);
	return ways < 2 || fail(v, s, "only one of byval, inalloca, preallocated, inreg, nest, byref and sret may stand at it");
}

static bool check_string(Verifier *v, const Site *s, const IrAttr *at, bool of_function);

static bool check_set(Verifier *v, const Site *s, IrAttrs a, IrType t)
{
	const IrModule *m = v->m;
	u32             n = ir_attrs_count(m, a);
	for (u32 i = 0; i < n; i++) {
		const IrAttr *at = ir_attrs_at(m, a, i);
		if (at->kind == IRA_STRING) {
			if (!check_string(v, s, at, false))
				return false;
			continue;
		}
		if (t.i == IR_TY_VOID && at->kind != IRA_INREG && at->kind != IRA_NOEXT && at->kind != IRA_ALIGNSTACK)
			return fail(v, s, "an attribute of a value, where there is none");
		for (u32 k = 0; k < PS_COUNT(needs); k++)
			if (needs[k].kind == at->kind && !type_is(m, needs[k].need, t))
				return fail(v, s, "%s needs %s, not '%.*s'", needs[k].name, need_text[needs[k].need],
				            STR_ARG(irv_type(v, t)));
		if (at->kind == IRA_RANGE && !ir_type_same(at->type, ir_scalar_type(m, t)))
			return fail(v, s, "the range is of '%.*s', the value of '%.*s'", STR_ARG(irv_type(v, at->type)),
			            STR_ARG(irv_type(v, t)));
		if (at->kind == IRA_RANGE && !at->text.i && at->a && at->a == at->b)
			return fail(v, s, "the range is empty: its second number is behind its last");
		if ((at->kind == IRA_DEREFERENCEABLE || at->kind == IRA_DEREFERENCEABLE_OR_NULL) && !at->a)
			return fail(v, s, "there is at least one byte that is dereferenceable");
		if (at->kind == IRA_ALIGN && (at->a & (at->a - 1)))
			return fail(v, s, "the alignment %llu is no power of two", (unsigned long long)at->a);
		if (at->kind == IRA_ALIGNSTACK && (!at->a || (at->a & (at->a - 1))))
			return fail(v, s, "the alignment %llu is no power of two", (unsigned long long)at->a);
		if (at->kind == IRA_BYVAL && (!at->type.i || !ir_type_is_sized(m, at->type)))
			return fail(v, s, "byval needs a type that has a size");
		if (at->kind == IRA_BYVAL && m->has_targets && !ir_type_may(m, at->type, IRTT_LOCAL))
			return fail(v, s, "byval cannot pass the target's type in '%.*s'", STR_ARG(irv_type(v, at->type)));
		if (at->kind == IRA_BYVAL && !ir_type_is_scalable(m, at->type) && ir_alloc_size(m, at->type) >= (u64)1 << 32)
			return fail(v, s, "what is passed byval has less than 4 GiB");
		if (at->kind == IRA_INALLOCA && (!at->type.i || !ir_type_is_sized(m, at->type)))
			return fail(v, s, "inalloca needs a type that has a size");
		if (at->kind == IRA_SRET && !at->type.i)
			return fail(v, s, "sret needs a type");
	}
	return n < 2 || check_pairs(v, s, a);
}

/* ---- functions ---- */

/* Of a function, or of a call of one. */
static bool fail_fn(Verifier *v, const Site *s, const char *fmt, ...) PS_PRINTF(3, 4);
static bool fail_fn(Verifier *v, const Site *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str rule = arena_vfmt(v->m->arena, fmt, ap);
	va_end(ap);
	return s->inst.i ? irv_inst(v, s->inst, "%.*s", STR_ARG(rule)) : irv_global(v, s->func, "%.*s", STR_ARG(rule));
}

static bool is_number(Str s)
{
	bool ok = s.n > 0;
	for (u32 i = 0; i < s.n; i++)
		ok &= s.p[i] >= '0' && s.p[i] <= '9';
	return ok;
}

/* MODE or MODE,MODE; each may be empty. */
static bool is_denormal_mode(Str s)
{
	u32 end = 0;
	for (u32 from = 0, part = 0; from <= s.n; from = end + 1, part++) {
		for (end = from; end < s.n && s.p[end] != ',';)
			end++;
		Str mode = {s.p + from, end - from};
		if (part == 2 || (mode.n && !str_is(mode, "ieee") && !str_is(mode, "preserve-sign") &&
		                  !str_is(mode, "positive-zero") && !str_is(mode, "dynamic")))
			return false;
	}
	return true;
}

/* The part of `s` from `*at` to a comma or the end; `*at` is then behind the comma. */
static Str next_part(Str s, u32 *at)
{
	u32 from = *at, end = from;
	while (end < s.n && s.p[end] != ',')
		end++;
	*at = end + 1;
	return (Str){s.p + from, end - from};
}

/* +one,-other */
static bool is_feature_list(Str s)
{
	for (u32 at = 0; s.n && at <= s.n;) {
		Str f = next_part(s, &at);
		if (!f.n || (f.p[0] != '+' && f.p[0] != '-'))
			return false;
	}
	return true;
}

typedef enum StringForm { SF_TRUTH, SF_NUMBER, SF_WORDS, SF_MODES, SF_FEATURES, SF_TEXT } StringForm;

/* What LLVM asks of the strings that it reads; truths wherever they stand, the others at functions. */
static bool check_string(Verifier *v, const Site *s, const IrAttr *at, bool of_function)
{
	static const struct {
		const char *key;
		u32         form;
		const char *words; /* of SF_WORDS, a space behind each; "" may stand there, too */
	} rows[] = {{"less-precise-fpmad", SF_TRUTH, ""},
	            {"loader-replaceable", SF_TRUTH, ""},
	            {"no-infs-fp-math", SF_TRUTH, ""},
	            {"no-inline-line-tables", SF_TRUTH, ""},
	            {"no-jump-tables", SF_TRUTH, ""},
	            {"no-nans-fp-math", SF_TRUTH, ""},
	            {"no-signed-zeros-fp-math", SF_TRUTH, ""},
	            {"profile-sample-accurate", SF_TRUTH, ""},
	            {"use-sample-profile", SF_TRUTH, ""},
	            {"alloc-variant-zeroed", SF_TEXT, ""},
	            {"branch-protection-pauth-lr", SF_WORDS, "true false "},
	            {"branch-target-enforcement", SF_WORDS, "true false "},
	            {"denormal-fp-math", SF_MODES, ""},
	            {"denormal-fp-math-f32", SF_MODES, ""},
	            {"frame-pointer", SF_WORDS, "all non-leaf non-leaf-no-reserve none reserved "},
	            {"guarded-control-stack", SF_WORDS, "true false "},
	            {"patchable-function-entry", SF_NUMBER, ""},
	            {"patchable-function-entry-section", SF_TEXT, ""},
	            {"patchable-function-prefix", SF_NUMBER, ""},
	            {"sign-return-address", SF_WORDS, "all non-leaf none "},
	            {"target-features", SF_FEATURES, ""},
	            {"warn-stack-size", SF_NUMBER, ""}};
	static const char *const says[] = {[SF_TRUTH] = "is true or false",
	                                   [SF_NUMBER] = "takes a number",
	                                   [SF_MODES] = "is one or two of ieee, preserve-sign, positive-zero and dynamic",
	                                   [SF_FEATURES] = "is a list of names, + or - before each",
	                                   [SF_TEXT] = "must not be empty"};
	Str                      key = ir_str(v->m, at->key), text = ir_str(v->m, at->text);
	u32                      k = 0;
	while (k < PS_COUNT(rows) && !str_is(key, rows[k].key))
		k++;
	if (k == PS_COUNT(rows) || (!of_function && rows[k].form != SF_TRUTH))
		return true;
	bool        ok = false;
	const char *words = rows[k].words;
	switch ((StringForm)rows[k].form) {
	case SF_TRUTH: ok = !text.n || str_is(text, "true") || str_is(text, "false"); break;
	case SF_NUMBER: ok = is_number(text); break;
	case SF_MODES: ok = is_denormal_mode(text); break;
	case SF_FEATURES: ok = is_feature_list(text); break;
	case SF_TEXT: ok = text.n > 0; break;
	case SF_WORDS:
		ok = !text.n && !str_is_among(" frame-pointer sign-return-address ", key);
		for (const char *w = words; *w && !ok; w = strchr(w, ' ') + 1)
			ok = !strncmp(w, text.p, text.n) && w[text.n] == ' ';
		break;
	}
	if (ok)
		return true;
	Str rule = *words ? arena_fmt(v->m->arena, "is one of %.*s", (int)strlen(words) - 1, words) : str_of(says[rows[k].form]);
	rule = arena_fmt(v->m->arena, "\"%s\" %.*s%s%.*s%s", rows[k].key, STR_ARG(rule), text.n ? ", not \"" : "", STR_ARG(text),
	                 text.n ? "\"" : "");
	return of_function ? fail_fn(v, s, "%.*s", STR_ARG(rule)) : fail(v, s, "%.*s", STR_ARG(rule));
}

static const IrAttr *find_string(const IrModule *m, IrAttrs a, const char *key)
{
	for (u32 i = 0, n = ir_attrs_count(m, a); i < n; i++) {
		const IrAttr *at = ir_attrs_at(m, a, i);
		if (at->kind == IRA_STRING && str_is(ir_str(m, at->key), key))
			return at;
	}
	return NULL;
}

/* "modular-format"="printf,2,3,__impl,float": which parameter is the format, where its arguments begin (both from 1), the
 * function that parts are asked of, which parts. */
static bool check_modular_format(Verifier *v, const Site *s, Str text, IrType fn)
{
	u32 parts = 0, first = 0, params = ir_func_params(v->m, fn) + (ir_type(v->m, fn)->vararg ? 1 : 0);
	u64 number = 0;
	for (u32 at = 0; at <= text.n; parts++) {
		Str part = next_part(text, &at);
		if (parts == 2)
			for (u32 i = 0; i < part.n && is_number(part) && number <= params; i++)
				number = number * 10 + (u32)(part.p[i] - '0');
		first |= parts == 2 && is_number(part);
	}
	if (parts < 5)
		return fail_fn(v, s, "\"modular-format\" has at least five parts");
	return (first && number && number <= params) ||
	       fail_fn(v, s, "the third part of \"modular-format\" is the number of a parameter");
}

/* Strings that depend on others, on the type or on other functions. */
static bool check_string_rules(Verifier *v, const Site *s, IrAttrs a, IrType fn)
{
	/* What a function does with the state of a matrix unit is one of these. */
	static const char *const one_of[][6] = {{"aarch64_pstate_sm_enabled", "aarch64_pstate_sm_compatible"},
	                                        {"aarch64_new_za", "aarch64_in_za", "aarch64_out_za", "aarch64_inout_za",
	                                         "aarch64_preserves_za", "aarch64_za_state_agnostic"},
	                                        {"aarch64_new_zt0", "aarch64_in_zt0", "aarch64_out_zt0", "aarch64_inout_zt0",
	                                         "aarch64_preserves_zt0", "aarch64_za_state_agnostic"}};
	const IrModule          *m = v->m;
	for (u32 g = 0; g < PS_COUNT(one_of); g++) {
		const char *first = NULL;
		for (u32 i = 0; i < PS_COUNT(one_of[g]) && one_of[g][i]; i++) {
			if (!find_string(m, a, one_of[g][i]))
				continue;
			if (first)
				return fail_fn(v, s, "\"%s\" and \"%s\" contradict each other", first, one_of[g][i]);
			first = one_of[g][i];
		}
	}
	const IrAttr *key = find_string(m, a, "sign-return-address-key"), *format = find_string(m, a, "modular-format");
	if (key && !find_string(m, a, "sign-return-address"))
		return fail_fn(v, s, "\"sign-return-address-key\" needs \"sign-return-address\" beside it");
	if (key && !str_is(ir_str(m, key->text), "a_key") && !str_is(ir_str(m, key->text), "b_key"))
		return fail_fn(v, s, "\"sign-return-address-key\" is one of a_key b_key");
	return !format || check_modular_format(v, s, ir_str(m, format->text), fn);
}

/* allockind("alloc,zeroed"): one of the first three, and what the memory is like. */
static bool is_alloc_kind(Str s)
{
	static const char *const words[] = {"alloc", "realloc", "free", "uninitialized", "zeroed", "aligned"};
	u32                      seen = 0;
	for (u32 from = 1; from < s.n;) { /* behind the quote */
		u32 end = from, k = 0;
		while (end < s.n && s.p[end] != ',' && s.p[end] != '"')
			end++;
		while (k < PS_COUNT(words) && !str_is((Str){s.p + from, end - from}, words[k]))
			k++;
		seen |= 1u << k; /* the last bit: none of them */
		from = end + 1;
	}
	return ((seen & 7) == 1 || (seen & 7) == 2 || seen == 4) && (seen & 24) != 24 && !(seen >> PS_COUNT(words));
}

static bool calls_speculatable(const IrModule *m, IrRef call)
{
	const IrFunc *f = ir_called(m, call);
	return f && ir_attrs_has(m, f->fn, IRA_SPECULATABLE);
}

/* Its last arguments are those of the function that it calls. */
static bool is_statepoint(const IrModule *m, IrRef call)
{
	IrRef callee = ir_callee(m, call);
	return ir_kind(callee) == IR_GLOBAL &&
	       str_starts(ir_str(m, ir_global(m, callee)->name), "llvm.experimental.gc.statepoint.");
}

/* A parameter of another type has the same bits. */
static bool may_be_returned(const IrModule *m, IrType t, IrType ret)
{
	if (ir_type_same(t, ret) || (ir_type_is_ptr(m, t) && ir_type_is_ptr(m, ret)))
		return true;
	return ir_type_is_vector(m, t) && ir_type_is_vector(m, ret) && ir_size_is_same(m, t, ret) &&
	       !ir_type_is_ptr(m, ir_scalar_type(m, t)) && !ir_type_is_ptr(m, ir_scalar_type(m, ret));
}

/* Where values have no lists of uses, the whole module is read. */
static bool check_naked(Verifier *v, const Site *s)
{
	const IrFunc *f = ir_func(v->m, s->func);
	for (u32 i = 0; i < f->n_args; i++)
		if (v->unlisted || ir_has_uses(v->m, ir_func_arg(f, i)))
			return fail_fn(v, s, "nothing uses the arguments of a naked function");
	return true;
}

static bool check_fn(Verifier *v, const Site *s, IrAttrs a, IrType fn)
{
	IrModule     *m = v->m;
	u32           params = ir_func_params(m, fn);
	bool          optnone = ir_attrs_has(m, a, IRA_OPTNONE);
	const IrAttr *size = ir_attrs_find(m, a, IRA_ALLOCSIZE), *scale = ir_attrs_find(m, a, IRA_VSCALE_RANGE);
	static const struct {
		u8          a, b;
		const char *text;
	} pairs[] = {{IRA_NOINLINE, IRA_ALWAYSINLINE, "noinline and alwaysinline"},
	             {IRA_OPTSIZE, IRA_OPTDEBUG, "optsize and optdebug"},
	             {IRA_MINSIZE, IRA_OPTDEBUG, "minsize and optdebug"},
	             {IRA_SANITIZE_REALTIME, IRA_SANITIZE_REALTIME_BLOCKING, "sanitize_realtime and sanitize_realtime_blocking"}};
	for (u32 i = 0; i < PS_COUNT(pairs); i++)
		if (both(m, a, (IrAttrKind)pairs[i].a, (IrAttrKind)pairs[i].b))
			return fail_fn(v, s, "%s contradict each other", pairs[i].text);
	if (optnone && !ir_attrs_has(m, a, IRA_NOINLINE))
		return fail_fn(v, s, "optnone needs noinline beside it");
	if (optnone && (ir_attrs_has(m, a, IRA_OPTSIZE) || ir_attrs_has(m, a, IRA_MINSIZE) || ir_attrs_has(m, a, IRA_OPTDEBUG)))
		return fail_fn(v, s, "optnone and %s contradict each other",
		               ir_attrs_has(m, a, IRA_OPTSIZE)   ? "optsize"
		               : ir_attrs_has(m, a, IRA_MINSIZE) ? "minsize"
		                                                 : "optdebug");
	if (ir_attrs_has(m, a, IRA_JUMPTABLE) && (s->inst.i || ir_global(m, s->func)->unnamed_addr != IRUA_GLOBAL))
		return fail_fn(v, s, "jumptable needs unnamed_addr beside it");
	if (!s->inst.i && ir_attrs_has(m, a, IRA_NAKED) && !check_naked(v, s))
		return false;
	if (!s->inst.i && ir_attrs_has(m, a, IRA_BUILTIN))
		return fail_fn(v, s, "builtin stands at calls alone");
	if (s->inst.i && ir_attrs_has(m, a, IRA_SPECULATABLE) && !calls_speculatable(m, s->inst))
		return fail_fn(v, s, "speculatable stands at functions, and at calls of these");
	if (size)
		for (u32 i = 0; i < 2; i++) {
			u64 at = i ? size->b : size->a;
			if (i && at == UINT32_MAX)
				break;
			if (at < UINT32_MAX && (at >= params || !ir_type_is_int(m, ir_func_param(m, fn, (u32)at))))
				return fail_fn(v, s, "allocsize names parameter %llu, which is no integer parameter",
				               (unsigned long long)at);
			if (!size->b)
				break;
		}
	if (size && size->b < UINT32_MAX && size->a == size->b)
		return fail_fn(v, s, "allocsize names one parameter twice");
	if (scale && (scale->a & (scale->a - 1)))
		return fail_fn(v, s, "the minimum of vscale_range must be a power of two");
	if (scale && scale->b && scale->b < UINT32_MAX && (scale->b < scale->a || (scale->b & (scale->b - 1))))
		return fail_fn(v, s, "the maximum of vscale_range must be a power of two, not less than the minimum");
	const IrAttr *kind_of = ir_attrs_find(m, a, IRA_ALLOCKIND);
	if (kind_of && !is_alloc_kind(ir_str(m, kind_of->text)))
		return fail_fn(v, s, "allockind is one of alloc, realloc and free, then zeroed or uninitialized, and aligned");
	const IrAttr *stack = ir_attrs_find(m, a, IRA_ALIGNSTACK);
	if (stack && (!stack->a || (stack->a & (stack->a - 1))))
		return fail_fn(v, s, "the alignment %llu of the stack is no power of two", (unsigned long long)stack->a);
	bool strings = false;
	for (u32 i = 0, n = ir_attrs_count(m, a); i < n; i++) {
		const IrAttr *at = ir_attrs_at(m, a, i);
		if (at->kind != IRA_STRING)
			continue;
		if (!check_string(v, s, at, true))
			return false;
		strings = true;
	}
	return !strings || check_string_rules(v, s, a, fn);
}

/* Functions and calls share few sets: one that was good is not looked at again, unless it speaks of the type or of the global. */
static bool check_fn_once(Verifier *v, const Site *s, IrAttrs a, IrType fn)
{
	u8 place = s->inst.i ? 2 : 1;
	if (a.i < v->good_sets.n && v->good_sets.p[a.i] & place)
		return true;
	if (!check_fn(v, s, a, fn))
		return false;
	if (ir_attrs_has(v->m, a, IRA_ALLOCSIZE) || (s->inst.i && ir_attrs_has(v->m, a, IRA_SPECULATABLE)) ||
	    ir_attrs_has(v->m, a, IRA_JUMPTABLE) || ir_attrs_has(v->m, a, IRA_NAKED) || find_string(v->m, a, "modular-format"))
		return true;
	if (a.i >= v->good_sets.n)
		vec_extend(&v->scratch, &v->good_sets, v->m->attr_sets.n - v->good_sets.n);
	v->good_sets.p[a.i] |= place;
	return true;
}

/* Attributes that at most one parameter has. */
static bool check_once(Verifier *v, const IrFunc *f)
{
	static const struct {
		u8          kind;
		const char *name;
	} once[] = {{IRA_NEST, "nest"},           {IRA_RETURNED, "returned"},     {IRA_SRET, "sret"},
	            {IRA_SWIFTSELF, "swiftself"}, {IRA_SWIFTERROR, "swifterror"}, {IRA_SWIFTASYNC, "swiftasync"}};
	u32 seen[PS_COUNT(once)] = {0};
	for (u32 i = 0; i < f->n_args; i++) {
		IrAttrs a = ir_arg(v->m, ir_func_arg(f, i))->attrs;
		for (u32 k = 0; a.i && k < PS_COUNT(once); k++)
			if (ir_attrs_has(v->m, a, (IrAttrKind)once[k].kind) && seen[k]++)
				return irv_global(v, f->ref, "parameter %u: only one parameter may be %s", i + 1, once[k].name);
	}
	return true;
}

bool irv_swifterror_uses(const Verifier *v, IrRef slot)
{
	if (v->unlisted)
		return false;
	ir_each_use(v->m, slot, u) {
		IrRef         user = ir_use(v->m, u)->user;
		const IrInst *by = ir_kind(user) == IR_INST ? ir_inst(v->m, user) : NULL;
		if (!by || (by->op != IR_LOAD && by->op != IR_STORE && !(ir_op_info[by->op].flags & IROF_CALLS)))
			return false;
	}
	return true;
}

static bool is_swifterror_slot(const IrModule *m, IrRef r)
{
	if (ir_kind(r) == IR_ARG)
		return ir_attrs_has(m, ir_arg(m, r)->attrs, IRA_SWIFTERROR);
	return ir_kind(r) == IR_INST && ir_inst(m, r)->op == IR_ALLOCA && ir_inst(m, r)->flags & IRF_SWIFTERROR;
}

/* A token, or what is like one. */
static bool is_special_value(const IrModule *m, IrType t) { return t.i == IR_TY_X86_AMX || ir_type_is_token(m, t); }

static bool is_plain_alloca(const IrModule *m, IrRef r)
{
	return ir_kind(r) == IR_INST && ir_inst(m, r)->op == IR_ALLOCA && !(ir_inst(m, r)->flags & IRF_INALLOCA);
}

static bool check_param_place(Verifier *v, const IrFunc *f, u32 i, const IrArg *a, IrType ret)
{
	const IrModule *m = v->m;
	Site            s = {.func = f->ref, .param = i + 1};
	if (ir_attrs_has(m, a->attrs, IRA_SRET) && i > 1)
		return fail(v, &s, "sret stands at the first or the second parameter");
	if (ir_attrs_has(m, a->attrs, IRA_SRET) && ret.i != IR_TY_VOID)
		return fail(v, &s, "a function with sret must return void");
	if (ir_attrs_has(m, a->attrs, IRA_INALLOCA) && i + 1 != f->n_args)
		return fail(v, &s, "inalloca stands at the last parameter");
	if (ir_attrs_has(m, a->attrs, IRA_SWIFTERROR) && !irv_swifterror_uses(v, ir_func_arg(f, i)))
		return fail(v, &s, "what is swifterror is loaded from, stored to and passed on, nothing else");
	if (ir_attrs_has(m, a->attrs, IRA_RETURNED) && !may_be_returned(m, a->type, ret))
		return fail(v, &s, "a returned parameter must have the type of the result, '%.*s'", STR_ARG(irv_type(v, ret)));
	if (irv_is_intrinsic_name(m, ir_global(m, f->ref)->name))
		return true;
	if (ir_attrs_has(m, a->attrs, IRA_IMMARG))
		return fail(v, &s, "immarg stands at parameters of intrinsics alone");
	if (ir_attrs_has(m, a->attrs, IRA_ELEMENTTYPE))
		return fail(v, &s, "elementtype stands at arguments of intrinsics and inline assembly alone");
	if (is_special_value(m, a->type))
		return fail(v, &s, "only intrinsics take %.*s", STR_ARG(irv_tokens(v, a->type)));
	return a->type.i != IR_TY_METADATA || fail(v, &s, "only intrinsics take metadata");
}

bool irv_check_func_attrs(Verifier *v, const IrFunc *f)
{
	const IrModule *m = v->m;
	IrType          fn = ir_global(m, f->ref)->type, ret = ir_func_ret(m, fn);
	Site            result = {.func = f->ref};
	bool            marked = false;
	Str             name = ir_str(m, ir_global(m, f->ref)->name);
	if (str_starts(name, "llvm.") && ir_is_elsewhere(name))
		return true; /* LLVM has attributes of its own for it */
	if ((f->fn.i && !check_fn_once(v, &result, f->fn, fn)) || (f->ret.i && !check_set(v, &result, f->ret, ret)))
		return false;
	if (is_special_value(m, ret) && !irv_is_intrinsic_name(m, ir_global(m, f->ref)->name))
		return fail(v, &result, "only intrinsics return %.*s", STR_ARG(irv_tokens(v, ret)));
	for (u32 i = 0; i < f->n_args; i++) {
		const IrArg *a = ir_arg(m, ir_func_arg(f, i));
		Site         s = {.func = f->ref, .param = i + 1};
		bool         special = a->type.i == IR_TY_METADATA || is_special_value(m, a->type);
		marked |= a->attrs.i != 0;
		if (ir_type(m, a->type)->opaque)
			return fail(v, &s, "'%.*s' has no body: there is no value of it", STR_ARG(irv_type(v, a->type)));
		if (a->attrs.i && !check_set(v, &s, a->attrs, a->type))
			return false;
		if ((a->attrs.i || special) && !check_param_place(v, f, i, a, ret))
			return false;
	}
	return !marked || check_once(v, f);
}

bool irv_check_call_attrs(Verifier *v, IrRef call)
{
	const IrModule *m = v->m;
	const IrCall   *c = ir_call(m, call);
	Site            s = {.inst = call};
	if (c->ret.i && !check_set(v, &s, c->ret, ir_inst(m, call)->type))
		return false;
	if (c->fn.i && !check_fn_once(v, &s, c->fn, c->type))
		return false;
	if (!c->params)
		return true;
	IrRef callee = ir_callee(m, call);
	bool  special = ir_kind(callee) == IR_ASM ||
	               (ir_kind(callee) == IR_GLOBAL && irv_is_intrinsic_name(m, ir_global(m, callee)->name));
	for (u32 i = 0; i < c->n_args; i++) {
		IrAttrs a = ir_call_param_attrs(m, call, i);
		s.param = i + 1;
		if (!a.i)
			continue;
		IrType t = ir_type_of(m, ir_call_arg(m, call, i)), ret = ir_inst(m, call)->type;
		if (t.i == IR_TY_METADATA) /* the text has no place for them */
			return fail(v, &s, "metadata takes no attributes");
		if (!check_set(v, &s, a, t))
			return false;
		if (ir_attrs_has(m, a, IRA_RETURNED) && !may_be_returned(m, t, ret))
			return fail(v, &s, "a returned argument must have the type of the result, '%.*s'",
			            STR_ARG(irv_type(v, ret)));
		if (ir_attrs_has(m, a, IRA_INALLOCA) && i + 1u != c->n_args)
			return fail(v, &s, "inalloca stands at the last argument");
		if (ir_attrs_has(m, a, IRA_INALLOCA) && is_plain_alloca(m, ir_call_arg(m, call, i)))
			return fail(v, &s, "an alloca that is passed inalloca is an alloca inalloca");
		if (ir_attrs_has(m, a, IRA_SWIFTERROR) && !is_swifterror_slot(m, ir_call_arg(m, call, i)))
			return fail(v, &s, "a swifterror argument is a parameter or an alloca that is swifterror");
		if (i >= ir_func_params(m, c->type)) {
			if (ir_attrs_has(m, a, IRA_SRET) && !is_statepoint(m, call))
				return fail(v, &s, "sret stands at arguments that the type of the function names");
			continue;
		}
		if (!special && (ir_attrs_has(m, a, IRA_ELEMENTTYPE) || ir_attrs_has(m, a, IRA_IMMARG)))
			return fail(v, &s, "%s stands at arguments of intrinsics%s alone",
			            ir_attrs_has(m, a, IRA_IMMARG) ? "immarg" : "elementtype",
			            ir_attrs_has(m, a, IRA_IMMARG) ? "" : " and inline assembly");
	}
	return true;
}
