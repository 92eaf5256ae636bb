; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/vector-index.launch.json
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/vector-index.launch.json -O0
; RUN: ptxscope check %s -mcpu=sm_30 --launch=%p/vector-index.launch.json
; Elements at indices that are not constants: selected in registers, taken out of a word by a shift, or out of memory.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)

; Four words: two tests of the index, three selections.
; CHECK-LABEL: four(
; CHECK-COUNT-3: selp.b32
; CHECK-NOT: selp
; CHECK-NOT: .local
; CHECK: ret;
define i32 @four(<4 x i32> %v, i32 %i) {
  %e = extractelement <4 x i32> %v, i32 %i
  ret i32 %e
}

; Bytes of one word: a shift.
; CHECK-LABEL: byte(
; CHECK: shl.b32 [[AT:%r[0-9]+]], {{%r[0-9]+}}, 3;
; CHECK: shr.u32 {{%r[0-9]+}}, {{%r[0-9]+}}, [[AT]];
; CHECK-NOT: selp
; CHECK: ret;
define i8 @byte(<4 x i8> %v, i32 %i) {
  %e = extractelement <4 x i8> %v, i32 %i
  ret i8 %e
}

; Sixteen words: memory, four words an access. The index is reduced, so that none is accessed behind the vector.
; CHECK-LABEL: sixteen(
; CHECK-COUNT-4: st.local.v4.b32
; CHECK: and.b32 {{.*}}, 15;
; CHECK: ld.local.b32
; CHECK: ret;
define i32 @sixteen(<16 x i32> %v, i32 %i) {
  %e = extractelement <16 x i32> %v, i32 %i
  ret i32 %e
}

; CHECK-LABEL: put_half(
; CHECK: selp.b32 [[ORDER:%r[0-9]+]], 21520, 12884,
; CHECK: prmt.b32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[ORDER]];
; CHECK: ret;
define <2 x i16> @put_half(<2 x i16> %v, i16 %x, i32 %i) {
  %r = insertelement <2 x i16> %v, i16 %x, i32 %i
  ret <2 x i16> %r
}

; CHECK-LABEL: .entry k(
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %p = getelementptr [64 x i8], ptr addrspace(1) %in, i64 %t64
  %i2 = and i32 %t, 1
  %i3 = urem i32 %t, 3
  %i4 = and i32 %t, 3
  %i5 = urem i32 %t, 5
  %i8 = and i32 %t, 7
  %i16 = and i32 %t, 15
  %w4 = load <4 x i32>, ptr addrspace(1) %p
  %w3 = load <3 x i32>, ptr addrspace(1) %p, align 4
  %w16 = load <16 x i32>, ptr addrspace(1) %p
  %h2 = load <2 x i16>, ptr addrspace(1) %p
  %h4 = load <4 x i16>, ptr addrspace(1) %p
  %h8 = load <8 x i16>, ptr addrspace(1) %p
  %b4 = load <4 x i8>, ptr addrspace(1) %p
  %b16 = load <16 x i8>, ptr addrspace(1) %p
  %l5 = load <5 x i64>, ptr addrspace(1) %p, align 8
  %f2 = load <2 x half>, ptr addrspace(1) %p
  %p8 = load <8 x i1>, ptr addrspace(1) %p
  %e0 = extractelement <4 x i32> %w4, i32 %i4
  %e1 = extractelement <3 x i32> %w3, i32 %i3
  %e2 = extractelement <16 x i32> %w16, i32 %i16
  %e3 = extractelement <2 x i16> %h2, i32 %i2
  %e4 = extractelement <4 x i16> %h4, i32 %i4
  %e5 = extractelement <8 x i16> %h8, i32 %i8
  %e6 = extractelement <4 x i8> %b4, i32 %i4
  %e7 = extractelement <16 x i8> %b16, i32 %i16
  %e8 = extractelement <5 x i64> %l5, i32 %i5
  %e9 = extractelement <2 x half> %f2, i32 %i2
  %e10 = extractelement <8 x i1> %p8, i32 %i8
  %n0 = insertelement <4 x i32> %w4, i32 %e1, i32 %i4
  %n1 = insertelement <8 x i16> %h8, i16 %e4, i32 %i8
  %n2 = insertelement <16 x i8> %b16, i8 %e6, i32 %i16
  %n3 = insertelement <4 x i8> %b4, i8 %e7, i32 %i4
  %n4 = insertelement <2 x i16> %h2, i16 %e5, i32 %i2
  %n5 = insertelement <16 x i32> %w16, i32 %e0, i32 %i16
  %n6 = insertelement <8 x i1> %p8, i1 %e10, i32 %i4
  %x1 = bitcast <8 x i16> %n1 to <4 x i32>
  %x2 = bitcast <16 x i8> %n2 to <4 x i32>
  %x3 = bitcast <4 x i8> %n3 to i32
  %x4 = bitcast <2 x i16> %n4 to i32
  %x5 = shufflevector <16 x i32> %n5, <16 x i32> poison, <4 x i32> <i32 1, i32 6, i32 11, i32 12>
  %x6 = bitcast <8 x i1> %n6 to i8
  %y0 = xor <4 x i32> %n0, %x1
  %y1 = add <4 x i32> %y0, %x2
  %y2 = xor <4 x i32> %y1, %x5
  %s0 = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %y2)
  %z3 = zext i16 %e3 to i32
  %e9i = bitcast half %e9 to i16
  %z9 = sext i16 %e9i to i32
  %z10 = zext i1 %e10 to i32
  %z6 = zext i8 %x6 to i32
  %z8 = trunc i64 %e8 to i32
  %s1 = add i32 %s0, %x3
  %s2 = xor i32 %s1, %x4
  %s3 = add i32 %s2, %z3
  %s4 = mul i32 %s3, 3
  %s5 = xor i32 %s4, %e2
  %s6 = add i32 %s5, %z9
  %s7 = add i32 %s6, %z10
  %s8 = xor i32 %s7, %z6
  %s9 = add i32 %s8, %z8
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %t64
  store i32 %s9, ptr addrspace(1) %q
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
