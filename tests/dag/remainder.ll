; The remainder where the divisor is known to be finite: no test for infinity, and one rounding of x - trunc(x / y) * y.
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/remainder.launch.json -mcpu=sm_90
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: finite(
; CHECK:       div.rn.f32
; CHECK-NEXT:  cvt.rzi.f32.f32
; CHECK-NEXT:  neg.f32
; CHECK-NEXT:  fma.rn.f32
; CHECK-NEXT:  st.param
define float @finite(float %a, float %b) {
  %r = frem ninf float %a, %b
  ret float %r
}

; CHECK-LABEL: any(
; CHECK:       testp.infinite.f64
define double @any(double %a, double %b) {
  %r = frem double %a, %b
  ret double %r
}

; CHECK-LABEL: number(
; CHECK-NOT:   testp
; CHECK:       fma.rn.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 0dC01C000000000000, %rd
define double @number(double %a) {
  %r = frem double %a, 7.0
  ret double %r
}

; A half is computed in f32.
; CHECK-LABEL: half(
; CHECK-NOT:   testp
; CHECK:       fma.rn.f32
define half @half(half %a, half %b) {
  %r = frem ninf half %a, %b
  ret half %r
}

; CHECK-LABEL: infinity(
; CHECK:       testp.infinite
define float @infinity(float %a) {
  %r = frem float %a, 0x7FF0000000000000
  ret float %r
}

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %a = load float, ptr addrspace(1) %p
  %x = call float @finite(float %a, float 2.5)
  %wide = fpext float %a to double
  %y = call double @number(double %wide)
  %z = fptrunc double %y to float
  %v = fsub float %x, %z
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %v, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
