/* parse_value.c: operands: locals, globals, constants, constant expressions. */
#include "base/decimal.h"
#include "ir/parse.h"

static IrRef wrong_const(Parser *p, const char *what, IrType t)
{
	PARSE_ERROR(p, irp_token_range(p), IR_CONST_TYPE, what, STR_ARG(irp_type_text(p, t)));
	return IR_NO_REF;
}

/* ---- numbers ---- */

/* Digits of any length → words, in a base. What does not fit in the type is cut off at the top, as LLVM reads it. */
static IrRef big_int(Parser *p, IrType t, Str digits, u32 base, bool negative)
{
	u32  width = ir_type(p->m, t)->bits, n = (width + 63) / 64;
	u64 *w = arena_array(p->arena, u64, n);
	if (digits.n > LIMIT_DIGITS) {
		PARSE_ERROR(p, irp_token_range(p), IR_LIMIT, "digits", (u32)LIMIT_DIGITS);
		return IR_NO_REF;
	}
	for (u32 i = 0; i < digits.n; i++) {
		char c = digits.p[i];
		u64  carry = c <= '9' ? (u32)(c - '0') : (u32)((c | 0x20) - 'a' + 10);
		for (u32 k = 0; k < n; k++) { /* 32 bits at a time */
			u64 lo = (w[k] & 0xFFFFFFFF) * base + carry, hi = (w[k] >> 32) * base + (lo >> 32);
			w[k] = hi << 32 | (lo & 0xFFFFFFFF);
			carry = hi >> 32;
		}
	}
	if (negative) {
		u64 carry = 1;
		for (u32 k = 0; k < n; k++) {
			w[k] = ~w[k] + carry;
			carry = carry && w[k] == 0;
		}
	}
	return ir_const_words(p->m, t, w, n);
}

static IrRef int_const(Parser *p, IrType t)
{
	if (!ir_type_is_int(p->m, t)) {
		Token number = p->t;
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_CONST_TYPE, "an integer constant", STR_ARG(irp_type_text(p, t)));
		irp_hint_number(p, d, t, &number);
		return IR_NO_REF;
	}
	u32   width = ir_type(p->m, t)->bits;
	IrRef r;
	u64   bits = p->t.negative ? 0 - p->t.num : p->t.num;
	bool  fits = width >= 64 || p->t.num >> width == 0;
	if (p->t.huge || width > 64 || !fits) {
		Str digits = p->t.text;
		if (digits.p[0] == '-' || digits.p[0] == '+')
			digits = (Str){digits.p + 1, digits.n - 1};
		r = big_int(p, t, digits, 10, p->t.negative);
	} else {
		r = ir_const_int(p->m, t, bits);
	}
	irp_next(p);
	return r;
}

static u32 hex_digit(char c) { return c <= '9' ? (u32)(c - '0') : (u32)((c | 0x20) - 'a' + 10); }

/* At most 16 of them. */
static u64 hex_digits(const char *p, u32 n)
{
	u64 v = 0;
	for (u32 i = 0; i < n; i++)
		v = v << 4 | hex_digit(p[i]);
	return v;
}

static bool is_hex(Str s)
{
	for (u32 i = 0; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'f')))
			return false;
	return s.n > 0;
}

/* u0x…, s0x… */
static bool is_hex_int(Str s) { return s.n > 3 && (s.p[0] == 'u' || s.p[0] == 's') && s.p[1] == '0' && s.p[2] == 'x'; }

static IrRef hex_int(Parser *p, IrType t)
{
	Str s = {p->t.text.p + 3, p->t.text.n - 3};
	if (!ir_type_is_int(p->m, t))
		return wrong_const(p, "an integer constant", t);
	if (!is_hex(s)) {
		irp_expected(p, "a hexadecimal number");
		return IR_NO_REF;
	}
	u32   width = ir_type(p->m, t)->bits;
	IrRef r = big_int(p, t, s, 16, false);
	/* s0x: the highest bit that is set is the sign, so s0x7F is -1 */
	if (p->t.text.p[0] == 's' && !p->panic) {
		u32  n = (width + 63) / 64, bit = width;
		u64 *words = arena_array(p->arena, u64, n);
		ir_const_word(p->m, r, words, n);
		while (bit && !(words[(bit - 1) / 64] >> (bit - 1) % 64 & 1))
			bit--;
		for (; bit && bit < width; bit++)
			words[bit / 64] |= (u64)1 << bit % 64;
		r = ir_const_words(p->m, t, words, n);
	}
	irp_next(p);
	return r;
}

/* Up to 15 digits and a power of ten up to 22 are exact as doubles, so one operation rounds right. */
static bool small_decimal(Str s, f64 *out)
{
	static const f64 pow10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	u64              v = 0;
	u32              i = 0, digits = 0;
	i32              exp = 0;
	bool             negative = false, point = false;
	if (s.p[0] == '-' || s.p[0] == '+')
		negative = s.p[i++] == '-';
	for (; i < s.n && s.p[i] != 'e' && s.p[i] != 'E'; i++) {
		if (s.p[i] == '.') {
			point = true;
			continue;
		}
		v = v * 10 + (u64)(s.p[i] - '0');
		exp -= point;
		if (++digits > 15)
			return false;
	}
	if (i < s.n) {
		bool minus = s.p[++i] == '-';
		i32  e = 0;
		if (s.p[i] == '-' || s.p[i] == '+')
			i++;
		if (s.n - i > 3)
			return false;
		for (; i < s.n; i++)
			e = e * 10 + (s.p[i] - '0');
		exp += minus ? -e : e;
	}
	if (exp < -22 || exp > 22)
		return false;
	*out = exp < 0 ? (f64)v / pow10[-exp] : (f64)v * pow10[exp];
	*out = negative ? -*out : *out;
	return true;
}

