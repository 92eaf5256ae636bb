; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/whole-and-part.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/whole-and-part.launch.json -mcpu=sm_75
; Registers are not taken apart to be put together again; of what is loaded only the part that is used; what is known to be
; zero is not masked.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: pairs(
; CHECK: add.rn.f16x2
; CHECK: add.rn.f16x2
; CHECK-NOT: mov.b32
; CHECK: ret;
define <4 x half> @pairs(<4 x half> %a, <4 x half> %b) noinline {
  %r = fadd <4 x half> %a, %b
  ret <4 x half> %r
}

; CHECK-LABEL: swapped(
; CHECK: mov.b32 	%r{{[0-9]+}}, {%rs{{[0-9]+}}, %rs{{[0-9]+}}};
define <2 x i16> @swapped(<2 x i16> %a) noinline {
  %r = shufflevector <2 x i16> %a, <2 x i16> poison, <2 x i32> <i32 1, i32 0>
  ret <2 x i16> %r
}

; CHECK-LABEL: upper(
; CHECK: ld.param.b16 	%r1, [upper_param_0+2];
; CHECK-NOT: mov
define i16 @upper(<2 x i16> %v) noinline {
  %e = extractelement <2 x i16> %v, i32 1
  ret i16 %e
}

; CHECK-LABEL: bits(
; CHECK: ld.param.b32
; CHECK-NOT: mov
; CHECK: ret;
define float @bits(i32 %x) noinline {
  %r = bitcast i32 %x to float
  ret float %r
}

; CHECK-LABEL: masked(
; CHECK: ld.global.b16 	%r
; CHECK-NOT: cvt
; CHECK: ret;
define i32 @masked(ptr addrspace(1) %p) noinline {
  %v = load i16, ptr addrspace(1) %p
  %w = xor i16 %v, 12
  %z = zext i16 %w to i32
  ret i32 %z
}

; CHECK-LABEL: short(
; CHECK: rem.u16
; CHECK: min.u16
; CHECK: abs.s16
; CHECK-NOT: and.b
; CHECK: ret;
define i32 @short(i8 %a, i8 %b, i8 %c) noinline {
  %r = urem i8 %a, %b
  %m = call i8 @llvm.umin.i8(i8 %r, i8 %c)
  %n = call i8 @llvm.abs.i8(i8 %a, i1 false)
  %mw = zext i8 %m to i32
  %nw = zext i8 %n to i32
  %s = sub i32 %mw, %nw
  ret i32 %s
}

; CHECK-LABEL: not_a_number(
; CHECK: setp.nan.f32
; CHECK-NOT: and.b32
; CHECK: ret;
define i1 @not_a_number(float %x) noinline {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 3)
  ret i1 %r
}

; Each set of classes, of every kind of float.
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr %in, i32 %t
  %o = getelementptr [16 x i32], ptr %out, i32 %t
  %v = load <4 x half>, ptr %p
  %q = call <4 x half> @pairs(<4 x half> %v, <4 x half> %v)
  store <4 x half> %q, ptr %o
  %w = load <2 x i16>, ptr %p
  %u = call i16 @upper(<2 x i16> %w)
  %o2 = getelementptr i8, ptr %o, i32 8
  store i16 %u, ptr %o2
  %x = load i32, ptr %p
  %y = load i32, ptr %p
  %f = call float @bits(i32 %x)
  %a8 = trunc i32 %x to i8
  %b7 = lshr i32 %x, 9
  %b8 = trunc i32 %b7 to i8
  %b9 = or i8 %b8, 1
  %c7 = lshr i32 %x, 17
  %c8 = trunc i32 %c7 to i8
  %s = call i32 @short(i8 %a8, i8 %b9, i8 %c8)
  %o3 = getelementptr i8, ptr %o, i32 12
  store i32 %s, ptr %o3
  %k0 = call i1 @llvm.is.fpclass.f32(float %f, i32 3)
  %k1 = call i1 @llvm.is.fpclass.f32(float %f, i32 1020)
  %k2 = call i1 @llvm.is.fpclass.f32(float %f, i32 516)
  %k3 = call i1 @llvm.is.fpclass.f32(float %f, i32 96)
  %k4 = call i1 @llvm.is.fpclass.f32(float %f, i32 264)
  %k5 = call i1 @llvm.is.fpclass.f32(float %f, i32 1)
  %k6 = call i1 @llvm.is.fpclass.f32(float %f, i32 60)
  %k7 = call i1 @llvm.is.fpclass.f32(float %f, i32 1023)
  %k8 = call i1 @llvm.is.fpclass.f32(float %f, i32 960)
  %k9 = call i1 @llvm.is.fpclass.f32(float %f, i32 240)
  %ka = call <4 x i1> @llvm.is.fpclass.v4f16(<4 x half> %v, i32 519)
  %kb = call <4 x i1> @llvm.is.fpclass.v4f16(<4 x half> %v, i32 507)
  %i0 = insertelement <10 x i1> poison, i1 %k0, i32 0
  %i1 = insertelement <10 x i1> %i0, i1 %k1, i32 1
  %i2 = insertelement <10 x i1> %i1, i1 %k2, i32 2
  %i3 = insertelement <10 x i1> %i2, i1 %k3, i32 3
  %i4 = insertelement <10 x i1> %i3, i1 %k4, i32 4
  %i5 = insertelement <10 x i1> %i4, i1 %k5, i32 5
  %i6 = insertelement <10 x i1> %i5, i1 %k6, i32 6
  %i7 = insertelement <10 x i1> %i6, i1 %k7, i32 7
  %i8 = insertelement <10 x i1> %i7, i1 %k8, i32 8
  %i9 = insertelement <10 x i1> %i8, i1 %k9, i32 9
  %z = zext <10 x i1> %i9 to <10 x i8>
  %o4 = getelementptr i8, ptr %o, i32 16
  store <10 x i8> %z, ptr %o4, align 16
  %za = zext <4 x i1> %ka to <4 x i8>
  %o5 = getelementptr i8, ptr %o, i32 32
  store <4 x i8> %za, ptr %o5
  %zb = zext <4 x i1> %kb to <4 x i8>
  %o6 = getelementptr i8, ptr %o, i32 36
  store <4 x i8> %zb, ptr %o6
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.umin.i8(i8, i8)
declare i8 @llvm.abs.i8(i8, i1)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare <4 x i1> @llvm.is.fpclass.v4f16(<4 x half>, i32)
