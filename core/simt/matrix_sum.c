/* matrix_sum.c: numbers of matrices, their products and sums, for all matrix instructions.
 *
 * Products are exact in binary64 (of integers the sums, too). Sums are formed in binary64 in the order of k and rounded once
 * to the result; the PTX manual leaves open in which order and width the hardware adds, and what it does to subnormal
 * numbers. */
#include "simt/matrix.h"

#include "sem/float.h"

typedef struct ElementInfo {
	u8   token, bits, fmt; /* fmt: of floats */
	bool is_float, is_signed;
} ElementInfo;

static const ElementInfo element_info[EL_COUNT] = {
	[EL_F16] = {TOK_type_f16, 16, SEM_F16, true, true},   [EL_BF16] = {TOK_type_bf16, 16, SEM_BF16, true, true},
	[EL_TF32] = {TOK_type_tf32, 32, SEM_F32, true, true}, [EL_F64] = {TOK_type_f64, 64, SEM_F64, true, true},
	[EL_F32] = {TOK_type_f32, 32, SEM_F32, true, true},   [EL_E4M3] = {TOK_type_e4m3, 8, SEM_E4M3, true, true},
	[EL_E5M2] = {TOK_type_e5m2, 8, SEM_E5M2, true, true}, [EL_S8] = {TOK_type_s8, 8, 0, false, true},
	[EL_U8] = {TOK_type_u8, 8, 0, false, false},          [EL_S4] = {TOK_type_s4, 4, 0, false, true},
	[EL_U4] = {TOK_type_u4, 4, 0, false, false},          [EL_B1] = {TOK_type_b1, 1, 0, false, false},
	[EL_S32] = {TOK_type_s32, 32, 0, false, true},        [EL_E2M3] = {TOK_type_e2m3, 6, SEM_E2M3, true, true},
	[EL_E3M2] = {TOK_type_e3m2, 6, SEM_E3M2, true, true}, [EL_E2M1] = {TOK_type_e2m1, 4, SEM_E2M1, true, true},
};

u32 element_bits(u32 type) { return element_info[type].bits; }

u8 element_of(u32 token)
{
	for (u32 i = 1; i < EL_COUNT; i++)
		if (element_info[i].token == token)
			return (u8)i;
	return EL_NONE;
}

/* Normal numbers of narrow formats are put together here; sem_f2f does the others. */
static f64 small_float(u64 v, SemFmt f)
{
	const SemFmtInfo *s = &sem_fmt[f];
	u32               man = s->mantissa, e = (u32)(v >> man & sem_mask(s->exponent));
	if (e == 0 || e == sem_mask(s->exponent))
		return sem_f64_of(sem_f2f(SEM_F64, f, v, 0));
	u64 sign = v >> (s->width - 1) & 1;
	return sem_f64_of(sign << 63 | (u64)(e + 1023 - sem_fbias(f)) << 52 | (v & sem_mask(man)) << (52 - man));
}

f64 element_value(u64 v, u32 type)
{
	const ElementInfo *e = &element_info[type];
	if (type == EL_TF32)
		v &= ~(u64)0x1fff;
	if (!e->is_float)
		return (f64)(e->is_signed ? sem_sext(v, e->bits) : (i64)(v & sem_mask(e->bits)));
	return type == EL_F64                      ? sem_f64_of(v)
	       : type == EL_F32 || type == EL_TF32 ? (f64)sem_f32_of((u32)v)
	                                           : small_float(v, (SemFmt)e->fmt);
}

u64 element_result(f64 sum, u32 type, bool saturate)
{
	if (type == EL_S32) {
		i64 v = (i64)sum;
		return saturate ? sem_clamp_s(32, u128_of_i64(v)) : (u32)v;
	}
	if (saturate && sum != sum)
		return 0;
	return sem_f2f((SemFmt)element_info[type].fmt, SEM_F64, sem_f64_bits(sum), saturate ? SEM_SATFINITE : 0);
}

f64 *matrix_room(SimtMachine *m, u32 n)
{
	if (n > m->matrix_room) {
		m->matrix = arena_array(&m->arena, f64, n);
		m->matrix_room = n;
	}
	return m->matrix;
}

void matrix_product(const f64 *a, const f64 *restrict b, f64 *restrict c, MatrixSize s)
{
	for (u32 i = 0; i < s.m; i++)
		for (u32 k = 0; k < s.k; k++) {
			f64        x = a[i * s.k + k];
			const f64 *y = b + k * s.n;
			f64       *z = c + i * s.n;
			for (u32 j = 0; j < s.n; j++)
				z[j] += x * y[j];
		}
}

/* ---- sparse matrices
 *
 * Of each chunk of a row only the elements are there that four bits name: of 4 elements two, by two indices; of 8 (where an
 * element has four bits) two pairs; of 2 (tf32) one, whose index counts halves. */

u32 sparse_chunk(u32 type, bool pairs) { return type == EL_TF32 ? 2 : pairs ? 8 : 4; }

void sparse_spread(const f64 *stored, const u8 *index, u32 k, u32 chunk, f64 *row)
{
	for (u32 i = 0; i < k; i++)
		row[i] = 0;
	for (u32 c = 0; c * chunk < k; c++) {
		const f64 *from = stored + c * chunk / 2;
		f64       *to = row + c * chunk;
		u32        first = index[c] & 3, second = index[c] >> 2 & 3;
		if (chunk == 2) {
			to[first / 2] = from[0];
		} else if (chunk == 4) {
			to[first] = from[0];
			to[second] = from[1];
		} else {
			to[2 * first] = from[0], to[2 * first + 1] = from[1];
			to[2 * second] = from[2], to[2 * second + 1] = from[3];
		}
	}
}

/* Elements of 16 bits and more: a thread has 16 bits of row g and 16 of row g + 8 for four chunks, the next thread those for the
 * next four. Narrower ones: a thread has 32 bits of row g for eight chunks, the next one those of row g + 8, the two after it
 * those for the next chunks. */
u32 sparse_index(const u32 *metadata, const SparseForm *s, u32 row, u32 chunk)
{
	u32 holders = PS_MAX(s->k / s->chunk / 4, 1u), group = 4 * (row % 8);
	if (s->halves)
		return metadata[group + s->selector * holders + chunk / 4] >> (16 * (row / 8) + 4 * (chunk % 4)) & 15;
	return metadata[group + s->selector * holders + row / 8 + 2 * (chunk / 8)] >> 4 * (chunk % 8) & 15;
}
