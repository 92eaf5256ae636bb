/* kernels.c: rows of kernels.def that become loops of vectors, and the table of all. */
#include "simt/kernel_loop.h"

#include "sem/float.h"
#include "sem/math.h"

/* Lanes are independent, so a result may overwrite an operand of the same width. */
#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(enable)") for (u32 l = 0; l < LANES; l++)
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

#define K(id, D, A, B, C, expr) static void k_##id(KERNEL_ARGS) KERNEL_BODY(EACH_LANE, D, A, B, C, expr)
#include "simt/kernels.def"

const KernelInfo simt_kernel[K_COUNT] = {
#define K(id, D, A, B, C, expr)  [K_##id] = {k_##id, sizeof(D) / sizeof(u32)},
#define KC(id, D, A, B, C, expr) [K_##id] = {simt_k_##id, sizeof(D) / sizeof(u32)},
#define K128(id, expr)           [K_##id] = {simt_k_##id, 4},
#include "simt/kernels.def"
};
