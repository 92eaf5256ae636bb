/* fmt.c: the formatter behind text_f and arena_fmt: one pass over the format, counting what does not fit. */
#include "base/fmt.h"

typedef struct Out {
	char *p;
	u32   cap, n;
} Out;

static void put(Out *o, char c)
{
	if (o->cap && o->n + 1 < o->cap)
		o->p[o->n] = c;
	o->n++;
}

static void pad(Out *o, char c, int count)
{
	for (; count > 0; count--)
		put(o, c);
}

typedef struct Spec {
	bool left, zero, plus;
	int  width, precision; /* precision -1: none given */
	int  size;             /* bytes of the integer argument */
} Spec;

static void put_bytes(Out *o, Spec s, const char *p, u32 n)
{
	if (s.precision >= 0 && n > (u32)s.precision)
		n = (u32)s.precision;
	if (!s.left)
		pad(o, ' ', s.width - (int)n);
	for (u32 i = 0; i < n; i++)
		put(o, p[i]);
	if (s.left)
		pad(o, ' ', s.width - (int)n);
}

static void put_number(Out *o, Spec s, u64 v, bool negative, u32 base, const char *digits)
{
	char buf[64];
	int  n = 0;
	for (u64 x = v; x; x /= base)
		buf[n++] = digits[x % base];
	int  least = s.precision >= 0 ? s.precision : 1;
	char sign = negative ? '-' : s.plus ? '+' : 0;
	int  zeros = PS_MAX(least - n, 0);
	if (s.zero && !s.left && s.precision < 0)
		zeros = PS_MAX(zeros, s.width - n - (sign != 0));
	int blanks = s.width - n - zeros - (sign != 0);
	if (!s.left)
		pad(o, ' ', blanks);
	if (sign)
		put(o, sign);
	pad(o, '0', zeros);
	while (n)
		put(o, buf[--n]);
	if (s.left)
		pad(o, ' ', blanks);
}

static int read_int(const char **f)
{
	int v = 0;
	for (; **f >= '0' && **f <= '9'; ++*f)
		v = v * 10 + (**f - '0');
	return v;
}

static Spec read_spec(const char **f, va_list *ap)
{
	Spec s = {.precision = -1, .size = sizeof(int)};
	for (;; ++*f) {
		if (**f == '-')
			s.left = true;
		else if (**f == '0')
			s.zero = true;
		else if (**f == '+')
			s.plus = true;
		else
			break;
	}
	if (**f == '*')
		s.width = va_arg(*ap, int), ++*f;
	else
		s.width = read_int(f);
	if (**f == '.') {
		++*f;
		if (**f == '*')
			s.precision = va_arg(*ap, int), ++*f;
		else
			s.precision = read_int(f);
	}
	for (;; ++*f) {
		if (**f == 'l')
			s.size = (*f)[1] == 'l' ? (++*f, (int)sizeof(long long)) : (int)sizeof(long);
		else if (**f == 'z')
			s.size = sizeof(size_t);
		else
			return s;
	}
}

static u64 unsigned_arg(int size, va_list *ap) { return size == 8 ? va_arg(*ap, u64) : va_arg(*ap, u32); }

static void run(Out *o, const char *f, va_list *ap)
{
	for (; *f; f++) {
		if (*f != '%') {
			put(o, *f);
			continue;
		}
		f++;
		Spec s = read_spec(&f, ap);
		switch (*f) {
		case 'd':
		case 'i': {
			i64 v = s.size == 8 ? va_arg(*ap, i64) : va_arg(*ap, i32);
			put_number(o, s, v < 0 ? 0 - (u64)v : (u64)v, v < 0, 10, "0123456789");
			break;
		}
		case 'u': put_number(o, s, unsigned_arg(s.size, ap), false, 10, "0123456789"); break;
		case 'o': put_number(o, s, unsigned_arg(s.size, ap), false, 8, "01234567"); break;
		case 'x': put_number(o, s, unsigned_arg(s.size, ap), false, 16, "0123456789abcdef"); break;
		case 'X': put_number(o, s, unsigned_arg(s.size, ap), false, 16, "0123456789ABCDEF"); break;
		case 'c': {
			char c = (char)va_arg(*ap, int);
			s.precision = -1;
			put_bytes(o, s, &c, 1);
			break;
		}
		case 's': {
			const char *p = va_arg(*ap, const char *);
			u32         n = 0;
			while ((s.precision < 0 || n < (u32)s.precision) && p[n])
				n++;
			put_bytes(o, s, p, n);
			break;
		}
		case '%': put(o, '%'); break;
		default: /* an unknown conversion shows itself in the text */
			put(o, '%');
			put(o, *f);
			break;
		}
	}
	if (o->cap)
		o->p[PS_MIN(o->n, o->cap - 1)] = 0;
}

u32 fmt_len(const char *fmt, va_list ap) { return fmt_into(NULL, 0, fmt, ap); }

u32 fmt_into(char *out, u32 cap, const char *fmt, va_list ap)
{
	Out     o = {out, cap, 0};
	va_list copy;
	va_copy(copy, ap);
	run(&o, fmt, &copy);
	va_end(copy);
	return o.n;
}
