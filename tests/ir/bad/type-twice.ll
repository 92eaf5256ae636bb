define float @f(float %x, i32 %i, ptr %p) {
  %a = fmul float %x, float %x
  %b = icmp ult i32 %i, i32 %i
  %c = fmul %x, %x
  %d = fmul float x, x
  ret float %x
}
