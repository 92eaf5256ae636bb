; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; ptxas takes no number for an address: it stands in a register.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK: mbarrier.arrive_drop.noComplete.b64 	%rd{{[0-9]+}}, [%rd{{[0-9]+}}], 3;
define i64 @f() {
  %r = call i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete(ptr null, i32 3)
  ret i64 %r
}

declare i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete(ptr, i32)
