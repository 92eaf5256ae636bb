; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_50 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/contracted-halves.launch.json -mcpu=sm_70
; RUN: ptxscope check %s --launch=%p/contracted-halves.launch.json -mcpu=sm_50
; Where halves have no arithmetic, a product that may be contracted into a sum is, in one fma of f32.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK-NOT: mul
; CHECK-NOT: add.{{.*}}f32
; CHECK: fma.rn.f32
; CHECK-NOT: mul
; CHECK-NOT: add.{{.*}}f32
; CHECK: ret;
define ptx_kernel void @k(ptr %io) {
  %p1 = getelementptr i8, ptr %io, i64 2
  %p2 = getelementptr i8, ptr %io, i64 4
  %a = load bfloat, ptr %io
  %b = load bfloat, ptr %p1
  %c = load bfloat, ptr %p2
  %m = fmul contract bfloat %a, %b
  %s = fadd contract bfloat %m, %c
  store bfloat %s, ptr %io
  ret void
}
