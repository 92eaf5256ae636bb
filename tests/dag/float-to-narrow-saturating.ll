; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/float-to-narrow-saturating.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s -O0 --launch=%p/float-to-narrow-saturating.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s --level=ir --launch=%p/float-to-narrow-saturating.launch.json --json | filecheck %s --check-prefix=VALUES
; Floats to bytes and halves of words: clamped at both ends, NaN is 0. The float is clamped where it holds the bounds, and then an
; unsigned result needs no comparison: the greater of NaN and 0 is 0.
target triple = "nvptx64-nvidia-cuda"

; in: NaN, inf, -inf, 255.9, 127.5, -128.9, -0.5, 65536
; VALUES: "out":{{.*}}[0,255,0,255,127,0,0,255,0,65535,0,255,127,0,0,65535,0,127,-128,127,127,-128,0,127]

; CHECK-LABEL: byte(
; CHECK:      max.f32 	[[A:%r[0-9]+]], %r1, 0f00000000;
; CHECK-NEXT: min.f32 	[[B:%r[0-9]+]], [[A]], 0f437F0000;
; CHECK-NEXT: cvt.rzi.u16.f32 	%rs{{[0-9]+}}, [[B]];
; CHECK-NOT:  selp
define i8 @byte(float %x) {
  %r = call i8 @llvm.fptoui.sat.i8.f32(float %x)
  ret i8 %r
}

; 65535 is no half: the conversion clamps.
; CHECK-LABEL: word_of_half(
; CHECK-NOT:  min.
; CHECK:      cvt.rzi.u16.f16
; CHECK:      selp.b16
define i16 @word_of_half(half %x) {
  %r = call i16 @llvm.fptoui.sat.i16.f16(half %x)
  ret i16 %r
}

define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t8 = add i32 %t, 8
  %t16 = add i32 %t, 16
  %p = getelementptr float, ptr %in, i32 %t
  %x = load float, ptr %p
  %u8 = call i8 @llvm.fptoui.sat.i8.f32(float %x)
  %u16 = call i16 @llvm.fptoui.sat.i16.f32(float %x)
  %s8 = call i8 @llvm.fptosi.sat.i8.f32(float %x)
  %a = zext i8 %u8 to i32
  %b = zext i16 %u16 to i32
  %c = sext i8 %s8 to i32
  %pa = getelementptr i32, ptr %out, i32 %t
  %pb = getelementptr i32, ptr %out, i32 %t8
  %pc = getelementptr i32, ptr %out, i32 %t16
  store i32 %a, ptr %pa
  store i32 %b, ptr %pb
  store i32 %c, ptr %pc
  ret void
}
