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

#define K(id, D, A, B, C, expr)  static void k_##id(KERNEL_ARGS) KERNEL_BODY(EACH_LANE, D, A, B, C, expr)
#define KF(id, D, A, B, C, expr) PS_UNUSED static void slow_##id(KERNEL_ARGS) KERNEL_BODY(EACH_LANE, D, A, B, C, expr)
#include "simt/kernels.def"

#if defined(__FMA__)
static void k_ffma32(KERNEL_ARGS)
{
	u32       *out = d;
	const u32 *a = pa, *b = pb, *c = pc;
	EACH_LANE
	out[l] = sem_f32_bits(__builtin_fmaf(sem_f32_of(a[l]), sem_f32_of(b[l]), sem_f32_of(c[l])));
}
#elif defined(__wasm_simd128__)
static inline v128_t fma_of_two(v128_t a, v128_t b, v128_t c, v128_t *doubtful)
{
	v128_t s = wasm_f64x2_add(wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b)),
	                          wasm_f64x2_promote_low_f32x4(c));
	v128_t middle = wasm_i64x2_eq(wasm_v128_and(s, wasm_i64x2_splat(0x1fffffff)), wasm_i64x2_splat(0x10000000));
	v128_t size = wasm_f64x2_abs(s), zero = wasm_f64x2_splat(0);
	v128_t small = wasm_v128_and(wasm_f64x2_lt(size, wasm_f64x2_splat(0x1p-126)), wasm_f64x2_gt(size, zero));
	*doubtful = wasm_v128_or(*doubtful, wasm_v128_or(middle, small));
	return wasm_f32x4_demote_f64x2_zero(s);
}

/* As below. */
static void k_ffma32(KERNEL_ARGS)
{
	v128_t     r[LANES / 4], doubtful = wasm_i32x4_splat(0);
	const u32 *a = pa, *b = pb, *c = pc;
	for (u32 l = 0; l < LANES; l += 4) {
		v128_t va = wasm_v128_load(a + l), vb = wasm_v128_load(b + l), vc = wasm_v128_load(c + l);
		v128_t low = fma_of_two(va, vb, vc, &doubtful);
		v128_t high = fma_of_two(wasm_i64x2_shuffle(va, va, 1, 1), wasm_i64x2_shuffle(vb, vb, 1, 1),
		                         wasm_i64x2_shuffle(vc, vc, 1, 1), &doubtful);
		v128_t v = wasm_i64x2_shuffle(low, high, 0, 2);
		r[l / 4] = wasm_v128_bitselect(v, wasm_i32x4_splat(0x7fffffff), wasm_f32x4_eq(v, v));
	}
	if (wasm_v128_any_true(doubtful))
		slow_ffma32(d, pa, pb, pc, x);
	else
		for (u32 l = 0; l < LANES; l += 4)
			wasm_v128_store((u32 *)d + l, r[l / 4]);
}
#else
/* The f64 sum rounds to the right f32 unless it lies in the middle between two of them, or the result is subnormal. */
static void k_ffma32(KERNEL_ARGS)
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

static u32 pattern32(const u32 *at, u32 size)
{
	u32 other = 0, apart = 0;
	for (u32 l = 0; l < HALF_LANES; l++) {
		other |= at[l] ^ at[0];
		apart |= (at[l] - at[0]) ^ l * size;
	}
	return (other ? 0 : (u32)LANES_SAME) | (apart ? 0 : (u32)LANES_IN_ROW);
}

static u32 pattern64(const u64 *at, u32 size)
{
	u64 other = 0, apart = 0, want = at[0];
	for (u32 l = 0; l < HALF_LANES; l++, want += size) {
		other |= at[l] ^ at[0];
		apart |= at[l] ^ want;
	}
	return (other ? 0 : (u32)LANES_SAME) | (apart ? 0 : (u32)LANES_IN_ROW);
}

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

#ifdef SIMT_AVX2
const SimtWide simt_wide_avx2 = {kernel_avx2, guard, spread, blend, pattern32, pattern64};
#else
const SimtWide   simt_wide_any = {simt_kernel, guard, spread, blend, pattern32, pattern64};
#endif
