; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s

; One initialiser holds a variable and an expression over it: both move, once each.

target triple = "nvptx64-nvidia-cuda"

@a = internal global [4 x i32] zeroinitializer
; CHECK: .u64 b[3] = {generic(a)+8, generic(a), generic(a)+8};
@b = global [3 x ptr] [ptr getelementptr (i8, ptr @a, i64 8), ptr @a, ptr getelementptr (i8, ptr @a, i64 8)]
; CHECK: .u64 c[4] = {generic(a), generic(a)+4, 0, generic(a)};
@c = global { ptr, [2 x ptr], ptr } { ptr @a, [2 x ptr] [ptr getelementptr (i8, ptr @a, i64 4), ptr null], ptr @a }
