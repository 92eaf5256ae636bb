; A sum with a rounding of its own, of a number and a negated one, is a difference.
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/rounded-differences.launch.json -mcpu=sm_90
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK-NOT:   neg
; CHECK:       sub.rz.f32
; CHECK-NOT:   neg
; CHECK:       sub.rp.ftz.f32
; CHECK-NOT:   neg
; CHECK:       sub.rm.sat.f32
; CHECK:       neg.f64
; CHECK:       sub.rm.f64
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %a = load float, ptr addrspace(1) %p
  %p2 = getelementptr float, ptr addrspace(1) %p, i32 1
  %b = load float, ptr addrspace(1) %p2
  %n1 = fneg float %b
  %r1 = call float @llvm.nvvm.add.rz.f(float %a, float %n1)
  %n2 = fneg float %r1
  %r2 = call float @llvm.nvvm.add.rp.ftz.f(float %n2, float %b)
  %n3 = fneg float %a
  %r3 = call float @llvm.nvvm.add.rm.sat.f(float %r2, float %n3)
  %c = fpext float %a to double
  %n4 = fneg double %c
  %d = fpext float %r3 to double
  %n5 = fneg double %d
  %r4 = call double @llvm.nvvm.add.rm.d(double %n4, double %n5)
  %v = fptrunc double %r4 to float
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %v, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.add.rz.f(float, float)
declare float @llvm.nvvm.add.rp.ftz.f(float, float)
declare float @llvm.nvvm.add.rm.sat.f(float, float)
declare double @llvm.nvvm.add.rm.d(double, double)
