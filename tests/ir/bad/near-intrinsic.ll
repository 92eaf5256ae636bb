define void @f(float %x) {
  %a = call float @llvm.sqrtt.f32(float %x)
  %b = call float @llvm.nvvm.sqrt.rn(float %x)
  %c = call i32 @threadIdx.x()
  call void @__syncthreads()
  ret void
}
