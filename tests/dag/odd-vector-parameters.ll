; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/odd-vector-parameters.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/odd-vector-parameters.launch.json -mcpu=sm_75 -O0
; Vectors whose elements do not fill bytes are passed as they lie in memory, bit by bit.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func (.param .align 2 .b8 func_retval0[2]) bits(
; CHECK-NEXT: .param .align 2 .b8 bits_param_0[2]
; CHECK: ld.param.b16 	%rs{{[0-9]+}}, [bits_param_0];
; CHECK: st.param.b16 	[func_retval0],
define <12 x i1> @bits(<12 x i1> %x) noinline {
  %y = xor <12 x i1> %x, <i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 1, i1 1, i1 1>
  ret <12 x i1> %y
}

; CHECK: sevens_param_0[4]
define <3 x i7> @sevens(<3 x i7> %x, { i8, <5 x i1> } %s) noinline {
  %a = extractvalue { i8, <5 x i1> } %s, 0
  %b = extractvalue { i8, <5 x i1> } %s, 1
  %b0 = extractelement <5 x i1> %b, i32 4
  %a7 = trunc i8 %a to i7
  %y = add <3 x i7> %x, %x
  %z = insertelement <3 x i7> %y, i7 %a7, i32 1
  %c = select i1 %b0, <3 x i7> %z, <3 x i7> %y
  ret <3 x i7> %c
}

; CHECK: wide_param_0[32]
define <5 x i33> @wide(<5 x i33> %x) noinline {
  %y = shufflevector <5 x i33> %x, <5 x i33> poison, <5 x i32> <i32 4, i32 3, i32 2, i32 1, i32 0>
  %z = add <5 x i33> %y, <i33 1, i33 2, i33 3, i33 4, i33 8589934591>
  ret <5 x i33> %z
}

define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = mul i32 %t, 32
  %p = getelementptr i8, ptr %in, i32 %at
  %o0 = getelementptr i8, ptr %out, i32 %at
  %o1 = getelementptr i8, ptr %o0, i32 4
  %o2 = getelementptr i8, ptr %o0, i32 8
  %w = load i32, ptr %p
  %w12 = trunc i32 %w to i12
  %v12 = bitcast i12 %w12 to <12 x i1>
  %r0 = call <12 x i1> @bits(<12 x i1> %v12)
  %i0 = bitcast <12 x i1> %r0 to i12
  %z0 = zext i12 %i0 to i32
  store i32 %z0, ptr %o0
  %w21 = trunc i32 %w to i21
  %v21 = bitcast i21 %w21 to <3 x i7>
  %w5 = trunc i32 %w to i5
  %v5 = bitcast i5 %w5 to <5 x i1>
  %s0 = insertvalue { i8, <5 x i1> } undef, i8 77, 0
  %s = insertvalue { i8, <5 x i1> } %s0, <5 x i1> %v5, 1
  %r1 = call <3 x i7> @sevens(<3 x i7> %v21, { i8, <5 x i1> } %s)
  %i1 = bitcast <3 x i7> %r1 to i21
  %z1 = zext i21 %i1 to i32
  store i32 %z1, ptr %o1
  %q0 = getelementptr i32, ptr %p, i32 0
  %l0 = load i32, ptr %q0
  %x0 = sext i32 %l0 to i33
  %v0 = insertelement <5 x i33> poison, i33 %x0, i32 0
  %q1 = getelementptr i32, ptr %p, i32 1
  %l1 = load i32, ptr %q1
  %x1 = sext i32 %l1 to i33
  %v1 = insertelement <5 x i33> %v0, i33 %x1, i32 1
  %q2 = getelementptr i32, ptr %p, i32 2
  %l2 = load i32, ptr %q2
  %x2 = sext i32 %l2 to i33
  %v2 = insertelement <5 x i33> %v1, i33 %x2, i32 2
  %q3 = getelementptr i32, ptr %p, i32 3
  %l3 = load i32, ptr %q3
  %x3 = sext i32 %l3 to i33
  %v3 = insertelement <5 x i33> %v2, i33 %x3, i32 3
  %q4 = getelementptr i32, ptr %p, i32 4
  %l4 = load i32, ptr %q4
  %x4 = sext i32 %l4 to i33
  %v4 = insertelement <5 x i33> %v3, i33 %x4, i32 4
  %r2 = call <5 x i33> @wide(<5 x i33> %v4)
  %e0 = extractelement <5 x i33> %r2, i32 0
  %h0 = lshr i33 %e0, 1
  %t0 = trunc i33 %h0 to i32
  %y0 = getelementptr i32, ptr %o2, i32 0
  store i32 %t0, ptr %y0
  %e1 = extractelement <5 x i33> %r2, i32 1
  %h1 = lshr i33 %e1, 1
  %t1 = trunc i33 %h1 to i32
  %y1 = getelementptr i32, ptr %o2, i32 1
  store i32 %t1, ptr %y1
  %e2 = extractelement <5 x i33> %r2, i32 2
  %h2 = lshr i33 %e2, 1
  %t2 = trunc i33 %h2 to i32
  %y2 = getelementptr i32, ptr %o2, i32 2
  store i32 %t2, ptr %y2
  %e3 = extractelement <5 x i33> %r2, i32 3
  %h3 = lshr i33 %e3, 1
  %t3 = trunc i33 %h3 to i32
  %y3 = getelementptr i32, ptr %o2, i32 3
  store i32 %t3, ptr %y3
  %e4 = extractelement <5 x i33> %r2, i32 4
  %h4 = lshr i33 %e4, 1
  %t4 = trunc i33 %h4 to i32
  %y4 = getelementptr i32, ptr %o2, i32 4
  store i32 %t4, ptr %y4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
