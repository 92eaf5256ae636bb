define float @f(i32 %x) {
  %y = fadd float %x, 1.0
  ret float %y
}
