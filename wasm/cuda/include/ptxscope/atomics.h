/* CUDA's atomic functions: relaxed, with the scope of the device, of the block (_block) or of the system (_system). clang 22 writes
 * no scopes for this target, so that all of them have the widest, the system's. */
#pragma once

#include <ptxscope/define.h>

#define __px_atomic(name, operation, T, scope)                                                                                         \
	__px_inline T name(T *at, T v) { return __scoped_atomic_##operation(at, v, __ATOMIC_RELAXED, scope); }

#define __px_atomics_of(suffix, scope)                                                                                                 \
	__px_atomic(atomicAdd##suffix, fetch_add, int, scope)                                                                          \
	__px_atomic(atomicAdd##suffix, fetch_add, unsigned, scope)                                                                     \
	__px_atomic(atomicAdd##suffix, fetch_add, unsigned long long, scope)                                                           \
	__px_atomic(atomicAdd##suffix, fetch_add, unsigned long, scope)                                                                \
	__px_atomic(atomicAdd##suffix, fetch_add, float, scope)                                                                        \
	__px_atomic(atomicAdd##suffix, fetch_add, double, scope)                                                                       \
	__px_atomic(atomicSub##suffix, fetch_sub, int, scope)                                                                          \
	__px_atomic(atomicSub##suffix, fetch_sub, unsigned, scope)                                                                     \
	__px_atomics_for(suffix, Min, fetch_min, scope)                                                                                \
	__px_atomics_for(suffix, Max, fetch_max, scope)                                                                                \
	__px_atomics_for(suffix, And, fetch_and, scope)                                                                                \
	__px_atomics_for(suffix, Or, fetch_or, scope)                                                                                  \
	__px_atomics_for(suffix, Xor, fetch_xor, scope)                                                                                \
	__px_atomics_for(suffix, Exch, exchange_n, scope)                                                                              \
	__px_inline float atomicExch##suffix(float *at, float v) {                                                                     \
		return __builtin_bit_cast(float, __scoped_atomic_exchange_n((int *)at, __builtin_bit_cast(int, v), __ATOMIC_RELAXED, scope)); \
	}                                                                                                                              \
	__px_atomic(atomicInc##suffix, fetch_uinc, unsigned, scope)                                                                    \
	__px_atomic(atomicDec##suffix, fetch_udec, unsigned, scope)                                                                    \
	__px_atomic_cas(suffix, int, scope)                                                                                            \
	__px_atomic_cas(suffix, unsigned, scope)                                                                                       \
	__px_atomic_cas(suffix, unsigned long long, scope)                                                                             \
	__px_atomic_cas(suffix, unsigned long, scope)                                                                                  \
	__px_atomic_cas(suffix, unsigned short, scope)

#define __px_atomics_for(suffix, Name, operation, scope)                                                                               \
	__px_atomic(atomic##Name##suffix, operation, int, scope)                                                                       \
	__px_atomic(atomic##Name##suffix, operation, unsigned, scope)                                                                  \
	__px_atomic(atomic##Name##suffix, operation, long long, scope)                                                                 \
	__px_atomic(atomic##Name##suffix, operation, unsigned long long, scope)                                                        \
	__px_atomic(atomic##Name##suffix, operation, unsigned long, scope)

#define __px_atomic_cas(suffix, T, scope)                                                                                              \
	__px_inline T atomicCAS##suffix(T *at, T compare, T v) {                                                                       \
		__scoped_atomic_compare_exchange_n(at, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);                 \
		return compare;                                                                                                        \
	}

__px_atomics_of(, __MEMORY_SCOPE_DEVICE)
__px_atomics_of(_block, __MEMORY_SCOPE_WRKGRP)
__px_atomics_of(_system, __MEMORY_SCOPE_SYSTEM)

#undef __px_atomics_of
#undef __px_atomics_for
#undef __px_atomic_cas
#undef __px_atomic
