// Every number of 4, 6 and 8 bits as a float, and numbers rounded to them.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
extern "C" __global__ void tiny_floats(const float *x, float *value, unsigned char *code) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__nv_fp8_e4m3 a;
	__nv_fp8_e5m2 b;
	__nv_fp4x2_e2m1 pair;
	a.__x = b.__x = pair.__x = i;
	float2 both = float2(pair);
	value[i] = float(a);
	value[256 + i] = float(b);
	value[512 + i] = __half2float(__nv_cvt_fp6_to_halfraw(i & 63, __NV_E2M3));
	value[768 + i] = __half2float(__nv_cvt_fp6_to_halfraw(i & 63, __NV_E3M2));
	value[1024 + i] = both.x + 16 * both.y;
	code[i] = __nv_fp8_e4m3(x[i]).__x;
	code[256 + i] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
	code[512 + i] = __nv_fp6_e2m3(double(x[i])).__x;
	code[768 + i] = __nv_fp6_e3m2(__float2bfloat16(x[i])).__x;
	code[1024 + i] = __nv_fp4x2_e2m1(make_float2(x[i], -x[i])).__x;
	code[1280 + i] = __nv_cvt_float_to_e8m0(x[i], __NV_SATFINITE, cudaRoundPosInf);
}
