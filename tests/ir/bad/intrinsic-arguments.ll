define float @f(float %x) {
  %a = call float @llvm.fma.f32(float %x, float %x)
  ret float %a
}
