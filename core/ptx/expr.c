/* expr.c: evaluates constant expressions of PTX in 64 bits, with C's operators and precedences and the casts (.s64) and (.u64).
 * A value is signed unless it does not fit, has the suffix U, or was computed from an unsigned value. */
#include "ptx/reader.h"

#include "base/decimal.h"

enum { EXPR_DEPTH = 64 };

static bool expr_at(Reader *r, ConstValue *v, u32 least, u32 depth);

static u32 digit_of(char c)
{
	return c >= '0' && c <= '9' ? (u32)(c - '0') : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (u32)((c | 0x20) - 'a') + 10 : 99;
}

static bool parse_digits(Str s, u32 base, u64 *out)
{
	u64 v = 0;
	for (u32 i = 0; i < s.n; i++) {
		u32 d = digit_of(s.p[i]);
		if (d >= base || v > (UINT64_MAX - d) / base)
			return false;
		v = v * base + d;
	}
	*out = v;
	return s.n > 0;
}

static bool int_literal(Str s, ConstValue *v)
{
	if (s.n && (s.p[s.n - 1] | 0x20) == 'u') {
		v->is_unsigned = true;
		s.n--;
	}
	u32 base = 10;
	if (s.n > 1 && s.p[0] == '0') {
		char c = (char)(s.p[1] | 0x20);
		base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
		u32 skip = base == 8 ? 1 : 2;
		s.p += skip;
		s.n -= skip;
	}
	if (!parse_digits(s, base, &v->bits))
		return false;
	v->is_unsigned |= v->bits > INT64_MAX;
	return true;
}

static bool float_literal(Str s, ConstValue *v)
{
	v->is_float = true;
	char c = s.n > 1 ? (char)(s.p[1] | 0x20) : 0;
	if (s.p[0] == '0' && (c == 'f' || c == 'd')) {
		v->is_f32 = c == 'f';
		s.p += 2;
		s.n -= 2;
		return s.n == (v->is_f32 ? 8u : 16u) && parse_digits(s, 16, &v->bits);
	}
	f64 d = base_parse_double(s);
	memcpy(&v->bits, &d, sizeof d);
	v->is_decimal = true;
	return d == d;
}

u32 ptx_f64_to_f32_bits(u64 bits)
{
	f64 d;
	memcpy(&d, &bits, sizeof d);
	f32 f = (f32)d;
	u32 out;
	memcpy(&out, &f, sizeof out);
	return out;
}

static bool wrong_number(Reader *r)
{
	diag_report(&r->s->diags, DIAG_PTX_NUMBER, ptx_lex_range(&r->t), STR_ARG(r->t.text));
	r->errors_at_line = r->t.line;
	ptx_lex_next(r);
	return false;
}

static void negate(ConstValue *v)
{
	if (v->is_float)
		v->bits ^= (u64)1 << (v->is_f32 ? 31 : 63);
	else
		v->bits = 0 - v->bits, v->is_unsigned = false;
}

static bool cast_or_parenthesis(Reader *r, ConstValue *v, u32 depth)
{
	if (tok_dot(r, ".s64") || tok_dot(r, ".u64")) {
		bool to_unsigned = tok_dot(r, ".u64");
		ptx_lex_next(r);
		if (!ptx_lex_expect(r, ')', "behind the type of a cast") || !expr_at(r, v, 100, depth + 1))
			return false;
		v->is_unsigned = to_unsigned;
		return true;
	}
	return expr_at(r, v, 0, depth + 1) && ptx_lex_expect(r, ')', "in an expression");
}

static bool primary(Reader *r, ConstValue *v, u32 depth)
{
	*v = (ConstValue){0};
	if (depth > EXPR_DEPTH) {
		diag_report(&r->s->diags, DIAG_PTX_DEPTH, ptx_lex_range(&r->t), "expression");
		return false;
	}
	if (r->t.kind == T_INT || r->t.kind == T_FLOAT) {
		if (r->t.kind == T_INT ? !int_literal(r->t.text, v) : !float_literal(r->t.text, v))
			return wrong_number(r);
		ptx_lex_next(r);
		return true;
	}
	if (r->t.kind == T_BAD)
		return wrong_number(r);
	if (r->t.kind == T_WORD && str_is(r->t.text, "WARP_SZ")) {
		v->bits = 32;
		ptx_lex_next(r);
		return true;
	}
	if (ptx_lex_take(r, '('))
		return cast_or_parenthesis(r, v, depth);
	char op = r->t.kind == T_PUNCT && !r->t.c2 ? r->t.c : 0;
	if (op != '-' && op != '+' && op != '~' && op != '!') {
		ptx_reader_unexpected(r, "a constant");
		return false;
	}
	ptx_lex_next(r);
	if (!primary(r, v, depth + 1))
		return false;
	if (op == '-')
		negate(v);
	else if (op == '~')
		v->bits = ~v->bits;
	else if (op == '!')
		*v = (ConstValue){.bits = v->bits == 0};
	return true;
}

