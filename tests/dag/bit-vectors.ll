; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/bit-vectors.launch.json
; RUN: ptxscope check %s --launch=%p/bit-vectors.launch.json -O0
; RUN: ptxscope run %s --launch=%p/bit-vectors.launch.json --json | filecheck %s --check-prefix=VALUES
; Elements that do not fill bytes lie bit by bit in memory.
target triple = "nvptx64-nvidia-cuda"

; CHECK: .b8 g[1] = {13};
; CHECK: .b8 h[4] = {1, 193, 255, 7};
@g = addrspace(1) constant <4 x i1> <i1 1, i1 0, i1 1, i1 1>
@h = addrspace(1) constant <4 x i7> <i7 1, i7 2, i7 -1, i7 63>

; VALUES: "io":{{.*}}"values":[10,13,134201474]
; CHECK-LABEL: .entry k(
; CHECK: ld.global.b8
; CHECK: st.global.b8
; CHECK: st.global.b8
; CHECK-NOT: st.global.b8
; CHECK: st.global.b32
define void @k(ptr addrspace(1) %io) {
  %q = getelementptr i8, ptr addrspace(1) %io, i64 4
  %r = getelementptr i8, ptr addrspace(1) %io, i64 8
  %b = load <4 x i1>, ptr addrspace(1) %io
  %n = xor <4 x i1> %b, <i1 1, i1 1, i1 1, i1 1>
  store <4 x i1> %n, ptr addrspace(1) %io
  %g = load <4 x i1>, ptr addrspace(1) @g
  store <4 x i1> %g, ptr addrspace(1) %q
  %h = load <4 x i7>, ptr addrspace(1) @h
  %s = shufflevector <4 x i7> %h, <4 x i7> poison, <4 x i32> <i32 1, i32 0, i32 2, i32 3>
  store <4 x i7> %s, ptr addrspace(1) %r
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
