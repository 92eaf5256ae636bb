; RUN: ptxscope compile %s -mcpu=sm_100a -mattr=+ptx86 -o - | filecheck %s
; What is stored to tensor memory is in registers: ptxas takes no number in the braces.
target triple = "nvptx64-nvidia-cuda"

; CHECK: mov.b32 	[[A:%r[0-9]+]], 3;
; CHECK: tcgen05.st.sync.aligned.16x64b.x1.b32 	[%r{{[0-9]+}}], {[[A]]};
; CHECK: mov.b32 	[[B:%r[0-9]+]], 4;
; CHECK: tcgen05.st.sync.aligned.16x32bx2.x1.b32 	[%r{{[0-9]+}}], 2, {[[B]]};
define void @stored(ptr addrspace(6) %p) {
  call void @llvm.nvvm.tcgen05.st.16x64b.x1(ptr addrspace(6) %p, i32 3, i1 false)
  call void @llvm.nvvm.tcgen05.st.16x32bx2.x1(ptr addrspace(6) %p, i64 2, i32 4, i1 false)
  ret void
}
