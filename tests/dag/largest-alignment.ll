; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; LLVM says of null that it is aligned to 2^32, the largest alignment that there is: an access is as wide as with any other.
; CHECK-LABEL: f(
; CHECK: st.global.b32 [%rd{{[0-9]+}}], 0;
; CHECK: ld.global.v2.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
; CHECK: ret
define <2 x i32> @f(ptr addrspace(1) %p) {
  store i32 0, ptr addrspace(1) null, align 4294967296
  %v = load <2 x i32>, ptr addrspace(1) %p, align 4294967296
  ret <2 x i32> %v
}
