/* kernels.c: rows of kernels.def that become loops of vectors, the table of all, and what else is done with all lanes at once
 * (wide.h). kernels_avx2.c includes this file. */
#include "simt/kernel_loop.h"
#include "simt/wide.h"

#include "sem/float.h"
#include "sem/math.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* Lanes are independent, so a result may overwrite an operand of the same width. */
#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (u32 l = 0; l < LANES; l++)
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep") for (u32 l = 0; l < LANES; l++)
#else
#define EACH_LANE for (u32 l = 0; l < LANES; l++)
#endif

static inline u32 carry_of_add(u64 a, u64 b, u32 c)
{
	u64 s = a + b;
	return (s < a) | (s + c < s);
}

static inline u32 f32_to_s32(u32 a)
{
	f32 v = sem_f32_of(a);
	if (v > -2147483904.0f && v < 2147483648.0f)
		return (u32)(i32)v;
	return v != v ? 0 : v < 0 ? 0x80000000u : 0x7fffffffu;
}

/* A NaN yields the other operand; -0 is below +0; two NaN are the canonical one. */
static inline u32 min_f32(u32 a, u32 b)
{
	f32 x = sem_f32_of(a), y = sem_f32_of(b);
	u32 r = x < y ? a : y < x ? b : a | b;
	r = x != x ? b : r;
	return y != y ? (x != x ? 0x7fffffffu : a) : r;
}
static inline u32 max_f32(u32 a, u32 b)
{
	f32 x = sem_f32_of(a), y = sem_f32_of(b);
	u32 r = x < y ? b : y < x ? a : a & b;
	r = x != x ? b : r;
	return y != y ? (x != x ? 0x7fffffffu : a) : r;
}

static inline u64 fma64(u64 a, u64 b, u64 c) { return sem_f64_bits(__builtin_fma(sem_f64_of(a), sem_f64_of(b), sem_f64_of(c))); }

#define K(id, D, A, B, C, expr)  static PS_INLINE void k_##id(KERNEL_ARGS) KERNEL_BODY(EACH_LANE, D, A, B, C, expr)
#define KF(id, D, A, B, C, expr) PS_UNUSED static void slow_##id(KERNEL_ARGS) KERNEL_BODY(EACH_LANE, D, A, B, C, expr)
#include "simt/kernels.def"

#if defined(__FMA__)
static PS_INLINE void k_ffma32(KERNEL_ARGS)
{
	u32       *out = d;
	const u32 *a = pa, *b = pb, *c = pc;
	EACH_LANE
	out[l] = sem_f32_bits(__builtin_fmaf(sem_f32_of(a[l]), sem_f32_of(b[l]), sem_f32_of(c[l])));
}
#elif defined(__wasm_simd128__)
static inline v128_t product_and_sum(v128_t a, v128_t b, v128_t c)
{
	return wasm_f64x2_add(wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b)),
	                      wasm_f64x2_promote_low_f32x4(c));
}
static inline v128_t upper_two(v128_t v) { return wasm_i64x2_shuffle(v, v, 1, 1); }
static inline v128_t in_the_middle(v128_t sum)
{
	return wasm_i64x2_eq(wasm_v128_and(sum, wasm_i64x2_splat(0x1fffffff)), wasm_i64x2_splat(0x10000000));
}
static inline v128_t is_subnormal(v128_t sum)
{
	v128_t size = wasm_f64x2_abs(sum);
	return wasm_v128_and(wasm_f64x2_lt(size, wasm_f64x2_splat(0x1p-126)), wasm_f64x2_gt(size, wasm_f64x2_splat(0)));
}

