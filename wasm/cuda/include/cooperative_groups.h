/* Cooperative groups: blocks, tiles of a warp, the threads that are together, clusters and grids. */
#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {
__px_inline unsigned __px_rank_of(const dim3 &index, const dim3 &size) { return (index.z * size.y + index.y) * size.x + index.x; }

/* Any group: what a function takes that does not know which. */
class thread_group {
protected:
	enum Kind { block, warp } kind;
	unsigned mask, rank, count;
	__device__ __forceinline__ thread_group(Kind kind, unsigned mask, unsigned rank, unsigned count) : kind(kind), mask(mask), rank(rank), count(count) {}

public:
	__device__ __forceinline__ void sync() const {
		if (kind == block)
			__syncthreads();
		else
			__syncwarp(mask);
	}
	__device__ __forceinline__ unsigned long long size() const { return count; }
	__device__ __forceinline__ unsigned long long num_threads() const { return count; }
	__device__ __forceinline__ unsigned long long thread_rank() const { return rank; }
	__device__ __forceinline__ bool is_valid() const { return true; }

	/* The threads of ranks n g to n g + n - 1, this one among them. */
	__device__ __forceinline__ thread_group __px_part(unsigned n) const {
		if (kind == block) {
			unsigned lane = __lane_id(), first = lane & ~(n - 1);
			return {warp, (n >= 32 ? ~0u : (1u << n) - 1) << first, lane - first, n};
		}
		unsigned together = 0, r = 0;
		for (unsigned left = mask; left; left &= left - 1, r++)
			together |= r / n == rank / n ? left & -left : 0;
		return {warp, together, (unsigned)__popc(together & __nvvm_read_ptx_sreg_lanemask_lt()), (unsigned)__popc(together)};
	}
};

class thread_block : public thread_group {
public:
	struct arrival_token {};
	__device__ __forceinline__ thread_block() : thread_group(block, 0, thread_rank(), size()) {}
	static __device__ __forceinline__ void sync() { __syncthreads(); }
	static __device__ __forceinline__ arrival_token barrier_arrive() { return {}; }
	static __device__ __forceinline__ void barrier_wait(arrival_token &&) { __syncthreads(); }
	static __device__ __forceinline__ dim3 thread_index() { return threadIdx; }
	static __device__ __forceinline__ dim3 group_index() { return blockIdx; }
	static __device__ __forceinline__ dim3 dim_threads() { return blockDim; }
	static __device__ __forceinline__ dim3 group_dim() { return blockDim; }
	static __device__ __forceinline__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
	static __device__ __forceinline__ unsigned num_threads() { return size(); }
	static __device__ __forceinline__ unsigned thread_rank() { return __px_rank_of(threadIdx, blockDim); }
};
__px_inline thread_block this_thread_block() { return {}; }

#if __CUDA_ARCH__ >= 900
class cluster_group {
	static __device__ __forceinline__ dim3 id() { return {__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(), __nvvm_read_ptx_sreg_cluster_ctaid_z()}; }

public:
	struct arrival_token {};
	static __device__ __forceinline__ arrival_token barrier_arrive() {
		__nvvm_barrier_cluster_arrive();
		return {};
	}
	static __device__ __forceinline__ void barrier_wait(arrival_token && = {}) { __nvvm_barrier_cluster_wait(); }
	static __device__ __forceinline__ void sync() {
		__nvvm_barrier_cluster_arrive();
		__nvvm_barrier_cluster_wait();
	}
	static __device__ __forceinline__ dim3 block_index() { return id(); }
	static __device__ __forceinline__ dim3 dim_blocks() {
		return {__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(), __nvvm_read_ptx_sreg_cluster_nctaid_z()};
	}
	static __device__ __forceinline__ dim3 group_index() {
		return {__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(), __nvvm_read_ptx_sreg_clusterid_z()};
	}
	static __device__ __forceinline__ dim3 dim_threads() {
		dim3 n = dim_blocks();
		return {n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z};
	}
	static __device__ __forceinline__ dim3 thread_index() {
		dim3 b = id();
		return {b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z};
	}
	static __device__ __forceinline__ unsigned block_rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
	static __device__ __forceinline__ unsigned num_blocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
	static __device__ __forceinline__ unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
	static __device__ __forceinline__ unsigned num_threads() { return num_blocks() * thread_block::size(); }
	static __device__ __forceinline__ unsigned size() { return num_threads(); }
	/* The address in the block `rank` of what has this address here, and the rank of the block that an address is of. */
	template <class T> static __device__ __forceinline__ T *map_shared_rank(T *at, unsigned rank) { return (T *)__nvvm_mapa((void *)at, (int)rank); }
	static __device__ __forceinline__ unsigned query_shared_rank(const void *at) { return (unsigned)__nvvm_getctarank((void *)at); }
};
__px_inline cluster_group this_cluster() { return {}; }
#endif

