/* cuda::atomic and cuda::atomic_ref: an object, or a reference to one, with the operations of C++'s atomics and a scope. */
#pragma once

#include <ptxscope/scoped.h>

namespace cuda {

/* The order in which a failed comparison reads. */
__px_both constexpr memory_order __px_failure_order(memory_order order) {
	return order == memory_order_acq_rel ? memory_order_acquire : order == memory_order_release ? memory_order_relaxed : order;
}

template <class T> struct __px_step_of { typedef T type; static constexpr size_t size = 1; };
template <class T> struct __px_step_of<T *> { typedef ptrdiff_t type; static constexpr size_t size = sizeof(T); };
template <> struct __px_step_of<bool> { typedef bool type; static constexpr size_t size = 1; };

/* All operations, over a function at() that gives the address. */
template <class Self, class T, int scope> class __px_atomic_operations {
	typedef __px_bits_of<T> Word;
	typedef typename __px_step_of<T>::type Step;
	static constexpr bool is_word = sizeof(T) >= 4, is_signed = __is_integral(T) && (T)-1 < (T)1;
	static_assert(__is_trivially_copyable(T), "an atomic object is copied as bits");
	__device__ __forceinline__ Word *word() const { return (Word *)static_cast<const Self *>(this)->at(); }
	static __device__ __forceinline__ Word to_word(T v) { return __builtin_bit_cast(Word, v); }
	static __device__ __forceinline__ T to_value(Word v) { return __builtin_bit_cast(T, v); }

	template <class F> __device__ __forceinline__ T update(F f, memory_order order) const {
		for (Word seen = __px_scoped_load<scope>(word(), memory_order_relaxed);;) {
			Word now = __px_scoped_cas<scope>(word(), seen, to_word(f(to_value(seen))), order);
			if (now == seen)
				return to_value(seen);
			seen = now;
		}
	}

public:
	typedef T value_type;
	static constexpr bool is_always_lock_free = true;
	__device__ __forceinline__ bool is_lock_free() const { return true; }
	__device__ __forceinline__ T load(memory_order order = memory_order_seq_cst) const { return to_value(__px_scoped_load<scope>(word(), order)); }
	__device__ __forceinline__ operator T() const { return load(); }
	__device__ __forceinline__ void store(T v, memory_order order = memory_order_seq_cst) const { __px_scoped_store<scope>(word(), to_word(v), order); }
	__device__ __forceinline__ T exchange(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word)
			return to_value(__px_scoped_exchange<scope>(word(), to_word(v), order));
		else
			return update([v](T) { return v; }, order);
	}
	__device__ __forceinline__ bool compare_exchange_strong(T &expected, T v, memory_order success, memory_order failure) const {
		/* One instruction has one order: the stronger of both. */
		memory_order order = success == memory_order_seq_cst || failure == memory_order_seq_cst ? memory_order_seq_cst
			: failure == memory_order_acquire && success == memory_order_relaxed ? memory_order_acquire
			: failure == memory_order_acquire && success == memory_order_release ? memory_order_acq_rel : success;
		Word want = to_word(expected), old = __px_scoped_cas<scope>(word(), want, to_word(v), order);
		if (old == want)
			return true;
		expected = to_value(old);
		return false;
	}
	__device__ __forceinline__ bool compare_exchange_strong(T &expected, T v, memory_order order = memory_order_seq_cst) const {
		return compare_exchange_strong(expected, v, order, __px_failure_order(order));
	}
	__device__ __forceinline__ bool compare_exchange_weak(T &expected, T v, memory_order success, memory_order failure) const {
		return compare_exchange_strong(expected, v, success, failure);
	}
	__device__ __forceinline__ bool compare_exchange_weak(T &expected, T v, memory_order order = memory_order_seq_cst) const {
		return compare_exchange_strong(expected, v, order);
	}

