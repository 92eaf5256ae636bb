; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=early-cse --verify-each --check-claims -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; What was known of memory above a branch is known again in the other branch, though a newer value stood for it in the first.
; CHECK-LABEL: define i32 @branches
; CHECK: %a = load i32, ptr %p
; CHECK-LABEL: yes:
; CHECK: store i32 %n, ptr %q
; CHECK: %b = load i32, ptr %p
; CHECK: ret i32 %b
; CHECK-LABEL: no:
; CHECK-NOT: load
; CHECK: ret i32 %a
define i32 @branches(ptr %p, ptr %q, i32 %n, i1 %c) {
  %a = load i32, ptr %p
  br i1 %c, label %yes, label %no
yes:
  store i32 %n, ptr %q
  %b = load i32, ptr %p
  %b2 = load i32, ptr %p
  ret i32 %b2
no:
  %d = load i32, ptr %p
  ret i32 %d
}

; A load of what nobody writes does not stand for one of what may be written, nor the other way round.
; CHECK-LABEL: define i32 @invariant
; CHECK: %a = load i32, ptr %p
; CHECK: %b = load i32, ptr %p, !invariant.load
; CHECK-NOT: %a2 = load
; CHECK: store i32 0, ptr %q
; CHECK-NOT: %b2 = load
; CHECK: %c = load i32, ptr %p
define i32 @invariant(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  %b = load i32, ptr %p, !invariant.load !0
  %a2 = load i32, ptr %p
  store i32 0, ptr %q
  %b2 = load i32, ptr %p, !invariant.load !0
  %c = load i32, ptr %p
  %s = add i32 %a, %b
  %t = add i32 %a2, %b2
  %u = add i32 %s, %t
  %v = add i32 %u, %c
  ret i32 %v
}

!0 = !{}
