; Halves have no .ftz between each other, also where floats flush their subnormals: ptxas refuses it.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --implicit-check-not=ftz.f16.f16

target triple = "nvptx64-nvidia-cuda"

; CHECK: cvt.rmi.f16.f16
define half @floor(half %a) #0 {
  %r = call half @llvm.floor.f16(half %a)
  ret half %r
}
; CHECK: cvt.rni.f16.f16
define half @rint(half %a) #0 {
  %r = call half @llvm.rint.f16(half %a)
  ret half %r
}
; CHECK: cvt.rpi.f16.f16
define half @ceil(half %a) #0 {
  %r = call half @llvm.ceil.f16(half %a)
  ret half %r
}
; CHECK: cvt.rzi.f16.f16
define half @trunc(half %a) #0 {
  %r = call half @llvm.trunc.f16(half %a)
  ret half %r
}
; CHECK: cvt.rmi.ftz.f32.f32
define float @single(float %a) #0 {
  %r = call float @llvm.floor.f32(float %a)
  ret float %r
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign" }
