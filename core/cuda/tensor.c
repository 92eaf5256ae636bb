/* tensor.c: tensor maps, which a program makes on the host and hands to kernels as 128 bytes: CUDA leaves their layout open, and it is the
 * emulator's (simt/tensor_map.h), whose rules decide what is CUDA_ERROR_INVALID_VALUE. The address may be of any memory: what a copy may
 * touch is checked when it is executed. Promotion into the cache has no effect here. */
#include "cuda/state.h"
#include "simt/tensor_map.h"

#include <string.h>

/* CUDA's types, interleaves, swizzles and fills in the order of their numbers. */
static const u8 types[] = {TENSOR_U8,       TENSOR_U16,   TENSOR_U32,       TENSOR_S32,      TENSOR_U64,     TENSOR_S64,
                           TENSOR_F16,      TENSOR_F32,   TENSOR_F64,       TENSOR_BF16,     TENSOR_F32_FTZ, TENSOR_TF32,
                           TENSOR_TF32_FTZ, TENSOR_B4X16, TENSOR_B4X16_P64, TENSOR_B6X16_P32};
static const u8 interleaves[] = {INTERLEAVE_NONE, INTERLEAVE_16B, INTERLEAVE_32B};
static const struct {
	u8 swizzle, atomicity;
} swizzles[] = {{SWIZZLE_NONE, 0},
                {SWIZZLE_32B, 0},
                {SWIZZLE_64B, 0},
                {SWIZZLE_128B, ATOMICITY_16B},
                {SWIZZLE_128B, ATOMICITY_32B},
                {SWIZZLE_128B, ATOMICITY_32B_FLIP_8B},
                {SWIZZLE_128B, ATOMICITY_64B}};
static const u8 fills[] = {FILL_ZERO, FILL_NAN};
enum { PROMOTIONS = 4 };

/* What all kinds of maps say. */
typedef struct Tensor {
	int             type;
	uint32_t        rank;
	const void     *address;
	const uint64_t *dims, *strides;
	const uint32_t *steps;
	int             interleave, swizzle, promotion, fill;
} Tensor;

static bool is_one_of(int value, u32 n) { return value >= 0 && (u32)value < n; }

/* The type as PTX numbers it; false: an enumeration is past its end, the rank is, or a list is missing. */
static bool begin(const Tensor *x, SimtTensorMap *t)
{
	*t = (SimtTensorMap){.spare = {0}};
	if (!is_one_of(x->type, PS_COUNT(types)) || !is_one_of(x->interleave, PS_COUNT(interleaves)) ||
	    !is_one_of(x->swizzle, PS_COUNT(swizzles)) || !is_one_of(x->promotion, PROMOTIONS) ||
	    !is_one_of(x->fill, PS_COUNT(fills)))
		return false;
	if (x->rank < 1 || x->rank > TENSOR_RANK || !x->address || !x->dims || !x->steps || (x->rank > 1 && !x->strides))
		return false;
	t->type = types[x->type];
	t->rank = (u8)x->rank;
	t->interleave = interleaves[x->interleave];
	t->swizzle = swizzles[x->swizzle].swizzle;
	t->atomicity = swizzles[x->swizzle].atomicity;
	t->fill = fills[x->fill];
	t->address = (u64)(uintptr_t)x->address;
	for (u32 i = 0; i < x->rank; i++) {
		if (!x->dims[i] || x->dims[i] > (u64)1 << 32 || x->steps[i] > UINT8_MAX)
			return false;
		t->last[i] = (u32)(x->dims[i] - 1);
		t->element_stride[i] = (u8)x->steps[i];
		if (i + 1 < x->rank)
			t->stride[i] = x->strides[i];
	}
	return true;
}

static CUresult finish(CUtensorMap *out, SimtTensorMap *t)
{
	if (!out || (uintptr_t)out % TENSOR_MAP_ALIGN || tensor_map_finish(t))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(out, t, sizeof *t);
	return CUDA_SUCCESS;
}

