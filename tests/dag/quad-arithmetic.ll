; RUN: not ptxscope compile %s -mcpu=sm_70 -o - 2>&1 | filecheck %s
; Nothing computes with an fp128, and no library of functions is called.
target triple = "nvptx64-nvidia-cuda"

; CHECK: :[[#@LINE+2]]:3: error: in 'sum': arithmetic with floats of more than 64 bits is not supported (fadd)
define fp128 @sum(fp128 %x) {
  %r = fadd fp128 %x, %x
  ret fp128 %r
}

; CHECK: :[[#@LINE+2]]:3: error: in 'less': arithmetic with floats of more than 64 bits is not supported (fcmp)
define i1 @less(fp128 %x, fp128 %y) {
  %r = fcmp olt fp128 %x, %y
  ret i1 %r
}

; CHECK: :[[#@LINE+2]]:3: error: in 'wide': arithmetic with floats of more than 64 bits is not supported (fpext)
define fp128 @wide(double %x) {
  %r = fpext double %x to fp128
  ret fp128 %r
}

; CHECK: :[[#@LINE+2]]:3: error: in 'root': arithmetic with floats of more than 64 bits is not supported (call of @llvm.sqrt.f128)
define fp128 @root(fp128 %x) {
  %r = call fp128 @llvm.sqrt.f128(fp128 %x)
  ret fp128 %r
}

declare fp128 @llvm.sqrt.f128(fp128)
