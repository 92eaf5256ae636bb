; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s

; The product's overflow check extends a byte that the block has extended before: that node is gone by then, and is made anew.

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .func f(
; CHECK: mul
; CHECK: setp.
define void @f(i8 %a, i8 %b, ptr %p, i1 %c, i32 %tid) {
  br i1 %c, label %one, label %two
one:
  %n = call i8 @llvm.ctpop.i8(i8 %a)
  br label %two
two:
  %v = phi i8 [ %n, %one ], [ 127, %0 ]
  %z = zext i8 %v to i32
  store i32 %z, ptr %p
  %l = load <4 x i32>, ptr %p, align 1
  %m = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %v, i8 %v)
  %o = extractvalue { i8, i1 } %m, 1
  br i1 %o, label %three, label %four
three:
  store volatile <4 x i32> %l, ptr %p, align 1
  br label %four
four:
  ret void
}
