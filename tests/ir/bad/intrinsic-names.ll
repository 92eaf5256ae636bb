define void @f(float %x, i32 %i, <4 x float> %v) {
  %a = call float @llvm.sqtr.f32(float %x)
  %b = call <4 x float> @llvm.fmulad.v4f32(<4 x float> %v, <4 x float> %v, <4 x float> %v)
  call void @llvm.nvvm.barier0()
  %c = call float @llvm.nvvm.sin.aprox.f(float %x)
  %d = call i32 @llvm.nvvm.mulhi.u(i32 %i, i32 %i)
  %g = call float @llvm.foo.f32(float %x)
  %h = call float @llvm.qsrt(float %x)
  ret void
}
