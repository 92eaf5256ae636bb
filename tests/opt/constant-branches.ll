; RUN: ptxscope compile %s --run-pass=unreachableblockelim --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -O0 -o - | filecheck %s --check-prefix=PTX
; Branches and switches on constants go one way, without optimisation too.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @branch(
; CHECK: br label %yes
; CHECK: yes:
; CHECK: ret i32 1
; CHECK-NOT: ret i32
; CHECK: }
; PTX-LABEL: branch(
; PTX-NOT: setp
; PTX-NOT: mov.pred
; PTX: ret;
define i32 @branch() {
  br i1 true, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK-LABEL: @wide(
; CHECK: br label %third
; CHECK: third:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: ret i32 30
define i32 @wide() {
  switch i128 18446744073709551616, label %end [
    i128 0, label %first
    i128 1, label %first
    i128 18446744073709551616, label %third
  ]
first:
  br label %end
third:
  br label %end
end:
  %v = phi i32 [ 0, %0 ], [ 10, %first ], [ 30, %third ]
  ret i32 %v
}

; Both edges lead to one block: one entry of its phi goes.
; CHECK-LABEL: @both(
; CHECK: br label %end
; CHECK: ret i32 %a
define i32 @both(i32 %a) {
  br i1 false, label %end, label %end
end:
  %v = phi i32 [ %a, %0 ], [ %a, %0 ]
  ret i32 %v
}

; A condition that nobody knows stays.
; CHECK-LABEL: @unknown(
; CHECK: br i1 %c, label %yes, label %no
define i32 @unknown(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
