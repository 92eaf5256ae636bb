// Bytes times bytes, wide and short tiles.
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void wmma_bytes(const signed char *a, const signed char *b, int *c) {
	wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major> fb;
	wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 8);
	wmma::fill_fragment(fc, 7);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
