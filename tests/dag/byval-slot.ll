; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/byval-slot.launch.json -mcpu=sm_80 | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, [6 x i32] }

define internal i32 @callee(ptr byval(%S) align 4 %s, i64 %i) noinline {
  %p = getelementptr %S, ptr %s, i64 0, i32 1, i64 %i
  %v = load i32, ptr %p
  %h = load i32, ptr %s
  %r = add i32 %v, %h
  ret i32 %r
}

; What is passed by value out of a stack object is read in local memory, not by a generic address.
; CHECK-LABEL: .entry k(
; CHECK-NOT:   cvta.local
; CHECK:       ld.local.{{[bu]}}32
; CHECK-NOT:   {{ld\.[bu]32}}
; CHECK:       call.uni
; OUT: out: i32[1] = 105
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %s = alloca %S
  %i = zext i32 %n to i64
  %p = getelementptr %S, ptr %s, i64 0, i32 1, i64 %i
  store i32 100, ptr %s
  store i32 5, ptr %p
  %r = call i32 @callee(ptr byval(%S) align 4 %s, i64 %i)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
