; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 --stop-after=instsimplify -o - | filecheck %s --check-prefix=FOLD
; What is compared with an undefined value may equal it or not, so the branch may go either way, and it goes the shorter one. A
; store of an undefined value stores nothing; the address and the counter of the loop are not needed then.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func f(
; CHECK-NOT: add.
; CHECK-NOT: setp
; CHECK: @%p1 bra [[L:\$L__BB0_[0-9]+]];
; CHECK-NOT: bra
; CHECK: ret;

; FOLD-LABEL: define void @f(
; FOLD: br i1 undef,
; FOLD-LABEL: define i1 @less(
; FOLD: icmp ult i64 undef, %n
define void @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 undef, ptr %q
  %i1 = add i64 %i, 4
  %c = icmp eq i64 undef, %i1
  br i1 %c, label %end, label %loop
end:
  ret void
}

define i1 @less(i64 %n) {
  %c = icmp ult i64 undef, %n
  ret i1 %c
}
