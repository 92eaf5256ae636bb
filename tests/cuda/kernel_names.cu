// What kernels call besides the math API, each name once: compiled, not executed.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cassert>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>
namespace cg = cooperative_groups;

template <class T> __device__ void shuffled(T *v, unsigned mask) {
	*v = __shfl_sync(mask, *v, 1);
	*v = __shfl_sync(mask, *v, 1, 16);
	*v = __shfl_up_sync(mask, *v, 1u);
	*v = __shfl_down_sync(mask, *v, 1u, 8);
	*v = __shfl_xor_sync(mask, *v, 1);
}
template <class T> __device__ void matched(T v, unsigned mask, unsigned *r, int *p) {
	r[0] = __match_any_sync(mask, v);
	r[1] = __match_all_sync(mask, v, p);
}
__global__ void warps(int *i, unsigned *u, long *l, unsigned long *ul, long long *ll, unsigned long long *ull, float *f, double *d, __half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
	unsigned mask = __activemask();
	shuffled(i, mask), shuffled(u, mask), shuffled(l, mask), shuffled(ul, mask), shuffled(ll, mask), shuffled(ull, mask), shuffled(f, mask), shuffled(d, mask);
	shuffled(h, mask), shuffled(h2, mask), shuffled(b, mask), shuffled(b2, mask);
	matched(*i, mask, u, i), matched(*u, mask, u, i), matched(*l, mask, u, i), matched(*ul, mask, u, i), matched(*ll, mask, u, i), matched(*ull, mask, u, i), matched(*f, mask, u, i), matched(*d, mask, u, i);
	*u = __ballot_sync(mask, *i) + __all_sync(mask, *i) + __any_sync(mask, *i);
	*u = __reduce_add_sync(mask, *u) + __reduce_min_sync(mask, *u) + __reduce_max_sync(mask, *u) + __reduce_and_sync(mask, *u) + __reduce_or_sync(mask, *u) + __reduce_xor_sync(mask, *u);
	*i = __reduce_add_sync(mask, *i) + __reduce_min_sync(mask, *i) + __reduce_max_sync(mask, *i);
	__syncwarp();
	__syncwarp(mask);
	__syncthreads();
	*i = __syncthreads_count(*i) + __syncthreads_and(*i) + __syncthreads_or(*i) + warpSize;
	__threadfence();
	__threadfence_block();
	__threadfence_system();
	__nanosleep(20);
	*ll = clock() + clock64();
	__prof_trigger(1);
	__builtin_assume(*i > 0);
	if (*u == 77)
		__brkpt();
	if (*u == 78)
		__trap();
	dim3 all(gridDim.x, blockDim.y);
	*u = all.x + blockIdx.z + threadIdx.y;
}

template <class T> __device__ void integers(T *at, T v) {
	v += atomicAdd(at, v) + atomicExch(at, v) + atomicMin(at, v) + atomicMax(at, v) + atomicAnd(at, v) + atomicOr(at, v) + atomicXor(at, v) + atomicCAS(at, v, v);
	v += atomicAdd_block(at, v) + atomicExch_block(at, v) + atomicMin_block(at, v) + atomicMax_block(at, v) + atomicAnd_block(at, v) + atomicOr_block(at, v) + atomicXor_block(at, v) + atomicCAS_block(at, v, v);
	*at = v + atomicAdd_system(at, v) + atomicExch_system(at, v) + atomicMin_system(at, v) + atomicMax_system(at, v) + atomicAnd_system(at, v) + atomicOr_system(at, v) + atomicXor_system(at, v) + atomicCAS_system(at, v, v);
}
__global__ void atomics(int *i, unsigned *u, unsigned long long *ull, float *f, double *d, unsigned short *s, long long *ll) {
	integers(i, 1), integers(u, 1u), integers(ull, 1ull);
	*ll = atomicMin(ll, 1ll) + atomicMax(ll, 1ll) + atomicMin_block(ll, 1ll) + atomicMax_system(ll, 1ll);
	*i = atomicSub(i, 1) + atomicSub_block(i, 1) + atomicSub_system(i, 1);
	*u = atomicSub(u, 1u) + atomicInc(u, 7u) + atomicDec(u, 7u) + atomicInc_block(u, 7u) + atomicDec_system(u, 7u);
	*f = atomicAdd(f, 1.0f) + atomicExch(f, 2.0f) + atomicAdd_block(f, 1.0f) + atomicExch_system(f, 1.0f);
	*d = atomicAdd(d, 1.0) + atomicAdd_block(d, 1.0) + atomicAdd_system(d, 1.0);
	*s = atomicCAS(s, (unsigned short)1, (unsigned short)2);
}

