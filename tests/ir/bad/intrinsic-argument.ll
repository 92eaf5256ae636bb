declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
declare i32 @llvm.smul.fix.i32(i32, i32, i32 immarg)
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64 immarg)
declare i24 @llvm.bswap.i24(i24)
declare ptr @llvm.ptrmask.p0.i32(ptr, i32)
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.sqrt.f32(float, metadata, metadata)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32 immarg, <4 x i1>, <4 x i32>)

define void @f(ptr %p, float %x, i32 %i, <4 x i32> %v, i24 %w) {
  call i1 @llvm.is.fpclass.f32(float %x, i32 1024)
  call i32 @llvm.smul.fix.i32(i32 %i, i32 %i, i32 32)
  call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 3)
  call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 4)
  call i24 @llvm.bswap.i24(i24 %w)
  call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 -8)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 4, i32 1)
  call float @llvm.experimental.constrained.fadd.f32(float %x, float %x, metadata !"up", metadata !"fpexcept.strict")
  call float @llvm.experimental.constrained.sqrt.f32(float %x, metadata !"round.upward", metadata !"strict")
  call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 3, <4 x i1> poison, <4 x i32> poison)
  ret void
}
