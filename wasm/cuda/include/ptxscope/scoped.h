/* Atomic operations with the order and the scope that a program names, as PTX: clang 22 writes no scopes for this target. A
 * sequentially consistent operation is one that acquires, behind a fence (PTX's memory consistency model). */
#pragma once

#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "orders and scopes of memory accesses need sm_70"
#endif

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
template <class T> struct __px_value_of { typedef T type; };
template <class T> struct __px_value_of<T &> { typedef T type; };
template <class T> __px_both constexpr typename __px_value_of<T>::type &&move(T &&v) { return static_cast<typename __px_value_of<T>::type &&>(v); }

enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
}
using std::memory_order;
using std::memory_order_relaxed;
using std::memory_order_consume;
using std::memory_order_acquire;
using std::memory_order_release;
using std::memory_order_acq_rel;
using std::memory_order_seq_cst;
}

/* `what` with PTX's words for a scope, and for an order and a scope. Both are constants after inlining. */
#define __px_with_scope(scope, what)                                                                                                   \
	if constexpr (scope == cuda::thread_scope_system) {                                                                            \
		what("sys");                                                                                                           \
	} else if constexpr (scope == cuda::thread_scope_device) {                                                                     \
		what("gpu");                                                                                                           \
	} else {                                                                                                                       \
		what("cta");                                                                                                           \
	}
#define __px_with_order_of(order, what, scope)                                                                                         \
	switch (order) {                                                                                                               \
	case cuda::memory_order_relaxed: what("relaxed." scope); break;                                                                \
	case cuda::memory_order_release: what("release." scope); break;                                                                \
	case cuda::memory_order_acq_rel: what("acq_rel." scope); break;                                                                \
	default: what("acquire." scope); break;                                                                                        \
	}
#define __px_with_order(scope, order, what)                                                                                            \
	if constexpr (scope == cuda::thread_scope_system) {                                                                            \
		__px_with_order_of(order, what, "sys")                                                                                 \
	} else if constexpr (scope == cuda::thread_scope_device) {                                                                     \
		__px_with_order_of(order, what, "gpu")                                                                                 \
	} else {                                                                                                                       \
		__px_with_order_of(order, what, "cta")                                                                                 \
	}

template <int scope> __px_inline void __px_fence_sc() {
#define __px_step(s) asm volatile("fence.sc." s ";" : : : "memory")
	__px_with_scope(scope, __px_step)
#undef __px_step
}
template <int scope> __px_inline void __px_fence(int order) {
#define __px_step(s) asm volatile("fence.acq_rel." s ";" : : : "memory")
	if (order == cuda::memory_order_seq_cst)
		__px_fence_sc<scope>();
	else if (order != cuda::memory_order_relaxed)
		__px_with_scope(scope, __px_step)
#undef __px_step
}

