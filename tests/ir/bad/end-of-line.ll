define float @f(float %x, i32 %i, ptr %p) {
  %a = fmul float %x,
  %b = fmul float
  %c = call i32 @llvm.nvvm.read.ptx.sreg.tid.x
  %d = extractelement <2 x float> undef,
  ret float %x
}
