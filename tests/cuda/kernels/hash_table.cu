// Open addressing: keys enter by compare and swap, values are summed where the key is found.
constexpr unsigned EMPTY = ~0u;
extern "C" __global__ void hash_table(const unsigned *keys, const unsigned *lookup, unsigned *slots, unsigned *sums, unsigned *found, unsigned mask) {
	unsigned i = threadIdx.x, key = keys[i], slot = key * 2654435761u >> 16 & mask;
	for (;; slot = (slot + 1) & mask) {
		unsigned old = atomicCAS(&slots[slot], EMPTY, key);
		if (old == EMPTY || old == key)
			break;
	}
	atomicAdd(&sums[slot], 1);
	__syncthreads();
	key = lookup[i];
	for (slot = key * 2654435761u >> 16 & mask; slots[slot] != EMPTY && slots[slot] != key; slot = (slot + 1) & mask) {
	}
	found[i] = slots[slot] == key ? sums[slot] : 0;
}
