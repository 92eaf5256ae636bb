; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; Indices that differ in low bits alone share what is made of the rest: a shift, a sum, and a constant for each.
; CHECK-LABEL: ring(
; CHECK: shl.b32 %[[S:r[0-9]+]], %r{{[0-9]+}}, 2;
; CHECK: add.s32 %[[T:r[0-9]+]], %[[S]], %r{{[0-9]+}};
; CHECK-NOT: shl.b32
; CHECK-NOT: or.b32
; CHECK-DAG: add.s32 %r{{[0-9]+}}, %[[T]], 4;
; CHECK-DAG: add.s32 %r{{[0-9]+}}, %[[T]], 8;
; CHECK-DAG: add.s32 %r{{[0-9]+}}, %[[T]], 12;
; CHECK-NOT: shl.b32
; CHECK-NOT: or.b32
; CHECK: ret;
define float @ring(ptr addrspace(3) %p, i32 %n, i32 %t) {
  %i = and i32 %n, -4
  %i1 = or disjoint i32 %i, 1
  %i2 = or disjoint i32 %i, 2
  %i3 = or disjoint i32 %i, 3
  %s0 = shl i32 %i, 2
  %s1 = shl i32 %i1, 2
  %s2 = shl i32 %i2, 2
  %s3 = shl i32 %i3, 2
  %a0 = add i32 %s0, %t
  %a1 = add i32 %s1, %t
  %a2 = add i32 %s2, %t
  %a3 = add i32 %s3, %t
  %m0 = and i32 %a0, 63
  %m1 = and i32 %a1, 63
  %m2 = and i32 %a2, 63
  %m3 = and i32 %a3, 63
  %q0 = getelementptr float, ptr addrspace(3) %p, i32 %m0
  %q1 = getelementptr float, ptr addrspace(3) %p, i32 %m1
  %q2 = getelementptr float, ptr addrspace(3) %p, i32 %m2
  %q3 = getelementptr float, ptr addrspace(3) %p, i32 %m3
  %x0 = load float, ptr addrspace(3) %q0
  %x1 = load float, ptr addrspace(3) %q1
  %x2 = load float, ptr addrspace(3) %q2
  %x3 = load float, ptr addrspace(3) %q3
  %y0 = fadd float %x0, %x1
  %y1 = fadd float %y0, %x2
  %y2 = fadd float %y1, %x3
  ret float %y2
}
