; Code behind the end of the thread, and functions in which nothing is left to select.
; RUN: ptxscope compile %s -O0 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -O3 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -O3 -do-cssa=0 -verify-machineinstrs -o - | filecheck %s

define internal void @nothing() {
  unreachable
}

; CHECK-LABEL:  goes_on(
; CHECK: exit;
; CHECK: mov
; CHECK: st.param
define i32 @goes_on(i32 %x, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %y = mul i32 %x, 3
  br label %join
no:
  call void @llvm.nvvm.exit()
  br label %join
join:
  %r = phi i32 [ %y, %yes ], [ %x, %no ]
  %s = add i32 %r, %x
  ret i32 %s
}

; CHECK-LABEL: .func ends(
; CHECK: exit;
define void @ends() {
  call void @llvm.nvvm.exit()
  unreachable
}

declare void @llvm.nvvm.exit()
