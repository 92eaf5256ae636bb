/* Copies to shared memory that a group makes together, and waiting for them. */
#pragma once

#include <cooperative_groups.h>
#include <ptxscope/async_copy.h>

namespace cooperative_groups {
template <class Group, class To, class From, class Size> __px_inline void memcpy_async(const Group &group, To *to, const From *from, Size bytes) {
	__px_copy_part<__px_alignment_of<Size>>(to, from, bytes, (unsigned)group.thread_rank(), (unsigned)group.size());
	__px_copy_commit();
}
/* With numbers of elements: as many as both sides have. */
template <class Group, class T, class ToSize, class FromSize> __px_inline void memcpy_async(const Group &group, T *to, ToSize to_count, const T *from, FromSize from_count) {
	memcpy_async(group, to, from, (size_t)(to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group> __px_inline void wait(const Group &group) {
	__px_copy_wait<0>();
	group.sync();
}
template <unsigned n, class Group> __px_inline void wait_prior(const Group &group) {
	__px_copy_wait<n>();
	group.sync();
}
}
