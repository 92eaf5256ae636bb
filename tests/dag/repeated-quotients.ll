; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; Several quotients by one number are products with its reciprocal under arcp alone, and one of two quotients is a quotient of
; one of two numbers.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: allowed(
; CHECK: rcp.rn.f32
; CHECK-NOT: div
; CHECK-COUNT-2: mul.rn.f32
; CHECK: ret
define void @allowed(ptr %p, float %x, float %y, float %z) {
  %a = fdiv arcp float %x, %z
  %b = fdiv arcp float %y, %z
  store float %a, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  store float %b, ptr %q
  ret void
}

; CHECK-LABEL: fast(
; CHECK: rcp.approx.f32
; CHECK-NOT: div
; CHECK-NOT: rcp
; CHECK: ret
define void @fast(ptr %p, float %x, float %y, float %z) {
  %a = fdiv fast float %x, %z
  %b = fdiv fast float %y, %z
  store float %a, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  store float %b, ptr %q
  ret void
}

; CHECK-LABEL: not_allowed(
; CHECK-COUNT-2: div.rn.f64
define void @not_allowed(ptr %p, double %x, double %y, double %z) {
  %a = fdiv arcp double %x, %z
  %b = fdiv double %y, %z
  store double %a, ptr %p
  %q = getelementptr double, ptr %p, i64 1
  store double %b, ptr %q
  ret void
}

; CHECK-LABEL: either(
; CHECK: div.rn.f32
; CHECK-NOT: div
; CHECK: ret
define float @either(i1 %p, float %x, float %y, float %z) {
  %a = fdiv float %x, %z
  %b = fdiv float %y, %z
  %s = select i1 %p, float %a, float %b
  ret float %s
}
