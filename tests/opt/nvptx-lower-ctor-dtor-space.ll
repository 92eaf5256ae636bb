; A function in a space of its own, as AVR's: PTX has one address of it, which the table holds.
; RUN: ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o %t.ptx && ptxas -arch=sm_75 -c %t.ptx -o /dev/null
target triple = "nvptx64-nvidia-cuda"

; CHECK: .visible .const .align 8 .u64 __init_array_object_f_{{[0-9a-f]+}}_7 = f;
@llvm.global_ctors = appending global [1 x { i32, ptr addrspace(1), ptr }] [{ i32, ptr addrspace(1), ptr } { i32 7, ptr addrspace(1) @f, ptr null }]
@x = addrspace(1) global i32 0
@llvm.used = appending global [1 x ptr addrspace(1)] [ptr addrspace(1) @x], section "llvm.metadata"

define void @f() addrspace(1) {
  ret void
}