/* One word counts arrivals in its lower bits. The first block adds what makes the others' arrivals complete the upper bit's change,
 * so that the word never needs to be set back. All blocks must be resident, as for a cooperative launch. */
static __device__ unsigned __px_grid_arrivals;

class grid_group {
public:
	struct arrival_token { unsigned before; };
	static __device__ __forceinline__ bool is_valid() { return true; }
	static __device__ arrival_token barrier_arrive() {
		arrival_token token = {};
		__syncthreads();
		if (thread_block::thread_rank() == 0) {
			__threadfence();
			token.before = atomicAdd(&__px_grid_arrivals, block_rank() == 0 ? 0x80000000u - (unsigned)(num_blocks() - 1) : 1u);
		}
		return token;
	}
	static __device__ void barrier_wait(arrival_token &&token) {
		if (thread_block::thread_rank() == 0) {
			while (((token.before ^ *(volatile unsigned *)&__px_grid_arrivals) & 0x80000000u) == 0) {
			}
			__threadfence();
		}
		__syncthreads();
	}
	static __device__ __forceinline__ void sync() { barrier_wait(barrier_arrive()); }
	static __device__ __forceinline__ dim3 dim_blocks() { return gridDim; }
	static __device__ __forceinline__ dim3 group_dim() { return gridDim; }
	static __device__ __forceinline__ dim3 block_index() { return blockIdx; }
	static __device__ __forceinline__ dim3 dim_threads() { return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z}; }
	static __device__ __forceinline__ dim3 thread_index() {
		return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z};
	}
	static __device__ __forceinline__ unsigned long long block_rank() {
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	static __device__ __forceinline__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
	static __device__ __forceinline__ unsigned long long size() { return num_blocks() * thread_block::size(); }
	static __device__ __forceinline__ unsigned long long num_threads() { return size(); }
	static __device__ __forceinline__ unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
};
__px_inline grid_group this_grid() { return {}; }

/* A value of any type goes through the shuffles of 32 bits word by word. */
template <class T, class Shuffle> __px_inline T __px_shuffled(T v, Shuffle shuffle) {
	if constexpr (__is_arithmetic(T) && sizeof(T) >= 4) {
		return shuffle(v);
	} else {
		unsigned words[(sizeof(T) + 3) / 4] = {};
		__builtin_memcpy(words, &v, sizeof(T));
		for (unsigned &word : words)
			word = shuffle(word);
		T result = v;
		__builtin_memcpy(&result, words, sizeof(T));
		return result;
	}
}

/* Threads of one warp. */
class __px_warp_group : public thread_group {
protected:
	__device__ __forceinline__ __px_warp_group(unsigned mask, unsigned rank, unsigned count) : thread_group(warp, mask, rank, count) {}

public:
	__device__ __forceinline__ unsigned size() const { return count; }
	__device__ __forceinline__ unsigned num_threads() const { return count; }
	__device__ __forceinline__ unsigned thread_rank() const { return rank; }
	__device__ __forceinline__ int any(int p) const { return __any_sync(mask, p); }
	__device__ __forceinline__ int all(int p) const { return __all_sync(mask, p); }
	__device__ __forceinline__ unsigned __px_mask() const { return mask; }
};

