; Sums of an f32 and a half with a rounding of their own take the half as it is from sm_100 on.
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx86 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope check %s -mcpu=sm_100 -mattr=+ptx86 --launch=%p/mixed-rounded.launch.json
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK-NOT:   cvt.f32
; CHECK:       add.rz.f32.f16
; CHECK-NOT:   neg.f32
; CHECK:       sub.rm.f32.f16
; CHECK:       add.rp.sat.f32.f16
; CHECK:       fma.rm.f32.bf16
; CHECK:       fma.rz.sat.f32.bf16
; CHECK:       cvt.f32.f16
; CHECK:       add.rz.ftz.f32 %
; CHECK:       ret;
; OLD-NOT:     .f32.f16 %f{{[0-9]+}}, %rs{{[0-9]+}}, %
; OLD:         add.rz.f32 %
; OLD:         sub.rm.f32
; OLD:         fma.rz.sat.f32 %
define ptx_kernel void @k(ptr addrspace(1) %h, ptr addrspace(1) %f) {
  %h1 = getelementptr half, ptr addrspace(1) %h, i32 1
  %h2 = getelementptr half, ptr addrspace(1) %h, i32 2
  %h3 = getelementptr half, ptr addrspace(1) %h, i32 3
  %ah = load half, ptr addrspace(1) %h
  %bh = load bfloat, ptr addrspace(1) %h1
  %ch = load bfloat, ptr addrspace(1) %h2
  %eh = load half, ptr addrspace(1) %h3
  %x = load float, ptr addrspace(1) %f
  %a = fpext half %ah to float
  %r1 = call float @llvm.nvvm.add.rz.f(float %x, float %a)
  %n = fneg float %r1
  %r2 = call float @llvm.nvvm.add.rm.f(float %a, float %n)
  %r3 = call float @llvm.nvvm.add.rp.sat.f(float %a, float %r2)
  %b = fpext bfloat %bh to float
  %c = fpext bfloat %ch to float
  %r4 = call float @llvm.nvvm.fma.rm.f(float %b, float %c, float %r3)
  %r5 = call float @llvm.nvvm.fma.rz.sat.f(float %c, float %b, float %r4)
  %e = fpext half %eh to float
  %r6 = call float @llvm.nvvm.add.rz.ftz.f(float %e, float %r5)
  store float %r6, ptr addrspace(1) %f
  %f1 = getelementptr float, ptr addrspace(1) %f, i32 1
  store float %r2, ptr addrspace(1) %f1
  ret void
}
