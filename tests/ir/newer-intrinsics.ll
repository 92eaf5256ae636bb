; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: not ptxscope compile %s -o /dev/null 2>&1 | filecheck %s --check-prefix=CODE
; Intrinsics of LLVM 22 that only passes of other targets make code of are read, printed and declared; code is refused.

; CHECK-DAG: declare void @llvm.coro.await.suspend.handle(ptr, ptr, ptr)
; CHECK-DAG: declare i1 @llvm.coro.await.suspend.bool(ptr, ptr, ptr)
; CHECK-DAG: declare i1 @llvm.coro.is_in_ramp() #[[#PURE:]]
; CHECK-DAG: declare void @llvm.experimental.memset.pattern.p1.i16.i32(ptr addrspace(1){{.*}}, i16, i32, i1 immarg) #[[#WRITES:]]
; CHECK-DAG: declare ptr @llvm.protected.field.ptr.p0(ptr, i64, i1 immarg) #[[#FIELD:]]
; CHECK-DAG: attributes #[[#PURE]] = { nounwind memory(none) }
; CHECK-DAG: attributes #[[#WRITES]] = { nocallback nofree nounwind willreturn memory(argmem: write) }
; CHECK-DAG: attributes #[[#FIELD]] = { nocallback nofree nosync nounwind willreturn memory(none) }
; CODE: this intrinsic is not supported
define void @f(ptr %p, ptr addrspace(1) %g) {
  call void @llvm.coro.await.suspend.handle(ptr %p, ptr %p, ptr @f)
  %b = call i1 @llvm.coro.await.suspend.bool(ptr %p, ptr %p, ptr @f)
  %r = call i1 @llvm.coro.is_in_ramp()
  call void @llvm.experimental.memset.pattern.p1.i16.i32(ptr addrspace(1) %g, i16 7, i32 5, i1 true)
  %q = call ptr @llvm.protected.field.ptr.p0(ptr %p, i64 3, i1 true)
  ret void
}
