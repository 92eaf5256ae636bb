; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: ptxscope fmt %s -o - | ptxscope fmt - -o - | filecheck %s
; A declaration of an older form with a wrong suffix is merged with the one that has the right name, of which a call is known alone.
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> %m, <4 x i32> zeroinitializer)
; CHECK-NOT: some.suffix
; CHECK: declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr{{.*}}, <4 x i1>, <4 x i32>)
; CHECK-NOT: some.suffix
define <4 x i32> @f(ptr %p, <4 x i1> %m) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 16, <4 x i1> %m, <4 x i32> zeroinitializer)
  ret <4 x i32> %v
}
declare <4 x i32> @llvm.masked.load.some.suffix(ptr, i32, <4 x i1>, <4 x i32>)
