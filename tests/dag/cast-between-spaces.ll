; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_90 -O0 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: cast-between-spaces.ll:[[@LINE+4]]:{{[0-9]+}}: error: in 'f': a cast between two address spaces is not supported (addrspacecast)
; CHECK: %q = addrspacecast
; CHECK: hint: no address is in both 3 and 1: only pointers without a space reach all of them
define ptr addrspace(1) @f(ptr addrspace(3) %p) {
  %q = addrspacecast ptr addrspace(3) %p to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
; CHECK-NOT: in 'g'
define ptr addrspace(1) @g(ptr %p) {
  %q = addrspacecast ptr %p to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