static CUresult tiled(CUtensorMap *out, const Tensor *x, const uint32_t *box)
{
	SimtTensorMap t;
	if (!begin(x, &t) || !box)
		return CUDA_ERROR_INVALID_VALUE;
	for (u32 i = 0; i < x->rank; i++)
		t.box[i] = (u16)PS_MIN(box[i], (uint32_t)UINT16_MAX);
	return finish(out, &t);
}

/* The corners of the pixels' box: a place in W, in H and W, or in D, H and W, whose numbers have 16 bits together. */
typedef struct Column {
	const int *lower, *upper; /* W first */
	u32        corners;       /* how many numbers each has */
	uint32_t   channels, pixels;
} Column;

static CUresult im2col(CUtensorMap *out, const Tensor *x, const Column *of, TensorMode mode)
{
	static const int bits[] = {16, 8, 5};
	SimtTensorMap    t;
	if (!begin(x, &t) || x->rank < 3 || !of->lower || !of->upper)
		return CUDA_ERROR_INVALID_VALUE;
	int most = 1 << (bits[of->corners - 1] - 1);
	for (u32 i = 0; i < of->corners; i++) {
		if (of->lower[i] < -most || of->lower[i] >= most || of->upper[i] < -most || of->upper[i] >= most)
			return CUDA_ERROR_INVALID_VALUE;
		t.lower[i] = (i16)of->lower[i];
		t.upper[i] = (i16)of->upper[i];
	}
	t.mode = (u8)mode;
	t.channels = (u16)PS_MIN(of->channels, (uint32_t)UINT16_MAX);
	t.pixels = (u16)PS_MIN(of->pixels, (uint32_t)UINT16_MAX);
	return finish(out, &t);
}

static CUresult replace_address(CUtensorMap *map, const void *address)
{
	SimtTensorMap t;
	if (!map || (uintptr_t)map % TENSOR_MAP_ALIGN || !address)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&t, map, sizeof t);
	t.address = (u64)(uintptr_t)address;
	return tensor_map_problem(&t) ? CUDA_ERROR_INVALID_VALUE : finish(map, &t);
}

/* ---- the API */

#define TENSOR                               \
	(&(Tensor){.type = type,             \
	           .rank = rank,             \
	           .address = address,       \
	           .dims = dims,             \
	           .strides = strides,       \
	           .steps = steps,           \
	           .interleave = interleave, \
	           .swizzle = swizzle,       \
	           .promotion = promotion,   \
	           .fill = fill})

/* More than seven parameters: the signature is CUDA's. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle,
                                int promotion, int fill)
{
	DRIVER_CALL(ANYWHERE, tiled(out, TENSOR, box));
}
/* More than seven parameters: the signature is CUDA's. */
CUresult cuTensorMapEncodeIm2col(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                 const uint64_t *strides, const int *lower, const int *upper, uint32_t channels, uint32_t pixels,
                                 const uint32_t *steps, int interleave, int swizzle, int promotion, int fill)
{
	Column of = {lower, upper, rank < 3 ? 1 : PS_MIN(rank - 2, 3u), channels, pixels};
	DRIVER_CALL(ANYWHERE, im2col(out, TENSOR, &of, TENSOR_IM2COL));
}
/* More than seven parameters: the signature is CUDA's. */
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, int lower, int upper, uint32_t channels, uint32_t pixels,
                                     const uint32_t *steps, int interleave, int mode, int swizzle, int promotion, int fill)
{
	Column of = {&lower, &upper, 1, channels, pixels};
	DRIVER_CALL(ANYWHERE, mode == 0 || mode == 1 ? im2col(out, TENSOR, &of, mode ? TENSOR_IM2COL_W128 : TENSOR_IM2COL_W)
	                                             : CUDA_ERROR_INVALID_VALUE);
}
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address) { DRIVER_CALL(ANYWHERE, replace_address(map, address)); }
