define float @f(float %x) {
  %y = fmul float %x, 0.1
  ret float %y
}
