; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_50 -o - | filecheck %s --check-prefix=OLD
; What one thread does is ordered for itself. A fence of that scope (std::atomic_signal_fence) has no instruction, and an atomic
; access of that scope has no ordering, but stays one access.
target triple = "nvptx64-nvidia-cuda"

; The stores stay on their sides.
; CHECK-LABEL: fences(
; CHECK:         st.global.b32 [%rd1], 1;
; CHECK-NEXT:    st.global.b32 [%rd1], 2;
; CHECK-NEXT:    ret;
; OLD-LABEL:   fences(
; OLD:           st.global.b32 [%rd1], 1;
; OLD-NEXT:      st.global.b32 [%rd1], 2;
; OLD-NEXT:      ret;
define void @fences(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  fence syncscope("singlethread") acq_rel
  store i32 2, ptr addrspace(1) %p
  fence syncscope("singlethread") seq_cst
  ret void
}

; CHECK-LABEL: accesses(
; CHECK-NOT:     fence
; CHECK:         ld.relaxed.cta.global.b32
; CHECK:         st.relaxed.cta.global.b32
; CHECK:         atom.relaxed.cta.global.add.u32
; CHECK:         atom.relaxed.cta.global.cas.b32
; CHECK-NOT:     fence
; CHECK:         ret;
; OLD-LABEL:   accesses(
; OLD-NOT:       membar
; OLD:           atom.global.add.u32
; OLD-NOT:       membar
; OLD:           ret;
define i32 @accesses(ptr addrspace(1) %p) {
  %v = load atomic i32, ptr addrspace(1) %p syncscope("singlethread") seq_cst, align 4
  store atomic i32 %v, ptr addrspace(1) %p syncscope("singlethread") release, align 4
  %w = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("singlethread") seq_cst
  %r = cmpxchg ptr addrspace(1) %p, i32 %v, i32 %w syncscope("singlethread") monotonic seq_cst
  %x = extractvalue { i32, i1 } %r, 0
  ret i32 %x
}
