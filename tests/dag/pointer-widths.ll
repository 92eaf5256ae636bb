; RUN: not ptxscope compile %s -mcpu=sm_90 --nvptx-short-ptr -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o /dev/null
; Pointers of one width where the intrinsic is about those of another.
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: in 'moved': PTX has no instruction for llvm.nvvm.move.ptr.p3.p0
define ptr addrspace(3) @moved(ptr %p) {
  %q = call ptr addrspace(3) @llvm.nvvm.move.ptr.p3.p0(ptr %p)
  ret ptr addrspace(3) %q
}
; CHECK-NOT: in 'same'
define ptr addrspace(3) @same(ptr addrspace(3) %p) {
  %q = call ptr addrspace(3) @llvm.nvvm.move.ptr.p3.p3(ptr addrspace(3) %p)
  ret ptr addrspace(3) %q
}

declare ptr addrspace(1) @llvm.nvvm.ptr.gen.to.global.p1.p3(ptr addrspace(3))
declare ptr addrspace(3) @llvm.nvvm.move.ptr.p3.p0(ptr)
declare ptr addrspace(3) @llvm.nvvm.move.ptr.p3.p3(ptr addrspace(3))
