/* tensor_copy.c: carries out copies between tensors and boxes in shared memory.
 *
 * A copy is a list of rows, each of them units (tensor_unit) of dimension 0 in a row of shared memory:
 *
 *	tile              the box, dimension 1 fastest
 *	gather4, scatter4 four rows whose dimension 1 is given
 *	im2col            pixels of the bounding box from the coordinates on, W fastest, then H, D, N; each is read
 *	                  at its place plus the offsets
 *	im2col_w          the same along W and then N, H and D staying as they are; behind the pixels (im2col_w_128:
 *	                  behind every 32 of 128) as many more as the halo says, which continue along W
 *
 * What lies outside of the tensor is filled by a load and left alone by a store. An interleaved tensor has its channels
 * in slices of 16 or 32 bytes; the PTX manual leaves open how slices follow each other, here those of memory are
 * height * row (depth * slab) apart, and a box has all rows of a slice before the next slice. TF32 maps round to nearest,
 * ties away. */
#include "simt/tensor_copy.h"

#include "sem/float.h"
#include "simt/jobs.h"

typedef struct Row {
	i64 at[TENSOR_RANK]; /* coordinates of its first unit; [0] counts elements */
	u64 shared;          /* from the box's first byte */
	u32 units;
} Row;

typedef struct Walk {
	SimtMachine      *m;
	const TensorCopy *c;
	TensorUnit        unit;
	u32               lane;
} Walk;

/* ---- elements */

static u64 nan_of(u32 type)
{
	return type == TENSOR_F16 || type == TENSOR_BF16 ? 0x7fff : type == TENSOR_F64 ? 0x7fffffffffffffffu : 0x7fffffff;
}

/* Formats of elements; SEM_F32 stands for types that no reduction adds. */
static SemFmt format_of(u32 type)
{
	return type == TENSOR_F16 ? SEM_F16 : type == TENSOR_BF16 ? SEM_BF16 : type == TENSOR_F64 ? SEM_F64 : SEM_F32;
}

static u64 loaded(u32 type, u64 v)
{
	if (type == TENSOR_F32_FTZ || type == TENSOR_TF32_FTZ)
		v = sem_fflush(SEM_F32, v);
	if (type == TENSOR_TF32 || type == TENSOR_TF32_FTZ)
		v = sem_f2f(SEM_TF32, SEM_F32, v, SEM_RNA);
	return v;
}

static u32 atom_of(const TensorCopy *c)
{
	u32  type = c->map.type;
	bool is_float = type >= TENSOR_F16 && type <= TENSOR_TF32_FTZ, is_signed = type == TENSOR_S32 || type == TENSOR_S64;
	u32  fmt = (u32)format_of(type) << ATOM_FMT_SHIFT;
	switch ((AtomOp)c->op) {
	case ATOM_ADD: return is_float ? ATOM_FADD | fmt : ATOM_ADD;
	case ATOM_UMIN: return is_float ? ATOM_FMIN | fmt : is_signed ? ATOM_MIN : ATOM_UMIN;
	case ATOM_UMAX: return is_float ? ATOM_FMAX | fmt : is_signed ? ATOM_MAX : ATOM_UMAX;
	default: return c->op;
	}
}

/* Sixteen numbers of 6 bits, a byte each, to 12 bytes. */
static void pack6(u8 *to, const u8 *from)
{
	memset(to, 0, 12);
	for (u32 i = 0; i < 16; i++)
		for (u32 b = 0; b < 6; b++)
			to[(6 * i + b) / 8] |= (u8)((from[i] >> b & 1) << (6 * i + b) % 8);
}

/* `global` is NULL where the unit lies outside of the tensor. */
static void move_unit(const Walk *w, u8 *shared, u8 *global)
{
	const SimtTensorMap *t = &w->c->map;
	u32                  n = w->unit.global;
	u64                  v = t->fill == FILL_NAN ? nan_of(t->type) : 0, old = 0;
	if (w->c->way == TENSOR_LOAD) {
		if (!global && w->unit.elements > 1) {
			memset(shared, 0, n);
			return;
		}
		if (global && w->unit.elements > 1) {
			memcpy(shared, global, n);
			return;
		}
		if (global) {
			memcpy(&v, global, n);
			v = loaded(t->type, v);
		}
		memcpy(shared, &v, n);
	} else if (global && t->type == TENSOR_B6X16_P32) {
		pack6(global, shared);
	} else if (global && w->c->way == TENSOR_STORE) {
		memcpy(global, shared, n);
	} else if (global) {
		memcpy(&v, shared, n);
		cell_take(w->m, global);
		memcpy(&old, global, n);
		v = mem_rmw(atom_of(w->c), 8 * n, old, v, 0);
		memcpy(global, &v, n);
		cell_give(w->m, global);
	}
}

/* ---- rows */

static bool in_tensor(const SimtTensorMap *t, const Row *r)
{
	for (u32 i = 1; i < t->rank; i++)
		if (r->at[i] < 0 || r->at[i] > t->last[i])
			return false;
	return true;
}

