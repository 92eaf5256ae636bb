/* tensor_map.c: what a tensor map may say (CUDA driver API, cuTensorMapEncodeTiled and its kin), its sizes, its swizzles
 * (PTX ISA, "Swizzling Modes") and the fields that tensormap.replace changes. */
#include "simt/tensor_map.h"

/* Bytes of an element, of the packed types of 16 elements: in global memory, in shared memory. */
static const struct {
	u8 global, shared, elements;
} type_info[TENSOR_TYPES] = {
	[TENSOR_U8] = {1, 1, 1},           [TENSOR_U16] = {2, 2, 1},    [TENSOR_U32] = {4, 4, 1},
	[TENSOR_S32] = {4, 4, 1},          [TENSOR_U64] = {8, 8, 1},    [TENSOR_S64] = {8, 8, 1},
	[TENSOR_F16] = {2, 2, 1},          [TENSOR_F32] = {4, 4, 1},    [TENSOR_F32_FTZ] = {4, 4, 1},
	[TENSOR_F64] = {8, 8, 1},          [TENSOR_BF16] = {2, 2, 1},   [TENSOR_TF32] = {4, 4, 1},
	[TENSOR_TF32_FTZ] = {4, 4, 1},     [TENSOR_B4X16] = {8, 8, 16}, [TENSOR_B4X16_P64] = {8, 16, 16},
	[TENSOR_B6X16_P32] = {12, 16, 16},
};

TensorUnit tensor_unit(u32 type)
{
	return (TensorUnit){type_info[type].global, type_info[type].shared, type_info[type].elements};
}

static u64 ceil_div(u64 a, u64 b) { return (a + b - 1) / b; }

u32 tensor_steps(const SimtTensorMap *t, u32 dim)
{
	return (u32)ceil_div(t->box[dim], dim || t->interleave ? t->element_stride[dim] : 1);
}

u64 tensor_box_bytes(const SimtTensorMap *t)
{
	TensorUnit u = tensor_unit(t->type);
	u64        bytes = ceil_div(t->mode == TENSOR_TILED ? t->box[0] : t->channels, u.elements) * u.shared;
	if (t->mode != TENSOR_TILED)
		return bytes * t->pixels;
	for (u32 i = 1; i < t->rank; i++)
		bytes *= tensor_steps(t, i);
	return bytes;
}

u64 tensor_swizzle(u32 swizzle, u32 atomicity, u64 at)
{
	u64 row = at >> 7;
	switch (swizzle) {
	case SWIZZLE_32B:
	case SWIZZLE_96B: return at ^ (row & 1) << 4;
	case SWIZZLE_64B: return at ^ (row & 3) << 4;
	case SWIZZLE_128B: break;
	default: return at;
	}
	switch (atomicity) {
	case ATOMICITY_16B: return at ^ (row & 7) << 4;
	case ATOMICITY_32B: return at ^ (row & 3) << 5;
	case ATOMICITY_32B_FLIP_8B: return at ^ (row & 3) << 5 ^ (row & 1) << 3;
	default: return at ^ (row & 1) << 6;
	}
}

/* ---- the rules */

static const char *bad_kinds(const SimtTensorMap *t)
{
	if (t->type >= TENSOR_TYPES || t->interleave >= INTERLEAVES || t->swizzle >= SWIZZLES || t->atomicity >= ATOMICITIES ||
	    t->fill >= FILLS || t->mode >= TENSOR_MODES)
		return "an unknown type, interleave, swizzle or fill";
	if (t->rank < 1 || t->rank > TENSOR_RANK)
		return "its rank is not 1 to 5";
	if (t->atomicity && t->swizzle != SWIZZLE_128B)
		return "only the 128-byte swizzle has atomicities";
	if (t->interleave && t->rank < 3)
		return "an interleaved tensor has 3 dimensions at least";
	if (t->interleave == INTERLEAVE_32B && t->swizzle != SWIZZLE_32B)
		return "a 32-byte interleave wants the 32-byte swizzle";
	if (t->mode != TENSOR_TILED && t->rank < 3)
		return "im2col wants 3 dimensions at least";
	if (t->fill == FILL_NAN && (t->type < TENSOR_F16 || t->type > TENSOR_TF32_FTZ))
		return "only floats are filled with NaN";
	return NULL;
}

