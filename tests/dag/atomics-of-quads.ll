; RUN: not ptxscope compile %s -mcpu=sm_120a -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_120a -O0 -o - 2>&1 | filecheck %s
; An operation on fp128 becomes a loop around a cmpxchg of 128 bits, in which selection refuses the arithmetic.
; CHECK: atomics-of-quads.ll:8:{{[0-9]+}}: error: in 'least': arithmetic with floats of more than 64 bits is not supported
; CHECK: atomics-of-quads.ll:12:{{[0-9]+}}: error: in 'sum': arithmetic with floats of more than 64 bits is not supported
target triple = "nvptx64-nvidia-cuda"
define fp128 @least(ptr %p, fp128 %v) {
  %r = atomicrmw fmin ptr %p, fp128 %v seq_cst
  ret fp128 %r
}
define fp128 @sum(ptr %p, fp128 %v) {
  %r = atomicrmw fadd ptr %p, fp128 %v seq_cst
  ret fp128 %r
}