template <unsigned N, class Parent = void> class thread_block_tile;
template <unsigned N, class Parent> class thread_block_tile : public __px_warp_group {
	static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
	static __device__ __forceinline__ unsigned first() { return __lane_id() & ~(N - 1) & 31; }
	__device__ __forceinline__ unsigned packed(unsigned lanes) const { return (lanes & mask) >> first(); }

public:
	__device__ __forceinline__ thread_block_tile() : __px_warp_group((N == 32 ? ~0u : (1u << (N & 31)) - 1) << first(), __lane_id() & (N - 1), N) {}
	static constexpr __device__ unsigned size() { return N; }
	static constexpr __device__ unsigned num_threads() { return N; }
	__device__ __forceinline__ unsigned meta_group_rank() const { return __is_same(Parent, thread_block) ? thread_block::thread_rank() / N : (__lane_id() & (Parent::size() - 1)) / N; }
	__device__ __forceinline__ unsigned meta_group_size() const { return __is_same(Parent, thread_block) ? (thread_block::size() + N - 1) / N : Parent::size() / N; }
	__device__ __forceinline__ unsigned ballot(int p) const { return packed(__ballot_sync(mask, p)); }
	template <class T> __device__ __forceinline__ unsigned match_any(T v) const { return packed(__match_any_sync(mask, v)); }
	template <class T> __device__ __forceinline__ unsigned match_all(T v, int &all) const { return packed(__match_all_sync(mask, v, &all)); }
	template <class T> __device__ __forceinline__ T shfl(T v, int from) const {
		return __px_shuffled(v, [&](auto w) { return __shfl_sync(mask, w, from, N); });
	}
	template <class T> __device__ __forceinline__ T shfl_up(T v, unsigned by) const {
		return __px_shuffled(v, [&](auto w) { return __shfl_up_sync(mask, w, by, N); });
	}
	template <class T> __device__ __forceinline__ T shfl_down(T v, unsigned by) const {
		return __px_shuffled(v, [&](auto w) { return __shfl_down_sync(mask, w, by, N); });
	}
	template <class T> __device__ __forceinline__ T shfl_xor(T v, int with) const {
		return __px_shuffled(v, [&](auto w) { return __shfl_xor_sync(mask, w, with, N); });
	}
};
template <unsigned N, class Group> __px_inline thread_block_tile<N, Group> tiled_partition(const Group &) { return {}; }
/* A tile whose type does not say what it is a part of remembers it. */
template <unsigned N> class thread_block_tile<N, void> : public thread_block_tile<N, thread_block> {
	unsigned group, groups;

public:
	template <class Parent> __device__ __forceinline__ thread_block_tile(const thread_block_tile<N, Parent> &tile)
		: group(tile.meta_group_rank()), groups(tile.meta_group_size()) {}
	__device__ __forceinline__ unsigned meta_group_rank() const { return group; }
	__device__ __forceinline__ unsigned meta_group_size() const { return groups; }
};

