/* tcgen05.c: products in tensor memory. What is multiplied follows from the instruction descriptor (PTX ISA, "Instruction
 * descriptor"). Row r and column n of D (for A the same lanes, with n counting its words):
 *
 *	M = 128            lane r,                      column n
 *	M = 64             lane 32 * (r / 16) + r % 16, column n
 *	M = 64, .ws        lane r + 64 * (n / (N/2)),   column n % (N/2)
 *	M = 32, .ws        lane r + 32 * (n / (N/4)),   column n % (N/4)
 *
 * Scales of row r (of column n of B) are in lane r % 32, column r / 32, from the byte on that the descriptor says. Where they are more
 * than the word's (K = 96), they go on behind the columns of all rows, of which there are 128 or 256. The manual
 * shows the metadata of a sparse A in pictures alone; here row r's lane has four bits for each chunk in ascending order, from
 * the selected word on. The order of sums is that of matrix_sum.c.
 *
 * With .cta_group::2 two blocks multiply together, the one of even rank first: each has half of the rows of A and D, and half of the
 * columns of B. Each has the scales of its own rows, and of all columns.
 *
 *	M = 256            row r: block r / 128, lane r % 128,                         column n
 *	M = 128            row r: block r / 64,  lane r % 64 + 64 * (n / (N/2)),       column n % (N/2) */
#include "simt/smem_matrix.h"
#include "simt/tmem.h"

#include "sem/float.h"
#include "sem/int.h"

typedef struct Product {
	SimtMachine      *m;
	const TensorForm *x;
	u32               lane;           /* which issues it */
	Block            *block;          /* whose rows these are */
	u32               M, N, K, chunk; /* M: rows of a block */
	bool              halves;         /* the columns of D lie in two halves of the lanes */
	u8                type_a, type_b, type_d;
	bool              narrow; /* elements of 4 and 6 bits have rooms of 8 */
	bool              negate_a, negate_b, a_by_m, b_by_n, saturate, scale_e4m3;
	u32               scales, scale_id[2], selector;
	u32               d, a, metadata, scale[2]; /* addresses in tensor memory */
} Product;

/* ---- the instruction descriptor */

static u8 small_type(u32 code)
{
	static const u8 types[8] = {EL_E4M3, EL_E5M2, EL_NONE, EL_E2M3, EL_E3M2, EL_E2M1, EL_NONE, EL_NONE};
	return types[code];
}

static u8 type_of(u32 kind, u32 code)
{
	switch (kind) {
	case TOK_op_kind_f16: return code == 0 ? EL_F16 : code == 1 ? EL_BF16 : EL_NONE;
	case TOK_op_kind_tf32: return code == 2 ? EL_TF32 : EL_NONE;
	case TOK_op_kind_i8: return code == 0 ? EL_U8 : code == 1 ? EL_S8 : EL_NONE;
	case TOK_op_kind_mxf4:
	case TOK_op_kind_mxf4nvf4: return code == 1 ? EL_E2M1 : EL_NONE;
	default: return small_type(code);
	}
}

static u32 scales_of(u32 kind, u32 size)
{
	if (size == TOK_mode_scale_vec_4X || size == TOK_mode_block16)
		return 4;
	return kind == TOK_op_kind_mxf8f6f4 ? 1 : 2;
}

