; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_75 -mattr=+ptx64 -o - 2>&1 | filecheck %s --check-prefix=OLD
; Forms that LLVM has intrinsics for and PTX no instructions, each with what there is instead.
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: in 'sat': PTX has no instruction for llvm.nvvm.fma.rn.sat.bf16
; CHECK: hint: llvm.maxnum with 0 and llvm.minnum with 1 behind it saturate
; OLD: error: in 'sat': PTX has no instruction for llvm.nvvm.fma.rn.sat.bf16
; OLD: hint: llvm.maxnum with 0
define bfloat @sat(bfloat %a) {
  %r = call bfloat @llvm.nvvm.fma.rn.sat.bf16(bfloat %a, bfloat %a, bfloat %a)
  ret bfloat %r
}
; CHECK: error: in 'ftz': PTX has no instruction for llvm.nvvm.fma.rn.ftz.bf16x2
; CHECK: hint: bfloats keep their subnormals
define <2 x bfloat> @ftz(<2 x bfloat> %a) {
  %r = call <2 x bfloat> @llvm.nvvm.fma.rn.ftz.bf16x2(<2 x bfloat> %a, <2 x bfloat> %a, <2 x bfloat> %a)
  ret <2 x bfloat> %r
}
; CHECK: error: in 'exp2': PTX has no instruction for llvm.nvvm.ex2.approx.f64
define double @exp2(double %a) {
  %r = call double @llvm.nvvm.ex2.approx.d(double %a)
  ret double %r
}
; CHECK: error: in 'mixed': PTX has no instruction for llvm.nvvm.mma.m16n8k16.row.col.f32.f16
; CHECK: hint: C and D of this shape have one type
define { float, float, float, float } @mixed(<2 x half> %a) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f16(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a)
  ret { float, float, float, float } %r
}
; CHECK: error: in 'finite': PTX has no instruction for llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite
; CHECK: hint: PTX 6.4 is the last
; OLD-NOT: in 'finite'
define { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @finite(<2 x half> %a) {
  %r = call { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half> } %r
}
; CHECK-NOT: in 'address'
; OLD: warning: in 'address': the generic address of a parameter (cvta.param) needs sm_70 and PTX 7.7
define ptr @address(ptr addrspace(101) %p) {
  %q = addrspacecast ptr addrspace(101) %p to ptr
  ret ptr %q
}

declare bfloat @llvm.nvvm.fma.rn.sat.bf16(bfloat, bfloat, bfloat)
declare <2 x bfloat> @llvm.nvvm.fma.rn.ftz.bf16x2(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare double @llvm.nvvm.ex2.approx.d(double)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f16(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>)
