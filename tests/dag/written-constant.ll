; Stores to constant memory, in code that no thread reaches: ptxas takes them with a generic address.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK-NOT: st.const
; CHECK: cvta.const.u64
; CHECK-NOT: st.const
; CHECK: st.b32
; CHECK-NOT: atom.const
; CHECK: ret;
define void @f(ptr addrspace(4) %p, i32 %x) {
  store i32 %x, ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %p, i32 9
  %old = atomicrmw add ptr addrspace(4) %q, i32 %x monotonic
  call void @llvm.memset.p4.i64(ptr addrspace(4) %q, i8 0, i64 8, i1 false)
  ret void
}

declare void @llvm.memset.p4.i64(ptr addrspace(4), i8, i64, i1)
