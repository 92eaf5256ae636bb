; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s

; Constants that are added one after the other are one, with all of its 128 bits.
define i128 @f(i128 %x) {
; CHECK-LABEL: .func{{.*}} f(
; CHECK:     addc.cc.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 1;
; CHECK:     ret;
  %a = add i128 %x, 18446744073709551615
  %b = add i128 %a, 1
  ret i128 %b
}

; 2^64 - 1 is all ones in 64 bits, and a mask in more.
; CHECK-LABEL: low_half(
; CHECK: ld.param.b64 [[LO:%rd[0-9]+]], [low_half_param_0];
; CHECK: st.param.v2.b64 [func_retval0], {[[LO]], 0};
define i128 @low_half(i128 %a) {
  %r = and i128 %a, 18446744073709551615
  ret i128 %r
}
