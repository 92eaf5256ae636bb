; llvm.mem*.element.unordered.atomic: one atomic access for each element, whatever the length.
; RUN: ptxscope compile %s -mcpu=sm_70 -stop-after=nvptx-lower-aggr-copies -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s --check-prefix=PTX

; CHECK-LABEL: define void @copy
; CHECK: memcpy-loop:
; CHECK: load atomic i16, ptr addrspace(1) {{.*}} unordered, align 2
; CHECK: store atomic i16 {{.*}} unordered, align 2
; CHECK: icmp ult i64 {{.*}}, 4
; PTX-LABEL: .func copy(
; PTX: ld.global.b16
; PTX: st.global.b16
define void @copy(ptr addrspace(1) %d, ptr addrspace(1) %s) {
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 8 %d, ptr addrspace(1) align 8 %s, i64 8, i32 2)
  ret void
}

; CHECK-LABEL: define void @move
; CHECK: [[N:%.*]] = lshr i64 %n, 3
; CHECK: load atomic i64{{.*}} unordered, align 8
; CHECK-NOT: i8
; CHECK-LABEL: define void @set
; CHECK: store atomic i32 {{.*}} unordered, align 4
; CHECK-NOT: copy-tail
define void @move(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 8 %d, ptr align 8 %s, i64 %n, i32 8)
  ret void
}
define void @set(ptr %d, i8 %v, i64 %n) {
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %d, i8 %v, i64 %n, i32 4)
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i32)
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
