; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; An atomic access may say less about its alignment than is known of its address, and local memory, which no other thread sees,
; may be accessed in several pieces.
target triple = "nvptx64-nvidia-cuda"

@word = addrspace(1) global i32 0, align 4

; CHECK-LABEL: variable(
; CHECK:         ld.acquire.sys.global.b32 %r{{[0-9]+}}, [word];
define i32 @variable() {
  %v = load atomic i32, ptr addrspace(1) @word acquire, align 1
  ret i32 %v
}

; An atomicrmw without an alignment has that of its size.
; CHECK-LABEL: unsaid(
; CHECK:         atom.relaxed.sys.global.add.u64
define i64 @unsaid(ptr addrspace(1) %p) {
  %v = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  ret i64 %v
}

; CHECK-LABEL: of_one_thread(
; CHECK-COUNT-2: ld.local.b16
; CHECK-COUNT-2: ld.local.b16
; CHECK-COUNT-2: st.local.b16
define i32 @of_one_thread(ptr addrspace(5) %p) {
  %v = load atomic i32, ptr addrspace(5) %p acquire, align 2
  %w = atomicrmw add ptr addrspace(5) %p, i32 1 monotonic, align 2
  %s = add i32 %v, %w
  ret i32 %s
}