class coalesced_group : public __px_warp_group {
	unsigned groups = 1, group = 0;
	/* The lane that has the rank. */
	__device__ __forceinline__ int lane_of(unsigned rank) const { return count == 32 ? (int)rank : (int)__fns(mask, 0, (int)rank + 1); }
	/* The bits of the group's lanes, in the order of their ranks. */
	__device__ __forceinline__ unsigned packed(unsigned lanes) const {
		unsigned result = 0, n = 0;
		for (unsigned left = mask; left; left &= left - 1, n++)
			result |= (lanes & left & -left ? 1u : 0u) << n;
		return result;
	}

public:
	__device__ __forceinline__ explicit coalesced_group(unsigned together)
		: __px_warp_group(together, __popc(together & __nvvm_read_ptx_sreg_lanemask_lt()), __popc(together)) {}
	__device__ __forceinline__ coalesced_group(unsigned together, unsigned group, unsigned groups) : coalesced_group(together) {
		this->group = group, this->groups = groups;
	}
	__device__ __forceinline__ unsigned meta_group_rank() const { return group; }
	__device__ __forceinline__ unsigned meta_group_size() const { return groups; }
	__device__ __forceinline__ unsigned ballot(int p) const { return packed(__ballot_sync(mask, p)); }
	template <class T> __device__ __forceinline__ unsigned match_any(T v) const { return packed(__match_any_sync(mask, v)); }
	template <class T> __device__ __forceinline__ unsigned match_all(T v, int &all) const { return packed(__match_all_sync(mask, v, &all)); }
	template <class T> __device__ __forceinline__ T shfl(T v, unsigned from) const {
		int lane = lane_of(from % count);
		return __px_shuffled(v, [&](auto w) { return __shfl_sync(mask, w, lane); });
	}
	template <class T> __device__ __forceinline__ T shfl_up(T v, unsigned by) const {
		int lane = lane_of(by > rank ? rank : rank - by);
		return __px_shuffled(v, [&](auto w) { return __shfl_sync(mask, w, lane); });
	}
	template <class T> __device__ __forceinline__ T shfl_down(T v, unsigned by) const {
		int lane = lane_of(rank + by >= count ? rank : rank + by);
		return __px_shuffled(v, [&](auto w) { return __shfl_sync(mask, w, lane); });
	}
};
__px_inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* The group's threads of ranks n g to n g + n - 1. */
__px_inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned n) {
	unsigned mine = parent.thread_rank() / n, together = 0, rank = 0;
	for (unsigned left = parent.__px_mask(); left; left &= left - 1, rank++)
		together |= rank / n == mine ? left & -left : 0;
	return {together, mine, (parent.size() + n - 1) / n};
}
__px_inline thread_group tiled_partition(const thread_group &parent, unsigned n) { return parent.__px_part(n); }
__px_inline thread_group tiled_partition(const thread_block &parent, unsigned n) { return parent.__px_part(n); }

#if __CUDA_ARCH__ >= 700
/* The threads of the group that have the same label. */
template <class Group, class Label> __px_inline coalesced_group labeled_partition(const Group &group, Label label) {
	unsigned together = __match_any_sync(group.__px_mask(), label), first = __ffs((int)together) - 1;
	unsigned firsts = __ballot_sync(group.__px_mask(), __lane_id() == first);
	return {together, (unsigned)__popc(firsts & ((1u << first) - 1)), (unsigned)__popc(firsts)};
}
template <class Group> __px_inline coalesced_group binary_partition(const Group &group, bool p) {
	unsigned yes = __ballot_sync(group.__px_mask(), p);
	return {p ? yes : group.__px_mask() & ~yes, p, 2};
}
/* One thread of the group calls the function. */
template <class Group, class F, class... Arguments> __px_inline void invoke_one(const Group &group, F &&f, Arguments &&...arguments) {
	if (group.thread_rank() == 0)
		f(arguments...);
}
template <class Group, class F, class... Arguments> __px_inline auto invoke_one_broadcast(const Group &group, F &&f, Arguments &&...arguments) {
	decltype(f(arguments...)) result{};
	if (group.thread_rank() == 0)
		result = f(arguments...);
	return group.shfl(result, 0);
}
#endif

template <class Group> __px_inline void sync(const Group &group) { group.sync(); }
template <class Group> __px_inline auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> __px_inline auto group_size(const Group &group) { return group.size(); }

/* Operations of reductions and scans. */
template <class T> struct plus {
	__device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
	__device__ __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
	__device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
	__device__ __forceinline__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
	__device__ __forceinline__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
	__device__ __forceinline__ T operator()(T a, T b) const { return a ^ b; }
};
}
