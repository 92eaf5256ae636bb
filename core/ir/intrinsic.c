/* intrinsic.c: the rows of intrinsics.def: finding the one a name means, what it promises, and whether a
 * call agrees with it. */
#include "ir/parse.h"
#include "ir/verify.h"

enum {
	EFFECT_FIRST,
#define IR_EFFECT(id, attributes) EFFECT_##id,
#include "ir/intrinsics.def"
};

static const char *const effects[] = {
	"",
#define IR_EFFECT(id, attributes) attributes,
#include "ir/intrinsics.def"
};

static const struct {
	const char *names, *signature;
	u8          effect, immediates;
} rows[] = {
#define IR_INTRINSIC(names, signature, effect, immediates) {names, signature, EFFECT_##effect, immediates},
#include "ir/intrinsics.def"
};

/* ---- names ---- */

/* A suffix of overloaded types: .p0.v4f32.i64 (a digit or '_' among the first four of each). */
static bool is_suffix(const char *p, const char *end)
{
	while (p < end) {
		bool type = false;
		if (*p++ != '.')
			return false;
		for (u32 i = 0; p < end && *p != '.'; p++, i++)
			type |= i < 4 && ((*p >= '0' && *p <= '9') || *p == '_' || (i == 2 && *p == 'V'));
		if (!type)
			return false;
	}
	return true;
}

/* Does `name` match the pattern? Recursion is bounded by the groups of a row. */
static bool matches(const char *pattern, const char *name, const char *end)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*')
			return is_suffix(name, end);
		if (*pattern != '{') {
			if (name == end || *name != *pattern)
				return false;
			name++;
			continue;
		}
		const char *close = strchr(pattern, '}');
		for (const char *from = pattern + 1; from <= close;) {
			const char *stop = from;
			while (*stop != ',' && *stop != '}')
				stop++;
			size_t n = (size_t)(stop - from);
			if ((size_t)(end - name) >= n && memcmp(name, from, n) == 0 && matches(close + 1, name + n, end))
				return true;
			from = stop + 1;
		}
		return false;
	}
	return name == end;
}

static u32 find_row(Str name)
{
	if (!str_starts(name, "llvm."))
		return 0;
	/* The first letter behind llvm. or llvm.nvvm. rules out most rows. */
	u32  key = str_starts(name, "llvm.nvvm.") ? 10 : 5;
	char letter = name.n > key ? name.p[key] : 0;
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if ((key == 5 || (rows[i].names[5] == 'n' && strncmp(rows[i].names, "llvm.nvvm.", key) == 0)) &&
		    (rows[i].names[key] == letter || rows[i].names[key] == '{') &&
		    matches(rows[i].names + 5, name.p + 5, name.p + name.n))
			return i + 1;
	return 0;
}

enum { NOT_KNOWN = UINT32_MAX };

u32 ir_intrinsic_of(const IrModule *m, IrRef global)
{
	if (ir_kind(global) != IR_GLOBAL)
		return 0;
	IrGlobal *g = ir_global(m, global);
	if (!g->intrinsic) {
		u32 row = find_row(ir_str(m, g->name));
		g->intrinsic = row ? row : NOT_KNOWN;
	}
	return g->intrinsic == NOT_KNOWN ? 0 : g->intrinsic;
}

u32 ir_call_intrinsic(const IrModule *m, IrRef call)
{
	IrFunc *f = ir_called(m, call);
	return f ? ir_intrinsic_of(m, f->ref) : 0;
}

bool ir_intrinsic_info(u32 i, IrIntrinsicInfo *info)
{
	if (i >= PS_COUNT(rows))
		return false;
	*info = (IrIntrinsicInfo){rows[i].names, rows[i].signature, effects[rows[i].effect], rows[i].immediates};
	return true;
}

/* ---- attributes ---- */

/* Sets of the effects, made when first asked for; by effect, id + 1. */
static IrAttrs effect_set(IrModule *m, u32 effect)
{
	if (!m->effect_sets.n)
		vec_extend(m->arena, &m->effect_sets, PS_COUNT(effects));
	u32 *slot = &m->effect_sets.p[effect];
	if (!*slot)
		*slot = irp_attrs_of_text(m, str_of(effects[effect])).i + 1;
	return (IrAttrs){*slot - 1};
}

void ir_intrinsic_set_attrs(IrModule *m, IrFunc *f)
{
	u32 row = ir_intrinsic_of(m, f->ref);
	if (!row)
		return;
	f->fn = effect_set(m, rows[row - 1].effect);
	for (u32 i = 0; i < f->n_args && i < 8; i++)
		if (rows[row - 1].immediates >> i & 1) {
			IrArg *a = ir_arg(m, ir_func_arg(f, i));
			a->attrs = ir_attrs_with(m, a->attrs, (IrAttr){.kind = IRA_IMMARG});
		}
}

/* ---- signatures ---- */