static u64 double_bits(f64 v)
{
	u64 bits;
	memcpy(&bits, &v, sizeof bits);
	return bits;
}

static IrRef fp_of_double(Parser *p, IrType t, u64 bits)
{
	u64   words[2];
	Token number = p->t;
	if (!ir_type_is_fp(p->m, t)) {
		irp_hint_number(p,
		                PARSE_ERROR(p, irp_token_range(p), IR_CONST_TYPE, "a floating-point constant",
		                            STR_ARG(irp_type_text(p, t))),
		                t, &number);
		return IR_NO_REF;
	}
	if (!irp_number_ends(p))
		return IR_NO_REF;
	if (!ir_fp_from_double(p->m, t, bits, words)) {
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_FP_INEXACT, (int)(number.end - number.p), number.p,
		                      STR_ARG(irp_type_text(p, t)));
		f64   v;
		memcpy(&v, &bits, sizeof v);
		if (number.kind == T_HEX_FP && number.text.n <= 8)
			irp_hint_number(p, d, t, &number);
		else if (t.i == IR_TY_FLOAT && v < 3.4e38 && v > -3.4e38)
			diag_hint(&p->s->diags, d, "the nearest float is written 0x%016llX",
			          (unsigned long long)double_bits((f64)(f32)v));
		return IR_NO_REF;
	}
	irp_next(p);
	return ir_const_fp_words(p->m, t, words, 2);
}

static IrRef decimal_fp(Parser *p, IrType t)
{
	f64 v;
	if (!small_decimal(p->t.text, &v))
		v = base_parse_double(p->t.text);
	return fp_of_double(p, t, double_bits(v));
}

/* 0x: a double's bits; 0xH half, 0xR bfloat, 0xK x86_fp80, 0xL fp128, 0xM ppc_fp128 (low word first). */
static IrRef hex_const(Parser *p, IrType t)
{
	Str  s = p->t.text;
	char letter = s.p[0] >= 'H' && s.p[0] <= 'R' ? s.p[0] : 0; /* digits may be small letters */
	u32  first = letter ? 1 : 0, digits = s.n - first;
	static const struct {
		char letter;
		u8   type, digits;
	} kinds[] = {{'H', IR_TY_HALF, 4},
	             {'R', IR_TY_BFLOAT, 4},
	             {'K', IR_TY_X86_FP80, 20},
	             {'L', IR_TY_FP128, 32},
	             {'M', IR_TY_PPC_FP128, 32}};
	for (u32 i = 0; i < PS_COUNT(kinds); i++)
		if (letter == kinds[i].letter) {
			if (t.i != kinds[i].type)
				return wrong_const(p, "this hexadecimal constant", t);
			if (digits > kinds[i].digits)
				letter = 'X';
		}
	while (!letter && digits > 16 && s.p[first] == '0') {
		first++;
		digits--;
	}
	if (letter == 'X' || (!letter && digits > 16) || letter == 'I' || letter == 'J') {
		irp_expected(p, "a shorter hexadecimal constant");
		return IR_NO_REF;
	}
	/* 0xK: 4 digits of the high part, then 16 of the low; L, M: 16 of the low, if there are as many, then the high. */
	u32 head = letter == 'K' ? PS_MIN(digits, 4u) : letter >= 'L' && letter <= 'M' && digits < 16 ? 0 : PS_MIN(digits, 16u);
	u64 front = hex_digits(s.p + first, head), back = hex_digits(s.p + first + head, digits - head);
	if (!letter)
		return fp_of_double(p, t, front);
	u64 words[2] = {letter == 'K' ? back : front, letter == 'K' ? front : back};
	irp_next(p);
	return ir_const_fp_words(p->m, t, words, 2);
}

/* f0x and the bits of the type, of LLVM 22 */
static IrRef bits_const(Parser *p, IrType t)
{
	Str s = {p->t.text.p + 3, p->t.text.n - 3};
	if (!ir_type_is_fp(p->m, t))
		return wrong_const(p, "a floating-point constant", t);
	u64 words[2] = {0, 0}, width = ir_size_bits(p->m, t);
	if (!is_hex(s) || s.n > 32 || (u64)s.n * 4 > (width + 3) / 4 * 4) {
		irp_expected(p, "as many hexadecimal digits as the type has");
		return IR_NO_REF;
	}
	for (u32 i = 0; i < s.n; i++) {
		words[1] = words[1] << 4 | words[0] >> 60;
		words[0] = words[0] << 4 | hex_digit(s.p[i]);
	}
	irp_next(p);
	return ir_const_fp_words(p->m, t, words, 2);
}

