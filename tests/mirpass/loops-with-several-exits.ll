; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; Copies of a loop with several exits would share neither loads nor conditions: ptxas is told not to unroll it, unless the program
; wants it unrolled. Its last branch goes back by an @%p, as ptxas heeds the pragma only there.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry search(
; CHECK:       [[LOOP:\$L__BB0_[0-9]+]]:
; CHECK:       .pragma "nounroll";
; CHECK:       @%p{{[0-9]+}} bra [[LOOP]];
define ptx_kernel void @search(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  %x = load volatile i32, ptr addrspace(1) %at
  %found = icmp eq i32 %x, 7
  br i1 %found, label %end, label %next
next:
  %j = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %j, 8
  br i1 %last, label %end, label %loop
end:
  %r = phi i32 [ %i, %loop ], [ -1, %next ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: .entry wanted(
; CHECK-NOT:   .pragma
; CHECK:       ret;
define ptx_kernel void @wanted(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  %x = load volatile i32, ptr addrspace(1) %at
  %found = icmp eq i32 %x, 7
  br i1 %found, label %end, label %next
next:
  %j = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %j, 8
  br i1 %last, label %end, label %loop, !llvm.loop !0
end:
  %r = phi i32 [ %i, %loop ], [ -1, %next ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

; One exit: ptxas decides.
; CHECK-LABEL: .entry counted(
; CHECK-NOT:   .pragma
; CHECK:       ret;
define ptx_kernel void @counted(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store volatile i32 %i, ptr addrspace(1) %at
  %j = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %j, 8
  br i1 %last, label %end, label %loop
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