template <class T> __device__ void cached(T *at) {
	T v = __ldg(at);
	__stcg(at, v), __stcs(at, v), __stwb(at, v), __stwt(at, v);
	v = __ldca(at), v = __ldcg(at), v = __ldcs(at), v = __ldcv(at), v = __ldlu(at);
	*at = v;
}
__global__ void memory(void *p, char *c, uchar4 *c4, short2 *s2, int *i, uint2 *u2, int4 *i4, long long *ll, ulonglong2 *ull2, float *f, float2 *f2, float4 *f4, double *d, double2 *d2) {
	cached(c), cached(c4), cached(s2), cached(i), cached(u2), cached(i4), cached(ll), cached(ull2), cached(f), cached(f2), cached(f4), cached(d), cached(d2);
	*i = __isGlobal(p) + __isShared(p) + __isLocal(p) + __isConstant(p);
	*ll = __cvta_generic_to_global(p) + __cvta_generic_to_shared(p) + __cvta_generic_to_local(p) + __cvta_generic_to_constant(p);
	p = __cvta_global_to_generic(*ll);
	p = __cvta_shared_to_generic(*ll);
	int *some = (int *)malloc(8);
	memset(some, 0, 8);
	memcpy(some, i, 8);
	free(some);
	int *more = new int[3];
	delete[] more;
	assert(*i > 0);
	printf("%d %f\n", *i, *f);
}

__global__ void images(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *r, uchar4 *b) {
	*r = make_float4(tex1Dfetch<float>(t, 1), tex1D<float>(t, 1.5f), tex2D<float>(t, 1.5f, 2.0f), tex3D<float>(t, 1, 2, 3));
	r[1] = make_float4(tex1DLod<float>(t, 1, 2), tex2DLod<float>(t, 1, 2, 0), tex2DLayered<float>(t, 1, 2, 3), tex1DLayered<float>(t, 1, 2));
	r[2] = tex2Dgather<float4>(t, 1, 2, 1);
	r[3] = texCubemap<float4>(t, 1, 2, 3);
	r[4] = texCubemapLayered<float4>(t, 1, 2, 3, 4);
	r[5] = tex3DLod<float4>(t, 1, 2, 3, 0);
	tex2D(&r[6], t, 1.0f, 2.0f);
	*b = surf2Dread<uchar4>(s, 4, 1);
	surf2Dread(b, s, 4, 1, cudaBoundaryModeClamp);
	surf2Dwrite(*b, s, 8, 1, cudaBoundaryModeZero);
	surf1Dwrite(*b, s, 8);
	*b = surf1Dread<uchar4>(s, 8);
	surf3Dwrite(*b, s, 8, 1, 2);
	*b = surf3Dread<uchar4>(s, 8, 1, 2);
	surf2DLayeredwrite(*b, s, 8, 1, 2);
}

__global__ void groups(int *x, float *f) {
	__shared__ int staged[256];
	cg::grid_group grid = cg::this_grid();
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	auto four = cg::tiled_partition<4>(warp);
	cg::thread_group group = cg::tiled_partition(block, 16);
	cg::coalesced_group together = cg::coalesced_threads();
	grid.sync(), block.sync(), warp.sync(), four.sync(), group.sync(), together.sync();
	cg::sync(block);
	x[0] = grid.size() + grid.thread_rank() + grid.is_valid() + grid.num_blocks() + grid.block_rank() + grid.group_dim().x;
	x[1] = block.size() + block.num_threads() + block.thread_rank() + block.group_index().x + block.thread_index().y + block.dim_threads().z;
	x[2] = warp.size() + warp.thread_rank() + warp.meta_group_size() + warp.meta_group_rank() + group.thread_rank() + together.num_threads();
	x[3] = warp.shfl(x[3], 1) + warp.shfl_up(x[3], 1) + warp.shfl_down(x[3], 1) + warp.shfl_xor(x[3], 1) + warp.any(x[3]) + warp.all(x[3]) + warp.ballot(x[3]) + warp.match_any(x[3]);
	x[4] = cg::reduce(warp, x[4], cg::plus<int>()) + cg::reduce(four, x[4], cg::less<int>()) + cg::reduce(together, x[4], cg::greater<int>());
	x[5] = cg::reduce(warp, x[5], cg::bit_and<int>()) + cg::reduce(warp, x[5], cg::bit_or<int>()) + cg::reduce(warp, x[5], cg::bit_xor<int>());
	x[6] = cg::inclusive_scan(warp, x[6]) + cg::exclusive_scan(warp, x[6], cg::plus<int>());
	cg::invoke_one(block, [&] { x[7] = 1; });
	cg::memcpy_async(block, staged, x, sizeof staged);
	cg::wait(block);
	cg::wait_prior<1>(block);
	x[8] = cg::labeled_partition(together, x[8] & 3).size() + cg::binary_partition(together, x[8] & 1).size();
	cg::cluster_group cluster = cg::this_cluster();
	cluster.sync();
	cluster.barrier_arrive();
	cluster.barrier_wait();
	x[9] = cluster.block_rank() + cluster.num_blocks() + cluster.dim_blocks().x + cluster.block_index().x + *cluster.map_shared_rank(staged, 0);
}