/* +inf, -qnan, nan(0x1), snan(0x1) and the like */
static bool is_special_fp(Str s)
{
	if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
		s = (Str){s.p + 1, s.n - 1};
	return str_is(s, "inf") || str_is(s, "nan") || str_is(s, "qnan") || str_is(s, "snan") || str_is(s, "pinf") ||
	       str_is(s, "ninf");
}

static IrRef special_fp(Parser *p, IrType t)
{
	Str  s = p->t.text;
	bool negative = s.p[0] == '-' || str_is(s, "ninf");
	if (s.p[0] == '+' || s.p[0] == '-')
		s = (Str){s.p + 1, s.n - 1};
	bool infinite = s.p[s.n - 1] == 'f', signalling = s.p[0] == 's';
	u32  fraction = t.i == IR_TY_HALF ? 10 : t.i == IR_TY_BFLOAT ? 7 : t.i == IR_TY_FLOAT ? 23 : t.i == IR_TY_DOUBLE ? 52 : 0;
	if (!fraction)
		return wrong_const(p, "this constant", t);
	u64 width = ir_size_bits(p->m, t), payload = 0;
	irp_next(p);
	if (!infinite && accept(p, '(')) {
		if (at(p, T_HEX_FP))
			for (u32 i = 0; i < p->t.text.n; i++)
				payload = payload << 4 | hex_digit(p->t.text.p[i]);
		else if (at(p, T_INT))
			payload = p->t.num;
		else
			irp_expected(p, "the payload, 0x and hexadecimal digits");
		if (payload >> (fraction - 1))
			irp_expected(p, "a payload that fits in the type");
		irp_next(p);
		irp_expect(p, ')', "')' after the payload");
	}
	if (signalling && !payload && !p->panic)
		irp_expected(p, "a payload, which is not 0, of a signalling NaN");
	u64 exponent = ((u64)1 << (width - 1 - fraction)) - 1, quiet = infinite || signalling ? 0 : (u64)1 << (fraction - 1);
	u64 bits = (u64)negative << (width - 1) | exponent << fraction | quiet | payload;
	return p->panic ? IR_NO_REF : ir_const_fp(p->m, t, bits);
}

/* ---- globals ---- */

static IrRef forward_global(Parser *p, StrId name, IrType t)
{
	IrRef     g = ir_ref(IR_GLOBAL, pages_new(&p->m->globals));
	IrGlobal *rec = ir_global(p->m, g);
	rec->ptr = t;
	rec->addrspace = ir_type(p->m, t)->bits;
	rec->name = name;
	vec_push(p->arena, &p->globals_forward, ir_index(g));
	vec_push(p->arena, &p->global_use, irp_token_range(p));
	return g;
}

IrRef irp_global_ref(Parser *p, IrType t)
{
	IrRef g = IR_NO_REF;
	if (!ir_type_is_ptr(p->m, t)) {
		if (!p->panic)
			PARSE_ERROR(p, irp_token_range(p), IR_TYPE_MISMATCH, (int)(p->t.end - p->t.p), p->t.p, 3, "ptr",
			            STR_ARG(irp_type_text(p, t)));
		return g;
	}
	if (at(p, T_GLOBAL)) {
		StrId name = irp_token_strid(p);
		bool  fresh;
		u64  *slot = map_put(p->names.live ? &p->names : &p->m->symbols, name.i, &fresh);
		if (fresh)
			*slot = ir_index(forward_global(p, name, t));
		g = ir_ref(IR_GLOBAL, (u32)*slot);
	} else {
		u32 id = irp_num_get(&p->globals_num, p->t.num);
		g = id ? ir_ref(IR_GLOBAL, id) : forward_global(p, (StrId){0}, t);
		if (!id)
			irp_num_set(p, &p->globals_num, p->t.num, ir_index(g));
	}
	IrGlobal *rec = ir_global(p->m, g);
	if (!ir_type_same(rec->ptr, t)) {
		Diag *d = PARSE_ERROR(p, irp_token_range(p), IR_TYPE_MISMATCH, (int)(p->t.end - p->t.p), p->t.p,
		                      STR_ARG(irp_type_text(p, rec->ptr)), STR_ARG(irp_type_text(p, t)));
		diag_hint(&p->s->diags, d, "write 'addrspacecast (%.*s %.*s to %.*s)'", STR_ARG(irp_type_text(p, rec->ptr)),
		          (int)(p->t.end - p->t.p), p->t.p, STR_ARG(irp_type_text(p, t)));
		return g;
	}
	irp_next(p);
	return g;
}

/* ---- aggregates ---- */

/* TYPE VALUE, …, up to `close`. Pushed on scratch; returns how many. */
static u32 elements(Parser *p, u32 close, const char *what)
{
	u32 n = 0;
	if (accept(p, close))
		return 0;
	do {
		IrType t = irp_type(p);
		IrRef  v = p->panic ? IR_NO_REF : irp_const(p, t);
		vec_push(p->arena, &p->scratch, v.i);
		n++;
	} while (accept(p, ',') && !p->panic);
	irp_expect(p, close, what);
	return n;
}

static IrRef signed_pointer(Parser *p)
{
	Spot  from = spot(p);
	u32   base = p->scratch.n;
	IrRef r = IR_NO_REF;
	irp_next(p);
	irp_expect(p, '(', "'(' after ptrauth");
	u32         n = elements(p, ')', "',' or ')' in a signed pointer");
	const char *wrong = p->panic ? NULL : ir_const_signed(p->m, (IrRef *)(void *)(p->scratch.p + base), n, &r);
	if (wrong)
		PARSE_ERROR(p, irp_range_from(p, &from), IR_SIGNED, wrong);
	p->scratch.n = base;
	return r;
}

