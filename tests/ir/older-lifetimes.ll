; Markers that have a size, with and without a suffix, of slots that are stepped into and cast. Their metadata goes, but for their place.
; RUN: ptxscope fmt %s | filecheck %s --implicit-check-not=noalias

; CHECK: call void @llvm.lifetime.start.p0(ptr %a)

target triple = "nvptx64-nvidia-cuda"

define void @f0() {
  %a = alloca i8
  call void @llvm.lifetime.start(i64 1, ptr %a), !noalias !0
  call void @llvm.lifetime.end(i64 1, ptr %a)
  ret void
}

define void @f1() {
  %a = alloca [4 x i8]
  %p = getelementptr inbounds [4 x i8], ptr %a, i64 0, i64 0
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  ret void
}

define void @f2() {
  %a = alloca i8, addrspace(5)
  call void @llvm.lifetime.start(i64 1, ptr addrspace(5) %a)
  call void @llvm.lifetime.end(i64 1, ptr addrspace(5) %a)
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
