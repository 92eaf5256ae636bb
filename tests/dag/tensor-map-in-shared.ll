; Fields of a tensor map are replaced in global memory and in that of the block.
; RUN: ptxscope compile %s -mcpu=sm_90a -mattr=+ptx83 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: tensormap.replace.tile.global_address.global.b1024.b64 [%rd{{[0-9]+}}], %rd{{[0-9]+}};
; CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%rd{{[0-9]+}}], %rd{{[0-9]+}};
; CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%rd{{[0-9]+}}], 1, %r{{[0-9]+}};
; CHECK: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%rd{{[0-9]+}}], 2;
define void @f(ptr addrspace(1) %g, ptr addrspace(3) %s, i64 %v, i32 %w) {
  call void @llvm.nvvm.tensormap.replace.global.address.p1(ptr addrspace(1) %g, i64 %v)
  call void @llvm.nvvm.tensormap.replace.global.address.p3(ptr addrspace(3) %s, i64 %v)
  call void @llvm.nvvm.tensormap.replace.box.dim.p3(ptr addrspace(3) %s, i32 1, i32 %w)
  call void @llvm.nvvm.tensormap.replace.swizzle.mode.p3(ptr addrspace(3) %s, i32 2)
  ret void
}
