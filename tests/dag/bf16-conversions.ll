; RUN: ptxscope compile %s -mcpu=sm_89 -mattr=+ptx78 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_89 -mattr=+ptx78 -O0 -o - | filecheck %s
; Before sm_90, bf16 is converted by way of f32, also where two operations share it.
target triple = "nvptx64-nvidia-cuda"
declare i64 @llvm.fptosi.sat.i64.bf16(bfloat)

; CHECK-LABEL: both(
; CHECK-NOT: s64.bf16
; CHECK: cvt.rzi.s64.f32
; CHECK-NOT: s64.bf16
; CHECK-LABEL: widened(
; CHECK-NOT: f64.bf16
; CHECK: cvt.f64.f32
; CHECK-NOT: f64.bf16
define i64 @both(i32 %n) {
  %x = sitofp i32 %n to bfloat
  %s = call i64 @llvm.fptosi.sat.i64.bf16(bfloat %x)
  %t = fptosi bfloat %x to i64
  %r = sub i64 %s, %t
  ret i64 %r
}

define float @widened(i32 %n) {
  %x = sitofp i32 %n to bfloat
  %d = fpext bfloat %x to double
  %c = fcmp ugt double %d, 0xFFF0000000000000
  %e = fpext bfloat %x to float
  %r = select i1 %c, float %e, float 0x3FF0000060000000
  ret float %r
}
