; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; ptxas unrolls no loop that goes on or ends by an @!%p, so neither selection nor branch-folder turns such a
; branch round.
target triple = "nvptx64-nvidia-cuda"

; Two loops in one another: the inner one ends by a comparison that is needed elsewhere, so that it cannot be had the other way round.
; CHECK-LABEL: .entry nested(
; CHECK:       setp.eq.s32 [[E:%p[0-9]+]],
; CHECK-NOT:   @!
; CHECK:       @[[E]] bra [[OUT:\$L__BB0_[0-9]+]];
; CHECK-NEXT:  bra.uni [[IN:\$L__BB0_[0-9]+]];
; CHECK-NEXT:  [[OUT]]:
; CHECK:       ret;
define ptx_kernel void @nested(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %j, %inner ]
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %q
  %j = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %j, %n
  br i1 %e, label %next, label %inner
next:
  %one = zext i1 %e to i32
  %s = add i32 %one, %k
  %r = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %k
  store volatile i32 %s, ptr addrspace(1) %r
  %k1 = add nuw nsw i32 %k, 1
  %f = icmp slt i32 %k1, %n
  br i1 %f, label %outer, label %exit
exit:
  ret void
}

; Asked not to unroll, the loop is turned: a negated guard keeps it as it is, where ptxas does not heed the pragma.
; CHECK-LABEL: .entry rolled(
; CHECK:       .pragma "nounroll";
; CHECK:       @!%p{{[0-9]+}} bra
; CHECK:       ret;
define ptx_kernel void @rolled(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %j, %inner ]
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %q
  %j = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %j, %n
  br i1 %e, label %next, label %inner, !llvm.loop !0
next:
  %one = zext i1 %e to i32
  %s = add i32 %one, %k
  %r = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %k
  store volatile i32 %s, ptr addrspace(1) %r
  %k1 = add nuw nsw i32 %k, 1
  %f = icmp slt i32 %k1, %n
  br i1 %f, label %outer, label %exit
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
