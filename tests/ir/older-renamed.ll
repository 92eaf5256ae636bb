; Every intrinsic of NVVM that LLVM 22 has in another form: upgrades.def.
target triple = "nvptx64-nvidia-cuda"

define bfloat @f0(bfloat %a0) {
  %r = call bfloat @llvm.nvvm.abs.bf16(bfloat %a0)
  ret bfloat %r
}

define <2 x bfloat> @f1(<2 x bfloat> %a0) {
  %r = call <2 x bfloat> @llvm.nvvm.abs.bf16x2(<2 x bfloat> %a0)
  ret <2 x bfloat> %r
}

define i32 @f2(ptr %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.dec.32.p0(ptr %a0, i32 %a1)
  ret i32 %r
}

define i32 @f3(ptr addrspace(1) %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.dec.32.p1(ptr addrspace(1) %a0, i32 %a1)
  ret i32 %r
}

define i32 @f4(ptr addrspace(3) %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3) %a0, i32 %a1)
  ret i32 %r
}

define i32 @f5(ptr %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %a0, i32 %a1)
  ret i32 %r
}

define i32 @f6(ptr addrspace(1) %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.inc.32.p1(ptr addrspace(1) %a0, i32 %a1)
  ret i32 %r
}

define i32 @f7(ptr addrspace(3) %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.inc.32.p3(ptr addrspace(3) %a0, i32 %a1)
  ret i32 %r
}

define void @f8() {
  call void @llvm.nvvm.bar.sync(i32 4)
  ret void
}

define void @f9(i32 %a0, i32 %a1) {
  call void @llvm.nvvm.barrier(i32 %a0, i32 %a1)
  ret void
}

define void @f10() {
  call void @llvm.nvvm.barrier0()
  ret void
}

define i32 @f11(i32 %a0) {
  %r = call i32 @llvm.nvvm.barrier0.and(i32 %a0)
  ret i32 %r
}

define i32 @f12(i32 %a0) {
  %r = call i32 @llvm.nvvm.barrier0.or(i32 %a0)
  ret i32 %r
}

define i32 @f13(i32 %a0) {
  %r = call i32 @llvm.nvvm.barrier0.popc(i32 %a0)
  ret i32 %r
}

define void @f14(i32 %a0) {
  call void @llvm.nvvm.barrier.n(i32 %a0)
  ret void
}

define void @f15(i32 %a0) {
  call void @llvm.nvvm.barrier.sync(i32 %a0)
  ret void
}

define void @f16(i32 %a0, i32 %a1) {
  call void @llvm.nvvm.barrier.sync.cnt(i32 %a0, i32 %a1)
  ret void
}

define i64 @f17(double %a0) {
  %r = call i64 @llvm.nvvm.bitcast.d2ll(double %a0)
  ret i64 %r
}

define i32 @f18(float %a0) {
  %r = call i32 @llvm.nvvm.bitcast.f2i(float %a0)
  ret i32 %r
}

define float @f19(i32 %a0) {
  %r = call float @llvm.nvvm.bitcast.i2f(i32 %a0)
  ret float %r
}

define double @f20(i64 %a0) {
  %r = call double @llvm.nvvm.bitcast.ll2d(i64 %a0)
  ret double %r
}

define double @f21(double %a0) {
  %r = call double @llvm.nvvm.ex2.approx.d(double %a0)
  ret double %r
}

define float @f22(float %a0) {
  %r = call float @llvm.nvvm.ex2.approx.f(float %a0)
  ret float %r
}

define <2 x half> @f23(<2 x half> %a0) {
  %r = call <2 x half> @llvm.nvvm.ex2.approx.f16x2(<2 x half> %a0)
  ret <2 x half> %r
}

define float @f24(float %a0) {
  %r = call float @llvm.nvvm.ex2.approx.ftz.f(float %a0)
  ret float %r
}

define double @f25(double %a0) {
  %r = call double @llvm.nvvm.fabs.d(double %a0)
  ret double %r
}

define float @f26(float %a0) {
  %r = call float @llvm.nvvm.fabs.f(float %a0)
  ret float %r
}

define float @f27(float %a0) {
  %r = call float @llvm.nvvm.fabs.ftz.f(float %a0)
  ret float %r
}

define ptr addrspace(3) @f28(ptr addrspace(3) %a0, i32 %a1) {
  %r = call ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %a0, i32 %a1)
  ret ptr addrspace(3) %r
}

define ptr @f29(ptr addrspace(4) %a0) {
  %r = call ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4) %a0)
  ret ptr %r
}

