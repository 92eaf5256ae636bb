; What is passed by value has the alignment that the call says; its parameter may have more, and its fields, too.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/byval-alignment.launch.json -mcpu=sm_80 | filecheck %s --check-prefix=OUT
; RUN: ptxscope run %s --launch=%p/byval-alignment.launch.json -mcpu=sm_80 -O0 | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"
%S = type { i64, i64 }

define internal i64 @callee(ptr byval(%S) align 4 %s) noinline {
  %p = getelementptr %S, ptr %s, i64 0, i32 1
  %a = load i64, ptr %s, align 4
  %b = load i64, ptr %p, align 4
  %r = add i64 %a, %b
  ret i64 %r
}

; CHECK-LABEL: .entry k(
; CHECK-COUNT-4: ld.global.b32
; CHECK-NOT:   ld.global.b64
; CHECK:       call.uni
; OUT: io: u32[6] = 42 35 0 7 0 0
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %p = getelementptr i32, ptr addrspace(1) %io, i32 1
  %g = addrspacecast ptr addrspace(1) %p to ptr
  %r = call i64 @callee(ptr byval(%S) align 4 %g)
  %t = trunc i64 %r to i32
  store i32 %t, ptr addrspace(1) %io
  ret void
}
