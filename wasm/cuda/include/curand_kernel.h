/* cuRAND's generators on the device: XORWOW (G. Marsaglia, Xorshift RNGs, 2003) and Philox4x32-10 (J. Salmon and others, Parallel
 * Random Numbers: As Easy as 1, 2, 3, 2011), and the distributions that are made of them. Seeds, sequences and offsets give cuRAND's
 * numbers. Normal numbers are Box and Muller's. */
#pragma once

#include <cuda_runtime.h>

#define CURAND_2POW32_INV 2.3283064e-10f

/* ---- XORWOW: 160 bits of xorshift, plus a counter. */

struct curandStateXORWOW {
	unsigned d, v[5];
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

__px_both void __px_xorshift(unsigned *v) {
	unsigned t = v[0] ^ v[0] >> 2;
	v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
	v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
__px_both unsigned curand(curandStateXORWOW *state) {
	__px_xorshift(state->v);
	state->d += 362437;
	return state->v[4] + state->d;
}

/* The step of the 160 bits is linear over GF(2). n steps are a polynomial in the step, x^n modulo its characteristic polynomial
 * (without x^160, lowest word first). */
static __device__ __host__ constexpr unsigned __px_xorshift_modulus[5] = {0x00060001, 0x08610030, 0x00062121, 0x0f3c0035, 0x00000f0e};
/* a = a^2 */
__px_function void __px_square_polynomial(unsigned *a) {
	unsigned r[5] = {};
	for (int i = 159; i >= 0; i--) {
		/* r x^2: two multiplications by x, each reduced; then the next coefficient of a. */
		for (int k = 0; k < 2; k++) {
			unsigned carry = r[4] >> 31;
			for (int w = 4; w > 0; w--)
				r[w] = r[w] << 1 | r[w - 1] >> 31;
			r[0] <<= 1;
			for (int w = 0; w < 5; w++)
				r[w] ^= carry ? __px_xorshift_modulus[w] : 0;
		}
		r[0] ^= a[i >> 5] >> (i & 31) & 1;
	}
	for (int w = 0; w < 5; w++)
		a[w] = r[w];
}
/* As many steps as the polynomial says. */
__px_function void __px_xorshift_by(unsigned *v, const unsigned *polynomial) {
	unsigned sum[5] = {};
	for (int i = 0; i < 160; i++) {
		unsigned take = 0u - (polynomial[i >> 5] >> (i & 31) & 1);
		for (int w = 0; w < 5; w++)
			sum[w] ^= v[w] & take;
		__px_xorshift(v);
	}
	for (int w = 0; w < 5; w++)
		v[w] = sum[w];
}
/* n times the steps of the polynomial, which is changed. */
__px_function void __px_xorshift_times(unsigned *v, unsigned *polynomial, unsigned long long n) {
	for (; n; n >>= 1) {
		if (n & 1)
			__px_xorshift_by(v, polynomial);
		if (n > 1)
			__px_square_polynomial(polynomial);
	}
}
__px_function void skipahead(unsigned long long n, curandStateXORWOW *state) {
	unsigned one_step[5] = {2};
	state->d += 362437 * (unsigned)n;
	if (n < 256)
		for (; n; n--)
			__px_xorshift(state->v);
	else
		__px_xorshift_times(state->v, one_step, n);
}
/* A sequence is 2^67 steps, after which the counter is the same again. */
__px_function void skipahead_sequence(unsigned long long n, curandStateXORWOW *state) {
	unsigned sequence[5] = {0x26294934, 0x77bbc248, 0x1a87dad0, 0x930052d4, 0x947e6dd2};
	__px_xorshift_times(state->v, sequence, n);
}
__px_function void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *state) {
	unsigned low = ((unsigned)seed ^ 0xaad26b49) * 1099087573u, high = ((unsigned)(seed >> 32) ^ 0xf7dcefdd) * 2591861531u;
	state->d = 6615241 + high + low;
	state->v[0] = 123456789 + low;
	state->v[1] = 362436069 ^ low;
	state->v[2] = 521288629 + high;
	state->v[3] = 88675123 ^ high;
	state->v[4] = 5783321 + low;
	skipahead_sequence(sequence, state);
	skipahead(offset, state);
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
}

/* ---- Philox: ten rounds over a counter of 128 bits. */

struct __align__(16) curandStatePhilox4_32_10 {
	uint4 ctr, output;
	uint2 key;
	unsigned STATE;
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__px_function uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
	for (int round = 0; round < 10; round++) {
		unsigned long long p = 0xD2511F53ull * c.x, q = 0xCD9E8D57ull * c.z;
		c = {(unsigned)(q >> 32) ^ c.y ^ k.x, (unsigned)q, (unsigned)(p >> 32) ^ c.w ^ k.y, (unsigned)p};
		k.x += 0x9E3779B9u, k.y += 0xBB67AE85u;
	}
	return c;
}
/* The counter's lower and upper half plus n. */
__px_both void __px_count_low(curandStatePhilox4_32_10 *state, unsigned long long n) {
	unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x, high = (unsigned long long)state->ctr.w << 32 | state->ctr.z;
	unsigned long long sum = low + n;
	high += sum < low;
	state->ctr = {(unsigned)sum, (unsigned)(sum >> 32), (unsigned)high, (unsigned)(high >> 32)};
}
__px_both void __px_count_high(curandStatePhilox4_32_10 *state, unsigned long long n) {
	unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
	state->ctr.z = (unsigned)high, state->ctr.w = (unsigned)(high >> 32);
}
__px_both unsigned __px_pick(const uint4 &v, unsigned i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
__px_function void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
	state->STATE += (unsigned)(n & 3);
	n /= 4;
	if (state->STATE > 3)
		n++, state->STATE -= 4;
	__px_count_low(state, n);
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__px_function void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state) {
	__px_count_high(state, n);
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__px_function void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10 *state) {
	state->ctr = {0, 0, 0, 0};
	state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
	state->STATE = 0;
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
	__px_count_high(state, sequence);
	skipahead(offset, state);
}
__px_function unsigned curand(curandStatePhilox4_32_10 *state) {
	unsigned r = __px_pick(state->output, state->STATE++);
	if (state->STATE == 4) {
		__px_count_low(state, 1);
		state->output = curand_Philox4x32_10(state->ctr, state->key);
		state->STATE = 0;
	}
	return r;
}
/* The next four. */
__px_function uint4 curand4(curandStatePhilox4_32_10 *state) {
	uint4 before = state->output;
	__px_count_low(state, 1);
	state->output = curand_Philox4x32_10(state->ctr, state->key);
	switch (state->STATE) {
	case 0: return before;
	case 1: return {before.y, before.z, before.w, state->output.x};
	case 2: return {before.z, before.w, state->output.x, state->output.y};
	default: return {before.w, state->output.x, state->output.y, state->output.z};
	}
}

/* ---- Distributions: uniform numbers are above 0 and up to 1. */

__px_both float __px_uniform(unsigned x) { return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2; }
__px_both double __px_uniform(unsigned low, unsigned high) {
	return (double)((unsigned long long)low ^ (unsigned long long)high << 21) * 0x1p-53 + 0x1p-54;
}
__px_function float2 __px_box_muller(unsigned x, unsigned y) {
	float u = __px_uniform(x), angle = y * (CURAND_2POW32_INV * 6.2831855f) + CURAND_2POW32_INV * 6.2831855f / 2, r = sqrtf(-2 * logf(u));
	float2 p;
	sincosf(angle, &p.x, &p.y);
	return {r * p.x, r * p.y};
}
__px_function double2 __px_box_muller(double u, double v) {
	double r = sqrt(-2 * log(u));
	double2 p;
	sincospi(2 * v, &p.x, &p.y);
	return {r * p.x, r * p.y};
}

template <class State> __px_inline float curand_uniform(State *state) { return __px_uniform(curand(state)); }
__px_inline double curand_uniform_double(curandStateXORWOW *state) {
	unsigned low = curand(state);
	return __px_uniform(low, curand(state));
}
/* Of one number of 32 bits. */
__px_inline double curand_uniform_double(curandStatePhilox4_32_10 *state) { return curand(state) * 0x1p-32 + 0x1p-32; }
template <class State> __px_inline float2 curand_normal2(State *state) {
	unsigned x = curand(state);
	return __px_box_muller(x, curand(state));
}
__px_inline double2 curand_normal2_double(curandStateXORWOW *state) {
	double u = curand_uniform_double(state);
	return __px_box_muller(u, curand_uniform_double(state));
}
__px_inline double2 curand_normal2_double(curandStatePhilox4_32_10 *state) {
	uint4 x = curand4(state);
	return __px_box_muller(__px_uniform(x.x, x.y), __px_uniform(x.z, x.w));
}
/* Of each pair the second number is kept for the next call of the same distribution. */
enum { __px_no_extra, __px_extra_normal, __px_extra_log_normal };
template <class State> __px_inline float curand_normal(State *state) {
	if (state->boxmuller_flag == __px_extra_normal) {
		state->boxmuller_flag = __px_no_extra;
		return state->boxmuller_extra;
	}
	float2 v = curand_normal2(state);
	state->boxmuller_extra = v.y;
	state->boxmuller_flag = __px_extra_normal;
	return v.x;
}
template <class State> __px_inline double curand_normal_double(State *state) {
	if (state->boxmuller_flag_double == __px_extra_normal) {
		state->boxmuller_flag_double = __px_no_extra;
		return state->boxmuller_extra_double;
	}
	double2 v = curand_normal2_double(state);
	state->boxmuller_extra_double = v.y;
	state->boxmuller_flag_double = __px_extra_normal;
	return v.x;
}
template <class State> __px_inline float curand_log_normal(State *state, float mean, float deviation) {
	if (state->boxmuller_flag == __px_extra_log_normal) {
		state->boxmuller_flag = __px_no_extra;
		return state->boxmuller_extra;
	}
	float2 v = curand_normal2(state);
	state->boxmuller_extra = expf(mean + deviation * v.y);
	state->boxmuller_flag = __px_extra_log_normal;
	return expf(mean + deviation * v.x);
}
template <class State> __px_inline double curand_log_normal_double(State *state, double mean, double deviation) {
	if (state->boxmuller_flag_double == __px_extra_log_normal) {
		state->boxmuller_flag_double = __px_no_extra;
		return state->boxmuller_extra_double;
	}
	double2 v = curand_normal2_double(state);
	state->boxmuller_extra_double = exp(mean + deviation * v.y);
	state->boxmuller_flag_double = __px_extra_log_normal;
	return exp(mean + deviation * v.x);
}
template <class State> __px_inline float2 curand_log_normal2(State *state, float mean, float deviation) {
	float2 v = curand_normal2(state);
	return {expf(mean + deviation * v.x), expf(mean + deviation * v.y)};
}
template <class State> __px_inline double2 curand_log_normal2_double(State *state, double mean, double deviation) {
	double2 v = curand_normal2_double(state);
	return {exp(mean + deviation * v.x), exp(mean + deviation * v.y)};
}
__px_function float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
	uint4 x = curand4(state);
	return {__px_uniform(x.x), __px_uniform(x.y), __px_uniform(x.z), __px_uniform(x.w)};
}
__px_function double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
	uint4 x = curand4(state);
	return {__px_uniform(x.x, x.y), __px_uniform(x.z, x.w)};
}
__px_function float4 curand_normal4(curandStatePhilox4_32_10 *state) {
	uint4 x = curand4(state);
	float2 p = __px_box_muller(x.x, x.y), q = __px_box_muller(x.z, x.w);
	return {p.x, p.y, q.x, q.y};
}
__px_function float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean, float deviation) {
	float4 v = curand_normal4(state);
	return {expf(mean + deviation * v.x), expf(mean + deviation * v.y), expf(mean + deviation * v.z), expf(mean + deviation * v.w)};
}
