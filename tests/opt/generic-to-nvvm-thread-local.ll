; llvm.threadlocal.address takes a variable itself, never a cast of one, so its call goes along into space 1. Selection reports it.
; RUN: ptxscope compile %s -mcpu=sm_70 --run-pass=generic-to-nvvm --verify-each -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - 2>&1 | filecheck %s --check-prefix=SAID
target triple = "nvptx64-nvidia-cuda"

; CHECK: @x = thread_local addrspace(1) global i32 0
@x = thread_local global i32 0

; CHECK: %[[P:[0-9]+]] = call ptr addrspace(1) @llvm.threadlocal.address.p1(ptr addrspace(1) @x)
; CHECK-NEXT: %p = addrspacecast ptr addrspace(1) %[[P]] to ptr
; CHECK-NEXT: %a = load i32, ptr %p
; CHECK-NEXT: %b = load i32, ptr addrspacecast (ptr addrspace(1) @x to ptr)
; SAID: thread-local.ll:[[#@LINE+2]]:3: error: in 'f': this intrinsic is not supported (call of @llvm.threadlocal.address.p1)
define i32 @f() {
  %p = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @x)
  %a = load i32, ptr %p
  %b = load i32, ptr @x
  %c = add i32 %a, %b
  ret i32 %c
}

; Nobody reads the address.
; CHECK-LABEL: define i32 @g()
define i32 @g() {
  %p = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @x)
  ret i32 0
}
