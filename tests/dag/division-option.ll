; -nvptx-prec-divf32=3 divides as =2 does, and keeps subnormals where the function flushes them.
; RUN: ptxscope compile %s -nvptx-prec-divf32=3 -o - | filecheck %s --check-prefixes=CHECK,KEEP
; RUN: ptxscope compile %s -nvptx-prec-divf32=2 -o - | filecheck %s --check-prefixes=CHECK,FLUSH
; RUN: not ptxscope compile %s -nvptx-prec-divf32=4 -o -
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: flushes(
; KEEP:        div.rn.f32
; FLUSH:       div.rn.ftz.f32
define float @flushes(float %a, float %b) "denormal-fp-math-f32"="preserve-sign" {
  %r = fdiv float %a, %b
  ret float %r
}

; CHECK-LABEL: reciprocal(
; KEEP:        rcp.rn.f32
; FLUSH:       rcp.rn.ftz.f32
define float @reciprocal(float %b) "denormal-fp-math-f32"="preserve-sign" {
  %r = fdiv float 1.0, %b
  ret float %r
}

; A change of sign would flush the quotient.
; CHECK-LABEL: minus_one(
; KEEP:        div.rn.f32
; FLUSH:       neg.ftz.f32
define float @minus_one(float %b) "denormal-fp-math-f32"="preserve-sign" {
  %r = fdiv float -1.0, %b
  ret float %r
}

; CHECK-LABEL: keeps(
; CHECK:       div.rn.f32
define float @keeps(float %a, float %b) {
  %r = fdiv float %a, %b
  ret float %r
}

; CHECK-LABEL: precise(
; CHECK:       [func_retval0], 1;
define i32 @precise() {
  %r = call i32 @llvm.nvvm.reflect(ptr addrspacecast (ptr addrspace(4) @question to ptr))
  ret i32 %r
}

@question = private addrspace(4) constant [16 x i8] c"__CUDA_PREC_DIV\00"
declare i32 @llvm.nvvm.reflect(ptr)
