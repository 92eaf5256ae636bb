; Constants that choose a form of an instruction, out of their range.
; RUN: not ptxscope fmt %s -disable-output 2>&1 | filecheck %s

; CHECK: [[#@LINE+2]]:{{.*}} argument 8 of 'llvm.nvvm.tcgen05.mma.shared' must be in 0 ... 3
define void @collector(ptr addrspace(6) %d, i64 %a, i32 %i, i1 %p) {
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a, i64 %a, i32 %i, i1 %p, i32 0, i32 1, i32 4)
  ret void
}

; CHECK: [[#@LINE+2]]:{{.*}} argument 7 of 'llvm.nvvm.tcgen05.mma.shared' must be in 1 ... 2
define void @group(ptr addrspace(6) %d, i64 %a, i32 %i, i1 %p) {
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a, i64 %a, i32 %i, i1 %p, i32 0, i32 0, i32 0)
  ret void
}

; CHECK: [[#@LINE+2]]:{{.*}} argument 2 of 'llvm.nvvm.fence.proxy.tensormap_generic.acquire.cta' must be in 128 ... 128
define void @size(ptr %p) {
  call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.cta(ptr %p, i32 64)
  ret void
}

; CHECK: [[#@LINE+2]]:{{.*}} argument 2 of 'llvm.nvvm.tcgen05.ld.16x64b.x1' must be a constant
define i32 @pack(ptr addrspace(6) %p, i1 %c) {
  %r = call i32 @llvm.nvvm.tcgen05.ld.16x64b.x1(ptr addrspace(6) %p, i1 %c)
  ret i32 %r
}
