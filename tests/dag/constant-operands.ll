; An operand that becomes a constant after its user was made moves to where constants stand.
; RUN: ptxscope compile %s -O0 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -O3 -verify-machineinstrs -o - | filecheck %s

; CHECK-LABEL: f(
; CHECK-NOT: pred %p{{[0-9]+}}, {{[-0-9]}}
; CHECK: ret;
define i64 @f(i32 %x) {
  %w = zext i32 %x to i95
  %v = insertelement <3 x i95> poison, i95 %w, i32 1
  %s = shufflevector <3 x i95> %v, <3 x i95> poison, <3 x i32> <i32 1, i32 0, i32 1>
  %c = icmp ugt <3 x i95> %s, poison
  %e = extractelement <3 x i1> %c, i32 0
  %r = select i1 %e, i64 0, i64 7
  ret i64 %r
}
