; What is declared and used is declared in PTX, too, which no size says. Lifetimes and everything else go on.
; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s --implicit-check-not=.extern

target triple = "nvptx64-nvidia-cuda"

; CHECK: scalable-declared.ll:[[#@LINE+1]]:1: error: function 'far' has a scalable vector (its signature): there is no PTX for it
declare <vscale x 4 x i32> @far(i32)
declare void @unused(<vscale x 2 x i32>)

@table = global ptr @far

define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
