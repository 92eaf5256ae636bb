; RUN: not ptxscope compile %s -mcpu=sm_75 -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -o /dev/null
; An intrinsic whose instruction came later than the target.
target triple = "nvptx64-nvidia-cuda"

; CHECK: target-lacks.ll:[[@LINE+2]]:{{[0-9]+}}: error: in 'f': llvm.nvvm.ff2f16x2.rn needs sm_80 and PTX 7.0
define <2 x half> @f(float %x) {
  %r = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float %x, float %x)
  ret <2 x half> %r
}

declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
