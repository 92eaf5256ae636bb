; RUN: ptxscope compile %s --run-pass=expand-large-div-rem --verify-each -o - | filecheck %s

; CHECK-LABEL: define i192 @loop(
; CHECK: br i1 %{{.*}}, label %udiv-end, label %udiv-bits
; CHECK: udiv-bits:
; CHECK: call i192 @llvm.ctlz.i192(
; CHECK: udiv-do:
; CHECK: icmp uge i192
; CHECK: br i1 %{{.*}}, label %udiv-end, label %udiv-do
; CHECK: udiv-end:
; CHECK: phi i192
define i192 @loop(i192 %a, i192 %b) {
  %q = udiv i192 %a, %b
  ret i192 %q
}

; CHECK-LABEL: define i192 @power(
; CHECK-NEXT: lshr i192 %a, 70
; CHECK-NEXT: ret
define i192 @power(i192 %a) {
  %q = udiv i192 %a, 1180591620717411303424
  ret i192 %q
}

; CHECK-LABEL: define i192 @digits(
; CHECK-NEXT: urem i192 %a, 10
; CHECK-NEXT: ret
define i192 @digits(i192 %a) {
  %q = urem i192 %a, 10
  ret i192 %q
}

; CHECK-LABEL: define i192 @signs(
; CHECK: ashr i192 %{{.*}}, 191
; CHECK: urem i192 %{{.*}}, 10
; CHECK-NOT: udiv-do
; CHECK: ret
define i192 @signs(i192 %a) {
  %q = srem i192 %a, -10
  ret i192 %q
}

; CHECK-LABEL: define <2 x i136> @elements(
; CHECK: extractelement <2 x i136> %a, i32 0
; CHECK: udiv-do:
; CHECK: insertelement <2 x i136>
; CHECK: extractelement <2 x i136> %a, i32 1
; CHECK: insertelement <2 x i136>
define <2 x i136> @elements(<2 x i136> %a, <2 x i136> %b) {
  %q = sdiv <2 x i136> %a, %b
  ret <2 x i136> %q
}

; CHECK-LABEL: define i128 @narrow(
; CHECK-NEXT: udiv i128
define i128 @narrow(i128 %a, i128 %b) {
  %q = udiv i128 %a, %b
  ret i128 %q
}
