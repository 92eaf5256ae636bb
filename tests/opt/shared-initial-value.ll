; A shared variable with an initial value is LLVM IR, and PTX has none.
; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_90 -o /dev/null 2>&1 | filecheck %s --check-prefix=ERROR

; CHECK: @s = addrspace(3) global i32 5
; ERROR: error: initial value of 's' is not allowed in addrspace(3)
; ERROR: hint: use undef
@s = addrspace(3) global i32 5

define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr addrspace(3) @s
  store i32 %v, ptr %p
  ret void
}
