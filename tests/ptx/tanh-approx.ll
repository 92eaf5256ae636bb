; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; libdevice has it; LLVM 19 does not know it.
; CHECK: tanh.approx.f32
declare float @llvm.nvvm.tanh.approx.f32(float)

define float @k(float %x) {
  %r = call float @llvm.nvvm.tanh.approx.f32(float %x)
  ret float %r
}
