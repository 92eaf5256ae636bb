; Without the library, and without leave to approximate, a message says what would help. Only sm_75 has tanh.approx.
; RUN: not ptxscope compile %s -mcpu=sm_70 -o %t.ptx 2>&1 | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: [[#@LINE+3]]:{{.*}} error: in 'sine': llvm.sin.f32 is a function of the math library
; CHECK: hint: --libdevice links CUDA's; the flag afn on the call allows an approximation
define float @sine(float %x) {
  %r = call float @llvm.sin.f32(float %x)
  ret float %r
}

; CHECK: error: in 'wide': llvm.exp2.f64 is a function of the math library
define double @wide(double %x) {
  %r = call afn double @llvm.exp2.f64(double %x)
  ret double %r
}

; CHECK: error: in 'early': llvm.tanh.f32 is a function of the math library
define float @early(float %x) {
  %r = call afn float @llvm.tanh.f32(float %x)
  ret float %r
}

; A function of that name with other types is not the library's.
; CHECK: error: in 'other': llvm.cos.f32 is a function of the math library
define float @other(float %x) {
  %r = call float @llvm.cos.f32(float %x)
  ret float %r
}
declare double @__nv_cosf(double)
