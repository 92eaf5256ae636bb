; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o %t.ptx && ptxas -arch=sm_90 -c %t.ptx -o /dev/null
; A call by another type is direct where the parameters come to the same.
target triple = "nvptx64-nvidia-cuda"
declare i32 @f(ptr, i32)
declare void @g(i32)

; CHECK-LABEL: same(
; CHECK-NOT: .callprototype
; CHECK: call.uni (retval0), f,
define i32 @same(i64 %a, i32 %b) {
  %r = call i32 @f(i64 %a, i32 %b)
  ret i32 %r
}
; CHECK-LABEL: other(
; CHECK: .callprototype
define void @other(i64 %a) {
  call void @g(i64 %a)
  ret void
}