/* As below, to r. False: some are doubtful. What rounds to at most the least normal number is looked at again: most of it is zero. */
static bool fma_row(v128_t *r, const u32 *a, const u32 *b, const u32 *c)
{
	v128_t doubtful = wasm_i32x4_splat(0), tiny = doubtful;
	for (u32 l = 0; l < LANES; l += 4) {
		v128_t va = wasm_v128_load(a + l), vb = wasm_v128_load(b + l), vc = wasm_v128_load(c + l);
		v128_t low = product_and_sum(va, vb, vc), high = product_and_sum(upper_two(va), upper_two(vb), upper_two(vc));
		v128_t v = wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
		doubtful = wasm_v128_or(doubtful, wasm_v128_or(in_the_middle(low), in_the_middle(high)));
		tiny = wasm_v128_or(tiny,
		                    wasm_i32x4_le(wasm_v128_and(v, wasm_i32x4_splat(0x7fffffff)), wasm_i32x4_splat(0x00800000)));
		r[l / 4] = wasm_v128_bitselect(v, wasm_i32x4_splat(0x7fffffff), wasm_f32x4_eq(v, v));
	}
	for (u32 l = 0; l < LANES && wasm_v128_any_true(tiny); l += 4) {
		v128_t va = wasm_v128_load(a + l), vb = wasm_v128_load(b + l), vc = wasm_v128_load(c + l);
		doubtful = wasm_v128_or(doubtful, is_subnormal(product_and_sum(va, vb, vc)));
		doubtful = wasm_v128_or(doubtful, is_subnormal(product_and_sum(upper_two(va), upper_two(vb), upper_two(vc))));
	}
	return !wasm_v128_any_true(doubtful);
}

/* As a copy it would be a call, of which engines make a slow one. */
static inline void put_row(u32 *d, const v128_t *r)
{
#pragma clang loop unroll(full)
	for (u32 l = 0; l < LANES; l += 4)
		wasm_v128_store(d + l, r[l / 4]);
}

static void k_ffma32(KERNEL_ARGS)
{
	v128_t r[LANES / 4];
	if (fma_row(r, pa, pb, pc))
		put_row(d, r);
	else
		slow_ffma32(d, pa, pb, pc, x);
}
#else
/* The f64 sum rounds to the right f32 unless it lies in the middle between two of them, or the result is subnormal. */
static PS_INLINE void k_ffma32(KERNEL_ARGS)
{
	u32        r[LANES], doubtful = 0;
	const u32 *a = pa, *b = pb, *c = pc;
	f64        s[LANES];
	EACH_LANE
	s[l] = (f64)sem_f32_of(a[l]) * (f64)sem_f32_of(b[l]) + (f64)sem_f32_of(c[l]);
	EACH_LANE
	{
		f64 size = s[l] < 0 ? -s[l] : s[l];
		r[l] = sem_f32_bits((f32)s[l]);
		doubtful |= ((u32)sem_f64_raw(s[l]) & 0x1fffffff) == 0x10000000;
		doubtful |= (size < 0x1p-126) & (size > 0);
	}
	if (doubtful)
		slow_ffma32(d, pa, pb, pc, x);
	else
		memcpy(d, r, sizeof r);
}
#endif

/* ---- guards, blends, addresses */

static u32 guard(const u32 *g)
{
	u32 on = 0;
#if defined(__AVX2__)
	for (u32 l = 0; l < LANES; l += 8) {
		__m256i v = _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(g + l)), 31);
		on |= (u32)_mm256_movemask_ps(_mm256_castsi256_ps(v)) << l;
	}
#elif defined(__SSE2__)
	for (u32 l = 0; l < LANES; l += 4) {
		__m128i v = _mm_slli_epi32(_mm_loadu_si128((const __m128i *)(const void *)(g + l)), 31);
		on |= (u32)_mm_movemask_ps(_mm_castsi128_ps(v)) << l;
	}
#elif defined(__wasm_simd128__)
#pragma clang loop unroll(full)
	for (u32 l = 0; l < LANES; l += 4)
		on |= (u32)wasm_i32x4_bitmask(wasm_i32x4_shl(wasm_v128_load(g + l), 31)) << l;
#else
	for (u32 l = 0; l < LANES; l++)
		on |= (0 - (g[l] & 1)) & lane_bit[l];
#endif
	return on;
}

