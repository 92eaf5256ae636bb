// Scans over tiles of eight threads, by the library.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void cg_tile_scan(const int *x, int *inclusive, int *before, int *most) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto tile = cg::tiled_partition<8>(cg::this_thread_block());
	inclusive[i] = cg::inclusive_scan(tile, x[i]);
	before[i] = cg::exclusive_scan(tile, x[i], cg::plus<int>());
	most[i] = cg::inclusive_scan(tile, x[i], cg::greater<int>());
}
