; RUN: ptxscope compile %s -mcpu=sm_90 -stop-after=finalize-isel -o - 2>&1 | filecheck %s
; ROWS: ANA-05

; !prof of a branch becomes the probabilities of its edges; weights that are all 0 are ignored with a warning.

; CHECK:      warning: in 'k': the branch weights are all 0: they are ignored
; CHECK:      bb.0.entry:
; CHECK-NEXT:   successors: %bb.1(0x60000000), %bb.2(0x20000000)
; CHECK:      bb.1.a:
; CHECK-NEXT:   successors: %bb.3(0x80000000)
; CHECK:      bb.2.b:
; CHECK-NEXT:   successors: %bb.1, %bb.3
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %c = icmp slt i32 %n, 7
  br i1 %c, label %a, label %b, !prof !0
a:
  store i32 1, ptr %p
  br label %x
b:
  store i32 2, ptr %p
  %d = icmp eq i32 %n, 9
  br i1 %d, label %a, label %x, !prof !1
x:
  ret void
}
!0 = !{!"branch_weights", !"expected", i32 3, i32 1}
!1 = !{!"branch_weights", i32 0, i32 0}
