; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/pairs-of-halves.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/pairs-of-halves.launch.json -mcpu=sm_75
; Two floats are rounded to two elements of one word by one instruction, which has the name of their format.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: .entry k(
; CHECK-DAG: cvt.rn.f16x2.f32
; CHECK-DAG: cvt.rn.bf16x2.f32
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %t
  %f = load <2 x float>, ptr addrspace(1) %p
  %h = fptrunc <2 x float> %f to <2 x half>
  %b = fptrunc <2 x float> %f to <2 x bfloat>
  %q = getelementptr [2 x <2 x half>], ptr addrspace(1) %out, i32 %t
  store <2 x half> %h, ptr addrspace(1) %q
  %r = getelementptr i8, ptr addrspace(1) %q, i32 4
  store <2 x bfloat> %b, ptr addrspace(1) %r
  ret void
}
