; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=load-store-vectorizer --verify-each --check-claims -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; Pointers that lead to themselves, in code that is not reached: once an endless walk.
; CHECK-LABEL: define void @cycle
; CHECK: store i32 0, ptr %q
; CHECK: load i32, ptr %q
define void @cycle() {
  ret void
dead:
  %q = getelementptr i8, ptr %r, i64 4
  %r = getelementptr i8, ptr %q, i64 4
  store i32 0, ptr %q
  %l = load i32, ptr %q
  br label %dead
}

; Each address is made from the one before; more steps than are walked without remembering.
; CHECK-LABEL: define i32 @moved_on
; CHECK: %[[A:.*]] = load <2 x i32>, ptr %p, align 8
; CHECK: %[[B:.*]] = load <2 x i32>, ptr %p12, align 8
; CHECK-NOT: load i32
define i32 @moved_on(ptr align 8 %p) {
  %p1 = getelementptr i8, ptr %p, i64 4
  %p2 = getelementptr i8, ptr %p1, i64 4
  %p3 = getelementptr i8, ptr %p2, i64 4
  %p4 = getelementptr i8, ptr %p3, i64 4
  %p5 = getelementptr i8, ptr %p4, i64 4
  %p6 = getelementptr i8, ptr %p5, i64 4
  %p7 = getelementptr i8, ptr %p6, i64 4
  %p8 = getelementptr i8, ptr %p7, i64 4
  %p9 = getelementptr i8, ptr %p8, i64 4
  %p10 = getelementptr i8, ptr %p9, i64 4
  %p11 = getelementptr i8, ptr %p10, i64 4
  %p12 = getelementptr i8, ptr %p11, i64 4
  %p13 = getelementptr i8, ptr %p12, i64 4
  %a = load i32, ptr %p
  %b = load i32, ptr %p1
  %c = load i32, ptr %p12
  %d = load i32, ptr %p13
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  %u = add i32 %t, %d
  ret i32 %u
}

; An offset next to the end of the address space: no sum of it is formed.
; CHECK-LABEL: define void @far
; CHECK-COUNT-3: store i32
define void @far(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 9223372036854775804
  %r = getelementptr i8, ptr %p, i64 -9223372036854775808
  store i32 1, ptr %p
  store i32 2, ptr %q
  store i32 3, ptr %r
  ret void
}
