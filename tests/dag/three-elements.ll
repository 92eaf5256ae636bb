; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/three-elements.launch.json -mcpu=sm_90
; Three elements are in packed registers of two or four. What the target computes element by element is computed for three.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: roots(
; CHECK-COUNT-3: sqrt.rn.f32
; CHECK-NOT:     sqrt
; CHECK:         ret;
define <3 x bfloat> @roots(<3 x bfloat> %v) {
  %r = call <3 x bfloat> @llvm.sqrt.v3bf16(<3 x bfloat> %v)
  ret <3 x bfloat> %r
}

; CHECK-LABEL: negated(
; CHECK-COUNT-3: neg.s16
; CHECK-NOT:     neg
; CHECK:         ret;
define <3 x i8> @negated(<3 x i8> %v) {
  %r = sub <3 x i8> zeroinitializer, %v
  ret <3 x i8> %r
}

; Signs are bits, operated on in words; an element at an index that is no constant is inserted in the word.
; CHECK-LABEL: signs(
; CHECK-COUNT-2: or.b32
; CHECK-NOT:     or.
; CHECK:         ret;
define <3 x half> @signs(<3 x half> %v, <3 x half> %s) {
  %r = call <3 x half> @llvm.copysign.v3f16(<3 x half> %v, <3 x half> %s)
  ret <3 x half> %r
}

; CHECK-LABEL: inserted(
; CHECK:         shl.b32 [[O:%r[0-9]+]], {{%r[0-9]+}}, 3;
; CHECK:         bfi.b32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[O]], 8;
; CHECK-NOT:     selp
; CHECK:         ret;
define <3 x i8> @inserted(<3 x i8> %v, i8 %x, i32 %i) {
  %r = insertelement <3 x i8> %v, i8 %x, i32 %i
  ret <3 x i8> %r
}

define ptx_kernel void @k(ptr %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [4 x <4 x i8>], ptr %io, i32 %t
  %i = urem i32 %t, 3
  %v = load <3 x i8>, ptr %p
  %n = call <3 x i8> @negated(<3 x i8> %v)
  %x = trunc i32 %t to i8
  %m = call <3 x i8> @inserted(<3 x i8> %n, i8 %x, i32 %i)
  store <3 x i8> %m, ptr %p
  %q = getelementptr i8, ptr %p, i32 8
  %h = load <3 x half>, ptr %q
  %b = bitcast <3 x half> %h to <3 x bfloat>
  %r = call <3 x bfloat> @roots(<3 x bfloat> %b)
  %rh = bitcast <3 x bfloat> %r to <3 x half>
  %s = call <3 x half> @signs(<3 x half> %h, <3 x half> %rh)
  store <3 x half> %s, ptr %q
  ret void
}
