; A buffer of variable arguments has fixed sizes.
; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -passes=expand-variadics -o - 2>&1 | filecheck %s

target triple = "nvptx64-nvidia-cuda"

declare void @many(i32, ...)

; CHECK: scalable-variadic.ll:[[#@LINE+2]]:3: error: function 'f' has a scalable vector (call): a buffer of arguments has no room for it
define void @f(i32 %n) {
  call void (i32, ...) @many(i32 %n, <vscale x 2 x i32> zeroinitializer)
  ret void
}
