/* base.h: fixed-width types and the few macros every room uses. No libc beyond
 * <stdint.h>, <stddef.h>, <stdbool.h>, <string.h>. */
#ifndef PS_BASE_H
#define PS_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t  u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t   i8;
typedef int16_t  i16;
typedef int32_t  i32;
typedef int64_t  i64;
typedef float    f32;
typedef double   f64;

#define PS_COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define PS_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PS_MAX(a, b) ((a) > (b) ? (a) : (b))

#if defined(__GNUC__)
#define PS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define PS_NORETURN          __attribute__((noreturn))
#define PS_UNUSED            __attribute__((unused))
#define PS_NOINLINE          __attribute__((noinline))             /* so that a short caller needs no frame */
#define PS_INLINE            inline __attribute__((always_inline)) /* what is specialised for a constant argument */
#define PS_COLD              __attribute__((cold)) /* seldom called: branches that lead to it are laid out of the way */
#else
#define PS_PRINTF(fmt, args)
#define PS_NORETURN
#define PS_UNUSED
#define PS_NOINLINE
#define PS_INLINE inline
#define PS_COLD
#endif

/* The place of the lowest bit that is set; there is one. */
static inline u32 ps_lowest_bit(u64 w)
{
#if defined(__GNUC__)
	return (u32)__builtin_ctzll(w);
#else
	u32 n = 0;
	for (; !(w & 1); w >>= 1)
		n++;
	return n;
#endif
}

/* A view of bytes; not owned, not NUL-terminated. */
typedef struct Str {
	const char *p;
	u32         n;
} Str;

#define STR(lit) ((Str){(lit), (u32)(sizeof(lit) - 1)})

/* The two arguments of a %.*s. */
#define STR_ARG(s) (int)(s).n, (s).p

static inline Str str_of(const char *s) { return (Str){s, (u32)strlen(s)}; }

static inline bool str_eq(Str a, Str b) { return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0); }

/* Lists are searched with it: most words differ in the first character. */
static inline bool str_is(Str a, const char *s) { return a.n ? *s == *a.p && str_eq(a, str_of(s)) : !*s; }

static inline bool str_starts(Str a, const char *prefix)
{
	size_t n = strlen(prefix);
	return a.n >= n && memcmp(a.p, prefix, n) == 0;
}

/* Bytewise order; a proper prefix comes first. */
static inline int str_cmp(Str a, Str b)
{
	u32 n = PS_MIN(a.n, b.n);
	int c = n ? memcmp(a.p, b.p, n) : 0;
	return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* Levenshtein's distance, transpositions of neighbours being one step, by three rows; UINT32_MAX where either is longer than
 * STR_DISTANCE_MAX. */
enum { STR_DISTANCE_MAX = 64 };
u32 str_distance(Str a, Str b);

/* Is it one of `words`? Each has a space before and behind it. */
bool str_is_among(const char *words, Str s);

/* log2 rounded down; x must not be 0. */
static inline u32 u64_log2(u64 x)
{
	u32 r = 0;
	for (u32 s = 32; s; s >>= 1)
		if (x >> s) {
			x >>= s;
			r += s;
		}
	return r;
}

static inline u64 align_up(u64 x, u64 a) { return (x + a - 1) / a * a; }

#endif
