#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
__constant__ int ct[16]; __device__ float gl;
struct P{float x,y; int k[3];};
__device__ __attribute__((noinline)) float dv(P p,float*q){ return p.x*q[p.k[1]]; }
extern "C" __global__ void kk(P p,float*q,int n){ __shared__ float s[64]; int t=__nvvm_read_ptx_sreg_tid_x(); s[t]=q[t]; __syncthreads(); if(t<n) q[t]=dv(p,s)+ct[t&15]; gl=s[t^1]; __nvvm_atom_add_gen_i((int*)q,1); }
