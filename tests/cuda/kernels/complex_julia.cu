// Complex numbers with operators of their own, and how long they stay small.
struct Complex {
	float re, im;
	__device__ Complex operator*(Complex o) const { return {__fsub_rn(__fmul_rn(re, o.re), __fmul_rn(im, o.im)), __fadd_rn(__fmul_rn(re, o.im), __fmul_rn(im, o.re))}; }
	__device__ Complex operator+(Complex o) const { return {__fadd_rn(re, o.re), __fadd_rn(im, o.im)}; }
	__device__ float square() const { return __fadd_rn(__fmul_rn(re, re), __fmul_rn(im, im)); }
};
extern "C" __global__ void complex_julia(unsigned char *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	Complex z = {__fmul_rn(x - w / 2, 0.125f), __fmul_rn(y - h / 2, 0.125f)}, c = {-0.75f, 0.125f};
	int n = 0;
	for (; n < 100 && z.square() < 4; n++)
		z = z * z + c;
	out[y * w + x] = (unsigned char)n;
}
