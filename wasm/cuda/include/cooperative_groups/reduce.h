/* Reductions over a tile or over the threads that are together: every thread has the result. */
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {
template <unsigned N, class Parent, class T, class Operation>
__px_inline T reduce(const thread_block_tile<N, Parent> &tile, T v, Operation operation) {
	for (unsigned by = N / 2; by; by /= 2)
		v = operation(v, tile.shfl_xor(v, (int)by));
	return v;
}
template <class T, class Operation> __px_inline T reduce(const coalesced_group &group, T v, Operation operation) {
	unsigned rank = group.thread_rank(), count = group.size();
	for (unsigned by = 1; by < count; by *= 2) {
		T other = group.shfl_down(v, by);
		v = rank + by < count ? operation(v, other) : v;
	}
	return group.shfl(v, 0u);
}
/* The group's result, combined with what an atomic object holds. */
template <class Group, class Atomic, class T, class Operation>
__px_inline void reduce_update_async(const Group &group, Atomic &object, T v, Operation operation) {
	T sum = reduce(group, v, operation);
	if (group.thread_rank() == 0)
		for (T seen = object.load(); !object.compare_exchange_weak(seen, operation(seen, sum));) {
		}
}
}
