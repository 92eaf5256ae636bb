; RUN: ptxscope compile %s -mcpu=sm_52 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_52 --launch=%p/half-fma.launch.json
; RUN: ptxscope run %s -mcpu=sm_52 --level=ptx --launch=%p/half-fma.launch.json --json | filecheck %s --check-prefix=VALUES
; An fma of halves is rounded once: the f32 of 1.0009765625 + 0.9990234375 * 0.0004887581 is in the middle of two halves, and the
; exact sum is below it.
target triple = "nvptx64-nvidia-cuda"

; VALUES: "o":{"type":"u16","values":[15361]}
; CHECK-LABEL: .entry k(
; CHECK: fma.rn.f64
; CHECK: cvt.rn.f16.f64
define ptx_kernel void @k(ptr %p, ptr %o) {
  %v = load <4 x half>, ptr %p
  %a = extractelement <4 x half> %v, i32 0
  %b = extractelement <4 x half> %v, i32 1
  %c = extractelement <4 x half> %v, i32 2
  %r = call half @llvm.fma.f16(half %a, half %b, half %c)
  store half %r, ptr %o
  ret void
}
declare half @llvm.fma.f16(half, half, half)
