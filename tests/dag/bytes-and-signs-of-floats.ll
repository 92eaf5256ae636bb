; RUN: ptxscope compile %s -mcpu=sm_53 -mattr=+ptx60 -o - | filecheck %s
; Operations on floats that integers do, in as few words as hold them.
target triple = "nvptx64-nvidia-cuda"

; A byte of a word is converted out of the 32 bits it was extended to.
; CHECK-LABEL: bytes(
; CHECK-NOT:     cvt.u16
; CHECK-COUNT-4: cvt.rn.f32.u32
; CHECK-NOT:     cvt.
; CHECK:         ret;
define <4 x float> @bytes(<4 x i8> %v) {
  %r = uitofp <4 x i8> %v to <4 x float>
  ret <4 x float> %r
}

; Both signs of a pair at once, where the target has no abs.f16x2.
; CHECK-LABEL: signs(
; CHECK:     ld.param.b32 	%r1,
; CHECK:     and.b32 	%r{{[0-9]+}}, %r1, 2147450879;
; CHECK-NOT: and.
; CHECK:     ret;
define <2 x half> @signs(<2 x half> %v) {
  %r = call <2 x half> @llvm.fabs.v2f16(<2 x half> %v)
  ret <2 x half> %r
}

; The signs of zeros do not matter to a number that is none.
; CHECK-LABEL: at_most_one(
; CHECK-COUNT-2: setp.
; CHECK-NOT:     setp.
; CHECK:         ret;
define half @at_most_one(half %x) {
  %r = call half @llvm.minimum.f16(half %x, half 1.0)
  ret half %r
}
