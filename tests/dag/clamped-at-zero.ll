; min.relu and max.relu, from sm_90 on: the smaller or the greater of two, and at least 0.
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s --check-prefixes=CHECK,RELU
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefixes=CHECK,MAX
; RUN: ptxscope check %s --launch=%p/clamped-at-zero.launch.json -mcpu=sm_90 -mattr=+ptx80
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: .entry k(
; RELU:        min.relu.s32
; RELU:        max.relu.s32
; RELU:        max.relu.s32
; MAX-NOT:     relu
; CHECK:       ret;
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [4 x i32], ptr addrspace(1) %io, i32 %t
  %a = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 1
  %b = load i32, ptr addrspace(1) %q
  %m = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %x = call i32 @llvm.smax.i32(i32 %m, i32 0)
  store i32 %x, ptr addrspace(1) %p
  %n = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %y = call i32 @llvm.smax.i32(i32 %n, i32 0)
  store i32 %y, ptr addrspace(1) %q
  %c = getelementptr i32, ptr addrspace(1) %p, i32 2
  %o = call i32 @llvm.smax.i32(i32 %a, i32 0)
  %z = call i32 @llvm.smax.i32(i32 %o, i32 %t)
  store i32 %z, ptr addrspace(1) %c
  ret void
}
