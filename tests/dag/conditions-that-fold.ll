; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; A condition that turns out to be constant only when the comparison is combined: the selection goes, too.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: never(
; CHECK:         ld.param.b32 [[B:%r[0-9]+]], [never_param_1];
; CHECK-NEXT:    st.param.b32 [func_retval0], [[B]];
; CHECK-NEXT:    ret;
define i32 @never(i32 %a, i32 %b, i32 %c) {
  %p = icmp ult i32 %c, 0
  %r = select i1 %p, i32 %a, i32 %b
  ret i32 %r
}

; CHECK-LABEL: always(
; CHECK:         ld.param.b64 [[A:%rd[0-9]+]], [always_param_0];
; CHECK-NEXT:    st.param.b64 [func_retval0], [[A]];
; CHECK-NEXT:    ret;
define i64 @always(i64 %a, i64 %b, i8 %c) {
  %w = zext i8 %c to i32
  %p = icmp ult i32 %w, 256
  %r = select i1 %p, i64 %a, i64 %b
  ret i64 %r
}
