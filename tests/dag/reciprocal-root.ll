; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefixes=CHECK,APPROX,RN
; RUN: ptxscope compile %s -mcpu=sm_90 -nvptx-prec-sqrtf32=0 -o - | filecheck %s --check-prefixes=CHECK,APPROX,SQRT
; RUN: ptxscope compile %s -mcpu=sm_90 -nvptx-rsqrt-approx-opt=0 -o - | filecheck %s --check-prefixes=CHECK,PLAIN,RN
; RUN: ptxscope compile %s -mcpu=sm_90 -denormal-fp-math-f32=preserve-sign -o - | filecheck %s --check-prefix=FTZ
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)

; CHECK-LABEL: intrinsic(
; APPROX: rsqrt.approx.f32 	%r2, %r1;
; PLAIN:  sqrt.approx.f32
; PLAIN:  rcp.rn.f32
define float @intrinsic(float %a) {
  %s = call float @llvm.nvvm.sqrt.approx.f(float %a)
  %r = fdiv float 1.0, %s
  ret float %r
}
; CHECK-LABEL: plain(
; RN:   sqrt.rn.f32
; RN:   rcp.rn.f32
; SQRT: rsqrt.approx.f32
; FTZ-LABEL: plain(
; FTZ:  sqrt.rn.ftz.f32
; FTZ:  rcp.rn.ftz.f32
define float @plain(float %a) {
  %s = call float @llvm.sqrt.f32(float %a)
  %r = fdiv float 1.0, %s
  ret float %r
}
; CHECK-LABEL: fast(
; APPROX: rsqrt.approx.f64
define double @fast(double %a) {
  %s = call fast double @llvm.sqrt.f64(double %a)
  %r = fdiv fast double 1.0, %s
  ret double %r
}
