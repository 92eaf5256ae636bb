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

#define __px_unwrap(...) __VA_ARGS__
#define __px_fetch_as(name, E, letter, opcode, type, coordinates, operands, ...)                                                       \
	__px_inline void name(E *v, cudaTextureObject_t t, __VA_ARGS__) {                                                              \
		asm(opcode type " {%0, %1, %2, %3}, [%[t], " coordinates ";"                                                           \
		    : "=" letter(v[0]), "=" letter(v[1]), "=" letter(v[2]), "=" letter(v[3]) : [t] "l"(t), __px_unwrap operands);      \
	}
/* A fetch of any element: `type` is what follows the element's type in the opcode, `coordinates` also what follows them. */
#define __px_texture(name, opcode, type, coordinates, operands, arguments, ...)                                                        \
	__px_fetch_as(__px_##name, float, "f", opcode, ".f32" type, coordinates, operands, __VA_ARGS__)                                \
	__px_fetch_as(__px_##name, int, "r", opcode, ".s32" type, coordinates, operands, __VA_ARGS__)                                  \
	__px_fetch_as(__px_##name, unsigned, "r", opcode, ".u32" type, coordinates, operands, __VA_ARGS__)                             \
	template <class T> __px_inline T name(cudaTextureObject_t t, __VA_ARGS__) {                                                    \
		typename __px_texel<T>::Element v[4];                                                                                  \
		__px_##name(v, t, __px_unwrap arguments);                                                                              \
		return __px_texel<T>::make(v[0], v[1], v[2], v[3]);                                                                    \
	}                                                                                                                              \
	template <class T> __px_inline void name(T *to, cudaTextureObject_t t, __VA_ARGS__) { *to = name<T>(t, __px_unwrap arguments); }
#define __px_x [x] "f"(x)
#define __px_xy __px_x, [y] "f"(y)
#define __px_xyz __px_xy, [z] "f"(z)
#define __px_level [level] "f"(level)
#define __px_layer [layer] "r"(layer)
__px_texture(tex1Dfetch, "tex.1d.v4", ".s32", "{%[x]}]", ([x] "r"(x)), (x), int x)
__px_texture(tex1D, "tex.1d.v4", ".f32", "{%[x]}]", (__px_x), (x), float x)
__px_texture(tex2D, "tex.2d.v4", ".f32", "{%[x], %[y]}]", (__px_xy), (x, y), float x, float y)
__px_texture(tex3D, "tex.3d.v4", ".f32", "{%[x], %[y], %[z], %[z]}]", (__px_xyz), (x, y, z), float x, float y, float z)
__px_texture(texCubemap, "tex.cube.v4", ".f32", "{%[x], %[y], %[z], %[z]}]", (__px_xyz), (x, y, z), float x, float y, float z)
__px_texture(tex1DLayered, "tex.a1d.v4", ".f32", "{%[layer], %[x]}]", (__px_x, __px_layer), (x, layer), float x, int layer)
__px_texture(tex2DLayered, "tex.a2d.v4", ".f32", "{%[layer], %[x], %[y], %[y]}]", (__px_xy, __px_layer), (x, y, layer), float x, float y, int layer)
__px_texture(texCubemapLayered, "tex.acube.v4", ".f32", "{%[layer], %[x], %[y], %[z]}]", (__px_xyz, __px_layer), (x, y, z, layer), float x, float y, float z, int layer)
__px_texture(tex1DLod, "tex.level.1d.v4", ".f32", "{%[x]}], %[level]", (__px_x, __px_level), (x, level), float x, float level)
__px_texture(tex2DLod, "tex.level.2d.v4", ".f32", "{%[x], %[y]}], %[level]", (__px_xy, __px_level), (x, y, level), float x, float y, float level)
__px_texture(tex3DLod, "tex.level.3d.v4", ".f32", "{%[x], %[y], %[z], %[z]}], %[level]", (__px_xyz, __px_level), (x, y, z, level), float x, float y, float z, float level)
#undef __px_texture

/* One component of each of the four texels that a filter would read. */
#define __px_gather(component)                                                                                                         \
	__px_texture_of_gather(component, float, "f", ".f32") __px_texture_of_gather(component, int, "r", ".s32") __px_texture_of_gather(component, unsigned, "r", ".u32")
#define __px_texture_of_gather(component, E, letter, type)                                                                             \
	__px_fetch_as(__px_gather_##component, E, letter, "tld4." #component ".2d.v4", type ".f32", "{%[x], %[y]}]", (__px_xy), float x, float y)
__px_gather(r) __px_gather(g) __px_gather(b) __px_gather(a)
template <class T> __px_inline T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
	typename __px_texel<T>::Element v[4];
	if (component == 0)
		__px_gather_r(v, t, x, y);
	else if (component == 1)
		__px_gather_g(v, t, x, y);
	else if (component == 2)
		__px_gather_b(v, t, x, y);
	else
		__px_gather_a(v, t, x, y);
	return __px_texel<T>::make(v[0], v[1], v[2], v[3]);
}
template <class T> __px_inline void tex2Dgather(T *to, cudaTextureObject_t t, float x, float y, int component = 0) { *to = tex2Dgather<T>(t, x, y, component); }
#undef __px_gather
#undef __px_texture_of_gather
#undef __px_fetch_as
#undef __px_x
#undef __px_xy
#undef __px_xyz
#undef __px_level
#undef __px_layer

/* Surfaces: x counts bytes. A value is stored as words of 32 bits, or as a byte or a half. The modes say what an access outside does. */
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <int bytes> struct __px_surface;
#define __px_surface_modes(what, ...)                                                                                                  \
	if (mode == cudaBoundaryModeTrap)                                                                                              \
		what(".trap", __VA_ARGS__);                                                                                            \
	else if (mode == cudaBoundaryModeClamp)                                                                                        \
		what(".clamp", __VA_ARGS__);                                                                                           \
	else                                                                                                                           \
		what(".zero", __VA_ARGS__);
#define __px_suld(mode, shape, form, list, out, coordinates, ...)                                                                      \
	asm volatile("suld.b." shape form mode " {" list "}, [%[s], " coordinates "];" : __px_unwrap out : [s] "l"(s), __VA_ARGS__)
#define __px_sust(mode, shape, form, list, in, coordinates, ...)                                                                       \
	asm volatile("sust.b." shape form mode " [%[s], " coordinates "], {" list "};" : : __px_unwrap in, [s] "l"(s), __VA_ARGS__ : "memory")
#define __px_surface_shape(name, shape, parameters, form, list, out, in, ...)                                                          \
	static __device__ __forceinline__ void read_##name(W *v, cudaSurfaceObject_t s, __px_unwrap parameters, int mode) {            \
		__px_surface_modes(__px_suld, shape, form, list, out, __VA_ARGS__)                                                     \
	}                                                                                                                              \
	static __device__ __forceinline__ void write_##name(const W *v, cudaSurfaceObject_t s, __px_unwrap parameters, int mode) {     \
		__px_surface_modes(__px_sust, shape, form, list, in, __VA_ARGS__)                                                      \
	}
#define __px_surface_of(bytes, Type, form, list, out, in)                                                                              \
	template <> struct __px_surface<bytes> {                                                                                       \
		typedef Type W;                                                                                                        \
		__px_surface_shape(1D, "1d", (int x), form, list, out, in, "{%[x]}", [x] "r"(x))                                       \
		__px_surface_shape(2D, "2d", (int x, int y), form, list, out, in, "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))              \
		__px_surface_shape(3D, "3d", (int x, int y, int z), form, list, out, in, "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z)) \
		__px_surface_shape(1DLayered, "a1d", (int x, int layer), form, list, out, in, "{%[layer], %[x]}", [x] "r"(x), [layer] "r"(layer)) \
		__px_surface_shape(2DLayered, "a2d", (int x, int y, int layer), form, list, out, in, "{%[layer], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [layer] "r"(layer)) \
	};
__px_surface_of(1, unsigned short, ".b8", "%0", ("=h"(v[0])), ("h"(v[0])))
__px_surface_of(2, unsigned short, ".b16", "%0", ("=h"(v[0])), ("h"(v[0])))
__px_surface_of(4, unsigned, ".b32", "%0", ("=r"(v[0])), ("r"(v[0])))
__px_surface_of(8, unsigned, ".v2.b32", "%0, %1", ("=r"(v[0]), "=r"(v[1])), ("r"(v[0]), "r"(v[1])))
__px_surface_of(16, unsigned, ".v4.b32", "%0, %1, %2, %3", ("=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])), ("r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])))
#undef __px_surface_of
#undef __px_surface_shape
#undef __px_surface_modes
#undef __px_suld
#undef __px_sust

