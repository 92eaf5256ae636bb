// warp collectives: ballot, any, all, match.any, match.all, shuffles in every mode, warp-level compaction

extern "C" __global__ void warp_vote(const int *__restrict__ in, int *__restrict__ packed, int *__restrict__ counts,
                                     unsigned *__restrict__ out) {
  const unsigned full = 0xffffffffu;
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = t >> 5;
  int v = in[t];
  unsigned pos = __ballot_sync(full, v > 0);
  unsigned same = __match_any_sync(full, v & 7);
  int all_same;
  unsigned m = __match_all_sync(full, (unsigned)(v >> 31 | warp), &all_same);
  int any_big = __any_sync(full, v > 90), all_small = __all_sync(full, v < 100);
  if (v > 0) packed[warp * 32 + __popc(pos & ((1u << lane) - 1))] = v;
  if (lane == 0) counts[warp] = __popc(pos);
  // vote inside a divergent branch, with the mask of the lanes that take it
  unsigned half_mask = __ballot_sync(full, lane & 1), inner = 0;
  if (lane & 1) {
    inner = __ballot_sync(half_mask, v & 2);
    inner ^= (unsigned)__shfl_sync(half_mask, v, 31);
  }
  __syncwarp();
  int up = __shfl_up_sync(full, v, 3), down = __shfl_down_sync(full, v, 5, 16);
  int x = __shfl_xor_sync(full, v, 9), idx = __shfl_sync(full, v, (v & 31), 8);
  unsigned *o = out + t * 8;
  o[0] = pos;
  o[1] = same;
  o[2] = m ^ (unsigned)all_same;
  o[3] = (unsigned)any_big | (unsigned)all_small << 1;
  o[4] = inner;
  o[5] = (unsigned)(up * 3 + down);
  o[6] = (unsigned)(x ^ idx);
  o[7] = (unsigned)__shfl_xor_sync(full, (unsigned long long)v * 0x100000001ull, 16);
}
