; The slot is alive through the diamonds behind the store, which are one passage, and meets what the entry stored at the loop's header.
; RUN: ptxscope compile %s -run-pass=mem2reg -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @f(
; CHECK:       h:
; CHECK-NEXT:    [[S:%s[0-9]*]] = phi i32 [ 0, %entry ], [ %v, %latch ]
; CHECK-NEXT:    %v = add i32 [[S]], %a
; CHECK-NOT:     phi
; CHECK:       latch:
; CHECK-NEXT:    br i1 %d, label %h, label %e
; CHECK:       e:
; CHECK-NEXT:    ret i32 %v
define i32 @f(ptr %p, i32 %a, i1 %c, i1 %d) {
entry:
  %s = alloca i32
  store i32 0, ptr %s
  br label %h
h:
  %o = load i32, ptr %s
  %v = add i32 %o, %a
  store i32 %v, ptr %s
  br label %b0
b0:
  br i1 %c, label %t0, label %b1
t0:
  store volatile i32 0, ptr %p
  br label %b1
b1:
  br i1 %c, label %t1, label %b2
t1:
  store volatile i32 1, ptr %p
  br label %b2
b2:
  br i1 %c, label %t2, label %latch
t2:
  store volatile i32 2, ptr %p
  br label %latch
latch:
  br i1 %d, label %h, label %e
e:
  %r = load i32, ptr %s
  ret i32 %r
}
