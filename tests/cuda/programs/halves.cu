// Halves and bfloat16: arithmetic, conversions, packed operations, atomics.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void run(float *out, __half2 *sum)
{
	int i = threadIdx.x;
	__half h = __float2half(i * 0.1f);
	__nv_bfloat16 b = __float2bfloat16(i * 0.1f);
	out[4 * i] = __half2float(__hfma(h, h, __float2half(1.0f)));
	out[4 * i + 1] = __bfloat162float(b * b);
	__half2 two = __floats2half2_rn((float)i, -0.5f * i);
	out[4 * i + 2] = __low2float(__hmul2(two, two)) + __high2float(__hadd2(two, two));
	out[4 * i + 3] = __half2float(hsqrt(h)) + (__hgt(h, __float2half(1.0f)) ? 100.0f : 0.0f);
	atomicAdd(sum, two);
}

int main()
{
	const int n = 32;
	float *out = on_device<float>(4 * n);
	__half2 *sum = on_device<__half2>(1);
	run<<<1, n>>>(out, sum);
	LAUNCHED();
	std::vector<float> r = on_host(out, 4 * n);
	for (int i = 0; i < n; i++) {
		__half h = __float2half(i * 0.1f);
		float f = __half2float(h), b = __bfloat162float(__float2bfloat16(i * 0.1f));
		EXPECT(r[4 * i] == __half2float(__float2half(f * f + 1.0f)));
		EXPECT(r[4 * i + 1] == __bfloat162float(__float2bfloat16(b * b)));
		EXPECT(r[4 * i + 2] == (float)(i * i) - i);
		EXPECT(std::fabs(r[4 * i + 3] - (std::sqrt(f) + (f > 1 ? 100 : 0))) < 0.002f * (1 + std::sqrt(f)) + (f > 1 ? 0.05f : 0));
	}
	__half2 s = on_host(sum, 1)[0];
	EXPECT(__low2float(s) == 496 && __high2float(s) == -248);
	return done();
}
