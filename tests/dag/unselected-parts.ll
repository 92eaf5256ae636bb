; What cannot be selected is reported once, also where others are made of its parts; the rest of the module is compiled.
; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s

; CHECK: error: in 'f': no instruction for fp_to_uint of type i175
; CHECK-NOT: error
define float @f(<4 x float> %x) {
  %w = call <4 x i175> @llvm.experimental.constrained.fptoui.v4i175.v4f32(<4 x float> %x, metadata !"fpexcept.ignore")
  %v = call <4 x float> @llvm.experimental.constrained.uitofp.v4f32.v4i175(<4 x i175> %w, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %e = extractelement <4 x float> %v, i32 1
  ret float %e
}
declare <4 x i175> @llvm.experimental.constrained.fptoui.v4i175.v4f32(<4 x float>, metadata)
declare <4 x float> @llvm.experimental.constrained.uitofp.v4f32.v4i175(<4 x i175>, metadata, metadata)
