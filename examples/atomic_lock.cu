// memory model: a spin lock taken by one thread of each block, exchange, atomicDec and a shared-memory
// ticket order

extern "C" __global__ void atomic_lock(int *lock, volatile int *account, unsigned *down, int *chain, int limit) {
  __shared__ unsigned turn;
  __shared__ int order[32];
  int t = threadIdx.x;
  if (t == 0) turn = 0;
  __syncthreads();
  unsigned mine = atomicAdd(&turn, 1u);
  order[mine & 31] = t;
  __syncthreads();
  if (t == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int a = account[0], b = account[1];
    account[0] = a + (int)blockIdx.x + 1;
    account[1] = b + a - a + 1;
    int seen = 0;
    for (int i = 0; i < 32; i++) seen |= 1 << order[i];
    if (seen == -1) account[2] = account[2] + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
  unsigned d = atomicDec(down, (unsigned)limit);
  if (d == 0) atomicAdd(&chain[0], 1);
  atomicSub(&chain[1], t);
}
