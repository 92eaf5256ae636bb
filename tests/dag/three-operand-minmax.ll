; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx88 -o - | filecheck %s --check-prefix=OLD
; The least and the greatest of three floats are one instruction from sm_100 and PTX 8.8 on.
target triple = "nvptx64-nvidia-cuda"

; OLD-COUNT-8: {{(min|max)(.NaN)?.f32}} {{%r[0-9]+, %r[0-9]+, %r[0-9]+;}}
; OLD-NOT: {{min|max}}.

; CHECK-LABEL: least(
; CHECK: min.f32 	%r4, %r1, %r2, %r3;
define float @least(float %a, float %b, float %c) {
  %x = call float @llvm.minnum.f32(float %a, float %b)
  %r = call float @llvm.minnum.f32(float %x, float %c)
  ret float %r
}

; CHECK-LABEL: greatest(
; CHECK: max.f32 	[[T:%r[0-9]+]], {{%r[0-9]+, %r[0-9]+}};
; CHECK: max.f32 	{{%r[0-9]+}}, {{(%r[0-9]+, %r[0-9]+, )?}}[[T]]{{(, %r[0-9]+, %r[0-9]+)?}};
define float @greatest(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %v)
  ret float %r
}

; CHECK-LABEL: ieee(
; CHECK: max.NaN.f32 	[[T:%r[0-9]+]], {{%r[0-9]+, %r[0-9]+, %r[0-9]+}};
; CHECK: min.NaN.f32 	{{%r[0-9]+}}, {{.*}}[[T]]
define float @ieee(float %a, float %b, float %c, float %d) {
  %x = call float @llvm.maximum.f32(float %b, float %c)
  %y = call float @llvm.maximum.f32(float %a, float %x)
  %r = call float @llvm.minimum.f32(float %y, float %d)
  ret float %r
}
