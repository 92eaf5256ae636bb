; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; Orderings and scopes are kept.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: acquire_block(
; CHECK:       ld.acquire.cta.global.b32
define i32 @acquire_block(ptr addrspace(1) %p) {
  %r = load atomic i32, ptr addrspace(1) %p syncscope("block") acquire, align 4
  ret i32 %r
}

; CHECK-LABEL: release_device(
; CHECK:       st.release.gpu.global.b32
define void @release_device(ptr addrspace(1) %p, i32 %v) {
  store atomic i32 %v, ptr addrspace(1) %p syncscope("device") release, align 4
  ret void
}

; CHECK-LABEL: relaxed_add(
; CHECK:       atom.relaxed.gpu.global.add.u32
define i32 @relaxed_add(ptr addrspace(1) %p, i32 %v) {
  %r = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("device") monotonic
  ret i32 %r
}

; CHECK-LABEL: fences(
; CHECK:       fence.acq_rel.sys;
; CHECK:       fence.sc.sys;
define void @fences() {
  fence acquire
  fence seq_cst
  ret void
}

; CHECK-LABEL: counter(
; CHECK:       atom{{.*}}.inc.u32
define i32 @counter(ptr %p, i32 %v) {
  %r = atomicrmw uinc_wrap ptr %p, i32 %v monotonic
  ret i32 %r
}

; CHECK-LABEL: ordered(
; CHECK:       fence.sc.sys;
; CHECK:       atom.acquire.sys.add.u32
define i32 @ordered(ptr %p, i32 %v) {
  %r = atomicrmw add ptr %p, i32 %v seq_cst
  ret i32 %r
}
