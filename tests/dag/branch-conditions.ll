; RUN: ptxscope compile %s -mcpu=sm_90 -o - -verify-machineinstrs | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 --disable-branch-fold -o - | filecheck %s --check-prefix=PLAIN
target triple = "nvptx64-nvidia-cuda"

; One comparison serves the branch, turned round where that saves another, and those who read its result.
; CHECK-LABEL: twice(
; CHECK: setp.eq.s32 %[[P:p[0-9]+]], %r{{[0-9]+}}, 0;
; CHECK-NOT: setp
; CHECK: @!%[[P]] bra
; CHECK-NOT: bra.uni
; CHECK-NOT: setp
; CHECK: @!%[[P]] bra
; CHECK-NOT: bra.uni
; CHECK: ret;
; PLAIN-LABEL: twice(
; PLAIN: bra.uni
define void @twice(ptr %p, i32 %n) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %then, label %join
then:
  store volatile i32 1, ptr %p
  br label %join
join:
  call void @llvm.nvvm.barrier0()
  br i1 %c, label %last, label %end
last:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}

declare void @llvm.nvvm.barrier0()
