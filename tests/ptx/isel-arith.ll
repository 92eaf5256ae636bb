; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: wide(
; CHECK:       mul.wide.s32
; CHECK:       ret;
define i64 @wide(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %r = mul i64 %x, %y
  ret i64 %r
}

; CHECK-LABEL: fused(
; CHECK:       fma.rn.f32
; CHECK-NOT:   mul
; CHECK:       ret;
define float @fused(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %r = fadd contract float %m, %c
  ret float %r
}

; Without the flag the product is rounded.
; CHECK-LABEL: apart(
; CHECK:       mul.rn.f32
; CHECK:       add.rn.f32
define float @apart(float %a, float %b, float %c) {
  %m = fmul float %a, %b
  %r = fadd float %m, %c
  ret float %r
}

; CHECK-LABEL: tenth(
; CHECK:       mul.hi.u32 	%r2, %r1, -858993459;
; CHECK-NEXT:  shr.u32 	%r3, %r2, 3;
define i32 @tenth(i32 %a) {
  %r = udiv i32 %a, 10
  ret i32 %r
}

; CHECK-LABEL: carries(
; CHECK:       add.cc.s64
; CHECK-NEXT:  addc.cc.s64
define i128 @carries(i128 %a, i128 %b) {
  %r = add i128 %a, %b
  ret i128 %r
}

; A conversion to one bit is the value's lowest bit, and true is -1 as a signed number.
; CHECK-LABEL: to_bit(
; CHECK:       cvt.rzi.u32.f32
; CHECK-LABEL: from_bit(
; CHECK:       selp.f32 	%r{{[0-9]+}}, 0fBF800000, 0f00000000, %p{{[0-9]+}};
define i1 @to_bit(float %a) {
  %r = fptoui float %a to i1
  ret i1 %r
}
define float @from_bit(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %r = sitofp i1 %c to float
  ret float %r
}
