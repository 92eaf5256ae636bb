// What lanes of a warp tell each other: shuffles, votes, matches, reductions.
#include "check.h"

__global__ void warp(unsigned *out)
{
	int l = threadIdx.x;
	unsigned *mine = out + l * 12;
	mine[0] = __shfl_sync(~0u, l * 2, 5);
	mine[1] = __shfl_up_sync(~0u, l, 3, 16);
	mine[2] = __shfl_down_sync(~0u, l, 4);
	mine[3] = __shfl_xor_sync(~0u, l, 9);
	mine[4] = __ballot_sync(~0u, l % 3 == 0);
	mine[5] = __any_sync(~0u, l == 40) * 2 + __all_sync(~0u, l < 32);
	mine[6] = __match_any_sync(~0u, l / 5);
	int all;
	mine[7] = __match_all_sync(~0u, l < 90, &all) == ~0u && all;
	mine[8] = __reduce_add_sync(~0u, l) + __reduce_max_sync(~0u, l);
	if (l % 2)
		mine[9] = __ballot_sync(0xaaaaaaaa, l > 15);
	else
		mine[9] = __popc(__activemask());
	__syncwarp();
	double d = l;
	for (int k = 16; k > 0; k /= 2)
		d += __shfl_down_sync(~0u, d, k);
	mine[10] = (unsigned)__shfl_sync(~0u, d, 0);
	mine[11] = __reduce_or_sync(l < 8 ? 0xffu : ~0xffu, 1u << l);
}

int main()
{
	unsigned *p = on_device<unsigned>(32 * 12);
	warp<<<1, 32>>>(p);
	LAUNCHED();
	std::vector<unsigned> r = on_host(p, 32 * 12);
	for (unsigned l = 0; l < 32; l++) {
		unsigned *m = &r[l * 12], same = 0;
		for (unsigned k = 0; k < 32; k++)
			same |= (unsigned)(k / 5 == l / 5) << k;
		EXPECT(m[0] == 10 && m[1] == (l % 16 < 3 ? l : l - 3) && m[2] == (l < 28 ? l + 4 : l) && m[3] == (l ^ 9));
		EXPECT(m[4] == 0x49249249 && m[5] == 1 && m[6] == same && m[7] == 1 && m[8] == 496 + 31);
		EXPECT(m[9] == (l % 2 ? 0xaaaa0000 : 16) && m[10] == 496 && m[11] == (l < 8 ? 0xffu : ~0xffu));
	}
	return done();
}
