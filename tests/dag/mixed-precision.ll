; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx86 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx86 -nvptx-f32ftz -o - | filecheck %s --check-prefix=FTZ
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope check %s -mcpu=sm_100 -mattr=+ptx86 --launch=%p/mixed-precision.launch.json
; A sum of an f32 and an extended half is one instruction from sm_100 on, which does not flush subnormals.
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: .entry k(
; CHECK-DAG: add.rn.f32.f16
; CHECK-DAG: sub.rn.f32.bf16
; CHECK-DAG: fma.rn.f32.f16
; CHECK-NOT: cvt.f32
; CHECK: ret;
; FTZ-NOT: f32.f16 %f{{[0-9]+}}, %rs{{[0-9]+}}, %f
; OLD-NOT: .f32.f16 %f{{[0-9]+}}, %rs{{[0-9]+}}, %
define void @k(ptr addrspace(1) %h, ptr addrspace(1) %f) {
  %h1 = getelementptr half, ptr addrspace(1) %h, i32 1
  %h2 = getelementptr half, ptr addrspace(1) %h, i32 2
  %a = load half, ptr addrspace(1) %h
  %b = load half, ptr addrspace(1) %h1
  %c = load bfloat, ptr addrspace(1) %h2
  %x = load float, ptr addrspace(1) %f
  %a1 = fpext half %a to float
  %s = fadd float %a1, %x
  %b1 = fpext half %b to float
  %h3 = getelementptr half, ptr addrspace(1) %h, i32 3
  %e = load half, ptr addrspace(1) %h3
  %b2 = fpext half %e to float
  %m = call float @llvm.fma.f32(float %b1, float %b2, float %s)
  %c1 = fpext bfloat %c to float
  %d = fsub float %c1, %m
  store float %d, ptr addrspace(1) %f
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
