; PTX has addresses of 32 and 64 bits. Pointers that the module's layout makes shorter or longer are reported, where one is a value.
; RUN: not ptxscope compile %s -mcpu=sm_70 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -O0 -o - 2>&1 | filecheck %s
target datalayout = "e-p:64:64-p1:16:16-p200:128:128:128:64"
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(200) global i32 0

; CHECK: error: in 'longer': a value of this type is not supported (the signature)
define i32 @longer(ptr addrspace(200) %p) {
  %v = load i32, ptr addrspace(200) %p
  ret i32 %v
}
; CHECK: odd-pointers.ll:[[#@LINE+2]]:3: error: in 'shorter': a value of this type is not supported (addrspacecast)
define i32 @shorter(ptr %p) {
  %q = addrspacecast ptr %p to ptr addrspace(1)
  store volatile i32 1, ptr addrspace(1) %q
  ret i32 0
}
; CHECK: error: in 'variable': a value of this type is not supported
declare void @callee(ptr addrspace(200))
define void @variable() {
  call void @callee(ptr addrspace(200) @g)
  ret void
}