static const char *bad_layout(const SimtTensorMap *t)
{
	TensorUnit u = tensor_unit(t->type);
	u64        align = t->interleave == INTERLEAVE_32B || u.shared != u.global ? 32 : 16;
	if (t->address % align)
		return "its address is no multiple of 16 bytes (32 where it is interleaved by 32 bytes or padded)";
	for (u32 i = 0; i + 1 < t->rank; i++)
		if (t->stride[i] % align || t->stride[i] >> 40)
			return "a stride is no multiple of 16 bytes (32 where it is interleaved by 32 bytes or padded), or 2^40 "
			       "or more";
	if (u.elements > 1 && ((u64)t->last[0] + 1) % (t->type == TENSOR_B4X16 ? 2 : 128))
		return "packed elements fill their rows";
	return NULL;
}

static const char *bad_box(const SimtTensorMap *t)
{
	static const u16 spans[SWIZZLES] = {0, 32, 64, 128, 96};
	TensorUnit       u = tensor_unit(t->type);
	bool             tiled = t->mode == TENSOR_TILED;
	u64              inner = ceil_div(tiled ? t->box[0] : t->channels, u.elements) * u.shared;
	for (u32 i = 0; i < t->rank; i++)
		if (t->element_stride[i] < 1 || t->element_stride[i] > 8)
			return "an element stride is not 1 to 8";
	for (u32 i = 0; i < t->rank && tiled; i++)
		if (t->box[i] < 1 || t->box[i] > 256)
			return "an extent of its box is not 1 to 256";
	if (!tiled && (t->channels < 1 || t->channels > 256 || t->pixels < 1 || t->pixels > 1024))
		return "channels are not 1 to 256, or pixels not 1 to 1024";
	if (inner % 16)
		return "a row of its box is no multiple of 16 bytes";
	if (t->interleave == INTERLEAVE_NONE && spans[t->swizzle] && inner > spans[t->swizzle])
		return "a row of its box is longer than the swizzle";
	return NULL;
}

static const char *rules(const SimtTensorMap *t)
{
	const char *why = bad_kinds(t);
	why = why ? why : bad_layout(t);
	return why ? why : bad_box(t);
}

const char *tensor_map_finish(SimtTensorMap *t)
{
	t->mark = TENSOR_MAP_MARK;
	return rules(t);
}

const char *tensor_map_problem(const SimtTensorMap *t)
{
	return t->mark == TENSOR_MAP_MARK ? rules(t) : "these 128 bytes are no tensor map";
}

/* ---- tensormap.replace */

bool tensor_map_replace(SimtTensorMap *t, TensorField field, u32 k, u64 v)
{
	bool per_dim = field >= FIELD_BOX && field <= FIELD_ELEMENT_STRIDE;
	if (per_dim && k >= (field == FIELD_STRIDE ? TENSOR_RANK - 1u : (u32)TENSOR_RANK))
		return false;
	switch (field) {
	case FIELD_ADDRESS: t->address = v; break;
	case FIELD_RANK: t->rank = (u8)(v + 1); return v < TENSOR_RANK;
	case FIELD_BOX: t->box[k] = (u16)v; break;
	case FIELD_DIM: t->last[k] = (u32)v - 1; break;
	case FIELD_STRIDE: t->stride[k] = v; break;
	case FIELD_ELEMENT_STRIDE: t->element_stride[k] = (u8)v; break;
	case FIELD_TYPE: t->type = (u8)v; return v < TENSOR_TYPES;
	case FIELD_INTERLEAVE: t->interleave = (u8)v; return v < INTERLEAVES;
	case FIELD_SWIZZLE: t->swizzle = (u8)v; return v < SWIZZLES;
	case FIELD_ATOMICITY: t->atomicity = (u8)v; return v < ATOMICITIES;
	case FIELD_FILL: t->fill = (u8)v; return v < FILLS;
	}
	return true;
}
