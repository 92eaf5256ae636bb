; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/reduction-trees.launch.json -mcpu=sm_100 -mattr=+ptx88
; RUN: ptxscope check %s --launch=%p/reduction-trees.launch.json -mcpu=sm_80 -O0
; RUN: ptxscope run %s --launch=%p/reduction-trees.launch.json -mcpu=sm_100 -mattr=+ptx88 --json | filecheck %s --check-prefix=VALUES
; Reductions that no instruction does in pairs are a tree of scalars. The least of eight floats takes four instructions where one
; takes three of them, and 16-bit products are not packed between two steps. What has to be in order stays so.
target triple = "nvptx64-nvidia-cuda"
declare i16 @llvm.vector.reduce.mul.v8i16(<8 x i16>)
declare i32 @llvm.vector.reduce.smax.v5i32(<5 x i32>)
declare float @llvm.vector.reduce.fmin.v8f32(<8 x float>)
declare float @llvm.vector.reduce.fmaximum.v7f32(<7 x float>)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
declare float @llvm.vector.reduce.fmul.v5f32(float, <5 x float>)

; VALUES: "values":[10112,9,-3,8,3,60]

; CHECK-LABEL: product(
; CHECK-COUNT-7: mul.lo.s16
; CHECK-NOT: {{mul.lo|mov.b32 	%r[0-9]+, [{]}}
; CHECK: ret;
define i16 @product(<8 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.mul.v8i16(<8 x i16> %v)
  ret i16 %r
}

; CHECK-LABEL: least(
; CHECK-COUNT-4: min.f32
; CHECK-NOT: min.f32
; CHECK: ret;
define float @least(<8 x float> %v) {
  %r = call float @llvm.vector.reduce.fmin.v8f32(<8 x float> %v)
  ret float %r
}

; CHECK-LABEL: in_order(
; CHECK: add{{(.rn)?}}.f32 	[[A:%r[0-9]+]], {{%r[0-9]+, %r[0-9]+}};
; CHECK-NEXT: add{{(.rn)?}}.f32 	[[B:%r[0-9]+]], [[A]], {{%r[0-9]+}};
; CHECK-NEXT: add{{(.rn)?}}.f32 	[[C:%r[0-9]+]], [[B]], {{%r[0-9]+}};
; CHECK-NEXT: add{{(.rn)?}}.f32 	{{%r[0-9]+}}, [[C]], {{%r[0-9]+}};
define float @in_order(float %s, <4 x float> %v) {
  %r = call float @llvm.vector.reduce.fadd.v4f32(float %s, <4 x float> %v)
  ret float %r
}

define ptx_kernel void @k(ptr %a, ptr %f, ptr %o) {
  %x = load <8 x i16>, ptr %a
  %y = load <5 x i16>, ptr %a
  %w = sext <5 x i16> %y to <5 x i32>
  %u = load <8 x float>, ptr %f
  %v = load <7 x float>, ptr %f
  %q = load <4 x float>, ptr %f
  %z = load <5 x float>, ptr %f
  %r0 = call i16 @llvm.vector.reduce.mul.v8i16(<8 x i16> %x)
  %r1 = call i32 @llvm.vector.reduce.smax.v5i32(<5 x i32> %w)
  %r2 = call float @llvm.vector.reduce.fmin.v8f32(<8 x float> %u)
  %r3 = call float @llvm.vector.reduce.fmaximum.v7f32(<7 x float> %v)
  %r4 = call float @llvm.vector.reduce.fadd.v4f32(float 1.0, <4 x float> %q)
  %r5 = call reassoc float @llvm.vector.reduce.fmul.v5f32(float 0.5, <5 x float> %z)
  %i0 = sext i16 %r0 to i32
  %i2 = fptosi float %r2 to i32
  %i3 = fptosi float %r3 to i32
  %i4 = fptosi float %r4 to i32
  %i5 = fptosi float %r5 to i32
  %o1 = getelementptr i32, ptr %o, i64 1
  %o2 = getelementptr i32, ptr %o, i64 2
  %o3 = getelementptr i32, ptr %o, i64 3
  %o4 = getelementptr i32, ptr %o, i64 4
  %o5 = getelementptr i32, ptr %o, i64 5
  store i32 %i0, ptr %o
  store i32 %r1, ptr %o1
  store i32 %i2, ptr %o2
  store i32 %i3, ptr %o3
  store i32 %i4, ptr %o4
  store i32 %i5, ptr %o5
  ret void
}