/* From the tensor's first byte to element r->at, or one of dimension 0 behind it. */
static u64 global_offset(const SimtTensorMap *t, const TensorUnit *u, const Row *r, i64 c)
{
	u64 at = 0, slice = t->interleave == INTERLEAVE_16B ? 16 : 32;
	for (u32 i = 1; i < t->rank; i++)
		at += t->stride[i - 1] * (u64)r->at[i];
	if (t->interleave == INTERLEAVE_NONE)
		return at + (u64)c / u->elements * u->global;
	u64 byte = (u64)c * u->global, apart = t->stride[t->rank - 3] * ((u64)t->last[t->rank - 2] + 1);
	return at + byte / slice * apart + byte % slice;
}

/* Bytes that stay together in shared memory and in the interleaved tensor. */
static u32 piece_bytes(const SimtTensorMap *t) { return t->atomicity == ATOMICITY_32B_FLIP_8B && t->swizzle ? 8 : 16; }

/* Units of one piece: those outside of dimension 0 are filled, the others lie in one run of global memory. */
static bool move_piece(const Walk *w, const Row *r, u32 first, u32 n)
{
	const TensorCopy    *c = w->c;
	const SimtTensorMap *t = &c->map;
	Access               reach = c->way == TENSOR_LOAD ? ACCESS_READ : c->way == TENSOR_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;
	u64                  at = tensor_swizzle(t->swizzle, t->atomicity, c->shared + r->shared + (u64)first * w->unit.shared);
	bool                 outside = !in_tensor(t, r);
	u32                  lo = n, hi = n;
	for (u32 i = 0; i < n; i++) {
		i64 x = r->at[0] + (i64)(first + i) * w->unit.elements;
		if (!outside && x >= 0 && x <= t->last[0]) {
			lo = PS_MIN(lo, i);
			hi = i + 1;
		}
	}
	u8 *global = NULL;
	if (lo < hi && !outside) {
		u64 from = t->address + global_offset(t, &w->unit, r, r->at[0] + (i64)(first + lo) * w->unit.elements);
		global = mem_at(w->m, SPACE_GLOBAL, from, (hi - lo) * w->unit.global, w->lane, reach);
		if (!global)
			return false;
	} else if (c->way != TENSOR_LOAD) {
		return true;
	}
	u8 *shared = mem_at(w->m, c->shared_space, at, n * w->unit.shared, w->lane,
	                    c->way == TENSOR_LOAD ? ACCESS_WRITE : ACCESS_READ);
	if (!shared)
		return false;
	for (u32 i = 0; i < n; i++)
		move_unit(w, shared + (size_t)i * w->unit.shared,
		          global && i >= lo && i < hi ? global + (size_t)(i - lo) * w->unit.global : NULL);
	if (w->m->watched)
		simt_watch(w->m, c->way == TENSOR_LOAD ? shared : global,
		           c->way == TENSOR_LOAD ? (u64)n * w->unit.shared : (u64)(hi - lo) * w->unit.global, w->lane);
	return true;
}

static bool move_row(const Walk *w, const Row *r)
{
	u32 each = PS_MAX(piece_bytes(&w->c->map) / w->unit.shared, 1u);
	for (u32 i = 0; i < r->units; i += each)
		if (!move_piece(w, r, i, PS_MIN(each, r->units - i)))
			return false;
	return true;
}

/* ---- the rows of a copy */

/* Slices of an interleaved row follow each other with all rows of a slice between them. */
static bool move_slices(const Walk *w, Row *r, u32 units, u64 apart)
{
	const SimtTensorMap *t = &w->c->map;
	u32 each = t->interleave == INTERLEAVE_NONE ? units : (t->interleave == INTERLEAVE_16B ? 16u : 32u) / w->unit.shared;
	i64 first = r->at[0];
	u64 base = r->shared;
	for (u32 i = 0; i < units; i += each) {
		r->at[0] = first + (i64)i * w->unit.elements * (t->interleave ? t->element_stride[0] : 1);
		r->shared = base + (each ? i / each : 0) * apart;
		r->units = PS_MIN(each, units - i);
		if (!move_row(w, r))
			return false;
	}
	r->at[0] = first;
	r->shared = base;
	return true;
}

static u32 row_units(const Walk *w, u32 elements) { return (elements + w->unit.elements - 1) / w->unit.elements; }

static u64 row_bytes(const Walk *w, u32 units)
{
	u32 interleave = w->c->map.interleave;
	return interleave == INTERLEAVE_NONE ? (u64)units * w->unit.shared : interleave == INTERLEAVE_16B ? 16 : 32;
}

