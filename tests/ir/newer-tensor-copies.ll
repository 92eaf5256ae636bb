; Copies of tensors to a cluster's shared memory have had a group of blocks since LLVM 22: 0 is none.
; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.3d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i32, i16, i16, i64, i1, i1)

; CHECK: call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i16 %mc, i64 %h, i1 true, i1 false, i32 0)
; CHECK: call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.3d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i32 %x, i32 %x, i16 %mc, i16 %mc, i64 %h, i1 false, i1 true, i32 0)
; CHECK: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg)
; PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [
; PTX: cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [
define void @f(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i16 %mc, i64 %h) {
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i16 %mc, i64 %h, i1 true, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.3d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i32 %x, i32 %x, i16 %mc, i16 %mc, i64 %h, i1 false, i1 true)
  ret void
}
