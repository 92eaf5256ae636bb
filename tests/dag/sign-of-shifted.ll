; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; The sign of a shifted number is that of the number, so it need not wait for the shift.
; CHECK-LABEL: f(
; CHECK-DAG:   ld.param.b32 [[X:%r[0-9]+]], [f_param_0];
; CHECK-DAG:   shr.s32 [[S:%r[0-9]+]], [[X]], %r{{[0-9]+}};
; CHECK-DAG:   shr.u32 [[N:%r[0-9]+]], [[X]], 31;
; CHECK:       add.s32 %r{{[0-9]+}}, {{%r[0-9]+, %r[0-9]+}};
define i32 @f(i32 %x, i32 %n) {
  %s = ashr i32 %x, %n
  %g = lshr i32 %s, 31
  %r = add i32 %s, %g
  ret i32 %r
}