static IrRef make_aggregate(Parser *p, IrType t, u32 base, u32 n, const Spot *from)
{
	IrRef *e = (IrRef *)(void *)(p->scratch.p + base);
	if (n == 0 && ir_type_kind(p->m, t) == IRT_ARRAY && !ir_type_count(p->m, t))
		return ir_const_poison(p->m, t); /* [] */
	if (n != ir_type_count(p->m, t)) {
		PARSE_ERROR(p, irp_range_from(p, from), IR_ELEMENT_COUNT, STR_ARG(irp_type_text(p, t)),
		            (unsigned long long)ir_type_count(p->m, t), (unsigned long long)n);
		return IR_NO_REF;
	}
	for (u32 i = 0; i < n; i++) {
		IrType want = ir_type_elem(p->m, t, i), have = ir_type_of(p->m, e[i]);
		if (!ir_type_same(want, have)) {
			PARSE_ERROR(p, irp_range_from(p, from), IR_ELEMENT_TYPE, i, STR_ARG(irp_type_text(p, have)),
			            STR_ARG(irp_type_text(p, want)));
			return IR_NO_REF;
		}
	}
	return ir_const_agg(p->m, t, e, n);
}

static IrRef aggregate(Parser *p, IrType t)
{
	Spot from = spot(p);
	u32  base = p->scratch.n, n;
	u32  kind = ir_type_kind(p->m, t);
	bool packed = false;
	if (accept(p, '[')) {
		n = elements(p, ']', "',' or ']' in an array constant");
		if (!p->panic && kind != IRT_ARRAY)
			return wrong_const(p, "an array constant", t);
	} else if (accept(p, '{')) {
		n = elements(p, '}', "',' or '}' in a struct constant");
		if (!p->panic && (kind != IRT_STRUCT || ir_type(p->m, t)->packed))
			return wrong_const(p, "a struct constant without '<' and '>'", t);
	} else {
		irp_next(p);
		packed = accept(p, '{');
		n = packed ? elements(p, '}', "',' or '}' in a struct constant")
		           : elements(p, '>', "',' or '>' in a vector constant");
		if (packed)
			irp_expect(p, '>', "'>' after a packed struct constant");
		if (!p->panic && (kind != (packed ? IRT_STRUCT : IRT_VECTOR) || (packed && !ir_type(p->m, t)->packed)))
			return wrong_const(p, packed ? "a packed struct constant" : "a vector constant", t);
	}
	if (!p->panic && ir_type_is_scalable_vector(p->m, t))
		return wrong_const(p, "a list of elements", t);
	IrRef r = p->panic ? IR_NO_REF : make_aggregate(p, t, base, n, &from);
	p->scratch.n = base;
	return r;
}

static IrRef c_string(Parser *p, IrType t)
{
	Str s = irp_token_str(p);
	if (ir_type_kind(p->m, t) != IRT_ARRAY || ir_type_elem(p->m, t, 0).i != IR_TY_I8)
		return wrong_const(p, "a string", t);
	if (s.n != ir_type_count(p->m, t)) {
		PARSE_ERROR(p, irp_token_range(p), IR_ELEMENT_COUNT, STR_ARG(irp_type_text(p, t)),
		            (unsigned long long)ir_type_count(p->m, t), (unsigned long long)s.n);
		return IR_NO_REF;
	}
	irp_next(p);
	return ir_const_data(p->m, t, s);
}

static IrRef splat(Parser *p, IrType t)
{
	irp_next(p);
	irp_expect(p, '(', "'(' after splat");
	IrType e = irp_type(p);
	IrRef  v = p->panic ? IR_NO_REF : irp_const(p, e);
	irp_expect(p, ')', "')' after splat");
	if (p->panic)
		return IR_NO_REF;
	if (!ir_type_is_vector(p->m, t) || !ir_type_same(ir_type_elem(p->m, t, 0), e))
		return wrong_const(p, "this splat", t);
	return ir_const_splat(p->m, t, v);
}

/* ---- constant expressions ---- */

static u32 flags(Parser *p)
{
	u32 all = 0;
	while (!p->panic && at(p, T_WORD) && p->t.word && p->t.word->flag) {
		all |= p->t.word->flag;
		irp_next(p);
	}
	return all;
}

/* inrange(-8, 16) of LLVM 19; the word alone before an index is older. */
static StrId in_range(Parser *p)
{
	i64  bound[2] = {0, 0};
	Spot from = spot(p);
	irp_next(p);
	if (!accept(p, '('))
		return (StrId){0};
	for (u32 i = 0; i < 2 && !p->panic; i++) {
		if (i)
			irp_expect(p, ',', "','");
		if (!at(p, T_INT))
			irp_expected(p, "a number");
		bound[i] = (i64)(p->t.negative ? 0 - p->t.num : p->t.num);
		irp_next(p);
	}
	irp_expect(p, ')', "')' after inrange");
	if (!p->panic && bound[0] >= bound[1])
		PARSE_ERROR0(p, irp_range_from(p, &from), IR_RANGES);
	return p->panic ? (StrId){0}
	                : strtab_add(&p->s->strs,
	                             arena_fmt(p->arena, "inrange(%lld, %lld)", (long long)bound[0], (long long)bound[1]));
}

