; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s
; fp128 is moved as 16 bytes, as by llc-22; the sign is a bit of the upper half.
target triple = "nvptx64-nvidia-cuda"

; CHECK: .func  (.param .align 16 .b8 func_retval0[16]) sign(
; CHECK: ld.param.v2.b64 	{%[[L:rd[0-9]+]], %[[H:rd[0-9]+]]}, [sign_param_0];
; CHECK: xor.b64 	%[[N:rd[0-9]+]], %[[H]], -9223372036854775808;
; CHECK: st.param.v2.b64 	[func_retval0], {%[[L]], %[[N]]};
define fp128 @sign(fp128 %x) {
  %r = fneg fp128 %x
  ret fp128 %r
}

; CHECK: .func  (.param .align 16 .b8 func_retval0[16]) constant(
; CHECK: selp.b64 	%{{.*}}, 4611404543450677248, %p1;
; CHECK: selp.b64 	%{{.*}}, 1, %p1;
define fp128 @constant(i1 %c, fp128 %x) {
  %r = select i1 %c, fp128 %x, fp128 0xL00000000000000013FFF000000000000
  ret fp128 %r
}

; CHECK: .func  (.param .align 32 .b8 func_retval0[32]) vector(
; CHECK: ld.param.v2.b64 	{{.*}}, [vector_param_0];
; CHECK: ld.param.v2.b64 	{{.*}}, [vector_param_0+16];
define <2 x fp128> @vector(<2 x fp128> %x) {
  ret <2 x fp128> %x
}
