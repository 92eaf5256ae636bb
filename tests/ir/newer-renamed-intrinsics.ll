; Intrinsics under the names of other LLVM versions, and debug intrinsics without a location.
; RUN: ptxscope fmt %s | filecheck %s --implicit-check-not=dbg
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefix=PTX

declare <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32>)
declare <4 x i32> @llvm.experimental.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i32> @llvm.experimental.vector.interleave2.v4i32(<2 x i32>, <2 x i32>)
declare {<2 x i32>, <2 x i32>} @llvm.experimental.vector.deinterleave2.v4i32(<4 x i32>)
declare <4 x i32> @llvm.stepvector.v4i32()
declare void @llvm.dbg.value(metadata, metadata, metadata)

; CHECK-LABEL: define void @f
; CHECK: call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)
; CHECK: [[S:%.*]] = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %v, <4 x i32> %r, i32 1)
; CHECK: call { <2 x i32>, <2 x i32> } @llvm.vector.deinterleave2.v4i32(<4 x i32> [[S]])
; CHECK: call <4 x i32> @llvm.vector.interleave2.v4i32(<2 x i32> %lo, <2 x i32> %hi)
; CHECK: call <4 x i32> @llvm.stepvector.v4i32()
; PTX: add.s32 [[A:%r[0-9]+]], [[LAST:%r[0-9]+]], 3;
; PTX: ret;
define void @f(ptr %p, <4 x i32> %v) {
  call void @llvm.dbg.value(metadata i32 0, metadata !0, metadata !DIExpression())
  %r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %v)
  %s = call <4 x i32> @llvm.experimental.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %r, i32 1)
  %d = call {<2 x i32>, <2 x i32>} @llvm.experimental.vector.deinterleave2.v4i32(<4 x i32> %s)
  %lo = extractvalue {<2 x i32>, <2 x i32>} %d, 0
  %hi = extractvalue {<2 x i32>, <2 x i32>} %d, 1
  %i = call <4 x i32> @llvm.experimental.vector.interleave2.v4i32(<2 x i32> %lo, <2 x i32> %hi)
  %t = call <4 x i32> @llvm.stepvector.v4i32()
  %a = add <4 x i32> %t, %i
  store <4 x i32> %a, ptr %p
  ret void
}
!0 = !{}