static u32 precedence(const Reader *r)
{
	if (r->t.kind != T_PUNCT)
		return 0;
	char a = r->t.c, b = r->t.c2;
	switch (a) {
	case '?': return 1;
	case '|': return b ? 2 : 4;
	case '^': return 5;
	case '&': return b ? 3 : 6;
	case '=':
	case '!': return b ? 7 : 0;
	case '<':
	case '>': return b == a ? 9 : 8;
	case '+':
	case '-': return 10;
	case '*':
	case '/':
	case '%': return 11;
	default: return 0;
	}
}

static u64 divide(bool is_unsigned, bool remainder, u64 a, u64 b)
{
	if (!b)
		return 0;
	if (is_unsigned)
		return remainder ? a % b : a / b;
	if (b == UINT64_MAX) /* the least integer divided by -1 */
		return remainder ? 0 : 0 - a;
	return (u64)(remainder ? (i64)a % (i64)b : (i64)a / (i64)b);
}

static u64 shift_right(bool is_unsigned, u64 a, u64 n)
{
	n = PS_MIN(n, (u64)63);
	return is_unsigned || !(a >> 63) ? a >> n : ~(~a >> n);
}

static u64 apply(char a, char b, bool u, u64 x, u64 y)
{
	bool less = u ? x < y : (i64)x < (i64)y;
	switch (a) {
	case '|': return b ? x || y : x | y;
	case '^': return x ^ y;
	case '&': return b ? x && y : (x & y);
	case '=': return x == y;
	case '!': return x != y;
	case '<': return b == '<' ? (y > 63 ? 0 : x << y) : b ? less || x == y : less;
	case '>': return b == '>' ? shift_right(u, x, y) : b ? !less : !less && x != y;
	case '+': return x + y;
	case '-': return x - y;
	case '*': return x * y;
	case '/': return divide(u, false, x, y);
	default: return divide(u, true, x, y);
	}
}

static bool float_result(char op, ConstValue *v, ConstValue w)
{
	f64 x, y;
	if (v->is_f32 || w.is_f32 || !v->is_float || !w.is_float)
		return false;
	memcpy(&x, &v->bits, sizeof x);
	memcpy(&y, &w.bits, sizeof y);
	x = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
	memcpy(&v->bits, &x, sizeof x);
	return op == '+' || op == '-' || op == '*' || op == '/';
}

static bool select_value(Reader *r, ConstValue *v, u32 depth)
{
	ConstValue yes, no;
	if (!expr_at(r, &yes, 0, depth + 1) || !ptx_lex_expect(r, ':', "of '?'") || !expr_at(r, &no, 1, depth + 1))
		return false;
	*v = v->bits ? yes : no;
	return true;
}

static bool expr_at(Reader *r, ConstValue *v, u32 least, u32 depth)
{
	if (!primary(r, v, depth))
		return false;
	for (u32 p; (p = precedence(r)) != 0 && p >= least;) {
		char       a = r->t.c, b = r->t.c2;
		Tok        op = r->t;
		ConstValue w;
		ptx_lex_next(r);
		if (a == '?') {
			if (!select_value(r, v, depth))
				return false;
			continue;
		}
		if (!expr_at(r, &w, p + 1, depth + 1))
			return false;
		if (v->is_float || w.is_float) {
			if (!float_result(a, v, w)) {
				diag_report(&r->s->diags, DIAG_PTX_EXPECTED, ptx_lex_range(&op), "integers around the operator",
				            STR_ARG(op.text));
				return false;
			}
			continue;
		}
		bool u = v->is_unsigned || w.is_unsigned, compares = p == 7 || p == 8 || p == 2 || p == 3;
		if (a == '>' && b == '>')
			u = v->is_unsigned;
		*v = (ConstValue){.bits = apply(a, b, u, v->bits, w.bits), .is_unsigned = u && !compares};
	}
	return true;
}

bool ptx_const_expr(Reader *r, ConstValue *v) { return expr_at(r, v, 0, 0); }

/* Not beyond shifts: the `>` of `%r<6>` closes a range. */
bool ptx_const_expr_in_range(Reader *r, ConstValue *v) { return expr_at(r, v, 9, 0); }

bool ptx_const_starts(const Reader *r)
{
	if (r->t.kind == T_INT || r->t.kind == T_FLOAT || r->t.kind == T_BAD)
		return true;
	return tok_is(r, '-') || tok_is(r, '+') || tok_is(r, '~') || tok_is(r, '(');
}