#define __px_surface_access(shape, parameters, ...)                                                                                    \
	template <class T> __px_inline T surf##shape##read(cudaSurfaceObject_t s, __px_unwrap parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
		typename __px_surface<sizeof(T)>::W v[sizeof(T) < 4 ? 1 : sizeof(T) / 4];                                              \
		__px_surface<sizeof(T)>::read_##shape(v, s, __VA_ARGS__, mode);                                                        \
		T value;                                                                                                               \
		__builtin_memcpy(&value, v, sizeof(T));                                                                                \
		return value;                                                                                                          \
	}                                                                                                                              \
	template <class T> __px_inline void surf##shape##read(T *to, cudaSurfaceObject_t s, __px_unwrap parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
		*to = surf##shape##read<T>(s, __VA_ARGS__, mode);                                                                      \
	}                                                                                                                              \
	template <class T> __px_inline void surf##shape##write(T value, cudaSurfaceObject_t s, __px_unwrap parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
		typename __px_surface<sizeof(T)>::W v[sizeof(T) < 4 ? 1 : sizeof(T) / 4] = {};                                         \
		__builtin_memcpy(v, &value, sizeof(T));                                                                                \
		__px_surface<sizeof(T)>::write_##shape(v, s, __VA_ARGS__, mode);                                                       \
	}
__px_surface_access(1D, (int x), x)
__px_surface_access(2D, (int x, int y), x, y)
__px_surface_access(3D, (int x, int y, int z), x, y, z)
__px_surface_access(1DLayered, (int x, int layer), x, layer)
__px_surface_access(2DLayered, (int x, int y, int layer), x, y, layer)
#undef __px_surface_access
#undef __px_unwrap
