; What lives across a call is in a register that the function saves: a cheap value is computed again behind it, and stays so.
; RUN: ptxscope compile %s -run-pass=nvvm-remat -o - | filecheck %s
; RUN: ptxscope compile %s -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -enable-new-nvvm-remat=false -o - | filecheck %s --check-prefix=OFF
target triple = "nvptx64-nvidia-cuda"

declare i32 @g(i32)

; CHECK-LABEL: define i32 @f(
; CHECK:       h:
; CHECK:         call i32 @g
; CHECK:       latch:
; CHECK:         [[N:%[a-z.0-9]+]] = and i32 %m, 3
; CHECK:         icmp eq i32 %j, [[N]]
; PTX-LABEL:   .func (.param .b32 func_retval0) f(
; PTX:         call.uni
; PTX:         and.b32 [[N:%r[0-9]+]], {{%r[0-9]+}}, 3;
; PTX:         setp.{{eq|ne}}.s32 {{%p[0-9]+}}, {{%r[0-9]+}}, [[N]];
; OFF-LABEL:   .func (.param .b32 func_retval0) f(
; OFF:         and.b32
; OFF:         call.uni
; OFF-NOT:     and.b32
; OFF:         ret;
define i32 @f(i32 %m, ptr %p) {
entry:
  %n = and i32 %m, 3
  %e = icmp eq i32 %n, 0
  br i1 %e, label %out, label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = load volatile i1, ptr %p
  br i1 %c, label %more, label %latch
more:
  %v = call i32 @g(i32 %i)
  store volatile i32 %v, ptr %p
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %out, label %h
out:
  %r = phi i32 [ 0, %entry ], [ %m, %latch ]
  ret i32 %r
}

; A kernel has nobody to save registers for, and in a loop without a call each round would pay.
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-COUNT-1: and i32 %m, 3
; CHECK-NOT:   and i32
; CHECK-LABEL: define i32 @t(
define ptx_kernel void @k(i32 %m, ptr %p) {
entry:
  %n = and i32 %m, 3
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %v = call i32 @g(i32 %i)
  store volatile i32 %m, ptr %p
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %out, label %h
out:
  ret void
}

; CHECK-COUNT-1: and i32 %m, 3
; CHECK-NOT:   and i32
define i32 @t(i32 %m, ptr %p) {
entry:
  %n = and i32 %m, 3
  br label %h0
h0:
  %v = call i32 @g(i32 %m)
  br label %h
h:
  %i = phi i32 [ 0, %h0 ], [ %j, %latch ]
  store volatile i32 %m, ptr %p
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %out, label %h
out:
  ret i32 %v
}
