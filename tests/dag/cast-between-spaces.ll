; A cast between spaces that share no address is poison in LLVM: there is a word about it, and no instruction.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: cast-between-spaces.ll:[[@LINE+7]]:{{[0-9]+}}: warning: in 'f': a pointer to address space 3 is cast to address space 1: the result is undefined
; CHECK: %q = addrspacecast
; CHECK: hint: they share no address: only pointers without a space reach both
; CHECK-NOT: in 'g'
; CHECK-LABEL: .visible .func {{.*}} f(
; CHECK-NOT: cvta
define ptr addrspace(1) @f(ptr addrspace(3) %p) {
  %q = addrspacecast ptr addrspace(3) %p to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
; CHECK-LABEL: .visible .func {{.*}} g(
; CHECK: cvta.to.global.u64
define ptr addrspace(1) @g(ptr %p) {
  %q = addrspacecast ptr %p to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
