/* nvcuda::wmma: tiles of matrices that a warp holds together, and their product. Which element a thread holds where is the
 * hardware's; only `x` and its length are visible. */
#pragma once

#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

namespace nvcuda { namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision { struct tf32; }
namespace experimental {
namespace precision { struct u4; struct s4; struct b1; }
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

/* One kind of tile: the type and number of a thread's elements, the words that the instructions take them in, and how these are
 * loaded and stored. */
template <class Use, int m, int n, int k, class T> struct __px_tile;

#define __px_tile_of(Use, m, n, k, T, Memory_, Element_, elements, Word_, ld)                                                          \
	template <> struct __px_tile<Use, m, n, k, T> {                                                                                \
		typedef Memory_ Memory;                                                                                                \
		typedef Element_ Element;                                                                                              \
		typedef Word_ Word;                                                                                                    \
		static constexpr int count = elements;                                                                                 \
		template <int layout> static __device__ __forceinline__ void load(Word *to, const void *from, unsigned stride) {       \
			ld(to, (const Word *)from, stride, layout);                                                                    \
		}                                                                                                                      \
	};
#define __px_result_of(m, n, k, T, elements, Word_, ld, st)                                                                            \
	template <> struct __px_tile<accumulator, m, n, k, T> {                                                                        \
		typedef T Memory;                                                                                                      \
		typedef T Element;                                                                                                     \
		typedef Word_ Word;                                                                                                    \
		static constexpr int count = elements;                                                                                 \
		template <int layout> static __device__ __forceinline__ void load(Word *to, const void *from, unsigned stride) {       \
			ld(to, (const Word *)from, stride, layout);                                                                    \
		}                                                                                                                      \
		template <int layout> static __device__ __forceinline__ void store(void *to, const Word *from, unsigned stride) {      \
			st((Word *)to, from, stride, layout);                                                                          \
		}                                                                                                                      \
	};
/* D = A B + C: the types of A and B, of D and of C. `satfinite` limits integers. */
template <int m, int n, int k, class T, class D, class C> struct __px_product_of;
#define __px_multiply(m, n, k, T, D, C, mma)                                                                                           \
	template <> struct __px_product_of<m, n, k, T, D, C> {                                                                         \
		template <int layouts, int saturate, class WD, class W, class WC>                                                      \
		static __device__ __forceinline__ void run(WD *d, const W *a, const W *b, const WC *c) { mma(d, a, b, c, layouts, saturate); } \
	};

#define __px_shape(shape, m, n, k, a_elements, b_elements)                                                                             \
	__px_tile_of(matrix_a, m, n, k, __half, __half, __half, 16, int, __hmma_##shape##_ld_a)                               \
	__px_tile_of(matrix_b, m, n, k, __half, __half, __half, 16, int, __hmma_##shape##_ld_b)                               \
	__px_result_of(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)                \
	__px_result_of(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)               \
	__px_multiply(m, n, k, __half, __half, __half, __hmma_##shape##_mma_f16f16)                                           \
	__px_multiply(m, n, k, __half, __half, float, __hmma_##shape##_mma_f16f32)                                            \
	__px_multiply(m, n, k, __half, float, __half, __hmma_##shape##_mma_f32f16)                                            \
	__px_multiply(m, n, k, __half, float, float, __hmma_##shape##_mma_f32f32)                                             \
	__px_tile_of(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, a_elements, int, __mma_bf16_##shape##_ld_a) \
	__px_tile_of(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, b_elements, int, __mma_bf16_##shape##_ld_b) \
	__px_multiply(m, n, k, __nv_bfloat16, float, float, __mma_bf16_##shape##_mma_f32)                                     \
	__px_tile_of(matrix_a, m, n, k, signed char, signed char, signed char, a_elements, int, __imma_##shape##_ld_a_s8)     \
	__px_tile_of(matrix_b, m, n, k, signed char, signed char, signed char, b_elements, int, __imma_##shape##_ld_b_s8)     \
	__px_tile_of(matrix_a, m, n, k, unsigned char, unsigned char, unsigned char, a_elements, int, __imma_##shape##_ld_a_u8) \
	__px_tile_of(matrix_b, m, n, k, unsigned char, unsigned char, unsigned char, b_elements, int, __imma_##shape##_ld_b_u8) \
	__px_result_of(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)                       \
	__px_multiply(m, n, k, signed char, int, int, __imma_##shape##_mma_s8)                                                \
	__px_multiply(m, n, k, unsigned char, int, int, __imma_##shape##_mma_u8)
__px_shape(m16n16k16, 16, 16, 16, 8, 8)
__px_shape(m32n8k16, 32, 8, 16, 16, 4)
__px_shape(m8n32k16, 8, 32, 16, 4, 16)
#undef __px_shape

__px_tile_of(matrix_a, 16, 16, 8, precision::tf32, float, float, 4, int, __mma_tf32_m16n16k8_ld_a)
__px_tile_of(matrix_b, 16, 16, 8, precision::tf32, float, float, 4, int, __mma_tf32_m16n16k8_ld_b)
__px_result_of(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__px_multiply(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32)
__px_tile_of(matrix_a, 8, 8, 4, double, double, double, 1, double, __dmma_m8n8k4_ld_a)
__px_tile_of(matrix_b, 8, 8, 4, double, double, double, 1, double, __dmma_m8n8k4_ld_b)
__px_result_of(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__px_multiply(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64)

/* Elements of less than a byte lie packed in words; A has rows, B columns. */
__px_tile_of(matrix_a, 8, 8, 32, experimental::precision::s4, int, int, 1, int, __imma_m8n8k32_ld_a_s4)
__px_tile_of(matrix_b, 8, 8, 32, experimental::precision::s4, int, int, 1, int, __imma_m8n8k32_ld_b_s4)
__px_tile_of(matrix_a, 8, 8, 32, experimental::precision::u4, unsigned, unsigned, 1, int, __imma_m8n8k32_ld_a_u4)
__px_tile_of(matrix_b, 8, 8, 32, experimental::precision::u4, unsigned, unsigned, 1, int, __imma_m8n8k32_ld_b_u4)
__px_result_of(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
__px_multiply(8, 8, 32, experimental::precision::s4, int, int, __imma_m8n8k32_mma_s4)
__px_multiply(8, 8, 32, experimental::precision::u4, int, int, __imma_m8n8k32_mma_u4)
__px_tile_of(matrix_a, 8, 8, 128, experimental::precision::b1, unsigned, unsigned, 1, int, __bmma_m8n8k128_ld_a_b1)
__px_tile_of(matrix_b, 8, 8, 128, experimental::precision::b1, unsigned, unsigned, 1, int, __bmma_m8n8k128_ld_b_b1)
__px_result_of(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#undef __px_tile_of
#undef __px_result_of
#undef __px_multiply

template <class Layout> inline constexpr int __px_layout = __is_same(Layout, col_major) ? mem_col_major : mem_row_major;

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
	typedef __px_tile<Use, m, n, k, T> Tile;
	static_assert(__is_same(Use, accumulator) == __is_same(Layout, void), "matrix_a and matrix_b have a layout, an accumulator has none");

public:
	typedef typename Tile::Element element_type;
	typedef typename Tile::Element storage_element_type;
	static constexpr int num_elements = Tile::count;
	static constexpr int num_storage_elements = Tile::count;
	typename Tile::Element x[Tile::count];
};

/* A fragment's elements as the instructions' words. */
template <class Tile> struct __px_words {
	typename Tile::Word w[Tile::count * sizeof(typename Tile::Element) / sizeof(typename Tile::Word)];
	__px_words() = default;
	template <class Fragment> __device__ __forceinline__ explicit __px_words(const Fragment &f) { __builtin_memcpy(w, f.x, sizeof(w)); }
	template <class Fragment> __device__ __forceinline__ void put(Fragment &f) const { __builtin_memcpy(f.x, w, sizeof(w)); }
};

template <class Use, int m, int n, int k, class T, class Layout>
__px_inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const typename __px_tile<Use, m, n, k, T>::Memory *from, unsigned stride) {
	typedef __px_tile<Use, m, n, k, T> Tile;
	__px_words<Tile> words;
	Tile::template load<__px_layout<Layout>>(words.w, from, stride);
	words.put(f);
}
/* Elements of less than a byte may be given as any pointer. */
template <class Use, int m, int n, int k, class T, class Layout>
__px_inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const void *from, unsigned stride) {
	static_assert(__is_same(T, experimental::precision::s4) || __is_same(T, experimental::precision::u4) || __is_same(T, experimental::precision::b1),
		"the pointer's type is the fragment's element");
	load_matrix_sync(f, (const typename __px_tile<Use, m, n, k, T>::Memory *)from, stride);
}
template <int m, int n, int k, class T>
__px_inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned stride, layout_t layout) {
	typedef __px_tile<accumulator, m, n, k, T> Tile;
	__px_words<Tile> words;
	if (layout == mem_row_major)
		Tile::template load<mem_row_major>(words.w, from, stride);
	else
		Tile::template load<mem_col_major>(words.w, from, stride);
	words.put(f);
}
template <int m, int n, int k, class T>
__px_inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned stride, layout_t layout) {
	typedef __px_tile<accumulator, m, n, k, T> Tile;
	__px_words<Tile> words(f);
	if (layout == mem_row_major)
		Tile::template store<mem_row_major>(to, words.w, stride);
	else
		Tile::template store<mem_col_major>(to, words.w, stride);
}
template <class Use, int m, int n, int k, class T, class Layout>
__px_inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const typename __px_tile<Use, m, n, k, T>::Element &v) {
	for (int i = 0; i < f.num_elements; i++)
		f.x[i] = v;
}

template <int saturate, int m, int n, int k, class T, class LA, class LB, class D, class C>
__px_inline void __px_mma(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LA> &a, const fragment<matrix_b, m, n, k, T, LB> &b,
	const fragment<accumulator, m, n, k, C> &c) {
	__px_words<__px_tile<matrix_a, m, n, k, T>> wa(a);
	__px_words<__px_tile<matrix_b, m, n, k, T>> wb(b);
	__px_words<__px_tile<accumulator, m, n, k, C>> wc(c);
	__px_words<__px_tile<accumulator, m, n, k, D>> wd;
	__px_product_of<m, n, k, T, D, C>::template run<2 * __px_layout<LA> + __px_layout<LB>, saturate>(wd.w, wa.w, wb.w, wc.w);
	wd.put(d);
}
template <int m, int n, int k, class T, class LA, class LB, class D, class C>
__px_inline void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LA> &a, const fragment<matrix_b, m, n, k, T, LB> &b,
	const fragment<accumulator, m, n, k, C> &c, bool satfinite = false) {
	if constexpr (__is_same(D, int)) {
		if (satfinite)
			return __px_mma<1>(d, a, b, c);
	}
	__px_mma<0>(d, a, b, c);
}
__px_inline void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d, const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
	const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b, const fragment<accumulator, 8, 8, 128, int> &c,
	experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if __CUDA_ARCH__ >= 800
	if (operation == experimental::bmmaBitOpAND)
		return __bmma_m8n8k128_mma_and_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
#endif
#if __CUDA_ARCH__ >= 750
	__bmma_m8n8k128_mma_xor_popc_b1(d.x, (const int *)a.x, (const int *)b.x, c.x, 1);
#endif
}

/* To the ten bits of a significand that tf32 has, ties away from zero. */
#if __CUDA_ARCH__ >= 800
__px_inline float __float_to_tf32(float x) { return __int_as_float(__nvvm_f2tf32_rna(x)); }
#endif
}}
