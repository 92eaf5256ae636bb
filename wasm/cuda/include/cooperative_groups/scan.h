/* Prefix sums, or other prefixes, over a tile or over the threads that are together. */
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {
/* Of the values up to one's own. */
template <class Group, class T, class Operation> __px_inline T inclusive_scan(const Group &group, T v, Operation operation) {
	unsigned rank = (unsigned)group.thread_rank(), count = (unsigned)group.size();
	for (unsigned by = 1; by < count; by *= 2) {
		T before = group.shfl_up(v, by);
		v = rank >= by ? operation(before, v) : v;
	}
	return v;
}
template <class Group, class T> __px_inline T inclusive_scan(const Group &group, T v) { return inclusive_scan(group, v, plus<T>()); }
/* Of the values before one's own; the first thread has a value of 0. */
template <class Group, class T, class Operation> __px_inline T exclusive_scan(const Group &group, T v, Operation operation) {
	T before = group.shfl_up(inclusive_scan(group, v, operation), 1u);
	return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __px_inline T exclusive_scan(const Group &group, T v) { return exclusive_scan(group, v, plus<T>()); }
}
