; RUN: ptxscope compile %s -passes=simplifycfg -check-claims -o - | filecheck %s
; Blocks that nothing leads to go, also where the function has no branch.
target triple = "nvptx64-nvidia-cuda"

; CHECK: define i32 @f(i32 %a) {
; CHECK-NEXT: ret i32 %a
; CHECK-NEXT: }
define i32 @f(i32 %a) {
  ret i32 %a

b:
  ret i32 0
}
