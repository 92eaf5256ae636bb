; A small math library, for math.ll.
; RUN: ptxscope fmt %s -o /dev/null

declare float @llvm.pow.f32(float, float)

define float @__nv_atanf(float %x) {
  ret float %x
}

define double @__nv_sin(double %x) {
  ret double %x
}

define float @__nv_tanhf(float %x) {
  ret float %x
}

define float @__nv_sinf(float %x) {
  ret float %x
}

define float @__nv_powf(float %x, float %y) {
  %r = fadd float %x, %y
  ret float %r
}

define float @from_library(float %x) {
  %r = call float @llvm.pow.f32(float %x, float %x)
  ret float %r
}
