// The primitives of asynchronous copies: 16 bytes a thread, two groups under way.
#include <cuda_pipeline.h>
extern "C" __global__ void copy_primitives(const int4 *x, int4 *y, int rounds) {
	__shared__ int4 tile[2][32];
	unsigned t = threadIdx.x;
	__pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(int4));
	__pipeline_commit();
	for (int r = 0; r < rounds; r++) {
		if (r + 1 < rounds)
			__pipeline_memcpy_async(&tile[(r + 1) % 2][t], &x[(r + 1) * 32 + t], sizeof(int4));
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		int4 v = tile[r % 2][31 - t];
		y[r * 32 + t] = make_int4(v.w, v.z, v.y, v.x + r);
		__syncthreads();
	}
}
