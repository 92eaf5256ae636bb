// Four bits a round: each bit splits the keys by a scan over the block.
extern "C" __global__ void radix_sort(unsigned *keys) {
	__shared__ unsigned data[256], zeros[8];
	unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
	data[t] = keys[t];
	for (int bit = 0; bit < 16; bit++) {
		__syncthreads();
		unsigned key = data[t], zero = !(key >> bit & 1), ballot = __ballot_sync(~0u, zero);
		if (lane == 0)
			zeros[warp] = __popc(ballot);
		__syncthreads();
		unsigned before = __popc(ballot & ((1u << lane) - 1)), all = 0;
		for (unsigned w = 0; w < 8; w++) {
			before += w < warp ? zeros[w] : 0;
			all += zeros[w];
		}
		data[zero ? before : all + t - before] = key;
	}
	__syncthreads();
	keys[t] = data[t];
}
