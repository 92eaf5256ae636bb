; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/rotate64.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/rotate64.launch.json -mcpu=sm_20
; RUN: ptxscope check %s --launch=%p/rotate64.launch.json -mcpu=sm_90 -O0
; A rotation of 64 bits is two funnel shifts of its words.
target triple = "nvptx64-nvidia-cuda"
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)

; CHECK-LABEL: k(
; CHECK-COUNT-2: shf.l.wrap.b32
; CHECK-COUNT-2: shf.r.wrap.b32
; CHECK-NOT: shl.b64
; CHECK: ret;
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [4 x i64], ptr addrspace(1) %io, i32 %t
  %x = load i64, ptr addrspace(1) %p
  %n = zext i32 %t to i64
  %a = call i64 @llvm.fshl.i64(i64 %x, i64 %x, i64 %n)
  %b = call i64 @llvm.fshr.i64(i64 %x, i64 %x, i64 %n)
  %c1 = shl i64 %x, 45
  %c2 = lshr i64 %x, 19
  %c = or i64 %c1, %c2
  store i64 %a, ptr addrspace(1) %p
  %q1 = getelementptr i64, ptr addrspace(1) %p, i32 1
  store i64 %b, ptr addrspace(1) %q1
  %q2 = getelementptr i64, ptr addrspace(1) %p, i32 2
  store i64 %c, ptr addrspace(1) %q2
  %d = call i64 @llvm.fshl.i64(i64 %x, i64 %x, i64 32)
  %q3 = getelementptr i64, ptr addrspace(1) %p, i32 3
  store i64 %d, ptr addrspace(1) %q3
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
