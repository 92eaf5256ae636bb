define float @f(float %x, i32 %i, ptr %p) {
  %a = mul float %x, %x
  %b = fadd i32 %i, %i
  %c = icmp olt i32 %i, %i
  %d = fcmp lt float %x, %x
  %e = icmp slt float %x, %x
  ret float %x
}
