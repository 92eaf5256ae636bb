; Vectors of float are added and multiplied in pairs where the target has f32x2: sm_100 and PTX 8.6.
; RUN: ptxscope compile %s -mcpu=sm_100 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=SINGLE
; RUN: ptxscope check %s --launch %p/pairs-of-singles.launch.json -mcpu=sm_100
; RUN: ptxscope check %s --launch %p/pairs-of-singles.launch.json -mcpu=sm_100 -O0
; RUN: ptxscope check %s --launch %p/pairs-of-singles.launch.json -mcpu=sm_100 -nvptx-f32ftz
; RUN: ptxscope compile %s -mcpu=sm_100 -o %t.ptx && ptxas -arch=sm_100 -c %t.ptx -o /dev/null
target triple = "nvptx64-nvidia-cuda"

; SINGLE-NOT: f32x2
; CHECK-LABEL: .entry k(
; CHECK-DAG: add.rn.f32x2
; CHECK-DAG: sub.rn.f32x2
; CHECK-DAG: mul.rn.f32x2
; CHECK-DAG: fma.rn.f32x2
; The third element of an odd vector stays alone.
; CHECK-DAG: add.rn.f32 {{.*}}
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %a = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = shufflevector <4 x float> %a, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 0, i32 1>
  %sum = fadd <4 x float> %a, %b
  %difference = fsub <4 x float> %a, %b
  %product = fmul <4 x float> %sum, %difference
  %n = fneg <4 x float> %product
  %fused = call <4 x float> @llvm.fma.v4f32(<4 x float> %n, <4 x float> %a, <4 x float> <float 1.0, float -0.0, float 0x7FF0000000000000, float 3.0>)
  %low = shufflevector <4 x float> %fused, <4 x float> %a, <3 x i32> <i32 0, i32 5, i32 2>
  %odd = fadd <3 x float> %low, <float 1.0, float 0.5, float -2.0>
  %scaled = fmul contract <4 x float> %fused, <float 3.0, float 3.0, float 3.0, float 3.0>
  %contracted = fadd contract <4 x float> %scaled, %a
  %back = fsub contract <4 x float> %b, %scaled
  %o = getelementptr [16 x float], ptr addrspace(1) %out, i32 %t
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  %o3 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store <4 x float> %fused, ptr addrspace(1) %o, align 16
  store <3 x float> %odd, ptr addrspace(1) %o1, align 16
  store <4 x float> %contracted, ptr addrspace(1) %o2, align 16
  store <4 x float> %back, ptr addrspace(1) %o3, align 16
  ret void
}

; A pair that goes from one sum to the next is not taken apart.
; CHECK-LABEL: .func  (.param .align 8 .b8 func_retval0[8]) chain(
; CHECK:       add.rn.f32x2 [[A:%rd[0-9]+]],
; CHECK-NEXT:  mul.rn.f32x2 {{%rd[0-9]+}}, [[A]],
define <2 x float> @chain(<2 x float> %a, <2 x float> %b) {
  %s = fadd <2 x float> %a, %b
  %m = fmul <2 x float> %s, %b
  ret <2 x float> %m
}
