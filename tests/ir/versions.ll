; IR is printed in the form of LLVM 22, and with -ir-version in that of an older one.
; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: ptxscope fmt %s --ir-version=19 -o - | filecheck %s --check-prefix=OLD --implicit-check-not=samesign --implicit-check-not=splat
; RUN: not ptxscope fmt %s --ir-version=18 -o -

; CHECK: declare void @reads() #[[#READS:]]
; OLD: declare void @reads() #[[#READS:]]
declare void @reads() memory(read, errnomem: write)

; CHECK-LABEL: define void @f(ptr noundef readonly align 4 captures(none) dereferenceable(4) %p, <4 x i1> %m)
; CHECK: call void @llvm.lifetime.start.p0(ptr %a)
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> %m, <4 x i32> splat (i32 1))
; CHECK: icmp samesign ult i32 %x, 2
; CHECK: call float @llvm.minimumnum.f32(
; OLD-LABEL: define void @f(ptr nocapture noundef readonly align 4 dereferenceable(4) %p, <4 x i1> %m)
; OLD: call void @llvm.lifetime.start.p0(i64 4, ptr %a)
; OLD: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 16, <4 x i1> %m, <4 x i32> <i32 1, i32 1, i32 1, i32 1>)
; OLD: icmp ult i32 %x, 2
; OLD: call float @llvm.minnum.f32(
; CHECK: call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %v, <4 x i32> %v, i32 1)
; CHECK: call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> %v, <4 x i32> %v, i32 2)
; CHECK: call <2 x i32> @llvm.vector.splice.right.v2i32(
; OLD: call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 1)
; OLD: call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 -2)
; OLD: call <2 x i32> @llvm.vector.splice.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, i32 -1)
define void @f(ptr nocapture noundef readonly align 4 dereferenceable(4) %p, <4 x i1> %m) {
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 16, <4 x i1> %m, <4 x i32> <i32 1, i32 1, i32 1, i32 1>)
  %x = extractelement <4 x i32> %v, i32 0
  %c = icmp samesign ult i32 %x, 2
  %n = call float @llvm.minimumnum.f32(float 1.0, float 2.0)
  %l = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %v, <4 x i32> %v, i32 1)
  %r = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 -2)
  %s = call <2 x i32> @llvm.vector.splice.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, i32 -1)
  ret void
}

declare void @llvm.lifetime.start.p0(i64, ptr)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare float @llvm.minimumnum.f32(float, float)

; CHECK: attributes #[[#READS]] = { memory(read, errnomem: write) }
; OLD: attributes #[[#READS]] = { memory(readwrite, argmem: read, inaccessiblemem: read) }
