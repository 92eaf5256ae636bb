; What is known of an address counts where an access states less: variables, stack objects, arguments and what lies at a
; constant distance from them.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
@words = addrspace(1) global [8 x i32] zeroinitializer, align 16
declare void @see(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

; The parameter is aligned as its type is, whatever the attribute says.
; CHECK-LABEL: .entry by_value(
; CHECK-COUNT-4: ld.param.b32
; CHECK: st.global.v4.b32
define ptx_kernel void @by_value(ptr byval([4 x i32]) align 1 %a, ptr addrspace(1) %o) {
  %x = load <4 x i32>, ptr %a, align 1
  store <4 x i32> %x, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: variable(
; CHECK: ld.global.v4.b32 {{.*}}, [words+16];
; CHECK: ld.global.b16 {{.*}}, [words+2];
define void @variable(ptr addrspace(1) %o) {
  %p = getelementptr i8, ptr addrspace(1) @words, i64 16
  %x = load <4 x i32>, ptr addrspace(1) %p, align 1
  store <4 x i32> %x, ptr addrspace(1) %o
  %q = getelementptr i8, ptr addrspace(1) @words, i64 2
  %y = load i16, ptr addrspace(1) %q, align 1
  store i16 %y, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: filled(
; CHECK: st.local.b16 {{.*}}24
; CHECK: st.local.b64
; CHECK: st.local.b64
; CHECK: call
define void @filled() {
  %a = alloca [4 x i64], align 8
  %p = getelementptr i8, ptr %a, i64 8
  call void @llvm.memset.p0.i64(ptr %p, i8 3, i64 18, i1 false)
  call void @see(ptr %a)
  ret void
}

; CHECK-LABEL: argument(
; CHECK: ld.b64
; CHECK: ld.b32
; CHECK-NOT: ld.u
define void @argument(ptr align 8 %p, ptr align 8 %o) {
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %p, i64 12, i1 false)
  ret void
}

; Nobody writes to a by-value argument that is copied from, so a volatile copy and a memmove read it where it is.
; CHECK-LABEL: .entry moved(
; CHECK-NOT: .local
; CHECK: ld.param.b64 [[V:%rd[0-9]+]], [moved_param_0];
; CHECK: st.volatile.global.b64 {{.*}}, [[V]];
; CHECK: st.global.b64 {{.*}}, [[V]];
define ptx_kernel void @moved(ptr byval(i64) align 8 %s, ptr align 8 %o, ptr align 8 %t) {
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %s, i64 8, i1 true)
  call void @llvm.memmove.p0.p0.i64(ptr %t, ptr %s, i64 8, i1 false)
  ret void
}
