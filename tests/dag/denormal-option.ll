; -denormal-fp-math says what becomes of subnormals where neither the function nor -denormal-fp-math-f32 does.
; RUN: ptxscope compile %s -mcpu=sm_90 -denormal-fp-math=preserve-sign -o - | filecheck %s --check-prefixes=CHECK,FLUSH
; RUN: ptxscope compile %s -mcpu=sm_90 -denormal-fp-math-f32=ieee -denormal-fp-math=preserve-sign -o - | filecheck %s --check-prefixes=CHECK,KEEP
; RUN: not ptxscope compile %s -denormal-fp-math=flush -o -
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; FLUSH:       add.rn.ftz.f32
; KEEP:        add.rn.f32
define float @f(float %a, float %b) {
  %r = fadd float %a, %b
  ret float %r
}

; CHECK-LABEL: g(
; CHECK:       add.rn.f32
define float @g(float %a, float %b) "denormal-fp-math-f32"="ieee,ieee" {
  %r = fadd float %a, %b
  ret float %r
}
