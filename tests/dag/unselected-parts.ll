; What cannot be selected is reported once, also where others are made of its parts; the rest of the module is compiled.
; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s

; CHECK: error: in 'f': no instruction for fp_to_uint of type i175
; CHECK-NOT: error
define float @f(<4 x float> %x) {
  %w = fptoui <4 x float> %x to <4 x i175>
  %v = uitofp <4 x i175> %w to <4 x float>
  %e = extractelement <4 x float> %v, i32 1
  ret float %e
}
