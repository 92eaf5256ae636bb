; Constructors of a module cannot run on the GPU: without tables for the loader they are an error.
; RUN: not ptxscope compile %s -mcpu=sm_90 -nvptx-lower-global-ctor-dtor=0 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: Module has a nontrivial global ctor, which NVPTX does not support
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }]
define internal void @f() {
  ret void
}
