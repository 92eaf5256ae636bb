; Copies that came with a group of blocks have to name it.
; RUN: not ptxscope fmt %s -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: '@llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.3d': the intrinsic takes 13 arguments, not 12
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.3d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i32, i16, i16, i16, i64, i1, i1)
define void @f(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %m) {
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.3d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %m, i32 0, i32 0, i32 0, i16 0, i16 0, i16 0, i64 0, i1 0, i1 0)
  ret void
}
