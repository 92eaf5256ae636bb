// Operations as types, and a pack of them.
struct Square { __device__ int operator()(int v) const { return v * v; } };
struct Add { int what; __device__ int operator()(int v) const { return v + what; } };
struct Clamp { int low, high; __device__ int operator()(int v) const { return v < low ? low : v > high ? high : v; } };
template <class F> __device__ int chain(int v, F f) { return f(v); }
template <class F, class... Rest> __device__ int chain(int v, F f, Rest... rest) { return chain(f(v), rest...); }
extern "C" __global__ void template_functors(const int *x, int *y) {
	int i = threadIdx.x;
	y[i] = chain(x[i], Add{3}, Square{}, Clamp{10, 5000}, [i](int v) { return v * 2 + i; });
}
