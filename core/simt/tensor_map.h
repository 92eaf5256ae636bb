/* tensor_map.h: tensor maps: the 128 opaque bytes that describe a tensor in global memory and the box of it that one
 * asynchronous copy moves. CUDA leaves their layout open; it is SimtTensorMap here, in memory as in a launch file and in
 * what cuTensorMapEncode… writes. Numbers of types, interleaves, swizzles and fills are those that tensormap.replace takes
 * (PTX ISA, tensormap.replace); CUDA's enumerations differ in some.
 *
 * Dimension 0 is the innermost; its elements follow each other. */
#ifndef PS_SIMT_TENSOR_MAP_H
#define PS_SIMT_TENSOR_MAP_H

#include "base/arena.h"

typedef enum TensorType {
	TENSOR_U8,
	TENSOR_U16,
	TENSOR_U32,
	TENSOR_S32,
	TENSOR_U64,
	TENSOR_S64,
	TENSOR_F16,
	TENSOR_F32,
	TENSOR_F32_FTZ,
	TENSOR_F64,
	TENSOR_BF16,
	TENSOR_TF32,
	TENSOR_TF32_FTZ,
	TENSOR_B4X16,     /* 16 numbers of 4 bits in 8 bytes, in shared memory too */
	TENSOR_B4X16_P64, /* the same, with 8 bytes of padding behind them in shared memory */
	TENSOR_B6X16_P32, /* 16 numbers of 6 bits in 12 bytes, with 4 bytes of padding in shared memory */
	TENSOR_TYPES
} TensorType;
typedef enum TensorInterleave { INTERLEAVE_NONE, INTERLEAVE_16B, INTERLEAVE_32B, INTERLEAVES } TensorInterleave;
typedef enum TensorSwizzle { SWIZZLE_NONE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B, SWIZZLE_96B, SWIZZLES } TensorSwizzle;
/* What SWIZZLE_128B moves as a whole. FLIP_8B: 32 bytes, and the halves of each 16 bytes change places in odd rows. */
typedef enum TensorAtomicity { ATOMICITY_16B, ATOMICITY_32B, ATOMICITY_32B_FLIP_8B, ATOMICITY_64B, ATOMICITIES } TensorAtomicity;
typedef enum TensorFill { FILL_ZERO, FILL_NAN, FILLS } TensorFill;
typedef enum TensorMode { TENSOR_TILED, TENSOR_IM2COL, TENSOR_IM2COL_W, TENSOR_IM2COL_W128, TENSOR_MODES } TensorMode;

enum { TENSOR_RANK = 5, TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGN = 64 };
#define TENSOR_MAP_MARK 0x3150414d544e5354u /* a word of other bytes is no tensor map */

typedef struct SimtTensorMap {
	u64 address;
	u64 stride[TENSOR_RANK - 1]; /* bytes from one element of dimension 1, 2, … to the next */
	u32 last[TENSOR_RANK];       /* number of elements, less 1 */
	u16 box[TENSOR_RANK];        /* tiled: elements that a copy spans */
	i16 lower[3], upper[3];      /* im2col: corners of the pixels' bounding box in W, H, D */
	u16 channels, pixels;        /* im2col: of a copy */
	u8  element_stride[TENSOR_RANK];
	u8  type, rank, interleave, swizzle, atomicity, fill, mode;
	u8  spare[20];
	u64 mark;
} SimtTensorMap;
_Static_assert(sizeof(SimtTensorMap) == TENSOR_MAP_BYTES, "as large as a CUtensorMap");

/* Sets the mark. NULL: the map describes something; else what CUDA's rules for cuTensorMapEncode… say against it. */
const char *tensor_map_finish(SimtTensorMap *t);
/* The same rules for a map that a kernel found in memory. */
const char *tensor_map_problem(const SimtTensorMap *t);

/* What is copied as a whole: one element, of the packed types 16. Its bytes in global and in shared memory. */
typedef struct TensorUnit {
	u32 global, shared, elements;
} TensorUnit;
TensorUnit tensor_unit(u32 type);
u64        tensor_box_bytes(const SimtTensorMap *t);      /* bytes that a copy writes in shared memory */
u32        tensor_steps(const SimtTensorMap *t, u32 dim); /* elements that a copy takes of a tiled box */
/* Where a byte of a box of rows of `swizzle` bytes goes: the bits of its address that the pattern exchanges. */
u64 tensor_swizzle(u32 swizzle, u32 atomicity, u64 address);

/* The fields of tensormap.replace. */
typedef enum TensorField {
	FIELD_ADDRESS,
	FIELD_RANK,
	FIELD_BOX,
	FIELD_DIM,
	FIELD_STRIDE,
	FIELD_ELEMENT_STRIDE,
	FIELD_TYPE,
	FIELD_INTERLEAVE,
	FIELD_SWIZZLE,
	FIELD_ATOMICITY,
	FIELD_FILL
} TensorField;
/* False: the field has no such ordinal or value. */
bool tensor_map_replace(SimtTensorMap *t, TensorField field, u32 ordinal, u64 value);

#endif
