/* The decoders of fatbinaries: decoders zstd|lz4 PACKED PLAIN: the one gives the other, and damaged input is refused or gives as many
 * bytes, but never reads or writes beyond its ends (the blocks are exactly as large as they have to be). */
#include "cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool (*Decode)(const u8 *from, size_t n, u8 *to, size_t size);

static u8 *read_all(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		exit(2);
	fseek(f, 0, SEEK_END);
	*n = (size_t)ftell(f);
	rewind(f);
	u8 *p = malloc(*n + 1);
	*n = fread(p, 1, *n, f);
	fclose(f);
	return p;
}

static bool gives(Decode decode, const u8 *from, size_t n, const u8 *plain, size_t size)
{
	u8 *in = malloc(n ? n : 1), *out = malloc(size ? size : 1);
	memcpy(in, from, n);
	bool same = decode(in, n, out, size) && (!plain || memcmp(out, plain, size) == 0);
	free(in);
	free(out);
	return same;
}

int main(int argc, char **argv)
{
	size_t n, size;
	if (argc < 4)
		return 2;
	bool   lz4 = strcmp(argv[1], "lz4") == 0;
	Decode decode = lz4 ? lz4_decode : zstd_decode;
	u8    *all = read_all(argv[2], &n), *packed = all, *plain = read_all(argv[3], &size);
	u64    seed = 88172645463325252u;
	if (lz4) { /* one block in a frame: magic, flags, block size, header checksum, then size and bytes of the block */
		u32 block;
		memcpy(&block, all + 7, 4);
		packed = all + 11;
		n = block;
	}
	bool right = gives(decode, packed, n, plain, size) && !gives(decode, packed, n, plain, size + 1) &&
	             !(size && gives(decode, packed, n, plain, size - 1)) && !gives(decode, packed, n - 1, plain, size) &&
	             !gives(decode, packed, n / 2, plain, size) && !gives(decode, packed, 0, plain, size);
	if (!right)
		return puts("wrong"), 1;
	for (u32 i = 0; i < 300; i++) {
		u8 *damaged = malloc(n);
		memcpy(damaged, packed, n);
		for (u32 k = 0; k < 1 + i % 3; k++) {
			seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
			damaged[seed % (i % 2 ? n : PS_MIN(n, (size_t)200))] = (u8)(seed >> 40);
		}
		gives(decode, damaged, n, NULL, size);
		free(damaged);
	}
	free(all);
	free(plain);
	puts("done");
	return 0;
}
