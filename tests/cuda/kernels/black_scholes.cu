// Prices of options.
__device__ float cumulative(float d) { return normcdff(d); }
extern "C" __global__ void black_scholes(const float *spot, const float *strike, const float *years, float *call, float *put, float rate, float volatility) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float root = sqrtf(years[i]), d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
	float d2 = d1 - volatility * root, discount = expf(-rate * years[i]);
	call[i] = spot[i] * cumulative(d1) - strike[i] * discount * cumulative(d2);
	put[i] = strike[i] * discount * cumulative(-d2) - spot[i] * cumulative(-d1);
}
