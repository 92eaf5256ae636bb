; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; Operands that an instruction may have or lack are the intrinsic's to say.
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)
declare void @llvm.nvvm.barrier.sync(i32)
declare void @llvm.nvvm.barrier(i32, i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.gridid()
declare ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float)

; CHECK-LABEL: barriers(
; CHECK: barrier.sync 	%r1, %r2;
; CHECK: barrier.sync 	%r1;
; CHECK: bar.sync 	%r1, %r2;
define void @barriers(i32 %a, i32 %b) {
  call void @llvm.nvvm.barrier.sync.cnt(i32 %a, i32 %b)
  call void @llvm.nvvm.barrier.sync(i32 %a)
  call void @llvm.nvvm.barrier(i32 %a, i32 %b)
  ret void
}

; CHECK-LABEL: copies(
; CHECK: cp.async.ca.shared.global 	[%rd1], [%rd2], 4;
; CHECK: cp.async.ca.shared.global 	[%rd1], [%rd2], 4, %r1;
define void @copies(ptr addrspace(3) %p, ptr addrspace(1) %q, i32 %n) {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %p, ptr addrspace(1) %q)
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %p, ptr addrspace(1) %q, i32 %n)
  ret void
}

; CHECK-LABEL: windows(
; CHECK-DAG: isspacep.shared::cluster 	%p{{[0-9]+}}, %rd1;
; CHECK-DAG: isspacep.shared 	%p{{[0-9]+}}, %rd1;
define i1 @windows(ptr %g) {
  %c = call i1 @llvm.nvvm.isspacep.shared.cluster(ptr %g)
  %s = call i1 @llvm.nvvm.isspacep.shared(ptr %g)
  %r = xor i1 %c, %s
  ret i1 %r
}

; CHECK-LABEL: mapped(
; CHECK: mapa.shared::cluster.u64 	%rd2, %rd1, %r1;
define ptr addrspace(3) @mapped(ptr addrspace(3) %p, i32 %b) {
  %z = call ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %p, i32 %b)
  ret ptr addrspace(3) %z
}

; CHECK-LABEL: grid(
; CHECK: mov.u32 	%r1, %gridid;
define i32 @grid() {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.gridid()
  ret i32 %id
}

; CHECK-LABEL: both(
; CHECK: cvt.rn.bf16x2.f32 	%r3, %r1, %r2;
define <2 x bfloat> @both(float %a, float %b) {
  %r = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float %a, float %b)
  ret <2 x bfloat> %r
}
