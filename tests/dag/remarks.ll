; RUN: ptxscope compile %s -mcpu=sm_90 -pass-remarks=isel -o /dev/null 2>&1 | filecheck %s
; Each instruction says what it was selected from: a row of patterns, or the operation.
target triple = "nvptx64-nvidia-cuda"
; CHECK-DAG: add.s32 from (add a b)
; CHECK-DAG: setp.lt.s32 from setcc
; CHECK-DAG: ld.b32 from load
; CHECK-DAG: cvt.rn.f32.s32 from sint_to_fp
define float @f(ptr %p, i32 %a) {
  %x = load i32, ptr %p
  %s = add i32 %x, %a
  %c = icmp slt i32 %x, %a
  %r = select i1 %c, i32 %s, i32 9
  %f = sitofp i32 %r to float
  ret float %f
}