static void spread(u32 *on, u32 mask)
{
	for (u32 l = 0; l < LANES; l++)
		on[l] = (mask & lane_bit[l]) == lane_bit[l] ? ~(u32)0 : 0;
}

static void blend(u32 *restrict d, const u32 *restrict s, u32 rows, const u32 *restrict on)
{
#if defined(__wasm_simd128__) /* written out, since engines make slow loops */
	if (rows == 1) {
#pragma clang loop unroll(full)
		for (u32 l = 0; l < LANES; l += 4)
			wasm_v128_store(
				d + l, wasm_v128_bitselect(wasm_v128_load(s + l), wasm_v128_load(d + l), wasm_v128_load(on + l)));
		return;
	}
#endif
	if (rows == 1) {
		for (u32 l = 0; l < LANES; l++)
			d[l] = (s[l] & on[l]) | (d[l] & ~on[l]);
		return;
	}
	for (u32 half = 0; half < rows; half += 2) {
		u64       *to = (u64 *)(void *)(d + half * LANES);
		const u64 *from = (const u64 *)(const void *)(s + half * LANES);
		for (u32 l = 0; l < LANES; l++) {
			u64 keep = (u64)(i64)(i32)on[l];
			to[l] = (from[l] & keep) | (to[l] & ~keep);
		}
	}
}

/* ---- vectors of lanes, in all lanes or in those that are on */

#if defined(__AVX2__)
enum { VECTOR = 8 };
#else
enum { VECTOR = 4 };
#endif
typedef u32 VecU __attribute__((vector_size(4 * VECTOR)));
typedef i32 VecS __attribute__((vector_size(4 * VECTOR)));
typedef f32 VecF __attribute__((vector_size(4 * VECTOR)));

#define S(v)               ((VecS)(v))
#define F(v)               ((VecF)(v))
#define CHOOSE(if_, v, w)  (((VecU)(if_) & (v)) | (~(VecU)(if_) & (w)))
#define WITHOUT_PAYLOAD(v) without_payload(v)

static inline VecU without_payload(VecF v)
{
	VecU number = (VecU)(v == v);
	return ((VecU)v & number) | (~number & 0x7fffffffu);
}

static inline VecU vector_at(const u32 *row, u32 lane)
{
	VecU v;
	memcpy(&v, row + lane, sizeof v);
	return v;
}
static inline void vector_put(u32 *row, u32 lane, VecU v) { memcpy(row + lane, &v, sizeof v); }
static inline void vector_put_on(u32 *row, u32 lane, VecU v, const u32 *on)
{
	VecU here = vector_at(on, lane);
	vector_put(row, lane, (v & here) | (vector_at(row, lane) & ~here));
}

/* Written out, since engines of WebAssembly make slow loops. */
#if defined(__clang__)
#define EACH_OF(lanes, n) _Pragma("clang loop unroll(full)") for (u32 l = 0; l < (lanes); l += (n))
#else
#define EACH_OF(lanes, n) for (u32 l = 0; l < (lanes); l += (n))
#endif
#define EACH_VECTOR EACH_OF(LANES, VECTOR)

/* Is it zero in all lanes? Ors of single lanes would wait for the vector to be stored. */
static inline bool no_bits(VecU v)
{
#if defined(__AVX2__)
	return _mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__SSE2__)
	return _mm_movemask_epi8(_mm_cmpeq_epi32((__m128i)v, _mm_setzero_si128())) == 0xffff;
#elif defined(__wasm_simd128__)
	return !wasm_v128_any_true((v128_t)v);
#else
	u32 any = 0;
	for (u32 l = 0; l < VECTOR; l++)
		any |= v[l];
	return !any;
#endif
}

/* Each lane's address is the first one and so many steps: most often it is the same, or behind the one of the lane before. Products
 * are of 32 bits, as a step is 0 or small, and few processors multiply vectors of 64. */
