/* kernels.h: pure lane operations, one loop over 32 lanes each; the rows of kernels.def. */
#ifndef PS_SIMT_KERNELS_H
#define PS_SIMT_KERNELS_H

#include "base/base.h"

typedef enum SimtKernel {
#define K(id, D, A, B, C, expr)  K_##id,
#define KC(id, D, A, B, C, expr) K_##id,
#define K128(id, expr)           K_##id,
#include "simt/kernels.def"
	K_COUNT
} SimtKernel;

typedef void (*LaneFn)(void *d, const void *a, const void *b, const void *c, u32 x);

/* One row in the lanes that are on (NULL: in all). */
#define VECTOR_ARGS u32 *d, PS_UNUSED const u32 *a, PS_UNUSED const u32 *b, PS_UNUSED const u32 *c, PS_UNUSED const u32 *on
typedef void (*VectorFn)(VECTOR_ARGS);

typedef struct KernelInfo {
	LaneFn run;
	u8     rows; /* of the result */
} KernelInfo;
extern const KernelInfo simt_kernel[K_COUNT];

/* x of the kernels that work in any format: format and mode; of comparisons: the operator besides. */
static inline u32 kx_float(u32 fmt, u32 mode) { return fmt << 16 | mode; }
static inline u32 kx_fcmp(u32 fmt, u32 cmp, u32 mode) { return fmt << 24 | cmp << 16 | mode; }
static inline u32 kx_cvt(u32 to, u32 from, u32 mode) { return to << 24 | from << 16 | mode; }
/* of stochastic rounding: `bits` random bits from bit `at` on */
static inline u32 kx_stochastic(u32 to, u32 at, u32 bits, u32 mode) { return to << 24 | at << 16 | bits << 10 | mode; }
/* of conversions with integers: bits of the integer (128 as 0), signedness, format, mode */
static inline u32 kx_int(u32 w, bool is_signed, u32 fmt, u32 mode)
{
	return (w & 127) << 24 | (u32)is_signed << 31 | fmt << 16 | mode;
}

#endif