define ptr addrspace(4) @f30(ptr %a0) {
  %r = call ptr addrspace(4) @llvm.nvvm.ptr.gen.to.constant.p4.p0(ptr %a0)
  ret ptr addrspace(4) %r
}

define ptr addrspace(1) @f31(ptr %a0) {
  %r = call ptr addrspace(1) @llvm.nvvm.ptr.gen.to.global.p1.p0(ptr %a0)
  ret ptr addrspace(1) %r
}

define ptr addrspace(5) @f32(ptr %a0) {
  %r = call ptr addrspace(5) @llvm.nvvm.ptr.gen.to.local.p5.p0(ptr %a0)
  ret ptr addrspace(5) %r
}

define ptr addrspace(101) @f33(ptr %a0) {
  %r = call ptr addrspace(101) @llvm.nvvm.ptr.gen.to.param.p101.p0(ptr %a0)
  ret ptr addrspace(101) %r
}

define ptr @f34(ptr %a0) {
  %r = call ptr @llvm.nvvm.ptr.gen.to.param.p0.p0(ptr %a0)
  ret ptr %r
}

define ptr addrspace(3) @f35(ptr %a0) {
  %r = call ptr addrspace(3) @llvm.nvvm.ptr.gen.to.shared.p3.p0(ptr %a0)
  ret ptr addrspace(3) %r
}

define ptr @f36(ptr addrspace(1) %a0) {
  %r = call ptr @llvm.nvvm.ptr.global.to.gen.p0.p1(ptr addrspace(1) %a0)
  ret ptr %r
}

define ptr @f37(ptr addrspace(5) %a0) {
  %r = call ptr @llvm.nvvm.ptr.local.to.gen.p0.p5(ptr addrspace(5) %a0)
  ret ptr %r
}

define ptr @f38(ptr addrspace(101) %a0) {
  %r = call ptr @llvm.nvvm.ptr.param.to.gen.p0.p101(ptr addrspace(101) %a0)
  ret ptr %r
}

define ptr @f39(ptr addrspace(3) %a0) {
  %r = call ptr @llvm.nvvm.ptr.shared.to.gen.p0.p3(ptr addrspace(3) %a0)
  ret ptr %r
}

define i32 @f40(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.rotate.b32(i32 %a0, i32 %a1)
  ret i32 %r
}

define i64 @f41(i64 %a0, i32 %a1) {
  %r = call i64 @llvm.nvvm.rotate.b64(i64 %a0, i32 %a1)
  ret i64 %r
}

define i64 @f42(i64 %a0, i32 %a1) {
  %r = call i64 @llvm.nvvm.rotate.right.b64(i64 %a0, i32 %a1)
  ret i64 %r
}

define i64 @f43(i64 %a0) {
  %r = call i64 @llvm.nvvm.swap.lo.hi.b64(i64 %a0)
  ret i64 %r
}

define ptr @f44() {
  %r = call ptr @llvm.thread.pointer()
  ret ptr %r
}

define i32 @f45(i32 %a0) {
  %r = call i32 @llvm.nvvm.abs.i(i32 %a0)
  ret i32 %r
}

define i64 @f46(i64 %a0) {
  %r = call i64 @llvm.nvvm.abs.ll(i64 %a0)
  ret i64 %r
}

define i32 @f47(i32 %a0) {
  %r = call i32 @llvm.nvvm.clz.i(i32 %a0)
  ret i32 %r
}

define i32 @f48(i64 %a0) {
  %r = call i32 @llvm.nvvm.clz.ll(i64 %a0)
  ret i32 %r
}

define i32 @f49(i32 %a0) {
  %r = call i32 @llvm.nvvm.popc.i(i32 %a0)
  ret i32 %r
}

define i32 @f50(i64 %a0) {
  %r = call i32 @llvm.nvvm.popc.ll(i64 %a0)
  ret i32 %r
}

define float @f51(i16 %a0) {
  %r = call float @llvm.nvvm.h2f(i16 %a0)
  ret float %r
}

define i16 @f52(i16 %a0, i16 %a1) {
  %r = call i16 @llvm.nvvm.max.s(i16 %a0, i16 %a1)
  ret i16 %r
}

define i32 @f53(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.max.i(i32 %a0, i32 %a1)
  ret i32 %r
}

define i64 @f54(i64 %a0, i64 %a1) {
  %r = call i64 @llvm.nvvm.max.ll(i64 %a0, i64 %a1)
  ret i64 %r
}