#define STEP_OF(name, T, Vec, N, ...)                                         \
	static u32 name(const T *at, u32 size)                                \
	{                                                                     \
		T step = at[1] - at[0];                                       \
		if (step != 0 && step != size)                                \
			return LANES_SCATTER;                                 \
		Vec number = {__VA_ARGS__}, apart = {0};                      \
		Vec want = (Vec)((VecU)number * (u32)step) + at[0];           \
		EACH_OF(HALF_LANES, N)                                        \
		{                                                             \
			Vec v;                                                \
			memcpy(&v, at + l, sizeof v);                         \
			apart |= v ^ want;                                    \
			want += (N)*step;                                     \
		}                                                             \
		return no_bits((VecU)apart) ? (u32)step : (u32)LANES_SCATTER; \
	}
typedef u64 VecU64 __attribute__((vector_size(4 * VECTOR)));
#if defined(__AVX2__)
STEP_OF(step32, u32, VecU, VECTOR, 0, 1, 2, 3, 4, 5, 6, 7)
STEP_OF(step64, u64, VecU64, VECTOR / 2, 0, 1, 2, 3)
#else
STEP_OF(step32, u32, VecU, VECTOR, 0, 1, 2, 3)
STEP_OF(step64, u64, VecU64, VECTOR / 2, 0, 1)
#endif

typedef u32 Words __attribute__((vector_size(16)));
typedef i32 Signs __attribute__((vector_size(16)));
typedef u64 Wides __attribute__((vector_size(32)));
typedef i64 WideSigns __attribute__((vector_size(32)));

/* Four lanes' addresses; those that are off have the first. */
static inline void four_addresses(const WidePlaces *p, u32 l, Wides *out)
{
	Wides at;
	Words narrow;
	Signs on;
	if (p->narrow) {
		memcpy(&narrow, p->address + l, sizeof narrow);
		at = __builtin_convertvector(narrow + (u32)p->offset, Wides);
	} else {
		memcpy(&at, p->address + 2 * l, sizeof at);
		at += p->offset;
	}
	if (p->on) {
		memcpy(&on, p->on + l, sizeof on);
		Wides keep = (Wides) __builtin_convertvector(on, WideSigns);
		at = (at & keep) | (~keep & p->first);
	}
	*out = at;
}

/* The top bit of `outside` shows a borrow: offsets and sizes are below 2^62. */
static bool places(const WidePlaces *p, u32 *offset)
{
	Wides outside = {0}, low = {0};
	EACH_OF(LANES, 4)
	{
		Wides at;
		four_addresses(p, l, &at);
		Wides off = at - p->base;
		Words word = __builtin_convertvector(off, Words);
		low |= at;
		outside |= off | (p->last - off);
		memcpy(offset + l, &word, sizeof word);
	}
	u64 any = outside[0] | outside[1] | outside[2] | outside[3], bits = low[0] | low[1] | low[2] | low[3];
	return !(any >> 63) && !(bits & p->align);
}

static u32 equal(const u32 *row, u32 value)
{
	u32 same = 0;
#if defined(__AVX2__)
	for (u32 l = 0; l < LANES; l += 8) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(row + l));
		v = _mm256_cmpeq_epi32(v, _mm256_set1_epi32((i32)value));
		same |= (u32)_mm256_movemask_ps(_mm256_castsi256_ps(v)) << l;
	}
#elif defined(__SSE2__)
	for (u32 l = 0; l < LANES; l += 4) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(row + l));
		same |= (u32)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(v, _mm_set1_epi32((i32)value)))) << l;
	}
#elif defined(__wasm_simd128__)
#pragma clang loop unroll(full)
	for (u32 l = 0; l < LANES; l += 4)
		same |= (u32)wasm_i32x4_bitmask(wasm_i32x4_eq(wasm_v128_load(row + l), wasm_i32x4_splat((i32)value))) << l;
#else
	for (u32 l = 0; l < LANES; l++)
		same |= row[l] == value ? lane_bit[l] : 0;
#endif
	return same;
}

