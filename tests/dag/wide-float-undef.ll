; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A type that the target lacks is refused where it is converted from, too.
; CHECK: :[[#@LINE+2]]:3: error: in 'f': arithmetic with floats of more than 64 bits is not supported (fptrunc)
define <8 x float> @f() {
  %v = fptrunc <8 x x86_fp80> undef to <8 x float>
  ret <8 x float> %v
}