/* Behind the keyword and its flags. */
static IrRef gep_expr(Parser *p, u32 flag, StrId range)
{
	u32  base = p->scratch.n, n = 0;
	Spot from = spot(p);
	irp_expect(p, '(', "'('");
	IrType elem = irp_type(p);
	while (accept(p, ',')) {
		accept_word(p, W_INRANGE);
		IrType t = irp_type(p);
		IrRef  v = p->panic ? IR_NO_REF : irp_const(p, t);
		vec_push(p->arena, &p->scratch, v.i);
		n++;
	}
	irp_expect(p, ')', "',' or ')' in a getelementptr expression");
	IrRef *ops = (IrRef *)(void *)(p->scratch.p + base), r = IR_NO_REF;
	if (!p->panic && (n == 0 || !ir_type_is_ptr(p->m, ir_scalar_type(p->m, ir_type_of(p->m, ops[0])))))
		irp_expected(p, "a pointer as the base of getelementptr");
	if (!p->panic && ir_type_is_scalable(p->m, elem))
		PARSE_ERROR(p, irp_range_from(p, &from), IR_BAD_GEP,
		            STR_ARG(STR("a constant steps over no type with a scalable vector inside")));
	IrType to = elem;
	for (u32 i = 1; i < n && !p->panic; i++) {
		const char *fault = ir_gep_step(p->m, &to, ops[i], i == 1);
		IrType      t = ir_type_of(p->m, ops[i]), all = ir_gep_result(p->m, ops, n);
		if (!fault && ir_type_is_vector(p->m, t) && ir_lanes(p->m, t) != ir_lanes(p->m, all))
			fault = "index %u has another number of elements than '%.*s'", to = all;
		if (fault)
			PARSE_ERROR(p, irp_range_from(p, &from), IR_BAD_GEP,
			            STR_ARG(arena_fmt(p->arena, fault, i, STR_ARG(irp_type_text(p, to)),
			                              STR_ARG(irp_type_text(p, t)))));
	}
	if (!p->panic)
		r = ir_const_gep_or_base(p->m, elem, flag, range, ops, n);
	p->scratch.n = base;
	return r;
}

/* The value of an expression, or the expression where it has none. */
static IrRef folded_expr(Parser *p, u32 op, IrType t, u32 sub, u32 flag, const IrRef *ops, u32 n)
{
	IrRef r = ir_expr_fold(p->m, op, sub, t, ops, n);
	if (r.i)
		return r;
	if (ir_expr_is_kept(op))
		return ir_const_expr(p->m, op, t, sub, flag, ops, n);
	PARSE_ERROR(p, irp_here(p), IR_OLD_EXPR, ir_op_info[op].name);
	return IR_NO_REF;
}

/* The cast that leads from one type to the other; NULL: none does. */
static const char *right_cast(const IrModule *m, IrType from, IrType to)
{
	static const u8 casts[] = {IR_TRUNC,  IR_SEXT,     IR_FPTRUNC,  IR_FPEXT,   IR_FPTOSI,
	                           IR_SITOFP, IR_PTRTOINT, IR_INTTOPTR, IR_BITCAST, IR_ADDRSPACECAST};
	for (u32 i = 0; i < PS_COUNT(casts); i++)
		if (ir_cast_fits(m, casts[i], from, to))
			return casts[i] == IR_SEXT     ? "sext or zext"
			       : casts[i] == IR_FPTOSI ? "fptosi or fptoui"
			       : casts[i] == IR_SITOFP ? "sitofp or uitofp"
			                               : ir_op_info[casts[i]].name;
	return NULL;
}

void irp_check_cast(Parser *p, u32 op, IrType from, IrType to, const Spot *start)
{
	if (p->panic || ir_cast_fits(p->m, op, from, to))
		return;
	const char *right = right_cast(p->m, from, to);
	Diag *d = PARSE_ERROR(p, irp_range_from(p, start), IR_BAD_CAST, ir_op_info[op].name, STR_ARG(irp_type_text(p, from)),
	                      STR_ARG(irp_type_text(p, to)));
	if (ir_type_same(from, to))
		diag_hint(&p->s->diags, d, "both are one type: use the value itself");
	else if (ir_type_is_fp(p->m, ir_scalar_type(p->m, from)) && ir_type_is_fp(p->m, ir_scalar_type(p->m, to)) &&
	         str_is(str_of(right ? right : ""), "bitcast"))
		d->hint = STR("fpext to float, then fptrunc");
	else if (right)
		diag_hint(&p->s->diags, d, "that is what %s does", right);
}

static IrRef cast_expr(Parser *p, u32 op, u32 flag)
{
	Spot start = spot(p);
	irp_expect(p, '(', "'('");
	IrType from = irp_type(p);
	IrRef  v = p->panic ? IR_NO_REF : irp_const(p, from);
	irp_expect_word(p, W_TO, "'to'");
	IrType to = irp_type(p);
	irp_expect(p, ')', "')' after a cast expression");
	if (p->panic)
		return IR_NO_REF;
	if ((op == IR_BITCAST || op == IR_ADDRSPACECAST) && ir_type_same(from, to))
		return v;
	irp_check_cast(p, op, from, to, &start);
	return p->panic ? IR_NO_REF : folded_expr(p, op, to, 0, flag, &v, 1);
}

