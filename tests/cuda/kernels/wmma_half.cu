// A matrix product on tensor cores: one warp computes 16 x 16 elements, over 48 columns.
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void wmma_half(const half *a, const half *b, float *c, int k, float alpha) {
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
	wmma::fill_fragment(sum, 0.0f);
	for (int i = 0; i < k; i += 16) {
		wmma::load_matrix_sync(fa, a + i, k);
		wmma::load_matrix_sync(fb, b + i, k);
		wmma::mma_sync(sum, fa, fb, sum);
	}
	wmma::load_matrix_sync(old, c, 16, wmma::mem_row_major);
	for (int i = 0; i < sum.num_elements; i++)
		old.x[i] = alpha * sum.x[i] + old.x[i];
	wmma::store_matrix_sync(c, old, 16, wmma::mem_row_major);
}
