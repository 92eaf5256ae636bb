; An alignment among the attributes of a variable, with no comma before it, is not the variable's.
; RUN: ptxscope compile %s -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: .extern .global .align 8 .b64 a;
; CHECK: .visible .global .align 16 .u32 b = 1;
@a = external addrspace(1) global ptr align 16
@b = addrspace(1) global i32 1, align 16

define ptr @f() {
  %v = load ptr, ptr addrspace(1) @a
  ret ptr %v
}
