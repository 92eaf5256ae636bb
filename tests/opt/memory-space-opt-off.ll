; The loaded pointer is shared memory's: with the pass off, accesses through it stay generic.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-MemorySpaceOptPass -o - | filecheck %s --check-prefix=OFF
; ROWS: MSOPT-05

target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef

; CHECK-LABEL: .visible .entry k(
; CHECK:       ld.shared.b32
; CHECK:       st.shared.b32
; OFF-LABEL: .visible .entry k(
; OFF:       cvta.shared.u64
; OFF-NOT:   {{(ld|st)}}.shared
; OFF:       ld.b32
; OFF:       st.b32
define ptx_kernel void @k(i32 %i) {
  %g = addrspacecast ptr addrspace(3) @s to ptr
  %q = getelementptr i32, ptr %g, i32 %i
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  ret void
}
