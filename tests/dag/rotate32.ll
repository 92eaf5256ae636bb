; RUN: ptxscope compile %s -mcpu=sm_20 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/rotate32.launch.json -mcpu=sm_20
; RUN: ptxscope check %s --launch=%p/rotate32.launch.json -mcpu=sm_20 -O0
; RUN: ptxscope check %s --launch=%p/rotate32.launch.json -mcpu=sm_90
; Where there is no funnel shift, ptxas takes two shifts for a rotation if the other amount is the negated one.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: k(
; CHECK-NOT: shr.u32 {{%r[0-9]+}}, {{%r[0-9]+}}, 1;
; CHECK: neg.s32 [[M:%r[0-9]+]], [[T:%r[0-9]+]];
; CHECK-NOT: shr.u32 {{%r[0-9]+}}, {{%r[0-9]+}}, 1;
; CHECK: ret;
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [2 x i32], ptr addrspace(1) %io, i32 %t
  %x = load i32, ptr addrspace(1) %p
  %a = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %t)
  store i32 %a, ptr addrspace(1) %p
  %b = call i32 @llvm.fshr.i32(i32 %x, i32 %x, i32 %t)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %b, ptr addrspace(1) %q
  ret void
}
