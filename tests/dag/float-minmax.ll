; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; A selection by a comparison is a minimum where NaNs and the signs of zeros do not matter, and only there.
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: least(
; CHECK: min.f32 	%r3, %r1, %r2;
define float @least(float %a, float %b) {
  %c = fcmp olt float %a, %b
  %r = select nnan nsz i1 %c, float %a, float %b
  ret float %r
}
; CHECK-LABEL: most(
; CHECK: max.f64
define double @most(double %a, double %b) {
  %c = fcmp olt double %a, %b
  %r = select nnan nsz i1 %c, double %b, double %a
  ret double %r
}
; CHECK-LABEL: strict(
; CHECK-NOT: min
; CHECK: selp.f32
define float @strict(float %a, float %b) {
  %c = fcmp olt float %a, %b
  %r = select nnan i1 %c, float %a, float %b
  ret float %r
}

; Of vectors, too: x > 0 ? x : 0.
; CHECK-LABEL: pairs(
; CHECK: max.f16x2
define <2 x half> @pairs(<2 x half> %a) {
  %c = fcmp ogt <2 x half> %a, zeroinitializer
  %r = select <2 x i1> %c, <2 x half> %a, <2 x half> zeroinitializer
  ret <2 x half> %r
}
