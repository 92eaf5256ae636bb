; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; CHECK: atomic-elements.ll:[[#@LINE+2]]:{{.*}}an atomic copy of elements of more than 8 bytes
define void @copy(ptr addrspace(1) %d, ptr addrspace(1) %s) {
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 16 %d, ptr addrspace(1) align 16 %s, i64 32, i32 16)
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i32)
