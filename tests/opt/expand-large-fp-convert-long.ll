; Floats of more than 64 bits are converted by nobody: selection says so at the conversion.
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: in 'from_quad': arithmetic with floats of more than 64 bits is not supported (fptosi)
define i129 @from_quad(fp128 %a) {
  %r = fptosi fp128 %a to i129
  ret i129 %r
}
; CHECK: error: in 'to_quad': arithmetic with floats of more than 64 bits is not supported (uitofp)
define fp128 @to_quad(i200 %a) {
  %r = uitofp i200 %a to fp128
  ret fp128 %r
}
; CHECK: error: in 'saturated': {{.*}} is not supported (call of @llvm.fptosi.sat.i256.f128)
define i256 @saturated(fp128 %a) {
  %r = call i256 @llvm.fptosi.sat.i256.f128(fp128 %a)
  ret i256 %r
}
; CHECK: error: in 'from_x86':
define i256 @from_x86(x86_fp80 %a) {
  %r = fptoui x86_fp80 %a to i256
  ret i256 %r
}
; CHECK: error: in 'vector':
define <2 x fp128> @vector(<2 x i160> %a) {
  %r = sitofp <2 x i160> %a to <2 x fp128>
  ret <2 x fp128> %r
}
