; Calls that are about the function that makes them stay in it.
; RUN: ptxscope compile %s -mcpu=sm_70 --run-pass=always-inliner --verify-each -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.experimental.deoptimize.i32(...)
declare void @llvm.localescape(...)
declare token @llvm.experimental.convergence.entry()

define i32 @deoptimizes() alwaysinline {
  %r = call i32 (...) @llvm.experimental.deoptimize.i32(i32 1) [ "deopt"() ]
  ret i32 %r
}
define void @escapes() alwaysinline {
  %a = alloca i32
  call void (...) @llvm.localescape(ptr %a)
  ret void
}
define void @converges() alwaysinline convergent {
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
; CHECK-LABEL: define i32 @caller(
; CHECK: call i32 @deoptimizes()
; CHECK: call void @escapes()
; CHECK: call void @converges()
define i32 @caller(i32 %n) {
  %r = call i32 @deoptimizes()
  call void @escapes()
  call void @converges()
  %s = add i32 %r, %n
  ret i32 %s
}
