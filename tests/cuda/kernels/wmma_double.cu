// Doubles on tensor cores, 8 x 8 x 4.
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void wmma_double(const double *a, const double *b, double *c) {
	wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
	wmma::fill_fragment(fc, 0.0);
	for (int k = 0; k < 16; k += 4) {
		wmma::load_matrix_sync(fa, a + k, 16);
		wmma::load_matrix_sync(fb, b + k, 16);
		wmma::mma_sync(fc, fa, fb, fc);
	}
	wmma::store_matrix_sync(c, fc, 8, wmma::mem_col_major);
}
