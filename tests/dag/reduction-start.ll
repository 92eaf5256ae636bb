; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/reduction-start.launch.json -mcpu=sm_90
; Where the order is free, the start of a sum comes first: it is the addend of the first product, and adds nothing after the last.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: dot(
; CHECK:         fma.rn.f32 {{.*}}, 0f00000000;
; CHECK-NOT:     add.rn.f32
; CHECK:         ret;
define float @dot(<4 x float> %x, <4 x float> %y) {
  %m = fmul contract <4 x float> %x, %y
  %r = call contract reassoc float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %m)
  ret float %r
}

; In order, the start is first in any case.
; CHECK-LABEL: ordered(
; CHECK:         ld.param.b32 [[S:%r[0-9]+]], [ordered_param_1];
; CHECK:         add.rn.f32 [[A:%r[0-9]+]], [[S]],
; CHECK-NEXT:    add.rn.f32 [[B:%r[0-9]+]], [[A]],
define float @ordered(<3 x float> %x, float %s) {
  %r = call float @llvm.vector.reduce.fadd.v3f32(float %s, <3 x float> %x)
  ret float %r
}

; Small whole numbers, whose sums are exact in any order.
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x float>, ptr addrspace(1) %io, i32 %t
  %v = load <4 x float>, ptr addrspace(1) %p
  %w = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 0>
  %d = call float @dot(<4 x float> %v, <4 x float> %w)
  %h = shufflevector <4 x float> %v, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %o = call float @ordered(<3 x float> %h, float %d)
  store float %o, ptr addrspace(1) %p
  ret void
}
