; The triple on the command line takes the place of the module's: passes work on a module for NVPTX, whose slots are in any space.
; RUN: ptxscope compile %s -mcpu=sm_70 -mtriple=nvptx64-nvidia-cuda --run-pass=expand-variadics --verify-each -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_70 -o - 2>&1 | filecheck %s --check-prefix=OTHER
; OTHER: error: the module is for 'amdgcn-amd-amdhsa'
; CHECK: target triple = "nvptx64-nvidia-cuda"
target triple = "amdgcn-amd-amdhsa"
declare void @callee(i32, ...)

; CHECK: %vararg_buffer = alloca [4 x i8], align 4{{$}}
define void @caller(i32 %n) {
  call void (i32, ...) @callee(i32 1, i32 %n)
  ret void
}
