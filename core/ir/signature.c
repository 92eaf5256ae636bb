/* signature.c: matches function types with the signature column of intrinsics.def, builds the function type for given
 * overloaded types, and converts between overloaded types and the suffix of the intrinsic's name.
 *
 * An overloaded letter (I F N G A V J E B P W Q) takes any type of its class and is numbered from 0 by its place; =0, ~0b,
 * ^0 and /0 refer to it, also from before it. So a signature is walked twice: once to take the types, once to
 * compare. */
#include "ir/signature.h"
#include "ir/text.h"

/* ---- one type of a signature ---- */

static u32 digit(const char **s)
{
	u32 n = 0;
	for (; **s >= '0' && **s <= '9'; (*s)++)
		n = n * 10 + (u32)(**s - '0');
	return n;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* I F N G A R V J E B P W Q: upper-case letters, a bit for each. */
static bool is_overloaded(char letter)
{
	const u32 bits = 1u << ('I' - 'A') | 1u << ('F' - 'A') | 1u << ('N' - 'A') | 1u << ('G' - 'A') | 1u << ('A' - 'A') |
	                 1u << ('R' - 'A') | 1u << ('V' - 'A') | 1u << ('J' - 'A') | 1u << ('E' - 'A') | 1u << ('B' - 'A') |
	                 1u << ('P' - 'A') | 1u << ('W' - 'A') | 1u << ('Q' - 'A');
	return letter >= 'A' && letter <= 'Z' && bits >> (letter - 'A') & 1;
}

bool ir_signature_is_overloaded(const char *sig)
{
	while (*sig && !is_overloaded(*sig))
		sig++;
	return *sig != 0;
}

/* Does `t` belong to the class of an overloaded letter? */
static bool in_class(const IrModule *m, char letter, IrType t)
{
	IrType e = ir_scalar_type(m, t);
	switch (letter) {
	case 'I': return ir_type_is_int(m, e);
	case 'F': return ir_type_is_fp(m, e);
	case 'N': return ir_type_is_int(m, t);
	case 'G': return ir_type_is_fp(m, t);
	case 'V': return ir_type_is_vector(m, t);
	case 'J': return ir_type_is_vector(m, t) && ir_type_is_int(m, e);
	case 'E': return ir_type_is_vector(m, t) && ir_type_is_fp(m, e);
	case 'B': return ir_type_is_vector(m, t) && e.i == IR_TY_I1;
	case 'Q': return ir_type_is_ptr(m, e);
	case 'P': return ir_type_is_ptr(m, t);
	case 'W': return ir_type_is_vector(m, t) && ir_type_is_ptr(m, e);
	case 'R': return true;
	default: return t.i != IR_TY_VOID;
	}
}

static const char *class_text(const char *elem)
{
	switch (*elem) {
	case 'I': return "an integer or a vector of integers";
	case 'F': return "a floating-point type or a vector of it";
	case 'N': return "an integer";
	case 'G': return "a floating-point type";
	case 'V': return "a vector";
	case 'J': return "a vector of integers";
	case 'E': return "a vector of floating-point numbers";
	case 'B': return "a vector of i1";
	case 'Q': return "a pointer or a vector of pointers";
	case 'P':
	case 'p': return "a pointer";
	case 'W': return "a vector of pointers";
	case '{': return "a struct";
	default: return is_digit(*elem) ? "a struct" : "another type";
	}
}

static IrType plain_type(IrModule *m, char letter)
{
	switch (letter) {
	case 'v': return IR_TYPE(VOID);
	case 'b': return IR_TYPE(I1);
	case 'c': return IR_TYPE(I8);
	case 's': return IR_TYPE(I16);
	case 'i': return IR_TYPE(I32);
	case 'l': return IR_TYPE(I64);
	case 'q': return IR_TYPE(I128);
	case 'h': return IR_TYPE(HALF);
	case 'y': return IR_TYPE(BFLOAT);
	case 'f': return IR_TYPE(FLOAT);
	case 'd': return IR_TYPE(DOUBLE);
	case 'm': return IR_TYPE(METADATA);
	case 't': return IR_TYPE(TOKEN);
	case 'H': return ir_vector_type(m, IR_TYPE(HALF), 2);
	case 'Y': return ir_vector_type(m, IR_TYPE(BFLOAT), 2);
	case 'S': return ir_vector_type(m, IR_TYPE(I16), 2);
	default: return (IrType){0};
	}
}

typedef struct Walk {
	IrModule   *m;
	const char *at;
	IrType     *over; /* types of the overloaded letters; 0: not known */
	u32         n;    /* of them, so far */
} Walk;

static IrType over(const Walk *w, u32 i) { return i < IR_MAX_OVERLOADS ? w->over[i] : (IrType){0}; }

/* A type with the shape of `like`: a vector where that is one. */
static IrType shaped(IrModule *m, IrType like, IrType e)
{
	return like.i && ir_type_is_vector(m, like) ? ir_vector_like(m, like, e) : like.i ? e : like;
}

/* One of `parts` equal pieces of a vector; the whole where there are none. */
static IrType part_of(IrModule *m, IrType whole, u32 parts)
{
	u32 n = whole.i ? (u32)ir_type_count(m, whole) : 0;
	if (n < parts || n % parts)
		return whole;
	IrType e = ir_scalar_type(m, whole);
	return ir_type_is_scalable_vector(m, whole) ? ir_scalable_type(m, e, n / parts) : ir_vector_type(m, e, n / parts);
}

/* The type the next element stands for; none where that is any of several. Advances. */
static IrType next_type(Walk *w)
{
	char c = *w->at++;
	if (is_overloaded(c))
		return over(w, w->n++);
	switch (c) {
	case '=': return over(w, digit(&w->at));
	case '^': {
		IrType t = over(w, digit(&w->at));
		return t.i ? ir_scalar_type(w->m, t) : t;
	}
	case '/': {
		u32 parts = is_digit(w->at[1]) ? (u32)(*w->at++ - '0') : 2;
		return part_of(w->m, over(w, digit(&w->at)), parts);
	}
	case '~': {
		IrType like = over(w, digit(&w->at));
		return shaped(w->m, like, plain_type(w->m, *w->at++));
	}
	case 'p': return is_digit(*w->at) ? ir_ptr_type(w->m, digit(&w->at)) : (IrType){0};
	case '<': {
		u32    n = digit(&w->at);
		IrType t = ir_vector_type(w->m, plain_type(w->m, *w->at), n);
		w->at += 2;
		return t;
	}
	default: return plain_type(w->m, c);
	}
}

/* The result: one type, a count of one type, or a struct. */
static IrType next_result(Walk *w)
{
	IrType fields[16];
	u32    n = 0;
	if (*w->at == '{') {
		bool known = true;
		for (w->at++; *w->at != '}' && n < PS_COUNT(fields);) {
			fields[n] = next_type(w);
			known &= fields[n++].i != 0;
		}
		w->at++;
		return known ? ir_struct_type(w->m, fields, n, false) : (IrType){0};
	}
	if (!is_digit(*w->at))
		return next_type(w);
	u32    count = digit(&w->at);
	IrType t = next_type(w);
	for (; n < count && n < PS_COUNT(fields); n++)
		fields[n] = t;
	return t.i ? ir_struct_type(w->m, fields, n, false) : t;
}

/* Integers and floating-point numbers go element by element; one integer may stand for all (powi). */
static bool same_shape(const Walk *w, char letter, IrType t)
{
	IrType first = w->over[0];
	if (first.i && strchr("JEW", letter))
		return !w->n || !ir_lanes(w->m, first) || ir_lanes(w->m, first) == ir_lanes(w->m, t);
	if (!w->n || !first.i || !strchr("IFQ", letter) || ir_lanes(w->m, first) == ir_lanes(w->m, t))
		return true;
	return (letter == 'I' && !ir_lanes(w->m, t) && ir_type_is_fp(w->m, ir_scalar_type(w->m, first))) ||
	       ir_scalar_type(w->m, first).i == IR_TY_I1;
}

/* Takes the type where the next element is overloaded; false where it is not of its class. Advances. */
static bool take_type(Walk *w, IrType t)
{
	char c = *w->at;
	if (is_overloaded(c) && w->n < IR_MAX_OVERLOADS) {
		bool ok = t.i && in_class(w->m, c, t) && same_shape(w, c, t);
		w->at++;
		w->over[w->n++] = ok ? t : (IrType){0};
		return ok;
	}
	bool pointer = c == 'p' && !is_digit(w->at[1]);
	next_type(w);
	return !pointer || ir_type_is_ptr(w->m, t);
}

static bool take_result(Walk *w, IrType t)
{
	bool ok = true;
	if (*w->at == '{') {
		u32 i = 0;
		for (w->at++; *w->at != '}'; i++)
			ok &= take_type(w, ir_type_kind(w->m, t) == IRT_STRUCT ? ir_type_elem(w->m, t, i) : (IrType){0});
		w->at++;
		return ok;
	}
	if (is_digit(*w->at)) {
		next_result(w);
		return true;
	}
	return take_type(w, t);
}

/* ---- whole signatures ---- */

static bool mismatch(IrSignatureError *e, IrSignaturePlace place, u32 param, IrType have, IrType want, const char *what)
{
	*e = (IrSignatureError){place, param, have, want, what};
	return false;
}

static u32 count_params(const char *sig)
{
	u32 n = 0;
	for (const char *s = strchr(sig, '(') + 1; *s != ')'; s++)
		if (*s == '=' || *s == '^' || *s == '/')
			n++, s++;
		else if (*s == '~')
			n++, s += 2;
		else if (*s == '<')
			n++, s = strchr(s, '>');
		else
			n += !is_digit(*s) && *s != '.';
	return n;
}

static bool is_vararg(const char *sig) { return strchr(sig, ')')[-1] == '.'; }

bool ir_signature_fits(IrModule *m, const char *sig, IrType fn, IrType *over, IrSignatureError *e)
{
	u32         n = ir_func_params(m, fn), want = count_params(sig);
	const char *elems[IR_MAX_PARAMS + 1];
	bool        ok[IR_MAX_PARAMS + 1];
	Walk        w = {.m = m, .at = sig, .over = over};
	memset(over, 0, sizeof(IrType) * IR_MAX_OVERLOADS);
	if (n != want || ir_type(m, fn)->vararg != is_vararg(sig) || n > IR_MAX_PARAMS)
		return mismatch(e, IRSIG_COUNT, want, (IrType){0}, (IrType){0}, "");
	elems[0] = sig;
	ok[0] = take_result(&w, ir_func_ret(m, fn));
	w.at++; /* ( */
	for (u32 i = 1; i <= n; i++) {
		elems[i] = w.at;
		ok[i] = take_type(&w, ir_func_param(m, fn, i - 1));
	}
	w = (Walk){.m = m, .at = sig, .over = over};
	for (u32 i = 0; i <= n; i++) {
		IrType type = ir_type_elem(m, fn, i), is = i ? next_type(&w) : next_result(&w);
		if (!i)
			w.at++;
		if (!ok[i] || (is.i && !ir_type_same(is, type)))
			return mismatch(e, i ? IRSIG_PARAM : IRSIG_RESULT, i, type, ok[i] ? is : (IrType){0},
			                in_class(m, *elems[i], type) && is_overloaded(*elems[i])
			                        ? "as many elements as in its result"
			                        : class_text(elems[i]));
	}
	return true;
}

IrType ir_signature_type(IrModule *m, const char *sig, IrType *over)
{
	IrType params[IR_MAX_PARAMS];
	Walk   w = {.m = m, .at = sig, .over = over};
	IrType ret = next_result(&w);
	u32    n = count_params(sig);
	if (!ret.i || n > IR_MAX_PARAMS)
		return (IrType){0};
	w.at++;
	for (u32 i = 0; i < n; i++) {
		params[i] = next_type(&w);
		if (!params[i].i)
			return (IrType){0};
	}
	return ir_func_type(m, ret, params, n, is_vararg(sig));
}

/* ---- types in names ---- */

static void mangle(Text *out, const IrModule *m, IrType t, u32 depth)
{
	const IrTypeRec *r = ir_type(m, t);
	switch ((IrTypeKind)r->kind) {
	case IRT_VOID: text_s(out, "isVoid"); break;
	case IRT_INT: text_f(out, "i%u", r->bits); break;
	case IRT_HALF: text_s(out, "f16"); break;
	case IRT_BFLOAT: text_s(out, "bf16"); break;
	case IRT_FLOAT: text_s(out, "f32"); break;
	case IRT_DOUBLE: text_s(out, "f64"); break;
	case IRT_X86_FP80: text_s(out, "f80"); break;
	case IRT_FP128: text_s(out, "f128"); break;
	case IRT_PPC_FP128: text_s(out, "ppcf128"); break;
	case IRT_METADATA: text_s(out, "Metadata"); break;
	case IRT_PTR: text_f(out, "p%u", r->bits); break;
	case IRT_VECTOR:
	case IRT_ARRAY:
		text_f(out, "%s%llu", r->kind == IRT_ARRAY ? "a" : r->bits ? "nxv" : "v", (unsigned long long)r->count);
		if (depth < 8)
			mangle(out, m, ir_type_elem(m, t, 0), depth + 1);
		break;
	case IRT_STRUCT:
		if (r->name.i) {
			text_f(out, "s_%.*ss", STR_ARG(ir_str(m, r->name)));
			break;
		}
		text_s(out, "sl_");
		for (u32 i = 0; i < r->n_elems && depth < 8; i++)
			mangle(out, m, ir_type_elem(m, t, i), depth + 1);
		text_s(out, "s");
		break;
	case IRT_TARGET:
		text_f(out, "t%.*s", STR_ARG(ir_str(m, r->name)));
		for (u32 i = 0; i < r->n_elems && depth < 8; i++) {
			text_s(out, "_");
			mangle(out, m, ir_type_elem(m, t, i), depth + 1);
		}
		for (u32 i = 0; i < r->bits; i++)
			text_f(out, "_%u", m->type_lists.p[r->ints + i]);
		text_s(out, "t");
		break;
	default: text_s(out, "?"); break;
	}
}

Str ir_mangled(IrModule *m, Str base, const IrType *over)
{
	Text out;
	text_init(&out, m->arena);
	text_add(&out, base);
	for (u32 i = 0; i < IR_MAX_OVERLOADS && over[i].i; i++) {
		text_s(&out, ".");
		mangle(&out, m, over[i], 0);
	}
	return text_str(&out);
}

/* .f32, .v4i32, .nxv4i32, .p1: the plain types of a suffix. */
static IrType unmangle(IrModule *m, const char **s, const char *end)
{
	static const struct {
		const char *text;
		u32         type;
	} fixed[] = {
		{"f16", IR_TY_HALF}, {"bf16", IR_TY_BFLOAT}, {"f32", IR_TY_FLOAT}, {"f64", IR_TY_DOUBLE}, {"f128", IR_TY_FP128}};
	u32  lanes = 0;
	bool scalable = end - *s > 2 && memcmp(*s, "nxv", 3) == 0;
	if (scalable)
		*s += 2;
	if (*s < end && **s == 'v' && end - *s > 1 && is_digit((*s)[1])) {
		(*s)++;
		while (*s < end && is_digit(**s) && lanes < 1 << 16)
			lanes = lanes * 10 + (u32)(*(*s)++ - '0');
	}
	IrType t = {0};
	for (u32 i = 0; i < PS_COUNT(fixed) && !t.i; i++) {
		u32 n = (u32)strlen(fixed[i].text);
		if ((u32)(end - *s) >= n && memcmp(*s, fixed[i].text, n) == 0) {
			t = (IrType){fixed[i].type};
			*s += n;
		}
	}
	if (!t.i && end - *s > 1 && (**s == 'i' || **s == 'p') && is_digit((*s)[1])) {
		bool pointer = *(*s)++ == 'p';
		u32  n = 0;
		while (*s < end && is_digit(**s) && n < 10000)
			n = n * 10 + (u32)(*(*s)++ - '0');
		t = pointer ? ir_ptr_type(m, n) : n ? ir_int_type(m, n) : t;
	}
	return !t.i || !lanes ? t : scalable ? ir_scalable_type(m, t, lanes) : ir_vector_type(m, t, lanes);
}

/* Types a suffix names, as far as they are plain ones of the right class. */
static void take_suffix(IrModule *m, const char *sig, Str suffix, IrType *over)
{
	const char *s = suffix.p, *end = suffix.p + suffix.n;
	u32         n = 0;
	for (; *sig && n < IR_MAX_OVERLOADS; sig++) {
		if (!is_overloaded(*sig))
			continue;
		if (s == end || *s++ != '.')
			return;
		IrType t = unmangle(m, &s, end);
		if (!t.i || !in_class(m, *sig, t) || (s < end && *s != '.'))
			return;
		over[n++] = t;
	}
}

IrType ir_signature_named(IrModule *m, const char *sig, Str suffix, IrType *over)
{
	take_suffix(m, sig, suffix, over);
	return ir_signature_type(m, sig, over);
}

Str ir_declaration_line(IrModule *m, Str name, IrType fn)
{
	Text out;
	text_init(&out, m->arena);
	text_s(&out, "declare ");
	ir_print_type(&out, m, ir_func_ret(m, fn));
	text_f(&out, " @%.*s(", STR_ARG(name));
	for (u32 i = 0; i < ir_func_params(m, fn); i++) {
		text_s(&out, i ? ", " : "");
		ir_print_type(&out, m, ir_func_param(m, fn, i));
	}
	text_s(&out, ir_type(m, fn)->vararg ? ", ...)" : ")");
	return text_str(&out);
}