static bool describe(Product *p, u32 d)
{
	u32  kind = p->x->kind;
	bool fp4 = kind == TOK_op_kind_mxf4 || kind == TOK_op_kind_mxf4nvf4, scaled = fp4 || kind == TOK_op_kind_mxf8f6f4;
	p->type_a = type_of(kind, d >> 7 & 7);
	p->type_b = type_of(kind, d >> 10 & (fp4 ? 3 : 7));
	p->type_d = kind == TOK_op_kind_i8 ? EL_S32 : scaled || (d >> 4 & 3) == 1 ? EL_F32 : EL_F16;
	p->narrow = kind == TOK_op_kind_f8f6f4 || kind == TOK_op_kind_mxf8f6f4;
	p->saturate = kind == TOK_op_kind_i8 && (d >> 3 & 1);
	p->negate_a = d >> 13 & 1, p->negate_b = d >> 14 & 1;
	p->a_by_m = d >> 15 & 1, p->b_by_n = d >> 16 & 1;
	p->N = (d >> 17 & 63) << 3;
	p->M = scaled ? (d >> 27 & 3) << 7 : (d >> 24 & 31) << 4;
	if (!p->type_a || !p->type_b)
		return simt_fail(p->m, FAULT_TENSOR_MEMORY, p->lane, "instruction descriptor 0x%08x: an unknown type", d);
	p->K = 256 / (fp4 ? 4 : p->narrow ? 8 : element_bits(p->type_a)) * (p->x->sparse ? 2 : 1);
	p->chunk = p->x->sparse ? sparse_chunk(p->type_a, fp4) : 0;
	p->selector = scaled ? 0 : d & 3;
	p->scales = scaled ? scales_of(kind, p->x->size) : 0;
	p->scale_e4m3 = scaled && !(d >> 23 & 1);
	p->scale_id[0] = d >> 29 & 3, p->scale_id[1] = d >> 4 & 3;
	if (fp4 && d >> 31) {
		if (p->x->sparse)
			return simt_fail(p->m, FAULT_TENSOR_MEMORY, p->lane,
			                 "instruction descriptor 0x%08x: K = 96 is for a dense A", d);
		p->scales = p->scales * 96 / p->K;
		p->K = 96;
	}
	if ((d >> 2 & 1) != p->x->sparse)
		return simt_fail(p->m, FAULT_TENSOR_MEMORY, p->lane,
		                 "instruction descriptor 0x%08x: its sparsity is not the instruction's", d);
	bool possible = p->x->pair ? (p->M == 256 || p->M == 128) && p->N % 16 == 0
	                           : p->M == 128 || p->M == 64 || (p->M == 32 && p->x->stationary);
	if (p->N == 0 || p->N > 256 || !possible)
		return simt_fail(p->m, FAULT_TENSOR_MEMORY, p->lane,
		                 "instruction descriptor 0x%08x: no product has M = %u, N = %u", d, p->M, p->N);
	p->halves = p->x->pair && p->M == 128;
	p->M /= p->x->pair ? 2 : 1;
	return true;
}

/* ---- places in tensor memory */

static u32 lane_of(const Product *p, u32 row)
{
	return p->M == 64 && !p->x->stationary && !p->x->pair ? row / 16 * 32 + row % 16 : row;
}

/* Parts of the lanes that D's columns are spread over. */
static u32 parts_of_d(const Product *p) { return p->x->stationary ? TMEM_LANES / p->M : p->halves ? 2 : 1; }

static u32 *cell_of_d(const Product *p, u32 row, u32 n, u32 *lane)
{
	u32 width = PS_MAX(p->N / parts_of_d(p), 1u);
	*lane = (p->d >> 16) + lane_of(p, row) + n / width * p->M;
	return tmem_cell(p->block, *lane, (p->d & 0xffff) + n % width);
}

/* ---- A and B */

static u32 room_of(const Product *p, u32 type) { return p->narrow ? 8 : element_bits(type); }

/* Columns that have four scales of each row. */
static u32 scale_columns(const Product *p, u32 which) { return which && p->N > 128 ? 8 : 4; }

static f64 scale_of(const Product *p, u32 which, u32 index, u32 i)
{
	u32 at = p->scale[which], byte = p->scale_id[which] + i, column = index / 32 + byte / 4 * scale_columns(p, which);
	u32 v = *tmem_cell(p->block, (at >> 16) + index % 32, (at & 0xffff) + column) >> 8 * (byte % 4) & 255;
	return p->scale_e4m3 ? element_value(v & 127, EL_E4M3) : sem_f64_of(sem_f2f(SEM_F64, SEM_UE8M0, v, 0));
}

