define float @f(float %x, i32 %i, ptr %p) {
  %a = fmul float %x, 2.0f
  %b = fmul float %x, 0x3f800000
  %c = fmul float %x, 0f3F800000
  %d = fmul float %x, 1e10
  %e = fmul float %x, -%x
  %f = fmul float %x, .5
  %g = add i32 %i, 0x10
  ret float %x
}
