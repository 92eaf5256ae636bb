/* vec.c: where arrays grow. */
#include "base/vec.h"

void vec_grow(Arena *arena, void *vec, u32 want, u32 size)
{
	VecAny *v = vec;
	u32     cap = PS_MAX(want, PS_MAX(v->cap * 2, 8u));
	v->p = arena_grow(arena, v->p, (u64)v->cap * size, (u64)cap * size, _Alignof(max_align_t));
	v->cap = cap;
}