static IrType expr_type(Parser *p, u32 op, const IrRef *ops, u32 n)
{
	IrType t = ir_type_of(p->m, ops[0]);
	switch (op) {
	case IR_ICMP:
	case IR_FCMP: return ir_type_is_vector(p->m, t) ? ir_vector_like(p->m, t, IR_TYPE(I1)) : IR_TYPE(I1);
	case IR_SELECT: return ir_type_of(p->m, ops[n > 1]);
	case IR_EXTRACTELEMENT: return ir_scalar_type(p->m, t);
	case IR_SHUFFLEVECTOR: return n == 3 ? ir_vector_like(p->m, ir_type_of(p->m, ops[2]), ir_scalar_type(p->m, t)) : t;
	default: return t;
	}
}

/* Operands of the right types, as many as there must be? */
static bool check_operands(Parser *p, u32 op, const IrRef *ops, u32 n, const Spot *from)
{
	const IrModule *m = p->m;
	IrType          t = ir_type_of(m, ops[0]), last = ir_type_of(m, ops[n - 1]), e = ir_scalar_type(m, t);
	const char     *want = NULL;
	bool            fp = (ir_op_info[op].flags & IROF_FPMATH) != 0;
	if (ir_op_is_binary(op) && !(fp ? ir_type_is_fp(m, e) : ir_type_is_int(m, e)))
		want = fp ? "a floating-point type" : "an integer type";
	else if (op == IR_SELECT && t.i != IR_TY_I1)
		want = "a condition of type i1";
	else if ((op == IR_EXTRACTELEMENT || op == IR_INSERTELEMENT) && !(ir_type_is_vector(m, t) && ir_type_is_int(m, last)))
		want = "a vector and an integer index";
	else if (op == IR_INSERTELEMENT && !ir_type_same(ir_type_of(m, ops[1]), e))
		want = "a value of the type of its elements";
	else if (op == IR_SHUFFLEVECTOR && !(ir_type_is_vector(m, t) && ir_type_same(t, ir_type_of(m, ops[1])) &&
	                                     ir_type_is_vector(m, last) && ir_scalar_type(m, last).i == IR_TY_I32))
		want = "two vectors of one type and a vector of i32";
	if (want)
		PARSE_ERROR(p, irp_range_from(p, from), IR_OPERAND_TYPE, ir_op_info[op].name, STR_ARG(irp_type_text(p, t)), want);
	IrType a = ir_type_of(m, ops[op == IR_SELECT]), b = ir_type_of(m, ops[op == IR_SELECT ? 2 : 1]);
	if (!p->panic && (ir_op_is_binary(op) || op == IR_ICMP || op == IR_FCMP || op == IR_SELECT) && !ir_type_same(a, b))
		PARSE_ERROR(p, irp_range_from(p, from), IR_OPERANDS_DIFFER, ir_op_info[op].name, STR_ARG(irp_type_text(p, a)),
		            STR_ARG(irp_type_text(p, b)));
	return !p->panic;
}

/* op (T v, T v, …) */
static IrRef plain_expr(Parser *p, u32 op, u32 sub, u32 flag)
{
	u32  base = p->scratch.n;
	Spot from = spot(p);
	irp_expect(p, '(', "'('");
	u32    n = elements(p, ')', "',' or ')' in a constant expression");
	IrRef *ops = (IrRef *)(void *)(p->scratch.p + base), r = IR_NO_REF;
	u32    want = op == IR_FNEG ? 1 : op == IR_SELECT || op == IR_INSERTELEMENT || op == IR_SHUFFLEVECTOR ? 3 : 2;
	if (!p->panic && n != want)
		PARSE_ERROR(p, irp_range_from(p, &from), IR_ARG_COUNT, STR_ARG(str_of(ir_op_info[op].name)), "", want,
		            want == 1 ? "" : "s", n);
	if (!p->panic && check_operands(p, op, ops, n, &from))
		r = folded_expr(p, op, expr_type(p, op, ops, n), sub, flag, ops, n);
	p->scratch.n = base;
	return r;
}

/* extractvalue (AGG v, 0, 1), insertvalue (AGG v, T e, 0): they always name parts of constants. */
static IrRef value_expr(Parser *p, u32 op)
{
	irp_expect(p, '(', "'('");
	IrType t = irp_type(p);
	IrRef  v = p->panic ? IR_NO_REF : irp_const(p, t);
	if (op == IR_INSERTVALUE) {
		PARSE_ERROR(p, irp_token_range(p), IR_UNKNOWN_CONST_EXPR, STR_ARG(STR("insertvalue")));
		return v;
	}
	while (accept(p, ',')) {
		u32 i = 0;
		irp_u32(p, UINT32_MAX, "an index", &i);
		v = p->panic ? v : ir_const_elem(p->m, v, i);
		if (!p->panic && !v.i)
			PARSE_ERROR(p, irp_token_range(p), IR_BAD_INDEX, i, STR_ARG(irp_type_text(p, t)));
	}
	irp_expect(p, ')', "')'");
	return v;
}

