; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/upper-halves.launch.json -mcpu=sm_70
; RUN: ptxscope run %s --launch=%p/upper-halves.launch.json -mcpu=sm_70 --level=ptx | filecheck %s --check-prefix=OUT
; The upper halves of two words are put together by one prmt: nothing takes the words apart.
target triple = "nvptx64-nvidia-cuda"

; CHECK: prmt.b32 %r{{[0-9]+}}, [[LO:%r[0-9]+]], [[HI:%r[0-9]+]], 30258;
; CHECK-NOT: mov.b32 {
; OUT: out: u32[3] = 1431647027 2863267840 1431660134
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %a = load i32, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  %b = load i32, ptr addrspace(1) %p1
  %a2 = mul i32 %a, 3
  %b2 = mul i32 %b, 5
  %as = lshr i32 %a2, 16
  %bs = lshr i32 %b2, 16
  %ah = trunc i32 %as to i16
  %bh = trunc i32 %bs to i16
  %v = insertelement <2 x i16> undef, i16 %ah, i64 0
  %w = insertelement <2 x i16> %v, i16 %bh, i64 1
  %q = getelementptr <2 x i16>, ptr addrspace(1) %out, i32 %t
  store <2 x i16> %w, ptr addrspace(1) %q
  ret void
}
