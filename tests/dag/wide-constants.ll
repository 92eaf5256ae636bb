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