#define V(id, expr)                                                                                            \
	static inline VecU of_##id(VecU a, PS_UNUSED VecU b, PS_UNUSED VecU c) { return expr; }                \
	static void        v_##id(VECTOR_ARGS)                                                                 \
	{                                                                                                      \
		if (on)                                                                                        \
			EACH_VECTOR                                                                            \
		vector_put_on(d, l, of_##id(vector_at(a, l), vector_at(b, l), vector_at(c, l)), on);           \
		else EACH_VECTOR vector_put(d, l, of_##id(vector_at(a, l), vector_at(b, l), vector_at(c, l))); \
	}
#include "simt/kernels_vector.def"

#if defined(__wasm_simd128__)
static void v_ffma32(VECTOR_ARGS)
{
	v128_t r[LANES / 4];
	if (!fma_row(r, a, b, c))
		slow_ffma32(r, a, b, c, 0);
	if (on)
		blend(d, (const u32 *)r, 1, on);
	else
		put_row(d, r);
}
#elif defined(__FMA__)
static void v_ffma32(VECTOR_ARGS)
{
	if (!on) {
		k_ffma32(d, a, b, c, 0);
		return;
	}
	EACH_LANE
	{
		u32 v = sem_f32_bits(__builtin_fmaf(sem_f32_of(a[l]), sem_f32_of(b[l]), sem_f32_of(c[l])));
		d[l] = (v & on[l]) | (d[l] & ~on[l]);
	}
}
#endif

static const VectorFn vectors[K_COUNT] = {
#define V(id, expr) [K_##id] = v_##id,
#include "simt/kernels_vector.def"
#if defined(__FMA__) || defined(__wasm_simd128__)
	[K_ffma32] = v_ffma32,
#endif
};

#ifdef SIMT_AVX2
static const KernelInfo kernel_avx2[K_COUNT] = {
#else
const KernelInfo simt_kernel[K_COUNT] = {
#endif
#define K(id, D, A, B, C, expr)  [K_##id] = {k_##id, sizeof(D) / sizeof(u32)},
#define KC(id, D, A, B, C, expr) [K_##id] = {simt_k_##id, sizeof(D) / sizeof(u32)},
#define K128(id, expr)           [K_##id] = {simt_k_##id, 4},
#include "simt/kernels.def"
};

/* ---- instructions in a row */

#define ROWS(r) (((r) < 0 ? f->pool : f->row) + (size_t)((r) < 0 ? -(r) : (r)) * LANES)

static void run(const WideFrame *f, const SimtInsn *in, const SimtInsn *end, const u32 *on)
{
	for (; in != end; in++) {
		u32     *to = f->row + (size_t)in->d * LANES, *d = on ? f->scratch : to;
		VectorFn vector = vectors[in->kernel];
#if defined(__wasm__) /* engines make slow code of long functions */
		if (vector) {
			vector(to, ROWS(in->a), ROWS(in->b), ROWS(in->c), on);
			continue;
		}
		simt_kernel[in->kernel].run(d, ROWS(in->a), ROWS(in->b), ROWS(in->c), in->x);
#else
		if (on && vector) {
			vector(to, ROWS(in->a), ROWS(in->b), ROWS(in->c), on);
			continue;
		}
		switch ((SimtKernel)in->kernel) {
#define K(id, D, A, B, C, expr)                                          \
	case K_##id:                                                     \
		k_##id(d, ROWS(in->a), ROWS(in->b), ROWS(in->c), in->x); \
		break;
#define KC(id, D, A, B, C, expr)                                              \
	case K_##id:                                                          \
		simt_k_##id(d, ROWS(in->a), ROWS(in->b), ROWS(in->c), in->x); \
		break;
#define K128(id, expr) KC(id, _, _, _, _, expr)
#include "simt/kernels.def"
		case K_COUNT: break;
		}
#endif
		if (on)
			blend(to, d, in->rows, on);
	}
}

#ifdef SIMT_AVX2
const SimtWide simt_wide_avx2 = {run, vectors, kernel_avx2, guard, spread, blend, step32, step64, places, equal};
#else
const SimtWide simt_wide_any = {run, vectors, simt_kernel, guard, spread, blend, step32, step64, places, equal};
#endif
