; Variadic functions of other targets: the last argument is inalloca, slots have a space of their own, a call of an intrinsic ends one.
; RUN: ptxscope compile %s -mcpu=sm_70 --run-pass=expand-variadics --verify-each -o - | filecheck %s
target datalayout = "e-p:64:64-i64:64-A5"
target triple = "nvptx64-nvidia-cuda"
%T = type { i32, i32 }
declare void @llvm.icall.branch.funnel(...)

; CHECK: define i32 @callee(ptr %t, ptr %varargs)
define i32 @callee(ptr inalloca(%T) %t, ...) {
  %v = load i32, ptr %t
  ret i32 %v
}

; CHECK-LABEL: define i32 @caller(
; CHECK: %vararg_buffer = alloca [4 x i8], align 4, addrspace(5)
; CHECK-NEXT: %[[B:[0-9]+]] = addrspacecast ptr addrspace(5) %vararg_buffer to ptr
; CHECK: call i32 @callee(ptr %g, ptr null)
; CHECK: store i32 %n, ptr %[[B]], align 4
; CHECK: call i32 @printf(ptr null, ptr %[[B]])
define i32 @caller(i32 %n) {
  %a = alloca inalloca %T, addrspace(5)
  %g = addrspacecast ptr addrspace(5) %a to ptr
  %r = call i32 (ptr, ...) @callee(ptr inalloca(%T) %g)
  %s = call i32 (ptr, ...) @printf(ptr null, i32 %n)
  ret i32 %r
}
declare i32 @printf(ptr, ...)

; CHECK-LABEL: define void @funnel(ptr %varargs) {
; CHECK-NEXT: call void (...) @llvm.icall.branch.funnel()
define void @funnel(...) {
  musttail call void (...) @llvm.icall.branch.funnel(...)
  ret void
}
