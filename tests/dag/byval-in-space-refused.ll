; A by-value argument has no address in global, shared or constant memory: what takes one is reported where it does, and nothing breaks.
; RUN: not ptxscope compile %s -mcpu=sm_80 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -O0 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, i32 }
declare i32 @callee(ptr addrspace(4))

; CHECK: refused.ll:[[#@LINE+2]]:3: error: in 'kernel': the address of a by-value parameter in this address space is not supported (call of @callee)
define ptx_kernel void @kernel(ptr addrspace(4) byval(%S) %s) {
  %v = call i32 @callee(ptr addrspace(4) %s)
  ret void
}
; CHECK: refused.ll:[[#@LINE+2]]:3: error: in 'function': {{.*}} (store)
define void @function(ptr addrspace(1) byval(%S) %s) {
  store i32 1, ptr addrspace(1) %s
  ret void
}
; CHECK: refused.ll:[[#@LINE+6]]:3: error: in 'chosen': {{.*}} ({{phi|copy.*}})
define ptx_kernel void @chosen(ptr addrspace(4) byval(%S) %s, ptr addrspace(4) %t, i1 %c, ptr addrspace(1) %out) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi ptr addrspace(4) [ %s, %a ], [ %t, %0 ]
  store ptr addrspace(4) %p, ptr addrspace(1) %out
  ret void
}
; The copy of a callee's argument has no address either, so the call stays.
; CHECK: refused.ll:[[#@LINE+2]]:3: error: in 'forced': {{.*}} (store)
define internal void @forced(ptr addrspace(1) byval(%S) %s) alwaysinline {
  store i32 1, ptr addrspace(1) %s
  ret void
}
; CHECK-NOT: error
define void @caller(ptr addrspace(1) %p) {
  call void @forced(ptr addrspace(1) byval(%S) %p)
  ret void
}
