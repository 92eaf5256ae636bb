; RUN: ptxscope compile %s --run-pass=speculative-execution --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; Cheap work moves in front of the branch that guards it.
; CHECK-LABEL: @between(
; CHECK:      %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
; CHECK-NEXT: br i1 %c
define void @between(ptr addrspace(1) %p, i64 %i, i1 %c) {
  br i1 %c, label %then, label %next
then:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 0, ptr addrspace(1) %q
  br label %next
next:
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Not where nothing but the end follows: threads that do not enter exit.
; CHECK-LABEL: @last(
; CHECK-NEXT: br i1 %c
; CHECK:      then:
; CHECK-NEXT: %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
; PTX-LABEL: last(
; PTX: bra
; PTX: shl.b64
; PTX: st.global
define void @last(ptr addrspace(1) %p, i64 %i, i1 %c) {
  br i1 %c, label %then, label %end
then:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 0, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