define i16 @f55(i16 %a0, i16 %a1) {
  %r = call i16 @llvm.nvvm.max.us(i16 %a0, i16 %a1)
  ret i16 %r
}

define i32 @f56(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.max.ui(i32 %a0, i32 %a1)
  ret i32 %r
}

define i64 @f57(i64 %a0, i64 %a1) {
  %r = call i64 @llvm.nvvm.max.ull(i64 %a0, i64 %a1)
  ret i64 %r
}

define i16 @f58(i16 %a0, i16 %a1) {
  %r = call i16 @llvm.nvvm.min.s(i16 %a0, i16 %a1)
  ret i16 %r
}

define i32 @f59(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.min.i(i32 %a0, i32 %a1)
  ret i32 %r
}

define i64 @f60(i64 %a0, i64 %a1) {
  %r = call i64 @llvm.nvvm.min.ll(i64 %a0, i64 %a1)
  ret i64 %r
}

define i16 @f61(i16 %a0, i16 %a1) {
  %r = call i16 @llvm.nvvm.min.us(i16 %a0, i16 %a1)
  ret i16 %r
}

define i32 @f62(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.min.ui(i32 %a0, i32 %a1)
  ret i32 %r
}

define i64 @f63(i64 %a0, i64 %a1) {
  %r = call i64 @llvm.nvvm.min.ull(i64 %a0, i64 %a1)
  ret i64 %r
}

define float @f64(ptr %a0, float %a1) {
  %r = call float @llvm.nvvm.atomic.load.add.f32.p0(ptr %a0, float %a1)
  ret float %r
}

define float @f65(ptr addrspace(1) %a0, float %a1) {
  %r = call float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1) %a0, float %a1)
  ret float %r
}

define float @f66(ptr addrspace(3) %a0, float %a1) {
  %r = call float @llvm.nvvm.atomic.load.add.f32.p3(ptr addrspace(3) %a0, float %a1)
  ret float %r
}

define double @f67(ptr %a0, double %a1) {
  %r = call double @llvm.nvvm.atomic.load.add.f64.p0(ptr %a0, double %a1)
  ret double %r
}

define double @f68(ptr addrspace(1) %a0, double %a1) {
  %r = call double @llvm.nvvm.atomic.load.add.f64.p1(ptr addrspace(1) %a0, double %a1)
  ret double %r
}

define float @f69(float %a0) {
  %r = call float @llvm.nvvm.ex2.approx(float %a0)
  ret float %r
}

define float @f70(float %a0) {
  %r = call float @llvm.nvvm.ex2.approx.ftz(float %a0)
  ret float %r
}

define float @f71(float %a0) {
  %r = call float @llvm.nvvm.fabs(float %a0)
  ret float %r
}

define float @f72(float %a0) {
  %r = call float @llvm.nvvm.fabs.ftz(float %a0)
  ret float %r
}

define i64 @constants(i64 %a) {
  %b = call i32 @llvm.nvvm.barrier0.or(i32 7)
  %r = call i64 @llvm.nvvm.rotate.b64(i64 %a, i32 5)
  %m = call i32 @llvm.nvvm.max.i(i32 %b, i32 3)
  %z = zext i32 %m to i64
  %s = add i64 %r, %z
  ret i64 %s
}

define i32 @f73(ptr addrspace(1) %p) {
  %v = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %p, i32 16)
  ret i32 %v
}

define <4 x float> @f74(ptr %p) {
  %v = call <4 x float> @llvm.nvvm.ldg.global.f.v4f32.p0(ptr %p, i32 16)
  ret <4 x float> %v
}

define ptr addrspace(3) @f75(ptr addrspace(1) %p) {
  %v = call ptr addrspace(3) @llvm.nvvm.ldg.global.p.p3.p1(ptr addrspace(1) %p, i32 16)
  ret ptr addrspace(3) %v
}

define i32 @brev(i32 %a) {
  %r = call i32 @llvm.nvvm.brev32(i32 %a)
  ret i32 %r
}

define void @cluster(ptr addrspace(3) %a, ptr addrspace(1) %g, ptr %t) {
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(3) %a, ptr addrspace(3) %a, ptr addrspace(1) %g, i32 4, i16 0, i64 0, i1 false, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(3) %a, ptr addrspace(3) %a, ptr %t, i32 2, i16 0, i64 0, i1 false, i1 false)
  ret void
}

