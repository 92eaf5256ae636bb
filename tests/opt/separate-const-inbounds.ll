; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -inbounds-offsets=0 -o - | filecheck %s --check-prefix=PROVEN
; RUN: ptxscope check %s --launch=%p/separate-const-inbounds.launch.json
target triple = "nvptx64-nvidia-cuda"

; clang drops nsw where it reassociates. An inbounds address is not taken to lie 2^31 elements in front of its base, so a positive
; constant is an offset; a negative one, that of another address and one behind a zext stay. A zext nneg says itself that nothing wraps.
; CHECK-LABEL: k(
; CHECK:     ld.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+8];
; CHECK:     ld.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+12];
; CHECK:     add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -1;
; CHECK:     add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1;
; CHECK:     add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4;
; CHECK:     ld.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+20];
; PROVEN-LABEL: k(
; PROVEN:     add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 2;
; PROVEN:     add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 3;
; PROVEN:     ld.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+20];
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) noalias %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, 1
  %x = mul i32 %u, %n
  %i2 = add i32 %x, 2
  %w2 = sext i32 %i2 to i64
  %p2 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w2
  %v2 = load float, ptr addrspace(1) %p2
  %i3 = add i32 %x, 3
  %w3 = sext i32 %i3 to i64
  %p3 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w3
  %v3 = load float, ptr addrspace(1) %p3
  %im = add i32 %x, -1
  %wm = sext i32 %im to i64
  %pm = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wm
  %vm = load float, ptr addrspace(1) %pm
  %i1 = add i32 %x, 1
  %w1 = sext i32 %i1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 %w1
  %v1 = load float, ptr addrspace(1) %p1
  %i4 = add i32 %x, 4
  %w4 = zext i32 %i4 to i64
  %p4 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w4
  %v4 = load float, ptr addrspace(1) %p4
  %i5 = add i32 %x, 5
  %w5 = zext nneg i32 %i5 to i64
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 %w5
  %v5 = load float, ptr addrspace(1) %p5
  %s1 = fadd float %v2, %v3
  %s2 = fadd float %vm, %v1
  %s3 = fadd float %v4, %v5
  %s4 = fadd float %s1, %s2
  %s5 = fadd float %s4, %s3
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %s5, ptr addrspace(1) %o
  ret void
}