#define __px_scoped_load_of(W, type, R, letter)                                                                                        \
	template <int scope> __px_inline W __px_scoped_load(const W *at, int order) {                                                  \
		R v;                                                                                                                   \
		if (order == cuda::memory_order_seq_cst)                                                                               \
			__px_fence_sc<scope>();                                                                                        \
		if (order == cuda::memory_order_relaxed) {                                                                             \
			__px_with_scope(scope, __px_step_relaxed_##type)                                                               \
		} else {                                                                                                               \
			__px_with_scope(scope, __px_step_##type)                                                                       \
		}                                                                                                                      \
		return (W)v;                                                                                                           \
	}
#define __px_load_step(sem, s, type, letter) asm volatile("ld." sem "." s "." type " %0, [%1];" : "=" letter(v) : __px_address(at) : "memory")
#define __px_step_relaxed_u8(s) __px_load_step("relaxed", s, "u8", "r")
#define __px_step_relaxed_u16(s) __px_load_step("relaxed", s, "u16", "r")
#define __px_step_relaxed_b32(s) __px_load_step("relaxed", s, "b32", "r")
#define __px_step_relaxed_b64(s) __px_load_step("relaxed", s, "b64", "l")
#define __px_step_u8(s) __px_load_step("acquire", s, "u8", "r")
#define __px_step_u16(s) __px_load_step("acquire", s, "u16", "r")
#define __px_step_b32(s) __px_load_step("acquire", s, "b32", "r")
#define __px_step_b64(s) __px_load_step("acquire", s, "b64", "l")
__px_scoped_load_of(unsigned char, u8, unsigned, "r")
__px_scoped_load_of(unsigned short, u16, unsigned, "r")
__px_scoped_load_of(unsigned, b32, unsigned, "r")
__px_scoped_load_of(unsigned long long, b64, unsigned long long, "l")
#undef __px_step_relaxed_u8
#undef __px_step_relaxed_u16
#undef __px_step_relaxed_b32
#undef __px_step_relaxed_b64
#undef __px_step_u8
#undef __px_step_u16
#undef __px_step_b32
#undef __px_step_b64
#undef __px_load_step
#undef __px_scoped_load_of

#define __px_scoped_store_of(W, R, relaxed, release)                                                                                   \
	template <int scope> __px_inline void __px_scoped_store(W *at, W value, int order) {                                           \
		R v = value;                                                                                                           \
		if (order == cuda::memory_order_seq_cst)                                                                               \
			__px_fence_sc<scope>();                                                                                        \
		if (order == cuda::memory_order_release) {                                                                             \
			__px_with_scope(scope, release)                                                                                \
		} else {                                                                                                               \
			__px_with_scope(scope, relaxed)                                                                                \
		}                                                                                                                      \
	}
#define __px_store_step(sem, s, type, letter) asm volatile("st." sem "." s "." type " [%0], %1;" : : __px_address(at), letter(v) : "memory")
#define __px_relaxed_u8(s) __px_store_step("relaxed", s, "u8", "r")
#define __px_relaxed_u16(s) __px_store_step("relaxed", s, "u16", "r")
#define __px_relaxed_b32(s) __px_store_step("relaxed", s, "b32", "r")
#define __px_relaxed_b64(s) __px_store_step("relaxed", s, "b64", "l")
#define __px_release_u8(s) __px_store_step("release", s, "u8", "r")
#define __px_release_u16(s) __px_store_step("release", s, "u16", "r")
#define __px_release_b32(s) __px_store_step("release", s, "b32", "r")
#define __px_release_b64(s) __px_store_step("release", s, "b64", "l")
__px_scoped_store_of(unsigned char, unsigned, __px_relaxed_u8, __px_release_u8)
__px_scoped_store_of(unsigned short, unsigned, __px_relaxed_u16, __px_release_u16)
__px_scoped_store_of(unsigned, unsigned, __px_relaxed_b32, __px_release_b32)
__px_scoped_store_of(unsigned long long, unsigned long long, __px_relaxed_b64, __px_release_b64)
#undef __px_relaxed_u8
#undef __px_relaxed_u16
#undef __px_relaxed_b32
#undef __px_relaxed_b64
#undef __px_release_u8
#undef __px_release_u16
#undef __px_release_b32
#undef __px_release_b64
#undef __px_store_step
#undef __px_scoped_store_of

/* Read, modify and write. */
#define __px_scoped_rmw(name, T, step)                                                                                                 \
	template <int scope> __px_inline T __px_scoped_##name(T *at, T v, int order) {                                                 \
		T old;                                                                                                                 \
		if (order == cuda::memory_order_seq_cst)                                                                               \
			__px_fence_sc<scope>();                                                                                        \
		__px_with_order(scope, order, step)                                                                                    \
		return old;                                                                                                            \
	}
#define __px_rmw_step(sem, op, letter) asm volatile("atom." sem "." op " %0, [%1], %2;" : "=" letter(old) : __px_address(at), letter(v) : "memory")
#define __px_step(sem) __px_rmw_step(sem, "exch.b32", "r")
__px_scoped_rmw(exchange, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "exch.b64", "l")
__px_scoped_rmw(exchange, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "add.u32", "r")
__px_scoped_rmw(add, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "add.u64", "l")
__px_scoped_rmw(add, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "add.f32", "f")
__px_scoped_rmw(add, float, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "add.f64", "d")
__px_scoped_rmw(add, double, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "and.b32", "r")
__px_scoped_rmw(and, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "and.b64", "l")
__px_scoped_rmw(and, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "or.b32", "r")
__px_scoped_rmw(or, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "or.b64", "l")
__px_scoped_rmw(or, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "xor.b32", "r")
__px_scoped_rmw(xor, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "xor.b64", "l")
__px_scoped_rmw(xor, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "min.u32", "r")
__px_scoped_rmw(min, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "min.s32", "r")
__px_scoped_rmw(min, int, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "min.u64", "l")
__px_scoped_rmw(min, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "min.s64", "l")
__px_scoped_rmw(min, long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "max.u32", "r")
__px_scoped_rmw(max, unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "max.s32", "r")
__px_scoped_rmw(max, int, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "max.u64", "l")
__px_scoped_rmw(max, unsigned long long, __px_step)
#undef __px_step
#define __px_step(sem) __px_rmw_step(sem, "max.s64", "l")
__px_scoped_rmw(max, long long, __px_step)
#undef __px_step
#undef __px_rmw_step
#undef __px_scoped_rmw

#define __px_scoped_cas_of(W, step)                                                                                                    \
	template <int scope> __px_inline W __px_scoped_cas(W *at, W expected, W v, int order) {                                        \
		W old;                                                                                                                 \
		if (order == cuda::memory_order_seq_cst)                                                                               \
			__px_fence_sc<scope>();                                                                                        \
		__px_with_order(scope, order, step)                                                                                    \
		return old;                                                                                                            \
	}
#define __px_cas_step(sem, type, letter)                                                                                               \
	asm volatile("atom." sem ".cas." type " %0, [%1], %2, %3;" : "=" letter(old) : __px_address(at), letter(expected), letter(v) : "memory")
#define __px_step(sem) __px_cas_step(sem, "b16", "h")
__px_scoped_cas_of(unsigned short, __px_step)
#undef __px_step
#define __px_step(sem) __px_cas_step(sem, "b32", "r")
__px_scoped_cas_of(unsigned, __px_step)
#undef __px_step
#define __px_step(sem) __px_cas_step(sem, "b64", "l")
__px_scoped_cas_of(unsigned long long, __px_step)
#undef __px_step
#undef __px_cas_step
#undef __px_scoped_cas_of
/* A byte, by way of the half word that holds it. */
template <int scope> __px_inline unsigned char __px_scoped_cas(unsigned char *at, unsigned char expected, unsigned char v, int order) {
	unsigned short *word = (unsigned short *)((size_t)at & ~(size_t)1);
	int shift = ((size_t)at & 1) * 8;
	for (unsigned short seen = __px_scoped_load<scope>(word, cuda::memory_order_relaxed);;) {
		unsigned char old = (unsigned char)(seen >> shift);
		unsigned short next = (unsigned short)((seen & ~(0xff << shift)) | (old == expected ? v : old) << shift), now = __px_scoped_cas<scope>(word, seen, next, order);
		if (now == seen)
			return old;
		seen = now;
	}
}

#undef __px_with_scope
#undef __px_with_order
#undef __px_with_order_of
