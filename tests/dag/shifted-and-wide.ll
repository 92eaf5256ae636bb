; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/shifted-and-wide.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/shifted-and-wide.launch.json -mcpu=sm_30
; RUN: ptxscope check %s --launch=%p/shifted-and-wide.launch.json -mcpu=sm_90 -O0
; Rotations and funnel shifts written as sums, shifts out of a field, products that do not wrap and are extended, two tests of NaNs.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: rotate_const(
; CHECK: shf.l.wrap.b32 {{.*}}, 7;
; CHECK-NOT: add
; CHECK: ret;
define i32 @rotate_const(i32 %x) {
  %a = shl i32 %x, 7
  %b = lshr i32 %x, 25
  %r = add i32 %b, %a
  ret i32 %r
}
; CHECK-LABEL: rotate_left(
; CHECK: shf.l.wrap.b32
define i32 @rotate_left(i32 %x, i32 %y) {
  %a = shl i32 %x, %y
  %s = sub i32 32, %y
  %b = lshr i32 %x, %s
  %r = add i32 %a, %b
  ret i32 %r
}
; CHECK-LABEL: funnel_left(
; CHECK: shf.l.wrap.b32
; CHECK-NOT: xor
; CHECK: ret;
define i32 @funnel_left(i32 %x, i32 %z, i32 %y) {
  %a = shl i32 %x, %y
  %h = lshr i32 %z, 1
  %n = xor i32 %y, 31
  %b = lshr i32 %h, %n
  %r = add i32 %a, %b
  ret i32 %r
}
; CHECK-LABEL: funnel_right(
; CHECK: shf.r.wrap.b32
; CHECK-NOT: xor
; CHECK: ret;
define i32 @funnel_right(i32 %x, i32 %z, i32 %y) {
  %a = lshr i32 %x, %y
  %h = shl i32 %z, 1
  %n = xor i32 %y, 31
  %b = shl i32 %h, %n
  %r = or i32 %b, %a
  ret i32 %r
}
; CHECK-LABEL: back(
; CHECK: shr.u64 [[HIGH:%rd[0-9]+]], %rd{{[0-9]+}}, 5;
; CHECK-NEXT: or.b64 %rd{{[0-9]+}}, [[HIGH]], %rd
define i64 @back(i64 %x, i32 %y) {
  %e = zext i32 %y to i64
  %s = shl i64 %e, 5
  %o = or i64 %x, %s
  %r = lshr i64 %o, 5
  ret i64 %r
}
; CHECK-LABEL: not_back(
; CHECK: shl.b64
define i64 @not_back(i64 %x, i32 %y) {
  %e = zext i32 %y to i64
  %s = shl i64 %e, 33
  %o = or i64 %x, %s
  %r = lshr i64 %o, 33
  ret i64 %r
}
; CHECK-LABEL: wide_unsigned(
; CHECK: mul.wide.u32
define i64 @wide_unsigned(i32 %x, i32 %y) {
  %m = mul nuw i32 %x, %y
  %e = zext i32 %m to i64
  ret i64 %e
}
; CHECK-LABEL: wide_shifted(
; CHECK: mul.wide.s32 {{.*}}, 8;
define i64 @wide_shifted(i32 %x) {
  %m = shl nsw i32 %x, 3
  %e = sext i32 %m to i64
  ret i64 %e
}
; CHECK-LABEL: wide_not(
; CHECK-NOT: mul.wide
; CHECK: ret;
define i64 @wide_not(i32 %x, i32 %y) {
  %m = mul nsw i32 %x, %y
  %e = zext i32 %m to i64
  ret i64 %e
}
; CHECK-LABEL: both_ordered(
; CHECK: setp.num.f32 %p{{[0-9]+}}, %r1, %r2;
define i1 @both_ordered(float %a, float %b) {
  %c = fcmp ord float %a, 0.0
  %d = fcmp ord float %b, %b
  %e = and i1 %c, %d
  ret i1 %e
}

; CHECK-LABEL: .entry k(
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [12 x i64], ptr addrspace(1) %io, i32 %t
  %x = load i32, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  %z = load i32, ptr addrspace(1) %p1
  %X = load i64, ptr addrspace(1) %p
  %n = and i32 %t, 31
  %r0 = call i32 @rotate_const(i32 %x)
  %r1 = call i32 @rotate_left(i32 %x, i32 %n)
  %r2 = call i32 @funnel_left(i32 %x, i32 %z, i32 %n)
  %r3 = call i32 @funnel_right(i32 %x, i32 %z, i32 %n)
  %r4 = call i64 @back(i64 %X, i32 %z)
  %r5 = call i64 @not_back(i64 %X, i32 %z)
  %small = lshr i32 %x, 17
  %r6 = call i64 @wide_unsigned(i32 %small, i32 %t)
  %neg = sub i32 5, %t
  %r7 = call i64 @wide_shifted(i32 %neg)
  %r8 = call i64 @wide_not(i32 %neg, i32 %t)
  %f = bitcast i32 %x to float
  %g = bitcast i32 %z to float
  %o = call i1 @both_ordered(float %f, float %g)
  %r9 = zext i1 %o to i64
  %e0 = zext i32 %r0 to i64
  %e1 = zext i32 %r1 to i64
  %e2 = zext i32 %r2 to i64
  %e3 = zext i32 %r3 to i64
  %q0 = getelementptr i64, ptr addrspace(1) %p, i32 0
  store i64 %e0, ptr addrspace(1) %q0
  %q1 = getelementptr i64, ptr addrspace(1) %p, i32 1
  store i64 %e1, ptr addrspace(1) %q1
  %q2 = getelementptr i64, ptr addrspace(1) %p, i32 2
  store i64 %e2, ptr addrspace(1) %q2
  %q3 = getelementptr i64, ptr addrspace(1) %p, i32 3
  store i64 %e3, ptr addrspace(1) %q3
  %q4 = getelementptr i64, ptr addrspace(1) %p, i32 4
  store i64 %r4, ptr addrspace(1) %q4
  %q5 = getelementptr i64, ptr addrspace(1) %p, i32 5
  store i64 %r5, ptr addrspace(1) %q5
  %q6 = getelementptr i64, ptr addrspace(1) %p, i32 6
  store i64 %r6, ptr addrspace(1) %q6
  %q7 = getelementptr i64, ptr addrspace(1) %p, i32 7
  store i64 %r7, ptr addrspace(1) %q7
  %q8 = getelementptr i64, ptr addrspace(1) %p, i32 8
  store i64 %r8, ptr addrspace(1) %q8
  %q9 = getelementptr i64, ptr addrspace(1) %p, i32 9
  store i64 %r9, ptr addrspace(1) %q9
  ret void
}
