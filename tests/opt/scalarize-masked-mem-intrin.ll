; RUN: ptxscope compile %s --run-pass=scalarize-masked-mem-intrin --verify-each -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/scalarize-masked-mem-intrin.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s -O0 --launch=%p/scalarize-masked-mem-intrin.launch.json --json | filecheck %s --check-prefix=VALUES
target triple = "nvptx64-nvidia-cuda"

; Thread m does all six under the mask of the bits of m. In: 10, 11, 12, 13; what is not loaded is -1, what is not stored 0.
; Loaded, stored, gathered (backwards), scattered (backwards), expanded, compressed.
; VALUES: "out":{{.*}}[-1,-1,-1,-1,0,0,0,0,-1,-1,-1,-1,0,0,0,0,-1,-1,-1,-1,0,0,0,0,
; VALUES-SAME: 10,-1,-1,-1,5,0,0,0,13,-1,-1,-1,0,0,0,5,10,-1,-1,-1,5,0,0,0,
; VALUES-SAME: -1,11,-1,-1,0,6,0,0,-1,12,-1,-1,0,0,6,0,-1,10,-1,-1,6,0,0,0,
; VALUES-SAME: 10,11,-1,-1,5,6,0,0,13,12,-1,-1,0,0,6,5,10,11,-1,-1,5,6,0,0,
; VALUES-SAME: -1,-1,12,-1,0,0,7,0,-1,-1,11,-1,0,7,0,0,-1,-1,10,-1,7,0,0,0,
; VALUES-SAME: 10,-1,12,-1,5,0,7,0,13,-1,11,-1,0,7,0,5,10,-1,11,-1,5,7,0,0,
; VALUES-SAME: -1,11,12,-1,0,6,7,0,-1,12,11,-1,0,7,6,0,-1,10,11,-1,6,7,0,0,
; VALUES-SAME: 10,11,12,-1,5,6,7,0,13,12,11,-1,0,7,6,5,10,11,12,-1,5,6,7,0,
; VALUES-SAME: -1,-1,-1,13,0,0,0,8,-1,-1,-1,10,8,0,0,0,-1,-1,-1,10,8,0,0,0,
define void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = trunc i32 %t to i4
  %mask = bitcast i4 %b to <4 x i1>
  %at = mul i32 %t, 96
  %o0 = getelementptr i8, ptr %out, i32 %at
  %o1 = getelementptr i8, ptr %o0, i32 16
  %o2 = getelementptr i8, ptr %o0, i32 32
  %o3 = getelementptr i8, ptr %o0, i32 48
  %o4 = getelementptr i8, ptr %o0, i32 64
  %o5 = getelementptr i8, ptr %o0, i32 80
  %v0 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %in, i32 16, <4 x i1> %mask, <4 x i32> <i32 -1, i32 -1, i32 -1, i32 -1>)
  store <4 x i32> %v0, ptr %o0
  call void @llvm.masked.store.v4i32.p0(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr %o1, i32 16, <4 x i1> %mask)
  %pi = getelementptr i32, ptr %in, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v2 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %pi, i32 4, <4 x i1> %mask, <4 x i32> <i32 -1, i32 -1, i32 -1, i32 -1>)
  store <4 x i32> %v2, ptr %o2
  %po = getelementptr i32, ptr %o3, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, <4 x ptr> %po, i32 4, <4 x i1> %mask)
  %v4 = call <4 x i32> @llvm.masked.expandload.v4i32(ptr align 4 %in, <4 x i1> %mask, <4 x i32> <i32 -1, i32 -1, i32 -1, i32 -1>)
  store <4 x i32> %v4, ptr %o4
  call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 5, i32 6, i32 7, i32 8>, ptr align 4 %o5, <4 x i1> %mask)
  ret void
}

; CHECK-LABEL: define <2 x i32> @load(
; CHECK: %[[B:.*]] = extractelement <2 x i1> %mask, i32 0
; CHECK: br i1 %[[B]], label %[[LOAD:.*]], label %[[ELSE:.*]]
; CHECK: [[LOAD]]:
; CHECK: load i32, ptr %p, align 8
; CHECK: insertelement <2 x i32> %other
; CHECK: [[ELSE]]:
; CHECK: phi <2 x i32>
; CHECK: getelementptr i8, ptr %p, i64 4
; CHECK: load i32, {{.*}} align 4
; CHECK: %v = phi <2 x i32>
define <2 x i32> @load(ptr %p, <2 x i1> %mask, <2 x i32> %other) {
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 8, <2 x i1> %mask, <2 x i32> %other)
  ret <2 x i32> %v
}

; A mask that is known needs no branch; one of ones is one access.
; CHECK-LABEL: define <4 x float> @known(
; CHECK-NOT: br
; CHECK: load float, ptr %p, align 16
; CHECK: load float, {{.*}} align 8
; CHECK-NOT: load float
; CHECK: store <4 x float> %{{.*}}, ptr %p, align 16
; CHECK: ret
define <4 x float> @known(ptr %p, <4 x float> %other) {
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %p, i32 16, <4 x i1> <i1 1, i1 0, i1 1, i1 undef>, <4 x float> %other)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 16, <4 x i1> <i1 1, i1 1, i1 1, i1 1>)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 16, <4 x i1> zeroinitializer)
  ret <4 x float> %v
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
