/* math.h: the functions of the CUDA maths library (__nv_sin and its like), on bits. */
#ifndef PS_SEM_MATH_H
#define PS_SEM_MATH_H

#include "base/base.h"

typedef enum SemMath {
#define MATH1(id) SEM_MATH_##id,
#define MATH2(id) SEM_MATH_##id,
#include "sem/math.def"
	SEM_MATH_COUNT
} SemMath;

/* b is read by functions of two arguments alone. NaN results are canonical. */
u64 sem_math_f64(SemMath f, u64 a, u64 b);
u32 sem_math_f32(SemMath f, u32 a, u32 b);

#endif
