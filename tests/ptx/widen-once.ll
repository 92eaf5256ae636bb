; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_120 -mattr=+ptx87 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A half that several sums read is widened once, also where they are in other blocks.
; CHECK-LABEL: sums(
; CHECK:      cvt.f32.f16 [[X:%r[0-9]+]],
; CHECK:      cvt.f32.f16 [[Y:%r[0-9]+]],
; CHECK-NOT:  cvt.f32.f16
; CHECK:      ret;
define float @sums(ptr addrspace(1) %p, float %a, float %b, i1 %c) {
entry:
  %q = getelementptr inbounds half, ptr addrspace(1) %p, i64 1
  %h = load half, ptr addrspace(1) %p
  %k = load half, ptr addrspace(1) %q
  %x = fpext half %h to float
  %y = fpext half %k to float
  %xy = call float @llvm.fma.f32(float %x, float %y, float %a)
  %xx = call float @llvm.fma.f32(float %x, float %x, float %b)
  br i1 %c, label %then, label %end
then:
  %yy = call float @llvm.fma.f32(float %y, float %y, float %xy)
  store volatile float %yy, ptr addrspace(1) %p
  br label %end
end:
  %s = fadd float %xx, %y
  ret float %s
}
declare float @llvm.fma.f32(float, float, float)
