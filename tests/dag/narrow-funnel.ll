; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/narrow-funnel.launch.json
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/narrow-funnel.launch.json -O0
; RUN: ptxscope check %s -mcpu=sm_20 --launch=%p/narrow-funnel.launch.json
; Funnel shifts of at most 16 bits are shifts of one word that holds both operands; rotations rotate a word of copies.
target triple = "nvptx64-nvidia-cuda"

declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i16 @llvm.fshl.i16(i16, i16, i16)
declare i16 @llvm.fshr.i16(i16, i16, i16)
declare i5 @llvm.fshl.i5(i5, i5, i5)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: right16(
; CHECK: mov.b32 [[W:%r[0-9]+]], {
; CHECK: and.b32 [[N:%r[0-9]+]], {{%r[0-9]+}}, 15;
; CHECK: shr.u32 {{%r[0-9]+}}, [[W]], [[N]];
; CHECK-NOT: sh{{[lr]}}.
; CHECK: ret;
define i16 @right16(i16 %a, i16 %b, i16 %c) {
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 %c)
  ret i16 %r
}

; CHECK-LABEL: rotate8(
; CHECK: prmt.b32 [[W:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, 0;
; CHECK: shf.l.wrap.b32 {{%r[0-9]+}}, [[W]], [[W]], {{%r[0-9]+}};
; CHECK-NEXT: st.param
define i8 @rotate8(i8 %a, i8 %c) {
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 %c)
  ret i8 %r
}

; CHECK-LABEL: .entry k(
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %w = load i32, ptr addrspace(1) %p
  %a = trunc i32 %w to i16
  %w1 = lshr i32 %w, 16
  %b = trunc i32 %w1 to i16
  %w2 = lshr i32 %w, 9
  %c = trunc i32 %w2 to i16
  %a8 = trunc i16 %a to i8
  %b8 = trunc i16 %b to i8
  %c8 = trunc i16 %c to i8
  %a5 = trunc i16 %a to i5
  %b5 = trunc i16 %b to i5
  %c5 = trunc i16 %c to i5
  %r0 = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 %c)
  %r1 = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 %c)
  %r2 = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 %c)
  %r3 = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 %c)
  %r4 = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 5)
  %r5 = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 21)
  %r6 = call i8 @llvm.fshl.i8(i8 %a8, i8 %b8, i8 %c8)
  %r7 = call i8 @llvm.fshr.i8(i8 %a8, i8 %b8, i8 %c8)
  %r8 = call i8 @llvm.fshl.i8(i8 %a8, i8 %a8, i8 %c8)
  %r9 = call i8 @llvm.fshr.i8(i8 %a8, i8 %a8, i8 3)
  %r10 = call i5 @llvm.fshl.i5(i5 %a5, i5 %b5, i5 %c5)
  %r11 = call i5 @llvm.fshl.i5(i5 %a5, i5 %a5, i5 2)
  %q = getelementptr [9 x i16], ptr addrspace(1) %out, i32 %t
  %q1 = getelementptr i16, ptr addrspace(1) %q, i32 1
  %q2 = getelementptr i16, ptr addrspace(1) %q, i32 2
  %q3 = getelementptr i16, ptr addrspace(1) %q, i32 3
  %q4 = getelementptr i16, ptr addrspace(1) %q, i32 4
  %q5 = getelementptr i16, ptr addrspace(1) %q, i32 5
  %q6 = getelementptr i8, ptr addrspace(1) %q, i32 12
  %q7 = getelementptr i8, ptr addrspace(1) %q, i32 13
  %q8 = getelementptr i8, ptr addrspace(1) %q, i32 14
  %q9 = getelementptr i8, ptr addrspace(1) %q, i32 15
  %q10 = getelementptr i8, ptr addrspace(1) %q, i32 16
  %q11 = getelementptr i8, ptr addrspace(1) %q, i32 17
  store i16 %r0, ptr addrspace(1) %q
  store i16 %r1, ptr addrspace(1) %q1
  store i16 %r2, ptr addrspace(1) %q2
  store i16 %r3, ptr addrspace(1) %q3
  store i16 %r4, ptr addrspace(1) %q4
  store i16 %r5, ptr addrspace(1) %q5
  store i8 %r6, ptr addrspace(1) %q6
  store i8 %r7, ptr addrspace(1) %q7
  store i8 %r8, ptr addrspace(1) %q8
  store i8 %r9, ptr addrspace(1) %q9
  store i5 %r10, ptr addrspace(1) %q10
  store i5 %r11, ptr addrspace(1) %q11
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
