// Words begin where a letter follows what is none.
extern "C" __global__ void word_count(const char *text, int n, int *words, int *longest) {
	int total = 0;
	for (int first = 0; first < n; first += blockDim.x) {
		int i = first + (int)threadIdx.x;
		auto letter = [=](int at) { return at >= 0 && at < n && (text[at] | 32) >= 'a' && (text[at] | 32) <= 'z'; };
		bool begins = letter(i) && !letter(i - 1);
		total += __syncthreads_count(begins);
		if (begins) {
			int end = i;
			while (letter(end))
				end++;
			atomicMax(longest, end - i);
		}
	}
	if (threadIdx.x == 0)
		*words = total;
}