IrRef irp_const_expr(Parser *p)
{
	u32 op = p->t.word->op, sub = 0;
	if (!(op <= IR_SELECT || (op >= IR_EXTRACTELEMENT && op <= IR_GETELEMENTPTR))) {
		PARSE_ERROR(p, irp_token_range(p), IR_UNKNOWN_CONST_EXPR, STR_ARG(p->t.text));
		return IR_NO_REF;
	}
	irp_next(p);
	u32   flag = flags(p);
	StrId range = at_word(p, W_INRANGE) ? in_range(p) : (StrId){0};
	if (op == IR_ICMP || op == IR_FCMP) {
		u8 pred = at(p, T_WORD) && p->t.word ? (op == IR_ICMP ? p->t.word->ipred : p->t.word->fpred) : 0;
		if (!pred) {
			irp_expected(p, "a predicate");
			return IR_NO_REF;
		}
		sub = pred - 1u;
		irp_next(p);
	}
	if (op == IR_GETELEMENTPTR)
		return gep_expr(p, flag, range);
	if (ir_op_is_cast(op))
		return cast_expr(p, op, flag);
	if (op == IR_EXTRACTVALUE || op == IR_INSERTVALUE)
		return value_expr(p, op);
	return plain_expr(p, op, sub, flag);
}

/* ---- blockaddress ---- */

IrRef irp_find_block(const IrModule *m, const IrFunc *f, StrId name, u64 num)
{
	u64 n = 0;
	for (u32 i = 0; i < f->n_args; i++)
		n += !ir_arg(m, ir_func_arg(f, i))->name.i;
	ir_each_block(m, f, b) {
		if (name.i ? ir_block(m, b)->name.i == name.i : !ir_block(m, b)->name.i && n == num)
			return b;
		n += !ir_block(m, b)->name.i;
		ir_each_inst(m, b, i)
			n += !ir_info(m, i)->name.i && ir_inst(m, i)->type.i != IR_TY_VOID;
	}
	return IR_NO_REF;
}

static IrRef block_address(Parser *p, IrType t)
{
	irp_next(p);
	irp_expect(p, '(', "'(' after blockaddress");
	if (!at(p, T_GLOBAL) && !at(p, T_GLOBAL_NUM))
		irp_expected(p, "a function");
	IrRef f = p->panic ? IR_NO_REF : irp_global_ref(p, t);
	irp_expect(p, ',', "','");
	if (!at(p, T_LOCAL) && !at(p, T_LOCAL_NUM))
		irp_expected(p, "a label");
	if (p->panic)
		return IR_NO_REF;
	IrRef r;
	if (p->func && ir_same(p->func->ref, f)) {
		SrcRange label = irp_token_range(p);
		IrRef    b = irp_block_ref(p);
		r = ir_const_block_address(p->m, f, b);
		if (!p->panic && ir_same(b, p->func->first))
			PARSE_ERROR0(p, label, IR_ENTRY_ADDRESS);
	} else {
		BlockAddress a = {.func = f,
		                  .num = p->t.num,
		                  .at = irp_token_range(p),
		                  .name = at(p, T_LOCAL) ? irp_token_strid(p) : (StrId){0}};
		IrRef        ops[2] = {f, ir_const_int(p->m, IR_TYPE(I64), p->addresses.n + 1)};
		r = a.stand_in = ir_const_expr(p->m, 0, ir_type_of(p->m, f), 0, 0, ops, 2);
		vec_push(p->arena, &p->addresses, a);
		irp_next(p);
	}
	irp_expect(p, ')', "')' after blockaddress");
	return r;
}

void irp_resolve_block_addresses(Parser *p)
{
	for (u32 i = 0; i < p->addresses.n; i++) {
		BlockAddress a = p->addresses.p[i];
		IrFunc      *f = ir_func(p->m, a.func);
		IrRef        b = f ? irp_find_block(p->m, f, a.name, a.num) : IR_NO_REF;
		if (b.i) {
			ir_replace_all_uses(p->m, a.stand_in, ir_const_block_address(p->m, a.func, b));
			if (ir_same(b, f->first))
				PARSE_ERROR0(p, a.at, IR_ENTRY_ADDRESS);
			continue;
		}
		Str name = a.name.i ? ir_str(p->m, a.name) : arena_fmt(p->arena, "%u", (u32)a.num);
		PARSE_ERROR(p, a.at, IR_UNDEFINED_BLOCK, STR_ARG(name));
	}
}

/* ---- the rest ---- */

static IrRef of_global(Parser *p, IrConstKind kind, IrType t)
{
	irp_next(p);
	IrRef g = irp_global_ref(p, t);
	return p->panic ? IR_NO_REF : ir_const_of_global(p->m, kind, g);
}

