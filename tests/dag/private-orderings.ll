; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o - | filecheck %s --implicit-check-not=membar
; RUN: ptxscope compile %s -mcpu=sm_60 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope check %s --launch=%p/private-orderings.launch.json -mcpu=sm_100 -mattr=+ptx88
; RUN: ptxscope check %s --launch=%p/private-orderings.launch.json -mcpu=sm_60
; Memory of the thread alone needs no fence; a saturating difference is a maximum and a difference; 32 bytes are one access, also
; where they are volatile.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: private(
; CHECK-NOT: fence
; CHECK: st.local.b32
; CHECK: ld.local.b32
; CHECK-NOT: fence
; CHECK: ret;
; OLD-LABEL: private(
; OLD-NOT: membar
; OLD: ret;
define i32 @private(i32 %v, i64 %i) {
  %a = alloca [4 x i32], align 16, addrspace(5)
  %p = getelementptr i32, ptr addrspace(5) %a, i64 %i
  store atomic i32 %v, ptr addrspace(5) %p seq_cst, align 4
  %r = load atomic i32, ptr addrspace(5) %p seq_cst, align 4
  ret i32 %r
}
; CHECK-LABEL: shared_by_all(
; CHECK: fence.sc.sys;
; CHECK: ld.acquire.sys.global.b32
; OLD-LABEL: shared_by_all(
; OLD: membar.sys;
define i32 @shared_by_all(ptr addrspace(1) %p) {
  %r = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  ret i32 %r
}

; CHECK-LABEL: .entry k(
; CHECK: ld.volatile.global.v8
; CHECK: st.volatile.global.v8
; CHECK: max.u32
; CHECK-NEXT: sub.s32
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [8 x i32], ptr addrspace(1) %in, i32 %t
  %q = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %t
  %v = load volatile <8 x i32>, ptr addrspace(1) %p, align 32
  store volatile <8 x i32> %v, ptr addrspace(1) %q, align 32
  %x = extractelement <8 x i32> %v, i32 3
  %i = and i32 %t, 3
  %j = zext i32 %i to i64
  %w = call i32 @private(i32 %x, i64 %j)
  %old = atomicrmw usub_sat ptr addrspace(1) %q, i32 %w monotonic
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 %old, ptr addrspace(1) %q1
  ret void
}
