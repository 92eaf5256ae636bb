; A name behind the character 1 is written as it is, as clang writes those of asm labels; what only another module could name otherwise
; may have any name while nobody uses it.
; Dynamic shared memory belongs to the launch: it is renamed without a word. sm_101 is sm_110 from PTX 9.0 on. More parameters than
; 4,352 bytes need PTX 8.1.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx64 -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_101a -mattr=+ptx90 -o - | filecheck %s --check-prefix=NAMED
; RUN: ptxscope compile %s -mcpu=sm_101a -mattr=+ptx88 -o - | filecheck %s --check-prefix=OLD

target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: warning
; CHECK: .version 8.1
; NAMED: .version 9.0
; NAMED: .target sm_110a
; OLD: .version 8.8
; OLD: .target sm_101a
; CHECK: .extern .global .align 4 .u32 label;
; CHECK: .extern .global .align 4 .u32 not_$_used;
@"\01label" = external addrspace(1) global i32
@not.used = external addrspace(1) global i32
; CHECK: .extern .shared .align 16 .b8 dyn_$_smem[];
@dyn.smem = external addrspace(3) global [0 x i8], align 16

define ptx_kernel void @k(ptr byval([5000 x i8]) %p, ptr %q) {
  %v = load i8, ptr %p
  store i8 %v, ptr addrspace(3) @dyn.smem
  ret void
}
