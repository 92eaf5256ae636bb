; Shared memory of a thread block is part of that of its cluster: a cast from one to the other goes by way of a generic address.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch %p/cast-within-cluster.launch.json -mcpu=sm_90
; RUN: ptxscope compile %s -mcpu=sm_90 -o %t.ptx && ptxas -arch=sm_90 -c %t.ptx -o /dev/null
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [32 x i32] undef

; CHECK-LABEL: .entry k(
; CHECK:       cvta.shared.u64 [[G:%rd[0-9]+]],
; CHECK-NEXT:  cvta.to.shared::cluster.u64 [[C:%rd[0-9]+]], [[G]];
; CHECK:       st.shared::cluster.b32 {{\[}}[[C]]],
; CHECK:       ld.shared.b32
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %c = addrspacecast ptr addrspace(3) %p to ptr addrspace(7)
  store i32 %t, ptr addrspace(7) %c
  %b = call ptr addrspace(3) @back(ptr addrspace(7) %c)
  %v = load i32, ptr addrspace(3) %b
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: .func (.param .b64 func_retval0) back(
; CHECK:       cvta.shared::cluster.u64
; CHECK-NEXT:  cvta.to.shared.u64
define ptr addrspace(3) @back(ptr addrspace(7) %p) noinline {
  %q = addrspacecast ptr addrspace(7) %p to ptr addrspace(3)
  ret ptr addrspace(3) %q
}
