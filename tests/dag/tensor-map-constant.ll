; The address of a tensor map is in a register: ptxas takes no number there, not even where the program has one.
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)

; CHECK-LABEL: .entry constant(
; CHECK: mov.b64 [[MAP:%rd[0-9]+]], 4096;
; CHECK: cp.async.bulk.prefetch.tensor.1d.L2.global.tile {{\[}}[[MAP]], {%r{{[0-9]+}}}];
; CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}], [%rd{{[0-9]+}}];
define ptx_kernel void @constant(i32 %c, ptr addrspace(3) %s) {
  call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr inttoptr (i64 4096 to ptr), i32 %c, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) %s, ptr inttoptr (i64 8192 to ptr), i32 %c, i32 7, i64 0, i1 false)
  ret void
}