__global__ void copies(int *x, float4 *y) {
	__shared__ __align__(16) float4 staged[64];
	__pipeline_memcpy_async(staged + threadIdx.x, y + threadIdx.x, 16);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
	pipe.producer_acquire();
	cuda::memcpy_async(staged, y, sizeof(float4), pipe);
	pipe.producer_commit();
	pipe.consumer_wait();
	pipe.consumer_release();
	cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
	own.producer_acquire();
	own.producer_commit();
	cuda::pipeline_consumer_wait_prior<0>(own);
	own.consumer_release();
	__shared__ cuda::barrier<cuda::thread_scope_block> ready;
	if (threadIdx.x == 0)
		init(&ready, blockDim.x);
	__syncthreads();
	cuda::memcpy_async(staged, y, cuda::aligned_size_t<16>(16), ready);
	auto token = ready.arrive();
	ready.wait(cuda::std::move(token));
	ready.arrive_and_wait();
	ready.arrive_and_drop();
}

struct Shared {
	cuda::counting_semaphore<cuda::thread_scope_device, 4> places;
	cuda::binary_semaphore<cuda::thread_scope_block> door;
	cuda::latch<cuda::thread_scope_device> all;
};
__global__ void waits(Shared *s, int *x) {
	s->places.acquire();
	s->places.release();
	if (s->door.try_acquire())
		s->door.release();
	s->all.count_down();
	if (!s->all.try_wait())
		s->all.wait();
	s->all.arrive_and_wait();
	cuda::atomic_ref<int, cuda::thread_scope_block> r(x[0]);
	r.fetch_add(1, cuda::memory_order_relaxed);
	r.fetch_max(3);
	r.store(4, cuda::memory_order_release);
	__shared__ cuda::atomic<unsigned, cuda::thread_scope_block> n;
	n.store(0), n++, n.fetch_sub(1), n.fetch_or(2), n.fetch_and(1), n.fetch_xor(7), n.fetch_min(9);
	unsigned expected = 3;
	n.compare_exchange_weak(expected, 4), n.compare_exchange_strong(expected, 4), n.exchange(2);
	cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
	x[1] = n.load(cuda::memory_order_acquire);
	n.wait(1), n.notify_all(), n.notify_one();
}

__global__ void matrices(const half *a, const __nv_bfloat16 *b, const signed char *c, const double *d, float *f, int *i, double *e) {
	using namespace nvcuda::wmma;
	fragment<matrix_a, 16, 16, 16, half, row_major> fa;
	fragment<matrix_b, 16, 16, 16, half, col_major> fb;
	fragment<accumulator, 16, 16, 16, float> fc;
	fill_fragment(fc, 0.0f), load_matrix_sync(fa, a, 16), load_matrix_sync(fb, a, 16), mma_sync(fc, fa, fb, fc), store_matrix_sync(f, fc, 16, mem_row_major);
	fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major> ba;
	fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> tb;
	fragment<accumulator, 32, 8, 16, int> ci;
	fragment<matrix_a, 32, 8, 16, signed char, row_major> ca;
	fragment<accumulator, 8, 8, 4, double> dc;
	load_matrix_sync(ba, b, 16), load_matrix_sync(tb, f, 16), load_matrix_sync(ca, c, 16), load_matrix_sync(dc, d, 8, mem_col_major), fill_fragment(ci, 0);
	tb.x[0] = __float_to_tf32(tb.x[0]) + fc.num_elements;
	store_matrix_sync(i, ci, 16, mem_row_major), store_matrix_sync(e, dc, 8, mem_col_major);
}

__global__ void randoms(curandStatePhilox4_32_10_t *p, curandState *x, curandStateXORWOW_t *w, float *f, double *d, unsigned *u) {
	curand_init(1, 2, 3, p), curand_init(1, 2, 3, x), curand_init(4ull, 5ull, 6ull, w);
	u[0] = curand(x) + curand4(p).y;
	f[0] = curand_uniform(x) + curand_normal(x) + curand_log_normal(x, 0.0f, 1.0f) + curand_normal2(x).y + curand_uniform4(p).w + curand_normal4(p).z;
	d[0] = curand_uniform_double(x) + curand_normal_double(x) + curand_uniform2_double(p).y;
	skipahead(10, p), skipahead_sequence(2, x);
}
