/* Texture and surface objects. A fetch is its PTX instruction, inline. */
#pragma once

#include <ptxscope/vectors.h>

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

/* Four components of the element's kind become T. */
template <class T> struct __px_texel;
#define __px_texel_of(T, E, letter, ptx, ...)                                                                                          \
	template <> struct __px_texel<T> {                                                                                             \
		typedef E Element;                                                                                                     \
		static __device__ __forceinline__ T make(E x, E y, E z, E w) { return __VA_ARGS__; }                                   \
	};
__px_texel_of(float, float, f, f32, x)
__px_texel_of(float1, float, f, f32, {x})
__px_texel_of(float2, float, f, f32, {x, y})
__px_texel_of(float4, float, f, f32, {x, y, z, w})
__px_texel_of(int, int, r, s32, x)
__px_texel_of(int2, int, r, s32, {x, y})
__px_texel_of(int4, int, r, s32, {x, y, z, w})
__px_texel_of(unsigned, unsigned, r, u32, x)
__px_texel_of(uint2, unsigned, r, u32, {x, y})
__px_texel_of(uint4, unsigned, r, u32, {x, y, z, w})
#undef __px_texel_of

#define __px_fetch_as(name, E, letter, type, form, coordinates, operands, ...)                                                         \
	__px_inline void name(E *v, cudaTextureObject_t t, __VA_ARGS__) {                                                              \
		asm("tex." form "." type " {%0, %1, %2, %3}, [%4, " coordinates "];"                                                   \
		    : "=" letter(v[0]), "=" letter(v[1]), "=" letter(v[2]), "=" letter(v[3]) : "l"(t), __px_unwrap operands);                       \
	}
