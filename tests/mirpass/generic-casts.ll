; generic-to-nvvm casts a variable to the generic space and back: no conversion is left where all accesses know the space.
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s --implicit-check-not=cvta
; ROWS: MPEEP-11
target triple = "nvptx64-nvidia-cuda"
@g = global i32 7
@t = internal addrspace(3) global [4 x i32] undef

; CHECK-LABEL: .entry k(
; CHECK: ld.global.b32 [[V:%r[0-9]+]], [g];
; CHECK: st.shared.b32 [t+4], [[V]];
define ptx_kernel void @k() {
  %v = load i32, ptr @g
  store i32 %v, ptr getelementptr ([4 x i32], ptr addrspacecast (ptr addrspace(3) @t to ptr), i32 0, i32 1)
  ret void
}
