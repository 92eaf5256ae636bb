; Masked accesses as LLVM 22 writes them: their alignment is an attribute of the pointer, 1 where there is none. They expand as the
; older forms do, and both kinds of access are made in the space of the pointer.
; RUN: ptxscope compile %s --run-pass=scalarize-masked-mem-intrin --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @aligned(
; CHECK: cond.load:
; CHECK: load i32, ptr %p, align 8
; CHECK: load i32, {{.*}} align 4
; CHECK: store i32 {{.*}}, ptr %q, align 2
; CHECK: store i32 {{.*}} align 2
define void @aligned(ptr %p, ptr %q, <2 x i1> %m) {
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 8 %p, <2 x i1> %m, <2 x i32> poison)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr align 2 %q, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define void @lanes(
; CHECK: load i32, ptr {{.*}} align 4
; CHECK: load i32, ptr {{.*}} align 4
; CHECK: store i32 {{.*}} align 1
; CHECK: store i32 {{.*}} align 1
define void @lanes(<2 x ptr> %p, <2 x ptr> %q, <2 x i1> %m) {
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 4 %p, <2 x i1> %m, <2 x i32> poison)
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %v, <2 x ptr> %q, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @known(
; CHECK-NOT: br
; CHECK: load i32, ptr %p, align 16
; CHECK: load i32, ptr {{.*}}, align 4
; CHECK: store i32 {{.*}}, ptr %q, align 16
; CHECK: store i32 {{.*}}, align 4
; CHECK-NOT: store
; CHECK: ret
; PTX-LABEL: .visible .entry known(
; PTX-COUNT-2: ld.global.b32
; PTX-COUNT-2: st.global.b32
define ptx_kernel void @known(ptr %p, ptr %q) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> <i1 1, i1 0, i1 0, i1 1>, <4 x i32> zeroinitializer)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 16 %q, <4 x i1> <i1 1, i1 0, i1 0, i1 1>)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 16 %q, <4 x i1> zeroinitializer)
  ret void
}
