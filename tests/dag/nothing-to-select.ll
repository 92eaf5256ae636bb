; A module in which nothing is selected at all.
; RUN: ptxscope compile %s -O0 -o - | filecheck %s
; RUN: ptxscope compile %s -O3 -o - | filecheck %s

; CHECK: .func foo()
; CHECK: exit;
define internal void @foo() {
  unreachable
}
