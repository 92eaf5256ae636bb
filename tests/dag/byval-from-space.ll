; What is passed by value is read in the space that its address was cast from.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/byval-from-space.launch.json -mcpu=sm_80 | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"
%S = type { i64, i64 }
@g = internal addrspace(1) constant %S { i64 40, i64 2 }

define internal i64 @callee(ptr byval(%S) align 8 %s) noinline {
  %p = getelementptr %S, ptr %s, i64 0, i32 1
  %a = load i64, ptr %s
  %b = load i64, ptr %p
  %r = add i64 %a, %b
  ret i64 %r
}

; CHECK-LABEL: .entry k(
; CHECK-NOT:   cvta.global
; CHECK:       ld.global.{{(v2\.)?[bu]}}64
; CHECK-NOT:   {{ld\.[bu]64}}
; CHECK:       call.uni
; OUT: out: i64[1] = 42
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %r = call i64 @callee(ptr byval(%S) align 8 addrspacecast (ptr addrspace(1) @g to ptr))
  store i64 %r, ptr addrspace(1) %out
  ret void
}
