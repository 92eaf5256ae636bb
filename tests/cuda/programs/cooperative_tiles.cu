// Groups within a block: tiles, coalesced groups, partitions by a label, scans.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void tiles(int *sums, int *ranks, int *scans, int *labels)
{
	cg::thread_block block = cg::this_thread_block();
	int i = (int)block.thread_rank();
	auto four = cg::tiled_partition<4>(block);
	sums[i] = cg::reduce(four, i, cg::plus<int>());
	if (i % 3 == 0) {
		cg::coalesced_group here = cg::coalesced_threads();
		ranks[i] = (int)(here.size() * 100 + here.thread_rank());
	}
	auto warp = cg::tiled_partition<32>(block);
	scans[i] = cg::inclusive_scan(warp, i + 1);
	auto same = cg::labeled_partition(warp, i % 5);
	labels[i] = cg::reduce(same, i, cg::greater<int>()) * 100 + (int)same.size();
}

int main()
{
	const int n = 64;
	int *sums = on_device<int>(n), *ranks = on_device<int>(n), *scans = on_device<int>(n), *labels = on_device<int>(n);
	tiles<<<1, n>>>(sums, ranks, scans, labels);
	LAUNCHED();
	std::vector<int> s = on_host(sums, n), r = on_host(ranks, n), c = on_host(scans, n), l = on_host(labels, n);
	for (int i = 0; i < n; i++) {
		int first = i / 4 * 4, warp = i / 32 * 32, most = 0, count = 0, in_warp = 0, rank = 0, sum = 0;
		EXPECT(s[i] == 4 * first + 6);
		for (int k = warp; k < warp + 32; k++) {
			if (k % 5 == i % 5)
				most = k, count++;
			if (k % 3 == 0)
				in_warp++, rank += k < i;
			if (k <= i)
				sum += k + 1;
		}
		if (i % 3 == 0)
			EXPECT(r[i] == in_warp * 100 + rank);
		EXPECT(c[i] == sum);
		EXPECT((l[i] == (i % 5 == most % 5 ? most : -1) * 100 + count));
	}
	return done();
}