/* A in tensor memory: elements follow each other in the words of a row's lane, narrow ones in bytes. */
static void a_of_tmem(const Product *p, u32 cols, f64 *a)
{
	u32 room = room_of(p, p->type_a), each = 32 / room, bits = element_bits(p->type_a);
	for (u32 row = 0; row < p->M; row++) {
		/* .ashift takes the rows from the lane before, but for the first. */
		u32 from = p->x->shift && row ? row - 1 : row, lane = (p->a >> 16) + lane_of(p, from);
		for (u32 k = 0; k < cols; k++) {
			u32 word = *tmem_cell(p->block, lane, (p->a & 0xffff) + k / each);
			u32 shift = k % each * room + (bits == 4 && room == 8 ? 2 : 0);
			f64 v = element_value(word >> shift & sem_mask(bits), p->type_a);
			a[row * cols + k] = p->negate_a ? -v : v;
		}
	}
}

static void spread(const Product *p, const f64 *stored, f64 *a)
{
	u32 cols = p->K / 2, words = PS_MAX(p->K / p->chunk / 8, 1u);
	for (u32 row = 0; row < p->M; row++) {
		u8  index[64];
		u32 lane = (p->metadata >> 16) + lane_of(p, row), first = (p->metadata & 0xffff) + p->selector * words;
		for (u32 c = 0; c < p->K / p->chunk; c++)
			index[c] = (u8)(*tmem_cell(p->block, lane, first + c / 8) >> 4 * (c % 8) & 15);
		sparse_spread(stored + row * cols, index, p->K, p->chunk, a + row * p->K);
	}
}

/* `stored` has room for as many numbers as a. */
static bool read_a(const Product *p, const Frame *f, f64 *a, f64 *stored)
{
	u32  cols = p->x->sparse ? p->K / 2 : p->K;
	f64 *to = p->x->sparse ? stored : a;
	if (p->x->a_in_smem) {
		u64        descriptor = lane64(reg_rows(p->m, f, p->x->a), p->lane);
		SmemMatrix at = smem_matrix_tcgen05(descriptor, p->type_a, room_of(p, p->type_a), p->a_by_m);
		MatrixOut  out = {to, cols, 1, p->negate_a};
		at.lane = p->lane, at.window = p->block->base;
		if (!smem_matrix_read(p->m, &at, 0, p->M, cols, &out))
			return false;
	} else {
		if (!tmem_holds(p->m, p->block, p->a, cols * room_of(p, p->type_a) / 32, p->lane, "read"))
			return false;
		a_of_tmem(p, cols, to);
	}
	if (p->x->sparse) {
		if (!tmem_holds(p->m, p->block, p->metadata, PS_MAX(p->K / p->chunk / 8, 1u), p->lane, "read"))
			return false;
		spread(p, stored, a);
	}
	for (u32 i = 0; p->scales && i < p->M * p->K; i++)
		a[i] *= scale_of(p, 0, i / p->K, i % p->K * p->scales / p->K);
	return true;
}

/* Is column n of B zero by the mask? Runs of columns that take part and of columns that do not follow each other. */
static bool column_is_zero(const Product *p, u64 mask, u32 n)
{
	u32 parts = TMEM_LANES / p->M, width = PS_MAX(p->N / parts, 1u), part = n / width;
	u32 skip = (u32)(mask >> 40 & 255) + 1, use = (u32)(mask >> 48 & 255) + 1;
	u32 at = n % width + (u32)(mask >> 8 * part & 255);
	if (!(mask >> 39 & 1))
		return false;
	return mask >> (32 + part) & 1 ? at % (skip + use) < skip : at % (skip + use) >= use;
}

/* The block's columns of B, of which `first_column` is the first. */
static bool read_b(const Product *p, const Frame *f, u32 first_column, u32 n, f64 *b)
{
	u64        descriptor = lane64(reg_rows(p->m, f, p->x->b), p->lane);
	SmemMatrix at = smem_matrix_tcgen05(descriptor, p->type_b, room_of(p, p->type_b), p->b_by_n);
	u64        zeros = p->x->columns == NO_REG ? 0 : lane64(reg_rows(p->m, f, p->x->columns), p->lane);
	u32        first = (u32)(zeros >> 56 & 63);
	MatrixOut  out = {b + first_column, 1, p->N, p->negate_b};
	at.lane = p->lane, at.window = p->block->base;
	if (!smem_matrix_read(p->m, &at, first, n, p->K, &out))
		return false;
	for (u32 i = 0; i < p->K * n; i++)
		if (column_is_zero(p, zeros, first_column + i % n))
			b[i / n * p->N + first_column + i % n] = 0;
	return true;
}

