/* vec.h: typed growing arrays in an arena.
 *
 *   Vec(u32) v = {0};
 *   vec_push(arena, &v, 7);
 *   for (u32 i = 0; i < v.n; i++) use(v.p[i]);
 */
#ifndef PS_VEC_H
#define PS_VEC_H

#include "base/arena.h"

#define Vec(T)              \
	struct {            \
		T  *p;      \
		u32 n, cap; \
	}

typedef Vec(u32) VecU32;
typedef Vec(Str) VecStr;

typedef Vec(void) VecAny;
/* Makes room for `want` elements of `size` bytes: twice what there was, at least. */
void vec_grow(Arena *arena, void *vec, u32 want, u32 size);

#define vec_reserve(arena, v, want)                                          \
	do {                                                                 \
		if ((v)->cap < (want))                                       \
			vec_grow((arena), (v), (u32)(want), sizeof *(v)->p); \
	} while (0)

#define vec_push(arena, v, x)                      \
	do {                                       \
		vec_reserve(arena, v, (v)->n + 1); \
		(v)->p[(v)->n++] = (x);            \
	} while (0)

/* n zeroed elements more; the first of them is p[n - count] afterwards. */
#define vec_extend(arena, v, count)                                                      \
	do {                                                                             \
		u32 vec_count_ = (u32)(count);                                           \
		vec_reserve(arena, v, (v)->n + vec_count_);                              \
		if (vec_count_)                                                          \
			memset((v)->p + (v)->n, 0, (size_t)vec_count_ * sizeof *(v)->p); \
		(v)->n += vec_count_;                                                    \
	} while (0)

#define vec_pop(v)  ((v)->p[--(v)->n])
#define vec_last(v) ((v)->p[(v)->n - 1])

#endif
