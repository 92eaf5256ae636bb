#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define K            extern "C" __global__
#define D            __device__
#define AI           __device__ __attribute__((always_inline)) inline
#define NI           __device__ __attribute__((noinline))
D inline int tid()
{
	int r;
	asm("mov.u32 %0, %%tid.x;" : "=r"(r));
	return r;
}