/* B with the scales that the block has. */
static void scale_b(const Product *p, const f64 *b, f64 *scaled)
{
	for (u32 k = 0; k < p->K; k++)
		for (u32 n = 0; n < p->N; n++)
			scaled[k * p->N + n] = b[k * p->N + n] * scale_of(p, 1, n, k * p->scales / p->K);
}

/* ---- D */

static bool is_disabled(const Product *p, const Frame *f, u32 lane)
{
	u32 at = lane / 32 % 4 + (p->block->rank & 1 && p->x->pair ? 4 : 0);
	return at < p->x->n_disabled && (reg_rows(p->m, f, p->x->disabled[at])[p->lane] >> lane % 32 & 1);
}

static f64 halved(f64 v, u32 times) { return v / (f64)(1u << times); }

static bool addresses(Product *p, const Frame *f)
{
	const TensorForm *x = p->x;
	p->d = tmem_address(p->m, f, x->d, x->d_offset, p->lane);
	p->a = x->a_in_smem ? 0 : tmem_address(p->m, f, x->a, x->a_offset, p->lane);
	p->metadata = x->sparse ? tmem_address(p->m, f, x->metadata, x->metadata_offset, p->lane) : 0;
	if (!tmem_holds(p->m, p->block, p->d, PS_MAX(p->N / parts_of_d(p), 1u), p->lane, "product"))
		return false;
	for (u32 i = 0; i < 2 && p->scales; i++) {
		p->scale[i] = tmem_address(p->m, f, x->scale[i], x->scale_offset[i], p->lane);
		u32 last = p->scale_id[i] + p->scales - 1,
		    columns = last / 4 * scale_columns(p, i) + ((i ? p->N : p->M) + 31) / 32;
		if (!tmem_holds(p->m, p->block, p->scale[i], columns, p->lane, "read"))
			return false;
	}
	return true;
}

/* The block's rows of the product; `room` for A twice and for D. */
static bool multiply_rows(const Product *p, const Frame *f, const f64 *b, f64 *room)
{
	u32  cells = p->M * p->N, size_a = p->M * p->K, lane;
	bool keep = reg_rows(p->m, f, p->x->keep)[p->lane] & 1;
	u64  bits = sem_mask(element_bits(p->type_d));
	f64 *a = room, *stored = a + size_a, *d = stored + size_a;
	if (!read_a(p, f, a, stored))
		return false;
	for (u32 i = 0; i < cells; i++)
		d[i] = keep ? halved(element_value(*cell_of_d(p, i / p->N, i % p->N, &lane) & bits, p->type_d), p->x->scale_d)
		            : 0;
	matrix_product(a, b, d, (MatrixSize){p->M, p->N, p->K});
	for (u32 i = 0; i < cells; i++) {
		u32 *cell = cell_of_d(p, i / p->N, i % p->N, &lane);
		if (!is_disabled(p, f, lane))
			*cell = (u32)element_result(d[i], p->type_d, p->saturate);
	}
	return true;
}

bool tensor_multiply(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l, Block *other)
{
	Product p = {.m = m, .x = x, .lane = l};
	Block  *block[2] = {m->cur_block, other};
	u32     n = other ? 2 : 1;
	if (other && other->rank < m->cur_block->rank)
		block[0] = other, block[1] = m->cur_block;
	if (!describe(&p, reg_rows(m, f, x->descriptor)[l]))
		return false;
	u32  size_b = p.K * p.N;
	f64 *b = matrix_room(m, p.M * p.N + 2 * p.M * p.K + 2 * size_b), *scaled = b + size_b, *room = scaled + size_b;
	for (u32 i = 0; i < n; i++) {
		p.block = block[i];
		if (!addresses(&p, f) || !read_b(&p, f, i * p.N / n, p.N / n, b))
			return false;
	}
	for (u32 i = 0; i < n; i++) {
		p.block = block[i];
		if (p.scales)
			scale_b(&p, b, scaled);
		if (!multiply_rows(&p, f, p.scales ? scaled : b, room))
			return false;
	}
	return true;
}
