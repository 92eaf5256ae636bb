// Four bytes at a time: average, difference, comparison and saturation.
extern "C" __global__ void bytes_simd(const unsigned *a, const unsigned *b, unsigned *out, int n) {
	int i = threadIdx.x;
	unsigned p = a[i], q = b[i];
	out[i] = __vavgu4(p, q);
	out[n + i] = __vabsdiffu4(p, q);
	out[2 * n + i] = __vaddus4(p, q);
	out[3 * n + i] = __vcmpgtu4(p, q);
	out[4 * n + i] = __vsadu4(p, q);
	out[5 * n + i] = __vmaxs2(p, q);
	out[6 * n + i] = __vsubss2(p, q);
}
