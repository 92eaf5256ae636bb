; In unreachable code a pointer may be computed from itself: looking for the base of one ends all the same.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK:       st.b32
; CHECK-NOT:   st
; CHECK:       ret;
define void @f(ptr %q) {
entry:
  store i32 1, ptr %q
  ret void
dead:
  %p = getelementptr i8, ptr %p, i64 8
  %p2 = getelementptr i8, ptr %p, i64 4
  store i32 5, ptr %p, align 4
  store i32 6, ptr %p2, align 4
  br label %dead
}