static IrRef word_const(Parser *p, IrType t)
{
	IrModule   *m = p->m;
	const Word *w = p->t.word;
	u32         k = ir_type_kind(m, t);
	if (!w) {
		if (is_hex_int(p->t.text))
			return hex_int(p, t);
		if (str_starts(p->t.text, "f0x"))
			return bits_const(p, t);
		if (is_special_fp(p->t.text))
			return special_fp(p, t);
		irp_expected(p, "a value");
		return IR_NO_REF;
	}
	switch (w->word) {
	case W_TRUE:
	case W_FALSE:
		if (t.i != IR_TY_I1)
			return wrong_const(p, w->word == W_TRUE ? "true" : "false", t);
		irp_next(p);
		return ir_const_int(m, t, w->word == W_TRUE);
	case W_NULL:
		if (k != IRT_PTR)
			return wrong_const(p, "null", t);
		irp_next(p);
		return ir_const_zero(m, t);
	case W_UNDEF: irp_next(p); return ir_const_undef(m, t);
	case W_POISON: irp_next(p); return ir_const_poison(m, t);
	case W_NONE:
		if (k != IRT_TOKEN)
			return wrong_const(p, "none", t);
		irp_next(p);
		return ir_const_token(m);
	case W_ZEROINITIALIZER:
		if (!ir_type_is_first_class(m, t) || k == IRT_LABEL || k == IRT_METADATA ||
		    (k == IRT_TARGET && !(ir_target_type_may(m, t) & IRTT_ZERO)))
			return wrong_const(p, "zeroinitializer", t);
		irp_next(p);
		return ir_const_zero(m, t);
	case W_SPLAT: return splat(p, t);
	case W_BLOCKADDRESS: return block_address(p, t);
	case W_DSO_LOCAL_EQUIVALENT: return of_global(p, IRC_DSO_LOCAL_EQUIVALENT, t);
	case W_NO_CFI: return of_global(p, IRC_NO_CFI, t);
	case W_PTRAUTH: return signed_pointer(p);
	}
	if (w->op)
		return irp_const_expr(p);
	irp_expected(p, "a value");
	return IR_NO_REF;
}

static IrRef any_const(Parser *p, IrType t)
{
	switch (p->t.kind) {
	case T_INT: return int_const(p, t);
	case T_FP: return decimal_fp(p, t);
	case T_HEX_FP: return hex_const(p, t);
	case T_CSTRING: return c_string(p, t);
	case T_GLOBAL:
	case T_GLOBAL_NUM: return irp_global_ref(p, t);
	case '[':
	case '{':
	case '<': return aggregate(p, t);
	case T_WORD: return word_const(p, t);
	case T_LOCAL:
	case T_LOCAL_NUM: PARSE_ERROR(p, irp_token_range(p), IR_CONST_LOCAL, (int)(p->t.end - p->t.p), p->t.p); return IR_NO_REF;
	default: irp_expected(p, "a value"); return IR_NO_REF;
	}
}

IrRef irp_const(Parser *p, IrType t)
{
	if (at(p, T_GLOBAL)) /* checks the type itself */
		return irp_global_ref(p, t);
	Spot from = spot(p);
	if (!irp_enter(p))
		return IR_NO_REF;
	IrRef r = any_const(p, t);
	leave(p);
	if (!p->panic && !ir_type_same(ir_type_of(p->m, r), t)) {
		PARSE_ERROR(p, irp_range_from(p, &from), IR_TYPE_MISMATCH, (int)(PS_MIN(p->t.p - from.p, 60)), from.p,
		            STR_ARG(irp_type_text(p, ir_type_of(p->m, r))), STR_ARG(irp_type_text(p, t)));
		return IR_NO_REF;
	}
	return r;
}

/* Does the token begin the next instruction: %x = …? */
static bool defines(const Parser *p)
{
	const char *at = p->t.end;
	while (*at == ' ' || *at == '\t')
		at++;
	return *at == '=';
}

IrRef irp_value(Parser *p, IrType t)
{
	if (t.i == IR_TY_METADATA) /* whose first token may be the name of a type: metadata %T* %x */
		return ir_ref(IR_MD, irp_md(p).i);
	if (at(p, T_LOCAL) || at(p, T_LOCAL_NUM)) {
		if (p->t.line != p->last_line && defines(p)) {
			irp_expected(p, "a value");
			return IR_NO_REF;
		}
		if (t.i == IR_TY_LABEL)
			return irp_block_ref(p);
		if (p->func)
			return irp_local_ref(p, t);
	}
	return irp_const(p, t);
}

IrRef irp_type_value(Parser *p)
{
	IrType t = irp_any_type(p);
	return p->panic ? IR_NO_REF : irp_value(p, t);
}

/* asm [sideeffect] [alignstack] [inteldialect] [unwind] "text", "constraints" */
IrRef irp_asm(Parser *p, IrType fn)
{
	u32   f = 0;
	StrId text, constraints;
	irp_next(p);
	for (;;) {
		if (accept_word(p, W_SIDEEFFECT))
			f |= IRASM_SIDEEFFECT;
		else if (accept_word(p, W_ALIGNSTACK) ||
		         (at(p, T_WORD) && str_is(p->t.text, "alignstack") && (irp_next(p), true)))
			f |= IRASM_ALIGNSTACK;
		else if (accept_word(p, W_INTELDIALECT))
			f |= IRASM_INTEL;
		else if (accept_word(p, W_UNWIND))
			f |= IRASM_UNWIND;
		else
			break;
	}
	if (!irp_string(p, &text) || !irp_expect(p, ',', "','") || !irp_string(p, &constraints))
		return IR_NO_REF;
	return ir_asm_new(p->m, fn, ir_str(p->m, text), ir_str(p->m, constraints), f);
}
