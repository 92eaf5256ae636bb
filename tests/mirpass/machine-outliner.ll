; Sequences that occur often become functions, which take what they read as parameters.
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -o %t.1 && ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -o %t.2 && cmp %t.1 %t.2
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -outliner-benefit-threshold=32 -o - | filecheck %s --check-prefix=EQUAL
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -outliner-benefit-threshold=33 -o - | filecheck %s --check-prefix=BELOW
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=guaranteed-beneficial -o - | filecheck %s --check-prefix=STRICT
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=disable -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -pipeline=documented -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -pass-remarks=outliner -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; ROWS: OUTL-01, OUTL-02, OUTL-03, OUTL-04, OUTL-05, OUTL-06, OUTL-07

; REMARK: remark: 17 instructions that occur 3 times become OUTLINED_FUNCTION_0, which saves 320 bytes {{.*}}in function f2
; REMARK: remark: 8 instructions that occur 3 times become OUTLINED_FUNCTION_1, which saves 32 bytes {{.*}}in function f1

; CHECK-LABEL: .func (.param .b32 func_retval0) OUTLINED_FUNCTION_0(
; CHECK-NEXT:    .param .b32 OUTLINED_FUNCTION_0_param_0,
; CHECK-NEXT:    .param .b32 OUTLINED_FUNCTION_0_param_1
; CHECK-NEXT:  )
; CHECK-NEXT:  {
; CHECK-NEXT:    .reg .b32 %r<20>;
; CHECK:         ld.param.b32 %r1, [OUTLINED_FUNCTION_0_param_0];
; CHECK-NEXT:    ld.param.b32 %r2, [OUTLINED_FUNCTION_0_param_1];
; CHECK:         mul.lo.s32 %r{{[0-9]+}}, %r1, %r2;
; CHECK:         st.param.b32 [func_retval0], %r{{[0-9]+}};
; CHECK-NEXT:    ret;
; CHECK-LABEL: .func (.param .b32 func_retval0) OUTLINED_FUNCTION_1(
; CHECK:         mul.lo.s32 %r{{[0-9]+}}, %r1, %r2;
; CHECK-LABEL: .func (.param .b32 func_retval0) f1(
; CHECK:         st.param.b32 [param0], [[A:%r[0-9]+]];
; CHECK:         call.uni (retval0), OUTLINED_FUNCTION_1,
; CHECK:         ld.param.b32 [[R:%r[0-9]+]], [retval0];
; CHECK-NOT:     mul
; CHECK:         st.param.b32 [func_retval0], [[R]];
; CHECK-LABEL: .func (.param .b32 func_retval0) f2(
; CHECK:         OUTLINED_FUNCTION_0,
; CHECK-LABEL: .entry k(
; CHECK:         OUTLINED_FUNCTION_1,
; CHECK:         OUTLINED_FUNCTION_0,
; CHECK-NOT:     OUTLINED
; EQUAL:         OUTLINED_FUNCTION_1(
; BELOW-NOT:     OUTLINED_FUNCTION_1
; BELOW:         OUTLINED_FUNCTION_0(
; BELOW-NOT:     OUTLINED_FUNCTION_1
; STRICT-NOT:    OUTLINED_FUNCTION_1
; STRICT:        OUTLINED_FUNCTION_0(
; STRICT-NOT:    OUTLINED_FUNCTION_1
; OFF-NOT:       OUTLINED

target triple = "nvptx64-nvidia-cuda"

define i32 @f1(i32 %a, i32 %b) {
  %s1 = mul i32 %a, %b
  %s2 = xor i32 %s1, %a
  %s3 = add i32 %s2, 77
  %s4 = mul i32 %s3, %s2
  %s5 = lshr i32 %s4, 5
  %s6 = xor i32 %s5, 991
  %s7 = mul i32 %s6, %s6
  %s8 = add i32 %s7, %s1
  %s9 = mul i32 %s8, 13
  ret i32 %s9
}

define i32 @f2(i32 %a, i32 %b) {
  %ta0 = xor i32 %a, 1000
  %tb0 = mul i32 %ta0, %b
  %tc0 = lshr i32 %tb0, 3
  %ta1 = xor i32 %tc0, 1007
  %tb1 = mul i32 %ta1, %b
  %tc1 = lshr i32 %tb1, 4
  %ta2 = xor i32 %tc1, 1014
  %tb2 = mul i32 %ta2, %b
  %tc2 = lshr i32 %tb2, 5
  %ta3 = xor i32 %tc2, 1021
  %tb3 = mul i32 %ta3, %b
  %tc3 = lshr i32 %tb3, 6
  %ta4 = xor i32 %tc3, 1028
  %tb4 = mul i32 %ta4, %b
  %tc4 = lshr i32 %tb4, 7
  %ta5 = xor i32 %tc4, 1035
  %tb5 = mul i32 %ta5, %b
  %tc5 = lshr i32 %tb5, 8
  ret i32 %tc5
}

define i32 @g1(i32 %b, i32 %c, i32 %d) {
  %a = add i32 %c, %d
  %s1 = mul i32 %a, %b
  %s2 = xor i32 %s1, %a
  %s3 = add i32 %s2, 77
  %s4 = mul i32 %s3, %s2
  %s5 = lshr i32 %s4, 5
  %s6 = xor i32 %s5, 991
  %s7 = mul i32 %s6, %s6
  %s8 = add i32 %s7, %s1
  %s9 = mul i32 %s8, 13
  %r = sub i32 %s9, %d
  ret i32 %r
}

define i32 @g2(i32 %b, i32 %c, i32 %d) {
  %a = add i32 %c, %d
  %ta0 = xor i32 %a, 1000
  %tb0 = mul i32 %ta0, %b
  %tc0 = lshr i32 %tb0, 3
  %ta1 = xor i32 %tc0, 1007
  %tb1 = mul i32 %ta1, %b
  %tc1 = lshr i32 %tb1, 4
  %ta2 = xor i32 %tc1, 1014
  %tb2 = mul i32 %ta2, %b
  %tc2 = lshr i32 %tb2, 5
  %ta3 = xor i32 %tc2, 1021
  %tb3 = mul i32 %ta3, %b
  %tc3 = lshr i32 %tb3, 6
  %ta4 = xor i32 %tc3, 1028
  %tb4 = mul i32 %ta4, %b
  %tc4 = lshr i32 %tb4, 7
  %ta5 = xor i32 %tc4, 1035
  %tb5 = mul i32 %ta5, %b
  %tc5 = lshr i32 %tb5, 8
  %r = sub i32 %tc5, %d
  ret i32 %r
}

define ptx_kernel void @k(ptr %p, i32 %a) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr %p, i32 %i
  %b = load i32, ptr %q
  %s1 = mul i32 %a, %b
  %s2 = xor i32 %s1, %a
  %s3 = add i32 %s2, 77
  %s4 = mul i32 %s3, %s2
  %s5 = lshr i32 %s4, 5
  %s6 = xor i32 %s5, 991
  %s7 = mul i32 %s6, %s6
  %s8 = add i32 %s7, %s1
  %s9 = mul i32 %s8, 13
  %r = load i32, ptr %p
  %ta0 = xor i32 %s9, 1000
  %tb0 = mul i32 %ta0, %b
  %tc0 = lshr i32 %tb0, 3
  %ta1 = xor i32 %tc0, 1007
  %tb1 = mul i32 %ta1, %b
  %tc1 = lshr i32 %tb1, 4
  %ta2 = xor i32 %tc1, 1014
  %tb2 = mul i32 %ta2, %b
  %tc2 = lshr i32 %tb2, 5
  %ta3 = xor i32 %tc2, 1021
  %tb3 = mul i32 %ta3, %b
  %tc3 = lshr i32 %tb3, 6
  %ta4 = xor i32 %tc3, 1028
  %tb4 = mul i32 %ta4, %b
  %tc4 = lshr i32 %tb4, 7
  %ta5 = xor i32 %tc4, 1035
  %tb5 = mul i32 %ta5, %b
  %tc5 = lshr i32 %tb5, 8
  %w = add i32 %tc5, %r
  store i32 %w, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
