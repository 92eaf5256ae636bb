// A Fourier transform of 32 points within a warp.
extern "C" __global__ void fft_shuffle(const float2 *in, float2 *out) {
	int lane = threadIdx.x;
	float2 v = in[blockIdx.x * 32 + (__brev(lane) >> 27)];
	for (int half = 1; half < 32; half *= 2) {
		float s, c;
		sincospif(-(float)(lane & (half - 1)) / half, &s, &c);
		float2 other = {__shfl_xor_sync(~0u, v.x, half), __shfl_xor_sync(~0u, v.y, half)};
		float2 a = lane & half ? other : v, b = lane & half ? v : other, t = {b.x * c - b.y * s, b.x * s + b.y * c};
		v = lane & half ? float2{a.x - t.x, a.y - t.y} : float2{a.x + t.x, a.y + t.y};
	}
	out[blockIdx.x * 32 + lane] = v;
}