static IrType letter_type(IrModule *m, char letter)
{
	switch (letter) {
	case 'v': return IR_TYPE(VOID);
	case 'b': return IR_TYPE(I1);
	case 'c': return IR_TYPE(I8);
	case 's': return IR_TYPE(I16);
	case 'i': return IR_TYPE(I32);
	case 'l': return IR_TYPE(I64);
	case 'h': return IR_TYPE(HALF);
	case 'y': return IR_TYPE(BFLOAT);
	case 'f': return IR_TYPE(FLOAT);
	case 'd': return IR_TYPE(DOUBLE);
	case 'H': return ir_vector_type(m, IR_TYPE(HALF), 2);
	case 'Y': return ir_vector_type(m, IR_TYPE(BFLOAT), 2);
	default: return (IrType){0};
	}
}

IrType ir_intrinsic_type(IrModule *m, u32 row)
{
	const char *s = rows[row - 1].signature;
	IrType      params[16], ret = letter_type(m, *s);
	u32         n = 0;
	if (!ret.i || s[1] != '(')
		return (IrType){0};
	for (s += 2; *s != ')'; s++) {
		params[n] = letter_type(m, *s);
		if (!params[n++].i || n == PS_COUNT(params))
			return (IrType){0};
	}
	return ir_func_type(m, ret, params, n, false);
}

/* ---- calls ---- */

static bool letter_fits(const IrModule *m, char letter, IrType t)
{
	switch (letter) {
	case 'v': return t.i == IR_TY_VOID;
	case 'b': return t.i == IR_TY_I1;
	case 'c': return t.i == IR_TY_I8;
	case 's': return t.i == IR_TY_I16;
	case 'i': return t.i == IR_TY_I32;
	case 'l': return t.i == IR_TY_I64;
	case 'q': return t.i == IR_TY_I128;
	case 'h': return t.i == IR_TY_HALF;
	case 'y': return t.i == IR_TY_BFLOAT;
	case 'f': return t.i == IR_TY_FLOAT;
	case 'd': return t.i == IR_TY_DOUBLE;
	case 'm': return t.i == IR_TY_METADATA;
	case 't': return t.i == IR_TY_TOKEN;
	case 'p': return ir_type_is_ptr(m, t);
	case 'H':
	case 'Y':
	case 'S':
		return ir_type_is_vector(m, t) && ir_type_count(m, t) == 2 &&
		       ir_type_elem(m, t, 0).i == (letter == 'H' ? IR_TY_HALF : letter == 'Y' ? IR_TY_BFLOAT : IR_TY_I16);
	default: return true;
	}
}

/* Advances over one type of the signature. */
static bool type_fits(const IrModule *m, const char **sig, IrType t)
{
	const char *s = *sig;
	if (*s == '{') {
		u32 n = 0;
		bool ok = ir_type_kind(m, t) == IRT_STRUCT;
		for (s++; *s != '}'; s++, n++)
			ok = ok && n < ir_type_count(m, t) && letter_fits(m, *s, ir_type_elem(m, t, n));
		*sig = s + 1;
		return ok && n == ir_type_count(m, t);
	}
	if (*s >= '0' && *s <= '9') {
		u32 n = 0;
		for (; *s >= '0' && *s <= '9'; s++)
			n = n * 10 + (u32)(*s - '0');
		*sig = s + 1;
		bool ok = ir_type_kind(m, t) == IRT_STRUCT && ir_type_count(m, t) == n;
		for (u32 i = 0; i < n && ok; i++)
			ok = letter_fits(m, *s, ir_type_elem(m, t, i));
		return ok;
	}
	*sig = s + 1;
	return letter_fits(m, *s, t);
}

static u32 count_params(const char *sig)
{
	u32 n = 0;
	for (const char *s = strchr(sig, '(') + 1; *s != ')'; s++, n++)
		if (*s == '{')
			s = strchr(s, '}');
	return n;
}

bool irv_check_intrinsic(Verifier *v, IrRef call, u32 row)
{
	const IrModule *m = v->m;
	const char     *sig = rows[row - 1].signature;
	IrType          fn = ir_inst(m, call)->elem;
	u32             n = ir_func_params(m, fn);
	Str             name = ir_str(m, ir_name(m, ir_callee(m, call)));
	if (*sig) {
		u32 want = count_params(sig);
		if (want != n)
			return irv_inst(v, call, "'%.*s' takes %u argument%s, not %u", STR_ARG(name), want, want == 1 ? "" : "s", n);
		if (!type_fits(m, &sig, ir_func_ret(m, fn)))
			return irv_inst(v, call, "'%.*s' does not return '%.*s'", STR_ARG(name), STR_ARG(irv_type(v, ir_func_ret(m, fn))));
		sig++; /* ( */
		for (u32 i = 0; i < n; i++) {
			if (!type_fits(m, &sig, ir_func_param(m, fn, i)))
				return irv_inst(v, call, "argument %u of '%.*s' cannot have type '%.*s'", i + 1, STR_ARG(name),
				                STR_ARG(irv_type(v, ir_func_param(m, fn, i))));
		}
	}
	for (u32 i = 0; i < n && i < 8; i++)
		if (rows[row - 1].immediates >> i & 1) {
			IrRef a = ir_call_arg(m, call, i);
			bool  constant = ir_kind(a) == IR_MD || ir_kind(a) == IR_GLOBAL || ir_kind(a) == IR_CONST;
			if (!constant)
				return irv_inst(v, call, "argument %u of '%.*s' must be a constant", i + 1, STR_ARG(name));
		}
	return true;
}
