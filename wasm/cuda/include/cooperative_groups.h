/* Cooperative groups: a block, tiles of a warp, the threads that are together, and the grid without its barrier. */
#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

class thread_block {
public:
	static __device__ __forceinline__ void sync() { __syncthreads(); }
	static __device__ __forceinline__ dim3 thread_index() { return threadIdx; }
	static __device__ __forceinline__ dim3 group_index() { return blockIdx; }
	static __device__ __forceinline__ dim3 dim_threads() { return blockDim; }
	static __device__ __forceinline__ dim3 group_dim() { return blockDim; }
	static __device__ __forceinline__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
	static __device__ __forceinline__ unsigned num_threads() { return size(); }
	static __device__ __forceinline__ unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
};
__px_inline thread_block this_thread_block() { return {}; }

class grid_group {
public:
	static __device__ __forceinline__ bool is_valid() { return false; }
	static __device__ __forceinline__ dim3 dim_blocks() { return gridDim; }
	static __device__ __forceinline__ dim3 block_index() { return blockIdx; }
	static __device__ __forceinline__ unsigned long long block_rank() {
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	static __device__ __forceinline__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
	static __device__ __forceinline__ unsigned long long size() { return num_blocks() * thread_block::size(); }
	static __device__ __forceinline__ unsigned long long num_threads() { return size(); }
	static __device__ __forceinline__ unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
};
__px_inline grid_group this_grid() { return {}; }

/* Threads of one warp: those of `mask`, of which `rank` says which one this is. */
class __px_warp_group {
protected:
	unsigned mask, rank, count;
	__device__ __forceinline__ __px_warp_group(unsigned mask, unsigned rank, unsigned count) : mask(mask), rank(rank), count(count) {}

public:
	__device__ __forceinline__ void sync() const { __syncwarp(mask); }
	__device__ __forceinline__ unsigned size() const { return count; }
	__device__ __forceinline__ unsigned num_threads() const { return count; }
	__device__ __forceinline__ unsigned thread_rank() const { return rank; }
	__device__ __forceinline__ int any(int p) const { return __any_sync(mask, p); }
	__device__ __forceinline__ int all(int p) const { return __all_sync(mask, p); }
};

template <unsigned N, class Parent = void> class thread_block_tile : public __px_warp_group {
	static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
	static __device__ __forceinline__ unsigned lane() { return __lane_id(); }

public:
	__device__ __forceinline__ thread_block_tile() : __px_warp_group((N == 32 ? ~0u : (1u << (N & 31)) - 1) << (lane() & ~(N - 1) & 31), lane() & (N - 1), N) {}
	static constexpr __device__ unsigned size() { return N; }
	static constexpr __device__ unsigned num_threads() { return N; }
	__device__ __forceinline__ unsigned meta_group_rank() const { return thread_block::thread_rank() / N; }
	__device__ __forceinline__ unsigned meta_group_size() const { return (thread_block::size() + N - 1) / N; }
	__device__ __forceinline__ unsigned ballot(int p) const { return (__ballot_sync(mask, p) & mask) >> (lane() & ~(N - 1) & 31); }
	template <class T> __device__ __forceinline__ T shfl(T v, int from) const { return __shfl_sync(mask, v, from, N); }
	template <class T> __device__ __forceinline__ T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask, v, by, N); }
	template <class T> __device__ __forceinline__ T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask, v, by, N); }
	template <class T> __device__ __forceinline__ T shfl_xor(T v, int with) const { return __shfl_xor_sync(mask, v, with, N); }
};
template <unsigned N, class Group> __px_inline thread_block_tile<N, Group> tiled_partition(const Group &) { return {}; }

class coalesced_group : public __px_warp_group {
	friend __device__ coalesced_group coalesced_threads();
	__device__ __forceinline__ coalesced_group(unsigned together)
		: __px_warp_group(together, __popc(together & __nvvm_read_ptx_sreg_lanemask_lt()), __popc(together)) {}

public:
	/* The lane that has the rank. */
	template <class T> __device__ __forceinline__ T shfl(T v, unsigned rank) const { return __shfl_sync(mask, v, (int)__fns(mask, 0, (int)rank + 1)); }
};
__device__ __forceinline__ coalesced_group coalesced_threads() { return {__activemask()}; }

template <class Group> __px_inline void sync(const Group &group) { group.sync(); }

template <class T> struct plus {
	__device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
	__device__ __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
	__device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
/* Of a tile: every thread has the result. */
template <unsigned N, class Parent, class T, class Operation>
__px_inline T reduce(const thread_block_tile<N, Parent> &tile, T v, Operation operation) {
	for (unsigned by = N / 2; by; by /= 2)
		v = operation(v, tile.shfl_xor(v, by));
	return v;
}
}
