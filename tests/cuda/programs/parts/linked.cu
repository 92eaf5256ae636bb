// The other file of ../linked.cu.
__device__ int        counter = 100;
__constant__ int      offsets[4];
static __device__ int own = 7000;

__device__ int              scale(int x) { return 3 * x; }
static __device__ int       eleven(int x) { return 11 * x; }
__device__ int            (*chosen)(int) = eleven;
static __global__ void      add(int *p) { p[threadIdx.x] += own; }

void add_in_other_file(int *p, int n) { add<<<1, n>>>(p); }
