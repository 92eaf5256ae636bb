declare double @llvm.fma.f32(float, float, float)
declare i32 @llvm.ctpop.v2i32(<2 x i32>)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i64)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64)
declare float @llvm.vector.reduce.fadd.v4f32(<4 x float>)
declare i32 @llvm.smax.f32(float, float)
declare void @llvm.nvvm.mbarrier.init.shared(ptr, i32)
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.not.called(i32)
declare i16 @llvm.smin.i16(i32)

define void @f(ptr %p, ptr addrspace(1) %q, ptr addrspace(3) %s, float %x, i32 %i, i1 %b) {
  call double @llvm.fma.f32(float %x, float %x, float %x)
  call i32 @llvm.ctpop.v2i32(<2 x i32> zeroinitializer)
  call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %i, i64 1)
  call void @llvm.memcpy.p0.p1.i64(ptr %p, ptr addrspace(1) %q, i64 8)
  call float @llvm.vector.reduce.fadd.v4f32(<4 x float> zeroinitializer)
  call i32 @llvm.smax.f32(float %x, float %x)
  call void @llvm.nvvm.mbarrier.init.shared(ptr %p, i32 1)
  call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %s)
  call double @llvm.sqrt.f32(double 1.0)
  call i32 @llvm.abs.i32(i32 %i, i1 %b)
  store ptr @llvm.sqrt.f32, ptr %p
  ret void
}
define i32 @llvm.bswap.i32(i32 %x) {
  ret i32 %x
}
