define float @f(float %x) {
  %y = fmul float %x, 2
  ret float %y
}
