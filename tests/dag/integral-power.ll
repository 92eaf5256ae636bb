; RUN: ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/integral-power.launch.json -mcpu=sm_80 --json | filecheck %s --check-prefix=RESULT
; RUN: not ptxscope compile %p/integral-power-other.txt -mcpu=sm_80 -o - 2>&1 | filecheck %s --check-prefix=OTHER
; A power whose exponent is known is a product of squares.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: tenth(
; CHECK-COUNT-4: mul.rn.f32
; CHECK-NEXT: rcp.rn.f32
; CHECK-NEXT: st.param
define float @tenth(float %a) {
  %r = call float @llvm.powi.f32.i32(float %a, i32 -10)
  ret float %r
}
; CHECK-LABEL: square(
; CHECK: mul.rn.f16x2
; CHECK-NEXT: st.param
define <2 x half> @square(<2 x half> %a) {
  %r = call contract <2 x half> @llvm.powi.v2f16.i32(<2 x half> %a, i32 2)
  ret <2 x half> %r
}
; CHECK-LABEL: none(
; CHECK: 0x3C00
define half @none(half %a) {
  %r = call half @llvm.powi.f16.i32(half %a, i32 0)
  ret half %r
}
; OTHER: llvm.powi.f32.i32 is a function of the math library

; 3^3, 3^-10, and 2^5 of f64
; RESULT: [27,0.000016935{{[0-9]*}},32]
define ptx_kernel void @k(ptr addrspace(1) %p, float %x, double %y) {
  %a = call float @llvm.powi.f32.i32(float %x, i32 3)
  %b = call float @tenth(float %x)
  %c = call double @llvm.powi.f64.i16(double %y, i16 5)
  %d = fptrunc double %c to float
  store float %a, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %b, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %p, i64 2
  store float %d, ptr addrspace(1) %r
  ret void
}
declare float @llvm.powi.f32.i32(float, i32)
declare <2 x half> @llvm.powi.v2f16.i32(<2 x half>, i32)
declare half @llvm.powi.f16.i32(half, i32)
declare double @llvm.powi.f64.i16(double, i16)
