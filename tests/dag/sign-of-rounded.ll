; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/sign-of-rounded.launch.json -mcpu=sm_80
; RUN: ptxscope check %s --launch=%p/sign-of-rounded.launch.json -mcpu=sm_50
; RUN: ptxscope check %s --launch=%p/sign-of-rounded.launch.json -mcpu=sm_80 -O0
; The sign of a number that is rounded is its own sign.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: .entry k(
; CHECK-NOT: cvt.rn
; CHECK: copysign.f32
; CHECK-NOT: cvt.rn
; CHECK: ret;
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %in, i32 %t
  %d = load double, ptr %p
  %e = load float, ptr %p
  %f = fptrunc double %d to float
  %h = fptrunc double %d to half
  %b = fptrunc float %e to bfloat
  %q = getelementptr { float, half, bfloat }, ptr %out, i32 %t
  %q1 = getelementptr i8, ptr %q, i64 4
  %q2 = getelementptr i8, ptr %q, i64 6
  %r = call float @llvm.copysign.f32(float 2.0, float %f)
  %r1 = call half @llvm.copysign.f16(half 2.0, half %h)
  %r2 = call bfloat @llvm.copysign.bf16(bfloat 2.0, bfloat %b)
  store float %r, ptr %q
  store half %r1, ptr %q1
  store bfloat %r2, ptr %q2
  ret void
}
declare float @llvm.copysign.f32(float, float)
declare half @llvm.copysign.f16(half, half)
declare bfloat @llvm.copysign.bf16(bfloat, bfloat)
