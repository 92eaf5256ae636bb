; lower-libm: approximations where the call allows them, else CUDA's library where the module has it.
; RUN: ptxscope compile %s -mcpu=sm_80 -stop-after=lower-libm -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @exponential
; CHECK: %[[#S:]] = fmul afn float %x, 0x3FF7154760000000
; CHECK: call afn float @llvm.exp2.f32(float
; PTX-LABEL: .func (.param .b32 func_retval0) exponential(
; PTX: mul.rn.f32 {{.*}}, 0f3FB8AA3B;
; PTX: ex2.approx.f32
define float @exponential(float %x) {
  %r = call afn float @llvm.exp.f32(float %x)
  ret float %r
}

; PTX-LABEL: .func (.param .b32 func_retval0) decimal(
; PTX: lg2.approx.f32 [[L:%r[0-9]+]],
; PTX: mul.rn.f32 {{.*}}, [[L]], 0f3E9A209B;
define float @decimal(float %x) {
  %r = call afn float @llvm.log10.f32(float %x)
  ret float %r
}

; PTX-LABEL: .func (.param .b32 func_retval0) power(
; PTX: lg2.approx.f32 [[L:%r[0-9]+]],
; PTX: mul.rn.f32 [[M:%r[0-9]+]], {{.*}}, [[L]];
; PTX: ex2.approx.f32 {{.*}}, [[M]];
define float @power(float %x, float %y) {
  %r = call afn float @llvm.pow.f32(float %x, float %y)
  ret float %r
}

; PTX-LABEL: .func (.param .b32 func_retval0) tangent(
; PTX: sin.approx.f32
; PTX: cos.approx.f32
; PTX: div.approx.f32
define float @tangent(float %x) "unsafe-fp-math"="true" {
  %r = call float @llvm.tan.f32(float %x)
  ret float %r
}

; PTX-LABEL: hyperbolic(
; PTX: tanh.approx.f32
define half @hyperbolic(half %x) {
  %r = call afn half @llvm.tanh.f16(half %x)
  ret half %r
}

; CHECK-LABEL: define <2 x half> @sines
; CHECK-COUNT-2: call float @__nv_sinf(float
; CHECK-NOT: llvm.sin
define <2 x half> @sines(<2 x half> %x) {
  %r = call <2 x half> @llvm.sin.v2f16(<2 x half> %x)
  ret <2 x half> %r
}

; A definition will do, and powi has an integer.
; CHECK-LABEL: define double @powers
; CHECK: call double @__nv_pow(double %x, double %x)
; CHECK: call double @__nv_powi(double
define double @powers(double %x, i32 %n) {
  %r = call double @llvm.pow.f64(double %x, double %x)
  %s = call double @llvm.powi.f64.i32(double %r, i32 %n)
  ret double %s
}

declare float @__nv_sinf(float)
declare double @__nv_powi(double, i32)
define internal double @__nv_pow(double %a, double %b) {
  ret double %a
}
