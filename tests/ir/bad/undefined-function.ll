define float @f(float %x) {
  %y = call float @cosf(float %x)
  ret float %y
}
