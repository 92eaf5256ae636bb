// Numbers of 1024 bits: the carries of 32 words go through a warp by one addition of masks.
extern "C" __global__ void big_add(const unsigned *a, const unsigned *b, unsigned *sum) {
	unsigned lane = threadIdx.x % 32, i = blockIdx.x * 32 + lane, s = a[i] + b[i];
	unsigned makes = __ballot_sync(~0u, s < a[i]), passes = __ballot_sync(~0u, s == ~0u);
	unsigned long long carries = (((unsigned long long)makes << 1) + passes) ^ passes;
	sum[i] = s + (unsigned)(carries >> lane & 1);
}
