; An overloaded intrinsic without a declaration and without the suffix of its types: each call gets that of its own types.
; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @f(
; CHECK:       call i32 @llvm.umax.i32(i32 %a, i32 7)
; CHECK:       call i64 @llvm.umax.i64(i64 %b, i64 7)
; CHECK:       call i64 @llvm.umax.i64(i64 %y, i64 9)
; CHECK-DAG:   declare i32 @llvm.umax.i32(i32, i32)
; CHECK-DAG:   declare i64 @llvm.umax.i64(i64, i64)
; CHECK-NOT:   @llvm.umax(
; PTX-LABEL:   f(
; PTX:         max.u32
; PTX:         max.u64
define i64 @f(i32 %a, i64 %b) {
  %x = call i32 @llvm.umax(i32 %a, i32 7)
  %y = call i64 @llvm.umax(i64 %b, i64 7)
  %z = call i64 @llvm.umax(i64 %y, i64 9)
  %w = zext i32 %x to i64
  %s = add i64 %w, %z
  ret i64 %s
}

; PTX-LABEL: g(
; PTX-COUNT-3: add.rn.f16
define half @g(<2 x half> %a, <2 x float> %b) {
  %x = call half @llvm.vector.reduce.fadd(half 1.0, <2 x half> %a)
  %y = call float @llvm.vector.reduce.fadd(float 1.0, <2 x float> %b)
  %h = fptrunc float %y to half
  %s = fadd half %x, %h
  ret half %s
}
