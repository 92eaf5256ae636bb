; What a variable holds that only this module writes is known from all stores, those of functions further down among them.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
@gv = addrspace(1) global i32 0
@two = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) @gv to ptr)
@s = internal addrspace(3) global [4 x i32] undef

; CHECK-LABEL: .entry reads(
; CHECK:       ld.global.b64 [[P:%rd[0-9]+]], [two];
; CHECK-NEXT:  ld.b32 {{%r[0-9]+}}, {{\[}}[[P]]];
define ptx_kernel void @reads(ptr addrspace(1) %o) {
  %q = load ptr, ptr addrspace(1) @two
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %o
  ret void
}

define ptx_kernel void @writes() {
  %g = addrspacecast ptr addrspace(3) @s to ptr
  store ptr %g, ptr addrspace(1) @two
  ret void
}
