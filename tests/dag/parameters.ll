; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .func  (.param .b32 func_retval0) two_of_four(
; CHECK-NOT:   two_of_four_param_0]
; CHECK:       ld.param.b32 	%r1, [two_of_four_param_1];
; CHECK-NEXT:  ld.param.b32 	%r2, [two_of_four_param_3];
; CHECK-NEXT:  add.s32 	%r3, %r1, %r2;
; CHECK-NEXT:  st.param.b32 	[func_retval0], %r3;
; CHECK-NEXT:  ret;
define i32 @two_of_four(i32 %a, i32 %b, i32 %c, i32 %d) {
  %r = add i32 %b, %d
  ret i32 %r
}

; Pieces that lie together and are aligned for it are read and written as one.
; CHECK-LABEL: vectors(
; CHECK:       ld.param.v4.b32 	{%r1, %r2, %r3, %r4}, [vectors_param_0];
; CHECK:       st.param.v4.b32 	[func_retval0], {%r1, %r2, %r3, %r4};
define <4 x float> @vectors(<4 x float> %a) {
  ret <4 x float> %a
}
