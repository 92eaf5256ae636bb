; An operation is legal where a row of patterns.def is left whose instructions the target has: no row names a target.
; RUN: ptxscope compile %s -mcpu=sm_53 -mattr=+ptx50 -o - | filecheck %s --check-prefixes=CHECK,OLD
; RUN: ptxscope compile %s -mcpu=sm_53 -mattr=+ptx60 -o - | filecheck %s --check-prefixes=CHECK,NEG
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s --check-prefixes=CHECK,NEW
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx78 -o - | filecheck %s --check-prefixes=CHECK,NEG
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: negated(
; OLD:   xor.b16
; NEG:   neg.f16
; NEW:   neg.f16
define half @negated(half %x) {
  %r = fneg half %x
  ret half %r
}

; CHECK-LABEL: smallest(
; OLD-NOT: min.s16x2
; OLD:     min.s16
; NEG-NOT: min.s16x2
; NEG:     min.s16
; NEW:     min.s16x2
; CHECK:   ret
define <2 x i16> @smallest(<2 x i16> %x, <2 x i16> %y) {
  %r = call <2 x i16> @llvm.smin.v2i16(<2 x i16> %x, <2 x i16> %y)
  ret <2 x i16> %r
}
declare <2 x i16> @llvm.smin.v2i16(<2 x i16>, <2 x i16>)
