; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; What was just loaded is not stored back, bytes that were put together are stored as they came.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: same(
; CHECK-NOT: st.
; CHECK: ret;
define void @same(ptr addrspace(1) %p) {
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: written_between(
; CHECK: ld.global.b32 	%r1
; CHECK: st.global.b32
; CHECK: st.global.b32 	[%rd{{[0-9]+}}], %r1;
define void @written_between(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: volatile(
; CHECK: ld.volatile.global.b32
; CHECK: st.volatile.global.b32
define void @volatile(ptr addrspace(1) %p) {
  %v = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: elsewhere(
; CHECK: st.global.b32 	[%rd1+4], %r1;
define void @elsewhere(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: bytes(
; CHECK-NOT: sh
; CHECK-COUNT-4: st.b8
; CHECK: ret;
define void @bytes(ptr %p, ptr %q) {
  %v = load <2 x half>, ptr %p, align 1
  store <2 x half> %v, ptr %q, align 1
  ret void
}

; The amount of a rotation counts modulo the width.
; CHECK-LABEL: rotate(
; CHECK-NOT: and.b
; CHECK: shf.l.wrap.b32
define i32 @rotate(i32 %x, i64 %n) {
  %low = and i64 %n, 31
  %amount = trunc i64 %low to i32
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %amount)
  ret i32 %r
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
