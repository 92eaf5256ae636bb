; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; A vector that no function can keep in registers.
target triple = "nvptx64-nvidia-cuda"

; CHECK: [[#@LINE+2]]:3: error: in 'sum': a vector of more than 256 elements is not supported (load)
define float @sum(ptr %p) {
  %v = load <65536 x float>, ptr %p
  %r = call reassoc float @llvm.vector.reduce.fadd.v65536f32(float 0.0, <65536 x float> %v)
  ret float %r
}