	__device__ __forceinline__ T fetch_add(Step v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word && __is_floating_point(T))
			return __px_scoped_add<scope>(static_cast<const Self *>(this)->at(), v, order);
		else if constexpr (is_word)
			return to_value(__px_scoped_add<scope>(word(), (Word)v * (Word)__px_step_of<T>::size, order));
		else
			return update([v](T old) { return (T)(old + v); }, order);
	}
	__device__ __forceinline__ T fetch_sub(Step v, memory_order order = memory_order_seq_cst) const { return fetch_add((Step)-v, order); }
	__device__ __forceinline__ T fetch_and(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word)
			return to_value(__px_scoped_and<scope>(word(), to_word(v), order));
		else
			return update([v](T old) { return (T)(old & v); }, order);
	}
	__device__ __forceinline__ T fetch_or(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word)
			return to_value(__px_scoped_or<scope>(word(), to_word(v), order));
		else
			return update([v](T old) { return (T)(old | v); }, order);
	}
	__device__ __forceinline__ T fetch_xor(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word)
			return to_value(__px_scoped_xor<scope>(word(), to_word(v), order));
		else
			return update([v](T old) { return (T)(old ^ v); }, order);
	}
	__device__ __forceinline__ T fetch_min(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word && __is_integral(T) && is_signed && sizeof(T) == 4)
			return (T)__px_scoped_min<scope>((int *)word(), (int)v, order);
		else if constexpr (is_word && __is_integral(T) && is_signed)
			return (T)__px_scoped_min<scope>((long long *)word(), (long long)v, order);
		else if constexpr (is_word && __is_integral(T))
			return to_value(__px_scoped_min<scope>(word(), to_word(v), order));
		else
			return update([v](T old) { return v < old ? v : old; }, order);
	}
	__device__ __forceinline__ T fetch_max(T v, memory_order order = memory_order_seq_cst) const {
		if constexpr (is_word && __is_integral(T) && is_signed && sizeof(T) == 4)
			return (T)__px_scoped_max<scope>((int *)word(), (int)v, order);
		else if constexpr (is_word && __is_integral(T) && is_signed)
			return (T)__px_scoped_max<scope>((long long *)word(), (long long)v, order);
		else if constexpr (is_word && __is_integral(T))
			return to_value(__px_scoped_max<scope>(word(), to_word(v), order));
		else
			return update([v](T old) { return old < v ? v : old; }, order);
	}
	__device__ __forceinline__ T operator++(int) const { return fetch_add(1); }
	__device__ __forceinline__ T operator--(int) const { return fetch_sub(1); }
	__device__ __forceinline__ T operator++() const { return fetch_add(1) + 1; }
	__device__ __forceinline__ T operator--() const { return fetch_sub(1) - 1; }
	__device__ __forceinline__ T operator+=(Step v) const { return fetch_add(v) + v; }
	__device__ __forceinline__ T operator-=(Step v) const { return fetch_sub(v) - v; }
	__device__ __forceinline__ T operator&=(T v) const { return fetch_and(v) & v; }
	__device__ __forceinline__ T operator|=(T v) const { return fetch_or(v) | v; }
	__device__ __forceinline__ T operator^=(T v) const { return fetch_xor(v) ^ v; }

	/* Until the value is another one. Whoever notifies need not do anything, as the waiting thread looks again. */
	__device__ __forceinline__ void wait(T old, memory_order order = memory_order_seq_cst) const {
		while (to_word(load(order)) == to_word(old))
			__nanosleep(64);
	}
	__device__ __forceinline__ void notify_one() const {}
	__device__ __forceinline__ void notify_all() const {}
};

template <class T, thread_scope scope = thread_scope_system> class atomic : public __px_atomic_operations<atomic<T, scope>, T, scope> {
	friend class __px_atomic_operations<atomic<T, scope>, T, scope>;
	alignas(sizeof(T)) T value;
	__device__ __forceinline__ T *at() const { return const_cast<T *>(&value); }

public:
	atomic() = default;
	__host__ __device__ constexpr atomic(T v) : value(v) {}
	atomic(const atomic &) = delete;
	atomic &operator=(const atomic &) = delete;
	__device__ __forceinline__ T operator=(T v) {
		this->store(v);
		return v;
	}
};

template <class T, thread_scope scope = thread_scope_system> class atomic_ref : public __px_atomic_operations<atomic_ref<T, scope>, T, scope> {
	friend class __px_atomic_operations<atomic_ref<T, scope>, T, scope>;
	T *object;
	__device__ __forceinline__ T *at() const { return object; }

public:
	static constexpr size_t required_alignment = sizeof(T);
	__host__ __device__ explicit atomic_ref(T &object) : object(&object) {}
	atomic_ref(const atomic_ref &) = default;
	atomic_ref &operator=(const atomic_ref &) = delete;
	__device__ __forceinline__ T operator=(T v) const {
		this->store(v);
		return v;
	}
};

__px_inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
	if (scope == thread_scope_system)
		__px_fence<thread_scope_system>(order);
	else if (scope == thread_scope_device)
		__px_fence<thread_scope_device>(order);
	else if (scope == thread_scope_block)
		__px_fence<thread_scope_block>(order);
}
__px_inline void atomic_signal_fence(memory_order) { asm volatile("" : : : "memory"); }

template <thread_scope scope> class __px_atomic_flag {
	atomic<unsigned, scope> set;

public:
	__px_atomic_flag() = default;
	__host__ __device__ constexpr __px_atomic_flag(bool v) : set(v) {}
	__device__ __forceinline__ bool test_and_set(memory_order order = memory_order_seq_cst) { return set.exchange(1, order) != 0; }
	__device__ __forceinline__ bool test(memory_order order = memory_order_seq_cst) const { return set.load(order) != 0; }
	__device__ __forceinline__ void clear(memory_order order = memory_order_seq_cst) { set.store(0, order); }
	__device__ __forceinline__ void wait(bool old, memory_order order = memory_order_seq_cst) const { set.wait(old, order); }
	__device__ __forceinline__ void notify_one() {}
	__device__ __forceinline__ void notify_all() {}
};
template <thread_scope scope = thread_scope_system> using atomic_flag = __px_atomic_flag<scope>;

namespace std {
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
typedef __px_atomic_flag<thread_scope_system> atomic_flag;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<bool> atomic_bool;
__px_inline void atomic_thread_fence(memory_order order) { __px_fence<thread_scope_system>(order); }
__px_inline void atomic_signal_fence(memory_order order) { ::cuda::atomic_signal_fence(order); }
}
}