#define __px_fetch(name, form, coordinate, coordinates, operands, ...)                                                                 \
	__px_fetch_as(__px_##name, float, "f", "v4.f32." coordinate, form, coordinates, operands, __VA_ARGS__)                         \
	__px_fetch_as(__px_##name, int, "r", "v4.s32." coordinate, form, coordinates, operands, __VA_ARGS__)                           \
	__px_fetch_as(__px_##name, unsigned, "r", "v4.u32." coordinate, form, coordinates, operands, __VA_ARGS__)
#define __px_unwrap(...) __VA_ARGS__
__px_fetch(tex1Dfetch, "1d", "s32", "{%5}", ("r"(x)), int x)
__px_fetch(tex1D, "1d", "f32", "{%5}", ("f"(x)), float x)
__px_fetch(tex2D, "2d", "f32", "{%5, %6}", ("f"(x), "f"(y)), float x, float y)
__px_fetch(tex3D, "3d", "f32", "{%5, %6, %7, %7}", ("f"(x), "f"(y), "f"(z)), float x, float y, float z)
#undef __px_fetch
#undef __px_fetch_as

#define __px_texture(name, arguments, ...)                                                                                             \
	template <class T> __px_inline T name(cudaTextureObject_t t, __VA_ARGS__) {                                                    \
		typename __px_texel<T>::Element v[4];                                                                                  \
		__px_##name(v, t, __px_unwrap arguments);                                                                                          \
		return __px_texel<T>::make(v[0], v[1], v[2], v[3]);                                                                    \
	}                                                                                                                              \
	template <class T> __px_inline void name(T *to, cudaTextureObject_t t, __VA_ARGS__) { *to = name<T>(t, __px_unwrap arguments); }
__px_texture(tex1Dfetch, (x), int x)
__px_texture(tex1D, (x), float x)
__px_texture(tex2D, (x, y), float x, float y)
__px_texture(tex3D, (x, y, z), float x, float y, float z)
#undef __px_texture
#undef __px_unwrap

/* Surfaces: x counts bytes; an access outside traps. A value is stored as words of 32 bits, or as a byte or a half. */
template <int bytes> struct __px_surface;
#define __px_surface_of(bytes, W, words, form, out, in, list)                                                                          \
	template <> struct __px_surface<bytes> {                                                                                       \
		typedef W Word;                                                                                                        \
		static __device__ __forceinline__ void read(W *v, cudaSurfaceObject_t s, int x) {                                      \
			asm volatile("suld.b.1d." form ".trap {" list "}, [%" #words ", {%" __px_next_##words "}];" : out : "l"(s), "r"(x)); \
		}                                                                                                                      \
		static __device__ __forceinline__ void read(W *v, cudaSurfaceObject_t s, int x, int y) {                               \
			asm volatile("suld.b.2d." form ".trap {" list "}, [%" #words ", {%" __px_next_##words ", %" __px_after_##words "}];" : out : "l"(s), "r"(x), "r"(y)); \
		}                                                                                                                      \
		static __device__ __forceinline__ void write(const W *v, cudaSurfaceObject_t s, int x) {                               \
			asm volatile("sust.b.1d." form ".trap [%" #words ", {%" __px_next_##words "}], {" list "};" : : in, "l"(s), "r"(x) : "memory"); \
		}                                                                                                                      \
		static __device__ __forceinline__ void write(const W *v, cudaSurfaceObject_t s, int x, int y) {                        \
			asm volatile("sust.b.2d." form ".trap [%" #words ", {%" __px_next_##words ", %" __px_after_##words "}], {" list "};" : : in, "l"(s), "r"(x), "r"(y) : "memory"); \
		}                                                                                                                      \
	};
#define __px_next_1 "2"
#define __px_after_1 "3"
#define __px_next_2 "3"
#define __px_after_2 "4"
#define __px_next_4 "5"
#define __px_after_4 "6"
#define __px_list(...) __VA_ARGS__
__px_surface_of(1, unsigned short, 1, "b8", "=h"(v[0]), "h"(v[0]), "%0")
__px_surface_of(2, unsigned short, 1, "b16", "=h"(v[0]), "h"(v[0]), "%0")
__px_surface_of(4, unsigned, 1, "b32", "=r"(v[0]), "r"(v[0]), "%0")
__px_surface_of(8, unsigned, 2, "v2.b32", __px_list("=r"(v[0]), "=r"(v[1])), __px_list("r"(v[0]), "r"(v[1])), "%0, %1")
__px_surface_of(16, unsigned, 4, "v4.b32", __px_list("=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])),
	__px_list("r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])), "%0, %1, %2, %3")
#undef __px_surface_of
#undef __px_list

#define __px_surface_access(dimension, ...)                                                                                            \
	template <class T> __px_inline T surf##dimension##read(cudaSurfaceObject_t s, __px_parameters_##dimension) {                   \
		typename __px_surface<sizeof(T)>::Word v[sizeof(T) < 4 ? 1 : sizeof(T) / 4];                                           \
		__px_surface<sizeof(T)>::read(v, s, __VA_ARGS__);                                                                      \
		T value;                                                                                                               \
		__builtin_memcpy(&value, v, sizeof(T));                                                                                \
		return value;                                                                                                          \
	}                                                                                                                              \
	template <class T> __px_inline void surf##dimension##read(T *to, cudaSurfaceObject_t s, __px_parameters_##dimension) {         \
		*to = surf##dimension##read<T>(s, __VA_ARGS__);                                                                        \
	}                                                                                                                              \
	template <class T> __px_inline void surf##dimension##write(T value, cudaSurfaceObject_t s, __px_parameters_##dimension) {      \
		typename __px_surface<sizeof(T)>::Word v[sizeof(T) < 4 ? 1 : sizeof(T) / 4] = {};                                      \
		__builtin_memcpy(v, &value, sizeof(T));                                                                                \
		__px_surface<sizeof(T)>::write(v, s, __VA_ARGS__);                                                                     \
	}
#define __px_parameters_1D int x
#define __px_parameters_2D int x, int y
__px_surface_access(1D, x)
__px_surface_access(2D, x, y)
#undef __px_surface_access
#undef __px_parameters_1D
#undef __px_parameters_2D
