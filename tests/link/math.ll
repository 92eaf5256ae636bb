; Calls of math intrinsics that cannot be approximated get the library's functions, also where they carry afn: there is no instruction
; for atan, none for double, tanh needs sm_75 and PTX 7.0, and the attribute or the knob may allow all others. Functions of a library may call them, too.
; RUN: ptxscope compile %s --link=%p/math-library.ll -mcpu=sm_70 -stop-after=lower-libm -o - | filecheck %s
; RUN: ptxscope compile %s --link=%p/math-library.ll -mcpu=sm_80 -stop-after=lower-libm -o - | filecheck %s --check-prefix=TANH
; RUN: ptxscope compile %s --link=%p/math-library.ll -mcpu=sm_70 -enable-unsafe-fp-math -stop-after=lower-libm -o - | filecheck %s --check-prefix=UNSAFE --implicit-check-not=__nv_powf
; RUN: ptxscope compile %s --link=%p/math-library.ll -mcpu=sm_70 -o - | filecheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.atan.f32(float)
declare double @llvm.sin.f64(double)
declare float @llvm.tanh.f32(float)
declare float @llvm.sin.f32(float)
declare float @llvm.pow.f32(float, float)
declare float @from_library(float)

; The library's own function calls the intrinsic.
; CHECK: define internal float @from_library(
; CHECK: call {{.*}}float @__nv_powf(
; CHECK-LABEL: define float @arc(
; CHECK: call {{.*}}float @__nv_atanf(
; PTX-LABEL: arc(
define float @arc(float %x) {
  %r = call afn float @llvm.atan.f32(float %x)
  ret float %r
}

; CHECK-LABEL: define double @wide(
; CHECK: call {{.*}}double @__nv_sin(
define double @wide(double %x) {
  %r = call afn double @llvm.sin.f64(double %x)
  ret double %r
}

; CHECK-LABEL: define float @hyperbolic(
; CHECK: call {{.*}}float @__nv_tanhf(
; TANH-LABEL: define float @hyperbolic(
; TANH: call {{.*}}float @llvm.nvvm.tanh.approx.f32(
; TANH-NOT: __nv_tanhf
define float @hyperbolic(float %x) {
  %r = call afn float @llvm.tanh.f32(float %x)
  ret float %r
}

; No afn: only the attribute or the knob allows an approximation, so that the function is not needed.
; CHECK-LABEL: define float @by_attribute(
; CHECK: call {{.*}}float @llvm.sin.f32(
; CHECK-NOT: __nv_sinf
define float @by_attribute(float %x) "unsafe-fp-math"="true" {
  %r = call float @llvm.sin.f32(float %x)
  ret float %r
}

; CHECK-LABEL: define float @library(
; UNSAFE-LABEL: define float @library(
define float @library(float %x) {
  %r = call float @from_library(float %x)
  ret float %r
}

; CHECK: define internal float @__nv_powf(
