; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=WRITTEN
; RUN: ptxscope compile %s -mcpu=sm_90 -nvptx-rmw-ordering=relaxed -o - | filecheck %s --check-prefix=RELAXED
; RUN: ptxscope compile %s -mcpu=sm_60 -nvptx-rmw-ordering=relaxed -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope compile %s -mcpu=sm_90 -pass-remarks=isel -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; clang up to 22 writes seq_cst for CUDA's relaxed atomics. Their orderings are kept, or left out on request; those of loads,
; stores and fences are always kept.
target triple = "nvptx64-nvidia-cuda"

; REMARK: missed: a fence keeps the ordering of the atomicrmw, {{.*}}-nvptx-rmw-ordering=relaxed
; REMARK: missed: a fence keeps the ordering of the cmpxchg, {{.*}}-nvptx-rmw-ordering=relaxed
; REMARK-NOT: missed:
; WRITTEN: fence.sc.sys
; WRITTEN: atom.acquire.sys.global.add.u32
; WRITTEN: fence.sc.gpu
; WRITTEN: atom.acquire.gpu.global.cas.b32
; RELAXED-NOT: fence
; RELAXED: atom.relaxed.sys.global.add.u32
; RELAXED-NOT: fence
; RELAXED: atom.relaxed.gpu.global.cas.b32
; RELAXED: fence.sc.sys
; RELAXED: ld.acquire.sys.global.b32
; RELAXED: fence.acq_rel.sys
; OLD-NOT: membar
; OLD: atom.global.sys.add.u32
; OLD-NOT: membar
; OLD: atom.global.gpu.cas.b32
; OLD: membar.sys
define void @f(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %b = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") seq_cst seq_cst
  %c = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  fence acq_rel
  ret void
}
