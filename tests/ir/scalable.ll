; Scalable vectors: their types, constants and expressions, everything that may be done with them, and the intrinsics made for them.

%pair = type { <vscale x 4 x i32>, <vscale x 4 x i32> }
%mixed = type { i32, <vscale x 4 x i32> }
%wide = type <vscale x 2 x i64>

@base = global i8 0
@known = alias <vscale x 4 x i32>, ptr @base

declare <vscale x 4 x i32> @step(<vscale x 4 x i32>, ptr byref(<vscale x 4 x i32>)) vscale_range(1,16)
declare void @many([2 x <vscale x 8 x half>], %mixed, <vscale x 2 x ptr addrspace(1)> align 8, <vscale x 2 x float> nofpclass(nan))

define <vscale x 4 x i32> @constants(<vscale x 4 x i32> %v, <vscale x 2 x ptr> %p) {
  %a = add <vscale x 4 x i32> %v, splat (i32 7)
  %b = add <vscale x 4 x i32> %a, zeroinitializer
  %c = add <vscale x 4 x i32> %b, shufflevector (<vscale x 4 x i32> insertelement (<vscale x 4 x i32> poison, i32 5, i64 0), <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer)
  %d = add <vscale x 4 x i32> %c, shufflevector (<vscale x 4 x i32> insertelement (<vscale x 4 x i32> undef, i32 6, i32 0), <vscale x 4 x i32> undef, <vscale x 4 x i32> zeroinitializer)
  %e = add <vscale x 4 x i32> %d, insertelement (<vscale x 4 x i32> poison, i32 8, i64 1)
  %f = add <vscale x 4 x i32> %e, add (<vscale x 4 x i32> splat (i32 -3), <vscale x 4 x i32> splat (i32 4))
  %g = add <vscale x 4 x i32> %f, trunc (<vscale x 4 x i64> splat (i64 4294967305) to <vscale x 4 x i32>)
  %h = add <vscale x 4 x i32> %g, bitcast (<vscale x 2 x i64> splat (i64 1) to <vscale x 4 x i32>)
  %i = icmp eq <vscale x 2 x ptr> %p, shufflevector (<vscale x 2 x ptr> insertelement (<vscale x 2 x ptr> poison, ptr @base, i64 0), <vscale x 2 x ptr> poison, <vscale x 2 x i32> zeroinitializer)
  %j = icmp ne <vscale x 2 x ptr> %p, splat (ptr null)
  %k = xor <vscale x 2 x i1> %i, splat (i1 true)
  %l = icmp eq <vscale x 2 x ptr> %p, getelementptr (i8, ptr @base, <vscale x 2 x i64> splat (i64 3))
  %m = fadd <vscale x 2 x double> splat (double 1.500000e+00), poison
  %n = add <vscale x 4 x i32> %h, splat (i32 poison)
  %o = extractelement <vscale x 4 x i32> splat (i32 9), i32 100
  %q = add i32 %o, extractelement (<vscale x 4 x i32> splat (i32 9), i32 3)
  %r = add i32 %q, extractelement (<vscale x 4 x i32> splat (i32 9), i32 4)
  ret <vscale x 4 x i32> %n
}

define i32 @elements(<vscale x 4 x i32> %v, <vscale x 4 x i32> %w, i64 %at, i1 %way, <vscale x 4 x i1> %mask) {
entry:
  %a = insertelement <vscale x 4 x i32> %v, i32 1, i64 %at
  %b = extractelement <vscale x 4 x i32> %a, i64 1000
  %c = shufflevector <vscale x 4 x i32> %v, <vscale x 4 x i32> %w, <vscale x 4 x i32> zeroinitializer
  %d = shufflevector <vscale x 4 x i32> %v, <vscale x 4 x i32> poison, <vscale x 2 x i32> zeroinitializer
  %e = shufflevector <vscale x 4 x i32> %v, <vscale x 4 x i32> %w, <vscale x 8 x i32> poison
  %f = shufflevector <vscale x 4 x i32> %v, <vscale x 4 x i32> %w, <vscale x 8 x i32> undef
  %g = select <vscale x 4 x i1> %mask, <vscale x 4 x i32> %v, <vscale x 4 x i32> %w
  %h = select i1 %way, <vscale x 4 x i32> %g, <vscale x 4 x i32> %c
  br i1 %way, label %then, label %join

then:
  %i = freeze <vscale x 4 x i32> %h
  br label %join

join:
  %j = phi <vscale x 4 x i32> [ %i, %then ], [ %w, %entry ]
  %k = icmp slt <vscale x 4 x i32> %j, %v
  %l = zext <vscale x 4 x i1> %k to <vscale x 4 x i64>
  %m = trunc nuw <vscale x 4 x i64> %l to <vscale x 4 x i16>
  %n = sitofp <vscale x 4 x i16> %m to <vscale x 4 x double>
  %o = fcmp nnan olt <vscale x 4 x double> %n, zeroinitializer
  %p = bitcast <vscale x 4 x double> %n to <vscale x 32 x i8>
  %q = inttoptr <vscale x 4 x i64> %l to <vscale x 4 x ptr>
  %r = addrspacecast <vscale x 4 x ptr> %q to <vscale x 4 x ptr addrspace(1)>
  %s = ptrtoint <vscale x 4 x ptr addrspace(1)> %r to <vscale x 4 x i64>
  ret i32 %b
}

