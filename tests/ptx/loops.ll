; Labels only where a branch names them; comments say which loop a block is in; "nounroll" where the IR asks for it.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry nest(
; CHECK:      // %bb.0: // %entry
; CHECK:      $L__BB0_1: // %outer
; CHECK-NEXT: // =>This Loop Header: Depth=1
; CHECK-NEXT: // Child Loop BB0_2 Depth 2
; CHECK:      $L__BB0_2: // %inner
; CHECK-NEXT: // Parent Loop BB0_1 Depth=1
; CHECK-NEXT: // => This Inner Loop Header: Depth=2
; CHECK-NEXT: .pragma "nounroll";
; CHECK:      st.volatile
; CHECK:      @%p{{[0-9]+}} bra $L__BB0_2;
; CHECK-NEXT: // %bb.3: // %next
; CHECK-NEXT: // in Loop: Header=BB0_1 Depth=1
; CHECK:      @%p{{[0-9]+}} bra $L__BB0_1;
; CHECK-NEXT: // %bb.4: // %exit
; CHECK-NEXT: ret;
define ptx_kernel void @nest(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %j1 = add i32 %j, 1
  store volatile i32 %j, ptr %p
  %c = icmp slt i32 %j1, %n
  br i1 %c, label %inner, label %next, !llvm.loop !0
next:
  %i1 = add i32 %i, 1
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
