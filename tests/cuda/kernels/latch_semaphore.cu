// At most two warps at a time are behind the semaphore; the last step waits on a latch until all warps have done theirs.
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda/latch>
#include <cuda/semaphore>
namespace cg = cooperative_groups;
struct Meeting {
	cuda::counting_semaphore<cuda::thread_scope_block, 2> places{2};
	cuda::latch<cuda::thread_scope_block> done{4};
	int inside = 0, most = 0;
};
extern "C" __global__ void latch_semaphore(const float2 *z, float *length, int *tile, int *most) {
	__shared__ alignas(Meeting) char raw[sizeof(Meeting)];
	Meeting &meeting = *(Meeting *)raw;
	if (threadIdx.x == 0)
		new (raw) Meeting();
	__syncthreads();
	cg::thread_block_tile<8> eight = cg::tiled_partition<8>(cg::this_thread_block());
	int i = threadIdx.x;
	tile[i] = eight.meta_group_rank() * 100 + eight.meta_group_size() * 10 + eight.shfl(i, 3) % 10;
	if (i % 32 == 0) {
		meeting.places.acquire();
		atomicMax(&meeting.most, atomicAdd(&meeting.inside, 1) + 1);
		__nanosleep(200);
		atomicSub(&meeting.inside, 1);
		meeting.places.release();
		meeting.done.arrive_and_wait();
		most[i / 32] = atomicAdd(&meeting.most, 0) <= 2 && meeting.done.try_wait();
	}
	cuFloatComplex square = cuCmulf(z[i], z[i]);
	length[i] = cuCabsf(cuCdivf(square, z[i])) + cuCrealf(cuConjf(cuCfmaf(z[i], z[i], z[i])));
}
