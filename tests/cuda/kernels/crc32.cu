// A checksum per thread by a table that the block makes.
extern "C" __global__ void crc32(const unsigned char *data, int bytes, unsigned *crc) {
	__shared__ unsigned table[256];
	unsigned v = threadIdx.x;
	for (int k = 0; k < 8; k++)
		v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
	table[threadIdx.x] = v;
	__syncthreads();
	unsigned c = ~0u;
	for (int i = 0; i < bytes; i++)
		c = table[(c ^ data[threadIdx.x * bytes + i]) & 255] ^ c >> 8;
	crc[threadIdx.x] = ~c;
}
