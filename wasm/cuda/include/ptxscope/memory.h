/* Loads by way of the read-only cache, hints, and which memory an address is in. */
#pragma once

#include <ptxscope/vectors.h>

/* A value as a word, which an access moves at once. */
template <int bytes> struct __px_bits_type;
template <> struct __px_bits_type<1> { typedef unsigned char type; };
template <> struct __px_bits_type<2> { typedef unsigned short type; };
template <> struct __px_bits_type<4> { typedef unsigned type; };
template <> struct __px_bits_type<8> { typedef unsigned long long type; };
template <> struct __px_bits_type<16> { typedef unsigned type __attribute__((ext_vector_type(4))); };
template <class T> using __px_bits_of = typename __px_bits_type<sizeof(T)>::type;

/* clang's builtins for vectors take vectors of clang's own. */
#define __px_ldg(T, letters) __px_inline T __ldg(const T *at) { return __nvvm_ldg_##letters(at); }
#define __px_ldg2(T, E, letters)                                                                                                       \
	__px_inline T __ldg(const T *at) {                                                                                             \
		typedef E V __attribute__((ext_vector_type(2)));                                                                       \
		V v = __nvvm_ldg_##letters((const V *)at);                                                                             \
		return {v[0], v[1]};                                                                                                   \
	}
#define __px_ldg4(T, E, letters)                                                                                                       \
	__px_inline T __ldg(const T *at) {                                                                                             \
		typedef E V __attribute__((ext_vector_type(4)));                                                                       \
		V v = __nvvm_ldg_##letters((const V *)at);                                                                             \
		return {v[0], v[1], v[2], v[3]};                                                                                       \
	}
__px_ldg(char, c)
__px_ldg(signed char, sc)
__px_ldg(unsigned char, uc)
__px_ldg(short, s)
__px_ldg(unsigned short, us)
__px_ldg(int, i)
__px_ldg(unsigned, ui)
__px_ldg(long, l)
__px_ldg(unsigned long, ul)
__px_ldg(long long, ll)
__px_ldg(unsigned long long, ull)
__px_ldg(float, f)
__px_ldg(double, d)
__px_inline unsigned __px_ldg_word(const unsigned *at) { return __nvvm_ldg_ui(at); }
__px_inline unsigned short __px_ldg_word(const unsigned short *at) { return __nvvm_ldg_us(at); }
__px_inline unsigned char __px_ldg_word(const unsigned char *at) { return __nvvm_ldg_uc(at); }
__px_inline unsigned long long __px_ldg_word(const unsigned long long *at) { return __nvvm_ldg_ull(at); }
__px_inline __px_bits_of<uint4> __px_ldg_word(const __px_bits_of<uint4> *at) { return __nvvm_ldg_ui4(at); }
__px_ldg2(int2, int, i2)
__px_ldg2(uint2, unsigned, ui2)
__px_ldg2(float2, float, f2)
__px_ldg2(double2, double, d2)
__px_ldg2(longlong2, long long, ll2)
__px_ldg4(int4, int, i4)
__px_ldg4(uint4, unsigned, ui4)
__px_ldg4(float4, float, f4)
/* What has no builtin of its own is read as the word of its size. */
template <class T> __px_inline T __ldg(const T *at) { return __builtin_bit_cast(T, __px_ldg_word((const __px_bits_of<T> *)at)); }
#undef __px_ldg
#undef __px_ldg2
#undef __px_ldg4

/* Hints to the caches are dropped; what __ldcv and __stwt promise, that memory is read again or written now, is kept. */
template <class T> __px_inline T __ldca(const T *at) { return *at; }
template <class T> __px_inline T __ldcg(const T *at) { return *at; }
template <class T> __px_inline T __ldcs(const T *at) { return *at; }
template <class T> __px_inline T __ldlu(const T *at) { return *at; }
template <class T> __px_inline T __ldcv(const T *at) { return __builtin_bit_cast(T, *(const volatile __px_bits_of<T> *)at); }
template <class T> __px_inline void __stwb(T *at, T v) { *at = v; }
template <class T> __px_inline void __stcg(T *at, T v) { *at = v; }
template <class T> __px_inline void __stcs(T *at, T v) { *at = v; }
template <class T> __px_inline void __stwt(T *at, T v) { *(volatile __px_bits_of<T> *)at = __builtin_bit_cast(__px_bits_of<T>, v); }

__px_inline unsigned __isGlobal(const void *at) { return __nvvm_isspacep_global(at); }
__px_inline unsigned __isShared(const void *at) { return __nvvm_isspacep_shared(at); }
__px_inline unsigned __isConstant(const void *at) { return __nvvm_isspacep_const(at); }
__px_inline unsigned __isLocal(const void *at) { return __nvvm_isspacep_local(at); }
__px_inline size_t __cvta_generic_to_shared(const void *at) { return (size_t)(unsigned)(size_t)(const __attribute__((address_space(3))) void *)at; }
__px_inline size_t __cvta_generic_to_global(const void *at) { return (size_t)(const __attribute__((address_space(1))) void *)at; }
__px_inline size_t __cvta_generic_to_local(const void *at) { return (size_t)(unsigned)(size_t)(const __attribute__((address_space(5))) void *)at; }
__px_inline size_t __cvta_generic_to_constant(const void *at) { return (size_t)(const __attribute__((address_space(4))) void *)at; }
__px_inline void *__cvta_shared_to_generic(size_t at) { return (void *)(__attribute__((address_space(3))) void *)at; }
__px_inline void *__cvta_global_to_generic(size_t at) { return (void *)(__attribute__((address_space(1))) void *)at; }
__px_inline void *__cvta_local_to_generic(size_t at) { return (void *)(__attribute__((address_space(5))) void *)at; }
__px_inline void *__cvta_constant_to_generic(size_t at) { return (void *)(__attribute__((address_space(4))) void *)at; }
