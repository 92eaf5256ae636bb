; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; .ftz flushes subnormal operands and results: it stands where both may be flushed. Flushing results is allowed then, but operands
; that are not to be flushed keep their value.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: both(
; CHECK:         add.rn.ftz.f32
define float @both(float %a, float %b) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %r = fadd float %a, %b
  ret float %r
}

; CHECK-LABEL: of_all_types(
; CHECK:         add.rn.ftz.f32
define float @of_all_types(float %a, float %b) "denormal-fp-math"="preserve-sign" {
  %r = fadd float %a, %b
  ret float %r
}

; CHECK-LABEL: in_words_of_llvm_23(
; CHECK:         add.rn.ftz.f32
define float @in_words_of_llvm_23(float %a, float %b) denormal_fpenv(float: preservesign) {
  %r = fadd float %a, %b
  ret float %r
}

; CHECK-LABEL: results_only(
; CHECK:         add.rn.f32
define float @results_only(float %a, float %b) "denormal-fp-math-f32"="preserve-sign,ieee" {
  %r = fadd float %a, %b
  ret float %r
}

; CHECK-LABEL: to_positive_zero(
; CHECK:         add.rn.f32
define float @to_positive_zero(float %a, float %b) "denormal-fp-math-f32"="positive-zero" {
  %r = fadd float %a, %b
  ret float %r
}