static bool run_tile(const Walk *w)
{
	const TensorCopy    *c = w->c;
	const SimtTensorMap *t = &c->map;
	u32                  steps[TENSOR_RANK] = {1, 1, 1, 1, 1}, k[TENSOR_RANK] = {0}, units = row_units(w, t->box[0]);
	u64                  rows = 1, bytes = row_bytes(w, units);
	for (u32 i = 1; i < t->rank; i++)
		rows *= steps[i] = tensor_steps(t, i);
	u64 slices = ((u64)units * w->unit.shared + bytes - 1) / bytes, images = t->interleave ? steps[t->rank - 1] : 1,
	    per = rows / images;
	for (u64 n = 0; n < rows; n++) {
		Row r = {.at = {c->coord[0]}, .shared = (n / per * slices * per + n % per) * bytes};
		for (u32 i = 1; i < t->rank; i++)
			r.at[i] = (i64)c->coord[i] + (i64)k[i] * t->element_stride[i];
		if (!move_slices(w, &r, units, per * bytes))
			return false;
		for (u32 i = 1; i < t->rank && ++k[i] == steps[i]; i++)
			k[i] = 0;
	}
	return true;
}

static bool run_rows4(const Walk *w)
{
	u32 units = row_units(w, w->c->map.box[0]);
	for (u32 n = 0; n < 4; n++) {
		Row r = {.at = {w->c->coord[0], w->c->coord[1 + n]}, .shared = n * row_bytes(w, units), .units = units};
		if (!move_row(w, &r))
			return false;
	}
	return true;
}

/* The next pixel of the bounding box: W first, then the other dimensions up to N. */
static void next_pixel(const SimtTensorMap *t, bool only_w, i64 *at)
{
	u32 n = t->rank - 1;
	for (u32 i = 1; i < n; i += only_w ? n - 1 : 1) {
		at[i] += t->element_stride[i];
		if (at[i] <= (i64)t->last[i] + t->upper[i - 1])
			return;
		at[i] = t->lower[i - 1];
	}
	at[n]++;
}

static bool run_im2col(const Walk *w)
{
	const TensorCopy    *c = w->c;
	const SimtTensorMap *t = &c->map;
	bool                 only_w = c->access >= ACCESS_IM2COL_W, by32 = c->access == ACCESS_IM2COL_W128;
	u32                  pixels = by32 ? 128 : t->pixels, halo = only_w ? c->offset[0] : 0, units = row_units(w, t->channels);
	i64                  at[TENSOR_RANK];
	u64 bytes = row_bytes(w, units), done = 0, rows = tensor_copy_bytes(c) / PS_MAX((u64)units * w->unit.shared, 1u);
	for (u32 i = 0; i < TENSOR_RANK; i++)
		at[i] = i < t->rank ? c->coord[i] : 0;
	for (u32 n = 0; n < pixels; n++) {
		bool last = n + 1 == pixels || (by32 && n % 32 == 31);
		for (u32 h = 0; h <= (last ? halo : 0); h++, done++) {
			Row r = {.shared = done * bytes, .units = units};
			memcpy(r.at, at, sizeof at);
			for (u32 i = 1; i + 1 < t->rank; i++)
				r.at[i] += only_w ? 0 : c->offset[i - 1];
			r.at[1] += only_w ? c->offset[1] + (i64)h * t->element_stride[1] : 0;
			if (!move_slices(w, &r, units, rows * bytes))
				return false;
		}
		next_pixel(t, only_w, at);
	}
	return true;
}

/* ---- all of it */

const char *tensor_copy_problem(const TensorCopy *c)
{
	const char *why = tensor_map_problem(&c->map);
	bool        im2col = c->access >= ACCESS_IM2COL;
	if (why)
		return why;
	if (im2col != (c->map.mode != TENSOR_TILED))
		return im2col ? "it is a tiled map, the copy says im2col" : "it is an im2col map, the copy says tile";
	if (c->access == ACCESS_ROWS4 && (c->map.rank != 2 || c->map.box[1] != 1 || c->map.interleave))
		return "four rows want a map of two dimensions whose box has one row";
	if (c->access >= ACCESS_IM2COL_W && c->map.interleave)
		return "im2col_w takes no interleaved map";
	if (c->shared % 128)
		return "the address in shared memory is no multiple of 128";
	return NULL;
}

u64 tensor_copy_bytes(const TensorCopy *c)
{
	TensorUnit u = tensor_unit(c->map.type);
	u64        row = ((u64)c->map.channels + u.elements - 1) / u.elements * u.shared;
	switch ((TensorAccess)c->access) {
	case ACCESS_ROWS4: return ((u64)c->map.box[0] + u.elements - 1) / u.elements * u.shared * 4;
	case ACCESS_IM2COL_W: return row * ((u64)c->map.pixels + c->offset[0]);
	case ACCESS_IM2COL_W128: return row * (128 + 4 * (u64)c->offset[0]);
	default: return tensor_box_bytes(&c->map);
	}
}

bool tensor_copy_run(SimtMachine *m, const TensorCopy *c, u32 l)
{
	Walk w = {m, c, tensor_unit(c->map.type), l};
	switch ((TensorAccess)c->access) {
	case ACCESS_TILE: return run_tile(&w);
	case ACCESS_ROWS4: return run_rows4(&w);
	default: return run_im2col(&w);
	}
}
