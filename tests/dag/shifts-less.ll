; A mask of bits that are shifted out needs no instruction in front of an arithmetic shift, either.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/shifts-less.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/shifts-less.launch.json -mcpu=sm_90 -O0
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: masked(
; CHECK-NOT:   and.b
; CHECK:       shr.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 20;
; CHECK-NOT:   and.b
; CHECK:       ret;
define i32 @masked(i32 %x) {
  %m = and i32 %x, -65536
  %r = ashr i32 %m, 20
  ret i32 %r
}

; The mask clears the sign.
; CHECK-LABEL: unsigned(
; CHECK-NOT:   shr.s32
; CHECK:       ret;
define i32 @unsigned(i32 %x) {
  %m = and i32 %x, 2147483632
  %r = ashr i32 %m, 4
  ret i32 %r
}

; CHECK-LABEL: .entry k(
; CHECK-NOT:   and.b
; CHECK:       shr.s32
; CHECK:       ret;
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [8 x i32], ptr addrspace(1) %io, i32 %t
  %x = load i32, ptr addrspace(1) %p
  %m = and i32 %x, -4096
  %a = ashr i32 %m, 12
  store i32 %a, ptr addrspace(1) %p
  ret void
}