declare bfloat @llvm.nvvm.abs.bf16(bfloat)
declare <2 x bfloat> @llvm.nvvm.abs.bf16x2(<2 x bfloat>)
declare i32 @llvm.nvvm.atomic.load.dec.32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.bar.sync(i32)
declare void @llvm.nvvm.barrier(i32, i32)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.barrier0.and(i32)
declare i32 @llvm.nvvm.barrier0.or(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.barrier.n(i32)
declare void @llvm.nvvm.barrier.sync(i32)
declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)
declare i64 @llvm.nvvm.bitcast.d2ll(double)
declare i32 @llvm.nvvm.bitcast.f2i(float)
declare float @llvm.nvvm.bitcast.i2f(i32)
declare double @llvm.nvvm.bitcast.ll2d(i64)
declare double @llvm.nvvm.ex2.approx.d(double)
declare float @llvm.nvvm.ex2.approx.f(float)
declare <2 x half> @llvm.nvvm.ex2.approx.f16x2(<2 x half>)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare double @llvm.nvvm.fabs.d(double)
declare float @llvm.nvvm.fabs.f(float)
declare float @llvm.nvvm.fabs.ftz.f(float)
declare ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare ptr @llvm.nvvm.ptr.constant.to.gen.p0.p4(ptr addrspace(4))
declare ptr addrspace(4) @llvm.nvvm.ptr.gen.to.constant.p4.p0(ptr)
declare ptr addrspace(1) @llvm.nvvm.ptr.gen.to.global.p1.p0(ptr)
declare ptr addrspace(5) @llvm.nvvm.ptr.gen.to.local.p5.p0(ptr)
declare ptr addrspace(101) @llvm.nvvm.ptr.gen.to.param.p101.p0(ptr)
declare ptr @llvm.nvvm.ptr.gen.to.param.p0.p0(ptr)
declare ptr addrspace(3) @llvm.nvvm.ptr.gen.to.shared.p3.p0(ptr)
declare ptr @llvm.nvvm.ptr.global.to.gen.p0.p1(ptr addrspace(1))
declare ptr @llvm.nvvm.ptr.local.to.gen.p0.p5(ptr addrspace(5))
declare ptr @llvm.nvvm.ptr.param.to.gen.p0.p101(ptr addrspace(101))
declare ptr @llvm.nvvm.ptr.shared.to.gen.p0.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.rotate.b32(i32, i32)
declare i64 @llvm.nvvm.rotate.b64(i64, i32)
declare i64 @llvm.nvvm.rotate.right.b64(i64, i32)
declare i64 @llvm.nvvm.swap.lo.hi.b64(i64)
declare ptr @llvm.thread.pointer()
declare i32 @llvm.nvvm.abs.i(i32)
declare i64 @llvm.nvvm.abs.ll(i64)
declare i32 @llvm.nvvm.clz.i(i32)
declare i32 @llvm.nvvm.clz.ll(i64)
declare i32 @llvm.nvvm.popc.i(i32)
declare i32 @llvm.nvvm.popc.ll(i64)
declare float @llvm.nvvm.h2f(i16)
declare i16 @llvm.nvvm.max.s(i16, i16)
declare i32 @llvm.nvvm.max.i(i32, i32)
declare i64 @llvm.nvvm.max.ll(i64, i64)
declare i16 @llvm.nvvm.max.us(i16, i16)
declare i32 @llvm.nvvm.max.ui(i32, i32)
declare i64 @llvm.nvvm.max.ull(i64, i64)
declare i16 @llvm.nvvm.min.s(i16, i16)
declare i32 @llvm.nvvm.min.i(i32, i32)
declare i64 @llvm.nvvm.min.ll(i64, i64)
declare i16 @llvm.nvvm.min.us(i16, i16)
declare i32 @llvm.nvvm.min.ui(i32, i32)
declare i64 @llvm.nvvm.min.ull(i64, i64)
declare float @llvm.nvvm.atomic.load.add.f32.p0(ptr, float)
declare float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1), float)
declare float @llvm.nvvm.atomic.load.add.f32.p3(ptr addrspace(3), float)
declare double @llvm.nvvm.atomic.load.add.f64.p0(ptr, double)
declare double @llvm.nvvm.atomic.load.add.f64.p1(ptr addrspace(1), double)
declare float @llvm.nvvm.ex2.approx(float)
declare float @llvm.nvvm.ex2.approx.ftz(float)
declare float @llvm.nvvm.fabs(float)
declare float @llvm.nvvm.fabs.ftz(float)
declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
declare <4 x float> @llvm.nvvm.ldg.global.f.v4f32.p0(ptr, i32)
declare ptr addrspace(3) @llvm.nvvm.ldg.global.p.p3.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.brev32(i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i16, i64, i1, i1)
