// Attraction of all bodies: tiles of positions go through shared memory.
extern "C" __global__ void nbody(const float4 *body, float3 *force, int n) {
	__shared__ float4 tile[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 me = body[i];
	float3 sum = make_float3(0, 0, 0);
	for (int t = 0; t < n; t += 64) {
		tile[threadIdx.x] = body[t + threadIdx.x];
		__syncthreads();
#pragma unroll 4
		for (int j = 0; j < 64; j++) {
			float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
			float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = tile[j].w * inverse * inverse * inverse;
			sum.x += dx * pull, sum.y += dy * pull, sum.z += dz * pull;
		}
		__syncthreads();
	}
	force[i] = sum;
}
