; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/float-idioms.launch.json -mcpu=sm_90 --level=ir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/float-idioms.launch.json -mcpu=sm_90 --level=mir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/float-idioms.launch.json -mcpu=sm_90 --level=ptx --json | filecheck %s --check-prefix=RESULT
; Several operations on floats, and on the bits of vectors, that are one.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Both give +0 for NaN and -0.
; CHECK-LABEL: positive(
; CHECK: ld.param
; CHECK-NEXT: max.f32
; CHECK-NEXT: st.param
define float @positive(float %a) {
  %c = fcmp ogt float %a, 0.0
  %r = select i1 %c, float %a, float 0.0
  ret float %r
}
; The smaller of a number and 3, whichever way it is asked.
; CHECK-LABEL: below(
; CHECK: min.f32
; CHECK-NOT: setp
; CHECK: st.param
define float @below(float %a) {
  %c = fcmp uge float %a, 3.0
  %r = select i1 %c, float 3.0, float %a
  ret float %r
}
; -0 stays what it is here, and NaN there.
; CHECK-LABEL: keeps_zero(
; CHECK: setp.ge.f32
; CHECK-LABEL: keeps_nan(
; CHECK: setp
define float @keeps_zero(float %a) {
  %c = fcmp oge float %a, 0.0
  %r = select i1 %c, float %a, float 0.0
  ret float %r
}
define float @keeps_nan(float %a) {
  %c = fcmp ole float %a, 3.0
  %r = select i1 %c, float 3.0, float %a
  ret float %r
}
; CHECK-LABEL: relu(
; CHECK: fma.rn.relu.f16
; CHECK-NOT: max
; CHECK: st.param
define half @relu(half %a, half %b, half %c) {
  %m = call nnan half @llvm.fma.f16(half %a, half %b, half %c)
  %r = call half @llvm.maxnum.f16(half %m, half 0.0)
  ret half %r
}
; CHECK-LABEL: relu_pairs(
; CHECK: fma.rn.relu.bf16x2
define <2 x bfloat> @relu_pairs(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %c) {
  %m = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %c)
  %r = call nsz <2 x bfloat> @llvm.maximum.v2bf16(<2 x bfloat> %m, <2 x bfloat> zeroinitializer)
  ret <2 x bfloat> %r
}
; A NaN gives 0 here.
; CHECK-LABEL: no_relu(
; CHECK: fma.rn.f16
; CHECK: max.f16
define half @no_relu(half %a, half %b, half %c) {
  %m = call half @llvm.fma.f16(half %a, half %b, half %c)
  %r = call half @llvm.maxnum.f16(half %m, half 0.0)
  ret half %r
}
; min.f64 orders the zeros, so that only NaNs remain.
; CHECK-LABEL: minimum(
; CHECK-DAG: min.f64
; CHECK-DAG: setp.nan.f64
; CHECK: selp.f64
; CHECK-NEXT: st.param
define double @minimum(double %a, double %b) {
  %r = call double @llvm.minimum.f64(double %a, double %b)
  ret double %r
}
; CHECK-LABEL: remainder(
; CHECK: div.approx.f32
; CHECK: cvt.rzi.f32.f32
define float @remainder(float %a, float %b) {
  %r = frem afn float %a, %b
  ret float %r
}
; CHECK-LABEL: root(
; CHECK: rsqrt.approx.f32
; CHECK-NOT: div
define half @root(half %a) {
  %s = call fast half @llvm.sqrt.f16(half %a)
  %r = fdiv fast half 1.0, %s
  ret half %r
}
; CHECK-LABEL: least(
; CHECK: setp.eq.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, -8388608;
define i1 @least(float %a) {
  %r = call i1 @llvm.is.fpclass.f32(float %a, i32 4)
  ret i1 %r
}
; CHECK-LABEL: finite(
; CHECK: abs.f32
; CHECK-NEXT: setp.lt.f32
define i1 @finite(float %a) {
  %r = call i1 @llvm.is.fpclass.f32(float %a, i32 504)
  ret i1 %r
}
; CHECK-LABEL: zero(
; CHECK: setp.eq.f32
define i1 @zero(float %a) {
  %r = call i1 @llvm.is.fpclass.f32(float %a, i32 96)
  ret i1 %r
}
; Where subnormals count as zeros the bits decide.
; CHECK-LABEL: exactly_zero(
; CHECK-NOT: setp.eq.f32
; CHECK: setp.eq.s32
define i1 @exactly_zero(float %a) #0 {
  %r = call i1 @llvm.is.fpclass.f32(float %a, i32 96)
  ret i1 %r
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign" }

; 16 bytes, in halves.
; CHECK-LABEL: all_bits(
; CHECK: and.b64
; CHECK-COUNT-3: and.b32
; CHECK-NOT: and
; CHECK: st.param
define i8 @all_bits(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.and.v16i8(<16 x i8> %v)
  ret i8 %r
}
; Signed bytes stay signed bytes.
; CHECK-LABEL: greatest(
; CHECK-COUNT-3: max.s16
; CHECK-NOT: s8
; CHECK: st.param
define i8 @greatest(<4 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.smax.v4i8(<4 x i8> %v)
  ret i8 %r
}
; CHECK-LABEL: sum_of_bits(
; CHECK: xor.b16
; CHECK-NEXT: st.b8
define void @sum_of_bits(ptr %p, ptr %q) {
  %a = load <8 x i1>, ptr %p
  %b = load <8 x i1>, ptr %q
  %c = add <8 x i1> %a, %b
  store <8 x i1> %c, ptr %p
  ret void
}

; RESULT: "out":{{.*}}[0,2147483648,2147483648,1077936128,0,0,0,1065353216,1065353216,1065353216,0,0,0,0,0,0,0,1077936128,0,2143289344,1082130432,0,0,0,0,0,0,0,1123942400,0,0,0,0,4286578688,0,1077936128,2139095040,2139095040,1065353216,0,0,0,0,0,0,0,0,0,0,3212836864,0,1077936128,0,1065353216,0,1065353216,0,0,0,0,0,0,0,0,
; RESULT-SAME: 1,1,1,1077936128,0,0,0,1065353216,0,0,0,0,1065353216,0,0,0,1082130432,1077936128,1082130432,1082130432,1082130432,0,0,1065353216,0,0,0,0,1115684864,0,0,0,0,0,0,1077936128,0,0,0,1065353216,1065353216,1065353216,0,0,0,0,0,0,2139095040,1077936128,2139095040,2139095040,1082130432,0,0,0,0,0,0,0,1123942400,0,0,0]
; RESULT: "wide":{{.*}}["9223372036854775808","0","9221120237041090560","9221120237041090560","18442240474082181120","4607182418800017408","13830554455654793216","4607182418800017408","13159518111176589312","13159518111176589312","13839561654909534208","13839561654909534208","9223372036854775808","9223372036854775808","18442240474082181120","18442240474082181120"]
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %wide) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %pa = getelementptr float, ptr addrspace(1) %in, i64 %i
  %a = load float, ptr addrspace(1) %pa, align 4
  %o0 = shl i64 %i, 4
  %o = getelementptr float, ptr addrspace(1) %out, i64 %o0
  %r0 = call float @positive(float %a)
  store float %r0, ptr addrspace(1) %o
  %r1 = call float @below(float %a)
  %o1 = getelementptr float, ptr addrspace(1) %o, i64 1
  store float %r1, ptr addrspace(1) %o1
  %r2 = call float @keeps_zero(float %a)
  %o2 = getelementptr float, ptr addrspace(1) %o, i64 2
  store float %r2, ptr addrspace(1) %o2
  %r3 = call float @keeps_nan(float %a)
  %o3 = getelementptr float, ptr addrspace(1) %o, i64 3
  store float %r3, ptr addrspace(1) %o3
  %h = fptrunc float %r1 to half
  %r4h = call half @relu(half %h, half %h, half 0xHC500)
  %r4 = fpext half %r4h to float
  %o4 = getelementptr float, ptr addrspace(1) %o, i64 4
  store float %r4, ptr addrspace(1) %o4
  %r5h = call half @no_relu(half %h, half 0xHBC00, half 0xH0000)
  %r5 = fpext half %r5h to float
  %o5 = getelementptr float, ptr addrspace(1) %o, i64 5
  store float %r5, ptr addrspace(1) %o5
  %x = call i1 @least(float %a)
  %y = call i1 @finite(float %a)
  %z = call i1 @zero(float %a)
  %w = call i1 @exactly_zero(float %a)
  %xf = uitofp i1 %x to float
  %yf = uitofp i1 %y to float
  %zf = uitofp i1 %z to float
  %wf = uitofp i1 %w to float
  %o6 = getelementptr float, ptr addrspace(1) %o, i64 6
  store float %xf, ptr addrspace(1) %o6
  %o7 = getelementptr float, ptr addrspace(1) %o, i64 7
  store float %yf, ptr addrspace(1) %o7
  %o8 = getelementptr float, ptr addrspace(1) %o, i64 8
  store float %zf, ptr addrspace(1) %o8
  %o9 = getelementptr float, ptr addrspace(1) %o, i64 9
  store float %wf, ptr addrspace(1) %o9
  %v = load <16 x i8>, ptr addrspace(1) %in
  %bits = call i8 @all_bits(<16 x i8> %v)
  %bitsf = uitofp i8 %bits to float
  %o11 = getelementptr float, ptr addrspace(1) %o, i64 11
  store float %bitsf, ptr addrspace(1) %o11
  %ai = bitcast float %a to <4 x i8>
  %top = call i8 @greatest(<4 x i8> %ai)
  %topf = sitofp i8 %top to float
  %o12 = getelementptr float, ptr addrspace(1) %o, i64 12
  store float %topf, ptr addrspace(1) %o12
  %d = fpext float %a to double
  %n = fneg double %d
  %m0 = call double @minimum(double %d, double %n)
  %m1 = call double @minimum(double %n, double 1.0)
  %q0 = shl i64 %i, 1
  %q = getelementptr double, ptr addrspace(1) %wide, i64 %q0
  store double %m0, ptr addrspace(1) %q
  %q1 = getelementptr double, ptr addrspace(1) %q, i64 1
  store double %m1, ptr addrspace(1) %q1
  ret void
}

declare half @llvm.fma.f16(half, half, half)
declare half @llvm.maxnum.f16(half, half)
declare <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare <2 x bfloat> @llvm.maximum.v2bf16(<2 x bfloat>, <2 x bfloat>)
declare double @llvm.minimum.f64(double, double)
declare half @llvm.sqrt.f16(half)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i8 @llvm.vector.reduce.and.v16i8(<16 x i8>)
declare i8 @llvm.vector.reduce.smax.v4i8(<4 x i8>)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