define void @memory(ptr %p, <vscale x 2 x ptr> %ps, <vscale x 2 x i64> %at, ...) {
  %a = alloca <vscale x 4 x i32>
  %b = alloca %pair, i32 3
  %c = alloca [2 x %pair], align 32
  %d = load <vscale x 4 x i32>, ptr %a
  store <vscale x 4 x i32> %d, ptr %p, align 4
  %e = load %pair, ptr %b
  %f = extractvalue %pair %e, 1
  %g = insertvalue %pair %e, <vscale x 4 x i32> %d, 0
  store %pair %g, ptr %b
  %h = insertvalue %mixed poison, <vscale x 4 x i32> %f, 1
  %i = getelementptr <vscale x 4 x i32>, ptr %p, i64 2, i64 1
  %j = getelementptr [2 x <vscale x 4 x i32>], ptr %p, i64 1, i64 0
  %k = getelementptr [2 x %pair], ptr %p, i64 0, i64 1, i32 1
  %l = getelementptr inbounds i32, <vscale x 2 x ptr> %ps, <vscale x 2 x i64> %at
  %m = getelementptr { i8, i16 }, <vscale x 2 x ptr> %ps, i64 0, i32 1
  %n = getelementptr i32, ptr %p, <vscale x 2 x i64> %at
  %o = getelementptr <vscale x 2 x i64>, ptr %p, <vscale x 2 x i64> %at
  %r = va_arg ptr %p, <vscale x 2 x i64>
  %s = call <vscale x 4 x i32> @step(<vscale x 4 x i32> %d, ptr byref(<vscale x 4 x i32>) %a)
  %t = call <vscale x 4 x i32> asm "", "=r,r"(<vscale x 4 x i32> %d)
  call void (...) %p(<vscale x 4 x i32> %d, %mixed %h)
  ret void
}

define %wide @intrinsics(%wide %v, %wide %w, <vscale x 2 x i1> %mask, ptr %p, <4 x i64> %fixed, i32 %n) {
  %a = call i64 @llvm.vscale.i64()
  %b = call %wide @llvm.vector.insert.nxv2i64.v4i64(%wide %v, <4 x i64> %fixed, i64 400)
  %c = call <4 x i64> @llvm.vector.extract.v4i64.nxv2i64(%wide %b, i64 8)
  %d = call <vscale x 4 x i64> @llvm.vector.insert.nxv4i64.nxv2i64(<vscale x 4 x i64> poison, %wide %v, i64 2)
  %e = call %wide @llvm.vector.reverse.nxv2i64(%wide %w)
  %f = call <vscale x 4 x i64> @llvm.vector.interleave2.nxv4i64(%wide %v, %wide %w)
  %g = call { %wide, %wide } @llvm.vector.deinterleave2.nxv4i64(<vscale x 4 x i64> %f)
  %h = call i64 @llvm.vector.reduce.add.nxv2i64(%wide %v)
  %i = call %wide @llvm.masked.load.nxv2i64.p0(ptr align 8 %p, <vscale x 2 x i1> %mask, %wide %v)
  call void @llvm.masked.store.nxv2i64.p0(%wide %i, ptr align 8 %p, <vscale x 2 x i1> %mask)
  %j = call <vscale x 2 x i1> @llvm.get.active.lane.mask.nxv2i1.i32(i32 0, i32 %n)
  %k = call %wide @llvm.vp.add.nxv2i64(%wide %v, %wide %w, <vscale x 2 x i1> %j, i32 %n)
  %l = call %wide @llvm.smax.nxv2i64(%wide %v, %wide splat (i64 1))
  %q = call %wide @llvm.vp.load.nxv2i64.p0(ptr %p, <vscale x 2 x i1> %mask, i32 %n)
  ret %wide %l
}
declare <vscale x 2 x i1> @llvm.get.active.lane.mask.nxv2i1.i32(i32, i32)
declare <vscale x 2 x i64> @llvm.masked.load.nxv2i64.p0(ptr, <vscale x 2 x i1>, <vscale x 2 x i64>)
declare void @llvm.masked.store.nxv2i64.p0(<vscale x 2 x i64>, ptr, <vscale x 2 x i1>)
declare <vscale x 2 x i64> @llvm.smax.nxv2i64(<vscale x 2 x i64>, <vscale x 2 x i64>)
declare { <vscale x 2 x i64>, <vscale x 2 x i64> } @llvm.vector.deinterleave2.nxv4i64(<vscale x 4 x i64>)
declare <4 x i64> @llvm.vector.extract.v4i64.nxv2i64(<vscale x 2 x i64>, i64)
declare <vscale x 2 x i64> @llvm.vector.insert.nxv2i64.v4i64(<vscale x 2 x i64>, <4 x i64>, i64)
declare <vscale x 4 x i64> @llvm.vector.insert.nxv4i64.nxv2i64(<vscale x 4 x i64>, <vscale x 2 x i64>, i64)
declare <vscale x 4 x i64> @llvm.vector.interleave2.nxv4i64(<vscale x 2 x i64>, <vscale x 2 x i64>)
declare i64 @llvm.vector.reduce.add.nxv2i64(<vscale x 2 x i64>)
declare <vscale x 2 x i64> @llvm.vector.reverse.nxv2i64(<vscale x 2 x i64>)
declare <vscale x 2 x i64> @llvm.vp.add.nxv2i64(<vscale x 2 x i64>, <vscale x 2 x i64>, <vscale x 2 x i1>, i32)
declare <vscale x 2 x i64> @llvm.vp.load.nxv2i64.p0(ptr, <vscale x 2 x i1>, i32)
declare i64 @llvm.vscale.i64()
