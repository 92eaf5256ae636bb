; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --implicit-check-not=cvt.
; RUN: ptxscope run %s --launch=%p/truth-as-float.launch.json -mcpu=sm_90 --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/truth-as-float.launch.json -mcpu=sm_75
; The float of a comparison's result is a choice between two numbers, without a conversion.
; VALUES: "values":[1065353216,0,0,3220176896,1065353216,3212836864,15360,0]
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: plain(
; CHECK: selp.f32 	{{%r[0-9]+}}, 0f3F800000, 0f00000000, %p1;
define float @plain(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %f = uitofp i1 %c to float
  ret float %f
}

; CHECK-LABEL: by_sign(
; CHECK: selp.f64 	{{%rd[0-9]+}}, 0dBFF0000000000000, 0d0000000000000000, %p1;
define double @by_sign(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %f = sitofp i1 %c to double
  ret double %f
}

; CHECK-LABEL: extended(
; CHECK: selp.f32 	{{%r[0-9]+}}, 0f3F800000, 0f00000000, %p1;
define float @extended(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %e = zext i1 %c to i32
  %f = sitofp i32 %e to float
  ret float %f
}

; CHECK-LABEL: extended_by_sign(
; CHECK: selp.f32 	{{%r[0-9]+}}, 0fBF800000, 0f00000000, %p1;
define float @extended_by_sign(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %e = sext i1 %c to i32
  %f = sitofp i32 %e to float
  ret float %f
}

; CHECK-LABEL: halves(
; CHECK-COUNT-2: selp.b16 	{{%rs[0-9]+}}, 0x3C00, 0x0000, {{%p[0-9]+}};
define <2 x half> @halves(<2 x i32> %a, <2 x i32> %b) {
  %c = icmp slt <2 x i32> %a, %b
  %f = uitofp <2 x i1> %c to <2 x half>
  ret <2 x half> %f
}

define ptx_kernel void @k(i32 %a, i32 %b, ptr %o) {
  %f0 = call float @plain(i32 %a, i32 %b)
  %f1 = call float @plain(i32 %b, i32 %a)
  %f2 = call double @by_sign(i32 %a, i32 %b)
  %f4 = call float @extended(i32 %a, i32 %b)
  %f5 = call float @extended_by_sign(i32 %a, i32 %b)
  %v0 = insertelement <2 x i32> poison, i32 %a, i32 0
  %v1 = insertelement <2 x i32> %v0, i32 %b, i32 1
  %w0 = insertelement <2 x i32> poison, i32 %b, i32 0
  %w1 = insertelement <2 x i32> %w0, i32 %a, i32 1
  %f6 = call <2 x half> @halves(<2 x i32> %v1, <2 x i32> %w1)
  %o1 = getelementptr i32, ptr %o, i64 1
  %o2 = getelementptr i32, ptr %o, i64 2
  %o4 = getelementptr i32, ptr %o, i64 4
  %o5 = getelementptr i32, ptr %o, i64 5
  %o6 = getelementptr i32, ptr %o, i64 6
  store float %f0, ptr %o
  store float %f1, ptr %o1
  store double %f2, ptr %o2
  store float %f4, ptr %o4
  store float %f5, ptr %o5
  store <2 x half> %f6, ptr %o6
  ret void
}
